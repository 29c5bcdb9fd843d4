"""Lines and tables to a stream, in colours where they are wanted; rich renders, and never sees the stream itself."""

from collections.abc import Iterator
from io import StringIO
from typing import TextIO

from rich.console import Console, RenderableType
from rich.text import Text

from judge.events import Notice
from judge.reporters.escape import ASCII, PLAIN, UNICODE, lines, wrap
from judge.reporters.lines import DisplayOptions, Line, Span, Style, line, text_of
from judge.reporters.reporter import OutputOptions, columns_of, shows_unicode, wants_colour


def notice_lines(notice: Notice, look: DisplayOptions) -> Iterator[Line]:
    """Yield `error: ...` or `note: ...`, further lines below the first."""
    head, role = ("error: ", Style.BAD) if notice.is_error else ("note: ", Style.FAULT)
    for number, text in enumerate(lines(notice.text, look.marks)):
        for part_number, part in enumerate(wrap(text, look.room(len(head)))):
            first = number == part_number == 0
            yield line(Span(head if first else " " * len(head), role), part)


def write_notice(notice: Notice, stderr: TextIO) -> None:
    """Write a notice as whole lines without colours."""
    look = DisplayOptions(width=None, marks=PLAIN if shows_unicode(stderr) else ASCII)
    stderr.writelines(text_of(shown) + "\n" for shown in notice_lines(notice, look))
    stderr.flush()


STYLES: dict[Style, str] = {
    Style.TEXT: "",
    Style.DIM: "dim",
    Style.STRONG: "bold",
    Style.GOOD: "green",
    Style.BAD: "bold red",
    Style.FAULT: "yellow",
    Style.EXPECTED: "green",
    Style.FOUND: "red",
    Style.EXPECTED_HERE: "bold green",
    Style.FOUND_HERE: "bold red",
    Style.COMMAND: "cyan",
}
"""The terminal's own sixteen colours, so that it looks right on light and on dark ground."""


class Canvas:
    """A stream with its width, its signs and its colours.

    What rich renders is written in one piece, so that a broken pipe is the caller's to see.
    """

    def __init__(self, stream: TextIO, options: OutputOptions) -> None:
        self._stream = stream
        self._options = options
        self._colour = wants_colour(stream, options)
        self._marks = UNICODE if shows_unicode(stream) else ASCII

    @property
    def look(self) -> DisplayOptions:
        """What can be shown now; the window may have been resized."""
        return DisplayOptions(width=columns_of(self._stream, self._options), marks=self._marks)

    def write(self, *parts: Line | RenderableType) -> None:
        """Write lines, which are never broken, and tables."""
        console = _console(columns_of(self._stream, self._options), colour=self._colour)
        with console.capture() as captured:
            for part in parts:
                if isinstance(part, tuple):
                    console.print(styled(part), soft_wrap=True)
                else:
                    console.print(part)
        self._stream.write("".join(f"{text.rstrip(' ')}\n" for text in captured.get().splitlines()))
        self._stream.flush()


def styled(line: Line) -> Text:
    """Return a line with its roles' styles; nothing in it is read as markup."""
    text = Text(end="")
    for span in line:
        text.append(span.text, STYLES[span.role])
    text.rstrip()
    return text


def _console(width: int, *, colour: bool) -> Console:
    return Console(
        file=StringIO(),
        width=width,
        height=25,
        force_terminal=colour,
        color_system="standard" if colour else None,
        no_color=False,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )
