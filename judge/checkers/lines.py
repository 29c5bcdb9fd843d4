"""The same lines; blanks at the end of a line and a missing final newline do not matter, all else does.

A line ends with LF. Blanks are space, tab, CR, VT and FF: all white space of the ICPC format but LF, so CRLF line ends
are accepted. What follows the last LF is a line only when it holds more than blanks. So an extra empty line, at
the end too, is a difference, as are letter case and white space inside or at the beginning of a line.
"""

from judge.diff import describe, mismatch
from judge.diff.notes import Spaces
from judge.diff.pieces import BLANKS, LINES, first_difference
from judge.model import CheckerConfig, CheckResult, Verdict


def check(_config: CheckerConfig, answer: bytes, output: bytes) -> CheckResult:
    """Compare line by line: AC or WA."""
    if answer == output:
        return CheckResult(verdict=Verdict.AC)
    place = first_difference(answer, output, LINES)
    if place is None:
        return CheckResult(verdict=Verdict.AC)
    found = mismatch(answer, output, place=place, agrees=_same_line, spaces=Spaces.INSIDE)
    return CheckResult(verdict=Verdict.WA, reason=describe(found), mismatch=found)


def _same_line(expected: bytes, found: bytes) -> bool:
    return _stripped(expected) == _stripped(found)


def _stripped(line: bytes) -> bytes:
    return line.removesuffix(b"\n").rstrip(BLANKS)
