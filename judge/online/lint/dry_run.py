"""Run a solution on the cases of its problem, on the judge's interpreter if possible, and report what goes wrong."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.data import read_data
from judge.base.errors import DataError, Diagnostic, SandboxError, Severity, describe_error
from judge.base.units import format_seconds
from judge.judging.judge import Job
from judge.languages.build import CompileError, Program, build
from judge.languages.options import BuildOptions
from judge.model import CaseResult, Problem, Verdict
from judge.online.lint.judges import OnlineJudge
from judge.preparation.cases import ReadyCase, SkippedCase, diagnose
from judge.runner.solution import judge_job
from judge.sandbox.box import Box
from judge.workspace.session import Session

if TYPE_CHECKING:  # few problems have a program as their checker
    from judge.judging.programs import JudgePrograms


class FormatErrors(Struct, frozen=True, kw_only=True):
    """What is wrong with the format of an output.

    Attributes:
        lacks_newline: the last line does not end with a newline.
        trailing_space: 1-based number of the first line that ends in white space unlike the answer's; 0 for none.
        has_crlf: its lines end in CR LF unlike the answer's.
    """

    lacks_newline: bool = False
    trailing_space: int = 0
    has_crlf: bool = False


def check_format(output: bytes, answer: bytes | None) -> FormatErrors:
    """Return what is wrong with the format of an output; whatever the answer has too is right."""
    if answer is None:
        return FormatErrors(lacks_newline=bool(output) and not output.endswith(b"\n"))
    return FormatErrors(
        lacks_newline=bool(output) and not output.endswith(b"\n") and (not answer or answer.endswith(b"\n")),
        trailing_space=_find_trailing_space(output, answer),
        has_crlf=b"\r\n" in output and b"\r\n" not in answer,
    )


def _find_trailing_space(output: bytes, answer: bytes) -> int:
    expected = answer.split(b"\n")
    for number, line in enumerate(output.split(b"\n"), 1):
        text = line.removesuffix(b"\r")
        is_expected = number <= len(expected) and expected[number - 1].removesuffix(b"\r") == text
        if text != text.rstrip(b" \t") and not is_expected:
            return number
    return 0


class DryRun(Struct, frozen=True, kw_only=True):
    """The runs of all cases.

    Attributes:
        cases: the results of the cases that ran.
        format_errors: by the id of the case.
        compile_error: the compiler's first error; "" if the solution compiles.
        skipped: why cases did not run, a line each.
        rerun_args: what `judge run` needs to run the same on the same cases.
    """

    cases: Sequence[CaseResult] = ()
    format_errors: Mapping[str, FormatErrors] = field(default_factory=dict)
    compile_error: str = ""
    skipped: tuple[str, ...] = ()
    rerun_args: tuple[str, ...] = ()

    @property
    def slowest(self) -> CaseResult | None:
        """The case that took the greatest part of its time limit."""
        shares = [(each.run.cpu / each.case.limits.cpu, each) for each in self.cases if each.run is not None]
        return max(shares, key=lambda each: each[0], default=(0, None))[1]


class DryRunner(Struct, frozen=True, kw_only=True):
    """Builds solutions of a problem and runs them on all its cases.

    Attributes:
        interpreter: absolute path of the Python to use; "" for the one of `judge`.
    """

    problem: Problem
    session: Session
    interpreter: str = ""

    def build(self, source: Path) -> Program | CompileError:
        """Build a solution in a worker's sandbox.

        Raises:
            JudgeError: the solution cannot be built here.
        """
        tools: Mapping[str, str] = {"python": self.interpreter} if self.interpreter else {}
        options = BuildOptions(flags=self.problem.compile_flags)
        store = self.session.store
        return self.session.executor.call(
            lambda box: build(source, store.build, box, tools, store.programs, options=options)
        )

    def run(self, program: Program) -> DryRun:
        """Run a program on all cases.

        Raises:
            DataError: the problem's data is wrong.
            SandboxError: a case cannot be run.
        """
        problem, session = self.problem, self.session
        prepared = list(session.prepare(problem, problem.cases))
        if broken := diagnose(prepared):
            raise DataError(broken)
        ready = [each for each in prepared if isinstance(each, ReadyCase)]
        skipped = tuple(f"{each.case.id}: {each.reason}" for each in prepared if isinstance(each, SkippedCase))
        programs = session.store.judge_programs(problem)
        pairs = list(session.executor.map(lambda box, each: _run_case(program, each, programs, box), ready))
        for result, _ in pairs:
            if result.verdict is Verdict.JE:  # our fault, not the solution's
                raise SandboxError(f"{result.case.id}: {result.reason}")
        errors = {result.case.id: errors for result, errors in pairs}
        return DryRun(cases=[result for result, _ in pairs], format_errors=errors, skipped=skipped)

    def build_and_run(self, source: Path) -> DryRun:
        """Build a solution and run it on all cases.

        Raises:
            JudgeError: the problem's data is wrong, or the solution cannot be built or run here.
        """
        program = self.build(source)
        return DryRun(compile_error=program.message) if isinstance(program, CompileError) else self.run(program)


def _run_case(
    program: Program, ready: ReadyCase, programs: "JudgePrograms | None", box: Box
) -> tuple[CaseResult, FormatErrors]:
    job = Job(program=program, case=ready.case, input=ready.input, answer=ready.answer)
    if programs is not None:
        checker = programs.require(ready.case.checker.program, box)
        interactor = programs.require(programs.interactor, box)
        job = replace(job, checker=checker, interactor=interactor, passes=programs.passes)
    result, output = judge_job(job, box)
    if job.interactor is not None or job.passes > 1:
        return result, FormatErrors()  # there is no answer that has the same format
    try:
        return result, check_format(output, None if ready.answer is None else read_data(ready.answer))
    except OSError as error:
        return CaseResult(case=ready.case, verdict=Verdict.JE, reason=describe_error(error)), FormatErrors()


# ---- what the runs show ----------------------------------------------------------------------------------------------


def check_dry_run(
    dry_run: DryRun, judge: OnlineJudge, path: Path, *, problem: str, ran_on: str
) -> Iterator[Diagnostic]:
    """Yield what the runs show: wrong verdicts, wrong output format, and too little time to spare."""
    if dry_run.compile_error:
        fix = "correct what the compiler reports"
        if path.suffix == ".py":
            fix = "fix the line; the other findings show what the judge's version lacks"
        yield _report(path, "version", f"does not compile on {ran_on}: {dry_run.compile_error}", fix)
    seen: set[Verdict] = set()
    for result in dry_run.cases:
        if result.verdict not in (Verdict.AC, Verdict.NA) and result.verdict not in seen:
            seen.add(result.verdict)
            message = f"{result.verdict} on {result.case.id} ({ran_on}): {result.reason}"
            target = [problem, "--solution"] if problem else []
            words = ["judge", "run", *target, str(path), *dry_run.rerun_args, "--case", result.case.id]
            yield _report(path, "verdict", message, f"`{shlex.join(words)}` shows the details")
    if dry_run.cases and all(each.verdict is Verdict.NA for each in dry_run.cases):
        message = "no case has an answer, so no output was compared"
        yield _report(path, "verdict", message, "put the expected output beside each input", Severity.WARNING)
    yield from _check_formats(dry_run, judge, path)
    yield from _check_time(dry_run, judge, path)


# An attribute of `FormatErrors`, what to report, and the fix.
_FORMAT_MESSAGES = (
    ("lacks_newline", "does not end with a newline", "end every line with a newline, as `print(...)` does"),
    ("trailing_space", "has white space at the end of line {}", 'write `" ".join(...)`, or call `rstrip()`'),
    ("has_crlf", "has CR LF line endings", "write `\\n`; strip the lines that you read before you write them"),
)


_FINISHED = (Verdict.AC, Verdict.WA, Verdict.PE, Verdict.NA)


def _check_formats(dry_run: DryRun, judge: OnlineJudge, path: Path) -> Iterator[Diagnostic]:
    severity = Severity.ERROR if judge.exact_output else Severity.WARNING
    finished = [each.case.id for each in dry_run.cases if each.verdict in _FINISHED]
    for attribute, text, fix in _FORMAT_MESSAGES:
        found = ((case, getattr(dry_run.format_errors.get(case), attribute, False)) for case in finished)
        if first := next(((case, value) for case, value in found if value), None):
            message = f"the output of {first[0]} {text.format(first[1])}"
            yield _report(path, "output", message, fix, severity)


def _check_time(dry_run: DryRun, judge: OnlineJudge, path: Path) -> Iterator[Diagnostic]:
    slowest = dry_run.slowest
    if slowest is None or slowest.run is None or slowest.verdict is Verdict.TLE:
        return
    case, cpu = slowest.case, slowest.run.cpu
    limit = judge.time_limit or case.limits.cpu
    if cpu * judge.slowness > limit:
        message = (
            f"the slowest case, {case.id}, took {format_seconds(cpu)} of {format_seconds(limit)}; "
            f"{judge.name} may be {judge.slowness:g} times slower"
        )
        fix = f"bring it below {format_seconds(limit / judge.slowness)}"
        yield _report(path, "time", message, fix, Severity.WARNING)


def _report(path: Path, rule: str, message: str, fix: str, severity: Severity = Severity.ERROR) -> Diagnostic:
    return Diagnostic(path=path, severity=severity, rule=rule, message=message, fix=fix)
