"""What one more case costs in `judge run`, end to end, against a bare posix_spawn + wait4 loop of the same program.

python -m bench.bench_overhead [FEWER MORE]

The slope between two numbers of cases (100 and 1,100) leaves the start-up out.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from bench.measure import SUM, bare_loop, interleaved, judge, seconds, show, write_cases
from judge.languages.interpreters import create_bare_venv

ROUNDS = 5
EMPTY = "int main(void) { return 0; }\n"


def main() -> None:
    """Measure and print."""
    counts = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 2 else (100, 1100)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["XDG_CACHE_HOME"] = name  # not the user's own history
        (folder / "sum.py").write_text(SUM)
        (folder / "empty.c").write_text(EMPTY)
        python = (create_bare_venv(folder), "-I", str(folder / "sum.py"))  # the interpreter of the judge's runs
        compare("Python", python, folder / "sum.py", counts, folder, workers=1)
        compare("Python", python, folder / "sum.py", counts, folder, workers=2)
        if compiler := shutil.which("cc"):
            subprocess.run([compiler, "-O2", "-o", folder / "empty", folder / "empty.c"], check=True)
            compare("empty C program", (str(folder / "empty"),), folder / "empty.c", counts, folder, workers=1)


def compare(
    title: str, argv: tuple[str, ...], solution: Path, counts: tuple[int, int], folder: Path, *, workers: int
) -> None:
    """Measure one program in both ways and print the slopes."""
    calls = []
    for count in counts:
        cases = folder / f"{solution.stem}-{count}"
        inputs = write_cases(cases, count)
        if solution.suffix == ".c":  # it prints nothing, and that is right
            for path in inputs:
                path.with_suffix(".ans").write_text("")
        options = ("--cases", str(cases), "-j", str(workers), "-f", "json", "--fresh")
        calls.append(partial(lambda *given: seconds(partial(bare_loop, *given)), argv, inputs, workers))
        calls.append(partial(judge, "run", "-s", str(solution), *options, cwd=folder))
    bare_few, judge_few, bare_many, judge_many = interleaved(calls, rounds=ROUNDS)
    more = counts[1] - counts[0]
    bare, judged = (bare_many - bare_few) / more, (judge_many - judge_few) / more
    show(f"{title}, -j {workers}: bare loop", f"{bare * 1e3:.2f} ms", "per case")
    show(
        f"{title}, -j {workers}: judge run", f"{judged * 1e3:.2f} ms",
        f"{judged / bare:.2f} x, {(judged - bare) * 1e3:+.2f} ms, {bare / judged:.2f} of the bare rate",
    )  # fmt: skip


if __name__ == "__main__":
    main()
