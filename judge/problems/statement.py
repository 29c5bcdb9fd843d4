"""Statements as Markdown: where they are, the tree of their parts, and which parts are samples.

Raw HTML is text, except for links and the simplest elements. Formulas are between `$` or `$$`, as on most judges.
"""

import re
from contextlib import suppress
from functools import cache
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from msgspec import Struct

from judge.base.data import read_small_file
from judge.base.errors import UsageError
from judge.base.units import MIB
from judge.model import Problem
from judge.problems.paths import find_file_error

if TYPE_CHECKING:
    from markdown_it.rules_inline import StateInline

_MAX_SIZE = 4 * MIB
_MAX_DEPTH = 100  # of emphasis in emphasis; what reads the tree is recursive
_FORMULA = re.compile(r"(\$\$?)(?=\S)((?:\\.|[^\\$])+?)(?<=\S)\1(?!\d)", re.DOTALL)
_ELEMENTS = {
    "a": ("link", "a"), "b": ("strong", "strong"), "strong": ("strong", "strong"), "i": ("em", "em"),
    "em": ("em", "em"), "sub": ("sub", "sub"), "sup": ("sup", "sup"),
}  # fmt: skip
"""Elements of HTML: the types and the tags of their tokens."""
_TAG = re.compile(
    rf"<br\s*/?>|<(?P<name>{'|'.join(_ELEMENTS)})(?P<attributes>\s[^<>]{{0,1000}})?>(?P<text>.{{0,2000}}?)</(?P=name)>",
    re.IGNORECASE | re.DOTALL,
)
_HREF = re.compile(r"""\shref\s*=\s*(["'])(.*?)\1""", re.IGNORECASE | re.DOTALL)
_LABEL = re.compile(r"[*_]*((sample|example) )?(input|output)( \d+)?[*_]*:?[*_]*", re.IGNORECASE)
_SAMPLE = re.compile(r"(sample|example)s?( (input|output|\d+|case))*( \d+)?", re.IGNORECASE)
_INPUT = re.compile(r"(the )?input( (format|specification|file))?|indata", re.IGNORECASE)


class Statement(Struct, frozen=True, kw_only=True):
    """A statement in one language.

    Attributes:
        text: Markdown, with the title as a heading.
        left_out: what has no form in Markdown, of a statement in LaTeX.
    """

    text: str
    folder: Path
    left_out: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The heading that it begins with, without markup; "" without one."""
        nodes = parse(self.text).children
        return plain_text(nodes[0]) if nodes and nodes[0].tag == "h1" else ""

    @property
    def has_input(self) -> bool:
        """Whether it has a section about the input."""
        nodes = parse(self.text).children
        return any(node.type == "heading" and _INPUT.fullmatch(plain_text(node)) for node in nodes)


def find_statements(problem: Problem) -> dict[str, Path]:
    """Return the statements of a problem in Markdown and LaTeX by their languages, such as `sv`; English first."""
    found: dict[str, Path] = {}
    if problem.is_package and problem.format != "polygon" and problem.folder is not None:
        from judge.problems.icpc.files import PackageFolder
        from judge.problems.icpc.files import find_statements as find

        for name, path in find(PackageFolder.at(problem.folder)).items():
            found.setdefault(name or "en", path)
    elif problem.statement is not None:
        found["en"] = problem.statement
    return {name: path for name, path in found.items() if path.suffix in (".md", ".tex")}


def read_text(path: Path) -> str:
    """Return the text of the file of a statement, which may come with a package from anyone.

    Raises:
        UsageError: it is not a regular file, not UTF-8, too large, or Markdown that is nested too deeply.
    """
    reason = find_file_error(path)
    try:
        content = read_small_file(path, _MAX_SIZE) if reason is None else None
        text = None if content is None else content.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error
    if text is None:
        raise UsageError(f"{path}: {reason or f'is larger than {_MAX_SIZE // MIB} MiB: it is not shown'}")
    if path.suffix == ".md":
        depths = (part.level for token in parser().parse(text) for part in token.children or ())
        if max(depths, default=0) > _MAX_DEPTH:
            raise UsageError(f"{path}: emphasis is nested more than {_MAX_DEPTH} levels deep: remove some * or _")
    return text


def read_statement(path: Path) -> Statement:
    """Return the statement in a file.

    Raises:
        UsageError: it cannot be read.
    """
    text, left_out = read_text(path), list[str]()
    if path.suffix == ".tex":
        from judge.problems.latex import to_markdown

        try:
            text, left_out = to_markdown(text)
        except ValueError as error:
            raise UsageError(f"{path}: cannot be read as LaTeX: {error}") from error
    return Statement(text=text, folder=path.parent, left_out=tuple(left_out))


# ---- the tree ------------------------------------------------------------------------------------------------------


@cache
def parser() -> MarkdownIt:
    """Return the parser of statements: CommonMark with tables and formulas, and without raw HTML."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.inline.ruler.before("escape", "math", _parse_formula)
    markdown.inline.ruler.before("autolink", "tag", _parse_tag)
    return markdown


