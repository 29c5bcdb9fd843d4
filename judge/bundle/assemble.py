"""All in one file: the entry's head, the loader, the modules as functions, and the entry's own text."""

import re
from dataclasses import dataclass
from pathlib import Path

from judge.bundle.body import function_of
from judge.bundle.edits import Edits, Source, first_line, is_docstring, is_future
from judge.bundle.modules import Found, find_modules
from judge.bundle.prelude import loader_text, origin_text, start_text
from judge.errors import DataError, Finding

_CODING = re.compile(r"^([ \t\f]*#.*?coding[:=][ \t]*)([-\w.]+)", re.ASCII)  # PEP 263


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A solution in one file.

    Attributes:
        data: the file's bytes; those of the entry when it imports no module of the user's.
        modules: the names of the modules inside, what is imported first coming first.
        warnings: what may not work at the other end, a line each.
        found: the sources.
    """

    data: bytes
    modules: tuple[str, ...]
    warnings: tuple[str, ...]
    found: Found


def bundle(entry: Path) -> Bundle:
    """Make one file of a solution and the modules of the user's that it imports.

    Raises:
        DataError: a module cannot be bundled; says which and why.
        OSError: a file cannot be read.
    """
    found = find_modules(entry)
    warnings = [
        f"{place}: `{name}` is neither yours nor Python's own: it stays an import"
        for name, place in found.foreign.items()
    ]
    names = tuple(found.modules)
    data = _text(found).encode() if names else found.entry.data
    if names:
        _see_that_it_compiles(data, entry)
    return Bundle(data=data, modules=names, warnings=(*found.notes, *warnings), found=found)


def _see_that_it_compiles(data: bytes, entry: Path) -> None:
    try:
        compile(data, "bundle", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError) as error:
        message = f"its bundle would be no Python text ({error}): a fault of `judge bundle`; put the modules in by hand"
        raise DataError([Finding(file=entry, message=message)]) from error


def _text(found: Found) -> str:
    every = [found.entry, *(each.source for each in found.modules.values() if each.source)]
    loader = _unused("_Bundle", every)
    star = _unused("_import_all", every)
    has_star = any(star in text for text in _bodies(found, loader, star))
    parts = [
        origin_text(found.entry.path.name, found.modules),
        loader_text(loader, star, has_star=has_star),
        *_bodies(found, loader, star),
        start_text(loader, found.package),
    ]
    return _within(found.entry, _future_line(found), "".join(parts))


def _bodies(found: Found, loader: str, star: str) -> list[str]:
    texts = []
    for name, module in found.modules.items():
        function = "_" + re.sub(r"\W", "_", name)
        package = ", is_package=True" if module.is_package else ""
        text = function_of(module.source, function, star) if module.source else f"def {function}():\n    pass\n"
        texts.append(f'@{loader}.module("{name}"{package})\n{text}\n\n')
    return texts


def _unused(name: str, sources: list[Source]) -> str:
    """Return a name that no source knows."""
    while any(name in source.text for source in sources):
        name += "_"
    return name


def _future_line(found: Found) -> str:
    """Return the `from __future__` that the modules need and the entry does not have."""
    had, wanted = _futures(found.entry), set[str]()
    for module in found.modules.values():
        wanted |= _futures(module.source) if module.source else set()
    return f"from __future__ import {', '.join(sorted(wanted - had))}\n\n" if wanted - had else ""


def _futures(source: Source) -> set[str]:
    return {alias.name for node in source.tree.body if is_future(node) for alias in node.names}  # type: ignore[attr-defined]


def _within(entry: Source, future: str, prelude: str) -> str:
    """Return the entry's text with the future and the prelude where they may stand: after its head."""
    edits = Edits(_in_utf8(entry.text))
    body = entry.tree.body
    head = 0
    while head < len(body) and (is_future(body[head]) or (head == 0 and is_docstring(body[head]))):
        head += 1
    last = body[head - 1].end_lineno or 0 if head else _comment_lines(entry.text)
    if head < len(body) and first_line(body[head]) <= last:  # on the same line, after a semicolon
        edits.insert((body[head].lineno, body[head].col_offset), f"\n{future}{prelude}\n")
    elif last:
        edits.insert_after_line(last, f"\n{future}{prelude}")
    else:
        edits.insert((1, 0), f"{future}{prelude}\n")
    return edits.result()


def _comment_lines(text: str) -> int:
    """Return how many lines of comments stand at the top for the whole file: the shebang, the encoding, a block."""
    lines = text.split("\n")
    block = 0
    while block < len(lines) and lines[block].startswith("#"):
        block += 1
    if block < len(lines) and not lines[block].strip():
        return block
    return sum(line.startswith("#!") or bool(_CODING.match(line)) for line in lines[: min(2, block)])


def _in_utf8(text: str) -> str:
    """Return a text whose encoding comment, if it has one, says UTF-8: so bundles are written."""
    lines = text.split("\n")
    for number in range(min(2, len(lines))):
        lines[number] = _CODING.sub(r"\1utf-8", lines[number])
    return "\n".join(lines)
