"""The rounds of a watch: what is due, what failed before first, and what is known of all that is watched."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from judge.errors import DataError, Diagnostic, JudgeError, describe_error
from judge.events import Event, Notice, RunEnded, SolutionJudged
from judge.executors import LocalExecutor
from judge.model import CaseResult, Problem, Solution, SolutionResult
from judge.problems.native import load_problem
from judge.problems.paths import why_no_file
from judge.runner import ProblemSelection, RunOptions, run
from judge.watch.watchers import WatchSpec


class ProblemCache:
    """Reads problems, and remembers them or what is wrong with them.

    Attributes:
        problems: those that could be read, by id.
    """

    def __init__(self) -> None:
        self.problems: dict[str, Problem] = {}
        self._wrong: dict[str, DataError] = {}

    def load(self, root: Path, problem_id: str) -> Problem:
        """Return a problem, as `load_problem` does.

        Raises:
            UsageError: there is no such problem.
            DataError: its files are wrong.
        """
        if problem_id in self._wrong:
            raise DataError(self._wrong[problem_id].diagnostics)
        if problem_id not in self.problems:
            try:
                self.problems[problem_id] = load_problem(root, problem_id)
            except DataError as error:
                self._wrong[problem_id] = error
                raise
        return self.problems[problem_id]

    def is_wrong(self, problem_id: str) -> bool:
        """Return whether a problem's files were found to be wrong."""
        return problem_id in self._wrong

    def forget(self, problem_id: str | None = None) -> None:
        """Read a problem, or all, again when asked for."""
        if problem_id is None:
            self.problems.clear()
            self._wrong.clear()
        self.problems.pop(problem_id or "", None)
        self._wrong.pop(problem_id or "", None)


@dataclass(slots=True)
class DirtySet:
    """What is to be judged; grows as files change.

    Attributes:
        everything: all that is watched.
        fresh: nothing of it from the cache.
        problems: all solutions of these.
        files: these solutions.
    """

    everything: bool = False
    fresh: bool = False
    problems: set[str] = field(default_factory=set)
    files: set[Path] = field(default_factory=set)

    def has(self, problem: Problem, solution: Solution) -> bool:
        """Return whether a solution is due."""
        return self.everything or problem.id in self.problems or solution.path in self.files


def mark_dirty(paths: Iterable[Path], places: WatchSpec, read: ProblemCache, due: DirtySet) -> None:
    """Add what a change of some paths means, and forget what is out of date."""
    for path in paths:
        if path in places.files:
            due.files.add(path)
        elif any(path.is_relative_to(folder) for folder in places.folders):
            due.everything = True
        elif path.is_relative_to(places.root):
            _note_in_repository(path.relative_to(places.root).parts, path, read, due)


def _note_in_repository(parts: tuple[str, ...], path: Path, read: ProblemCache, due: DirtySet) -> None:
    if len(parts) < 2:  # all of them may be others now
        read.forget()
        due.everything = True
        return
    top, problem_id = parts[:2]
    problem = read.problems.get(problem_id)
    if top != "solutions":
        read.forget(problem_id)
        due.problems.add(problem_id)
    elif problem is None or why_no_file(path) or not any(path == each.path for each in problem.solutions):
        read.forget(problem_id)  # a solution came, went or has another name
        due.files.add(path)
    elif path in (problem.reference, problem.independent):
        due.problems.add(problem_id)  # it makes or confirms the answers
    else:
        due.files.add(path)


