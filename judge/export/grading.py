"""Test groups and their scores in the files of groups.

2025-09: "Test data groups" and "Scoring problems". legacy: "Test data groups" and "Graders".
"""

from collections import Counter

from msgspec import Struct, field

from judge.export.package import Package, Target, plain_number
from judge.groups import Aggregation, Rules, TestGroup, VerdictMode
from judge.model import Problem
from judge.problems.yaml.text import quote

Files = dict[str, dict[str, object]]


class GroupNames(Struct, frozen=True):
    """The folders of the groups of our own format, by their names."""

    folders: dict[str, str] = field(default_factory=dict)

    def of(self, group: str) -> str:
        """Return the folder of a group below data/."""
        return self.folders.get(group, group)


def name_groups(problem: Problem) -> GroupNames:
    """Return the folders of the groups; numbers keep the order of judging where the names do not."""
    if problem.groups is None or problem.is_package:
        return GroupNames()
    names = [group.name for group in problem.groups.groups if group.name != "sample"]
    width = len(str(len(names)))
    is_sorted = names == sorted(names)
    folders = {
        name: f"secret/{name}" if is_sorted else f"secret/{at:0{width}}-{name}" for at, name in enumerate(names, 1)
    }
    return GroupNames({"sample": "sample", **folders})


def add_grading(package: Package, problem: Problem, names: GroupNames, files: Files) -> None:
    """Add what says how groups are scored to the content of their files, by folder."""
    root = problem.groups
    assert root is not None
    is_new = root.rules is Rules.MAX_SCORES
    if is_new != (not package.target.is_legacy) and problem.is_package:
        package.losses.append("the scores of the test groups: the rules of the two formats differ, write them anew")
    elif not is_new:
        for group in root.walk():
            files.setdefault(group.name, {}).update(_legacy_group(package, group))
    elif not package.target.is_legacy:
        _add_new(package, problem, names, files)
    else:
        _add_as_legacy(package, problem, names, files)


def _add_new(package: Package, problem: Problem, names: GroupNames, files: Files) -> None:
    root = problem.groups
    assert root is not None
    for group in root.walk():
        if group.name and names.of(group.name) != "sample" and problem.has_scores:
            files.setdefault(names.of(group.name), {}).update(_max_scores(group, names))
        if group.has_static_case:
            score = group.static_score
            files.setdefault(group.name, {})["static_validation_score"] = (
                "pass-fail" if score is None else plain_number(score)
            )
            files[group.name] |= {"static_validator_args": list(group.static_args)} if group.static_args else {}
        if group.case_scores or group.case_score is not None:
            package.losses.append(f"the scores of single cases of the group {quote(group.name)}")
    if not problem.is_package:
        files.setdefault("secret", {}).update(
            max_score=plain_number(root.max_score or 0.0), score_aggregation=Aggregation.SUM.value
        )


def _max_scores(group: TestGroup, names: GroupNames) -> dict[str, object]:
    has_inner = bool(group.groups)
    unbounded: object = "unbounded" if has_inner or group.aggregation is not Aggregation.PASS_FAIL else 0
    found: dict[str, object] = {"max_score": unbounded if group.max_score is None else plain_number(group.max_score)}
    found["score_aggregation"] = group.aggregation.value
    if group.require_pass:
        found["require_pass"] = [names.of(name) for name in group.require_pass]
    return found


def _legacy_group(package: Package, group: TestGroup) -> dict[str, object]:
    found: dict[str, object] = {"on_reject": "break" if group.breaks else "continue"}
    if group.grader is not None:
        found["grading"] = "custom"
    words = [*group.grader_args]
    if group.grader is None:
        words = [group.verdict_mode.value] if group.verdict_mode is not VerdictMode.WORST_ERROR else []
        words += [group.aggregation.value] if group.aggregation is not Aggregation.SUM else []
        words += ["accept_if_any_accepted"] if group.accepts_any else []
        words += ["ignore_sample"] if group.ignores_sample else []
    found["grader_flags"] = " ".join(words)
    found["accept_score"] = plain_number(group.accept_score)
    found["reject_score"] = plain_number(group.reject_score)
    if group.score_range is not None:
        found["range"] = " ".join(f"{score:g}" for score in group.score_range)
    if group.require_pass:
        package.losses.append(f"`require_pass` of the group {quote(group.name)}")
    return found


def _add_as_legacy(package: Package, problem: Problem, names: GroupNames, files: Files) -> None:
    """Write the subtasks of our own format as groups with the default grader."""
    root = problem.groups
    assert root is not None
    total = f"0 {plain_number(root.max_score or 0.0)}"
    files.setdefault("", {}).update(on_reject="continue", range=total, grader_flags="ignore_sample")
    files.setdefault("secret", {}).update(
        on_reject="continue", range=total, grader_flags="first_error accept_if_any_accepted"
    )
    files.setdefault("sample", {}).update(on_reject="continue", range="0 0", accept_score=0)
    sizes = Counter(case.group for case in problem.cases)
    for group in root.groups:
        if group.name == "sample":
            if group.max_score:
                package.losses.append("the points of `sample`: samples are not scored")
            continue
        points = group.max_score or 0.0
        found: dict[str, object] = {"range": f"0 {plain_number(points)}"}
        if group.aggregation is Aggregation.SUM:
            share = points / max(sizes[group.name], 1)
            if package.target is Target.DOMJUDGE:  # `accept_score` is that of a whole group there
                share = points
                package.losses.append(f"the points of single cases of {quote(group.name)}: the group has all or none")
            found |= {"on_reject": "continue", "accept_score": plain_number(share)}
            found["grader_flags"] = "accept_if_any_accepted sum"
        else:
            found |= {"on_reject": "break", "accept_score": plain_number(points), "grader_flags": "min"}
        files.setdefault(names.of(group.name), {}).update(found)
        if group.require_pass:
            package.losses.append(f"`requires` of the subtask {quote(group.name)}: groups do not depend on others")
