"""What a checker that is a program costs per case, against a bare posix_spawn + wait4 of the same checker.

python -m bench.bench_checker [CASES]

The bare start gets files that are already there, and its output goes to /dev/null: the floor. The checked output is
small, as in most problems; what the judge does besides (writing the input and the answer, emptying and reading the
feedback folder, measuring) is the overhead. The judge links a checker in C++ with its libraries, so there are two
floors: a bare start of the checker as `g++ -O2` makes it, and of the same binary. Bare starts and checks alternate.

On a busy machine, `chrt -f 10 python -m bench.bench_checker` (as root) keeps other programs out of the figures.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.measure import seconds, show
from judge.judging.program_checker import run_checker
from judge.judging.programs import JudgePrograms, ReadyProgram
from judge.model import DEFAULT_LIMITS, CheckerConfig, Problem
from judge.model.programs import JudgeProgram
from judge.sandbox.box import Box

CASES = 300
GIVEN, ANSWER = b"10\n", b"5 5\n"

CPP = """\
#include <fstream>
#include <iostream>
int main(int, char** words) {
    std::ifstream given(words[1]), answer(words[2]);
    long sum, a, b;
    given >> sum;
    std::ofstream(std::string(words[3]) + "judgemessage.txt") << "checked\\n";
    return std::cin >> a >> b && a + b == sum ? 42 : 43;
}
"""
PYTHON = """\
import sys
with open(sys.argv[1]) as given, open(sys.argv[2]) as answer:
    total = int(given.read())
with open(sys.argv[3] + "judgemessage.txt", "w") as message:
    message.write("checked\\n")
sys.exit(42 if sum(map(int, sys.stdin.read().split())) == total else 43)
"""


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else CASES
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for title, file, text in (("C++ checker", "check.cpp", CPP), ("Python checker", "check.py", PYTHON)):
            if file.endswith(".cpp") and not shutil.which("g++"):
                continue
            (folder / file).write_text(text)
            measure(title, folder / file, folder, count)


def measure(title: str, source: Path, folder: Path, count: int) -> None:
    """Measure one checker in both ways and print the medians."""
    work = folder / f"work-{source.suffix[1:]}"
    work.mkdir()
    work.chmod(0o755)
    problem = Problem(id="p", name="p", limits=DEFAULT_LIMITS, checker=CheckerConfig())
    core = min(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})  # of the worker's two boxes and of the bare starts
    with Box(work_folder=work, core=core) as box:
        checker = JudgePrograms(problem, work, None).get(JudgeProgram(source=source), box)
        assert isinstance(checker, ReadyProgram), checker
        argv = checker.program.command(b"", checker.limits).argv
        floors = {"bare start": BareStart(argv, work)}
        if source.suffix == ".cpp":
            subprocess.run(["g++", "-O2", "-o", work / "usual", source], check=True)
            floors = {
                "bare start": BareStart((str(work / "usual"),), work),
                "bare start of the same binary": BareStart(argv, work),
            }

        def check() -> None:
            result = run_checker(checker, (), box, given=GIVEN, answer=ANSWER, output=ANSWER)
            assert result.message == "checked", result

        calls = {**{name: floor.run for name, floor in floors.items()}, "in the judge": check}
        taken: dict[str, list[float]] = {name: [] for name in calls}
        for _ in range(count):
            for name, call in calls.items():
                taken[name].append(seconds(call))
    medians = {name: statistics.median(each[count // 10 :]) for name, each in taken.items()}
    judged = medians["in the judge"]
    for name in floors:
        spent = medians[name]
        remark = f"the judge takes {judged / spent:.2f} x, {(judged - spent) * 1e3:+.2f} ms"
        show(f"{title}: {name}", f"{spent * 1e3:.2f} ms", remark)
    show(f"{title}: in the judge", f"{judged * 1e3:.2f} ms", "median per case")


class BareStart:
    """Starts a checker without a sandbox, on files that are there already."""

    def __init__(self, argv: tuple[str, ...], folder: Path) -> None:
        for name, data in (("in", GIVEN), ("ans", ANSWER), ("out", ANSWER)):
            (folder / name).write_bytes(data)
        (folder / "feedback").mkdir(exist_ok=True)
        self._argv = (*argv, str(folder / "in"), str(folder / "ans"), f"{folder}/feedback/")
        self._actions = [
            (os.POSIX_SPAWN_OPEN, 0, str(folder / "out"), os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        ]

    def run(self) -> None:
        """Run it to its end."""
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
        pid = os.posix_spawn(self._argv[0], self._argv, environment, file_actions=self._actions)
        _, status, _ = os.wait4(pid, 0)
        assert os.waitstatus_to_exitcode(status) == 42, status


if __name__ == "__main__":
    main()
