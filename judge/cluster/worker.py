"""The worker's side: a service for each client, and what Dask calls to have a batch of work done."""

import os
import pickle
import platform
import socket
import threading
import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from judge.cluster.speed import measure_speed
from judge.cluster.values import BatchResult, Parcel, Service
from judge.errors import JudgeError, describe_error
from judge.units import Seconds

T = TypeVar("T")

_WAIT_S = 1.0  # between looks at whether the service was closed

_claims: list[socket.socket] = []  # of cores, held until this process ends
_services: dict[str, Service] = {}
_lock = threading.Lock()


def open_service(token: str, spec: bytes, threads: int) -> dict[str, Any]:
    """Open the service of a client; return the worker's report, or the reason why it is not fit."""
    given = pickle.loads(spec)  # noqa: S301 - from the client, whose functions Dask runs here anyway
    claim_cores(threads)
    try:
        service: Service = given.open(threads)
    except JudgeError as error:
        return {"reason": describe_error(error)}
    try:
        loop_s = measure_speed()
    except JudgeError as error:
        service.close()
        return {"reason": describe_error(error)}
    with _lock:
        previous, _services[token] = _services.get(token), service
    if previous is not None:
        previous.close()
    return {"host": platform.node(), "level": service.level, "loop_s": loop_s}


def close_service(token: str) -> None:
    """Close the service of a client, if it is open."""
    with _lock:
        service = _services.pop(token, None)
    if service is not None:
        service.close()


def hold(content: T) -> T:
    """Return a content: a task of Dask whose result stays on the workers that need it."""
    return content


def handle_batch(token: str, parcels: Sequence[Parcel], contents: Sequence[Any], budget: float) -> BatchResult:
    """Handle the parcels of a batch one after the other until its time is over.

    Args:
        token: names the service.
        parcels: at least one.
        contents: what several parcels share.
        budget: seconds after which no parcel starts: the rest goes to whichever worker is free.

    Raises:
        JudgeError: this worker has no such service.
    """
    from distributed import get_worker

    begun = time.monotonic()
    results: list[Any] = []
    for parcel in parcels:
        if results and time.monotonic() - begun >= budget:
            break
        service = _services.get(token)
        if service is None:
            raise JudgeError("this worker no longer has a service for this client")
        results.append(service.handle(parcel.payload, [contents[index] for index in parcel.contents]))
    worker = get_worker().address
    return BatchResult(worker=worker, results=tuple(results), seconds=Seconds(time.monotonic() - begun))


def wait_for(results: "SimpleQueue[T]", is_closed: Callable[[], bool]) -> T:
    """Return the first result that another thread puts into a queue.

    Raises:
        JudgeError: the service was closed meanwhile.
    """
    while True:
        try:
            return results.get(timeout=_WAIT_S)
        except Empty:
            if is_closed():
                raise JudgeError("this worker's service was closed") from None


def claim_cores(count: int) -> None:
    """Bind this thread, and the threads and processes that it starts, to cores that no other worker process has.

    The name of an abstract socket is the claim: the kernel gives it to one process and frees it when that ends
    (unix(7)). Without enough free cores, nothing is bound.
    """
    free: list[tuple[int, socket.socket]] = []
    for core in sorted(os.sched_getaffinity(0)):
        if len(free) == count:
            break
        claim = socket.socket(socket.AF_UNIX)
        try:
            claim.bind(f"\0judge-worker-core-{os.getuid()}-{core}")
        except OSError:
            claim.close()
        else:
            free.append((core, claim))
    if len(free) < count:
        for _, claim in free:
            claim.close()
        return
    _claims.extend(claim for _, claim in free)
    os.sched_setaffinity(0, {core for core, _ in free})
