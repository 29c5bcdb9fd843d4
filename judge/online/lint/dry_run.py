"""Run a solution on the cases of its problem, on the judge's interpreter if possible, and report what goes wrong."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data, read_data
from judge.base.errors import DataError, Diagnostic, JudgeError, Severity
from judge.base.files import as_word
from judge.base.units import format_seconds
from judge.model import CaseResult, Verdict
from judge.model.events import CaseJudged, Event, Notice, RunEnded
from judge.online.lint.judges import OnlineJudge
from judge.runner.run import run
from judge.workspace.session import Session
from judge.workspace.workspace import SourceSelection


def check_format(output: bytes, answer: bytes | None) -> list[tuple[str, str]]:
    """Return what is wrong with the format of an output, with the fix; whatever the answer has too is right."""
    found = []
    if output and not output.endswith(b"\n") and (not answer or answer.endswith(b"\n")):
        found.append(("does not end with a newline", "end every line with a newline, as `print(...)` does"))
    if answer is not None and (line := _find_trailing_space(output, answer)):
        fix = 'write `" ".join(...)`, or call `rstrip()`'
        found.append((f"has white space at the end of line {line}", fix))
    if answer is not None and b"\r\n" in output and b"\r\n" not in answer:
        fix = "write `\\n`; strip the lines that you read before you write them"
        found.append(("has CR LF line endings", fix))
    return found


def _find_trailing_space(output: bytes, answer: bytes) -> int:
    """Return the 1-based number of the first line that ends in white space unlike the answer's; 0 for none."""
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
        results: by the id of the case.
        as_expected: all verdicts are as expected, and nothing is wrong with the test data.
        format_errors: what `check_format` returns, by the id of the case.
        output: what the solution printed for the case whose output was asked for.
        luck: warnings of `--sanitize`.
        rerun_args: what `judge run` needs to run the same on the same cases.
    """

    results: Mapping[str, CaseResult]
    as_expected: bool
    format_errors: Mapping[str, Sequence[tuple[str, str]]]
    output: bytes = b""
    luck: Sequence[Diagnostic] = ()
    rerun_args: tuple[str, ...] = ()

    @property
    def cases(self) -> Sequence[CaseResult]:
        """The results of the cases that ran."""
        return [each for each in self.results.values() if each.run is not None]

    @property
    def compile_error(self) -> str:
        """The compiler's first error; "" if the solution compiles."""
        return next((each.reason for each in self.results.values() if each.verdict is Verdict.CE), "")

    @property
    def skipped(self) -> Sequence[str]:
        """Why cases did not run, a line each."""
        return [f"{each.case.id}: {each.reason}" for each in self.results.values() if each.verdict is Verdict.SK]

    @property
    def slowest(self) -> CaseResult | None:
        """The case that took the greatest part of its time limit."""
        shares = [(each.run.cpu / each.case.limits.cpu, each) for each in self.cases if each.run is not None]
        return max(shares, key=lambda each: each[0], default=(0, None))[1]


def dry_run(
    source: SourceSelection,
    session: Session,
    show: Callable[[Iterable[Event]], Iterable[Event]] = lambda events: events,
    *,
    keep_output: str = "",
    sanitize: bool = True,
) -> DryRun:
    """Judge a source file on all cases of its problem, once; `show` passes the events on.

    `keep_output` is the id of a case whose output is kept. `sanitize` finds `luck`.

    Raises:
        KeyboardInterrupt: a signal stopped the run.
        DataError: the test data is wrong.
        JudgeError: the solution cannot be judged here.
    """
    selection = source.problem
    assert selection is not None
    problem = selection.problem
    outputs: dict[str, bytes] = {}
    format_errors: dict[str, list[tuple[str, str]]] = {}

    def inspect(result: CaseResult, output: bytes, answer: Data | None) -> None:  # called in a worker
        if result.case.id == keep_output:
            outputs[keep_output] = output
        if problem.interactor is None and problem.passes == 1:  # else no answer has the same format
            with suppress(OSError):  # the answer was readable a moment ago
                format_errors[result.case.id] = check_format(output, None if answer is None else read_data(answer))

    # a user who names a file wants to know why it cannot be judged
    selected = [replace(selection, named=frozenset({problem.solutions[0].path}))]
    python = session.options.tools.get("python")
    rerun_args = ("--python", python) if python else ()
    # fresh: a result from the cache has no output to check
    options = replace(
        session.run_options(), fresh=True, sanitize=sanitize, diagnostics=source.diagnostics, rerun_args=rerun_args
    )
    options = replace(options, on_output=inspect, notes=source.notes)
    luck: list[Diagnostic] = []

    def divert_luck() -> Iterator[Event]:  # the check reports it
        for event in run(selected, session.executor, options):
            match event:
                case Notice(diagnostics=[Diagnostic(rule="sanitize") as found]):
                    luck.append(found)
                case _:
                    yield event

    results, as_expected = _follow(show(divert_luck()))
    return DryRun(
        results=results,
        as_expected=as_expected,
        format_errors=format_errors,
        output=outputs.get(keep_output, b""),
        luck=luck,
        rerun_args=rerun_args,
    )


