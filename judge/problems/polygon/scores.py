"""Points and groups of tests to test groups.

With the policy `complete-group` a group gives its points if all its tests are accepted with all of their points, with
`each-test` every test gives its own, or what the checker gives. Tests of a group are not judged if a group that it
depends on does not pass in this way.
"""

import math
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from judge.groups import Aggregation, Rules, TestGroup
from judge.problems.polygon.document import Element
from judge.problems.polygon.files import PolygonFolder
from judge.problems.yaml.text import quote, quote_all

UNGROUPED = "tests"
"""The group of tests that have none."""

_NAME = re.compile(r"[\w][\w.+ -]{0,100}")
_COMPLETE, _EACH = "complete-group", "each-test"
_PERCENT = "treat-points-from-checker-as-percent"


class Group(Struct):
    """A group of problem.xml.

    Attributes:
        element: its own, or that of the first test if <groups> does not list it.
        points: of its tests, by the id of the case; None for one without.
    """

    name: str
    element: Element
    requires: tuple[str, ...] = ()
    points: dict[str, float | None] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """Whether it gives its points only as a whole."""
        return self.element.get("points-policy") == _COMPLETE


def is_group_name(name: str) -> bool:
    """Return whether a name of a group can be one of the judge's."""
    return _NAME.fullmatch(name) is not None


def read_points(folder: PolygonFolder, element: Element) -> float | None:
    """Return the points of a test or a group; None if it has none, or a wrong number, which is reported."""
    text = element.get("points")
    if not text:
        return None
    try:
        points = float(text)
    except ValueError:
        points = math.nan
    if not (math.isfinite(points) and points >= 0):
        folder.error(element, f"`points`: expected a number that is not negative, found {quote(text)}")
        return None
    return points


def read_groups(folder: PolygonFolder, testset: Element) -> dict[str, Group]:
    """Return the groups that <groups> lists, by name."""
    groups: dict[str, Group] = {}
    for element in testset.all("groups/group"):
        name = element.get("name")
        if not is_group_name(name):
            folder.error(element, f"the group has the name {quote(name)}; expected letters, digits, `_`, `-` and `.`")
        elif name in groups:
            folder.warn(element, f"the group {quote(name)} is listed twice: only the first entry counts")
        else:
            policy = element.get("points-policy")
            if policy not in ("", _COMPLETE, _EACH):
                folder.warn(element, f"unknown points-policy {quote(policy)}: judged as `{_EACH}`")
            requires = dict.fromkeys(each.get("group") for each in element.all("dependencies/dependency"))
            groups[name] = Group(name, element, tuple(requires))
    return groups


def order_groups(folder: PolygonFolder, groups: Mapping[str, Group]) -> list[Group]:
    """Return the groups such that each comes after those that it depends on, otherwise in their order.

    Dependencies on unknown groups and cycles are reported, and do not count then.
    """
    ordered: dict[str, Group] = {}
    wrong: set[tuple[str, str]] = set()
    for first in groups.values():
        # A stack, since a chain of dependencies may be long: groups that wait, with those that they still need.
        waiting = {first.name: list(reversed(first.requires))} if first.name not in ordered else {}
        while waiting:
            name, needed = next(reversed(waiting.items()))
            group = groups[name]
            if not needed:
                del waiting[name]
                ordered[name] = group
                continue
            other = needed.pop()
            if other in ordered:
                continue
            if other in groups and other not in waiting:
                waiting[other] = list(reversed(groups[other].requires))
                continue
            why = "which depends on it" if other in groups else "which has no tests"
            folder.error(
                group.element, f"the group {quote(name)} depends on {quote(other)}, {why}; this does not count"
            )
            wrong.add((name, other))
    for group in groups.values():
        group.requires = tuple(each for each in group.requires if (group.name, each) not in wrong)
    return list(ordered.values())


def make_groups(folder: PolygonFolder, groups: Sequence[Group]) -> TestGroup | None:
    """Return the root of the test groups; None if there are no points.

    Tests with 0 points have some, too: Polygon writes them where points are enabled, and a checker may give others.
    """
    made = tuple(_make_group(folder, group) for group in groups)
    total = sum(each.max_score or 0.0 for each in made)
    if not total and all(points is None for group in groups for points in group.points.values()):
        return None
    is_percent = any(each.get(_PERCENT) == "true" for each in folder.root.all("judging"))
    return TestGroup(name="", rules=Rules.POLYGON, groups=made, max_score=total or None, is_percent=is_percent)


def _make_group(folder: PolygonFolder, group: Group) -> TestGroup:
    own = read_points(folder, group.element) if group.element.tag == "group" else None
    of_tests = sum(points or 0.0 for points in group.points.values())
    maximum = own if group.is_complete and own is not None else of_tests or own or 0.0
    if own and of_tests and not group.is_complete and not math.isclose(own, of_tests):
        message = f"has {own:g} points, but its tests have {of_tests:g}: those of the tests count"
        folder.warn(group.element, f"the group {quote(group.name)} {message}")
    shares = {name: points or 0.0 for name, points in group.points.items()}
    if own and not of_tests:
        shares = dict.fromkeys(shares, own / len(shares))
    return TestGroup(
        name=group.name,
        rules=Rules.POLYGON,
        aggregation=Aggregation.PASS_FAIL if group.is_complete else Aggregation.SUM,
        max_score=maximum or None,
        case_scores=shares,
        require_pass=group.requires,
    )


def report_unused(folder: PolygonFolder, names: Sequence[str], at: Element) -> None:
    """Report groups without tests."""
    if names:
        folder.warn(at, f"no test is in the groups {quote_all(names)}", rule="format")
