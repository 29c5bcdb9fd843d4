"""One submission while it is graded: its program, and its runs, warm and cold."""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Self

from msgspec.structs import replace

from judge.base.data import read_data
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
from judge.languages.source import SourceOptions, write_files
from judge.languages.table import LANGUAGES
from judge.model import EXPECTATIONS, Case, CaseResult, Inline, Limits, Solution, Verdict
from judge.preparation.cases import DataStore, PreparedCase, ReadyCase
from judge.runner.solution import SolutionBuild, judge_one
from judge.sandbox.box import Box
from judge.sandbox.work_folder import remove

if TYPE_CHECKING:  # few streams name problems
    from judge.grading.problems import PreparedProblem
    from judge.runner.grading import Grading

_numbers = count(1)


class Submission(ABC):
    """What is judged case by case; a context manager that removes the files of its program.

    Attributes:
        names: of the cases, for results.
        scoring: of a problem with scores, whose cases are judged in their order; else None.
        best: the best score; None if it is not known.
        is_interactive: two programs talk to each other; with other time limits, another one may end first.

    Args:
        cold: the box for cold runs, and for compilers.
    """

    scoring: "Grading | None" = None
    best: float | None = None
    is_interactive = False

    def __init__(
        self, task: Task, cold: Box, cases: Sequence[PreparedCase], names: Sequence[str], folder: Path = Path("/")
    ) -> None:
        language = next(each for each in LANGUAGES if each.id == task.language)
        number = next(_numbers)  # in one step
        self._task = task
        self._cold = cold
        self.cases = cases
        self.names = names
        self._path = folder / f"submissions/{number}/submission{language.file_suffix}"

    def __enter__(self) -> Self:
        return self

    @abstractmethod
    def __exit__(self, *_: object) -> None:
        """Remove the files of the program."""

    def judge(self, index: int, box: Box, limits: Limits) -> tuple[CaseResult, bytes]:
        """Judge a case in a box with some limits; return what was printed, too, where it is known."""
        prepared = self.cases[index]
        prepared = replace(prepared, case=replace(prepared.case, limits=limits))
        if len(self._task.code) > MAX_CODE:
            size = format_bytes(len(self._task.code))
            reason = f"the source has {size} or more; at most {format_bytes(MAX_CODE)} are graded"
            return _compile_error(prepared.case, reason)
        return self._judge(prepared, box)

    @abstractmethod
    def _judge(self, prepared: PreparedCase, box: Box) -> tuple[CaseResult, bytes]:
        """Judge a case, unless the source is too large."""

    def name_source(self, text: bytes) -> bytes:
        """Return a text in which the source is called by its name: its folder differs from run to run."""
        return text.replace(str(self._path).encode(), self._path.name.encode())


