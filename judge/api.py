"""The public Python API: judge a source against a folder of cases, a problem of a repository, or cases given as text.

Import the names from `judge`, not from this module. Nothing here prints, reads `sys.argv` or handles signals.
"""

import math
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypedDict, Unpack

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, JudgeError, UsageError
from judge.base.units import GIB, Bytes, Seconds
from judge.languages.names import find_language_id
from judge.languages.table import LANGUAGES
from judge.model import (
    CHECKERS,
    DEFAULT_LIMITS,
    EXPECTATIONS,
    MAX_JOBS,
    Case,
    CheckerConfig,
    Inline,
    Problem,
    Solution,
    Verdict,
)
from judge.model import CaseResult as ModelCaseResult
from judge.model import SolutionResult as ModelSolutionResult
from judge.model.events import CaseJudged, Notice, RunEnded, SolutionJudged
from judge.runner.executors import Interrupted
from judge.runner.options import Overrides, ProblemSelection, find_judge_program
from judge.workspace.options import SessionOptions
from judge.workspace.query import Query
from judge.workspace.select import Selection, select
from judge.workspace.session import Session, open_temporary_folder
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # most uses search nothing
    from judge.hack.values import SearchOptions, SearchResult
    from judge.inputs import Grammar

_HARMLESS = (Verdict.AC, Verdict.NA, Verdict.SK)


class TextCase(Struct, frozen=True):
    """A case given as text: an input and its answer.

    Attributes:
        input: what the program reads from standard input.
        answer: what it should write to standard output; None if that is unknown: then the verdict is NA.
        name: for results; default: its position, `1` for the first.
    """

    input: str | bytes
    answer: str | bytes | None = None
    name: str = ""


class RunArguments(TypedDict, total=False):
    """What a run of one source may be given besides its path.

    Attributes:
        code: the text of the source, instead of a path.
        language: for `code`: an id of docs/languages.md or a name, such as `cpp` or `C++17`; default: `python3`.
        cases: a folder of x.in with x.ans or x.out, a zip file or a pattern (as for `judge run --cases`), or cases
            given as text; default: those beside the file, or of the problem that it solves, as for `judge run`; `code`
            runs once with an empty input.
        problem: the id of a problem in the repository, or the folder of a package, instead of `cases`.
        time_limit: CPU seconds per case; default: the case's own, 2 s for a folder or text.
        memory_limit: bytes per case; default: the case's own, 256 MiB for a folder or text.
        checker: `tokens`, `lines`, `exact`, or the path of a program; default: the case's own, `tokens` for a folder or
            text.
        float_tolerance: accept numbers within this absolute or relative error.
    """

    code: str | bytes | None
    language: str | None
    cases: str | Path | Iterable[TextCase] | None
    problem: str | Path | None
    time_limit: float | None
    memory_limit: int | None
    checker: str | None
    float_tolerance: float | None


class Difference(Struct, frozen=True, kw_only=True):
    """The first difference between the answer and the output.

    Attributes:
        line: 1-based line in the output.
        token: 1-based token in that line, or 0 if whitespace differs.
        expected: the answer's token, or b"" at its end.
        found: the output's token, or b"" at its end.
    """

    line: int
    token: int
    expected: bytes
    found: bytes


class CaseResult(Struct, frozen=True, kw_only=True):
    """The result of one case.

    Attributes:
        case: the case's id, `group/name`.
        verdict: AC, WA, PE, TLE, MLE, OLE, RTE, CE, NA (no answer to compare with), JE (an error of the judge) or SK
            (skipped).
        reason: one line, or "" for AC.
        cpu_s: CPU time of all processes in seconds; None if nothing ran.
        wall_s: wall-clock time in seconds; None if nothing ran.
        memory_bytes: peak resident memory; None if nothing ran.
        stderr: the end of standard error.
        difference: where the output differs from the answer, for WA and PE.
        score: None where cases have no scores.
        message: what a checker that is a program wrote for the judges, cut.
        output: the beginning of the output for NA.
    """

    case: str
    verdict: Verdict
    reason: str = ""
    cpu_s: float | None = None
    wall_s: float | None = None
    memory_bytes: int | None = None
    stderr: bytes = b""
    difference: Difference | None = None
    score: float | None = None
    message: str = ""
    output: bytes = b""


