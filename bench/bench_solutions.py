"""How many lines a second the shipped solutions read, start-up not counted: reference against independent.

python -m bench.bench_solutions
"""

import os
import subprocess
import tempfile
from functools import partial
from pathlib import Path

from bench.measure import JUDGE, PYTHON, ROOT, interleaved, show
from judge.problems.native import load_problem
from judge.problems.paths import problem_ids

ROUNDS = 5
LONG_ENOUGH_S = 1.0


def main() -> None:
    """Measure and print."""
    for each in problem_ids(ROOT):
        problem = load_problem(ROOT, each)
        large = [case for case in problem.cases if case.group == "large"]
        if not (large and problem.reference and problem.independent):
            continue
        data = subprocess.run(
            [*JUDGE, "show", f"{each}/{large[0].id}", "--input"], cwd=ROOT, check=True, capture_output=True
        ).stdout
        lines = data.count(b"\n")
        with tempfile.NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            # the case is small for a fast solution: repeat its lines until the start-up is a small part
            times = max(1, int(LONG_ENOUGH_S / cpu_of(problem.independent, file.name)))
            file.write(data * (times - 1))
            file.flush()
            fast, slow, nothing = interleaved(
                (
                    partial(cpu_of, problem.reference, file.name),
                    partial(cpu_of, problem.independent, file.name),
                    partial(cpu_of, problem.reference, os.devnull),
                ),
                ROUNDS,
            )
        rates = [lines * times / (taken - nothing) for taken in (fast, slow)]
        show(f"{each}: reference {problem.reference.name}", f"{rates[0] / 1e3:.0f} k", "lines a second")
        show(
            f"{each}: independent {problem.independent.name}", f"{rates[1] / 1e3:.0f} k", f"{rates[0] / rates[1]:.1f} x"
        )


def cpu_of(solution: Path, path: str) -> float:
    """Run a solution; return its CPU time in seconds."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, path, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
    ]
    pid = os.posix_spawn(PYTHON, [PYTHON, "-I", str(solution)], {}, file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    assert status == 0, f"{solution} failed"
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
