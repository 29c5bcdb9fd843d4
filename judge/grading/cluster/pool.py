"""The client's side: takes pieces of work, sends them to workers in batches, and hands on the results.

One thread owns all state and is the only one that talks to Dask. Others put messages into its queue: work, batches that
ended, and reports of workers. Whatever a worker or Dask repeats, each piece has one result, since only the first
counts.
"""

import math
import pickle
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Self

import cloudpickle
import msgspec
from distributed import Client, Future, WorkerPlugin
from distributed.scheduler import KilledWorker

from judge.base.errors import JudgeError, UsageError
from judge.grading.cluster import admission, identify
from judge.grading.cluster.values import (
    MAX_PARCELS,
    BatchResult,
    Contents,
    Done,
    Item,
    OpenService,
    Parcel,
    WorkerReport,
    batch_seconds,
)
from judge.grading.cluster.worker import handle_batch, measure_speed

BATCHES_PER_THREAD = 2
"""One that runs and one that waits at the worker."""

_CHECK_S = 1.0  # between looks at the connection
_NO_WORKER_S = 60.0  # without any worker, until everything ends with an error
_SHARED_LOSSES = 2  # of one piece: after the first it travels alone, after these nothing else runs beside it


class ClusterLostError(JudgeError):
    """The cluster is lost: no more work can be done."""


class _Courier(WorkerPlugin):
    """Unpickles as what it carries, which is pickled by value."""

    def __init__(self, payload: bytes) -> None:
        self.payload = payload

    def __reduce__(self) -> tuple[Callable[[bytes], object], tuple[bytes]]:
        return pickle.loads, (self.payload,)


