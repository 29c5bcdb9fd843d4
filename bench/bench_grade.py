"""How many submissions a core grades per second, against other scorers; what grading leaves behind on the machine.

python -m bench.bench_grade [--rows N] [--sample N] [--tests N] [--peers PYTHON] [--fusion URL]
    [--scalebox URL] [--alone]
python -m bench.bench_grade [--soak RUNS] [--band RUNS]

The rows are generated (`grade_workload`): two thirds right, the others wrong, some hanging or crashing. `--peers`
names an interpreter with the package verl (pip install --no-deps verl; pip install numpy), whose scorer then runs on
the same rows; `--fusion` and `--scalebox` name running servers of SandboxFusion and of ScaleBox. Without them only the
pool of subprocesses runs. With `--sample`, cold mode and the other scorers, which would take hours for thousands of
rows, grade only the first N. `--alone` runs none of them, so that rows may be hostile. `--soak` grades hostile rows,
and counts what is left afterwards. `--band` repeats runs outside the band of the limits, on all cores, and counts other
verdicts. Both end after so many runs.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, islice, takewhile
from pathlib import Path
from typing import Any

import judge
from bench.grade_workload import HOSTILE, make_rows, write_rows
from bench.measure import ROOT, descendants, show
from judge.grading import submission as graded
from judge.grading.grader import Grader
from judge.grading.values import Grade, GradeOptions

_RUN = "judge_with_output"  # what every run goes through


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=64)
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--tests", type=int, default=20)
    parser.add_argument("--peers", metavar="PYTHON")
    parser.add_argument("--fusion", metavar="URL")
    parser.add_argument("--scalebox", metavar="URL")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--soak", type=int, default=0, metavar="RUNS")
    parser.add_argument("--band", type=int, default=0, metavar="RUNS")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        os.environ["TMPDIR"] = tempfile.tempdir = folder  # only what is created here is counted
        os.chdir(folder)
        if options.soak:
            soak(options.soak)
        elif options.band:
            band(options.band)
        else:
            compare(options)


# ---- throughput ----------------------------------------------------------------------------------------------------


def compare(options: argparse.Namespace) -> None:
    """Grade the same rows with all scorers, one after the other."""
    rows, tests, cores = options.rows, options.tests, len(os.sched_getaffinity(0))
    sample = min(rows, options.sample or rows)
    hostile = 0.02 if options.alone else 0.0
    write_rows("rows.jsonl", rows, tests, hostile=hostile)
    lines = Path("rows.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    Path("sample.jsonl").write_text("".join(lines[:sample]), encoding="utf-8")
    wanted = [row["id"] if row["is_right"] else "" for row in make_rows(rows, tests, hostile=hostile)]
    print(f"{rows} submissions of {tests} tests on {cores} cores; load {os.getloadavg()[0]:.1f}")
    if sample < rows:
        print(f"cold mode and the others: the first {sample}")
    rates = {}
    for name, path, size, how in (
        ("warm", "rows.jsonl", rows, GradeOptions()),
        ("cold", "sample.jsonl", sample, GradeOptions(is_warm=False)),
    ):
        seconds, accepted, share = grade_file(path, how)
        rates[name] = size / seconds / cores
        remark = f"{seconds:.1f} s; the solutions have {share:.2f} of all CPU time"
        show(f"judge grade, {name}", f"{rates[name]:.2f} /s/core", remark + _describe_errors(accepted, wanted[:size]))
    for name, python, workers, url in _find_scorers(options, cores):
        seconds, accepted = run_peer(name, python, workers, url)
        rate = sample / seconds / cores
        remark = f"{seconds:.1f} s; warm is {rates['warm'] / rate:.1f} x, cold {rates['cold'] / rate:.1f} x as fast"
        show(f"{name}, {workers} workers", f"{rate:.2f} /s/core", remark + _describe_errors(accepted, wanted[:sample]))


def _find_scorers(options: argparse.Namespace, cores: int) -> Iterator[tuple[str, str, int, str]]:
    """Yield the name, interpreter, number of workers and URL of each other scorer."""
    if options.alone:
        return
    yield "pool", sys.executable, cores, ""
    if options.peers:
        yield "verl", options.peers, cores, ""
    for name in ("fusion", "scalebox"):
        if url := getattr(options, name):
            for workers in (1, cores, 4 * cores):
                yield name, sys.executable, workers, url


def _describe_errors(accepted: set[str], wanted: Sequence[str]) -> str:
    """Say how many ids were accepted wrongly; `wanted` has "" for each wrong submission."""
    false, missed = len(accepted.difference(wanted)), len(set(wanted) - accepted - {""})
    return f"; {false} wrongly accepted, {missed} wrongly rejected" if false or missed else ""


def grade_file(path: str, options: GradeOptions) -> tuple[float, set[str], float]:
    """Grade a file of rows; return the seconds, the accepted ids, and the solutions' share of all CPU time."""
    own = 0.0

    def add(result: Any) -> None:
        nonlocal own
        own += result.run.cpu if result.run else 0.0

    before = _cpu_time()
    begun = time.perf_counter()
    with see_runs(add), Grader(options) as grader, Path(path).open(encoding="utf-8") as file:
        accepted = {each.id for each in grader.grade(map(json.loads, file)) if each.is_accepted}
        seconds = time.perf_counter() - begun
    return seconds, accepted, own / (_cpu_time() - before)


@contextmanager
def see_runs(see: Callable[[Any], None]) -> Iterator[None]:
    """Call a function with the result of every run."""
    original = getattr(graded, _RUN)

    def run(job: Any, box: Any) -> Any:
        result, output = original(job, box)
        see(result)
        return result, output

    setattr(graded, _RUN, run)
    try:
        yield
    finally:
        setattr(graded, _RUN, original)


