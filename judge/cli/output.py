"""The standard streams, repaired so that the rest of the program can rely on them."""

import os
import sys
from io import TextIOWrapper


def repair_streams() -> str:
    r"""Open the standard streams that are closed, and make them accept any text; return an error message, or "".

    If a descriptor below 3 is not open, the next file that is opened gets it and would be taken for a standard stream.
    A character that the stream's encoding lacks is written as `\u2660`.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # gets the lowest free number: this one
    error = ""
    if sys.stdout is None:
        sys.stdout = _open_stream(1)
        error = "standard output is closed, so the result would be lost; to discard it, use >/dev/null"
    if sys.stderr is None:
        sys.stderr = _open_stream(2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return error


def discard_output() -> None:
    """Send what is still buffered for standard output to nowhere: Python flushes it once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_stream(number: int) -> TextIOWrapper:
    return open(number, "w", encoding="utf-8", closefd=False)
