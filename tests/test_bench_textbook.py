"""The tasks of `bench.bench_textbook` are sound; `--self-check` runs all of them."""

import pytest
from msgspec.structs import replace

from bench.bench_textbook import Task, faults_of, is_valid, read_tasks

TASKS = read_tasks()


def test_samples_and_witnesses_are_valid_and_damaged_ones_are_not() -> None:
    for task in TASKS:
        for text in (*task.problem.samples, task.witness):
            assert is_valid(task.problem, text), (task.id, text)
            for damaged in ("", text[:-1], text + "\n", "\0" + text):
                assert not is_valid(task.problem, damaged), (task.id, damaged)


def test_each_task_is_one_program_with_a_name_of_its_own() -> None:
    assert len({task.id for task in TASKS}) == len(TASKS)
    assert all(bool(task.bug.python) != bool(task.bug.cpp) for task in TASKS)


@pytest.mark.thorough
@pytest.mark.parametrize("task", [task for task in TASKS if task.bug.python][::18], ids=lambda task: task.id)
def test_programs_pass_the_samples_and_differ_on_the_witness(task: Task) -> None:
    assert list(faults_of(task)) == []
    right = replace(task, bug=replace(task.bug, python=task.problem.brute))
    assert list(faults_of(right)) == ["the witness does not show the bug"]
    silent = replace(task, bug=replace(task.bug, python="pass"))
    assert [fault.split(":")[0] for fault in faults_of(silent)] == ["sample 1", "sample 2"]
