"""Judge a solution before it is submitted: one run of every case serves the verdicts and `judge check`."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from judge.data import Data, read_data
from judge.errors import JudgeError
from judge.events import CaseJudged, Event, Notice, RunEnded
from judge.model import CaseResult, Verdict
from judge.online.lint.dry_run import DryRun, FormatErrors, check_format
from judge.runner.run import run
from judge.workspace.select import Selection
from judge.workspace.session import Session

ShowEvents = Callable[[Iterable[Event]], Iterator[Event]]
"""Shows the events of a run to the user and yields them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Precheck:
    """What a solution did here.

    Attributes:
        dry_run: the runs, for `judge check`.
        as_expected: all verdicts are as expected, and nothing is wrong with the test data.
        results: by the id of the case.
        output: what the solution printed for the case whose output was asked for.
    """

    dry_run: DryRun
    as_expected: bool
    results: dict[str, CaseResult]
    output: bytes


def precheck(selection: Selection, session: Session, *, show_events: ShowEvents, keep_output: str = "") -> Precheck:
    """Judge the only solution of a selection on all cases, once; `keep_output` is the id of a case.

    Raises:
        KeyboardInterrupt: a signal stopped the run.
        JudgeError: the solution cannot be judged here, or the test data is wrong.
    """
    outputs: dict[str, bytes] = {}
    format_errors: dict[str, FormatErrors] = {}

    def inspect(result: CaseResult, output: bytes, answer: Data) -> None:  # called in a worker
        if result.case.id == keep_output:
            outputs[keep_output] = output
        with suppress(OSError):  # the answer was readable a moment ago
            format_errors[result.case.id] = check_format(output, read_data(answer))

    # a user who names a file wants to know why it cannot be judged
    problem = selection.problems[0]
    selected = [replace(problem, named=frozenset({problem.problem.solutions[0].path}))]
    # fresh: a result from the cache has no output to check
    python = session.options.tools.get("python")
    rerun_args = ("--python", python) if python else ()
    options = session.run_options(fresh=True, diagnostics=selection.diagnostics, rerun_args=rerun_args)
    results: dict[str, CaseResult] = {}
    ended: RunEnded | None = None
    had_error_notices = False
    for event in show_events(run(selected, session.executor, replace(options, on_output=inspect))):
        match event:
            case CaseJudged(result=result):
                results[result.case.id] = result
            case Notice(is_error=True):
                had_error_notices = True
            case RunEnded():
                ended = event
    assert ended is not None
    if ended.interrupted:
        raise KeyboardInterrupt
    if failed := next((each for each in results.values() if each.verdict is Verdict.JE), None):
        raise JudgeError(f"{failed.case.id}: {failed.reason}; nothing was submitted")
    if not results and had_error_notices:
        raise JudgeError("the solution could not be judged (see above); nothing was submitted")
    dry_run = DryRun(
        cases=[each for each in results.values() if each.run is not None],
        format_errors=format_errors,
        compile_error=next((each.reason for each in results.values() if each.verdict is Verdict.CE), ""),
        skipped=tuple(f"{each.case.id}: {each.reason}" for each in results.values() if each.verdict is Verdict.SK),
    )
    output = outputs.get(keep_output, b"")
    return Precheck(dry_run=dry_run, as_expected=ended.as_expected, results=results, output=output)
