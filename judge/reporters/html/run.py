"""The page about a run: solutions and cases as a map of verdicts, and what the terminal shows of each failure."""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from io import StringIO
from itertools import chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.units import Bytes, Seconds, format_count
from judge.history.changes import ChangeKind, changes
from judge.history.recorder import Collector
from judge.history.records import SolutionRecord
from judge.languages.table import LANGUAGES
from judge.languages.tools import find_version
from judge.model import CaseResult, Problem, Solution, SolutionResult, Verdict
from judge.model.events import (
    NOTHING_RUN,
    CaseJudged,
    Event,
    Notice,
    ProblemBegan,
    RunBegan,
    RunEnded,
    SolutionBegan,
    SolutionJudged,
)
from judge.model.programs import Transcript
from judge.reporters import OutputOptions, Reporter, Verbosity, formatting
from judge.reporters.cases import group_lines
from judge.reporters.changes import change_lines, is_regression
from judge.reporters.diffview import Row, build_rows, make_legend
from judge.reporters.escape import PLAIN, UNICODE
from judge.reporters.failure import data_parts, fact_lines, output_lines, rerun_failure, solution_lines
from judge.reporters.html.page import PageFile, share
from judge.reporters.json_report import JsonReporter
from judge.reporters.lines import Line, line_text, notice_lines
from judge.reporters.plain import PlainReporter, Summary, describe_status
from judge.runner.executors import Interrupted
from judge.workspace.session import Session

if TYPE_CHECKING:  # only failures have pictures
    from judge.reporters.pictures import Drawn

MOST_DETAILS = 2_000  # results of a run, up to which the page lists each case, and shows failures that are expected


class _Result(Struct, frozen=True):
    """What a map and a list of cases show of a result; `level` is the time in tenths of its limit."""

    name: str
    verdict: str
    reason: str
    cpu: Seconds | None
    memory: Bytes | None
    level: int


class ShownFailure(Struct, frozen=True, kw_only=True):
    """What a page shows of a failing case: facts, the difference or dialogue, pictures, the input and other texts."""

    result: CaseResult
    facts: Sequence[Line]
    rows: Sequence[Row] = ()
    transcript: Transcript | None = None
    drawn: "Drawn | None" = None
    parts: Sequence[Sequence[Line]] = ()
    legend: str = ""
    command: str = ""


def show_failure(failure: CaseResult, command: str = "", drawn: "Drawn | None" = None) -> ShownFailure:
    """Return what a page shows of a failing case."""
    rows = build_rows(failure.mismatch, UNICODE) if failure.mismatch else []
    parts = list(data_parts(failure, UNICODE))
    if failure.output and not rows:
        parts.insert(0, list(output_lines(failure.output, UNICODE)))
    texts = [text for row in rows for side in row.sides for _, text in side.pieces]
    texts += [line_text(line) for part in parts for line in part]
    return ShownFailure(
        result=failure,
        facts=list(fact_lines(failure, UNICODE)),
        rows=rows,
        transcript=failure.transcript,
        drawn=drawn,
        parts=parts,
        legend=make_legend("\n".join(texts), UNICODE),
        command=command,
    )


class Judged(Struct):
    """A solution and its results, as they become known; `note` says why the result is missing or old."""

    anchor: str
    problem: Problem
    solution: Solution
    note: str = "not finished"
    result: SolutionResult | None = None
    cases: list[_Result] = field(default_factory=list)
    drawn: Mapping[str, "Drawn"] = field(default_factory=dict)  # by the ids of failing cases; replaced, not changed


class Section(Struct):
    """A problem and its solutions, by their paths; `anchor` names it in the page."""

    anchor: str
    began: ProblemBegan
    judged: dict[Path, Judged] = field(default_factory=dict)


