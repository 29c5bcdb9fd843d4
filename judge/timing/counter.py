"""Runs a Python program and counts its events: a script that imports nothing of the judge and needs Python 3.12.

Arguments: a marker, and the program's file. When the program ends, the last line on standard error is the marker and
the counts as JSON. The events are those of the program's own code (sys.monitoring, PEP 669): functions started and
resumed, jumps, branches and calls. The counts are the same in every run that does the same work.
"""

import atexit
import json
import os
import sys
from types import CodeType, ModuleType
from typing import Any

MONITORING: Any = getattr(sys, "monitoring", None)  # Python 3.12+

# Names in sys.monitoring.events. Python 3.14 has two kinds of branches in place of BRANCH.
EVENTS = ("PY_START", "PY_RESUME", "JUMP", "BRANCH_LEFT", "BRANCH_RIGHT", "BRANCH", "CALL")


def known_events() -> dict[str, int]:
    """Return the events to count that this Python has, with their numbers."""
    known = {name: getattr(MONITORING.events, name, 0) for name in EVENTS}
    if known["BRANCH_LEFT"]:
        known["BRANCH"] = 0
    return {name: number for name, number in known.items() if number}


def count(code: CodeType) -> list[int]:
    """Start counting the events in a program's code; return the counts, in the order of `known_events`."""
    tool, events = MONITORING.PROFILER_ID, known_events()
    MONITORING.use_tool_id(tool, "judge")
    counts = [0] * len(events)
    for index, number in enumerate(events.values()):
        MONITORING.register_callback(tool, number, make_callback(counts, index))
    for part in nested_code(code):
        MONITORING.set_local_events(tool, part, sum(events.values()))
    return counts


def make_callback(counts: list[int], index: int) -> Any:
    """Return a function that counts an event."""

    def callback(*_: object) -> None:
        counts[index] += 1

    return callback


def nested_code(code: CodeType) -> list[CodeType]:
    """Return a code object and all code objects in it."""
    return [code, *(inner for each in code.co_consts if isinstance(each, CodeType) for inner in nested_code(each))]


def report(marker: str, counts: list[int]) -> None:
    """Write the marker and the counts."""
    os.write(2, f"\n{marker}{json.dumps(dict(zip(known_events(), counts, strict=True)))}\n".encode())


def main() -> None:
    """Run the program as Python itself would."""
    marker, path = sys.argv[1:]
    with open(path, "rb") as file:  # noqa: PTH123 - pathlib would be imported into the program's process
        code = compile(file.read(), path, "exec", dont_inherit=True)
    module = ModuleType("__main__")
    module.__dict__.update(__file__=path, __builtins__=__builtins__)
    sys.modules["__main__"], sys.argv = module, [path]
    counts = count(code)
    atexit.register(report, marker, counts)  # registered first, called last: after threads and the program's own
    exec(code, module.__dict__)  # noqa: S102 - running the program is our purpose


if __name__ == "__main__":
    main()