def _cpu_time() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def run_peer(name: str, python: str, workers: int, url: str) -> tuple[float, set[str]]:
    """Run another scorer in a process of its own; `url` is that of a server, or empty."""
    command = [python, str(ROOT / "bench/grade_peers.py"), name, "sample.jsonl", str(workers), url]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    found = json.loads(ran.stdout.splitlines()[-1])
    return found["seconds"], set(found["accepted"])


# ---- what is left --------------------------------------------------------------------------------------------------


def soak(runs: int) -> None:
    """Grade hostile rows, and print what they leave behind, and whether verdicts agree with those of `judge run`."""
    tests = [{"input": "1\n5\n", "output": "no program prints this\n"}]
    limits = {"time_s": 0.06, "wall_s": 0.2, "memory_bytes": 64 << 20, "output_bytes": 1 << 20}
    wanted = run_all(HOSTILE)
    found: list[Counter[str]] = [Counter() for _ in HOSTILE]
    rows = _Rows([(code, limits) for code in HOSTILE], tests)
    with see_runs(rows.count_run), Grader(GradeOptions()) as grader:
        for _ in range(4):  # what is created once, by each worker
            list(grader.grade(rows.take(len(HOSTILE))))
        rows.runs = 0
        before, begun = _state(), time.perf_counter()
        for grade in grader.grade(rows.until(runs)):
            found[rows.kind(grade)][str(grade.verdict)] += 1
        elapsed, after = time.perf_counter() - begun, _state()
    graded = sum(each.total() for each in found)
    show("hostile submissions", f"{graded:,}", f"{rows.runs:,} runs; {graded / elapsed:.1f} submissions/s")
    for name, value in after.items():
        show(f"{name}, before and after", f"{before[name]:,} {value:,}")
    others = [
        f"{HOSTILE[number].splitlines()[-1]!r:.50}: {dict(each)}, judge run {wanted[number]}"
        for number, each in enumerate(found)
        if set(each) != {wanted[number]} and each
    ]
    show("programs with other verdicts than judge run", str(len(others)), "; ".join(others))


class _Rows:
    """Rows of a few programs in turn, until they were run often enough; each program has its limits."""

    def __init__(self, programs: Sequence[tuple[str, dict[str, float]]], tests: list[dict[str, str]]) -> None:
        self.runs = 0
        self._programs = [{"code": code, "limits": limits, "tests": tests} for code, limits in programs]
        self._numbers = count()

    def count_run(self, _: Any) -> None:
        """Take note of a run."""
        self.runs += 1

    def take(self, most: int) -> Iterator[dict[str, Any]]:
        """Yield so many rows."""
        for number in islice(self._numbers, most):
            yield {"id": str(number), **self._programs[number % len(self._programs)]}

    def until(self, runs: int) -> Iterator[dict[str, Any]]:
        """Yield rows until there were so many runs; each has one at least."""
        return takewhile(lambda _: self.runs < runs, self.take(runs))

    def kind(self, grade: Grade) -> int:
        """Return the number of the program that was graded."""
        return int(grade.id) % len(self._programs)


def run_all(programs: Sequence[str]) -> list[str]:
    """Return the verdicts of `judge run` on one test, with the limits of the soak."""
    cases = [judge.TextCase("1\n5\n", "no program prints this\n")]
    with judge.Judge(jobs=1) as session:
        return [
            str(session.run(code=code, language="python3", cases=cases, time_limit=0.06, memory_limit=64 << 20).verdict)
            for code in programs
        ]


def _state() -> dict[str, int]:
    """Return what a leak would make grow."""
    status = Path("/proc/self/status").read_text()
    memory = int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")))
    return {
        "processes": sum(1 for _ in descendants(os.getpid())),
        "zombies": sum(state == "Z" for _, state in descendants(os.getpid())),
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "memory in KiB": memory,
        "temporary files": sum(1 for _ in Path(tempfile.gettempdir()).glob("judge-*/**/*")),
    }


# ---- the band ------------------------------------------------------------------------------------------------------


def band(repeats: int) -> None:
    """Repeat programs at half to three quarters of a limit, and far above it; count verdicts that are not the usual."""
    tests = [{"input": "", "output": ""}]
    spin = "import time\nwhile time.process_time() < {}: pass\n"
    programs = {
        "AC": [spin.format(0.06), "x = bytearray(25 << 20)\n", "import time\ntime.sleep(0.15)\n"],
        "TLE": [spin.format(0.5)],
        "MLE": ["x = bytearray(80 << 20)\nx = x + x\n"],
    }
    kinds = [(verdict, code) for verdict, codes in programs.items() for code in codes]
    limits = {"time_s": 0.08, "wall_s": 0.25, "memory_bytes": 50 << 20}
    longer = {**limits, "time_s": 0.4, "wall_s": 1.0}  # to fill the memory takes 50 ms
    rows = _Rows([(code, longer if verdict == "MLE" else limits) for verdict, code in kinds], tests)
    flips: Counter[str] = Counter()
    graded = uncertain = 0
    with see_runs(rows.count_run), Grader(GradeOptions()) as grader:
        for grade in grader.grade(rows.until(repeats)):
            wanted, _ = kinds[rows.kind(grade)]
            graded += 1
            uncertain += grade.uncertain
            if grade.verdict != wanted:
                flips[f"{wanted} -> {grade.verdict}"] += 1
    show("runs outside the band", f"{rows.runs:,}", f"{graded:,} submissions, load {os.getloadavg()[0]:.1f}")
    show("other verdicts", str(flips.total()), f"{dict(flips)}; {uncertain} uncertain")


if __name__ == "__main__":
    main()
