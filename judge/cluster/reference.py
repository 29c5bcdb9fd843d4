"""The machine that `judge grade` runs on: its speed is the measure, and it repeats verdicts that depend on speed."""

import threading
from collections.abc import Callable
from functools import cached_property

from msgspec.structs import replace

from judge.cluster.speed import depends_on_speed, measure_speed
from judge.cluster.values import WorkerReport
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

    @cached_property
    def _loop_s(self) -> float | None:
        try:
            return measure_speed(self.grader)
        except JudgeError:
            return None

    def slowness(self, worker: WorkerReport) -> float | None:
        """Return how much longer a program takes on a worker than here; None if it cannot be measured here."""
        return worker.loop_s / self._loop_s if self._loop_s and worker.loop_s else None

    def must_repeat(self, grade: Grade, worker: WorkerReport) -> bool:
        """Return whether a verdict of a worker could be another one here."""
        return depends_on_speed(grade, self.slowness(worker) or 1.0)

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
