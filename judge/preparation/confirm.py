"""Runs the validator and the problem's own solutions on one case; decides nothing about the answer.

This part of the preparation runs programs; it works on one case and may run in any worker.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from judge.data import Data, read_data
from judge.errors import ToolError
from judge.judging.judge import check_output, run_submission
from judge.languages.build import Program, describe_stop
from judge.model import Case, CheckResult, Ending, Limits, Problem, RunResult, Verdict
from judge.preparation.cases import InvalidCase, invalid_case
from judge.preparation.programs import BuildFailure, Programs
from judge.sandbox.box import Box, Outcome
from judge.units import GIB, Bytes, Seconds

if TYPE_CHECKING:  # few problems have a program as their checker
    from judge.judging.programs import JudgePrograms, ReadyProgram

# Exit statuses of a validator: ICPC problem package format, "Input Validators".
ACCEPTED = 42
REJECTED = 43

_VALIDATOR_LIMITS = Limits(cpu=Seconds(20.0), wall=Seconds(60.0), memory=Bytes(2 * GIB), output=Bytes(GIB))

# How a crash of Python or Java looks like on standard error; the exit status is 1, as after `sys.exit("line 3: ...")`.
_CRASH = re.compile(
    rb'^(Traceback \(most recent call last\):|  File "|Exception in thread |\s+at [\w.$]+\()', re.MULTILINE
)


class SolutionFailure(Struct, frozen=True):
    """Why one of the problem's own solutions has no output for a case; `is_slow`: it exceeded a time limit."""

    reason: str
    is_slow: bool = False


class Confirmer(Struct, frozen=True, kw_only=True):
    """Runs the programs of one problem."""

    problem: Problem
    programs: Programs
    judge_programs: "JudgePrograms | None" = None

    def validate(self, case: Case, data: Data, box: Box) -> InvalidCase | None:
        """Run the validator on an input; return why it rejects it or cannot tell, or None.

        Without a validator, the grammar decides, if there is one.
        """
        validator = self.problem.validator
        if validator is None:
            return self._check_grammar(case, data)
        program = self.programs.get(validator, box)
        file = self.problem.show_file(validator)
        if isinstance(program, BuildFailure):
            detail = f" ({program.reason})"
            return InvalidCase(case=case, file=file, subject="the validator fails on", detail=detail, fix=program.fix)
        from judge.sandbox.warm_starts import run_program  # most inputs are valid since an earlier run

        command = program.command(data, _VALIDATOR_LIMITS, case.validator_args)
        return run_program(
            box,
            command,
            _VALIDATOR_LIMITS,
            lambda ran: self._conclude_validator(case, validator, program, ran),
            is_plain=lambda found: found is None,
        )

    def _conclude_validator(self, case: Case, validator: Path, program: Program, ran: Outcome) -> InvalidCase | None:
        """Return why a validator rejected an input or could not tell, or None."""
        file = self.problem.show_file(validator)
        status = ran.result.exit_code if ran.result.ending is Ending.EXITED else None
        if status == ACCEPTED:
            return None
        text = program.restore_source_path(ran.result.stderr_tail or ran.stdout[-1000:])
        if status == 0:
            return InvalidCase(
                case=case,
                file=file,
                subject="the validator exits with status 0 on",
                fix=f"exit with status {ACCEPTED} if the input is legal, and {REJECTED} if it is not",
            )
        if status is None or _CRASH.search(text) or (status != REJECTED and not text.strip()):
            verb = "times out" if ran.result.ending in (Ending.TIME_LIMIT, Ending.WALL_LIMIT) else "crashes"
            return InvalidCase(
                case=case,
                file=file,
                subject=f"the validator {verb} on",
                detail=f" ({describe_failure(ran.result, text, _VALIDATOR_LIMITS)})",
            )
        reason = _last_line(text) or f"exit status {status} without a message"
        return invalid_case(case, f"the validator {validator.name} rejects the input: ", reason)

    def _check_grammar(self, case: Case, data: Data) -> InvalidCase | None:
        grammar = self.problem.grammar
        fault = None if grammar is None else grammar.check(read_data(data))
        return (
            None
            if fault is None
            else invalid_case(case, "the input does not match `input` of problem.yaml: ", str(fault))
        )

    def run(
        self, solution: Path, case: Case, data: Data, box: Box, *, factor: int, committed: bool = False
    ) -> bytes | SolutionFailure:
        """Run one of the problem's own solutions with `factor` times the time limit; return its output."""
        program = self.programs.get(solution, box, committed=committed)
        if isinstance(program, BuildFailure):
            return SolutionFailure(program.reason)
        limits = replace(
            case.limits, cpu=Seconds(factor * case.limits.cpu), wall=Seconds(2 * factor * case.limits.wall)
        )
        ran = run_submission(program.command(data, limits), case.file_names, limits, box)
        if ran.result.ending is Ending.EXITED and ran.result.exit_code == 0:
            return ran.stdout
        text = program.restore_source_path(ran.result.stderr_tail)
        is_slow = ran.result.ending in (Ending.TIME_LIMIT, Ending.WALL_LIMIT)
        return SolutionFailure(describe_failure(ran.result, text, limits), is_slow)

    def find_checker(self, case: Case, box: Box) -> "ReadyProgram | InvalidCase | None":
        """Return the checker of a case, built; None if it is no program."""
        if case.checker.program is None:
            return None
        from judge.judging.programs import UnusableProgram

        assert self.judge_programs is not None
        found = self.judge_programs.get(case.checker.program, box)
        if isinstance(found, UnusableProgram):
            return InvalidCase(case=case, file=found.path, subject=f"{found.reason}; not judged:")
        return found

    def check(self, case: Case, data: Data, answer: Data, output: bytes, box: Box) -> CheckResult:
        """Check an output with the checker of a case, which must be usable.

        Raises:
            ToolError: the checker fails.
        """
        checker = self.find_checker(case, box)
        assert not isinstance(checker, InvalidCase)
        result = check_output(case.checker, checker, box, given=data, answer=answer, output=output)
        if result.verdict is Verdict.JE:
            raise ToolError(result.reason)
        return result

    def describe(self, solution: Path) -> str:
        """Return the role of a solution and its name: `the reference accepted/fast.py`."""
        return f"the {self.role(solution)} {solution.parent.name}/{solution.name}"

    def role(self, solution: Path) -> str:
        """Return what a solution is for."""
        if solution == self.problem.reference:
            return "reference"
        return "independent solution" if solution == self.problem.independent else "solution that computes answers"


def _last_line(text: bytes) -> str:
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""


def describe_failure(result: RunResult, text: bytes, limits: Limits) -> str:
    """Return how a run ended, with the last line of what it wrote."""
    ending = describe_stop(result, limits) or f"exit status {result.exit_code}"
    last = _last_line(text)
    return f"{ending}: {last}" if last else ending
