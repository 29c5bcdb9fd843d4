"""LaTeX of statements as Markdown, as far as that has a form for it; pylatexenc parses it.

What has no form in Markdown is left out and named.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import (
    LatexCharsNode,
    LatexCommentNode,
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexMathNode,
    LatexSpecialsNode,
    LatexWalker,
    get_default_latex_context_db,
)
from pylatexenc.macrospec import std_environment, std_macro

from judge.problems.latex_macros import expand

# Macros: their arguments as pylatexenc writes them, and what becomes of the last one; without text in it, nothing.
_MACROS = {
    "section": ("*[{", "\n\n## {}\n\n"), "subsection": ("*[{", "\n\n### {}\n\n"),
    "subsubsection": ("*[{", "\n\n#### {}\n\n"), "paragraph": ("*[{", "\n\n#### {}\n\n"),
    "caption": ("[{", "\n\n*{}*\n\n"), "footnote": ("[{", " ({})"), "textcolor": ("{{", "{}"),
    "emph": ("{", "*{}*"), "textit": ("{", "*{}*"), "textsl": ("{", "*{}*"), "textbf": ("{", "**{}**"),
    "underline": ("{", "{}"), "textsc": ("{", "{}"), "sout": ("{", "{}"), "mbox": ("{", "{}"),
    "textsuperscript": ("{", "{}"), "textsubscript": ("{", "{}"), "multicolumn": ("{{{", "{}"),
    "\\": ("*[", "\\\n"), "newline": ("", "\\\n"), "par": ("", "\n\n"),
    # of Polygon
    "InputFile": ("", "\n\n## Input\n\n"), "OutputFile": ("", "\n\n## Output\n\n"), "Note": ("", "\n\n## Note\n\n"),
    "Interaction": ("", "\n\n## Interaction\n\n"), "Scoring": ("", "\n\n## Scoring\n\n"),
    "Example": ("", ""), "Examples": ("", ""), "exmp": ("{{", ""), "exmpfile": ("{{{", ""),
    # without a meaning here
    "label": ("{", ""), "input": ("{", ""), "vspace": ("*{", ""), "hspace": ("*{", ""), "rowcolor": ("{", ""),
    "cline": ("{", ""), "setlength": ("{{", ""), "usepackage": ("[{", ""), "documentclass": ("[{", ""),
    **dict.fromkeys(
        ("noindent", "indent", "centering", "raggedright", "hline", "toprule", "midrule", "bottomrule", "bigskip",
         "medskip", "smallskip", "newpage", "clearpage", "pagebreak", "small", "footnotesize", "scriptsize", "tiny",
         "large", "Large", "normalsize", "hfill", "vfill", "protect", "nextsample", "remainingsamples", "maketitle",
         "sampleinteraction", "displaystyle", "leavevmode", "xspace"),
        ("", ""),
    ),
}  # fmt: skip
_CODE = {"texttt": "{", "lstinline": "[{", "path": "{", "verb": None}
_SWITCHES = {"it": "textit", "itshape": "textit", "em": "emph", "bf": "textbf", "bfseries": "textbf", "tt": "texttt",
             "ttfamily": "texttt"}  # fmt: skip
_OTHERS = {"problemname": "{", "problemtitle": "{", "illustration": "{{{", "includegraphics": "[{", "href": "{{",
           "url": "{", "ensuremath": "{"}  # fmt: skip
_ENVIRONMENTS = {"wrapfigure": "{{", "tabularx": "{{", "problem": "{{{{{"}  # the last is that of Polygon
_PARTS = ("Input", "Output", "Interaction", "Notes", "Note", "Scoring", "Constraints")  # environments of GCPC
_VERBATIM = ("verbatim", "Verbatim", "lstlisting", "alltt")
_MATH = ("equation", "align", "alignat", "gather", "multline", "eqnarray", "displaymath", "math", "flalign")
_LISTS = {"itemize": "- ", "enumerate": "1. ", "description": "- "}
_LAYOUT = (
    "center", "centering", "figure", "wrapfigure", "subfigure", "minipage", "flushleft", "flushright", "table", "quote",
    "quotation", "document", "small", "multicols", "samepage", "problem", "example",
)  # fmt: skip
_INNER_LINES = re.compile(r"\\begin(\{.*?\}).*?\\end\1|\\substack *\{[^}]*\}|(?<!\\)\\&")
_SPECIAL = re.compile(r"[\\`*_\[\]<>#|$~&]")
_LINE_START = re.compile(r"^([ \t]*)([-+=]|\d+[.)])", re.MULTILINE)


def to_markdown(text: str) -> tuple[str, list[str]]:
    """Return a statement as Markdown, with its title as a heading, and what is left out of it.

    Raises:
        ValueError: it is nested too deeply, or its macros expand without end.
    """
    text = expand(text, {})
    arguments = {**{name: given for name, (given, _) in _MACROS.items()}, **_CODE, **_OTHERS}
    context = get_default_latex_context_db()
    context.add_context_category(
        "statements",
        prepend=True,
        macros=[std_macro(name, given) for name, given in arguments.items() if given],
        environments=[std_environment(name, given) for name, given in _ENVIRONMENTS.items()],
    )
    converter = _Converter()
    try:
        nodes, _, _ = LatexWalker(text, latex_context=context, tolerant_parsing=True).get_latex_nodes()
        body = converter.text(nodes)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    title = f"# {converter.title}\n\n" if converter.title else ""
    return title + _separate(body).strip() + "\n", [f"`{each}`" for each in converter.left_out]


class _Converter:
    """Makes Markdown of nodes; empty lines separate blocks."""

    def __init__(self) -> None:
        self.title = ""
        self.left_out: dict[str, None] = {}
        self._symbols = LatexNodes2Text(math_mode="verbatim")

    def text(self, nodes: Iterable[Any] | None) -> str:
        """Return the Markdown of nodes."""
        nodes = list(nodes or ())
        for at, node in enumerate(nodes):
            if _name(node) in _SWITCHES:  # for the rest of the group
                return "".join([*map(self._node, nodes[:at]), self._style(_SWITCHES[_name(node)], nodes[at + 1 :])])
        return "".join(map(self._node, nodes))

    def inline(self, nodes: Iterable[Any] | None) -> str:
        """Return the Markdown of nodes in one line."""
        return " ".join(re.sub(r"(?<!\\)\\\n", " ", self.text(nodes)).split())

    def _node(self, node: Any) -> str:
        text = ""
        match node:
            case LatexCharsNode(chars=chars):
                text = escape(chars)
            case LatexCommentNode():
                text = "\n\n" if node.comment_post_space.count("\n") > 1 else ""
            case LatexGroupNode(nodelist=nodes):
                text = self.text(nodes)
            case LatexMathNode(nodelist=nodes, displaytype=kind):
                text = _formula(nodes, is_block=kind == "display")
            case LatexSpecialsNode():
                text = escape(self._symbol(node))
            case LatexMacroNode():
                text = self._macro(node) + ("\n\n" if node.macro_post_space.count("\n") > 1 else "")
            case LatexEnvironmentNode():
                text = f"\n\n{self._environment(node, node.environmentname.rstrip('*'))}\n\n"
        return text

    def _macro(self, node: Any) -> str:
        name = node.macroname
        arguments = [each for each in _arguments(node) if getattr(each, "chars", "") != "*"]
        last = arguments[-1:]
        if name == "ensuremath":
            return _formula(last, is_block=False)
        if name in ("problemname", "problemtitle"):
            self.title = self.title or self.inline(last)
            return ""
        if name in _MACROS or name in _CODE:
            return self._style(name, last)
        if name in _OTHERS and len(arguments) >= _OTHERS[name].count("{"):
            place = arguments[1 if name == "illustration" else 0 if name == "href" else -1].latex_verbatim()
            place = place.removeprefix("{").removesuffix("}").replace("\\", "").replace("<", "%3C").replace(">", "%3E")
            picture = f"![](<{place}>)"
            return {
                "illustration": f"\n\n{picture}\n\n*{self.inline(last)}*\n\n",
                "includegraphics": picture,
                "href": f"[{self.inline(last)}](<{place}>)",
                "url": f"[{escape(place)}](<{place}>)",
            }[name]
        symbol = self._symbol(node)
        if not symbol.strip() and name.strip(" ,;:!/-\n"):
            self.left_out[f"\\{name}"] = None
        return escape(symbol)

    def _symbol(self, node: Any) -> str:
        """Return the characters that a macro stands for; "" if it is not known, or its arguments are missing."""
        try:
            return str(self._symbols.node_to_text(node))
        except (IndexError, AttributeError, TypeError, ValueError):
            return ""

    def _style(self, name: str, nodes: Sequence[Any]) -> str:
        if name in _CODE:
            plain = "".join(each if isinstance(each, str) else self._symbol(each) for each in nodes)
            code = " ".join(plain.replace("$", "").split())
            fence = "`" * (max(map(len, re.findall("`+", code)), default=0) + 1)
            pad = " " if code.startswith("`") or code.endswith("`") else ""
            return f"{fence}{pad}{code}{pad}{fence}" if code else ""
        template = _MACROS[name][1]
        text = self.inline(nodes) if "{}" in template else " "
        return template.replace("{}", text) if text else ""

    def _environment(self, node: Any, name: str) -> str:
        if name in _VERBATIM:
            code = "".join(each.latex_verbatim() for each in _arguments(node)[-1:] or node.nodelist).strip("\n")
            fence = "`" * (max((2, *map(len, re.findall("`+", code)))) + 1)
            text = f"{fence}\n{code}\n{fence}"
        elif name in _MATH:
            text = _formula(node.nodelist, is_block=True)
        elif name in _LISTS:
            text = "\n".join(self._items(node.nodelist, _LISTS[name]))
        elif name in ("tabular", "tabularx"):
            text = "\n".join(self._table(node.nodelist))
        elif name in ("comment", "tikzpicture"):
            text = ""
        else:
            if name == "problem":
                self.title = self.title or self.inline(_arguments(node)[:1])
            text = (f"## {name}\n\n" if name in _PARTS else "") + self.text(node.nodelist)
        known = (*_VERBATIM, *_MATH, *_LISTS, *_PARTS, *_LAYOUT, "tabular", "tabularx", "comment")
        if name not in known:
            self.left_out[f"\\begin{{{name}}}"] = None
        return text

    def _items(self, nodes: Iterable[Any], mark: str) -> Iterator[str]:
        for head, *body in _split(nodes, lambda node: _name(node) == "item")[1:]:
            label = self.inline(_arguments(head)[:1])
            text = (f"**{label}** " if label else "") + _separate(self.text(body)).strip()
            yield mark + re.sub(r"\n(?=[^\n])", "\n" + " " * len(mark), text)

    def _table(self, nodes: Iterable[Any]) -> Iterator[str]:
        rows = []
        for row in _split(nodes, lambda node: _name(node) == "\\"):
            cells = _split(row, lambda node: _name(node) == "&")
            texts = [self.inline(each for each in cell if _name(each) not in ("\\", "&")) for cell in cells]
            if any(texts):
                rows.append([re.sub(r"(?<!\\)\|", r"\\|", text) for text in texts])
        columns = max(map(len, rows), default=0)
        for number, row in enumerate(rows):
            yield f"| {' | '.join(row + [''] * (columns - len(row)))} |"
            if number == 0:
                yield "|" + "---|" * columns


def _name(node: Any) -> str:
    """Return the name of a macro, or the characters of a special; "" of other nodes."""
    return str(getattr(node, "macroname", "") or getattr(node, "specials_chars", ""))


def _arguments(node: Any) -> list[Any]:
    return [each for each in (node.nodeargd and node.nodeargd.argnlist) or () if each is not None]


def _split(nodes: Iterable[Any], starts: Callable[[Any], bool]) -> list[list[Any]]:
    """Return the nodes before the first separator, and each separator with the nodes after it."""
    parts: list[list[Any]] = [[]]
    for node in nodes:
        if starts(node):
            parts.append([])
        parts[-1].append(node)
    return parts


def _separate(text: str) -> str:
    """Return Markdown with one empty line between blocks."""
    return re.sub(r"[ \t]*\n\s*\n", "\n\n", text)


def escape(text: str) -> str:
    """Return Markdown that shows a text as it is."""
    escaped = _SPECIAL.sub(lambda found: f"\\{found[0]}", re.sub(r"\n[ \t]+", "\n", text))
    return _LINE_START.sub(lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", escaped)


def _formula(nodes: Iterable[Any], *, is_block: bool) -> str:
    content = "".join(each.latex_verbatim() for each in nodes if not isinstance(each, LatexCommentNode))
    content = " ".join(content.replace(r"\ensuremath", "").split())
    lines = _INNER_LINES.sub("", content)
    if is_block and ("&" in lines or "\\\\" in lines):
        name = "aligned" if "&" in lines else "gathered"
        content = rf"\begin{{{name}}}{content}\end{{{name}}}"
    if not content:
        return ""
    return f"\n\n$${content}$$\n\n" if is_block else f"${content}$"
