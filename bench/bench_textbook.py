"""How many textbook bugs `judge hack` finds from two samples and a reference, without a validator.

    python -m bench.bench_textbook [--time 10] [--only TEXT] [--list] [--self-check] [--constraints]

The problems are in `bench/textbook/FAMILY.yaml`. Each task is a folder of its own with `a.py` or `a.cpp`, which has one
bug, with `brute.py`, which is right, and with two samples, which both pass. `judge hack` gets nothing else. Its input
is then checked against the rule of the problem (`valid`), which it does not know, and both programs run on it again.
Like real ones, the references do not validate: many of them accept numbers out of range, and some a wrong count.

`--self-check` proves that the tasks are sound: both programs pass the samples, and they differ on a valid input, the
witness of the bug.
"""

import argparse
import datetime as dt
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

DATA = Path(__file__).parent / "textbook"
CPP_HEADER = "#include <bits/stdc++.h>\nusing namespace std;\n"
RUN_SECONDS = 20.0  # a run that takes longer counts as a failure: twice the judge's default limit
LATE = 1.2  # a search may take so many times the given time
INVALID = "INVALID by the problem's rule"


class Bug(Struct, frozen=True, forbid_unknown_fields=True):
    """A wrong program of a problem.

    Attributes:
        witness: a valid input on which the program fails; or `witness_code`, a Python expression, for a large one.
        python: the program; or `cpp`, without the header that all have.
    """

    name: str
    why: str
    witness: str = ""
    witness_code: str = ""
    python: str = ""
    cpp: str = ""


class Problem(Struct, frozen=True, forbid_unknown_fields=True):
    """A problem with wrong programs.

    Attributes:
        constraints: what the statement says about the numbers.
        samples: inputs; `brute` computes their answers.
        valid: a Python snippet that reads an input with `ints`, `words` and `line`, and raises if it is not valid.
        brute: a Python program that is right, and may be slow.
    """

    id: str
    constraints: str
    samples: list[str]
    valid: str
    brute: str
    bugs: list[Bug]


class Task(Struct, frozen=True):
    """A bug to find."""

    family: str
    problem: Problem
    bug: Bug

    @property
    def id(self) -> str:
        """The name of the task, unique among all."""
        return f"{self.problem.id}/{self.bug.name}"

    @property
    def language(self) -> str:
        """The language of the wrong program."""
        return "Python" if self.bug.python else "C++"

    @property
    def witness(self) -> str:
        """A valid input on which the wrong program fails."""
        return self.bug.witness or str(eval(self.bug.witness_code))


class Outcome(Struct, frozen=True):
    """What a search came to: `state` is "valid", "missed", `INVALID`, or what else is wrong."""

    task: Task
    state: str
    seconds: float
    tokens: int = 0


class Reader:
    """Reads an input line by line, as strictly as the validators of contests."""

    def __init__(self, text: str) -> None:
        assert text.endswith("\n")
        self.lines = text[:-1].split("\n")
        self.position = 0

    def line(self) -> str:
        """Return the next line."""
        self.position += 1
        return self.lines[self.position - 1]

    def words(self, count: int, pattern: str) -> list[str]:
        """Return the words of the next line, which has `count` of them with one space between two."""
        words = self.line().split(" ")
        assert len(words) == count
        assert all(re.fullmatch(pattern, word, re.ASCII) for word in words)
        return words

    def ints(self, count: int, low: int, high: int) -> list[int]:
        """Return the integers of the next line, which has `count` of them from `low` to `high`."""
        numbers = [int(word) for word in self.words(count, r"0|-?[1-9]\d{0,30}")]
        assert all(low <= number <= high for number in numbers)
        return numbers


def is_valid(problem: Problem, text: str) -> bool:
    """Return whether an input is valid by the rule of the problem."""
    try:
        reader = Reader(text)
        names = {"line": reader.line, "lines": reader.lines, "words": reader.words, "ints": reader.ints}
        exec(problem.valid, {**names, "re": re, "datetime": dt})
    except (AssertionError, LookupError, ValueError):
        return False
    return reader.position == len(reader.lines)


def read_tasks() -> list[Task]:
    """Read all tasks."""
    return [
        Task(path.stem, problem, bug)
        for path in sorted(DATA.glob("*.yaml"))
        for problem in msgspec.yaml.decode(path.read_bytes(), type=list[Problem])
        for bug in problem.bugs
    ]


def write_task(task: Task, folder: Path) -> Path:
    """Write what `judge hack` gets; return the wrong program."""
    (folder / "brute.py").write_text(task.problem.brute)
    source = folder / ("a.py" if task.bug.python else "a.cpp")
    source.write_text(task.bug.python or CPP_HEADER + task.bug.cpp)
    for number, sample in enumerate(task.problem.samples, 1):
        (folder / f"sample-{number}.in").write_text(sample)
        (folder / f"sample-{number}.out").write_text(output_of([sys.executable, "brute.py"], sample, folder) or "")
    return source


def command_of(source: Path) -> list[str]:
    """Return the command that runs a program; compile it if need be."""
    if source.suffix == ".py":
        return [sys.executable, source.name]
    subprocess.run(["g++", "-O2", "-w", "-o", "a.out", source.name], cwd=source.parent, check=True)
    return ["./a.out"]


