"""Whose fault it is: the right file is named, once, and a wrong solution never makes a case invalid."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar, cast

import pytest
from msgspec import Struct
from msgspec.structs import replace

from judge.base.units import Seconds
from judge.model import Case, Inline, Limits, Problem
from judge.model.programs import Protocol
from judge.preparation.cases import DataStore, InvalidCase, MapRuns, PreparedCase, ReadyCase, diagnose
from judge.preparation.prepare import prepare, without_progress
from judge.preparation.store import FactCache, Lock
from judge.runner.executors import LocalExecutor
from judge.sandbox.box import Box, Command, Companion, Outcome
from tests.parameters import first_of
from tests.preparation.sums import (
    GENERATORS,
    SUM,
    case,
    data,
    generated,
    make_store,
    message,
    must_not_run,
    prepare_all,
    to_lock,
)

T = TypeVar("T")
R = TypeVar("R")
C = TypeVar("C", bound=Companion)

WRONG = SUM.replace("sum(", "1 + sum(")
CRASH = "print([][0])"
ENDLESS = "while True: pass"
BROKEN = "print("


def prepare_strictly(
    problem: Problem, cases: list[Case], store: DataStore, executor: LocalExecutor
) -> list[PreparedCase]:
    store = replace(store, facts=FactCache(store.facts.path, start_empty=True))
    return list(without_progress(prepare(problem, cases, store, {}, executor.map, is_strict=True)))


def fault(found: PreparedCase) -> tuple[str, str]:
    """Return the name of the file with the error, and the message."""
    assert isinstance(found, InvalidCase), found
    return found.diagnostic.path.name, found.diagnostic.message


def recorded(executor: LocalExecutor, runs: list[str]) -> MapRuns:
    """Return a `map` whose boxes record the command of each run."""

    def map_recorded(function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
        return executor.map(lambda box, item: function(cast("Box", RecordingBox(box, runs)), item), items)

    return map_recorded


class RecordingBox(Struct, frozen=True):
    """A box that records what it runs."""

    box: Box
    runs: list[str]

    def run(self, command: Command, limits: Limits) -> Outcome:
        """Run a program."""
        self.runs.append(" ".join(command.argv))
        return self.box.run(command, limits)

    def companion(self, kind: type[C]) -> C:
        """Return what belongs to the box."""
        return self.box.companion(kind)


def without_time(problem: Problem) -> Problem:
    """Return the problem with limits that an endless program reaches soon."""
    return replace(problem, limits=replace(problem.limits, cpu=Seconds(0.1), wall=Seconds(1.0)))


# ---- locked answers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    first_of([WRONG, CRASH, BROKEN, ENDLESS], 1),
)
@pytest.mark.parametrize("role", ["reference", "independent"])
def test_a_locked_answer_does_not_depend_on_a_solution_that_was_edited(
    problem: Problem, store: DataStore, executor: LocalExecutor, role: str, source: str
) -> None:
    cases = [case(problem, Inline(b"3 4\n"), name="computed"), case(problem, Inline(b"1 2\n"), b"3\n")]
    before = prepare_all(problem, cases, store, executor)
    getattr(problem, role).write_text(source)
    again = list(without_progress(prepare(problem, cases, store, to_lock(before), must_not_run)))
    assert to_lock(again) == to_lock(before)


@pytest.mark.parametrize(
    "source",
    first_of([WRONG, CRASH, BROKEN, ENDLESS], 1),
)
@pytest.mark.parametrize("role", ["reference", "independent"])
def test_in_a_fresh_clone_any_right_solution_makes_the_locked_answer_again(
    problem: Problem, tmp_path: Path, executor: LocalExecutor, role: str, source: str
) -> None:
    problem = without_time(problem)
    cases = [generated(problem, "numbers", seed) for seed in range(4)]
    before = prepare_all(problem, cases, make_store(tmp_path / "a"), executor)
    getattr(problem, role).write_text(source)
    again = prepare_all(problem, cases, make_store(tmp_path / "b"), executor, to_lock(before))
    answers = [[data(each.answer) for each in run if isinstance(each, ReadyCase)] for run in (before, again)]
    assert answers[0] == answers[1]
    assert len(answers[0]) == 4


def test_a_third_accepted_solution_can_make_the_locked_answer(
    problem: Problem, tmp_path: Path, executor: LocalExecutor
) -> None:
    cases = [generated(problem, "numbers")]
    lock = to_lock(prepare_all(problem, cases, make_store(tmp_path / "a"), executor))
    assert problem.reference
    assert problem.independent
    (tmp_path / "third.py").write_text(SUM)
    problem.reference.write_text(WRONG)
    problem.independent.write_text(CRASH)
    (found,) = prepare_all(problem, cases, make_store(tmp_path / "b"), executor, lock)
    assert isinstance(found, ReadyCase)


def test_a_locked_answer_that_no_solution_prints_is_one_error_at_the_lock_file(
    problem: Problem, tmp_path: Path, executor: LocalExecutor
) -> None:
    cases = [generated(problem, "numbers", seed) for seed in range(5)]
    lock = to_lock(prepare_all(problem, cases, make_store(tmp_path / "a"), executor))
    for solution in (problem.reference, problem.independent):
        assert solution
        solution.write_text(WRONG)
    found = prepare_all(problem, cases, make_store(tmp_path / "b"), executor, lock)
    (diagnostic,) = diagnose(found)
    assert diagnostic.path.name == "cases.lock"
    assert diagnostic.message == (
        "the locked answer is not on this machine, and no accepted solution prints it on cases "
        "edge/numbers-0, edge/numbers-1, edge/numbers-2 and 2 more"
    )
    assert diagnostic.fix == "correct the reference, or run `judge lock sums` if the answer should change"


@pytest.mark.thorough
def test_an_endless_reference_delays_few_locked_answers(
    problem: Problem, tmp_path: Path, executor: LocalExecutor
) -> None:
    problem = without_time(problem)
    cases = [generated(problem, "numbers", seed) for seed in range(20)]
    lock = to_lock(prepare_all(problem, cases, make_store(tmp_path / "a"), executor))
    assert problem.reference
    problem.reference.write_text(ENDLESS)
    runs: list[str] = []
    found = list(without_progress(prepare(problem, cases, make_store(tmp_path / "b"), lock, recorded(executor, runs))))
    assert all(isinstance(each, ReadyCase) for each in found)
    assert sum("ref.py" in each for each in runs) <= 3, "to compile it, and a run in each worker"


def test_a_validator_that_was_edited_is_asked_again_although_the_answer_is_locked(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    cases = [case(problem, Inline(b"1 2\n"), b"3\n")]
    lock = to_lock(prepare_all(problem, cases, store, executor))
    assert problem.validator
    problem.validator.source.write_text("import sys; sys.exit('line 9: I changed my mind')")
    (found,) = prepare_all(problem, cases, store, executor, lock)
    assert message(found) == "one: the validator validate.py rejects the input: line 9: I changed my mind"


def test_what_is_strict_trusts_no_locked_answer(problem: Problem, store: DataStore, executor: LocalExecutor) -> None:
    cases = [generated(problem, "numbers")]
    lock = to_lock(prepare_all(problem, cases, store, executor))
    for solution in (problem.reference, problem.independent):
        assert solution
        solution.write_text(WRONG)
    (found,) = without_progress(prepare(problem, cases, store, lock, executor.map, is_strict=True))
    assert isinstance(found, ReadyCase)
    assert found.locked
    assert found.locked.answer != lock["edge/numbers-1"].answer


# ---- answers that are not locked -------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", first_of([WRONG, CRASH, BROKEN], 1))
@pytest.mark.parametrize("role", ["reference", "independent"])
def test_a_given_answer_that_one_solution_prints_is_right(
    problem: Problem, store: DataStore, executor: LocalExecutor, role: str, source: str
) -> None:
    getattr(problem, role).write_text(source)
    cases = [case(problem, Inline(b"1 2\n"), b"3\n")]
    assert isinstance(prepare_all(problem, cases, store, executor)[0], ReadyCase)
    assert isinstance(prepare_strictly(problem, cases, store, executor)[0], InvalidCase)


def test_a_given_answer_is_not_wrong_because_the_only_solution_crashes(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    problem = replace(problem, independent=None)
    assert problem.reference
    problem.reference.write_text(CRASH)
    (found,) = prepare_all(problem, [case(problem, Inline(b"1 2\n"), b"3\n")], store, executor)
    assert isinstance(found, ReadyCase)


def test_an_answer_that_no_solution_could_confirm_is_tried_again_in_the_next_run(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    problem = replace(problem, independent=None)
    assert problem.reference
    problem.reference.write_text(CRASH)
    cases = [case(problem, Inline(b"1 2\n"), b"3\n")]
    prepare_all(problem, cases, store, executor)
    with pytest.raises(AssertionError):
        list(without_progress(prepare(problem, cases, store, {}, must_not_run)))


def test_a_given_answer_that_both_solutions_contradict_is_wrong(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    (found,) = prepare_all(problem, [case(problem, Inline(b"1 2\n"), b"4\n")], store, executor)
    assert message(found).endswith("ind.py disagree with the answer: line 1, token 1: expected `4`, found `3`")


def test_a_given_answer_that_the_only_solution_contradicts_is_an_error_of_the_case(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    problem = replace(problem, independent=None)
    (found,) = prepare_all(problem, [case(problem, Inline(b"1 2\n"), b"4\n")], store, executor)
    assert message(found).startswith("one: the reference ")
    assert message(found).endswith("ref.py disagrees with the answer: line 1, token 1: expected `4`, found `3`")


def test_a_computed_answer_that_the_independent_solution_contradicts_is_an_error_of_the_case(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    assert problem.independent
    problem.independent.write_text(WRONG)
    (found,) = prepare_all(problem, [case(problem, Inline(b"1 2\n"))], store, executor)
    assert message(found).startswith("one: the independent solution ")
    assert "disagrees with the reference" in message(found)


@pytest.mark.parametrize("source", first_of([CRASH, BROKEN], 1))
def test_a_computed_answer_needs_no_independent_solution_that_fails(
    problem: Problem, store: DataStore, executor: LocalExecutor, source: str
) -> None:
    assert problem.independent
    problem.independent.write_text(source)
    cases = [case(problem, Inline(b"1 2\n"))]
    assert isinstance(prepare_all(problem, cases, store, executor)[0], ReadyCase)
    assert fault(prepare_strictly(problem, cases, store, executor)[0])[0] == "ind.py"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (CRASH, "exit status 1: IndexError: list index out of range"),
        (BROKEN, "does not compile: line 1: '(' was never closed: print("),
        pytest.param(ENDLESS, "CPU time limit exceeded: 1.00 s", marks=pytest.mark.thorough),
    ],
)
def test_a_reference_that_fails_is_one_error_at_its_file(
    problem: Problem, store: DataStore, executor: LocalExecutor, source: str, reason: str
) -> None:
    problem = without_time(problem)
    assert problem.reference
    problem.reference.write_text(source)
    cases = [case(problem, Inline(b"1 2\n"), name=name) for name in ("one", "two")]
    (diagnostic,) = diagnose(prepare_all(problem, cases, store, executor))
    assert diagnostic.path.name == "ref.py"
    assert diagnostic.message == f"the reference fails on cases edge/one, edge/two ({reason})"


def test_a_missing_compiler_of_the_reference_is_reported_with_its_file(
    problem: Problem, store: DataStore, executor: LocalExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    reference = tmp_path / "ref.cpp"
    reference.write_text("int main(){}\n")
    (found,) = prepare_all(replace(problem, reference=reference), [case(problem, Inline(b"1 2\n"))], store, executor)
    assert fault(found) == (
        "ref.cpp",
        "the reference fails on case edge/one (C++ needs `g++` or `c++` or `clang++`: command not found on PATH)",
    )


# ---- validators ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("import sys; sys.exit('line 1: a minus sign')", "line 1: a minus sign"),
        ("import sys; print('line 2', file=sys.stderr); sys.exit(43)", "line 2"),
        ("import sys; sys.exit(43)", "exit status 43 without a message"),
        ("print('on standard output'); raise SystemExit(43)", "on standard output"),
    ],
)
def test_a_rejected_input_is_reported_with_the_validators_reason(
    problem: Problem, store: DataStore, executor: LocalExecutor, source: str, reason: str
) -> None:
    assert problem.validator
    problem.validator.source.write_text(source)
    (found,) = prepare_all(problem, [case(problem, Inline(b"1 2\n"), b"3\n")], store, executor)
    assert message(found) == f"one: the validator validate.py rejects the input: {reason}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("raise KeyError('x')", "the validator crashes on case edge/one (exit status 1: KeyError: 'x')"),
        ("import os; os.abort()", "the validator crashes on case edge/one (killed by signal 6 (SIGABRT))"),
        ("import sys; sys.exit(1)", "the validator crashes on case edge/one (exit status 1)"),
        ("pass", "the validator exits with status 0 on case edge/one"),
        (BROKEN, "the validator fails on case edge/one (does not compile: line 1: '(' was never closed: print()"),
    ],
)
def test_a_validator_that_cannot_tell_is_an_error_at_its_own_file(
    problem: Problem, store: DataStore, executor: LocalExecutor, source: str, expected: str
) -> None:
    assert problem.validator
    problem.validator.source.write_text(source)
    (found,) = prepare_all(problem, [case(problem, Inline(b"1 2\n"), b"3\n")], store, executor)
    assert fault(found) == ("validate.py", expected)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("exit(0)", ""),
        ("exit('FAIL line 1')", "one: the validator validate.py rejects the input: FAIL line 1"),
        ("exit(3)", "one: the validator validate.py rejects the input: exit status 3 without a message"),
        ("exit(42)", "validate.py: the validator crashes on case edge/one (exit status 42)"),
    ],
)
def test_with_testlib_a_validator_accepts_with_0_and_rejects_with_3(
    problem: Problem, store: DataStore, executor: LocalExecutor, source: str, expected: str
) -> None:
    assert problem.validator
    problem = replace(problem, validator=replace(problem.validator, protocol=Protocol.TESTLIB))
    assert problem.validator
    problem.validator.source.write_text(f"from sys import exit\n{source}\n")
    (found,) = prepare_all(problem, [case(problem, Inline(b"1 2\n"), b"3\n")], store, executor)
    assert (": ".join(fault(found)) if expected.startswith("v") else message(found) if expected else found.case.id) == (
        expected or "edge/one"
    )


def test_a_validator_with_testlib_that_does_not_say_so_is_explained(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    assert problem.validator
    (problem.validator.source.parent / "testlib.h").touch()
    problem.validator.source.write_text('"testlib.h"')
    (found,) = prepare_all(problem, [case(problem, Inline(b"1 2\n"), b"3\n")], store, executor)
    assert message(found).endswith("fix: with testlib.h, write `validator: {program: validate.py, protocol: testlib}`")


def test_a_validator_that_does_not_end_is_an_error_at_its_own_file(
    problem: Problem, store: DataStore, executor: LocalExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = replace(problem.limits, cpu=Seconds(0.2))
    monkeypatch.setattr("judge.preparation.confirm.VALIDATOR_LIMITS", limits)
    assert problem.validator
    problem.validator.source.write_text(ENDLESS)
    (found,) = prepare_all(problem, [case(problem, Inline(b"1 2\n"), b"3\n")], store, executor)
    assert fault(found) == (
        "validate.py",
        "the validator times out on case edge/one (CPU time limit exceeded: 200 ms)",
    )


def test_a_program_that_is_wrong_is_reported_once_and_a_few_wrong_cases_one_by_one(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    cases = [case(problem, Inline(f"{n} -1\n".encode()), b"", name=f"c{n}") for n in range(5)]
    assert len(diagnose(prepare_all(problem, cases[:3], store, executor))) == 3
    (together,) = diagnose(prepare_all(problem, cases, store, executor))
    assert together.message == (
        "cases edge/c0, edge/c1, edge/c2 and 2 more: the validator validate.py rejects the input: line 1: a minus sign"
    )
    assert problem.validator
    problem.validator.source.write_text("pass")
    (diagnostic,) = diagnose(prepare_all(problem, cases[:2], store, executor))
    assert diagnostic.message == "the validator exits with status 0 on cases edge/c0, edge/c1"
    assert diagnostic.fix == "exit with status 42 if the input is legal, and 43 if it is not"


# ---- generators ------------------------------------------------------------------------------------------------------

RANDOM = {
    "unseeded": "import random as other\n\ndef unseeded(random):\n    return f'{other.random()}\\n'\n",
    "hashes": "def hashes(random):\n    return ' '.join({f'{n}' for n in range(50)}) + '\\n'\n",
    "clock": "import time\n\ndef clock(random):\n    return f'{int(time.time()) // 3600} 1\\n'\n",
    "day": "import datetime\n\ndef day(random):\n    return f'{datetime.datetime.now().timestamp()} 1\\n'\n",
    "counter": "made = []\n\ndef counter(random):\n    made.append(1)\n    return f'{len(made)} 1\\n'\n",
    "identity": "def identity(random):\n    return f'{id(object())} 1\\n'\n",
}


@pytest.mark.parametrize("name", RANDOM)
def test_a_generator_that_is_not_deterministic_is_named_with_its_file(
    problem: Problem, store: DataStore, executor: LocalExecutor, name: str
) -> None:
    problem = replace(problem, reference=None, independent=None, validator=None)
    problem.generators[0].write_text(GENERATORS + "\n\n" + RANDOM[name])
    cases = [replace(generated(problem, name, seed), answer=Inline(b"")) for seed in (1, 2)]
    good = replace(generated(problem, "numbers"), answer=Inline(b""))
    *bad, fine = prepare_all(problem, [*cases, good], store, executor)
    (diagnostic,) = diagnose(bad)
    assert diagnostic.path.name == "make.py"
    start = (
        f"the generator `{name}` makes a different input each time for cases edge/{name}-1, edge/{name}-2: line 1 is "
    )
    assert diagnostic.message.startswith(start)
    assert "draw numbers only from its parameter `random`" in diagnostic.fix
    assert isinstance(fine, ReadyCase)


@pytest.mark.thorough
def test_an_input_is_made_twice_only_if_it_is_neither_known_nor_locked(
    problem: Problem, tmp_path: Path, executor: LocalExecutor
) -> None:
    cases = [generated(problem, "numbers", seed) for seed in (1, 2)]
    runs: list[str] = []

    def count_generations(store: DataStore, lock: Lock) -> int:
        runs.clear()
        run = list(without_progress(prepare(problem, cases, store, lock, recorded(executor, runs))))
        assert len(to_lock(run)) == 2
        return sum("driver.py" in each for each in runs)

    lock = to_lock(prepare_all(problem, cases, make_store(tmp_path / "a"), executor))
    assert count_generations(make_store(tmp_path / "b"), {}) == 2
    assert count_generations(make_store(tmp_path / "c"), lock) == 1
    assert count_generations(make_store(tmp_path / "c"), lock) == 0
