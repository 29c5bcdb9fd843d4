"""Every byte counts; PE where only white space differs, as UVa says it."""

from judge.diff import describe, mismatch
from judge.diff.pieces import TOKENS, first_difference
from judge.model import CheckerConfig, CheckResult, Verdict


def check(_config: CheckerConfig, answer: bytes, output: bytes) -> CheckResult:
    """Accept only the answer's own bytes; PE where the tokens are the same, in order, else WA.

    For WA a wrong token is shown rather than white space that differs before it: it is what makes the output wrong.
    """
    if answer == output:
        return CheckResult(verdict=Verdict.AC)
    place = first_difference(answer, output, TOKENS)
    if place is None:
        found = mismatch(answer, output, whitespace_only=True)
        return CheckResult(
            verdict=Verdict.PE, reason=f"only white space differs, first in {describe(found)}", mismatch=found
        )
    found = mismatch(answer, output, whitespace_only=False)
    if found.token:
        return CheckResult(verdict=Verdict.WA, reason=describe(found), mismatch=found)
    remark = f" (white space differs before that, from line {found.line} on)"
    found = mismatch(answer, output, place=place, whitespace_only=False)
    return CheckResult(verdict=Verdict.WA, reason=describe(found) + remark, mismatch=found)