def _parse_formula(state: "StateInline", silent: bool) -> bool:
    found = _FORMULA.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        content = found[2]
        macros = state.env.setdefault("macros", {})
        if macros or "newcommand" in content or r"\def" in content or "MathOperator" in content:
            from judge.problems.latex_macros import expand

            with suppress(ValueError):  # then it is shown as its source
                content = expand(content, macros).strip()
        if content:
            token = state.push("math", "math", 0)
            token.markup, token.content = found[1], content
    state.pos = found.end()
    return True


def _parse_tag(state: "StateInline", silent: bool) -> bool:
    """Read the few elements of HTML that statements have; all others are text."""
    found = _TAG.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    name = (found["name"] or "br").lower()
    reference = _HREF.search(found["attributes"] or "")
    href = state.md.normalizeLink(unescape(reference[2])) if reference else ""
    if name == "a" and not (href and state.md.validateLink(href)):
        return False
    if not silent and name == "br":
        state.push("hardbreak", "br", 0)
    elif not silent:
        kind, tag = _ELEMENTS[name]
        token = state.push(f"{kind}_open", tag, 1)
        token.attrs = {"href": href} if name == "a" else {}
        end, state.pos, state.posMax = state.posMax, *found.span("text")
        state.md.inline.tokenize(state)
        state.posMax = end
        state.push(f"{kind}_close", tag, -1)
    state.pos = found.end()
    return True


def parse(text: str) -> SyntaxTreeNode:
    """Return the tree of a statement; its children are the blocks, with the lines that they are made of."""
    return SyntaxTreeNode(parser().parse(text))


def plain_text(node: SyntaxTreeNode) -> str:
    """Return the text in a node, without markup."""
    return "".join(each.content for each in node.walk() if not each.children)


def strip_samples(text: str, *, keeps_samples: bool = False) -> str:
    """Return a statement without its title and samples; what explains a sample stays, as a section of its own.

    `keeps_samples` is for interactive problems, whose dialogues no contest system shows by itself.
    """
    lines, kept = text.splitlines(), list[str]()
    nodes = parse(text).children
    starts = [node.map[0] for node in nodes if node.map]
    is_sample = has_explanation = False
    for number, (node, start, end) in enumerate(zip(nodes, starts, [*starts, len(lines)][1:], strict=True)):
        source = "\n".join(lines[start:end]).strip("\n")
        if node.type == "heading":
            is_sample = not keeps_samples and _SAMPLE.fullmatch(plain_text(node)) is not None
            if is_sample or (number == 0 and node.tag == "h1"):
                continue
        elif is_sample and (node.type in ("fence", "code_block") or _LABEL.fullmatch(source)):
            continue
        elif is_sample and not has_explanation:
            kept.append("## Explanation of the sample")
            has_explanation = True
        kept.append(source)
    return "\n\n".join(kept) + "\n"
