"""The judge as in a container: in a process whose engine refuses some calls of the kernel."""

import os
import subprocess
import sys
from pathlib import Path

from judge.sandbox import kernel

JUDGE = (sys.executable, "-m", "judge")
ROOT = Path(__file__).parents[1]

# Emulates a container: a filter under which some calls fail with EPERM; then the command is run.
CONTAINER = """\
import ctypes, errno, os, struct, sys
sys.path.insert(0, sys.argv[1])
from judge.sandbox import kernel
refused = [int(word) for word in sys.argv[2].split(",")]
code = [struct.pack("=HBBI", 0x20, 0, 0, 0)]
code += [struct.pack("=HBBI", 0x15, len(refused) - at, 0, number) for at, number in enumerate(refused)]
code += [struct.pack("=HBBI", 6, 0, 0, 0x7FFF0000), struct.pack("=HBBI", 6, 0, 0, 0x50000 | errno.EPERM)]
text = ctypes.create_string_buffer(b"".join(code))
kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
kernel.syscall("seccomp", 1, 0, struct.pack("@HP", len(code), ctypes.addressof(text)))
os.execv(sys.argv[3], sys.argv[3:])
"""
UNSHARE, OPEN_TREE, LANDLOCK = 272 if kernel.IS_X86_64 else 97, 428, 444


def run(
    *argv: str, refused: tuple[int, ...] = (), cwd: Path = ROOT, has_tools: bool = False
) -> subprocess.CompletedProcess[str]:
    wrapper = [sys.executable, "-c", CONTAINER, str(ROOT), ",".join(map(str, refused))] if refused else []
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if not has_tools and refused:  # compilers take seconds to say their versions
        environment["PATH"] = str(Path(sys.executable).parent)
    return subprocess.run(
        [*wrapper, *JUDGE, *argv], cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
