"""Many mutants of a C++ source in one program (mutant schemata): compiling each alone takes a hundred times as long.

Each variant is in a namespace of its own, and the first argument of the program says which one runs. What the source
includes is above them, once. A source that cannot live in a namespace, such as one that specializes `std::hash`, does
not compile then; where a name means something else there, the unchanged source behaves differently. The caller notices
both, since that is the first variant.
"""

import re
from collections.abc import Sequence

from judge.strength.mutation.tokens import blank_texts, find_end

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


def combine(variants: Sequence[bytes]) -> tuple[bytes, list[range]]:
    """Return one source of some variants, and the lines of each, from 1.

    Its program runs the variant whose number is its first argument.

    Raises:
        ValueError: a variant has no `main`.
    """
    above, _ = _split(variants[0])
    parts = [above, _BEGIN]
    line = 1 + sum(part.count(b"\n") for part in parts)
    places: list[range] = []
    for number, variant in enumerate(variants):
        part = _VARIANT % (number, _rename_main(_split(variant)[1]))
        places.append(range(line, line := line + part.count(b"\n")))
        parts.append(part)
    parts.append(_END % b" ".join(_CASE % (number, number) for number in range(len(variants))))
    return b"".join(parts), places


def find_refused(messages: str, name: str, places: Sequence[range]) -> set[int]:
    """Return the numbers of the variants that a compiler's errors about a combined source name.

    Notes are about other variants, too: "suggested alternatives". Clang has one for what GCC calls "required from".
    """
    named = rf"{re.escape(name)}:(\d+):\d+:(?! note: (?!in instantiation))"
    lines = {int(line) for line in re.findall(named, messages)}
    return {number for number, place in enumerate(places) if any(line in place for line in lines)}


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
