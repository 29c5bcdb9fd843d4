"""The time from a save to its verdict: a real `judge watch`, one small solution, saves by renaming.

With `--browser`, also the time from the verdict in the log to the one that a tab gets.

python -m bench.bench_watch
"""

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO
from urllib.request import urlopen

from bench.measure import JUDGE, PYTHON, ROOT, bare_loop, seconds, show

_SAVES = 20
_WAITING = "waiting for changes"
_SOLUTION = "import sys\nfor line in sys.stdin:\n    print(sum(map(int, line.split())))  # {number}\n"


def main() -> None:
    """Measure and print."""
    for options in ((), ("--poll",), ("--browser",)):
        with tempfile.TemporaryDirectory() as name:
            taken, alone, cases, delays = _measure(Path(name), options)
        median = statistics.median(taken)
        title = " ".join(["judge watch", *options])
        show(f"{title}: save to verdict, median of {_SAVES}", f"{median * 1e3:.0f} ms", f"{cases} cases, aim 300 ms")
        show(f"{title}: the slowest", f"{max(taken) * 1e3:.0f} ms", f"load {os.getloadavg()[0]:.1f}")
        if delays:
            show(f"{title}: verdict to page, median", f"{statistics.median(delays) * 1e3:.0f} ms", "aim 300 ms")
            show(f"{title}: verdict to page, the slowest", f"{max(delays) * 1e3:.0f} ms")
        show("the bare interpreter on as many inputs, one by one", f"{alone * 1e3:.0f} ms", f"{median / alone:.2f} x")


def _measure(folder: Path, options: tuple[str, ...]) -> tuple[list[float], float, int, list[float]]:
    """Return the seconds of each save, those of bare runs on as many inputs, the number of inputs, and the delays."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for command in (("new", "sums"), ("lock",)):
        subprocess.run([*JUDGE, *command], cwd=folder, env=environment, check=True, capture_output=True)
    mine = folder / "solutions/sums/accepted/mine.py"
    mine.write_text(_SOLUTION.format(number=-1))
    sample = folder / "sample.in"
    sample.write_text("1 2\n")
    process = subprocess.Popen(
        [*JUDGE, "watch", *options], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        arrivals: SimpleQueue[float] = SimpleQueue()
        if options == ("--browser",):
            address = _read_until(process.stdout, "page: ").split("page: ")[1].strip()
            Thread(target=_follow, args=(address, arrivals), daemon=True).start()
        _read_until(process.stdout, _WAITING)
        taken, alone, cases, delays = [], [], 0, []
        for number in range(_SAVES):
            time.sleep(0.2)
            new = mine.with_name(".new")
            new.write_text(_SOLUTION.format(number=number))
            started = time.perf_counter()
            new.replace(mine)
            verdict = _read_until(process.stdout, "accepted/mine.py  AC")
            taken.append(time.perf_counter() - started)
            known = time.perf_counter()
            while options == ("--browser",):
                if (arrived := arrivals.get(timeout=60)) > started:
                    delays.append(max(0.0, arrived - known))
                    break
            cases = int(verdict.partition(" passed")[0].rpartition("/")[2])
            _read_until(process.stdout, _WAITING)
            alone.append(_run_bare(mine, [sample] * cases))
    finally:
        process.terminate()  # in the background, shells let processes ignore SIGINT
        process.communicate()
    return taken, statistics.median(alone), cases, delays


def _follow(address: str, arrivals: "SimpleQueue[float]") -> None:
    """Put the time of each message with the verdict."""
    with suppress(OSError), urlopen(f"{address}events?since=0") as stream:
        for line in stream:
            if b'mine.py<td class=\\"good\\">ok' in line:
                arrivals.put(time.perf_counter())


def _run_bare(solution: Path, inputs: Sequence[Path]) -> float:
    return seconds(lambda: bare_loop((PYTHON, "-I", str(solution)), inputs, 1))


def _read_until(lines: IO[str], text: str) -> str:
    for line in lines:
        if text in line:
            return line
    raise RuntimeError(f"the watch ended before it wrote: {text}")


if __name__ == "__main__":
    main()
