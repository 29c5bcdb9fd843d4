"""Signals that ask a command to stop, while it has runs to end or files to clean up."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from judge.executors import LocalExecutor

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopHandler:
    """Handles a signal: the first ends the run in good order, a second SIGINT ends it at once.

    Nothing interrupts the clean-up that follows.
    """

    def __init__(self) -> None:
        self._executor: LocalExecutor | None = None
        self._is_stopping = False
        self._is_cleaning_up = False

    def attach(self, executor: LocalExecutor) -> None:
        """Set the executor that a signal interrupts."""
        self._executor = executor
        if self._is_stopping:
            executor.interrupt()

    def start_clean_up(self) -> None:
        """Ignore signals from now on."""
        self._is_cleaning_up = True

    def __call__(self, number: int, frame: object) -> None:  # noqa: ARG002 - the signature of the signal module
        """Handle a signal."""
        if self._is_cleaning_up:
            return
        if self._is_stopping and number == signal.SIGINT and self._executor is not None:
            raise KeyboardInterrupt
        self._is_stopping = True
        if self._executor is not None:
            self._executor.interrupt()


@contextmanager
def raise_on_signal() -> Iterator[None]:
    """Raise KeyboardInterrupt on a signal, for a command that has no runs to end but something to close."""
    with _handle_signals(signal.default_int_handler):
        yield


@contextmanager
def stop_on_signal() -> Iterator[StopHandler]:
    """Handle signals in good order; the block must contain all clean-up, for the default handlers return after it."""
    handler = StopHandler()
    with _handle_signals(handler):
        yield handler


@contextmanager
def _handle_signals(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Install a handler for all signals that are not ignored: what nohup ignores stays ignored."""
    before: dict[signal.Signals, Any] = {}
    try:
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, handler)
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)
