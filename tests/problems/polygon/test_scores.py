"""Points and groups: which test groups they become, and in which order they are judged."""

from pathlib import Path

from judge.groups import Aggregation
from judge.problems.polygon.load import load_polygon
from tests.problems.polygon.packages import load_clean, messages, write

TESTS = """<test group="b" points="60"/>
           <test group="a" points="10"/>
           <test group="a" points="30"/>"""
GROUPS = """<group name="a" points-policy="each-test"/>
            <group name="b" points-policy="complete-group" points="60">
                <dependencies><dependency group="a"/></dependencies>
            </group>"""
FILES = {"tests/02": "2 2\n", "tests/03": "3 3\n"}


def test_groups_have_the_points_of_their_policy(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, FILES, tests=TESTS, groups=GROUPS)
    assert problem.has_scores
    assert problem.groups is not None
    each, complete = problem.groups.groups
    assert problem.groups.max_score == 100
    assert (each.aggregation, each.max_score, dict(each.case_scores)) == (
        Aggregation.SUM, 40, {"a/02": 10, "a/03": 30},
    )  # fmt: skip
    assert (complete.aggregation, complete.max_score) == (Aggregation.PASS_FAIL, 60)
    assert complete.require_pass == ("a",)


def test_a_group_is_judged_after_those_that_it_depends_on(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, FILES, tests=TESTS, groups=GROUPS)
    assert [case.id for case in problem.cases] == ["a/02", "a/03", "b/01"]


def test_tests_without_groups_have_their_own_points(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, tests='<test points="40"/>')
    assert problem.groups is not None
    assert [(each.name, each.max_score) for each in problem.groups.groups] == [("tests", 40)]


def test_without_points_there_are_no_scores(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, tests='<test group="1"/>', groups='<group name="1"/>')
    assert problem.groups is None
    assert not problem.has_scores


def test_tests_with_0_points_may_get_points_of_the_checker(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, tests='<test points="0.0"/>')
    assert problem.groups is not None
    (group,) = problem.groups.groups
    assert (group.aggregation, group.max_score, problem.groups.max_score) == (Aggregation.SUM, None, None)


def test_points_of_the_checker_may_be_percent(tmp_path: Path) -> None:
    judging = 'treat-points-from-checker-as-percent="{}"'
    for value, expected in (("true", True), ("false", False)):
        problem = load_clean(tmp_path, tests='<test points="40"/>', judging=judging.format(value))
        assert problem.groups is not None
        assert problem.groups.is_percent is expected


def test_cycles_and_unknown_groups_are_reported(tmp_path: Path) -> None:
    groups = """<group name="a"><dependencies><dependency group="b"/></dependencies></group>
                <group name="b"><dependencies><dependency group="a"/><dependency group="c"/></dependencies></group>"""
    found = messages(tmp_path, FILES, tests=TESTS, groups=groups)
    assert "the group `a` depends on `b`, which depends on it" in found
    assert "the group `b` depends on `c`, which has no tests" in found


def test_a_long_chain_of_dependencies_is_ordered(tmp_path: Path) -> None:
    count = 2000
    depends = '<dependencies><dependency group="{}"/></dependencies>'
    groups = "".join(
        f'<group name="{i}">{depends.format(i + 1) if i < count else ""}</group>' for i in range(1, count + 1)
    )
    tests = "".join(f'<test group="{i}" method="generated" cmd="gen {i} 0"/>' for i in range(1, count + 1))
    problem, _ = load_polygon(write(tmp_path / "sum", tests=tests, groups=groups), root_for_display=tmp_path)
    assert [problem.cases[0].group, problem.cases[-1].group] == [str(count), "1"]


def test_wrong_points_are_reported(tmp_path: Path) -> None:
    found = messages(tmp_path, tests='<test points="many"/><test points="nan" method="generated" cmd="gen 1 1"/>')
    assert found.count("expected a number that is not negative") == 2
