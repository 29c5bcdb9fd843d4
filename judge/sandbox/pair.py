"""Two runs at the same time whose standard input and output are connected: a solution and an interactor.

Each runs in a box of its own, with its own limits. What happens is decided here, message by message from the two
supervisors (see `protocol`):

- When a side ends, the other one reads the end of its input, but only after the judge knows the end of the first. So
  the order of ends is certain if one is the consequence of the other. Kattis' tools do the same (support/interactive
  of problemtools explains why).
- When the interactor closes its output, the solution reads the end of its input. The other way round, the interactor
  does not: otherwise a solution that closes its output and then crashes would be a race. So do Kattis and BAPCtools.
- What a side writes to one that has ended or has closed its input is thrown away: it gets neither SIGPIPE nor stuck.
- When both wait for each other at the same moment, neither can ever continue: the solution is stopped at once.
- When the interactor ends first and the verdict does not depend on the solution any more, the solution is stopped
  before it reads the end of its input.
"""

import marshal
import math
import os
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

from msgspec import Struct

from judge.base.errors import SandboxError
from judge.model import Limits
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.channel import Channel, RecordingChannel
from judge.sandbox.protocol import CLOSED, ENDED, MAX_MESSAGE, STOP, WAITING
from judge.sandbox.run_files import memory_file
from judge.sandbox.waiting import INPUT

_DIED = "the process that supervises the runs was killed; the machine may be out of memory"
_PATIENCE_MS = 1000  # how often to check whether a silent zygote was stopped
_GRACE = 10.0  # seconds of an interactor after the end of a solution that has failed
_WAKE_TIME = 0.5  # seconds that a virtual machine may need to wake a run that has something to read

Recorder = Callable[[bool, bytes], None]
"""Called with what a side writes: is it the solution, and the bytes."""


class PairedRun(Struct, frozen=True, kw_only=True):
    """One side of an interaction.

    Attributes:
        outcome: without standard output.
        ended: when it ended or exceeded a limit, by `time.monotonic`.
        is_stopped: the judge ended it, because of the other side or because neither could continue.
        waits_for: what it seemed to wait for when a limit ended it: `input`, `output` (that the other side reads), or
            "" for neither.
    """

    outcome: Outcome
    ended: float
    is_stopped: bool
    waits_for: str


class Interaction(Struct, frozen=True, kw_only=True):
    """What happened in an interaction.

    Attributes:
        deadlock: what the solution and the interactor waited for when neither could continue (`input`, `output`,
            `itself`, or `ended` for one that had ended); None if that did not happen.
        is_abandoned: the interactor was stopped because it went on for long after a solution that had failed.
    """

    solution: PairedRun
    interactor: PairedRun
    deadlock: tuple[str, str] | None
    is_abandoned: bool = False

    @property
    def is_interactor_first(self) -> bool:
        """Whether the interactor ended before the solution."""
        return self.interactor.ended < self.solution.ended


class SupervisorDiedError(SandboxError):
    """The process that supervises a run was killed; both runs have ended."""


class _Side:
    """One of the two runs while it goes on."""

    def __init__(self, box: Box, command: Command, limits: Limits, stderr: int) -> None:
        self.box = box
        self.command = command
        self.limits = limits
        self.stderr = stderr
        self.connection: socket.socket | None = None
        self.waiting = (math.inf, -math.inf, "")  # since, until, for what: an empty interval at first
        self.end: tuple[float, int, str] | None = None
        self.run: PairedRun | None = None
        self.error = ""
        self.is_running = False
        self.is_stopping = False

    def start(self, stdin: int, stdout: int) -> None:
        try:
            self.connection = self.box.begin(self.command, self.limits, (stdin, stdout, self.stderr), has_pipes=True)
        except OSError as error:
            raise SupervisorDiedError(_DIED) from error
        self.is_running = True

    def stop(self) -> None:
        """Ask for the end of the run; it is over when the answer comes."""
        if self.is_running and self.connection is not None:
            self.is_stopping = True
            try:
                self.connection.send(STOP)
            except OSError as error:
                raise SupervisorDiedError(_DIED) from error

    def finish(self, answer: tuple[object, ...]) -> None:
        """Take the last message of the run."""
        self.is_running = False
        ended, written, waits_for = self.end or (time.monotonic(), 0, "")
        self.waiting = (0.0, math.inf, "ended")
        if answer[0] == "failed":
            self.error = str(answer[1])
            return
        outcome, _ = self.box.outcome(answer, self.limits, self.stderr, max(0, written - os.fstat(self.stderr).st_size))
        self.run = PairedRun(outcome=outcome, ended=ended, is_stopped=answer[1] == "stopped", waits_for=waits_for)


