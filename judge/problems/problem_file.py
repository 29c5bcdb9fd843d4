"""problem.yaml to values."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic
from judge.base.units import format_seconds
from judge.model import DEFAULT_LIMITS, CheckerConfig, FileNames, Limits, Problem, ProblemType, Solution, file_names
from judge.model.programs import JudgeProgram
from judge.problems.file_format import AS_GIVEN, PROBLEM_FILE, CaseEntry, CasesFile, CheckerEntry, ProblemFile
from judge.problems.generators import Signature, find_generators
from judge.problems.judging_keys import (
    check_own_checker,
    expect_scores,
    find_source,
    read_checker_tests,
    read_interaction,
    read_program,
    read_subtasks,
    read_validator,
    read_validator_tests,
)
from judge.problems.paths import AssetRoot, find_file_error, shown_path
from judge.problems.yaml.document import Document, read_document
from judge.problems.yaml.text import quote


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
    interactor: JudgeProgram | None = None
    passes: int = 1

    def override(self, entry: ProblemFile | CasesFile | CaseEntry) -> "Settings":
        """Return the settings with those of a mapping in place of the old ones; of limits, only those that it sets."""
        settings, checker = self, self.checker
        if given := entry.limits:
            wall = given.wall or (self.limits.wall if self.wall_given else None)
            limits = self.limits.override(cpu=given.time, wall=wall, memory=given.memory, output=given.output)
            if limits.wall < limits.cpu:
                shown = f"`wall` ({format_seconds(limits.wall)}) is less than `time` ({format_seconds(limits.cpu)})"
                entry.report(f"{shown}: increase it, or remove it", "limits")
            settings = replace(self, limits=limits, wall_given=self.wall_given or bool(given.wall))
        if entry.checker is not None:
            checker = self._read_checker(entry.checker)
            if self.interactor is not None or self.passes > 1:
                check_own_checker(checker, entry.report, has_interactor=self.interactor is not None)
        if isinstance(entry, CasesFile | CaseEntry) and entry.checker_args is not None:
            if checker.program is None:
                message = f"the checker {quote(checker.name)} is no program, so it has no arguments: remove them"
                entry.report(message, "checker_args")
            else:
                checker = replace(checker, args=tuple(each for each in entry.checker_args if each is not None))
        return replace(settings, checker=checker)

    def _read_checker(self, entry: str | CheckerEntry) -> CheckerConfig:
        if isinstance(entry, str):
            return CheckerConfig(name=entry)
        if entry.program is None:
            absolute, relative = entry.float_absolute_tolerance, entry.float_relative_tolerance
            return CheckerConfig(
                name=entry.name or "",
                case_sensitive=entry.case_sensitive is True,
                space_change_sensitive=entry.space_change_sensitive is True,
                float_absolute_tolerance=entry.float_tolerance if absolute is None else absolute,
                float_relative_tolerance=entry.float_tolerance if relative is None else relative,
            )
        assert self.assets is not None
        return read_program(entry, self.assets) or CheckerConfig()


def default_settings(profile: str | None, assets: AssetRoot | None = None) -> Settings:
    """Return the settings of a problem that sets none; only `uva` compares every byte."""
    checker = CheckerConfig(name="exact" if profile == "uva" else "tokens")
    return Settings(limits=DEFAULT_LIMITS, checker=checker, assets=assets)


class ProblemConfig(Struct, frozen=True, kw_only=True):
    """What problem.yaml says.

    Attributes:
        problem: without its cases.
        settings: what the cases inherit.
        functions: the generators by name; None if a file could not be parsed.
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
    assets = AssetRoot.in_repository(folder, root)
    of_others: list[Diagnostic] = []
    if document.value:
        config = _Reader(document, assets, solutions, known, root, of_others).read(document.value)
    else:
        settings = default_settings("icpc", assets)
        problem = Problem(id=folder.name, name="", limits=settings.limits, checker=settings.checker)
        config = ProblemConfig(problem=problem, settings=settings, document=document)
    diagnostics.extend(document.sorted_diagnostics())
    diagnostics.extend(of_others)
    return config


_OF_A_REPOSITORY = ("subtasks", "scores", "reference", "independent", "generators", "checker_tests", "validator_tests")


def read_folder_problem(document: Document[ProblemFile], assets: AssetRoot) -> tuple[Problem, FileNames | None]:
    """Return the problem of a folder that is no repository, without cases, and its files for input and output.

    Raises:
        DataError: the file is wrong.
    """
    value = document.value
    unusable = [] if value is None else [key for key in _OF_A_REPOSITORY if key in value.given]
    for key in unusable:
        message = f"{quote(key)} is for a problem of a repository (`judge new ID`): remove it here"
        document.report(message, key, at_key=True)
    if value is None or unusable:
        raise DataError(document.sorted_diagnostics())
    config = _Reader(document, assets, assets, {}, assets.folder, []).read(value)
    if document.diagnostics:
        raise DataError(document.sorted_diagnostics())
    return replace(config.problem, folder=None, lock=None, statement=None), config.settings.file_names


