"""Local workers: results and errors come in order, and an interrupt takes effect at once."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from socket import socket
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from judge.base.errors import SandboxError
from judge.base.units import Seconds
from judge.model import CheckerConfig, FileNames
from judge.model.programs import JudgeProgram
from judge.preparation.cases import ReadyCase
from judge.runner.executors import LOOKAHEAD, Dispatcher, Interrupted, Job, LocalExecutor, default_workers
from judge.runner.solution import may_overlap
from judge.sandbox.box import Box, Outcome
from tests.programs import processes_with, run_python
from tests.report_scenarios import case

ROOT = Path(__file__).parents[2]


def test_results_come_in_the_order_of_the_items_however_long_each_takes() -> None:
    def slow_first(_: Box, number: int) -> int:
        time.sleep(0.05 if number == 0 else 0)
        return number * number

    with LocalExecutor(3) as executor:
        assert list(executor.map(slow_first, range(50))) == [n * n for n in range(50)]


def test_a_patient_map_says_when_a_result_takes_long() -> None:
    may_end = threading.Event()

    def wait(_: Box, number: int) -> int:
        may_end.wait(timeout=60)
        return number

    with LocalExecutor(1) as executor:
        results = executor.map(wait, range(3), patience=Seconds(0.01))
        assert [next(results), next(results)] == [None, None]
        may_end.set()
        assert [each for each in results if each is not None] == [0, 1, 2]


def test_items_are_taken_only_as_fast_as_results_are_requested() -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for number in range(10_000):
            taken += 1
            yield number

    with LocalExecutor(2) as executor:
        results = executor.map(lambda _, number: number, items())
        assert next(results) == 0
        assert taken <= LOOKAHEAD + 1


def test_many_workers_all_have_work() -> None:
    count = LOOKAHEAD + 4
    meeting = threading.Barrier(count)

    def work(_: Box, number: int) -> int:
        meeting.wait(timeout=10)
        return number

    with LocalExecutor(count) as executor:
        assert list(executor.map(work, range(count))) == list(range(count))


def test_an_error_of_a_call_is_raised_at_its_position() -> None:
    def fail_at_three(_: Box, number: int) -> int:
        if number == 3:
            raise SandboxError("three")
        return number

    with LocalExecutor(2) as executor:
        results = executor.map(fail_at_three, range(6))
        assert [next(results) for _ in range(3)] == [0, 1, 2]
        with pytest.raises(SandboxError, match="three"):
            next(results)


def test_every_worker_has_its_own_box() -> None:
    meeting = threading.Barrier(3)

    def box_of(box: Box, _: int) -> int:
        meeting.wait(timeout=30)
        return id(box)

    with LocalExecutor(3) as executor:
        assert len(set(executor.map(box_of, range(3)))) == 3


def test_the_worker_that_became_idle_last_gets_the_next_job() -> None:
    dispatcher = Dispatcher(2)
    first, second = dispatcher.workers
    jobs: dict[str, Job] = {name: lambda _: str for name in "abcd"}
    dispatcher.put(jobs["a"], bool)
    assert first.queue.get(timeout=1) is jobs["a"]
    dispatcher.job_done(first)
    for name in "bcd":
        dispatcher.put(jobs[name], bool)
    assert (first.queue.get(timeout=1), second.queue.get(timeout=1)) == (jobs["b"], jobs["c"])
    dispatcher.job_done(second)
    assert second.queue.get(timeout=1) is jobs["d"]
    dispatcher.shut_down()
    assert (first.queue.get(timeout=1), second.queue.get(timeout=1)) == (None, None)


def test_a_worker_has_a_second_job_only_if_both_may_overlap_and_others_wait() -> None:
    dispatcher = Dispatcher(2)

    def put(names: str) -> list[int]:
        for name in names:
            dispatcher.put(lambda _: str, partial(str.__eq__, name, "x"))
        return [each.running for each in dispatcher.workers]

    def done(number: int) -> list[int]:
        dispatcher.job_done(dispatcher.workers[number])
        return [each.running for each in dispatcher.workers]

    assert put("ax") == [1, 1]
    assert put("xx") == [1, 1]  # as many wait as there are workers
    assert put("x") == [1, 2]
    assert done(0) == [1, 2]
    assert put("ax") == [2, 2]
    assert put("x") == [2, 2]
    assert done(1) == [2, 1]  # the next one is `a`
    assert done(1) == [2, 1]


def test_the_call_for_the_next_item_begins_during_a_call_if_both_may_overlap() -> None:
    begun = [threading.Event() for _ in range(9)]

    def run(_: Box, number: int) -> bool:
        begun[number].set()
        return number not in (0, 2) or begun[number + 1].wait(timeout=60)

    with LocalExecutor(1) as executor:
        if not executor._may_overlap:
            pytest.skip("this machine has one processor")
        assert all(executor.map(run, range(9), may_overlap=lambda _: True))


def test_calls_overlap_only_if_a_core_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, found in (([0], False), ([0, 1], True)):  # with two threads in each core, as many as the judge may use
        monkeypatch.setattr("judge.runner.executors._cores", lambda cores=cores: cores)
        with LocalExecutor(1) as executor:
            assert executor._may_overlap == found


def test_only_a_built_solution_that_no_program_judges_and_that_needs_no_folder_overlaps() -> None:
    usual, program, names = case("secret/1"), Path("/x/check.py"), FileNames(input="x.in")
    judged = replace(usual, checker=CheckerConfig(name="program", program=JudgeProgram(source=program)))
    jobs = ((usual, True), (usual, False), (judged, True), (replace(usual, file_names=names), True))
    build: Any = SimpleNamespace
    assert [
        may_overlap((build(is_built=is_built, programs=None), ReadyCase(case=each, input=b"", answer=None)))
        for each, is_built in jobs
    ] == [True, False, False, False]
    talks = build(is_built=True, programs=SimpleNamespace(interactor=program))
    assert not may_overlap((talks, ReadyCase(case=usual, input=b"", answer=None)))


def test_a_result_is_handled_while_the_next_run_goes_on() -> None:
    order: list[str] = []
    all_wait = threading.Event()

    def sources() -> Iterator[str]:
        yield from ("pass", "pass", "import time; time.sleep(600)")
        all_wait.set()

    def run(box: Box, source: str) -> Outcome:
        all_wait.wait(timeout=60)
        return run_python(box, source)

    class RecordingBox(Box):
        def begin(self, *given: Any, **named: Any) -> socket:
            order.append("start")
            return super().begin(*given, **named)

    with LocalExecutor(1, box_class=RecordingBox) as executor:
        results = executor.map(run, sources())
        for _ in range(2):
            assert next(results).result.exit_code == 0
            order.append("result")
        executor.abandon()
        with pytest.raises(Interrupted):
            next(results)
    assert order == ["start", "start", "result", "start", "result"]


def test_an_interrupt_takes_effect_while_all_workers_are_busy() -> None:
    release = threading.Event()

    def wait(_: Box, number: int) -> int:
        release.wait(30)
        return number

    with LocalExecutor(2) as executor:
        threading.Timer(0.1, executor.interrupt).start()
        with pytest.raises(Interrupted):
            list(executor.map(wait, range(5)))
        release.set()


def test_the_end_does_not_wait_for_a_worker_that_reads_huge_data() -> None:
    begun, may_end = threading.Event(), threading.Event()

    def read(_: Box, number: int) -> int:
        begun.set()
        may_end.wait(timeout=60)
        return number

    with LocalExecutor(1) as executor:
        results = executor.map(read, range(2), patience=Seconds(0.01))
        assert next(results) is None
        assert begun.wait(timeout=60)
        start = time.monotonic()
    assert time.monotonic() - start < 10
    may_end.set()


def test_abandoned_runs_are_ended_and_the_same_workers_continue() -> None:
    mark = f"abandoned-{os.getpid()}-{time.monotonic_ns()}"  # other tests start sleeping processes, too
    with LocalExecutor(2) as executor:
        timer = threading.Timer(0.5, executor.abandon)
        timer.start()
        with pytest.raises(Interrupted):
            list(executor.map(lambda box, _: run_python(box, f"# {mark}\nimport time; time.sleep(60)"), range(5)))
        executor.resume()
        assert processes_with(mark) == []
        found = [outcome.stdout for outcome in executor.map(lambda box, n: run_python(box, f"print({n})"), range(5))]
        assert found == [b"%d\n" % number for number in range(5)]
        assert not executor.is_stopping


def test_an_interrupt_outlasts_resume() -> None:
    with LocalExecutor(1) as executor:
        executor.abandon()
        executor.interrupt()
        executor.resume()
        with pytest.raises(Interrupted):
            list(executor.map(lambda _, number: number, range(1)))
        with pytest.raises(Interrupted):
            executor.wait(SimpleQueue())


def test_there_is_at_least_one_worker_by_default() -> None:
    assert default_workers() >= 1


# Two user namespaces in all: one for the judge, one for its first worker.
FEW_NAMESPACES = (
    'echo 2 > /proc/sys/user/max_user_namespaces && exec unshare --user --map-user=1000 --map-group=1000 "$0" "$@"'
)
LEVELS = """\
from judge.base.errors import SandboxError
from judge.runner.executors import LocalExecutor
from tests.programs import run_python

def level_of_a_run(box, _):
    try:
        return run_python(box, "print(1)").result.level
    except SandboxError:
        return executor.level

with LocalExecutor(2) as executor:
    print({executor.level} == set(executor.map(level_of_a_run, range(6))))
"""


def test_no_run_uses_a_lower_level_than_reported() -> None:
    few = ["unshare", "--map-root-user", "sh", "-c", FEW_NAMESPACES]
    if subprocess.run([*few, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no user namespaces here, or their number cannot be limited")
    ran = subprocess.run([*few, sys.executable, "-c", LEVELS], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.stdout == "True\n", ran.stderr
