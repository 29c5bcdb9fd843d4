"""The supervision of one run: what it used so far, and whether a limit is broken."""

import errno
import os
import select
import time

from judge.sandbox import proc
from judge.sandbox.request import Request

FILES = (
    4  # a compiler keeps an assembly text, an object and a program at once, each as large as the output limit allows
)
_LEAST = 4096  # bytes that an entry counts at least: the emptiest takes an inode


def written(workshop: str, pids: "tuple[int, ...]", enough: int) -> int:
    """Return the size of all that stands in a workshop and of its removed files that processes hold open, in bytes.

    Counting ends soon after `enough`. Where nobody can look (a folder that is locked, or deeper than a path may be
    long) it is exceeded: no honest compiler makes such.
    """
    found, waiting = 0, [workshop]
    while waiting and found <= enough:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    found += _size(entry)
                    if found > enough:
                        break
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except FileNotFoundError:  # it is gone by now
            continue
        except OSError:
            return enough + 1
    return found + _removed(workshop, pids)


def _size(entry: "os.DirEntry[str]") -> int:
    try:
        return max(_LEAST, entry.stat(follow_symlinks=False).st_size)
    except OSError as error:
        if error.errno == errno.ENOENT:
            return 0
        raise


def _removed(workshop: str, pids: "tuple[int, ...]") -> int:
    """Return the size of files on the workshop's device that have no name any more, each counted once."""
    sizes: dict[int, int] = {}
    try:
        device = os.stat(workshop).st_dev
    except OSError:
        return 0
    for pid in pids:
        try:
            held = os.listdir(f"/proc/{pid}/fd")
        except OSError:  # it is gone, or a program that may not be looked into
            continue
        for fd in held:
            try:
                found = os.stat(f"/proc/{pid}/fd/{fd}")
            except OSError:
                continue
            if found.st_nlink == 0 and found.st_dev == device:
                sizes[found.st_ino] = found.st_size
    return sum(sizes.values())


TYPE_CHECKING = False
if TYPE_CHECKING:  # see request
    from collections.abc import Callable

# Polling: a run of some milliseconds is looked at once or never; a long one every TICK_LATE, which bounds how far a
# submission that allocates as fast as the kernel hands out pages gets beyond its memory limit.
TICK_EARLY_MS = 4
TICK_LATE_MS = 8
_EARLY_S = 0.1
_DISTURBED = 0.02  # of the elapsed time
_TREE_EVERY = 4  # look for children and waiting threads at every fourth tick only: it costs directory walks
_WORKSHOP_EVERY = 16  # add up what a compiler has written at every sixteenth tick only, some 0.1 s: for the same reason
_REST = 20  # times what a look at mappings took is the pause until the next
_ORDINARY = 1 << 24  # bytes of uncounted memory that a large innocent program may have; what is above counts


