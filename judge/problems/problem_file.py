"""problem.yaml to values: what a case inherits, programs that judge, points, and tests of programs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, ToolError
from judge.base.units import format_score, format_seconds
from judge.languages.table import find_language
from judge.model import (
    Case,
    CheckerConfig,
    CheckerTest,
    InFile,
    Inline,
    Problem,
    ProblemType,
    Requirement,
    Solution,
    ValidatorTest,
    file_names,
)
from judge.model.groups import Aggregation, Rules, TestGroup
from judge.model.programs import JudgeProgram, Protocol
from judge.problems.assets import AssetRoot, Report
from judge.problems.file_format import (
    AS_GIVEN,
    PROBLEM_FILE,
    CaseEntry,
    CasesFile,
    CheckerEntry,
    CheckerTestEntry,
    CheckerTestsEntry,
    InteractorEntry,
    ProblemFile,
    SubtaskEntry,
    ValidatorEntry,
    ValidatorTestEntry,
    ValidatorTestsEntry,
)
from judge.problems.generators import Signature, find_generators
from judge.problems.paths import find_file_error, shown_path
from judge.problems.yaml.document import Document, read_document
from judge.problems.yaml.parse import diagnostic_at
from judge.problems.yaml.text import describe_unknown, quote


class ProblemConfig(Struct, frozen=True, kw_only=True):
    """What problem.yaml says, and what holds for a case that does not say otherwise.

    Attributes:
        problem: without its cases, which inherit its limits and its checker.
        assets: the folder with the programs of the problem.
        wall_given: whether a file sets the wall limit, so that it no longer follows the time limit.
        functions: the generators by name; None if a file could not be parsed.
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
            elif problem.passes > 1 and not _may_ask_for_pass(checker):
                report(f"the problem has several passes: expected {_ICPC_PROGRAM}", "checker")
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
        return _read_program(entry, self.assets) or CheckerConfig()


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
        report = value.report
        names = value.generators or ()
        generators = [_find_source(name, self.assets, report, "generators", at) for at, name in enumerate(names)]
        functions = self._read_functions(value, generators)
        if value.generators is None and "generators" in value.given:
            functions = None
        reference = self._find_solution(value, "reference", value.reference)
        independent = self._find_solution(value, "independent", value.independent)
        if independent is not None and independent == reference:
            report("the same file as `reference`: use a solution by another method", "independent")
        groups = _read_subtasks(value)
        as_given = {key: given for key in AS_GIVEN if (given := getattr(value, key)) is not None}
        checker = CheckerConfig(name="exact" if value.profile == "uva" else "tokens")  # only it compares every byte
        problem = Problem(id=self.assets.folder.name, name=value.name or "", checker=checker)
        config = ProblemConfig(problem=problem, assets=self.assets, document=self._document).override(value)
        problem = replace(config.problem, **as_given)
        if value.interactor is not None or value.passes is not None:
            interactor, checker = _read_interaction(value, problem.checker, self.assets)
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
            validator=_read_validator(value, self.assets),
            generators=tuple(path for path in generators if path),
            reference=reference,
            independent=independent,
            lock=self._root / "testcases" / folder.name / "cases.lock",
            solutions=_expect_scores(value, self._solutions.folder, tuple(self._known.values())),
            types=frozenset(each for each, is_so in types.items() if is_so),
            groups=groups,
            checker_tests=tuple(_read_checker_tests(value.checker_tests, self.assets, self._document.shown)),
            validator_tests=tuple(_read_validator_tests(value.validator_tests, self.assets, self._document.shown)),
            input_format=self._read_grammar(value),
        )
        needs_answers = value.given.isdisjoint(("reference", "interactor", "passes"))
        return replace(config, problem=problem, functions=functions, needs_answers=needs_answers)

    def _read_grammar(self, value: ProblemFile) -> str:
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


# ---- programs that judge -------------------------------------------------------------------------------------------

_ICPC_PROGRAM = "a program by the protocol `icpc`, which writes `nextpass.in`"


def _read_program(entry: CheckerEntry | InteractorEntry, assets: AssetRoot) -> CheckerConfig | None:
    """Return the program of an entry, with its arguments; None if it names none, or if it was reported."""
    if (source := _find_source(entry.program, assets, entry.report, "program")) is None:
        return None
    program = JudgeProgram(source=source, protocol=Protocol(entry.protocol or Protocol.ICPC))
    args = tuple(each for each in entry.args or () if each is not None)
    return CheckerConfig(name="program", program=program, args=args)


