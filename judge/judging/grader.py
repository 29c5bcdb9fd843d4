"""Custom graders of the legacy format: run one on the results of a group, and read what it says ("Graders")."""

import math
import re
from collections.abc import Sequence

from judge.judging.program_checker import describe_failure
from judge.judging.programs import ReadyProgram
from judge.judging.score_rules import SubResult
from judge.model import Verdict
from judge.sandbox.box import Box

_CODES = {  # "Input": a grader need not know other verdicts
    Verdict.PE: Verdict.WA,
    Verdict.OLE: Verdict.RTE,
    Verdict.MLE: Verdict.RTE,
    Verdict.CE: Verdict.RTE,
}
_RESULT = re.compile(rb"\s*(AC|WA|TLE|RTE|MLE|OLE|JE)\s+([+-]?[0-9]*\.?[0-9]+(?:[Ee][+-]?[0-9]+)?)\s*")
_MAX_SHOWN = 60  # bytes of an output that is not a result


def run_grader(grader: ReadyProgram, args: tuple[str, ...], results: Sequence[SubResult], box: Box) -> SubResult | str:
    """Run a grader in the second box of a worker; return its result, or why it failed.

    Raises:
        SandboxError: it could not be run.
    """
    given = "".join(f"{_CODES.get(verdict, verdict)} {_number(score)!r}\n" for verdict, score in results)
    command = grader.program.command(given.encode(), grader.limits, args)
    outcome = box.partner.run(command, grader.limits)
    subject = f"the grader {grader.name}"
    if failure := describe_failure(outcome.result, grader.limits):
        return f"{subject} {failure}"
    if outcome.result.exit_code:
        last = f": {outcome.result.last_error_line}" if outcome.result.last_error_line else ""
        return f"{subject} ended with exit status {outcome.result.exit_code}, expected 0{last}"
    return parse_result(subject, outcome.stdout)


def _number(score: float) -> int | float:
    """Return a whole number as an integer: at Kattis, `accept_score: 25` is `25`, and graders may expect that."""
    return int(score) if float(score).is_integer() else score


def parse_result(subject: str, output: bytes) -> SubResult | str:
    """Return what a grader wrote to standard output, such as `AC 42.5`, or what is wrong with it.

    Args:
        subject: the grader in messages.
        output: all that it wrote.
    """
    found = _RESULT.fullmatch(output)
    if found is None or not math.isfinite(float(found[2])):
        shown = output[:_MAX_SHOWN].decode(errors="replace").strip()
        return f"{subject}: expected a verdict and a score, such as `AC 42.5`, found `{shown}`"
    verdict = Verdict(found[1].decode())
    if verdict is Verdict.JE:
        return f"{subject} says JE: a judge error"
    return verdict, float(found[2])
