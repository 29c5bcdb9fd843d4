"""The statements of a package of Polygon: LaTeX in sections, as olymp.sty typesets it."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from judge.export.package import Package
from judge.export.statement import escape, strip_samples, to_latex
from judge.model import Problem

_MAX_SIZE = 1 << 20  # bytes
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
# The sections of Polygon by the headings of statements; the legend is what comes before the first of them.
_SECTIONS = {"input": "input", "output": "output", "interaction": "interaction", "scoring": "scoring"}
_COMMANDS = {
    "input": r"\InputFile", "output": r"\OutputFile", "interaction": r"\Interaction", "scoring": r"\Scoring",
    "notes": r"\Note",
}  # fmt: skip


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
            if "![" in text:
                package.losses.append("the pictures of the statement: add them to its folder")
            text = to_latex(strip_samples(text), problem.name)
            package.notes.append("the statement was translated from Markdown to LaTeX: look at it")
        elif _PICTURE.search(text):
            package.losses.append("the pictures of the statement: add them to its folder")
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
        if heading in _SECTIONS or heading in ("note", "notes", "explanation of the sample"):
            current = _SECTIONS.get(heading, "notes")
            sections[current] = sections.get(current, "")
        else:
            sections[current] += match[0]
        end = match.end()
    sections[current] += text[end:]
    return sections


def _typeset(problem: Problem, sections: dict[str, str]) -> str:
    seconds, megabytes = f"{problem.limits.cpu:g} seconds", f"{problem.limits.memory / (1 << 20):g} megabytes"
    head = (
        rf"\begin{{problem}}{{{escape(problem.name)}}}{{standard input}}{{standard output}}{{{seconds}}}{{{megabytes}}}"
    )
    parts = [head]
    for name, text in sections.items():
        parts += [_COMMANDS[name]] if name in _COMMANDS else []
        parts.append(text.strip())
    return "\n\n".join([*parts, r"\end{problem}"]) + "\n"
