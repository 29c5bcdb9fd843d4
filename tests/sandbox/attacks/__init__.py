"""Attacks on the judge: hostile programs, and the outcome of each at every level.

The promises:

- `full` and `landlock`: a program reads and writes only its input, its outputs and what its command grants; it does not
  communicate, signals and traces only itself, creates no process, hides no CPU time and no memory except shared memory
  that is no longer mapped, and leaves nothing behind. `landlock` does not hide that a file exists, its size and its
  times (it does not cover stat and chdir).
- `limits`: time, memory and output are limited, processes are found and ended, the folder of the run is emptied. Files,
  the network and other processes are not protected, and shared memory is not seen: `NOT_STOPPED`. Such attacks do not
  run at that level, because they would do harm.

Each row of a table is an attack. `describe` returns what happened in one line, which must match the row's pattern.
"""

from msgspec import Struct

from judge.model import Ending, Level
from judge.sandbox.box import Outcome

NOT_STOPPED = ""

# Patterns of outcomes that many rows share
REFUSED = "refused EPERM"
CLOSED = "refused (EACCES|ENOENT|EROFS)"  # by landlock, by the tree of files, by a read-only mount
TIME, WALL = "time limit", "wall limit"
MEMORY, OUTPUT = "memory limit", "output limit"
NOTHING = "nothing"

# Begins every attack in Python. A first argument comes from the test: see `arguments` there.
PRELUDE = """
import ctypes, errno, os, signal, socket, sys, threading, time
MARK, ANSWER, OTHER, JUDGE_FILE, JUDGE = sys.argv[1:6]
JUDGE, PARENT = int(JUDGE), os.getppid()
LIBC = ctypes.CDLL(None, use_errno=True)
def checked(result):
    if result == -1:
        raise OSError(ctypes.get_errno(), "")
    return result
def attempt(*actions):
    outcomes = set()
    for action in actions:
        try:
            action()
            outcomes.add("done")
        except OSError as error:
            outcomes.add("refused " + errno.errorcode.get(error.errno or 0, str(error)))
    print(*sorted(outcomes), sep=", ")
"""


class Attack(Struct, frozen=True, kw_only=True):
    """A hostile program.

    Attributes:
        name: what it tries.
        source: Python text; "" when it is a function of `calls.c`, by the name of the attack.
        full, landlock, limits: the pattern that `describe` must match at a level.
        may_fork: it runs as compilers do: with processes.
        cpu, wall: its limits in seconds; memory, output: in MiB.
        tries: how often it runs until it is stopped in time: its threads may keep the supervisor from the processors.
    """

    name: str
    source: str = ""
    full: str
    landlock: str
    limits: str = NOT_STOPPED
    may_fork: bool = False
    cpu: float = 5.0
    wall: float = 10.0
    memory: int = 128
    output: int = 4
    stdin: bytes = b""
    tries: int = 1

    def expected(self, level: Level) -> str:
        """Return the pattern of a level."""
        return {Level.FULL: self.full, Level.LANDLOCK: self.landlock, Level.LIMITS: self.limits}[level]


def stopped(name: str, source: str = "", expected: str = REFUSED, **others: object) -> Attack:
    """Return an attack that both better levels stop alike and `limits` does not."""
    return Attack(name=name, source=source, full=expected, landlock=expected, **others)  # type: ignore[arg-type]


def everywhere(name: str, source: str = "", expected: str = "done", **others: object) -> Attack:
    """Return an attack whose outcome is the same at every level."""
    return Attack(name=name, source=source, full=expected, landlock=expected, limits=expected, **others)  # type: ignore[arg-type]


def describe(outcome: Outcome) -> str:
    """Return what happened in one line: an exceeded limit, a signal, or what the program printed."""
    result = outcome.result
    if result.ending is Ending.SIGNALED:
        return f"signal {result.signal}"
    if result.ending is not Ending.EXITED:
        return str(result.ending.value)
    text = outcome.stdout[:200].decode(errors="backslashreplace").strip() or NOTHING
    error = result.stderr_tail[-200:].decode(errors="backslashreplace").strip()
    return text if result.exit_code == 0 else f"exit {result.exit_code}: {text} {error}".rstrip()
