"""Lay out lines and tables for a terminal, in colours if wanted. `rich` renders them, but never sees the stream."""

import re
from collections.abc import Iterator
from io import StringIO
from typing import TextIO

from rich.color import ColorSystem
from rich.console import Console, RenderableType
from rich.style import Style as StyleOfRich
from rich.text import Text

from judge.reporters import OutputOptions, screen_glyphs, stream_width, wants_colour
from judge.reporters.escape import Glyphs
from judge.reporters.lines import DisplayOptions, Fit, Line, Span, Style

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

_NO_BREAK = "\ue000"  # stands for a space; like the next one never part of safe text
_BREAK = "\x1f"  # white space without a width


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
        """Write lines and tables."""
        width = stream_width(self._stream, self._options)
        file, system = StringIO(), ColorSystem.STANDARD if self._has_colour else None
        console = make_console(
            file, self._options, width, 25, has_colour=self._has_colour, is_terminal=self._has_colour
        )
        for part in parts:
            if not isinstance(part, Line):
                console.print(part)
            elif part.fit is Fit.KEEP:  # data may have many megabytes, which take a minute as texts of `rich`
                spans = (
                    StyleOfRich.parse(STYLES[span.style]).render(span.text, color_system=system) for span in part.spans
                )
                file.write("".join(spans) + "\n")
            else:
                for text in lay_out(part, console, self._glyphs):
                    console.print(text, soft_wrap=True)
        self._stream.write(
            "".join(f"{text.rstrip(' ')}\n" for text in file.getvalue().replace(_BREAK, "").splitlines())
        )
        self._stream.flush()


def make_console(
    file: TextIO,
    options: OutputOptions,
    width: int | None = None,
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
    for span in line.spans:
        text.append(span.text, STYLES[span.style])
    text.rstrip()
    return text


def lay_out(line: Line, console: Console, glyphs: Glyphs) -> Iterator[Text]:
    """Yield the lines of the screen that show a line."""
    text = render_line(line)
    if line.fit is Fit.KEEP or text.cell_len <= console.width:
        yield text
    elif line.fit is Fit.CUT:
        text.truncate(console.width - len(glyphs.ellipsis))
        yield text.append(glyphs.ellipsis)
    else:
        head = render_line(Line((*line.spans[: line.head], Span("."))))[:-1]
        available = max(console.width - head.cell_len, 10)  # columns beside the head of a line
        # commands in backticks and facts between dots are not broken where that is possible
        wholes = re.compile(rf"`[^`]*`|(?<!  ){glyphs.dot} [^{glyphs.dot}]{{,{available}}}(?= {glyphs.dot}|$)")
        body = Text()
        for span in line.spans[line.head :]:
            whole = wholes.sub(lambda found: found[0].replace(" ", _NO_BREAK), span.text)
            body.append(re.sub(rf"\S{{{available},}}", lambda found: mark_breaks(found[0]), whole), STYLES[span.style])
        for number, part in enumerate(body.wrap(console, available)):
            fact = part[2:] if number and part.plain.startswith(f"{glyphs.dot}{_NO_BREAK}") else part
            fact.plain = fact.plain.replace(_NO_BREAK, " ")
            yield Text.assemble(" " * head.cell_len if number else head, *fact.split(_BREAK), end="")


def mark_breaks(word: str) -> str:
    """Mark where `rich` can break a word that does not fit on a line."""
    return re.sub("[/_,:-]", rf"\g<0>{_BREAK}", word)
