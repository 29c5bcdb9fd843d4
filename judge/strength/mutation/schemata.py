"""Many mutants of a source in one program (mutant schemata): compiling each alone takes many times as long.

`JUDGE_MUTANT` in its environment says which one runs. Most are behind a switch, see `switch`. In C++, a mutant that
concerns the whole program, such as the type of a global variable, is a copy in a namespace of its own. What the source
includes is above them, once. A source that cannot live there, such as one that specializes `std::hash`, does not
compile then; where a name means something else there, the unchanged source behaves differently. The caller notices
both, since the source with the switches is there, too.
"""

import re
from collections.abc import Mapping

from judge.strength.mutation.mutant import Mutant
from judge.strength.mutation.switch import SWITCHES, Region, Switches, error_lines
from judge.strength.mutation.tokens import blank_texts, find_end

_MAIN = re.compile(rb"\bmain\s*\(")
_CONDITIONAL = re.compile(rb"\s*#\s*(if|endif)")
_INCLUDE = re.compile(rb"\s*#\s*include")

# `signed`, since a source may define `int` as `long long`. A function that is called `main` returns 0 only outside of a
# namespace.
_BEGIN = b"""
inline signed judge_call(signed (*main)(), signed, char **) { return main(); }
inline signed judge_call(signed (*main)(signed, char **), signed argc, char **argv) { return main(argc, argv); }
static signed judge_run(signed, char **);
signed main(signed argc, char **argv) { return judge_run(argc, argv); }
"""
_END = b"""
static signed judge_run(signed argc, char **argv) {
    switch (judge_mutant) { %b }
    return judge_call(judge_variant_0::judge_main, argc, argv);
}
"""
_CASE = b"case %d: return judge_call(judge_variant_%d::judge_main, argc, argv);"
_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:) \W?judge_variant_([1-9]\d*)::")  # says a linker
_FLOW = re.compile(r"error: .*(?:might (?:not|already) have been|unreachable|missing return|is never thrown)")
_VARIANT = b"namespace judge_variant_%d {\n%b\n}\n"


def combine(language: str, source: bytes, copies: Mapping[int, bytes]) -> tuple[bytes, dict[int, range]]:
    """Return a program of a source with switches and of numbered copies of it, and the lines of each.

    The source is number 0. The first line of each is the one before it, and the first of all is 1.

    Raises ValueError if one has no `main`, or if there are copies in another language than C++.
    """
    begin, end = SWITCHES[language]
    if language == "cpp":
        above, source = _split(source)
        begin = above + b"\n" + begin  # what is above all includes may have been compiled before
    parts = {0: b"\n%b\n" % source}
    if copies:
        if language != "cpp":
            raise ValueError("no namespaces")
        texts = {0: source, **{number: _split(text)[1] for number, text in copies.items()}}
        parts = {number: _VARIANT % (number, _rename_main(text)) for number, text in texts.items()}
        begin += _BEGIN
        end = _END % b" ".join(_CASE % (number, number) for number in copies)
    line = 1 + begin.count(b"\n")
    places = {number: range(line, line := line + part.count(b"\n")) for number, part in parts.items()}
    return b"".join([begin, *parts.values(), end]), places


def _split(text: bytes) -> tuple[bytes, bytes]:
    """Return the includes of a source, with the conditions around them, and the rest, with as many lines as before.

    What the preprocessor reads above all code stays with the includes, too: `#define NDEBUG` changes what they mean.
    """
    above: list[bytes] = []
    rest: list[bytes] = []
    depth, block = 0, list[bytes]()
    blank = re.match(rb"\s*", blank_texts(text))
    at, first_code = 0, blank.end() if blank else 0
    for line in text.splitlines(keepends=True):
        if found := _CONDITIONAL.match(line):
            depth += 1 if found[1] == b"if" else -1
        block.append(line)
        at += len(line)
        if depth <= 0 and not line.rstrip().endswith(b"\\"):
            has_includes = any(map(_INCLUDE.match, block))
            is_setting = at <= first_code and block[0].lstrip().startswith(b"#")
            above += block if has_includes or is_setting else ()
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


class Schemata:
    """Mutants of a source, by their numbers from 1, as one program; the errors of a compiler say how each can be there.

    Attributes:
        mutants: those that are in the program.
        refused: the numbers of those that certainly do not compile alone, either. Others are left out in doubt: those
            in a namespace, those of a source that the parser does not understand, which macros cause, and those beside
            errors of Java that a change elsewhere may cause.

    Raises:
        ImportError: the parser is not installed.
    """

    def __init__(self, text: bytes, language: str, mutants: Mapping[int, Mutant]) -> None:
        switches = Switches(text, language)
        self._text, self._language, self._switches = text, language, switches
        self.mutants = {number: each for number, each in mutants.items() if switches.is_possible(each)}
        self.refused = mutants.keys() - self.mutants
        self._places = {number: switches.places(mutant) for number, mutant in self.mutants.items()}
        self._lines: dict[int, range] = {}
        self._regions: list[Region] = []

    def write(self) -> bytes:
        """Return the program. Raises ValueError if the source cannot be combined with copies of it."""
        places = self._places
        items = {number: (mutant, places[number][0]) for number, mutant in self.mutants.items() if places[number]}
        source, self._regions = self._switches.write(items)
        copies = {number: each.apply(self._text) for number, each in self.mutants.items() if number not in items}
        text, self._lines = combine(self._language, source, copies)
        return text

    def drop_copies(self) -> bool:
        """Leave out the mutants that concern the whole program; return whether there were any."""
        copies = [number for number in self.mutants if not self._places[number]]
        for number in copies:
            del self.mutants[number]
        return bool(copies)

    def learn(self, messages: str, name: str) -> None:
        """Move mutants to larger places, or remove them, as the compiler's errors about the program demand.

        Raises ValueError if they are about nothing that can be moved.
        """
        left_out = {int(number) for number in _UNDEFINED.findall(messages)}
        refused: set[int] = set()
        moved: set[int] = set()
        has_copies = any(number > 0 for number in self._lines)
        for own, using in error_lines(messages, name):
            for line in own + using:
                variant = next((number for number, lines in self._lines.items() if line in lines), -1)
                if variant > 0:
                    left_out.add(variant)
                    break
                regions = [each for each in self._regions if line - self._lines[0].start in each.lines]
                if variant == 0 and regions:
                    region = min(regions, key=lambda each: len(each.lines))
                    (refused if region.is_changed and line in own else moved).update(region.mutants)
                    break
                if variant == 0 and has_copies:
                    raise ValueError("it does not compile in a namespace")
        moved -= left_out | refused
        if not left_out and not refused and not moved:
            raise ValueError("it does not compile beside others")
        for number in moved:
            del self._places[number][:1]
        for number in left_out | refused:
            del self.mutants[number]
        if not (self._switches.has_error or _FLOW.search(messages)):
            self.refused |= refused
