"""How long the command line takes to start: against the interpreter alone.

python -m bench.bench_startup
"""

import subprocess
import sys
from collections.abc import Callable

from bench.measure import JUDGE, ROOT, interleaved, seconds, show


def main() -> None:
    """Measure and print."""
    commands = {
        "python -c pass": (sys.executable, "-c", "pass"),
        "judge --help": (*JUDGE, "--help"),
        "judge list": (*JUDGE, "list"),
        "judge run --help": (*JUDGE, "run", "--help"),
    }

    def timed(argv: tuple[str, ...]) -> Callable[[], float]:
        return lambda: seconds(lambda: subprocess.run(argv, cwd=ROOT, check=True, capture_output=True))

    medians = interleaved([timed(argv) for argv in commands.values()], rounds=15)
    for title, median in zip(commands, medians, strict=True):
        show(title, f"{median * 1e3:.0f} ms", f"{median / medians[0]:.1f} x the interpreter alone")


if __name__ == "__main__":
    main()
