"""A search of one target: what it reports after a deadline or Ctrl-C, and if references disagree."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace

from judge.base.units import Seconds
from judge.hack.search import Plan, Search
from judge.hack.sources import Source, known_source
from judge.hack.values import (
    Goal,
    NamedProgram,
    Progress,
    Report,
    SearchOptions,
    SearchResult,
    Target,
)
from judge.inputs.guess import Guess
from judge.runner.executors import Interrupted, LocalExecutor
from tests.hack.programs import LIMITS, build_programs

Programs = dict[str, NamedProgram]

TEXTS = {
    "accepts": "exit(42)\n",
    "double": "n = int(input())\nprint(2 * n)\n",
    "none": "print(0)\n",
    "one": "print(1)\n",
    "crashes": "exit(1)\n",
    "few_tests": "n, *rest = open(0).read().split()\nexit(42 if 2 * int(n) == len(rest) <= 20 else 43)\n",
    "lengths": "for _ in range(int(input())):\n    print(len(input()), int(input()))\n",
    "lengths_of_10": "a = [0] * 10\nfor at in range(int(input())):\n    print(len(input()), int(input()) + a[at])\n",
    "fails_twice": "n = int(input())\nif n == 13: exit(3)\nprint(2 * n * (n != 9))\n",
    "hangs": "import time\ntime.sleep(600)\n",
    "none_below_9": "print(0 if int(input()) < 9 else 1)\n",
}


@pytest.fixture(scope="module")
def programs() -> Iterator[Programs]:
    with build_programs(TEXTS) as built:
        yield built


@pytest.fixture(scope="module")
def executor() -> Iterator[LocalExecutor]:
    with LocalExecutor(1) as found:
        yield found


def make_target(programs: Programs, submission: str, *references: str, validators: Sequence[str] = ()) -> Target:
    return Target(
        submission=programs[submission],
        references=[programs[each] for each in references],
        validators=[[programs[each]] for each in validators],
        limits=LIMITS,
    )


def search(
    executor: LocalExecutor,
    target: Target,
    inputs: Sequence[bytes],
    options: SearchOptions | None = None,
    *,
    report: Report = lambda _: None,
    proposed: Sequence[bytes] = (),
) -> SearchResult:
    """Search among known inputs, and then among proposed ones, which need not be valid."""
    options = replace(options or SearchOptions(), budget=Seconds(60.0))
    plan = Plan(
        first=[known_source("known cases", inputs, is_trusted=True)], sources=[Source("proposed", iter(proposed))]
    )
    return Search(target, plan, options, executor, report).run()


@pytest.mark.parametrize(
    ("kinds", "known", "is_found"),
    [
        (("none", "none"), [], True),
        (("double", "none"), [], False),
        (("none", "double"), [], True),
        (("none", "double"), [b"70\n"], True),
    ],
    ids=["both fail", "only the static one fails", "only the own one fails", "only the own one fails on a case"],
)
def test_a_quick_program_only_helps_to_find_what_the_own_one_does(
    kinds: tuple[str, str], known: list[bytes], is_found: bool, programs: Programs, executor: LocalExecutor
) -> None:
    program, static = kinds
    target = make_target(programs, program, "double", validators=["accepts"])
    target = replace(target, submission=replace(target.submission, static=programs[static].program))
    found = search(executor, target, known, proposed=[b"%d\n" % number for number in range(10, 50)])
    assert [(each.input, each.output) for each in found.found] == [(b"1\n", b"0\n")] * is_found
    assert found.faults == []


def test_what_is_proposed_together_with_a_failing_input_is_examined_in_the_next_round(
    programs: Programs, executor: LocalExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.hack.search._AT_ONCE_S", 60.0)  # however busy the machine is
    target = make_target(programs, "fails_twice", "double")
    proposed = [b"%d\n" % number for number in range(1, 30)]
    found = search(executor, target, [], SearchOptions(findings=3), proposed=proposed)
    assert [each.input for each in found.found] == [b"9\n", b"13\n"]
    assert found.inputs == len(proposed)


def test_generators_run_as_often_as_inputs_are_wanted_and_in_order(
    programs: Programs, executor: LocalExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.hack.search._AT_ONCE_S", 60.0)
    made: list[int] = []

    def make(number: int, *_: object) -> list[bytes]:
        made.append(number)
        return [b"%d\n" % number * (10_000 if number % 4 == 3 else 1)]  # a large one ends what is made together

    plan = Plan(sources=[Source("generator", (partial(make, number) for number in count()))])
    options = SearchOptions(budget=Seconds(60.0), max_inputs=20)
    found = Search(make_target(programs, "none", "none"), plan, options, executor).run()
    assert (found.inputs, made) == (20, list(range(20)))


def test_inputs_are_shrunk_as_many_at_once_as_runs_happen_at_once(programs: Programs) -> None:
    """On a cluster, boxes wait for few threads: more at once would only be examined for nothing."""
    sizes: list[int] = []

    class Cluster(LocalExecutor):
        parallel_runs = 1

        def map(self, function: Any, items: Any, *arguments: Any, **options: Any) -> Any:
            if isinstance(items, list):
                sizes.append(len(items))
            return super().map(function, items, *arguments, **options)

    with Cluster(3) as executor:
        search(executor, make_target(programs, "none", "double"), [b"70\n"])
    assert set(sizes) == {1}


def test_the_slowest_input_is_reported_if_no_time_is_left_to_shrink_it(
    programs: Programs, executor: LocalExecutor
) -> None:
    options = SearchOptions(goal=Goal.SLOWEST, shrink_budget=Seconds(0.0))
    found = search(executor, make_target(programs, "double"), [b"1\n"], options)
    assert found.slowest is not None
    assert found.slowest.input == b"1\n"


@pytest.mark.parametrize("names", ["hangs double", "double hangs", "double double hangs", "none double accepts"])
def test_a_search_ends_in_time_whatever_the_programs_do(
    names: str, programs: Programs, executor: LocalExecutor
) -> None:
    """Even where neither the proposals nor the runs end: the limits of the programs are ten minutes."""
    submission, reference, *validators = names.split()
    limits = replace(LIMITS, cpu=Seconds(600.0), wall=Seconds(600.0))
    target = replace(make_target(programs, submission, reference), limits=limits)
    target = replace(target, validators=[[replace(programs[each], limits=limits)] for each in validators])
    endless = Source("proposed", (b"%d\n" % number for number in count(10)))
    plan = Plan(sources=[endless], simpler=lambda data, is_over: iter(lambda: data, is_over()))
    result = Search(target, plan, SearchOptions(budget=Seconds(0.6), findings=10**6), executor).run()
    assert not result.was_interrupted
    assert executor.call(lambda _: 1) == 1, "it can be used again"


def test_the_suspect_is_not_blamed_if_the_shrinking_of_a_disagreement_is_interrupted(
    programs: Programs, executor: LocalExecutor
) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.phase == "shrinking":
            raise Interrupted

    target = make_target(programs, "double", "none", "one", validators=["accepts"])
    found = search(executor, target, [b"1\n", b"2\n", b"3\n"], report=interrupt)
    assert found.was_interrupted
    assert found.found == []
    assert found.disagreements


@pytest.mark.parametrize("is_over", [True, False])
def test_at_the_end_of_the_time_a_confirmed_input_is_better_than_a_smaller_one(
    programs: Programs, executor: LocalExecutor, *, is_over: bool
) -> None:
    def end(progress: Progress) -> None:
        tells.append(progress.phase)
        if tells.count("shrinking") > 8:
            searching._is_stopped = is_over
            raise Interrupted

    tells: list[str] = []
    plan = Plan(first=[known_source("known cases", [b"1000000\n"], is_trusted=True)])
    target = make_target(programs, "none_below_9", "none")
    searching = Search(target, plan, SearchOptions(budget=Seconds(60.0)), executor, end)
    (found,) = searching.run().found
    assert found.is_cold is is_over
    assert (found.input == b"1000000\n") is is_over


def test_references_that_disagree_on_a_known_input_are_shown_as_they_are(
    programs: Programs, executor: LocalExecutor
) -> None:
    """No validator is needed: the input is valid. A simpler one may not be."""
    found = search(executor, make_target(programs, "double", "none", "one"), [b"12\n"])
    assert [(each.input, each.outputs, each.is_certain) for each in found.disagreements] == [
        (b"12\n", (b"0\n", b"1\n"), True)
    ]
    assert (found.found, found.rejected) == ([], 0)


def test_references_that_disagree_on_inputs_that_may_not_be_valid_end_no_search(
    programs: Programs, executor: LocalExecutor
) -> None:
    target = make_target(programs, "double", "none", "none_below_9")
    found = search(executor, target, [], proposed=[b"14\n", b"9\n", b"11\n", b"10\n", b"3\n"])
    assert [(each.input, each.expected) for each in found.found] == [(b"1\n", b"0\n")]
    assert (found.rejected, found.disagreements) == (4, [])


def test_references_that_disagree_on_many_inputs_end_no_search(programs: Programs, executor: LocalExecutor) -> None:
    target = make_target(programs, "double", "none", "none_below_9", validators=["accepts"])
    found = search(executor, target, [], proposed=[b"%d\n" % number for number in (*range(10, 17), 3)])
    assert [(each.input, each.expected) for each in found.found] == [(b"1\n", b"0\n")]
    assert found.disagreements


def test_if_nothing_is_found_one_input_that_may_not_be_valid_is_shown(
    programs: Programs, executor: LocalExecutor
) -> None:
    target = make_target(programs, "double", "none", "one")
    found = search(executor, target, [], proposed=[b"14\n", b"9\n", b"11\n", b"10\n"])
    assert [(each.input, each.names, each.outputs, each.is_certain) for each in found.disagreements] == [
        (b"9\n", ("none", "one"), (b"0\n", b"1\n"), False)
    ]
    assert (found.found, found.inputs, found.rejected) == ([], 4, 4)


@pytest.mark.thorough
def test_a_second_reference_that_fails_makes_no_input_invalid(programs: Programs, executor: LocalExecutor) -> None:
    target = make_target(programs, "double", "none", "crashes")
    found = search(executor, target, [], proposed=[b"14\n"])
    assert (found.found, found.rejected) == ([], 0)
    assert found.faults == ["crashes crashes on 1 input (exit status 1)"]
    (known,) = search(executor, target, [b"14\n"]).found
    assert known.confirmed_by == ("none",)


@pytest.mark.thorough
@pytest.mark.parametrize(("submission", "reference"), [("lengths_of_10", "lengths"), ("lengths", "lengths_of_10")])
def test_tests_are_examined_in_inputs_with_as_many_as_the_validator_allows(
    submission: str, reference: str, programs: Programs, executor: LocalExecutor
) -> None:
    guess = Guess.of([b"2\nab\n5\ncde\n6\n", b"1\nx\n3\n", b"3\nxx\n9\nzz\n1\nq\n2\n"])
    assert guess is not None
    target = make_target(programs, submission, reference, validators=["few_tests"])
    target = replace(target, joining=guess.grammars[-1])
    plan = Plan(sources=[Source("proposed", (b"1\nab\n%d\n" % number for number in range(200)), joins=True)])
    found = Search(target, plan, SearchOptions(), executor).run()
    assert (found.found, found.faults, found.rejected) == ([], [], 0)
    assert found.runs >= 20
