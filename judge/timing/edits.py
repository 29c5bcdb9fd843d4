"""Timing of edits: the old and the new source of a solution run in turn on the most telling case."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import JudgeError, describe_error
from judge.base.git import read_file
from judge.base.units import Seconds
from judge.history.changes import Change
from judge.history.history import History
from judge.history.records import SolutionRecord
from judge.languages.build import Program, build
from judge.languages.options import NO_OPTIONS, BuildOptions
from judge.model import Problem, Verdict
from judge.preparation.cases import DataStore, ReadyCase
from judge.sandbox.box import Box
from judge.timing.comparison import Comparison, ComparisonKind, inconclusive
from judge.timing.measure import BUDGET, TimedCase, choose_case, compare
from judge.workspace.session import Session

SolutionKey = tuple[str, str]
"""A problem's id and the path of a solution."""


class Timing(Struct, frozen=True, kw_only=True):
    """How the times of one solution compare on a case; its id is "" if none was timed."""

    case: str
    comparison: Comparison

    @property
    def is_slower(self) -> bool:
        """Whether the new source is slower."""
        return self.comparison.kind is ComparisonKind.SLOWER

    def __str__(self) -> str:
        sentence = str(self.comparison)
        if not self.case:
            return sentence
        if self.comparison.kind is ComparisonKind.INCONCLUSIVE:  # its reason may be long and name a file
            return f"{self.case}: {sentence}"
        return f"{sentence} on {self.case}"


class TimingTask(Struct, frozen=True):
    """One edited solution to time: its records, sources, and the cases to choose from."""

    old: SolutionRecord
    new: SolutionRecord
    old_text: bytes | None
    path: Path
    cases: Sequence[TimedCase]
    store: DataStore
    build: BuildOptions = NO_OPTIONS
    old_path: Path | None = None  # of another file: it may be in another language

    @property
    def key(self) -> SolutionKey:
        """The solution."""
        return self.new.problem, self.new.solution

    def run(self, session: Session, budget: Seconds | None = None) -> Timing:
        """Run both sources until their times tell, or for as long as the budget allows. Raises Interrupted."""
        limit = BUDGET if budget is None else budget
        return session.executor.call(lambda box: _time(box, self, limit))


def plan_timings(
    changes: Sequence[Change], problems: Sequence[Problem], commit: str, session: Session
) -> Iterator[TimingTask]:
    """Yield a task for each solution whose source changed.

    Sources that the history does not have are looked up in the commit; "" if there is none.
    """
    by_id = {problem.id: problem for problem in problems}
    cases: dict[str, list[TimedCase]] = {}
    for change in changes:
        if not (change.old and change.new and change.source_changed):
            continue
        problem = by_id[change.new.problem]
        if problem.id not in cases:
            cases[problem.id] = list(_timed_cases(problem, session))
        text = _find_old_text(change.old, session.history, session.root, commit)
        path = (problem.folder if problem.is_package and problem.folder else session.root) / change.new.solution
        options = session.build_options().add_flags(problem.compile_flags)
        yield TimingTask(change.old, change.new, text, path, cases[problem.id], session.store, options)


def plan_file_timing(
    old: SolutionRecord, new: SolutionRecord, files: tuple[Path, Path], problem: Problem, session: Session
) -> TimingTask:
    """Return a task for two files, the old and the new one. Raises OSError if the old one cannot be read."""
    old_path, new_path = files
    options = session.build_options().add_flags(problem.compile_flags)
    cases = list(_timed_cases(problem, session))
    return TimingTask(old, new, old_path.read_bytes(), new_path, cases, session.store, options, old_path)


def _find_old_text(old: SolutionRecord, history: History, root: Path, commit: str) -> bytes | None:
    """Return the source that was judged, from the history or the commit; None if neither has it."""
    text = history.source(old.source)
    if text is None and commit:
        text = read_file(root, commit, old.solution)
    return text if text is not None and hashlib.sha256(text).hexdigest() == old.source else None


def _timed_cases(problem: Problem, session: Session) -> Iterator[TimedCase]:
    for each in session.prepare(problem, problem.cases):
        if isinstance(each, ReadyCase):
            yield TimedCase(
                case=each.case.id, input=each.input, limits=each.case.limits, file_names=each.case.file_names
            )


def _time(box: Box, task: TimingTask, budget: Seconds) -> Timing:
    case = _choose_case(task, budget)
    if case is None:
        return Timing(case="", comparison=inconclusive("there is no case that both passed on the same data"))
    try:
        programs = _build_both(task, box)
        if isinstance(programs, str):
            return Timing(case="", comparison=inconclusive(programs))
        old, new = programs
        comparison = compare(old, new, case, box, folder=task.store.build, budget=budget)
        return Timing(case=case.case, comparison=comparison)
    except (JudgeError, OSError) as error:
        return Timing(case=case.case, comparison=inconclusive(describe_error(error)))


def _build_both(task: TimingTask, box: Box) -> tuple[Program, Program] | str:
    """Return both programs, or why one cannot be built."""
    if task.old_text is None:
        return "the old source is not available: it is neither in the history nor in a commit"
    programs = []
    sources = (("old", task.old_path or task.path, task.old_text), ("new", task.path, task.path.read_bytes()))
    for which, path, text in sources:
        folder = task.store.build / which
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)  # the sandbox may run programs as another user
        built = build(path, folder, box, cache=task.store.programs, text=text, options=task.build)
        if not isinstance(built, Program):
            return f"the {which} source does not compile: {built.message}"
        programs.append(built)
    return programs[0], programs[1]


def _choose_case(task: TimingTask, budget: Seconds) -> TimedCase | None:
    """Return the most telling of the cases that both passed on the same data."""
    both = []
    for each in task.cases:
        then, now = task.old.cases.get(each.case), task.new.cases.get(each.case)
        if then and now and then.verdict is now.verdict is Verdict.AC and then.data == now.data:
            cpu = Seconds(max(then.cpu, now.cpu))
            both.append(replace(each, cpu=cpu))
    return choose_case(both, budget) if both else None
