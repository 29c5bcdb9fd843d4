"""What reaches the person's loop from outside: changed files and keys; it breaks off the round that goes on."""

import threading
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue

from judge.executors import LocalExecutor

QUIT, AGAIN, FRESH = frozenset("q\x03\x04"), frozenset("\r\nr"), frozenset("f")
"""The keys that mean something; Ctrl-C and Ctrl-D where the terminal gives them as such."""


@dataclass(frozen=True, slots=True)
class Changed:
    """These paths changed, came or went."""

    paths: frozenset[Path]


@dataclass(frozen=True, slots=True)
class Pressed:
    """A key was pressed."""

    key: str


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about the watching itself that a person should know."""

    text: str


Message = Changed | Pressed | Remark


class Inbox:
    """Messages from another thread. One that comes while a round goes on makes the executor abandon it."""

    def __init__(self, executor: LocalExecutor) -> None:
        self._executor = executor
        self._messages: SimpleQueue[Message | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._is_judging = False

    def tell(self, message: Message) -> None:
        """Leave a message; called by the other thread."""
        with self._lock:
            self._messages.put(message)
            if self._is_judging and not isinstance(message, Remark):
                self._executor.abandon()

    def begin_round(self) -> list[Message]:
        """Return the messages that are there; where there are none, a round has begun, and later ones break it off."""
        with self._lock:
            if found := self._taken():
                return found
            self._is_judging = True
            return []

    def end_round(self) -> None:
        """Let later messages wait, and the executor be ready again."""
        with self._lock:
            self._is_judging = False
        self._executor.resume()

    def wait(self) -> list[Message]:
        """Return at least one message.

        Raises:
            Interrupted: somebody asked the executor to stop.
        """
        first: Message = self._executor.wait(self._messages)
        return [first, *self._taken()]

    def _taken(self) -> list[Message]:
        found: list[Message] = []
        try:
            while True:
                if (message := self._messages.get_nowait()) is not None:
                    found.append(message)
        except Empty:
            return found
