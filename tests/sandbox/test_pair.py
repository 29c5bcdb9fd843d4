"""Two runs that talk to each other: which pipes end when, who ended first, deadlocks, limits of each side."""

import os
import shutil
import subprocess
import textwrap
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from judge.base.errors import SandboxError
from judge.base.units import MIB
from judge.model import Ending, Level, Limits
from judge.sandbox.box import Box, Command
from judge.sandbox.channel import Channel, RecordingChannel
from judge.sandbox.pair import Interaction, Pair, PairedRun, Recorder, _Side
from tests.parameters import first_of
from tests.programs import PYTHON, box_at, limits

ADD = """
for line in iter(sys.stdin.readline, ""):
    print(sum(map(int, line.split())), flush=True)
"""
ASK = """
for i in range(3):
    print(i, 10, flush=True)
    if sys.stdin.readline() != f"{i + 10}\\n":
        sys.exit(43)
sys.exit(42)
"""
ACCEPT = "sys.exit(42)"
READ_ALL = "sys.exit(42 if sys.stdin.read() else 43)"
WAIT = "sys.stdin.readline()"


LEVELS = [Level.FULL, *(pytest.param(level, marks=pytest.mark.thorough) for level in (Level.LANDLOCK, Level.LIMITS))]


@pytest.fixture(scope="module", params=LEVELS, ids=lambda level: level.value)
def box(request: pytest.FixtureRequest) -> Iterator[Box]:
    """A box of each level of this machine."""
    with box_at(request.param) as opened:
        yield opened


@pytest.fixture(params=first_of([False, True], 1), ids=["direct", "recorded"])
def record(request: pytest.FixtureRequest) -> Recorder | None:
    """Both kinds of connections: what happens must not depend on it."""
    return (lambda *_: None) if request.param else None


def interact(box: Box, solution: str, interactor: str, record: Recorder | None = None, *within: Limits) -> Interaction:
    """Connect two Python texts. `within` are the limits of the solution and of the interactor."""
    allowed = (*within, limits(), limits())[:2]
    commands = [
        Command(argv=(PYTHON, "-I", "-S", "-c", f"import os, sys, time\n{textwrap.dedent(text)}"))
        for text in (solution, interactor)
    ]
    return Pair(
        (box, commands[0], allowed[0]),
        (box.partner, commands[1], allowed[1]),
        decides=lambda outcome: outcome.result.exit_code != 42,
        record=record,
    ).run()


def status(run: PairedRun) -> int | str:
    """Return how a side ended: its exit status, `stopped`, or the limit."""
    result = run.outcome.result
    if run.is_stopped:
        return "stopped"
    return result.exit_code if result.exit_code is not None else result.ending.value


class Row(NamedTuple):
    """Two programs, how they end, who ends first, and the deadlock."""

    solution: str
    interactor: str
    ends: tuple[int | str, int | str]
    first: str = ""
    deadlock: tuple[str, str] | None = None


