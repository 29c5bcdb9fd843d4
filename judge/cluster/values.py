"""What travels between the client and the workers. All of it can be pickled."""

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct

from judge.units import Seconds


class Service(Protocol):
    """What a worker does for one client, with its own workers and sandbox.

    Attributes:
        level: of its sandbox.
    """

    level: str

    def handle(self, payload: Any, contents: Sequence[Any]) -> Any:
        """Do one piece of work, and return its result.

        Args:
            payload: the piece.
            contents: what it needs that travels separately, in the order in which the client named it.

        Raises:
            JudgeError: the service was closed.
        """

    def close(self) -> None:
        """End all runs and release everything."""


class ServiceSpec(Protocol):
    """How a worker opens its service; travels to the workers."""

    def open(self, threads: int) -> Service:
        """Open the service.

        Args:
            threads: pieces of work at the same time.

        Raises:
            JudgeError: this worker is not fit; says why.
        """


class Parcel(Struct, frozen=True, kw_only=True):
    """A piece of work on its way to a worker.

    Attributes:
        payload: the piece.
        contents: which of the batch's contents it needs.
    """

    payload: Any
    contents: tuple[int, ...] = ()


class Answer(Struct, frozen=True):
    """What a worker says about a job or an input of a search.

    Attributes:
        result: None if the worker cannot find it.
        reason: why not.
    """

    result: Any
    reason: str = ""


class BatchResult(Struct, frozen=True, kw_only=True):
    """The results of the first parcels of a batch; the others come back undone when its time is over.

    Attributes:
        worker: the address of the worker.
        seconds: how long it took, elapsed.
    """

    worker: str
    results: tuple[Any, ...]
    seconds: Seconds


class WorkerReport(Struct, frozen=True, kw_only=True):
    """A worker as it describes itself when it joins.

    Attributes:
        address: of Dask.
        host: the name of its machine.
        threads: pieces of work at the same time.
        level: of its sandbox.
        loop_s: CPU time of the calibration program in its sandbox.
        reason: why it gets no work; "" if it does.
    """

    address: str
    host: str = ""
    threads: int = 0
    level: str = ""
    loop_s: float = 0.0
    reason: str = ""
