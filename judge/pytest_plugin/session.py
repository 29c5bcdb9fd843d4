"""Where the tests of a session are judged: one executor and one cache, from the first case to the end."""

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from judge.cli.workspace import cache_of, programs_in
from judge.errors import JudgeError
from judge.executors import LocalExecutor, default_workers
from judge.history.results import ResultStore
from judge.languages.build_cache import BuildCache
from judge.model import Case, CaseResult, Problem, Solution, SolutionResult, Verdict
from judge.preparation.cases import Broken, DataStore, PreparedCase
from judge.preparation.inputs import data_folders
from judge.preparation.lock import read_lock
from judge.preparation.prepare import prepare
from judge.preparation.store import FactCache, ObjectStore
from judge.problems.native import load_problem
from judge.runner.cache import ResultCache
from judge.runner.options import RunOptions
from judge.runner.solution import ResultSummary, SolutionBuild, judge_one


@dataclass(frozen=True, slots=True, kw_only=True)
class _Session:
    """What is open while cases are judged."""

    executor: LocalExecutor
    options: RunOptions
    cache: ResultCache


class JudgeSession:
    """Judges one case at a time; closed at the end of the session.

    Args:
        root: the repository.
        workers: runs at once while test data is made; None for one on each core.
    """

    def __init__(self, root: Path, workers: int | None) -> None:
        self.root = root
        self.wanted: Mapping[str, Iterable[Case]] = {}  # by problem: what the session will ask for, to be made at once
        self._workers = workers or default_workers()
        self._stack = ExitStack()
        self._open: _Session | None = None
        self._problems: dict[str, Problem] = {}
        self._wrong: set[str] = set()
        self._prepared: dict[str, dict[str, PreparedCase]] = {}
        self._submissions: dict[Path, SolutionBuild] = {}
        self._results: dict[tuple[Path, str], CaseResult] = {}

    def problem(self, problem_id: str) -> Problem:
        """Return a problem.

        Raises:
            JudgeError: its files are wrong; the message has all mistakes the first time.
        """
        if problem_id in self._wrong:
            raise JudgeError(f"{problem_id}: its files are wrong: see the first error")
        if problem_id not in self._problems:
            try:
                self._problems[problem_id] = load_problem(self.root, problem_id)
            except JudgeError:
                self._wrong.add(problem_id)
                raise
        return self._problems[problem_id]

    def judge(self, problem: Problem, solution: Solution, case: Case) -> CaseResult:
        """Return what a solution does on a case; each is judged once in a session.

        Raises:
            JudgeError: that cannot be found out.
        """
        found = self._results.get((solution.path, case.id))
        if found is None:
            found = self._judged(problem, solution, case)
            self._results[solution.path, case.id] = found
        return found

    def summary(self, problem: Problem, solution: Solution, results: Iterable[CaseResult]) -> SolutionResult:
        """Return the summary of a solution's results."""
        results = list(results)
        tally = ResultSummary(problem, self._submission(solution), is_complete=len(results) == len(problem.cases))
        for result in results:
            tally.add(result)
        return tally.result()

    def close(self) -> None:
        """End all runs and keep what was found out; may be called twice."""
        self._open = None
        self._stack.close()

    def _judged(self, problem: Problem, solution: Solution, case: Case) -> CaseResult:
        session = self._session()
        prepared = self._case(problem, case)
        if isinstance(prepared, Broken):
            raise JudgeError(str(prepared.diagnostic))
        job = (self._submission(solution), prepared)
        result = next(session.executor.map(judge_one, [job], session.cache.find))
        session.cache.put(result)
        if result.verdict is Verdict.JE:
            raise JudgeError(f"case {case.id}: {result.reason}")
        return result

    def _case(self, problem: Problem, case: Case) -> PreparedCase:
        """Return a case's data; all cases of a problem that the session will ask for are made together."""
        known = self._prepared.setdefault(problem.id, {})
        if case.id not in known:
            together = {each.id: each for each in self.wanted.get(problem.id, ())} if not known else {}
            session = self._session()
            session.cache.begin()
            cases = list({**together, case.id: case}.values())
            lock, run = read_lock(problem.lock), session.executor.map
            for each in prepare(problem, cases, session.options.store, lock, run, workers=self._workers):
                known[each.case.id] = each
        return known[case.id]

    def _submission(self, solution: Solution) -> SolutionBuild:
        if solution.path not in self._submissions:
            self._submissions[solution.path] = SolutionBuild(solution, self._session().options, is_named=False)
        return self._submissions[solution.path]

    def _session(self) -> _Session:
        if self._open is None:
            self._open = self._opened()
        return self._open

    def _opened(self) -> _Session:
        cache = cache_of(self.root)
        private = Path(self._stack.enter_context(TemporaryDirectory(prefix="judge-build-")))
        programs = programs_in(private)
        executor = self._stack.enter_context(LocalExecutor(self._workers, work_folder=programs, cleanup_folder=private))
        results = ResultStore(cache / "results.sqlite")
        self._stack.callback(results.close)
        store = DataStore(
            objects=ObjectStore(cache / "objects"),
            facts=FactCache(cache / "facts.json"),
            programs=BuildCache(cache / "programs"),
            build=programs,
            folders=data_folders(None),
        )
        options = RunOptions(store=store, results=results)
        return _Session(
            executor=executor, options=options, cache=ResultCache(options, level=executor.level, is_warm=False)
        )