class Result(Struct, frozen=True, kw_only=True):
    """The result of a source on all its cases.

    Attributes:
        verdict: of the first case, in order, that is not AC; AC if all are. Cases that are NA or SK count only if no
            case is AC.
        cases: the results, in the cases' order.
        message: the compiler's first error, or why the source cannot be judged; "" otherwise.
        notices: what else a person should know, such as skipped cases.
        language: the language's name.
        score: None for a problem without scores, or if not all cases were judged.
        max_score: None if unbounded or unknown.
    """

    verdict: Verdict
    cases: tuple[CaseResult, ...]
    message: str = ""
    notices: tuple[str, ...] = ()
    language: str = ""
    score: float | None = None
    max_score: float | None = None

    @property
    def is_accepted(self) -> bool:
        """Whether every case is AC."""
        return self.verdict is Verdict.AC

    @property
    def total(self) -> int:
        """How many cases there are."""
        return len(self.cases)

    @property
    def passed(self) -> int:
        """How many cases are AC."""
        return sum(case.verdict is Verdict.AC for case in self.cases)

    @property
    def first_failure(self) -> CaseResult | None:
        """The first case that is neither AC, nor skipped, nor without an answer."""
        return next((case for case in self.cases if case.verdict not in _HARMLESS), None)

    @property
    def cpu_s(self) -> float:
        """The CPU time of the slowest case in seconds."""
        return max((case.cpu_s for case in self.cases if case.cpu_s is not None), default=0.0)

    @property
    def memory_bytes(self) -> int:
        """The peak memory of the largest case."""
        return max((case.memory_bytes for case in self.cases if case.memory_bytes is not None), default=0)


