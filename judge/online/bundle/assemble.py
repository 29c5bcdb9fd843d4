"""Puts a solution into one file: the head of its text, the loader, the modules as functions, the rest of its text."""

import ast
import io
import re
import symtable
import textwrap
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from judge.base.errors import DataError, Diagnostic
from judge.online.bundle.modules import ImportGraph, find_modules
from judge.online.python_source import PythonSource, find_future_imports, is_docstring, is_future_import


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
    data = graph.entry.data
    if graph.modules:
        data = _assemble(graph).encode()
        try:
            compile(data, "bundle", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError) as error:
            message = f"the bundle would not be a valid program ({error}): a bug in `judge bundle`"
            fix = "combine the modules by hand, and report the bug"
            raise DataError([Diagnostic(path=entry, message=message, fix=fix)]) from error
    return Bundle(data=data, graph=graph)


# ---- all parts -------------------------------------------------------------------------------------------------------

_LOADER = '''\
class {loader}:
    """Lets `import` find the modules of this file: a body runs at the first import, in its module's namespace."""

    bodies = {{}}

    @classmethod
    def module(cls, name, is_package=False):
        def keep(body):
            cls.bodies[name] = (body, is_package)
            return body

        return keep

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name not in cls.bodies:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, cls, is_package=cls.bodies[name][1])

    @staticmethod
    def create_module(spec):
        return None

    @classmethod
    def exec_module(cls, module):
        body = cls.bodies[module.__name__][0]
        names = module.__dict__
        names["__builtins__"] = __builtins__
        names["__doc__"] = body.__doc__
        names["__file__"] = globals().get("__file__", "<bundle>")
        names["{star}"] = cls.import_all
        type(body)(body.__code__, names)()

    @staticmethod
    def import_all(name, level, names):
        """Do what `from name import *` does."""
        module = __import__(name, names, None, ["*"], level)
        public = getattr(module, "__all__", [each for each in vars(module) if not each.startswith("_")])
        names.update((each, getattr(module, each)) for each in public)


'''

_CODING = re.compile(r"^([ \t\f]*#.*?coding[:=][ \t]*)([-\w.]+)", re.ASCII)  # PEP 263


def _assemble(graph: ImportGraph) -> str:
    sources = [graph.entry, *(each.source for each in graph.modules.values() if each.source)]
    loader, star = _unused_name("_Bundle", sources), _unused_name("_import_all", sources)
    functions = []
    for name, module in graph.modules.items():
        function = "_" + re.sub(r"\W", "_", name)
        is_package = ", is_package=True" if module.is_package else ""
        body = _write_body(module.source, star) if module.source else "    pass\n"
        functions.append(f'@{loader}.module("{name}"{is_package})\ndef {function}():\n{body}\n\n')
    name = "".join(char if char.isprintable() else "?" for char in graph.entry.path.name).replace("coding", "?")
    parts = [
        f"# Made by `judge bundle` of {name} and its modules {', '.join(graph.modules)}.\n",
        _LOADER.format(loader=loader, star=star),
        *functions,
        f'__import__("sys").meta_path.insert(0, {loader})\n',
    ]
    if graph.package:
        parts.append(f'__package__ = "{graph.package}"  # of the file below, for its relative imports\n')
    # the modules may need `from __future__` imports that the entry does not have
    needed = {name for source in sources for name in find_future_imports(source.tree)}
    missing = sorted(needed - find_future_imports(graph.entry.tree))
    future = f"from __future__ import {', '.join(missing)}\n\n" if missing else ""
    return _insert_after_head(graph.entry, future + "".join(parts))


def _unused_name(name: str, sources: list[PythonSource]) -> str:
    """Return a name that occurs in no source."""
    while any(name in source.text for source in sources):
        name += "_"
    return name


def _insert_after_head(entry: PythonSource, prelude: str) -> str:
    """Return the entry's text with the other parts after its comments, docstring and `from __future__` imports."""
    lines = entry.text.split("\n")
    for number in range(min(2, len(lines))):
        lines[number] = _CODING.sub(r"\1utf-8", lines[number])  # the encoding of bundles
    edits = _Edits("\n".join(lines))
    body = entry.tree.body
    head = 0
    while head < len(body) and (is_future_import(body[head]) or (head == 0 and is_docstring(body[head]))):
        head += 1
    last = body[head - 1].end_lineno or 0 if head else _count_head_comments(entry.text)
    following: list[ast.AST] = [body[head], *getattr(body[head], "decorator_list", [])] if head < len(body) else []
    if any(getattr(each, "lineno", 0) <= last for each in following):  # on the same line, after a semicolon
        edits.insert((body[head].lineno, body[head].col_offset), f"\n{prelude}\n")
    elif last:
        edits.insert_after_line(last, f"\n{prelude}")
    else:
        edits.insert((1, 0), f"{prelude}\n")
    return edits.apply()


def _count_head_comments(text: str) -> int:
    """Return the number of comment lines that belong to the whole file: shebang, encoding, a separate block."""
    lines = text.split("\n")
    block = 0
    while block < len(lines) and lines[block].startswith("#"):
        block += 1
    if block < len(lines) and not lines[block].strip():
        return block
    return sum(line.startswith("#!") or bool(_CODING.match(line)) for line in lines[: min(2, block)])


# ---- a module's text as the body of a function -----------------------------------------------------------------------

_LINE_LENGTH = 104
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_GLOBAL_EQUIVALENTS: Mapping[str, str] = {"locals": "globals()", "vars": "globals()", "dir": "sorted(globals())"}


