"""The file of a page: whether it may be written, how it is made from a template, and the report that it holds."""

import base64
import hashlib
import os
import platform
import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from judge import __version__
from judge.base.errors import StoreError, UsageError, describe_error
from judge.base.files import open_regular, read_regular, write_atomically
from judge.base.units import MIB, format_bytes, format_seconds
from judge.reporters.dialogue import list_rows, summarize
from judge.reporters.escape import PLAIN, UNICODE, one_line, to_json
from judge.reporters.formatting import format_memory, quote_word
from judge.reporters.json_report import decode
from judge.reporters.lines import DisplayOptions, Line, Span, Style, line_text

if TYPE_CHECKING:
    from jinja2 import Environment

    from judge.preparation.visualize import Image
    from judge.reporters.pictures import Drawing

_VERSION = 1
_START = b"<!doctype html>\n<!-- made by judge -->\n"
_REPORT = re.compile(rb'<script type="text/plain" id="report">([A-Za-z0-9+/=]+)</script>')
_MAX_HELD = 2 * MIB  # bytes of the report in a page, encoded
_MAX_REPORT = 256 * MIB  # bytes of a report, decoded: a page may come from anyone


SHOWN = DisplayOptions(width=None, glyphs=UNICODE)
"""What a page can show."""


class Report(Struct, frozen=True, kw_only=True):
    """What a page holds besides what it shows.

    Attributes:
        text: the report for people, as lines without colours.
        record: the report for programs.
        version: of this struct; it grows if an older judge cannot read it.
        judge: its version.
    """

    text: str
    record: Any
    version: int = _VERSION
    judge: str = __version__


def plain_text(make_lines: Callable[[DisplayOptions], Iterable[Line]]) -> str:
    """Return the text of a report for people, as `Report` has it."""
    lines = make_lines(DisplayOptions(width=None, glyphs=PLAIN))
    return "".join(f"{line_text(line)}\n" for line in lines)


class OutputFile:
    """A file that is written at the end of a command; made at its beginning, which is when errors are of use.

    Args:
        option: which names it.
        what: the judge writes, such as `page`.
        marks: only such files have one; without any, every other file is of another kind.
        advice: about a file of another kind.

    Raises:
        UsageError: the file cannot be written, or is of another kind and is not to be overwritten.
    """

    def __init__(
        self,
        option: str,
        path: Path,
        what: str = "file",
        marks: Sequence[bytes] = (),
        *,
        is_forced: bool = False,
        advice: str = "--force overwrites it",
    ) -> None:
        self.path = path
        self._name = name = f"{option} {path}"
        folder = path.parent
        suffix = path.suffix or f".{option.strip('-')}"
        if not folder.is_dir():
            raise UsageError(f"{name}: {folder} is not a folder; create it, or choose another file")
        if path.is_dir():
            raise UsageError(f"{name}: is a folder; expected a file, such as {path / 'report'}{suffix}")
        if path.exists() and not path.is_file():
            raise UsageError(f"{name}: is not a regular file; choose another one")
        if not is_forced and (path.exists() or path.is_symlink()) and not _has_mark(path, marks):
            raise UsageError(f"{name}: exists, and is not a {what} of judge; {advice}")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise UsageError(f"{name}: {folder} cannot be written; choose another folder")

    def write_bytes(self, content: bytes) -> None:
        """Write the content.

        Raises:
            StoreError: the disk is full, for example.
        """
        try:
            write_atomically(self.path, content)
        except OSError as error:
            raise StoreError(f"{self._name}: {describe_error(error)}") from error


class PageFile(OutputFile):
    """The file of a page; `command` makes it again."""

    def __init__(self, path: Path, command: Sequence[str] = (), *, is_forced: bool = False) -> None:
        super().__init__("--html", path, "page", [_START], is_forced=is_forced)
        self._command = " ".join(map(quote_word, command))

    def write(self, template: str, report: str, record: object, **values: Any) -> None:
        """Write the page that a template makes of values, and that holds a report: as text, and for programs, if any.

        Raises:
            StoreError: the disk is full, for example.
        """
        held = None if record is None else Report(text=report, record=record)
        self.write_bytes(render(template, held, command=self._command, **values))


def _has_mark(path: Path, marks: Sequence[bytes]) -> bool:
    """Return whether the first or the last 1024 bytes of a file have a mark of the judge."""
    try:
        with open(open_regular(path), "rb") as file:  # noqa: PTH123 - a descriptor
            start = file.read(1024)
            file.seek(max(0, path.stat().st_size - 1024))
            text = start + file.read()
            return any(mark in text for mark in marks)
    except OSError:
        return False


