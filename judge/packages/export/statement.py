"""The statement: LaTeX, plain text for DOMjudge ("Problem statements"), and LaTeX in sections for Polygon.

2025-09 allows Markdown, too, but BAPCtools requires LaTeX.

A contest system shows the samples after the statement and its name above it, so both are left out of the text.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from judge.model import Problem
from judge.packages.export.package import Package, Target
from judge.problems.yaml.text import quote

_MAX_SIZE = 1 << 20  # bytes
_FENCE = re.compile(r"(```+|~~~+)")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_LABEL = re.compile(r"[*_]*((sample|example) )?(input|output)( \d+)?[*_]*:?[*_]*", re.IGNORECASE)
_SAMPLE = re.compile(r"(sample|example)s?( (input|output|\d+|case))*( \d+)?", re.IGNORECASE)
_ITEM = re.compile(r"\s*(?:[-*+]|(\d+)[.)])\s+(.*)")
_RULE = re.compile(r"\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?")
_INLINE = re.compile(
    r"(?P<code>`+)(?P<text>.+?)(?P=code)|\$(?P<math>[^$\n]+)\$|!\[[^\]]*\]\([^)]*\)"
    r"|\[(?P<label>[^\]]+)\]\((?P<url>[^)\s]+)\)|\*\*(?P<strong>.+?)\*\*|(?<!\w)[*_](?P<emph>[^*_]+)[*_](?!\w)"
)
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}", "\N{LESS-THAN OR EQUAL TO}": r"$\le$",
    "\N{GREATER-THAN OR EQUAL TO}": r"$\ge$", "\N{MULTIPLICATION SIGN}": r"$\times$",
    "\N{EN DASH}": "--", "\N{EM DASH}": "---",
}  # fmt: skip
_LEVELS = {1: "section*", 2: "section*", 3: "subsection*"}
_PICTURES = "the pictures of the statement: add them to its folder"


def add_statement(package: Package, problem: Problem) -> None:
    """Add the statement in the form that the format knows, or report what it does not know."""
    if problem.statement is None:
        package.losses.append("a statement: the problem has none, and the format requires one")
        return
    if problem.is_package:
        _copy_folder(package, problem)
        return
    data = problem.statement.read_bytes()
    if len(data) > _MAX_SIZE:
        package.losses.append(f"the statement: larger than {_MAX_SIZE >> 20} MiB")
        return
    _add_markdown(package, problem, data.decode(errors="replace"), "en")


def _add_markdown(package: Package, problem: Problem, text: str, language: str) -> None:
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
    """Copy the statements of a package; Markdown is translated for legacy."""
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
            text = path.read_bytes()[:_MAX_SIZE].decode(errors="replace")
            _add_markdown(package, problem, text, stem.removeprefix("problem").strip(".") or "en")
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


def strip_samples(text: str, *, keeps_samples: bool = False) -> str:
    """Return a statement without its title and samples; what explains a sample stays, as a section of its own.

    `keeps_samples` is for interactive problems, whose dialogues no contest system shows by itself.
    """
    kept: list[str] = []
    is_sample = has_explanation = False
    fence = ""
    for number, line in enumerate(text.splitlines()):
        heading = None if fence else _HEADING.fullmatch(line)
        found = _FENCE.match(line.lstrip())
        was_inside = bool(fence)
        if found and (not fence or line.strip() == fence):
            fence = "" if fence else found[1]
        if heading:
            is_sample = not keeps_samples and _SAMPLE.fullmatch(heading[2]) is not None
            if is_sample or (number == 0 and len(heading[1]) == 1):
                continue
        elif is_sample and (was_inside or found or _LABEL.fullmatch(line.strip())):
            continue
        elif is_sample and line.strip() and not has_explanation:
            kept.append("## Explanation of the sample\n")
            has_explanation = True
        kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip() + "\n"


# ---- LaTeX ---------------------------------------------------------------------------------------------------------


def to_latex(text: str, title: str) -> str:
    """Return Markdown as the LaTeX of a legacy statement: headings, lists, tables, code and emphasis."""
    return "\n".join([rf"\problemname{{{escape(title)}}}", "", *_blocks(text.splitlines())]).rstrip() + "\n"


def _blocks(lines: list[str]) -> Iterator[str]:  # noqa: C901 - one branch for each kind of block
    at = 0
    while at < len(lines):
        line = lines[at]
        start = at
        if fence := _FENCE.match(line.lstrip()):
            at += 1
            while at < len(lines) and lines[at].strip() != fence[1]:
                at += 1
            yield from (r"\begin{verbatim}", *lines[start + 1 : at], r"\end{verbatim}")
            at += 1
        elif heading := _HEADING.fullmatch(line):
            yield rf"\{_LEVELS.get(len(heading[1]), 'paragraph*')}{{{_inline(heading[2])}}}"
            at += 1
        elif line.startswith("|") and at + 1 < len(lines) and _RULE.fullmatch(lines[at + 1].strip()):
            while at < len(lines) and lines[at].startswith("|"):
                at += 1
            yield from _table(lines[start], lines[start + 2 : at])
        elif _ITEM.fullmatch(line):
            while at < len(lines) and (_ITEM.fullmatch(lines[at]) or lines[at].startswith("  ")):
                at += 1
            yield from _list(lines[start:at])
        elif not line.strip():
            yield ""
            at += 1
        else:
            while at < len(lines) and lines[at].strip() and not _starts_block(lines[at], is_first=at == start):
                at += 1
            yield _inline("\n".join(lines[start:at]))


def _starts_block(line: str, *, is_first: bool) -> bool:
    return not is_first and bool(_FENCE.match(line) or _HEADING.fullmatch(line) or _ITEM.fullmatch(line))


def _list(lines: list[str]) -> Iterator[str]:
    first = _ITEM.fullmatch(lines[0])
    kind = "enumerate" if first and first[1] else "itemize"
    yield rf"\begin{{{kind}}}"
    items: list[str] = []
    for line in lines:
        if found := _ITEM.fullmatch(line):
            items.append(found[2])
        else:
            items[-1] += f"\n{line.strip()}"
    yield from (rf"\item {_inline(item)}" for item in items)
    yield rf"\end{{{kind}}}"


def _table(head: str, rows: list[str]) -> Iterator[str]:
    columns = _cells(head)
    yield rf"\begin{{tabular}}{{|{'l|' * len(columns)}}}"
    yield r"\hline"
    for row in (columns, *map(_cells, rows)):
        cells = (row + [""] * len(columns))[: len(columns)]
        yield " & ".join(map(_inline, cells)) + r" \\ \hline"
    yield r"\end{tabular}"


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _inline(text: str) -> str:
    parts = []
    end = 0
    for found in _INLINE.finditer(text):
        parts.append(escape(text[end : found.start()]))
        parts.append(_span(found))
        end = found.end()
    return "".join([*parts, escape(text[end:])])


def _span(found: re.Match[str]) -> str:
    if found["code"]:
        return rf"\texttt{{{escape(found['text'].strip())}}}"
    if found["math"]:
        return f"${found['math']}$"
    if found["url"]:
        return rf"\href{{{found['url']}}}{{{_inline(found['label'])}}}"
    if found["strong"]:
        return rf"\textbf{{{_inline(found['strong'])}}}"
    return rf"\emph{{{_inline(found['emph'])}}}" if found["emph"] else ""


def escape(text: str) -> str:
    """Return text with the characters that are special in LaTeX written out."""
    return "".join(_SPECIAL.get(char, char) for char in text)


# ---- Polygon: sections, as olymp.sty typesets them ------------------------------------------------------------------

_LANGUAGES = {
    "": "english", "ar": "arabic", "be": "belarusian", "bg": "bulgarian", "cs": "czech", "da": "danish",
    "de": "german", "en": "english", "es": "spanish", "et": "estonian", "fi": "finnish", "fr": "french",
    "hu": "hungarian", "it": "italian", "ja": "japanese", "ko": "korean", "lt": "lithuanian", "lv": "latvian",
    "nb": "norwegian", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sk": "slovak", "sv": "swedish", "tr": "turkish", "uk": "ukrainian", "zh": "chinese",
}  # fmt: skip
_NAME = re.compile(r"problem(?:\.([a-z]{2})(?:-[A-Za-z]+)?)?\.(tex|md)")
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
    found = dict(_find(problem))
    if not found:
        package.losses.append("a statement: the problem has none that is LaTeX or Markdown")
    for language, path in found.items():
        text = path.read_bytes()[:_MAX_SIZE].decode(errors="replace")
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


def _find(problem: Problem) -> Iterator[tuple[str, Path]]:
    """Yield the statements by language, the English one first."""
    if problem.statement is None:
        return
    if not problem.is_package:
        yield "english", problem.statement
        return
    root = problem.folder.resolve() if problem.folder else Path("/")
    paths = sorted(problem.statement.parent.iterdir(), key=lambda path: (".en" not in path.name, path.name))
    for path in paths:
        match = _NAME.fullmatch(path.name)
        language = _LANGUAGES.get((match[1] or "") if match else "?")
        if language and path.is_file() and path.resolve().is_relative_to(root):
            yield language, path


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
