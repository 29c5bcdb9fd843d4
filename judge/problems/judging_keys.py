"""The keys of problem.yaml about judging that few problems have; see docs/format.md.

Programs that judge (`checker: {program: ...}`, `interactor`, `passes`), points (`subtasks`, `scores`), and tests of
programs (`checker_tests`, `validator_tests`).
"""

from collections.abc import Iterator, Mapping, Sequence
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
    ValidatorEntry,
    ValidatorTestEntry,
    ValidatorTestsEntry,
)
from judge.problems.paths import AssetRoot, Report
from judge.problems.yaml.document import Document
from judge.problems.yaml.parse import diagnostic_at
from judge.problems.yaml.text import describe_unknown, quote

# ---- programs that judge -------------------------------------------------------------------------------------------

_ICPC_PROGRAM = "a program by the protocol `icpc`, which writes `nextpass.in`"


def read_program(entry: CheckerEntry | InteractorEntry, assets: AssetRoot) -> CheckerConfig | None:
    """Return the program of an entry, with its arguments; None if it names none, or if it was reported."""
    if (source := find_source(entry.program, assets, entry.report, "program")) is None:
        return None
    program = JudgeProgram(source=source, protocol=Protocol(entry.protocol or Protocol.ICPC))
    args = tuple(each for each in entry.args or () if each is not None)
    return CheckerConfig(name="program", program=program, args=args)


def read_validator(value: ProblemFile, assets: AssetRoot) -> JudgeProgram | None:
    """Return the validator; None if there is none, or if it was reported."""
    given = value.validator
    if isinstance(given, ValidatorEntry):
        source = find_source(given.program, assets, given.report, "program")
        protocol = Protocol(given.protocol or Protocol.ICPC)
    else:
        source, protocol = find_source(given, assets, value.report, "validator"), Protocol.ICPC
    return None if source is None else JudgeProgram(source=source, protocol=protocol)


def find_source(name: str | None, assets: AssetRoot, report: Report, *keys: str | int) -> Path | None:
    """Return the path of a source file; None if none is named, or if it was reported with these keys."""
    try:
        path = None if name is None else assets.find(name)
        if path is not None:
            find_language(path)
    except (ValueError, ToolError) as error:
        report(str(error), *keys)
        return None
    return path


def read_interaction(
    value: ProblemFile, checker: CheckerConfig, assets: AssetRoot
) -> tuple[JudgeProgram | None, CheckerConfig]:
    """Return the interactor of a problem with an interactor or several passes, and the checker of its cases.

    That is the interactor itself, unless a program checks what a testlib interactor leaves.
    """
    _check_answers(value)
    report = value.report
    if value.interactor is None:
        if "interactor" not in value.given and not _may_ask_for_pass(checker):
            report(f"`passes` requires an `interactor` or a `checker` that is {_ICPC_PROGRAM}: add one", "passes")
        return None, checker
    found = read_program(value.interactor, assets)
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


def check_own_checker(checker: CheckerConfig, report: Report, *, has_interactor: bool) -> None:
    """Report the checker of a case or a group that does not fit the interactor or the passes of the problem."""
    if has_interactor:
        report("the problem has an interactor, which decides on all cases: remove `checker`", "checker")
    elif not _may_ask_for_pass(checker):
        report(f"the problem has several passes: expected {_ICPC_PROGRAM}", "checker")


def _may_ask_for_pass(checker: CheckerConfig) -> bool:
    return checker.program is not None and checker.program.protocol is Protocol.ICPC


def _check_answers(value: ProblemFile) -> None:
    kind = "several passes" if value.interactor is None else "an interactor"
    for key in ("input_file", "output_file"):
        if getattr(value, key) is not None:
            value.report(f"a problem with {kind} uses standard input and output: remove `{key}`", key)
    for key in ("reference", "independent"):
        if getattr(value, key) is not None:
            message = f"no solution computes the answers of a problem with {kind}, and cases need none: remove `{key}`"
            value.report(message, key)


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
        requires = _requires(subtask)
        _check_required(value, name, requires, groups)
        groups.append(
            TestGroup(
                name=name,
                aggregation=Aggregation(aggregation),
                max_score=points or None,
                require_pass=tuple(requires),
            )
        )
    total = sum(group.max_score or 0.0 for group in groups)
    if not total:
        value.report("all groups have 0 points: give one of them some", "subtasks")
    return TestGroup(name="", rules=Rules.MAX_SCORES, groups=tuple(groups), max_score=total)


def _requires(subtask: SubtaskEntry | None) -> Sequence[str]:
    given = subtask.requires if subtask else None
    return [given] if isinstance(given, str) else [each for each in given or () if each is not None]


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
    scores = _read_scores(value)
    paths = {solution.path.relative_to(folder).as_posix() for solution in solutions}
    known = sorted(paths | {path.partition("/")[0] for path in paths})
    for name in scores:
        if name not in known:
            value.report(describe_unknown("solution", name, known), "scores", name, at_key=True)
        elif value.subtasks is None:
            value.report("the problem has no scores: add `subtasks`", "scores", name, at_key=True)
    return tuple(_expect(solution, folder, scores) for solution in solutions)


def _read_scores(value: ProblemFile) -> Mapping[str, tuple[float, float]]:
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
    return scores


def _expect(solution: Solution, folder: Path, scores: Mapping[str, tuple[float, float]]) -> Solution:
    path = solution.path.relative_to(folder).as_posix()
    expected = scores.get(path, scores.get(path.partition("/")[0]))
    if expected is None:
        return solution
    expectation = solution.expectation
    return replace(solution, expectation=replace(expectation, more=(*expectation.more, Requirement(score=expected))))


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
