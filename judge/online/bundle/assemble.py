"""Puts a solution into one file: the head of its text, the loader, the texts of the modules, the rest of its text."""

import re
from pathlib import Path

from msgspec import Struct

from judge.online.bundle.modules import ImportGraph, find_modules
from judge.online.python_source import PythonSource, is_docstring, is_future_import


class Bundle(Struct, frozen=True, kw_only=True):
    """A solution in one file.

    Attributes:
        data: the file's bytes; the entry's own if it imports none of the user's modules.
    """

    data: bytes
    graph: ImportGraph


def bundle(entry: Path) -> Bundle:
    """Combine a solution and the user's own modules that it imports into one file.

    Raises:
        DataError: a module cannot be bundled.
        OSError: a file cannot be read.
    """
    graph = find_modules(entry)
    return Bundle(data=_assemble(graph).encode() if graph.modules else graph.entry.data, graph=graph)


_LOADER = '''\
class {loader}:
    """Lets `import` find the modules of this file: a text runs at the first import, in its module's namespace."""

    texts = {{}}

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name not in cls.texts:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, cls, is_package=cls.texts[name][0])

    @staticmethod
    def create_module(spec):
        return None

    @classmethod
    def exec_module(cls, module):
        module.__file__ = globals().get("__file__", "<bundle>")
        name = module.__name__
        exec(compile(cls.texts[name][1], name + ".py", "exec", dont_inherit=True), module.__dict__)


'''

_CODING = re.compile(r"^([ \t\f]*#.*?coding[:=][ \t]*)([-\w.]+)", re.ASCII)  # PEP 263


def _assemble(graph: ImportGraph) -> str:
    texts = {name: module.source.text if module.source else "" for name, module in graph.modules.items()}
    loader = "_Bundle"
    while any(loader in text for text in (graph.entry.text, *texts.values())):
        loader += "_"
    shown = "".join(char if char.isprintable() else "?" for char in graph.entry.path.name).replace("coding", "?")
    parts = [
        f"# Made by `judge bundle` of {shown} and its modules {', '.join(graph.modules)}.\n",
        _LOADER.format(loader=loader),
    ]
    for name, text in texts.items():
        literal = text.rstrip("\n").replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        parts.append(f'{loader}.texts["{name}"] = {graph.modules[name].is_package}, """{literal}\n"""\n\n')
    parts.append(f'__import__("sys").meta_path.insert(0, {loader})\n')
    if graph.package:
        parts.append(f'__package__ = "{graph.package}"  # of the file below, for its relative imports\n')
    return _insert_after_head(graph.entry, "".join(parts))


def _insert_after_head(entry: PythonSource, prelude: str) -> str:
    """Return the entry's text with the other parts after its comments, docstring and `from __future__` imports."""
    lines = entry.text.split("\n")
    for number in range(min(2, len(lines))):
        lines[number] = _CODING.sub(r"\1utf-8", lines[number])  # the encoding of bundles
    body = entry.tree.body
    head = 0
    while head < len(body) and (is_future_import(body[head]) or (head == 0 and is_docstring(body[head]))):
        head += 1
    last = body[head - 1].end_lineno or 0 if head else 0
    while not head and last < len(lines) and lines[last].startswith("#"):
        last += 1
    if head < len(body) and body[head].lineno == last:  # on the same line, after a semicolon
        line, column = lines[last - 1].encode(), body[head].col_offset
        lines[last - 1 : last] = [line[:column].decode(), line[column:].decode()]
    lines.insert(last, prelude)
    return "\n".join(lines)
