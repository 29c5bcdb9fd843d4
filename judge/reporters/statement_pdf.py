"""Statements as a PDF file, typeset by Typst: every text is a string of its language, so that none can be a command."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from markdown_it.tree import SyntaxTreeNode

from judge.base.errors import JudgeError
from judge.problems.statement import parse
from judge.reporters.html.page import OutputFile, shown_text
from judge.reporters.html.statement import (
    Sample,
    StatementPart,
    missing_picture,
    read_picture,
    to_mathml,
    unknown_formula,
)
from judge.reporters.json_report import decode

PDF_MARK = b"% made by judge\n"
"""The end of a file that the judge wrote."""
_STYLE = """\
#set page(paper: "a4", margin: 2.2cm, numbering: "1")
#set text(size: 10.5pt)
#set par(justify: true)
#show raw.where(block: true): block.with(fill: luma(245), inset: 6pt, radius: 2pt, width: 100%)
#show table.cell.where(y: 0): strong
"""
_STYLES = {"strong": "strong", "em": "emph", "sub": "sub", "sup": "super"}
_ATTACHED = {
    "msup": "t", "msub": "b", "mover": "t", "munder": "b", "msubsup": "bt", "munderover": "bt",
}  # fmt: skip


def write_pdf(file: OutputFile, parts: Sequence[StatementPart]) -> list[str]:
    """Write statements, each from a new page on; return what is left out.

    Raises:
        JudgeError: Typst does not take a picture, for example.
        StoreError: the disk is full, for example.
    """
    import typst

    notes: list[str] = []
    with TemporaryDirectory(prefix="judge-") as name:
        folder = Path(name)
        pages = [_Writer(part, folder / str(at), notes).page() for at, part in enumerate(parts)]
        source = folder / "main.typ"

        def typeset(what: str, *pages: str) -> bytes:
            source.write_text(_STYLE + "#pagebreak()\n".join(pages), encoding="utf-8", errors="replace")
            try:
                content = typst.compile(str(source), root=name)
            except typst.TypstError as error:
                raise JudgeError(f"--pdf {file.path}: Typst cannot typeset {what}: {error}") from error
            assert isinstance(content, bytes)
            return content

        try:
            content = typeset("it", *pages)
        except JudgeError:
            for part, page in zip(parts, pages, strict=True):
                typeset(f"the statement of {part.name}", page)
            raise
    file.write_bytes(content + b"\n" + PDF_MARK)
    return notes


class _Writer:
    """Writes the markup of one statement; pictures are copied to files whose names begin with `pictures`."""

    def __init__(self, part: StatementPart, pictures: Path, notes: list[str]) -> None:
        self._part = part
        self._pictures = pictures
        self._copied = 0
        self._notes = notes

    def page(self) -> str:
        """Return the markup of the statement."""
        nodes = parse(self._part.text).children
        self._top = min((int(node.tag[1:]) for node in nodes if node.type == "heading"), default=1)
        title = f"#heading(level: 1)[{_text(self._part.title)}]\n\n#text(fill: luma(90))[{_text(self._part.facts)}]\n\n"
        body = self._blocks(nodes)
        heading = "#heading(level: 2)[Samples]\n\n" if self._part.samples else ""
        samples = "".join(_sample(each, at) for at, each in enumerate(self._part.samples, 1))
        return f"#set text(lang: {_string(self._part.language[:2])})\n{title}{body}{heading}{samples}"

    def _blocks(self, nodes: Sequence[SyntaxTreeNode]) -> str:
        return "".join(f"{self._block(node)}\n\n" for node in nodes)

    def _block(self, node: SyntaxTreeNode) -> str:
        match node.type:
            case "heading":
                text = f"#heading(level: {int(node.tag[1:]) - self._top + 2})[{self._inline(node)}]"
            case "fence" | "code_block":
                text = f"#raw({_string(node.content.rstrip())}, block: true)"
            case "bullet_list" | "ordered_list":
                items = ", ".join(f"[{self._blocks(item.children)}]" for item in node.children)
                name = "list(" if node.type == "bullet_list" else f"enum(start: {node.attrs.get('start', 1)}, "
                text = f"#{name}{items})"
            case "blockquote":
                text = f"#quote(block: true)[{self._blocks(node.children)}]"
            case "table":
                rows = [row.children for part in node.children for row in part.children]
                cells = ", ".join(f"[{self._inline(cell)}]" for row in rows for cell in row)
                text = f"#table(columns: {len(rows[0])}, {cells})"
            case "hr":
                text = "#line(length: 100%)"
            case _:
                text = self._inline(node)
        return text

    def _inline(self, node: SyntaxTreeNode) -> str:
        inner = "".join(map(self._inline, node.children or ())) if node.type != "image" else ""
        match node.type:
            case "text":
                text = _text(node.content)
            case "code_inline":
                text = f"#raw({_string(node.content)});"
            case "link":
                text = f"#link({_string(str(node.attrs['href']))})[{inner}];" if node.attrs["href"] else inner
            case "strong" | "em" | "sub" | "sup":
                text = f"#{_STYLES[node.type]}[{inner}];"
            case "math":
                text = self._formula(node)
            case "image":
                text = self._picture(node)
            case "softbreak" | "hardbreak":
                text = " " if node.type == "softbreak" else "#linebreak();"
            case _:
                text = inner
        return text

    def _formula(self, node: SyntaxTreeNode) -> str:
        element = to_mathml(node.content)
        if element is None:
            source = f"{node.markup}{node.content}{node.markup}"
            self._notes.append(f"{self._part.name}: {unknown_formula(source)}")
            return f"#raw({_string(source)});"
        space = " " if node.markup == "$$" else ""
        return f"${space}{_math(element)}{space}$"

    def _picture(self, node: SyntaxTreeNode) -> str:
        name = unquote(str(node.attrs.get("src", "")))
        found = read_picture(self._part.statement.folder, name)
        if found is None:
            self._notes.append(f"{self._part.name}: {missing_picture(name)}")
            return f"#emph[{_text(f'[{node.content or name}]')}];"
        self._copied += 1
        suffix = found[0].partition("/")[2].partition("+")[0]
        path = Path(f"{self._pictures}-{self._copied}.{suffix}")
        path.write_bytes(found[1])
        return f'#align(center, image("{path.name}", width: 60%));'


def _sample(sample: Sample, number: int) -> str:
    heads = ("you write", "you read") if sample.dialogue else (f"input {number}", f"output {number}")
    cells = [(text if is_ours else b"", b"" if is_ours else text) for is_ours, text in sample.dialogue]
    cells = cells or [(sample.input, sample.answer or b"")]
    rows = [", ".join(f"[#raw({_string(str(shown_text(decode(text))))})]" for text in row) for row in cells]
    return f"#table(columns: (1fr, 1fr), [{heads[0]}], [{heads[1]}], {', '.join(rows)})\n\n"


def _string(text: str) -> str:
    """Return a string of Typst."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _text(text: str) -> str:
    return f"#{_string(text)};"


