"""The worker's side of `judge grade`: a grader, and rows that arrive."""

import platform
from collections.abc import Sequence
from queue import SimpleQueue

from msgspec import Struct
from msgspec.structs import replace

from judge.cluster.worker import wait_for
from judge.errors import JudgeError, describe_error
from judge.grading.grader import Grader
from judge.grading.values import Grade, GradeOptions, Task, TextTest, blame_judge


class RowPayload(Struct, frozen=True, kw_only=True):
    """A row on its way to a worker.

    Attributes:
        task: the row; without its tests if they travel separately.
        problem_digest: of the problem that it names, as the client has it; "" for tests.
    """

    task: Task
    problem_digest: str = ""


class GradeSpec(Struct, frozen=True):
    """How a worker opens its grader."""

    options: GradeOptions

    def open(self, threads: int) -> "GradeService":
        """Open the grader; its repository is that of the client if the worker has the same path.

        Raises:
            JudgeError: nothing can be run here, or the sandbox is weaker than required.
        """
        root = self.options.root
        root = root if root is not None and root.is_dir() else None
        return GradeService(Grader(replace(self.options, root=root, jobs=threads)))


class GradeService:
    """Grades rows with a grader of this worker."""

    def __init__(self, grader: Grader) -> None:
        self._grader = grader
        self._is_closed = False
        self.level = grader.level.value

    def handle(self, payload: RowPayload, contents: Sequence[tuple[TextTest, ...]]) -> Grade:
        """Grade a row.

        Raises:
            JudgeError: the grader was closed meanwhile.
        """
        task = replace(payload.task, tests=contents[0]) if contents else payload.task
        if task.problem:
            try:
                found = self._grader.problem_digest(task.problem)
            except JudgeError as error:
                return blame_judge(task, f"{platform.node()}: {describe_error(error)}")
            if found != payload.problem_digest:
                reason = f"the files of {task.problem} differ from those of the client; give all machines the same"
                return blame_judge(task, f"{platform.node()}: {reason}")
        results: SimpleQueue[Grade] = SimpleQueue()
        self._grader.start(task, results.put)
        return wait_for(results, lambda: self._is_closed)

    def close(self) -> None:
        """Close the grader."""
        self._is_closed = True
        self._grader.close()
