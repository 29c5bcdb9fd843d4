"""Sources that run programs: generators of packages."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import islice, repeat
from pathlib import Path
from unittest.mock import Mock

import pytest
from msgspec.structs import replace

from judge.base.units import Seconds
from judge.hack.functions import call_generators
from judge.hack.pool import WarmPool
from judge.hack.sources import (
    GeneratorError,
    Scheduler,
    Source,
    first_pass,
    known_source,
    run_generator,
    take_fair_turns,
)
from judge.hack.values import NamedProgram
from judge.model import Generated, Limits
from judge.preparation.generate import GENERATOR_LIMITS
from judge.sandbox.box import Box
from tests.hack.programs import build_programs

TEXTS = {
    "echo": "import sys\nprint(*sys.argv[1:])\n",
    "large": "import sys\nprint('x' * int(sys.argv[1]))\n",
    "slow": "import sys\nwhile int(sys.argv[1]) > 1000: pass\nprint(sys.argv[1])\n",
    "picky": "import sys\nassert int(sys.argv[1]) >= 1000\nprint(sys.argv[1])\n",
}


@pytest.fixture(scope="module")
def programs() -> Iterator[dict[str, NamedProgram]]:
    with build_programs(TEXTS) as built:
        yield built


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with Box() as made:
        yield made


def made(source: Source, count: int, box: Box) -> list[bytes]:
    """Return the inputs of the next proposals."""
    found: list[bytes] = []
    with WarmPool() as pool:
        for _ in range(count):
            proposal = source.next()
            if callable(proposal):
                found += proposal(box, pool.run)
            elif proposal is not None:
                found.append(proposal)
    return found


def generator(program: NamedProgram, *args: str, scales: bool = True, limits: Limits = GENERATOR_LIMITS) -> Source:
    program = NamedProgram(name=program.name, program=program.program, args=args)
    return Source("generators", run_generator(program, 7, scales=scales, limits=limits))


def test_a_generator_of_a_package_begins_with_small_numbers(programs: dict[str, NamedProgram], box: Box) -> None:
    first, second, *others = made(generator(programs["echo"], "{seed}", "n=200000", "5", "0.25", "1000"), 12, box)
    assert first == b"7 n=2000 5 0.25 10\n"
    assert second == b"8 n=200000 5 0.25 1000\n"
    assert {each.split()[1] for each in others} <= {b"n=200000", b"n=20000", b"n=2000", b"n=200"}


def test_a_generator_of_the_user_gets_the_numbers_that_it_was_given(
    programs: dict[str, NamedProgram], box: Box
) -> None:
    source = generator(programs["echo"], "200000", "0030", scales=False)
    assert made(source, 2, box) == [b"200000 0030 7\n", b"200000 0030 8\n"]


def test_a_generator_need_not_take_smaller_numbers(programs: dict[str, NamedProgram], box: Box) -> None:
    assert set(made(generator(programs["picky"], "2000", "{seed}"), 12, box)) == {b"2000\n"}


def test_a_slow_generator_of_a_package_makes_nothing_and_one_of_the_user_fails(
    programs: dict[str, NamedProgram], box: Box
) -> None:
    limits = replace(GENERATOR_LIMITS, cpu=Seconds(0.2))
    assert made(generator(programs["slow"], "100000", "{seed}", limits=limits), 2, box) == [b"10\n"]
    with pytest.raises(GeneratorError, match="does not end within"):
        made(generator(programs["slow"], "100000", scales=False, limits=limits), 1, box)


def test_generators_with_small_inputs_have_more_turns() -> None:
    small, large = (Source("generators", repeat(lambda *_, text=text: [text])) for text in (b"1", b"1" * 10_000))
    made = (each(Mock(), Mock()) for each in islice(take_fair_turns([large, small]), 44))
    turns = Counter(len(data) for inputs in made for data in inputs)
    assert turns[10_000] * 5 < turns[1]
    assert turns[10_000] > 1


def test_large_inputs_wait_until_all_sources_have_had_their_turn(programs: dict[str, NamedProgram], box: Box) -> None:
    source = generator(programs["large"], "2000000", "{seed}")
    assert [len(each) for each in made(first_pass(source, 2, Seconds(60)), 2, box)] == [21]


def test_known_inputs_of_a_first_pass_are_all_tried(box: Box) -> None:
    assert made(first_pass(known_source("known", [b"1" * 2_000_000, b"2"]), 5, Seconds(60)), 5, box) == [
        b"2",
        b"1" * 2_000_000,
    ]


def test_a_source_that_makes_nothing_gets_less_and_less_time() -> None:
    idle = Source("idle", (b"%d" % number for number in range(1000)))
    useful = Source("useful", (b"x%d" % number for number in range(1000)))
    scheduler = Scheduler([], [idle, useful])
    turns: Counter[str] = Counter()
    for number in range(200):
        found = scheduler.next()
        assert found is not None
        source, (proposal,) = found
        turns[source.name] += 1
        if source is useful:
            assert isinstance(proposal, bytes)
            scheduler.learn(source, proposal, is_valid=True, answer=b"%d" % number)
        scheduler.spend(source, time.monotonic() - 1, made=source is useful)
    assert turns["useful"] > 3 * turns["idle"] > 0


def test_inputs_of_one_source_come_together_until_they_are_many_bytes() -> None:
    inputs = [b"1", b"2", b"1", b"3" * 20_000, b"4", b"5"]
    for scheduler in (Scheduler([Source("x", iter(inputs))], []), Scheduler([], [Source("x", iter(inputs))])):
        found = [scheduler.next(4) for _ in range(3)]
        assert [each and each[1] for each in found] == [[b"1", b"2", b"3" * 20_000], [b"4", b"5"], None]


def test_inputs_that_were_not_examined_are_proposed_again() -> None:
    source = Source("x", iter([b"1", b"2", b"3", b"2", b"4"]))
    scheduler = Scheduler([source], [])
    assert scheduler.next(3) == (source, [b"1", b"2", b"3"])
    scheduler.put_back(source, [b"2", b"3"])
    assert scheduler.next(4) == (source, [b"2", b"3", b"4"])


def test_inputs_come_back_after_another_worker_has_used_up_their_source() -> None:
    for is_first in (True, False):
        source = Source("x", iter([b"1", b"2", *[b"1"] * 600]))
        scheduler = Scheduler([source], []) if is_first else Scheduler([], [source])
        assert scheduler.next(16) == (source, [b"1", b"2"])
        assert scheduler.next(16) is None
        scheduler.put_back(source, [b"2"])
        assert scheduler.next(16) == (source, [b"2"])
        assert scheduler.next(16) is None


def test_generators_in_several_folders_all_have_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []

    def generate(_problem: str, wanted: Sequence[Generated], _box: Box, *, limits: Limits) -> list[bytes]:
        assert limits.cpu > 0
        assert len({each.file.parent for each in wanted}) == 1
        called.extend(str(each.file) for each in wanted)
        return [b"1\n"] * len(wanted)

    monkeypatch.setattr("judge.hack.functions.generate", generate)
    files = ("a/one.py", "b/two.py")
    recipes = [Generated(file=Path(each), function="f") for each in files]
    for make in islice(call_generators("generators", "p", recipes, seed=1), 20):
        make(Mock(without_repeats=nullcontext), None)  # type: ignore[arg-type]
    assert set(called) == set(files)
