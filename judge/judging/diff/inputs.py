"""The part of an input that goes with a failing line of output."""

from judge.judging.diff.chunks import line_count
from judge.model import Excerpt

_LINES = 7
_CONTEXT = 1
_WIDTH = 400


def excerpt(data: bytes, *, related_line: int | None = None, answer_lines: int | None = None) -> Excerpt:
    """Cut out the lines of an input that go with a failing line of output, else its first lines.

    Many inputs have a line for each line of output, some of them a heading (how many there are) before. Where the
    number of lines says so, the line with the same number is shown with its neighbours.

    Args:
        data: the whole input.
        related_line: 1-based line of the answer that the output gets wrong.
        answer_lines: how many lines the answer has.
    """
    total = line_count(data)
    focus = _related(total, related_line, answer_lines)
    first = max(1, focus - _CONTEXT)
    count = min(total, focus + _CONTEXT) - first + 1 if focus else _LINES
    return Excerpt(
        first_line=first, lines=_lines(data, first, count), total_lines=total, related=focus > 0, focus=focus
    )


def _related(total: int, line: int | None, answer_lines: int | None) -> int:
    """Return the number of the input line that goes with a line of the answer, or 0."""
    if line is None or answer_lines is None or not 1 <= line <= answer_lines:
        return 0
    heading = total - answer_lines
    return line + heading if heading in (0, 1) else 0


def _lines(data: bytes, first: int, count: int) -> tuple[bytes, ...]:
    """Return some lines without their newlines (a carriage return is kept, it may be the reason), each cut."""
    begin = 0
    for _ in range(first - 1):
        begin = data.index(b"\n", begin) + 1
    lines: list[bytes] = []
    while begin < len(data) and len(lines) < count:
        newline = data.find(b"\n", begin)
        end = len(data) if newline < 0 else newline
        lines.append(data[begin : min(end, begin + _WIDTH)])
        begin = end + 1
    return tuple(lines)
