"""A search of one target: what it reports after a deadline or Ctrl-C, and if references disagree."""

from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from judge.executors import Interrupted, LocalExecutor
from judge.search.search import Plan, Search
from judge.search.sources import Known
from judge.search.values import (
    Goal,
    NamedProgram,
    Progress,
    Report,
    SearchOptions,
    SearchResult,
    Target,
)
from judge.units import Seconds
from tests.search.programs import LIMITS, build_programs

Programs = dict[str, NamedProgram]

TEXTS = {
    "accepts": "exit(42)\n",
    "double": "n = int(input())\nprint(2 * n)\n",
    "none": "print(0)\n",
    "one": "print(1)\n",
}


@pytest.fixture(scope="module")
def programs() -> Iterator[Programs]:
    with build_programs(TEXTS) as built:
        yield built


@pytest.fixture(scope="module")
def executor() -> Iterator[LocalExecutor]:
    with LocalExecutor(1) as found:
        yield found


def make_target(programs: Programs, suspect: str, *references: str, validators: Sequence[str] = ()) -> Target:
    return Target(
        suspect=programs[suspect],
        references=[programs[each] for each in references],
        validators=[[programs[each]] for each in validators],
        limits=LIMITS,
    )


def search(
    executor: LocalExecutor,
    target: Target,
    inputs: Sequence[bytes],
    options: SearchOptions | None = None,
    report: Report = lambda _: None,
) -> SearchResult:
    options = replace(options or SearchOptions(), budget=Seconds(60.0))
    return Search(target, Plan(first=[Known("known cases", inputs)]), options, executor, report).run()


def test_the_slowest_input_is_reported_if_no_time_is_left_to_shrink_it(
    programs: Programs, executor: LocalExecutor
) -> None:
    options = SearchOptions(goal=Goal.SLOWEST, shrink_budget=Seconds(0.0))
    found = search(executor, make_target(programs, "double"), [b"1\n"], options)
    assert found.slowest is not None
    assert found.slowest.input == b"1\n"


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
