"""The limits that a process inherits, such as those of the shell (`ulimit`): raised, or named if that is not possible.

Loaded by the zygote: imports only built-in modules.
"""

import resource

_NO_LIMIT = resource.RLIM_INFINITY
_MIN_STACK = 8 << 20  # bytes; the usual soft limit
_MIN_FILES = 192  # of a run
_MIN_TASKS = 64  # a compiler of Java has 20 threads, and the user has other processes
_RESERVED = 3 << 30  # bytes that Java reserves and does not use

# Soft and hard: what the judge and all of its runs need. A larger soft limit of the stack would change the threads.
_WANTED = (
    (resource.RLIMIT_AS, _NO_LIMIT, _NO_LIMIT),
    (resource.RLIMIT_CPU, _NO_LIMIT, _NO_LIMIT),
    (resource.RLIMIT_DATA, _NO_LIMIT, _NO_LIMIT),
    (resource.RLIMIT_FSIZE, _NO_LIMIT, _NO_LIMIT),
    (resource.RLIMIT_NOFILE, 4096, 4096),
    (resource.RLIMIT_NPROC, _NO_LIMIT, _NO_LIMIT),
    (resource.RLIMIT_STACK, _MIN_STACK, _NO_LIMIT),
)

# Too low, no run is started: many programs do not notice that their output is cut, and the sandbox needs files.
LIMITS_TO_START = (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE)

# The option of the shell, the name in messages, and the unit.
_NAMES = {
    resource.RLIMIT_AS: ("-v", "address space", 1024, " KiB"),
    resource.RLIMIT_CPU: ("-t", "CPU time", 1, " s"),
    resource.RLIMIT_DATA: ("-d", "data", 1024, " KiB"),
    resource.RLIMIT_FSIZE: ("-f", "the size of files", 1024, " KiB"),
    resource.RLIMIT_NOFILE: ("-n", "open files", 1, ""),
    resource.RLIMIT_NPROC: ("-u", "processes", 1, ""),
    resource.RLIMIT_STACK: ("-s", "the stack", 1024, " KiB"),
}


def raise_limits() -> None:
    """Raise the limits of this process, and of all that it starts: as root any, otherwise only up to the hard limit."""
    for which, wanted_soft, wanted_hard in _WANTED:
        soft, hard = resource.getrlimit(which)
        for allowed in (max(hard, wanted_hard, key=_size), hard):
            try:
                resource.setrlimit(which, (max(soft, min(wanted_soft, allowed, key=_size), key=_size), allowed))
            except (OSError, ValueError):  # not root
                continue
            break


def run_needs(*, cpu: float, memory: int, file_size: int, overflows_stack: bool = False) -> "dict[int, int]":
    """Return the least limits with which a run behaves as without.

    Args:
        cpu: seconds that it may use.
        memory: bytes that it may use.
        file_size: bytes that it may write into one file.
        overflows_stack: it has perhaps used more stack than it got.
    """
    return {
        resource.RLIMIT_AS: memory + _RESERVED,
        resource.RLIMIT_CPU: int(cpu) + 1,
        resource.RLIMIT_DATA: memory + _RESERVED,
        resource.RLIMIT_FSIZE: file_size,
        resource.RLIMIT_NOFILE: _MIN_FILES,
        resource.RLIMIT_NPROC: _MIN_TASKS,
        resource.RLIMIT_STACK: memory if overflows_stack else _MIN_STACK,
    }


def find_low_limit(needs: "dict[int, int]") -> str:
    """Return which limit is lower than a run needs, and what to do; "" if none is."""
    for which, needed in needs.items():
        hard = resource.getrlimit(which)[1]
        if _size(hard) < needed:
            option, name, unit, unit_name = _NAMES[which]
            return (
                f"the limit on {name} that the judge inherits (`ulimit -H {option}`) is {hard // unit}{unit_name}, and "
                f"a run needs {-(-needed // unit)}{unit_name}: start the judge from a shell without that limit"
            )
    return ""


def _size(limit: int) -> int:
    return limit & (1 << 64) - 1  # the largest number for none