class Results:
    """The results that a page shows, by problem, the latest of each solution; collected from the events of runs.

    Args:
        session: knows earlier results, prepares failing cases, and runs programs that draw them; None for none of it.
    """

    def __init__(self, session: Session | None = None) -> None:
        self.sections: dict[tuple[str, str], Section] = {}  # by the id and the name of the problem
        self._session = session
        self._numbers = count(1)  # of the anchors: those of what is gone are not used again
        self._earlier: list[SolutionRecord] = []  # of the solutions of the latest run, from before it
        self._records = Collector()  # of the latest run
        self._versions: dict[tuple[str, ...], str] = {}
        self.section: Section
        self.current: Judged

    def handle(self, event: Event) -> None:
        """Take in an event."""
        if isinstance(event, RunBegan):
            self._earlier, self._records = [], Collector()
        self._records.handle(event)
        match event:
            case CaseJudged(result=result):  # the most frequent event comes first
                run = result.run
                self.current.cases.append(
                    _Result(
                        result.case.id,
                        result.verdict.value,
                        result.reason,
                        None if run is None else run.cpu,
                        None if run is None else run.memory,
                        0 if run is None else share(run.cpu, result.limits.cpu) // 10,
                    )
                )
            case ProblemBegan(problem=problem):
                new = Section(f"p{next(self._numbers)}", event)
                self.section = self.sections.setdefault((problem.id, problem.name), new)
                self.section.began = event
            case SolutionBegan(problem=problem, solution=solution):
                old = self.section.judged.get(solution.path)
                anchor = old.anchor if old else f"s{next(self._numbers)}"
                self.current = self.section.judged[solution.path] = Judged(anchor, problem, solution)
                if self._session is not None:
                    name = None if problem.folder is None else problem.id
                    found = self._session.history.runs_of_solution(name, solution.display_path, 1)
                    self._earlier += [record for _, record in found]
            case SolutionJudged(result=result):
                self.current.result, self.current.note = result, ""
            case _:
                pass

    def differences(self) -> dict[str, object]:
        """Return what the templates show of what changed since the last run of the solutions."""
        found = [
            each
            for each in changes(self._earlier, self._records.records)
            if each.kind not in (ChangeKind.NEW, ChangeKind.GONE)
        ]
        return {
            "differences": list(change_lines(found, UNICODE, {}, slower=0)) if found else [],
            "differences_are_fine": not is_regression(found),
        }

    def draw(self) -> Iterator[Section]:
        """Draw the first failures that are not expected and have no pictures; yield the section of each one.

        A signal or an abandoned run ends it: what is known is shown in any case.
        """
        if self._session is None:
            return
        failures = (
            (section, judged, failure)
            for section in self.sections.values()
            for judged in section.judged.values()
            if judged.result is not None and not judged.result.as_expected
            for failure in _shown_failures(judged.result, has_details=True)
        )
        with suppress(Interrupted, KeyboardInterrupt):
            for section, judged, failure in islice(failures, 10):  # failures with pictures
                if failure.case.id not in judged.drawn:
                    from judge.reporters.pictures import draw_failure

                    drawn = draw_failure(section.began.problem, failure, self._session)
                    judged.drawn = {**judged.drawn, failure.case.id: drawn}
                    yield section

    def versions(self) -> list[str]:
        """Return the versions of the compilers and interpreters of the solutions."""
        used = {
            (judged.result.language, *chain(*section.began.tools.items()))
            for section in self.sections.values()
            for judged in section.judged.values()
            if judged.result is not None and section.began.tools is not None
        }
        known = {language.name: language for language in LANGUAGES}
        for key in used:
            name, *words = key
            if name in known and key not in self._versions:
                tools = dict(zip(words[::2], words[1::2], strict=True))
                self._versions[key] = f"{name} {find_version(known[name], tools) or 'of unknown version'}"
        return list(dict.fromkeys(self._versions[key] for key in sorted(used & self._versions.keys())))


class HtmlReporter(Reporter):
    """Collects the events of a run and writes the page when it ends.

    Args:
        page: the file.
        session: as for `Results`.
    """

    def __init__(self, page: PageFile, session: Session | None = None) -> None:
        quiet = OutputOptions(verbosity=Verbosity.QUIET, environment={})
        self._page = page
        self._text, self._json = StringIO(), StringIO()
        self._reporters = PlainReporter(self._text, StringIO(), quiet), JsonReporter(self._json, StringIO(), quiet)
        self._summary = Summary(UNICODE)
        self._results = Results(session)
        self._notices: list[Notice] = []
        self._is_written = False

    def handle(self, event: Event) -> None:
        """Take in an event; write the page at the end."""
        for each in (*self._reporters, self._summary, self._results):
            each.handle(event)
        if isinstance(event, Notice):
            self._notices.append(event)
        elif isinstance(event, RunEnded):
            self._write(event)

    def close(self) -> None:
        """Write what is known of a run that did not end."""
        sections = self._results.sections.values()
        results = [each.result for section in sections for each in section.judged.values() if each.result is not None]
        unexpected = sum(not each.as_expected for each in results)
        end = replace(NOTHING_RUN, solutions=len(results), unexpected=unexpected, had_errors=True, interrupted=True)
        self._write(end)

    def _write(self, end: RunEnded) -> None:
        if self._is_written:
            return
        self._is_written = True
        for each in self._reporters:
            each.close()
        sections = self._results.sections.values()
        total = sum(len(each.cases) for section in sections for each in section.judged.values())
        if not end.interrupted:
            deque(self._results.draw(), maxlen=0)
        self._page.write(
            "run.html",
            self._text.getvalue(),
            msgspec.json.decode(self._json.getvalue()),
            title=f"{'Interrupted run' if end.interrupted else 'Run'} in {Path.cwd().name}",
            is_good=end.as_expected and not end.interrupted,
            summary=list(self._summary.lines(end)),
            notices=[line for each in self._notices if not each.is_summarized for line in notice_lines(each, UNICODE)],
            problems=[ProblemView(each, has_details=total <= MOST_DETAILS) for each in sections],
            sandbox=formatting.describe_level(self._summary.level),
            versions=[] if end.interrupted else self._results.versions(),
            **self._results.differences(),
        )