def _read_validator(value: ProblemFile, assets: AssetRoot) -> JudgeProgram | None:
    given = value.validator
    if isinstance(given, ValidatorEntry):
        source = _find_source(given.program, assets, given.report, "program")
        protocol = Protocol(given.protocol or Protocol.ICPC)
    else:
        source, protocol = _find_source(given, assets, value.report, "validator"), Protocol.ICPC
    return None if source is None else JudgeProgram(source=source, protocol=protocol)


def _find_source(name: str | None, assets: AssetRoot, report: Report, *keys: str | int) -> Path | None:
    """Return the path of a source file; None if none is named, or if it was reported with these keys."""
    try:
        path = None if name is None else assets.find(name)
        if path is not None:
            find_language(path)
    except (ValueError, ToolError) as error:
        report(str(error), *keys)
        return None
    return path


def _read_interaction(
    value: ProblemFile, checker: CheckerConfig, assets: AssetRoot
) -> tuple[JudgeProgram | None, CheckerConfig]:
    """Return the interactor of a problem with an interactor or several passes, and the checker of its cases.

    That is the interactor itself, unless a program checks what a testlib interactor leaves.
    """
    report = value.report
    _report_unusable(value)
    if value.interactor is None:
        if "interactor" not in value.given and not _may_ask_for_pass(checker):
            report(f"`passes` requires an `interactor` or a `checker` that is {_ICPC_PROGRAM}: add one", "passes")
        return None, checker
    found = _read_program(value.interactor, assets)
    if found is None or found.program is None:
        return None, checker
    is_testlib = found.program.protocol is Protocol.TESTLIB
    if value.passes is not None and is_testlib:
        report(f"`passes` requires {_ICPC_PROGRAM}; the protocol `testlib` has only one pass", "passes")
    if value.checker is None:
        if value.checker_tests is not None:
            report("an interactor is not tested with outputs: remove `checker_tests`", "checker_tests", at_key=True)
        return found.program, found
    if not is_testlib:
        report("the interactor decides: remove `checker`", "checker")
    elif checker.program is None:
        report("only a program can check what an interactor leaves: use `program`, or remove `checker`", "checker")
    elif found.args:
        report("the checker has the arguments of the cases: remove `args` of the interactor", "interactor", "args")
    return found.program, checker


def _may_ask_for_pass(checker: CheckerConfig) -> bool:
    return checker.program is not None and checker.program.protocol is Protocol.ICPC


def _report_unusable(value: ProblemFile) -> None:
    kind = "several passes" if value.interactor is None else "an interactor"
    by_files = f"a problem with {kind} uses standard input and output"
    by_solutions = f"no solution computes the answers of a problem with {kind}, and cases need none"
    unusable = {"input_file": by_files, "output_file": by_files, "reference": by_solutions, "independent": by_solutions}
    for key in unusable.keys() & value.given:
        value.report(f"{unusable[key]}: remove `{key}`", key)


# ---- points --------------------------------------------------------------------------------------------------------

SAMPLE = "sample"


def _read_subtasks(value: ProblemFile) -> TestGroup | None:
    """Return the root of the groups that `subtasks` describes, in its order; None without it."""
    if not value.subtasks:
        if value.subtasks is not None:
            value.report("no groups: add the points of each group, such as `small: 30`, or remove the key", "subtasks")
        return None
    groups = [TestGroup(name=SAMPLE, aggregation=Aggregation.PASS_FAIL)] if SAMPLE not in value.subtasks else []
    for name, entry in value.subtasks.items():
        subtask, points = (entry, entry.points) if isinstance(entry, SubtaskEntry) else (None, entry)
        aggregation = (subtask and points and subtask.aggregation) or Aggregation.PASS_FAIL
        given = subtask.requires if subtask else None
        requires = [given] if isinstance(given, str) else [each for each in given or () if each is not None]
        _check_required(value, name, requires, groups)
        groups.append(
            TestGroup(
                name=name, aggregation=Aggregation(aggregation), max_score=points or None, require_pass=tuple(requires)
            )
        )
    total = sum(group.max_score or 0.0 for group in groups)
    if not total:
        value.report("all groups have 0 points: give one of them some", "subtasks")
    return TestGroup(name="", rules=Rules.MAX_SCORES, groups=tuple(groups), max_score=total)


def _check_required(value: ProblemFile, name: str, required: Sequence[str], earlier: Sequence[TestGroup]) -> None:
    for each in required:
        found = next((group for group in earlier if group.name == each), None)
        if found is None:
            usable = [group.name for group in earlier]
            message = describe_unknown("earlier group", each, usable)
            if each in (value.subtasks or {}):
                message = f"{quote(each)} is not before {quote(name)}: move it up, groups are judged in this order"
            value.report(message, "subtasks", name, "requires")
        elif found.aggregation is not Aggregation.PASS_FAIL:
            message = f"{quote(each)} is not `pass-fail`: a group can only require one that is accepted or not"
            value.report(message, "subtasks", name, "requires")


