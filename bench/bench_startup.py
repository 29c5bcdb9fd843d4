"""How long the command line takes to start, against the interpreter alone, and how much of the package it loads.

python -m bench.bench_startup
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from bench.measure import JUDGE, ROOT, SUM, executed, interleaved, seconds, show, write_cases

ROUNDS = 15


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sum.py").write_text(SUM)
        write_cases(folder / "cases", 1)
        one_case = ("run", "-s", str(folder / "sum.py"), "--cases", str(folder / "cases"), "--fresh")
        environment = {**os.environ, "XDG_CACHE_HOME": name, "PYTHONPATH": str(ROOT)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        commands = {
            "python -c pass": (sys.executable, "-c", "pass"),
            "judge --help": (*JUDGE, "--help"),
            "judge run --help": (*JUDGE, "run", "--help"),
            "judge list": (*JUDGE, "list"),
            "judge run, one case of a folder": (*JUDGE, *one_case),
            "judge run uva131, nothing changed": (*JUDGE, "run", "uva131"),
            "judge run, whole repository, nothing changed": (*JUDGE, "run"),
        }
        run(commands["judge run, whole repository, nothing changed"], environment)
        for title, extra in (("", {}), (", PYTHONDONTWRITEBYTECODE=1", {"PYTHONDONTWRITEBYTECODE": "1"})):
            calls = [timed(argv, {**environment, **extra}) for argv in commands.values()]
            medians = interleaved(calls, ROUNDS)
            for command, median in zip(commands, medians, strict=True):
                show(
                    f"{command}{title}", f"{median * 1e3:.0f} ms", f"{median / medians[0]:.1f} x the interpreter alone"
                )
        for title, words in (
            ("judge run, one case of a folder", one_case),
            ("judge run, one case of a problem", ("run", "uva131/sample/statement", "--fresh")),
        ):
            counts = executed(words, ROOT, environment)
            show(f"{title}: our modules loaded", str(len(counts.modules)))
            show(f"{title}: our files executed", str(len(counts.files)), "a function of theirs ran")
            show(f"{title}: parsers built", str(counts.parsers))


def run(argv: tuple[str, ...], environment: Mapping[str, str]) -> None:
    """Run a command in the repository; its result does not matter, only that it ran."""
    subprocess.run(argv, cwd=ROOT, env=environment, check=False, capture_output=True)


def timed(argv: tuple[str, ...], environment: Mapping[str, str]) -> Callable[[], float]:
    """Return a call that measures a command."""
    return lambda: seconds(lambda: run(argv, environment))


if __name__ == "__main__":
    main()
