"""Ctrl-C and the usual ways to end a process, while there are runs and temporary files to clean up."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from judge.executors import LocalExecutor

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_AGAIN_S = 0.05  # after this a signal that a finalizer swallowed is sent once more


class Stop:
    """What a signal does: the first ends the work in good order, a second at once; nothing disturbs the clean-up."""

    def __init__(self) -> None:
        self._executor: LocalExecutor | None = None
        self._asked = False
        self._cleaning = False

    def watch(self, executor: LocalExecutor) -> None:
        """Name what is to be stopped."""
        self._executor = executor
        if self._asked:
            executor.interrupt()

    def clean_up(self) -> None:
        """Let no signal through any more."""
        self._cleaning = True

    def go_on(self) -> None:
        """Let signals through again: the last one was lost."""
        self._cleaning = False

    def __call__(self, number: int, frame: object) -> None:  # noqa: ARG002 - the signature is the signal module's
        """Take a signal."""
        if self._cleaning:
            return
        if self._asked and number == signal.SIGINT and self._executor is not None:
            self._cleaning = True
            raise KeyboardInterrupt
        self._asked = True
        if self._executor is not None:
            self._executor.interrupt()


@contextmanager
def interruptible() -> Iterator[None]:
    """Let a signal raise KeyboardInterrupt while the block lasts, which has no runs to end but something to close."""
    came = signal.SIGINT

    def interrupt(number: int, frame: object) -> None:  # noqa: ARG001 - the signature is the signal module's
        nonlocal came
        came = signal.Signals(number)
        raise KeyboardInterrupt

    def again() -> None:
        """Send it once more, when the finalizer has ended."""
        main = threading.main_thread().ident
        assert main is not None
        threading.Timer(_AGAIN_S, signal.pthread_kill, (main, came)).start()

    with _handled_by(interrupt, again):
        yield


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Take signals while the block lasts; it must hold all clean-up, for after it the defaults are back."""
    stop = Stop()
    with _handled_by(stop, stop.go_on):
        yield stop


@contextmanager
def _handled_by(handler: Callable[[int, object], None], lost: Callable[[], None]) -> Iterator[None]:
    """Take the signals that are not ignored: what nohup ignores stays ignored.

    Args:
        handler: takes a signal's number and the frame that it came in.
        lost: called when KeyboardInterrupt came out of a finalizer, where Python drops it with a traceback; the next
            signal has to do what that one should have done.
    """
    numbers = [n for n in _SIGNALS if signal.getsignal(n) is not signal.SIG_IGN]
    told = sys.unraisablehook

    def tell(fault: "sys.UnraisableHookArgs") -> None:
        if fault.exc_type is KeyboardInterrupt:
            lost()
        else:
            told(fault)

    before: dict[signal.Signals, Any] = {}
    try:
        sys.unraisablehook = tell
        for number in numbers:
            before[number] = signal.getsignal(number)
            signal.signal(number, handler)
        yield
    finally:
        try:
            for number, previous in before.items():
                signal.signal(number, previous)
        finally:
            sys.unraisablehook = told
