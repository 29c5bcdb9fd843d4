"""Whether our own parallelism shows in the times that we report: CPU time with one worker and with one for each core.

python -m bench.bench_parallel
"""

import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

from bench.measure import JUDGE, ROOT, interleaved, show, write_cases

SPIN = "import sys\nfor _ in range(3 * 10**6): pass\nprint(sum(map(int, sys.stdin.read().split())))\n"
CASES = 20


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "spin.py").write_text(SPIN)
        write_cases(folder / "cases", CASES)

        def cpu(workers: int) -> float:
            argv = [*JUDGE, "run", "-s", "spin.py", "--cases", "cases", "-j", str(workers), "-f", "json", "--fresh"]
            environment = {**os.environ, "PYTHONPATH": str(ROOT)}
            report = subprocess.run(argv, cwd=folder, env=environment, check=True, capture_output=True).stdout
            cases = json.loads(report)["problems"][0]["solutions"][0]["cases"]
            return statistics.median(float(case["cpu_s"]) for case in cases)

        cores = len(os.sched_getaffinity(0))
        medians = interleaved([lambda: cpu(1), lambda: cpu(cores), lambda: cpu(4 * cores)], rounds=5)
    for workers, median in zip((1, cores, 4 * cores), medians, strict=True):
        show(f"median CPU time of a run, -j {workers}", f"{median * 1e3:.1f} ms", f"{median / medians[0]:.3f} x")


if __name__ == "__main__":
    main()
