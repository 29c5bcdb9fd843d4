"""What `judge stress` and `judge hack` share: options, the report, the exit status, and keeping what is found."""

import json
import math
import sys
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from judge.base.errors import StoreError, UsageError
from judge.base.units import Seconds
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option
from judge.cli.commands.keeping import keep_case
from judge.cli.commands.session import open_session, print_lines, report_notes
from judge.model import CaseData
from judge.reporters.escape import UNICODE, one_line
from judge.reporters.progress import StatusLine, progress_beside
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # imported when a search runs: help and completion need none of it
    from judge.hack.hack_request import HackRequest
    from judge.hack.values import Counterexample, Report, SearchOptions, SearchResult
    from judge.model import Problem
    from judge.reporters.html.page import PageFile
    from judge.reporters.pictures import Drawn
    from judge.workspace.session import Session


class SearchArguments(Struct, frozen=True, kw_only=True):
    """How to search, and how to report."""

    time: Annotated[Seconds, option("how long to search (default: 10 s)")] = Seconds(10.0)
    max_inputs: Annotated[
        int | None, option("try at most so many inputs (default: no limit)", between=(1, math.inf))
    ] = None
    findings: Annotated[int, option("stop after so many distinct failures (default: 1)", between=(1, 100))] = 1
    slowest: Annotated[bool, option("look for the input that takes the most CPU time instead", excludes="goal")] = False
    largest: Annotated[bool, option("look for the input that needs the most memory instead", excludes="goal")] = False
    seed: Annotated[int, option("propose other inputs (default: 1)", between=(0, 2**31 - 1), metavar="S")] = 1
    keep: Annotated[bool, option("add what is found to the cases of the file or of its problem")] = False
    format: shared.Format = "text"
    page: shared.PageArguments

    def search_options(self) -> "SearchOptions":
        """Return the options of the search."""
        from judge.hack.values import Goal, SearchOptions

        goal = Goal.SLOWEST if self.slowest else Goal.LARGEST if self.largest else Goal.FAILURE
        return SearchOptions(
            budget=self.time, max_inputs=self.max_inputs, findings=self.findings, seed=self.seed, goal=goal
        )


def search_and_report(
    options: shared.SessionArguments,
    arguments: SearchArguments,
    workspace: Workspace,
    request: "HackRequest",
    search: "Callable[[Session, Report], SearchResult]",
    *,
    suspect: str,
    kept: "Problem | None",
    helpers: Collection[Path],
) -> ExitStatus:
    """Search with progress on standard error, and report and keep what was found; return the exit status.

    Cases are kept for the problem `kept`. `helpers` are the other programs of the search, which are not solutions of
    other problems.

    Raises:
        StoreError: something cannot be kept.
    """
    from judge.hack.values import SearchResult
    from judge.reporters.counterexample import describe_progress, result_lines
    from judge.runner.executors import Interrupted

    page = arguments.page.open()
    report_notes(request.notes)
    drawn: list[Drawn] = []
    start = time.monotonic()
    with open_session(workspace, options.session) as session:  # to the end: a signal stops no report
        try:
            with StatusLine(sys.stderr, progress_beside(arguments.format, sys.stderr)) as line:
                result = search(session, lambda progress: line.show(lambda: describe_progress(progress)))
        except Interrupted:  # before the search began
            result = SearchResult(seconds=Seconds(time.monotonic() - start), seed=arguments.seed, was_interrupted=True)
        with suppress(Interrupted, KeyboardInterrupt):  # what was found is reported in any case
            for each in result.found if not result.was_interrupted else ():
                from judge.reporters.pictures import draw_case

                data = CaseData(input=each.input, answer=each.expected, output=each.output, stderr=b"")
                problem = request.part.problem
                drawn.append(draw_case(problem, each.result.case, session, data=data, output=each.output))
        if arguments.format == "json":
            print(json.dumps(to_json(result), indent=1))
        else:
            print_lines(lambda display: result_lines(result, suspect, display, drawn))
        if arguments.keep:
            _keep_result(result, kept, helpers)
        if page is not None:
            _write_page(page, result, suspect, drawn)
    if result.found:
        return ExitStatus.FAILURE
    failure = result.judging_failure
    if any(each.is_certain for each in result.disagreements) or (
        failure is not None and failure.is_certain and result.slowest is None
    ):
        return ExitStatus.ERROR
    if result.inputs and not result.runs and not result.was_interrupted:  # references or validators failed on all
        return ExitStatus.ERROR
    return ExitStatus.INTERRUPTED if result.was_interrupted else ExitStatus.SUCCESS


