"""How many programs that are accepted by luck `judge run --sanitize` finds, and how often it warns without a reason.

    python -m bench.bench_sanitize [--only TEXT] [--list] [--hack SECONDS]

`bench/luck/KIND.yaml` has programs with one fault each, which passes all of their cases; `clean.yaml` has programs that
look suspicious and are right. The references and programs of `bench/textbook` are right on the samples, too.

A program whose fault depends on the order of a set may fail at once; it is judged again until it is accepted. The times
are those of runs that find everything compiled: plain runs of the accepted programs against those with `--sanitize`,
for so many programs at a time that the cache keeps all of their builds.

With `--hack`, `judge hack` searches for inputs for so many seconds, without a reference: a finding that is outside what
the samples show is not a false alarm.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from bench.bench_textbook import CPP_HEADER, output_of, read_tasks
from bench.measure import JUDGE, ROOT

DATA = Path(__file__).parent / "luck"
CLEAN = "clean"
TRIES = 8  # of programs that depend on the order of a set
OUTSIDE = " (outside what the samples show)"
ROUNDS = 3  # of the measured times
AT_A_TIME = 100  # programs whose times are measured


class Program(Struct, frozen=True, forbid_unknown_fields=True):
    """A program with its cases.

    Attributes:
        language: the suffix of its file.
        cases: inputs and answers.
        input: the grammar of the inputs, where a mistake shows only in other inputs than those of the cases.
    """

    name: str
    language: str
    source: str
    cases: list[tuple[str, str]]
    input: Any = None


def read_programs() -> dict[str, list[Program]]:
    """Return the programs of `bench/luck`, by kind."""
    return {
        path.stem: msgspec.yaml.decode(path.read_bytes(), type=list[Program]) for path in sorted(DATA.glob("*.yaml"))
    }


def reused_programs(folder: Path) -> Iterator[Program]:
    """Yield the programs of `bench/textbook` with samples, which they pass; run the references in a folder."""
    cases: dict[str, list[tuple[str, str]]] = {}
    for task in read_tasks():
        problem, bug = task.problem, task.bug
        if problem.id not in cases:
            (folder / "brute.py").write_text(problem.brute)
            outputs = [output_of([sys.executable, "brute.py"], sample, folder) or "" for sample in problem.samples]
            cases[problem.id] = list(zip(problem.samples, outputs, strict=True))
            yield Program(name=problem.id, language="py", source=problem.brute, cases=cases[problem.id])
        name, cpp = f"{problem.id}-{bug.name}", CPP_HEADER + bug.cpp
        language, source = ("py", bug.python) if bug.python else ("cpp", cpp)
        yield Program(name=name, language=language, source=source, cases=cases[problem.id])


def write_program(program: Program, folder: Path) -> str:
    """Write a program into a folder of its own, with its cases; return the path."""
    place = folder / program.name
    place.mkdir(parents=True)
    for number, (text, answer) in enumerate(program.cases, 1):
        (place / f"{number}.in").write_text(text)
        (place / f"{number}.ans").write_text(answer)
    if program.input:
        (place / "problem.yaml").write_bytes(msgspec.yaml.encode({"input": program.input}))
    source = place / f"{program.name}.{program.language}"
    source.write_text(program.source)
    return str(source)


def run_judge(words: Sequence[str], cwd: Path) -> tuple[list[str], float]:
    """Run `judge run -f short`; return its lines and the CPU time of all processes."""
    before = os.times()
    command = [*JUDGE, "run", *words, "-f", "short"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(cwd / "cache")}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode not in {0, 1}:
        sys.exit(done.stderr)
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return done.stdout.splitlines(), seconds


def failed(lines: Sequence[str]) -> set[str]:
    """Return the paths that lines of errors start with."""
    return {line.partition(":")[0] for line in lines if ": error: " in line}


def find_warnings(paths: Sequence[str], folder: Path) -> tuple[set[str], dict[str, list[str]]]:
    """Judge programs until they are accepted; return those that never are, and the warnings by path."""
    waiting, warnings = set(paths), {path: list[str]() for path in paths}
    for attempt in range(TRIES):
        lines, _ = run_judge([*sorted(waiting), "--sanitize", *(["--fresh"] if attempt else [])], folder)
        for path in waiting - failed(lines):
            warnings[path] = [line for line in lines if line.startswith(f"{path}:")]
        waiting &= failed(lines)
        if not waiting:
            break
    return waiting, warnings


def hack(path: str, seconds: str, folder: Path) -> list[str]:
    """Return what `judge hack` finds without a reference."""
    command = [*JUDGE, "hack", path, "--time", seconds, "-f", "json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in {0, 1}:
        sys.exit(done.stderr)
    found = json.loads(done.stdout)
    where = OUTSIDE if found.get("not_shown") else ""
    return [f"{path}: {found['cause'] or found['reason']}: {found['input']!r:.60}{where}"] if found["found"] else []


def measure_ratio(paths: Sequence[str], folder: Path) -> float:
    """Return the CPU time of sanitized runs, by that of plain ones; both are compiled before."""
    plain = checked = 0.0
    for start in range(0, len(paths), AT_A_TIME):
        some = paths[start : start + AT_A_TIME]
        run_judge([*some, "--fresh", "--sanitize"], folder)
        for _ in range(ROUNDS):
            plain += run_judge([*some, "--fresh"], folder)[1]
            checked += run_judge([*some, "--fresh", "--sanitize"], folder)[1]
    return checked / plain


def main() -> None:
    """Judge all programs, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="only programs whose path contains this")
    parser.add_argument("--hack", metavar="SECONDS", help="search for inputs instead of running the cases")
    parser.add_argument("--list", action="store_true", help="print each warning, and what is missed")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [
            os.path.relpath(write_program(program, folder / kind), folder)
            for kind, programs in {**read_programs(), "textbook": [*reused_programs(folder)]}.items()
            for program in programs
            if arguments.only in f"{kind}/{program.name}"
        ]
        if seconds := arguments.hack:
            refused, warnings = set[str](), {path: hack(path, seconds, folder) for path in paths}
        else:
            refused, warnings = find_warnings(paths, folder)
        clean = {CLEAN, "textbook"}
        found: Counter[str] = Counter()
        total: Counter[str] = Counter()
        for path in paths:
            kind = path.partition("/")[0]
            total[kind] += 1
            found[kind] += any(kind not in clean or not line.endswith(OUTSIDE) for line in warnings[path])
            if arguments.list:
                print(*(warnings[path] or [f"{path}: nothing"]), sep="\n")
        for path in sorted(refused):
            print(f"{path}: not accepted in {TRIES} runs")
        faulty = sorted(total.keys() - clean)
        for kind in faulty:
            print(f"{kind:14} {found[kind]} of {total[kind]}")
        print(f"found {sum(found[kind] for kind in faulty)} of {sum(total[kind] for kind in faulty)}")
        print(f"false alarms {sum(found[kind] for kind in clean)} of {sum(total[kind] for kind in clean)}")
        if seconds:
            return
        accepted = [path for path in paths if path not in refused]
        print(f"{measure_ratio(accepted, folder):.2f} x the CPU time of plain runs")


if __name__ == "__main__":
    main()
