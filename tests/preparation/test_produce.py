"""Inputs that programs of a package make: what they may write, how they fail, and that each is made once."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol, TypeVar

import pytest
from msgspec.structs import replace

from judge.base.units import Bytes, Seconds
from judge.model import Case, Computed, Problem, ProblemType, Produced
from judge.preparation import produce
from judge.preparation.cases import DataStore, PreparedCase, ReadyCase
from judge.preparation.prepare import prepare
from judge.runner.executors import LocalExecutor
from judge.sandbox.box import Box
from tests.files import write_files
from tests.preparation.sums import SUM, case, data, make_store, message, must_not_run, prepare_all, to_lock

T = TypeVar("T")
R = TypeVar("R")

GENERATORS = {
    "echo.py": "import sys\nprint(*sys.argv[1:])\n",
    "writes.py": (
        "import os\nassert not os.listdir(), os.listdir()\nprint('not this')\n"
        "open('testcase.in', 'w').write('1 2\\n')\nopen('testcase.ans', 'w').write('own answer\\n')\n"
        "open('testcase.hint', 'w').write('x')\n"
    ),
    "link.py": "import os\nos.symlink('/etc/hostname', 'testcase.in')\n",
    "silent.py": "pass\n",
    "crash.py": "raise ValueError('no such graph')\n",
    "lucky.py": "import sys\nassert int(sys.argv[1]) % 4 == 1, sys.argv[1]\nprint(sys.argv[1], 0)\n",
    "endless.py": "while True: pass\n",
    "flood.py": "while True: print('1 1' * 10_000)\n",
    "uses.py": "import numbers_of_mine\nprint(numbers_of_mine.PAIR)\n",
    "numbers_of_mine.py": "PAIR = '20 22'\n",
    "imports.py": "from mine.pairs import PAIR\nprint(PAIR)\n",
    "mine/__init__.py": "import numbers_of_mine\n",
    "mine/pairs.py": "from .deep.pair import PAIR\n",
    "mine/deep/pair.py": "PAIR = '30 1'\n",
    "constant.py": "print('{{MAX}} 1')\n",
    "wrong.cpp": "int main() { return x; }\n",
    "pair.h": '#define PAIR "3 4"\n',
    "pair.cpp": '#include <cstdio>\n#include "pair.h"\nint main() { puts(PAIR); }\n',
    "includes.cpp": '#include <cstdio>\n#include "part.cpp"\nint main() { puts(pair()); }\n',
    "part.cpp": '#include "pair.h"\nconst char* pair() { return PAIR; }\n',
    "path.cpp": (
        "#include <cstdio>\n#include <cstring>\n"
        'int main(int, char** argv) { puts(std::strstr(argv[0], "/generators/") ? "5 6" : argv[0]); }\n'
    ),
    "sub/main.py": "from lib import f\nprint(f(6), 7)\n",
    "sub/lib.py": "def f(x): return x\n",
}


@pytest.fixture
def package(tmp_path: Path, problem: Problem) -> Problem:
    folder = tmp_path / "package"
    write_files(folder, {**{f"generators/{name}": text for name, text in GENERATORS.items()}, "sum.py": SUM})
    return replace(
        problem,
        folder=folder,
        format="icpc-2025-09",
        validator=None,
        reference=None,
        independent=None,
        generators=(),
        lock=None,
        constants={"MAX": "1000"},
    )


class Prepare(Protocol):
    """Prepares the cases of the package."""

    def __call__(self, *cases: Case, of: Problem | None = None) -> list[PreparedCase]:
        """Prepare the cases of the package, or of another problem."""


@pytest.fixture
def prepare_cases(package: Problem, store: DataStore, executor: LocalExecutor) -> Prepare:
    return lambda *cases, of=None: prepare_all(of or package, cases, store, executor)


def made(package: Problem, *names: str, args: tuple[str, ...] = (), seed: int = 0, attempts: int = 1) -> Case:
    """Return a case whose input a generator makes, and whose answer the solution prints."""
    assert package.folder
    sources = tuple(package.folder / "generators" / name for name in names)
    source = Produced(sources=sources, args=args, seed=seed, attempts=attempts)
    return replace(case(package, source, name=names[0]), answer=Computed(package.folder / "sum.py"))


@pytest.mark.parametrize(
    ("names", "args", "expected"),
    [
        (("echo.py",), ("1", "2 3", "{seed}"), (b"1 2 3 7\n", b"13\n")),
        (("writes.py",), (), (b"1 2\n", b"own answer\n")),
        (("uses.py",), (), (b"20 22\n", b"42\n")),
        (("imports.py",), (), (b"30 1\n", b"31\n")),
        (("constant.py",), (), (b"1000 1\n", b"1001\n")),
        (("sub",), (), (b"6 7\n", b"13\n")),
        (("sub/main.py", "sub/lib.py"), (), (b"6 7\n", b"13\n")),
    ],
)
def test_an_input_is_what_a_generator_writes_or_prints(
    package: Problem,
    prepare_cases: Prepare,
    names: tuple[str, ...],
    args: tuple[str, ...],
    expected: tuple[bytes, bytes],
) -> None:
    (found,) = prepare_cases(made(package, *names, args=args, seed=7))
    assert isinstance(found, ReadyCase), message(found)
    assert (data(found.input), data(found.answer)) == expected


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize("name", ["pair.cpp", "includes.cpp"])
def test_a_generator_finds_the_files_beside_it_that_it_includes(
    package: Problem, prepare_cases: Prepare, name: str
) -> None:
    (found,) = prepare_cases(made(package, name))
    assert isinstance(found, ReadyCase), message(found)
    assert data(found.input) == b"3 4\n"


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_the_path_of_a_generator_says_that_it_is_one(package: Problem, prepare_cases: Prepare) -> None:
    (found,) = prepare_cases(made(package, "path.cpp"))  # as the header validation.h of BAPCtools asks
    assert isinstance(found, ReadyCase), message(found)
    assert data(found.input) == b"5 6\n"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("silent.py", "the generator `silent.py` fails: it prints nothing, and writes no testcase.in"),
        ("crash.py", "the generator `crash.py` fails: exit status 1: ValueError: no such graph"),
        pytest.param(
            "endless.py", "the generator `endless.py` fails: CPU time limit exceeded: ", marks=pytest.mark.thorough
        ),
        ("flood.py", "the generator `flood.py` fails: output limit exceeded"),
        ("link.py", "the generator `link.py` cannot be run: "),
        ("none.py", "the generator file "),
    ],
)
def test_a_generator_that_fails_costs_only_its_case(
    package: Problem, prepare_cases: Prepare, monkeypatch: pytest.MonkeyPatch, name: str, reason: str
) -> None:
    limits = replace(produce.PRODUCER_LIMITS, cpu=Seconds(2.0), output=Bytes(1 << 20))
    monkeypatch.setattr(produce, "PRODUCER_LIMITS", limits)
    cases = [made(package, name, attempts=3 if name == "endless.py" else 1), made(package, "echo.py", args=("1",))]
    bad, good = prepare_cases(*cases)
    assert isinstance(good, ReadyCase)
    assert message(bad).startswith(f"{name}: {reason}")


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_a_generator_that_does_not_compile_is_reported_at_its_file(package: Problem, prepare_cases: Prepare) -> None:
    (found,) = prepare_cases(made(package, "wrong.cpp"))
    assert "wrong.cpp: error: the generator does not compile; it makes the input of case edge/wrong.cpp: " in message(
        found
    )


def test_a_generator_may_be_tried_with_other_seeds(package: Problem, prepare_cases: Prepare) -> None:
    found, failed = prepare_cases(
        *(made(package, "lucky.py", args=("{seed}",), seed=2**31 - 2, attempts=attempts) for attempts in (9, 2))
    )
    assert isinstance(found, ReadyCase), message(found)
    assert data(found.input) == b"1 0\n"
    assert message(failed).startswith("lucky.py: the generator `lucky.py` fails 2 times: exit status 1: AssertionError")


def test_nothing_is_made_again(package: Problem, tmp_path: Path, store: DataStore, executor: LocalExecutor) -> None:
    cases = [made(package, "echo.py", args=(word,)) for word in ("1", "2", "1")] + [made(package, "writes.py")]
    runs = []

    def count_runs(function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
        listed = list(items)
        runs.append(len(listed))
        return executor.map(function, listed)

    first = list(prepare(package, cases, store, {}, count_runs))
    assert runs == [2, 3, 3], "each program is built, each call runs once, and each answer that no generator wrote"
    again = list(prepare(package, cases, make_store(tmp_path), {}, must_not_run))
    assert [data(each.input) for each in again if isinstance(each, ReadyCase)] == [
        data(each.input) for each in first if isinstance(each, ReadyCase)
    ]


def test_in_a_repository_an_input_is_made_twice_unless_it_is_locked(
    package: Problem, tmp_path: Path, store: DataStore, executor: LocalExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    native = replace(package, format="native", lock=tmp_path / "cases.lock")
    assert package.folder
    (package.folder / "generators/clock.py").write_text("import time\nprint(int(time.time()), 0)\n")
    steady, clock = made(native, "echo.py", args=("1",)), made(native, "clock.py")
    first, bad = prepare_all(native, [steady, clock], store, executor)
    assert (
        "clock.py: error: the generator `clock.py` makes a different input each time for case edge/clock.py: line 1"
        in (message(bad))
    )
    locked = to_lock([first])
    again = make_store(tmp_path / "elsewhere")
    monkeypatch.setattr(produce, "time", None)  # what is locked does not wait to be made again
    assert len(prepare_all(native, [steady], again, executor, locked)) == 1
    monkeypatch.undo()
    (package.folder / "generators/echo.py").write_text("print(7)\n")
    (changed,) = prepare_all(native, [steady], again, executor, locked)
    assert "the generator `echo.py` makes a different input than the locked one" in message(changed)


def test_an_edited_module_makes_the_input_again(package: Problem, prepare_cases: Prepare) -> None:
    prepare_cases(made(package, "uses.py"))
    assert package.folder
    (package.folder / "generators/numbers_of_mine.py").write_text("PAIR = '5 5'\n")
    (found,) = prepare_cases(made(package, "uses.py"))
    assert isinstance(found, ReadyCase)
    assert data(found.input) == b"5 5\n"


def test_the_answer_of_an_interactive_problem_is_empty_unless_it_is_given(
    package: Problem, prepare_cases: Prepare
) -> None:
    interactive = replace(package, types=frozenset({ProblemType.INTERACTIVE}))
    cases = [replace(made(package, name), answer=None) for name in ("uses.py", "writes.py")]
    found = prepare_cases(*cases, of=interactive)
    assert [data(each.answer) for each in found if isinstance(each, ReadyCase)] == [b"", b"own answer\n"]


def test_a_generator_must_write_the_answer_if_no_solution_can(package: Problem, prepare_cases: Prepare) -> None:
    cases = [replace(made(package, name), answer=None) for name in ("uses.py", "writes.py")]
    missing, written = prepare_cases(*cases)
    assert message(missing).startswith("uses.py: no answer")
    assert isinstance(written, ReadyCase)


def test_a_solution_may_be_a_folder(package: Problem, prepare_cases: Prepare) -> None:
    assert package.folder
    (found,) = prepare_cases(replace(made(package, "uses.py"), answer=Computed(package.folder / "generators/sub")))
    assert isinstance(found, ReadyCase), message(found)
    assert data(found.answer) == b"6 7\n"


@pytest.mark.parametrize("names", [("outside.py",), ("echo.py", "outside.py"), ("linked/other.py",), ("linked",)])
def test_links_out_of_the_package_are_not_followed(
    package: Problem, prepare_cases: Prepare, tmp_path: Path, names: tuple[str, ...]
) -> None:
    assert package.folder
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/other.py").write_text("print('1 1')\n")
    (package.folder / "generators/outside.py").symlink_to(tmp_path / "outside/other.py")
    (package.folder / "generators/linked").symlink_to(tmp_path / "outside")
    (found,) = prepare_cases(made(package, *names))
    assert "a link that leads out of the package: copy the file into it" in message(found)


def test_making_inputs_changes_nothing_in_the_package(package: Problem, prepare_cases: Prepare) -> None:
    assert package.folder
    before = [(path, path.stat().st_mtime_ns) for path in sorted(package.folder.rglob("*"))]
    prepare_cases(*(made(package, name) for name in ("uses.py", "writes.py", "sub")))
    assert [(path, path.stat().st_mtime_ns) for path in sorted(package.folder.rglob("*"))] == before
