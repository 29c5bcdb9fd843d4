"""What travels between the client and the workers, and how much of it together."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from distributed import Client, Future
from msgspec import Struct

from judge.base.errors import JudgeError
from judge.grading.recent import Recent

T = TypeVar("T")


class Service(Protocol):
    """What a worker does for one client, with its own workers and sandbox."""

    level: str

    def handle(self, payload: Any, contents: Sequence[Any]) -> Any:
        """Do one piece of work with the contents that it needs; raise JudgeError if the service was closed."""

    def close(self) -> None:
        """End all runs and release everything."""


OpenService = Callable[[int], Service]
"""Opens a service on a worker, for so many pieces of work at the same time. Raises JudgeError if it is not fit."""


Parcel = tuple[Any, tuple[int, ...]]
"""A piece of work on its way to a worker, and which of the batch's contents it needs."""


class Answer(Struct, frozen=True):
    """What a worker says about a job or an input of a search.

    Attributes:
        result: None if the worker cannot find it.
    """

    result: Any
    reason: str = ""


BatchResult = tuple[str, list[Any]]
"""The worker, and the results of the first parcels of a batch; the others come back undone when its time is over."""


class WorkerReport(Struct, frozen=True, kw_only=True):
    """A worker as it describes itself when it joins.

    Attributes:
        threads: pieces of work at the same time.
        loop_s: CPU time of the calibration program in its sandbox.
        reason: why it gets no work; "" if it does.
    """

    address: str
    host: str = ""
    threads: int = 0
    level: str = ""
    loop_s: float = 0.0
    reason: str = ""


# ---- how much travels together --------------------------------------------------------------------------------------


MAX_PARCELS = 64
"""Pieces of work of a batch, at most."""

SMALL = 16 << 10
"""Bytes of data that travel with each piece of work."""

KEPT = 256 << 20
"""Bytes of contents that stay in memory for work to come; the least recently used are dropped first."""


class Content(Struct, frozen=True):
    """What travels separately, once to each worker that needs it.

    Attributes:
        key: its hash.
        size: in bytes.
    """

    key: str
    value: Any
    size: int


class Done(Struct, frozen=True):
    """The result of a piece of work.

    Attributes:
        worker: who did it; None if that worker has gone and never reported itself.
    """

    result: Any
    worker: WorkerReport | None


class Item(Struct, kw_only=True, eq=False):
    """A piece of work until its result is known.

    Attributes:
        done: takes the result, or the error that this piece has or that ends everything; called by the pool's thread.
        size: bytes in memory.
        losses: how often it was lost with a worker.
    """

    payload: Any
    done: Callable[[Done | JudgeError], object]
    contents: tuple[Content, ...] = ()
    size: int = 0
    losses: int = 0


def batch_seconds(threads: int) -> float:
    """Return after how many seconds no piece of a batch starts: what is left goes to whichever worker is free.

    A scheduler has 3 to 5 ms of work with each batch, so those of large clusters take longer.
    """
    return max(1.0, threads / 25)


def hold(content: T) -> T:
    """Return a content: a task of Dask whose result stays on the workers that need it."""
    return content


class Contents:
    """Contents on the cluster, by their hash: each travels once to each worker that needs it.

    A content is the result of a task of Dask, so that Dask makes it again if the only worker that has it is lost.

    Args:
        token: the resource of workers that are fit.
    """

    def __init__(self, client: Client, token: str) -> None:
        self._client = client
        self._token = token
        self._number = 0
        self.clear()

    def get(self, content: Content) -> Future:
        """Return the future of a content."""

        def send() -> tuple[Future, int]:
            self._number += 1  # a key that was lost may still be known to the scheduler
            key = f"content-{content.key}-{self._number}-{self._token}"
            resources = {self._token: 0}
            return self._client.submit(hold, content.value, key=key, resources=resources, priority=10), content.size

        return self._futures.get(content.key, send)[0]

    def forget(self, content: Content) -> None:
        """Send a content again the next time."""
        self._futures.drop(content.key)

    def clear(self) -> None:
        """Remove all from the cluster."""
        self._futures = Recent[str, tuple[Future, int]](KEPT, lambda each: each[1])