def _write_body(source: PythonSource, star: str) -> str:
    """Return a module's text as the body of a function; `star` is the function that replaces `import *`."""
    edits = _Edits(source.text)
    table = symtable.symtable(source.text, str(source.path), "exec")
    names = {each.get_name() for each in table.get_symbols() if each.is_assigned() or each.is_imported()}
    # the table omits those of `[x := 1 for ...]`, which the module binds too (PEP 572)
    names |= {node.target.id for node in _walk_scope(source.tree) if isinstance(node, ast.NamedExpr)}
    bound = sorted(name for name in names if name.isidentifier())
    for node in _walk_scope(source.tree):
        is_own_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in bound
        if not is_own_call:  # the module's own `dir` is not the builtin
            _adapt(node, edits, star)
    _insert_global_statements(source.tree.body, bound, edits)
    return indent(edits.apply().rstrip("\n")) + ("\n" if source.tree.body else "\n    pass\n")


def _walk_scope(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes in the module's own scope."""
    waiting = [node]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            yield child
            if not isinstance(child, _SCOPES):
                waiting.append(child)


def _adapt(node: ast.AST, edits: "_Edits", star: str) -> None:
    """Replace what means something else inside a function."""
    match node:
        case ast.ImportFrom() if is_future_import(node):
            edits.replace_node(node, "pass")
        case ast.ImportFrom(names=[ast.alias(name="*")], module=module, level=level):
            edits.replace_node(node, f'{star}("{module or ""}", {level}, globals())')
        case ast.AnnAssign(target=ast.Name(), value=None):
            edits.replace_node(node, "pass")
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
            equals = edits.find("=", _end(annotation))
            edits.replace((node.lineno, node.col_offset), equals, f"{name} ")
        case ast.Call(func=ast.Name(id="locals" | "vars" | "dir" as name), args=[], keywords=[]):
            edits.replace_node(node, _GLOBAL_EQUIVALENTS[name])
        case ast.Call(func=ast.Name(id="exec" | "eval"), args=[code], keywords=[]):
            edits.add_argument(node, code, "globals()")


def _insert_global_statements(body: list[ast.stmt], bound: list[str], edits: "_Edits") -> None:
    """Insert the statements at the top, but after a docstring, which must remain the first statement."""
    wrapped = textwrap.wrap(", ".join(bound), _LINE_LENGTH, break_long_words=False)
    lines = [f"global {line.rstrip(',')}" for line in wrapped]
    if not lines:
        return
    if not is_docstring(body[0]):
        edits.insert((1, 0), "".join(f"{line}\n" for line in lines))
    elif len(body) > 1 and body[1].lineno == body[0].end_lineno:
        edits.insert(_end(body[0]), "".join(f"; {line}" for line in lines))
    else:
        edits.insert_after_line(_end(body[0])[0], "".join(f"{line}\n" for line in lines))


# ---- editing ---------------------------------------------------------------------------------------------------------

_Position = tuple[int, int]
"""A position of a tree: a 1-based line, a 0-based column in UTF-8 bytes."""


def _end(node: ast.stmt | ast.expr) -> _Position:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset


class _Edits:
    """Collects changes of a text at positions of its tree; all else remains as written."""

    def __init__(self, text: str) -> None:
        self._data = text.encode()
        self._starts = [0, *(found.end() for found in re.finditer(rb"\n", self._data))]
        self._changes: list[tuple[int, int, bytes]] = []

    def replace(self, start: _Position, end: _Position, text: str) -> None:
        self._changes.append((self._offset(start), self._offset(end), text.encode()))

    def replace_node(self, node: ast.stmt | ast.expr, text: str) -> None:
        self.replace((node.lineno, node.col_offset), _end(node), text)

    def insert(self, at: _Position, text: str) -> None:
        self.replace(at, at, text)

    def insert_after_line(self, line: int, text: str) -> None:
        if line < len(self._starts):
            self.insert((line + 1, 0), text)
        else:
            self._changes.append((len(self._data), len(self._data), f"\n{text}".encode()))

    def add_argument(self, call: ast.Call, last: ast.expr, text: str) -> None:
        """Add an argument to a call after its last one, which may be in parentheses or before a comma."""
        end = (_end(call)[0], _end(call)[1] - 1)
        between = self._data[self._offset(_end(last)) : self._offset(end)]
        self.insert(end, f" {text}" if b"," in re.sub(rb"#[^\n]*", b"", between) else f", {text}")

    def find(self, text: str, start: _Position) -> _Position:
        """Return the position of the first occurrence of a text from `start` on."""
        at = self._data.index(text.encode(), self._offset(start))
        line = max(number for number, begin in enumerate(self._starts, 1) if begin <= at)
        return line, at - self._starts[line - 1]

    def apply(self) -> str:
        data = self._data
        for start, end, text in sorted(self._changes, reverse=True):
            data = data[:start] + text + data[end:]
        return data.decode()

    def _offset(self, position: _Position) -> int:
        line, column = position
        return self._starts[line - 1] + column


_FORM_FEED = re.compile(r"[ \t\f]*\f")  # resets the indentation


def indent(text: str, margin: str = "    ") -> str:
    """Return a text with all lines indented, except those that begin inside a string."""
    inside = _lines_inside_strings(text)
    lines = text.split("\n")
    return "\n".join(
        line if number in inside or not line.strip() else margin + _FORM_FEED.sub("", line)
        for number, line in enumerate(lines, 1)
    )


def _lines_inside_strings(text: str) -> set[int]:
    """Return the 1-based lines that begin inside a string; f-strings are several tokens from Python 3.12 on."""
    found: set[int] = set()
    opened: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        if kind == "STRING":
            found.update(range(token.start[0] + 1, token.end[0] + 1))
        elif kind in ("FSTRING_START", "TSTRING_START"):
            opened.append(token.start[0])
        elif kind in ("FSTRING_END", "TSTRING_END"):
            found.update(range(opened.pop() + 1, token.end[0] + 1))
    return found
