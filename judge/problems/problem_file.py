"""problem.yaml to values."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic
from judge.base.units import format_seconds
from judge.model import CheckerConfig, Problem, ProblemType, Solution, file_names
from judge.problems.file_format import AS_GIVEN, PROBLEM_FILE, CaseEntry, CasesFile, CheckerEntry, ProblemFile
from judge.problems.generators import Signature, read_generators
from judge.problems.judging_keys import (
    ICPC_PROGRAM,
    expect_scores,
    may_ask_for_pass,
    read_checker_tests,
    read_interaction,
    read_program,
    read_subtasks,
    read_validator_tests,
)
from judge.problems.paths import AssetRoot, find_file_error, shown_path
from judge.problems.yaml.document import Document, read_document
from judge.problems.yaml.text import quote


class ProblemConfig(Struct, frozen=True, kw_only=True):
    """What problem.yaml says, and what holds for a case that does not say otherwise.

    Attributes:
        problem: without its cases, which inherit its limits and its checker.
        assets: the folder with the programs of the problem.
        wall_given: whether a file sets the wall limit, so that it no longer follows the time limit.
        functions: the public functions of the generator files by name; None if a file could not be parsed.
        needs_answers: whether each case must have an answer, because there is no reference to compute it.
        document: the file itself, for messages about how it fits other files.
    """

    problem: Problem
    assets: AssetRoot
    wall_given: bool = False
    functions: Mapping[str, Signature] | None = None
    needs_answers: bool = False
    document: Document[ProblemFile]

    def override(self, entry: ProblemFile | CasesFile | CaseEntry) -> "ProblemConfig":
        """Return what holds with the limits and the checker of a mapping; of limits, only those that it sets."""
        problem, checker, report = self.problem, self.problem.checker, entry.report
        limits, wall_given = problem.limits, self.wall_given
        if given := entry.limits:
            wall = given.wall or (limits.wall if wall_given else None)
            limits = limits.override(cpu=given.time, wall=wall, memory=given.memory, output=given.output)
            if limits.wall < limits.cpu:
                shown = f"`wall` ({format_seconds(limits.wall)}) is less than `time` ({format_seconds(limits.cpu)})"
                report(f"{shown}: increase it, or remove it", "limits")
            wall_given = wall_given or bool(given.wall)
        if entry.checker is not None:
            checker = self._read_checker(entry.checker)
            if problem.interactor is not None:
                report("the problem has an interactor, which decides on all cases: remove `checker`", "checker")
            elif problem.passes > 1 and not may_ask_for_pass(checker):
                report(f"the problem has several passes: expected {ICPC_PROGRAM}", "checker")
        if isinstance(entry, CasesFile | CaseEntry) and entry.checker_args is not None:
            if checker.program is None:
                message = f"the checker {quote(checker.name)} is no program, so it has no arguments: remove them"
                report(message, "checker_args")
            else:
                checker = replace(checker, args=tuple(each for each in entry.checker_args if each is not None))
        return replace(self, problem=replace(problem, limits=limits, checker=checker), wall_given=wall_given)

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
        return read_program(entry, self.assets) or CheckerConfig()


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
        config = ProblemConfig(problem=Problem(id=folder.name), assets=assets, document=document)
    diagnostics.extend(document.sorted_diagnostics())
    diagnostics.extend(of_others)
    return config


_OF_A_REPOSITORY = ("subtasks", "scores", "reference", "independent", "generators", "checker_tests", "validator_tests")


def read_folder_problem(document: Document[ProblemFile], assets: AssetRoot) -> Problem:
    """Return the problem of a folder that is no repository, without cases.

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
    return replace(config.problem, folder=None, lock=None, statement=None)


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
        find, report = self.assets.find_or_report, value.report
        names = value.generators or ()
        generators = [find(name, report, "generators", at) for at, name in enumerate(names)]
        functions = self._read_functions(value, generators)
        if value.generators is None and "generators" in value.given:
            functions = None
        reference = self._find_solution(value, "reference", value.reference)
        independent = self._find_solution(value, "independent", value.independent)
        if independent is not None and independent == reference:
            report("the same file as `reference`: use a solution by another method", "independent")
        groups = read_subtasks(value)
        as_given = {key: given for key in AS_GIVEN if (given := getattr(value, key)) is not None}
        checker = CheckerConfig(name="exact" if value.profile == "uva" else "tokens")  # only it compares every byte
        problem = Problem(id=self.assets.folder.name, name=value.name or "", checker=checker)
        config = ProblemConfig(problem=problem, assets=self.assets, document=self._document).override(value)
        problem = replace(config.problem, **as_given)
        if value.interactor is not None or value.passes is not None:
            interactor, checker = read_interaction(value, problem.checker, self.assets)
            problem = replace(problem, interactor=interactor, checker=checker)
        if value.validator_tests is not None and value.validator is None and value.input is None:
            report("the problem has no `validator` and no `input`: add one, or remove the tests", "validator_tests")
        types = {
            ProblemType.SCORING: groups is not None,
            ProblemType.INTERACTIVE: problem.interactor is not None,
            ProblemType.MULTI_PASS: problem.passes > 1,
        }
        folder = self.assets.folder
        statement = folder / "statement.md"
        problem = replace(
            problem,
            file_names=file_names(value.input_file, value.output_file),
            folder=folder,
            statement=None if find_file_error(statement) else statement,
            validator=find(value.validator, report, "validator"),
            generators=tuple(path for path in generators if path),
            reference=reference,
            independent=independent,
            lock=self._root / "testcases" / folder.name / "cases.lock",
            solutions=expect_scores(value, self._solutions.folder, tuple(self._known.values())),
            types=frozenset(each for each, is_so in types.items() if is_so),
            groups=groups,
            checker_tests=tuple(read_checker_tests(value.checker_tests, self.assets, self._document.shown)),
            validator_tests=tuple(read_validator_tests(value.validator_tests, self.assets, self._document.shown)),
            input_format=self._read_grammar(value),
        )
        needs_answers = value.given.isdisjoint(("reference", "interactor", "passes"))
        return replace(config, problem=problem, functions=functions, needs_answers=needs_answers)

    def _read_grammar(self, value: ProblemFile) -> str:
        """Return the grammar as JSON; "" if there is none, or if it is wrong."""
        if value.input is None:
            return ""
        from judge.inputs.read import read_description  # only when a file has changed: the cache has the JSON

        found = read_description(value.input, lambda message, *path, **at: value.report(message, "input", *path, **at))
        return "" if found is None else json.dumps(value.input)

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

    def _read_functions(self, value: ProblemFile, files: Sequence[Path | None]) -> Mapping[str, Signature] | None:
        functions: dict[str, Signature] = {}
        is_complete = True
        for index, path in enumerate(files):
            found = read_generators(path, shown_path(path, self._root), self.diagnostics) if path else None
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
