"""Grading on a cluster: what has the rows of a stream graded by workers, and what runs on these."""

import platform
import threading
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from typing import Self

from distributed import Client
from msgspec.structs import replace

from judge.base.errors import JudgeError, describe_error
from judge.grading.cluster.pool import BATCHES_PER_THREAD, ClusterLostError, WorkerPool
from judge.grading.cluster.values import MAX_PARCELS, SMALL, Content, Done, Item, WorkerReport
from judge.grading.cluster.worker import depends_on_speed, wait_for
from judge.grading.grader import Grader
from judge.grading.rows import hash_parts
from judge.grading.values import Grade, GradeOptions, Row, Task, TextTest, blame_judge

_ADVICE = "the results until now are complete, and --resume grades the rest"


class ClusterGrader:
    """Grades rows on the workers of a cluster; a context manager.

    A grader of this machine, opened when it is needed, repeats verdicts that depend on a worker's speed.

    Args:
        options: how rows are graded; `jobs` is for the reference machine, which is this one.
        notify: takes a line for the user, such as why a worker is refused.

    Raises:
        UsageError: no worker is fit.
        JudgeError: there is no worker, or the connection is lost.
    """

    def __init__(self, client: Client, options: GradeOptions, notify: Callable[[str], object] = lambda _: None) -> None:
        self.options = replace(options, root=options.root and options.root.absolute())
        self._lock = threading.Lock()
        self._reference: Grader | None = None
        self._pool = WorkerPool(client, partial(GradeService, options=self.options), notify, advice=_ADVICE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def window(self) -> int:
        """How many rows are in memory at most."""
        return max(1024, self._pool.threads * BATCHES_PER_THREAD * MAX_PARCELS * 2)  # rows

    def close(self) -> None:
        """Cancel what runs and release the workers; rows that are being graded get no result."""
        self._pool.close()
        with self._lock:
            if self._reference is not None:
                self._reference.close()

    def _open_reference(self) -> Grader:
        """Return the grader of this machine.

        Raises:
            JudgeError: this machine can run no program, or none at the required level.
        """
        with self._lock:
            if self._reference is None:
                self._reference = Grader(self.options)
            return self._reference

    def prepare(self, row: Row) -> Row:
        """Return a row whose problem, if it names one, is read and prepared on this machine."""
        if isinstance(row, Grade) or not row.problem:
            return row
        return self._open_reference().prepare(row)

    def start(self, row: Row, done: Callable[[Grade | JudgeError], object]) -> None:
        """Grade a row that is prepared; call `done` in another thread. Waits while too much is in memory.

        Raises:
            JudgeError: the cluster is lost.
        """
        if isinstance(row, Grade):
            done(row)
            return
        task, contents = row, list[Content]()
        size = sum(len(each.input) + len(each.output) for each in row.tests)
        if size >= SMALL:
            key = hash_parts(*(part for each in row.tests for part in (each.input, each.output)))
            contents, task = [Content(key, row.tests, size)], replace(row, tests=())
        digest = self._open_reference().problem_digest(row.problem) if row.problem else ""

        def finish(found: Done | JudgeError) -> None:
            if isinstance(found, Done):
                self._check(row, found.result, found.worker, done)
            else:
                done(found if isinstance(found, ClusterLostError) else blame_judge(row, str(found)))

        self._pool.start(
            Item(
                payload=(task, digest),
                done=finish,
                contents=tuple(contents),
                size=size + len(row.code),
            )
        )

    def _check(self, task: Task, grade: Grade, worker: WorkerReport | None, done: Callable[[Grade], object]) -> None:
        """Hand on a result, unless the machine's speed decided it: then this machine repeats the row.

        It is uncertain if the second one differs, or this machine cannot grade.
        """
        slowness = self._pool.slowness(worker)
        if grade.score is None or not depends_on_speed(
            grade.verdict, grade.margin, slowness, is_settled=True, is_uncertain=grade.uncertain
        ):
            done(grade)
            return

        def compare(found: Grade) -> None:
            if found.score is None:
                done(replace(grade, uncertain=True))
            else:
                done(replace(found, uncertain=grade.uncertain or found.verdict != grade.verdict))

        try:
            self._open_reference().start(task, compare)
        except JudgeError:
            done(replace(grade, uncertain=True))


class GradeService:
    """Grades rows with a grader of this worker; its repository is that of the client if the worker has the same path.

    Raises:
        JudgeError: nothing can be run here, or the sandbox is weaker than required.
    """

    def __init__(self, threads: int, *, options: GradeOptions) -> None:
        root = options.root if options.root is not None and options.root.is_dir() else None
        self._grader = Grader(replace(options, root=root, jobs=threads))
        self._is_closed = False
        self.level = self._grader.level.value

    def handle(self, payload: tuple[Task, str], contents: Sequence[tuple[TextTest, ...]]) -> Grade:
        """Grade a row, which comes without its tests if they travel separately.

        The digest is that of the problem that it names, as the client has it; "" for tests.

        Raises:
            JudgeError: the grader was closed meanwhile.
        """
        task, digest = payload
        task = replace(task, tests=contents[0]) if contents else task
        if task.problem:
            try:
                found = self._grader.problem_digest(task.problem)
            except JudgeError as error:
                return blame_judge(task, f"{platform.node()}: {describe_error(error)}")
            if found != digest:
                reason = f"the files of {task.problem} differ from those of the client; give all machines the same"
                return blame_judge(task, f"{platform.node()}: {reason}")
        results: SimpleQueue[Grade] = SimpleQueue()
        self._grader.start(task, results.put)
        return wait_for(results, lambda: self._is_closed)

    def close(self) -> None:
        """Close the grader."""
        self._is_closed = True
        self._grader.close()
