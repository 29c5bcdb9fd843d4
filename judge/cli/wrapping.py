"""Breaks the lines of a help text that are too long for the terminal: between words, and never in a command."""

import re
from collections.abc import Iterator
from itertools import chain, groupby
from shutil import get_terminal_size
from textwrap import wrap

_ROW = re.compile(r"( *)(\S.*?)(?: {2,}(\S.*))?")  # such as an example and what it does


def wrap_help(text: str) -> str:
    """Return a help text whose lines fit the terminal; paragraphs and rows that fit stay as they are."""
    columns = get_terminal_size().columns
    lines: list[str] = []
    for is_prose, block in groupby(text.split("\n"), key=lambda line: bool(line[:1].strip())):
        part = list(block)
        if is_prose and max(map(len, part)) > columns:
            lines += _wrap(" ".join(part), columns)
        else:
            lines += chain.from_iterable(_wrap_row(line, columns) for line in part)
    return "\n".join(lines)


def _wrap_row(line: str, columns: int) -> Iterator[str]:
    """Yield the lines of a row: its second part continues below where it starts."""
    found = _ROW.fullmatch(line)
    if found is None or len(line) <= columns:
        yield line
        return
    margin, head, text = found.groups()
    start, at = line[: found.start(3)], found.start(3)
    if text is None:
        start, at, text = margin, len(margin), head
        if "judge " in head:  # to be copied
            yield line
            return
    elif columns - at < 24:  # too narrow for the second part, which starts on a line of its own
        yield start.rstrip()
        at = len(margin) + 4
        start = " " * at
    first, *others = _wrap(text, max(columns - at, 1))
    yield start + first
    yield from (" " * at + other for other in others)


def _wrap(text: str, columns: int) -> list[str]:
    """Break a text between words, but not in backticks."""
    whole = re.sub("`[^`]*`", lambda quoted: quoted[0].replace(" ", "\N{NO-BREAK SPACE}"), text)
    lines = wrap(whole, columns, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines] or [""]
