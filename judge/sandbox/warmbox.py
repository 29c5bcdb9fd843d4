"""A box for many runs of one Python solution: an interpreter that is ready forks for each run."""

import os

from judge.interpreter import base_python
from judge.model import Limits
from judge.sandbox.box import PACKAGE, Box, Command, Outcome

# The run leaves the zygote's frames by an exception, so that its own code is called from here, at the top.
_START = """\
import sys
sys.path.insert(0, sys.argv[1])
from judge.sandbox.warm import finish, main
code, names = main(sys.argv[2])
try:
    exec(code, names)
except BaseException as error:
    finish(error)
finish(None)
"""

_SOURCE = 2  # the place of the source in a solution's command: python3 -I FILE


class WarmBox(Box):
    """A box whose runs of Python solutions start warm: several times faster than a cold start.

    Only commands `PYTHON -I FILE` with the interpreter that we run on are warm; others run cold in the same way as in
    any box. Verdicts that people read come from cold runs: this is for searches that need very many.
    """

    _source = ""
    _python = ""

    def run(self, command: Command, limits: Limits) -> Outcome:
        """Run a program to its end and return what happened."""
        source, python = "", ""
        if len(command.argv) == _SOURCE + 1 and command.argv[1] == "-I" and not command.may_fork:
            python = command.argv[0]
            if os.path.realpath(python) == base_python() and command.argv[_SOURCE].endswith(".py"):
                source = command.argv[_SOURCE]
        if (source, python if source else "") != (self._source, self._python):
            self._stop()
            self._source, self._python = source, python if source else ""
        return super().run(command, limits)

    def _zygote(self) -> list[str]:
        if not self._source:
            return super()._zygote()
        return [self._python, "-I", "-c", _START, PACKAGE, self._source]
