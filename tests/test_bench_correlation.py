"""The statistics of `bench.bench_correlation`: what predicts perfectly has rho 1, what says nothing has 0."""

import msgspec
import pytest

from bench.bench_correlation import (
    LARGER_PREFIX,
    Matrix,
    Row,
    count_changes,
    find_limits,
    find_worth,
    learn_weights,
    read_evidence,
    share,
    spearman,
    subsuming,
)
from bench.larger_mistakes import SECOND_ORDER, larger_mistakes
from judge.model import Verdict
from judge.strength.mutation.probe import parses

CASES = 12
KILLS = [0b1, 0b11, 0b11000, 0b1000000, 0b111100000000, 0b100000000000]  # by some submissions that are wrong


def row(name: str, operator: str, kills: int, verdict: Verdict = Verdict.WA) -> Row:
    return Row(name, operator, [verdict if kills >> case & 1 else Verdict.AC for case in range(CASES)])


def matrix(mutants: list[int]) -> Matrix:
    wrong = [row(f"{kills}.py", "", kills) for kills in KILLS]
    wrong += [row("slow.py", "", 0b1111, Verdict.TLE), row("crash.py", "", 2**CASES - 1, Verdict.RTE)]
    found = [row(f"a.py:{kills}", "comparison", kills) for kills in mutants]
    return Matrix(
        "p",
        [str(case) for case in range(CASES)],
        [*found, *wrong],
        [(float(case), 0.0, 0.0, 0.0) for case in range(CASES)],
    )


@pytest.mark.parametrize(
    ("scores", "outcomes", "rho"),
    [
        ([1, 2, 3], [10, 20, 21], 1.0),
        ([1, 2, 3], [3, 2, 1], -1.0),
        ([1, 1, 2, 2], [1, 2, 1, 2], 0.0),
        ([1, 2, 2, 4], [1, 3, 2, 4], 0.9486833),
        ([1, 1, 1], [1, 2, 3], 0.0),
        ([1, 2, 3], [1, 1, 1], None),
    ],
)
def test_spearman(scores: list[float], outcomes: list[float], rho: float | None) -> None:
    assert spearman(scores, outcomes) == (None if rho is None else pytest.approx(rho))


def test_only_submissions_that_are_wrong_on_some_cases_count_and_each_is_kept_or_held_out() -> None:
    evidence = read_evidence(matrix(KILLS))
    assert evidence is not None
    assert [mask for mask, _ in evidence.wrong] == KILLS
    assert all(sorted([*kept, *held]) == sorted(KILLS) for kept, held in evidence.splits)
    assert all(suite.bit_count() == size for size, suites in evidence.suites.items() for suite in suites)


def test_few_wrong_submissions_say_nothing() -> None:
    whole = matrix([])
    assert read_evidence(Matrix("p", whole.cases, whole.rows[3:], whole.sizes)) is None


def test_the_worth_of_a_score() -> None:
    evidence = read_evidence(matrix(KILLS))
    assert evidence is not None
    held = {id(kept): held for kept, held in evidence.splits}
    perfect = find_worth(evidence, lambda _, kept: share(held[id(kept)]))
    useless = find_worth(evidence, lambda *_: share([0]))
    size = find_worth(evidence, lambda *_: lambda suite: suite.bit_count())
    assert perfect.mixed == pytest.approx(1)
    assert perfect.fixed == pytest.approx(1)
    assert (useless.mixed, useless.fixed) == (0, 0)
    assert size.fixed == 0
    assert size.mixed is not None
    assert size.mixed > 0.5


def test_weights_come_from_the_other_packages() -> None:
    rhos = {"comparison": {"p": 0.9, "q": 0.1, "r": 0.3}, "constant": {"p": 0.5}, "loop-exit": {"q": -0.5}}
    assert learn_weights(rhos, without="p") == {"comparison": pytest.approx(0.2), "constant": 0, "loop-exit": 0}


def test_a_limit_is_passed_by_the_cases_above_it() -> None:
    sizes = [(3.0, 1.0, 0.0, 0.0), (5.0, 1.0, 0.0, 0.0), (9.0, 2.0, 0.0, 0.0)]
    assert sorted(find_limits(sizes)) == [(0b100, 0.5), (0b100, 1.0), (0b110, 0.5)]


def test_mutants_with_larger_mistakes_are_counted_apart() -> None:
    whole = matrix(KILLS)
    evidence = read_evidence(msgspec.structs.replace(whole, rows=[row("a.py:1", LARGER_PREFIX + "x", 3), *whole.rows]))
    assert evidence is not None
    assert (evidence.larger, evidence.mutants) == ({"x": [3]}, {"comparison": KILLS})


def test_what_a_harder_mutant_is_killed_with_does_not_count() -> None:
    assert sorted(subsuming([0, 0b1, 0b1, 0b11, 0b110, 0b111])) == [0b1, 0b110]


def test_larger_mistakes_are_sources() -> None:
    text = b"n, m = map(int, input().split())\nfor i in range(n):\n    if i < m: print(max(i * m, 5))\n"
    found = larger_mistakes(text, 20)
    assert {each.operator for each in found} >= {SECOND_ORDER, "right only up to a limit", "a type is too small"}
    assert all(parses(each.apply(text)) and each.apply(text) != text for each in found)


def test_how_far_a_submission_is_from_the_nearest_accepted_one() -> None:
    accepted = ["a\nb\nc\n", "x\ny\n"]
    texts = ["a\n  b\n# why\nc\n", "a\nq\nc\n", "x\ny\nz\nz\n", "b\n"]
    assert [count_changes(each, accepted) for each in texts] == [0, 1, 2, 2]
