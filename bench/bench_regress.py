"""Judging again when nothing changed and after one edit, and the size of the files in `.judge`.

python -m bench.bench_regress [RUNS]     RUNS: how many runs to add to the history (default: 100)
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure import ROOT, interleaved, judge, seconds, show

# Neither the reference nor the independent solution: no answer depends on it.
_EDITED = "solutions/uva131/accepted/by_need.py"


def main() -> None:
    """Measure and print."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with TemporaryDirectory(prefix="bench-") as folder:
        root = Path(folder) / "repository"
        for name in ("problems", "testcases", "solutions"):
            shutil.copytree(ROOT / name, root / name)

        def run(*targets: str) -> float:
            return judge("run", "--format", "plain", *targets, cwd=root)

        def edit_and_run(*targets: str) -> float:
            with (root / _EDITED).open("a") as file:
                file.write("# edited\n")
            return run(*targets)

        first = run()
        measured = {
            "python -c pass": lambda: seconds(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)),
            "judge list": lambda: judge("list", cwd=root),
            "the whole repository, nothing changed": run,
            "one problem, nothing changed": lambda: run("uva131"),
            "the whole repository, one solution edited": edit_and_run,
            "that solution alone": lambda: edit_and_run(_EDITED),
        }
        medians = interleaved(list(measured.values()), rounds=7)
        show("the whole repository, everything runs", f"{first:.1f} s")
        for title, median in zip(measured, medians, strict=True):
            show(title, f"{median * 1e3:.0f} ms", f"{median / medians[0]:.1f} x python -c pass")
        print_sizes(root, "after these runs")
        for _ in range(runs):
            run("uva131")
        print_sizes(root, f"after {runs} more runs without changes")


def print_sizes(root: Path, when: str) -> None:
    """Print the sizes of the files."""
    for name in ("results", "history"):
        size = (root / f".judge/{name}.sqlite").stat().st_size
        show(f"{name}.sqlite {when}", f"{size / 2**20:.2f} MiB")


if __name__ == "__main__":
    main()
