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
from judge.history.records import SolutionRecord
from judge.languages.build import Program, build
from judge.languages.options import BuildOptions
from judge.model import Problem, Verdict
from judge.preparation.cases import ReadyCase
from judge.sandbox.box import Box
from judge.timing.comparison import Comparison, inconclusive
from judge.timing.measure import BUDGET, choose_case, compare
from judge.workspace.session import Session

SolutionKey = tuple[str, str]
"""A problem's id and the path of a solution."""


class TimingTask(Struct, frozen=True):
    """One edited solution to time: its records, sources, and the cases to choose from.

    Attributes:
        old_text: None if it is not available.
        old_path: that of another file may be in another language.
    """

    old: SolutionRecord
    new: SolutionRecord
    old_text: bytes | None
    old_path: Path
    path: Path
    cases: Sequence[ReadyCase]
    build: BuildOptions

    @property
    def key(self) -> SolutionKey:
        """The solution."""
        return self.new.problem, self.new.solution

    def run(self, session: Session, budget: Seconds | None = None) -> Comparison:
        """Run both sources until their times tell, or for as long as the budget allows. Raises Interrupted."""
        limit = BUDGET if budget is None else budget
        times = {}  # of the cases that both passed on the same data
        for case in self.cases:
            then, now = (record.cases.get(case.case.id) for record in (self.old, self.new))
            if then and now and then.verdict is now.verdict is Verdict.AC and then.data == now.data:
                times[case.case.id] = Seconds(max(then.cpu, now.cpu))
        if not times:
            return inconclusive("there is no case that both passed on the same data")
        chosen = choose_case(times, limit)
        case = next(each for each in self.cases if each.case.id == chosen)

        def work(box: Box) -> Comparison:
            programs = self._build(session, box)
            if isinstance(programs, str):
                return inconclusive(programs)
            found = compare(*programs, case, box, folder=session.store.build, budget=limit)
            return replace(found, case=chosen)

        try:
            return session.executor.call(work)
        except (JudgeError, OSError) as error:
            return replace(inconclusive(describe_error(error)), case=chosen)

    def _build(self, session: Session, box: Box) -> tuple[Program, Program] | str:
        """Return both programs, or why one cannot be built."""
        if self.old_text is None:
            return "the old source is not available: it is neither in the history nor in a commit"
        programs = []
        for which, path, text in (("old", self.old_path, self.old_text), ("new", self.path, self.path.read_bytes())):
            folder = session.store.build / which
            folder.mkdir(exist_ok=True)
            folder.chmod(0o755)  # the sandbox may run programs as another user
            built = build(path, folder, box, cache=session.store.programs, text=text, options=self.build)
            if not isinstance(built, Program):
                return f"the {which} source does not compile: {built.message}"
            programs.append(built)
        return programs[0], programs[1]


def plan_timings(
    changes: Sequence[Change], problems: Sequence[Problem], commit: str, session: Session
) -> Iterator[TimingTask]:
    """Yield a task for each solution whose source changed.

    Sources that the history does not have are looked up in the commit; "" if there is none.
    """
    by_id = {problem.id: problem for problem in problems}
    cases: dict[str, list[ReadyCase]] = {}
    for change in changes:
        if not (change.old and change.new and change.source_changed):
            continue
        problem = by_id[change.new.problem]
        if problem.id not in cases:
            cases[problem.id] = _ready_cases(problem, session)
        text = session.history.source(change.old.source)
        if text is None and commit:
            text = read_file(session.root, commit, change.old.solution)
        if text is not None and hashlib.sha256(text).hexdigest() != change.old.source:
            text = None  # not what was judged
        path = (problem.folder if problem.is_package and problem.folder else session.root) / change.new.solution
        options = session.build_options().add_flags(problem.compile_flags)
        yield TimingTask(change.old, change.new, text, path, path, cases[problem.id], options)


def plan_file_timing(
    old: SolutionRecord, new: SolutionRecord, files: tuple[Path, Path], problem: Problem, session: Session
) -> TimingTask:
    """Return a task for two files, the old and the new one. Raises OSError if the old one cannot be read."""
    options = session.build_options().add_flags(problem.compile_flags)
    return TimingTask(old, new, files[0].read_bytes(), *files, _ready_cases(problem, session), options)


def _ready_cases(problem: Problem, session: Session) -> list[ReadyCase]:
    return [each for each in session.prepare(problem, problem.cases) if isinstance(each, ReadyCase)]
