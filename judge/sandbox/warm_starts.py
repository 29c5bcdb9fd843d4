"""Runs of a problem's own Python programs: warm where that agrees with cold runs.

A checker or validator in Python takes longer to start than to decide. So one that has run often enough to be worth an
interpreter starts warm, as strictly confined as otherwise. To start an interpreter that forks takes as long as several
cold runs, and a session may have many problems with programs of their own. So only the programs that ran last keep
their interpreters.

A cold run decides wherever a warm one might differ: whenever a program does anything but accept or reject, and for a
sample of its warm runs. If these differ once, the program starts cold from then on.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from msgspec import Struct

from judge.base.errors import SandboxError
from judge.model import Level, Limits
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.warm_box import SharedWarmBox, WarmBox, warm_command

_COLD_RUNS = 4  # of a program before it starts warm
_MIN_REPETITIONS = 4
_MAX_BOXES = 4
_TRACEBACK = b"Traceback (most recent call last)"  # shows the frames of the interpreter that forks

R = TypeVar("R")


class _Program(Struct):
    """What is known of a program; `is_cold`: it never starts warm again."""

    cold_runs: int = 0
    warm_runs: int = 0
    repetitions: int = 0
    is_cold: bool = False


class WarmStarts:
    """The warm boxes beside one box. Not thread-safe, except for `interrupt`.

    Attributes:
        is_interrupted: since `interrupt`, until `reopen`.

    Args:
        box: where the programs run cold; at the same level, on the same processor, with the same files.
    """

    def __init__(self, box: Box) -> None:
        self._box = box
        self._programs: dict[str, _Program] = {}
        self._boxes: dict[str, WarmBox] = {}  # the one that was used last is the last
        self.is_interrupted = False

    def choose(self, command: Command) -> WarmBox | None:
        """Return the box for the next run of a program; None if it starts cold."""
        source = warm_command(command)[1]
        if not source or isinstance(self._box, (WarmBox, SharedWarmBox)):  # the user wants warm runs, or it cannot
            return None
        program = self._programs.setdefault(source, _Program())
        if program.is_cold:
            return None
        if program.cold_runs < _COLD_RUNS:
            program.cold_runs += 1
            if program.cold_runs == _COLD_RUNS:
                with suppress(SandboxError):  # the first warm run reports it
                    self._open(source).prepare(command)  # it starts beside the last cold run
            return None
        program.warm_runs += 1
        return self._open(source)

    def is_sample(self, command: Command) -> bool:
        """Return whether the warm run of a program that has just ended is one that a cold run must confirm.

        That is the first, the second, the fourth, the eighth, and so on.
        """
        runs = self._programs[warm_command(command)[1]].warm_runs
        return runs & (runs - 1) == 0

    def note_repetition(self, command: Command) -> None:
        """Note that a warm run decided nothing, so that a cold one repeats it; if most do, the program starts cold."""
        program = self._programs[warm_command(command)[1]]
        program.repetitions += 1
        if program.repetitions >= _MIN_REPETITIONS and 2 * program.repetitions > program.warm_runs:
            self.refuse(command)

    def refuse(self, command: Command) -> None:
        """Start a program cold from now on: its warm runs differ from cold ones, or decide nothing."""
        source = warm_command(command)[1]
        self._programs[source].is_cold = True
        if box := self._boxes.pop(source, None):
            box.close()

    def require(self, level: Level) -> None:
        """Never use a lower level than this."""
        for box in self._boxes.values():
            box.require(level)

    def close(self) -> None:
        """End all interpreters."""
        for box in self._boxes.values():
            box.close()

    def interrupt(self) -> None:
        """End the current run from another thread; see `Box.interrupt`."""
        self.is_interrupted = True
        for box in list(self._boxes.values()):
            box.interrupt()

    def reopen(self) -> None:
        """Allow runs again after `interrupt`."""
        self.is_interrupted = False
        for box in self._boxes.values():
            box.reopen()

    def _open(self, source: str) -> WarmBox:
        box = self._boxes.pop(source, None)
        if box is None:
            while len(self._boxes) >= _MAX_BOXES:
                evicted = next(iter(self._boxes))
                self._boxes.pop(evicted).close()
                self._programs[evicted].cold_runs = 0  # programs in turn must not start an interpreter each time
            box = self._box.open_beside(WarmBox)
        self._boxes[source] = box
        if self.is_interrupted:  # meanwhile, from another thread
            box.interrupt()
        return box


def run_program(
    box: Box,
    command: Command,
    limits: Limits,
    conclude: Callable[[Outcome], R],
    *,
    is_plain: Callable[[R], bool],
    reset: Callable[[], None] = lambda: None,
) -> R:
    """Run a program of a problem, warm or cold, and return what follows.

    It runs cold in `box`. `conclude` returns what follows from a run, and `is_plain` whether that is to accept or to
    reject, and nothing else. `reset` makes everything as before the run, so that it can be repeated.

    Raises:
        SandboxError: the program could not be run.
    """
    starts = box.companion(WarmStarts)
    warm = starts.choose(command)
    if warm is None:
        return conclude(box.run(command, limits))
    try:
        outcome = warm.run(command, limits)
    except SandboxError:  # the interpreter itself did not start, or did not survive
        if starts.is_interrupted:  # that says nothing about the program
            raise
        starts.refuse(command)
        reset()
        return conclude(box.run(command, limits))
    result = conclude(outcome)
    is_certain = is_plain(result) and _TRACEBACK not in outcome.stderr
    if is_certain and not starts.is_sample(command):
        return result
    reset()
    confirmed = conclude(box.run(command, limits))
    if not is_certain:  # what a failure shows may differ, but not whether it is one
        starts.note_repetition(command)
    differs = confirmed != result if is_certain else is_plain(confirmed) != is_plain(result)
    if differs:
        starts.refuse(command)
    return confirmed
