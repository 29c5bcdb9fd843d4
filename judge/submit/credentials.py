"""What the files of credentials have in common: who else can read them."""

import stat
from pathlib import Path

from judge.errors import UsageError


def read_text(path: Path, remedy: str) -> str:
    """Return a file's text.

    Raises:
        UsageError: it cannot be read; the message ends with the remedy.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UsageError(f"{path} is not there: {remedy}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8 text: {remedy}") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): {remedy}") from None


def exposure(path: Path) -> tuple[str, ...]:
    """Return a warning where other users of this machine may read a file."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return ()
    if mode & (stat.S_IRGRP | stat.S_IROTH):
        return (f"{path} can be read by other users of this machine: chmod 600 {path}",)
    return ()
