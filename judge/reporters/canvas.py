"""Write lines and tables to a terminal, in colours if wanted. `rich` renders them, but never sees the stream."""

from io import StringIO
from typing import TextIO

from rich.console import Console, RenderableType
from rich.text import Text

from judge.reporters import OutputOptions, screen_glyphs, stream_width, wants_colour
from judge.reporters.lines import DisplayOptions, Line, Style

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
"""Only the sixteen colours of the terminal's own theme, which fit light and dark backgrounds."""


class Canvas:
    """A stream with its width, glyphs and colours.

    What `rich` renders is written in one piece, so that the caller sees a broken pipe.
    """

    def __init__(self, stream: TextIO, options: OutputOptions) -> None:
        self._stream = stream
        self._options = options
        self._has_colour = wants_colour(stream, options)
        self._glyphs = screen_glyphs(stream, options.environment)

    @property
    def display(self) -> DisplayOptions:
        """What the stream can show now; the window may have been resized."""
        return DisplayOptions(width=stream_width(self._stream, self._options), glyphs=self._glyphs)

    def write(self, *parts: Line | RenderableType) -> None:
        """Write lines, which are never broken, and tables."""
        width = stream_width(self._stream, self._options)
        console = make_console(
            StringIO(), self._options, width, 25, has_colour=self._has_colour, is_terminal=self._has_colour
        )
        with console.capture() as captured:
            for part in parts:
                if isinstance(part, tuple):
                    console.print(render_line(part), soft_wrap=True)
                else:
                    console.print(part)
        self._stream.write("".join(f"{text.rstrip(' ')}\n" for text in captured.get().splitlines()))
        self._stream.flush()


def make_console(
    file: TextIO,
    options: OutputOptions,
    width: int | None,
    height: int | None = None,
    *,
    has_colour: bool,
    is_terminal: bool = True,
) -> Console:
    """Make a console of `rich` that takes its settings from us and interprets nothing in a text."""
    return Console(
        file=file,
        width=width,
        height=height,
        force_terminal=is_terminal,
        color_system="standard" if has_colour else None,
        no_color=False,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
        _environ=options.environment,
    )


def render_line(line: Line) -> Text:
    """Return a line as a `rich` text; nothing in it is interpreted as markup."""
    text = Text(end="")
    for span in line:
        text.append(span.text, STYLES[span.style])
    text.rstrip()
    return text
