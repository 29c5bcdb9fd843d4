"""Hostile programs: each has the outcome of its row, and leaves the machine, the judge and the box unchanged."""

import os
import re
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest

from judge.base.units import MIB
from judge.model import Level
from judge.sandbox import box as box_module
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.proc import descendant_pids
from tests.programs import PYTHON, box_at, limits, processes_with
from tests.sandbox.attacks import (
    NOT_STOPPED,
    PRELUDE,
    Attack,
    compilers,
    describe,
    files,
    kernels,
    memory,
    networks,
    outputs,
    processes,
    times,
)

ATTACKS = tuple(
    attack for theme in (files, processes, memory, times, outputs, networks, kernels) for attack in theme.ATTACKS
)
_C_SOURCE = Path(__file__).parent / "attacks" / "calls.c"
_SECRET = "it is forty-two\n"
_NUMBERS = count(100_000)
_PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/var/lock", "/dev/mqueue")


class Machine(NamedTuple):
    """The targets of attacks."""

    box: Box
    level: Level
    calls: Path | None
    answer: Path
    other: Path


@pytest.fixture(scope="session")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """The attacks in C, compiled; None where there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    program = tmp_path_factory.mktemp("calls") / "calls"
    program.parent.chmod(0o755)  # a judge that is root runs programs as another user
    subprocess.run([compiler, "-O1", "-o", program, _C_SOURCE, "-pthread", "-lrt"], check=True)
    return program


@pytest.fixture(scope="module")
def machine_at(calls: Path | None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Level], Machine]]:
    """Return the machine of a level: the same for every attack, until one changes its files."""
    with ExitStack() as opened:
        made: dict[Level, Machine] = {}

        def machine_at(level: Level) -> Machine:
            if level not in made or not _is_unharmed(made[level]):
                made[level] = opened.enter_context(_machine(level, calls, tmp_path_factory.mktemp("files")))
            return made[level]

        yield machine_at


@contextmanager
def _machine(level: Level, calls: Path | None, folder: Path) -> Iterator[Machine]:
    """Create a box whose file tree includes another solution, and a file with the answer outside it."""
    other, answer = folder / "work" / "other" / "solution.py", folder / "answer"
    other.parent.mkdir(parents=True)
    for path in (other, answer):
        path.write_text(_SECRET)
        path.chmod(0o666)
    with box_at(level):
        pass
    with Box(levels=[level], work_folder=folder / "work") as box:
        for program in (Path(PYTHON), *([calls] if calls else [])):  # a new path makes a box restart its zygote
            box.run(Command(argv=(str(program), "--version"), readable=(program.parent,)), limits())
        yield Machine(box, level, calls, answer, other)


@pytest.fixture
def machine(machine_at: Callable[[Level], Machine], level: Level) -> Machine:
    """The targets of the attacks at one level."""
    return machine_at(level)


@pytest.fixture
def work_folder(machine: Machine) -> Iterator[Path]:
    """A folder for one compiler; gone afterwards."""
    made = machine.other.parent.parent / f"compiler-{next(_NUMBERS)}"
    made.mkdir()
    yield made
    shutil.rmtree(made)


# `full` includes everything that `landlock` does, and is tested by default.
_MARKS = {Level.LANDLOCK: pytest.mark.thorough}


def at_each_level(attacks: Iterable[Attack]) -> pytest.MarkDecorator:
    """Run a test with every attack at every level that stops it; elsewhere it would do harm."""
    rows = [
        pytest.param(level, attack, id=f"{level.value}-{attack.name}", marks=_MARKS.get(level, ()))
        for level in Level
        for attack in attacks
        if attack.expected(level) != NOT_STOPPED
    ]
    return pytest.mark.parametrize(("level", "attack"), rows)


@at_each_level(ATTACKS)
def test_an_attack_has_its_expected_outcome_and_leaves_nothing(machine: Machine, attack: Attack) -> None:
    _withstand(machine, attack, None)


@at_each_level(compilers.ATTACKS)
def test_a_hostile_compiler_changes_only_its_work_folder(machine: Machine, attack: Attack, work_folder: Path) -> None:
    _withstand(machine, attack, work_folder)


@pytest.mark.thorough
@at_each_level(compilers.SOURCES)
def test_a_hostile_source_reads_no_other_files_and_the_compiler_ends(
    machine: Machine, attack: Attack, work_folder: Path
) -> None:
    compiler, expected = shutil.which("gcc") or shutil.which("cc"), attack.expected(machine.level)
    if compiler is None:
        pytest.skip("no C compiler")
    (work_folder / "x.c").write_text(attack.source.replace("@ANSWER@", str(machine.answer)))
    command = Command(argv=(compiler, "x.c"), readable=(work_folder,), writable=work_folder, may_fork=True)
    within = limits(cpu=attack.cpu, wall=attack.wall, memory=attack.memory * MIB, output=attack.output * MIB)
    outcome = machine.box.run(command, within)
    assert re.fullmatch(expected, describe(outcome), re.DOTALL), (describe(outcome), outcome.result)
    assert _SECRET.strip().encode() not in outcome.stdout + outcome.result.stderr_tail
    assert not (work_folder / "a.out").exists()
    _answer_a_good_run(machine.box)


def _withstand(machine: Machine, attack: Attack, work_folder: Path | None) -> None:
    expected = attack.expected(machine.level)
    mark = f"attack-{os.getpid()}-{next(_NUMBERS)}"
    before = _state_of_the_judge(machine)
    outcomes: list[Outcome] = []
    while not outcomes or (outcomes[-1].result.cpu >= attack.cpu + 0.5 and len(outcomes) < attack.tries):
        outcomes.append(_run(machine, attack, mark, work_folder))
    outcome = outcomes[-1]
    assert re.fullmatch(expected, describe(outcome), re.DOTALL), (describe(outcome), outcome.result)
    assert outcome.result.cpu < attack.cpu + 0.5
    assert outcome.result.memory < (attack.memory + 512) * MIB
    assert _traces_of(mark) == []
    _answer_a_good_run(machine.box)
    assert _state_of_the_judge(machine) == before


def _run(machine: Machine, attack: Attack, mark: str, work_folder: Path | None) -> Outcome:
    targets = (mark, str(machine.answer), str(machine.other), box_module.__file__, str(os.getpid()))
    within = limits(cpu=attack.cpu, wall=attack.wall, memory=attack.memory * MIB, output=attack.output * MIB)
    argv: tuple[str, ...]
    readable: tuple[Path, ...] = ()
    if attack.source:
        argv = (PYTHON, "-I", "-S", "-c", PRELUDE + attack.source, *targets)
    else:
        if machine.calls is None:
            pytest.skip("no C compiler")
        argv, readable = (str(machine.calls), attack.name, *targets), (machine.calls.parent,)
    command = Command(argv=argv, stdin=attack.stdin, readable=readable, writable=work_folder, may_fork=attack.may_fork)
    return machine.box.run(command, within)


def _answer_a_good_run(box: Box) -> None:
    outcome = box.run(Command(argv=("/bin/cat",), stdin=b"fine\n"), limits())
    assert (outcome.stdout, outcome.result.exit_code) == (b"fine\n", 0)


def _traces_of(mark: str) -> list[object]:
    """Return the processes, files and System V objects that an attack has left."""
    number = mark.rpartition("-")[2]
    deadline = time.monotonic() + 2  # the kernel may take a moment to remove the last of many processes
    found: list[object] = []
    while (living := processes_with(mark)) and time.monotonic() < deadline:
        time.sleep(0.01)
    found += living
    found += [path for place in _PLACES if os.access(place, os.R_OK) for path in Path(place).glob(f"*{mark}*")]
    for kind in ("shm", "msg", "sem"):
        table = Path(f"/proc/sysvipc/{kind}")
        if table.exists():
            found += [line for line in table.read_text().splitlines() if line.split()[0] == number]
    return found


def _is_unharmed(machine: Machine) -> bool:
    return all(path.is_file() and path.read_bytes() == _SECRET.encode() for path in (machine.answer, machine.other))


def _state_of_the_judge(machine: Machine) -> list[object]:
    """Return the state of this process, its files and the zygote that attacks could change."""
    paths = (machine.answer, machine.other, Path(box_module.__file__), Path("/usr/bin/env"))
    return [
        *((path.read_bytes(), *_status(path)) for path in paths),
        *(sorted(path.parent.iterdir()) for path in paths[:3]),
        os.sched_getaffinity(0),
        os.sched_getscheduler(0),
        os.getpriority(os.PRIO_PROCESS, 0),
        *(resource.getrlimit(which) for which in range(16)),
        Path("/proc/self/oom_score_adj").read_text(),
        Path.cwd(),
        machine.box._pid,
        len(descendant_pids(machine.box._pid)),
    ]


def _status(path: Path) -> tuple[object, ...]:
    status = path.stat()
    return status.st_mode, status.st_uid, status.st_gid, status.st_nlink, status.st_mtime_ns, status.st_ino
