"""A thread that waits for changes of files and for keys, and puts them into a queue. One save is one event."""

import os
import re
import select
import threading
import time
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Self

from judge.runner.executors import LocalExecutor
from judge.watch.watchers import PollingWatcher, Watcher, WatchSpec, describe_fallback


class Key(Enum):
    """What a key asks for; the value has all such keys."""

    QUIT = "q\x03\x04"  # Ctrl-C and Ctrl-D: some terminals send the characters instead of a signal
    RERUN = "\r\nr"
    FRESH = "f"  # without the cache


WatchEvent = frozenset[Path] | Key | str
"""Files or folders that were changed, created or removed; a key; or a warning about the watching itself."""


class EventQueue:
    """Events from the listener's thread. A change or a key during a batch makes the executor abandon it."""

    def __init__(self, executor: LocalExecutor) -> None:
        self._executor = executor
        self._events: SimpleQueue[WatchEvent | None] = SimpleQueue()  # None: the executor was interrupted
        self._lock = threading.Lock()
        self._is_judging = False

    def put(self, event: WatchEvent) -> None:
        """Add an event; called by the listener's thread."""
        with self._lock:
            self._events.put(event)
            if self._is_judging and not isinstance(event, str):
                self._executor.abandon()

    def begin_batch(self) -> list[WatchEvent]:
        """Return the waiting events. If there are none, a batch begins: later events abandon it until `end_batch`."""
        with self._lock:
            if not (events := self._take_all()):
                self._is_judging = True
            return events

    def end_batch(self) -> None:
        """Make the executor usable again after a batch, abandoned or not."""
        with self._lock:
            self._is_judging = False
        self._executor.resume()

    def wait(self) -> list[WatchEvent]:
        """Return the next events, at least one.

        Raises:
            Interrupted: the executor was interrupted.
        """
        first: WatchEvent = self._executor.wait(self._events)
        return [first, *self._take_all()]

    def _take_all(self) -> list[WatchEvent]:
        events: list[WatchEvent] = []
        try:
            while True:
                if (event := self._events.get_nowait()) is not None:
                    events.append(event)
        except Empty:
            return events


_SETTLE_S = 0.015  # a save is complete when nothing has changed for this long ...
_SETTLE_MISSING_S = 0.08  # ... or this long if a file is missing: many editors move it away and write a new one
_MAX_DELAY_S = 0.5  # report the changes so far of a program that writes without a pause
_REDRAW = b"r"
# What arrow and function keys send (ECMA-48, 5.4, and its SS3), and a key with Alt.
_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?", re.DOTALL)


class EventListener:
    """A thread that puts events into a queue, from construction to `close`; a context manager.

    It closes the watcher at the end. `keyboard` is the descriptor of a terminal that delivers single keys, or None;
    `redraw` is called in the thread after `request_redraw`.
    """

    def __init__(
        self,
        spec: WatchSpec,
        watcher: Watcher,
        queue: EventQueue,
        *,
        keyboard: int | None = None,
        redraw: Callable[[], None] = lambda: None,
    ) -> None:
        self._spec = spec
        self._watcher = watcher
        self._queue = queue
        self._keyboard = keyboard
        self._redraw = redraw
        self._changed: set[Path] = set()  # not reported yet
        self._first_change = self._last_change = 0.0
        self._is_closed = False
        self._wake_read, self._wake_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._thread = threading.Thread(target=self._listen, name="judge-listener", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def request_redraw(self) -> None:
        """Redraw the screen soon; may be called from a signal handler."""
        try:
            os.write(self._wake_write, _REDRAW)
        except BlockingIOError:  # enough requests are waiting
            return

    def close(self) -> None:
        """End the thread; may be called twice."""
        if self._is_closed:
            return
        self._is_closed = True
        self.request_redraw()
        self._thread.join()
        self._watcher.close()
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _listen(self) -> None:
        while not self._is_closed:
            disk = self._watcher.fileno()
            descriptors = [each for each in (self._wake_read, self._keyboard, disk) if each is not None]
            ready = select.select(descriptors, [], [], self._timeout())[0]
            if self._wake_read in ready:
                os.read(self._wake_read, 4096)
                if not self._is_closed:
                    self._redraw()
            if self._keyboard is not None and self._keyboard in ready:
                self._read_keys(self._keyboard)
            if disk is None or disk in ready:
                self._read_changes()
            if self._changed and self._timeout() == 0:
                paths, self._changed = frozenset(self._changed), set()
                self._queue.put(paths)

    def _timeout(self) -> float | None:
        """Return how many seconds to wait for a descriptor; None if changes make one ready."""
        if not self._changed:
            return self._watcher.interval
        is_complete = all(map(os.path.exists, self._changed))  # `Path.exists` raises EACCES
        settle_time = _SETTLE_S if is_complete else _SETTLE_MISSING_S
        return max(0.0, min(self._last_change + settle_time, self._first_change + _MAX_DELAY_S) - time.monotonic())

    def _read_keys(self, keyboard: int) -> None:
        try:
            keys = os.read(keyboard, 64).decode(errors="ignore")
        except OSError:  # the terminal is gone; SIGHUP ends the judge
            keys = ""
        if not keys:
            self._keyboard = None
        for letter in _ESCAPE_SEQUENCE.sub("", keys):
            for key in Key:
                if letter in key.value:
                    self._queue.put(key)

    def _read_changes(self) -> None:
        try:
            paths = self._watcher.read_changes()
        except OSError as error:
            self._watcher.close()
            self._watcher = PollingWatcher(self._spec)
            self._queue.put(describe_fallback(error))
            paths = self._spec.everything()
        relevant = {path for path in paths if self._spec.includes(path)}
        if relevant:
            self._last_change = time.monotonic()
            if not self._changed:
                self._first_change = self._last_change
            self._changed |= relevant
