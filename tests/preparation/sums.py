"""A problem whose answers are sums, its generators, and helpers to prepare its cases."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from judge.model import Case, Generated, Inline, InputSource, Problem
from judge.preparation.cases import DataStore, InvalidCase, PreparedCase, ReadyCase
from judge.preparation.prepare import prepare, without_progress
from judge.preparation.store import FactCache, Lock, LockedCase, ObjectStore
from judge.runner.executors import LocalExecutor
from judge.sandbox.box import Box

T = TypeVar("T")
R = TypeVar("R")

GENERATORS = """\
import os, sys, time; from pathlib import Path

def numbers(random, count=3, largest=9):
    print("this goes to standard error")
    return [f"{random.randint(0, largest)} {random.randint(0, largest)}" for _ in range(count)]

def whole(random):
    return f"{random.random()}\\n"

def crash(random):
    return str(1 // 0)

def nothing(random):
    return []

def wrong_type(random):
    return 7

def prints(random):
    print(7)

def wrong_line(random):
    yield 7

def two_lines(random):
    yield "1\\n2"

def endless(random):
    while True:
        pass

def dies(random):
    os._exit(3)

def leaves(random):
    sys.exit("no")

def from_file(random):
    return (Path(__file__).parent / "data" / "words.txt").read_text()

def slow(random):
    end = time.process_time() + 0.25
    while time.process_time() < end:
        pass
    return "1 1\\n"

def large(random):
    return "1 1\\n" * 75_000
"""
SUM = "import sys\nfor line in sys.stdin: print(sum(map(int, line.split())))\n"
VALIDATE = "import sys\nif '-' in sys.stdin.read(): sys.exit('line 1: a minus sign')\nsys.exit(42)\n"


def make_store(folder: Path) -> DataStore:
    folder.mkdir(exist_ok=True)
    cache, build = folder / ".judge", folder / ".build"
    build.mkdir(exist_ok=True)
    return DataStore(objects=ObjectStore(cache / "objects"), facts=FactCache(cache / "facts.json"), build=build)


def case(problem: Problem, source: InputSource, answer: bytes | None = None, name: str = "one") -> Case:
    return Case(
        group="edge",
        name=name,
        input=source,
        answer=None if answer is None else Inline(answer),
        limits=problem.limits,
        checker=problem.checker,
        origin=Path("testcases/sums/edge.yaml"),
        line=7,
    )


def generated(problem: Problem, function: str, seed: int = 1, **parameters: object) -> Case:
    assert problem.folder
    recipe = Generated(
        file=problem.folder / "make.py", function=function, parameters=tuple(parameters.items()), seed=seed
    )
    return case(problem, recipe, name=f"{function}-{seed}")


def prepare_all(
    problem: Problem, cases: Sequence[Case], store: DataStore, executor: LocalExecutor, lock: Lock | None = None
) -> list[PreparedCase]:
    return list(without_progress(prepare(problem, cases, store, lock or {}, executor.map)))


def must_not_run(function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
    """Replace the workers where nothing may run."""
    assert not list(items), function
    return iter(())


def data(found: object) -> bytes:
    assert isinstance(found, bytes | Path)
    return found if isinstance(found, bytes) else found.read_bytes()


def message(found: PreparedCase) -> str:
    assert isinstance(found, InvalidCase), found
    return str(found.diagnostic).removeprefix("testcases/sums/edge.yaml:7:1: error: case edge/")


def to_lock(run: Sequence[PreparedCase]) -> dict[str, LockedCase]:
    return {each.case.id: each.locked for each in run if isinstance(each, ReadyCase) and each.locked}