class WorkerPool:
    """Has work done by the workers of a cluster; a context manager.

    Args:
        open_service: what workers call for this pool.
        notify: takes a line for the user, such as why a worker is refused.
        advice: what to do when the cluster is lost, after `;`.

    Raises:
        UsageError: no worker is fit.
        JudgeError: there is no worker, or the connection is lost.
    """

    def __init__(
        self,
        client: Client,
        open_service: OpenService,
        notify: Callable[[str], object] = lambda _: None,
        *,
        advice: str,
    ) -> None:
        self._client = client
        self._open_service = open_service
        self._notify = notify
        self._advice = advice
        self._token = f"judge-{uuid.uuid4().hex[:12]}"
        self._messages: SimpleQueue[Any] = SimpleQueue()
        self._workers: dict[str, WorkerReport] = {}
        self._live: set[str] = set()
        self._threads = 0
        self._lonely_since: float | None = None
        self._last_loss = 0.0
        self._waiting: deque[Item] = deque()
        self._batches: dict[Future, list[Item]] = {}
        self._contents = Contents(client, self._token)
        self._failure: ClusterLostError | None = None
        self._held = self._items = 0
        self._room = threading.Condition()  # guards `_held`, `_items` and `_failure`
        self._loop_s: float | None = None
        with suppress(JudgeError):  # nothing can be run on this machine
            self._loop_s = measure_speed()
        self._pump = threading.Thread(target=self._work, name="judge-cluster", daemon=True)
        try:
            self._admit_workers()
        except BaseException:
            self._leave()
            raise
        self._pump.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def threads(self) -> int:
        """How many pieces the workers do at the same time."""
        return self._threads

    def slowness(self, worker: WorkerReport | None) -> float:
        """Return how much longer a program takes on a worker than here; 1 if that is not known."""
        return worker.loop_s / self._loop_s if worker and self._loop_s and worker.loop_s else 1.0

    def close(self) -> None:
        """Cancel what runs and release the workers; what is being done gets no result."""
        self._messages.put(None)
        self._pump.join()
        self._leave()

    def start(self, item: Item) -> None:
        """Have an item done. Waits while too much is in memory.

        Raises:
            ClusterLostError: the cluster is lost.
        """

        def has_room() -> bool:  # little waits, so that an interrupt leaves little to finish
            needed = self._threads * 2 * BATCHES_PER_THREAD * MAX_PARCELS
            is_wanted = self._held < 512 << 20 and self._items < max(needed, 1)
            return self._failure is not None or is_wanted

        with self._room:
            self._room.wait_for(has_room)
            if self._failure is not None:
                raise self._failure
            self._held += item.size
            self._items += 1
        self._messages.put(item)

    def _admit_workers(self) -> None:
        """Open the service on all workers; wait for the first one."""
        cloudpickle.register_pickle_by_value(admission)
        try:
            given = admission.Admission(self._token, identify(), pickle.dumps(self._open_service))
            courier = _Courier(cloudpickle.dumps(given))
        finally:
            cloudpickle.unregister_pickle_by_value(admission)
        self._client.subscribe_topic(
            self._token, lambda event: self._messages.put(msgspec.convert(event[1], WorkerReport))
        )
        self._client.register_plugin(courier, name=self._token)
        deadline = time.monotonic() + _NO_WORKER_S
        refused: list[WorkerReport] = []
        while True:
            known = set(self._client.scheduler_info(n_workers=-1)["workers"])
            if known and known <= self._workers.keys() | {each.address for each in refused}:
                break
            with suppress(Empty):
                message = self._messages.get(timeout=0.2)
                if isinstance(message, WorkerReport) and not self._add_worker(message):
                    refused.append(message)
            if time.monotonic() > deadline:
                break
        self._look_at_workers()
        if self._workers:
            return
        if refused:
            reasons = "; ".join(sorted({each.reason for each in refused}))
            raise UsageError(f"all {len(refused)} workers are refused: {reasons}")
        raise JudgeError(
            f"the scheduler has no worker after {_NO_WORKER_S:.0f} s; `dask worker {self._address}` starts one"
        )

    @property
    def _address(self) -> str:
        return str(self._client.scheduler.address if self._client.scheduler else "")

    def _add_worker(self, report: WorkerReport) -> bool:
        """Return whether a worker that reports itself is fit."""
        if report.reason:
            self._notify(f"worker {report.address} is refused: {report.reason}")
            return False
        self._workers[report.address] = report
        speed = f", {1 / self.slowness(report):.2f} x the speed of this machine" if self._loop_s else ""
        self._notify(
            f"worker {report.address} ({report.host}): {report.threads} at a time, sandbox {report.level}{speed}"
        )
        return True

    def _look_at_workers(self) -> None:
        """Find out which workers there are.

        Raises:
            JudgeError: there has been none for too long, or the scheduler is gone.
        """
        if self._client.status != "running":
            raise self._lost("the scheduler is gone")
        try:
            self._live = self._workers.keys() & set(self._client.scheduler_info(n_workers=-1)["workers"])
        except Exception as error:
            raise self._lost(str(error) or type(error).__name__) from error
        with self._room:
            self._threads = sum(self._workers[each].threads for each in self._live)
            self._room.notify_all()
        if self._live or not self._workers:
            self._lonely_since = None
            return
        now = time.monotonic()
        if self._lonely_since is None:
            self._lonely_since = now
            self._notify(f"no worker is left; waiting {_NO_WORKER_S:.0f} s for one")
        elif now - self._lonely_since > _NO_WORKER_S:
            raise self._lost("no worker is left")

    def _lost(self, reason: str) -> ClusterLostError:
        return ClusterLostError(
            f"the cluster at {self._address or 'the given address'} is lost: {reason}; {self._advice}"
        )

    def _work(self) -> None:
        """Handle messages until `close`, or until the cluster is lost; runs in a thread of its own."""
        next_look = time.monotonic() + _CHECK_S
        try:
            while True:
                with suppress(Empty):
                    message = self._messages.get(timeout=max(0.01, next_look - time.monotonic()))
                    while True:  # all that there is, so that it travels together
                        if message is None:
                            return
                        self._handle(message)
                        message = self._messages.get_nowait()
                if time.monotonic() >= next_look:
                    self._look_at_workers()
                    next_look = time.monotonic() + _CHECK_S
                self._send()
        except ClusterLostError as error:
            self._fail(error)
        except Exception as error:  # noqa: BLE001 - Dask raises many kinds; no one must wait for ever
            self._fail(self._lost(f"{type(error).__name__}: {error}"))

    def _handle(self, message: Item | WorkerReport | Future) -> None:
        match message:
            case Item():
                self._waiting.append(message)
            case WorkerReport():
                before = self._live
                self._add_worker(message)
                self._look_at_workers()
                if not before & self._live:
                    self._submit_again()
            case Future():
                items = self._batches.pop(message, None)
                if items is not None:
                    self._take(message, items)

    def _send(self) -> None:
        """Send batches while workers have room for them; few pieces are spread over all workers."""
        room = self._threads * BATCHES_PER_THREAD - len(self._batches)
        while room > 0 and self._waiting and not self._must_wait():
            most = min(MAX_PARCELS, math.ceil(len(self._waiting) / room))
            items = [self._waiting.popleft()]
            while self._waiting and len(items) < most and not (items[0].losses or self._waiting[0].losses):
                items.append(self._waiting.popleft())
            self._submit(items)
            room -= 1

    def _must_wait(self) -> bool:
        """Return whether the next piece, or the one that is being done, must have the cluster for itself.

        What shares a worker with a piece that kills it is lost each time, too. Only a piece that is lost while nothing
        else runs is to blame.
        """
        if self._waiting[0].losses >= _SHARED_LOSSES and time.monotonic() < self._last_loss + 2.0:
            return True  # until Dask knows which workers are dead
        running = next(iter(self._batches.values()), None)
        return running is not None and max(running[0].losses, self._waiting[0].losses) >= _SHARED_LOSSES

    def _submit(self, items: list[Item]) -> None:
        by_key = {content.key: content for item in items for content in item.contents}
        at = {key: index for index, key in enumerate(by_key)}
        parcels: list[Parcel] = [(item.payload, tuple(at[each.key] for each in item.contents)) for item in items]
        future = self._client.submit(
            handle_batch,
            self._token,
            parcels,
            [self._contents.get(each) for each in by_key.values()],
            batch_seconds(self._threads),
            key=f"batch-{uuid.uuid4().hex}-{self._token}",
            resources={self._token: 1},
            pure=False,
        )
        self._batches[future] = items
        future.add_done_callback(self._messages.put)

    def _take(self, future: Future, items: list[Item]) -> None:
        """Take the results of a batch; items without one go to the front of those that wait."""
        found = self._fetch(future)
        if found is not None:
            worker, results = found
            for item, result in zip(items, results, strict=False):
                self._finish(item, Done(result, self._workers.get(worker)))
            self._waiting.extendleft(reversed(items[len(results) :]))
            return
        if self._client.status != "running":
            raise self._lost("the scheduler is gone")
        error = future.exception() if future.status == "error" else None
        for content in (each for item in items for each in item.contents):
            self._contents.forget(content)
        if error is not None and not isinstance(error, KilledWorker):
            self._finish_all(items, f"a worker failed: {type(error).__name__}: {error}")
        else:
            self._lose(items)

    def _fetch(self, future: Future) -> BatchResult | None:
        """Return the results of a batch; None if there are none, or the worker that has them was lost meanwhile.

        Dask would wait for ever for results that no worker can compute again.
        """
        if future.status != "finished":
            return None
        try:
            found: BatchResult = future.result(timeout=10.0)
        except Exception:  # noqa: BLE001 - whatever Dask says, the batch is sent again
            self._client.cancel([future], force=True)
            return None
        return found

    def _lose(self, items: list[Item]) -> None:
        """Send the items of a batch that was lost with its workers again, unless it is to blame."""
        self._last_loss = time.monotonic()
        for item in items:
            item.losses += 1
        if items[0].losses > _SHARED_LOSSES + 1:  # it may have been sent once to a worker that was dead already
            self._finish_all(items, "all workers that worked on it were lost, at last while nothing else ran")
        else:
            self._waiting.extendleft(reversed(items))

    def _submit_again(self) -> None:
        """Send all batches again: Dask forgets tasks that need a resource when no worker has it for a moment.

        All workers were lost, so each piece of these batches has one loss more.
        """
        batches, self._batches = self._batches, {}
        self._client.cancel(list(batches), force=True)
        self._contents.clear()  # lost with the workers, also those that no batch has needed since
        for items in reversed(batches.values()):
            self._lose(items)

    def _finish_all(self, items: Iterable[Item], reason: str) -> None:
        for item in items:
            self._finish(item, JudgeError(reason[:500]))

    def _finish(self, item: Item, result: Done | JudgeError) -> None:
        with self._room:
            self._held -= item.size
            self._items -= 1
            self._room.notify_all()
        item.done(result)

    def _fail(self, error: ClusterLostError) -> None:
        """End everything with an error."""
        with self._room:
            self._failure = error
            self._room.notify_all()
        lost = [*self._waiting, *(item for items in self._batches.values() for item in items)]
        self._waiting.clear()
        self._batches.clear()
        for item in lost:
            self._finish(item, error)
        while (message := self._messages.get()) is not None:  # until `close`
            if isinstance(message, Item):
                self._finish(message, error)

    def _leave(self) -> None:
        """Release the workers and this machine."""
        with suppress(Exception):  # the scheduler may be gone
            if self._client.status == "running":
                self._client.cancel(list(self._batches), force=True)
                self._contents.clear()
                self._client.unregister_worker_plugin(self._token)
