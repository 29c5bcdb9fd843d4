"""Comparisons of times: what they conclude, and when the runs stop."""

import math
import random
from collections.abc import Iterator
from itertools import count, product, repeat
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.base.units import Seconds
from judge.languages.build import Program, build
from judge.model import DEFAULT_LIMITS
from judge.preparation.cases import ReadyCase
from judge.sandbox.box import Box
from judge.timing import comparison as statistics
from judge.timing.comparison import (
    DIFFERENT_FROM,
    ERROR_RATE,
    LOOKS,
    MIN_PAIRS,
    SAME_WITHIN,
    Comparison,
    ComparisonKind,
    Interval,
    Pair,
    conclude,
    estimate,
    inconclusive,
    minimum_interval,
    wilcoxon_interval,
)
from judge.timing.measure import choose_case, compare, decide, with_hash_seed
from tests.programs import limits
from tests.report_scenarios import case as make_case

SWAPPED = {ComparisonKind.SLOWER: ComparisonKind.FASTER, ComparisonKind.FASTER: ComparisonKind.SLOWER}


def pair(old: float, new: float, start: float = 0.0) -> Pair:
    return Pair(old=Seconds(old), new=Seconds(new), start=Seconds(start))


def swap(pairs: list[Pair]) -> list[Pair]:
    return [replace(each, old=each.new, new=each.old) for each in pairs]


times = st.floats(min_value=0.02, max_value=20.0)
many_pairs = st.lists(st.builds(pair, times, times), min_size=MIN_PAIRS, max_size=40)


def noisy(chance: random.Random, ratio: float, noise: float) -> Iterator[Pair]:
    """Yield pairs of a machine that is slow for a while now and then, with noise in each run."""
    slowness = 1.0
    while True:
        if chance.random() < 0.2:
            slowness = chance.choice((1.0, 1.0, 2.0))
        old, new = (slowness * (1 + chance.expovariate(1 / noise)) for _ in range(2))
        yield pair(0.060 * old, 0.060 * ratio * new)


def answers(ratio: float, noise: float, comparisons: int, at_most: int = LOOKS[3]) -> list[ComparisonKind]:
    """Return the answers of comparisons on such a machine, of at most this many pairs each."""
    chance = random.Random(20)
    streams = (noisy(chance, ratio, noise) for _ in range(comparisons))
    return [decide((next(each) for _ in range(at_most)), Seconds(math.inf)).kind for each in streams]


# ---- what the times allow to say ------------------------------------------------------------------------------------


@settings(deadline=None)
@given(many_pairs)
def test_swapping_old_and_new_inverts_the_answer(pairs: list[Pair]) -> None:
    there, back = conclude(pairs), conclude(swap(pairs))
    assert back.kind is SWAPPED.get(there.kind, there.kind)
    if there.interval is not None:
        assert back.interval is not None
        assert back.interval.low == pytest.approx(1 / there.interval.high)
        assert back.interval.high == pytest.approx(1 / there.interval.low)


@settings(deadline=None)
@given(many_pairs)
def test_the_ratio_lies_in_the_interval(pairs: list[Pair]) -> None:
    ratio, interval = estimate(pairs)
    assert interval is None or interval.low <= ratio <= interval.high


@settings(deadline=None)
@given(st.lists(times, min_size=MIN_PAIRS, max_size=40))
def test_equal_times_are_no_change(measured: list[float]) -> None:
    result = conclude([pair(each, each) for each in measured])
    assert result.kind is ComparisonKind.SAME
    assert result.ratio == pytest.approx(1.0)


@settings(deadline=None)
@given(many_pairs, st.floats(min_value=1.0, max_value=3.0))
def test_a_slower_new_program_never_looks_faster(pairs: list[Pair], factor: float) -> None:
    before, after = estimate(pairs)[1], estimate([pair(each.old, each.new * factor) for each in pairs])[1]
    if before is not None and after is not None:
        assert after.low >= before.low * (1 - 1e-9)
        assert after.high >= before.high * (1 - 1e-9)


def test_the_start_is_subtracted_from_the_work() -> None:
    result = conclude([pair(0.060, 0.065, start=0.010 + 0.001 * number) for number in range(20)])
    assert result.kind is ComparisonKind.SLOWER
    assert result.ratio == pytest.approx(1.1)


def test_a_change_within_the_noise_of_the_start_is_inconclusive() -> None:
    result = conclude([pair(0.012, 0.016, start=0.010)] * 20)
    assert result.kind is ComparisonKind.INCONCLUSIVE
    assert "too short to compare: 6 ms of work and 10 ms of start" in result.reason


