"""What travels between the client and the workers. All of it can be pickled."""

from typing import Any

from msgspec import Struct

from judge.grading.values import Grade, Task
from judge.units import Seconds


class Parcel(Struct, frozen=True, kw_only=True):
    """A row on its way to a worker.

    Attributes:
        task: the row; without its tests if they travel separately.
        content: which of the batch's contents are its tests; None if the row has them.
        problem_digest: of the problem that it names, as the client has it; "" for tests.
    """

    task: Task
    content: int | None = None
    problem_digest: str = ""


class BatchResult(Struct, frozen=True, kw_only=True):
    """The results of the first rows of a batch; the others come back ungraded when its time is over.

    Attributes:
        worker: the address of the worker.
        seconds: how long it took, elapsed.
    """

    worker: str
    grades: tuple[Grade, ...]
    seconds: Seconds


class WorkerReport(Struct, frozen=True, kw_only=True):
    """A worker as it describes itself when it joins.

    Attributes:
        address: of Dask.
        host: the name of its machine.
        threads: rows at the same time.
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

    @classmethod
    def from_message(cls, message: dict[str, Any]) -> "WorkerReport":
        """Return the report that a worker has sent."""
        return cls(**{name: message[name] for name in cls.__slots__ if name in message})
