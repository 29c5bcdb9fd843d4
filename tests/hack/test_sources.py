"""Sources that run programs: generators of packages, and steps of the answer."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import Mock

import pytest

from judge.base.units import Seconds
from judge.hack.functions import FunctionGenerator, Recipe
from judge.hack.pool import WarmPool
from judge.hack.sources import FirstPass, IteratorSource, Known, ProgramGenerator, Scheduler, Source
from judge.hack.steps import Steps
from judge.hack.values import NamedProgram
from judge.inputs.observe import Observed, observe
from judge.model import Generated, Limits
from judge.sandbox.box import Box
from tests.hack.programs import LIMITS, build_programs

TEXTS = {
    "echo": "import sys\nprint(*sys.argv[1:])\n",
    "large": "import sys\nprint('x' * int(sys.argv[1]))\n",
    "picky": "import sys\nassert int(sys.argv[1]) >= 1000\nprint(sys.argv[1])\n",
    "root": "from math import isqrt\nprint(isqrt(int(input())))\n",
    "double": "print(2 * int(input()))\n",
    "crashes_on_large": "n = int(input())\nassert n < 10**6\nprint(n // 1000)\n",
    "equal": "a, b = map(int, input().split())\nprint(a >= b)\n",
}


@pytest.fixture(scope="module")
def programs() -> Iterator[dict[str, NamedProgram]]:
    with build_programs(TEXTS) as built:
        yield built


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with Box() as made:
        yield made


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is as good as an idle one."""
    monkeypatch.setattr("judge.hack.steps._PATIENCE", 60.0)


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


def generator(program: NamedProgram, *args: str, scales: bool = True) -> ProgramGenerator:
    program = NamedProgram(name=program.name, program=program.program, args=args)
    return ProgramGenerator("generators", program, 7, scales=scales)


def observed_in(*inputs: bytes) -> Observed:
    found = observe(inputs)
    assert found is not None
    return found


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


def test_large_inputs_wait_until_all_sources_have_had_their_turn(programs: dict[str, NamedProgram], box: Box) -> None:
    source = generator(programs["large"], "2000000", "{seed}")
    assert [len(each) for each in made(FirstPass(source, 2, Seconds(60)), 2, box)] == [21]


@pytest.mark.thorough
@pytest.mark.parametrize("example", [b"15\n", b"7\n"])
def test_steps_of_a_root_are_squares(programs: dict[str, NamedProgram], box: Box, example: bytes) -> None:
    source = Steps(observed_in(example, b"1\n"), [example], [10**12], programs["root"], limits=LIMITS, seed=1)
    found = [int(each) for each in made(source, 30, box)]
    assert max(found) > 10**11
    steps = list(zip(found[::2], found[1::2], strict=True))
    assert all(high == low + 1 and round(high**0.5) ** 2 == high for low, high in steps)


def test_a_step_of_two_numbers_is_where_they_are_equal(programs: dict[str, NamedProgram], box: Box) -> None:
    known = [b"5 900\n", b"70 3\n"]
    source = Steps(observed_in(*known), known, [1000], programs["equal"], limits=LIMITS, seed=1)
    assert b"900 900\n" in made(source, 60, box)


@pytest.mark.parametrize("name", ["double", "crashes_on_large"])
def test_no_step_is_proposed_where_each_number_is_one_or_the_reference_fails(
    programs: dict[str, NamedProgram], box: Box, name: str
) -> None:
    source = Steps(observed_in(b"15\n", b"7\n"), [b"7\n"], [10**12], programs[name], limits=LIMITS, seed=1)
    assert all(int(each) < 10**6 and name != "double" for each in made(source, 10, box))


def test_without_numbers_there_are_no_steps(programs: dict[str, NamedProgram]) -> None:
    source = Steps(observed_in(b"ab\n", b"xyz\n"), [b"ab\n"], [], programs["root"], limits=LIMITS, seed=1)
    assert source.next() is None


def test_known_inputs_of_a_first_pass_are_all_tried(box: Box) -> None:
    assert made(FirstPass(Known("known", [b"1" * 2_000_000, b"2"]), 5, Seconds(60)), 5, box) == [b"2", b"1" * 2_000_000]


def test_a_source_that_makes_nothing_gets_less_and_less_time() -> None:
    idle = IteratorSource("idle", (b"%d" % number for number in range(1000)))
    useful = IteratorSource("useful", (b"x%d" % number for number in range(1000)))
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


def test_generators_in_several_folders_all_have_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []

    def generate(_problem: str, wanted: Sequence[Generated], _box: Box, *, limits: Limits) -> list[bytes]:
        assert limits.cpu > 0
        assert len({each.file.parent for each in wanted}) == 1
        called.extend(str(each.file) for each in wanted)
        return [b"1\n"] * len(wanted)

    monkeypatch.setattr("judge.hack.functions.generate", generate)
    files = ("a/one.py", "b/two.py")
    source = FunctionGenerator("generators", "p", [Recipe(file=Path(each), function="f") for each in files], seed=1)
    for _ in range(20):
        make = source.next()
        assert callable(make)
        make(Mock(without_repeats=nullcontext), None)  # type: ignore[arg-type]
    assert set(called) == set(files)
