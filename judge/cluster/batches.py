"""How many rows travel together, and the tests that several of them share."""

import hashlib
import math
from collections import OrderedDict
from collections.abc import Callable

from distributed import Client, Future
from msgspec import Struct

from judge.cluster.worker import hold
from judge.errors import JudgeError
from judge.grading.values import Grade, Task, TextTest

BATCH_S = 0.25
"""Seconds of work in a batch: a hundred times what the scheduler and the network cost."""

MAX_ROWS = 64
"""Rows of a batch, at most."""

_SMALL = 16 << 10  # bytes of tests that travel with each row
_KEPT = 256 << 20  # bytes of tests that stay on the cluster for rows to come
_MEMORY = 0.2  # the weight of the newest batch in the mean


class Item(Struct, kw_only=True, eq=False):
    """A row until its result is known.

    Attributes:
        task: the row.
        done: takes its result, or the error that ends the stream.
        key: the hash of its tests if they travel separately; "" otherwise.
        problem_digest: of the problem that it names.
        size: bytes in memory.
        losses: how often it was lost with a worker.
    """

    task: Task
    done: Callable[[Grade | JudgeError], object]
    key: str = ""
    problem_digest: str = ""
    size: int = 0
    losses: int = 0


class BatchSize:
    """Rows per batch, from the time that rows took so far."""

    def __init__(self) -> None:
        self._row_s = BATCH_S

    @property
    def rows(self) -> int:
        """How many rows make a batch."""
        return max(1, min(MAX_ROWS, math.ceil(BATCH_S / max(self._row_s, 1e-6))))

    def add(self, rows: int, seconds: float) -> None:
        """Count a batch that took some time."""
        if rows:
            self._row_s += _MEMORY * (seconds / rows - self._row_s)


class Contents:
    """Tests on the cluster, by their hash: each set travels once to each worker that needs it.

    A set is the result of a task of Dask, so that Dask makes it again if the only worker that has it is lost.

    Args:
        client: the cluster.
        token: the resource of workers that are fit.
    """

    def __init__(self, client: Client, token: str) -> None:
        self._client = client
        self._token = token
        self._futures: OrderedDict[str, tuple[Future, int]] = OrderedDict()
        self._size = 0
        self._number = 0

    def get(self, item: Item) -> Future:
        """Return the future of a row's tests."""
        found = self._futures.get(item.key)
        if found is None:
            self._number += 1  # a key that was lost may still be known to the scheduler
            future = self._client.submit(
                hold,
                item.task.tests,
                key=f"tests-{item.key}-{self._number}-{self._token}",
                resources={self._token: 0},
                priority=10,
            )
            found = self._futures[item.key] = future, item.size
            self._size += item.size
            while self._size > _KEPT and len(self._futures) > 1:
                _, (_, size) = self._futures.popitem(last=False)
                self._size -= size
        self._futures.move_to_end(item.key)
        return found[0]

    def forget(self, key: str) -> None:
        """Send the tests again the next time."""
        found = self._futures.pop(key, None)
        if found is not None:
            self._size -= found[1]

    def clear(self) -> None:
        """Remove all from the cluster."""
        self._futures.clear()


def content_key(tests: tuple[TextTest, ...]) -> tuple[str, int]:
    """Return the hash of tests that are large enough to travel separately, else "", and their size in bytes."""
    size = sum(len(each.input) + len(each.output) for each in tests)
    if size < _SMALL:
        return "", size
    hasher = hashlib.blake2b(digest_size=16)
    for each in tests:
        for part in (each.input, each.output):
            hasher.update(b"%d:" % len(part))
            hasher.update(part)
    return hasher.hexdigest(), size
