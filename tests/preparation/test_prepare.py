"""Test data: made once, confirmed, locked; an error in one case is reported and affects that case only."""

import json
import pickle
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from judge.base.data import digest
from judge.base.errors import DataError
from judge.base.units import Bytes, Seconds
from judge.model import (
    External,
    Generated,
    InFile,
    Inline,
    Limits,
    Problem,
)
from judge.preparation.cases import DataStore, ReadyCase, RunFailure, SkippedCase
from judge.preparation.generate import GENERATOR_LIMITS, copy_readable, generate
from judge.preparation.prepare import prepare, without_progress
from judge.preparation.store import FactCache, LockedCase, read_lock, write_lock
from judge.runner.executors import LocalExecutor
from judge.sandbox.box import Box, Command, Outcome
from tests.preparation.sums import (
    GENERATORS,
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


def test_a_missing_answer_is_computed_by_the_reference(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    (found,) = prepare_all(problem, [case(problem, Inline(b"1 2\n3 4\n"))], store, executor)
    assert isinstance(found, ReadyCase)
    assert data(found.answer) == b"3\n7\n"


def test_equal_seeds_make_equal_inputs_and_different_seeds_different_ones(
    problem: Problem, tmp_path: Path, executor: LocalExecutor
) -> None:
    cases = [generated(problem, "numbers", seed) for seed in (1, 2)]
    first = prepare_all(problem, cases, make_store(tmp_path / "a"), executor)
    again = prepare_all(problem, cases, make_store(tmp_path / "b"), executor)
    inputs = [[data(each.input) for each in run if isinstance(each, ReadyCase)] for run in (first, again)]
    assert inputs[0] == inputs[1]
    assert inputs[0][0] != inputs[0][1]
    assert inputs[0][0].count(b"\n") == 3


def test_the_numbers_of_a_generator_never_change(problem: Problem, store: DataStore, executor: LocalExecutor) -> None:
    # the same bytes on every Python in use: a change here invalidates all lock files
    (found,) = prepare_all(problem, [generated(problem, "numbers", 1, count=2, largest=99)], store, executor)
    assert isinstance(found, ReadyCase)
    assert data(found.input) == b"5 94\n35 7\n"


def test_a_confirmed_case_is_not_run_again(problem: Problem, tmp_path: Path, executor: LocalExecutor) -> None:
    cases = [generated(problem, "numbers"), case(problem, Inline(b"1 2\n"), b"3\n")]
    prepare_all(problem, cases, make_store(tmp_path), executor)

    again = list(without_progress(prepare(problem, cases, make_store(tmp_path), {}, must_not_run)))
    assert all(isinstance(each, ReadyCase) for each in again)


def test_a_changed_validator_is_run_again(problem: Problem, store: DataStore, executor: LocalExecutor) -> None:
    assert problem.validator
    cases = [case(problem, Inline(b"1 2\n"), b"3\n")]
    assert isinstance(prepare_all(problem, cases, store, executor)[0], ReadyCase)
    problem.validator.source.write_text("import sys; sys.exit('line 9: I changed my mind')")
    assert message(prepare_all(problem, cases, store, executor)[0]) == (
        "one: the validator validate.py rejects the input: line 9: I changed my mind"
    )


def test_a_damaged_object_is_made_again(problem: Problem, store: DataStore, executor: LocalExecutor) -> None:
    cases = [generated(problem, "numbers")]
    (before,) = prepare_all(problem, cases, store, executor)
    assert isinstance(before, ReadyCase)
    assert isinstance(before.input, Path)
    content = before.input.read_bytes()
    before.input.write_bytes(content[:-3])
    (after,) = prepare_all(problem, cases, store, executor)
    assert isinstance(after, ReadyCase)
    assert data(after.input) == content


def test_without_a_writable_folder_only_the_cache_is_lost(
    problem: Problem, tmp_path: Path, executor: LocalExecutor
) -> None:
    (tmp_path / ".judge").write_text("a file where a folder should be")
    store = make_store(tmp_path)
    (found,) = prepare_all(problem, [generated(problem, "numbers")], store, executor)
    assert isinstance(found, ReadyCase)
    assert "cannot be written" in store.objects.warning


OF_LINES = "expected str or an iterable of str (lines)"


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("crash", "crashed: ZeroDivisionError: "),
        ("nothing", "made an empty input"),
        ("wrong_type", f"crashed: TypeError: returned int, {OF_LINES}"),
        ("prints", f"crashed: TypeError: returned NoneType, {OF_LINES}; return the input instead of printing it"),
        ("wrong_line", "crashed: TypeError: returned a line of type int, expected str"),
        ("two_lines", "crashed: ValueError: returned a line that contains a line end: '1\\n2'"),
        ("dies", "exit status 3"),
        ("leaves", "exit status 1: no"),
    ],
)
def test_a_failing_generator_is_reported_and_affects_its_own_case_only(
    problem: Problem, store: DataStore, executor: LocalExecutor, function: str, expected: str
) -> None:
    cases = [generated(problem, name) for name in ("numbers", function, "whole")]
    problem = replace(problem, validator=None, reference=None, independent=None)
    cases = [replace(each, answer=Inline(b"")) for each in cases]
    before, broken, after = prepare_all(problem, cases, store, executor)
    assert isinstance(before, ReadyCase)
    assert isinstance(after, ReadyCase)
    found = message(broken)
    assert f"make.py: error: the generator `{function}` fails on case edge/{function}-1: {expected}" in found
    assert "(make.py, line 11)" in found or function != "crash"