def output_of(command: list[str], text: str, folder: Path) -> str | None:
    """Return the output of a program on an input, None if it fails."""
    try:
        done = subprocess.run(
            command, cwd=folder, input=text.encode(), capture_output=True, timeout=RUN_SECONDS, check=True
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode(errors="replace")


def differs(command: list[str], text: str, folder: Path) -> bool:
    """Return whether the wrong program really fails on an input, on which the reference must not."""
    answer = output_of([sys.executable, "brute.py"], text, folder)
    output = output_of(command, text, folder)
    return answer is not None and (output is None or output.split() != answer.split())


def faults_of(task: Task) -> Iterator[str]:
    """Yield what is wrong with a task."""
    with tempfile.TemporaryDirectory() as name:
        source = write_task(task, Path(name))
        command = command_of(source)
        for number, sample in enumerate(task.problem.samples, 1):
            answer = (source.parent / f"sample-{number}.out").read_text().split()
            output = output_of(command, sample, source.parent)
            if not is_valid(task.problem, sample):
                yield f"sample {number} is not valid"
            if not answer:
                yield f"brute.py prints nothing on sample {number}"
            if output is None or output.split() != answer:
                yield f"sample {number}: expected {' '.join(answer)!r}, found {output!r}"
        if not is_valid(task.problem, task.witness):
            yield "the witness is not valid"
        if not differs(command, task.witness, source.parent):
            yield "the witness does not show the bug"


def search(task: Task, arguments: argparse.Namespace) -> Outcome:
    """Let `judge hack` search for one bug."""
    with tempfile.TemporaryDirectory() as name:
        source = write_task(task, Path(name))
        command = [sys.executable, "-m", "judge", "hack", source.name, "--reference", "brute.py"]
        command += ["--time", f"{arguments.time:g}", "--jobs", "1", "--format", "json"]
        if arguments.constraints:
            command += ["--input", task.problem.constraints]
        start = time.monotonic()
        done = subprocess.run(command, cwd=name, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - start
        if done.returncode not in {0, 1} or not done.stdout:
            return Outcome(task, f"error: {(done.stderr.strip().splitlines() or ['no output'])[0]}", seconds)
        report = json.loads(done.stdout)
        if not report["found"]:
            return Outcome(task, "missed", seconds)
        if not differs(command_of(source), report["input"], source.parent):
            state = "false"
        else:
            state = "valid" if is_valid(task.problem, report["input"]) else INVALID
        return Outcome(task, state, seconds, report["tokens"])


def print_summary(outcomes: list[Outcome], given: float) -> None:
    """Print what was found, in all and for each family."""
    found = [outcome for outcome in outcomes if outcome.state == "valid"]
    for family in dict.fromkeys(outcome.task.family for outcome in outcomes):
        states = [outcome.state for outcome in outcomes if outcome.task.family == family]
        print(f"{family:12} {states.count('valid')} of {len(states)}")
    states = [outcome.state for outcome in outcomes]
    errors = sum(state.startswith("error") for state in states)
    late = sum(outcome.seconds > LATE * given for outcome in outcomes)
    print(
        f"found {len(found)} of {len(outcomes)} with valid inputs, "
        f"median {statistics.median([outcome.tokens for outcome in found] or [0]):.0f} tokens; "
        f"{states.count(INVALID)} invalid, {states.count('false')} false, {errors} errors; "
        f"{sum(outcome.seconds for outcome in outcomes):.0f} s in all; "
        f"{100 * late / len(outcomes):.0f}% longer than {LATE * given:g} s"
    )


def main() -> None:
    """Search, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=10.0, help="seconds of each search")
    parser.add_argument("--only", default="", help="a part of FAMILY/PROBLEM/BUG")
    parser.add_argument("--list", action="store_true", help="print the tasks")
    parser.add_argument("--self-check", action="store_true", help="check the tasks")
    parser.add_argument("--constraints", action="store_true", help="pass what the statement says with --input")
    arguments = parser.parse_args()
    tasks = [task for task in read_tasks() if arguments.only in f"{task.family}/{task.id}"]
    if not tasks:
        parser.error(f"--only {arguments.only}: no task has this in its name; --list prints them")
    if arguments.list:
        for task in tasks:
            print(f"{task.family:12} {task.id:36} {task.language:8} {task.bug.why}")
        return
    if arguments.self_check:
        faults = [f"{task.id}: {fault}" for task in tasks for fault in faults_of(task)]
        print(*faults, f"{len(tasks)} tasks, {len(faults)} faults", sep="\n")
        sys.exit(1 if faults else 0)
    outcomes = []
    for task in tasks:
        outcome = search(task, arguments)
        outcomes.append(outcome)
        mark = "-" if outcome.state == "missed" or outcome.state.startswith("error") else "found"
        figures = f"{outcome.seconds:6.1f} s {outcome.tokens:6} tokens"
        print(f"{task.id:36} {task.family:12} {task.language:8} {mark:6} {figures}  {outcome.state}", flush=True)
    print_summary(outcomes, arguments.time)


if __name__ == "__main__":
    main()
