"""How much memory the judge itself takes over few and over many cases.

A hundred thousand runs take some minutes.

python -m bench.bench_memory [CASES ...]
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from bench.measure import JUDGE, SUM, peak_memory, show, write_cases

COUNTS = (100, 10_000, 100_000)
SUM_C = """\
#include <stdio.h>
int main(void) { long sum = 0, one; while (scanf("%ld", &one) == 1) sum += one; printf("%ld\\n", sum); }
"""


def main() -> None:
    """Measure and print."""
    counts = [int(word) for word in sys.argv[1:]] or COUNTS
    first = 0
    for count in counts:
        with tempfile.TemporaryDirectory() as name:
            peak = peak_over(count, Path(name))
        first = first or peak
        ratio = f"{peak / first:.2f} x that of {counts[0]}; 1.00 would be flat"
        show(f"memory of the judge over {count} cases", f"{peak / 2**20:.1f} MiB", ratio)


def peak_over(count: int, folder: Path) -> int:
    """Judge so many cases, with nothing remembered of earlier runs; return the judge's peak memory in bytes."""
    os.environ["XDG_CACHE_HOME"] = str(folder)
    write_cases(folder / "cases", count)
    solution = folder / ("sum.c" if shutil.which("cc") else "sum.py")  # the judge's memory is the same for both
    solution.write_text(SUM_C if solution.suffix == ".c" else SUM)
    return peak_memory([*JUDGE, "run", "-s", str(solution), "--cases", "cases", "-f", "plain"], folder)


if __name__ == "__main__":
    main()
