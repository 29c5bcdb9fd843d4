"""Why a compilation failed if the machine is to blame: no space, no memory, no processes.

What a compiler prints may come from the source, as in `#error No space left on device`. So a text never decides alone:
the machine must lack what it names, or it must be where only the compiler writes.
"""

import os
import re
from pathlib import Path

from judge.base.units import MIB, Bytes
from judge.languages.table import Language
from judge.model import Limits
from judge.sandbox.box import STDERR_HEAD, Box, Command, Outcome
from judge.sandbox.installations import base_python
from judge.sandbox.run_files import describe_full_disk
from judge.sandbox.work_folder import disk_usage

_SIGBUS, _SIGKILL = 7, 9
_NO_SPACE = re.compile(rb"No space left on device|Disk quota exceeded|Read-only file system|file truncated|Bus error")
_NO_MEMORY = re.compile(
    rb"Cannot allocate memory|out of memory|insufficient memory|memory allocation of \d+ bytes failed"
)
_PROBE = f"open('probe', 'wb').write(bytes({16 * MIB}))"

# The last message of a driver, one of whose programs was killed or could not be started.
_DRIVER = re.compile(
    r"^(?!(?i:.*error: .*error: ))\S+: (?:(?:fatal|internal compiler) error: "
    r"(?:Killed signal terminated program \S+|Killed \(program \S+\)|\S+ terminated with signal 9 .*"
    r"|(?:cannot execute .*: )?(?:v?fork|posix_spawn): [^:]*|.*: Too many open files)"
    r"|error: unable to execute command: Killed(?:\n\S+: error: (?:clang frontend|linker) command failed due to .*)?)"
    r"\n*(?:compilation terminated\.|Please submit a full bug report(?s:.*))?\s*\Z",
    re.MULTILINE,
)
_OTHER_ERROR = re.compile(r"error: |sorry, unimplemented", re.IGNORECASE)
# What the virtual machine prints when it cannot even start; before, a compiler in it has printed nothing.
_JAVA = re.compile(
    r"(?:\[.*\n)*(?:Error occurred during initialization of VM|Error: Could not create the Java Virtual)"
)


def find_machine_fault(
    outcome: Outcome, language: Language, place: Path, box: Box, limits: Limits, *, disk: Bytes
) -> str:
    """Return why the machine is to blame for a failed compilation, and what to do; "" if the source is.

    The compiler ran in `box`, exceeded no limit, and may write so much into the work folder, `place`, as `disk` says.
    """
    printed = outcome.stderr + outcome.stdout
    names_space = _NO_SPACE.search(printed) or outcome.result.signal == _SIGBUS
    runs_code = language.compile_runs_code  # which can print anything, end itself, and change its folder
    if names_space:
        found = os.statvfs(place)
        room = found.f_bavail * found.f_frsize + disk_usage(str(place), (), disk)
        has_failed = room < disk or (found.f_files > 0 and found.f_favail < 1000)  # some count no files
        if not (has_failed or runs_code):  # a quota may forbid the user who compiles to write into the work folder
            probe = Command(argv=(base_python(), "-I", "-S", "-c", _PROBE), writable=place, disk=2 * disk)
            has_failed = bool(box.run(probe, limits).result.exit_code)
        if has_failed:
            return describe_full_disk()
    return "" if runs_code else _find_other_fault(outcome, language, limits)


def _find_other_fault(outcome: Outcome, language: Language, limits: Limits) -> str:
    if outcome.result.signal == _SIGKILL:
        return "the compiler was killed, perhaps because the machine has no memory left"
    printed = outcome.stderr + outcome.stdout
    if _NO_MEMORY.search(printed) and _available_memory() < limits.memory:
        return "the machine has too little memory left for the compiler: end other programs, or use a smaller -j"
    text = printed.decode(errors="replace")
    runs_in_java = any(word.startswith("-J") for word in language.compile)
    if runs_in_java and (found := _JAVA.match(text)):
        return f"the compiler could not start: {text[found.start() :].strip()[:300]}"
    text = outcome.stderr.decode(errors="replace")
    found = _DRIVER.search(text) if len(outcome.stderr) < STDERR_HEAD else None
    if found and not _OTHER_ERROR.search(text[: found.start()]):
        return f"the machine lacks memory, processes or files for the compiler: {found[0].splitlines()[0]}"
    return ""


def _available_memory() -> int:
    """Return how many bytes programs can get without swapping (proc_meminfo(5))."""
    try:
        text = Path("/proc/meminfo").read_text()
    except OSError:
        return 0
    found = re.search(r"MemAvailable:\s+(\d+) kB", text)
    return 1024 * int(found[1]) if found else 0