def _follow(events: Iterable[Event]) -> tuple[Mapping[str, CaseResult], bool]:
    """Return the results of the cases, and whether all is as expected; the errors are those of `dry_run`."""
    results: dict[str, CaseResult] = {}
    errors: list[Notice] = []
    ended: RunEnded | None = None
    for event in events:
        match event:
            case CaseJudged(result=result):
                results[result.case.id] = result
            case Notice(is_error=True):
                errors.append(event)
            case RunEnded():
                ended = event
    assert ended is not None
    if ended.interrupted:
        raise KeyboardInterrupt
    if fault := next((each for each in results.values() if each.verdict is Verdict.JE), None):
        raise JudgeError(f"{fault.case.id}: {fault.reason}")  # our fault, not the solution's
    if any(each.has_invalid_data for each in results.values()):
        raise DataError([diagnostic for notice in errors for diagnostic in notice.diagnostics])
    if not results and errors:
        raise JudgeError("\n".join(notice.text for notice in errors))
    return results, ended.as_expected


_FINISHED = (Verdict.AC, Verdict.WA, Verdict.PE, Verdict.NA)


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
            words = ["judge", "run", *target, as_word(path), *dry_run.rerun_args, "--case", result.case.id]
            yield _report(path, "verdict", message, f"`{shlex.join(words)}` shows the details")
    if dry_run.cases and all(each.verdict is Verdict.NA for each in dry_run.cases):
        message = "no case has an answer, so no output was compared"
        yield _report(path, "verdict", message, "put the expected output beside each input", Severity.WARNING)
    yield from (replace(found, path=path) for found in dry_run.luck)
    if lenient := next((each for each in dry_run.cases if each.leniency), None):
        severity = Severity.ERROR if judge.exact_tokens else Severity.WARNING
        message = f"the output of {lenient.case.id} is accepted here, but {lenient.leniency}"
        yield _report(path, "output", message, "print it exactly as the answer has it", severity)
    severity = Severity.ERROR if judge.exact_output else Severity.WARNING
    fixes = set[str]()
    for case_id in (each.case.id for each in dry_run.cases if each.verdict in _FINISHED):
        for text, fix in dry_run.format_errors.get(case_id, ()):
            if fix not in fixes:
                fixes.add(fix)
                yield _report(path, "output", f"the output of {case_id} {text}", fix, severity)
    yield from _check_time(dry_run, judge, path)


def _check_time(dry_run: DryRun, judge: OnlineJudge, path: Path) -> Iterator[Diagnostic]:
    slowest = dry_run.slowest
    if slowest is None or slowest.run is None or slowest.verdict is Verdict.TLE:
        return
    cpu, limit = slowest.run.cpu, judge.time_limit or slowest.case.limits.cpu
    if cpu * judge.slowness > limit:
        message = (
            f"the slowest case, {slowest.case.id}, took {format_seconds(cpu)} of {format_seconds(limit)}; "
            f"{judge.name} may be {judge.slowness:g} times slower"
        )
        fix = f"bring it below {format_seconds(limit / judge.slowness)}"
        yield _report(path, "time", message, fix, Severity.WARNING)


def _report(path: Path, rule: str, message: str, fix: str, severity: Severity = Severity.ERROR) -> Diagnostic:
    return Diagnostic(path=path, severity=severity, rule=rule, message=message, fix=fix)
