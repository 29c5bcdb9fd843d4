"""Every error that is ours or the user's, never the submission's: one small tree, drawn once here.

    JudgeError              exit status 2, or the verdict JE where one case is concerned
    |-- UsageError          the command line asks for something that cannot be done
    |-- DataError           a problem's files are wrong: a list of diagnostics, each with its place
    |-- SandboxError        a run could not be set up or observed
    |-- SubmitError         an online judge did not do what was asked of it (judge.online.submit.values)
    |-- ToolError           a compiler or interpreter is not on this machine, or cannot be used
    `-- StoreError          a cache or lock file cannot be read or written

What the submission does wrong is a `Verdict`, not an exception.
"""

import errno
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class JudgeError(Exception):
    """Base of all errors that are not the submission's fault."""


class UsageError(JudgeError):
    """The command line names something that does not exist or does not fit."""


class Severity(StrEnum):
    """How bad a diagnostic is."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One problem in one file: a YAML file, a case, a generator, or a source.

    Attributes:
        path: the file, as the user should see it.
        line: 1-based line, or 0 if the problem concerns the whole file.
        column: 1-based column in characters, or 0.
        rule: the check that found it, such as `version` or `import`; "" if there is only one.
        message: what was found and what was expected.
        fix: what to do, or "" if the message says it.
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
        return self._format(f"{self.severity}: {self.message}")

    def describe(self) -> str:
        """Return the same without the severity, for a report that starts the line with it."""
        return self._format(self.message)

    def _format(self, text: str) -> str:
        place = f"{self.path}:{self.line}:{self.column or 1}" if self.line else f"{self.path}"
        fix = f"\n    fix: {self.fix}" if self.fix else ""
        return f"{place}: {text}{fix}"


class DataError(JudgeError):
    """A problem's files are wrong; carries a diagnostic of every error, not only of the first."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("\n".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = tuple(diagnostics)


class SandboxError(JudgeError):
    """A run could not be set up or observed; it says nothing about the submission."""


class ToolError(JudgeError):
    """A compiler or interpreter is not on this machine, or cannot be used."""


class StoreError(JudgeError):
    """A cache, lock or history file cannot be read or written."""


_TOO_MANY_FILES = (errno.EMFILE, errno.ENFILE)


def describe_error(error: JudgeError | OSError) -> str:
    """Return an error's text for people: what it concerns, what is wrong and, where we know one, the remedy."""
    cause = error if isinstance(error, OSError) else error.__cause__
    text = str(error)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename is not None else ""
        text = f"{place}{error.strerror or error}"
    if isinstance(cause, OSError) and cause.errno in _TOO_MANY_FILES:
        text += "; use fewer workers (a smaller -j), or raise the limit (`ulimit -n`)"
    return text
