"""Requirements on solutions (2025-09, "Example submissions"): which cases they concern, and what is not met."""

import pytest

from judge.model import CaseResult, GroupResult, Requirement, Scores, Verdict
from judge.model.groups import Aggregation, Rules, TestGroup, matches
from judge.runner.requirements import RequirementChecks, is_same_score, requirements_text
from tests.report_scenarios import case, problem

AC, WA, TLE, SK = Verdict.AC, Verdict.WA, Verdict.TLE, Verdict.SK


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("secret/group1", "secret/group1/a", True),
        ("secret/group1", "secret/group1/sub/a", True),
        ("secret/group1", "secret/group10/a", False),
        ("secret", "secret/a", True),
        ("secret/*-hard", "secret/3-hard", True),
        ("secret/*-hard", "secret/x/3-hard", False),
        ("secret/*/3-hard", "secret/x/3-hard", True),
        ("*", "sample/a", True),
        ("*/a", "secret/a", True),
        ("secret/[ab]", "secret/a", False),
        ("secret/{a", "secret/{a", True),
        ("secret/a.b", "secret/axb", False),
    ],
)
def test_a_pattern_matches_cases_and_folders_around_them(pattern: str, path: str, expected: bool) -> None:
    assert matches((pattern,), path) == expected
    assert matches((pattern, "nothing"), path) == expected


def test_no_pattern_matches_everything() -> None:
    assert matches((), "secret/a")


def judged(path: str, verdict: Verdict, message: str = "") -> CaseResult:
    return CaseResult(case=case(path), verdict=verdict, message=message)


def unmet(requirement: Requirement, *results: CaseResult, is_complete: bool = True) -> tuple[str, ...]:
    checks = RequirementChecks(problem(), [requirement])
    for result in results:
        checks.add(result)
    return tuple(checks.unmet(None, AC, is_complete=is_complete))


RESULTS = (judged("sample/a", AC), judged("secret/a", WA, "off by one"), judged("secret/b", TLE))


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        (Requirement(permitted=frozenset({AC, WA, TLE})), ()),
        (Requirement(permitted=frozenset({AC, WA})), ("secret/b: TLE, expected AC or WA",)),
        (Requirement(cases=("sample",), permitted=frozenset({AC})), ()),
        (Requirement(cases=("secret/a",), required=frozenset({WA})), ()),
        (
            Requirement(cases=("secret/a",), required=frozenset({TLE})),
            ("no TLE in secret/a, expected at least one",),
        ),
        (Requirement(cases=("large",), required=frozenset({TLE})), ("no case matches large",)),
        (Requirement(message="off by"), ()),
        (Requirement(message="Off by"), ("no message contains `Off by`",)),
        (Requirement(cases=("sample",), message="off"), ("no message in sample contains `off`",)),
        (Requirement(score=(1.0, 1.0)), ("no score: the problem has no scores, expected 1",)),
    ],
)
def test_what_is_not_met_is_said(requirement: Requirement, expected: tuple[str, ...]) -> None:
    assert unmet(requirement, *RESULTS) == expected


def test_only_what_is_written_for_the_judges_is_a_message() -> None:
    debugged = CaseResult(case=case("secret/a"), verdict=WA, message="off by one", has_debug_message=True)
    assert unmet(Requirement(message="off"), debugged) == ("no message contains `off`",)


def test_what_is_required_may_be_missing_if_only_some_cases_are_judged() -> None:
    assert unmet(Requirement(required=frozenset({WA}), message="x", score=(1.0, 1.0)), is_complete=False) == ()
    permitted = Requirement(permitted=frozenset({AC}))
    assert unmet(permitted, judged("a/b", WA), is_complete=False) == ("a/b: WA, expected AC",)


def test_an_omitted_case_is_not_accepted() -> None:
    omitted = CaseResult(case=case("secret/c"), verdict=SK, is_omitted=True)
    skipped = CaseResult(case=case("secret/c"), verdict=SK)
    assert unmet(Requirement(permitted=frozenset({AC})), omitted) == ("secret/c: not judged, expected AC",)
    assert unmet(Requirement(permitted=frozenset({AC, WA})), omitted) == ()
    assert unmet(Requirement(permitted=frozenset({AC})), skipped) == ()


@pytest.mark.parametrize(
    ("score", "expected", "is_same"),
    [
        (100 / 3, (33.33, 33.33), True),
        (100 / 3, (33.3, 33.3), False),
        (0.0, (0.0, 0.0), True),
        (0.001, (0.0, 0.0), False),
        (0.5, (0.5, 0.5), True),
        (0.51, (0.5, 0.5), False),
        (49.996, (50.0, 60.0), True),
        (49.99, (50.0, 60.0), False),
    ],
)
def test_scores_are_compared_as_they_are_shown(score: float, expected: tuple[float, float], is_same: bool) -> None:
    assert is_same_score(score, expected) == is_same


def test_a_score_may_be_that_of_a_group() -> None:
    group = TestGroup(name="secret/1", aggregation=Aggregation.SUM, rules=Rules.MAX_SCORES)
    scores = Scores(verdict=None, score=9.0, reason="", groups=(GroupResult(group=group, verdict=AC, score=4.0),))
    requirement = Requirement(cases=("secret/*",), score=(5.0, 6.0))
    checks = RequirementChecks(problem(), [requirement])
    assert tuple(checks.unmet(scores, AC, is_complete=True)) == ("secret/1: score 4, expected 5 to 6",)


def test_the_text_of_requirements_does_not_depend_on_the_order_of_sets() -> None:
    one = Requirement(permitted=frozenset([AC, WA, TLE]))
    other = Requirement(permitted=frozenset([TLE, WA, AC]))
    assert requirements_text([one]) == requirements_text([other]) != requirements_text([Requirement()])
