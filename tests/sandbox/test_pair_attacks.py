"""Hostile programs in an interaction: the other side, the judge and both boxes are unharmed."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from judge.base.errors import SandboxError
from judge.base.units import MIB
from judge.model import Ending, Level, Limits
from judge.sandbox.box import Box, Command
from judge.sandbox.pair import Interaction, Pair, SupervisorDiedError
from judge.sandbox.proc import descendant_pids
from tests.programs import PYTHON, box_at, limits, processes_with

CONFINED = (Level.FULL, Level.LANDLOCK)
READ_ALL = "sys.stdin.buffer.read()\nsys.exit(42)"
HANG = "time.sleep(60)"


class Attack(NamedTuple):
    """A hostile program, what an honest one on the other side does, and how both end."""

    source: str
    other: str
    ending: Ending
    other_ending: Ending = Ending.EXITED
    levels: tuple[Level, ...] = tuple(Level)
    may_fork: bool = False


ATTACKS = {
    "a child holds the pipes": Attack(
        f"if os.fork() == 0:\n    {HANG}", READ_ALL, Ending.EXITED, levels=(Level.LIMITS,)
    ),
    "a child in another session holds the pipes": Attack(
        f"if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        {HANG}",
        READ_ALL,
        Ending.EXITED,
        levels=(Level.LIMITS,),
    ),
    "a grandchild of a program that may fork": Attack(
        f"if os.fork() == 0:\n    if os.fork() == 0:\n        {HANG}", READ_ALL, Ending.EXITED, may_fork=True
    ),
    "no processes": Attack(
        f"try: os.fork()\nexcept PermissionError: sys.exit(0)\n{HANG}", READ_ALL, Ending.EXITED, levels=CONFINED
    ),
    "a flood of errors": Attack("while True: os.write(2, b'x' * 65536)", READ_ALL, Ending.OUTPUT_LIMIT),
    "a flood that ignores SIGPIPE": Attack(
        "signal.signal(signal.SIGPIPE, signal.SIG_IGN)\n"
        "while True:\n    try: os.write(1, b'x' * 65536)\n    except OSError: pass",
        "sys.exit(42)",
        Ending.OUTPUT_LIMIT,
    ),
    "a flood through copies of the descriptor": Attack(
        "fds = [os.dup(1) for _ in range(50)]\nwhile True:\n    for fd in fds: os.write(fd, b'x' * 65536)",
        READ_ALL,
        Ending.OUTPUT_LIMIT,
    ),
    "it stops itself": Attack("os.kill(os.getpid(), signal.SIGSTOP)", READ_ALL, Ending.WALL_LIMIT),
    "it writes into its own input": Attack(
        "try:\n    pipe = os.open('/proc/self/fd/0', os.O_WRONLY)\n    os.write(pipe, b'x')\n"
        "except OSError: pass\nos.read(0, 1)\nos.read(0, 1)",
        "sys.exit(42)",
        Ending.SIGNALED,
        levels=(Level.LIMITS,),
    ),
    "it makes its pipes non-blocking": Attack(
        "os.set_blocking(0, False)\nos.set_blocking(1, False)\nos.write(1, b'x')", READ_ALL, Ending.EXITED
    ),
    "it opens the terminal": Attack(
        "try: os.open('/dev/tty', os.O_RDWR)\nexcept OSError: sys.exit(0)\nsys.exit(1)",
        READ_ALL,
        Ending.EXITED,
        levels=CONFINED,
    ),
    "it signals every process": Attack(
        "for pid in (-1, os.getppid()):\n    try: os.kill(pid, signal.SIGKILL)\n    except OSError: pass",
        READ_ALL,
        Ending.EXITED,
        levels=CONFINED,
    ),
    "it eats memory while the other one waits": Attack(
        "kept = []\nwhile True: kept.append(bytearray(1 << 22))", READ_ALL, Ending.MEMORY_LIMIT
    ),
}


@pytest.fixture(scope="module")
def box_of() -> Iterator[Callable[[Level], Box]]:
    """Return the box of a level, the same for all attacks."""
    boxes: dict[Level, Box] = {}

    def box_of(level: Level) -> Box:
        if level not in boxes:
            boxes[level] = box_at(level)
        return boxes[level]

    yield box_of
    for box in boxes.values():
        box.close()


def play(box: Box, sources: tuple[str, str], within: tuple[Limits, Limits], forks: tuple[bool, bool]) -> Interaction:
    """Run a solution and an interactor, both texts in Python."""
    commands = [
        Command(argv=(PYTHON, "-I", "-S", "-c", f"import os, signal, sys, time\n{source}"), may_fork=may_fork)
        for source, may_fork in zip(sources, forks, strict=True)
    ]
    return Pair((box, commands[0], within[0]), (box.partner, commands[1], within[1]), decides=lambda _: False).run()


def open_descriptors() -> int:
    """Return how many descriptors this process has."""
    return len(list(Path("/proc/self/fd").iterdir()))


ROWS = [
    pytest.param(
        name,
        level,
        is_solution,
        id=f"{level.value}-{'solution' if is_solution else 'interactor'}-{name}",
        marks=() if level is attack.levels[0] else pytest.mark.thorough,
    )
    for name, attack in ATTACKS.items()
    for level in attack.levels
    for is_solution in (True, False)
]


@pytest.mark.parametrize(("name", "level", "is_solution"), ROWS)
def test_a_hostile_side_harms_no_one(
    box_of: Callable[[Level], Box], name: str, level: Level, is_solution: bool
) -> None:
    attack, box = ATTACKS[name], box_of(level)
    mark = f"pair-attack-{os.getpid()}-{time.monotonic_ns()}"
    hostile = f"MARK = {mark!r}\n{attack.source}"
    tight = limits(wall=2.0, memory=64 * MIB, output=MIB)
    sources, within, forks = (hostile, attack.other), (tight, limits()), (attack.may_fork, False)
    if not is_solution:
        sources, within, forks = sources[::-1], within[::-1], forks[::-1]
    opened = open_descriptors()
    ran = play(box, sources, within, forks)
    hostile_run, other = (ran.solution, ran.interactor) if is_solution else (ran.interactor, ran.solution)
    assert (hostile_run.outcome.result.ending, other.outcome.result.ending) == (attack.ending, attack.other_ending), ran
    assert other.outcome.result.exit_code == 42
    assert processes_with(mark) == []
    assert open_descriptors() <= opened + 2  # the sockets of boxes that have started
    good = play(
        box,
        ("print(input())", "print(1, flush=True)\nsys.exit(41 + int(input()))"),
        (limits(), limits()),
        (False, False),
    )
    assert (good.solution.outcome.result.exit_code, good.interactor.outcome.result.exit_code) == (0, 42)


@pytest.mark.parametrize("is_solution", [True, False])
def test_a_supervisor_that_is_killed_ends_both_runs(is_solution: bool) -> None:
    with box_at(Level.LIMITS) as box:
        killed = box if is_solution else box.partner
        _ = box.level, box.partner.level
        timer = threading.Timer(0.5, lambda: os.kill(descendant_pids(killed._pid)[0], signal.SIGKILL))
        timer.start()
        with pytest.raises(SupervisorDiedError):
            play(box, (HANG, HANG), (limits(), limits()), (False, False))
        timer.join()
        ran = play(box, ("", "sys.exit(42)"), (limits(), limits()), (False, False))
        assert ran.interactor.outcome.result.exit_code == 42


@pytest.mark.thorough
def test_an_interruption_ends_both_runs_and_the_box_can_be_used_again() -> None:
    with box_at(Level.LIMITS) as box:
        _ = box.level, box.partner.level
        timer = threading.Timer(0.5, box.interrupt)
        timer.start()
        with pytest.raises(SandboxError, match="interrupted"):
            play(box, (HANG, HANG), (limits(), limits()), (False, False))
        timer.join()
        box.reopen()
        ran = play(box, ("", "sys.exit(42)"), (limits(), limits()), (False, False))
        assert ran.interactor.outcome.result.exit_code == 42
