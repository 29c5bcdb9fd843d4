"""What an examination says of an input."""

import pytest
from msgspec.structs import replace

from judge.hack.examine import Examiner
from judge.hack.pool import WarmPool
from judge.hack.values import Target
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