@contextmanager
def _keep_on(core: int | None) -> Iterator[None]:
    """Keep this thread on a processor: there, a message wakes it much sooner than on another one."""
    if core is None:
        yield
        return
    usual = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, usual)


class Pair:
    """A solution and an interactor, to be run once.

    Args:
        decides: returns whether the verdict of an interactor that ended first is final, whatever the solution does.
        record: for a transcript; slower.
        fails: returns whether the solution alone has decided the verdict: then the interactor has a few seconds left.
    """

    def __init__(
        self,
        solution: tuple[Box, Command, Limits],
        interactor: tuple[Box, Command, Limits],
        *,
        decides: Callable[[Outcome], bool],
        record: Recorder | None = None,
        fails: Callable[[Outcome], bool] = lambda _: False,
    ) -> None:
        self._fails = fails
        self._deadline = math.inf  # of the interactor, by `time.monotonic`
        self._commands = solution, interactor
        self._decides = decides
        self._record = record
        self._poller = select.poll()
        self._events: list[tuple[int, int]] = []  # of the channels that the poller waits for
        self._handlers: dict[int, Callable[[], None]] = {}
        self._moved = 0.0  # when data was moved, or a pipe closed, for the last time
        self._deadlock: tuple[str, str] | None = None

    def run(self) -> Interaction:
        """Run both to their ends.

        Raises:
            SupervisorDiedError: a supervisor was killed; it makes sense to try again.
            SandboxError: a run could not be set up or observed, or was interrupted.
        """
        with ExitStack() as opened:
            errors = [opened.enter_context(memory_file("stderr")) for _ in self._commands]
            sides = [_Side(*each, stderr) for each, stderr in zip(self._commands, errors, strict=True)]
            self._solution, self._interactor = sides
            self._sides = self._solution, self._interactor
            self._channels = self._open_channels(opened)
            relays_on = self._solution.box.core if self._record else None
            with self._cleanup(), self._solution.box.beside_others():
                for side in self._sides:
                    _ = side.box.level  # both zygotes start before the first run does, and may use all processors
                with _keep_on(relays_on):
                    to_interactor, to_solution = self._channels
                    self._interactor.start(to_interactor.reader, to_solution.writer)
                    self._solution.start(to_solution.reader, to_interactor.writer)
                    for channel in self._channels:
                        channel.start()
                    while any(side.is_running for side in self._sides) or not self._is_quiet():
                        self._step()
        if error := self._interactor.error or self._solution.error:
            raise SandboxError(error)
        assert self._solution.run is not None
        assert self._interactor.run is not None
        return Interaction(
            solution=self._solution.run,
            interactor=self._interactor.run,
            deadlock=self._deadlock,
            is_abandoned=self._interactor.run.is_stopped and self._deadline == -math.inf,
        )

    def _open_channels(self, opened: ExitStack) -> tuple[Channel, Channel]:
        record = self._record
        if record is None:
            channels = Channel(), Channel()
        else:
            channels = RecordingChannel(partial(record, True)), RecordingChannel(partial(record, False))
        for channel in channels:
            opened.callback(channel.close)
        return channels

    @contextmanager
    def _cleanup(self) -> Iterator[None]:
        """Make both boxes usable again if anything fails."""
        try:
            yield
        except BaseException as error:
            for side in self._sides:
                if side.is_running or isinstance(error, SupervisorDiedError):
                    side.box.restart()
            raise

    def _step(self) -> None:
        """Wait for something to happen, and react."""
        events = [channel.awaited() for channel in self._channels]
        if events != self._events or not self._handlers:
            self._listen(events)
        ready, handlers = self._poller.poll(_PATIENCE_MS), self._handlers
        self._check_deadline()
        for fd, _ in ready:
            handlers[fd]()
        if not ready:
            for side in self._sides:
                if side.is_running:
                    side.box.kill_if_stopped()

    def _listen(self, events: list[tuple[int, int]]) -> None:
        """Prepare to wait for these events of the channels, and for messages.

        Most messages of a dialogue change nothing about that. The channels come first (poll(2) keeps the order), so
        that what a side has written is moved before its end is known.
        """
        self._poller, self._events, self._handlers = select.poll(), events, {}
        for (fd, event), channel in zip(events, self._channels, strict=True):
            if fd >= 0:
                self._poller.register(fd, event)
                self._handlers[fd] = partial(self._move, channel)
        for side in self._sides:
            if side.is_running and side.connection is not None:
                self._poller.register(side.connection, select.POLLIN)
                self._handlers[side.connection.fileno()] = partial(self._receive, side)

    def _move(self, channel: Channel) -> None:
        channel.move()
        self._moved = time.monotonic()

    def _receive(self, side: _Side) -> None:
        assert side.connection is not None
        try:
            message = side.connection.recv(MAX_MESSAGE)
        except OSError:
            message = b""
        if not message:
            raise SupervisorDiedError(_DIED)
        is_solution = side is self._solution
        outgoing, incoming = self._channels if is_solution else self._channels[::-1]
        other = self._interactor if is_solution else self._solution
        match marshal.loads(message):
            case (kind, float(since), float(until), str(what)) if kind == WAITING:
                side.waiting = since, until, what
                self._check_deadlock()
            case (kind, "input") if kind == CLOSED:
                incoming.discard()
            case (kind, "output") if kind == CLOSED:
                if side is self._interactor:
                    outgoing.finish()
                    self._moved = time.monotonic()
            case (kind, float(ended), int(written), str(waits_for)) if kind == ENDED:
                side.end = ended, written, waits_for
            case answer:
                side.finish(answer)
                self._handlers = {}
                incoming.discard()
                self._check_end(side)
                if not other.is_stopping:  # a stopped run must not end by itself first
                    outgoing.finish()
                self._moved = time.monotonic()

    def _check_end(self, side: _Side) -> None:
        """Stop the other side if nothing depends on it any more."""
        if side.run is None:
            for each in self._sides:
                each.stop()
        elif side is self._interactor and (side.run.is_stopped or self._decides(side.run.outcome)):
            self._solution.stop()
        elif side is self._solution and self._deadlock is None and self._fails(side.run.outcome):
            self._deadline = time.monotonic() + _GRACE

    def _check_deadline(self) -> None:
        """Stop an interactor that goes on for too long after a solution that has failed."""
        if -math.inf < self._deadline < time.monotonic() and self._interactor.is_running:
            self._interactor.stop()
            self._deadline = -math.inf

    def _check_deadlock(self) -> None:
        """Stop the solution if both waited for each other at one moment, and nothing was on the way between them.

        An interactor that then waits although the solution has ended is stopped as well. A run that has something to
        read, or the end of its input, seems to wait until its processor wakes it; only a long wait counts then.
        """
        begin = max(self._moved, *(side.waiting[0] for side in self._sides))
        end = min(side.waiting[1] for side in self._sides)
        if begin >= end or (end - begin < _WAKE_TIME and self._may_wake()) or not self._is_quiet():
            return
        if self._deadlock is None:
            self._deadlock = self._solution.waiting[2], self._interactor.waiting[2]
        (self._solution if self._solution.is_running else self._interactor).stop()

    def _may_wake(self) -> bool:
        """Return whether a side waits that has something to read, or the end of its input."""
        readers = zip(self._channels, reversed(self._sides), strict=True)
        return not all(side.is_running for side in self._sides) or any(
            side.waiting[2] == INPUT and channel.has_unread_data() for channel, side in readers
        )

    def _is_quiet(self) -> bool:
        """Return whether the judge can move nothing."""
        poller = select.poll()
        for channel in self._channels:
            fd, event = channel.awaited()
            if fd >= 0:
                poller.register(fd, event)
        return not poller.poll(0)
