"""The arguments of a run: which solutions to judge on which cases, and how."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from judge.base.errors import Diagnostic, ToolError, UsageError, describe_error
from judge.base.units import Bytes, Seconds
from judge.languages.options import NO_OPTIONS, BuildOptions
from judge.languages.table import find_language
from judge.model import (
    Case,
    CaseResult,
    CheckerConfig,
    FileNames,
    Limits,
    Problem,
    ProblemType,
    SolutionResult,
    judged_by,
)
from judge.model.programs import JudgeProgram, Protocol

if TYPE_CHECKING:  # options are made without the modules that use them
    from judge.base.data import Data
    from judge.history.results import ResultStore
    from judge.preparation.cases import DataStore


Repetitions = int | Literal["until-sure"]


class Overrides(Struct, frozen=True, kw_only=True):
    """Limits and a checker that replace those of all cases; None keeps the value of the case.

    Attributes:
        checker: its name; `program` is one that is a program.
        interactor: the program that talks to solutions, and decides.
        file_names: the files in place of standard input and output.

    Raises:
        UsageError: from the methods that replace a checker: the checker has no tolerance.
    """

    cpu: Seconds | None = None
    memory: Bytes | None = None
    checker: str | None = None
    tolerance: float | None = None
    program: JudgeProgram | None = None
    interactor: JudgeProgram | None = None
    file_names: FileNames | None = None

    def override_limits(self, limits: Limits) -> Limits:
        """Return the limits to use; the wall-clock limit follows the CPU limit."""
        return limits.override(cpu=self.cpu, memory=self.memory)

    def override_checker(self, config: CheckerConfig) -> CheckerConfig:
        """Return the checker to use."""
        if (program := self.program or self.interactor) is not None:
            config = CheckerConfig(name="program", program=program)
        if self.checker is not None and self.checker != config.name:
            config = CheckerConfig(name=self.checker)
        if self.tolerance is None:
            return config
        if config.name != "tokens":
            raise UsageError(
                f"the checker {config.name} has no float tolerance: add `--checker tokens`, which compares numbers"
            )
        return replace(config, float_absolute_tolerance=self.tolerance, float_relative_tolerance=self.tolerance)

    def override_case(self, case: Case) -> Case:
        """Return the case with the limits and the checker to use."""
        return replace(case, limits=self.override_limits(case.limits), checker=self.override_checker(case.checker))

    def override_problem(self, problem: Problem) -> Problem:
        """Return the problem with the limits and the checker for cases that are added to it later."""
        return replace(
            problem, limits=self.override_limits(problem.limits), checker=self.override_checker(problem.checker)
        )

    def override_programs(self, problem: Problem) -> Problem:
        """Return the problem with the programs and the files to use, which its cases have from the beginning."""
        if not (self.program or self.interactor or self.file_names):
            return problem
        if self.interactor is not None:
            types = problem.types | {ProblemType.INTERACTIVE}
            problem = replace(problem, interactor=self.interactor, types=types)
        elif self.file_names is not None and problem.interactor is not None:
            raise UsageError(f"{problem.id} has an interactor, so it uses standard input and output")
        own = problem.file_names
        names = self.file_names or own
        if own is not None and self.file_names is not None:
            names = replace(own, **{key: name for key, name in asdict(self.file_names).items() if name})
        names = None if self.interactor else names
        program = self.program or self.interactor
        checker = CheckerConfig(name="program", program=program) if program else None
        cases = judged_by(problem.cases, checker, names)
        return replace(problem, checker=checker or problem.checker, cases=cases, file_names=names)

    def override_display(self, problem: Problem) -> Problem:
        """Return the problem with the limits and the checker to show in a report.

        All cases may have another checker than the problem. So a tolerance that its checker does not have is no error.
        """
        if self.tolerance is not None and (self.checker or problem.checker.name) != "tokens":
            return replace(problem, limits=self.override_limits(problem.limits))
        return self.override_problem(problem)


NO_OVERRIDES = Overrides()


def find_judge_program(path: Path) -> JudgeProgram:
    """Return a program that judges; one that uses testlib is called as testlib's are, any other as in ICPC packages.

    Raises:
        UsageError: there is no such source.
    """
    if not path.is_file():
        raise UsageError(f"{path}: no such file")
    try:
        find_language(path)
        uses_testlib = b"testlib.h" in path.read_bytes()
    except (ToolError, OSError) as error:
        raise UsageError(describe_error(error)) from error
    return JudgeProgram(source=path.absolute(), protocol=Protocol.TESTLIB if uses_testlib else Protocol.ICPC)


class ProblemSelection(Struct, frozen=True, kw_only=True):
    """The part of one problem to judge.

    Attributes:
        problem: the problem with only the selected cases and solutions.
        is_complete: all cases of the problem are selected, so a required verdict must occur.
        named: paths of the solutions that the user named. If one cannot be judged here, that is an error; any other
            solution is skipped.
        overrides: replace limits and checkers after the test data is prepared, so the problem's own programs
            (generators, validators, reference) run with the limits of the problem.
        tools: compilers and interpreters for its solutions, unless the run has others; see `RunOptions`.
        whole: the problem with all its cases and solutions, if the time limit follows from these.
    """

    problem: Problem
    is_complete: bool = True
    named: frozenset[Path] = frozenset()
    overrides: Overrides = NO_OVERRIDES
    tools: Mapping[str, str] = field(default_factory=dict)
    whole: Problem | None = None


class RunOptions(Struct, frozen=True, kw_only=True):
    """How to judge.

    Attributes:
        store: the prepared test data.
        root: the repository, or the folder that the user works in.
        fail_fast: stop at the first unexpected verdict.
        sanitize: look for solutions that are accepted by luck.
        repeat: how many more times to judge each solution that should be accepted, or `until-sure`.
        lazy: stop each solution at the case that decides, as a contest does (`ResultSummary.is_decided`).
        results: the results of earlier runs; None disables the cache.
        fresh: do not read results from the cache, only add to it.
        keeps_data: results have the complete data of their cases; implies `fresh`, since the cache has none.
        tools: compilers and interpreters to use instead of the default ones, such as `{"python": "pypy3"}`.
        build: flags of compilers and folders of the user's own code, for the solutions.
        diagnostics: errors in files that are not judged, reported at the start.
        notes: what the user should know before the results, a line each.
        rerun_args: the options of the command line that a rerun needs.
        skips_cases: called for a solution whose results are all in the cache; if it returns true, no `CaseJudged` is
            yielded for them, which saves most of the time. None yields all.
        on_output: called in a worker after each run, with the result, the output and the answer, if there is one; not
            for results from the cache.
    """

    store: "DataStore"
    root: Path
    fail_fast: bool = False
    lazy: bool = False
    sanitize: bool = False
    repeat: Repetitions = 0
    results: "ResultStore | None" = None
    fresh: bool = False
    keeps_data: bool = False
    tools: Mapping[str, str] = field(default_factory=dict)
    build: BuildOptions = NO_OPTIONS
    diagnostics: Sequence[Diagnostic] = ()
    notes: Sequence[str] = ()
    rerun_args: tuple[str, ...] = ()
    skips_cases: Callable[[Problem, SolutionResult], bool] | None = None
    on_output: "Callable[[CaseResult, bytes, Data | None], object] | None" = None
