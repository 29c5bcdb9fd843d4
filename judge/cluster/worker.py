"""The worker's side: a grader for each client, and what Dask calls to grade a batch."""

import pickle
import platform
import threading
import time
from collections.abc import Sequence
from queue import Empty, SimpleQueue
from typing import Any

from msgspec.structs import replace

from judge.cluster.cores import claim_cores
from judge.cluster.speed import measure_speed
from judge.cluster.values import BatchResult, Parcel
from judge.errors import JudgeError, describe_error
from judge.grading.grader import Grader
from judge.grading.values import Grade, GradeOptions, Task, TextTest, blame_judge
from judge.units import Seconds

_BUDGET_S = 1.0  # no row of a batch starts later; the rest goes to whichever worker is free
_WAIT_S = 1.0  # between looks at whether the grader was closed

_graders: dict[str, Grader] = {}
_lock = threading.Lock()


def open_grader(token: str, options: bytes, threads: int) -> dict[str, Any]:
    """Open the grader of a client; return the worker's report, or the reason why it is not fit."""
    given = pickle.loads(options)  # noqa: S301 - from the client, whose functions Dask runs here anyway
    assert isinstance(given, GradeOptions)
    root = given.root if given.root is not None and given.root.is_dir() else None
    claim_cores(threads)
    try:
        grader = Grader(replace(given, root=root, jobs=threads))
    except JudgeError as error:
        return {"reason": describe_error(error)}
    try:
        loop_s = measure_speed(grader)
    except JudgeError as error:
        grader.close()
        return {"reason": describe_error(error)}
    with _lock:
        previous, _graders[token] = _graders.get(token), grader
    if previous is not None:
        previous.close()
    return {"host": platform.node(), "level": grader.level.value, "loop_s": loop_s}


def close_grader(token: str) -> None:
    """Close the grader of a client, if it is open."""
    with _lock:
        grader = _graders.pop(token, None)
    if grader is not None:
        grader.close()


def hold(tests: tuple[TextTest, ...]) -> tuple[TextTest, ...]:
    """Return tests: a task of Dask whose result stays on the workers that need it."""
    return tests


def grade_batch(token: str, parcels: Sequence[Parcel], contents: Sequence[tuple[TextTest, ...]]) -> BatchResult:
    """Grade the rows of a batch one after the other until its time is over.

    Args:
        token: names the grader.
        parcels: the rows, at least one.
        contents: tests that several rows share.
    """
    from distributed import get_worker

    begun = time.monotonic()
    grades: list[Grade] = []
    for parcel in parcels:
        if grades and time.monotonic() - begun >= _BUDGET_S:
            break
        task = parcel.task
        if parcel.content is not None:
            task = replace(task, tests=contents[parcel.content])
        grades.append(_grade(token, task, parcel.problem_digest))
    worker = get_worker().address
    return BatchResult(worker=worker, grades=tuple(grades), seconds=Seconds(time.monotonic() - begun))


def _grade(token: str, task: Task, problem_digest: str) -> Grade:
    grader = _graders.get(token)
    if grader is None:
        raise JudgeError("this worker has no grader")
    if task.problem:
        try:
            found = grader.problem_digest(task.problem)
        except JudgeError as error:
            return blame_judge(task, f"{platform.node()}: {describe_error(error)}")
        if found != problem_digest:
            reason = f"the files of {task.problem} differ from those of the client; give all machines the same"
            return blame_judge(task, f"{platform.node()}: {reason}")
    results: SimpleQueue[Grade] = SimpleQueue()
    grader.start(task, results.put)
    while True:
        try:
            return results.get(timeout=_WAIT_S)
        except Empty:
            if _graders.get(token) is not grader:
                raise JudgeError("this worker's grader was closed") from None
