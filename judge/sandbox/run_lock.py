"""Repeating a run while nothing else of ours runs."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class RunLock:
    """Shared by the boxes of one executor: many runs at once, or one alone."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._alone = 0  # those who run alone or wait for it; they go first

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Run beside others; waits while somebody runs alone or wants to."""
        with self._changed:
            self._changed.wait_for(lambda: not self._alone)
            self._running += 1
        try:
            yield
        finally:
            self._leave()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Run alone; waits until the others have ended."""
        with self._changed:
            self._alone += 1  # until the end: who comes meanwhile waits
        try:
            with self._changed:
                self._changed.wait_for(lambda: not self._running)
                self._running += 1
            try:
                yield
            finally:
                self._leave()
        finally:
            with self._changed:
                self._alone -= 1
                self._changed.notify_all()

    def _leave(self) -> None:
        with self._changed:
            self._running -= 1
            self._changed.notify_all()
