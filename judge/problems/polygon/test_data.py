"""The tests of a package to cases: in files, or made by its generators. Nothing is generated here.

A full package has all inputs and answers. A standard package has the inputs that were written by hand; its generators
make the others, and its main solution the answers.

With the policy `complete-group` a group gives its points if all its tests are accepted with all of their points, with
`each-test` every test gives its own, or what the checker gives. Tests of a group are not judged if a group that it
depends on does not pass in this way.
"""

import math
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.model import AnswerSource, Case, Computed, InputSource, Problem, Produced
from judge.model.groups import Aggregation, Rules, TestGroup
from judge.problems.file_format import MAX_CASES
from judge.problems.polygon.files import FILE, Element, PolygonFolder, read_pattern, text_file
from judge.problems.polygon.programs import GROUP_OPTION, asks_for_group, find_main
from judge.problems.yaml.text import quote, quote_all

# ---- groups --------------------------------------------------------------------------------------------------------

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
        if not _NAME.fullmatch(name):
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
    for first in groups.values():
        # A stack, since a chain of dependencies may be long: groups that wait, with what they still depend on.
        waiting = {first.name: iter(first.requires)} if first.name not in ordered else {}
        while waiting:
            name, rest = next(reversed(waiting.items()))
            group, other = groups[name], next(rest, None)
            if other is None:
                group.requires = tuple(each for each in group.requires if each in ordered)
                ordered[name] = group
                del waiting[name]
            elif other not in groups or other in waiting:
                why = "which depends on it" if other in groups else "which has no tests"
                message = f"the group {quote(name)} depends on {quote(other)}, {why}; this does not count"
                folder.error(group.element, message)
            elif other not in ordered:
                waiting[other] = iter(groups[other].requires)
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


# ---- tests ---------------------------------------------------------------------------------------------------------


class TestReader(Struct, kw_only=True):
    """Reads the tests of one package.

    Attributes:
        problem: has the limits and the checker of all cases; that gets their group as an argument, if it asks for it.
        cases: what was found, in the order of judging.
    """

    __test__ = False  # not a test class of pytest

    folder: PolygonFolder
    testset: Element
    problem: Problem
    cases: Sequence[Case] = ()
    groups: Sequence[Group] = ()
    _generators: dict[str, Path | None] = field(default_factory=dict)  # by the name that commands call them by
    _main: Path | None = None
    _asks_for_group: bool = False
    _empty: int = 0  # answers of interactive problems

    def read(self) -> None:
        """Read the tests and their groups."""
        inputs = read_pattern(self.folder, self.testset, "input-path-pattern", default="tests/%02d")
        answers = read_pattern(self.folder, self.testset, "answer-path-pattern", default="tests/%02d.a")
        if inputs is None or answers is None:
            return
        for source in self.folder.root.all("files/executables/executable/source"):
            if name := source.get("path"):
                self._generators.setdefault(Path(name).stem, self.folder.find(source, name, is_optional=True))
        self._main = find_main(self.folder)
        self._asks_for_group = asks_for_group(self.problem.checker)
        listed = read_groups(self.folder, self.testset)
        used: dict[str, Group] = {}
        cases: dict[str, list[Case]] = {}
        for number, test in enumerate(self._tests(), start=1):
            name = test.get("group") or UNGROUPED
            case = self._read_test(number, test, name, inputs, answers)
            if case is None:
                continue
            if name not in used:
                used[name] = listed.get(name) or Group(name, test)
            used[name].points[case.id] = read_points(self.folder, test)
            cases.setdefault(name, []).append(case)
        if unused := [name for name in listed if name not in used]:
            self.folder.warn(self.testset, f"no test is in the groups {quote_all(unused)}", rule="format")
        self.groups = order_groups(self.folder, used)
        self.cases = tuple(case for group in self.groups for case in cases[group.name])
        if self._empty:
            message = f"{self._empty} of {len(self.cases)} tests have no answer file: their answers are empty"
            self.folder.warn(self.testset, message, fix="use the full package, if the checker needs answers")

    def _tests(self) -> list[Element]:
        """Return the elements of all tests; the set itself stands for those that are only counted."""
        found = list(self.testset.all("tests/test"))
        counter = self.testset.first("test-count")
        text = counter.text if counter is not None else ""
        count = int(text) if text.isascii() and text.isdigit() and len(text) < len(str(MAX_CASES)) + 1 else None
        if counter is not None and count is None:
            self.folder.error(counter, f"<test-count>: expected a number of tests, found {quote(text)}")
        if not found and count:
            return [Element(tag="test", attributes={}, line=self.testset.line)] * min(count, MAX_CASES)
        if counter is not None and count is not None and count != len(found):
            self.folder.warn(counter, f"<test-count> is {count}, but {len(found)} tests are listed: these count")
        if len(found) > MAX_CASES:
            self.folder.error(self.testset, f"more than {MAX_CASES:,} tests: the others are left out")
        return found[:MAX_CASES]

    def _read_test(self, number: int, test: Element, group: str, inputs: str, answers: str) -> Case | None:
        if "/" in group or not group.isprintable() or len(group) > 300 or group.startswith("."):
            self.folder.error(test, f"test {number} is in a group with the name {quote(group)}; it is not judged")
            return None
        given = self._find_input(number, test, inputs)
        if given is None:
            return None
        path = self.folder.find(test, answers % number, is_optional=True)
        answer: AnswerSource | None = None if path is None else text_file(path)
        if answer is None and self.problem.interactor is not None:  # without a file it is empty
            self._empty += 1
        elif answer is None and self._main is None:
            message = f"test {number} has no answer {quote(answers % number)}, so it is not judged"
            self.folder.error(test, f"{message}: there is no main solution to compute it", fix="use the full package")
            return None
        elif answer is None and self._main is not None:
            answer = Computed(self._main)
        checker = self.problem.checker
        if self._asks_for_group and group != UNGROUPED:
            checker = replace(checker, args=(GROUP_OPTION, group))
        return Case(
            group=group,
            name=f"{number:02d}",
            why=test.get("description")[:300],
            input=given,
            answer=answer,
            limits=self.problem.limits,
            checker=checker,
            origin=self.folder.package.show(self.folder.path / FILE),
            line=test.line,
            file_names=self.problem.file_names,
        )

    def _find_input(self, number: int, test: Element, inputs: str) -> InputSource | None:
        name = inputs % number
        command = test.get("cmd") if test.get("method") == "generated" else ""
        path = self.folder.find(test, name, is_optional=bool(command))
        if path is not None:
            return text_file(path)
        return self._produce(number, test, command) if command else None

    def _produce(self, number: int, test: Element, command: str) -> Produced | None:
        subject = f"test {number} is not judged: "
        if test.get("from-file"):
            message = f"{subject}its generator makes several tests at once, which is not supported"
            self.folder.error(test, message, fix="use the full package")
            return None
        reader = shlex.shlex(command, posix=True, punctuation_chars=False)
        reader.whitespace_split = True  # Polygon runs it on Windows, where only double quotes quote
        reader.quotes, reader.escape, reader.commenters = '"', "", ""
        try:
            words = list(reader)
        except ValueError as error:
            self.folder.error(test, f"{subject}its command cannot be split into words: {error}")
            return None
        name = words[0].removesuffix(".exe") if words else ""
        source = self._generators.get(name)
        if source is None:
            message = "<executables> has no source of" if name not in self._generators else "the package lacks"
            self.folder.error(test, f"{subject}{message} its generator {quote(name)}", fix="use the full package")
            return None
        return Produced(sources=(source,), args=tuple(words[1:]))
