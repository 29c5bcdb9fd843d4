"""The time from a save to its verdict: a real `judge watch`, one small solution, saves by renaming.

python -m bench.bench_watch
"""

import os
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from bench.measure import JUDGE, PYTHON, ROOT, bare_loop, seconds, show

_SAVES = 20
_WAITING = "waiting for changes"
_SOLUTION = "import sys\nfor line in sys.stdin:\n    print(sum(map(int, line.split())))  # {number}\n"


def main() -> None:
    """Measure and print."""
    for options in ((), ("--poll",)):
        with tempfile.TemporaryDirectory() as name:
            taken, alone, cases = _measure(Path(name), options)
        median = statistics.median(taken)
        title = " ".join(["judge watch", *options])
        show(f"{title}: save to verdict, median of {_SAVES}", f"{median * 1e3:.0f} ms", f"{cases} cases, aim 300 ms")
        show(f"{title}: the slowest", f"{max(taken) * 1e3:.0f} ms", f"load {os.getloadavg()[0]:.1f}")
        show("the bare interpreter on as many inputs, one by one", f"{alone * 1e3:.0f} ms", f"{median / alone:.2f} x")


def _measure(folder: Path, options: tuple[str, ...]) -> tuple[list[float], float, int]:
    """Return the seconds of each save, those of bare runs on as many inputs, and the number of inputs."""
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
        _read_until(process.stdout, _WAITING)
        taken, alone, cases = [], [], 0
        for number in range(_SAVES):
            time.sleep(0.2)
            new = mine.with_name(".new")
            new.write_text(_SOLUTION.format(number=number))
            started = time.perf_counter()
            new.replace(mine)
            verdict = _read_until(process.stdout, "accepted/mine.py  AC")
            taken.append(time.perf_counter() - started)
            cases = int(verdict.partition(" passed")[0].rpartition("/")[2])
            _read_until(process.stdout, _WAITING)
            alone.append(_run_bare(mine, [sample] * cases))
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()
    return taken, statistics.median(alone), cases


def _run_bare(solution: Path, inputs: Sequence[Path]) -> float:
    return seconds(lambda: bare_loop((PYTHON, "-I", str(solution)), inputs, 1))


def _read_until(lines: IO[str], text: str) -> str:
    for line in lines:
        if text in line:
            return line
    raise RuntimeError(f"the watch ended before it wrote: {text}")


if __name__ == "__main__":
    main()
