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

from judge.executors.dispatcher import Dispatcher, WorkerQueue
from judge.model import Level
from judge.sandbox.box import ALL_LEVELS, Box, Refusal
from judge.sandbox.run_lock import RunLock
from judge.sandbox.warmbox import WarmBox

T = TypeVar("T")
R = TypeVar("R")

# How many results may wait for an earlier one that takes long; bounds memory, keeps the workers busy meanwhile.
LOOKAHEAD = 256


class Interrupted(BaseException):
    """Somebody asked to stop; like KeyboardInterrupt, no `except Exception` catches it."""


class LocalExecutor:
    """A fixed number of workers; a context manager. Used from one thread only, but for `interrupt` and `abandon`.

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
        work_folder: Path | None = None,
        cleanup_folder: Path | None = None,
        is_warm: bool = False,
    ) -> None:
        self.workers = workers
        self.is_warm = is_warm
        quiet, kind = RunLock(), WarmBox if is_warm else Box
        self._boxes = [
            kind(levels=levels, work_folder=work_folder, cleanup_folder=cleanup_folder, core=core, quiet=quiet)
            for core in _cores_for(workers)
        ]
        self._jobs = Dispatcher(workers)
        self._wakers: SimpleQueue[Any] | None = None
        self._stopping = False  # for good
        self._abandoned = False  # until `resume`
        self._busy: set[Box] = set()
        self._turn = threading.Condition()  # guards `_busy`
        self._threads = [
            threading.Thread(target=self._work, args=(box, desk), name=f"judge-worker-{number}", daemon=True)
            for number, (box, desk) in enumerate(zip(self._boxes, self._jobs.desks, strict=True), 1)
        ]
        for thread in self._threads:
            thread.start()
        if not is_warm:  # else it depends on the solution what is to be started
            self._boxes[0].begin()

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
        self._wake()

    @property
    def is_stopping(self) -> bool:
        """Whether `interrupt` was called."""
        return self._stopping

    def abandon(self) -> None:
        """Make the `map` that goes on raise `Interrupted`, too; afterwards `resume` allows others. From any thread."""
        self._abandoned = True
        self._wake()

    def resume(self) -> None:
        """Be ready for another `map` after one that was abandoned.

        Runs that still go on are ended, and their boxes begin anew; the other boxes stay as warm as they are.
        """
        if not self._abandoned:
            return
        self._jobs.clear()
        with self._turn:
            ended = list(self._busy)
            for box in ended:
                box.interrupt()
            self._turn.wait_for(lambda: not self._busy)
        for box in ended:
            box.reopen()
        self._abandoned = False

    def wait(self, messages: "SimpleQueue[Any]") -> Any:
        """Return the next message of a queue that other threads fill; None is none.

        Raises:
            Interrupted: after `interrupt`.
        """
        self._wakers = messages
        while not self._stopping:
            if (message := messages.get()) is not None:
                return message
        raise Interrupted

    def _must_stop(self) -> bool:
        return self._stopping or self._abandoned

    def _wake(self) -> None:
        if self._wakers is not None:
            self._wakers.put(None)  # SimpleQueue.put is reentrant: documented for this use

    def close(self) -> None:
        """End all runs, all boxes and all workers."""
        self._stopping = True
        for box in self._boxes:
            box.interrupt()
        self._jobs.end()
        for thread in self._threads:
            thread.join()
        for box in self._boxes:
            box.close()

    def map(
        self,
        function: Callable[[Box, T], R],
        items: Iterable[T],
        known: Callable[[T], R | None] = lambda _: None,
    ) -> Iterator[R]:
        """Call the function for every item, each in some worker's box; yield the results in the items' order.

        Items are taken only as fast as results are wanted. An exception of a call is raised here, in its turn.

        Args:
            function: called by workers.
            items: what it is called for.
            known: asked first, in this thread: a result that needs no run, or None.

        Raises:
            Interrupted: after `interrupt` or `abandon`.
        """
        results: SimpleQueue[Any] = SimpleQueue()
        self._wakers = results
        done: dict[int, tuple[R | None, BaseException | None]] = {}
        sending = self._sent(function, items, known, done, results)
        sent = wanted = 0
        while True:
            while sent - wanted < LOOKAHEAD and next(sending, None) is not None:
                sent += 1
            if self._must_stop():  # also where all that is left is known
                raise Interrupted
            if wanted == sent:
                return
            while wanted not in done:
                if self._must_stop():
                    raise Interrupted
                if (message := results.get()) is not None:
                    done[message[0]] = message[1:]
            value, error = done.pop(wanted)
            wanted += 1
            if error is not None:
                raise error
            yield value  # type: ignore[misc]  # no error, so there is a value

    def _sent(
        self,
        function: Callable[[Box, T], R],
        items: Iterable[T],
        known: Callable[[T], R | None],
        done: dict[int, tuple[R | None, BaseException | None]],
        results: SimpleQueue[Any],
    ) -> Iterator[int]:
        """Give each item to the workers, unless its result is known; yield its number."""
        for number, item in enumerate(items):
            result = known(item)
            if result is None:
                self._jobs.put(_call(function, item, number, results))
            else:
                done[number] = (result, None)
            yield number

    def _work(self, box: Box, desk: WorkerQueue) -> None:
        while (job := desk.get()) is not None:
            with self._turn:
                is_wanted = not self._must_stop()
                if is_wanted:
                    self._busy.add(box)
            if is_wanted:
                job(box)
                with self._turn:
                    self._busy.discard(box)
                    self._turn.notify_all()
            self._jobs.give_more(desk)


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
