"""Who does which job: the queue between the thread that asks and the workers."""

import threading
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue

from judge.sandbox.box import Box

Job = Callable[[Box], None]
WorkerQueue = SimpleQueue[Job | None]
"""What one worker is given: a job, or None to end."""


class Dispatcher:
    """Hands jobs to workers: to the one that became idle last, so that no more boxes are started than are needed.

    Attributes:
        desks: one for each worker; the first gets the first job.
    """

    def __init__(self, workers: int) -> None:
        self.desks: list[WorkerQueue] = [SimpleQueue() for _ in range(workers)]
        self._lock = threading.Lock()
        self._waiting: deque[Job] = deque()
        self._idle = self.desks[::-1]  # the next to get a job is the last

    def put(self, job: Job) -> None:
        """Have a job done."""
        with self._lock:
            if self._idle:
                self._idle.pop().put(job)
            else:
                self._waiting.append(job)

    def give_more(self, desk: WorkerQueue) -> None:
        """Take note that a worker is done with its job."""
        with self._lock:
            if self._waiting:
                desk.put(self._waiting.popleft())
            else:
                self._idle.append(desk)

    def clear(self) -> None:
        """Forget the jobs that nobody has begun."""
        with self._lock:
            self._waiting.clear()

    def end(self) -> None:
        """Let the workers end when they have done what they have."""
        self.clear()
        for desk in self.desks:
            desk.put(None)
