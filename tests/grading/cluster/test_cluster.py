"""Rows that are graded by worker processes: the same verdicts as on one machine, whoever is killed meanwhile."""

import json
import os
import signal
import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from judge.base.errors import JudgeError, UsageError
from judge.grading.stream import LineReader, Stream
from judge.grading.values import Grade, GradeOptions
from judge.model import Level, Verdict

pytest.importorskip("distributed", reason="Dask is not installed: pip install '.[dask]'")
pytest.importorskip("cryptography", reason="cryptography is not installed: pip install '.[dask]'")
from judge.grading.cluster.connection import connect, start_workers
from judge.grading.cluster.grader import ClusterGrader
from judge.grading.cluster.pool import WorkerPool
from judge.grading.cluster.worker import depends_on_speed

# Dask leaves sockets to the garbage collector
pytestmark = [pytest.mark.filterwarnings("ignore")]
OPTIONS = GradeOptions(in_order=True)
BIG = "x" * 20_000


def write_rows(path: Path, count: int) -> dict[str, str]:
    """Write rows, some with tests that travel separately; return the verdicts."""
    right, wrong, failing = "print(int(input().split()[0]) + 1)", "print(0)", "1 / 0"
    expected = {}
    with path.open("w") as file:
        for number in range(count):
            tests = [
                {"input": f"{value} {BIG if number % 2 else ''}\n", "output": f"{value + 1}\n"}
                for value in range(number % 3, number % 3 + 3)
            ]
            code = (right, wrong, failing)[number % 3]
            file.write(json.dumps({"id": str(number), "code": code, "tests": tests}) + "\n")
            expected[str(number)] = ("AC", "WA", "RTE")[number % 3]
    return expected


def grade_all(grader: ClusterGrader, path: Path, disturb: Any = None) -> list[Grade]:
    with LineReader(path) as reader:
        found = []
        for grade in Stream(grader, reader, None, None, "results").results():
            found.append(grade)
            if len(found) == 5 and disturb:
                disturb()
        return found


@pytest.mark.thorough
@pytest.mark.parametrize(("killed", "in_order"), [(1, True), (2, True), (1, False)])
def test_killed_workers_lose_no_row(tmp_path: Path, killed: int, in_order: bool) -> None:
    """Killed at once, as by Ctrl-C, all workers are replaced."""
    expected = write_rows(tmp_path / "rows.jsonl", 60)
    notes: list[str] = []
    with start_workers(2) as client:
        with ClusterGrader(client, replace(OPTIONS, in_order=in_order), notes.append) as grader:

            def kill() -> None:
                for pid in list(client.run(os.getpid).values())[:killed]:
                    os.kill(pid, signal.SIGKILL)

            found = grade_all(grader, tmp_path / "rows.jsonl", kill)
            assert len(found) == len(expected)
            assert {each.id: each.verdict.value for each in found} == expected
        assert len([each for each in notes if "sandbox" in each]) >= 2


class _Gone:
    """A client whose scheduler has gone."""

    status = "connecting"
    scheduler = None


def test_a_lost_scheduler_ends_the_stream_and_names_resume() -> None:
    pool = object.__new__(WorkerPool)
    pool._client, pool._advice = _Gone(), "--resume grades the rest"
    with pytest.raises(JudgeError, match=r"is lost: the scheduler is gone.*--resume grades the rest"):
        pool._look_at_workers()


@pytest.mark.thorough
def test_workers_that_do_not_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.grading.cluster.pool.identify", lambda: "0.0.9 (00000000)")
    with start_workers(1) as client, pytest.raises(UsageError, match=r"refused: it has judge .*; expected 0\.0\.9"):
        ClusterGrader(client, OPTIONS)


def _weaken() -> None:
    """Let the sandbox of this process have the weakest level only."""
    from judge.sandbox.box import Box

    Box.__init__.__kwdefaults__.update(levels=(Level.LIMITS,))  # type: ignore[union-attr]


@pytest.mark.thorough
def test_workers_with_a_weaker_sandbox_than_required_are_refused() -> None:
    reason = r"refused: --require-sandbox landlock: this machine offers limits"
    with start_workers(1) as client:
        client.run(_weaken)
        with pytest.raises(UsageError, match=reason):
            ClusterGrader(client, replace(OPTIONS, required_level=Level.LANDLOCK))


@pytest.mark.parametrize(
    ("verdict", "margin", "is_settled", "is_uncertain", "slowness", "expected"),
    [
        ("AC", None, False, False, 2.0, False),  # nothing ran
        ("AC", 0.5, True, False, 1.0, False),
        ("AC", 0.05, True, False, 1.05, False),  # repeated by the worker
        ("AC", 0.5, True, True, 1.0, True),
        ("AC", 0.5, True, False, 0.5, True),  # this machine takes twice as long
        ("AC", 0.5, True, False, 2.0, False),
        ("TLE", 0.0, True, False, 2.0, True),
        ("TLE", 0.0, True, False, 0.5, False),
        ("AC", 0.05, False, False, 0.95, True),  # equally fast, but not repeated
        ("AC", 0.5, False, False, 0.95, False),
        ("TLE", 0.0, False, False, 1.05, True),
        ("TLE", -0.3, False, False, 1.05, False),  # well beyond the limit
        ("TLE", 0.0, False, False, 0.95, False),
    ],
)
def test_only_verdicts_that_depend_on_the_speed_are_repeated(
    verdict: str, margin: float | None, slowness: float, *, is_settled: bool, is_uncertain: bool, expected: bool
) -> None:
    found = depends_on_speed(Verdict(verdict), margin, slowness, is_settled=is_settled, is_uncertain=is_uncertain)
    assert found == expected


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def test_a_port_where_no_scheduler_answers_is_named(answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    def serve() -> None:
        with server.accept()[0] as connection, suppress(ConnectionError):
            connection.sendall(answer)
            while connection.recv(4096):
                pass

    monkeypatch.setattr("judge.grading.cluster.connection._TIMEOUT_S", 1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(UsageError, match=f"--scheduler {address}: no Dask scheduler answers"), connect(address):
            pass
        thread.join(timeout=60)
    with pytest.raises(UsageError, match=f"--scheduler {address}: no Dask scheduler answers"), connect(address):
        pass  # the port is closed now


def test_the_number_of_workers_is_checked() -> None:
    with pytest.raises(UsageError, match="--workers 0: expected a number"), start_workers(0):
        pass
