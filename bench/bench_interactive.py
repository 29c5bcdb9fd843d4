"""What a dialogue of many short messages costs, against two bare processes connected by pipes; how fast deadlocks end.

python -m bench.bench_interactive [ROUND_TRIPS]
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from bench.measure import seconds, show
from judge.base.units import Bytes, Seconds
from judge.judging.passes import TranscriptRecorder
from judge.model import DEFAULT_LIMITS, Limits
from judge.sandbox.box import Box, Command
from judge.sandbox.pair import Interaction, Pair, Recorder

_ROUNDS = 7
_DEADLOCKS = 25

# Plays either side: N round trips, or with 0 a deadlock after 0.3 s, whose time the solution writes to standard error.
_SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **args) {
    char data[16];
    int left = atoi(args[1]), is_first = args[2][0] == 'i';
    if (!left) {
        struct timespec pause = {0, 300000000}, now;
        if (!is_first) {
            nanosleep(&pause, 0);
            clock_gettime(CLOCK_MONOTONIC, &now);
            fprintf(stderr, "%ld.%09ld", now.tv_sec, now.tv_nsec);
        }
        return read(0, data, sizeof data) > 0 ? 1 : 42;
    }
    for (; left; left--) {
        if (is_first && write(1, "12345\n", 6) != 6) return 1;
        if (read(0, data, sizeof data) <= 0) return 2;
        if (!is_first && write(1, "67890\n", 6) != 6) return 3;
    }
    return 42;
}
"""
_LIMITS = replace(DEFAULT_LIMITS, cpu=Seconds(60.0), wall=Seconds(300.0), output=Bytes(1 << 30))


def bare(program: Path, trips: int, core: int) -> None:
    """Connect two processes by pipes and do nothing else, on one processor as the judge does: elsewhere, both wait."""
    usual = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    ours, theirs = os.pipe(), os.pipe()
    pids = []
    for role, stdin, stdout in (("interactor", ours[0], theirs[1]), ("solution", theirs[0], ours[1])):
        argv = (str(program), str(trips), role)
        actions = [(os.POSIX_SPAWN_DUP2, stdin, 0), (os.POSIX_SPAWN_DUP2, stdout, 1)]
        pids.append(os.posix_spawn(argv[0], argv, {}, file_actions=actions))
    os.sched_setaffinity(0, usual)
    for fd in (*ours, *theirs):
        os.close(fd)
    for pid in pids:
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 42


def paired(program: Path, trips: int, box: Box, record: Recorder | None = None) -> Interaction:
    """Do the same in two boxes."""

    def side(role: str) -> tuple[Command, Limits]:
        return Command(argv=(str(program), str(trips), role), readable=(program.parent,)), _LIMITS

    solution, interactor = (box, *side("solution")), (box.partner, *side("interactor"))
    return Pair(solution, interactor, decides=lambda _: False, record=record).run()


def deadlock_latency(program: Path, box: Box) -> float:
    """Return how long after both processes wait the solution is stopped, in seconds."""
    ran = paired(program, 0, box)
    assert ran.deadlock == ("input", "input"), ran
    return ran.solution.ended - float(ran.solution.outcome.stderr)


def main() -> None:
    """Measure and print."""
    trips = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        sys.exit("bench_interactive: needs a C compiler")
    core = min(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder, Box(core=core) as box:
        program = Path(folder, "side")
        Path(folder).chmod(0o755)
        subprocess.run([compiler, "-O2", "-x", "c", "-o", program, "-"], input=_SOURCE.encode(), check=True)
        paired(program, 1, box)  # starts both boxes
        calls: dict[str, Callable[[], object]] = {
            "bare": lambda: bare(program, trips, core),
            "paired": lambda: paired(program, trips, box),
            "recorded": lambda: paired(program, trips, box, TranscriptRecorder().record),
        }
        taken: dict[str, list[float]] = {name: [] for name in calls}
        for _ in range(_ROUNDS):
            for name, call in calls.items():
                taken[name].append(seconds(call))
        floor = statistics.median(taken["bare"])
        show(f"two bare processes, {trips:,} round trips", f"{floor:.2f} s", f"{floor / trips * 1e6:.1f} us each")
        for name, title, target in (
            ("paired", "in two boxes", ", target 1.30 x"),
            ("recorded", "with a transcript", ""),
        ):
            ratio = statistics.median(ours / bare for ours, bare in zip(taken[name], taken["bare"], strict=True))
            spent = statistics.median(taken[name])
            show(title, f"{spent:.2f} s", f"{spent / trips * 1e6:.1f} us each, {ratio:.2f} x{target}")
        latencies = sorted(deadlock_latency(program, box) for _ in range(_DEADLOCKS))
        worst, middle = latencies[-1], statistics.median(latencies)
        show("from a deadlock to its end, median", f"{middle * 1e3:.0f} ms")
        show(f"the longest of {_DEADLOCKS}", f"{worst * 1e3:.0f} ms", "target 50 ms")


if __name__ == "__main__":
    main()
