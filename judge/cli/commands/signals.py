"""SIGINT, SIGTERM and SIGHUP: they end a command in good order, and the process in any case.

Without a handler from here, a signal just ends the process. What has something to clean up installs one.
"""

import os
import signal
import time
from _thread import start_new_thread
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import Any, Protocol

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_received: list[int] = []


class Interruptible(Protocol):
    """What a signal can interrupt, such as a `LocalExecutor`."""

    def interrupt(self) -> None:
        """Begin to stop; safe in a signal handler."""


class StopHandler:
    """Handles a signal: the first ends the run in good order, a second SIGINT ends it at once.

    Before there is an executor, a signal is only noted, since an exception may crash the import of an extension module.
    Nothing interrupts the clean-up that follows.
    """

    def __init__(self) -> None:
        self._executor: Interruptible | None = None
        self._raises = False
        self.is_stopping = False
        self._is_cleaning_up = False

    def attach(self, executor: Interruptible) -> None:
        """Set the executor, or whatever else a signal interrupts."""
        self._executor = executor
        if self.is_stopping:
            executor.interrupt()

    @contextmanager
    def raise_meanwhile(self) -> Iterator[None]:
        """Raise KeyboardInterrupt on a signal in this block, for a wait that nothing else ends."""
        self._raises = True
        try:
            if self.is_stopping:
                raise KeyboardInterrupt
            yield
        finally:
            self._raises = False

    def start_clean_up(self) -> None:
        """Ignore signals from now on."""
        self._is_cleaning_up = True

    def __call__(self, number: int) -> None:
        """Handle a signal."""
        if self._is_cleaning_up:
            return
        is_second = self.is_stopping and number == signal.SIGINT and self._executor is not None
        self.is_stopping = True
        if is_second or self._raises:
            raise KeyboardInterrupt
        if self._executor is not None:
            self._executor.interrupt()


def raise_on_signal() -> AbstractContextManager[None]:
    """Raise KeyboardInterrupt on a signal, for a command that has no runs to end but something to close."""

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    return _handle_signals(interrupt)


def exit_on_signal(clean_up: Callable[[], object]) -> AbstractContextManager[None]:
    """Clean up and end the process on a signal, wherever the main thread is."""

    def exit_at_once(number: int) -> None:
        try:
            clean_up()
        finally:
            os._exit(128 + number)

    return _handle_signals(exit_at_once)


@contextmanager
def stop_on_signal() -> Iterator[StopHandler]:
    """Handle signals in good order; the block must contain all clean-up, for the default handlers return after it."""
    handler = StopHandler()
    with _handle_signals(handler):
        yield handler


def end_soon_after_signals() -> None:
    """End this process soon after a signal that has a handler, even if its main thread waits for what never comes.

    Then the kernel ends all runs, and the sandbox removes the temporary folder.
    """
    read, write = os.pipe2(os.O_CLOEXEC)
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)

    def end_after_signal() -> None:
        while (number := os.read(read, 1)[0]) not in _SIGNALS:  # such as SIGWINCH
            pass
        time.sleep(1.8)  # for an orderly end
        os._exit(128 + number)

    start_new_thread(end_after_signal, ())


def interrupted_status() -> int:
    """Return the exit status of an interrupted command, as a shell reports it: by the first signal."""
    return 128 + (_received[0] if _received else signal.SIGINT)


@contextmanager
def _handle_signals(handle: Callable[[int], None]) -> Iterator[None]:
    """Install a handler for all signals that are not ignored: what nohup ignores stays ignored."""

    def handler(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the signature of the signal module
        _received.append(number)
        handle(number)

    before: dict[signal.Signals, Any] = {}
    try:
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, handler)
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)
