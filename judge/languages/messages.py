"""What compilers print: the first error, with the line of the user's own file."""

import re
from collections.abc import Sequence
from itertools import takewhile

_ERROR = re.compile(r"(?P<file>.+?):(?P<line>\d+):(?:\d+:)? (?P<text>(?:fatal )?error:(?: .*|$))")
_DIAGNOSTIC = re.compile(r".*: (?:fatal error|error|warning|note): ")
_PRIMARY = re.compile(r".*: (?:fatal error|error|warning): ")
_WARNING = re.compile("warning|note|hint|alert", re.IGNORECASE)
_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:?) .*")
# What other compilers write; the first one with an error in the user's file counts, or else the first in any file.
_FORMS = tuple(
    re.compile(form, re.MULTILINE)
    for form in (
        # Python
        r' *File "(?P<file>.+)", line (?P<line>\d+)(?:, in .*)?(?:\n +(?P<source>.*))?(?:\n .*)*\n\w+: (?P<text>.*)',
        # fpc, mcs, tsc, nim: `main.pas(21,27) Error: Identifier not found`
        r"^(?P<file>.+?)\((?P<line>\d+)(?:, ?\d+)?\):? (?P<text>(?i:(?:fatal|syntax|error)\b).*)",
        r"^error(?:\[\w+\])?: (?P<text>.+)\n +--> (?P<file>.+?):(?P<line>\d+):",  # rustc
        r'^File "(?P<file>.+)", lines? (?P<line>\d+).*:\n(?:.*\n){0,9}?Error: (?P<text>.+(?:\n {2,}.+)*)',  # ocamlc
        r"^(?P<file>.+?):(?P<line>\d+):\d+:\n(?:.*\n){0,9}?(?:Fatal )?Error: (?P<text>.+)",  # gfortran
        r"^-- (?P<text>.+): (?P<file>[^:\n]+):(?P<line>\d+):\d+ -+",  # scalac
        r"^In (?P<file>.+?):(?P<line>\d+):\d+\n(?:.*\n){0,9}?Error: (?P<text>.+)",  # crystal
        r"^(?P<file>.+?):(?P<line>\d+)\n(?:.*\n){0,9}?(?P<text>\w*Error: .+)",  # node
        r"^(?:PHP )?(?P<text>.+?) (?:in|at) (?P<file>\S+) (?:on )?line (?P<line>\d+)\b",  # php, perl
        r"^(?P<file>.+?): line (?P<line>\d+): (?P<text>.+)",  # bash
        r"^(?:\S+: )?(?P<file>[^\s:]+):(?P<line>\d+):(?:\d+:)? (?P<text>.+)",  # go, ruby, luac, gnat
    )
)
_SYMBOL = re.compile(r" +symbol: +(?P<name>.*)")  # of javac
_MAX_LINE = 500  # of a message of an unknown form


def first_error(text: str, name: str) -> str:
    """Return the first error as one line, or the first line of the text if none is recognized; "" for no text.

    Args:
        text: what the compiler printed.
        name: of the user's file in the text. An error in a header or library is reported with the line of this file
            that leads there: it includes the header, or uses the template.
    """
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if found := _ERROR.match(line):
            if found["file"] == name:
                return f"line {found['line']}: {_complete(found['text'], lines[number + 1 :])}"
            own = _line_near(lines[:number], lines[number + 1 :], name)
            place = f"{found['file']}, line {found['line']}"
            return f"line {own}: {found['text']} (in {place})" if own else f"{place}: {found['text']}"
    for line in lines:  # of a linker
        if undefined := _UNDEFINED.search(line):
            return f"error: {undefined[0]}"
    start = "\n".join(line[:_MAX_LINE] for line in text[: 64 * 1024].splitlines())  # a form may take long for a line
    if matches := [match for form in _FORMS for match in form.finditer(start) if not _WARNING.match(match["text"])]:
        is_own = [match["file"].removeprefix("./") == name for match in matches]
        groups = matches[is_own.index(True) if any(is_own) else 0].groupdict()
        place = "" if any(is_own) else f"{groups['file']}, "
        source = f": {groups['source'][:200]}" if groups.get("source") else ""
        message = f"{' '.join(groups['text'].split())}{source}"
        return message if groups["line"] == "0" else f"{place}line {groups['line']}: {message}"
    return next((line for line in lines if line.strip()), "").strip()[:_MAX_LINE]


def _complete(text: str, below: Sequence[str]) -> str:
    """Return the text of an error with what the lines below add: the symbol that javac cannot find, or all of GHC's."""
    if re.fullmatch(r"error:(?: \[[\w-]+\])?", text):
        return f"error: {next((line for line in below if line.strip()), '').strip(' •')}"
    for line in below:
        if _PRIMARY.match(line):
            break
        if found := _SYMBOL.fullmatch(line):
            return f"{text}: {found['name']}"
    return text


def _line_near(before: Sequence[str], after: Sequence[str], name: str) -> str:
    """Return a line of a file that GCC names before an error (`required from`, `included from`), Clang after it."""
    own = re.escape(name)
    before = list(takewhile(lambda line: not _DIAGNOSTIC.match(line), reversed(before)))
    after = list(takewhile(lambda line: not _PRIMARY.match(line), after))
    forms = (rf"{own}:(\d+):", before), (rf".* from {own}:(\d+)[:,]", before), (rf"{own}:(\d+):(?:\d+:)? note: ", after)
    return next((found[1] for form, lines in forms for line in lines if (found := re.match(form, line))), "")


def excerpt(text: str, name: str, most: int) -> list[str]:
    """Return at most so many lines of what a compiler printed, from the first error in the user's own file on."""
    lines = text.splitlines()
    starts = (number for number, line in enumerate(lines) if (found := _ERROR.match(line)) and found["file"] == name)
    first = next(starts, 0)
    first = 0 if first < most // 2 else first  # what comes before it often says how it was reached
    return lines[first : first + most]
