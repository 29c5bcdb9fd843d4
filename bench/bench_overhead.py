"""What `judge run` costs above the runs themselves: against a bare posix_spawn + wait4 loop of the same solution.

python -m bench.bench_overhead [CASES]
"""

import os
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from bench.measure import SUM, bare_loop, interleaved, judge, seconds, show, write_cases
from judge.languages.interpreters import create_bare_venv


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = name  # the user's own history is no place for this
        solution = folder / "sum.py"
        solution.write_text(SUM)
        inputs = write_cases(folder / "cases", count)
        one = (create_bare_venv(folder), "-I", str(solution))  # the same interpreter as the judge's runs
        for workers in (1, 2):
            bare, judged = interleaved(
                (
                    partial(run_bare, one, inputs, workers),
                    partial(run_judge, solution, folder / "cases", workers, folder),
                ),
                rounds=3,
            )
            show(f"bare loop, {count} runs, {workers} at a time", f"{bare / count * 1e3:.2f} ms", "a run")
            show(
                f"judge run, {count} cases, -j {workers}", f"{judged / count * 1e3:.2f} ms", "a case, start-up and all"
            )
            show("  share of the bare loop's rate that is reached", f"{bare / judged:.2f}", "1.00 would be no cost")


def run_bare(argv: tuple[str, ...], inputs: Sequence[Path], workers: int) -> float:
    """Run the solution on all inputs and do nothing else; return the elapsed seconds."""
    return seconds(lambda: bare_loop(argv, inputs, workers))


def run_judge(solution: Path, cases: Path, workers: int, cwd: Path) -> float:
    """Judge a folder of cases; return the elapsed seconds."""
    return judge(
        "run", "-s", str(solution), "--cases", str(cases), "-j", str(workers), "-f", "json", "--fresh", cwd=cwd
    )


if __name__ == "__main__":
    main()
