"""The worker's side of commands that judge: an executor of its own, and jobs that arrive."""

from collections.abc import Sequence
from contextlib import ExitStack
from queue import SimpleQueue

from msgspec import Struct

from judge.cluster.programs import JobPayload, Tree, Unpacker
from judge.cluster.worker import wait_for
from judge.errors import JudgeError, describe_error
from judge.executors import LocalExecutor
from judge.judging.judge import Job
from judge.model import CaseResult, Level
from judge.runner.solution import judge_job
from judge.sandbox.box import Box
from judge.workspace.session import require_level
from judge.workspace.temporary_folder import open_temporary_folder


class JobAnswer(Struct, frozen=True):
    """What a worker says about a job.

    Attributes:
        result: None if the worker cannot judge it.
        reason: why not.
    """

    result: CaseResult | None
    reason: str = ""


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
        except BaseException:
            self._stack.close()
            raise
        self._unpacker = Unpacker(programs)
        self.level = self._executor.level.value

    def handle(self, payload: JobPayload, contents: Sequence[Tree | bytes]) -> JobAnswer:
        """Judge a job.

        Raises:
            JudgeError: the service was closed meanwhile.
        """
        try:
            job = self._unpacker.unpack(payload, list(contents))
        except OSError as error:
            return JobAnswer(None, describe_error(error))
        if isinstance(job, str):
            return JobAnswer(None, job)
        answers: SimpleQueue[CaseResult | BaseException] = SimpleQueue()

        def done(result: CaseResult | None, error: BaseException | None) -> None:
            answers.put(result if result is not None else error or JudgeError("no result"))

        self._executor.submit(_judge, job, done)
        found = wait_for(answers, lambda: self._is_closed)
        if isinstance(found, CaseResult):
            return JobAnswer(found)
        return JobAnswer(None, describe_error(found) if isinstance(found, JudgeError | OSError) else repr(found))

    def close(self) -> None:
        """End all runs and remove all files."""
        self._is_closed = True
        self._stack.close()


def _judge(box: Box, job: Job) -> CaseResult:
    return judge_job(job, box)[0]
