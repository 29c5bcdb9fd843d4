"""The statement: LaTeX, plain text for DOMjudge ("Problem statements"), and LaTeX in sections for Polygon.

2025-09 allows Markdown, too, but BAPCtools requires LaTeX.

A contest system shows the samples after the statement and its name above it, so both are left out of the text.
"""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from markdown_it.tree import SyntaxTreeNode

from judge.base.errors import UsageError
from judge.model import Problem
from judge.packages.export.package import Package, Target
from judge.problems.statement import find_statements, parse, read_text, strip_samples
from judge.problems.yaml.text import quote

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}", "\N{LESS-THAN OR EQUAL TO}": r"$\le$",
    "\N{GREATER-THAN OR EQUAL TO}": r"$\ge$", "\N{MULTIPLICATION SIGN}": r"$\times$",
    "\N{EN DASH}": "--", "\N{EM DASH}": "---",
}  # fmt: skip
_ENVIRONMENTS = {"bullet_list": "itemize", "ordered_list": "enumerate", "blockquote": "quote"}
_INLINE = {
    "strong": (r"\textbf{", "}"), "em": (r"\emph{", "}"), "link": (r"\href{URL}{", "}"), "softbreak": ("\n", ""),
    "hardbreak": ("\\\\\n", ""), "hr": (r"\hrule", ""), "sub": (r"\textsubscript{", "}"),
    "sup": (r"\textsuperscript{", "}"),
}  # fmt: skip
_LEVELS = {"h1": "section*", "h2": "section*", "h3": "subsection*"}
_PICTURES = "the pictures of the statement: add them to its folder"


def add_statement(package: Package, problem: Problem) -> None:
    """Add the statement in the form that the format knows, or report what it does not know."""
    if problem.statement is None:
        package.losses.append("a statement: the problem has none, and the format requires one")
        return
    if problem.is_package:
        _copy_folder(package, problem)
        return
    _add_markdown(package, problem, problem.statement, "en")


def _read(package: Package, path: Path) -> str:
    try:
        return read_text(path)
    except UsageError as error:
        package.losses.append(f"the statement: {error}")
        return ""


def _add_markdown(package: Package, problem: Problem, path: Path, language: str) -> None:
    if not (text := _read(package, path)):
        return
    folder = "problem_statement" if package.target.is_legacy else "statement"
    package.add(f"{folder}/problem.{language}.tex", _translate(package, problem, text).encode())
    if package.target is Target.DOMJUDGE and "problem_statement/problem.txt" not in package.files:
        package.add("problem_statement/problem.txt", f"{problem.name}\n\n{_strip(problem, text)}".encode())
        package.notes.append("DOMjudge shows problem_statement/problem.txt; replace it by a PDF file if you have one")


def _translate(package: Package, problem: Problem, text: str) -> str:
    """Return a statement in Markdown as LaTeX, without its samples."""
    if "![" in text:
        package.losses.append(_PICTURES)
    package.notes.append("the statement was translated from Markdown to LaTeX: look at it")
    return to_latex(_strip(problem, text), problem.name)


def _strip(problem: Problem, text: str) -> str:
    return strip_samples(text, keeps_samples=problem.interactor is not None)


def _copy_folder(package: Package, problem: Problem) -> None:
    assert problem.folder is not None
    assert problem.statement is not None
    folder = problem.statement.parent
    name = "problem_statement" if package.target.is_legacy else "statement"
    if folder == problem.folder:  # DOMjudge's place for a PDF file
        package.copy(problem.statement, f"{name}/{problem.statement.name}", root=problem.folder)
        return
    for path in sorted(folder.iterdir()):
        stem, _, suffix = path.name.rpartition(".")
        if package.target.is_legacy and suffix == "md" and stem.startswith("problem") and path.is_file():
            _add_markdown(package, problem, path, stem.removeprefix("problem").strip(".") or "en")
        elif path.name in ("problem.tex", "problem.pdf", "problem.md") and not package.target.is_legacy:
            package.copy(path, f"{name}/problem.en.{suffix}", root=problem.folder)
        elif not path.name.startswith("."):
            package.copy(path, f"{name}/{path.name}", root=problem.folder)
    if package.target is Target.DOMJUDGE:
        report_statement(package, problem)


def report_statement(package: Package, problem: Problem) -> None:
    """Report a statement that DOMjudge does not show."""
    shown = re.compile(r"(problem_statement/)?problem\.(\w+\.)?(pdf|txt|html)")
    if problem.statement is not None and not any(map(shown.fullmatch, package.files)):
        package.losses.append(f"the statement {quote(problem.statement.name)}: DOMjudge shows PDF, HTML and text only")


# ---- LaTeX ---------------------------------------------------------------------------------------------------------


def to_latex(text: str, title: str) -> str:
    """Return Markdown as the LaTeX of a legacy statement."""
    return "\n\n".join([rf"\problemname{{{escape(title)}}}", *map(_block, parse(text).children)]) + "\n"


