"""Runs on this machine: some worker threads, each with a box of its own.

A worker spends its time waiting for its box, so threads serve; the runs themselves are processes of the boxes.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Self, TypeVar

from judge.model import Level
from judge.sandbox.box import ALL_LEVELS, Box, Refusal
from judge.sandbox.quiet import Quiet
from judge.sandbox.warmbox import WarmBox

T = TypeVar("T")
R = TypeVar("R")

# How many results may wait for an earlier one that takes long; bounds memory, keeps the workers busy meanwhile.
LOOKAHEAD = 256


class Interrupted(BaseException):
    """Somebody asked to stop; like KeyboardInterrupt, no `except Exception` catches it."""


class LocalExecutor:
    """A fixed number of workers; a context manager. Used from one thread only, but for `interrupt`.

    Args:
        workers: how many runs at once.
        levels, workshops, belongings: see `Box`.
        is_warm: runs of Python solutions fork from a ready interpreter (see `WarmBox`).
    """

    def __init__(
        self,
        workers: int,
        *,
        levels: Sequence[Level] = ALL_LEVELS,
        workshops: Path | None = None,
        belongings: Path | None = None,
        is_warm: bool = False,
    ) -> None:
        self.workers = workers
        self.is_warm = is_warm
        quiet, kind = Quiet(), WarmBox if is_warm else Box
        self._boxes = [
            kind(levels=levels, workshops=workshops, belongings=belongings, core=core, quiet=quiet)
            for core in _cores_for(workers)
        ]
        self._jobs: SimpleQueue[Callable[[Box], None] | None] = SimpleQueue()
        self._wakers: SimpleQueue[Any] | None = None
        self._stopping = False
        self._threads = [
            threading.Thread(target=self._work, args=(box,), name=f"judge-worker-{number}", daemon=True)
            for number, box in enumerate(self._boxes, 1)
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def level(self) -> Level:
        """How well runs are shut in on this machine; once it was asked for, no run is at a lower level.

        Raises:
            SandboxError: no sandbox works here.
        """
        level = self._boxes[0].level
        for box in self._boxes:
            box.accept(level)
        return level

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """The better levels that do not work here, and why; known once the level is."""
        return self._boxes[0].refusals

    def interrupt(self) -> None:
        """Make `map` raise `Interrupted` as soon as it is asked for a result. May be called from a signal handler."""
        self._stopping = True
        if self._wakers is not None:
            self._wakers.put(None)  # SimpleQueue.put is reentrant: documented for this use

    def close(self) -> None:
        """End all runs, all boxes and all workers."""
        self._stopping = True
        for box in self._boxes:
            box.interrupt()
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()
        for box in self._boxes:
            box.close()

    def map(self, function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
        """Call the function for every item, each in some worker's box; yield the results in the items' order.

        Items are taken only as fast as results are wanted. An exception of a call is raised here, in its turn.

        Raises:
            Interrupted: after `interrupt`.
        """
        results: SimpleQueue[Any] = SimpleQueue()
        self._wakers = results
        source = iter(items)
        done: dict[int, tuple[R | None, BaseException | None]] = {}
        sent = wanted = 0
        exhausted = False
        while True:
            while not exhausted and sent - wanted < LOOKAHEAD:
                try:
                    item = next(source)
                except StopIteration:
                    exhausted = True
                else:
                    self._jobs.put(_call(function, item, sent, results))
                    sent += 1
            if wanted == sent:
                return
            while wanted not in done:
                if self._stopping:
                    raise Interrupted
                if (message := results.get()) is not None:
                    done[message[0]] = message[1:]
            value, error = done.pop(wanted)
            wanted += 1
            if error is not None:
                raise error
            yield value  # type: ignore[misc]  # no error, so there is a value

    def _work(self, box: Box) -> None:
        while (job := self._jobs.get()) is not None:
            if not self._stopping:
                job(box)


def _call(function: Callable[[Box, T], R], item: T, number: int, results: SimpleQueue[Any]) -> Callable[[Box], None]:
    def call(box: Box) -> None:
        try:
            results.put((number, function(box, item), None))
        except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that asked
            results.put((number, None, error))

    return call


def default_workers() -> int:
    """Return how many runs at once leave each of them a core of its own."""
    return len(_cores())


def _cores() -> list[int]:
    """Return one processor of each core that we may use.

    Two threads of one core slow each other down and would show in the times.
    """
    found: dict[str, int] = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        siblings = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        try:
            found.setdefault(siblings.read_text(), cpu)
        except OSError:
            found.setdefault(str(cpu), cpu)
    return list(found.values())


def _cores_for(workers: int) -> list[int | None]:
    """Return the core of each worker; None for all when there are too few.

    Where there are more than needed, different judges begin at different ones.
    """
    cores = _cores()
    if workers > len(cores):
        return [None] * workers
    first = os.getpid() % len(cores)
    return [cores[(first + worker) % len(cores)] for worker in range(workers)]
