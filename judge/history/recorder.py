"""Turns the events of a run into records: rows of the history, or values to compare."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from judge import __version__
from judge.base.links import list_above
from judge.history.history import CaseRows, History, JudgedSolution
from judge.history.records import CaseRecord, SolutionRecord
from judge.model import Problem, SolutionResult, Verdict
from judge.model.events import CaseJudged, Event, RunBegan, RunEnded, SolutionBegan, SolutionJudged

if TYPE_CHECKING:  # most folders of solutions are no repositories
    from judge.base.git import BackgroundStatus


class Recorder:
    """Writes a run into the history while it goes on, with the repository's commit and the command line's words."""

    def __init__(self, history: History, root: Path, arguments: Sequence[str]) -> None:
        self._history = history
        self._status = _ask_git(root)
        self._arguments = " ".join(arguments)
        self._run = 0
        self._cases = CaseRows()
        self._judged: list[JudgedSolution] = []

    def handle(self, event: Event) -> None:
        """Record one event."""
        match event:
            case CaseJudged(result=result):  # first: the most frequent
                self._cases.add(result)
                if len(self._cases.rows) >= 1000:  # memory does not grow with the number of cases
                    self._history.write_cases(self._cases)
            case RunBegan(level=level):
                self._run = self._history.begin(arguments=self._arguments, level=level.value, version=__version__)
            case SolutionJudged(problem=problem, result=result):
                self._add(problem, result)
            case RunEnded():
                self._flush()
                state = self._status.wait() if self._status else None
                ending = "as expected" if event.as_expected else "not as expected"
                ending = "interrupted" if event.interrupted else "errors" if event.had_errors else ending
                commit, is_dirty = (state.commit, state.is_dirty) if state else ("", False)
                self._history.end(self._run, wall=event.wall, ending=ending, commit=commit, is_dirty=is_dirty)
            case _:
                pass

    def needs_no_cases(self, problem: Problem, result: SolutionResult) -> bool:
        """Return whether the history has the results of a solution, so that its cases may be skipped."""
        return self._history.has_record(problem.id, result)

    def close(self) -> None:
        """Clean up, also after a run that was interrupted."""
        if self._status:
            self._status.close()
        self._discard(self._cases)

    def _add(self, problem: Problem, result: SolutionResult) -> None:
        cases, self._cases = self._cases, CaseRows()
        if result.verdict is Verdict.SK:
            self._discard(cases)
            return
        known = cases.total < result.total  # some were left out, see `needs_no_cases`
        self._judged.append(JudgedSolution(problem.id, result, None if known else cases, self._new_source(result)))
        if len(self._judged) >= 20:  # a kill loses at most these
            self._flush()

    def _discard(self, cases: CaseRows) -> None:
        if cases.written:
            self._history.discard_cases(cases)

    def _flush(self) -> None:
        judged, self._judged = self._judged, []
        if judged:
            self._history.add(self._run, judged)

    def _new_source(self, result: SolutionResult) -> bytes | None:
        """Return the source unless the history has it, or the file has changed since it was judged."""
        if not result.source_digest or self._history.has_source(result.source_digest):
            return None
        try:
            source = result.solution.path.read_bytes()
        except OSError:
            return None
        return source if hashlib.sha256(source).hexdigest() == result.source_digest else None


def _ask_git(root: Path) -> "BackgroundStatus | None":
    """Ask git for the state of the repository that contains a folder; None outside of a repository."""
    if not any((folder / ".git").exists() for folder in list_above(root.resolve())):
        return None
    from judge.base.git import BackgroundStatus

    return BackgroundStatus(root)


class Collector:
    """Collects the records of a run in memory."""

    def __init__(self) -> None:
        self.records: list[SolutionRecord] = []
        self.end: RunEnded | None = None
        self._cases: dict[str, CaseRecord] = {}

    def handle(self, event: Event) -> None:
        """Record one event."""
        match event:
            case SolutionBegan():
                self._cases = {}
            case CaseJudged(result=result):
                self._cases[result.case.id] = CaseRecord.from_result(result)
            case SolutionJudged(problem=problem, result=result):
                self.records.append(SolutionRecord.from_result(problem.id, result, self._cases))
            case RunEnded():
                self.end = event
            case _:
                pass
