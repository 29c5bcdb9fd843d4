"""Reporters show the events of a run to people and programs; they write only to the streams that they are given.

To add a reporter, write a module and add a row to `_REPORTERS`. Modules are imported when they are needed, so that
only the reporter for terminals loads `rich`.
"""

import codecs
import os
from collections.abc import Mapping
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, Self, TextIO

from msgspec import Struct, field

from judge.model.events import Event
from judge.reporters.escape import ASCII, PLAIN, UNICODE, Glyphs

if TYPE_CHECKING:
    from judge.reporters.canvas import Canvas
    from judge.reporters.lines import Log


class Verbosity(Enum):
    """How much a report for people says."""

    QUIET = "quiet"  # no progress
    NORMAL = "normal"
    VERBOSE = "verbose"  # each case


class Reporter(Protocol):
    """Shows events. A context manager, so that the terminal is restored after an exception and after Ctrl-C, too."""

    def handle(self, event: Event) -> None:
        """Show an event."""

    def close(self) -> None:
        """Finish the output and restore the terminal. May be called twice, and without a `RunEnded`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class OutputOptions(Struct, frozen=True, kw_only=True):
    """The options of a reporter.

    Attributes:
        verbosity: `QUIET` shows no progress, `VERBOSE` a line for each case.
        environment: the variables `NO_COLOR`, `FORCE_COLOR`, `TERM` and `COLUMNS` are read.
    """

    verbosity: Verbosity = Verbosity.NORMAL
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)


def wants_colour(stream: TextIO, options: OutputOptions) -> bool:
    """Return whether to use colours: `NO_COLOR` decides, then `FORCE_COLOR`, then the stream.

    After https://no-color.org and https://force-color.org: a variable counts if it is not empty.
    """
    if options.environment.get("NO_COLOR"):
        return False
    if options.environment.get("FORCE_COLOR"):
        return True
    return can_redraw(stream, options)


def can_redraw(stream: TextIO, options: OutputOptions) -> bool:
    """Return whether the stream is a terminal that understands control sequences."""
    return stream.isatty() and options.environment.get("TERM", "").lower() not in ("dumb", "unknown")


def supports_unicode(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether the stream can encode every character, and the locale is not C.

    In the locale C, Python writes UTF-8 all the same (PEP 540), which the user has not asked for. Without `LC_ALL`, it
    has replaced the locale by C.UTF-8 (PEP 538). A stream without an encoding keeps text as it is.
    """
    encoding = getattr(stream, "encoding", None)
    if encoding is None:
        return True
    if not codecs.lookup(encoding).name.startswith("utf"):
        return False
    locale = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG")
    is_explicit = environment.get("PYTHONIOENCODING") or environment.get("PYTHONUTF8") == "1"
    return locale not in ("C", "POSIX") or bool(is_explicit)


def screen_glyphs(stream: TextIO, environment: Mapping[str, str] = os.environ) -> Glyphs:
    """Return the symbols for a screen."""
    return UNICODE if supports_unicode(stream, environment) else ASCII


def log_glyphs(stream: TextIO, environment: Mapping[str, str] = os.environ) -> Glyphs:
    """Return the symbols for a log: always ASCII, with text in any script if the stream supports it."""
    return PLAIN if supports_unicode(stream, environment) else ASCII


def stream_width(stream: TextIO, options: OutputOptions) -> int:
    """Return the number of columns: that of `COLUMNS`, then of the terminal, then 80."""
    columns = options.environment.get("COLUMNS", "")
    if columns.isdecimal():
        return max(int(columns), 1)
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):  # not a file, or not a terminal
        return 80


def default_format(stdout: TextIO, options: OutputOptions) -> str:
    """Return `rich` for a terminal, `github` in GitHub Actions, and `plain` for any other stream."""
    if stdout.isatty():
        return "rich"
    return "github" if options.environment.get("GITHUB_ACTIONS") == "true" else "plain"


def make_canvas(stream: TextIO) -> "Canvas | Log":
    """Return what writes lines to a stream: laid out on a terminal, else whole."""
    if stream.isatty():
        from judge.reporters.canvas import Canvas

        return Canvas(stream, OutputOptions())
    from judge.reporters.lines import Log

    return Log(stream)


_REPORTERS = {
    "rich": "screen.ScreenReporter",
    "plain": "plain.PlainReporter",
    "json": "json_report.JsonReporter",
    "jsonl": "json_report.JsonLinesReporter",
    "short": "short.ShortReporter",
    "github": "github.GitHubReporter",
    "junit": "ci_reports.JUnitReporter",
    "ctrf": "ci_reports.CtrfReporter",
}


def make_reporter(name: str | None, stdout: TextIO, stderr: TextIO, options: OutputOptions | None = None) -> Reporter:
    """Make a reporter; without a name, the one that fits the stream."""
    options = options or OutputOptions()
    module, _, kind = _REPORTERS[name or default_format(stdout, options)].partition(".")
    reporter: Reporter = getattr(import_module(f"judge.reporters.{module}"), kind)(stdout, stderr, options)
    return reporter