class ProblemView:
    """What the page shows of a problem."""

    def __init__(self, section: Section, *, has_details: bool) -> None:
        self.problem, judged = section.began.problem, section.judged.values()
        problem = self.problem
        self.anchor = section.anchor
        self.has_scores = problem.has_scores
        self.title = problem.id if problem.name in ("", problem.id) else f"{problem.id}: {problem.name}"
        self.heading = " · ".join([*formatting.describe_rules(problem), format_count(section.began.cases, "case")])
        self.columns, self.more_columns = _columns([each.cases for each in judged])
        self.is_merged = any(name != title for name, title in self.columns)
        self.rows = [_RowView(each, self.columns, has_details=has_details) for each in judged]
        self.is_fine = all(row.is_fine for row in self.rows)


def _columns(rows: Sequence[Sequence[_Result]]) -> tuple[list[tuple[str, str]], str]:
    """Return the names and titles of the columns of the map, and how many cases are in none of them.

    A column is a case; if there are more than 100, cases with the same verdicts share one, and the first is its title.
    """
    most = 100
    verdicts: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        for each in row:
            verdicts[each.name].append(each.verdict)
    merged: dict[object, list[str]] = defaultdict(list)
    for name, found in verdicts.items():
        merged[(name.rpartition("/")[0], *found) if len(verdicts) > most else name].append(name)
    columns = [
        (f"{names[0]} +{len(names) - 1:,}" if len(names) > 1 else names[0], names[0]) for names in merged.values()
    ]
    more = sum(map(len, list(merged.values())[most:]))
    return columns[:most], f"and {format_count(more, 'more case')}" if more else ""


class _RowView:
    """What the page shows of a solution; of one that was not finished, only its cases."""

    is_fine, passed, score, reason, verdict = False, "", "", "", ""
    timed: CaseResult | None = None
    largest: CaseResult | None = None
    facts: Sequence[Line] = ()
    groups: Sequence[Line] = ()
    failures: Sequence[ShownFailure] = ()

    def __init__(self, judged: Judged, columns: Sequence[tuple[str, str]], *, has_details: bool) -> None:
        self.anchor, problem, self.note = judged.anchor, judged.problem, judged.note
        path = formatting.path_in_solutions(problem, judged.solution)
        self.name = judged.solution.display_path if path is None else path.as_posix()
        self.expected = formatting.label_expectation(judged.solution.expectation)
        self.status = self.title = self.note
        by_name = {each.name: each for each in judged.cases}
        self.cells = [by_name.get(title) for _, title in columns]
        self.cases = judged.cases if has_details else ()
        if judged.result is not None:
            self._add_result(problem, judged.result, judged.drawn, has_details=has_details)

    def _add_result(
        self, problem: Problem, result: SolutionResult, drawn: Mapping[str, "Drawn"], *, has_details: bool
    ) -> None:
        self.is_fine, self.verdict, self.largest = result.as_expected, result.verdict.value, result.largest
        self.status = self.note or describe_status(result, is_lone=formatting.is_lone(problem, result)).lower()
        self.title = self.status if result.as_expected else formatting.describe_mismatch(problem, result)
        self.score = formatting.describe_score(result.score, result.max_score)
        self.passed = formatting.passed_share(result)
        deciding = formatting.deciding_case(result)
        self.timed = deciding and deciding[1]
        failed = result.failures[0] if result.failures else result.first_failed
        self.reason = f"{failed.case.id}: {formatting.describe_failure(failed, PLAIN)}" if failed else result.message
        self.facts = () if result.as_expected else list(solution_lines(problem, result, UNICODE))
        self.groups = list(group_lines(problem, [result], UNICODE, Verbosity.VERBOSE)) if result.groups else ()
        self.failures = [
            show_failure(each, rerun_failure(problem, result, each, PLAIN), drawn.get(each.case.id))
            for each in _shown_failures(result, has_details=has_details)
        ]


def _shown_failures(result: SolutionResult, *, has_details: bool) -> list[CaseResult]:
    """Return the failing cases to show; with details, the first one of a solution that fails as expected, too."""
    failures = () if result.as_expected else result.failures
    if has_details and not failures and result.first_failed is not None:
        failures = (result.first_failed,)
    return [each for each in (*failures, *result.unanswered) if each.verdict is not Verdict.CE]
