"""What the benchmarks share: running things, watching a process's memory, and printing figures in one shape."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from judge.sandbox.installations import base_python

ROOT = Path(__file__).parents[1]
PYTHON = base_python()
JUDGE = (sys.executable, "-m", "judge")

# Runs `judge` and writes what it took: the files of our modules, our functions that ran in any thread, and parsers.
_COUNT = """
import argparse, json, os, runpy, sys, threading
package, out = sys.argv[1:3]
ran, parsers = set(), [0]
def profile(frame, event, argument):
    code = frame.f_code
    is_function = code.co_flags & 1  # CO_OPTIMIZED: not the body of a module or a class
    if event == "call" and is_function and code.co_filename.startswith(package):
        ran.add((code.co_filename, code.co_qualname, code.co_firstlineno))
make = argparse.ArgumentParser.__init__
def count(self, *args, **options):
    parsers[0] += 1
    make(self, *args, **options)
argparse.ArgumentParser.__init__ = count
end = os._exit  # how `judge` ends
def report(status):
    sys.setprofile(None)
    files = [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
    ours = [file for file in files if file.startswith(package)]
    with open(out, "w") as file:
        json.dump({"status": status, "modules": ours, "functions": list(ran), "parsers": parsers[0]}, file)
    end(status)
os._exit = report
sys.argv[1:] = sys.argv[3:]
sys.argv[0] = "judge"
threading.setprofile(profile)
sys.setprofile(profile)
runpy.run_module("judge", run_name="__main__", alter_sys=True)
"""


class Executed(Struct, frozen=True, kw_only=True):
    """What one command of the judge took in its own process; zygotes are other processes."""

    status: int
    modules: tuple[Path, ...]  # of judge/ that it imported
    functions: frozenset[tuple[str, str, int]]  # file, name and line; lambdas and comprehensions, too
    parsers: int  # of arguments, that it built

    @property
    def files(self) -> set[str]:
        """The files of judge/ of which a function ran."""
        return {file for file, _, _ in self.functions}


def executed(words: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> Executed:
    """Run a command of the judge and return what it imported and executed."""
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "counted.json"
        argv = (sys.executable, "-c", _COUNT, f"{ROOT}/judge/", str(out), *words)
        subprocess.run(argv, cwd=cwd, env=environment, check=False, capture_output=True)
        counted = json.loads(out.read_text())
    return Executed(
        status=counted["status"],
        modules=tuple(map(Path, counted["modules"])),
        functions=frozenset(map(tuple, counted["functions"])),
        parsers=counted["parsers"],
    )


def seconds(call: Callable[[], object]) -> float:
    """Return how long a call takes, elapsed."""
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def interleaved(calls: Sequence[Callable[[], float]], rounds: int) -> list[float]:
    """Measure several things in turn, A B A B ..., and return each one's median: drift hits all alike."""
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for each, call in zip(taken, calls, strict=True):
            each.append(call())
    return [statistics.median(each) for each in taken]


def bare_loop(argv: tuple[str, ...], inputs: Sequence[Path], workers: int) -> None:
    """Start and reap a program once for every input, `workers` at a time, and do nothing else: the floor."""

    def work(share: Sequence[Path]) -> None:
        for path in share:
            actions = [
                (os.POSIX_SPAWN_OPEN, 0, str(path), os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            ]
            pid = os.posix_spawn(argv[0], argv, {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}, file_actions=actions)
            os.wait4(pid, 0)

    threads = [threading.Thread(target=work, args=(inputs[number::workers],)) for number in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def judge(*args: str, cwd: Path = ROOT) -> float:
    """Run the judge; return the elapsed seconds. Fails when its exit status is not 0."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return seconds(lambda: subprocess.run([*JUDGE, *args], cwd=cwd, env=environment, check=True, capture_output=True))


def peak_memory(argv: Sequence[str], cwd: Path) -> int:
    """Run a command to its end; return the peak resident memory of its process alone, in bytes.

    `VmHWM` is looked at every few milliseconds: `ru_maxrss` would start at our own size.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(argv, cwd=cwd, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                peak = max(peak, int(line.split()[1]) * 1024)
        time.sleep(0.01)
    return peak


def write_cases(folder: Path, count: int) -> list[Path]:
    """Write small cases for `SUM` and return their inputs."""
    folder.mkdir(parents=True, exist_ok=True)
    inputs = []
    for number in range(count):
        path = folder / f"{number:06}.in"
        path.write_text(f"{number} {number + 1}\n")
        path.with_suffix(".ans").write_text(f"{2 * number + 1}\n")
        inputs.append(path)
    return inputs


def descendants(pid: int) -> Iterator[tuple[int, str]]:
    """Yield the number and state of each process below one."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            try:
                yield child, Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
                yield from descendants(child)
            except OSError:  # it has just ended
                continue


SUM = "import sys\nprint(sum(map(int, sys.stdin.read().split())))\n"


def show(title: str, value: str, remark: str = "") -> None:
    """Print one figure."""
    print(f"{title:<58} {value:>12}  {remark}".rstrip(), flush=True)