ROWS = {
    "a dialogue": Row(ADD, ASK, (0, 42)),
    "a wrong answer stops the solution": Row(
        f"{WAIT}\nprint(7, flush=True)\ntime.sleep(60)", ASK, ("stopped", 43), "i"
    ),
    "the solution goes on after AC": Row(f"time.sleep(0.2)\n{WAIT}\nsys.exit(3)", ACCEPT, (3, 42), "i"),
    "the input ends when the interactor does": Row(
        "sys.exit(5 if sys.stdin.read() == '' else 6)", ACCEPT, (5, 42), "i"
    ),
    "the input ends when the solution does": Row("print(1)", READ_ALL, (0, 42), "s"),
    "the input ends when the interactor closes its output": Row(
        "print(len(sys.stdin.read()))", "print(123, flush=True)\nos.close(1)\nsys.exit(38 + int(input()))", (0, 42)
    ),
    "the input does not end when the solution closes its output": Row(
        "os.close(1)\ntime.sleep(0.3)\nsys.exit(3)", f"{WAIT}\nsys.exit(43)", (3, 43), "s"
    ),
    "a solution that closes its output and waits": Row(
        f"os.close(1)\n{WAIT}", f"{WAIT}\nsys.exit(43)", ("stopped", 43), "s", ("input", "input")
    ),
    "a copy of a closed descriptor keeps a pipe open": Row(
        "os.dup(1)\nos.close(1)\ntime.sleep(0.2)\nos.write(3, b'x')", READ_ALL, (0, 42), "s"
    ),
    "writing to an interactor that has ended": Row("print('x' * 1_000_000, flush=True)", ACCEPT, (0, 42), "i"),
    "writing to an interactor that reads nothing": Row(
        "print('x' * 1_000_000, flush=True)", "os.close(0)\ntime.sleep(0.2)\nsys.exit(42)", (0, 42)
    ),
    "writing to a solution that has ended": Row(
        "", f"{WAIT}\nprint('x' * 1_000_000, flush=True)\nsys.exit(42)", (0, 42), "s"
    ),
    "ignoring SIGPIPE changes nothing": Row(
        "import signal; signal.signal(signal.SIGPIPE, signal.SIG_IGN)\n" * 2 + "sys.exit(len(sys.stdin.read()))",
        "time.sleep(0.1)\nsys.exit(43)",
        ("stopped", 43),
        "i",
    ),
    "a crash": Row("sys.exit(1)", f"{WAIT}\nsys.exit(43)", (1, 43), "s"),
    "no flush": Row(f"print(1)\n{WAIT}", f"{WAIT}\nsys.exit(43)", ("stopped", 43), "s", ("input", "input")),
    "no flush, with poll": Row(
        "import select\nselect.select([0], [], [])", f"{WAIT}\nsys.exit(43)", ("stopped", 43), "s", ("input", "input")
    ),
    "both write": Row(
        "while True: os.write(1, bytes(9999))",
        "for _ in range(99): os.write(1, bytes(9999))\nsys.exit(43)",
        ("stopped", 43),
        "s",
        ("output", "output"),
    ),
    "a thread that waits for ever": Row(
        f"import threading\nthreading.Thread(target=sys.stdin.readline).start()\n{WAIT}",
        f"{WAIT}\nsys.exit(43)",
        ("stopped", 43),
        "s",
        ("input", "input"),
    ),
    "a lock for ever": Row(
        "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
        ACCEPT,
        ("stopped", 42),
        "i",
        ("itself", "ended"),
    ),
    "an interactor with a lock for ever": Row(
        WAIT,
        "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
        ("stopped", "stopped"),
        "s",
        ("input", "itself"),
    ),
    "sleeping is not waiting": Row(f"time.sleep(0.3)\nprint(1, flush=True)\n{WAIT}", f"{WAIT}\nsys.exit(42)", (0, 42)),
    "polling with a timeout is not waiting": Row(
        "import select\nselect.select([0], [], [], 0.3)\nprint(1, flush=True)", READ_ALL, (0, 42)
    ),
    "a timer is not waiting": Row(
        "import signal\nsignal.signal(signal.SIGALRM, lambda *_: os.write(1, b'x'))\nsignal.setitimer(0, 0.3)\n" + WAIT,
        "sys.exit(42 if sys.stdin.read(1) == 'x' else 43)",
        (0, 42),
    ),
    "a thread that sleeps is not waiting": Row(
        f"import threading\nthreading.Thread(target=lambda: (time.sleep(0.3), print(1, flush=True))).start()\n{WAIT}",
        f"{WAIT}\nsys.exit(42)",
        (0, 42),
    ),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
def test_ends_and_deadlocks(box: Box, row: Row, record: Recorder | None) -> None:
    ran = interact(box, row.solution, row.interactor, record)
    assert (status(ran.solution), status(ran.interactor)) == row.ends, (ran.solution, ran.interactor)
    assert ran.deadlock == row.deadlock
    if row.first:
        assert ran.is_interactor_first == (row.first == "i")


LIMITS = {
    "CPU time": ("while True: pass", READ_ALL, limits(cpu=0.2), limits(), (Ending.TIME_LIMIT, Ending.EXITED)),
    "a thread computes while another waits": (
        "import threading\nthreading.Thread(target=sys.stdin.read).start()\nwhile True: pass",
        READ_ALL,
        limits(cpu=0.2),
        limits(),
        (Ending.TIME_LIMIT, Ending.EXITED),
    ),
    "CPU time of the interactor": (
        "sys.stdin.read()\nsys.exit(1)",
        "while True: pass",
        limits(),
        limits(cpu=0.2),
        (Ending.SIGNALED, Ending.TIME_LIMIT),
    ),
    "sleep": ("time.sleep(60)", READ_ALL, limits(wall=1.5), limits(wall=1.0), (Ending.WALL_LIMIT, Ending.EXITED)),
    "sleep of the interactor": (
        WAIT,
        "time.sleep(60)",
        limits(wall=1.0),
        limits(wall=1.5),
        (Ending.SIGNALED, Ending.WALL_LIMIT),
    ),
    "memory": (
        "x = b'x' * 200_000_000\ntime.sleep(60)",
        READ_ALL,
        limits(memory=64 * MIB),
        limits(),
        (Ending.MEMORY_LIMIT, Ending.EXITED),
    ),
    "output": (
        "while True: print('x' * 999)",
        "while sys.stdin.buffer.read1(): pass",
        limits(output=MIB),
        limits(),
        (Ending.OUTPUT_LIMIT, Ending.EXITED),
    ),
    "output to an interactor that has ended": (
        "while True: print('x' * 999)",
        ACCEPT,
        limits(output=MIB),
        limits(),
        (Ending.OUTPUT_LIMIT, Ending.EXITED),
    ),
    "output of the interactor": (
        "while sys.stdin.buffer.read1(): pass",
        "while True: print('x' * 999)",
        limits(),
        limits(output=MIB),
        (Ending.SIGNALED, Ending.OUTPUT_LIMIT),
    ),
    "output to a solution that has ended": (
        "",
        "while True: print('x' * 999)",
        limits(),
        limits(output=MIB),
        (Ending.EXITED, Ending.OUTPUT_LIMIT),
    ),
}


@pytest.mark.parametrize("name", first_of(LIMITS, 5))
def test_each_side_has_its_own_limits(box: Box, name: str, record: Recorder | None) -> None:
    solution, interactor, *within, ends = LIMITS[name]
    ran = interact(box, solution, interactor, record, *within)
    assert (ran.solution.outcome.result.ending, ran.interactor.outcome.result.ending) == ends


def test_a_solution_that_is_stopped_does_not_end_by_itself_first(box: Box, record: Recorder | None) -> None:
    wait_for_end = "os.execv('/bin/sh', ['sh', '-c', 'read line'])"  # it ends at once
    for _ in range(10):
        ran = interact(box, wait_for_end, "time.sleep(0.1)\nsys.exit(1)", record)
        assert (ran.solution.outcome.result.ending, ran.solution.is_stopped) == (Ending.SIGNALED, True)


def test_each_side_is_measured_alone(box: Box) -> None:
    burn = "while time.process_time() < 0.4: pass"
    ran = interact(box, f"{burn}\nprint(1)", READ_ALL)
    assert ran.solution.outcome.result.cpu >= 0.4
    assert ran.interactor.outcome.result.cpu < 0.4
    assert (ran.solution.outcome.result.output_bytes, ran.interactor.outcome.result.output_bytes) == (2, 0)


def test_time_that_the_other_side_needs_is_not_wall_clock_time(box: Box) -> None:
    ran = interact(box, ADD, f"time.sleep(2)\n{ASK}", None, limits(wall=1.5))
    assert status(ran.solution) == 0


def test_a_recorder_sees_every_byte_in_order(box: Box) -> None:
    seen: list[tuple[bool, bytes]] = []
    interact(box, ADD, ASK, lambda is_solution, data: seen.append((is_solution, data)))
    assert seen == [(i % 2 == 1, f"{i // 2 + 10}\n".encode() if i % 2 else f"{i // 2} 10\n".encode()) for i in range(6)]


def test_a_recorder_sees_what_was_written_last(box: Box) -> None:
    seen = b""

    def record(is_solution: bool, data: bytes) -> None:
        nonlocal seen
        seen += data if is_solution else b""

    interact(box, "print('x' * 100_000)", f"time.sleep(0.2)\n{READ_ALL}", record)
    assert seen == b"x" * 100_000 + b"\n"


def test_a_recorder_does_not_see_what_is_written_to_no_one(box: Box) -> None:
    seen: list[bytes] = []
    interact(box, "sys.stdin.read()\nprint(1)", ACCEPT, lambda _, data: seen.append(data))
    assert seen == []


def test_standard_errors_are_kept_apart(box: Box) -> None:
    ran = interact(box, "sys.stderr.write('mine')", "sys.stderr.write('theirs')\nsys.exit(42)")
    assert (ran.solution.outcome.stderr, ran.interactor.outcome.stderr) == (b"mine", b"theirs")


@pytest.mark.thorough
def test_a_program_that_does_not_start_is_an_error_and_both_boxes_stay_usable(box: Box) -> None:
    missing, present = Command(argv=("/nonexistent/program",)), Command(argv=(PYTHON, "-I", "-S", "-c", WAIT))
    for commands in ((missing, present), (present, missing)):
        pair = Pair((box, commands[0], limits()), (box.partner, commands[1], limits()), decides=lambda _: True)
        with pytest.raises(SandboxError, match="/nonexistent/program"):
            pair.run()
    assert status(interact(box, ADD, ASK).solution) == 0
    assert box.run(Command(argv=(PYTHON, "-I", "-S", "-c", "print(1)")), limits()).stdout == b"1\n"


@pytest.mark.parametrize("channel", [Channel, lambda: RecordingChannel(lambda _: None)])
def test_a_run_that_is_about_to_wake_is_no_deadlock(box: Box, channel: Callable[[], Channel]) -> None:
    command = Command(argv=("none",))
    pair = Pair((box, command, limits()), (box, command, limits()), decides=lambda _: False)
    with ExitStack() as opened:
        channels = channel(), channel()
        for each in channels:
            opened.callback(each.close)
        sides = tuple(_Side(box, command, limits(), -1) for _ in channels)
        pair._sides, pair._channels = (sides[0], sides[1]), channels
        pair._solution, pair._interactor = pair._sides

        def is_deadlock(seconds: float) -> bool:
            for side in sides:
                side.waiting = 1.0, 1.0 + seconds, "input"
            pair._deadlock = None
            pair._check_deadlock()
            return pair._deadlock is not None

        for side in sides:
            side.is_running = True
        assert is_deadlock(0.01)
        sides[1].is_running = False  # the solution reads the end of its input
        assert (is_deadlock(0.1), is_deadlock(1)) == (False, True)
        sides[1].is_running = True
        os.write(getattr(channels[1], "_target", channels[1].writer), b"1")  # the solution has something to read
        assert (is_deadlock(0.1), is_deadlock(1)) == (False, True)


C_PING = """
#include <unistd.h>
#include <stdlib.h>
int main(int count, char **args) {
    char data[8];
    for (int left = atoi(args[1]), first = count > 2; left > 0; left--) {
        if (first && write(1, "1\\n", 2) != 2) return 1;
        if (read(0, data, 8) <= 0) return 2;
        if (!first && write(1, "2\\n", 2) != 2) return 3;
    }
    return 42;
}
"""


def test_many_round_trips_are_no_deadlock(box: Box, tmp_path: Path, record: Recorder | None) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    source, program = tmp_path / "ping.c", tmp_path / "ping"
    source.write_text(C_PING)
    subprocess.run([compiler, "-O1", "-o", program, source], check=True)
    tmp_path.chmod(0o755)
    argv = (str(program), "3000")
    ran = Pair(
        (box, Command(argv=argv, readable=(tmp_path,)), limits()),
        (box.partner, Command(argv=(*argv, "first"), readable=(tmp_path,)), limits()),
        decides=lambda _: False,
        record=record,
    ).run()
    assert (status(ran.solution), status(ran.interactor), ran.deadlock) == (42, 42, None)
