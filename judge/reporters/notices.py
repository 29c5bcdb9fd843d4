"""Notices: what a person should know and that is no verdict; always on standard error."""

from collections.abc import Iterator
from typing import TextIO

from judge.events import Notice
from judge.reporters.lines import Line, Look, Role, Span, line, text_of
from judge.reporters.reporter import shows_unicode
from judge.reporters.visible import ASCII, PLAIN, lines
from judge.reporters.widths import wrap


def notice_lines(notice: Notice, look: Look) -> Iterator[Line]:
    """Yield `error: ...` or `note: ...`, further lines below the first."""
    head, role = ("error: ", Role.BAD) if notice.is_error else ("note: ", Role.FAULT)
    for number, text in enumerate(lines(notice.text, look.marks)):
        for part_number, part in enumerate(wrap(text, look.room(len(head)))):
            first = number == part_number == 0
            yield line(Span(head if first else " " * len(head), role), part)


def write_notice(notice: Notice, stderr: TextIO) -> None:
    """Write a notice as whole lines without colours."""
    look = Look(width=None, marks=PLAIN if shows_unicode(stderr) else ASCII)
    stderr.writelines(text_of(shown) + "\n" for shown in notice_lines(notice, look))
    stderr.flush()