def test_too_few_pairs_are_inconclusive_however_clear_they_look() -> None:
    result = conclude([pair(0.1, 9.9)] * (MIN_PAIRS - 1))
    assert result.kind is ComparisonKind.INCONCLUSIVE
    assert "only 10 pairs" in result.reason


def test_the_critical_rank_is_the_largest_with_the_stated_error_rate() -> None:
    pairs = 14
    sums = sorted(sum(signs) for signs in product(*((0, rank) for rank in range(1, pairs + 1))))
    rank = statistics._critical_rank(pairs)
    assert sum(each <= rank - 1 for each in sums) / len(sums) <= ERROR_RATE / 2
    assert sum(each <= rank for each in sums) / len(sums) > ERROR_RATE / 2


@pytest.mark.parametrize("pairs", [40, 65, 115])
def test_the_approximation_for_many_pairs_is_on_the_safe_side(pairs: int) -> None:
    assert 0 < statistics._critical_rank(pairs, most_exact=0) <= statistics._critical_rank(pairs, most_exact=pairs)


def test_each_interval_misses_the_true_ratio_at_most_at_its_error_rate() -> None:
    chance, missed, tried = random.Random(11), 0, 2000
    for _ in range(tried):
        measured = noisy(chance, 1.3, 0.2)
        pairs = [next(measured) for _ in range(20)]
        for interval in (minimum_interval(pairs), wilcoxon_interval(pairs)):
            assert interval is not None
            missed += not interval.low <= 1.3 <= interval.high
    assert missed / tried <= 3 * ERROR_RATE  # at most 2 are expected; the seed makes the number the same in every run


# ---- when to stop ---------------------------------------------------------------------------------------------------


def test_all_looks_together_are_wrong_in_at_most_two_percent() -> None:
    assert 2 * len(LOOKS) * ERROR_RATE <= 0.02
    assert LOOKS[0] >= MIN_PAIRS
    assert sorted(set(LOOKS)) == list(LOOKS)


def test_an_unclear_comparison_ends_after_the_last_look() -> None:
    chance = random.Random(1)
    result = decide(noisy(chance, 1 + (DIFFERENT_FROM + SAME_WITHIN) / 2, 0.3), Seconds(math.inf))
    assert (result.kind, result.pairs) == (ComparisonKind.INCONCLUSIVE, LOOKS[-1])
    assert "the same code varies by" in result.reason or "a longer case" in result.reason


def test_no_pair_starts_after_the_time_is_up() -> None:
    clock = count()
    result = decide(repeat(pair(0.1, 0.2)), Seconds(3), clock=lambda: float(next(clock)))
    assert (result.kind, result.pairs) == (ComparisonKind.INCONCLUSIVE, 4)
    assert "only 4 pairs" in result.reason


def test_identical_code_is_called_slower_or_faster_in_two_percent_at_most() -> None:
    for noise in (0.005, 0.05, 0.3):
        found = answers(1.0, noise, 150)
        assert sum(kind in SWAPPED for kind in found) <= 0.02 * len(found)


def test_a_slowdown_of_five_percent_is_found_with_little_noise() -> None:
    found = answers(1.05, 0.01, 100)
    assert found.count(ComparisonKind.SLOWER) >= 95


# ---- the sentence ---------------------------------------------------------------------------------------------------


def comparison(kind: ComparisonKind, ratio: float, low: float, high: float) -> Comparison:
    return Comparison(kind=kind, ratio=ratio, interval=Interval(low=low, high=high), pairs=9)


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (comparison(ComparisonKind.SLOWER, 1.31, 1.29, 1.33), "1.31 x slower (29 to 33%, 9 pairs)"),
        (comparison(ComparisonKind.SLOWER, 1.05, 1.03, 1.062), "1.05 x slower (3.0 to 6.2%, 9 pairs)"),
        (comparison(ComparisonKind.SLOWER, 25, 22, 30), "25.0 x slower (2100 to 2900%, 9 pairs)"),
        (comparison(ComparisonKind.FASTER, 0.8, 0.78, 0.82), "0.80 x: faster (18 to 22%, 9 pairs)"),
        (comparison(ComparisonKind.SAME, 1.0, 0.988, 1.01), "no change (within 1.2%)"),
        (comparison(ComparisonKind.SAME, 1.0, 0.99, 1.012), "no change (within 1.2%)"),
        (inconclusive("too short"), "inconclusive: too short"),
    ],
)
def test_a_comparison_is_one_sentence(result: Comparison, sentence: str) -> None:
    assert str(result) == sentence