def _block(node: SyntaxTreeNode) -> str:
    parts = [_block(each) for each in node.children] if node.type in _ENVIRONMENTS or node.type == "list_item" else []
    match node.type:
        case "fence" | "code_block":
            text = f"\\begin{{verbatim}}\n{node.content.rstrip()}\n\\end{{verbatim}}"
        case "table":
            rows = [[_inline(cell) for cell in row.children] for part in node.children for row in part.children]
            lines = [" & ".join(row) + r" \\ \hline" for row in rows]
            head = rf"\begin{{tabular}}{{|{'l|' * len(rows[0])}}}"
            text = "\n".join([head, r"\hline", *lines, r"\end{tabular}"])
        case "bullet_list" | "ordered_list" | "blockquote":
            name = _ENVIRONMENTS[node.type]
            text = "\n".join([rf"\begin{{{name}}}", *parts, rf"\end{{{name}}}"])
        case "list_item":
            text = r"\item " + "\n\n".join(parts)
        case "heading":
            text = rf"\{_LEVELS.get(node.tag, 'paragraph*')}{{{_inline(node)}}}"
        case _:
            text = _inline(node)
    return text


def _inline(node: SyntaxTreeNode) -> str:
    match node.type:
        case "text":
            text = escape(node.content)
        case "code_inline":
            text = rf"\texttt{{{escape(node.content.strip())}}}"
        case "math":
            text = f"{node.markup}{node.content}{node.markup}"
        case _:
            inner = "".join(map(_inline, node.children))
            before, after = _INLINE.get(node.type, ("", ""))
            text = before.replace("URL", str(node.attrs.get("href"))) + inner + after if node.type != "image" else ""
    return text


def escape(text: str) -> str:
    """Return text with the characters that are special in LaTeX written out."""
    return "".join(_SPECIAL.get(char, char) for char in text)


# ---- Polygon: sections, as olymp.sty typesets them ------------------------------------------------------------------

_LANGUAGES = {
    "ar": "arabic", "be": "belarusian", "bg": "bulgarian", "cs": "czech", "da": "danish",
    "de": "german", "en": "english", "es": "spanish", "et": "estonian", "fi": "finnish", "fr": "french",
    "hu": "hungarian", "it": "italian", "ja": "japanese", "ko": "korean", "lt": "lithuanian", "lv": "latvian",
    "nb": "norwegian", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sk": "slovak", "sv": "swedish", "tr": "turkish", "uk": "ukrainian", "zh": "chinese",
}  # fmt: skip
_TITLE = re.compile(r"\\(?:problemname|problemtitle)\s*\{[^\n]*\}[ \t]*\n?")
_SECTION = re.compile(r"\\section\*?\{\s*(.*?)\s*\}[ \t]*\n?")
_PICTURE = re.compile(r"\\(?:includegraphics|illustration)\b")
# The sections after the legend, by their headings in statements.
_COMMANDS = {
    "input": r"\InputFile", "output": r"\OutputFile", "interaction": r"\Interaction", "scoring": r"\Scoring",
    "notes": r"\Note",
}  # fmt: skip
_NOTES = ("note", "notes", "explanation of the sample")


def add_statements(package: Package, problem: Problem, parent: ET.Element) -> None:
    """Add the statements of a problem in all languages; report what cannot be converted.

    Raises:
        OSError: a statement cannot be read.
    """
    found = {_LANGUAGES.get(code.partition("-")[0]): path for code, path in find_statements(problem).items()}
    if not found:
        package.losses.append("a statement: the problem has none that is LaTeX or Markdown")
    for language, path in found.items():
        if language is None:
            continue
        text = _read(package, path)
        if path.suffix == ".md":
            text = _translate(package, problem, text)
        elif _PICTURE.search(text):
            package.losses.append(_PICTURES)
        sections = _split(_TITLE.sub("", text))
        for name, section in (("name", escape(problem.name)), *sections.items()):
            package.add(f"statement-sections/{language}/{name}.tex", f"{section.strip()}\n".encode())
        path_in_package = f"statements/{language}/problem.tex"
        package.add(path_in_package, _typeset(problem, sections).encode())
        attributes = {"charset": "UTF-8", "language": language, "path": path_in_package}
        ET.SubElement(parent, "statement", {**attributes, "mathjax": "true", "type": "application/x-tex"})


def _split(text: str) -> dict[str, str]:
    """Return the sections by their names; those with other headings stay where they are."""
    sections = {"legend": ""}
    current, end = "legend", 0
    for match in _SECTION.finditer(text):
        sections[current] += text[end : match.start()]
        heading = match[1].lower()
        name = "notes" if heading in _NOTES else heading
        if name in _COMMANDS:
            current = name
            sections.setdefault(current, "")
        else:
            sections[current] += match[0]
        end = match.end()
    sections[current] += text[end:]
    return sections


def _typeset(problem: Problem, sections: dict[str, str]) -> str:
    limits = f"{problem.limits.cpu:g} seconds", f"{problem.limits.memory / (1 << 20):g} megabytes"
    arguments = (escape(problem.name), "standard input", "standard output", *limits)
    parts = [r"\begin{problem}" + "".join(f"{{{each}}}" for each in arguments)]
    for name, text in sections.items():
        parts += [_COMMANDS[name]] if name in _COMMANDS else []
        parts.append(text.strip())
    return "\n\n".join([*parts, r"\end{problem}"]) + "\n"
