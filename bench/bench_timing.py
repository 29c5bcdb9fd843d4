"""How often `judge compare --timing` is wrong: false alarms on identical code, and slowdowns that are found.

python -m bench.bench_timing [TRIALS] [--loaded]

Each trial is a whole comparison, as the command makes it. `--loaded` keeps every core busy meanwhile.
"""

import argparse
import os
import random
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import mean

from msgspec import Struct
from msgspec.structs import replace

from bench.measure import PYTHON, seconds, show
from judge.base.units import Seconds
from judge.languages.build import Program, build
from judge.model import DEFAULT_LIMITS, Case, CheckerConfig, Inline
from judge.preparation.cases import ReadyCase
from judge.sandbox.box import Box
from judge.timing.comparison import Comparison, ComparisonKind
from judge.timing.measure import compare

# {percent}: the work in percent of that of the old program
CPU_BOUND = """\
total = 0
for number in range(int(input()) * {percent} // 100):
    total = (total * 31 + number) % 1000003
    if total & 1:
        total += number
print(total)
"""
MEMORY_BOUND = """\
size = 1 << 24
where = bytearray(range(256)) * (size >> 8)
at = total = 0
for number in range(int(input()) * {percent} // 100):
    at = (at * 1664525 + 1013904223 + where[at]) % size
    total += where[at]
print(total)
"""


class Scenario(Struct, frozen=True, kw_only=True):
    """A program and a variant that does more of the same work."""

    title: str
    text: str
    size: int
    percent: int = 100


SCENARIOS = (
    Scenario(title="CPU-bound, identical", text=CPU_BOUND, size=250_000),
    Scenario(title="CPU-bound, 5 % more work", text=CPU_BOUND, size=250_000, percent=105),
    Scenario(title="CPU-bound, 10 % more work", text=CPU_BOUND, size=250_000, percent=110),
    Scenario(title="memory-bound, identical", text=MEMORY_BOUND, size=150_000),
    Scenario(title="memory-bound, 10 % more work", text=MEMORY_BOUND, size=150_000, percent=110),
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure how often comparisons of times are wrong.")
    parser.add_argument("trials", nargs="?", type=int, default=5, help="comparisons of each kind (default: 5)")
    parser.add_argument("--loaded", action="store_true", help="with a busy loop on each core")
    parser.add_argument("--only", default="", metavar="TEXT", help="only scenarios whose title has this text")
    parser.add_argument("--budget", type=float, default=20.0, metavar="S", help="of one comparison (default: 20)")
    arguments = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    with burners(len(cores) if arguments.loaded else 0), tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # the sandbox may run programs as another user
        with Box(work_folder=folder, core=cores[-1]) as box:
            for scenario in SCENARIOS:
                if arguments.only in scenario.title:
                    compare_often(scenario, folder, box, arguments.trials, Seconds(arguments.budget))


@contextmanager
def burners(number: int) -> Iterator[None]:
    """Keep this many cores busy."""
    running = [subprocess.Popen([PYTHON, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for burner in running:
            burner.kill()
            burner.wait()


def compare_often(scenario: Scenario, folder: Path, box: Box, trials: int, budget: Seconds) -> None:
    """Make the comparisons of one scenario and print the answers."""
    old, new = (program(scenario, folder, box, side) for side in ("old", "new"))
    limits = replace(DEFAULT_LIMITS, cpu=Seconds(10.0), wall=Seconds(60.0))
    data = b"%d\n" % scenario.size
    case = Case(
        group="", name=scenario.title, input=Inline(data), limits=limits, checker=CheckerConfig(), origin=Path()
    )
    ready = ReadyCase(case=case, input=data, answer=None)
    found: list[Comparison] = []

    def once(seed: int) -> None:
        found.append(compare(old, new, ready, box, folder=folder, seed=seed, budget=budget))

    chance = random.Random()
    elapsed = [seconds(lambda: once(chance.randrange(1 << 30))) for _ in range(trials)]
    print_rates(scenario.title, found, elapsed)


def program(scenario: Scenario, folder: Path, box: Box, side: str) -> Program:
    """Build one side; the comment makes the files differ."""
    percent = scenario.percent if side == "new" else 100
    source = folder / f"{side}.py"
    source.write_text(scenario.text.format(percent=percent) + f"# {side}\n")
    built = build(source, folder, box)
    assert isinstance(built, Program)
    return built


def print_rates(title: str, found: Sequence[Comparison], elapsed: Sequence[float]) -> None:
    """Print how often each answer was given, and how long it took."""
    kinds = Counter(each.kind for each in found)
    pairs, total = mean(each.pairs for each in found), len(found)
    show(title, f"{total} trials", f"{pairs:.0f} pairs, {mean(elapsed):.1f} s each (mean)")
    for kind in ComparisonKind:
        if kinds[kind]:
            example = next(each for each in found if each.kind is kind)
            show(f"  {kind}", f"{kinds[kind] / total:.1%}", f"for example: {example}")


if __name__ == "__main__":
    main()