def _math(element: ET.Element) -> str:
    """Return MathML as a formula of Typst."""
    name, inner = element.tag.rpartition("}")[2], [_math(child) or '""' for child in element]
    text = (element.text or "").strip()
    if name in _ATTACHED:
        base = inner[0] if name in ("msup", "msub", "msubsup") else f"limits({inner[0]})"
        places = ", ".join(f"{place}: {part}" for place, part in zip(_ATTACHED[name], inner[1:], strict=True))
        return f"attach({base}, {places})"
    match name:
        case "mfrac" | "msqrt" | "mroot":
            formula = f"{name[1:]}({', '.join(inner[::-1] if name == 'mroot' else inner)})"
        case "mtable":
            formula = f"mat(delim: #none, {'; '.join(inner)})"
        case "mtr":
            # Typst aligns at `&`, to the right and to the left by turns
            sides = [cell.get("columnalign") for cell in element]
            is_aligned = sides == (["right", "left"] * len(sides))[: len(sides)]
            formula = (" & " if is_aligned else ", ").join(inner)
        case "mrow" if element.find("*[@fence]") is not None:
            formula = f"lr({' '.join(inner)})"
        case "mspace":
            formula = "space"
        case "mi" if len(text) > 1:
            formula = f"op({_string(text)})"
        case "mi" | "mn" | "mo" if text.isdecimal() or (len(text) == 1 and (text.isalpha() or not text.isascii())):
            formula = text
        case "mtext" | "mi" | "mn" | "mo":
            formula = f"\\{text}" if len(text) == 1 and name != "mtext" else _string(element.text or "")
        case _:
            formula = " ".join(inner)
    return formula
