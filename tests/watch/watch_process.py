"""A real `judge watch` process, on a pipe or on a terminal."""

import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable
from fcntl import ioctl
from pathlib import Path
from typing import Self

JUDGE = [sys.executable, "-m", "judge"]
# Makes standard input the controlling terminal, then executes the command that follows.
_SET_TERMINAL = """\
import os, sys, termios
from fcntl import ioctl
ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
_IN_TERMINAL = [sys.executable, "-c", _SET_TERMINAL]
_DEADLINE_S = 90  # the machine may be busy


def eventually(holds: Callable[[], bool]) -> bool:
    """Wait until a condition holds; return whether it did."""
    deadline = time.monotonic() + _DEADLINE_S
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.01)
    return False


class WatchProcess:
    """A watch that is ended at the end of the `with` block.

    Args:
        root: the repository, the current folder of the process.
        arguments: of `judge watch`.
        size: rows and columns of a terminal; None for a pipe.
    """

    def __init__(self, root: Path, *arguments: str, size: tuple[int, int] | None = None) -> None:
        self.temporary = root.parent / "tmp"
        self.temporary.mkdir(exist_ok=True)
        self.output = ""
        self._start = 0
        main, side = pty.openpty() if size else os.pipe()
        self.main, self.side = main, side
        if size:
            self.resize(*size)
            self.before = termios.tcgetattr(side)
        self.process = subprocess.Popen(
            [*(_IN_TERMINAL if size else ()), *JUDGE, "watch", *arguments],
            cwd=root,
            stdin=side if size else subprocess.DEVNULL,
            stdout=side,
            stderr=side,
            start_new_session=True,
            env={**os.environ, "TMPDIR": str(self.temporary), "TERM": "xterm"},
        )
        if not size:
            os.close(side)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()
        if self.main >= 0:
            os.close(self.main)

    def _read(self) -> None:
        while True:
            try:
                part = os.read(self.main, 1 << 16)
            except OSError:
                return
            if not part:
                return
            self.output += part.decode(errors="replace")

    def resize(self, rows: int, columns: int) -> None:
        """Change the size of the terminal."""
        ioctl(self.main, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self.main, keys.encode())

    def until(self, text: str) -> str:
        """Wait for a text after the one of the previous call; return the output between their ends."""
        start = self._start
        eventually(lambda: text in self.output[start:] or self._has_ended())
        assert text in self.output[start:], f"never written: {text}\n{self.output[start:]}"
        self._start = self.output.index(text, start) + len(text)
        return self.output[start : self._start]

    def _has_ended(self) -> bool:
        """Return whether the process has ended and all of its output was read."""
        is_gone = self.process.poll() is not None
        return not self._reader.is_alive() or (is_gone and not select.select([self.main], [], [], 0.5)[0])

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send a signal and wait; return the exit status."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """Wait for the end of the process; return the exit status."""
        status = self.process.wait(timeout=_DEADLINE_S)
        if self.main >= 0 and self.side >= 0 and os.isatty(self.main):
            self.after = termios.tcgetattr(self.side)
            os.close(self.side)
            self.side = -1
        self._reader.join(timeout=_DEADLINE_S)
        return status


def replace(path: Path, text: str) -> None:
    """Write a file like editors that save by renaming."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(text)
    new.replace(path)