def test_an_inconclusive_answer_gives_the_likely_and_the_possible_ratio() -> None:
    pairs = [pair(0.1 * (1 + 0.1 * (number % 3)), 0.1 * (1 + 0.1 * (number % 4))) for number in range(MIN_PAIRS)]
    assert "% is possible after 11 pairs" in str(conclude(pairs))


def test_the_case_comes_after_an_answer_and_before_a_reason() -> None:
    slower = replace(comparison(ComparisonKind.SLOWER, 1.31, 1.29, 1.33), case="edge/big")
    assert str(slower) == "1.31 x slower (29 to 33%, 9 pairs) on edge/big"
    unclear = replace(inconclusive("try again on a quieter machine"), case="edge/big")
    assert str(unclear) == "edge/big: inconclusive: try again on a quieter machine"
    assert str(inconclusive("no source")) == "inconclusive: no source"


# ---- real runs ------------------------------------------------------------------------------------------------------

WORK = """
    total = 0
    for number in range(int(input()) * {times}):
        total += number * number % 7
    print(total)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("programs")
    made.chmod(0o755)  # the sandbox may run programs as another user
    return made


@pytest.fixture(scope="module")
def box(folder: Path) -> Iterator[Box]:
    with Box(work_folder=folder) as made:
        yield made


def program(text: str, folder: Path, box: Box, name: str = "solution.py") -> Program:
    source = folder / name
    source.write_text(dedent(text))
    built = build(source, folder, box)
    assert isinstance(built, Program)
    return built


def case(text: str = "", cpu: float = 5.0) -> ReadyCase:
    return ReadyCase(case=replace(make_case("sample/one"), limits=limits(cpu=cpu)), input=text.encode(), answer=None)


def test_five_times_the_work_is_slower_and_a_fifth_is_faster(folder: Path, box: Box) -> None:
    old, new = (program(WORK.format(times=times), folder, box) for times in (1, 5))
    assert compare(old, new, case("100000"), box, folder=folder).kind is ComparisonKind.SLOWER
    assert compare(new, old, case("100000"), box, folder=folder).kind is ComparisonKind.FASTER


@pytest.mark.thorough
def test_programs_of_two_languages_are_compared_with_their_start(folder: Path, box: Box) -> None:
    quick = program("int main(void) { return 0; }\n", folder, box, "quick.c")
    slow = program(WORK.format(times=1), folder, box)
    assert compare(slow, quick, case("500000"), box, folder=folder).kind is ComparisonKind.FASTER


def test_a_program_that_does_nothing_is_too_short_to_compare(folder: Path, box: Box) -> None:
    same = program("print(1)\n", folder, box)
    result = compare(same, same, case(), box, folder=folder)
    assert result.kind is ComparisonKind.INCONCLUSIVE
    assert "too short to compare" in result.reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raise SystemExit(3)", "the new program: RTE, exit status 3"),
        ("while True: pass", "the new program: TLE, CPU time limit exceeded: 500 ms"),
        ("import os; os.abort()", "the new program: RTE, killed by signal 6 (SIGABRT)"),
        ("kept = bytearray(1 << 30)", "the new program: MLE, "),
    ],
)
def test_a_failed_run_makes_the_answer_inconclusive_and_is_named(
    folder: Path, box: Box, text: str, reason: str
) -> None:
    fine = program("print(1)\n", folder, box)
    # on a busy machine, allocating the memory may take half a second
    limit = 0.5 if "TLE" in reason else 5.0
    result = compare(fine, program(text, folder, box), case(cpu=limit), box, folder=folder)
    assert result.kind is ComparisonKind.INCONCLUSIVE
    assert result.reason.startswith(reason)


def test_timed_python_has_the_given_hash_seed_and_is_isolated(folder: Path, box: Box) -> None:
    show = """
        import sys
        folder = __file__.rpartition("/")[0]
        print(hash("x"), sys.flags.no_user_site, sys.flags.safe_path, folder in sys.path)
    """
    command = program(show, folder, box).command(b"", DEFAULT_LIMITS)
    outputs = [box.run(with_hash_seed(command, seed), DEFAULT_LIMITS).stdout.split() for seed in (1, 1, 2)]
    assert outputs[0] == outputs[1] != outputs[2]
    assert outputs[0][1:] == [b"1", b"True", b"False"]


# ---- which case -----------------------------------------------------------------------------------------------------


def test_the_longest_case_whose_pairs_fit_into_the_time_is_chosen() -> None:
    times = {"short": Seconds(0.1), "long": Seconds(9.0), "middle": Seconds(2.0)}
    chosen = [choose_case(times, Seconds(budget)) for budget in (60, 600, 1)]
    assert chosen == ["middle", "long", "short"]
