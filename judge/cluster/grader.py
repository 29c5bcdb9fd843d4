"""The client's side: takes rows like a `Grader`, sends them to workers in batches, and hands on the results.

One thread owns all state and is the only one that talks to Dask. Others put messages into its queue: rows, batches that
ended, and reports of workers. Whatever a worker or Dask repeats, each row has one result, since only the first counts.
"""

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
from distributed import Client, Future, WorkerPlugin
from distributed.scheduler import KilledWorker
from msgspec.structs import replace

from judge.cluster import admission
from judge.cluster.batches import MAX_ROWS, BatchSize, Contents, Item, content_key
from judge.cluster.identity import identify
from judge.cluster.reference import Reference
from judge.cluster.values import BatchResult, Parcel, WorkerReport
from judge.cluster.worker import grade_batch
from judge.errors import JudgeError, UsageError
from judge.grading.values import BadRow, Grade, GradeOptions, Row, blame_judge, blame_row

_BATCHES_PER_THREAD = 2  # one that runs and one that waits at the worker
_WINDOW = (1024, 200_000)  # rows in memory, at least and at most
_MAX_HELD = 512 << 20  # bytes of rows in memory
_CHECK_S = 1.0  # between looks at the connection
_FIRST_WORKER_S = 60.0
_NO_WORKER_S = 60.0  # without any worker until the stream ends with an error
_MAX_LOSSES = 5  # of one row, alone in its batch


class _Courier(WorkerPlugin):
    """Unpickles as what it carries, which is pickled by value."""

    def __init__(self, payload: bytes) -> None:
        self.payload = payload

    def __reduce__(self) -> tuple[Callable[[bytes], object], tuple[bytes]]:
        return pickle.loads, (self.payload,)


