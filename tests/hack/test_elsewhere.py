"""Inputs that are examined on another machine: the same answers as in the box itself."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from judge.hack.examine import Examiner, examine_for_remote
from judge.hack.pool import WarmPool
from judge.hack.values import (
    Examination,
    ExaminationAnswer,
    ExaminationDelegate,
    Examined,
    JudgingFailure,
    NamedProgram,
    Status,
    Target,
    VariedProgram,
)
from judge.sandbox.box import Box
from tests.hack.programs import LIMITS, build_programs

TEXTS = {
    "submission": "n = int(input())\nif n == 3: 1 / 0\nprint(n + 1 if n < 5 else n)\n",
    "reference": "n = int(input())\nif n == 9: exit(1)\nprint(n + 1)\n",
    "second": "n = int(input())\nprint(n + 1 if n < 7 else 0)\n",
    "validator": "import sys\nsys.exit(42 if 0 <= int(input()) < 10 else 43)\n",
}
INPUTS = [b"1\n", b"3\n", b"5\n", b"9\n", b"10\n", b"x\n"]


class Elsewhere(ExaminationDelegate, Box):
    """A box that has another one examine everything, or nothing."""

    def __init__(self, other: Box, pool: WarmPool, *, is_able: bool = True) -> None:
        super().__init__()
        self.other, self.pool, self.is_able, self.asked = other, pool, is_able, 0

    def examine_remotely(self, target: Target, examination: Examination) -> ExaminationAnswer | None:
        """Examine an input in the other box."""
        self.asked += 1
        return examine_for_remote(target, examination, self.pool, self.other) if self.is_able else None


@pytest.fixture(scope="module")
def programs() -> Iterator[dict[str, NamedProgram]]:
    with build_programs(TEXTS) as built:
        yield built


@pytest.fixture
def target(programs: dict[str, NamedProgram]) -> Target:
    """A submission that is wrong from 5 on and crashes at 3, and a reference that crashes at 9."""
    return Target(
        submission=programs["submission"],
        references=(programs["reference"],),
        validators=((programs["validator"],),),
        limits=LIMITS,
    )


def test_what_another_place_finds_out_is_what_this_one_does(target: Target) -> None:
    with WarmPool() as pool, Box() as here, Box() as there, Elsewhere(there, pool) as box:
        local, remote = Examiner(target, pool), Examiner(target, pool)
        for data in INPUTS:
            expected, found = local.examine(data, here), remote.examine(data, box)
            assert (found.data, found.status, found.kind) == (data, expected.status, expected.kind)
            assert found.expected == expected.expected
            assert local.is_valid(data, here) is remote.is_valid(data, box)
        assert [remote.examine(data, box).status for data in INPUTS] == [
            Status.GOOD, Status.FAILED, Status.FAILED, Status.UNKNOWN, Status.INVALID, Status.INVALID,
        ]  # fmt: skip
        assert remote.runs == 2 * local.runs == 6
        assert local.faults.describe() == ["reference crashes on 1 input (exit status 1)"]
        assert remote.faults.describe() == ["reference crashes on 2 inputs (exit status 1)"]
        assert box.asked == 3 * len(INPUTS)


def test_variants_run_elsewhere_as_they_do_here(target: Target, programs: dict[str, NamedProgram]) -> None:
    variant = VariedProgram(name="v", program=programs["validator"].program)
    target = replace(target, variants=(variant,))
    with WarmPool() as pool, Box() as here, Box() as there, Elsewhere(there, pool) as box:
        local, remote = (Examiner(target, pool).examine(b"1\n", each, is_trusted=True) for each in (here, box))
    assert remote.failed
    assert (remote.kind, remote.cause, remote.output) == (local.kind, local.cause, local.output)


def test_a_failure_is_confirmed_here(target: Target) -> None:
    with WarmPool() as pool, Box() as there, Elsewhere(there, pool) as box:
        examiner = Examiner(target, pool)
        found = examiner.examine(b"5\n", box)
        asked = box.asked
        assert examiner.confirm(found, box) is not None
        assert box.asked == asked


def test_an_input_on_which_the_checker_fails_elsewhere_is_kept(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    failure = JudgingFailure(reason="the checker c: exit status 1", input=b"1\n", output=b"", is_certain=True)
    answer = ExaminationAnswer(examined=Examined(data=b"", status=Status.UNKNOWN), judging_failure=failure)
    with WarmPool() as pool, Box() as there, Elsewhere(there, pool) as box:
        monkeypatch.setattr(box, "examine_remotely", lambda *_: answer)
        examiner = Examiner(target, pool)
        examiner.examine(b"1\n", box)
        assert examiner.faults.judging_failure == failure
        examiner.faults.keep(replace(failure, input=b"", is_certain=False))
        assert examiner.faults.judging_failure == failure, "a valid input comes first"
        smaller = replace(failure, input=b"0\n")
        examiner.faults.keep(smaller)
        assert examiner.faults.judging_failure == smaller
