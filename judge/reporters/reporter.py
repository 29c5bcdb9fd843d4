"""What a reporter is, and what it is told about its streams."""

import codecs
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Literal, Protocol, Self, TextIO

from judge.events import Event

_DEFAULT_COLUMNS = 80

Colour = Literal["yes", "no", "auto"]


class Reporter(Protocol):
    """Shows events; a context manager, so that the terminal is as it was after an exception or Ctrl-C too."""

    def handle(self, event: Event) -> None:
        """Show one event."""

    def close(self) -> None:
        """Finish what is written and give the terminal back; may be called twice, and without `RunEnded`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOptions:
    """How to show.

    Attributes:
        colour: `auto` asks the environment and the stream.
        width: columns; None asks the terminal.
        environment: `NO_COLOR`, `FORCE_COLOR` and `TERM` are looked at.
    """

    colour: Colour = "auto"
    width: int | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)


def wants_colour(stream: TextIO, options: OutputOptions) -> bool:
    """Tell whether to colour: what was asked for, then `NO_COLOR`, then `FORCE_COLOR`, then what the stream is.

    After https://no-color.org and https://force-color.org: a variable counts when it is not empty.
    """
    if options.colour != "auto":
        return options.colour == "yes"
    if options.environment.get("NO_COLOR"):
        return False
    if options.environment.get("FORCE_COLOR"):
        return True
    return can_redraw(stream, options)


def can_redraw(stream: TextIO, options: OutputOptions) -> bool:
    """Tell whether the stream is a terminal that understands control sequences."""
    return stream.isatty() and options.environment.get("TERM", "").lower() not in ("dumb", "unknown")


def shows_unicode(stream: TextIO) -> bool:
    """Tell whether the stream's encoding has every character; a stream without one keeps text."""
    encoding = getattr(stream, "encoding", None)
    return encoding is None or codecs.lookup(encoding).name.startswith("utf")


def columns_of(stream: TextIO, options: OutputOptions) -> int:
    """Return how wide to write: what was asked for, then `COLUMNS`, then the terminal's width, then 80."""
    asked = options.environment.get("COLUMNS", "")
    if options.width or asked.isdecimal():
        return options.width or max(int(asked), 1)
    try:
        return os.get_terminal_size(stream.fileno()).columns or _DEFAULT_COLUMNS
    except (OSError, ValueError):  # no file, or no terminal
        return _DEFAULT_COLUMNS
