"""A busy machine causes no verdicts: waiting for a processor is not idling, and a disturbed run is repeated alone."""

import os
import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.base.units import Seconds
from judge.judging.case_files import run_with_files
from judge.model import Ending, FileNames, Limits
from judge.runner.executors import LocalExecutor
from judge.sandbox.box import Box, Command, Outcome, RunLock
from judge.sandbox.protocol import Request
from judge.sandbox.supervisor import Supervisor
from tests.parameters import first_of
from tests.programs import PYTHON, limits

# Each burns a quarter of a second of CPU time: eight at once on two cores take a second of elapsed time.
BURN = "import time\nt = time.process_time() + 0.25\nwhile time.process_time() < t: pass\n"
IN_A_THREAD = (
    "import threading, time\n"
    "def burn():\n"
    "  t = time.thread_time() + 0.25\n"
    "  while time.thread_time() < t: pass\n"
    "t = threading.Thread(target=burn); t.start(); t.join()\n"
)
IN_A_CHILD = f"import os\nif os.fork() == 0:\n  exec({BURN!r})\n  os._exit(0)\nos.wait()\n"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("source", "may_fork"),
    first_of([(BURN, False), (IN_A_THREAD, False), (IN_A_CHILD, True)], 1),
    ids=["main thread", "thread", "child"],
)
def test_waiting_for_a_processor_is_not_idling(source: str, may_fork: bool) -> None:
    within = limits(cpu=5, wall=0.7)

    def run(box: Box, _: int) -> Ending:
        command = Command(argv=(PYTHON, "-I", "-S", "-c", source), may_fork=may_fork)
        return box.run(command, within).result.ending

    with LocalExecutor(8) as executor:
        assert list(executor.map(run, range(8))) == [Ending.EXITED] * 8


