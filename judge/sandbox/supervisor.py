"""Supervision of one run: how much it has used, and whether it exceeds a limit."""

import os
import select
import time

from judge.sandbox import proc, waiting
from judge.sandbox.protocol import CLOSED, CONTROL_FD, ENDED, STOP, WAITING, Request
from judge.sandbox.work_folder import disk_usage

TYPE_CHECKING = False
if TYPE_CHECKING:  # see protocol
    from collections.abc import Callable, Collection

# A check of a run takes 0.3 ms, which other runs may lack. So it comes only when the run may have got beyond a limit by
# much: a run of one process gets memory no faster than one processor can clear it, and only in CPU time.
_FASTEST_GROWTH = 16 << 30  # bytes in a second of CPU time; 10 were measured with huge pages
_LONGEST_PAUSE_S = 0.032
_SHORTEST_PAUSE_S = 0.006
# How often a run is looked at. Where several processes or processors share the work, that is also how often it is
# checked.
_EARLY_TICK_MS = 4
_LATE_TICK_MS = 8
_EARLY_S = 0.1
_PROCESS_CLOCK = 2  # CPUCLOCK_SCHED: include/linux/posix-timers.h
_TREE_PAUSE_S = 0.03  # between two looks for children and waiting threads, because they walk directories
_DISK_TICKS = 16  # measure the writable folder at every sixteenth tick only, about every 0.1 s, for the same reason

_DISTURBED = 0.02  # of the elapsed time
_MAPPINGS_PAUSE = 20  # pause between two reads of the mappings, as a multiple of the CPU time of a read
_SHARES_PAUSE = 100  # likewise for the shares of several processes, which only the peak needs below the limit
_USUAL_NONRESIDENT = 1 << 24  # bytes of nonresident memory that a large honest program may have; only the rest counts

_MAX_ORDER = 64  # bytes of a message of the judge during a run

# A compiler keeps an assembly file, an object file and a program at once, each as large as the output limit allows.
_DISK_FACTOR = 4


