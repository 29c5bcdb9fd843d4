"""One submission while it is graded: its program, and its runs, warm and cold."""

import re
import threading
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from judge.base.data import Data
from judge.base.errors import JudgeError, describe_error
from judge.base.units import format_bytes
from judge.grading.evaluators import check_output, check_value, wrap_asserts, wrap_function, wrap_program
from judge.grading.rows import MAX_CODE
from judge.grading.values import DataSet, Task
from judge.judging.judge import Job, judge_with_output
from judge.languages.build import CompileError, Program, build
from judge.languages.crash_report import find_crash, report_of
from judge.languages.options import NO_OPTIONS
from judge.languages.program_source import read_source
from judge.languages.source import SourceOptions
from judge.languages.table import LANGUAGES
from judge.model import EXPECTATIONS, Case, CaseResult, Inline, Limits, Solution, Verdict
from judge.preparation.cases import DataStore, ReadyCase
from judge.runner.solution import SolutionBuild, judge_one
from judge.sandbox.box import Box
from judge.sandbox.work_folder import remove

if TYPE_CHECKING:  # few streams name problems
    from judge.grading.problems import PreparedProblem, ProblemScoring

_numbers = count(1)
_lock = threading.Lock()


class Submission(Protocol):
    """What is judged case by case.

    Attributes:
        cases: how many there are.
        scoring: of a problem with scores, whose cases are judged in their order; else None.
        is_interactive: two programs talk to each other; with other time limits, another one may end first.
    """

    cases: int
    scoring: "ProblemScoring | None"
    is_interactive: bool

    def name(self, index: int) -> str:
        """Return the name of a case."""

    def limits(self, index: int) -> Limits:
        """Return the limits of a case."""

    def judge(self, index: int, box: Box, limits: Limits) -> tuple[CaseResult, bytes]:
        """Judge a case in a box with some limits; return what was printed, too, where it is known."""

    def data(self, index: int) -> tuple[Data, Data | None]:
        """Return the input and the answer of a case."""

    def name_source(self, text: bytes) -> bytes:
        """Return a text in which the source is called by its name: its folder differs from run to run."""

    def close(self) -> None:
        """Remove the files of the program."""


class TestedSubmission:
    """A submission that is run on the tests of its row.

    Args:
        task: the row.
        store: where programs are built.
        tools: see `build`.
        cold: the box for cold runs, and for compilers. Python is parsed only when a cold run has failed: then an error
            in its syntax is told from one at run time.
    """

    def __init__(self, task: Task, store: DataStore, tools: dict[str, str], cold: Box) -> None:
        self._task = task
        self.cases = len(task.tests)
        self.is_interactive = False
        self.scoring: ProblemScoring | None = None
        self._store = store
        self._tools = tools
        self._cold = cold
        self._path = _unique_path(task)
        self._is_python = task.language == "python3"
        self._program: Program | CompileError | None = None
        self._parsed: Program | CompileError | None = None
        self._case = Case(
            group="tests",
            name="1",
            input=Inline(b""),
            limits=task.limits,
            checker=task.checker,
            origin=Path(self._path.name),
            file_names=task.file_names,
        )
        self._mark = f"passed {task.digest}\n".encode()  # what a program prints whose asserts hold

    def name(self, index: int) -> str:
        """Return the number of a test, from 1."""
        return str(index + 1)

    def data(self, index: int) -> tuple[Data, Data | None]:
        """Return the input and the output that is expected."""
        test = self._task.tests[index]
        return test.input, test.output

    def limits(self, index: int) -> Limits:
        """Return the limits, which are those of all tests."""
        del index
        return self._task.limits

    def judge(self, index: int, box: Box, limits: Limits) -> tuple[CaseResult, bytes]:
        """Judge a test in a box with some limits."""
        case = replace(self._case, name=self.name(index), limits=limits)
        if len(self._task.code) > MAX_CODE:
            size = format_bytes(len(self._task.code))
            return _compile_error(case, f"the source has {size} or more; at most {format_bytes(MAX_CODE)} are graded")
        try:
            program = self._build()
            if isinstance(program, CompileError):
                return _compile_error(case, program.message, program.text)
            result, output = self._run(program, case, index, box)
            if result.verdict is Verdict.RTE and box is self._cold and isinstance(error := self._parse(), CompileError):
                return _compile_error(case, error.message, error.text)
        except (JudgeError, OSError) as error:
            return CaseResult(case=case, verdict=Verdict.JE, reason=describe_error(error)), b""
        return result, output

    def _run(self, program: Program, case: Case, index: int, box: Box) -> tuple[CaseResult, bytes]:
        task, test = self._task, self._task.tests[index]
        answer = test.output if task.uses_checker and not (task.function or task.data_set.has_asserts) else None
        result, output = judge_with_output(Job(program=program, case=case, input=test.input, answer=answer), box)
        if result.verdict is not Verdict.NA:
            return self._blame(result, program), output
        if task.data_set.has_asserts:
            reason = "" if output == self._mark else "it ended before the end of the tests"
            return replace(result, verdict=Verdict.WA if reason else Verdict.AC, reason=reason), output
        if task.function:
            may_be_first = task.data_set is DataSet.APPS
            checked = check_value(case.checker, test.output, output, may_be_first=may_be_first)
        else:
            checked = check_output(task.data_set, test.output, output)
        return replace(result, verdict=checked.verdict, reason=checked.reason), output

    def _blame(self, result: CaseResult, program: Program) -> CaseResult:
        """Return a failure that names a line of the submission, or the assertion, and none of what is around it."""
        task, run = self._task, result.run
        if run is None or not run.crash or not self._is_python or (task.data_set is DataSet.NONE and not task.function):
            return result
        text = run.stderr_tail.decode(errors="replace")
        if task.data_set.has_asserts and run.crash.startswith("AssertionError") and "solution.py" not in text:
            found = re.findall(r'File "tests.py", line (\d+)', text)
            line = f"line {found[-1]}" if found else "an assertion"
            return replace(result, verdict=Verdict.WA, reason=f"{line} of the tests: {run.crash.rpartition(' (')[0]}")
        crash = find_crash(text, report_of(program.language), ["solution.py"])
        return replace(result, reason=result.reason.replace(run.crash, crash))

    def name_source(self, text: bytes) -> bytes:
        """Return a text with the name of the source in place of its path."""
        return _without_folder(text, self._path)

    def close(self) -> None:
        """Remove the files of the program."""
        for place in {each.place for each in (self._program, self._parsed) if each is not None and each.place}:
            remove(str(place))

    def _build(self) -> Program | CompileError:
        if self._program is None:
            self._program = self._build_program(self._wrap(), is_parsed=not self._is_python)
        return self._program

    def _wrap(self) -> bytes:
        """Return the program that runs the submission: itself, if its data set adds nothing."""
        task, is_of_apps = self._task, self._task.data_set is DataSet.APPS
        if task.data_set.has_asserts:
            return wrap_asserts(task.code, task.function, self._mark)
        if task.function:
            return wrap_function(task.code, task.function, has_integer_keys=is_of_apps)
        return wrap_program(task.code) if self._is_python and task.data_set is not DataSet.NONE else task.code

    def _parse(self) -> Program | CompileError | None:
        if self._is_python and self._parsed is None:
            self._parsed = self._build_program(self._task.code, is_parsed=True)
        return self._parsed

    def _build_program(self, text: bytes, *, is_parsed: bool) -> Program | CompileError:
        options = SourceOptions(language=self._task.language, entry_point=self._task.entry_point)
        source = read_source(self._path, options, text)
        if not self._task.code.strip():
            return CompileError(message="the source is empty")
        return build(
            self._path,
            self._store.build,
            self._cold,
            self._tools,
            source=source,
            options=NO_OPTIONS,
            is_parsed=is_parsed,
        )