@pytest.mark.parametrize(
    ("waits", "is_disturbed"),
    [([], True), ([{"1": 0}], False), ([{"1": 10**6}], False), ([{"1": 0}, {"1": 0, "2": 5 * 10**8}], True)],
)
def test_a_run_was_disturbed_if_it_waited_for_a_processor_or_that_is_unknown(
    waits: list[dict[str, int]], is_disturbed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = dict.fromkeys(Request.__annotations__)
    supervisor = Supervisor(os.getpid(), Request(**values), (0, 0))
    supervisor.start = supervisor._delayed_until = time.monotonic() - 1.0
    for each in waits:  # nanoseconds per thread, in one scan after the other
        monkeypatch.setattr("judge.sandbox.proc.run_delays", lambda _, each=each: each)
        supervisor._add_delays((1,))
    assert supervisor.was_disturbed() is is_disturbed


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two processors")
def test_runs_keep_to_the_processor_of_their_box_and_compilers_do_not() -> None:
    core, *_ = usual = sorted(os.sched_getaffinity(0))
    command = Command(argv=(PYTHON, "-I", "-S", "-c", "import os; print(sorted(os.sched_getaffinity(0)))"))
    with Box(core=core) as box:
        assert box.run(command, limits()).stdout == f"[{core}]\n".encode()
        assert box.run(replace(command, may_fork=True), limits()).stdout == f"{usual}\n".encode()


def bound_supervisor(**values: object) -> Supervisor:
    """Return a supervisor of this process, as of a run of one process on a processor of its own."""
    request = Request(**{**dict.fromkeys(Request.__annotations__), "cpu": 5.0, "wall": 10.0, **values})
    return Supervisor(os.getpid(), request, (), has_own_network=True, has_core=True)


@given(limit=st.integers(1 << 20, 1 << 36), memory=st.integers(0, 1 << 36), more=st.integers(0, 1 << 36))
def test_a_run_is_checked_sooner_the_nearer_it_is_to_its_memory_limit(limit: int, memory: int, more: int) -> None:
    supervisor = bound_supervisor(memory=limit)
    pause = supervisor._next_pause(memory)
    assert 0.006 <= supervisor._next_pause(memory + more) <= pause <= 0.032
    assert pause == 0.006 or pause * (16 << 30) <= limit - memory  # until then it does not get beyond the limit


@pytest.mark.parametrize("sleeps", [0.0, 0.001, 0.0021, 0.0155])
def test_checks_are_never_further_apart_than_a_pause_and_a_tick(sleeps: float, monkeypatch: pytest.MonkeyPatch) -> None:
    supervisor, now, checks = bound_supervisor(memory=1 << 30), 0.0, [0.0]
    monkeypatch.setattr("judge.sandbox.supervisor.time.clock_gettime", lambda _: max(0.0, now - sleeps))
    for _ in range(200):
        now += supervisor._tick_ms() / 1000
        if not supervisor._is_still():
            checks.append(supervisor._used)
    gaps = [after - before for before, after in pairwise(checks)]
    assert len(gaps) > 20
    assert max(gaps) <= 0.032 + 0.005


def test_reading_mappings_late_makes_no_long_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    values = dict.fromkeys(Request.__annotations__)
    supervisor = Supervisor(os.getpid(), Request(**values), (0, 0))

    def wait(_: int) -> int:
        time.sleep(0.1)
        return 7

    monkeypatch.setattr("judge.sandbox.proc.unmapped_memory", wait)
    assert supervisor._unmapped_memory((1,)) == 7
    assert supervisor._next_unmapped - time.monotonic() < 1.0  # 2 s, if waiting counted


class SlowBox(Box):
    """A box that reports its first run as disturbed and too slow."""

    def __init__(self, changes: dict[str, Any], *, was_disturbed: bool = True) -> None:
        super().__init__(run_lock=RunLock())
        self.changes = changes
        self.was_disturbed = was_disturbed
        self.outputs: list[bytes] = []

    def _run(self, command: Command, limits: Limits, stdin: int, **options: Any) -> tuple[Outcome, bool]:
        outcome, _ = super()._run(command, limits, stdin, **options)
        self.outputs.append(outcome.stdout)
        if len(self.outputs) == 1:
            return replace(outcome, result=replace(outcome.result, **self.changes)), self.was_disturbed
        return outcome, True


LATE = [{"ending": Ending.WALL_LIMIT}, {"ending": Ending.TIME_LIMIT}, {"cpu": Seconds(99.0)}]


@pytest.mark.parametrize("changes", LATE, ids=["wall", "time", "time, and ended by itself"])
def test_a_disturbed_run_that_took_too_long_is_repeated(changes: dict[str, Any], tmp_path: Path) -> None:
    data = tmp_path / "x.in"
    data.write_bytes(b"input\n")
    command = Command(argv=(PYTHON, "-I", "-S", "-c", "print(input())"), stdin=data)
    with SlowBox(changes) as box:
        result = box.run(command, limits()).result
        assert (result.ending, result.cpu < 90) == (Ending.EXITED, True)
    assert box.outputs == [b"input\n"] * 2  # the input is read from its beginning again


@pytest.mark.parametrize("changes", LATE, ids=["wall", "time", "time, and ended by itself"])
def test_a_slow_run_that_was_not_disturbed_is_not_repeated(changes: dict[str, Any]) -> None:
    with SlowBox(changes, was_disturbed=False) as box:
        box.run(Command(argv=(PYTHON, "-I", "-S", "-c", "pass")), limits())
    assert len(box.outputs) == 1


def test_repetitions_can_be_switched_off() -> None:
    command = Command(argv=(PYTHON, "-I", "-S", "-c", "pass"))
    with SlowBox({"ending": Ending.WALL_LIMIT}) as box:
        with box.without_repeats():
            assert box.run(command, limits()).result.ending is Ending.WALL_LIMIT
        assert len(box.outputs) == 1
        box.outputs.clear()
        assert box.run(command, limits()).result.ending is Ending.EXITED
        assert len(box.outputs) == 2


@pytest.mark.parametrize("changes", LATE, ids=["wall", "time", "time, and ended by itself"])
def test_a_compiler_that_took_too_long_is_not_repeated(changes: dict[str, Any], tmp_path: Path) -> None:
    with SlowBox(changes) as box:
        box.run(Command(argv=(PYTHON, "-I", "-S", "-c", "pass"), writable=tmp_path, may_fork=True), limits())
    assert len(box.outputs) == 1


@pytest.mark.parametrize("changes", LATE, ids=["wall", "time", "time, and ended by itself"])
def test_a_run_that_reads_a_file_is_repeated_in_another_folder(changes: dict[str, Any], tmp_path: Path) -> None:
    text = (
        "with open('x.in', 'r+') as file, open('x.out', 'x') as out:\n    out.write(file.read())\n    file.truncate(0)"
    )
    command = Command(argv=(PYTHON, "-I", "-S", "-c", text), stdin=b"input\n")
    with SlowBox(changes) as box:
        box.work_folder = tmp_path
        outcome = run_with_files(command, FileNames(input="x.in", output="x.out"), limits(), box)
    assert (outcome.stdout, outcome.result.ending, len(box.outputs)) == (b"input\n", Ending.EXITED, 2)
    assert list(tmp_path.iterdir()) == []


def test_an_exclusive_run_is_exclusive_and_no_run_starves() -> None:
    run_lock = RunLock()
    running: set[int] = set()
    seen: list[tuple[bool, int]] = []
    lock = threading.Lock()

    def work(number: int) -> None:
        for turn in range(20):
            is_exclusive = (number + turn) % 5 == 0
            with run_lock.exclusive() if is_exclusive else run_lock.shared():
                with lock:
                    running.add(number)
                    seen.append((is_exclusive, len(running)))
                time.sleep(0.0005)
                with lock:
                    running.discard(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive()
    assert len(seen) == 120
    assert {count for is_exclusive, count in seen if is_exclusive} == {1}
    assert max(count for is_exclusive, count in seen if not is_exclusive) > 1


def test_no_more_runs_than_allowed_go_on_at_once() -> None:
    run_lock = RunLock(2)
    going: list[int] = []
    seen: list[int] = []

    def work() -> None:
        for _ in range(10):
            with run_lock.shared():
                going.append(1)
                seen.append(len(going))
                time.sleep(0.0005)
                going.pop()

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert (len(seen), max(seen)) == (50, 2)


def test_a_new_run_waits_while_an_exclusive_run_goes_on() -> None:
    run_lock = RunLock()
    entered = threading.Event()

    def enter() -> None:
        with run_lock.shared():
            entered.set()

    with run_lock.exclusive():
        thread = threading.Thread(target=enter)
        thread.start()
        assert not entered.wait(timeout=0.2)
    assert entered.wait(timeout=60)
    thread.join(timeout=60)
