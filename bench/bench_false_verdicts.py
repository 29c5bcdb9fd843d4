"""False verdicts: programs at 80 % of their limits while other processes load every core. There must be none.

python -m bench.bench_false_verdicts [RUNS]
"""

import os
import subprocess
import sys
from collections import Counter

from bench.measure import PYTHON, show
from judge.base.units import MIB, Bytes, Seconds
from judge.model import Ending, Limits
from judge.runner.executors import LocalExecutor, default_workers
from judge.sandbox.box import Box, Command

CPU, MEMORY = 0.20, 64 * MIB
SHARE = 0.8

# Uses its share of the limits, including start-up, then exits.
PROGRAM = f"""\
import resource, time
kept = bytearray({int(SHARE * MEMORY)} - resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
while time.process_time() < {SHARE * CPU}: pass
"""
LIMITS = Limits(cpu=Seconds(CPU), wall=Seconds(2 * CPU + 1), memory=Bytes(MEMORY), output=Bytes(MIB))


def main() -> None:
    """Measure and print."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    cores = len(os.sched_getaffinity(0))
    burners = [subprocess.Popen([PYTHON, "-c", "while True: pass"]) for _ in range(cores)]
    try:
        with LocalExecutor(default_workers()) as executor:
            endings = Counter(executor.map(run, range(runs)))
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
    for ending, number in endings.items():
        show(f"{ending.value}", f"{number}")
    show(f"false verdicts over {runs} runs, {cores} cores loaded", f"{runs - endings[Ending.EXITED]}")


def run(box: Box, _: int) -> Ending:
    """Run the program once; return how it ended."""
    return box.run(Command(argv=(PYTHON, "-I", "-S", "-c", PROGRAM)), LIMITS).result.ending


if __name__ == "__main__":
    main()
