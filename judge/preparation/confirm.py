"""Confirming a case: the validator accepts its input, and the problem's own solutions agree on its answer.

This is the part of preparing that runs programs; it works on one case and may run in any worker.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from judge.data import Data, read_data
from judge.judging.checkers import check
from judge.languages.table import Program
from judge.model import Case, Ending, Limits, Problem, RunResult, Verdict
from judge.sandbox.box import Box
from judge.units import GIB, Bytes, Seconds

VALID = 42  # exit status of a validator that accepts: ICPC problem package format, "Input Validators"

_VALIDATOR_LIMITS = Limits(cpu=Seconds(20.0), wall=Seconds(60.0), memory=Bytes(2 * GIB), output=Bytes(GIB))
_PATIENCE = 10  # the problem's own solutions may need this many times a case's limits


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a case is not confirmed."""

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmer:
    """Confirms cases of one problem with its programs, built before."""

    problem: Problem
    programs: Mapping[Path, Program]

    def invalid(self, case: Case, data: Data, box: Box) -> Fault | None:
        """Return what the validator has against an input, or None."""
        if self.problem.validator is None:
            return None
        program = self.programs[self.problem.validator]
        ran = box.run(program.command(data, _VALIDATOR_LIMITS, case.validator_args), _VALIDATOR_LIMITS)
        if ran.result.ending is Ending.EXITED and ran.result.exit_code == VALID:
            return None
        said = _last_line(program.restore_source_path(ran.result.stderr_tail or ran.stdout[-1000:]))
        reason = said or f"{_ended(ran.result)} without a message"
        return Fault(f"the validator {self.problem.validator.name} rejects the input: {reason}")

    def output(self, solution: Path, case: Case, data: Data, box: Box) -> bytes | Fault:
        """Return what one of the problem's own solutions prints, or how it failed."""
        patient = replace(
            case.limits, cpu=Seconds(_PATIENCE * case.limits.cpu), wall=Seconds(2 * _PATIENCE * case.limits.wall)
        )
        program = self.programs[solution]
        ran = box.run(program.command(data, patient), patient)
        if ran.result.ending is Ending.EXITED and ran.result.exit_code == 0:
            return ran.stdout
        said = _last_line(program.restore_source_path(ran.result.stderr_tail))
        return Fault(f"{self._shown(solution)} failed on it: {_ended(ran.result)}" + (f": {said}" if said else ""))

    def disagreement(self, solution: Path, case: Case, data: Data, answer: Data, box: Box) -> Fault | None:
        """Return how a solution's output differs from an answer, or None."""
        printed = self.output(solution, case, data, box)
        if isinstance(printed, Fault):
            return printed
        result = check(case.checker, read_data(answer), printed)
        if result.verdict is Verdict.AC:
            return None
        return Fault(f"{self._shown(solution)} does not confirm the answer: {result.reason}")

    def _shown(self, solution: Path) -> str:
        role = "reference" if solution == self.problem.reference else "independent solution"
        return f"the {role} {solution.parent.name}/{solution.name}"


def _last_line(text: bytes) -> str:
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""


def _ended(result: RunResult) -> str:
    match result.ending:
        case Ending.EXITED:
            return f"exit status {result.exit_code}"
        case Ending.SIGNALED:
            return f"signal {result.signal}"
        case _:
            return f"it broke its {result.ending.value}"