def _write_page(page: "PageFile", result: "SearchResult", suspect: str, drawn: "Sequence[Drawn]") -> None:
    """Write the page: each counterexample as the page about a run shows a failure, with the whole input."""
    from judge.reporters import counterexample as shown
    from judge.reporters.html.page import plain_text
    from judge.reporters.html.run import show_failure

    name = one_line(suspect, UNICODE)
    page.write(
        "hack.html",
        plain_text(lambda display: shown.result_lines(result, suspect, display, drawn)),
        to_json(result),
        title=f"Search for a counterexample of {suspect}",
        outcome=shown.summary_line(result, name),
        findings=result.found,
        drawn=drawn,
        title_of=partial(shown.counterexample_title, name=name, glyphs=UNICODE),
        facts_of=partial(shown.counterexample_facts, glyphs=UNICODE),
        show_failure=show_failure,
        lines=list(shown.other_lines(result, name, UNICODE)),
    )


def to_json(result: "SearchResult") -> dict[str, object]:
    """Return the report for programs."""
    first, failure = result.found[0] if result.found else None, result.judging_failure
    return {
        "version": 1,
        "found": bool(result.found),
        **_counterexample_to_json(first),
        "findings": [_counterexample_to_json(each) for each in result.found],
        "disagreements": [
            {
                "input": _text(each.input),
                "programs": list(each.names),
                "outputs": list(map(_text, each.outputs)),
                "is_certain": each.is_certain,
            }
            for each in result.disagreements
        ],
        "judging_failure": failure
        and {
            "reason": failure.reason,
            "input": _text(failure.input),
            "output": None if failure.output is None else _text(failure.output),
            "is_certain": failure.is_certain,
        },
        "slowest": result.slowest
        and {
            "input": _text(result.slowest.input),
            "cpu_s": result.slowest.cpu,
            "memory_bytes": result.slowest.memory,
            "strategy": result.slowest.strategy,
        },
        "inputs": result.inputs,
        "rejected": result.rejected,
        "runs": result.runs,
        "seconds": round(result.seconds, 3),
        "seed": result.seed,
        "notes": list(result.faults),
    }


def _counterexample_to_json(found: "Counterexample | None") -> dict[str, object]:
    if found is None:
        return {"verdict": None, "input": None, "expected": None, "output": None, "tokens": None}
    return {
        "verdict": found.result.verdict.value,
        "reason": found.result.reason,
        "variant": found.kind.variant or None,
        "cause": found.cause or None,
        "line": found.line or None,
        "input": _text(found.input),
        "expected": None if found.expected is None else _text(found.expected),
        "output": _text(found.output),
        "tokens": found.tokens,
        "strategy": found.strategy,
        "lesson": found.lesson or None,
        "is_confirmed": found.is_cold,
        "not_shown": list(found.not_shown),
    }


def _text(data: bytes) -> str:
    """Return bytes as text; those that are not UTF-8 as escapes."""
    return data.decode(errors="backslashreplace")


# ---- keeping ------------------------------------------------------------------------------------------------------


def _keep_result(result: "SearchResult", problem: "Problem | None", helpers: Collection[Path]) -> None:
    """Write what was found where `judge run` finds it, or to `stress/1.in` and so on.

    Raises:
        StoreError: that is not possible; the message has the inputs that are not kept.
    """
    name = problem.solutions[0].path.name if problem is not None else ""
    pending = [
        (
            each.input,
            each.expected,
            f"{name}: {each.cause if each.kind.variant else each.kind.verdict} ({each.strategy})",
        )
        for each in result.found
    ]
    if result.slowest is not None:
        pending.append((result.slowest.input, None, f"{name}: takes the most time or memory"))
    lost: list[str] = []
    for data, answer, why in pending:
        try:
            where = keep_case(problem, data, answer, is_found=True, file="hacks.yaml", why=why, helpers=helpers)
        except (OSError, UsageError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            lost.append(f"an input cannot be kept: {reason}; it is:\n{_text(data)}")
        else:
            print(where, file=sys.stderr)
    if lost:
        raise StoreError("\n".join(lost))
