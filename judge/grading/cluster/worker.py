"""The worker's side: a service for each client, what Dask calls to have a batch of work done, and how fast it is."""

import os
import pickle
import platform
import socket
import threading
import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from judge.base.errors import JudgeError, describe_error
from judge.base.units import MIB, Bytes, Seconds
from judge.grading.cluster.values import BatchResult, Parcel, Service
from judge.grading.values import TIME_BAND
from judge.model import Ending, Limits, Verdict
from judge.sandbox.box import Box, Command
from judge.sandbox.installations import base_python

_LOOP = "total = 0\nfor i in range(600_000):\n    total += i * i % 7\nprint(total)\n"
_EXPECTED = b"1199997\n"
_LIMITS = Limits(cpu=Seconds(60.0), wall=Seconds(121.0), memory=Bytes(256 * MIB), output=Bytes(MIB))


def measure_speed() -> Seconds:
    """Return the CPU time of a fixed Python program in the sandbox of this machine: the least of several runs.

    Raises:
        JudgeError: it does not run; the worker or the machine is of no use.
    """
    command = Command(argv=(base_python(), "-I", "-S", "-c", _LOOP))
    with Box() as box:
        outcomes = [box.run(command, _LIMITS) for _ in range(5)]
    for outcome in outcomes:
        run = outcome.result
        if run.ending is not Ending.EXITED or run.exit_code != 0 or outcome.stdout != _EXPECTED:
            why = run.last_error_line or run.exit_code
            raise JudgeError(f"a simple Python program does not run there: {run.ending.value}, {why}")
    return min(outcome.result.cpu for outcome in outcomes)


def depends_on_speed(
    verdict: Verdict, margin: float | None, slowness: float, *, is_settled: bool, is_uncertain: bool = False
) -> bool:
    """Return whether a verdict could be another one on the reference machine.

    Args:
        verdict: from some worker.
        margin: the smallest share of a limit that a run left unused; None if nothing ran.
        slowness: how much longer a program takes there than on the reference machine; up to 10 % count as equally fast.
        is_settled: from an equally fast worker, a verdict near a limit counts: it has repeated that run, or its machine
            is the reference machine.
        is_uncertain: the worker itself got two verdicts.
    """
    if margin is None:
        return False
    if is_uncertain:
        return True
    if abs(slowness - 1) <= 0.1 and (is_settled or abs(margin) > TIME_BAND):
        return False
    if verdict is Verdict.TLE:
        return slowness > 1
    return (1 - margin) / slowness >= 1 - TIME_BAND


T = TypeVar("T")


_claims: list[socket.socket] = []  # of cores, held until this process ends
_services: dict[str, Service] = {}
_lock = threading.Lock()


def open_service(token: str, spec: bytes, threads: int) -> dict[str, Any]:
    """Open the service of a client; return the worker's report, or the reason why it is not fit."""
    given = pickle.loads(spec)  # noqa: S301 - from the client, whose functions Dask runs here anyway
    claim_cores(threads)
    try:
        service: Service = given(threads)
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


def handle_batch(token: str, parcels: Sequence[Parcel], contents: Sequence[Any], budget: float) -> BatchResult:
    """Handle the parcels of a batch one after the other until its time is over.

    `budget`: seconds after which no parcel starts: the rest goes to whichever worker is free.

    Raises:
        JudgeError: this worker has no service with this token.
    """
    from distributed import get_worker

    begun = time.monotonic()
    results: list[Any] = []
    for payload, needed in parcels:
        if results and time.monotonic() - begun >= budget:
            break
        service = _services.get(token)
        if service is None:
            raise JudgeError("this worker no longer has a service for this client")
        results.append(service.handle(payload, [contents[index] for index in needed]))
    return get_worker().address, results


def wait_for(results: "SimpleQueue[T]", is_closed: Callable[[], bool]) -> T:
    """Return the first result that another thread puts into a queue.

    Raises:
        JudgeError: the service was closed meanwhile.
    """
    while True:
        try:
            return results.get(timeout=1.0)  # between looks at whether the service was closed
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
