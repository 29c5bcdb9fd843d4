"""What an examination says of an input."""

import pytest
from msgspec.structs import replace

from judge.hack.examine import Examiner
from judge.hack.pool import WarmPool
from judge.hack.values import Examined, Status, Target
from judge.inputs import Grammar
from judge.model import FileNames, Limits
from judge.sandbox.box import Box, Command, Outcome
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


class CountingBox(Box):
    """Counts the runs that are alone."""

    alone = 0

    def run(self, command: Command, limits: Limits) -> Outcome:
        """Run as a box does, and count it."""
        self.alone += 1
        return super().run(command, limits)


def facts(found: Examined) -> object:
    return found.status, found.kind, found.expected, found.output


def test_inputs_that_are_examined_together_give_what_each_gives_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.hack.pool.warm_command", lambda _: ("", ""))  # warm runs are single
    texts = {
        "s": "x = int(input())\nprint(1 // (x - 4) if x < 0 or x == 4 else x * x if x != 7 else 0)\n",
        "r": "x = int(input())\nif x == 9: raise SystemExit('no')\nprint(x * x)\n",
    }
    inputs = [b"%d\n" % number for number in (3, 4, -1, 5, 7, 9, 11, 6)]
    grammar = Grammar.from_yaml([{"x": "1..100"}])
    with build_programs(texts) as programs, WarmPool() as pool, CountingBox() as box:
        target = Target(submission=programs["s"], references=(programs["r"],), limits=LIMITS)
        guessed, decided = replace(target, format=grammar), replace(target, grammar=grammar, grammar_decides=True)
        for examiner in (Examiner(guessed, pool), Examiner(decided, pool)):
            alone = {data: facts(examiner.examine(data, box)) for data in inputs}
            before, box.alone = box.alone, 0
            assert {each.data: facts(each) for each in examiner.examine_all(inputs, box)} == alone
            assert box.alone < before  # how many of them depends on how busy the machine is
            box.alone = 0


def test_programs_that_read_a_file_run_one_by_one() -> None:
    texts = {"s": "x = int(open('x.in').read())\nprint(x + (x == 2))\n", "r": "print(open('x.in').read())\n"}
    with build_programs(texts) as programs, WarmPool() as pool, Box() as box:
        names = FileNames(input="x.in", output="")
        target = Target(submission=programs["s"], references=(programs["r"],), limits=LIMITS, file_names=names)
        found = [each.status for each in Examiner(target, pool).examine_all([b"1\n", b"2\n", b"3\n"], box)]
    assert found == [Status.GOOD, Status.FAILED, Status.GOOD]
