"""problem.yaml to values."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import Diagnostic
from judge.base.units import format_seconds, parse_bytes, parse_seconds
from judge.model import (
    DEFAULT_LIMITS,
    DEFAULT_PROGRAM_LIMITS,
    CheckerConfig,
    CheckerTest,
    FileNames,
    Limits,
    Problem,
    ProblemSource,
    ProblemType,
    Solution,
    ValidatorTest,
    default_wall,
    file_names,
)
from judge.problems.file_format import (
    PROBLEM_FILE,
    CaseEntry,
    CasesFile,
    CheckerEntry,
    CheckerLimitsEntry,
    CompileFlagsEntry,
    LimitsEntry,
    ProblemFile,
)
from judge.problems.generators import Signature, read_generators
from judge.problems.paths import AssetRoot, Report, find_file_error, shown_path
from judge.problems.yaml.document import Document, read_document
from judge.problems.yaml.text import quote

if TYPE_CHECKING:
    from judge.model.groups import TestGroup
    from judge.model.programs import JudgeProgram


_Overrides = ProblemFile | CasesFile | CaseEntry


class Settings(Struct, frozen=True, kw_only=True):
    """The limits and the checker of a case that does not set its own.

    Attributes:
        wall_given: whether a file sets the wall limit, so that it no longer follows the time limit.
        assets: the folder with the programs of the problem.
        interactor: that of the problem; what decides is then fixed for all cases.
        passes: how many times a solution runs on a case at most.
        file_names: the files of the problem in place of standard input and output.
    """

    limits: Limits
    checker: CheckerConfig
    wall_given: bool = False
    file_names: FileNames | None = None
    assets: AssetRoot | None = None
    interactor: "JudgeProgram | None" = None
    passes: int = 1

    def override(self, entry: "_Overrides", report: Report) -> "Settings":
        """Return the settings with those of a mapping in place of the old ones; of limits, only those that it sets."""
        settings = self if entry.limits is None else self._override_limits(entry.limits, report)
        checker = self.checker
        if entry.checker is not None:
            checker = self._read_checker(entry.checker, report)
            if self.interactor is not None or self.passes > 1:
                from judge.problems.judging_keys import check_own_checker  # few problems have either

                check_own_checker(checker, report, has_interactor=self.interactor is not None)
        if isinstance(entry, CasesFile | CaseEntry) and entry.checker_args is not None:
            checker = _override_args(checker, entry.checker_args, report)
        return replace(settings, checker=checker)

    def _read_checker(self, entry: str | CheckerEntry, report: Report) -> CheckerConfig:
        if isinstance(entry, str):
            return CheckerConfig(name=entry)
        if entry.program is None:
            return _checker_config(entry)
        from judge.problems.judging_keys import read_program  # few problems have one

        assert self.assets is not None
        return read_program(entry, "checker", self.assets, report) or CheckerConfig()

    def _override_limits(self, entry: LimitsEntry, report: Report) -> "Settings":
        old = self.limits
        cpu = parse_seconds(entry.time) if entry.time else old.cpu
        wall = old.wall if self.wall_given else default_wall(cpu)
        if entry.wall:
            wall = parse_seconds(entry.wall)
        if wall < cpu:
            shown = f"`wall` ({format_seconds(wall)}) is less than `time` ({format_seconds(cpu)})"
            report(f"{shown}: increase it, or remove it", "limits")
        limits = Limits(
            cpu=cpu,
            wall=wall,
            memory=parse_bytes(entry.memory) if entry.memory else old.memory,
            output=parse_bytes(entry.output) if entry.output else old.output,
        )
        return replace(self, limits=limits, wall_given=self.wall_given or bool(entry.wall))


def default_settings(profile: str | None, assets: AssetRoot | None = None) -> Settings:
    """Return the settings of a problem that sets none; only `uva` compares every byte."""
    checker = CheckerConfig(name="exact" if profile == "uva" else "tokens")
    return Settings(limits=DEFAULT_LIMITS, checker=checker, assets=assets)


def _override_args(checker: CheckerConfig, args: Sequence[str | None], report: Report) -> CheckerConfig:
    if checker.program is None:
        report(f"the checker {quote(checker.name)} is no program, so it has no arguments: remove them", "checker_args")
        return checker
    return replace(checker, args=tuple(each for each in args if each is not None))


def _checker_config(entry: CheckerEntry) -> CheckerConfig:
    both, absolute, relative = entry.float_tolerance, entry.float_absolute_tolerance, entry.float_relative_tolerance
    return CheckerConfig(
        name=entry.name or "",
        case_sensitive=entry.case_sensitive is True,
        space_change_sensitive=entry.space_change_sensitive is True,
        float_absolute_tolerance=_to_float(both if absolute is None else absolute),
        float_relative_tolerance=_to_float(both if relative is None else relative),
    )


def _checker_limits(entry: CheckerLimitsEntry | None) -> Limits | None:
    if entry is None:
        return None
    default = DEFAULT_PROGRAM_LIMITS
    cpu = parse_seconds(entry.time) if entry.time else default.cpu
    return Limits(
        cpu=cpu,
        wall=default_wall(cpu),
        memory=parse_bytes(entry.memory) if entry.memory else default.memory,
        output=parse_bytes(entry.output) if entry.output else default.output,
    )


def _compile_flags(entry: CompileFlagsEntry | None) -> dict[str, tuple[str, ...]]:
    lists = {"c": entry.c, "cpp": entry.cpp, "java": entry.java} if entry else {}
    return {language: tuple(flag for flag in flags if flag) for language, flags in lists.items() if flags}


def _to_float(value: float | None) -> float | None:
    return None if value is None else float(value)


class ProblemConfig(Struct, frozen=True, kw_only=True):
    """What problem.yaml says.

    Attributes:
        problem: without its cases.
        settings: what the cases inherit.
        functions: the public functions of the generator files by name; None if a file could not be parsed.
        needs_answers: whether each case must have an answer, because there is no reference to compute it.
        document: the file itself, for messages about how it fits other files.
    """

    problem: Problem
    settings: Settings
    functions: Mapping[str, Signature] | None = None
    needs_answers: bool = False
    document: Document[ProblemFile]


def read_problem_file(
    folder: Path, solutions: AssetRoot, known: Mapping[Path, Solution], root: Path, diagnostics: list[Diagnostic]
) -> ProblemConfig:
    """Read problems/<id>/problem.yaml.

    What is wrong is added to the diagnostics; then the values are good for finding more errors only.
    """
    path = folder / "problem.yaml"
    document = read_document(path, shown_path(path, root), PROBLEM_FILE)
    reader = _Reader(document, AssetRoot.in_repository(folder, root), solutions, known, root)
    config = reader.read(document.value) if document.value else reader.read_nothing()
    diagnostics.extend(document.sorted_diagnostics())
    diagnostics.extend(reader.diagnostics)
    return config


_OF_A_REPOSITORY = ("subtasks", "scores", "reference", "independent", "generators", "checker_tests", "validator_tests")


def read_folder_problem(document: Document[ProblemFile], assets: AssetRoot) -> tuple[Problem, FileNames | None]:
    """Return the problem of a folder that is no repository, without cases, and its files for input and output."""
    reader = _Reader(document, assets, assets, {}, assets.folder)
    value = document.value
    unusable = [] if value is None else [key for key in _OF_A_REPOSITORY if key in value.given]
    for key in unusable:
        message = f"{quote(key)} is for a problem of a repository (`judge new ID`): remove it here"
        document.report(message, key, at_key=True)
    config = reader.read_nothing() if value is None or unusable else reader.read(value)
    profile = config.problem.profile or "icpc"
    return replace(config.problem, profile=profile, folder=None, lock=None, statement=None), config.settings.file_names


class _Reader(Struct):
    """Turns the values of one problem.yaml into what they stand for."""

    _document: Document[ProblemFile]
    assets: AssetRoot
    _solutions: AssetRoot
    _known: Mapping[Path, Solution]
    _root: Path
    diagnostics: list[Diagnostic] = field(default_factory=list)  # of other files

    def read_nothing(self) -> ProblemConfig:
        """Return what stands for a file that has errors in all of it."""
        settings = default_settings("icpc", self.assets)
        problem = Problem(id=self.assets.folder.name, name="", limits=settings.limits, checker=settings.checker)
        return ProblemConfig(problem=problem, settings=settings, document=self._document)

    def read(self, value: ProblemFile) -> ProblemConfig:
        """Return what the file says; see `ProblemConfig`."""
        generators = self._find_generators(value)
        reference = self._find_solution("reference", value.reference)
        independent = self._find_solution("independent", value.independent)
        if independent is not None and independent == reference:
            self._document.report("the same file as `reference`: use a solution by another method", "independent")
        source = value.source
        groups, solutions = self._read_scores(value)
        settings = self._read_settings(value)
        types = {
            ProblemType.SCORING: groups is not None,
            ProblemType.INTERACTIVE: settings.interactor is not None,
            ProblemType.MULTI_PASS: settings.passes > 1,
        }
        folder = self.assets.folder
        statement = folder / "statement.md"
        problem = Problem(
            id=folder.name,
            name=value.name or "",
            source=ProblemSource(name=source.name or "", url=source.url or "") if source else None,
            profile=value.profile or "",
            limits=settings.limits,
            checker=settings.checker,
            folder=folder,
            statement=None if find_file_error(statement) else statement,
            validator=self.assets.find_or_report(value.validator, self._document.report, "validator"),
            generators=tuple(path for path in generators if path),
            reference=reference,
            independent=independent,
            lock=self._root / "testcases" / folder.name / "cases.lock",
            compile_flags=_compile_flags(value.compile_flags),
            solutions=solutions,
            types=frozenset(each for each, is_so in types.items() if is_so),
            interactor=settings.interactor,
            passes=settings.passes,
            program_limits=_checker_limits(value.checker_limits),
            groups=groups,
            checker_tests=self._read_checker_tests(value),
            validator_tests=self._read_validator_tests(value),
            input_format=self._read_grammar(value),
        )
        return ProblemConfig(
            problem=problem,
            settings=settings,
            functions=self._read_functions(generators),
            needs_answers=value.given.isdisjoint(("reference", "interactor", "passes")),
            document=self._document,
        )

    def _read_settings(self, value: ProblemFile) -> Settings:
        settings = default_settings(value.profile, self.assets).override(value, self._document.report)
        settings = replace(settings, file_names=file_names(value.input_file, value.output_file))
        if value.interactor is None and value.passes is None:
            return settings
        from judge.problems.judging_keys import read_interaction  # few problems have an interactor or several passes

        interactor, checker = read_interaction(value, settings.checker, self.assets, self._document.report)
        return replace(settings, interactor=interactor, checker=checker, passes=value.passes or 1)

    def _read_checker_tests(self, value: ProblemFile) -> tuple[CheckerTest, ...]:
        if value.checker_tests is None:
            return ()
        from judge.problems.judging_keys import read_checker_tests  # few problems have any

        return tuple(read_checker_tests(self._document, value.checker_tests, self.assets))

    def _read_validator_tests(self, value: ProblemFile) -> tuple[ValidatorTest, ...]:
        if value.validator_tests is None:
            return ()
        if value.validator is None and value.input is None:
            message = "the problem has no `validator` and no `input`: add one, or remove the tests"
            self._document.report(message, "validator_tests")
        from judge.problems.judging_keys import read_validator_tests

        return tuple(read_validator_tests(self._document, value.validator_tests, self.assets))

    def _read_grammar(self, value: ProblemFile) -> str:
        """Return the grammar as JSON; "" if there is none, or if it is wrong."""
        if value.input is None:
            return ""
        from judge.inputs.read import read_description  # only when a file has changed: the cache has the JSON

        def report(message: str, *path: str | int, at_key: bool = False) -> None:
            self._document.report(message, "input", *path, at_key=at_key)

        return "" if read_description(value.input, report) is None else json.dumps(value.input)

    def _read_scores(self, value: ProblemFile) -> "tuple[TestGroup | None, tuple[Solution, ...]]":
        solutions = tuple(self._known.values())
        if value.subtasks is value.scores is None:
            return None, solutions
        from judge.problems.judging_keys import expect_scores, read_subtasks  # few problems have any

        groups = read_subtasks(self._document, value)
        return groups, expect_scores(self._document, value, self._solutions.folder, solutions)

    def _find_solution(self, key: str, name: str | None) -> Path | None:
        path = self._solutions.find_or_report(name, self._document.report, key)
        if path is None or name is None:
            return None
        solution = self._known.get(path)
        if solution is None:
            message = f"{quote(name)} is not a solution: expected a source file such as `accepted/x.py`"
            self._document.report(message, key)
        elif solution.expectation.name != "accepted":
            message = f"{quote(name)} is not expected to be accepted: use a solution in `accepted`"
            self._document.report(message, key)
        return path

    def _find_generators(self, value: ProblemFile) -> Sequence[Path | None]:
        """Return the generator files; None for each that was reported."""
        if value.generators is None:
            return (None,) if "generators" in value.given else ()
        report = self._document.report
        return [self.assets.find_or_report(name, report, "generators", at) for at, name in enumerate(value.generators)]

    def _read_functions(self, files: Sequence[Path | None]) -> Mapping[str, Signature] | None:
        functions: dict[str, Signature] = {}
        is_complete = True
        for index, path in enumerate(files):
            found = read_generators(path, shown_path(path, self._root), self.diagnostics) if path else None
            is_complete = is_complete and found is not None
            for function in found or ():
                self._add_function(function, functions, index)
        return functions if is_complete else None

    def _add_function(self, function: Signature, functions: dict[str, Signature], index: int) -> None:
        other = functions.get(function.name)
        if other is None or other.error:
            functions[function.name] = function
        elif not function.error and function.file != other.file:
            shown = shown_path(other.file, self._root)
            message = f"duplicate generator {quote(function.name)}: also in {shown}, rename one of them"
            self._document.report(message, "generators", index)
