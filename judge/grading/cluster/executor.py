"""An executor whose jobs are judged by the workers of a cluster; everything else runs on this machine.

Programs are compiled, and test data is prepared, on this machine: so each happens once, and commands need not know
where their jobs are judged. A thread of this executor waits for each job that a worker judges.

A worker has an executor of its own, for the jobs that arrive.
"""

import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from distributed import Client
from msgspec.structs import replace

from judge.base.errors import JudgeError, SandboxError, ToolError, describe_error
from judge.grading.cluster.payloads import ExaminationPayload, Packed, Packer, Unpacker
from judge.grading.cluster.pool import ClusterLostError, WorkerPool
from judge.grading.cluster.values import Answer, Content, Done, Item, WorkerReport
from judge.grading.cluster.worker import depends_on_speed, wait_for
from judge.hack.examine import examine_for_remote
from judge.hack.pool import WarmPool
from judge.hack.values import Examination, ExaminationAnswer, ExaminationDelegate, Examined, Status, Target
from judge.judging.judge import Job, JobDelegate
from judge.model import CaseResult, Level, Limits, RunResult, Verdict
from judge.runner.executors import LocalExecutor, default_workers
from judge.runner.solution import judge_job
from judge.sandbox.box import RUN_INTERRUPTED, Box, RunLock
from judge.sandbox.warm_box import WarmBox
from judge.workspace.session import open_temporary_folder, require_level

_ADVICE = "repeat the command: results until now come from the cache"


class ClusterExecutor(LocalExecutor):
    """Runs on the workers of a cluster; a context manager. Thread-safe as a `LocalExecutor`.

    Args:
        notify: takes a line for the user, such as why a worker is refused.
        place: where the workers are, for the keys of results; "" for this machine.
        required_level: the weakest sandbox level to accept of workers; None for that of this machine.
        work_folder, cleanup_folder, is_warm: see `LocalExecutor`.

    Raises:
        UsageError: no worker is fit.
        JudgeError: there is no worker, or nothing can be run here.
    """

    def __init__(
        self,
        client: Client,
        notify: Callable[[str], object],
        *,
        place: str,
        required_level: Level | None = None,
        work_folder: Path,
        cleanup_folder: Path,
        is_warm: bool = False,
    ) -> None:
        with Box() as box:
            level = box.level
        service = partial(JudgeService, required_level=required_level or level, is_warm=is_warm)
        pool = WorkerPool(client, service, notify, advice=_ADVICE)
        self._remote = _Remote(pool, Packer(work_folder), notify, is_here=not place)
        # Batches of short jobs have about a third of 16 jobs for each thread of a worker. Each job takes a thread here;
        # twice as many results, of some KiB each, wait for an earlier one.
        jobs = min(1024, pool.threads * 16)
        try:
            super().__init__(
                jobs,
                work_folder=work_folder,
                cleanup_folder=cleanup_folder,
                is_warm=is_warm,
                box_class=partial(_RemoteWarmBox if is_warm else _RemoteBox, remote=self._remote),
            )
        except BaseException:
            pool.close()
            raise
        self.place = place

    @property
    def parallel_runs(self) -> int:
        """How many runs happen at the same time, if all workers have one."""
        return max(1, self._remote.pool.threads)

    def close(self) -> None:
        """End all runs, boxes and workers, and release the cluster."""
        try:
            super().close()
        finally:  # also after a second Ctrl-C: a scheduler that others use must not keep the service
            self._remote.pool.close()


class _Remote:
    """What all boxes of an executor share."""

    def __init__(self, pool: WorkerPool, packer: Packer, notify: Callable[[str], object], *, is_here: bool) -> None:
        self.pool = pool
        self.is_here = is_here  # the workers are on this machine
        self.packer = packer
        self.packing = threading.Lock()
        self.run_lock = RunLock(default_workers())  # of this machine: there are more boxes than cores
        self._notify = notify
        self._reasons: set[str] = set()

    def note_missing(self, reason: str, worker: str) -> None:
        """Tell the user once why something is judged here."""
        if reason not in self._reasons:
            self._reasons.add(reason)
            self._notify(f"worker {worker} cannot judge some jobs: {reason}; they are judged on this machine")


