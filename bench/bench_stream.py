"""What a long stream of submissions costs: memory, descriptors, processes and temporary files while it is graded.

python -m bench.bench_stream [--rows N] [--jobs N]

Grades N small Python submissions (default: 20,000) of one test, each with a program of its own, through
`judge grade -`. One in three is wrong, one in a hundred crashes, and one in ten thousand hangs. The figures are printed
ten times: they should stay the same from the second line on. At the end, each row must have exactly one result, with
the right verdict.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from bench.measure import JUDGE, ROOT, descendants, show

_TESTS = [{"input": "40 2\n", "output": "42\n"}]
_PROGRAMS = {
    "AC": "a, b = map(int, input().split())\nprint(a + b)  # {}\n",
    "WA": "a, b = map(int, input().split())\nprint(a + b + {} + 1)\n",
    "RTE": "a, b = map(int, input().split())\nprint(a + b + {} // 0)\n",
    "TLE": "x = {}\nwhile True: pass\n",
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--jobs", default="auto")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        grade(options.rows, options.jobs, Path(folder))


def grade(rows: int, jobs: str, folder: Path) -> None:
    """Grade so many rows in a folder, print what is in use after each tenth, and check the results."""
    (folder / "tmp").mkdir()
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "TMPDIR": str(folder / "tmp"),
    }
    command = [*JUDGE, "grade", "-", "-o", "results.jsonl", "--quiet", "--jobs", jobs]
    begun = time.perf_counter()
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.PIPE, text=True) as judge:
        assert judge.stdin is not None
        for tenth in range(10):
            _write(judge.stdin, range(rows * tenth // 10, rows * (tenth + 1) // 10))
            done = rows * (tenth + 1) // 10
            remark = ", ".join(f"{name} {value:,}" for name, value in _in_use(judge.pid, folder).items())
            show(f"after {done:,} rows", f"{done / (time.perf_counter() - begun):.0f} /s", remark)
        judge.stdin.close()
    found = Counter(_compare(folder / "results.jsonl", rows))
    show("exit status", str(judge.returncode))
    show("rows with the right verdict", f"{found.pop('right', 0):,}", f"of {rows:,}; {dict(found) or 'no others'}")


def _write(stream: IO[str], numbers: range) -> None:
    for number in numbers:
        code = _PROGRAMS[_verdict(number)].format(number)
        stream.write(json.dumps({"id": str(number), "code": code, "tests": _TESTS}) + "\n")
    stream.flush()


def _verdict(number: int) -> str:
    """Return the verdict of a row."""
    if number % 10_000 == 1:
        return "TLE"
    if number % 100 == 2:
        return "RTE"
    return "WA" if number % 3 == 0 else "AC"


def _compare(results: Path, rows: int) -> Iterator[str]:
    """Yield "right" for each row whose only result has its verdict, and what is wrong with the others."""
    seen = bytearray()
    with results.open(encoding="utf-8") as file:
        for line in file:
            row: dict[str, Any] = json.loads(line)
            if "id" not in row:
                continue
            number = int(row["id"])
            seen.extend(bytes(max(0, number + 1 - len(seen))))
            wanted = _verdict(number)
            if seen[number]:
                yield f"{number} again"
            else:
                yield "right" if row["verdict"] == wanted else f"{row['verdict']} for {wanted}"
            seen[number] = 1
    yield from ("missing" for known in seen if not known)
    yield from ("missing" for _ in range(rows - len(seen)))


def _in_use(pid: int, folder: Path) -> dict[str, int]:
    """Return what a leak would make grow, of a process and all below it."""
    processes = [(pid, "S"), *descendants(pid)]
    return {
        "processes": len(processes),
        "zombies": sum(state == "Z" for _, state in processes),
        "descriptors of the judge": len(list(Path(f"/proc/{pid}/fd").iterdir())),
        "KiB of the judge": _resident(pid),
        "KiB in all": sum(_resident(each) for each, _ in processes),
        "temporary files": _count_entries(folder / "tmp"),
        "files in the cache": _count_entries(folder / "cache"),
    }


def _count_entries(folder: Path) -> int:
    """Return how many files and folders there are, of those that do not vanish meanwhile."""
    return sum(len(folders) + len(files) for _, folders, files in os.walk(folder))


def _resident(pid: int) -> int:
    """Return the resident memory of a process in KiB; 0 if it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")), 0)


if __name__ == "__main__":
    main()
