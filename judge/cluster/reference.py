"""The machine that `judge grade` runs on: it repeats verdicts that depend on a worker's speed."""

import threading
from collections.abc import Callable

from msgspec.structs import replace

from judge.errors import JudgeError
from judge.grading.grader import Grader
from judge.grading.values import Grade, GradeOptions, Task


class Reference:
    """A grader of this machine, opened when it is needed. Where none can be opened, doubtful verdicts are marked.

    Args:
        options: as for the workers.
    """

    def __init__(self, options: GradeOptions) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._grader: Grader | None = None

    @property
    def grader(self) -> Grader:
        """The grader.

        Raises:
            JudgeError: this machine can run no program, or none at the required level.
        """
        with self._lock:
            if self._grader is None:
                self._grader = Grader(self._options)
            return self._grader

    def repeat(self, task: Task, grade: Grade, done: Callable[[Grade], object]) -> None:
        """Grade a row again here; `done` gets the result, uncertain if it differs or cannot be had."""

        def compare(found: Grade) -> None:
            if found.score is None:
                done(replace(grade, uncertain=True))
            else:
                done(replace(found, uncertain=grade.uncertain or found.verdict != grade.verdict))

        try:
            self.grader.start(task, compare)
        except JudgeError:
            done(replace(grade, uncertain=True))

    def close(self) -> None:
        """Close the grader."""
        with self._lock:
            if self._grader is not None:
                self._grader.close()
