"""The everyday loop: judging again when nothing changed, after one edit, and what is kept on disk.

python -m bench.bench_regress [RUNS]     RUNS: how many runs the history is filled with (default 100)
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measure import JUDGE, ROOT, interleaved, judge, seconds, show

_EDITED = (
    "solutions/uva131/accepted/by_need.py"  # neither the reference nor the independent one: no answer depends on it
)


def main() -> None:
    """Measure and print."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with TemporaryDirectory(prefix="bench-") as folder:
        root = Path(folder) / "repository"
        for name in ("problems", "testcases", "solutions"):
            shutil.copytree(ROOT / name, root / name)
        first = judge("run", "--format", "plain", cwd=root)
        edited = (
            root / _EDITED if (root / _EDITED).exists() else next((root / "solutions/uva131/accepted").glob("*.py"))
        )

        def after_edit() -> float:
            with edited.open("a") as file:
                file.write("# edited\n")
            return judge("run", "--format", "plain", cwd=root)

        def after_edit_alone() -> float:
            with edited.open("a") as file:
                file.write("# edited\n")
            return judge("run", "--format", "plain", str(edited), cwd=root)

        medians = interleaved(
            [
                lambda: seconds(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)),
                lambda: seconds(lambda: subprocess.run([*JUDGE, "list"], cwd=root, check=True, capture_output=True)),
                lambda: judge("run", "--format", "plain", cwd=root),
                lambda: judge("run", "--format", "plain", "uva131", cwd=root),
                after_edit,
                after_edit_alone,
            ],
            rounds=7,
        )
        show("the whole repository, everything run", f"{first:.1f} s")
        titles = (
            "python -c pass",
            "judge list",
            "the whole repository, nothing changed",
            "one problem, nothing changed",
            "the whole repository, one solution edited",
            "that solution alone",
        )
        for title, median in zip(titles, medians, strict=True):
            show(title, f"{median * 1e3:.0f} ms", f"1 / {first / median:,.0f} of the first run")
        sizes(root, "after these runs")
        for _ in range(runs):
            judge("run", "--format", "plain", "uva131", cwd=root)
        sizes(root, f"after {runs} runs more, nothing changed")


def sizes(root: Path, when: str) -> None:
    """Print how large the files are."""
    for name in ("results", "history"):
        size = (root / f".judge/{name}.sqlite").stat().st_size
        show(f"{name}.sqlite {when}", f"{size / 2**20:.2f} MiB")


if __name__ == "__main__":
    main()