def check_files(
    document: Document[ProblemFile], root: TestGroup, names: Sequence[str], folder: Path
) -> Iterator[Diagnostic]:
    """Yield what is wrong between the subtasks and the files of cases: `names` in the folder that is shown."""
    listed = {group.name for group in root.groups}
    for name in (document.value.subtasks if document.value else None) or {}:
        if name not in names:
            message = f"{quote(name)} has no cases: there is no {folder / name}.yaml"
            yield diagnostic_at(document.shown, document.locate("subtasks", name, at_key=True), message)
    for name in names:
        if name not in listed:
            message = f"{quote(name)} has no points: add `{name}: 0` if it is not scored"
            yield diagnostic_at(document.shown, document.locate("subtasks", at_key=True), message)


def _expect_scores(value: ProblemFile, folder: Path, solutions: tuple[Solution, ...]) -> tuple[Solution, ...]:
    """Return the solutions, which are in a folder, with the scores that `scores` expects of them."""
    scores: dict[str, tuple[float, float]] = {}
    for name, entry in (value.scores or {}).items():
        ends = entry if isinstance(entry, list) else [entry, entry]
        if len(ends) != 2 or None in ends:
            continue
        low, high = (each or 0.0 for each in ends)
        if low > high:
            fix = f"[{format_score(high)}, {format_score(low)}]"
            value.report(f"the range is reversed: write {quote(fix)}", "scores", name)
        scores[name] = (low, high)
    paths = {solution.path.relative_to(folder).as_posix() for solution in solutions}
    known = sorted(paths | {path.partition("/")[0] for path in paths})
    for name in scores:
        if name not in known:
            value.report(describe_unknown("solution", name, known), "scores", name, at_key=True)
        elif value.subtasks is None:
            value.report("the problem has no scores: add `subtasks`", "scores", name, at_key=True)
    found = []
    for solution in solutions:
        path, expectation = solution.path.relative_to(folder).as_posix(), solution.expectation
        expected = scores.get(path, scores.get(path.partition("/")[0]))
        if expected is not None:
            expectation = replace(expectation, more=(*expectation.more, Requirement(score=expected)))
        found.append(replace(solution, expectation=expectation))
    return tuple(found)


# ---- tests of programs ---------------------------------------------------------------------------------------------


def _read_checker_tests(entry: CheckerTestsEntry | None, assets: AssetRoot, shown: Path) -> Iterator[CheckerTest]:
    for name, entries in (("accept", entry.accept), ("reject", entry.reject)) if entry else ():
        for test in entries or ():
            if test is not None and (output := _read_data(assets, test, "output")) is not None:
                yield CheckerTest(
                    accepts=name == "accept",
                    case=test.case or "",
                    input=_read_data(assets, test, "input"),
                    answer=_read_data(assets, test, "answer"),
                    output=output,
                    args=None if test.args is None else tuple(each for each in test.args if each is not None),
                    message=test.message or "",
                    origin=shown,
                    line=test.locate().line,
                )


def _read_validator_tests(entry: ValidatorTestsEntry | None, assets: AssetRoot, shown: Path) -> Iterator[ValidatorTest]:
    for name, entries in (("valid", entry.valid), ("invalid", entry.invalid)) if entry else ():
        for index, test in enumerate(entries or ()):
            line = entry.locate(name, index).line if entry else 0
            make = partial(ValidatorTest, accepts=name == "valid", origin=shown, line=line)
            if isinstance(test, str):
                yield make(input=Inline(test.encode()))
            elif test is not None and (found := _read_data(assets, test, "input")):
                args = tuple(each for each in test.args or () if each is not None)
                yield make(input=found, args=args, message=test.message or "")


def check_case_names(shown: Path, tests: Sequence[CheckerTest], cases: Sequence[Case]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each test of a case that does not exist."""
    known = {case.id for case in cases}
    for test in tests:
        if test.case and test.case not in known:
            message = describe_unknown("case", test.case, sorted(known))
            yield Diagnostic(path=shown, line=test.line, column=1, message=message)


def _read_data(assets: AssetRoot, entry: CheckerTestEntry | ValidatorTestEntry, key: str) -> Inline | InFile | None:
    """Return the data that a test gives as a text or names as a file; None for neither, or if that is wrong."""
    text, name = getattr(entry, key), getattr(entry, f"{key}_file")
    if text is not None:
        return Inline(text.encode())
    path = assets.find_or_report(name, entry.report, f"{key}_file")
    return None if path is None else InFile(path)
