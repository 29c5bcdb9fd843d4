"""The lines around a difference, side by side: a missing or extra line is shown as such, the rest lines up."""

from dataclasses import dataclass

from judge.judging.diff.chunks import common_prefix
from judge.judging.diff.tokens import Agrees
from judge.model import DiffRow

Pair = tuple[int | None, int | None]

# What a step costs. Two lines that differ stand side by side rather than below each other, whatever they say; the more
# alike they are, the rather.
_ALONE = 1.0
_DIFFERENT = 1.6
_SIMILAR = 1.1
_SAME_WORDS = 0.2
_FOCUS_BONUS = 0.05
_KEY = 256


@dataclass(frozen=True, slots=True)
class _Key:
    """A line as far as it is compared, and its words without regard to white space and letter case."""

    line: bytes
    words: bytes
    words_backwards: bytes


def align(expected: list[bytes], found: list[bytes], focus: tuple[int, int]) -> list[Pair]:
    """Return pairs of indices in order, None where a side has no line: the cheapest way (Needleman and Wunsch, 1970).

    Time and memory grow with the product of the lengths.

    Args:
        expected: lines of the answer.
        found: lines of the output.
        focus: indices of the lines where the first difference is; they stand side by side where all else is equal.
    """
    ours, theirs = [_key(line) for line in expected], [_key(line) for line in found]
    pair_costs = [
        [_pair_cost(one, other) - (_FOCUS_BONUS if (i, j) == focus else 0) for j, other in enumerate(theirs)]
        for i, one in enumerate(ours)
    ]
    return _walk(pair_costs, _costs(pair_costs, len(ours), len(theirs)))


def _key(line: bytes) -> _Key:
    line = line if len(line) <= 2 * _KEY else line[:_KEY] + line[-_KEY:]
    words = b" ".join(line.lower().split())
    return _Key(line, words, words[::-1])


def _pair_cost(one: _Key, other: _Key) -> float:
    if one.line == other.line:
        return 0
    if one.words == other.words:
        return _SAME_WORDS
    length = max(len(one.words), len(other.words))
    alike = common_prefix(one.words, other.words) + common_prefix(one.words_backwards, other.words_backwards)
    return _DIFFERENT - (_DIFFERENT - _SIMILAR) * min(1, alike / length)


def _costs(pair_costs: list[list[float]], rows: int, columns: int) -> list[list[float]]:
    """Return, for every i and j, what the lines from i and from j on cost at least."""
    costs = [[_ALONE * (rows - i + columns - j) for j in range(columns + 1)] for i in range(rows + 1)]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            costs[i][j] = min(
                pair_costs[i][j] + costs[i + 1][j + 1], _ALONE + costs[i + 1][j], _ALONE + costs[i][j + 1]
            )
    return costs


def _walk(pair_costs: list[list[float]], costs: list[list[float]]) -> list[Pair]:
    """Return the steps of the cheapest way."""
    pairs: list[Pair] = []
    i = j = 0
    rows, columns = len(costs) - 1, len(costs[0]) - 1
    while i < rows or j < columns:
        if i < rows and j < columns and costs[i][j] == pair_costs[i][j] + costs[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif i < rows and costs[i][j] == _ALONE + costs[i + 1][j]:
            pairs.append((i, None))
            i += 1
        else:
            pairs.append((None, j))
            j += 1
    return pairs


# How far beyond the rows that are shown a place is looked for where both texts agree again.
_LOOK_AHEAD = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    """Some lines of a text.

    Attributes:
        number: 1-based number of the first line.
        lines: with their ends.
        focus: index in `lines` of the line that matters; the number of lines when it is beyond the last.
        column: 0-based column in that line.
    """

    number: int
    lines: list[bytes]
    focus: int
    column: int


def rows_around(
    answer: bytes,
    output: bytes,
    place: tuple[int, int],
    agrees: Agrees,
    *,
    before: int,
    after: int,
    width: int,
) -> tuple[DiffRow, ...]:
    """Return the rows around the places in the answer and in the output, each line cut to `width` bytes."""
    ours = _window(answer, place[0], before, after + _LOOK_AHEAD)
    theirs = _window(output, place[1], before, after + _LOOK_AHEAD)
    pairs = align(ours.lines, theirs.lines, (ours.focus, theirs.focus))
    focus = next((at for at, (i, j) in enumerate(pairs) if i == ours.focus or j == theirs.focus), len(pairs))
    shown = pairs[max(0, focus - before) : focus + after + 1]
    return tuple(_row(ours, theirs, pair, agrees, width) for pair in shown)


def _window(text: bytes, at: int, before: int, after: int) -> _Window:
    line_at = begin = text.rfind(b"\n", 0, at) + 1
    focus = 0
    while focus < before and begin:
        begin = text.rfind(b"\n", 0, begin - 1) + 1
        focus += 1
    lines: list[bytes] = []
    end = begin
    while end < len(text) and len(lines) <= focus + after:
        newline = text.find(b"\n", end)
        stop = len(text) if newline < 0 else newline + 1
        lines.append(text[end:stop])
        end = stop
    return _Window(number=text.count(b"\n", 0, begin) + 1, lines=lines, focus=focus, column=at - line_at)


def _row(ours: _Window, theirs: _Window, pair: Pair, agrees: Agrees, width: int) -> DiffRow:
    i, j = pair
    expected = None if i is None else ours.lines[i]
    found = None if j is None else theirs.lines[j]
    is_focus = pair == (ours.focus, theirs.focus)
    start = (ours.column, theirs.column) if is_focus else (0, 0)
    columns = _first_difference(expected or b"", found or b"", start, width)
    expected_shown, expected_cut = _cut(expected, columns[0], width)
    found_shown, found_cut = _cut(found, columns[1], width)
    return DiffRow(
        expected_line=None if i is None else ours.number + i,
        expected=expected_shown,
        expected_cut=expected_cut,
        found_line=None if j is None else theirs.number + j,
        found=found_shown,
        found_cut=found_cut,
        agrees=not is_focus and expected is not None and found is not None and agrees(expected, found),
    )


def _first_difference(expected: bytes, found: bytes, start: tuple[int, int], width: int) -> tuple[int, int]:
    """Return the 0-based columns around which to cut two lines: of the first difference from `start` on, if any."""
    if max(len(expected), len(found)) <= width or expected == found:
        return (0, 0)
    same = common_prefix(expected, found, *start)
    return start[0] + same, start[1] + same


def _cut(line: bytes | None, column: int, width: int) -> tuple[bytes | None, tuple[int, int]]:
    """Cut a line to `width` bytes around a column; also return how many bytes were cut before and after."""
    if line is None:
        return None, (0, 0)
    begin = max(0, column - width // 3)
    end = min(len(line), begin + width)
    return line[begin:end], (begin, len(line) - end)
