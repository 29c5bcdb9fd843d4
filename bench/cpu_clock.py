"""A clock for searches on a busy machine: the CPU time of this process and of all that it has started."""

import os
import sys
import threading
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace

from judge.hack import search

PATIENCE = 200.0  # seconds, after which a search ends anyway: programs may wait for ever
FRESH = 0.03  # seconds for which a reading counts
TICKS = os.sysconf("SC_CLK_TCK")
USED = slice(11, 15)  # of `/proc/PID/stat` after the name: user and system time, of the process and of ended children


def used(pid: int) -> float:
    """Return the seconds of CPU time of a process and its descendants; of those that have just ended, perhaps none."""
    try:
        process = Path(f"/proc/{pid}")
        seconds = sum(map(int, (process / "stat").read_text().rpartition(")")[2].split()[USED])) / TICKS
        for thread in (process / "task").iterdir():
            seconds += sum(used(int(child)) for child in (thread / "children").read_text().split())
    except OSError:
        return 0.0
    return seconds


class CpuClock:
    """Never goes back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at = self._seconds = 0.0

    def monotonic(self) -> float:
        """Return the seconds of CPU time, as of a moment ago."""
        with self._lock:
            if time.monotonic() - self._at > FRESH:
                self._seconds = max(self._seconds, used(os.getpid()))
                self._at = time.monotonic()
            return self._seconds


def install() -> None:
    """Let searches take the CPU time for the time, in all modules that are imported now."""
    clock = SimpleNamespace(**{**vars(time), "monotonic": CpuClock().monotonic})
    for name, module in list(sys.modules.items()):
        if name.startswith(("judge.hack", "judge.inputs")) and isinstance(getattr(module, "time", None), ModuleType):
            setattr(module, "time", clock)  # noqa: B010 - mypy knows no such attribute of a module
    timers = SimpleNamespace(**{**vars(threading), "Timer": lambda _, end: threading.Timer(PATIENCE, end)})
    setattr(search, "threading", timers)  # noqa: B010 - likewise
