"""Extract the part of an input or an output that a report shows."""

from judge.judging.diff.chunks import line_count
from judge.model import Excerpt

_LINES = 7
_CONTEXT = 1
_WIDTH = 400
_OUTPUT_LINES = 20


def extract_excerpt(data: bytes, *, related_line: int | None = None, answer_lines: int | None = None) -> Excerpt:
    """Return the lines of an input that belong to a wrong line of the output, or else its first lines.

    Many inputs have one line for each line of output, some after a header line with their number. If the number of
    lines suggests that, the corresponding input line is returned with its neighbours.

    Args:
        data: the whole input.
        related_line: 1-based line of the answer that the output gets wrong.
        answer_lines: the number of lines of the answer.
    """
    total = line_count(data)
    focus = _find_related(total, related_line, answer_lines)
    first = max(1, focus - _CONTEXT)
    count = min(total, focus + _CONTEXT) - first + 1 if focus else _LINES
    return Excerpt(first_line=first, lines=_cut_lines(data, first, count), total_lines=total, focus=focus)


def extract_beginning(data: bytes) -> Excerpt:
    """Return the first lines of an output."""
    return Excerpt(first_line=1, lines=_cut_lines(data, 1, _OUTPUT_LINES), total_lines=line_count(data))


def _find_related(total: int, line: int | None, answer_lines: int | None) -> int:
    """Return the number of the input line that belongs to a line of the answer, or 0."""
    if line is None or answer_lines is None or not 1 <= line <= answer_lines:
        return 0
    header = total - answer_lines
    return line + header if header in (0, 1) else 0


def _cut_lines(data: bytes, first: int, count: int) -> tuple[bytes, ...]:
    """Return lines without their newlines, each cut. Carriage returns stay: they may be the cause of the failure."""
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