def test_an_endless_generator_is_stopped(
    problem: Problem, store: DataStore, executor: LocalExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.preparation.generate.GENERATOR_LIMITS", replace(GENERATOR_LIMITS, cpu=Seconds(0.3)))
    before, broken, after = prepare_all(
        problem, [generated(problem, name) for name in ("numbers", "endless", "numbers")], store, executor
    )
    assert isinstance(before, ReadyCase)
    assert isinstance(after, ReadyCase)
    assert message(broken).endswith(
        "make.py: error: the generator `endless` fails on case edge/endless-1: CPU time limit exceeded: 300 ms"
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("function", "limits"),
    [
        ("slow", {"cpu": Seconds(0.8)}),
        ("large", {"output": Bytes(1 << 20)}),
    ],
)
def test_a_generator_is_not_blamed_for_a_limit_that_many_inputs_exceed_together(
    problem: Problem, monkeypatch: pytest.MonkeyPatch, function: str, limits: dict[str, Any]
) -> None:
    monkeypatch.setattr("judge.preparation.generate.GENERATOR_LIMITS", replace(GENERATOR_LIMITS, **limits))
    recipes = [generated(problem, function, seed).input for seed in range(8)]
    with Box() as box:
        made = generate("sums", [each for each in recipes if isinstance(each, Generated)], box)
    assert [type(each) for each in made] == [bytes] * 8


def test_inputs_made_before_a_limit_was_exceeded_are_kept(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.preparation.generate.GENERATOR_LIMITS", replace(GENERATOR_LIMITS, cpu=Seconds(0.3)))
    names = ["numbers", "whole", "endless", "numbers"]
    recipes = [generated(problem, name, seed).input for seed, name in enumerate(names)]
    asked: list[int] = []

    class RecordingBox(Box):
        """A box that records how many inputs are requested at once."""

        def run(self, command: Command, limits: Limits) -> Outcome:
            assert isinstance(command.stdin, bytes)
            asked.append(len(json.loads(command.stdin)["requests"]))
            return super().run(command, limits)

    with RecordingBox() as box:
        made = generate("sums", [each for each in recipes if isinstance(each, Generated)], box)
    assert [type(each) for each in made] == [bytes, bytes, RunFailure, bytes]
    assert asked == [4, 1, 1]


def test_every_worker_gets_inputs_to_make(problem: Problem, store: DataStore, executor: LocalExecutor) -> None:
    sizes: list[int] = []

    def watched(function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
        listed = list(items)
        sizes.extend(len(each) for each in listed if isinstance(each, list))
        return executor.map(function, listed)

    cases = [generated(problem, "numbers", seed) for seed in range(9)]
    assert len(list(without_progress(prepare(problem, cases, store, {}, watched, workers=4)))) == 9
    assert sizes == [3, 3, 3]


def test_the_progress_of_generators_is_reported_before_the_cases(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    cases = [generated(problem, "numbers", seed) for seed in (1, 2)]
    first, second, *rest = prepare(problem, cases, store, {}, executor.map)
    assert (first, second) == (2, 1)
    assert [type(each) for each in rest] == [ReadyCase, ReadyCase]
    again = prepare(problem, cases, store, {}, must_not_run)
    assert [type(each) for each in again] == [ReadyCase, ReadyCase]


def test_an_edit_while_inputs_are_made_changes_nothing(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    def editing(function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
        problem.generators[0].write_text(GENERATORS.replace("randint(0, largest)", "randint(5, 5)"))
        return executor.map(function, items)

    cases = [generated(problem, "numbers", count=2, largest=99)]
    (edited,) = without_progress(prepare(problem, cases, store, {}, editing))
    problem.generators[0].write_text(GENERATORS)
    (again,) = prepare_all(problem, cases, store, executor)
    assert isinstance(edited, ReadyCase)
    assert isinstance(again, ReadyCase)
    assert [data(edited.input), data(again.input)] == [b"5 94\n35 7\n"] * 2


def test_an_edit_between_the_hash_and_the_copy_is_not_taken_for_the_old_generator(
    problem: Problem, store: DataStore, executor: LocalExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = [generated(problem, "numbers", count=2, largest=99)]
    with monkeypatch.context() as patch:

        def edit(*arguments: Any) -> Any:
            problem.generators[0].write_text(GENERATORS.replace("randint(0, largest)", "randint(5, 5)"))
            return copy_readable(*arguments)

        patch.setattr("judge.preparation.generate.copy_readable", edit)
        prepare_all(problem, cases, store, executor)
    problem.generators[0].write_text(GENERATORS)
    (again,) = prepare_all(problem, cases, store, executor)
    assert isinstance(again, ReadyCase)
    assert data(again.input) == b"5 94\n35 7\n"


def test_a_file_that_a_generator_reads_is_part_of_its_hash(
    problem: Problem, store: DataStore, executor: LocalExecutor, tmp_path: Path
) -> None:
    words = tmp_path / "data" / "words.txt"
    words.parent.mkdir()
    inputs = []
    for text in ("1 2\n", "3 4\n"):
        words.write_text(text)
        (found,) = prepare_all(problem, [generated(problem, "from_file")], store, executor)
        assert isinstance(found, ReadyCase)
        inputs.append(data(found.input))
    assert inputs == [b"1 2\n", b"3 4\n"]


def test_a_case_confirmed_before_an_interrupt_is_not_run_again(
    problem: Problem, tmp_path: Path, executor: LocalExecutor
) -> None:
    cases = [generated(problem, "numbers", seed) for seed in (1, 2)]
    half_done = without_progress(prepare(problem, cases, make_store(tmp_path / ".x"), {}, executor.map))
    assert isinstance(next(half_done), ReadyCase)
    half_done.close()  # type: ignore[attr-defined]  # a generator, as after Ctrl-C
    assert isinstance(
        next(without_progress(prepare(problem, cases[:1], make_store(tmp_path / ".x"), {}, must_not_run))), ReadyCase
    )


def test_waiting_results_hold_no_input_or_answer_in_memory(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    def watched(function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
        for result in executor.map(function, items):
            assert len(pickle.dumps(result)) < 10_000
            yield result

    cases = [generated(problem, "large", seed) for seed in (1, 2)]
    assert all(isinstance(each, ReadyCase) for each in without_progress(prepare(problem, cases, store, {}, watched)))


def test_a_removed_input_affects_its_own_case_only(problem: Problem, store: DataStore, executor: LocalExecutor) -> None:
    def removing(function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
        listed = list(items)
        if not any(isinstance(each, list) for each in listed):  # no batch of a generator: the inputs are there
            shutil.rmtree(store.objects.folder)
        return executor.map(function, listed)

    cases = [generated(problem, "numbers"), case(problem, Inline(b"1 2\n"))]
    gone, fine = without_progress(prepare(problem, cases, store, {}, removing))
    assert message(gone).startswith("numbers-1: cannot be confirmed: cannot read the input ")
    assert isinstance(fine, ReadyCase)


def test_a_case_without_answer_and_reference_is_reported(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    bare = replace(problem, reference=None, independent=None)
    (found,) = prepare_all(bare, [case(problem, Inline(b"1 2\n"))], store, executor)
    assert message(found) == "one: no answer, and the problem has no reference to compute one"


def test_a_missing_file_is_reported(
    problem: Problem, store: DataStore, executor: LocalExecutor, tmp_path: Path
) -> None:
    (found,) = prepare_all(problem, [case(problem, InFile(tmp_path / "gone.in"), b"3\n")], store, executor)
    assert message(found).endswith("gone.in: No such file or directory")


def external(content: bytes) -> External:
    return External(url="https://example.org/data.txt", sha256=digest(content), file="data.txt")


def test_missing_external_data_is_skipped_with_the_command_to_get_it(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    (found,) = prepare_all(problem, [case(problem, external(b"1 2\n"), b"3\n")], store, executor)
    assert isinstance(found, SkippedCase)
    assert "run `judge fetch sums`" in found.reason
    assert "JUDGE_DATA" in found.reason


@pytest.mark.parametrize("place", ["data.txt", "sums/data.txt"])
def test_external_data_is_found_in_a_named_folder(
    problem: Problem, store: DataStore, executor: LocalExecutor, tmp_path: Path, place: str
) -> None:
    path = tmp_path / "folder" / place
    path.parent.mkdir(parents=True)
    path.write_bytes(b"1 2\n")
    store = replace(store, folders=[tmp_path / "folder"])
    (found,) = prepare_all(problem, [case(problem, external(b"1 2\n"), b"3\n")], store, executor)
    assert isinstance(found, ReadyCase)
    assert found.input == path


def test_external_data_with_unexpected_content_is_reported_with_both_hashes(
    problem: Problem, store: DataStore, executor: LocalExecutor, tmp_path: Path
) -> None:
    (tmp_path / "data.txt").write_bytes(b"1 3\n")
    store = replace(store, folders=[tmp_path])
    (found,) = prepare_all(problem, [case(problem, external(b"1 2\n"), b"3\n")], store, executor)
    assert digest(b"1 3\n") in message(found)
    assert digest(b"1 2\n") in message(found)


# ---- the lock ------------------------------------------------------------------------------------------------------


def test_with_a_lock_a_fresh_clone_needs_no_confirmation(
    problem: Problem, tmp_path: Path, executor: LocalExecutor
) -> None:
    cases = [case(problem, Inline(b"1 2\n"), b"3\n")]
    lock = to_lock(prepare_all(problem, cases, make_store(tmp_path / "a"), executor))

    fresh = make_store(tmp_path / "b")
    (found,) = without_progress(prepare(problem, cases, fresh, lock, must_not_run))
    assert isinstance(found, ReadyCase)


def test_a_generator_that_differs_from_the_lock_is_reported_with_the_case(
    problem: Problem, tmp_path: Path, executor: LocalExecutor
) -> None:
    cases = [generated(problem, "numbers")]
    lock = to_lock(prepare_all(problem, cases, make_store(tmp_path / "a"), executor))
    (problem.generators[0]).write_text(GENERATORS.replace("randint(0, largest)", "randint(1, largest)"))
    (found,) = prepare_all(problem, cases, make_store(tmp_path / "b"), executor, lock)
    assert message(found).startswith("numbers-1: the generator `numbers` makes a different input than the locked one")
    assert message(found).endswith("if this is intended, run `judge lock sums`")


def test_an_edited_inline_case_is_not_an_error_but_differs_from_the_lock(
    problem: Problem, store: DataStore, executor: LocalExecutor
) -> None:
    lock = to_lock(prepare_all(problem, [case(problem, Inline(b"1 2\n"), b"3\n")], store, executor))
    (found,) = prepare_all(problem, [case(problem, Inline(b"1 1\n"), b"2\n")], store, executor, lock)
    assert isinstance(found, ReadyCase)
    assert found.locked != lock["edge/one"]


def test_a_lock_is_read_as_written(tmp_path: Path) -> None:
    lock = {f"edge/{n}": LockedCase(input="a" * 64, answer="b" * 64, proof=str(n)) for n in range(5)}
    write_lock(tmp_path / "cases.lock", lock)
    assert read_lock(tmp_path / "cases.lock") == lock


def test_a_missing_lock_file_is_an_empty_lock(tmp_path: Path) -> None:
    assert read_lock(tmp_path / "cases.lock") == {}
    assert read_lock(None) == {}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "[" * 200_000,
        '{"version": 2, "cases": {}}',
        '{"version": 1, "cases": {"a": {}}}',
        '{"version": 1, "cases": {"a": {"input": 5, "answer": "", "proof": ""}}}',
    ],
)
def test_a_damaged_lock_file_is_reported_with_a_fix(tmp_path: Path, text: str) -> None:
    (tmp_path / "cases.lock").write_text(text)
    expected = r"cases\.lock: error: not a lock file of version 1 .*\n    fix: run `judge lock` to write it again"
    with pytest.raises(DataError, match=expected):
        read_lock(tmp_path / "cases.lock")


def test_damaged_facts_count_as_missing(tmp_path: Path) -> None:
    for text in ("", "{", "[1]", "[" * 200_000, '{"a": 1}'):
        (tmp_path / "facts.json").write_text(text)
        assert FactCache(tmp_path / "facts.json").get("a") is None


def test_nothing_is_written_into_the_problems_own_folders(problem: Problem, executor: LocalExecutor) -> None:
    assert problem.folder
    elsewhere = problem.folder / "elsewhere"
    elsewhere.mkdir()
    before = {path: path.stat().st_mtime_ns for path in problem.folder.glob("*.*")}
    prepare_all(problem, [generated(problem, "numbers")], make_store(elsewhere), executor)
    shutil.rmtree(elsewhere)
    assert {path: path.stat().st_mtime_ns for path in problem.folder.glob("*.*")} == before
    assert not (problem.folder / "__pycache__").exists()
