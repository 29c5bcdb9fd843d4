"""Test data: made once, confirmed, locked; and whatever is wrong with one case is told and costs only that case."""

import json
import pickle
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from judge.data import digest
from judge.errors import DataError
from judge.executors import LocalExecutor
from judge.model import (
    DEFAULT_LIMITS,
    Case,
    CheckerConfig,
    External,
    Generated,
    InFile,
    Inline,
    InputSource,
    Limits,
    Problem,
)
from judge.preparation.cases import Broken, DataStore, Generating, PreparedCase, Ready, Skipped
from judge.preparation.generate import GENERATOR_LIMITS, GeneratorFault, generate
from judge.preparation.lock import Lock, LockedCase, read_lock, write_lock
from judge.preparation.prepare import prepare, prepare_with_progress
from judge.preparation.store import FactCache, ObjectStore
from judge.sandbox.box import Box, Command, Outcome
from judge.units import Bytes, Seconds

T = TypeVar("T")
R = TypeVar("R")

GENERATORS = """\
import os, sys, time; from pathlib import Path

def numbers(random, count=3, largest=9):
    print("this goes to standard error")
    return [f"{random.randint(0, largest)} {random.randint(0, largest)}" for _ in range(count)]

def whole(random):
    return f"{random.random()}\\n"

def crash(random):
    return str(1 // 0)

def nothing(random):
    return []

def wrong_type(random):
    return 7

def wrong_line(random):
    yield 7

def two_lines(random):
    yield "1\\n2"

def endless(random):
    while True:
        pass

def dies(random):
    os._exit(3)

def leaves(random):
    sys.exit("no")

def from_file(random):
    return (Path(__file__).parent / "data" / "words.txt").read_text()

def slow(random):
    end = time.process_time() + 0.25
    while time.process_time() < end:
        pass
    return "1 1\\n"

def large(random):
    return "1 1\\n" * 75_000
"""
SUM = "import sys\nfor line in sys.stdin: print(sum(map(int, line.split())))\n"
VALIDATE = "import sys\nif '-' in sys.stdin.read(): sys.exit('line 1: a minus sign')\nsys.exit(42)\n"


@pytest.fixture(scope="module")
def executor() -> Iterator[LocalExecutor]:
    with LocalExecutor(2) as made:
        yield made


@pytest.fixture
def problem(tmp_path: Path) -> Problem:
    tmp_path.chmod(0o755)  # for a sandbox that runs programs as another user
    for name, text in (("make.py", GENERATORS), ("ref.py", SUM), ("ind.py", SUM), ("validate.py", VALIDATE)):
        (tmp_path / name).write_text(text)
    return Problem(
        id="sums",
        name="Sums",
        limits=DEFAULT_LIMITS,
        checker=CheckerConfig(name="lines"),
        folder=tmp_path,
        validator=tmp_path / "validate.py",
        generators=(tmp_path / "make.py",),
        reference=tmp_path / "ref.py",
        independent=tmp_path / "ind.py",
        lock=tmp_path / "cases.lock",
    )


@pytest.fixture
def store(tmp_path: Path) -> DataStore:
    return shelf_in(tmp_path)


def shelf_in(folder: Path) -> DataStore:
    folder.mkdir(exist_ok=True)
    cache, build = folder / ".judge", folder / ".build"
    build.mkdir(exist_ok=True)
    return DataStore(objects=ObjectStore(cache / "objects"), facts=FactCache(cache / "facts.json"), build=build)


def case(problem: Problem, source: InputSource, answer: bytes | None = None, name: str = "one") -> Case:
    return Case(
        group="edge",
        name=name,
        input=source,
        answer=None if answer is None else Inline(answer),
        limits=problem.limits,
        checker=problem.checker,
        origin=Path("testcases/sums/edge.yaml"),
        line=7,
    )


def generated(problem: Problem, function: str, seed: int = 1, **parameters: object) -> Case:
    assert problem.folder
    recipe = Generated(
        file=problem.folder / "make.py", function=function, parameters=tuple(parameters.items()), seed=seed
    )
    return case(problem, recipe, name=f"{function}-{seed}")


