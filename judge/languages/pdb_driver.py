"""Runs a program in pdb: `python pdb_driver.py SOURCE INPUT`. The program reads the input, the debugger the terminal.

Not imported by the judge: the interpreter of the solution runs this file. While the debugger asks for a command,
descriptor 0 is the terminal, so that editing and history work; otherwise it is the input.
"""

import os
import pdb  # noqa: T100 - what this file is for
import sys
import traceback
from contextlib import suppress
from types import FrameType, ModuleType, TracebackType
from typing import Any

_terminal = os.dup(0)


class _Debugger(pdb.Pdb):
    """pdb with a standard input of its own."""

    def __init__(self, given: int) -> None:
        super().__init__(readrc=False)  # it would also read `.pdbrc` in the current folder
        with suppress(OSError), open(os.path.expanduser("~/.pdbrc"), encoding="utf-8") as file:  # noqa: PTH111, PTH123
            self.rcLines.extend(file)
        self.has_quit = False
        self._given = given
        self._prompt_input = sys.stdin
        os.dup2(given, 0)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - for as long as the process lives

    def interaction(self, frame: "FrameType | None", tb_or_exc: Any, *rest: Any) -> None:
        program_input, sys.stdin = sys.stdin, self._prompt_input
        os.dup2(_terminal, 0)
        try:
            super().interaction(frame, tb_or_exc, *rest)
        finally:
            os.dup2(self._given, 0)
            sys.stdin = program_input

    def set_quit(self) -> None:
        self.has_quit = True
        super().set_quit()


def _without_driver(found: "TracebackType | None", source: str) -> "TracebackType | None":
    """Return a traceback from the program's first frame on."""
    while found is not None and found.tb_frame.f_code.co_filename != source:
        found = found.tb_next
    return found


def main(source: str, given: str) -> int:
    """Run the program from its first line; after an uncaught exception, debug where it was raised."""
    debugger = _Debugger(os.open(given, os.O_RDONLY))
    sys.argv = [source]
    module = ModuleType("__main__")
    module.__dict__.update(__file__=source, __builtins__=__builtins__)
    sys.modules["__main__"] = module
    with open(source, "rb") as file:  # noqa: PTH123 - as light as possible
        code = compile(file.read(), source, "exec", dont_inherit=True)
    try:
        debugger.run(code, module.__dict__)
    except SystemExit as error:
        debugger.message(f"the program called exit({'' if error.code is None else repr(error.code)})")
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException as error:  # noqa: BLE001 - whatever the program raises
        found = _without_driver(error.__traceback__, source)
        traceback.print_exception(type(error), error, found)
        debugger.reset()
        debugger.interaction(None, found)
        return 1
    if not debugger.has_quit:
        debugger.message("the program has ended")
    return 0


if __name__ == "__main__":
    if sys.path[:1] == [os.path.dirname(os.path.abspath(__file__))]:  # noqa: PTH100, PTH120
        del sys.path[0]  # the judge's modules are not the program's
    sys.exit(main(*sys.argv[1:]))