Key = tuple[str, Path]
"""A problem's id and a solution's path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the person watches, as its files are now; `diagnostics` are about what could not be read."""

    selections: Sequence[ProblemSelection]
    diagnostics: Sequence[Diagnostic] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one round judges.

    Attributes:
        selections: failures first, then what was edited, then the rest.
        first: the cases on which they failed last, to be judged before all others.
        edited: names of solutions that were edited themselves.
        new, gone: names of solutions that came and went.
        notices: what is wrong with files, so that something is not judged.
        solutions: how many are judged.
        is_empty: there is nothing to judge and nothing to say.
    """

    selections: Sequence[ProblemSelection]
    first: Sequence[ProblemSelection]
    edited: tuple[str, ...]
    new: tuple[str, ...]
    gone: tuple[str, ...]
    notices: tuple[Notice, ...]
    solutions: int
    is_empty: bool


class Scheduler:
    """Plans rounds, judges them, and remembers the last result of every solution.

    Args:
        choose: gives what is watched, reading problems with `read`; raises JudgeError where that is nothing now.
        read: the problems as they were read last.
        places: what is watched.
        executor: used for all rounds, so that its boxes are warm.
        options: of every run.
    """

    def __init__(
        self,
        choose: Callable[[], Choice],
        read: ProblemCache,
        places: WatchSpec,
        executor: LocalExecutor,
        options: RunOptions,
    ) -> None:
        self.latest: dict[Key, tuple[Problem, SolutionResult]] = {}
        self._choose = choose
        self._read = read
        self._places = places
        self._executor = executor
        self._options = options
        self._due = DirtySet(everything=True)
        self._left: set[Key] = set()  # planned, and not judged yet
        self._known: dict[Key, str] = {}  # all that were chosen last, with their names
        self._is_wrong = False  # some file, so that something could not be judged

    def mark_dirty(self, paths: Iterable[Path]) -> None:
        """Take in that some paths changed."""
        mark_dirty(paths, self._places, self._read, self._due)

    def demand(self, *, fresh: bool = False) -> None:
        """Have everything judged in the next round; `fresh`: nothing of it from the cache."""
        self._read.forget()
        self._due.everything = True
        self._due.fresh |= fresh

    @property
    def as_expected(self) -> bool:
        """Whether all that is watched was judged as it is now, and earned what it should."""
        return (
            bool(self._known)
            and not (self._left or self._is_wrong)
            and all(key in self.latest and self.latest[key][1].as_expected for key in self._known)
        )

    @property
    def is_due(self) -> bool:
        """Whether something is to be judged, or may be."""
        return bool(self._due.everything or self._due.problems or self._due.files or self._left)

    def results(self) -> list[tuple[Problem, SolutionResult]]:
        """Return the last result of every solution that is watched and was judged."""
        return [self.latest[key] for key in self._known if key in self.latest]

    def stale(self) -> list[str]:
        """Return the names of solutions whose last result is of an older state of the files."""
        return [self._known[key] for key in self._left if key in self.latest and key in self._known]

    @property
    def waiting(self) -> int:
        """How many solutions are still to be judged."""
        return len(self._left)

    def plan(self) -> Batch:
        """Return what is to be judged now."""
        notices: tuple[Notice, ...] = ()
        try:
            choice = self._choose()
        except DataError as error:
            choice = Choice(selections=(), diagnostics=error.diagnostics)
        except (JudgeError, OSError) as error:
            choice, notices = Choice(selections=()), (Notice(text=describe_error(error), is_error=True),)
        is_lost = bool(notices)  # nothing can be chosen now: what is due stays due
        told_first = tuple(Notice(text=str(each), is_error=True) for each in choice.diagnostics) + notices
        was_wrong, self._is_wrong = self._is_wrong, bool(told_first)
        gone, new = self._compare(choice, keep_all=is_lost)
        selections = [each for each in map(self._due_part, choice.selections) if each.problem.solutions]
        selections.sort(key=lambda each: not any(self._failed(each.problem, s) for s in each.problem.solutions))
        edited = tuple(s.shown for each in selections for s in each.problem.solutions if s.path in self._due.files)
        fresh = self._due.fresh
        if not is_lost:
            self._left = {(each.problem.id, s.path) for each in selections for s in each.problem.solutions}
            self._due = DirtySet(fresh=fresh)  # until a round ends that nothing broke off
        self._options = replace(self._options, fresh=fresh)
        return Batch(
            selections=selections,
            first=[] if fresh else [part for each in selections for part in self._failing_part(each)],
            edited=edited,
            new=tuple(new.values()),
            gone=tuple(gone.values()),
            notices=told_first,
            solutions=sum(len(each.problem.solutions) for each in selections),
            is_empty=not (selections or told_first or was_wrong or gone or new),
        )

    def judge_first(self, planned: Batch) -> Iterator[Event]:
        """Judge the cases on which solutions failed last; nothing of this counts, but it is known early."""
        if planned.first:
            yield from run(planned.first, self._executor, self._options)

    def judge(self, planned: Batch) -> Iterator[Event]:
        """Judge a round; what it tells is remembered as it comes."""
        if not planned.selections:
            self._due.fresh = False
            return
        for event in run(planned.selections, self._executor, self._options):
            match event:
                case SolutionJudged(problem=problem, result=result):
                    if result.total < len(problem.cases):  # broken off: half a result is none
                        continue
                    self._remember(problem, result)
                case RunEnded(interrupted=False):
                    self._finish()
                case _:
                    pass
            yield event

    def _remember(self, problem: Problem, result: SolutionResult) -> None:
        key = (problem.id, result.solution.path)
        self.latest[key] = (problem, result)
        self._left.discard(key)

    def _finish(self) -> None:
        """End a round: what it could not judge, it tries again in the next."""
        for key in self._left:
            self.latest.pop(key, None)
        self._left.clear()
        self._due.fresh = False

    def _compare(self, choice: Choice, *, keep_all: bool) -> tuple[dict[Key, str], dict[Key, str]]:
        """Return the solutions that are gone and those that are new."""
        chosen = {(each.problem.id, s.path): s.shown for each in choice.selections for s in each.problem.solutions}
        kept = {key: name for key, name in self._known.items() if keep_all or self._read.is_wrong(key[0])}
        now = {**kept, **chosen}
        gone = {key: name for key, name in self._known.items() if key not in now}
        new = {key: name for key, name in now.items() if self._known and key not in self._known}
        for key in gone:
            self.latest.pop(key, None)
        self._known = now
        return gone, new

    def _due_part(self, selection: ProblemSelection) -> ProblemSelection:
        """Return the part of a selection that is due: failures first, then what was edited."""
        problem = selection.problem
        due = [s for s in problem.solutions if self._is_due(problem, s)]
        due.sort(key=lambda s: (not self._failed(problem, s), s.path not in self._due.files))
        return replace(selection, problem=replace(problem, solutions=tuple(due)))

    def _is_due(self, problem: Problem, solution: Solution) -> bool:
        key = (problem.id, solution.path)
        return self._due.has(problem, solution) or key in self._left or key not in self.latest

    def _failed(self, problem: Problem, solution: Solution) -> bool:
        known = self.latest.get((problem.id, solution.path))
        return known is not None and not known[1].as_expected

    def _failing_part(self, selection: ProblemSelection) -> Iterator[ProblemSelection]:
        """Yield what is to be judged before all else: each failing solution on the cases that showed it."""
        problem = selection.problem
        for solution in problem.solutions:
            known = self.latest.get((problem.id, solution.path))
            failures: Sequence[CaseResult] = known[1].failures if known and not known[1].as_expected else ()
            ids = {failure.case.id for failure in failures}
            cases = tuple(case for case in problem.cases if case.id in ids) if ids else ()
            if cases and len(cases) < len(problem.cases):
                part = replace(problem, cases=cases, solutions=(solution,))
                yield replace(selection, problem=part, complete=False)
