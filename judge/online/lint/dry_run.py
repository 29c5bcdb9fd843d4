"""The trial: the solution runs on the problem's own cases, on the interpreter of the judge where that is installed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from judge.data import read_data
from judge.errors import DataError, SandboxError, describe_error
from judge.executors import LocalExecutor
from judge.judging.checkers import check
from judge.judging.judge import conclude
from judge.languages.table import CompileError, Program, build
from judge.model import Case, Problem, RunResult, Verdict
from judge.online.lint.judges import OnlineJudge
from judge.online.lint.parsing import Obstacle, Severity
from judge.preparation.cases import DataStore, InvalidCase, ReadyCase, SkippedCase
from judge.preparation.lock import read_lock
from judge.preparation.prepare import prepare
from judge.sandbox.box import Box
from judge.units import Seconds, format_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What is wrong with an output's form.

    Attributes:
        lacks_newline: its last line does not end.
        trailing: 1-based number of the first line that ends in a blank where the answer's does not; 0 for none.
        has_returns: its lines end in CR LF and the answer's do not.
    """

    lacks_newline: bool = False
    trailing: int = 0
    has_returns: bool = False

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong."""
        return self == Form()


def form_of(output: bytes, answer: bytes) -> Form:
    """Return what is wrong with an output's form; what the answer has too is wanted."""
    has_returns = b"\r\n" in output and b"\r\n" not in answer
    return Form(
        lacks_newline=bool(output) and not output.endswith(b"\n") and (not answer or answer.endswith(b"\n")),
        trailing=_trailing(output, answer),
        has_returns=has_returns,
    )


def _trailing(output: bytes, answer: bytes) -> int:
    wanted = answer.split(b"\n")
    for number, line in enumerate(output.split(b"\n"), 1):
        text = line.removesuffix(b"\r")
        is_wanted = number <= len(wanted) and wanted[number - 1].removesuffix(b"\r") == text
        if text != text.rstrip(b" \t") and not is_wanted:
            return number
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRunCase:
    """One run of the solution on a case; `run` is None where nothing could be run."""

    case: Case
    verdict: Verdict
    reason: str = ""
    run: RunResult | None = None
    form: Form = field(default_factory=Form)


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """All runs.

    Attributes:
        refusal: the compiler's first error; "" when there is a program.
        skipped: why cases were left out, a line each.
    """

    cases: Sequence[DryRunCase] = ()
    refusal: str = ""
    skipped: tuple[str, ...] = ()

    @property
    def slowest(self) -> DryRunCase | None:
        """The case that took the greatest part of its limit."""
        ran = [each for each in self.cases if each.run is not None]
        return max(ran, key=_part_of_limit, default=None)


def try_out(
    source: Path, problem: Problem, executor: LocalExecutor, store: DataStore, tools: Mapping[str, str]
) -> DryRun:
    """Run a solution on all cases of a problem.

    Raises:
        DataError: the problem's data is wrong.
        JudgeError: the solution cannot be built or run here.
    """
    program = built(source, executor, store, tools)
    if isinstance(program, CompileError):
        return DryRun(refusal=program.message)
    return run_all(program, problem, executor, store)


def built(source: Path, executor: LocalExecutor, store: DataStore, tools: Mapping[str, str]) -> Program | CompileError:
    """Build a solution in some worker's box.

    Raises:
        JudgeError: it cannot be built here.
    """

    def compiled(box: Box, path: Path) -> Program | CompileError:
        return build(path, store.build, box, tools, store.programs)

    (program,) = executor.map(compiled, [source])
    return program


def run_all(program: Program, problem: Problem, executor: LocalExecutor, store: DataStore) -> DryRun:
    """Run a program on all cases of a problem.

    Raises:
        DataError: the problem's data is wrong.
        SandboxError: a case could not be run.
    """
    lock = read_lock(problem.lock)
    prepared = list(prepare(problem, problem.cases, store, lock, executor.map, workers=executor.workers))
    if broken := [each.diagnostic for each in prepared if isinstance(each, InvalidCase)]:
        raise DataError(broken)
    ready = [each for each in prepared if isinstance(each, ReadyCase)]
    skipped = tuple(f"{each.case.id}: {each.reason}" for each in prepared if isinstance(each, SkippedCase))
    cases = list(executor.map(lambda box, each: _tried(program, each, box), ready))
    if failed := next((each for each in cases if each.verdict is Verdict.JE), None):  # says nothing of the solution
        raise SandboxError(f"{failed.case.id}: {failed.reason}")
    return DryRun(cases=cases, skipped=skipped)


