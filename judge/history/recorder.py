"""Listens to a run's events and makes of them what is remembered: the history's rows, or sheets to compare."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from judge import __version__
from judge.events import CaseJudged, Event, RunBegan, RunEnded, SolutionBegan, SolutionJudged
from judge.git import StateQuery
from judge.history.history import History, Judged, Marks
from judge.history.records import CaseRecord, SolutionRecord, case_record
from judge.model import Problem, SolutionResult, Verdict

_AT_ONCE = 20  # solutions that a kill can lose


class Recorder:
    """Writes a run into the history as it goes on.

    Args:
        history: where to.
        root: the repository, for its commit.
        words: what stood on the command line.
    """

    def __init__(self, history: History, root: Path, words: Sequence[str]) -> None:
        self._history = history
        self._look = StateQuery(root)
        self._words = " ".join(words)
        self._run = 0
        self._marks = history.marks()
        self._new: list[Judged] = []

    def handle(self, event: Event) -> None:
        """Take one event."""
        match event:
            case CaseJudged(result=result):  # first: there are many
                self._marks.add(result)
            case RunBegan(level=level):
                self._run = self._history.begin(words=self._words, level=level.value, version=__version__)
            case SolutionJudged(problem=problem, result=result):
                marks, self._marks = self._marks, self._history.marks()
                if result.verdict is Verdict.SK:
                    marks.close()
                else:
                    self._take(problem, result, marks)
            case RunEnded():
                self._flush()
                state = self._look.state()
                self._history.end(
                    self._run, wall=event.wall, ending=_ending(event), commit=state.commit, is_dirty=state.is_dirty
                )
            case _:
                pass

    def close(self) -> None:
        """Let nothing of ours go on, however the run ended."""
        self._look.close()
        for marks in (self._marks, *(each.marks for each in self._new)):
            marks.close()

    def _take(self, problem: Problem, result: SolutionResult, marks: Marks) -> None:
        marks.end()
        self._new.append(Judged(problem.id, result, marks, self._text(result)))
        if len(self._new) >= _AT_ONCE or marks.are_many:
            self._flush()

    def _flush(self) -> None:
        """Write what is new into the file."""
        new, self._new = self._new, []
        if new:
            self._history.add(self._run, new)
        for each in new:
            each.marks.close()

    def _text(self, result: SolutionResult) -> bytes | None:
        """Return the source's text where it is not kept yet and still the one that was judged."""
        if not result.source_digest or self._history.knows_source(result.source_digest):
            return None
        try:
            text = result.solution.path.read_bytes()
        except OSError:
            return None
        return text if hashlib.sha256(text).hexdigest() == result.source_digest else None


class Collector:
    """Makes sheets of a run."""

    def __init__(self) -> None:
        self.sheets: list[SolutionRecord] = []
        self.end: RunEnded | None = None
        self._marks: dict[str, CaseRecord] = {}

    def handle(self, event: Event) -> None:
        """Take one event."""
        match event:
            case SolutionBegan():
                self._marks = {}
            case CaseJudged(result=result):
                self._marks[result.case.id] = case_record(result)
            case SolutionJudged(problem=problem, result=result):
                self.sheets.append(_sheet(problem.id, result, self._marks))
            case RunEnded():
                self.end = event
            case _:
                pass


def _sheet(problem: str, result: SolutionResult, marks: dict[str, CaseRecord]) -> SolutionRecord:
    return SolutionRecord(
        problem=problem,
        solution=result.solution.display_path,
        language=result.language,
        expected=str(result.solution.expectation),
        source=result.source_digest,
        verdict=result.verdict,
        as_expected=result.as_expected,
        is_complete=result.is_complete,
        marks=marks,
    )


def _ending(end: RunEnded) -> str:
    if end.interrupted:
        return "interrupted"
    if end.had_errors:
        return "errors"
    return "as expected" if end.as_expected else "not as expected"
