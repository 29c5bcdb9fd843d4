"""Work that kills its workers: it alone gets no result, whatever the cluster has."""

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from judge.base.errors import JudgeError

pytest.importorskip("distributed", reason="Dask is not installed: pip install '.[dask]'")
pytest.importorskip("cryptography", reason="cryptography is not installed: pip install '.[dask]'")
from judge.grading.cluster.connection import start_workers
from judge.grading.cluster.pool import WorkerPool
from judge.grading.cluster.values import BatchResult, Done, Item, Parcel

# Dask leaves sockets to the garbage collector
pytestmark = [pytest.mark.filterwarnings("ignore")]
COUNT = 12
KILLER = 5  # the piece of work that kills its worker


class _DeadlyService:
    """Returns what it gets, or ends the worker."""

    level = "none"

    def __init__(self, threads: int) -> None:
        del threads

    def handle(self, payload: int, contents: Sequence[Any]) -> int:
        del contents
        if payload == KILLER:
            os._exit(1)
        time.sleep(0.02)
        return payload

    def close(self) -> None:
        pass


def do_all(pool: WorkerPool) -> dict[int, Done | JudgeError]:
    """Have all pieces of work done; return their results."""
    found: dict[int, Done | JudgeError] = {}
    is_done = threading.Event()

    def take(number: int) -> Callable[[Done | JudgeError], None]:
        def done(result: Done | JudgeError) -> None:
            found[number] = result
            if len(found) == COUNT:
                is_done.set()

        return done

    for number in range(COUNT):
        pool.start(Item(payload=number, done=take(number)))
    assert is_done.wait(150)
    return found


def assert_only_the_killer_failed(found: dict[int, Done | JudgeError]) -> None:
    killed = found.pop(KILLER)
    assert isinstance(killed, JudgeError)
    assert "all workers that worked on it were lost" in str(killed)
    assert {number: each.result for number, each in found.items() if isinstance(each, Done)} == {
        number: number for number in range(COUNT) if number != KILLER
    }


@pytest.mark.thorough
@pytest.mark.parametrize("workers", [1, 2])
def test_what_kills_its_workers_gets_no_result_and_all_else_does(workers: int) -> None:
    with start_workers(workers) as client, WorkerPool(client, _DeadlyService, advice="") as pool:
        assert_only_the_killer_failed(do_all(pool))


class _FakeFuture:
    """A batch on a cluster that does not exist."""

    status = "pending"

    def __init__(self, parcels: Sequence[Parcel]) -> None:
        self.payloads = [payload for payload, _ in parcels]
        self._callback: Callable[[_FakeFuture], object] = lambda _: None

    def add_done_callback(self, callback: "Callable[[_FakeFuture], object]") -> None:
        self._callback = callback

    def result(self, timeout: float) -> BatchResult:
        del timeout
        return "fake", self.payloads

    def finish(self) -> None:
        self.status = "finished"
        self._callback(self)


class _FakeClient:
    """A cluster of one worker with several threads, which dies whenever it gets the killer, with all that it has.

    Each time, another worker reports itself. Batches are done in the order in which they come.
    """

    status = "running"
    scheduler = None

    def __init__(self, threads: int) -> None:
        self.deaths = 0
        self._threads = threads
        self._lock = threading.Lock()
        self._batches: list[_FakeFuture] = []
        self._report: Callable[[tuple[float, dict[str, Any]]], object] = lambda _: None
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def close(self) -> None:
        self._end.set()
        self._thread.join()

    def subscribe_topic(self, topic: str, handler: Callable[[tuple[float, dict[str, Any]]], object]) -> None:
        del topic
        self._report = handler

    def register_plugin(self, plugin: object, name: str) -> None:
        del plugin, name
        self._join()
        self._thread.start()

    def unregister_worker_plugin(self, name: str) -> None:
        pass

    def scheduler_info(self, n_workers: int) -> dict[str, Any]:
        del n_workers
        return {"workers": {f"worker-{self.deaths}": {}}}

    def submit(self, function: object, token: str, parcels: Sequence[Parcel], *args: object, **kwargs: object) -> Any:
        del function, token, args, kwargs
        future = _FakeFuture(parcels)
        with self._lock:
            self._batches.append(future)
        return future

    def cancel(self, futures: Sequence[_FakeFuture], *, force: bool) -> None:
        del force
        with self._lock:
            self._batches = [each for each in self._batches if each not in futures]

    def _join(self) -> None:
        self._report((0.0, {"address": f"worker-{self.deaths}", "threads": self._threads, "loop_s": 0.0}))

    def _work(self) -> None:
        while not self._end.wait(0.01):
            with self._lock:
                running, self._batches = self._batches[: self._threads], self._batches[self._threads :]
                is_dead = any(KILLER in each.payloads for each in running)
            if is_dead:
                self.deaths += 1
                self._join()
            else:
                for each in running:
                    each.finish()


@pytest.fixture
def client(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[_FakeClient]:
    monkeypatch.setattr("judge.grading.cluster.pool.Future", _FakeFuture)
    monkeypatch.setattr("judge.grading.cluster.pool.measure_speed", lambda: None)
    made = _FakeClient(request.param)
    try:
        yield made
    finally:
        made.close()


@pytest.mark.parametrize("client", [1, 4], indirect=True)
def test_what_shares_a_worker_with_what_kills_it_is_not_blamed(client: _FakeClient) -> None:
    with WorkerPool(client, _DeadlyService, advice="") as pool:
        assert_only_the_killer_failed(do_all(pool))
    assert client.deaths == 4