def _tried(program: Program, ready: ReadyCase, box: Box) -> DryRunCase:
    """Run one case; runs in a worker."""
    case = ready.case
    try:
        outcome = box.run(program.command(ready.input, case.limits), case.limits)
        answer = read_data(ready.answer)
    except (SandboxError, OSError) as error:
        return DryRunCase(case=case, verdict=Verdict.JE, reason=describe_error(error))
    run = replace(outcome.result, stderr_tail=program.as_users_see_it(outcome.result.stderr_tail))
    concluded = conclude(run, case.limits, lambda: check(case.checker, answer, outcome.stdout))
    form = form_of(outcome.stdout, answer)
    return DryRunCase(case=case, verdict=concluded.verdict, reason=concluded.reason, run=run, form=form)


def _part_of_limit(each: DryRunCase) -> float:
    return each.run.cpu / each.case.limits.cpu if each.run else 0.0


# ---- what the runs mean --------------------------------------------------------------------------------------------


def trial_obstacles(trial: DryRun, judge: OnlineJudge, ran_on: str) -> Iterator[Obstacle]:
    """Yield what the runs say against submitting: wrong verdicts, bad form, too little time to spare."""
    if trial.refusal:
        fix = "mend the line; the static findings say what the judge's version lacks"
        yield _obstacle("version", Severity.ERROR, f"{ran_on} does not compile it: {trial.refusal}", fix)
    seen: set[Verdict] = set()
    for each in trial.cases:
        if each.verdict is not Verdict.AC and each.verdict not in seen:
            seen.add(each.verdict)
            reason = f"{each.verdict} on {each.case.id}, run by {ran_on}: {each.reason}"
            fix = f"`judge run PROBLEM --solution FILE --case {each.case.id}` shows where"
            yield _obstacle("verdict", Severity.ERROR, reason, fix)
    yield from _forms(trial, judge)
    yield from _time(trial, judge)


def _forms(trial: DryRun, judge: OnlineJudge) -> Iterator[Obstacle]:
    severity = Severity.ERROR if judge.exact_output else Severity.WARNING
    finished = [each for each in trial.cases if each.verdict in (Verdict.AC, Verdict.WA, Verdict.PE)]
    for each in [each for each in finished if each.form.lacks_newline][:1]:
        reason = f"the output of {each.case.id} does not end with a newline"
        yield _obstacle("output", severity, reason, "end every line, the last one too: `print(...)` does")
    for each in [each for each in finished if each.form.trailing][:1]:
        reason = f"the output of {each.case.id} has blanks at the end of line {each.form.trailing}"
        yield _obstacle("output", severity, reason, 'write `" ".join(...)`, or call `rstrip()`')
    for each in [each for each in finished if each.form.has_returns][:1]:
        reason = f"the output of {each.case.id} has CR LF at the ends of its lines"
        yield _obstacle("output", severity, reason, "write `\\n`; strip what is read before it is written")


def _time(trial: DryRun, judge: OnlineJudge) -> Iterator[Obstacle]:
    slowest = trial.slowest
    if slowest is None or slowest.run is None or slowest.verdict is Verdict.TLE:
        return
    cpu, limit = slowest.run.cpu, judge.time_limit or slowest.case.limits.cpu
    if cpu * judge.slowness > limit:
        reason = (
            f"the slowest case, {slowest.case.id}, took {format_seconds(cpu)} of {format_seconds(limit)}; "
            f"{judge.name} may be {judge.slowness:g} times slower"
        )
        yield _obstacle("time", Severity.WARNING, reason, f"make it faster than {_spare(limit, judge)}")


def _spare(limit: Seconds, judge: OnlineJudge) -> str:
    return format_seconds(limit / judge.slowness)


def _obstacle(check: str, severity: Severity, reason: str, fix: str) -> Obstacle:
    return Obstacle(check=check, severity=severity, reason=reason, fix=fix)
