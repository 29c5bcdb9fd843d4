"""The keys of problem.yaml about judging that few problems have; see docs/format.md.

Programs that judge (`checker: {program: ...}`, `interactor`, `passes`), points (`subtasks`, `scores`), and tests of
programs (`checker_tests`, `validator_tests`).
"""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from judge.base.errors import Diagnostic, ToolError
from judge.base.units import format_score
from judge.languages.table import find_language
from judge.model import Case, CheckerConfig, CheckerTest, InFile, Inline, Requirement, Solution, ValidatorTest
from judge.model.groups import Aggregation, Rules, TestGroup
from judge.model.programs import JudgeProgram, Protocol
from judge.problems.file_format import (
    CheckerEntry,
    CheckerTestEntry,
    CheckerTestsEntry,
    InteractorEntry,
    ProblemFile,
    SubtaskEntry,
    ValidatorTestEntry,
    ValidatorTestsEntry,
)
from judge.problems.paths import AssetRoot
from judge.problems.yaml.document import Document
from judge.problems.yaml.parse import diagnostic_at
from judge.problems.yaml.text import describe_unknown, quote

# ---- programs that judge -------------------------------------------------------------------------------------------

ICPC_PROGRAM = "a program by the protocol `icpc`, which writes `nextpass.in`"


def read_program(entry: CheckerEntry | InteractorEntry, assets: AssetRoot) -> CheckerConfig | None:
    """Return the program of an entry, with its arguments; None if it names none, or if it was reported."""
    if entry.program is None:
        return None
    try:
        source = assets.find(entry.program)
        find_language(source)
    except (ValueError, ToolError) as error:
        entry.report(str(error), "program")
        return None
    program = JudgeProgram(source=source, protocol=Protocol(entry.protocol or Protocol.ICPC))
    args = tuple(each for each in entry.args or () if each is not None)
    return CheckerConfig(name="program", program=program, args=args)


def read_interaction(
    value: ProblemFile, checker: CheckerConfig, assets: AssetRoot
) -> tuple[JudgeProgram | None, CheckerConfig]:
    """Return the interactor of a problem with an interactor or several passes, and the checker of its cases.

    That is the interactor itself, unless a program checks what a testlib interactor leaves.
    """
    report = value.report
    _report_unusable(value)
    if value.interactor is None:
        if "interactor" not in value.given and not may_ask_for_pass(checker):
            report(f"`passes` requires an `interactor` or a `checker` that is {ICPC_PROGRAM}: add one", "passes")
        return None, checker
    found = read_program(value.interactor, assets)
    if found is None or found.program is None:
        return None, checker
    is_testlib = found.program.protocol is Protocol.TESTLIB
    if value.passes is not None and is_testlib:
        report(f"`passes` requires {ICPC_PROGRAM}; the protocol `testlib` has only one pass", "passes")
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


def may_ask_for_pass(checker: CheckerConfig) -> bool:
    """Return whether a checker is a program that can ask for another pass."""
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


def read_subtasks(value: ProblemFile) -> TestGroup | None:
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


def expect_scores(value: ProblemFile, folder: Path, solutions: tuple[Solution, ...]) -> tuple[Solution, ...]:
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


def read_checker_tests(entry: CheckerTestsEntry | None, assets: AssetRoot, shown: Path) -> Iterator[CheckerTest]:
    """Yield the tests of the checker, in a file that messages show as `shown`."""
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


def read_validator_tests(entry: ValidatorTestsEntry | None, assets: AssetRoot, shown: Path) -> Iterator[ValidatorTest]:
    """Yield the tests of the validator, likewise."""
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
