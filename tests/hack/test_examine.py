"""What an examination says of an input."""

import pytest
from msgspec.structs import replace

from judge.hack.examine import Examiner
from judge.hack.pool import WarmPool
from judge.hack.values import Status, Target
from judge.inputs import Grammar
from judge.sandbox.box import Box
from tests.hack.programs import LIMITS, build_programs


@pytest.mark.parametrize(
    ("code", "is_valid", "faults"),
    [
        ("sys.exit(42)", True, []),
        ("sys.exit(43)", False, []),
        ("1 / 0", False, []),
        ("os.abort()", False, []),
        pytest.param(
            "while True: pass",
            None,
            ["the validator v exceeds the time limit on 1 input"],
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_what_the_end_of_a_validator_means(code: str, is_valid: bool | None, faults: list[str]) -> None:
    texts = {"s": "pass\n", "v": f"import os, sys\n{code}\n"}
    with build_programs(texts) as programs, WarmPool() as pool, Box() as box:
        validator = replace(programs["v"], limits=LIMITS)
        target = Target(submission=programs["s"], validators=((validator,),), limits=LIMITS)
        examiner = Examiner(target, pool)
        assert examiner.is_valid(b"1\n", box) is is_valid
        assert examiner.faults.describe() == faults


def test_what_a_reference_prints_without_an_answer_says_that_a_guessed_input_is_not_valid() -> None:
    grammar = Grammar.from_yaml([{"x": {"word": "[0-9A-Z]", "length": "1..9"}}])
    with build_programs({"s": "print(-1)\n", "r": "print(input().lower())\n"}) as programs:
        target = Target(submission=programs["s"], references=(programs["r"],), format=grammar, limits=LIMITS)
        with WarmPool() as pool, Box() as box:
            examiner = Examiner(replace(target, no_answers=frozenset({b"none", b"1000000"})), pool)
            found = [examiner.examine(each, box).status for each in (b"NONE\n", b"EMPTY\n", b"1000000\n")]
    assert found == [Status.INVALID, Status.FAILED, Status.FAILED]  # the last answer is in the input
