"""Jobs that are judged by worker processes: the same results as on this machine, whatever a problem has."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from judge.base.units import Seconds
from judge.hack.hack_request import find_request
from judge.hack.hacking import hack
from judge.hack.values import Examination, NamedProgram, Progress, SearchOptions, SearchResult, Target
from judge.inputs import Grammar
from judge.judging.judge import Job
from judge.judging.programs import ReadyProgram
from judge.model import Verdict
from judge.model.events import CaseJudged
from judge.model.programs import Protocol
from judge.workspace.options import SessionOptions
from judge.workspace.query import Query
from judge.workspace.session import Session
from judge.workspace.workspace import Workspace
from tests.files import write_files
from tests.grading.cluster.jobs import LIMITS, make_job, open_folder

pytest.importorskip("distributed", reason="Dask is not installed: pip install '.[dask]'")
pytest.importorskip("cryptography", reason="cryptography is not installed: pip install '.[dask]'")
from judge.base.errors import ToolError
from judge.grading.cluster.connection import start_workers
from judge.grading.cluster.executor import ClusterExecutor, _RemoteBox
from judge.grading.cluster.payloads import Packer, Unpacker

# Dask leaves sockets to the garbage collector
pytestmark = [pytest.mark.filterwarnings("ignore")]

CHECKER = """\
import sys
answer, output = open(sys.argv[2]).read(), sys.stdin.read()
sys.exit(42 if answer.split() == output.split() else 43)
"""
INTERACTOR = """\
import sys
number = int(open(sys.argv[1]).read())
print(number, flush=True)
sys.exit(42 if sys.stdin.readline().strip() == str(number + 1) else 43)
"""
SOLUTIONS = {
    "accepted/right.py": "print(int(input()) + 1)\n",
    "accepted/right.cpp": "#include <iostream>\nint main() { long n; std::cin >> n; std::cout << n + 1; }\n",
    "wrong_answer/wrong.py": "print(int(input()) + 1 if __import__('sys').argv[1:] else 0)\n",
    "run_time_error/crash.py": "1 / 0\n",
    "time_limit_exceeded/slow.py": "number = int(input())\nwhile number == 1: pass\nprint(number + 1)\n",
}


def write_package(folder: Path, kind: str) -> Path:
    """Write a package with a checker, or with an interactor; return its folder."""
    package = folder / kind
    interactive = "type: interactive\n" if kind == "interactive" else ""
    files = {
        "problem.yaml": f"problem_format_version: 2023-07-draft\nname: A\nlimits:\n  time_limit: 1\n{interactive}",
        f"output_validator/{kind}.py": INTERACTOR if interactive else CHECKER,
        **{f"submissions/{name}": text for name, text in SOLUTIONS.items()},
        **{f"data/secret/{number}.in": f"{number}\n" for number in range(2)},
        **{f"data/secret/{number}.ans": f"{number + 1}\n" for number in range(2)},
        "data/secret/large.in": f"7\n{' ' * 30_000}\n" if not interactive else "7\n",
        "data/secret/large.ans": "8\n",
    }
    write_files(package, files)
    return package


@contextmanager
def open_session(workspace: Workspace, client: Any | None, notes: list[str]) -> Iterator[Session]:
    factory = partial(ClusterExecutor, client, notes.append, place="") if client is not None else None
    with workspace.open_session(SessionOptions(jobs=None if client else 2), factory) as session:
        yield session


def judge_all(package: Path, client: Any | None = None, disturb: Any = None) -> dict[str, str]:
    """Return the verdict of each solution on each case."""
    workspace, notes = Workspace.find_or_use(None), []  # type: ignore[var-annotated]
    selection = workspace.select(Query(targets=(str(package),)))
    found = {}
    with open_session(workspace, client, notes) as session:
        for event in session.run(selection, session.run_options(use_cache=False)):
            if isinstance(event, CaseJudged):
                found[f"{event.solution.display_path} {event.result.case.id}"] = (
                    f"{event.result.verdict} {event.result.reason if event.result.verdict is not Verdict.TLE else ''}"
                )
                if len(found) == 2 and disturb:
                    disturb()
    assert not [each for each in notes if "cannot judge" in each]
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["checked", "interactive"])
def test_the_table_of_verdicts_is_that_of_one_machine(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    package = write_package(tmp_path, kind)
    expected = judge_all(package)
    assert {each.split()[0] for each in expected.values()} == {"AC", "WA", "RTE", "TLE"}
    asked = count_answers(monkeypatch, "judge_remotely")
    monkeypatch.setattr(_RemoteBox, "_depends_on_speed", lambda *_: False)  # what comes back counts
    with start_workers(2) as client:
        assert judge_all(package, client) == expected
        assert len(asked) == len(expected)

        def kill() -> None:
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

        assert judge_all(package, client, kill) == expected
    assert len(asked) == 2 * len(expected)
    assert None not in asked


def count_answers(monkeypatch: pytest.MonkeyPatch, name: str) -> list[object]:
    """Return a list to which boxes append what they get from the cluster: None if they must do it here."""
    answers: list[object] = []
    ask = getattr(_RemoteBox, name)

    def count(box: Any, *arguments: Any) -> Any:
        answers.append(ask(box, *arguments))
        return answers[-1]

    monkeypatch.setattr(_RemoteBox, name, count)
    return answers


VALIDATOR = "import re, sys\nsys.exit(42 if re.fullmatch(r'[0-9]{1,6}\\n', sys.stdin.read()) else 43)\n"


def hack_on(client: Any, package: Path, text: str, budget: float, report: Any = lambda _: None) -> SearchResult:
    """Search for an input on which a solution of a package fails."""
    submission = package / "submission.py"
    submission.write_text(text)
    workspace, notes = Workspace.find_or_use(None), []  # type: ignore[var-annotated]
    request = find_request(workspace, submission, str(package))
    with open_session(workspace, client, notes) as session:
        result = hack(request, SearchOptions(budget=Seconds(budget)), session, report)
    assert not [each for each in notes if "cannot judge" in each]
    return result


@pytest.mark.thorough
def test_a_search_on_workers_finds_what_fails_and_survives_a_lost_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    package = write_package(tmp_path, "checked")
    (package / "input_validators").mkdir()
    (package / "input_validators" / "validate.py").write_text(VALIDATOR)
    (package / "data/secret/large.in").write_text("7\n")
    right = "print(int(input()) + 1)\n"
    asked = count_answers(monkeypatch, "examine_remotely")
    with start_workers(2) as client:
        result = hack_on(client, package, "n = int(input())\nprint(n + 1 if n < 1000 else n)\n", 20)
        (found,) = result.found
        assert (found.kind.verdict, found.input, found.is_cold) == (Verdict.WA, b"1000\n", True)
        assert len(asked) > 10
        assert None not in asked

        def kill(progress: Progress) -> None:
            if progress.inputs > 20 and not killed:
                killed.append(next(iter(client.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)

        killed: list[int] = []
        result = hack_on(client, package, right, 8, kill)
        assert killed
        assert (list(result.found), result.faults) == ([], ())
        assert result.inputs > 20


def test_the_files_of_programs_in_memory_are_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [make_job(folder, f"print({'x' * 1000!r}, {number})\n") for number in range(5)]
    monkeypatch.setattr("judge.grading.cluster.payloads.KEPT", 3000)
    packer = Packer(folder)
    keys = [packer.pack_job(job)[1][0].key for job in jobs]  # type: ignore[index]
    assert len(packer._trees._values) == 2
    assert [packer.pack_job(job)[1][0].key for job in jobs] == keys  # type: ignore[index]


def test_a_target_arrives_with_its_grammar_and_the_paths_of_the_worker(folder: Path, tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    submission, validator = (
        NamedProgram(name=name, program=make_job(folder, f"print({name!r})\n").program) for name in ("a", "b")
    )
    submission = replace(submission, static=make_job(folder, "print('static')\n").program)
    grammar = Grammar.from_yaml({"lines": [{"n": "1..5"}]})
    target = Target(submission=submission, validators=((validator,),), grammar=grammar, limits=LIMITS)
    packer = Packer(folder)
    packed = packer.pack_examination(target, Examination(data=b"3\n", seconds=1.0))
    assert packed is not None
    assert packer.pack_examination(target, Examination(data=b"4\n", seconds=1.0)) == (
        (Examination(data=b"4\n", seconds=1.0), packed[0][1]), packed[1],
    )  # fmt: skip
    arrived = Unpacker(there).unpack_target(packed[0], [each.value for each in packed[1]])
    assert isinstance(arrived, Target)
    for each in (arrived.submission, arrived.validators[0][0]):
        assert each.program.copy.is_relative_to(there)
        assert each.program.copy.read_text() == f"print({each.name!r})\n"
    assert arrived.submission.static is not None
    assert arrived.submission.static.copy.is_relative_to(there)
    assert arrived.submission.static.copy.read_text() == "print('static')\n"
    assert arrived.grammar is not None
    assert (arrived.grammar.accepts(b"5\n"), arrived.grammar.accepts(b"6\n")) == (True, False)


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as made:
        yield made


def test_a_job_arrives_with_the_paths_of_the_worker(folder: Path, tmp_path: Path) -> None:
    here, there = folder, tmp_path / "there"
    there.mkdir()
    job = make_job(here)
    packed = Packer(here).pack_job(job)
    assert packed is not None
    payload, contents = packed
    arrived = Unpacker(there).unpack(payload, [each.value for each in contents])
    assert isinstance(arrived, Job)
    assert (arrived.input, arrived.answer) == (job.input, job.answer)
    assert arrived.program.copy == there / job.program.copy.relative_to(here)
    assert arrived.program.copy.read_bytes() == job.program.copy.read_bytes()
    assert str(here) not in " ".join(arrived.program.argv)


def test_all_checkers_arrive(folder: Path, tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    job = make_job(folder)
    first, second = (
        ReadyProgram(program=make_job(folder, f"exit({status})\n").program, protocol=Protocol.ICPC, limits=LIMITS)
        for status in (42, 43)
    )
    packed = Packer(folder).pack_job(replace(job, checker=replace(first, others=(second,))))
    assert packed is not None
    arrived = Unpacker(there).unpack(packed[0], [each.value for each in packed[1]])
    assert isinstance(arrived, Job)
    assert arrived.checker is not None
    (other,) = arrived.checker.others
    assert (other.program.copy.is_relative_to(there), other.program.copy.read_text()) == (True, "exit(43)\n")


def test_a_worker_says_which_interpreter_it_lacks(folder: Path) -> None:
    job = make_job(folder)
    elsewhere = replace(job, program=replace(job.program, argv=("/nonexistent/pypy3", *job.program.argv[1:])))
    packed = Packer(folder).pack_job(elsewhere)
    assert packed is not None
    with pytest.raises(ToolError, match="it has no /nonexistent/pypy3"):
        Unpacker(folder).unpack(packed[0], [each.value for each in packed[1]])


def test_a_case_with_files_is_judged_on_this_machine(folder: Path) -> None:
    job = make_job(folder)
    assert Packer(folder).pack_job(replace(job, case=replace(job.case, files=folder))) is None