class TestedSubmission(Submission):
    """A submission that is run on the tests of its row; for the arguments see also `build`.

    Python is parsed only when a cold run has failed: then an error in its syntax is told from one at run time.
    """

    def __init__(self, task: Task, store: DataStore, tools: dict[str, str], cold: Box) -> None:
        case = Case(
            group="tests",
            name="",
            input=Inline(b""),
            limits=task.limits,
            checker=task.checker,
            origin=Path("tests"),
            file_names=task.file_names,
        )
        names = [str(number) for number in range(1, len(task.tests) + 1)]
        cases = [
            ReadyCase(case=replace(case, name=name), input=test.input, answer=test.output)
            for name, test in zip(names, task.tests, strict=True)
        ]
        super().__init__(task, cold, cases, names)
        self._store = store
        self._tools = tools
        self._is_python = task.language == "python3"
        self._program: Program | CompileError | None = None
        self._parsed: Program | CompileError | None = None
        self._mark = f"passed {task.digest}\n".encode()  # what a program prints whose asserts hold

    def __exit__(self, *_: object) -> None:
        for place in {each.place for each in (self._program, self._parsed) if each is not None and each.place}:
            remove(str(place))

    def _judge(self, prepared: PreparedCase, box: Box) -> tuple[CaseResult, bytes]:
        assert isinstance(prepared, ReadyCase)
        case = prepared.case
        try:
            if self._program is None:
                self._program = self._build_program(self._wrap(), is_parsed=not self._is_python)
            program = self._program
            if isinstance(program, CompileError):
                return _compile_error(case, program.message, program.text)
            result, output = self._run(program, prepared, box)
            if result.verdict is Verdict.RTE and box is self._cold and self._is_python:
                if self._parsed is None:
                    self._parsed = self._build_program(self._task.code, is_parsed=True)
                if isinstance(error := self._parsed, CompileError):
                    return _compile_error(case, error.message, error.text)
        except (JudgeError, OSError) as error:
            return CaseResult(case=case, verdict=Verdict.JE, reason=describe_error(error)), b""
        return result, output

    def _run(self, program: Program, ready: ReadyCase, box: Box) -> tuple[CaseResult, bytes]:
        task, case, expected = self._task, ready.case, read_data(ready.answer or b"")
        answer = expected if task.uses_checker and not (task.function or task.data_set.has_asserts) else None
        result, output = judge_with_output(Job(program=program, case=case, input=ready.input, answer=answer), box)
        if result.verdict is not Verdict.NA:
            return self._blame(result, program), output
        if task.data_set.has_asserts:
            reason = "" if output == self._mark else "it ended before the end of the tests"
            return replace(result, verdict=Verdict.WA if reason else Verdict.AC, reason=reason), output
        if task.function:
            may_be_first = task.data_set is DataSet.APPS
            checked = check_value(case.checker, expected, output, may_be_first=may_be_first)
        else:
            checked = check_output(task.data_set, expected, output)
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

    def _wrap(self) -> bytes:
        """Return the program that runs the submission: itself, if its data set adds nothing."""
        task, is_of_apps = self._task, self._task.data_set is DataSet.APPS
        if task.data_set.has_asserts:
            return wrap_asserts(task.code, task.function, self._mark)
        if task.function:
            return wrap_function(task.code, task.function, has_integer_keys=is_of_apps)
        return wrap_program(task.code) if self._is_python and task.data_set is not DataSet.NONE else task.code

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


class ProblemSubmission(Submission):
    """A submission to a problem with prepared cases, and perhaps programs that judge."""

    def __init__(self, task: Task, problem: "PreparedProblem", tools: dict[str, str], cold: Box) -> None:
        super().__init__(task, cold, problem.cases, [each.case.id for each in problem.cases], problem.folder)
        self.is_interactive = problem.problem.interactor is not None
        if problem.problem.is_graded:
            from judge.judging.scoring import best_score
            from judge.runner.grading import Grading, run_custom_grader

            assert problem.problem.groups is not None
            self.best = best_score(problem.problem.groups)
            self.scoring = Grading(
                problem.problem, lambda group, results: run_custom_grader(group, results, problem.programs, cold)
            )
        self._problem = problem
        if task.files:
            self._path = self._path.with_suffix("")
            write_files(task.files, self._path)
        else:
            self._path.parent.mkdir(parents=True)
            self._path.write_bytes(task.code[: MAX_CODE + 1])
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
        self._build: SolutionBuild | None = None

    def __exit__(self, *_: object) -> None:
        remove(str(self._path.parent))
        if self._build is not None:
            built = self._build.build(self._cold)
            if isinstance(built, Program):
                remove(str(built.place))

    def _judge(self, prepared: PreparedCase, box: Box) -> tuple[CaseResult, bytes]:
        if self._build is None:
            problem, options = self._problem.problem, self._problem.run_options(self._tools)
            self._build = SolutionBuild(self._solution, problem, options, self._problem.programs, is_named=True)
            self._build.build(self._cold)
        return judge_one(box, (self._build, prepared)), b""


def _compile_error(case: Case, reason: str, message: str = "") -> tuple[CaseResult, bytes]:
    return CaseResult(case=case, verdict=Verdict.CE, reason=reason, message=message), b""
