"""Inputs near known ones that would have another shape if a number counted something else than it seems to.

A few samples show coincidences: if every sample has 4 nodes, and lines of 3 tokens, then the 4 may count these tokens.
The validators know: they accept a 5 with the same lines. What they accept is one more example.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from judge.search.shape import INTEGER, split_lines

_MAX_BASE = 2_000  # bytes of an input that is changed
_MAX_BASES = 2
_MAX_NUMBERS = 12  # that are changed in an input: counts are at its beginning
_MAX_COUNTED = 200  # elements
_MAX_PLACES = 4  # lines, or blocks of lines, that a number may count or the tokens of

_Rows = list[list[bytes]]


def variants_of(known: Sequence[bytes]) -> list[bytes]:
    """Return inputs in which one number is changed, alone or together with what it may count; few may be valid."""
    bases = sorted((each for each in known if len(each) <= _MAX_BASE), key=lambda each: (len(each), each))
    found = (_join(rows) for base in bases[:_MAX_BASES] for rows in _vary(split_lines(base) or ()))
    return list(dict.fromkeys(found))


def _join(rows: _Rows) -> bytes:
    return b"".join(b" ".join(row) + b"\n" for row in rows)


def _vary(lines: Sequence[Sequence[bytes]]) -> Iterator[_Rows]:
    rows = [list(row) for row in lines]
    places = ((line, at) for line, row in enumerate(rows) for at, text in enumerate(row) if INTEGER.fullmatch(text))
    for line, at in islice(places, _MAX_NUMBERS):
        number = int(rows[line][at])
        yield _with_number(rows, line, at, number + 1)
        yield _with_number(rows, line, at, number - 1)
        if 2 <= number <= _MAX_COUNTED:
            fewer = _with_number(rows, line, at, number - 1)
            yield from _without_token(fewer, line, number)
            yield from _without_line(fewer, line, number)


def _with_number(rows: _Rows, line: int, at: int, number: int) -> _Rows:
    changed = [list(row) for row in rows]
    changed[line][at] = b"%d" % number
    return changed


def _without_token(rows: _Rows, line: int, number: int) -> Iterator[_Rows]:
    """Yield the rows without the last token of a line, or of all lines, that a number may count the tokens of."""
    counted = [at for at in range(line, len(rows)) if len(rows[at]) >= number]
    for chosen in [[at] for at in counted[:_MAX_PLACES]] + [[at for at in counted if at > line]]:
        if chosen:
            yield [row[:-1] if at in chosen else row for at, row in enumerate(rows)]


def _without_line(rows: _Rows, line: int, number: int) -> Iterator[_Rows]:
    """Yield the rows without the last line of a block that a number may count the lines of."""
    ends = range(line + number, len(rows))
    for end in dict.fromkeys((*ends[:_MAX_PLACES], *ends[-1:])):
        yield rows[:end] + rows[end + 1 :]
