"""Combines a solution and the user's own modules that it imports into one file.

A small loader at the top of the bundle has the text of each module, and gives it to Python's import system. So every
`import` statement stays as it is and keeps its meaning: aliases, packages, relative and circular imports, imports
inside functions, state that modules share.

As for a script, modules are searched in the file's folder; for a file inside a package also in the folder that contains
the outermost package.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path

from msgspec import Struct

from judge.base.errors import DataError, Diagnostic, Severity
from judge.online.python_source import PythonSource, is_docstring, is_future_import, is_import_call, parse_source

_STANDARD_LIBRARY = sys.stdlib_module_names.union(sys.builtin_module_names)

Modules = Mapping[str, PythonSource | None]
"""The user's own modules by dotted name; None stands for a folder without `__init__.py`, a namespace package."""


class Bundle(Struct, frozen=True, kw_only=True):
    """A solution in one file.

    Attributes:
        data: the file's bytes; the entry's own if it imports none of the user's modules.
        modules: each follows the modules that it imports.
        warnings: imports that the bundle may not satisfy elsewhere.
    """

    data: bytes
    modules: Modules
    warnings: Sequence[Diagnostic]


def bundle(entry: Path) -> Bundle:
    """Combine a solution and the user's own modules that it imports; for a link, those of its target.

    Raises:
        DataError: a module cannot be read or parsed, or the file imports itself.
        OSError: the file cannot be read.
    """
    entry = entry.resolve()
    packages: list[str] = []
    top = entry.parent  # the folder that contains the outermost package
    while (top / "__init__.py").is_file():
        packages.insert(0, top.name)
        top = top.parent
    package = ".".join(packages)
    source = parse_source(entry, entry.read_bytes(), compiles=True)
    search = _Search(entry, list(dict.fromkeys((entry.parent, top))))
    for parent in accumulate(packages, "{}.{}".format):
        search.add(parent, (entry, 0))
    search.follow(source, package)
    for name, place in search.third_party.items():
        search.warn(place, f"`{name}` is neither your own nor in the standard library, so it remains an import")
    data = _assemble(source, search.modules, package).encode() if search.modules else source.data
    return Bundle(data=data, modules=search.modules, warnings=search.warnings)


# ---- the modules that a file imports ---------------------------------------------------------------------------------

_Place = tuple[Path, int]
"""The file and the line of an import statement."""


