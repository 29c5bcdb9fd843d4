"""The points and groups of problem.xml: those of Polygon are one level of groups, each scored as a whole or by test."""

import re
from collections import Counter
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from msgspec import Struct, field
from msgspec.structs import replace

from judge.export.package import Package
from judge.groups import Aggregation, Rules, TestGroup, VerdictMode
from judge.model import Case, Problem
from judge.problems.yaml.text import quote

_NOT_NAME = re.compile(r"[^A-Za-z0-9_.-]")
_COMPLETE, _EACH = "complete-group", "each-test"


class PlannedGroup(Struct, frozen=True, kw_only=True):
    """A group of problem.xml.

    Attributes:
        points: of the group as a whole.
        is_complete: it gives its points only as a whole; else every test gives its own.
        cases: the points of single tests, by the id of the case; `share` is that of others.
    """

    name: str
    points: float = 0.0
    is_complete: bool = True
    requires: tuple[str, ...] = ()
    share: float = 0.0
    cases: Mapping[str, float] = field(default_factory=dict)


class GroupPlan(Struct, frozen=True):
    """The groups of all cases, by the folder of a case; none for a problem without scores."""

    folders: Mapping[str, PlannedGroup] = field(default_factory=dict)
    _begun: set[str] = field(default_factory=set)

    def attributes(self, case: Case) -> dict[str, str]:
        """Return the attributes of the next test, which say its group and its points.

        The first test of a complete group has the points of all: readers add up those of the tests.
        """
        group = self.folders.get(case.group)
        if group is None:
            return {}
        points = group.cases.get(case.id, group.share)
        if group.is_complete:
            points = 0.0 if group.name in self._begun else group.points
            self._begun.add(group.name)
        return {"group": group.name, "points": repr(float(points))}

    def write(self, testset: ET.Element) -> None:
        """Add <groups>."""
        planned = list({each.name: each for each in self.folders.values()}.values())
        if not planned:
            return
        parent = ET.SubElement(testset, "groups")
        known = {each.name for each in planned}
        for group in planned:
            policy = _COMPLETE if group.is_complete else _EACH
            attributes = {"name": group.name, "points": repr(float(group.points)), "points-policy": policy}
            element = ET.SubElement(parent, "group", attributes | {"feedback-policy": "complete"})
            if required := [name for name in group.requires if name in known]:
                dependencies = ET.SubElement(element, "dependencies")
                for name in required:
                    ET.SubElement(dependencies, "dependency", {"group": name})


def plan_groups(package: Package, problem: Problem) -> GroupPlan:
    """Return the groups of a problem with scores; what the format scores in another way is reported."""
    root = problem.groups
    if root is None or not problem.has_scores:
        return GroupPlan()
    groups = {group.name: group for group in root.walk()}
    folders = list(dict.fromkeys(case.group for case in problem.cases if not case.is_static))
    owners = {folder: _find_owner(folder, groups) for folder in folders}
    sizes = Counter(owners[case.group].name for case in problem.cases if not case.is_static)
    names = _name(dict.fromkeys(owner.name for owner in owners.values()))
    _report_tree(package, root, frozenset(names))
    planned = {
        name: _plan(package, groups[name], root.rules, names, sizes[name], is_sample=name.split("/")[0] == "sample")
        for name in names
    }
    return GroupPlan({folder: planned[owner.name] for folder, owner in owners.items()})


def _find_owner(folder: str, groups: Mapping[str, TestGroup]) -> TestGroup:
    """Return the innermost group of the cases in a folder."""
    while folder and folder not in groups:
        folder = folder.rpartition("/")[0]
    return groups[folder]


def _name(groups: Mapping[str, None]) -> dict[str, str]:
    """Return the names in problem.xml, where `/` separates nothing."""
    names: dict[str, str] = {}
    for name in groups:
        legal = wanted = _NOT_NAME.sub("-", name.removeprefix("secret/")).lstrip(".-") or "tests"
        number = 2
        while legal in names.values():
            legal, number = f"{wanted}-{number}", number + 1
        names[name] = legal
    return names


def _report_tree(package: Package, root: TestGroup, used: frozenset[str]) -> None:
    """Report what the groups around those with cases do besides adding up scores."""
    if root.is_minimized:
        package.losses.append("`objective: min`: in this format, more points are better")
    if root.rules is not Rules.MAX_SCORES:
        package.notes.append("every group that is accepted gives its points, also in a submission that is rejected")
    for group in root.walk():
        if group.grader is not None:
            package.losses.append(f"the grader of the group {quote(group.name)}: not in this format")
        if group.name in used:
            continue
        if group.aggregation not in (Aggregation.SUM, Aggregation.PASS_FAIL) and len(group.groups) > 1:
            package.losses.append(f"`{group.aggregation}` of the group {quote(group.name)}: points are added up")
        nested = [each for each in group.groups if each.name in used]
        if len(group.name.split("/")) > 1 and nested:
            package.losses.append(f"the scores of the group {quote(group.name)}: this format does not nest groups")


def _plan(
    package: Package, group: TestGroup, rules: Rules, names: Mapping[str, str], size: int, *, is_sample: bool
) -> PlannedGroup:
    requires = tuple(names[each] for each in group.require_pass if each in names)
    if missing := [each for each in group.require_pass if each not in names]:
        package.losses.append(f"the group {quote(group.name)} requires {quote(missing[0])}, which has no cases itself")
    if is_sample and rules is not Rules.MAX_SCORES:
        return PlannedGroup(name=names[group.name])  # samples are not scored (`ignore_sample`)
    planned = {
        Rules.MAX_SCORES: _plan_maximum,
        Rules.DOMJUDGE: _plan_domjudge,
        Rules.LEGACY: _plan_legacy,
    }[rules](package, group, names[group.name], size)
    return replace(planned, requires=requires)


def _plan_maximum(package: Package, group: TestGroup, name: str, size: int) -> PlannedGroup:
    points = group.max_score or 0.0
    if group.max_score is None and group.aggregation is not Aggregation.PASS_FAIL:
        package.losses.append(f"the unbounded score of the group {quote(group.name)}")
    if group.aggregation is not Aggregation.SUM:  # without a checker that gives points, the least is all or nothing
        return PlannedGroup(name=name, points=points)
    share = points / max(size, 1) if group.case_score is None else group.case_score
    return PlannedGroup(name=name, points=points, is_complete=False, share=share, cases=group.case_scores)


def _plan_domjudge(_package: Package, group: TestGroup, name: str, _size: int) -> PlannedGroup:
    return PlannedGroup(name=name, points=group.accept_score)


def _plan_legacy(package: Package, group: TestGroup, name: str, size: int) -> PlannedGroup:
    if group.reject_score:
        package.losses.append(f"`reject_score` of the group {quote(group.name)}: a rejected test gives no points")
    if group.aggregation is not Aggregation.SUM:
        if group.aggregation is not Aggregation.MIN:
            package.losses.append(f"`{group.aggregation}` of the group {quote(group.name)}: it gives all or nothing")
        return PlannedGroup(name=name, points=group.accept_score)
    if group.breaks or not (group.accepts_any or group.verdict_mode is VerdictMode.ALWAYS_ACCEPT):
        return PlannedGroup(name=name, points=group.accept_score * size)
    points = group.accept_score * size
    return PlannedGroup(name=name, points=points, is_complete=False, share=group.accept_score)
