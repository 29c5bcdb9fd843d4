"""`subtasks` and `scores` of problem.yaml to test groups and expected scores (docs/format.md, "Subtasks")."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from judge.errors import Diagnostic
from judge.groups import Aggregation, Rules, TestGroup
from judge.model import Requirement, Solution
from judge.problems.file_format import ProblemFile, SubtaskEntry
from judge.problems.yaml.document import Document
from judge.problems.yaml.text import describe_unknown, quote
from judge.units import format_score

SAMPLE = "sample"


def read_subtasks(document: Document[ProblemFile], value: ProblemFile) -> TestGroup | None:
    """Return the root of the groups that `subtasks` describes, in its order; None without it."""
    if not value.subtasks:
        if value.subtasks is not None:
            document.report(
                "no groups: add the points of each group, such as `small: 30`, or remove the key", "subtasks"
            )
        return None
    groups = [TestGroup(name=SAMPLE, aggregation=Aggregation.PASS_FAIL)] if SAMPLE not in value.subtasks else []
    for name, entry in value.subtasks.items():
        subtask = entry if isinstance(entry, SubtaskEntry) else None
        points = subtask.points if subtask else entry
        aggregation = (subtask and points and subtask.aggregation) or Aggregation.PASS_FAIL
        requires = _requires(subtask)
        _check_required(document, name, requires, groups)
        groups.append(
            TestGroup(
                name=name,
                aggregation=Aggregation(aggregation),
                max_score=float(points) if isinstance(points, (int, float)) and points else None,
                require_pass=tuple(requires),
            )
        )
    total = sum(group.max_score or 0.0 for group in groups)
    if not total:
        document.report("all groups have 0 points: give one of them some", "subtasks")
    return TestGroup(name="", rules=Rules.MAX_SCORES, groups=tuple(groups), max_score=total)


def _requires(subtask: SubtaskEntry | None) -> Sequence[str]:
    given = subtask.requires if subtask else None
    return [given] if isinstance(given, str) else [each for each in given or () if each is not None]


def _check_required(
    document: Document[ProblemFile], name: str, required: Sequence[str], earlier: Sequence[TestGroup]
) -> None:
    for each in required:
        found = next((group for group in earlier if group.name == each), None)
        if found is None:
            usable = [group.name for group in earlier]
            message = describe_unknown("earlier group", each, usable)
            if document.value and each in (document.value.subtasks or {}):
                message = f"{quote(each)} is not before {quote(name)}: move it up, groups are judged in this order"
            document.report(message, "subtasks", name, "requires")
        elif found.aggregation is not Aggregation.PASS_FAIL:
            message = f"{quote(each)} is not `pass-fail`: a group can only require one that is accepted or not"
            document.report(message, "subtasks", name, "requires")


def check_files(
    document: Document[ProblemFile], root: TestGroup, names: Sequence[str], folder: Path
) -> list[Diagnostic]:
    """Return what is wrong between the subtasks and the files of cases.

    Args:
        document: problem.yaml.
        root: the subtasks.
        names: the groups that have a file.
        folder: testcases/<id>, as it is shown.
    """
    listed = {group.name for group in root.groups}
    found: list[Diagnostic] = []
    for name in (document.value.subtasks if document.value else None) or {}:
        if name not in names:
            place = document.locate("subtasks", name, at_key=True)
            message = f"{quote(name)} has no cases: there is no {folder / name}.yaml"
            found.append(Diagnostic(path=document.shown, line=place.line, column=place.column, message=message))
    for name in names:
        if name not in listed:
            place = document.locate("subtasks", at_key=True)
            message = f"{quote(name)} has no points: add `{name}: 0` if it is not scored"
            found.append(Diagnostic(path=document.shown, line=place.line, column=place.column, message=message))
    return found


def expect_scores(
    document: Document[ProblemFile], value: ProblemFile, folder: Path, solutions: Sequence[Solution]
) -> tuple[Solution, ...]:
    """Return the solutions with the scores that `scores` expects of them.

    Args:
        document: problem.yaml.
        value: its content.
        folder: solutions/<id>.
        solutions: all solutions.
    """
    scores = _read_scores(document, value)
    paths = {solution.path.relative_to(folder).as_posix() for solution in solutions}
    known = sorted(paths | {path.partition("/")[0] for path in paths})
    for name in scores:
        if name not in known:
            document.report(describe_unknown("solution", name, known), "scores", name, at_key=True)
        elif value.subtasks is None:
            document.report("the problem has no scores: add `subtasks`", "scores", name, at_key=True)
    return tuple(_expect(solution, folder, scores) for solution in solutions)


def _read_scores(document: Document[ProblemFile], value: ProblemFile) -> Mapping[str, tuple[float, float]]:
    scores: dict[str, tuple[float, float]] = {}
    for name, entry in (value.scores or {}).items():
        ends = entry if isinstance(entry, list) else [entry, entry]
        if len(ends) != 2 or None in ends:
            continue
        low, high = (float(each or 0.0) for each in ends)
        if low > high:
            fix = f"[{format_score(high)}, {format_score(low)}]"
            document.report(f"the range is reversed: write {quote(fix)}", "scores", name)
        scores[name] = (low, high)
    return scores


def _expect(solution: Solution, folder: Path, scores: Mapping[str, tuple[float, float]]) -> Solution:
    path = solution.path.relative_to(folder).as_posix()
    expected = scores.get(path, scores.get(path.partition("/")[0]))
    if expected is None:
        return solution
    expectation = solution.expectation
    return replace(solution, expectation=replace(expectation, more=(*expectation.more, Requirement(score=expected))))
