"""Runs a program on the user's own terminal: no sandbox, no limits. For `judge debug`, whose programs the user wrote.

Ctrl-C is for the program: the judge waits for its end.
"""

import os
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path

MAX_KEPT = 64 << 20  # bytes of output


def run_debugger(argv: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run an interactive program; return its exit status, or minus the number of a signal.

    Raises:
        OSError: it cannot be started.
    """
    with _wait_through_signals(), _restore_terminal():
        sys.stdout.flush()
        process = subprocess.Popen(argv, env={**os.environ, **environment})
        return process.wait()


def run_program(argv: Sequence[str], environment: Mapping[str, str], given: Path) -> tuple[int, bytes]:
    """Run a program on an input; its output appears at once. Return its exit status, as above, and its output.

    On a terminal, the program's output is a terminal, too, so that it is written line by line.

    Raises:
        OSError: it cannot be started.
    """
    with _wait_through_signals(), _restore_terminal(), given.open("rb") as stdin:
        sys.stdout.flush()
        ours, theirs = _open_terminal() if sys.stdout.isatty() else os.pipe()
        try:
            try:
                process = subprocess.Popen(argv, stdin=stdin, stdout=theirs, env={**os.environ, **environment})
            finally:
                os.close(theirs)
            output = _show(ours)
        finally:
            os.close(ours)
        return process.wait(), output


def _show(source: int) -> bytes:
    """Copy what a program writes to standard output until it ends; return the beginning of it."""
    kept = bytearray()
    while True:
        try:
            data = os.read(source, 1 << 16)
        except OSError:  # Linux reports the end of a terminal's other side as an error (EIO)
            break
        if not data:
            break
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        kept += data[: MAX_KEPT - len(kept)]
    return bytes(kept)


def _open_terminal() -> tuple[int, int]:
    """Return both sides of a terminal that changes no byte and has the size of ours."""
    ours, theirs = os.openpty()
    attributes = termios.tcgetattr(theirs)
    attributes[1] &= ~termios.OPOST
    termios.tcsetattr(theirs, termios.TCSANOW, attributes)
    size = ioctl(sys.stdout.fileno(), termios.TIOCGWINSZ, bytes(8))
    ioctl(theirs, termios.TIOCSWINSZ, size)
    return ours, theirs


@contextmanager
def _wait_through_signals() -> Iterator[None]:
    """Leave the signals of the keyboard to the program; handlers, unlike ignored signals, end at its start."""
    before = {each: signal.signal(each, lambda *_: None) for each in (signal.SIGINT, signal.SIGQUIT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _restore_terminal() -> Iterator[None]:
    """Restore the modes of the terminal: a debugger that is killed leaves its own."""
    try:
        before = termios.tcgetattr(sys.stdin.fileno())
    except (termios.error, OSError, ValueError):  # no terminal
        yield
        return
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, before)
