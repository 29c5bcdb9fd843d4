"""Statements as a page: formulas as MathML, pictures inside the file, samples from the data, no scripts."""

import base64
import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape
from msgspec import Struct

from judge.base.files import read_regular
from judge.base.units import MIB
from judge.preparation.visualize import IMAGE_TYPES
from judge.problems.statement import Statement, parser, strip_samples
from judge.reporters.escape import UNICODE, safe_text
from judge.reporters.html.page import PageFile

_SCROLLED = 'class="scroll" role="group" tabindex="0" aria-label="{}"'


class Sample(Struct, frozen=True, kw_only=True):
    """A sample of a statement: an input and its answer, or what each side says, by turns."""

    input: bytes = b""
    answer: bytes | None = None
    dialogue: Sequence[tuple[bool, bytes]] = ()  # lines, and whether the solution writes them


class StatementPart(Struct, frozen=True, kw_only=True):
    """The statement of a problem with what surrounds it.

    Attributes:
        facts: such as the limits.
        keeps_samples: those in the text are not replaced by `samples`.
    """

    name: str
    language: str
    facts: str
    statement: Statement
    samples: Sequence[Sample] = ()
    keeps_samples: bool = False

    @property
    def title(self) -> str:
        """The title in the language of the statement, if it has one."""
        return self.statement.title or self.name

    @property
    def text(self) -> str:
        """The safe Markdown below the title, without the samples."""
        return safe_text(strip_samples(self.statement.text, keeps_samples=self.keeps_samples), UNICODE)


def write_statements(page: PageFile, title: str, parts: Sequence[StatementPart]) -> list[str]:
    """Write a page with statements; return what it leaves out."""
    notes: list[str] = []
    bodies: list[Markup] = []
    level = 2 if len(parts) == 1 else 3  # of the highest heading
    for part in parts:
        tokens = parser().parse(part.text)
        headings = [token for token in tokens if token.type.startswith("heading_")]
        highest = min((int(token.tag[1:]) for token in headings), default=1)
        for token in headings:
            token.tag = f"h{min(int(token.tag[1:]) - highest + level, 6)}"
        found: list[str] = []
        text = _Renderer().render(tokens, parser().options, {"folder": part.statement.folder, "notes": found})
        bodies.append(Markup(text))  # noqa: S704 - its renderer escapes
        notes += [f"{part.name}: {each}" for each in found]
    page.write(
        "statement.html",
        "",
        None,
        styles=("page.css", "statement.css"),
        scripts=(),
        title=title,
        language=parts[0].language,
        parts=parts,
        bodies=bodies,
    )
    return notes


class _Renderer(RendererHTML):
    """Its public methods are rules for the tokens of their names."""

    def math(self, tokens: Sequence[Token], at: int, _options: Any, env: Any) -> str:
        """Render a formula; one that is not known as its source."""
        token = tokens[at]
        element = to_mathml(token.content, is_block=token.markup == "$$")
        if element is not None:
            formula = ET.tostring(element, encoding="unicode")
            return f"<span {_SCROLLED.format('formula')}>{formula}</span>" if token.markup == "$$" else formula
        source = f"{token.markup}{token.content}{token.markup}"
        env["notes"].append(unknown_formula(source))
        return f"<code>{escape(source)}</code>"

    def link_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        """Begin a link; without an address, it leads nowhere, and not to this page."""
        if not tokens[at].attrs.get("href"):
            tokens[at].attrs.pop("href", None)
        return self.renderToken(tokens, at, options, env)

    def table_open(self, *_: Any) -> str:
        """Begin a table."""
        return f"<div {_SCROLLED.format('table')}><table>"

    def table_close(self, *_: Any) -> str:
        """End a table."""
        return "</table></div>\n"

    def image(self, tokens: Sequence[Token], at: int, _options: Any, env: Any) -> str:
        """Render a picture as a part of the page."""
        token = tokens[at]
        name = unquote(str(token.attrs.get("src", "")))
        found = read_picture(env["folder"], name)
        if found is None:
            env["notes"].append(missing_picture(name))
            return f"<em>[{escape(token.content or name)}]</em>"
        kind, data = found
        return f'<img alt="{escape(token.content)}" src="data:{kind};base64,{base64.b64encode(data).decode()}">'


def read_picture(folder: Path, name: str) -> tuple[str, bytes] | None:
    """Return the media type and the bytes of a picture in a folder; LaTeX leaves out the suffix."""
    root = folder.resolve()
    for suffix in ("", *IMAGE_TYPES):
        path = folder / f"{name}{suffix}"
        kind = IMAGE_TYPES.get(path.suffix.lower())
        try:
            if kind and path.resolve().is_relative_to(root) and path.stat().st_size <= 4 * MIB:
                return kind, read_regular(path)
        except (OSError, ValueError):
            continue
    return None


def unknown_formula(source: str) -> str:
    """Say that a formula is not typeset."""
    return f"the formula {source} is shown as its source: it has a command that is not known"


def missing_picture(name: str) -> str:
    """Say that a picture is left out."""
    kinds = ", ".join(suffix.removeprefix(".") for suffix in IMAGE_TYPES)
    return f"the picture `{name}` is left out: expected a file beside the statement ({kinds}) of at most 4 MiB"


_ATTRIBUTES = frozenset(
    ("display", "displaystyle", "columnalign", "fence", "form", "linethickness", "mathvariant", "stretchy", "width")
)
_LINES = (  # environments that it does not know, as those that it does
    (re.compile(r"\\(begin|end)\{aligned(?:at\}(?:\{\d+\})?|\})(?:\[\w\])?"), r"\\\1{split}"),
    (re.compile(r"\\begin\{gather(ed|\*)?\}(\[\w\])?"), r"\\displaylines{"),
    (re.compile(r"\\end\{gather(ed|\*)?\}"), "}"),
)


def to_mathml(formula: str, *, is_block: bool = False) -> ET.Element | None:
    """Return a formula as MathML; None if it has a command that is not known, or is malformed."""
    from latex2mathml.converter import convert_to_element  # few commands need it

    if len(formula) > 4_000:
        return None
    for lines, known in _LINES:
        formula = lines.sub(known, formula)
    try:
        element: ET.Element = convert_to_element(formula, display="block" if is_block else "inline")
    except Exception:  # noqa: BLE001 - it raises IndexError, KeyError and others, besides its own errors
        return None
    for each in element.iter():
        if (each.tag == "mi" and each.text == "&") or "linebreak" in each.attrib:  # not `\&`, which is a reference
            return None
        each.text = unescape(each.text) if each.text else each.text  # it writes references, such as `&#x02264;`
        each.attrib = {name: value for name, value in each.attrib.items() if name in _ATTRIBUTES}
    return None if "\\" in "".join(element.itertext()) else element
