"""Why a compilation failed if the machine is to blame: no space, no memory, no processes.

What a compiler prints may come from the source, as in `#error No space left on device`. So a text never decides alone:
the machine must lack what it names, the kernel must have ended a process, or only the compiler starts a line like that.
"""

import os
import re
from pathlib import Path

from judge.base.units import Bytes
from judge.languages.table import Language
from judge.model import Limits
from judge.sandbox.box import Outcome
from judge.sandbox.run_files import describe_full_disk
from judge.sandbox.work_folder import disk_usage

_SIGBUS, _SIGKILL = 7, 9
_NO_SPACE = re.compile(rb"No space left on device|Disk quota exceeded|Read-only file system|file truncated|Bus error")
_NO_MEMORY = re.compile(
    rb"Cannot allocate memory|out of memory|insufficient memory|memory allocation of \d+ bytes failed"
)
_NO_PROCESS = re.compile(rb"^\S+: fatal error: (?:cannot execute .*: )?(?:v?fork|posix_spawn): ", re.MULTILINE)  # GCC
_MIN_FILES = 1000  # that a compiler may need to create
_MAX_TEXT = 300  # characters

# What the virtual machine prints when it cannot even start; before, a compiler in it has printed nothing.
_JAVA = re.compile(
    r"(?:\[.*\n)*(?:Error occurred during initialization of VM|Error: Could not create the Java Virtual)"
)


def find_machine_fault(
    outcome: Outcome, language: Language, place: Path, limits: Limits, *, disk: Bytes, has_oom_kill: bool
) -> str:
    """Return why the machine is to blame for a failed compilation, and what to do; "" if the source is.

    The compiler exceeded no limit, and may write so much into the work folder, `place`, as `disk` says. `has_oom_kill`:
    meanwhile, the kernel has ended a process, perhaps one of the compiler, because the machine had no memory left.
    """
    printed, signal = outcome.stderr + outcome.stdout, outcome.result.signal
    if (_NO_SPACE.search(printed) or signal == _SIGBUS) and _lacks_space(place, disk):
        return describe_full_disk()
    runs_code = language.compile_runs_code  # which can print anything, and end itself
    names_memory = _NO_MEMORY.search(printed) and _available_memory() < limits.memory
    if has_oom_kill or (not runs_code and (names_memory or signal == _SIGKILL)):
        return "the machine has too little memory left for the compiler: end other programs, or use a smaller -j"
    if not runs_code and _NO_PROCESS.search(outcome.stderr):
        return "the compiler could not start a process: end other programs, or use a smaller -j"
    text = printed.decode(errors="replace")
    runs_in_java = any(word.startswith("-J") for word in language.compile)
    if runs_in_java and not runs_code and (found := _JAVA.match(text)):
        return f"the compiler could not start: {text[found.start() :].strip()[:_MAX_TEXT]}"
    return ""


def _lacks_space(place: Path, disk: Bytes) -> bool:
    """Return whether the file system of a work folder has no room for all that a compiler may write there."""
    found = os.statvfs(place)
    room = found.f_bavail * found.f_frsize + disk_usage(str(place), (), disk)
    return room < disk or (found.f_files > 0 and found.f_favail < _MIN_FILES)  # some count no files


def _available_memory() -> int:
    """Return how many bytes programs can get without swapping (proc_meminfo(5))."""
    try:
        text = Path("/proc/meminfo").read_text()
    except OSError:
        return 0
    found = re.search(r"MemAvailable:\s+(\d+) kB", text)
    return 1024 * int(found[1]) if found else 0
