"""Supervision of one side of an interaction: a run whose standard input and output are pipes.

Theory of operation. Besides limits, the supervisor watches whether the run waits for the other side. It tells the judge
since when and until when it has certainly waited; if the other side waited at the same time, neither will ever
continue. A program that waits uses no CPU time, so the costly look at its threads is taken only when its CPU clock has
not moved between two ticks. Whatever the run does, it uses CPU time; so if the clock still shows the same after that
look, the run has waited from the first of these ticks until now.

The time that a run has waited in this way is the other side's time, and does not count for its wall-clock limit.
"""

import os
import time

from judge.sandbox import proc, waiting
from judge.sandbox.protocol import CLOSED, CONTROL_FD, ENDED, STOP, WAITING, Request
from judge.sandbox.supervisor import Supervisor

TYPE_CHECKING = False
if TYPE_CHECKING:  # see protocol
    from collections.abc import Callable

_POLLIN = 1
_MAX_MESSAGE = 64


class PipeSupervisor(Supervisor):
    """Watches a run that is connected to another one.

    Its `wait` may also return `stopped`: the judge asked for the end of the run.

    Args:
        pipes: the names of the pipes that are standard input and output (`waiting.pipe_name`).
        stderr: the descriptor of standard error.
        send: sends a message to the judge.
    """

    may_skip = False  # what a run waits for matters, too

    def __init__(
        self,
        pid: int,
        request: Request,
        pipes: "tuple[str, str]",
        stderr: int,
        *,
        send: "Callable[[tuple[object, ...]], object]",
        setup: "Callable[[], float | None]",
        has_own_network: bool,
    ) -> None:
        super().__init__(pid, request, (stderr,), setup=setup, has_own_network=has_own_network)
        self.control_events = _POLLIN
        self.pipes = pipes
        self.send = send
        self._open = [True, True]  # the run still has its standard input and output
        self._seen: tuple[float, dict[int, float]] = (0.0, {})  # when the CPU clocks were read, and what they showed
        self._waiting_since = 0.0  # 0: it does not wait

    def report_end(self) -> None:
        """Tell the judge when the run ended, how much it wrote, and what it waited for."""
        ended = time.monotonic()
        pids = self._pids()
        blocked = waiting.waits_for(pids, *self.pipes)
        self.send((ENDED, ended, waiting.written_bytes(pids), blocked))

    def _read_order(self) -> str:
        try:
            return "stopped" if os.read(CONTROL_FD, _MAX_MESSAGE) == STOP else "gone"
        except OSError:
            return "gone"

    def _broken_limit(self) -> "str | None":
        self._look_for_closed_pipes()
        self._look_for_waiting()
        if broken := super()._broken_limit():
            return broken
        return "output" if waiting.written_bytes((self.pid, *self._children)) > self.request.output else None

    def _look_for_closed_pipes(self) -> None:
        for number, name in enumerate((waiting.INPUT, waiting.OUTPUT)):
            pipe = self.pipes[number]
            if not self._open[number] or waiting.has_as(self.pid, number, pipe):
                continue
            if not (waiting.holds(self._pids(), pipe) or proc.is_exiting(self.pid)):  # an end is reported as an end
                self._open[number] = False
                self.send((CLOSED, name))

    def _look_for_waiting(self) -> None:
        now, cpu = time.monotonic(), proc.cpu_time(self.pid)
        then, before = self._seen
        if cpu != before.get(self.pid):  # the usual case: look no further
            self._seen, self._waiting_since = (time.monotonic(), {self.pid: cpu}), 0.0
            return
        pids = self._pids()
        clocks = {pid: proc.cpu_time(pid) for pid in pids}
        self._seen = time.monotonic(), clocks
        kind = waiting.what_blocks(pids) if clocks == before else ""
        if not kind or self._pids() != pids or {pid: proc.cpu_time(pid) for pid in pids} != clocks:
            self._waiting_since = 0.0
            return
        self.idle += now - then
        self._waiting_since = self._waiting_since or then
        self.send((WAITING, self._waiting_since, now, kind))

    def _pids(self) -> "list[int]":
        return proc.descendant_pids(os.getpid())
