"""The errors that are not the submission's fault.

    JudgeError              exit status 2, or the verdict JE if it concerns one case
    |-- UsageError          the command line asks for something impossible
    |-- DataError           a problem's files are wrong: carries all diagnostics
    |-- SandboxError        a run could not be set up or observed
    |-- SubmitError         an online judge refused a request or is not available (judge.online.submit.values)
    |-- ToolError           a compiler or interpreter is missing or unusable
    `-- StoreError          a cache, lock or history file cannot be read or written

What a submission does wrong is a `Verdict`, not an exception.
"""

import errno
import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

_SURROGATE = re.compile("[\ud800-\udfff]")  # of a name that is not UTF-8; streams and reports escape it


class JudgeError(Exception):
    """Base of all errors that are not the submission's fault."""


class UsageError(JudgeError):
    """The command line names something that does not exist, or a combination that is not possible."""


class Severity(StrEnum):
    """How bad a diagnostic is."""

    ERROR = "error"
    WARNING = "warning"


class Diagnostic(Struct, frozen=True, kw_only=True):
    """One error or warning about one file: a YAML file, a case, a generator, or a source.

    Attributes:
        path: the file, as the user should see it.
        line: 1-based line, or 0 if the problem concerns the whole file.
        column: 1-based column in characters, or 0.
        rule: the check that found it, such as `version` or `import`; "" if there is only one.
        message: what was found and what was expected.
        fix: what to do; "" if the message includes it.
    """

    path: Path
    line: int = 0
    column: int = 0
    severity: Severity = Severity.ERROR
    rule: str = ""
    message: str
    fix: str = ""

    def __str__(self) -> str:
        """Return the form that every command prints: `path:line:column: error: message`, then the fix."""
        path = join_lines(str(self.path))
        place = f"{path}:{self.line}:{self.column or 1}" if self.line else path
        fix = f"\n    fix: {self.fix}" if self.fix else ""
        return make_safe(f"{place}: {self.severity}: {self.message}{fix}")


def shorten(text: str, most: int) -> str:
    """Return a text for a message: of one that is longer, so many characters and an ellipsis."""
    return text if len(text) <= most else f"{text[:most]}..."


def make_safe(message: str) -> str:
    r"""Return a message whose only control characters are `\n`: names of files may contain commands for a terminal."""
    return "\n".join(map(join_lines, message.split("\n")))


def join_lines(name: str) -> str:
    r"""Return the name of a file without line ends, such as `\n`, and other invisible characters.

    Nothing that it says may look like a message.
    """
    if name.isprintable():
        return name
    return "".join(each if each.isprintable() or _SURROGATE.match(each) else ascii(each)[1:-1] for each in name)


class DataError(JudgeError):
    """A problem's files are wrong; carries all diagnostics, not only the first."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("\n".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = tuple(diagnostics)


class SandboxError(JudgeError):
    """A run could not be set up or observed; this says nothing about the submission."""


class ToolError(JudgeError):
    """A compiler or interpreter is not on this machine, or is not usable."""


class StoreError(JudgeError):
    """A cache, lock or history file cannot be read or written."""


_TOO_MANY_FILES = (errno.EMFILE, errno.ENFILE)


def describe_error(error: Exception) -> str:
    """Return the message of an error for users, with a fix if one is known.

    Any error besides ours and the system's is a bug, to be reported with its place.
    """
    if not isinstance(error, JudgeError | OSError):
        text, trace = f"{type(error).__name__}: {shorten(str(error), 200)}", error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        place = f" ({Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno})" if trace else ""
        return f"internal error: {text}{place}; please report it with this message and the source"
    cause = error if isinstance(error, OSError) else error.__cause__
    text = str(error)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename is not None else ""
        text = f"{place}{error.strerror or error}"
    if isinstance(cause, OSError) and cause.errno in _TOO_MANY_FILES:
        text += "; use fewer workers (a smaller -j), or raise the limit (`ulimit -n`)"
    return text
