"""Confirms cases: the validator accepts the input, and the problem's own solutions agree on the answer.

This part of the preparation runs programs; it works on one case and may run in any worker.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from judge.data import Data, read_data
from judge.judging.checkers import check
from judge.languages.program import Program
from judge.model import Case, Ending, Limits, Problem, RunResult, Verdict
from judge.preparation.cases import InvalidCase, invalid_case
from judge.sandbox.box import Box
from judge.units import GIB, Bytes, Seconds

VALID = 42  # exit status of a validator that accepts: ICPC problem package format, "Input Validators"

_VALIDATOR_LIMITS = Limits(cpu=Seconds(20.0), wall=Seconds(60.0), memory=Bytes(2 * GIB), output=Bytes(GIB))
_LIMIT_FACTOR = 10  # the problem's own solutions may take this many times the time limit of a case


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmer:
    """Confirms the cases of one problem.

    Attributes:
        programs: the compiled validator, reference and independent solution, by source.
    """

    problem: Problem
    programs: Mapping[Path, Program]

    def validate(self, case: Case, data: Data, box: Box) -> InvalidCase | None:
        """Run the validator on an input; return why it rejects it, or None."""
        if self.problem.validator is None:
            return None
        program = self.programs[self.problem.validator]
        ran = box.run(program.command(data, _VALIDATOR_LIMITS, case.validator_args), _VALIDATOR_LIMITS)
        if ran.result.ending is Ending.EXITED and ran.result.exit_code == VALID:
            return None
        output = _last_line(program.restore_source_path(ran.result.stderr_tail or ran.stdout[-1000:]))
        reason = output or f"{_describe_ending(ran.result)} without a message"
        return invalid_case(case, f"the validator {self.problem.validator.name} rejects the input: {reason}")

    def run(self, solution: Path, case: Case, data: Data, box: Box) -> bytes | InvalidCase:
        """Run one of the problem's own solutions; return its output, or how it failed."""
        limits = replace(
            case.limits,
            cpu=Seconds(_LIMIT_FACTOR * case.limits.cpu),
            wall=Seconds(2 * _LIMIT_FACTOR * case.limits.wall),
        )
        program = self.programs[solution]
        ran = box.run(program.command(data, limits), limits)
        if ran.result.ending is Ending.EXITED and ran.result.exit_code == 0:
            return ran.stdout
        output = _last_line(program.restore_source_path(ran.result.stderr_tail))
        reason = _describe_ending(ran.result) + (f": {output}" if output else "")
        return invalid_case(case, f"{self._describe(solution)} fails on the input: {reason}")

    def compare(self, solution: Path, case: Case, data: Data, answer: Data, box: Box) -> InvalidCase | None:
        """Run one of the problem's own solutions; return how its output differs from the answer, or None."""
        output = self.run(solution, case, data, box)
        if isinstance(output, InvalidCase):
            return output
        result = check(case.checker, read_data(answer), output)
        if result.verdict is Verdict.AC:
            return None
        return invalid_case(case, f"{self._describe(solution)} disagrees with the answer: {result.reason}")

    def _describe(self, solution: Path) -> str:
        role = "reference" if solution == self.problem.reference else "independent solution"
        return f"the {role} {solution.parent.name}/{solution.name}"


def _last_line(text: bytes) -> str:
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""


def _describe_ending(result: RunResult) -> str:
    match result.ending:
        case Ending.EXITED:
            return f"exit status {result.exit_code}"
        case Ending.SIGNALED:
            return f"signal {result.signal}"
        case _:
            return f"{result.ending.value} exceeded"
