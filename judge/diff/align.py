"""Line up two short lists of lines so that as much as possible stands side by side."""

from dataclasses import dataclass

from judge.diff.pieces import common_prefix

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
