"""Where the time of one case goes: its parts by clock and by CPU, against a bare posix_spawn + wait4 loop.

    python -m bench.bench_case [CASES]

With a worker for each core, a worker thread of the judge passes from one part to the next, so its parts follow
each other and their sum is the whole time of a case. It waits for the zygote, whose parts are between those of the
worker. With fewer workers, the zygote has the next request when a run ends: then its parts alone follow each other, and
of the worker's only the CPU time is shown. The main thread records and reports meanwhile; only its CPU time counts, and
lacks where two workers need both cores.

The functions between the parts are wrapped in this process and in the zygote; nothing in `judge` knows of it. The last
two rows compare the sum with runs that are not wrapped.
"""

import json
import marshal
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

from bench.bench_overhead import EMPTY
from bench.measure import ROOT, SUM, bare_loop, interleaved, judge, seconds, write_cases
from judge.cli.main import run_process
from judge.languages.interpreters import create_bare_venv
from judge.reporters.json_report import JsonReporter
from judge.runner import run
from judge.runner.cache import ResultCache
from judge.runner.executors import default_workers
from judge.sandbox import box, warm_box

ROUNDS = 5
SKIPPED = 50  # cases until everything is warm; they do not count

# Of the worker, in this order. The zygote tells what the worker waits for; the rest is what it takes to wake both up.
WORKER = ("prepare", "request", "wake-ups", "collect", "compare", "next case")
ZYGOTE = ("read the request", "fork, confine, exec", "run", "reap, answer")
MAIN = ("record", "report", "the rest")

# Precedes what a zygote executes: adds (clock, CPU) to its parts and writes them at its end into a file that is open
# before it has a file tree of its own.
_IN_ZYGOTE = """\
import marshal, os, sys, time
sys.path.insert(0, sys.argv[1])
from judge.sandbox import supervisor, zygote
out = os.open(%r + f"/{os.getpid()}", os.O_WRONLY | os.O_CREAT)
sums, last, cases = [[0.0, 0.0] for _ in range(4)], [0.0, 0.0], [-%d]
def mark(part):
    now = [time.monotonic(), time.process_time()]
    if part >= 0 and cases[0] >= 0:
        sums[part][0] += now[0] - last[0]
        sums[part][1] += now[1] - last[1]
    last[:] = now
def wrap(owner, name, before, after):
    inner = getattr(owner, name)
    def wrapped(*given, **named):
        if before is not None:
            mark(before)
        result = inner(*given, **named)
        if after is not None:
            mark(after)
        return result
    setattr(owner, name, wrapped)
wrap(zygote.Zygote, "read_request", -1, None)
wrap(zygote.Zygote, "start", 0, 1)
wrap(supervisor.Supervisor, "wait", None, 2)
wrap(zygote, "_send", None, 3)
answer, serve = zygote.Zygote.answer, zygote.Zygote.serve
def count(self):
    cases[0] += 1
    return answer(self)
def finish(self):
    serve(self)
    os.write(out, marshal.dumps((cases[0] - 1, sums, tuple(os.times()))))
zygote.Zygote.answer, zygote.Zygote.serve = count, finish
"""


def main() -> None:
    """Measure and print; or be the judge that is measured."""
    if sys.argv[1:2] == ["--inside"]:
        run_inside(Path(sys.argv[2]), sys.argv[3:])
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = name  # not the user's own history
        source = folder / "sum.py"
        source.write_text(SUM)
        python = (create_bare_venv(folder), "-I", str(source))  # the interpreter of the judge's runs
        print_parts("Python", python, source, folder, count, workers=1)
        print_parts("Python", python, source, folder, count, workers=2)
        print_parts("Python, --warm", python, source, folder, count, workers=1, options=("--warm",))
        if compiler := shutil.which("cc"):
            empty = folder / "empty.c"
            empty.write_text(EMPTY)
            subprocess.run([compiler, "-O2", "-o", folder / "empty", empty], check=True)
            print_parts("empty C program", (str(folder / "empty"),), empty, folder, count, workers=1)


def print_parts(
    title: str,
    argv: tuple[str, ...],
    source: Path,
    folder: Path,
    count: int,
    *,
    workers: int,
    options: tuple[str, ...] = (),
) -> None:
    """Measure one program and print a table, in milliseconds of a worker for each case."""
    few, many = (folder / f"{source.stem}-{number}" for number in (SKIPPED * workers, count))
    inputs = [write_cases(cases, number) for cases, number in ((few, SKIPPED * workers), (many, count))]
    if source.suffix == ".c":  # it prints nothing, and that is right
        for path in (*inputs[0], *inputs[1]):
            path.with_suffix(".ans").write_text("")
    words = [
        ("run", "-s", str(source), "--cases", str(cases), "-j", str(workers), "-f", "json", "--fresh", *options)
        for cases in (few, many)
    ]
    found: list[dict[str, list[float]]] = []

    def measure_parts() -> float:
        found.append(run_measured(words[1], folder))
        return 0.0

    bare = [partial(seconds, partial(bare_loop, argv, paths, workers)) for paths in inputs]
    plain = [partial(judge, *given, cwd=folder) for given in words]
    bare_few, bare_many, few_s, many_s, _ = interleaved([*bare, *plain, measure_parts], ROUNDS)
    scale = 1e3 * workers / (count - SKIPPED * workers)
    rows = {part: [statistics.median(each[part][at] for each in found) for at in (0, 1)] for part in found[0]}
    parts = (*WORKER[:2], *ZYGOTE, *WORKER[2:])
    successive = ZYGOTE if workers < default_workers() else parts
    print(f"\n{title}, -j {workers}: ms for each case  {'clock':>8} {'CPU':>8}")
    for part in parts:
        clock = f"{rows[part][0]:8.3f}" if part in successive else ""
        print(f"  {part:<38} {clock:>8} {rows[part][1]:8.3f}")
    for part in MAIN:
        print(f"  main thread: {part:<25} {'':>8} {rows[part][1]:8.3f}")
    for part in ("judge", "zygote", "runs"):
        print(f"  process: {part + ', of it in the kernel':<29} {rows[part][0]:8.3f} {rows[part][1]:8.3f}")
    whole, floor = (many_s - few_s) * scale, (bare_many - bare_few) * scale
    total = sum(rows[part][0] for part in successive)
    print(f"  {'sum by clock':<38} {total:8.3f}  {total / whole:.2f} of the whole")
    print(
        f"  {'whole':<38} {whole:8.3f}  {whole / floor:.2f} x, {whole - floor:+.3f} ms: a bare loop takes {floor:.3f}"
    )