class ClusterGrader:
    """Grades rows on the workers of a cluster; a context manager.

    Args:
        client: the cluster.
        options: how rows are graded; `jobs` is for the reference machine, which is this one.
        notify: takes a line for the user, such as why a worker is refused.
        patience: seconds without any worker until the stream ends with an error.

    Raises:
        UsageError: no worker is fit.
        JudgeError: there is no worker, or the connection is lost.
    """

    def __init__(
        self,
        client: Client,
        options: GradeOptions,
        notify: Callable[[str], object] = lambda _: None,
        *,
        patience: float = _NO_WORKER_S,
    ) -> None:
        self.options = replace(options, root=options.root and options.root.absolute())
        self._client = client
        self._notify = notify
        self._patience = patience
        self._token = f"judge-{uuid.uuid4().hex[:12]}"
        self._messages: SimpleQueue[Any] = SimpleQueue()
        self._workers: dict[str, WorkerReport] = {}
        self._live: set[str] = set()
        self._threads = 0
        self._lonely_since: float | None = None
        self._waiting: deque[Item] = deque()
        self._batches: dict[Future, list[Item]] = {}
        self._size = BatchSize()
        self._contents = Contents(client, self._token)
        self._reference = Reference(self.options)
        self._failure: JudgeError | None = None
        self._held = self._rows = 0
        self._room = threading.Condition()  # guards `_held`, `_rows` and `_failure`
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
    def workers(self) -> list[WorkerReport]:
        """All workers that were ever admitted."""
        return list(self._workers.values())

    @property
    def window(self) -> int:
        """How many rows are in memory at most."""
        least, most = _WINDOW
        return min(most, max(least, self._threads * _BATCHES_PER_THREAD * MAX_ROWS * 2))

    def close(self) -> None:
        """Cancel what runs and release the workers; rows that are being graded get no result."""
        self._messages.put(None)
        self._pump.join()
        self._leave()

    def prepare(self, row: Row) -> Row:
        """Return a row whose problem, if it names one, is read and prepared on this machine."""
        if isinstance(row, BadRow) or not row.problem:
            return row
        return self._reference.grader.prepare(row)

    def start(self, row: Row, done: Callable[[Grade | JudgeError], object]) -> None:
        """Grade a row that is prepared; call `done` in another thread. Waits while too much is in memory.

        Raises:
            JudgeError: the cluster is lost.
        """
        if isinstance(row, BadRow):
            done(blame_row(row))
            return
        key, size = content_key(row.tests)
        digest = self._reference.grader.problem_digest(row.problem) if row.problem else ""
        item = Item(task=row, done=done, key=key, problem_digest=digest, size=size + len(row.code))
        with self._room:
            self._room.wait_for(lambda: self._failure is not None or self._has_room())
            if self._failure is not None:
                raise self._failure
            self._held += item.size
            self._rows += 1
        self._messages.put(item)

    def _has_room(self) -> bool:
        """Return whether the workers need more rows: few wait, so that an interrupt leaves little to finish."""
        needed = self._threads * 2 * _BATCHES_PER_THREAD * self._size.rows
        return self._held < _MAX_HELD and self._rows < max(needed, 1)

    def _admit_workers(self) -> None:
        """Open a grader on all workers; wait for the first one."""
        cloudpickle.register_pickle_by_value(admission)
        try:
            given = admission.Admission(self._token, identify(), pickle.dumps(replace(self.options, jobs=None)))
            courier = _Courier(cloudpickle.dumps(given))
        finally:
            cloudpickle.unregister_pickle_by_value(admission)
        self._client.subscribe_topic(self._token, lambda event: self._messages.put(_Report(event[1])))
        self._client.register_plugin(courier, name=self._token)
        deadline = time.monotonic() + _FIRST_WORKER_S
        refused: list[WorkerReport] = []
        while True:
            known = set(self._client.scheduler_info()["workers"])
            if known and known <= self._workers.keys() | {each.address for each in refused}:
                break
            with suppress(Empty):
                message = self._messages.get(timeout=0.2)
                if isinstance(message, _Report) and not self._add_worker(message.worker):
                    refused.append(message.worker)
            if time.monotonic() > deadline:
                break
        self._look_at_workers()
        if self._workers:
            return
        if refused:
            reasons = "; ".join(sorted({each.reason for each in refused}))
            raise UsageError(f"all {len(refused)} workers are refused: {reasons}")
        raise JudgeError(
            f"the scheduler has no worker after {_FIRST_WORKER_S:.0f} s; `dask worker {self._address}` starts one"
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
        slowness = self._reference.slowness(report)
        speed = "" if slowness is None else f", {1 / slowness:.2f} x the speed of this machine"
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
            self._live = self._workers.keys() & set(self._client.scheduler_info()["workers"])
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
            self._notify(f"no worker is left; waiting {self._patience:.0f} s for one")
        elif now - self._lonely_since > self._patience:
            raise self._lost("no worker is left")

    def _lost(self, reason: str) -> JudgeError:
        return JudgeError(
            f"the cluster at {self._address or 'the given address'} is lost: {reason}; the results until now are "
            "complete, and --resume grades the rest"
        )

    def _work(self) -> None:
        """Handle messages until `close`, or until the cluster is lost; runs in a thread of its own."""
        next_look = time.monotonic() + _CHECK_S
        try:
            while True:
                with suppress(Empty):
                    message = self._messages.get(timeout=max(0.01, next_look - time.monotonic()))
                    while True:  # all that there is, so that rows travel together
                        if message is None:
                            return
                        self._handle(message)
                        message = self._messages.get_nowait()
                if time.monotonic() >= next_look:
                    self._look_at_workers()
                    next_look = time.monotonic() + _CHECK_S
                self._send()
        except JudgeError as error:
            self._fail(error)
        except Exception as error:  # noqa: BLE001 - Dask raises many kinds; the stream must not wait for ever
            self._fail(self._lost(f"{type(error).__name__}: {error}"))

    def _handle(self, message: "Item | _Report | Future | _Regraded") -> None:
        match message:
            case Item():
                self._waiting.append(message)
            case _Report():
                before = self._live
                self._add_worker(message.worker)
                self._look_at_workers()
                if not before & self._live:
                    self._submit_again()
            case _Regraded():
                self._finish(message.item, message.grade)
            case Future():
                items = self._batches.pop(message, None)
                if items is not None:
                    self._take(message, items)

    def _send(self) -> None:
        """Send batches while workers have room for them."""
        room = self._threads * _BATCHES_PER_THREAD - len(self._batches)
        while room > 0 and self._waiting:
            items = [self._waiting.popleft()]
            while self._waiting and len(items) < self._size.rows and not (items[0].losses or self._waiting[0].losses):
                items.append(self._waiting.popleft())
            self._submit(items)
            room -= 1

    def _submit(self, items: list[Item]) -> None:
        keys = list(dict.fromkeys(item.key for item in items if item.key))
        parcels = [
            Parcel(
                task=replace(item.task, tests=()) if item.key else item.task,
                content=keys.index(item.key) if item.key else None,
                problem_digest=item.problem_digest,
            )
            for item in items
        ]
        by_key = {item.key: item for item in items}
        future = self._client.submit(
            grade_batch,
            self._token,
            parcels,
            [self._contents.get(by_key[key]) for key in keys],
            key=f"grade-{uuid.uuid4().hex}-{self._token}",
            resources={self._token: 1},
            pure=False,
        )
        self._batches[future] = items
        future.add_done_callback(self._messages.put)

    def _take(self, future: Future, items: list[Item]) -> None:
        """Take the results of a batch; rows without one go to the front of those that wait."""
        if future.status == "finished":
            result = future.result()
            assert isinstance(result, BatchResult)
            self._size.add(len(result.grades), result.seconds)
            for item, grade in zip(items, result.grades, strict=False):
                self._check(item, grade, result.worker)
            self._waiting.extendleft(reversed(items[len(result.grades) :]))
            return
        if self._client.status != "running":
            raise self._lost("the scheduler is gone")
        error = future.exception() if future.status == "error" else None
        for item in items:
            self._contents.forget(item.key)
            item.losses += 1
        if error is not None and not isinstance(error, KilledWorker):
            self._finish_all(items, f"a worker failed: {type(error).__name__}: {error}")
        elif len(items) == 1 and items[0].losses > _MAX_LOSSES:
            self._finish_all(items, f"{items[0].losses} workers in a row were lost while they graded it")
        else:
            self._waiting.extendleft(reversed(items))

    def _submit_again(self) -> None:
        """Send all batches again: Dask forgets tasks that need a resource when no worker has it for a moment."""
        batches, self._batches = self._batches, {}
        self._client.cancel(list(batches), force=True)
        for items in reversed(batches.values()):
            for item in items:
                self._contents.forget(item.key)
            self._waiting.extendleft(reversed(items))

    def _finish_all(self, items: Iterable[Item], reason: str) -> None:
        for item in items:
            self._finish(item, blame_judge(item.task, reason[:500]))

    def _check(self, item: Item, grade: Grade, worker: str) -> None:
        """Hand on a result, unless the machine's speed decided it: then this machine repeats the row."""
        report = self._workers.get(worker)
        if report is None or not self._reference.must_repeat(grade, report):
            self._finish(item, grade)
            return
        self._reference.repeat(item.task, grade, lambda found: self._messages.put(_Regraded(item, found)))

    def _finish(self, item: Item, result: Grade | JudgeError) -> None:
        with self._room:
            self._held -= item.size
            self._rows -= 1
            self._room.notify_all()
        item.done(result)

    def _fail(self, error: JudgeError) -> None:
        """End the stream with an error."""
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
            elif isinstance(message, _Regraded):
                self._finish(message.item, message.grade)

    def _leave(self) -> None:
        """Release the workers and this machine."""
        with suppress(Exception):  # the scheduler may be gone
            if self._client.status == "running":
                self._client.cancel(list(self._batches), force=True)
                self._contents.clear()
                self._client.unregister_worker_plugin(self._token)
        self._reference.close()


class _Report:
    """A message: a worker describes itself."""

    def __init__(self, message: dict[str, Any]) -> None:
        self.worker = WorkerReport.from_message(message)


class _Regraded:
    """A message: this machine has repeated a row."""

    def __init__(self, item: Item, grade: Grade) -> None:
        self.item = item
        self.grade = grade