class _RemoteBox(JobDelegate, ExaminationDelegate, Box):
    """A box on this machine that has jobs judged, and inputs examined, by the cluster."""

    def __init__(self, *, remote: _Remote, **options: Any) -> None:
        super().__init__(**{**options, "run_lock": remote.run_lock})
        self._remote = remote
        self._answers: SimpleQueue[Done | JudgeError | None] = SimpleQueue()

    def judge_remotely(self, job: Job) -> CaseResult | None:
        """Have a job judged by the cluster; None if only this machine can, or if the verdict depends on the speed.

        Raises:
            JudgeError: the cluster is lost, or the job was interrupted.
        """
        match self._ask(lambda: self._remote.packer.pack_job(job)):
            case Done(result=Answer(CaseResult() as result), worker=worker):
                if self._depends_on_speed(result.verdict, result.run, job.case.limits, worker):
                    return None
                return replace(result, case=job.case)
            case JudgeError() as error:
                return CaseResult(case=job.case, verdict=Verdict.JE, reason=str(error))
        return None

    def examine_remotely(self, target: Target, examination: Examination) -> ExaminationAnswer | None:
        """Have an input examined by the cluster; None if only this machine can, or if the result depends on the speed.

        It is None, too, when the deadline comes first: then this machine says that nothing is known.

        Raises:
            JudgeError: the cluster is lost, or the examination was interrupted.
        """
        match self._ask(
            lambda: self._remote.packer.pack_examination(target, examination),
            len(examination.data),
            examination.seconds,
        ):
            case Done(result=Answer(ExaminationAnswer() as answer), worker=worker):
                run, kind = answer.examined.run, answer.examined.kind
                if self._depends_on_speed(kind.verdict if kind else Verdict.AC, run, target.limits, worker):
                    return None
                return answer
            case JudgeError() as error:  # of this input: the search goes on with others
                unknown = Examined(data=b"", status=Status.UNKNOWN)
                return ExaminationAnswer(examined=unknown, faults=(("the cluster", "fails", str(error)),))
        return None

    def _depends_on_speed(
        self, verdict: Verdict, run: RunResult | None, limits: Limits, worker: WorkerReport | None
    ) -> bool:
        """Return whether the verdict on a run of a worker could be another one on this machine."""
        slowness = self._remote.pool.slowness(worker)
        # the smaller share of the time limits that the run left unused
        margin = None if run is None else 1 - max(run.cpu / limits.cpu, run.wall / limits.wall)
        return depends_on_speed(verdict, margin, slowness, is_settled=self._remote.is_here)

    def _ask(
        self,
        pack: Callable[[], tuple[Any, tuple[Content, ...]] | None],
        size: int = 0,
        seconds: float = math.inf,
    ) -> Done | JudgeError | None:
        """Return the answer of some worker; None if this machine must find it, or if there is none in time.

        One box at a time calls `pack`, so that those that wait for room hold no data; `size` is that of the payload in
        bytes, and `seconds` the time to wait for the answer.

        Raises:
            JudgeError: the cluster is lost, or this was interrupted.
        """
        answers: SimpleQueue[Done | JudgeError | None] = SimpleQueue()
        self._answers = answers
        deadline = time.monotonic() + seconds
        with self._remote.packing:
            try:
                packed = None if self._closed or time.monotonic() >= deadline else pack()
            except OSError:  # the run on this machine reports it
                packed = None
            if packed is None:
                return None
            payload, contents = packed
            size += sum(each.size for each in contents if isinstance(each.value, bytes))
            self._remote.pool.start(Item(payload=payload, done=answers.put, contents=contents, size=size))
        try:
            left = min(max(0.0, deadline - time.monotonic()), threading.TIMEOUT_MAX)
            answer = None if self._closed else answers.get(timeout=left)  # `interrupt` was called meanwhile
        except Empty:
            return None
        if answer is None:
            raise SandboxError(RUN_INTERRUPTED)
        if isinstance(answer, ClusterLostError):
            raise answer
        if isinstance(answer, Done) and answer.result.result is None:
            self._remote.note_missing(answer.result.reason, answer.worker.address if answer.worker else "")
            return None
        return answer

    def interrupt(self) -> None:
        """End the current run, wherever it is; see `Box.interrupt`."""
        super().interrupt()
        self._answers.put(None)


class _RemoteWarmBox(_RemoteBox, WarmBox):
    """The same for warm runs."""


# ---- the worker's side ----------------------------------------------------------------------------------------------


class JudgeService:
    """Judges jobs, and examines inputs for searches, with an executor of this worker.

    Args:
        threads: pieces of work at the same time.
        required_level: the weakest sandbox level to accept.

    Raises:
        JudgeError: nothing can be run here, or the sandbox is weaker than required.
    """

    def __init__(self, threads: int, *, required_level: Level, is_warm: bool) -> None:
        self._stack = ExitStack()
        self._is_closed = False
        try:
            private = self._stack.enter_context(open_temporary_folder())
            programs = private / "programs"
            programs.mkdir()
            programs.chmod(0o755)  # the sandbox may run programs as another user
            self._executor = self._stack.enter_context(
                LocalExecutor(threads, work_folder=programs, cleanup_folder=private, is_warm=is_warm)
            )
            require_level(self._executor.level, required_level)
            self._pool = self._stack.enter_context(WarmPool())
        except BaseException:
            self._stack.close()
            raise
        self._unpacker = Unpacker(programs)
        self.level = self._executor.level.value

    def handle(self, payload: Packed | ExaminationPayload, contents: Sequence[Any]) -> Answer:
        """Judge a job, or examine an input for a search.

        Raises:
            JudgeError: the service was closed meanwhile.
        """
        try:
            if isinstance(payload, Packed):
                job = self._unpacker.unpack(payload, contents)
                return self._run(lambda box: judge_job(job, box)[0])
            target = self._unpacker.unpack_target(payload, contents)
        except (ToolError, OSError) as error:
            return Answer(None, describe_error(error))
        return self._run(lambda box: examine_for_remote(target, payload[0], self._pool, box))

    def _run(self, function: Callable[[Box], object]) -> Answer:
        """Return what a function says in the box of some worker, or why it fails."""
        answers: SimpleQueue[object] = SimpleQueue()
        self._executor.submit(
            lambda box, _: function(box), None, lambda result, error: answers.put(result if error is None else error)
        )
        found = wait_for(answers, lambda: self._is_closed)
        if not isinstance(found, BaseException):
            return Answer(found)
        return Answer(None, describe_error(found) if isinstance(found, JudgeError | OSError) else repr(found))

    def close(self) -> None:
        """End all runs and remove all files."""
        self._is_closed = True
        self._stack.close()
