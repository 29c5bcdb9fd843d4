"""How large cases are, which limits they pass, and which of them are redundant."""

from pathlib import Path

from judge.preparation.cases import ReadyCase
from judge.strength.cases import case_size, largest_cases, limits_passed, redundant_cases
from tests.report_scenarios import case

SIZES = {"a": (1.0, 1.0, 5.0, 0.0), "b": (2.0, 2.0, 5.0, 0.0), "c": (3.0, 1.0, 5.0, 0.0)}
"""Greatest in bytes: c; by the first number: b; the other numbers say nothing."""


def test_the_size_of_a_case_counts_whole_numbers_only(tmp_path: Path) -> None:
    path = tmp_path / "large.in"
    path.write_bytes(b"x 3 -70 4e9 5.5\n8z 1_0\n")
    large = case("group/large")
    assert case_size(ReadyCase(case=large, input=path, answer=b"-12 7")) == (23.0, 3.0, 70.0, 12.0)
    assert case_size(ReadyCase(case=large, input=b"none", answer=None)) == (4.0, 0.0, 0.0, 0.0)
    assert case_size(ReadyCase(case=large, input=tmp_path / "gone", answer=None)) == (0.0, 0.0, 0.0, 0.0)


def test_more_cases_pass_more_limits() -> None:
    shares = [limits_passed(SIZES, some) for some in ({"a"}, {"c"}, {"a", "b"}, {"b", "c"}, SIZES)]
    assert shares == [0.0, 0.5, 0.75, 1.0, 1.0]
    assert limits_passed({"a": SIZES["a"]}, {"a"}) == 1.0  # there is no limit


def test_the_largest_cases_are_not_redundant() -> None:
    assert largest_cases(SIZES) == [["c"], ["b"]]
    assert redundant_cases(list(SIZES), (), [["a", "b"]]) == ["b", "c"]
    assert redundant_cases(list(SIZES), (), [["a", "b"], *largest_cases(SIZES)]) == ["a"]
    assert redundant_cases(list(SIZES), ["a"], [["a", "b"]]) == ["b", "c"]
