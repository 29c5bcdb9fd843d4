"""Runs on this machine: some worker threads, each with a box of its own.

A worker spends its time waiting for its box, so threads serve; the runs themselves are processes of the boxes.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Self, TypeVar

from judge.sandbox import Box

T = TypeVar("T")
R = TypeVar("R")

# How many results may wait for an earlier one that takes long; bounds memory, keeps the workers busy meanwhile.
LOOKAHEAD = 256


class Interrupted(BaseException):
    """Somebody asked to stop; like KeyboardInterrupt, no `except Exception` catches it."""


class LocalExecutor:
    """A fixed number of workers; a context manager. Used from one thread only, but for `interrupt`."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._boxes = [Box() for _ in range(workers)]
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
    """Return how many runs at once leave each of them a core of its own.

    Two threads of one core slow each other down and would show in the times: count cores, among those we may use.
    """
    allowed = os.sched_getaffinity(0)
    cores = set()
    for cpu in allowed:
        siblings = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        try:
            cores.add(siblings.read_text())
        except OSError:
            return len(allowed)
    return max(1, len(cores))