class ProblemSubmission:
    """A submission to a problem with prepared cases, and perhaps programs that judge."""

    def __init__(self, task: Task, problem: "PreparedProblem", tools: dict[str, str], cold: Box) -> None:
        self.cases = len(problem.cases)
        self.is_interactive = problem.problem.interactor is not None
        self.scoring: ProblemScoring | None = None
        if problem.problem.is_graded:
            from judge.grading import problems

            self.scoring = problems.ProblemScoring(problem, cold)
        self._problem = problem
        self._path = problem.folder / _unique_path(task).relative_to("/")
        self._path.parent.mkdir(parents=True)
        self._path.write_bytes(task.code[: MAX_CODE + 1])
        self._is_too_large = len(task.code) > MAX_CODE
        self._solution = Solution(
            path=self._path,
            display_path=self._path.name,
            expectation=EXPECTATIONS["accepted"],
            language=task.language,
            entry_point=task.entry_point,
            include=problem.problem.include,
            constants=problem.problem.constants,
            is_for_windows=problem.problem.is_for_windows,
        )
        self._tools = tools
        self._cold = cold
        self._build: SolutionBuild | None = None

    def name(self, index: int) -> str:
        """Return the id of a case."""
        return self._problem.cases[index].case.id

    def data(self, index: int) -> tuple[Data, Data | None]:
        """Return the input and the answer of a case."""
        prepared = self._problem.cases[index]
        return (prepared.input, prepared.answer) if isinstance(prepared, ReadyCase) else (b"", None)

    def limits(self, index: int) -> Limits:
        """Return the limits of a case."""
        return self._problem.cases[index].case.limits

    def judge(self, index: int, box: Box, limits: Limits) -> tuple[CaseResult, bytes]:
        """Judge a case in a box with some limits."""
        prepared = self._problem.cases[index]
        prepared = replace(prepared, case=replace(prepared.case, limits=limits))
        if self._is_too_large:
            return _compile_error(prepared.case, f"the source has more than {format_bytes(MAX_CODE)}")
        if self._build is None:
            problem, options = self._problem.problem, self._problem.run_options(self._tools)
            self._build = SolutionBuild(self._solution, problem, options, self._problem.programs, is_named=True)
            self._build.build(self._cold)
        return judge_one(box, (self._build, prepared)), b""

    def name_source(self, text: bytes) -> bytes:
        """Return a text with the name of the source in place of its path."""
        return _without_folder(text, self._path)

    def close(self) -> None:
        """Remove the files of the program."""
        remove(str(self._path.parent))
        if self._build is not None:
            built = self._build.build(self._cold)
            if isinstance(built, Program):
                remove(str(built.place))


def _compile_error(case: Case, reason: str, message: str = "") -> tuple[CaseResult, bytes]:
    return CaseResult(case=case, verdict=Verdict.CE, reason=reason, message=message), b""


def _without_folder(text: bytes, path: Path) -> bytes:
    return text.replace(str(path).encode(), path.name.encode())


def _unique_path(task: Task) -> Path:
    """Return a path for the source that no other submission of this process has."""
    language = next(each for each in LANGUAGES if each.id == task.language)
    with _lock:
        number = next(_numbers)
    return Path("/submissions") / str(number) / f"submission{language.file_suffix}"
