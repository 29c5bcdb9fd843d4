"""`make judge` in a fresh clone, and again: all shipped solutions of all problems.

python -m bench.bench_repository
"""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from bench.measure import JUDGE, ROOT, judge, show


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name)
        for part in ("problems", "testcases", "solutions"):
            shutil.copytree(ROOT / part, copy / part)
        cold = judge("run", "-f", "plain", cwd=copy)
        again = judge("run", "-f", "plain", "--fresh", cwd=copy)
        report = subprocess.run(
            [*JUDGE, "-C", str(copy), "run", "-f", "json", "--fresh"], check=True, capture_output=True, cwd=ROOT
        ).stdout
    cases = [
        case
        for problem in json.loads(report)["problems"]
        for solution in problem["solutions"]
        for case in solution["cases"]
    ]
    inside = sum(case["cpu_s"] or 0 for case in cases)
    show("judge run, cold (test data is made and confirmed)", f"{cold:.1f} s", f"{len(cases)} runs")
    show("judge run, again", f"{again:.1f} s", f"{cold / again:.2f} x as long when cold")
    show("CPU time inside the solutions", f"{inside:.1f} s", f"{inside / again:.2f} cores kept busy by them")


if __name__ == "__main__":
    main()
