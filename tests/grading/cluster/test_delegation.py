"""What becomes of a job that no worker can decide: a pool without a cluster answers as the test wants."""

import math
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from judge.base.units import MIB, Bytes, Seconds
from judge.hack.values import Examination, ExaminationDelegate, NamedProgram, Target
from judge.judging.judge import Job
from judge.model import CaseResult, Ending, RunResult, Verdict
from judge.runner.executors import Interrupted, LocalExecutor
from judge.runner.solution import judge_job
from judge.sandbox.box import Box
from tests.grading.cluster.jobs import CASE, LIMITS, make_job, open_folder

pytest.importorskip("distributed", reason="Dask is not installed: pip install '.[dask]'")
pytest.importorskip("cloudpickle", reason="cloudpickle is not installed: pip install '.[dask]'")
from judge.base.errors import JudgeError
from judge.grading.cluster.executor import ClusterExecutor
from judge.grading.cluster.payloads import Packed
from judge.grading.cluster.pool import ClusterLostError
from judge.grading.cluster.values import Answer, Done, Item, WorkerReport

WORKER = WorkerReport(address="tcp://there", threads=1, loop_s=1.0)


class _Pool:
    """Gives each job the answer of the test, in a thread of its own as a pool does."""

    threads = 1

    def __init__(self) -> None:
        self.answer: Callable[[Packed], Answer | JudgeError | None] = lambda _: None
        self.failure: JudgeError | None = None  # the answer to other work
        self.slower = 1.0
        self.asked = threading.Event()
        self.is_closed = False

    def slowness(self, worker: WorkerReport) -> float:
        assert worker == WORKER
        return self.slower

    def start(self, item: Item) -> None:
        self.asked.set()
        answer = self.answer(item.payload) if isinstance(item.payload, Packed) else self.failure
        if answer is not None:
            result = answer if isinstance(answer, JudgeError) else Done(answer, WORKER)
            threading.Thread(target=item.done, args=(result,)).start()

    def close(self) -> None:
        self.is_closed = True


class _Setup(SimpleNamespace):
    pool: _Pool
    notes: list[str]
    folder: Path
    executor: ClusterExecutor

    def open(self, place: str = "") -> ClusterExecutor:
        """Open an executor for this pool."""
        client: Any = None
        folder = self.folder
        return ClusterExecutor(client, self.notes.append, place=place, work_folder=folder, cleanup_folder=folder.parent)

    def judge(self, executor: LocalExecutor) -> list[CaseResult]:
        """Judge the same right solution twice."""
        return list(executor.map(judge_one, [make_job(self.folder)] * 2))


@pytest.fixture
def setup(monkeypatch: pytest.MonkeyPatch) -> Iterator[_Setup]:
    pool = _Pool()
    monkeypatch.setattr("judge.grading.cluster.executor.WorkerPool", lambda *_, **__: pool)
    with open_folder() as folder:
        yield _Setup(pool=pool, notes=[], folder=folder)


def judge_one(box: Box, job: Job) -> CaseResult:
    return judge_job(job, box, needs_output=False)[0]


def too_slow(_: Packed) -> Answer:
    """Answer with TLE."""
    run = RunResult(
        ending=Ending.TIME_LIMIT, cpu=LIMITS.cpu, wall=Seconds(2.1), memory=Bytes(MIB), output_bytes=Bytes(0)
    )
    return Answer(CaseResult(case=CASE, verdict=Verdict.TLE, run=run))


@pytest.mark.parametrize(
    ("place", "slower", "expected"),
    [
        ("", 1.0, Verdict.TLE),  # the worker is on this machine
        ("", 2.0, Verdict.AC),  # a worker that is slower
        ("cluster", 1.05, Verdict.AC),  # near a limit
        ("cluster", 0.5, Verdict.TLE),  # the worker is faster
    ],
)
def test_a_verdict_that_depends_on_the_speed_is_found_again_here(
    setup: _Setup, place: str, slower: float, expected: Verdict
) -> None:
    setup.pool.answer, setup.pool.slower = too_slow, slower
    with setup.open(place) as executor:
        assert [each.verdict for each in setup.judge(executor)] == [expected] * 2
    assert setup.pool.is_closed


def test_what_a_worker_lacks_is_judged_here_and_noted_once(setup: _Setup) -> None:
    setup.pool.answer = lambda _: Answer(None, "it has no /usr/bin/pypy3")
    with setup.open() as executor:
        assert [each.verdict for each in setup.judge(executor)] == [Verdict.AC] * 2
    (note,) = setup.notes
    assert "worker tcp://there cannot judge some jobs: it has no /usr/bin/pypy3" in note


def test_a_job_that_kills_its_workers_is_an_error_and_a_lost_cluster_ends_all(setup: _Setup) -> None:
    setup.pool.answer = lambda _: JudgeError("all workers were lost")
    with setup.open() as executor:
        assert [(each.verdict, each.reason) for each in setup.judge(executor)] == [
            (Verdict.JE, "all workers were lost")
        ] * 2
        setup.pool.answer = lambda _: ClusterLostError("the scheduler is gone")
        with pytest.raises(ClusterLostError, match="the scheduler is gone"):
            setup.judge(executor)


def test_an_interrupt_ends_jobs_that_are_at_a_worker(setup: _Setup) -> None:
    with setup.open() as executor:
        results = executor.map(judge_one, [make_job(setup.folder)])
        threading.Timer(0.3, executor.interrupt).start()
        with pytest.raises(Interrupted):
            next(results)
        assert setup.pool.asked.is_set()
    for each in executor._threads:
        each.join(timeout=30)
        assert not each.is_alive()
    assert setup.pool.is_closed


def test_an_examination_ends_at_its_deadline(setup: _Setup) -> None:
    target = Target(submission=NamedProgram(name="a", program=make_job(setup.folder).program), limits=LIMITS)
    with setup.open() as executor:
        (box, *_) = executor._boxes
        assert isinstance(box, ExaminationDelegate)
        assert box.examine_remotely(target, Examination(data=b"x\n", seconds=0.0)) is None
        assert not setup.pool.asked.is_set()
        assert box.examine_remotely(target, Examination(data=b"x\n", seconds=0.2)) is None
        assert setup.pool.asked.is_set()
        setup.pool.failure = ClusterLostError("the scheduler is gone")
        with pytest.raises(ClusterLostError):
            box.examine_remotely(target, Examination(data=b"x\n", seconds=math.inf))


def test_an_executor_that_was_abandoned_judges_again(setup: _Setup) -> None:
    with setup.open() as executor:
        results = executor.map(judge_one, [make_job(setup.folder)])
        threading.Timer(0.3, executor.abandon).start()
        with pytest.raises(Interrupted):
            next(results)
        executor.resume()
        setup.pool.answer = too_slow
        assert [each.verdict for each in setup.judge(executor)] == [Verdict.TLE] * 2


def test_an_interrupted_end_releases_the_cluster(setup: _Setup, monkeypatch: pytest.MonkeyPatch) -> None:
    executor = setup.open()
    close = LocalExecutor.close

    def interrupt(executor: LocalExecutor) -> None:
        close(executor)
        raise KeyboardInterrupt

    monkeypatch.setattr(LocalExecutor, "close", interrupt)
    with pytest.raises(KeyboardInterrupt):
        executor.close()
    assert setup.pool.is_closed
