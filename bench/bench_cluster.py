"""What a cluster costs: rows per second on workers of this machine, the CPU time of scheduler and client, and a model.

python -m bench.bench_cluster [--rows N] [--tests N] [--idle N] [--batches N]

First the same rows are graded in this process and by 1 and 2 worker processes. Then workers that do nothing take
batches of several sizes, so that only the scheduler and the client work: their CPU time for a batch and a row follows.
With these figures, `predict` says how many rows a second W workers grade.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

try:
    from distributed.scheduler import heartbeat_interval
except ImportError:
    print("bench_cluster needs Dask: pip install 'judge-harness[dask]'; it measures nothing")
    sys.exit()

import judge.grading.cluster.values
from bench.grade_workload import write_rows
from bench.idle_service import IdleService
from bench.measure import ROOT, show
from judge.base.errors import JudgeError
from judge.grading.cluster.connection import connect, start_workers
from judge.grading.cluster.grader import ClusterGrader
from judge.grading.cluster.pool import WorkerPool
from judge.grading.cluster.values import Done, Item, batch_seconds
from judge.grading.grader import Grader
from judge.grading.stream import LineReader, Stream
from judge.grading.values import GradeOptions

_SIZES = (1, 4, 16, 64)  # rows of a batch
_WORKERS = (1, 2, 10, 50, 100, 300, 1000)
_REST_S = 15
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--tests", type=int, default=20)
    parser.add_argument("--idle", type=int, default=4, metavar="N", help="workers that do nothing")
    parser.add_argument("--batches", type=int, default=300, metavar="N", help="of each size")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        os.chdir(folder)
        write_rows("rows.jsonl", options.rows, options.tests, hostile=0.0)
        print(f"{options.rows} submissions of {options.tests} tests; load {os.getloadavg()[0]:.1f}")
        own = scale("rows.jsonl")
        costs = measure_costs(options.idle, options.batches)
        print_model(own, costs)


# ---- scaling on this machine ---------------------------------------------------------------------------------------


def scale(path: str) -> float:
    """Grade a file here and on worker processes; return the CPU time of a row without a cluster."""
    alone: tuple[float, float] | None = None
    for name, workers in (("this process, 1 job", 0), ("1 worker", 1), ("2 workers", 2)):
        with ExitStack() as stack:
            grader: Grader | ClusterGrader
            begun = time.perf_counter()
            if workers:
                grader = stack.enter_context(ClusterGrader(stack.enter_context(start_workers(workers)), GradeOptions()))
            else:
                grader = stack.enter_context(Grader(GradeOptions(jobs=1)))
            ready = time.perf_counter() - begun
            before = _cpu_of_all(os.getpid())
            count, seconds = _grade(grader, path)
            cpu = (_cpu_of_all(os.getpid()) - before) / count
        alone = alone or (seconds, cpu)
        remark = f"{seconds:.1f} s after {ready:.1f} s to start; {cpu * 1000:.1f} ms CPU a row in all processes"
        if workers:
            remark += f"; of ideal {alone[0] / seconds / workers:.2f} by the clock, {alone[1] / cpu:.2f} by CPU time"
        show(name, f"{count / seconds:.1f} rows/s", remark)
    assert alone is not None
    return alone[1]


def _grade(grader: Grader | ClusterGrader, path: str) -> tuple[int, float]:
    begun = time.perf_counter()
    with LineReader(Path(path)) as reader:
        count = sum(1 for _ in Stream(grader, reader, None, None, "results").results())
    return count, time.perf_counter() - begun


def _cpu_of_all(pid: int) -> float:
    """Return the CPU time of a process and its descendants, also of those that ended; see proc(5)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    total = sum(map(int, fields[11:15])) * _TICK_S
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # it may end meanwhile
            total += sum(_cpu_of_all(int(child)) for child in (task / "children").read_text().split())
    return total


