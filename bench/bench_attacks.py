"""How many programs that only an input built on purpose breaks does `judge hack` break, and does it leave others alone?

    python -m bench.bench_attacks [--time 10] [--max-inputs N] [--alone N] [--only TEXT] [--list] [--self-check]

The problems are in `bench/attacks/FAMILY.yaml`. Each has the format of its inputs, a time limit, a reference that is
right, programs with one weakness, and robust ones for the same problem. Each search runs on one core, in a folder of
its own. What it finds is checked apart from it: the input is valid by the format, and the program prints something else
than the reference, crashes, or uses more CPU time than its limit.

`--alone` runs the first inputs of each attack without a search, and judges by CPU time: for a busy machine. What needs
no attack, such as a greedy choice, is not found then.

`--self-check` proves that the tasks are sound: all programs pass the sample.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from bench.bench_textbook import CPP_HEADER
from judge.hack.attacks import attack_sources
from judge.inputs import Grammar
from judge.languages.build import Program
from judge.languages.table import find_language

DATA = Path(__file__).parent / "attacks"
MEMORY = 1 << 30  # bytes
PATIENCE = 5  # times the limit that a reference may take


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """A program: weak for a reason (`why`), or robust; the C++ source is without the header that all have."""

    name: str
    why: str
    python: str = ""
    cpp: str = ""
    java: str = ""

    @property
    def file(self) -> tuple[str, str]:
        """The name and the text of the source."""
        if self.python:
            return "a.py", self.python
        return ("Main.java", self.java) if self.java else ("a.cpp", CPP_HEADER + self.cpp)


class Problem(Struct, frozen=True, forbid_unknown_fields=True):
    """A problem with weak and robust programs.

    Attributes:
        input: the format, as in `problem.yaml`; or the words of a statement, for `--input`.
        time: the limit in seconds of CPU time.
        sample: an input; the reference computes its answer.
        reference: a Python program that is right.
    """

    id: str
    input: Any
    time: float
    sample: str
    reference: str
    weak: list[Entry]
    robust: list[Entry] = []


class Task(Struct, frozen=True):
    """A program to break, or to leave alone."""

    family: str
    problem: Problem
    entry: Entry

    @property
    def id(self) -> str:
        """The name of the task, unique among all."""
        return f"{self.family}/{self.problem.id}/{self.entry.name}"

    @property
    def is_weak(self) -> bool:
        """Whether some input breaks the program."""
        return self.entry in self.problem.weak


def read_tasks() -> list[Task]:
    """Read all tasks."""
    return [
        Task(path.stem, problem, entry)
        for path in sorted(DATA.glob("*.yaml"))
        for problem in msgspec.yaml.decode(path.read_bytes(), type=list[Problem])
        for entry in (*problem.weak, *problem.robust)
    ]


def write_task(task: Task, folder: Path) -> Path:
    """Write what `judge hack` gets; return the program."""
    problem = task.problem
    settings: dict[str, Any] = {"limits": {"time": f"{problem.time:g} s"}}
    if not isinstance(problem.input, str):
        settings["input"] = problem.input
    (folder / "problem.yaml").write_text(json.dumps(settings))  # JSON is YAML
    (folder / "reference.py").write_text(problem.reference)
    (folder / "sample-1.in").write_text(problem.sample)
    answer, _ = run([sys.executable, "reference.py"], problem.sample, folder, PATIENCE * problem.time)
    (folder / "sample-1.out").write_text(answer or "")
    name, text = task.entry.file
    (folder / name).write_text(text)
    return folder / name


def command_of(source: Path) -> list[str]:
    """Return the command that runs a program."""
    commands = {".py": [sys.executable, source.name], ".java": ["java", "-Xss64m", source.stem]}
    return commands.get(source.suffix, ["./a.out"])


def build(source: Path) -> None:
    """Compile a program if need be."""
    compilers = {".java": ["javac"], ".cpp": ["g++", "-O2", "-std=gnu++17", "-w", "-o", "a.out"]}
    if source.suffix in compilers:
        subprocess.run([*compilers[source.suffix], source.name], cwd=source.parent, check=True)


def run(command: list[str], text: str, folder: Path, seconds: float) -> tuple[str | None, str]:
    """Return the output of a program that may use so much CPU time, None if it fails; and how it ends."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
        resource.setrlimit(resource.RLIMIT_STACK, (MEMORY // 2, MEMORY // 2))

    before = os.times()
    done = subprocess.run(command, cwd=folder, input=text.encode(), capture_output=True, check=False, preexec_fn=limit)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    if used > seconds:
        return None, f"{used / seconds:.1f} x its time limit"
    return (done.stdout.decode(errors="replace"), "ends") if done.returncode == 0 else (None, "crashes")


def how_it_fails(task: Task, source: Path, text: str) -> str:
    """Return how a program fails on an input on which the reference does not; "" if it does not."""
    grammar = None if isinstance(task.problem.input, str) else Grammar.from_yaml(task.problem.input)
    if grammar is not None and (fault := grammar.check(text.encode())) is not None:
        sys.exit(f"{task.id}: judge hack reports an input that is not valid: {fault}")
    answer, _ = run([sys.executable, "reference.py"], text, source.parent, PATIENCE * task.problem.time)
    output, ended = run(command_of(source), text, source.parent, task.problem.time)
    if answer is None or output is None:
        return "" if answer is None else ended
    return "" if output.split() == answer.split() else "wrong answer"


class Outcome(Struct, frozen=True):
    """What a search came to: `how` the program fails, or "" if nothing was found."""

    task: Task
    how: str
    seconds: float
    strategy: str = ""
    tokens: int = 0
    notes: tuple[str, ...] = ()


def search(task: Task, arguments: argparse.Namespace) -> Outcome:
    """Let `judge hack` search for one failure."""
    with tempfile.TemporaryDirectory() as name:
        source = write_task(task, Path(name))
        command = [sys.executable, "-m", "judge", "hack", source.name, "--reference", "reference.py", "--jobs", "1"]
        command += ["--time", f"{arguments.time:g}", "--format", "json"]
        command += ["--max-inputs", str(arguments.max_inputs)] if arguments.max_inputs else []
        command += ["--input", task.problem.input] if isinstance(task.problem.input, str) else []
        done = subprocess.run(command, cwd=name, capture_output=True, text=True, check=False)
        if done.returncode not in {0, 1} or not done.stdout:
            sys.exit(f"{task.id}: {done.stderr}")
        report = json.loads(done.stdout)
        seconds, notes = report["seconds"], tuple(report["notes"])
        if not report["found"]:
            return Outcome(task, "", seconds, notes=notes)
        found = report["findings"][0]
        build(source)
        how = how_it_fails(task, source, found["input"]) or f"reported as {found['verdict']}, but does not fail"
        how += "" if found["is_confirmed"] else ", not confirmed"
        return Outcome(task, how, seconds, found["strategy"], found["tokens"], notes)


def try_attacks(task: Task, most: int) -> Outcome:
    """Run a program on so many inputs of each attack that fits its source, the first ones first."""
    start = time.process_time()
    with tempfile.TemporaryDirectory() as name:
        source = write_task(task, Path(name))
        program = Program(language=find_language(source), argv=(), source=source, copy=source, place=Path(name))
        grammar = Grammar.from_yaml(task.problem.input)
        attacks = attack_sources(grammar, program, 1, is_over=lambda: False)
        build(source)
        for _, attack in product(range(most), attacks):
            data = attack.next()
            if isinstance(data, bytes) and (how := how_it_fails(task, source, data.decode())):
                return Outcome(task, how, time.process_time() - start, attack.name, len(data.split()))
    return Outcome(task, "", time.process_time() - start)


def faults_of(task: Task) -> list[str]:
    """Return what is wrong with a task."""
    with tempfile.TemporaryDirectory() as name:
        source = write_task(task, Path(name))
        if not (source.parent / "sample-1.out").read_text().strip():
            return [f"{task.id}: the reference prints nothing on the sample"]
        build(source)
        how = how_it_fails(task, source, task.problem.sample)
        return [f"{task.id}: the sample shows it: {how}"] if how else []


def print_summary(outcomes: list[Outcome]) -> bool:
    """Print what was found, in all and for each family; return whether no robust program was reported."""
    weak = [each for each in outcomes if each.task.is_weak]
    robust = [each for each in outcomes if not each.task.is_weak]
    for family in dict.fromkeys(each.task.family for each in weak):
        found = [bool(each.how) for each in weak if each.task.family == family]
        print(f"{family:16} {sum(found)} of {len(found)}")
    broken = [each for each in weak if each.how]
    reported = [each.task.id for each in robust if each.how]
    print(
        f"broken {len(broken)} of {len(weak)} weak programs, "
        f"{len(reported)} of {len(robust)} robust ones{': ' if reported else ''}{', '.join(reported)}; "
        f"median {statistics.median([each.tokens for each in broken] or [0]):.0f} tokens; "
        f"{sum(each.seconds for each in outcomes):.0f} s in all, "
        f"at most {max(each.seconds for each in outcomes):.1f} s; load {os.getloadavg()[0]:.1f}"
    )
    return not reported


def main() -> None:
    """Search, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=10.0, help="seconds of each search")
    parser.add_argument("--max-inputs", type=int, help="inputs of each search: use it with more time on a busy machine")
    parser.add_argument("--alone", type=int, metavar="N", help="try so many inputs of each attack, without a search")
    parser.add_argument("--only", default="", help="a part of FAMILY/PROBLEM/PROGRAM")
    parser.add_argument("--list", action="store_true", help="print the tasks")
    parser.add_argument("--self-check", action="store_true", help="check the tasks")
    arguments = parser.parse_args()
    tasks = [task for task in read_tasks() if arguments.only in task.id]
    if not tasks:
        parser.error(f"--only {arguments.only}: no task has this in its name; --list prints them")
    if arguments.list:
        for task in tasks:
            print(f"{'weak' if task.is_weak else 'robust':7} {task.id:48} {task.entry.why}")
        return
    if arguments.self_check:
        faults = [fault for task in tasks for fault in faults_of(task)]
        print(*faults, f"{len(tasks)} tasks, {len(faults)} faults", sep="\n")
        sys.exit(1 if faults else 0)
    outcomes = []
    for task in tasks:
        started = time.monotonic()
        outcome = try_attacks(task, arguments.alone) if arguments.alone else search(task, arguments)
        outcomes.append(outcome)
        mark = ("broken" if outcome.how else "-") if task.is_weak else ("FALSE" if outcome.how else "robust")
        facts = f"{outcome.seconds:5.1f} s {time.monotonic() - started:5.1f} s {outcome.tokens:7} tokens"
        print(f"{mark:6} {task.id:48} {facts}  {outcome.how}; {outcome.strategy} {' '.join(outcome.notes)}", flush=True)
    sys.exit(0 if print_summary(outcomes) else 1)


if __name__ == "__main__":
    main()