class Supervisor:
    """Follows a run by polling.

    Args:
        setup: returns the CPU seconds by which the run shut itself in, which are none of its own; None until it has.
        has_own_network: all sockets of our network namespace are the run's.

    Attributes:
        tree_peak: bytes of memory of the whole tree, when the run has children; else what was seen at a broken limit.
        spent: seconds of CPU time of every process of the run at the last look, those that are gone by now included.
    """

    def __init__(
        self,
        pid: int,
        request: Request,
        outputs: "tuple[int, int]",
        *,
        setup: "Callable[[], float | None]" = float,
        has_own_network: bool = False,
    ) -> None:
        self.pid = pid
        self.request = request
        self.outputs = outputs
        self.setup = setup
        self.has_own_network = has_own_network
        self.start = time.monotonic()
        self.tree_peak = 0
        self.spent: dict[int, float] = {}
        self._unmapped = 0
        self._unmapped_at = 0.0
        self._ticks = 0
        self._children: list[int] = []
        self._uncounted = 0
        self._delays: dict[str, int] = {}
        self._delayed = 0.0
        self._delayed_until = self.start

    def until_end(self, control: int) -> "str | None":
        """Wait until the run ends or breaks a limit.

        Returns:
            The limit's name, None when the run ended by itself, or `gone` when the judge closed its end of `control`.
        """
        pidfd = os.pidfd_open(self.pid)
        poller = select.poll()
        poller.register(pidfd, select.POLLIN)
        poller.register(control, 0)  # only POLLHUP and POLLERR
        try:
            while True:
                early = time.monotonic() - self.start < _EARLY_S
                ready = [fd for fd, _ in poller.poll(TICK_EARLY_MS if early else TICK_LATE_MS)]
                if control in ready:
                    return "gone"
                if pidfd in ready:
                    return None
                if broken := self._broken_limit():
                    return broken
        finally:
            os.close(pidfd)

    def hidden_cpu(self) -> float:
        """Return the CPU time of all processes but the first, as it was last seen."""
        return sum(seconds for pid, seconds in self.spent.items() if pid != self.pid)

    def was_disturbed(self) -> bool:
        """Tell whether the run waited for a processor for a part of its time that may matter, or nobody knows."""
        elapsed = time.monotonic() - self.start
        return not self._delays or self._delayed > _DISTURBED * elapsed

    def is_workshop_full(self, living: "tuple[int, ...]" = ()) -> bool:
        """Tell whether the run has written more in sum than it may; never where it has no workshop.

        Removed files count as long as the `living` processes of the run hold them open.
        """
        most = FILES * self.request.output
        workshop = self.request.writable
        return bool(workshop) and written(workshop, living, most) > most

    def _broken_limit(self) -> "str | None":
        limits = self.request
        self._ticks += 1
        if self._ticks % _TREE_EVERY == 0:
            self._look_at_tree()
        memory = proc.resident(self.pid) + self._uncounted
        for pid in (self.pid, *self._children):
            if seconds := proc.cpu_clock(pid):
                self.spent[pid] = seconds
        if self._children:
            memory = sum(map(proc.proportional, (self.pid, *self._children))) + self._uncounted
            self.tree_peak = max(self.tree_peak, memory)
        if memory > limits.memory:
            self.tree_peak = max(self.tree_peak, memory)
            return "memory"
        if self._is_over_its_time():
            return "time"
        if any(os.fstat(fd).st_size > limits.output for fd in self.outputs):
            return "output"
        if self._ticks % _WORKSHOP_EVERY == 0 and self.is_workshop_full((self.pid, *self._children)):
            return "output"
        return "wall" if self._is_idle_too_long() else None

    def _is_over_its_time(self) -> bool:
        spent = sum(self.spent.values())
        if spent <= self.request.cpu:
            return False
        setup = self.setup()
        return setup is not None and spent - setup > self.request.cpu

    def _look_at_tree(self) -> None:
        # of the zygote, since orphans of the run become its children
        self._children = [pid for pid in proc.descendants_of(os.getpid()) if pid != self.pid]
        processes = (self.pid, *self._children)
        uncounted = sum(map(proc.uncounted, processes)) + self._unmapped_memory(processes)
        if self.has_own_network:
            uncounted += proc.socket_memory()
        self._uncounted = max(0, uncounted - _ORDINARY)
        self._note_delays(processes)

    def _unmapped_memory(self, processes: "tuple[int, ...]") -> int:
        """Return what `proc.unmapped` tells; a program with very many mappings is not looked at all the time."""
        begun = time.monotonic()
        if begun >= self._unmapped_at:
            self._unmapped = sum(map(proc.unmapped, processes))
            ended = time.monotonic()
            self._unmapped_at = ended + _REST * (ended - begun)
        return self._unmapped

    def _note_delays(self, processes: "tuple[int, ...]") -> None:
        """Add the time that the run waited for a processor since the last look.

        Threads wait side by side, so the longest counts, and no moment twice: a thousand threads that wake up together
        once in a while wait for seconds in sum, and would sleep beyond any limit if that counted.
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

    def _is_idle_too_long(self) -> bool:
        """Tell whether the wall limit is over, time that the run waited for a processor not counted."""
        elapsed = time.monotonic() - self.start
        if elapsed <= self.request.wall:
            return False
        self._look_at_tree()
        return elapsed - self._delayed > self.request.wall
