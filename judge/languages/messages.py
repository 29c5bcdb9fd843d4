"""What compilers print: the first error, with the line of the user's own file."""

import re
from collections.abc import Sequence

_ERROR = re.compile(r"(?P<file>.+?):(?P<line>\d+):(?:\d+:)? (?P<text>(?:fatal )?error: .*)")
# fpc, mcs, tsc: `main.pas(21,27) Error: Identifier not found`
_ERROR_IN_BRACKETS = re.compile(
    r"(?P<file>.+?)\((?P<line>\d+)(?:,\d+)?\):? (?P<text>(?:(?:fatal|syntax|error)\b).*)", re.IGNORECASE
)
_DIAGNOSTIC = re.compile(r".*: (?:fatal error|error|warning|note): ")
_PRIMARY = re.compile(r".*: (?:fatal error|error|warning): ")
_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:?) .*")
_OF_PYTHON = re.compile(
    r' *File "(?P<file>.+)", line (?P<line>\d+)(?:, in .*)?(?:\n +(?P<source>.*))?(?:\n .*)*\n\w+: (?P<text>.*)',
    re.MULTILINE,
)
_SYMBOL = re.compile(r" +symbol: +(?P<name>.*)")  # of javac
_MAX_TEXT = 2000  # characters of messages of an unknown form


def first_error(text: str, name: str) -> str:
    """Return the first error as one line, or the beginning of the text if none is recognized; "" for no text.

    Args:
        text: what the compiler printed.
        name: of the user's file in the text. An error in a header or library is reported with the line of this file
            that leads there: it includes the header, or uses the template.
    """
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if found := _ERROR.match(line):
            if found["file"] == name:
                return f"line {found['line']}: {found['text']}{_symbol_after(lines[number + 1 :])}"
            own = _line_before(lines[:number], name) or _line_after(lines[number + 1 :], name)
            place = f"{found['file']}, line {found['line']}"
            return f"line {own}: {found['text']} (in {place})" if own else f"{place}: {found['text']}"
    if found := _OF_PYTHON.search(text):
        place = f"line {found['line']}: " if found["file"] == name else f"{found['file']}, line {found['line']}: "
        return (
            ("" if found["line"] == "0" else place)
            + found["text"]
            + (f": {source[:200]}" if (source := found["source"]) else "")
        )
    for line in lines:
        if found := _ERROR_IN_BRACKETS.match(line):
            place = f"line {found['line']}" if found["file"] == name else f"{found['file']}, line {found['line']}"
            return f"{place}: {found['text']}"
    for line in lines:  # of a linker
        if undefined := _UNDEFINED.search(line):
            return f"error: {undefined[0]}"
    return text.strip()[:_MAX_TEXT]


def _symbol_after(lines: Sequence[str]) -> str:
    """Return the symbol that javac cannot find, as it names it below an error."""
    for line in lines:
        if _PRIMARY.match(line):
            break
        if found := _SYMBOL.fullmatch(line):
            return f": {found['name']}"
    return ""


def _line_before(lines: Sequence[str], name: str) -> str:
    """Return the line of a file that GCC names before an error: `required from` or `included from`."""
    included = ""
    for line in reversed(lines):
        if _DIAGNOSTIC.match(line):
            break
        if found := re.match(rf"{re.escape(name)}:(\d+):", line):
            return found[1]
        if found := re.search(rf" from {re.escape(name)}:(\d+)[:,]", line):
            included = found[1]
    return included


def _line_after(lines: Sequence[str], name: str) -> str:
    """Return the line of a file that Clang names in the notes after an error: `requested here`."""
    for line in lines:
        if _PRIMARY.match(line):
            break
        if found := re.match(rf"{re.escape(name)}:(\d+):(?:\d+:)? note: ", line):
            return found[1]
    return ""


def excerpt(text: str, name: str, most: int) -> list[str]:
    """Return at most so many lines of what a compiler printed, from the first error in the user's own file on."""
    lines = text.splitlines()
    starts = (number for number, line in enumerate(lines) if (found := _ERROR.match(line)) and found["file"] == name)
    first = next(starts, 0)
    first = 0 if first < most // 2 else first  # what comes before it often says how it was reached
    return lines[first : first + most]