def run_measured(words: tuple[str, ...], folder: Path) -> dict[str, list[float]]:
    """Run the judge with wrapped functions; return clock and CPU of each part for each case, in milliseconds."""
    out = Path(tempfile.mkdtemp(dir=folder))
    argv = [sys.executable, "-m", "bench.bench_case", "--inside", str(out), *words]
    subprocess.run(argv, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, capture_output=True)
    parts: dict[str, list[float]] = json.loads((out / "judge").read_text())
    zygotes = [
        marshal.loads(path.read_bytes()) for path in out.iterdir() if path.name != "judge" and path.stat().st_size
    ]
    served = [each for each in zygotes if each[0] > 0]
    ran = sum(each[0] for each in served)
    for number, part in enumerate(ZYGOTE):
        parts[part] = [sum(each[1][number][at] for each in served) / ran for at in (0, 1)]
    parts["wake-ups"][0] -= sum(parts[part][0] for part in ZYGOTE)
    for part, at in (("zygote", 0), ("runs", 2)):
        user, system = (sum(each[2][at + more] for each in served) / (ran + SKIPPED) for more in (0, 1))
        parts[part] = [user + system, system]
    return {part: [1e3 * each for each in values] for part, values in parts.items()}


class Timers:
    """Adds up clock and CPU between the marks of each worker, in seconds, without the first cases."""

    def __init__(self) -> None:
        self.sums: dict[str, list[float]] = {part: [0.0, 0.0] for part in (*WORKER, *MAIN)}
        self.results: list[tuple[float, os.times_result]] = []  # the CPU of the main thread and of all when one came
        self._worker = threading.local()
        self._lock = threading.Lock()

    def mark(self, part: str) -> None:
        """End a part of this worker's cycle."""
        now, worker = (time.monotonic(), time.thread_time()), self._worker
        worker.cases = getattr(worker, "cases", 0) + (part == "next case")
        if worker.cases > SKIPPED:
            with self._lock:
                for at in (0, 1):
                    self.sums[part][at] += now[at] - worker.last[at]
        worker.last = now

    def wrap(self, owner: Any, name: str, before: str, after: str) -> None:
        """Let a function end one part when it is called, and another when it returns."""
        inner = getattr(owner, name)

        def wrapped(*given: Any, **named: Any) -> Any:
            self.mark(before)
            result = inner(*given, **named)
            self.mark(after)
            return result

        setattr(owner, name, wrapped)

    def add_cpu(self, owner: Any, name: str, part: str) -> None:
        """Count the CPU time of a function of the main thread as a part."""
        inner = getattr(owner, name)

        def wrapped(*given: Any, **named: Any) -> Any:
            begun = time.thread_time()
            result = inner(*given, **named)
            if len(self.results) > SKIPPED:
                self.sums[part][1] += time.thread_time() - begun
            if part == "record":
                self.results.append((time.thread_time(), os.times()))
            return result

        setattr(owner, name, wrapped)

    def finish(self) -> dict[str, list[float]]:
        """Return all sums for each case."""
        (main_began, began), (main_ended, ended) = self.results[SKIPPED], self.results[-1]
        sums, counted, system = self.sums, len(self.results) - SKIPPED, ended.system - began.system
        sums["the rest"][1] = main_ended - main_began - sums["record"][1] - sums["report"][1]
        sums["judge"] = [ended.user - began.user + system, system]
        return {part: [value / counted for value in values] for part, values in sums.items()}


def run_inside(out: Path, words: list[str]) -> None:
    """Be the judge, with functions that note when a part ends; write the parts."""
    module: Any
    for module in (box, warm_box):
        module._START = _IN_ZYGOTE % (str(out), SKIPPED) + module._START  # noqa: SLF001 - nothing else needs it
    timers = Timers()
    timers.wrap(run, "judge_one", "next case", "compare")
    timers.wrap(box.Box, "run", "prepare", "collect")
    timers.wrap(box.Box, "_receive", "request", "wake-ups")
    timers.add_cpu(ResultCache, "put", "record")
    timers.add_cpu(JsonReporter, "handle", "report")
    run_process(words)
    (out / "judge").write_text(json.dumps(timers.finish()))
    os._exit(0)


if __name__ == "__main__":
    main()
