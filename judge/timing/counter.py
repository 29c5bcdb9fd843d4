"""Runs a Python program and counts what it does: a script of its own that imports nothing of the package.

It is for Python 3.12 or newer, whichever the judge itself runs on.

Arguments: a mark, and the program's file. When the program has ended, the last line on standard error is the mark and
the counts as JSON. Counted are events of the program's own code only (sys.monitoring, PEP 669): functions begun and
resumed, jumps, branches and calls. They are the same in every run that does the same work.
"""

import atexit
import json
import os
import sys
from types import CodeType, ModuleType
from typing import Any

MONITORING: Any = getattr(sys, "monitoring", None)  # Python 3.12+

# By the names in sys.monitoring.events; 3.14 knows two kinds of branches, which stand for the one of old.
EVENTS = ("PY_START", "PY_RESUME", "JUMP", "BRANCH_LEFT", "BRANCH_RIGHT", "BRANCH", "CALL")


def known_events() -> dict[str, int]:
    """Return the events to count that this Python knows, with their numbers."""
    known = {name: getattr(MONITORING.events, name, 0) for name in EVENTS}
    if known["BRANCH_LEFT"]:
        known["BRANCH"] = 0
    return {name: number for name, number in known.items() if number}


def count(code: CodeType) -> list[int]:
    """Count the events in a program's code from now on; return the counts, in the order of `known_events`."""
    tool, events = MONITORING.PROFILER_ID, known_events()
    MONITORING.use_tool_id(tool, "judge")
    counts = [0] * len(events)
    for place, number in enumerate(events.values()):
        MONITORING.register_callback(tool, number, counting(counts, place))
    for part in parts(code):
        MONITORING.set_local_events(tool, part, sum(events.values()))
    return counts


def counting(counts: list[int], place: int) -> Any:
    """Return what is called at each event of a kind."""

    def callback(*_: object) -> None:
        counts[place] += 1

    return callback


def parts(code: CodeType) -> list[CodeType]:
    """Return a code object and all that are nested in it."""
    return [code, *(part for each in code.co_consts if isinstance(each, CodeType) for part in parts(each))]


def report(mark: str, counts: list[int]) -> None:
    """Write the counts behind the mark."""
    os.write(2, f"\n{mark}{json.dumps(dict(zip(known_events(), counts, strict=True)))}\n".encode())


def main() -> None:
    """Run the program as Python itself would."""
    mark, path = sys.argv[1:]
    with open(path, "rb") as file:  # noqa: PTH123 - pathlib would be imported into the program's process
        code = compile(file.read(), path, "exec", dont_inherit=True)
    module = ModuleType("__main__")
    module.__dict__.update(__file__=path, __builtins__=__builtins__)
    sys.modules["__main__"], sys.argv = module, [path]
    counts = count(code)
    atexit.register(report, mark, counts)  # registered first, called last: after all threads and the program's own
    exec(code, module.__dict__)  # noqa: S102 - running it is our purpose


if __name__ == "__main__":
    main()
