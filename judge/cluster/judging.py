"""The worker's side of commands that judge: an executor of its own, and jobs that arrive."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from queue import SimpleQueue
from typing import TypeVar

from msgspec import Struct

from judge.cluster.programs import JobPayload, Tree, Unpacker
from judge.cluster.searching import ExaminationPayload, TargetUnpacker
from judge.cluster.values import Answer
from judge.cluster.worker import wait_for
from judge.errors import JudgeError, describe_error
from judge.executors import LocalExecutor
from judge.judging.judge import Job
from judge.model import CaseResult, Level
from judge.runner.solution import judge_job
from judge.sandbox.box import Box
from judge.search.elsewhere import examine_for_another
from judge.search.pool import WarmPool
from judge.workspace.session import require_level
from judge.workspace.temporary_folder import open_temporary_folder

T = TypeVar("T")
R = TypeVar("R")


class JudgeSpec(Struct, frozen=True, kw_only=True):
    """How a worker opens its executor.

    Attributes:
        required_level: the weakest sandbox level to accept.
        is_warm: Python solutions start warm.
    """

    required_level: Level
    is_warm: bool

    def open(self, threads: int) -> "JudgeService":
        """Open the executor.

        Raises:
            JudgeError: nothing can be run here, or the sandbox is weaker than required.
        """
        return JudgeService(self, threads)


class JudgeService:
    """Judges jobs with an executor of this worker."""

    def __init__(self, spec: JudgeSpec, threads: int) -> None:
        self._stack = ExitStack()
        self._is_closed = False
        try:
            private = self._stack.enter_context(open_temporary_folder())
            programs = private / "programs"
            programs.mkdir()
            programs.chmod(0o755)  # the sandbox may run programs as another user
            self._executor = self._stack.enter_context(
                LocalExecutor(threads, work_folder=programs, cleanup_folder=private, is_warm=spec.is_warm)
            )
            require_level(self._executor.level, spec.required_level)
            self._pool = self._stack.enter_context(WarmPool())
        except BaseException:
            self._stack.close()
            raise
        self._unpacker = Unpacker(programs)
        self._targets = TargetUnpacker(self._unpacker)
        self.level = self._executor.level.value

    def handle(self, payload: JobPayload | ExaminationPayload, contents: Sequence[Tree | bytes]) -> Answer:
        """Judge a job, or examine an input for a search.

        Raises:
            JudgeError: the service was closed meanwhile.
        """
        try:
            if isinstance(payload, JobPayload):
                job = self._unpacker.unpack(payload, list(contents))
                return Answer(None, job) if isinstance(job, str) else self._run(_judge, job)
            target = self._targets.unpack(payload, contents)
        except OSError as error:
            return Answer(None, describe_error(error))
        if isinstance(target, str):
            return Answer(None, target)
        return self._run(lambda box, given: examine_for_another(target, given, self._pool, box), payload.examination)

    def _run(self, function: Callable[[Box, T], R], item: T) -> Answer:
        """Return what a function says in the box of some worker, or why it fails."""
        answers: SimpleQueue[R | BaseException] = SimpleQueue()

        def done(result: R | None, error: BaseException | None) -> None:
            answers.put(result if result is not None else error or JudgeError("no result"))

        self._executor.submit(function, item, done)
        found = wait_for(answers, lambda: self._is_closed)
        if not isinstance(found, BaseException):
            return Answer(found)
        return Answer(None, describe_error(found) if isinstance(found, JudgeError | OSError) else repr(found))

    def close(self) -> None:
        """End all runs and remove all files."""
        self._is_closed = True
        self._stack.close()


def _judge(box: Box, job: Job) -> CaseResult:
    return judge_job(job, box)[0]
