"""Scores by the rules of each format: tables of what the texts say, and a second implementation of 2025-09."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.judging.scoring import Scorer, best_score
from judge.model import (
    DEFAULT_LIMITS,
    Case,
    CaseResult,
    CheckerConfig,
    GroupResult,
    Inline,
    Scores,
    Verdict,
)
from judge.model.groups import Aggregation, Rules, TestGroup, VerdictMode
from judge.model.programs import JudgeProgram, RawScore

AC, WA, RTE, TLE, JE, SK, CE = (Verdict(name) for name in ("AC", "WA", "RTE", "TLE", "JE", "SK", "CE"))
SAMPLE = TestGroup(name="sample", aggregation=Aggregation.PASS_FAIL)

Judged = Verdict | tuple[Verdict, RawScore]


def case(path: str) -> Case:
    group, _, name = path.rpartition("/")
    return Case(
        group=group, name=name, input=Inline(b""), limits=DEFAULT_LIMITS, checker=CheckerConfig(), origin=Path("x")
    )


def points(text: str) -> tuple[Verdict, RawScore]:
    return AC, RawScore(score=text)


def factor(text: str) -> tuple[Verdict, RawScore]:
    return AC, RawScore(multiplier=text)


def score(root: TestGroup, judged: dict[str, Judged]) -> tuple[Scores, list[CaseResult]]:
    """Score the cases of these paths, in this order."""
    cases = [case(path) for path in judged]
    scorer = Scorer(root, cases)
    results = []
    for each, found in zip(cases, judged.values(), strict=True):
        verdict, raw = found if isinstance(found, tuple) else (found, None)
        omission = scorer.find_omission(each)
        results.append(scorer.add(CaseResult(case=each, verdict=verdict, raw_score=raw)))
        assert results[-1].is_omitted == bool(omission)
    return scorer.finish(), results


def secret(*groups: TestGroup, **settings: object) -> TestGroup:
    """Return the root of a package of version 2025-09 with these settings of `secret`."""
    inner = TestGroup(name="secret", groups=groups, **{"max_score": 100.0, **settings})  # type: ignore[arg-type]
    return TestGroup(name="", rules=Rules.MAX_SCORES, groups=(SAMPLE, inner))


def group(number: int, aggregation: Aggregation, maximum: float | None, *require: str) -> TestGroup:
    return TestGroup(name=f"secret/{number}", aggregation=aggregation, max_score=maximum, require_pass=require)


def by_name(scores: Scores) -> dict[str, GroupResult]:
    return {each.group.name: each for each in scores.groups}


# ---- 2025-09, "Scoring test cases" --------------------------------------------------------------------------------

BOUNDED = secret(group(1, Aggregation.SUM, 30.0), max_score=30.0)
MINIMUM = secret(group(1, Aggregation.MIN, 30.0), max_score=30.0)
UNBOUNDED = secret(group(1, Aggregation.SUM, None), max_score=None)
PASS_FAIL = secret(group(1, Aggregation.PASS_FAIL, 30.0), max_score=30.0)


@pytest.mark.parametrize(
    ("root", "judged", "expected"),
    [
        (BOUNDED, AC, 30),
        (BOUNDED, WA, 0),
        (BOUNDED, factor("0.5"), 15),
        (BOUNDED, factor("1\n"), 30),
        (BOUNDED, factor("0"), 0),
        (BOUNDED, points("12.5"), 12.5),
        (BOUNDED, points("30"), 30),
        (BOUNDED, points("1e1"), 10),
        (BOUNDED, points(".5"), 0.5),
        (MINIMUM, factor("0.5"), 15),
        (MINIMUM, AC, 30),
        (UNBOUNDED, points("1234.5"), 1234.5),
        (UNBOUNDED, WA, 0),
        (PASS_FAIL, AC, None),
        (PASS_FAIL, WA, None),
    ],
)
def test_a_case_has_the_score_of_its_checker_or_its_maximum(
    root: TestGroup, judged: Judged, expected: float | None
) -> None:
    scores, (result,) = score(root, {"secret/1/a": judged})
    assert result.score == expected
    if expected is not None:
        assert scores.score == expected


@pytest.mark.parametrize(
    ("root", "judged", "reason"),
    [
        (UNBOUNDED, AC, "wrote no score.txt, which the unbounded score of secret/1 needs"),
        (UNBOUNDED, factor("0.5"), "wrote score_multiplier.txt, but the score of secret/1 is unbounded"),
        (UNBOUNDED, points("-1"), "score.txt: expected a number that is not negative, found `-1`"),
        (BOUNDED, (WA, RawScore(score="3")), "wrote score.txt although it does not accept the output"),
        (BOUNDED, (WA, RawScore(multiplier="0")), "wrote score_multiplier.txt although it does not accept"),
        (BOUNDED, (AC, RawScore(score="3", multiplier="1")), "both score.txt and score_multiplier.txt"),
        (BOUNDED, points("30.01"), "score.txt: 30.01 exceeds the maximum of 30"),
        (BOUNDED, factor("1.01"), "score_multiplier.txt: expected a number from 0 to 1, found `1.01`"),
        (BOUNDED, points("nan"), "score.txt: expected a number, found `nan`"),
        (BOUNDED, points("inf"), "score.txt: expected a number, found `inf`"),
        (BOUNDED, points("1e999"), "score.txt: expected a number, found `1e999`"),
        (BOUNDED, points(""), "score.txt: expected a number, found ``"),
        (BOUNDED, points("3 4"), "score.txt: expected a number, found `3 4`"),
        (BOUNDED, points("1_000"), "score.txt: expected a number, found `1_000`"),
        (BOUNDED, points("x" * 100), f"found `{'x' * 40}...`"),
        (PASS_FAIL, points("3"), "wrote score.txt, but secret/1 is pass-fail"),
        (PASS_FAIL, factor("1"), "wrote score_multiplier.txt, but secret/1 is pass-fail"),
    ],
)
def test_a_checker_that_breaks_a_rule_is_a_judge_error(root: TestGroup, judged: Judged, reason: str) -> None:
    scores, (result,) = score(root, {"secret/1/a": judged})
    assert result.verdict is JE
    assert reason in result.reason
    assert (scores.verdict, scores.score) == (JE, None)
    assert reason in scores.reason


def test_a_checker_must_not_write_both_kinds_of_scores_for_different_cases() -> None:
    _, (first, second) = score(BOUNDED, {"secret/1/a": points("1"), "secret/1/b": factor("1")})
    assert (first.verdict, second.verdict) == (AC, JE)


def test_scores_of_samples_are_ignored() -> None:
    judged: dict[str, Judged] = {"sample/a": (AC, RawScore(score="7", multiplier="x")), "secret/1/a": AC}
    scores, results = score(BOUNDED, judged)
    assert [each.score for each in results] == [None, 30]
    assert scores.score == 30


def test_the_maximum_of_a_case_is_its_share_of_the_sum_or_that_of_the_group() -> None:
    judged: dict[str, Judged] = {f"secret/1/{name}": AC if name == "a" else WA for name in "abc"}
    assert score(secret(group(1, Aggregation.SUM, 100.0)), judged)[0].score == pytest.approx(100 / 3)
    assert score(secret(group(1, Aggregation.MIN, 100.0)), judged)[0].score == 0
    static = replace(group(1, Aggregation.SUM, 100.0), static_score=10.0)
    assert score(secret(static), judged)[1][0].score == 30


@pytest.mark.parametrize("cases", [3, 6, 7, 49, 997])
def test_all_shares_of_a_maximum_add_up_to_it(cases: int) -> None:
    scores, _ = score(secret(), {f"secret/{number:03}": AC for number in range(cases)})
    assert scores.score == pytest.approx(100)
    assert scores.score is not None
    assert scores.score <= 100


def test_cases_in_folders_belong_to_the_group_around_them() -> None:
    scores, _ = score(BOUNDED, {"secret/1/x/a": AC, "secret/1/y/z/b": WA})
    assert scores.score == 15


# ---- 2025-09, "Scoring test data groups", "Group dependencies" ----------------------------------------------------


def test_secret_adds_up_its_groups() -> None:
    root = secret(group(1, Aggregation.PASS_FAIL, 30.0), group(2, Aggregation.PASS_FAIL, 70.0))
    scores, _ = score(root, {"secret/1/a": AC, "secret/1/b": AC, "secret/2/a": AC, "secret/2/b": TLE})
    assert scores.score == 30
    found = by_name(scores)
    assert [(found[name].verdict, found[name].score) for name in ("secret/1", "secret/2")] == [(AC, 30), (TLE, 0)]
    assert (found["secret"].judged, found["secret"].total) == (4, 4)


@pytest.mark.parametrize(("last", "expected"), [(AC, 100), (WA, 0)])
def test_secret_may_be_pass_fail(last: Verdict, expected: float) -> None:
    groups = group(1, Aggregation.PASS_FAIL, 100.0), group(2, Aggregation.PASS_FAIL, 100.0)
    root = secret(*groups, aggregation=Aggregation.PASS_FAIL)
    assert score(root, {"sample/a": WA, "secret/1/a": AC, "secret/2/a": last})[0].score == expected


def test_secret_may_take_the_minimum() -> None:
    root = secret(group(1, Aggregation.SUM, 100.0), group(2, Aggregation.SUM, 100.0), aggregation=Aggregation.MIN)
    assert score(root, {"secret/1/a": factor("0.9"), "secret/2/a": factor("0.4")})[0].score == 40


def test_a_score_above_the_maximum_of_its_group_is_a_judge_error() -> None:
    root = secret(group(1, Aggregation.SUM, 60.0), group(2, Aggregation.SUM, 60.0))
    scores, results = score(root, {"secret/1/a": AC, "secret/2/a": AC})
    assert [each.verdict for each in results] == [AC, AC]
    assert (scores.verdict, scores.score) == (JE, None)
    assert scores.reason == "secret: score: 120 exceeds the maximum of 100"


def test_a_group_is_not_judged_without_the_groups_that_it_requires() -> None:
    root = secret(
        group(1, Aggregation.PASS_FAIL, 20.0, "sample"),
        group(2, Aggregation.PASS_FAIL, 30.0, "secret/1"),
        group(3, Aggregation.SUM, 40.0, "sample", "secret/2"),
        group(4, Aggregation.MIN, 10.0),
    )
    judged: dict[str, Judged] = {
        "sample/a": AC,
        "secret/1/a": RTE,
        "secret/2/a": AC,
        "secret/3/a": AC,
        "secret/4/a": AC,
    }
    scores, results = score(root, judged)
    assert [each.verdict for each in results] == [AC, RTE, SK, SK, AC]
    assert results[2].reason == "not judged: secret/2 requires secret/1"
    assert results[3].reason == "not judged: secret/3 requires secret/2"
    assert scores.score == 10
    assert (by_name(scores)["secret/3"].score, by_name(scores)["secret/3"].reason) == (0, results[3].reason)


def test_secret_may_require_the_samples() -> None:
    root = secret(group(1, Aggregation.PASS_FAIL, 100.0), require_pass=("sample",))
    scores, results = score(root, {"sample/a": WA, "sample/b": AC, "secret/1/a": AC})
    assert results[2].reason == "not judged: secret requires sample"
    assert scores.score == 0


@pytest.mark.parametrize("verdict", [SK, Verdict.NA, JE])
def test_a_case_without_a_verdict_leaves_its_groups_without_a_score_and_omits_nothing(verdict: Verdict) -> None:
    root = secret(group(1, Aggregation.PASS_FAIL, 50.0), group(2, Aggregation.PASS_FAIL, 50.0, "secret/1"))
    scores, results = score(root, {"secret/1/a": verdict, "secret/2/a": AC})
    assert not any(each.is_omitted for each in results)
    assert scores.score is None
    assert by_name(scores)["secret/1"].score is None
    assert by_name(scores)["secret/2"].score == 50


def test_a_solution_that_does_not_compile_is_reported_on_every_case() -> None:
    root = secret(group(1, Aggregation.PASS_FAIL, 50.0), group(2, Aggregation.PASS_FAIL, 50.0, "secret/1"))
    scores, results = score(root, {"secret/1/a": CE, "secret/2/a": CE})
    assert [each.verdict for each in results] == [CE, CE]
    assert scores.score == 0


def test_the_score_of_a_part_of_the_cases_is_not_known() -> None:
    cases = [case("secret/a"), case("secret/b")]
    scorer = Scorer(secret(), cases)
    scorer.add(CaseResult(case=cases[0], verdict=AC))
    assert scorer.finish().score is None


def test_points_of_single_cases_need_not_be_equal() -> None:
    points_of = TestGroup(name="1", aggregation=Aggregation.SUM, case_scores={"1/a": 5.0, "1/b": 20.0}, max_score=None)
    root = TestGroup(name="", rules=Rules.MAX_SCORES, groups=(points_of,))
    assert score(root, {"1/a": AC, "1/b": AC, "1/c": WA})[0].score == 25


# ---- Polygon -------------------------------------------------------------------------------------------------------


def polygon(*groups: TestGroup, is_percent: bool = False) -> TestGroup:
    return TestGroup(name="", rules=Rules.POLYGON, groups=groups, is_percent=is_percent)


def each_test(name: str, **points_of: float) -> TestGroup:
    points = {f"{name}/{case}": value for case, value in points_of.items()}
    maximum = sum(points.values()) or None
    return TestGroup(name=name, aggregation=Aggregation.SUM, max_score=maximum, case_scores=points)


def complete(name: str, *require: str, **points_of: float) -> TestGroup:
    return replace(each_test(name, **points_of), aggregation=Aggregation.PASS_FAIL, require_pass=require)


@pytest.mark.parametrize(
    ("judged", "is_percent", "expected"),
    [
        (AC, False, 40),
        (WA, False, 0),
        (points("12.5"), False, 12.5),
        (points("0"), False, 0),
        (points("75"), False, 75),  # without a maximum
        (points("25"), True, 10),
        (points("100"), True, 40),
        (AC, True, 40),
    ],
)
def test_the_points_of_a_checker_are_the_score_or_percent_of_the_points_of_the_test(
    judged: Judged, is_percent: bool, expected: float
) -> None:
    scores, (result,) = score(polygon(each_test("1", a=40), is_percent=is_percent), {"1/a": judged})
    assert (result.verdict, result.score) == (WA if judged is WA else AC, expected)
    assert scores.score == expected


def test_tests_with_0_points_get_what_the_checker_gives() -> None:
    scores, _ = score(polygon(each_test("1", a=0, b=0, c=0)), {"1/a": points("10"), "1/b": points("2.5"), "1/c": AC})
    assert scores.score == 12.5


@pytest.mark.parametrize("text", ["-1", "nan", "points_info=7"])
def test_points_of_a_checker_that_are_no_number_are_a_judge_error(text: str) -> None:
    _, (result,) = score(polygon(each_test("1", a=40)), {"1/a": points(text)})
    assert result.verdict is JE
    assert result.reason.startswith("the points of the checker: expected a number")


@pytest.mark.parametrize(
    ("second", "expected", "reason"),
    [
        (points("30"), 50, ""),
        (points("35"), 50, ""),
        (points("29.5"), 0, "1/b gets 29.5 of 30 points"),
        (WA, 0, ""),
    ],
)
def test_a_complete_group_needs_all_points_of_all_tests(second: Judged, expected: float, reason: str) -> None:
    scores, _ = score(polygon(complete("1", a=20, b=30)), {"1/a": AC, "1/b": second})
    assert scores.score == expected
    (group_result,) = scores.groups
    assert (group_result.verdict, group_result.reason) == (WA if second is WA else AC, reason)


@pytest.mark.parametrize(("first", "second"), [(points("4"), SK), (points("10"), AC), (AC, AC), (WA, SK)])
def test_a_group_with_a_part_of_its_points_does_not_pass_for_those_that_depend_on_it(
    first: Judged, second: Verdict
) -> None:
    root = polygon(each_test("1", a=10), complete("2", "1", a=90))
    _, results = score(root, {"1/a": first, "2/a": AC})
    assert results[1].verdict is second
    assert results[1].reason == ("not judged: 2 requires 1" if second is SK else "")


# ---- a second implementation of "Scoring problems", which has all results at hand ---------------------------------


def naive(root: TestGroup, judged: dict[str, Verdict]) -> tuple[float, dict[str, float], set[str]]:
    """Return the score of the submission, those of the groups, and the cases that are not run."""
    inner = root.groups[1]
    inside = {
        name: [path for path in judged if path.startswith(name + "/")]
        for name in ["sample", *(each.name for each in inner.groups)]
    }
    accepted = {"sample": all(judged[path] is AC for path in inside["sample"])}
    scores: dict[str, float] = {}
    not_run: set[str] = set()
    for each in inner.groups:
        verdicts = [judged[path] is AC for path in inside[each.name]]
        if not all(accepted[name] for name in (*inner.require_pass, *each.require_pass)):
            not_run.update(inside[each.name])
            accepted[each.name], scores[each.name] = False, 0.0
            continue
        accepted[each.name] = all(verdicts)
        assert each.max_score is not None
        share = each.max_score / len(verdicts) if each.aggregation is Aggregation.SUM else each.max_score
        parts = [share if verdict else 0.0 for verdict in verdicts]
        scores[each.name] = sum(parts) if each.aggregation is Aggregation.SUM else min(parts)
    total = min(scores.values()) if inner.aggregation is Aggregation.MIN else sum(scores.values())
    return total, scores, not_run


@st.composite
def packages(draw: st.DrawFn) -> tuple[TestGroup, dict[str, Verdict]]:
    """Draw a package of version 2025-09, and the verdicts on its cases."""
    groups: list[TestGroup] = []
    judged: dict[str, Verdict] = {f"sample/{name}": draw(verdicts) for name in range(draw(st.integers(0, 2)))}
    for number in range(draw(st.integers(1, 5))):
        aggregation = draw(st.sampled_from([Aggregation.SUM, Aggregation.MIN, Aggregation.PASS_FAIL]))
        earlier = [each.name for each in groups if each.aggregation is Aggregation.PASS_FAIL] + ["sample"]
        required = draw(st.lists(st.sampled_from(earlier), unique=True, max_size=2))
        groups.append(group(number, aggregation, float(draw(st.integers(0, 100))), *required))
        judged |= {f"secret/{number}/{name}": draw(verdicts) for name in range(draw(st.integers(1, 4)))}
    settings = {
        "aggregation": draw(st.sampled_from([Aggregation.SUM, Aggregation.MIN])),
        "require_pass": draw(st.sampled_from([(), ("sample",)])),
        "max_score": 500.0,
    }
    return secret(*groups, **settings), judged


verdicts = st.sampled_from([AC, AC, AC, WA, TLE, RTE])


@given(packages())
@settings(max_examples=300)
def test_scores_agree_with_an_implementation_that_has_all_results_at_hand(
    package: tuple[TestGroup, dict[str, Verdict]],
) -> None:
    root, judged = package
    total, of_groups, not_run = naive(root, judged)
    scores, results = score(root, dict(judged))
    assert scores.score == pytest.approx(total)
    found = {each.group.name: each.score for each in scores.groups if each.group.name not in ("sample", "secret")}
    assert found == pytest.approx(of_groups)
    assert {each.case.id for each in results if each.is_omitted} == not_run
    assert all(each.verdict is judged[each.case.id] for each in results if not each.is_omitted)


@given(packages(), st.data())
def test_an_omission_that_is_known_early_stays(
    package: tuple[TestGroup, dict[str, Verdict]], data: st.DataObject
) -> None:
    root, judged = package
    cases = [case(path) for path in judged]
    scorer = Scorer(root, cases)
    at = data.draw(st.integers(0, len(cases) - 1))
    early: set[str] = set()
    for each in cases:
        early |= {later.id for later in cases[at:] if scorer.find_omission(later)} if each is cases[at] else set()
        result = scorer.add(CaseResult(case=each, verdict=judged[each.id]))
        assert result.is_omitted or each.id not in early


# ---- legacy, "Test data groups", "Graders" ------------------------------------------------------------------------


def legacy(*groups: TestGroup, **settings: object) -> TestGroup:
    return TestGroup(name="", groups=groups, **settings)  # type: ignore[arg-type]


def flat(**settings: object) -> TestGroup:
    """Return a legacy package whose group `secret` has these settings, and whose root takes them over."""
    return legacy(TestGroup(name="secret", **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "judged", "verdict", "expected"),
    [
        ({}, [AC, AC], AC, 2),
        ({"accept_score": 5.0}, [AC, AC, AC], AC, 15),
        ({"accept_score": 5.0}, [AC, WA, AC], WA, None),
        ({"verdict_mode": VerdictMode.ALWAYS_ACCEPT, "accept_score": 5.0}, [AC, WA, AC], AC, 10),
        ({"verdict_mode": VerdictMode.ALWAYS_ACCEPT, "reject_score": -1.0}, [AC, WA, AC], AC, 1),
        ({"verdict_mode": VerdictMode.ALWAYS_ACCEPT, "breaks": True}, [AC, WA, AC], AC, 1),
        ({"verdict_mode": VerdictMode.FIRST_ERROR}, [AC, WA, RTE], WA, None),
        ({"verdict_mode": VerdictMode.WORST_ERROR}, [WA, TLE, RTE], RTE, None),
        ({"verdict_mode": VerdictMode.WORST_ERROR}, [WA, TLE, Verdict.OLE], TLE, None),
        ({"verdict_mode": VerdictMode.WORST_ERROR}, [Verdict.MLE, TLE], Verdict.MLE, None),
        ({"verdict_mode": VerdictMode.WORST_ERROR, "breaks": True}, [WA, TLE, RTE], WA, None),
        ({"accepts_any": True}, [WA, AC, TLE], AC, 1),
        ({"accepts_any": True}, [WA, TLE], TLE, None),
        ({"aggregation": Aggregation.MIN, "accept_score": 50.0}, [AC, AC], AC, 50),
        ({"aggregation": Aggregation.MAX}, [points("3"), points("7"), points("5")], AC, 7),
        ({"aggregation": Aggregation.MIN}, [points("3"), points("7"), points("-5")], AC, -5),
        ({"aggregation": Aggregation.AVG}, [points("3"), points("7"), AC], AC, 11 / 3),
        ({"accepts_any": True, "reject_score": 0.5}, [(WA, RawScore(score="4")), AC], AC, 1.5),
        ({"score_range": (0.0, 10.0)}, [points("4"), points("6")], AC, 10),
    ],
)
def test_legacy_grading(
    settings: dict[str, object], judged: Sequence[Judged], verdict: Verdict, expected: float | None
) -> None:
    scores, _ = score(flat(**settings), {f"secret/{number}": each for number, each in enumerate(judged)})
    assert (scores.verdict, scores.score) == (verdict, None if expected is None else pytest.approx(expected))


def test_a_legacy_score_outside_of_its_range_is_a_judge_error() -> None:
    scores, _ = score(flat(score_range=(0.0, 10.0)), {"secret/a": points("11")})
    assert (scores.verdict, scores.score) == (JE, None)
    assert scores.reason == "secret: score 11 is outside of the range 0 to 10"


@pytest.mark.parametrize("root", [flat(), UNBOUNDED])
def test_scores_that_are_too_large_to_be_added_up_are_a_judge_error(root: TestGroup) -> None:
    scores, _ = score(root, {"secret/1/a": points("1e308"), "secret/1/b": points("1e308")})
    assert (scores.verdict or JE, scores.score) == (JE, None)
    assert scores.reason.endswith(": the scores are too large to be added up")


def test_a_rejected_case_ends_its_group_and_the_groups_around_it() -> None:
    inner = [TestGroup(name=f"secret/{name}", breaks=True) for name in "ab"]
    root = legacy(TestGroup(name="sample", breaks=True), TestGroup(name="secret", groups=tuple(inner), breaks=True))
    judged: dict[str, Judged] = {"sample/1": AC, "secret/a/1": WA, "secret/a/2": AC, "secret/b/1": AC}
    scores, results = score(root, judged)
    assert [each.verdict for each in results] == [AC, WA, SK, SK]
    assert results[2].reason == "not judged: secret/a/1 is WA"
    assert results[3].reason == "not judged: secret/a is WA"
    assert scores.verdict is WA
    assert by_name(scores)["secret/b"].verdict is SK


def test_a_group_that_continues_judges_the_next_group() -> None:
    inner = [
        TestGroup(name="secret/a", breaks=True, aggregation=Aggregation.MIN, accept_score=50.0),
        TestGroup(name="secret/b", breaks=True, aggregation=Aggregation.MIN, accept_score=50.0),
    ]
    outer = TestGroup(name="secret", groups=tuple(inner), accepts_any=True, verdict_mode=VerdictMode.FIRST_ERROR)
    root = legacy(TestGroup(name="sample", accept_score=0.0), outer, ignores_sample=True, score_range=(0.0, 100.0))
    judged: dict[str, Judged] = {"sample/1": WA, "secret/a/1": WA, "secret/a/2": AC, "secret/b/1": AC, "secret/b/2": AC}
    scores, results = score(root, judged)
    assert (scores.verdict, scores.score) == (AC, 50)
    assert [each.verdict for each in results] == [WA, WA, SK, AC, AC]
    assert [each.score for each in results] == [0, 0, None, 50, 50]


def test_cases_and_groups_are_graded_in_the_order_of_judging() -> None:
    inner = TestGroup(name="secret/b")
    root = legacy(TestGroup(name="secret", groups=(inner,), verdict_mode=VerdictMode.FIRST_ERROR))
    assert score(root, {"secret/a": AC, "secret/b/1": TLE, "secret/c": WA})[0].verdict is TLE


def test_a_custom_grader_gets_what_is_directly_in_its_group() -> None:
    seen: list[object] = []
    grader = JudgeProgram(source=Path("grade.py"))
    inner = TestGroup(name="secret/b", verdict_mode=VerdictMode.ALWAYS_ACCEPT)
    root = legacy(TestGroup(name="secret", groups=(inner,), grader=grader))
    cases = [case(path) for path in ("secret/a", "secret/b/1", "secret/b/2", "secret/c")]

    def grade(graded: TestGroup, results: Sequence[tuple[Verdict, float]]) -> tuple[Verdict, float]:
        seen.append((graded.name, list(results)))
        return AC, 42.0

    scorer = Scorer(root, cases, grade)
    for each, verdict in zip(cases, (AC, AC, WA, TLE), strict=True):
        scorer.add(CaseResult(case=each, verdict=verdict))
    assert (scorer.finish().verdict, scorer.finish().score) == (AC, 42)
    assert seen == [("secret", [(AC, 1.0), (AC, 1.0), (TLE, 0.0)])]


def test_a_custom_grader_that_fails_is_a_judge_error() -> None:
    root = legacy(TestGroup(name="secret", grader=JudgeProgram(source=Path("grade.py"))))
    scorer = Scorer(root, [case("secret/a")], lambda *_: "grade.py: exit status 1")
    scorer.add(CaseResult(case=case("secret/a"), verdict=AC))
    assert (scorer.finish().verdict, scorer.finish().reason) == (JE, "secret: grade.py: exit status 1")


# ---- as at DOMjudge -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("small", "large", "verdict", "expected"),
    [
        ([AC, AC], [AC, AC], AC, 40),
        ([AC, AC], [AC, WA], WA, 10),
        ([TLE, AC], [AC, AC], TLE, 30),
        ([AC, AC], [points("3"), points("4")], AC, 17),
        ([AC, AC], [(WA, RawScore(score="3")), (TLE, RawScore(score="4"))], WA, 13),
    ],
)
def test_domjudge_gives_the_score_of_a_group_once(
    small: Sequence[Judged], large: Sequence[Judged], verdict: Verdict, expected: float
) -> None:
    first = VerdictMode.FIRST_ERROR
    inner = [
        TestGroup(name="secret/1", accept_score=10.0, verdict_mode=first),
        TestGroup(name="secret/2", accept_score=30.0, verdict_mode=first),
    ]
    outer = TestGroup(name="secret", groups=tuple(inner), verdict_mode=first)
    root = TestGroup(
        name="", rules=Rules.DOMJUDGE, groups=(TestGroup(name="sample", accept_score=0.0), outer), verdict_mode=first
    )
    judged: dict[str, Judged] = {"sample/1": AC}
    judged |= {f"secret/1/{number}": each for number, each in enumerate(small)}
    judged |= {f"secret/2/{number}": each for number, each in enumerate(large)}
    scores, _ = score(root, judged)
    assert (scores.verdict, scores.score) == (verdict, expected)


def test_a_folder_that_is_no_group_for_domjudge_does_not_count() -> None:
    sample = TestGroup(name="sample", aggregation=Aggregation.PASS_FAIL)
    root = TestGroup(name="", rules=Rules.DOMJUDGE, groups=(sample, TestGroup(name="secret", accept_score=10.0)))
    scores, _ = score(root, {"sample/1": (WA, RawScore(score="7")), "secret/1": AC})
    assert (scores.verdict, scores.score) == (AC, 10)


def test_what_fails_in_no_group_of_domjudge_ends_none_and_is_no_acceptance() -> None:
    sample = TestGroup(name="sample", aggregation=Aggregation.PASS_FAIL)
    root = TestGroup(
        name="", rules=Rules.DOMJUDGE, breaks=True, groups=(sample, TestGroup(name="secret", accept_score=10.0))
    )
    scores, results = score(root, {"sample/1": WA, "secret/1": WA})
    assert (scores.verdict, scores.score, results[1].is_omitted) == (WA, 0, False)
    alone = TestGroup(name="", rules=Rules.DOMJUDGE, groups=(sample,))
    scores, _ = score(alone, {"sample/1": RTE})
    assert (scores.verdict, scores.score) == (RTE, 0)


# ---- the best score -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        (secret(), 100),
        (secret(max_score=None), None),
        (legacy(score_range=(0.0, 60.0)), 60),
        (legacy(score_range=(3.0, 60.0), is_minimized=True), 3),
        (legacy(score_range=(0.0, float("inf"))), None),
        (legacy(), None),
    ],
)
def test_the_best_score(root: TestGroup, expected: float | None) -> None:
    assert best_score(root) == expected
