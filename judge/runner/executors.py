"""Runs on this machine: worker threads, each with its own box.

Threads suffice: a worker spends its time waiting for its box, and the runs are processes of the boxes.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Self, TypeVar, overload

from msgspec import Struct, field

from judge.base.errors import SandboxError
from judge.base.units import Seconds
from judge.model import Level
from judge.sandbox.box import Box, RunLock

T = TypeVar("T")
R = TypeVar("R")

# How many results may wait for an earlier one that takes long. Bounds memory and keeps the workers busy meanwhile.
# At least two for each worker.
LOOKAHEAD = 256

_PATIENCE_S = 0.5  # for workers that are still busy when everything ends
_GATHERING_S = 0.02  # in which results gather where many are awaited: to wake up for each takes time from the workers
_SIGNAL_CHECK_S = 0.5  # a signal just before a thread begins to wait does not end the wait

Job = Callable[[Box], Callable[[], object]]


class Interrupted(BaseException):
    """The user asked to stop. Like KeyboardInterrupt, it is not caught by `except Exception`."""


class Worker(Struct):
    """The jobs of a box.

    Attributes:
        queue: jobs that none of its threads has begun; None ends a thread.
        running: how many jobs it has.
        may_overlap: another job may run beside the one that it has.
    """

    queue: SimpleQueue[Job | None] = field(default_factory=SimpleQueue)
    running: int = 0
    may_overlap: bool = False


class Dispatcher:
    """Assigns jobs to workers: to the one that became idle last, so that no more boxes start than are needed.

    Where many jobs wait, a worker gets a second one if both may overlap, so that its box has the next request when a
    run ends. The last few jobs go to idle workers only: one that waits behind a long run could run elsewhere.

    Attributes:
        workers: the first gets the first job.
    """

    def __init__(self, workers: int) -> None:
        self.workers = [Worker() for _ in range(workers)]
        self._lock = threading.Lock()
        self._pending: deque[tuple[Job, Callable[[], bool]]] = deque()
        self._idle = self.workers[::-1]  # the last one gets the next job

    def put(self, job: Job, may_overlap: Callable[[], bool]) -> None:
        """Assign a job to a worker now or when one can take it; `may_overlap` is called then."""
        with self._lock:
            self._pending.append((job, may_overlap))
            self._assign()

    def job_done(self, worker: Worker) -> bool:
        """Assign the next job now that a worker has done one; return whether this worker has another one."""
        with self._lock:
            worker.running -= 1
            if not worker.running:
                self._idle.append(worker)
            self._assign()
            return worker.running > 0

    def _assign(self) -> None:
        while self._pending and self._idle:
            self._give(self._idle.pop())
        for worker in self.workers if len(self._pending) > len(self.workers) else ():
            if worker.running == 1 and worker.may_overlap and self._pending[0][1]():
                self._give(worker)

    def _give(self, worker: Worker) -> None:
        job, may_overlap = self._pending.popleft()
        worker.running += 1
        worker.may_overlap = may_overlap()
        worker.queue.put(job)

    def clear(self) -> None:
        """Drop the jobs that no worker has started."""
        with self._lock:
            self._pending.clear()

    def shut_down(self) -> None:
        """Make the workers end after their current jobs."""
        self.clear()
        for worker in self.workers:
            worker.queue.put(None)
            worker.queue.put(None)  # for a second thread


class LocalExecutor:
    """A fixed number of workers; a context manager. Not thread-safe, except for `interrupt` and `abandon`.

    Args:
        workers: how many runs at once.
        work_folder, shown, cleanup_folder: see `Box`.
        is_warm: start Python solutions warm (see `WarmBox`).
        is_shared: if they start warm, one interpreter serves all of them (see `SharedWarmBox`).
        box_class: creates the boxes, with the arguments of `Box`; default: by `is_warm` and `is_shared`.

    Attributes:
        place: where programs run, if not on this machine.
        is_stopping: `interrupt` was called.
    """

    place = ""

    def __init__(
        self,
        workers: int,
        *,
        work_folder: Path | None = None,
        shown: Sequence[Path] = (),
        cleanup_folder: Path | None = None,
        is_warm: bool = False,
        is_shared: bool = False,
        box_class: Callable[..., Box] | None = None,
    ) -> None:
        self.workers = workers
        self.is_warm = is_warm
        # Without an idle core, what the judge does during a run would delay it.
        self._may_overlap = box_class is None and workers < default_workers()
        run_lock = RunLock()
        if box_class is None and is_warm:
            from judge.sandbox.warm_box import SharedWarmBox, WarmBox  # few runs are warm

            box_class = SharedWarmBox if is_shared else WarmBox
        self._boxes = [
            (box_class or Box)(
                work_folder=work_folder, shown=shown, cleanup_folder=cleanup_folder, core=core, run_lock=run_lock
            )
            for core in _assign_cores(workers)
        ]
        self._dispatcher = Dispatcher(workers)
        self._wakers: SimpleQueue[Any] | None = None
        self.is_stopping = False  # for good
        self._abandoned = False  # until `resume`
        self._busy: list[Box] = []  # for each job that runs
        self._busy_changed = threading.Condition()  # guards `_busy`
        self._threads = [
            threading.Thread(target=self._work, args=each, name=f"judge-worker-{number}", daemon=True)
            for number, each in enumerate(zip(self._boxes, self._dispatcher.workers, strict=True), 1)
            for _ in range(2 if self._may_overlap else 1)
        ]
        for thread in self._threads:
            try:
                thread.start()
            except RuntimeError as error:
                self._dispatcher.shut_down()
                raise SandboxError(
                    f"{error}: raise the limit on processes (`ulimit -u`), or use a smaller -j"
                ) from error
        if not is_warm:  # a warm zygote depends on the solution
            self._boxes[0].prestart()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def level(self) -> Level:
        """The sandbox level of the runs; after the first read, no run uses a lower one.

        Raises:
            SandboxError: no sandbox level works here.
        """
        level = self._boxes[0].level
        for box in self._boxes:
            box.require(level)
        return level

    def interrupt(self) -> None:
        """Make `map` raise `Interrupted` when the next result is requested. Safe in a signal handler."""
        self.is_stopping = True
        self._wake()

    def abandon(self) -> None:
        """Make the current `map` raise `Interrupted`, until `resume`. May be called from any thread."""
        self._abandoned = True
        self._wake()

    def resume(self) -> None:
        """Allow `map` again after `abandon`.

        Ends the remaining runs and restarts their boxes; the other boxes keep their zygotes.
        """
        if not self._abandoned:
            return
        self._dispatcher.clear()
        with self._busy_changed:
            busy = set(self._busy)
            for box in busy:
                box.interrupt()
            self._busy_changed.wait_for(lambda: not self._busy)
        for box in busy:
            box.reopen()
        self._abandoned = False

    def wait(self, messages: "SimpleQueue[Any]") -> Any:
        """Return the next message, other than None, of a queue that other threads fill.

        Raises:
            Interrupted: after `interrupt`.
        """
        self._wakers = messages
        while not self.is_stopping:
            if (message := self._receive(messages)) is not None:
                return message
        raise Interrupted

    @staticmethod
    def _receive(messages: "SimpleQueue[Any]", patience: Seconds | None = None) -> Any:
        """Return the next message of a queue; None if it has not come in time, or `_wake` was called."""
        try:
            return messages.get(timeout=_SIGNAL_CHECK_S if patience is None else patience)
        except Empty:
            return None

    def close(self) -> None:
        """End all runs, boxes and workers."""
        self.is_stopping = True
        for box in self._boxes:
            box.interrupt()
        self._dispatcher.shut_down()
        deadline = time.monotonic() + _PATIENCE_S
        for thread in self._threads:  # one that reads huge data ends with the process
            thread.join(timeout=max(0.0, deadline - time.monotonic()))
        for box in self._boxes:
            box.close()

    @property
    def parallel_runs(self) -> int:
        """How many runs happen at the same time, if all workers have one."""
        return self.workers

    def submit(
        self,
        function: Callable[[Box, T], R],
        item: T,
        done: Callable[[R | None, BaseException | None], object],
        may_overlap: Callable[[T], bool] = lambda _: False,
    ) -> None:
        """Call the function for an item in the box of some worker. May be called from any thread.

        The worker calls `done`, which must not raise, with the result or the exception, and when its next run has
        started if there is one; not after `interrupt`, `abandon` or `close`.

        `may_overlap` returns whether the function runs nothing in boxes beside its own, so that the call for another
        such item may begin meanwhile.
        """

        def job(box: Box) -> Callable[[], object]:
            try:
                result = function(box, item)
            except BaseException as error:  # noqa: BLE001 - whoever submitted it decides
                return partial(done, None, error)
            return partial(done, result, None)

        self._dispatcher.put(job, (lambda: may_overlap(item)) if self._may_overlap else lambda: False)

    def call(self, function: Callable[[Box], R]) -> R:
        """Call a function once, in the box of some worker.

        Raises:
            Interrupted: after `interrupt` or `abandon`.
        """
        (result,) = self.map(lambda box, _: function(box), [None])
        return result

    @overload
    def map(
        self,
        function: Callable[[Box, T], R],
        items: Iterable[T],
        known: Callable[[T], R | None] = ...,
        *,
        may_overlap: Callable[[T], bool] = ...,
    ) -> Iterator[R]: ...
    @overload
    def map(
        self,
        function: Callable[[Box, T], R],
        items: Iterable[T],
        known: Callable[[T], R | None] = ...,
        *,
        patience: Seconds,
        may_overlap: Callable[[T], bool] = ...,
    ) -> Iterator[R | None]: ...
    def map(
        self,
        function: Callable[[Box, T], R],
        items: Iterable[T],
        known: Callable[[T], R | None] = lambda _: None,
        *,
        patience: Seconds | None = None,
        may_overlap: Callable[[T], bool] = lambda _: False,
    ) -> Iterator[R | None]:
        """Call the function for every item, each in the box of some worker; yield the results in the items' order.

        Items are taken only as fast as results are requested. An exception of a call is raised at its position. While
        one call of `map` yields results, another may be made and completed.

        Args:
            function: called by workers.
            items: its arguments.
            known: called first, in this thread; returns a result that needs no run, or None.
            patience: yield None whenever the next result has not come for this long; None waits.
            may_overlap: see `submit`.

        Raises:
            Interrupted: after `interrupt` or `abandon`.
        """
        results: SimpleQueue[Any] = SimpleQueue()
        done: dict[int, tuple[R | None, BaseException | None]] = {}
        submitted = yielded = 0
        lookahead, waiting = max(LOOKAHEAD, 2 * self.workers), iter(items)
        while True:
            for item in islice(waiting, lookahead - submitted + yielded):
                if (result := known(item)) is None:
                    self.submit(
                        function, item, lambda *found, number=submitted: results.put((number, *found)), may_overlap
                    )
                else:
                    done[submitted] = (result, None)
                submitted += 1
            self._raise_if_stopped()  # even if all remaining results are known
            if yielded == submitted:
                return
            while yielded not in done:
                self._wakers = results  # another call of `map` may have replaced it
                self._raise_if_stopped()
                if results.empty() and submitted - yielded > 2 * self.workers:
                    time.sleep(_GATHERING_S)
                message = self._receive(results, patience)
                if message is not None:
                    done[message[0]] = message[1:]
                elif patience is not None:
                    yield None
            value, error = done.pop(yielded)
            yielded += 1
            if error is not None:
                raise error
            yield value

    def _work(self, box: Box, worker: Worker) -> None:
        while (job := worker.queue.get()) is not None:
            deliver: Callable[[], object] | None = None
            with self._busy_changed:
                if is_wanted := not self._must_stop():
                    self._busy.append(box)
            if is_wanted:
                deliver = job(box)
                with self._busy_changed:
                    self._busy.remove(box)
                    self._busy_changed.notify_all()
            if (last := box.when_started) is not None:  # the job has started no run
                box.when_started = None
                last()
            # Whoever handles a result takes the interpreter's lock. So the next run starts first.
            has_next = self._dispatcher.job_done(worker)
            if has_next and not (self._may_overlap or self._must_stop()):
                box.when_started = deliver
            elif deliver is not None:
                deliver()

    def _raise_if_stopped(self) -> None:
        if self._must_stop():
            raise Interrupted

    def _must_stop(self) -> bool:
        return self.is_stopping or self._abandoned

    def _wake(self) -> None:
        if self._wakers is not None:
            self._wakers.put(None)  # SimpleQueue.put is reentrant: documented for this use


def default_workers() -> int:
    """Return how many runs can be executed at once, each on its own core."""
    return len(_cores())


def _cores() -> list[int]:
    """Return one available processor of each core.

    Two threads of one core slow each other down, which would show in the times.
    """
    cores: dict[str, int] = {}
    for cpu in sorted(os.sched_getaffinity(0)):
        siblings = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        try:
            cores.setdefault(siblings.read_text(), cpu)
        except OSError:
            cores.setdefault(str(cpu), cpu)
    return list(cores.values())


def _assign_cores(workers: int) -> list[int | None]:
    """Return the core of each worker; None for all if there are too few.

    If there are more than needed, concurrent judges start at different ones.
    """
    cores = _cores()
    if workers > len(cores):
        return [None] * workers
    first = os.getpid() % len(cores)
    return [cores[(first + worker) % len(cores)] for worker in range(workers)]
