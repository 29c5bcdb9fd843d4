"""A thread that listens to the disk and the keyboard. What an editor does in one save is told as one change."""

import os
import re
import select
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Self

from judge.executors import LocalExecutor
from judge.watch.watchers import Noticing, PollingWatcher, WatchSpec, why_no_inotify

QUIT, AGAIN, FRESH = frozenset("q\x03\x04"), frozenset("\r\nr"), frozenset("f")
"""The keys that mean something; Ctrl-C and Ctrl-D where the terminal gives them as such."""


@dataclass(frozen=True, slots=True)
class FilesChanged:
    """These paths changed, came or went."""

    paths: frozenset[Path]


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key was pressed."""

    key: str


@dataclass(frozen=True, slots=True)
class WatcherWarning:
    """Something about the watching itself that a person should know."""

    text: str


Message = FilesChanged | KeyPressed | WatcherWarning


class EventQueue:
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
            if self._is_judging and not isinstance(message, WatcherWarning):
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


_QUIET_S = 0.015  # an editor's save is over when nothing has happened for so long ...
_QUIET_GONE_S = 0.08  # ... or for so long where a file is missing: many move it away and write a new one
_PATIENCE_S = 0.5  # some program writes all the time: judge what is there
_RESIZED = b"r"
# What arrow and function keys send (ECMA-48, 5.4, and its SS3), and a key with Alt.
_ESCAPED = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?", re.DOTALL)


class EventListener:
    """Tells an inbox what is heard, from a thread of its own; a context manager.

    Args:
        places: what is watched.
        noticing: how; closed at the end.
        inbox: who is told.
        keyboard: a descriptor of a terminal that gives single keys, or None.
        resized: called when `resize` was.
    """

    def __init__(
        self,
        places: WatchSpec,
        noticing: Noticing,
        inbox: EventQueue,
        *,
        keyboard: int | None = None,
        resized: Callable[[], None] = lambda: None,
    ) -> None:
        self._places = places
        self._noticing = noticing
        self._inbox = inbox
        self._keyboard = keyboard
        self._resized = resized
        self._heard: set[Path] = set()
        self._since = self._last = 0.0
        self._is_closed = False
        self._woken, self._waker = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._thread = threading.Thread(target=self._listen, name="judge-ears", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def resize(self) -> None:
        """Have the screen drawn again; may be called from a signal handler."""
        try:
            os.write(self._waker, _RESIZED)
        except BlockingIOError:  # enough of them wait
            return

    def close(self) -> None:
        """End the thread; may be called twice."""
        if self._is_closed:
            return
        self._is_closed = True
        self.resize()
        self._thread.join()
        self._noticing.close()
        os.close(self._woken)
        os.close(self._waker)

    def _listen(self) -> None:
        while not self._is_closed:
            disk = self._noticing.fileno()
            files = [file for file in (self._woken, self._keyboard, disk) if file is not None]
            ready = select.select(files, [], [], self._patience())[0]
            if self._woken in ready:
                os.read(self._woken, 4096)
                if not self._is_closed:
                    self._resized()
            if self._keyboard is not None and self._keyboard in ready:
                self._hear_keys(self._keyboard)
            if disk is None or disk in ready:
                self._hear_disk()
            self._tell_when_quiet()

    def _patience(self) -> float | None:
        """Return for how many seconds to wait at most."""
        if not self._heard:
            return self._noticing.every
        return max(0.0, min(self._last + self._quiet(), self._since + _PATIENCE_S) - time.monotonic())

    def _quiet(self) -> float:
        return _QUIET_S if all(map(os.path.exists, self._heard)) else _QUIET_GONE_S  # `Path.exists` raises EACCES

    def _hear_keys(self, keyboard: int) -> None:
        try:
            keys = os.read(keyboard, 64).decode(errors="ignore")
        except OSError:  # the terminal went away; SIGHUP says what to do
            keys = ""
        if not keys:
            self._keyboard = None
        for key in _ESCAPED.sub("", keys):
            if key in QUIT | AGAIN | FRESH:
                self._inbox.tell(KeyPressed(key))

    def _hear_disk(self) -> None:
        try:
            found = self._noticing.changed()
        except OSError as error:
            self._noticing.close()
            self._noticing = PollingWatcher(self._places)
            self._inbox.tell(WatcherWarning(why_no_inotify(error)))
            found = {self._places.root, *self._places.files}
        concerned = {path for path in found if self._places.concern(path)}
        if concerned:
            self._last = time.monotonic()
            self._since = self._since if self._heard else self._last
            self._heard |= concerned

    def _tell_when_quiet(self) -> None:
        if self._heard and self._patience() == 0:
            heard, self._heard = frozenset(self._heard), set()
            self._inbox.tell(FilesChanged(heard))