def prepared(
    problem: Problem, cases: Sequence[Case], store: DataStore, executor: LocalExecutor, lock: Lock | None = None
) -> list[PreparedCase]:
    return list(prepare(problem, cases, store, lock or {}, executor.map))


def must_not_run(function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
    """Stand for workers where nothing may be run."""
    assert not list(items), function
    return iter(())


def data(found: object) -> bytes:
    assert isinstance(found, bytes | Path)
    return found if isinstance(found, bytes) else found.read_bytes()


def message(found: PreparedCase) -> str:
    assert isinstance(found, Broken), found
    return str(found.diagnostic).replace("testcases/sums/edge.yaml:7:1: case edge/", "")


def test_an_answer_that_is_not_given_is_made_by_the_reference(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    (found,) = prepared(problem, [case(problem, Inline(b"1 2\n3 4\n"))], store, executor)
    assert isinstance(found, Ready)
    assert data(found.answer) == b"3\n7\n"


def test_the_same_seed_makes_the_same_input_and_another_seed_another(
    problem: Problem, tmp_path: Path, executor: LocalExecutor
) -> None:
    cases = [generated(problem, "numbers", seed) for seed in (1, 2)]
    first = prepared(problem, cases, shelf_in(tmp_path / "a"), executor)
    again = prepared(problem, cases, shelf_in(tmp_path / "b"), executor)
    inputs = [[data(each.input) for each in run if isinstance(each, Ready)] for run in (first, again)]
    assert inputs[0] == inputs[1]
    assert inputs[0][0] != inputs[0][1]
    assert inputs[0][0].count(b"\n") == 3


def test_what_a_generator_draws_is_pinned(problem: Problem, store: DataStore, executor: LocalExecutor) -> None:
    # the same bytes on every Python in use: a change here changes everybody's lock files
    (found,) = prepared(problem, [generated(problem, "numbers", 1, count=2, largest=99)], store, executor)
    assert isinstance(found, Ready)
    assert data(found.input) == b"5 94\n35 7\n"


def test_what_is_proved_once_is_not_run_again(problem: Problem, tmp_path: Path, executor: LocalExecutor) -> None:
    cases = [generated(problem, "numbers"), case(problem, Inline(b"1 2\n"), b"3\n")]
    prepared(problem, cases, shelf_in(tmp_path), executor)

    again = list(prepare(problem, cases, shelf_in(tmp_path), {}, must_not_run))
    assert all(isinstance(each, Ready) for each in again)


def test_a_changed_validator_or_solution_is_asked_again(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    assert problem.validator
    cases = [case(problem, Inline(b"1 2\n"), b"3\n")]
    assert isinstance(prepared(problem, cases, store, executor)[0], Ready)
    problem.validator.write_text("import sys; sys.exit('line 9: I changed my mind')")
    assert message(prepared(problem, cases, store, executor)[0]) == (
        "one: the validator validate.py rejects the input: line 9: I changed my mind"
    )


def test_a_damaged_object_is_made_again(problem: Problem, store: DataStore, executor: LocalExecutor) -> None:
    cases = [generated(problem, "numbers")]
    (before,) = prepared(problem, cases, store, executor)
    assert isinstance(before, Ready)
    assert isinstance(before.input, Path)
    content = before.input.read_bytes()
    before.input.write_bytes(content[:-3])
    (after,) = prepared(problem, cases, store, executor)
    assert isinstance(after, Ready)
    assert data(after.input) == content


def test_a_folder_that_cannot_be_written_costs_the_cache_and_nothing_else(
    problem: Problem, tmp_path: Path, executor: LocalExecutor
) -> None:
    (tmp_path / ".judge").write_text("a file where a folder should be")
    store = shelf_in(tmp_path)
    (found,) = prepared(problem, [generated(problem, "numbers")], store, executor)
    assert isinstance(found, Ready)
    assert "cannot be written" in store.objects.warning


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("crash", "crashed: ZeroDivisionError: integer division or modulo by zero (make.py, line 11)"),
        ("nothing", "made an empty input"),
        ("wrong_type", "crashed: TypeError: it returned int; expected str or lines (list or iterator of str)"),
        ("wrong_line", "crashed: TypeError: it made a line of type int; expected str"),
        ("two_lines", "crashed: ValueError: it made a line with a line end inside: '1\\n2'"),
        ("dies", "ended its process with exit status 3"),
        ("leaves", "ended its process with exit status 1: no"),
    ],
)
def test_a_generator_that_fails_is_told_and_costs_only_its_own_case(
    problem: Problem, store: DataStore, executor: LocalExecutor, function: str, expected: str
) -> None:
    cases = [generated(problem, name) for name in ("numbers", function, "whole")]
    problem = replace(problem, validator=None, reference=None, independent=None)
    cases = [replace(each, answer=Inline(b"")) for each in cases]
    before, broken, after = prepared(problem, cases, store, executor)
    assert isinstance(before, Ready)
    assert isinstance(after, Ready)
    found = message(broken)
    assert found.startswith(f"{function}-1: the generator `{function}` {expected}")


def test_a_generator_that_never_ends_is_stopped(
    problem: Problem, store: DataStore, executor: LocalExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.preparation.generate.GENERATOR_LIMITS", replace(GENERATOR_LIMITS, cpu=Seconds(0.5)))
    before, broken, after = prepared(
        problem, [generated(problem, name) for name in ("numbers", "endless", "numbers")], store, executor
    )
    assert isinstance(before, Ready)
    assert isinstance(after, Ready)
    assert message(broken) == "endless-1: the generator `endless` did not end within 500 ms"


@pytest.mark.parametrize(
    ("function", "limits"),
    [
        ("slow", {"cpu": Seconds(0.8)}),
        ("large", {"output": Bytes(1 << 20)}),
    ],
)
def test_a_generator_is_not_blamed_for_a_limit_that_many_inputs_break_together(
    problem: Problem, monkeypatch: pytest.MonkeyPatch, function: str, limits: dict[str, Any]
) -> None:
    monkeypatch.setattr("judge.preparation.generate.GENERATOR_LIMITS", replace(GENERATOR_LIMITS, **limits))
    recipes = [generated(problem, function, seed).input for seed in range(8)]
    with Box() as box:
        made = generate("sums", [each for each in recipes if isinstance(each, Generated)], box)
    assert [type(each) for each in made] == [bytes] * 8


def test_what_was_made_before_a_limit_was_broken_is_kept(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.preparation.generate.GENERATOR_LIMITS", replace(GENERATOR_LIMITS, cpu=Seconds(0.5)))
    names = ["numbers", "whole", "endless", "numbers"]
    recipes = [generated(problem, name, seed).input for seed, name in enumerate(names)]
    asked: list[int] = []

    class Counting(Box):
        """A box that notes how many inputs are asked for at once."""

        def run(self, command: Command, limits: Limits) -> Outcome:
            assert isinstance(command.stdin, bytes)
            asked.append(len(json.loads(command.stdin)["requests"]))
            return super().run(command, limits)

    with Counting() as box:
        made = generate("sums", [each for each in recipes if isinstance(each, Generated)], box)
    assert [type(each) for each in made] == [bytes, bytes, GeneratorFault, bytes]
    assert asked == [4, 1, 1]


def test_every_worker_gets_inputs_to_make(problem: Problem, store: DataStore, executor: LocalExecutor) -> None:
    sizes: list[int] = []

    def watched(function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
        listed = list(items)
        sizes.extend(len(each) for each in listed if isinstance(each, list))
        return executor.map(function, listed)

    cases = [generated(problem, "numbers", seed) for seed in range(9)]
    assert len(list(prepare(problem, cases, store, {}, watched, workers=4))) == 9
    assert sizes == [3, 3, 3]


def test_what_generators_have_still_to_make_is_told_before_the_cases_come(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    cases = [generated(problem, "numbers", seed) for seed in (1, 2)]
    first, second, *rest = prepare_with_progress(problem, cases, store, {}, executor.map)
    assert (first, second) == (Generating(2), Generating(1))
    assert [type(each) for each in rest] == [Ready, Ready]
    assert [type(each) for each in prepare_with_progress(problem, cases, store, {}, must_not_run)] == [Ready, Ready]


def test_an_edit_while_inputs_are_made_changes_nothing(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    def editing(function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
        problem.generators[0].write_text(GENERATORS.replace("randint(0, largest)", "randint(5, 5)"))
        return executor.map(function, items)

    cases = [generated(problem, "numbers", count=2, largest=99)]
    (edited,) = prepare(problem, cases, store, {}, editing)
    problem.generators[0].write_text(GENERATORS)
    (again,) = prepared(problem, cases, store, executor)
    assert isinstance(edited, Ready)
    assert isinstance(again, Ready)
    assert [data(edited.input), data(again.input)] == [b"5 94\n35 7\n"] * 2


def test_a_file_that_a_generator_reads_is_a_part_of_it(
    problem: Problem, store: DataStore, executor: LocalExecutor, tmp_path: Path
) -> None:
    words = tmp_path / "data" / "words.txt"
    words.parent.mkdir()
    inputs = []
    for text in ("1 2\n", "3 4\n"):
        words.write_text(text)
        (found,) = prepared(problem, [generated(problem, "from_file")], store, executor)
        assert isinstance(found, Ready)
        inputs.append(data(found.input))
    assert inputs == [b"1 2\n", b"3 4\n"]


def test_what_is_proved_before_an_interrupt_is_not_run_again(
    problem: Problem, tmp_path: Path, executor: LocalExecutor
) -> None:
    cases = [generated(problem, "numbers", seed) for seed in (1, 2)]
    half_done = prepare(problem, cases, shelf_in(tmp_path / ".x"), {}, executor.map)
    assert isinstance(next(half_done), Ready)
    half_done.close()  # type: ignore[attr-defined]  # a generator: what Ctrl-C comes to
    assert isinstance(next(prepare(problem, cases[:1], shelf_in(tmp_path / ".x"), {}, must_not_run)), Ready)


def test_no_result_that_waits_for_its_turn_holds_an_input_or_an_answer_in_memory(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    def watched(function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
        for result in executor.map(function, items):
            assert len(pickle.dumps(result)) < 10_000
            yield result

    cases = [generated(problem, "large", seed) for seed in (1, 2)]
    assert all(isinstance(each, Ready) for each in prepare(problem, cases, store, {}, watched))


def test_a_reference_whose_compiler_is_not_here_is_told_with_its_file(
    problem: Problem, store: DataStore, executor: LocalExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    reference = tmp_path / "ref.cpp"
    reference.write_text("int main(){}\n")
    with pytest.raises(DataError) as error:
        prepared(replace(problem, reference=reference), [case(problem, Inline(b"1 2\n"))], store, executor)
    assert str(error.value) == (
        f"{reference}: the test data of sums needs it, but C++ needs `g++` or `c++` or `clang++`: "
        "command not found on PATH"
    )


def test_an_input_that_is_removed_meanwhile_costs_only_its_own_case(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    def removing(function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
        listed = list(items)
        if any(isinstance(each, Path) for each in listed):  # the programs are built: the inputs are there
            shutil.rmtree(store.objects.folder)
        return executor.map(function, listed)

    cases = [generated(problem, "numbers"), case(problem, Inline(b"1 2\n"))]
    gone, fine = prepare(problem, cases, store, {}, removing)
    assert message(gone).startswith("numbers-1: it cannot be confirmed: cannot read the input ")
    assert isinstance(fine, Ready)


def test_a_validator_that_rejects_is_told_with_its_reason(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    (found,) = prepared(problem, [case(problem, Inline(b"-1 2\n"), b"1\n")], store, executor)
    assert message(found) == "one: the validator validate.py rejects the input: line 1: a minus sign"


def test_a_validator_that_crashes_accepts_nothing(problem: Problem, store: DataStore, executor: LocalExecutor) -> None:
    assert problem.validator
    problem.validator.write_text("raise KeyError('x')")
    (found,) = prepared(problem, [case(problem, Inline(b"1 2\n"), b"3\n")], store, executor)
    assert message(found) == "one: the validator validate.py rejects the input: KeyError: 'x'"


def test_an_answer_that_the_reference_does_not_confirm_is_told(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    (found,) = prepared(problem, [case(problem, Inline(b"1 2\n"), b"4\n")], store, executor)
    assert "the reference" in message(found)
    assert "does not confirm the answer" in message(found)


def test_a_computed_answer_that_the_independent_solution_does_not_confirm_is_told(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    assert problem.independent
    problem.independent.write_text("print(99)")
    (found,) = prepared(problem, [case(problem, Inline(b"1 2\n"))], store, executor)
    assert "the independent solution" in message(found)
    assert "does not confirm the answer" in message(found)


def test_a_reference_that_crashes_is_told_with_its_error(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    assert problem.reference
    problem.reference.write_text("print([][0])")
    (found,) = prepared(problem, [case(problem, Inline(b"1 2\n"))], store, executor)
    assert message(found).endswith("ref.py failed on it: exit status 1: IndexError: list index out of range")


def test_a_reference_that_is_no_program_is_told_once_for_the_problem(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    assert problem.reference
    problem.reference.write_text("print(")
    with pytest.raises(DataError, match=r"ref\.py: line 1: '\(' was never closed"):
        prepared(problem, [case(problem, Inline(b"1 2\n"))], store, executor)


def test_a_case_without_answer_and_reference_is_told(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    bare = replace(problem, reference=None, independent=None)
    (found,) = prepared(bare, [case(problem, Inline(b"1 2\n"))], store, executor)
    assert message(found) == "one: it has no answer, and the problem has no reference to make one"


def test_a_file_that_is_gone_is_told(
    problem: Problem, store: DataStore, executor: LocalExecutor, tmp_path: Path
) -> None:
    (found,) = prepared(problem, [case(problem, InFile(tmp_path / "gone.in"), b"3\n")], store, executor)
    assert message(found).endswith("gone.in: No such file or directory")


def external(content: bytes) -> External:
    return External(url="https://example.org/data.txt", sha256=digest(content), file="data.txt")


def test_external_data_that_is_absent_is_skipped_with_the_command_that_gets_it(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    (found,) = prepared(problem, [case(problem, external(b"1 2\n"), b"3\n")], store, executor)
    assert isinstance(found, Skipped)
    assert "`judge fetch sums` gets it" in found.reason
    assert "JUDGE_DATA" in found.reason


@pytest.mark.parametrize("place", ["data.txt", "sums/data.txt"])
def test_external_data_is_found_in_a_named_folder(
    problem: Problem, store: DataStore, executor: LocalExecutor, tmp_path: Path, place: str
) -> None:
    path = tmp_path / "folder" / place
    path.parent.mkdir(parents=True)
    path.write_bytes(b"1 2\n")
    store = replace(store, folders=[tmp_path / "folder"])
    (found,) = prepared(problem, [case(problem, external(b"1 2\n"), b"3\n")], store, executor)
    assert isinstance(found, Ready)
    assert found.input == path


def test_external_data_with_another_content_is_an_error_with_both_hashes(
    problem: Problem, store: DataStore, executor: LocalExecutor, tmp_path: Path
) -> None:
    (tmp_path / "data.txt").write_bytes(b"1 3\n")
    store = replace(store, folders=[tmp_path])
    (found,) = prepared(problem, [case(problem, external(b"1 2\n"), b"3\n")], store, executor)
    assert digest(b"1 3\n") in message(found)
    assert digest(b"1 2\n") in message(found)


# ---- the lock ------------------------------------------------------------------------------------------------------


def lock_of(run: Sequence[PreparedCase]) -> dict[str, LockedCase]:
    return {each.case.id: each.locked for each in run if isinstance(each, Ready) and each.locked}


def test_a_lock_spares_a_fresh_clone_the_confirmation(
    problem: Problem, tmp_path: Path, executor: LocalExecutor
) -> None:
    cases = [case(problem, Inline(b"1 2\n"), b"3\n")]
    lock = lock_of(prepared(problem, cases, shelf_in(tmp_path / "a"), executor))

    fresh = shelf_in(tmp_path / "b")
    (found,) = prepare(problem, cases, fresh, lock, must_not_run)
    assert isinstance(found, Ready)


def test_a_generator_that_changes_its_mind_is_an_error_that_names_the_case(
    problem: Problem, tmp_path: Path, executor: LocalExecutor
) -> None:
    cases = [generated(problem, "numbers")]
    lock = lock_of(prepared(problem, cases, shelf_in(tmp_path / "a"), executor))
    (problem.generators[0]).write_text(GENERATORS.replace("randint(0, largest)", "randint(1, largest)"))
    (found,) = prepared(problem, cases, shelf_in(tmp_path / "b"), executor, lock)
    assert message(found).startswith("numbers-1: the generator `numbers` makes another input than when the case was")
    assert message(found).endswith("if that is intended, run `judge lock sums`")


def test_a_reference_that_changes_its_mind_is_an_error_that_names_the_case(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    cases = [generated(problem, "numbers")]
    lock = lock_of(prepared(problem, cases, store, executor))
    for solution in (problem.reference, problem.independent):
        assert solution
        solution.write_text(SUM.replace("sum(", "1 + sum("))
    (found,) = prepared(problem, cases, store, executor, lock)
    assert message(found).startswith("numbers-1: the reference makes another answer than when the case was locked")


def test_an_edited_inline_case_is_no_error_but_not_what_is_locked(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    lock = lock_of(prepared(problem, [case(problem, Inline(b"1 2\n"), b"3\n")], store, executor))
    (found,) = prepared(problem, [case(problem, Inline(b"1 1\n"), b"2\n")], store, executor, lock)
    assert isinstance(found, Ready)
    assert found.locked != lock["edge/one"]


def test_a_lock_is_read_as_it_was_written(tmp_path: Path) -> None:
    lock = {f"edge/{n}": LockedCase(input="a" * 64, answer="b" * 64, proof=str(n)) for n in range(5)}
    write_lock(tmp_path / "cases.lock", lock)
    assert read_lock(tmp_path / "cases.lock") == lock


def test_no_lock_file_is_an_empty_lock(tmp_path: Path) -> None:
    assert read_lock(tmp_path / "cases.lock") == {}
    assert read_lock(None) == {}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"version": 2, "cases": {}}',
        '{"version": 1, "cases": {"a": {}}}',
        '{"version": 1, "cases": {"a": {"input": 5, "answer": "", "proof": ""}}}',
    ],
)
def test_a_damaged_lock_file_is_told_with_the_remedy(tmp_path: Path, text: str) -> None:
    (tmp_path / "cases.lock").write_text(text)
    with pytest.raises(
        DataError, match=r"cases\.lock: this is no lock file of version 1 .*`judge lock` writes it anew"
    ):
        read_lock(tmp_path / "cases.lock")


def test_damaged_facts_count_as_none(tmp_path: Path) -> None:
    for text in ("", "{", "[1]", json.dumps({"a": 1, "b": "kept"})):
        (tmp_path / "facts.json").write_text(text)
        assert FactCache(tmp_path / "facts.json").get("a") is None
    assert FactCache(tmp_path / "facts.json").get("b") == "kept"


def test_nothing_is_written_into_the_problems_own_folders(problem: Problem, executor: LocalExecutor) -> None:
    assert problem.folder
    elsewhere = problem.folder / "elsewhere"
    elsewhere.mkdir()
    before = {path: path.stat().st_mtime_ns for path in problem.folder.glob("*.*")}
    prepared(problem, [generated(problem, "numbers")], shelf_in(elsewhere), executor)
    shutil.rmtree(elsewhere)
    assert {path: path.stat().st_mtime_ns for path in problem.folder.glob("*.*")} == before
    assert not (problem.folder / "__pycache__").exists()
