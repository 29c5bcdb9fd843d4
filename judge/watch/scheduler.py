"""Schedules the batches of a watch, what failed last first, keeps the latest result of every solution, and the loop.

The loop waits for changes and keys, judges what they affect, and shows it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, JudgeError, describe_error
from judge.base.files import header_folder
from judge.history.recorder import Recorder
from judge.languages.options import NO_OPTIONS, BuildOptions
from judge.languages.precompiled import start_making
from judge.model import Problem, Solution, SolutionResult
from judge.model.events import Event, Notice, RunEnded, SolutionJudged
from judge.problems.native import load_problem
from judge.problems.paths import find_file_error
from judge.runner.executors import Interrupted, LocalExecutor
from judge.runner.options import ProblemSelection, RunOptions
from judge.runner.run import run
from judge.watch.listener import EventQueue, Key, WatchEvent
from judge.watch.view import Batch, Status, WatchView
from judge.watch.watchers import WatchSpec


class ProblemCache(dict[str, Problem | DataError]):
    """The problems that were read, by their ids, until they are removed; files that are wrong are remembered, too."""

    def load(self, root: Path, problem_id: str) -> Problem:
        """Return a problem, like `load_problem`.

        Raises:
            UsageError: there is no such problem.
            DataError: its files are wrong.
        """
        if problem_id not in self:
            try:
                self[problem_id] = load_problem(root, problem_id)
            except DataError as error:
                self[problem_id] = error
        found = self[problem_id]
        if isinstance(found, DataError):
            raise DataError(found.diagnostics)
        return found


class DirtySet(Struct):
    """What must be judged again; grows as files change.

    Attributes:
        everything: all that is watched.
        fresh: ignore the cache.
        problems: all solutions of these.
        files: these solutions.
    """

    everything: bool = False
    fresh: bool = False
    problems: set[str] = field(default_factory=set)
    files: set[Path] = field(default_factory=set)

    def contains(self, problem: Problem, solution: Solution) -> bool:
        """Return whether a solution must be judged again."""
        return self.everything or problem.id in self.problems or solution.path in self.files


def mark_dirty(paths: Iterable[Path], spec: WatchSpec, cache: ProblemCache, dirty: DirtySet) -> None:
    """Add what a change of some paths affects, and drop it from the cache."""
    for path in paths:
        parts = path.relative_to(spec.root).parts if path.is_relative_to(spec.root) else ()
        if path in spec.files:
            dirty.files.add(path)
        elif path.parent in spec.entries or any(path.is_relative_to(folder) for folder in spec.folders):
            dirty.everything = True
        elif len(parts) > 1:
            problem_id = parts[1]
            problem = cache.get(problem_id)
            if parts[0] != "solutions":
                cache.pop(problem_id, None)
                dirty.problems.add(problem_id)
                continue
            solutions = problem.solutions if isinstance(problem, Problem) else ()
            if find_file_error(path) or not any(path == each.path for each in solutions):
                cache.pop(problem_id, None)  # a solution was created, removed or renamed
            elif isinstance(problem, Problem) and path in (problem.reference, problem.independent):
                dirty.problems.add(problem_id)  # it computes or confirms the answers
            dirty.files.add(path)
        elif path.is_relative_to(spec.root):  # the root or a tree: any problem may have changed
            cache.clear()
            dirty.everything = True


SolutionKey = tuple[str, Path]
"""A problem's id and a solution's path."""


class Scheduler:
    """Plans and judges batches, and keeps the latest result of every solution.

    `choose` reads problems from the cache and returns what is watched, what is wrong with other files, and how to
    build; it raises JudgeError if nothing is watched. One executor judges all batches, so that its boxes stay warm.
    """

    def __init__(
        self,
        choose: Callable[[], tuple[Sequence[ProblemSelection], Sequence[Diagnostic], BuildOptions]],
        cache: ProblemCache,
        spec: WatchSpec,
        executor: LocalExecutor,
        options: RunOptions,
    ) -> None:
        self._choose = choose
        self._cache = cache
        self._spec = spec
        self._executor = executor
        self._options = options
        self._latest: dict[SolutionKey, tuple[Problem, SolutionResult]] = {}
        self._names: dict[SolutionKey, str] = {}  # of all solutions that are watched
        self._dirty = DirtySet(everything=True)
        self._pending: set[SolutionKey] = set()  # in the batch and not judged yet
        self._has_errors = False  # in some file, so that something cannot be judged

    def mark_dirty(self, paths: Iterable[Path]) -> None:
        """Judge what a change of these paths affects in the next batch."""
        mark_dirty(paths, self._spec, self._cache, self._dirty)

    def mark_all_dirty(self, *, fresh: bool = False) -> None:
        """Judge everything in the next batch; `fresh` ignores the cache of results."""
        self._cache.clear()
        self._dirty.everything = True
        self._dirty.fresh |= fresh

    @property
    def as_expected(self) -> bool:
        """Whether everything was judged as it is now and was as expected."""
        return (
            bool(self._names)
            and not (self._pending or self._has_errors)
            and all(key in self._latest and self._latest[key][1].as_expected for key in self._names)
        )

    @property
    def is_due(self) -> bool:
        """Whether there may be something to judge."""
        return bool(self._dirty.everything or self._dirty.problems or self._dirty.files or self._pending)

    def status(self, batch: Batch) -> Status:
        """Return the status of everything that is watched."""
        return Status(
            results=[self._latest[key] for key in self._names if key in self._latest],
            as_expected=self.as_expected,
            waiting=len(self._pending),
            stale=frozenset(self._names[key] for key in self._pending if key in self._latest and key in self._names),
            has_faults=bool(batch.notices),
        )

    def plan(self) -> Batch | None:
        """Return the next batch; None if there is nothing to judge and nothing to report."""
        chosen: Sequence[ProblemSelection] = ()
        diagnostics: Sequence[Diagnostic] = ()
        build, errors = NO_OPTIONS, list[Notice]()
        is_unknown = False  # what is watched; then everything due stays due
        try:
            chosen, diagnostics, build = self._choose()
        except DataError as error:
            diagnostics = error.diagnostics
        except (JudgeError, OSError) as error:
            is_unknown = True
            errors.append(Notice(text=describe_error(error), is_error=True))
        notices = [Notice(text=str(each), is_error=True, diagnostics=(each,)) for each in diagnostics] + errors
        had_errors, self._has_errors = self._has_errors, bool(notices)
        gone, new = self._update_names(chosen, keep_all=is_unknown)
        selections = [each for each in map(self._select_dirty, chosen) if each.problem.solutions]
        selections.sort(key=lambda each: not any(self._has_failed(each.problem, s) for s in each.problem.solutions))
        edited = tuple(
            s.display_path for each in selections for s in each.problem.solutions if s.path in self._dirty.files
        )
        fresh = self._dirty.fresh
        if not is_unknown:
            self._pending = {(each.problem.id, s.path) for each in selections for s in each.problem.solutions}
            self._dirty = DirtySet(fresh=fresh)  # until a batch ends without being abandoned
        self._options = replace(self._options, fresh=fresh, build=build)
        if not (selections or notices or had_errors or gone or new):
            return None
        return Batch(
            selections=selections,
            failures=[] if fresh else [part for each in selections for part in self._select_failures(each)],
            edited=edited,
            new=tuple(new.values()),
            gone=tuple(gone.values()),
            notices=notices,
            solutions=sum(len(each.problem.solutions) for each in selections),
        )

    def judge_failures(self, batch: Batch) -> Iterator[Event]:
        """Judge the cases on which solutions failed last: an early answer, which is not recorded."""
        if batch.failures:
            yield from run(batch.failures, self._executor, self._options)

    def judge(self, batch: Batch) -> Iterator[Event]:
        """Judge a batch and keep its results."""
        if not batch.selections:
            self._dirty.fresh = False
            return
        for event in run(batch.selections, self._executor, self._options):
            match event:
                case SolutionJudged(problem=problem, result=result):
                    if result.total < len(problem.cases):  # abandoned: an incomplete result is not shown
                        continue
                    key = (problem.id, result.solution.path)
                    self._latest[key] = (problem, result)
                    self._pending.discard(key)
                case RunEnded(interrupted=False):
                    self._has_errors |= event.had_errors
                    for key in self._pending:  # the next batch tries again what could not be judged
                        self._latest.pop(key, None)
                    self._pending.clear()
                    self._dirty.fresh = False
                case _:
                    pass
            yield event
        if (folder := header_folder()) is not None:
            start_making(folder)

    def _update_names(
        self, selections: Sequence[ProblemSelection], *, keep_all: bool
    ) -> tuple[dict[SolutionKey, str], dict[SolutionKey, str]]:
        """Update what is watched; return the solutions that are gone and those that are new."""
        chosen = {(each.problem.id, s.path): s.display_path for each in selections for s in each.problem.solutions}
        kept = {
            key: name for key, name in self._names.items() if keep_all or isinstance(self._cache.get(key[0]), DataError)
        }
        now = {**kept, **chosen}
        gone = {key: name for key, name in self._names.items() if key not in now}
        new = {key: name for key, name in now.items() if self._names and key not in self._names}
        for key in gone:
            self._latest.pop(key, None)
        self._names = now
        return gone, new

    def _select_dirty(self, selection: ProblemSelection) -> ProblemSelection:
        """Return the part of a selection that must be judged: what failed last, then what was edited, then the rest."""
        problem = selection.problem
        known = self._latest.keys() - self._pending
        dirty = [s for s in problem.solutions if self._dirty.contains(problem, s) or (problem.id, s.path) not in known]
        dirty.sort(key=lambda s: (not self._has_failed(problem, s), s.path not in self._dirty.files))
        return replace(selection, problem=replace(problem, solutions=tuple(dirty)))

    def _has_failed(self, problem: Problem, solution: Solution) -> bool:
        latest = self._latest.get((problem.id, solution.path))
        return latest is not None and not latest[1].as_expected

    def _select_failures(self, selection: ProblemSelection) -> Iterator[ProblemSelection]:
        """Yield each solution that failed last with its failing cases, unless these are all cases."""
        problem = selection.problem
        for solution in problem.solutions:
            latest = self._latest.get((problem.id, solution.path))
            if latest is None or latest[1].as_expected:
                continue
            ids = {failure.case.id for failure in latest[1].failures}
            cases = tuple(case for case in problem.cases if case.id in ids)
            if cases and len(cases) < len(problem.cases):
                part = replace(problem, cases=cases, solutions=(solution,))
                yield replace(selection, problem=part, is_complete=False)


def watch(scheduler: Scheduler, queue: EventQueue, view: WatchView, start_recorder: Callable[[], Recorder]) -> None:
    """Judge everything, then again what changes affect, until a key or a signal asks to stop."""
    try:
        while True:
            if not (events := queue.begin_batch()):
                try:
                    if (batch := scheduler.plan()) is not None:
                        view.start_batch(batch, scheduler.status(batch))
                        if not _is_interrupted(scheduler.judge_failures(batch), view.handle_early):
                            _is_interrupted(_record(scheduler.judge(batch), start_recorder), view.handle)
                        view.end_batch(scheduler.status(batch))
                finally:
                    queue.end_batch()
                events = queue.wait()  # returns at once if an event abandoned the batch
            if not _handle(events, scheduler, view):
                return
            while not scheduler.is_due:
                if not _handle(queue.wait(), scheduler, view):
                    return
    except Interrupted:
        return


def _handle(events: Iterable[WatchEvent], scheduler: Scheduler, view: WatchView) -> bool:
    """Handle events; return False to quit."""
    for event in events:
        match event:
            case frozenset():
                scheduler.mark_dirty(event)
            case str():
                view.show_message(event)
            case Key.QUIT:
                return False
            case _:
                scheduler.mark_all_dirty(fresh=event is Key.FRESH)
    return True


def _is_interrupted(events: Iterator[Event], show: Callable[[Event], None]) -> bool:
    """Show all events; return whether the run was interrupted."""
    interrupted = False
    for event in events:
        show(event)
        interrupted |= isinstance(event, RunEnded) and event.interrupted
    return interrupted


def _record(events: Iterator[Event], start_recorder: Callable[[], Recorder]) -> Iterator[Event]:
    """Yield events; each is shown first and recorded then."""
    recorder: Recorder | None = None
    try:
        for event in events:
            yield event
            recorder = recorder or start_recorder()
            recorder.handle(event)
    finally:
        if recorder is not None:
            recorder.close()
