"""The terminal's keyboard: single keys while a command wants them, and as it was afterwards."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def single_keys() -> Iterator[int | None]:
    """Give a descriptor that reads keys as they are pressed, unseen; None where standard input is no terminal of ours.

    Ctrl-C stays a signal. Ctrl-Z does nothing: the kernel would stop the sandboxes with us.
    """
    import termios

    file = _our_terminal()
    if file is None:
        yield None
        return
    try:
        before = termios.tcgetattr(file)
    except termios.error:
        yield None
        return
    now = [*before[:6], [*before[6]]]
    now[3] &= ~(termios.ICANON | termios.ECHO)
    now[6][termios.VMIN], now[6][termios.VTIME] = 1, 0
    now[6][termios.VSUSP] = os.fpathconf(file, "PC_VDISABLE").to_bytes(1, "big")
    termios.tcsetattr(file, termios.TCSADRAIN, now)
    try:
        yield file
    finally:
        termios.tcsetattr(file, termios.TCSAFLUSH, before)


def _our_terminal() -> int | None:
    """Return standard input's descriptor if it is a terminal that this process may change: not from the background."""
    try:
        file = sys.stdin.fileno()
        return file if os.isatty(file) and os.tcgetpgrp(file) == os.getpgrp() else None
    except (AttributeError, OSError, ValueError):  # closed, no file, or no controlling terminal
        return None
