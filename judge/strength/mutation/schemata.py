"""Many mutants of a source in one program (mutant schemata): compiling each alone takes many times as long.

Each variant is in a namespace, or in Java in a class, of its own, and the first argument of the program says which one
runs. What the source includes or imports is above them, once. A source that cannot live there, such as one that
specializes `std::hash`, does not compile then; where a name means something else there, the unchanged source behaves
differently. The caller notices both, since that is the first variant.
"""

import re
from collections.abc import Callable, Sequence

from judge.strength.mutation.tokens import blank_texts, find_end

Combined = tuple[bytes, list[range]]
"""A source, and the lines of each variant in it, from 1; its program runs the one whose number is its argument."""

# ---- C++ ------------------------------------------------------------------------------------------------------------

_MAIN = re.compile(rb"\bmain\s*\(")
_CONDITIONAL = re.compile(rb"\s*#\s*(if|endif)")
_INCLUDE = re.compile(rb"\s*#\s*include")

# Above all macros of the source. A function that is called `main` returns 0 only outside of a namespace.
_BEGIN = b"""
inline int judge_call(int (*main)(), int, char **) { return main(); }
inline int judge_call(int (*main)(int, char **), int argc, char **argv) { return main(argc, argv); }
static int judge_run(int, int, char **);
int main(int argc, char **argv) {
    int number = 0;
    for (char *digit = argv[1]; *digit; digit++) number = 10 * number + *digit - '0';
    argv[1] = argv[0];
    return judge_run(number, argc - 1, argv + 1);
}
"""
_END = b"""
static signed judge_run(signed number, signed argc, char **argv) {
    switch (number) { %b }
    return 2;
}
"""
_CASE = b"case %d: return judge_call(judge_variant_%d::judge_main, argc, argv);"
_VARIANT = b"namespace judge_variant_%d {\n%b\n}\n"


def combine_cpp(variants: Sequence[bytes]) -> Combined:
    """Return one source of some variants, and the lines of each. Raises ValueError if a variant has no `main`."""
    above, _ = _split(variants[0])
    parts = [_VARIANT % (number, _rename_main(_split(text)[1])) for number, text in enumerate(variants)]
    cases = b" ".join(_CASE % (number, number) for number in range(len(variants)))
    return _join(above + _BEGIN, parts, _END % cases)


def _split(text: bytes) -> tuple[bytes, bytes]:
    """Return the includes of a source, with the conditions around them, and the rest, with as many lines as before."""
    above: list[bytes] = []
    rest: list[bytes] = []
    depth, block = 0, list[bytes]()
    for line in text.splitlines(keepends=True):
        if found := _CONDITIONAL.match(line):
            depth += 1 if found[1] == b"if" else -1
        block.append(line)
        if depth <= 0:
            has_includes = any(map(_INCLUDE.match, block))
            above += block if has_includes else ()
            rest += [b"\n"] * len(block) if has_includes else block
            block = []
    return b"".join(above), b"".join([*rest, *block])


def _rename_main(text: bytes) -> bytes:
    code = blank_texts(text)
    for found in _MAIN.finditer(code):
        start = code.find(b"{", found.end())
        if code.count(b"{", 0, found.start()) == code.count(b"}", 0, found.start()) and start > 0:
            end = find_end(code, start)
            if end is not None:
                renamed = text[: found.start()] + b"judge_main(" + text[found.end() : end]
                return renamed + b" return 0; " + text[end:]
    raise ValueError("no main")


# ---- Java -----------------------------------------------------------------------------------------------------------

_IMPORT = re.compile(rb"^[ \t]*import\b[^;\n]*;", re.MULTILINE)
_PACKAGE = re.compile(rb"^[ \t]*package\b", re.MULTILINE)
_CLASS = re.compile(rb"\bclass\s+([\w$]+)")
_JAVA_MAIN = re.compile(rb"\bstatic\s+(?:public\s+)?(?:final\s+)?void\s+main\s*\(")
_JAVA_BEGIN = (
    b"class JudgeVariants {\npublic static void main(String[] words) throws Throwable {\nswitch (words[0]) {\n"
)
_JAVA_CASE = b'case "%d": JudgeVariant%d.%b.main(new String[0]); break;\n'
_JAVA_VARIANT = b"class JudgeVariant%d {\n%b\n}\n"


def combine_java(variants: Sequence[bytes]) -> Combined:
    """Return one source of some variants, and the lines of each.

    Raises ValueError if a variant has a package, or no class with `main`.
    """
    above = b"".join(each + b"\n" for each in _IMPORT.findall(variants[0]))
    nested = [_nest_classes(_IMPORT.sub(b"", variant)) for variant in variants]
    cases = b"".join(_JAVA_CASE % (number, number, main) for number, (_, main) in enumerate(nested))
    parts = [_JAVA_VARIANT % (number, text) for number, (text, _) in enumerate(nested)]
    return _join(above + _JAVA_BEGIN + cases + b"}\n}\n}\n", parts, b"")


def _nest_classes(text: bytes) -> tuple[bytes, bytes]:
    """Return a source whose classes may be in another one, and the name of the class with `main`."""
    code = blank_texts(text)
    if _PACKAGE.search(text):
        raise ValueError("a package")
    parts, last, main = [], 0, b""
    for found in _CLASS.finditer(code):
        if code.count(b"{", 0, found.start()) == code.count(b"}", 0, found.start()):
            parts += [text[last : found.start()], b"static "]
            last = found.start()
            end = find_end(code, max(0, code.find(b"{", last)))
            if not main and _JAVA_MAIN.search(code, last, end or last):
                main = found[1]
    if not main:
        raise ValueError("no class with main")
    return b"".join([*parts, text[last:]]), main


# ---- both -----------------------------------------------------------------------------------------------------------


def _join(begin: bytes, parts: Sequence[bytes], end: bytes) -> Combined:
    line = 1 + begin.count(b"\n")
    places = [range(line, line := line + part.count(b"\n")) for part in parts]
    return b"".join([begin, *parts, end]), places


COMBINERS: dict[str, Callable[[Sequence[bytes]], Combined]] = {"cpp": combine_cpp, "java": combine_java}
"""How sources are combined, by the id of a language."""


def find_refused(messages: str, name: str, places: Sequence[range]) -> set[int]:
    """Return the numbers of the variants that a compiler's errors about a combined source name.

    Notes are about other variants, too: "suggested alternatives". Clang has one for what GCC calls "required from".
    """
    named = rf"{re.escape(name)}:(\d+):(?:\d+:)?(?!\d| warning| note: (?!in instantiation))"
    lines = {int(line) for line in re.findall(named, messages)}
    return {number for number, place in enumerate(places) if any(line in place for line in lines)}