class Supervisor:
    """Watches a run and its descendants until the run ends or exceeds a limit.

    Args:
        pid: the first process of the run.
        request: the limits.
        outputs: descriptors of the files that are standard output and standard error.
        setup: returns the CPU time in seconds that the run's own setup took, which is not charged; None until then.
        has_own_network: all sockets of the network namespace belong to the run.
        has_core: the run is bound to one processor.
        others: children of the zygote that do not belong to the run.

    On a busy machine, a run that waits for a processor is not checked meanwhile: its checks would cost more than it.

    Attributes:
        start: the start of the run, by `time.monotonic`.
        peak_memory: the largest resident memory in bytes that was seen; with children, or at a broken limit, together
            with memory that is not resident.
        cpu_times: CPU time in seconds of every process of the run when last seen, including processes that have ended.
        idle: seconds that do not count as wall-clock time.
    """

    may_skip = True  # checks of a run that has hardly used the processor

    def __init__(
        self,
        pid: int,
        request: Request,
        outputs: "tuple[int, ...]",
        *,
        setup: "Callable[[], float | None]" = float,
        has_own_network: bool = False,
        has_core: bool = False,
        others: "Collection[int]" = (),
    ) -> None:
        self.pid = pid
        self.request = request
        self.outputs = outputs
        self.setup = setup
        self.has_own_network = has_own_network
        self.others = others
        self.control_events = 0  # only POLLHUP and POLLERR
        self.start = time.monotonic()
        self.peak_memory = 0
        self.cpu_times: dict[int, float] = {}
        self.idle = 0.0
        self._ticks = 0
        self._children: list[int] = []
        self._nonresident = 0
        self._unmapped = 0
        self._next_unmapped = 0.0
        self._next_shares = 0.0
        self._delays: dict[str, int] = {}
        self._delayed = 0.0
        self._delayed_until = self.start
        self._clock = ~pid << 3 | _PROCESS_CLOCK  # of all threads of the process; see clock_getcpuclockid(3)
        self._used = 0.0  # what that clock showed last,
        self._checked = 0.0  # and at the last check
        self._is_alone = self.may_skip and has_own_network and not (request.may_fork or request.writable)
        self._may_pause = self._is_alone and has_core
        self._pause = self._next_pause(0) if self._may_pause else _SHORTEST_PAUSE_S
        self._next_scan = self.start + _TREE_PAUSE_S / 2

    def wait(self, control: int) -> "str | None":
        """Wait until the run ends or exceeds a limit.

        Returns:
            The limit's name; None if the run ended by itself; `gone` if the judge closed its end of `control`; see
            `PipeSupervisor` for more.
        """
        pidfd = os.pidfd_open(self.pid)
        poller = select.poll()
        poller.register(pidfd, select.POLLIN)
        poller.register(control, self.control_events)
        try:
            while True:
                ready = [fd for fd, _ in poller.poll(self._tick_ms())]
                if control in ready:
                    return self._read_order()
                if pidfd in ready:
                    return None
                if self._is_alone and self._is_still():
                    continue
                if broken := self._broken_limit():
                    return broken
        finally:
            os.close(pidfd)

    def _tick_ms(self) -> int:
        """Return how long the run need not be looked at, in milliseconds."""
        if self._may_pause:
            until_check = self._pause - (self._used - self._checked)
            until_limit = min(self.request.cpu - self._used, self.start + self.request.wall - time.monotonic())
            return max(_EARLY_TICK_MS, int(1000 * min(until_check, until_limit)) + 1)
        return _EARLY_TICK_MS if time.monotonic() - self.start < _EARLY_S else _LATE_TICK_MS

    def _next_pause(self, memory: int) -> float:
        """Return how much CPU time a run of one process may use until the next check, if it has so much memory now."""
        until_limit = (self.request.memory - memory) / _FASTEST_GROWTH
        return min(_LONGEST_PAUSE_S, max(_SHORTEST_PAUSE_S, until_limit))

    def _is_still(self) -> bool:
        """Return whether a run of one process has used too little CPU time since the last check to need another."""
        try:
            self._used = time.clock_gettime(self._clock)
        except OSError:  # it has ended
            return False
        is_active = self._used - self._checked >= self._pause or self._used > self.request.cpu
        if is_active or self._exceeds_output_limit():
            self._checked = self._used
            return False
        return time.monotonic() - self.start - self.idle <= self.request.wall

    def descendants_cpu(self) -> float:
        """Return the CPU time of all processes but the first, as last seen."""
        return sum(seconds for pid, seconds in self.cpu_times.items() if pid != self.pid)

    def was_disturbed(self) -> bool:
        """Return whether the run waited for a processor for a relevant part of its time, or that is unknown."""
        elapsed = time.monotonic() - self.start
        return not self._delays or self._delayed > _DISTURBED * elapsed

    def exceeds_disk_limit(self, pids: "tuple[int, ...]" = ()) -> bool:
        """Return whether the run has written more in total than it may; False if it has no writable folder.

        Deleted files count as long as one of these processes holds them open.
        """
        limit = self.request.disk or _DISK_FACTOR * self.request.output
        folder = self.request.writable
        return bool(folder) and disk_usage(folder, pids, limit) > limit

    def report_end(self) -> None:
        """Tell the judge more about the end of the run, which has not been reaped. Nothing but the answer is needed."""

    def _read_order(self) -> str:
        """Return why the judge ends the run: its end of the socket is closed."""
        return "gone"

    def _broken_limit(self) -> "str | None":
        limits = self.request
        self._ticks += 1
        if self._ticks == 1:  # a run that ends before the first check needs none of this
            proc.prefer_for_oom_kill(self.pid)
        if self._pause > _SHORTEST_PAUSE_S or time.monotonic() >= self._next_scan:
            self._scan_tree()
        memory = self._measure()
        if memory > limits.memory:
            self.peak_memory = max(self.peak_memory, memory)
            return "memory"
        if self._may_pause:
            self._pause = self._next_pause(memory)
        if self._exceeds_cpu_limit():
            return "time"
        if self._exceeds_output_limit():
            return "output"
        if self._ticks % _DISK_TICKS == 0 and self.exceeds_disk_limit((self.pid, *self._children)):
            return "output"
        return "wall" if self._exceeds_wall_limit() else None

    def _measure(self) -> int:
        """Read what all processes have used until now; return how much memory they hold."""
        memory = proc.resident_memory(self.pid)
        self.peak_memory = max(self.peak_memory, memory)  # at `limits`, a process can reset the kernel's record
        for pid in (self.pid, *self._children):
            if seconds := proc.cpu_time(pid):
                self.cpu_times[pid] = seconds
        memory += self._nonresident
        if not self._children:
            return memory
        memory += sum(map(proc.resident_memory, self._children))  # at least as much as their shares
        is_due = memory > self.peak_memory and time.monotonic() >= self._next_shares
        if memory > self.request.memory or is_due:
            begun = time.process_time()
            memory = sum(map(proc.proportional_memory, (self.pid, *self._children))) + self._nonresident
            self.peak_memory = max(self.peak_memory, memory)
            self._next_shares = time.monotonic() + _SHARES_PAUSE * (time.process_time() - begun)
        return memory

    def _exceeds_output_limit(self) -> bool:
        return any(os.fstat(fd).st_size > self.request.output for fd in self.outputs)

    def _exceeds_cpu_limit(self) -> bool:
        used = sum(self.cpu_times.values())
        if used <= self.request.cpu:
            return False
        setup = self.setup()
        return setup is not None and used - setup > self.request.cpu

    def _exceeds_wall_limit(self) -> bool:
        """Return whether the wall limit is exceeded, not counting the time that the run waited for a processor."""
        elapsed = time.monotonic() - self.start - self.idle
        if elapsed <= self.request.wall:
            return False
        self._scan_tree()
        return elapsed - self._delayed > self.request.wall

    def _scan_tree(self) -> None:
        # descendants of the zygote, because orphans of the run become its children
        known = (self.pid, *self.others)
        self._children = [pid for pid in proc.descendant_pids(os.getpid()) if pid not in known]
        processes = (self.pid, *self._children)
        nonresident = sum(map(proc.nonresident_memory, processes)) + self._unmapped_memory(processes)
        if self.has_own_network:
            nonresident += proc.socket_memory()
        else:
            nonresident += proc.open_socket_memory(processes, self.request.memory)
        self._nonresident = max(0, nonresident - _USUAL_NONRESIDENT)
        self._add_delays(processes)
        self._next_scan = time.monotonic() + _TREE_PAUSE_S

    def _unmapped_memory(self, processes: "tuple[int, ...]") -> int:
        """Return `proc.unmapped_memory`, read less often for programs with very many mappings."""
        if time.monotonic() >= self._next_unmapped:
            begun = time.process_time()  # on a busy machine, much less than the elapsed time
            self._unmapped = proc.unmapped_memory(*processes)
            self._next_unmapped = time.monotonic() + _MAPPINGS_PAUSE * (time.process_time() - begun)
        return self._unmapped

    def _add_delays(self, processes: "tuple[int, ...]") -> None:
        """Add the time that the run has waited for a processor since the last scan.

        Threads wait in parallel, so only the longest wait counts, and no moment counts twice: otherwise a thousand
        threads that wake up together would add up to seconds of waiting, and could sleep beyond any limit.
        """
        longest = 0
        for pid in processes:
            for thread, delay in proc.run_delays(pid).items():
                longest = max(longest, delay - self._delays.get(thread, 0))
                self._delays[thread] = delay
        if longest:
            now = time.monotonic()
            self._delayed += min(longest / 1e9, now - self._delayed_until)
            self._delayed_until = now


class PipeSupervisor(Supervisor):
    """Watches one side of an interaction: a run whose standard input and output are pipes.

    Besides limits, the supervisor watches whether the run waits for the other side. It tells the judge since when and
    until when it has certainly waited; if the other side waited at the same time, neither will ever continue. A program
    that waits uses no CPU time, so the expensive look at its threads is taken only when its CPU clock has not moved
    between two ticks. Whatever the run does, it uses CPU time; so if the clock still shows the same after that look,
    the run has waited from the first of these ticks until now.

    The time that a run has waited in this way is the other side's time, and does not count for its wall-clock limit.

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
        self.control_events = select.POLLIN
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
            return "stopped" if os.read(CONTROL_FD, _MAX_ORDER) == STOP else "gone"
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
