"""The standard streams as the rest of the program may expect them: there, and able to show any text."""

import os
import sys
from io import TextIOWrapper


def mend_streams() -> str:
    r"""Open what was closed and let no character be too much; return what is wrong, or "".

    A descriptor below 3 that is not open is given to the next file that somebody opens, and that file would be taken
    for a standard stream. A character that the stream's encoding does not have is written `\u2660`.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest that is free: this one
    complaint = ""
    if sys.stdout is None:
        sys.stdout = _stream(1)
        complaint = "standard output is closed: nobody would see the result; to throw it away, write >/dev/null"
    if sys.stderr is None:
        sys.stderr = _stream(2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return complaint


def _stream(number: int) -> TextIOWrapper:
    return open(number, "w", encoding="utf-8", closefd=False)