class Judge:
    """Judges sources; a context manager that ends all runs and removes all temporary files.

    It starts its workers once and may be used from several threads; one source is judged at a time, on all workers.

    Args:
        jobs: parallel runs, at most 256; default: one per CPU core.
        root: the repository for `problem=`; default: the nearest one above the current folder.
        warm: fork Python sources from a running interpreter: several times faster, for many thousand runs.
        python: the absolute path of the interpreter for Python sources; default: this one's base installation.
        cache: use and store results in the cache of the repository or the user.

    Raises:
        JudgeError: `jobs` is out of range.
    """

    def __init__(
        self,
        *,
        jobs: int | None = None,
        root: str | Path | None = None,
        warm: bool = False,
        python: str | None = None,
        cache: bool = False,
    ) -> None:
        if jobs is not None and not 1 <= jobs <= MAX_JOBS:
            raise UsageError(f"jobs={jobs}: expected a number from 1 to {MAX_JOBS}")
        self._root = None if root is None else Path(root)
        self._use_cache = cache
        self._lock = threading.Lock()
        self._owner = 0  # the thread that holds the lock
        self._is_closed = False
        self._stack = ExitStack()
        self._folder = self._stack.enter_context(open_temporary_folder())
        workspace = Workspace.find_or_use(self._root)
        options = SessionOptions(jobs=jobs, is_warm=warm, tools={"python": python} if python else {})
        try:
            if cache or workspace.is_repository:
                session = workspace.open_session(options)
            else:  # without a cache, the state of a bare folder goes with the judge
                session = Session(workspace.root, self._folder / "state", options)
            self._session = self._stack.enter_context(session)
        except BaseException:
            self._stack.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all runs and release everything; may be called twice, and from any thread.

        It waits for an iterator of `events` that another thread has not finished.
        """
        self._is_closed = True
        self._session.executor.interrupt()
        if self._owner == threading.get_ident():  # an unfinished iterator of this thread holds the lock
            self._stack.close()
            return
        with self._lock:
            self._stack.close()

    def run(self, source: str | Path | None = None, **arguments: Unpack[RunArguments]) -> Result:
        """Judge one source, the path of a file or `code`, and return its result; see `RunArguments`.

        Raises:
            DataError: the problem's files or the cases are wrong; `error.diagnostics` lists every error.
            JudgeError: the arguments do not fit; a file, folder, language or problem does not exist; the source
                cannot be judged on this machine; or the judge was closed.
        """
        *_, result = self.events(source, **arguments)
        assert isinstance(result, Result)
        return result

    def events(
        self,
        source: str | Path | None = None,
        *,
        code: str | bytes | None = None,
        language: str | None = None,
        cases: str | Path | Iterable[TextCase] | None = None,
        problem: str | Path | None = None,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        checker: str | None = None,
        float_tolerance: float | None = None,
    ) -> Iterator[CaseResult | Result]:
        """Judge one source; yield each case's result as it is known, then the source's `Result`.

        The arguments and errors are those of `run`. The judge is busy until the iterator ends or is closed: other
        threads wait, and another run in this thread is an error.
        """
        overrides = _overrides(time_limit, memory_limit, checker, float_tolerance)
        with self._reserve("judged"):
            path = self._find_source(source, code, language)
            selection = self._select(path, cases, problem, overrides)
            if selection.diagnostics:
                raise DataError(selection.diagnostics)
            if language is not None:  # whatever the suffix of the file says
                (part,) = selection.problems
                wanted = find_language_id(language) or language
                solutions = tuple(replace(each, language=wanted) for each in part.problem.solutions)
                part = replace(part, problem=replace(part.problem, solutions=solutions))
                selection = replace(selection, problems=[part])
            yield from self._judge(selection)

    def scale(
        self,
        source: str | Path,
        *,
        generator: str | Path = "",
        problem: str | None = None,
        smallest: int | None = None,
        largest: int | None = None,
        seconds: float = 20.0,
        time_limit: float | None = None,
        memory_limit: int | None = None,
    ) -> Mapping[str, object]:
        """Measure how the time and memory of a source grow; return what `judge scale -f json` prints.

        Use `Judge(jobs=1)`, so that it has a core of its own.

        Args:
            source: the path of the source file.
            generator: what makes the inputs, as for `judge scale --gen`; default: a generator of the problem.
            problem: the id of a problem in the repository, or the folder of a package.
            smallest: the first size.
            largest: the last size.
            seconds: how long to measure, elapsed.
            time_limit: as for `run`.
            memory_limit: as for `run`.

        Raises:
            DataError: the problem's files are wrong.
            JudgeError: the arguments do not fit, a file or problem does not exist, nothing can be measured, or the
                judge was closed.
        """
        from judge.scaling.experiment import Experiment
        from judge.scaling.result import scaling_record
        from judge.scaling.sized_inputs import ScalingOptions

        options = ScalingOptions(
            generator=str(generator),
            smallest=smallest,
            largest=largest,
            budget=Seconds(seconds),
            overrides=_overrides(time_limit, memory_limit, None, None),
        )
        with self._reserve("measured"):
            found = Workspace.find_or_use(self._root).select_source(Path(source), problem)
            experiment = Experiment(found, self._session, options)
            for _ in experiment.measure():
                pass
            return scaling_record(experiment.conclude())

    def hack(
        self,
        source: str | Path,
        *,
        problem: str | Path | None = None,
        references: Iterable[str | Path] = (),
        seconds: float = 10.0,
        findings: int = 1,
        seed: int = 1,
    ) -> "SearchResult":
        """Search for inputs on which a solution of a problem fails, and shrink them, as `judge hack` does.

        Args:
            source: the path of the source file.
            problem: the id of a problem in the repository, or the folder of a package; default: found by the source.
            references: solutions that are right, besides those of the problem.
            seconds: how long to search.
            findings: stop after so many distinct failures.
            seed: proposes other inputs.

        Raises:
            DataError: the problem's files are wrong.
            JudgeError: the arguments do not fit, a file or problem does not exist, a program does not compile or
                fails, or the judge was closed.
        """
        from judge.hack.hack_request import find_request
        from judge.hack.hacking import hack

        workspace = Workspace.find_or_use(self._root)
        request = find_request(
            workspace,
            Path(source),
            None if problem is None else str(problem),
            references=[Path(each) for each in references],
        )
        return self._search(lambda options: hack(request, options, self._session), seconds, findings, seed)

    def stress(
        self,
        source: str | Path,
        reference: str | Path | None = None,
        *,
        generator: str | Path,
        generator_args: Iterable[str] = (),
        checker: str | Path | None = None,
        validator: str | Path | None = None,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        seconds: float = 10.0,
        findings: int = 1,
        seed: int = 1,
    ) -> "SearchResult":
        """Run a source and a reference on what a generator makes until they differ, as `judge stress` does.

        Args:
            source: the path of the source file that may be wrong.
            reference: a source that is right; None to look for crashes and exceeded limits only.
            generator: prints an input, with a seed as its last argument or in place of `{seed}`.
            generator_args: further arguments.
            checker: a program that compares outputs; by default, that of the problem that the source solves, if it is
                in a repository or a package.
            validator: accepts valid inputs with exit status 42; by default, likewise.
            time_limit: as for `run`.
            memory_limit: as for `run`.
            seconds: how long to search.
            findings: stop after so many distinct failures.
            seed: proposes other inputs.

        Raises:
            JudgeError: the arguments do not fit, a file does not exist, a program does not compile or fails, or the
                judge was closed.
        """
        from judge.hack.counterexamples import find_stress_request, stress

        request = find_stress_request(
            Workspace.find_or_use(self._root),
            Path(source),
            None if reference is None else Path(reference),
            validator=None if validator is None else Path(validator),
            overrides=_overrides(time_limit, memory_limit, checker, None),
        )
        words = [str(generator), *generator_args]
        return self._search(lambda options: stress(request, words, options, self._session), seconds, findings, seed)

    def strength(
        self, problem: str | Path, *, mutants: int | None = None, seconds: float = 0.0
    ) -> Mapping[str, object]:
        """Measure how many small mistakes the cases of a problem notice; write no certificate.

        Args:
            problem: the id of a problem in the repository, or the folder of a package.
            mutants: judge at most so many of each accepted solution.
            seconds: how long to search, for each survivor, for an input that kills it, elapsed.

        Returns:
            The problem in what `judge strength -f json` prints.

        Raises:
            DataError: the problem's files are wrong.
            JudgeError: the arguments do not fit, there is no such problem, it has no accepted solution or no case, a
                program cannot be run, or the judge was closed.
        """
        from judge.strength.certificate import certificate_path, read_certificate, with_reasons
        from judge.strength.measure import Measurement
        from judge.strength.results import strength_record

        if not 0 <= seconds < math.inf or (mutants is not None and mutants < 1):
            raise UsageError(f"seconds={seconds}, mutants={mutants}: expected at least 0 and 1")
        with self._reserve("measured"):
            part = self._find_problem(problem)
            certificate = read_certificate(certificate_path(part))
            measurement = Measurement(
                self._session,
                part,
                self._session.state_folder,
                most=mutants,
                budget=Seconds(seconds),
                accepted=certificate.reasons if certificate else (),
            )
            found = measurement.measure()
        return strength_record(with_reasons(part, found, certificate.reasons) if certificate else found)

    def grammar(self, problem: str | Path) -> "Grammar":
        """Return the grammar of a problem's inputs, which makes, checks and describes them.

        That is the key `input` of a problem in the repository.

        Raises:
            DataError: the problem's files are wrong.
            JudgeError: there is no such problem, or it has no grammar.
        """
        grammar = self._find_problem(problem).grammar
        if grammar is None:
            raise UsageError(f"{problem} has no grammar; `judge show {problem} --grammar` may infer one")
        return grammar

    def _find_problem(self, name: str | Path) -> Problem:
        """Return a problem with at least one solution.

        Raises:
            DataError: its files are wrong.
            UsageError: there is none.
        """
        selection = Workspace.find_or_use(self._root).select(Query(targets=(str(name),)))
        if selection.diagnostics:
            raise DataError(selection.diagnostics)
        problems = [*(each.problem for each in selection.problems), *selection.unsolved]
        if len(problems) != 1:
            raise UsageError(f"{name}: expected one problem")
        return problems[0]

    @contextmanager
    def _reserve(self, work: str) -> Iterator[None]:
        """Reserve the judge for this thread; other threads wait.

        Args:
            work: what is done, in the past tense.

        Raises:
            JudgeError: this thread has reserved the judge already, or the judge was closed, before or meanwhile.
        """
        if self._owner == threading.get_ident():
            raise UsageError("this thread has not finished the events of an earlier run: end or close that iterator")
        with self._lock:
            if self._is_closed:
                raise JudgeError("this Judge is closed")
            self._owner = threading.get_ident()
            try:
                yield
            except Interrupted:
                raise JudgeError(f"this Judge was closed while it {work}") from None
            finally:
                self._owner = 0

    def _search(
        self, search: "Callable[[SearchOptions], SearchResult]", seconds: float, findings: int, seed: int
    ) -> "SearchResult":
        from judge.hack.values import SearchOptions

        if not 0 < seconds < math.inf or findings < 1:
            raise UsageError(f"seconds={seconds}, findings={findings}: expected positive numbers")
        with self._reserve("searched"):
            result = search(SearchOptions(budget=Seconds(seconds), findings=findings, seed=seed))
            if result.was_interrupted and not result.found:
                raise Interrupted
        return result

    def _find_source(self, source: str | Path | None, code: str | bytes | None, language: str | None) -> Path:
        if (source is None) == (code is None):
            raise UsageError("give either `source`, a path, or `code`, a text")
        if source is not None:
            if language is not None:
                raise UsageError("`language` is for `code`; the suffix of a file decides")
            return Path(source).absolute()
        assert code is not None
        wanted = find_language_id(language or "python3")
        found = next((each for each in LANGUAGES if each.id == wanted), None)
        if found is None:
            known = ", ".join(each.id for each in LANGUAGES)
            raise UsageError(f"language={language!r}: expected one of {known}")
        path = self._folder / f"code{found.file_suffix}"
        path.write_bytes(code.encode() if isinstance(code, str) else code)
        return path

    def _select(
        self,
        path: Path,
        cases: str | Path | Iterable[TextCase] | None,
        problem: str | Path | None,
        overrides: Overrides,
    ) -> Selection:
        if cases is not None and problem is not None:
            raise UsageError("give either `cases` or `problem`")
        if problem is not None:
            problem = str(problem)
            query = Query(targets=(problem,), solutions=(path,), overrides=overrides)
            is_path = "/" in problem or Path(problem).is_dir()  # of a package, perhaps outside of any repository
            find = Workspace.find_or_use if is_path else Workspace.find_problems
            return find(self._root).select(query)
        if cases is None and path.parent == self._folder:  # `code`, which has no place
            return _select_text(path, [TextCase("", None, "input")], overrides)
        if cases is None:
            return Workspace.find_or_use(self._root).select(Query(solutions=(path,), overrides=overrides))
        if isinstance(cases, str | Path):
            query = Query(solutions=(path,), case_source=Path(cases), overrides=overrides)
            return select(query, path.parent)
        return _select_text(path, cases, overrides)

    def _judge(self, selection: Selection) -> Iterator[CaseResult | Result]:
        executor = self._session.executor
        results: list[CaseResult] = []
        notices: list[str] = []
        summary: ModelSolutionResult | None = None
        ended: RunEnded | None = None
        try:
            for event in self._session.run(selection, self._session.run_options(use_cache=self._use_cache)):
                match event:
                    case CaseJudged(result=result):
                        results.append(_convert(result))
                        yield results[-1]
                    case SolutionJudged(result=result):
                        summary = result
                    case Notice(text=text):
                        notices.append(text)
                    case RunEnded():
                        ended = event
                    case _:
                        pass
        finally:
            if ended is None and not self._is_closed:  # the caller stopped early: end what still runs
                executor.abandon()
                executor.resume()
        if ended is None or ended.interrupted:
            raise Interrupted
        if summary is None or summary.not_judged:
            raise JudgeError("\n".join(notices) or "nothing was judged")
        yield Result(
            verdict=summary.verdict,
            cases=tuple(results),
            message=summary.message,
            notices=tuple(notices),
            language=summary.language,
            score=summary.score,
            max_score=summary.max_score,
        )


def run(source: str | Path | None = None, **arguments: Unpack[RunArguments]) -> Result:
    """Judge one source with a `Judge` of its own; see `Judge.run` for the arguments and errors."""
    with Judge() as session:
        return session.run(source, **arguments)


def _select_text(path: Path, cases: Iterable[TextCase], overrides: Overrides) -> Selection:
    """Return the selection of one source against cases given as text.

    Raises:
        JudgeError: there is no such file, there are no cases, or two have the same name.
    """
    limits, checker = overrides.override_limits(DEFAULT_LIMITS), overrides.override_checker(CheckerConfig())
    made: dict[str, Case] = {}
    for number, case in enumerate(cases, 1):
        name = case.name or str(number)
        if name in made:
            raise UsageError(f"cases: two cases have the name {name!r}")
        made[name] = Case(
            group="cases",
            name=name,
            input=Inline(_to_bytes(case.input)),
            answer=None if case.answer is None else Inline(_to_bytes(case.answer)),
            limits=limits,
            checker=checker,
            origin=path,
        )
    if not made:
        raise UsageError("cases: expected at least one case")
    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    solution = Solution(path=path, display_path=path.name, expectation=EXPECTATIONS["accepted"])
    problem = Problem(
        id="cases", name="cases", limits=limits, checker=checker, cases=tuple(made.values()), solutions=(solution,)
    )
    return Selection(root=path.parent, problems=[ProblemSelection(problem=problem, named=frozenset({path}))])


def _convert(result: ModelCaseResult) -> CaseResult:
    run, mismatch = result.run, result.mismatch
    difference = None
    if mismatch is not None:
        difference = Difference(
            line=mismatch.line, token=mismatch.token, expected=mismatch.expected, found=mismatch.found
        )
    return CaseResult(
        case=result.case.id,
        verdict=result.verdict,
        reason=result.reason,
        cpu_s=run.cpu if run else None,
        wall_s=run.wall if run else None,
        memory_bytes=run.memory if run else None,
        stderr=run.stderr_tail if run else b"",
        difference=difference,
        score=result.score,
        message=result.message,
        output=b"\n".join(result.output.lines) if result.output else b"",
    )


def _to_bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _overrides(
    time: float | None, memory: int | None, checker: str | Path | None, tolerance: float | None
) -> Overrides:
    """Return the overrides.

    Raises:
        JudgeError: a value is out of range.
    """
    for name, value, most in (("time_limit", time, 24 * 60 * 60), ("memory_limit", memory, 1024 * GIB)):
        if value is not None and not 0 < value <= most:
            raise UsageError(f"{name}={value}: expected a positive number, at most {most}")
    is_program = checker is not None and checker not in CHECKERS
    if is_program and not Path(checker or "").is_file():
        raise UsageError(f"checker={str(checker)!r}: expected one of {', '.join(CHECKERS)}, or a program")
    if tolerance is not None and not 0 <= tolerance < math.inf:
        raise UsageError(f"float_tolerance={tolerance}: expected a number such as 1e-6")
    return Overrides(
        cpu=None if time is None else Seconds(time),
        memory=None if memory is None else Bytes(int(memory)),
        checker=None if checker is None or is_program else str(checker),
        tolerance=tolerance,
        program=find_judge_program(Path(checker or "")) if is_program else None,
    )
