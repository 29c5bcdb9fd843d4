"""Boxes for many runs of Python solutions: an initialized interpreter forks for each run."""

import os
import sys
from functools import cache, lru_cache
from typing import Any

from judge.model import Limits
from judge.sandbox.box import PACKAGE, Box, Command, Outcome, Partner
from judge.sandbox.installations import base_python, required_paths

# The run leaves the zygote's frames by an exception, so that the program's code is called from here, at the top level.
_START = """\
import sys
sys.path.insert(0, sys.argv[1])
from judge.sandbox.warm_zygote import main
code, names, finish = main(sys.argv[2])
try:
    exec(code, names)
except BaseException as error:
    finish(error)
finish(None)
"""


class WarmBox(Box):
    """A box that starts Python solutions warm, several times faster than a cold start.

    Only commands that `warm_command` knows start warm; all others start cold, as in any box. Verdicts of solutions that
    people read come from cold runs; this is for searches that need thousands of runs, and for a problem's own programs
    (see `warm_starts`).

    Programs with the same `Command.base` share an interpreter. Each is compiled in its own run, so that nothing of it
    is ever in the zygote.
    """

    _python = ""
    _source = ""  # "" for cold runs

    def prepare(self, command: Command) -> None:
        """Start the interpreter for a program, without waiting for it."""
        self._choose(command)
        self._show((*map(str, command.readable), *required_paths(command.argv[0])), str(command.writable or ""))
        self.prestart()

    def _choose(self, command: Command) -> None:
        python, source = warm_command(command)
        if (python, source) != (self._python, self._source):
            self._wait_for_answer()
            self._stop()
            self._python, self._source = python, source

    def _zygote_command(self) -> list[str]:
        if not self._source:
            return super()._zygote_command()
        return [self._python, "-I", "-c", _START, PACKAGE, self._source]


class SharedWarmBox(Box):
    """A box that starts all Python solutions warm in one interpreter; whatever cannot start warm runs in a cold box.

    For streams of many solutions with few runs each: `WarmBox` starts an interpreter for each solution. The interpreter
    has imported more modules than a solution names, and reads and compiles a source only in its run, so a source with
    an error in its syntax fails as at run time. Verdicts other than plain AC and WA should be confirmed in `cold`.

    Attributes:
        cold: the box beside it, on the same processor.
    """

    _repeats_disturbed = False  # what takes too long is confirmed in `cold`

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.cold = self._companions[Box] = Box(**options)
        self._python = ""

    @property
    def partner(self) -> Partner:
        """The box for programs of the problem that judge."""
        return self.cold.partner

    def run(self, command: Command, limits: Limits) -> Outcome:
        """Run a program to its end and return what happened."""
        return super().run(command, limits) if warm_command(command)[1] else self.cold.run(command, limits)

    def _choose(self, command: Command) -> None:
        python, _ = warm_command(command)
        if python != self._python:
            self._wait_for_answer()
            self._stop()
            self._python = python

    def _zygote_command(self) -> list[str]:
        if not self._python:
            return super()._zygote_command()
        return [self._python, "-I", "-c", _START, PACKAGE, ""]


def warm_command(command: Command) -> tuple[str, str]:
    """Return the interpreter and the source of a command that can start warm, else ("", "").

    That is `PYTHON -I FILE.py [ARGUMENT ...]` with the judge's own interpreter, or the same with `-s` for a program of
    several files. None of these may have the name of a module of the library, which the interpreter would import
    instead of the program's.
    """
    match command.argv:
        case (python, "-I" | "-s" as isolation, source, *_) if source.endswith(".py") and not command.may_fork:
            if not _is_base_python(python):
                return "", ""
            folders = command.environment.get("PYTHONPATH", "")
            if isolation == "-I" or (folders and not any(map(_hides_library, folders.split(":")))):
                return python, str(command.base or source)
    return "", ""


@lru_cache(maxsize=64)
def _is_base_python(python: str) -> bool:
    """Return whether an interpreter is the judge's own; asked at every run, and links take long to follow."""
    return os.path.realpath(python) == base_python()


@cache
def _hides_library(folder: str) -> bool:
    """Return whether a folder has a module with the name of one of the library; the judge's copies never change."""
    try:
        return any(name.partition(".")[0] in sys.stdlib_module_names for name in os.listdir(folder))
    except OSError:
        return True