class _Search:
    """Follows imports and collects the user's own modules.

    Attributes:
        third_party: the first import of each module that is neither the user's nor in the standard library.
    """

    def __init__(self, entry: Path, roots: list[Path]) -> None:
        self.modules: dict[str, PythonSource | None] = {}
        self.warnings: list[Diagnostic] = []
        self.third_party: dict[str, _Place] = {}
        self._entry = entry
        self._roots = roots

    def warn(self, place: _Place, message: str) -> None:
        path, line = place
        self.warnings.append(
            Diagnostic(path=path, line=line, severity=Severity.WARNING, rule="import", message=message)
        )

    def follow(self, source: PythonSource, package: str) -> None:
        """Add what a source imports; `package` is the base of its relative imports."""
        for name, parts, line in _find_imports(source, package):
            place = (source.path, line)
            if name is None:
                self.warn(place, "only a run shows which module this imports, so it is not bundled")
            elif self.add(name, place):
                for part in self._exported(name) if parts == ("*",) else parts:
                    self.add(f"{name}.{part}", place)
            elif (top := name.partition(".")[0]) and top not in _STANDARD_LIBRARY:
                self.third_party.setdefault(top, place)

    def add(self, name: str, place: _Place) -> bool:
        """Add a module, its parents, and what they import; return whether it is one of the user's own."""
        if name in self.modules:
            return True
        parent = name.rpartition(".")[0]
        if parent and not self.add(parent, place):
            return False
        paths = self._locate(name)
        if not paths:
            return False
        path = paths[0]
        if path.is_dir():
            self.modules[name] = None
            return True
        if path.samefile(self._entry):
            message = f"`{name}` is the solution itself, which would run twice"
            fix = "move what other modules need from it into a separate module"
            raise DataError([Diagnostic(path=place[0], line=place[1], rule="import", message=message, fix=fix)])
        source = parse_source(path, path.read_bytes(), compiles=True)
        self.modules[name] = source  # before its imports: they may import it again
        self.follow(source, name if path.name == "__init__.py" else parent)
        self.modules[name] = self.modules.pop(name)  # after its imports
        return True

    def _exported(self, name: str) -> Iterator[str]:
        """Yield what `from name import *` may import as modules: the constant words of `__all__`."""
        source = self.modules[name]
        for node in source.tree.body if source else ():
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id="__all__")], value=value)
                    | ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.expr() as value)
                    | ast.AugAssign(target=ast.Name(id="__all__"), value=value)
                ):
                    words = (each.value for each in ast.walk(value) if isinstance(each, ast.Constant))
                    yield from (word for word in words if isinstance(word, str) and word.isidentifier())

    def _locate(self, name: str) -> list[Path]:
        """Return the places of a module, the best first: files, then the folders of a namespace package (PEP 420)."""
        if name.partition(".")[0] in sys.builtin_module_names:  # Python finds these before any folder
            return []
        folders = [root.joinpath(*name.split(".")) for root in self._roots]
        files = [file for each in folders for file in (each / "__init__.py", each.with_name(f"{each.name}.py"))]
        found = [file for file in files if file.is_file()]
        if found or name in sys.stdlib_module_names:
            return found
        return [folder for folder in folders if folder.is_dir() and any(folder.rglob("*.py"))]


def _find_imports(source: PythonSource, package: str) -> Iterator[tuple[str | None, tuple[str, ...], int]]:
    """Yield each imported module, which of its parts may be modules themselves, and the line.

    None stands for a module whose name only a run shows, or that lies outside all packages.
    """
    nodes: list[ast.AST] = [source.tree]
    for node in nodes:
        match node:
            case ast.If(test=test) if ast.unparse(test).rpartition(".")[2] == "TYPE_CHECKING":
                nodes += node.orelse  # the other branch never runs
                continue
            case ast.Import(names=names, lineno=line):
                yield from ((alias.name, (), line) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level, lineno=line):
                base = package.split(".") if package else []
                # None fails in the original too, and is often in a `try` for that reason
                name = ".".join([*base[: len(base) - level + 1], *([module] if module else [])])
                parts = tuple(alias.name for alias in names)
                yield (module or "" if level == 0 else name if level <= len(base) else None), parts, line
            case ast.Call(func=function, args=arguments, lineno=line) if is_import_call(function):
                match arguments:
                    case [ast.Constant(value=str(name)), *_] if not name.startswith("."):
                        yield name, (), line
                    case _:
                        yield None, (), line
        nodes += ast.iter_child_nodes(node)


# ---- one file --------------------------------------------------------------------------------------------------------

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


def _assemble(entry: PythonSource, modules: Modules, package: str) -> str:
    loader = "_Bundle"
    while any(loader in source.text for source in (entry, *filter(None, modules.values()))):
        loader += "_"
    shown = "".join(char if char.isprintable() else "?" for char in entry.path.name).replace("coding", "?")
    parts = [f"# Made by `judge bundle` of {shown} and its modules {', '.join(modules)}.\n"]
    parts.append(_LOADER.format(loader=loader))
    for name, source in modules.items():
        is_package = source is None or source.path.name == "__init__.py"
        text = source.text.rstrip("\n").replace("\\", "\\\\").replace('"""', '\\"\\"\\"') if source else ""
        parts.append(f'{loader}.texts["{name}"] = {is_package}, """{text}\n"""\n\n')
    parts.append(f'__import__("sys").meta_path.insert(0, {loader})\n')
    if package:
        parts.append(f'__package__ = "{package}"  # of the file below, for its relative imports\n')
    return _insert_after_head(entry, "".join(parts))


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