def render(
    template: str,
    report: Report | None,
    *,
    styles: Sequence[str] = ("page.css", "picture.css"),
    scripts: Sequence[str] = ("page.js",),
    language: str = "en",
    **values: object,
) -> bytes:
    """Return the page that a template makes of values; it holds the report, unless that is too large."""
    style, script = (
        "".join(Path(__file__).with_name(name).read_text(encoding="utf-8") for name in names)
        for names in (styles, scripts)
    )
    from judge.runner.cache import machine  # completion needs none of it

    held = left_out = ""
    if report is not None:
        data = to_json(asdict(report)).encode()
        held = base64.b64encode(zlib.compress(data, 9)).decode() if len(data) <= _MAX_REPORT else ""
        if not 0 < len(held) <= _MAX_HELD:
            held, left_out = "", format_bytes(len(data))
    system, release, architecture, model, _ = machine()
    text = render_part(
        template,
        **values,
        is_live="live.js" in scripts,
        language=language,
        style=style,
        script=script,
        hashes=[base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in (style, script)],
        held=held,
        left_out=left_out,
        version=f"{__version__}, Python {platform.python_version()}",
        machine=f"{system} {release}, {architecture}, {model.partition(':')[2].strip() or 'unknown processor'}",
        now=datetime.now(UTC).astimezone().strftime("%Y-%m-%d %H:%M %Z"),
    )
    return _START + text.encode()


def render_part(template: str, **values: object) -> str:
    """Return what a template makes of values."""
    return _environment().get_template(template).render(values)


def read_page(path: Path) -> Report:
    """Return the report that a page holds.

    Raises:
        UsageError: the file is not a page of the judge, or one of a newer judge.
    """
    try:
        content = read_regular(path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    if not content.startswith(_START):
        raise UsageError(f"{path}: not a page of judge; expected one that `--html` wrote")
    found = _REPORT.search(content)
    if found is None:
        raise UsageError(f"{path}: this page holds no report: it was too large, or the file is damaged")
    decompressor = zlib.decompressobj()
    try:
        data = decompressor.decompress(base64.b64decode(found[1], validate=True), _MAX_REPORT)
        report = msgspec.json.decode(data, type=Report)
    except (msgspec.MsgspecError, ValueError, RecursionError, zlib.error) as error:
        raise UsageError(f"{path}: the report in this page is damaged; make the page again with `--html`") from error
    if report.version != _VERSION:
        raise UsageError(
            f"{path}: a page of judge {report.judge[:40]}, whose report has version {report.version}; this is judge "
            f"{__version__}, which reads version {_VERSION}: use the other one"
        )
    return report


# ---- templates -----------------------------------------------------------------------------------------------------


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # only pages need it

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=shown_text,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "seconds": format_seconds, "bytes": format_bytes, "memory": format_memory, "facts": facts, "share": share,
        "code": code, "decode": decode, "picture": picture,
        "talk_rows": partial(list_rows, glyphs=UNICODE), "talk_summary": summarize,
    }  # fmt: skip
    return environment


def shown_text(value: object) -> object:
    """Return a value for a page: text as safe lines, cut if it is very long; markup is for templates only."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    cut = value[:20_000]
    more = f"… ({len(value) - len(cut):,} more characters)" if len(cut) < len(value) else ""
    return "\n".join(one_line(line, UNICODE) for line in cut.split("\n")) + more


def share(used: float, limit: float) -> int:
    """Return how much of a limit is used, in percent, at most 100."""
    return min(round(100 * used / limit), 100) if limit > 0 else 100


def code(text: str, path: str) -> object:
    """Return source code with marks for its colours; plain if its language is not known."""
    from markupsafe import Markup
    from pygments import highlight
    from pygments.formatters.html import HtmlFormatter
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    shown = str(shown_text(text))
    try:
        lexer = get_lexer_for_filename(path, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return shown
    return Markup(highlight(shown, lexer, HtmlFormatter(nowrap=True, classprefix="p-")))  # noqa: S704


def picture(drawing: "Drawing | Image") -> object:
    """Return a picture as an element of the page."""
    from markupsafe import Markup

    from judge.reporters.pictures.svg import render  # few pages have one

    return Markup(render(drawing))  # noqa: S704


def facts(lines: Iterable[Line]) -> list[tuple[str, list[Sequence[Span]]]]:
    """Return the labels of a report's lines, each with what it names: its line, and those below it without a label."""
    found: list[tuple[str, list[Sequence[Span]]]] = []
    for line in lines:
        has_label = len(line.spans) > 1 and line.spans[0].style is Style.DIM
        label = line.spans[0].text.strip(f" {UNICODE.rule}") if has_label else ""
        if label or not found:
            found.append((label, []))
        found[-1][1].append(line.spans[1:] if has_label else line.spans)
    return found
