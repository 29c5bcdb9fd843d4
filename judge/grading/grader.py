"""A grader: workers, opened once, that grade rows of any number of streams and threads."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import count, islice
from queue import SimpleQueue
from typing import Self

from judge.base.errors import JudgeError, UsageError, describe_error
from judge.grading.grade_row import CaseOrder, grade_row
from judge.grading.problems import PreparedProblem, ProblemStore
from judge.grading.rows import hash_parts, parse_row, with_problem_digest
from judge.grading.submission import ProblemSubmission, Submission, TestedSubmission
from judge.grading.values import Document, Grade, GradeOptions, Row, Task, blame_judge, blame_row
from judge.model import MAX_JOBS, Level
from judge.sandbox.box import Box
from judge.workspace.options import SessionOptions
from judge.workspace.session import Session, require_level
from judge.workspace.workspace import Workspace


class Grader:
    """Grades rows; a context manager that ends all runs and removes all temporary files. Thread-safe.

    Raises:
        UsageError: `jobs` is out of range, or the sandbox is weaker than required.
        SandboxError: no program can be run here.
    """

    def __init__(self, options: GradeOptions | None = None) -> None:
        self.options = options or GradeOptions()
        if self.options.jobs is not None and not 1 <= self.options.jobs <= MAX_JOBS:
            raise UsageError(f"jobs={self.options.jobs}: expected a number from 1 to {MAX_JOBS}")
        self._stack = ExitStack()
        try:
            session_options = SessionOptions(
                jobs=self.options.jobs,
                is_warm=self.options.is_warm,
                is_shared=True,
                tools={"python": self.options.python} if self.options.python else {},
                profile=self.options.profile,
            )
            workspace = Workspace.find_or_use(self.options.root)
            self._session: Session = self._stack.enter_context(
                workspace.open_session(workspace.with_settings(session_options))
            )
            self._tools = dict(self._session.options.tools)
            self.level: Level = self._session.executor.level
            if self.options.required_level is not None:
                require_level(self.level, self.options.required_level)
            folder = self._session.store.build.with_name("submissions")  # removed with the session, however it ends
            folder.mkdir()
            self._problems = ProblemStore(self.options, self._session, folder)
        except BaseException:
            self._stack.close()
            raise
        self._order = CaseOrder()
        self._is_closed = False
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[Task, Callable[[Grade], object]]] = {}  # rows without a result, by a number
        self._numbers = count()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all runs and release everything; rows that are being graded get a result without a score."""
        with self._lock:
            self._is_closed = True
        self._stack.close()
        for number in list(self._waiting):
            self._finish(number, None, "the Grader was closed")

    @property
    def window(self) -> int:
        """How many rows a stream has in memory at most: for each worker, one that is graded and one that waits."""
        return self._session.executor.workers * 2

    def prepare(self, row: Row) -> Row:
        """Return a row whose problem, if it names one, is read and prepared; its digest covers the problem's files."""
        if isinstance(row, Grade) or not row.problem:
            return row
        try:
            problem = self._problems.get(row.problem)
            problem.check(row)
        except JudgeError as error:
            reason = f"line {row.line}: {describe_error(error)}"
            digest = hash_parts(row.digest.encode(), reason.encode())
            return blame_row(row.id, row.line, reason, digest, row.group)
        return with_problem_digest(row, problem.digest)

    def problem_digest(self, name: str) -> str:
        """Return the digest of the files of a problem that rows name.

        Raises:
            JudgeError: there is no such problem, or its files are wrong.
        """
        return self._problems.get(name).digest

    def start(self, row: Row, done: Callable[[Grade], object]) -> None:
        """Grade a row that is prepared; call `done` with the result, usually in another thread.

        Raises:
            JudgeError: the grader is closed, or the row was not prepared, and its problem cannot be read.
        """
        # not in a worker: `get` may wait for a problem that is being prepared, which takes workers
        problem = None if isinstance(row, Grade) or not row.problem else self._problems.get(row.problem)
        with self._lock:
            if self._is_closed:
                raise JudgeError("this Grader is closed")
            number = next(self._numbers)
            if isinstance(row, Task):
                self._waiting[number] = row, done
        if isinstance(row, Grade):
            done(row)
            return

        def finish(grade: Grade | None, error: BaseException | None) -> None:
            self._finish(number, grade, describe_error(error) if isinstance(error, Exception) else repr(error))

        self._session.executor.submit(self._grade, (row, problem), finish)

    def _finish(self, number: int, grade: Grade | None, fault: str) -> None:
        """Hand on the result of a row, once; `fault` is why there is none."""
        waiting = self._waiting.pop(number, None)
        if waiting is not None:
            row, done = waiting
            done(blame_judge(row, fault) if grade is None else grade)

    def grade(self, rows: Iterable[Document]) -> Iterator[Grade]:
        """Grade rows; yield each result when it is known, in any order.

        Rows are taken, in the caller's thread, only as fast as results are: while the caller waits for the next row,
        results wait, too. `grade_async` yields them meanwhile.
        """
        results: SimpleQueue[Grade] = SimpleQueue()
        pending = 0
        for line, document in enumerate(rows, 1):
            self.start(self.prepare(parse_row(document, line, self.options)), results.put)
            pending += 1
            while pending >= self.window or not results.empty():
                yield results.get()
                pending -= 1
        for _ in range(pending):
            yield results.get()

    def grade_one(self, row: Document) -> Grade:
        """Grade one row and wait for its result; several threads may do so at the same time."""
        results: SimpleQueue[Grade] = SimpleQueue()
        self.start(self.prepare(parse_row(row, 1, self.options)), results.put)
        return results.get()

    async def grade_async(self, rows: Iterable[Document] | AsyncIterable[Document]) -> AsyncIterator[Grade]:
        """Do what `grade` does for an event loop, which it never blocks; `rows` may be asynchronous, too."""
        loop = asyncio.get_running_loop()
        results: asyncio.Queue[Grade | None] = asyncio.Queue()
        slots = asyncio.Semaphore(self.window)
        started = done = 0

        def put(grade: Grade) -> None:
            with contextlib.suppress(RuntimeError):  # the loop was closed: no one waits
                loop.call_soon_threadsafe(results.put_nowait, grade)

        async def feed() -> None:
            nonlocal started
            try:
                async for document in _iterate(rows):
                    await slots.acquire()
                    row = parse_row(document, started + 1, self.options)
                    if isinstance(row, Task) and row.problem:
                        row = await asyncio.to_thread(self.prepare, row)
                    self.start(row, put)
                    started += 1
            finally:
                results.put_nowait(None)

        feeder = asyncio.create_task(feed())
        try:
            while not feeder.done() or done < started:
                grade = await results.get()
                if grade is None:
                    await feeder  # raises the error of the iterable
                    continue
                done += 1
                slots.release()
                yield grade
            await feeder  # it may have failed while the caller had the last result
        finally:
            feeder.cancel()

    def _grade(self, box: Box, item: tuple[Task, PreparedProblem | None]) -> Grade:
        problem = item[1]

        def open_submission(task: Task, cold: Box) -> Submission:
            if problem is not None:
                return ProblemSubmission(task, problem.override(task), self._tools, cold)
            return TestedSubmission(task, self._session.store, self._tools, cold)

        return grade_row(box, item[0], self.options, open_submission, self._order)


async def _iterate(rows: Iterable[Document] | AsyncIterable[Document]) -> AsyncIterator[Document]:
    if isinstance(rows, AsyncIterable):
        async for row in rows:
            yield row
        return
    iterator = iter(rows)
    while taken := await asyncio.to_thread(lambda: list(islice(iterator, 1))):  # the next row may take long
        yield taken[0]


class GradeStream:
    """The results of a stream of rows, for `for` or `async for`; workers start with the first and end with the last.

    Args:
        rows: JSON objects, as in a file of submissions; for `async for` also an asynchronous iterable.
    """

    def __init__(self, rows: Iterable[Document] | AsyncIterable[Document], create: Callable[[], Grader]) -> None:
        self._rows = rows
        self._create = create

    def __iter__(self) -> Iterator[Grade]:
        if not isinstance(self._rows, Iterable):
            raise UsageError("the rows are asynchronous: use `async for`")
        with self._create() as grader:
            yield from grader.grade(self._rows)

    async def __aiter__(self) -> AsyncIterator[Grade]:
        grader = await asyncio.to_thread(self._create)
        try:
            async for grade in grader.grade_async(self._rows):
                yield grade
        finally:
            await asyncio.to_thread(grader.close)