# ---- the cost of the scheduler and the client ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU time in seconds: for each batch, and for each row in it."""

    batch: float
    row: float

    def of(self, rows: float) -> float:
        """Return the cost of a row in batches of some rows."""
        return self.batch / rows + self.row


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Of the two processes that all rows pass.

    Attributes:
        idle: CPU time of a scheduler without workers in a second.
        heartbeat: CPU time of the scheduler for each heartbeat of a worker.
    """

    scheduler: Cost
    client: Cost
    idle: float
    heartbeat: float


def measure_costs(workers: int, batches: int) -> Costs:
    """Return what batches of several sizes cost the scheduler and the client: a line through the costs."""
    with open_cluster(workers) as (address, scheduler), connect(address) as client:
        payloads = [_payload(number) for number in range(64)]
        with WorkerPool(client, IdleService, advice="") as pool:
            points = []
            for size in _SIZES:
                judge.grading.cluster.values.MAX_PARCELS = size
                _send(pool, payloads, 50 * size)
                used, own, begun = _used(scheduler), time.process_time(), time.perf_counter()
                _send(pool, payloads, batches * size)
                seconds = time.perf_counter() - begun
                points.append((size, (_used(scheduler) - used) / batches, (time.process_time() - own) / batches))
                show(
                    f"batches of {size}, {workers} workers that do nothing",
                    f"{batches / seconds:.0f} /s",
                    f"CPU a batch: scheduler {points[-1][1] * 1000:.2f} ms, client {points[-1][2] * 1000:.2f} ms",
                )
        busy = _rest(scheduler)
    with open_cluster(0) as (_, scheduler):
        idle = _rest(scheduler)
    heartbeat = max(0.0, busy - idle) * heartbeat_interval(workers) / workers
    show("heartbeat of a worker", f"{heartbeat * 1000:.2f} ms", f"CPU time of a scheduler; {idle * 1000:.1f} ms/s idle")
    return Costs(
        scheduler=_fit([(size, cost) for size, cost, _ in points]),
        client=_fit([(size, cost) for size, _, cost in points]),
        idle=idle,
        heartbeat=heartbeat,
    )


def _rest(pid: int) -> float:
    """Return the CPU time in a second of a process that has nothing to do."""
    used, begun = _used(pid), time.perf_counter()
    time.sleep(_REST_S)
    return (_used(pid) - used) / (time.perf_counter() - begun)


def _payload(number: int) -> tuple[Any, str]:
    """Return a row of the workload, as it travels."""
    from judge.grading.rows import parse_row

    with open("rows.jsonl", encoding="utf-8") as file:  # noqa: PTH123 - in the current folder
        row = parse_row(json.loads(file.readline()) | {"id": str(number)}, number + 1, GradeOptions())
    return row, ""


def _send(pool: WorkerPool, payloads: Sequence[tuple[Any, str]], count: int) -> None:
    """Have rows done, and wait for all of them.

    Raises:
        JudgeError: one of them failed.
    """
    left, is_done = count, threading.Event()
    failure: JudgeError | None = None

    def done(result: Done | JudgeError) -> None:
        nonlocal left, failure
        left -= 1
        if isinstance(result, JudgeError):
            failure = result
        if failure is not None or not left:
            is_done.set()

    for number in range(count):
        pool.start(Item(payload=payloads[number % len(payloads)], done=done, size=100))
    is_done.wait()
    if failure is not None:
        raise failure


def _fit(points: Sequence[tuple[int, float]]) -> Cost:
    """Return the line through the costs of batches, by least squares."""
    count = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return Cost(max(0.0, mean_y - slope * mean_x), max(0.0, slope))


def _used(pid: int) -> float:
    """Return the CPU time of a process; see proc(5)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * _TICK_S


@contextmanager
def open_cluster(workers: int) -> Iterator[tuple[str, int]]:
    """Start a scheduler and workers as processes of their own; yield the scheduler's address and process id.

    Raises:
        JudgeError: the scheduler does not start.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    quiet: dict[str, Any] = {"env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    module = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    with ExitStack() as stack:
        file = Path(tempfile.mkdtemp(dir=".")).absolute() / "scheduler.json"
        scheduler = subprocess.Popen(
            [*module, "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)], **quiet
        )
        stack.callback(scheduler.wait)
        stack.callback(scheduler.terminate)
        while not file.exists():
            if scheduler.poll() is not None:
                raise JudgeError(f"the scheduler ended with exit status {scheduler.returncode}")
            time.sleep(0.1)
        worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file)]
        for _ in range(workers):
            process = subprocess.Popen([*worker, "--nthreads", "1", "--no-nanny", "--no-dashboard"], **quiet)
            stack.callback(process.wait)
            stack.callback(process.terminate)
        yield json.loads(file.read_text())["address"], scheduler.pid


# ---- the model -----------------------------------------------------------------------------------------------------


def predict(workers: int, row_s: float, costs: Costs) -> tuple[float, str]:
    """Return how many rows a second workers grade, and what bounds it.

    rows/s = min(workers / row, scheduler, client), where the scheduler has what its heartbeats leave of a core.
    """
    rows = max(1.0, min(judge.grading.cluster.values.MAX_PARCELS, batch_seconds(workers) / row_s))
    beats = costs.idle + costs.heartbeat * workers / heartbeat_interval(workers)
    bounds = {
        "workers": workers / row_s,
        "scheduler": max(0.0, 1 - beats) / costs.scheduler.of(rows),
        "client": 1 / costs.client.of(rows),
    }
    bound = min(bounds, key=lambda name: bounds[name])
    return bounds[bound], bound


def print_model(row_s: float, costs: Costs) -> None:
    """Print the rates of clusters of several sizes, for rows as measured and for longer ones."""
    for name, cost in (("scheduler", costs.scheduler), ("client", costs.client)):
        show(f"{name}: CPU time", f"{cost.batch * 1000:.2f} ms", f"a batch, and {cost.row * 1000:.3f} ms a row")
    for seconds in (row_s, 1.0):
        print(f"rows that take {seconds:.3f} s:")
        for workers in _WORKERS:
            rate, bound = predict(workers, seconds, costs)
            efficiency = rate * seconds / workers
            show(f"  {workers} workers", f"{rate:.1f} rows/s", f"{efficiency:.2f} of ideal, bound by the {bound}")


if __name__ == "__main__":
    main()