class _Reader(Struct):
    """Turns the values of one problem.yaml into what they stand for."""

    _document: Document[ProblemFile]
    assets: AssetRoot
    _solutions: AssetRoot
    _known: Mapping[Path, Solution]
    _root: Path
    diagnostics: list[Diagnostic]  # of other files

    def read(self, value: ProblemFile) -> ProblemConfig:
        """Return what the file says; see `ProblemConfig`."""
        generators = self._find_generators(value)
        reference = self._find_solution(value, "reference", value.reference)
        independent = self._find_solution(value, "independent", value.independent)
        if independent is not None and independent == reference:
            value.report("the same file as `reference`: use a solution by another method", "independent")
        groups = read_subtasks(value)
        settings = default_settings(value.profile, self.assets).override(value)
        settings = replace(settings, file_names=file_names(value.input_file, value.output_file))
        if value.interactor is not None or value.passes is not None:
            interactor, checker = read_interaction(value, settings.checker, self.assets)
            settings = replace(settings, interactor=interactor, checker=checker, passes=value.passes or 1)
        if value.validator_tests is not None and value.validator is None and value.input is None:
            value.report(
                "the problem has no `validator` and no `input`: add one, or remove the tests", "validator_tests"
            )
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
            limits=settings.limits,
            checker=settings.checker,
            folder=folder,
            statement=None if find_file_error(statement) else statement,
            validator=read_validator(value, self.assets),
            generators=tuple(path for path in generators if path),
            reference=reference,
            independent=independent,
            lock=self._root / "testcases" / folder.name / "cases.lock",
            solutions=expect_scores(value, self._solutions.folder, tuple(self._known.values())),
            types=frozenset(each for each, is_so in types.items() if is_so),
            interactor=settings.interactor,
            groups=groups,
            checker_tests=tuple(read_checker_tests(value.checker_tests, self.assets, self._document.shown)),
            validator_tests=tuple(read_validator_tests(value.validator_tests, self.assets, self._document.shown)),
            input_format=self._read_grammar(value),
        )
        as_given = {key: given for key in AS_GIVEN if (given := getattr(value, key)) is not None}
        return ProblemConfig(
            problem=replace(problem, **as_given),
            settings=settings,
            functions=self._read_functions(value, generators),
            needs_answers=value.given.isdisjoint(("reference", "interactor", "passes")),
            document=self._document,
        )

    def _read_grammar(self, value: ProblemFile) -> str:
        """Return the grammar as JSON; "" if there is none, or if it is wrong."""
        if value.input is None:
            return ""
        from judge.inputs.read import read_description  # only when a file has changed: the cache has the JSON

        def report(message: str, *path: str | int, at_key: bool = False) -> None:
            value.report(message, "input", *path, at_key=at_key)

        return "" if read_description(value.input, report) is None else json.dumps(value.input)

    def _find_solution(self, value: ProblemFile, key: str, name: str | None) -> Path | None:
        path = self._solutions.find_or_report(name, value.report, key)
        if path is None or name is None:
            return None
        solution = self._known.get(path)
        if solution is None:
            message = f"{quote(name)} is not a solution: expected a source file such as `accepted/x.py`"
            value.report(message, key)
        elif solution.expectation.name != "accepted":
            message = f"{quote(name)} is not expected to be accepted: use a solution in `accepted`"
            value.report(message, key)
        return path

    def _find_generators(self, value: ProblemFile) -> Sequence[Path | None]:
        """Return the generator files; None for each that was reported."""
        if value.generators is None:
            return (None,) if "generators" in value.given else ()
        return [
            find_source(name, self.assets, value.report, "generators", at) for at, name in enumerate(value.generators)
        ]

    def _read_functions(self, value: ProblemFile, files: Sequence[Path | None]) -> Mapping[str, Signature] | None:
        functions: dict[str, Signature] = {}
        is_complete = True
        for index, path in enumerate(files):
            found = find_generators(path, shown_path(path, self._root), self.diagnostics) if path else None
            is_complete = is_complete and found is not None
            for function in found or ():
                other = functions.get(function.name)
                if other is None or other.error:
                    functions[function.name] = function
                elif not function.error and function.file != other.file:
                    shown = shown_path(other.file, self._root)
                    message = f"duplicate generator {quote(function.name)}: also in {shown}, rename one of them"
                    value.report(message, "generators", index)
        return functions if is_complete else None
