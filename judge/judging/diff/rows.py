"""The lines that a report shows: of the input, and of the answer and the output around their first difference.

The latter are aligned side by side, so that a missing or extra line has a row without a peer.
"""

from msgspec import Struct

from judge.judging.diff.chunks import Agrees, Offsets, common_prefix, line_count
from judge.model import DiffRow, Excerpt

Pair = tuple[int | None, int | None]
"""Indices of an expected and a found line; None if a side has no line."""

# The costs of alignment. Two different lines share a row rather than being in one row each, and the more similar they
# are, the lower the cost.
_ALONE = 1.0
_DIFFERENT = 1.6
_SIMILAR = 1.1
_SAME_WORDS = 0.2
_FOCUS_BONUS = 0.05
_KEY = 256


def align(expected: list[bytes], found: list[bytes], focus: tuple[int, int]) -> list[Pair]:
    """Return the cheapest alignment of lines, in order (Needleman and Wunsch, 1970).

    Time and memory grow with the product of the numbers of lines.

    The lines with the first difference, at the indices `focus`, share a row if all else is equal.
    """
    expected_keys, found_keys = [_key(line) for line in expected], [_key(line) for line in found]
    pair_costs = [
        [_pair_cost(one, other) - (_FOCUS_BONUS if (i, j) == focus else 0) for j, other in enumerate(found_keys)]
        for i, one in enumerate(expected_keys)
    ]
    return _trace_back(pair_costs, _total_costs(pair_costs, len(expected), len(found)))


def _key(line: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the part of a line that is compared, and its words in lower case, from either end."""
    line = line if len(line) <= 2 * _KEY else line[:_KEY] + line[-_KEY:]
    words = b" ".join(line.lower().split())
    return line, words, words[::-1]


def _pair_cost(one: tuple[bytes, bytes, bytes], other: tuple[bytes, bytes, bytes]) -> float:
    (line, words, backwards), (other_line, other_words, other_backwards) = one, other
    if line == other_line:
        return 0
    if words == other_words:
        return _SAME_WORDS
    alike = common_prefix(words, other_words) + common_prefix(backwards, other_backwards)
    return _DIFFERENT - (_DIFFERENT - _SIMILAR) * min(1, alike / max(len(words), len(other_words)))


def _total_costs(pair_costs: list[list[float]], rows: int, columns: int) -> list[list[float]]:
    """Return, for all i and j, the lowest cost of aligning the lines from i and from j on."""
    costs = [[_ALONE * (rows - i + columns - j) for j in range(columns + 1)] for i in range(rows + 1)]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            costs[i][j] = min(
                pair_costs[i][j] + costs[i + 1][j + 1], _ALONE + costs[i + 1][j], _ALONE + costs[i][j + 1]
            )
    return costs


def _trace_back(pair_costs: list[list[float]], costs: list[list[float]]) -> list[Pair]:
    """Return the pairs of the cheapest alignment."""
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


# How many lines to align beyond the rows that are shown, to find where both texts agree again.
_LOOK_AHEAD = 40


class _Window(Struct, frozen=True, kw_only=True):
    """Consecutive lines of a text.

    Attributes:
        number: 1-based number of the first line.
        lines: the lines with their line endings.
        focus: index in `lines` of the line with the difference; the number of lines if it is beyond the last one.
        column: 0-based column in that line.
    """

    number: int
    lines: list[bytes]
    focus: int
    column: int


def rows_around(
    answer: bytes, output: bytes, offsets: Offsets, agrees: Agrees, *, before: int, after: int, width: int
) -> tuple[DiffRow, ...]:
    """Return the rows around the given offsets, each line cut to `width` bytes."""
    expected = _window(answer, offsets[0], before, after + _LOOK_AHEAD)
    found = _window(output, offsets[1], before, after + _LOOK_AHEAD)
    pairs = align(expected.lines, found.lines, (expected.focus, found.focus))
    focus = next((at for at, (i, j) in enumerate(pairs) if i == expected.focus or j == found.focus), len(pairs))
    rows = pairs[max(0, focus - before) : focus + after + 1]
    return tuple(_row(expected, found, pair, agrees, width) for pair in rows)


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


def _row(answer: _Window, output: _Window, pair: Pair, agrees: Agrees, width: int) -> DiffRow:
    i, j = pair
    expected = None if i is None else answer.lines[i]
    found = None if j is None else output.lines[j]
    is_focus = pair == (answer.focus, output.focus)
    start = (answer.column, output.column) if is_focus else (0, 0)
    columns = (0, 0)
    if max(len(expected or b""), len(found or b"")) > width and expected != found:  # it has to be cut
        same = common_prefix(expected or b"", found or b"", *start)
        columns = start[0] + same, start[1] + same
    expected_part, expected_cut = _cut(expected, columns[0], width)
    found_part, found_cut = _cut(found, columns[1], width)
    return DiffRow(
        expected_line=None if i is None else answer.number + i,
        expected=expected_part,
        expected_cut=expected_cut,
        found_line=None if j is None else output.number + j,
        found=found_part,
        found_cut=found_cut,
        agrees=not is_focus and expected is not None and found is not None and agrees(expected, found),
    )


def _cut(line: bytes | None, column: int, width: int) -> tuple[bytes | None, tuple[int, int]]:
    """Cut a line to `width` bytes around a column; also return how many bytes were cut off before and after."""
    if line is None:
        return None, (0, 0)
    begin = max(0, column - width // 3)
    end = min(len(line), begin + width)
    return line[begin:end], (begin, len(line) - end)


def extract_excerpt(data: bytes, *, related_line: int | None = None, answer_lines: int | None = None) -> Excerpt:
    """Return the lines of an input that belong to a wrong line of the output, or else its first lines.

    Many inputs have one line for each line of output, some after a header line with their number. If the number of
    lines suggests that, the corresponding input line is returned with its neighbours.

    `related_line` is the 1-based line of the answer that the output gets wrong; `answer_lines` is how many it has.
    """
    total = line_count(data)
    focus = 0
    if related_line is not None and answer_lines is not None and 1 <= related_line <= answer_lines:
        header = total - answer_lines
        focus = related_line + header if header in (0, 1) else 0
    first = max(1, focus - 1)
    count = min(total, focus + 1) - first + 1 if focus else 7
    return Excerpt(first_line=first, lines=_cut_lines(data, first, count), total_lines=total, focus=focus)


def extract_beginning(data: bytes) -> Excerpt:
    """Return the first lines of an output."""
    return Excerpt(first_line=1, lines=_cut_lines(data, 1, 20), total_lines=line_count(data))


def _cut_lines(data: bytes, first: int, count: int) -> tuple[bytes, ...]:
    """Return lines without their newlines, each cut. Carriage returns stay: they may be the cause of the failure."""
    begin = 0
    for _ in range(first - 1):
        begin = data.index(b"\n", begin) + 1
    lines: list[bytes] = []
    while begin < len(data) and len(lines) < count:
        newline = data.find(b"\n", begin)
        end = len(data) if newline < 0 else newline
        lines.append(data[begin : min(end, begin + 400)])
        begin = end + 1
    return tuple(lines)
