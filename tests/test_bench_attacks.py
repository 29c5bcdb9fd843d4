"""The tasks of `bench.bench_attacks` are sound; `--self-check` runs all of them."""

from bench.bench_attacks import read_tasks
from judge.inputs import Grammar

TASKS = read_tasks()


def test_samples_are_valid_and_damaged_ones_are_not() -> None:
    for task in TASKS:
        grammar, sample = Grammar.from_yaml(task.problem.input), task.problem.sample.encode()
        assert grammar.check(sample) is None, task.id
        for damaged in (b"", sample[:-1], sample + b"\n", b"\0" + sample):
            assert grammar.check(damaged) is not None, (task.id, damaged)


def test_each_task_is_one_program_with_a_name_of_its_own() -> None:
    assert len({task.id for task in TASKS}) == len(TASKS)
    assert all(sum(map(bool, (task.entry.python, task.entry.cpp, task.entry.java))) == 1 for task in TASKS)
    assert len({task.family for task in TASKS}) == 10
    assert (sum(task.is_weak for task in TASKS), sum(not task.is_weak for task in TASKS)) == (51, 21)
