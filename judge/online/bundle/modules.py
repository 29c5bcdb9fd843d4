"""Finds the user's own modules that a file imports, directly or not.

As for a script, modules are searched in the file's folder; for a file inside a package also in the folder that contains
the outermost package.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, field

from judge.base.errors import DataError, Diagnostic, Severity
from judge.online.python_source import PythonSource, is_import_call, parse_source

_STANDARD_LIBRARY = sys.stdlib_module_names.union(sys.builtin_module_names)


class Module(Struct, frozen=True, kw_only=True):
    """One of the user's own modules.

    Attributes:
        source: None for a folder without `__init__.py`, a namespace package (PEP 420).
    """

    source: PythonSource | None
    is_package: bool


_Place = tuple[Path, int]
"""The file and the line of an import statement."""


def _report(place: _Place, message: str, fix: str = "", severity: Severity = Severity.ERROR) -> Diagnostic:
    path, line = place
    return Diagnostic(path=path, line=line, severity=severity, rule="import", message=message, fix=fix)


class ImportGraph(Struct, kw_only=True):
    """A file and all that it imports.

    Attributes:
        package: the package that contains the entry; "" for a plain script.
        modules: the user's own, by dotted name; each follows the modules that it imports.
        warnings: imports that the bundle may not satisfy elsewhere.
    """

    entry: PythonSource
    package: str
    modules: dict[str, Module] = field(default_factory=dict)
    warnings: list[Diagnostic] = field(default_factory=list)


def find_modules(entry: Path) -> ImportGraph:
    """Find the modules that a file imports; for a link, those of its target, as `python LINK` does.

    Raises:
        DataError: a module cannot be read or parsed, or the file imports itself.
        OSError: the file cannot be read.
    """
    entry = entry.resolve()
    names: list[str] = []
    top = entry.parent  # the folder that contains the outermost package
    while (top / "__init__.py").is_file():
        names.insert(0, top.name)
        top = top.parent
    package = ".".join(names)
    graph = ImportGraph(entry=parse_source(entry, entry.read_bytes(), compiles=True), package=package)
    search = _Search(graph, list(dict.fromkeys((entry.parent, top))))
    for parent in _parents(f"{package}.x" if package else ""):
        search.add(parent, (entry, 0))
    search.follow(graph.entry, package)
    for name, place in search.third_party.items():
        message = f"`{name}` is neither your own nor in the standard library, so it remains an import"
        graph.warnings.append(_report(place, message, severity=Severity.WARNING))
    return graph


def _parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    yield from (".".join(parts[:size]) for size in range(1, len(parts)))


class _Search:
    """Follows imports and adds the user's own modules to a graph.

    Attributes:
        third_party: the first import of each module that is neither the user's nor in the standard library.
    """

    def __init__(self, graph: ImportGraph, roots: list[Path]) -> None:
        self.third_party: dict[str, _Place] = {}
        self._graph = graph
        self._roots = roots

    def follow(self, source: PythonSource, package: str) -> None:
        """Add what a source imports; `package` is the base of its relative imports."""
        for name, parts, line in _find_imports(source, package):
            place = (source.path, line)
            if name is None:
                message = "only a run shows which module this imports, so it is not bundled"
                self._graph.warnings.append(_report(place, message, severity=Severity.WARNING))
            elif self.add(name, place):
                for part in parts:
                    self.add(f"{name}.{part}", place)
            elif (top := name.partition(".")[0]) and top not in _STANDARD_LIBRARY:
                self.third_party.setdefault(top, place)

    def add(self, name: str, place: _Place) -> bool:
        """Add a module, its parents, and what they import; return whether it is one of the user's own."""
        if name in self._graph.modules:
            return True
        for parent in _parents(name):
            if not self.add(parent, place):
                return False
        module = self._locate(name, place)
        if module is None:
            return False
        self._graph.modules[name] = module  # before its imports: they may import it again
        if module.source is not None:
            self.follow(module.source, name if module.is_package else name.rpartition(".")[0])
            self._graph.modules[name] = self._graph.modules.pop(name)  # after its imports
        return True

    def _locate(self, name: str, place: _Place) -> Module | None:
        if name.partition(".")[0] in sys.builtin_module_names:  # Python finds these before any folder
            return None
        for root in self._roots:
            path = root.joinpath(*name.split("."))
            init, single = path / "__init__.py", path.with_name(f"{path.name}.py")
            if init.is_file():
                return self._read(name, init, place, is_package=True)
            if single.is_file():
                return self._read(name, single, place, is_package=False)
        if "." not in name and name in sys.stdlib_module_names:
            return None
        folders = [root.joinpath(*name.split(".")) for root in self._roots]
        if any(folder.is_dir() and any(folder.rglob("*.py")) for folder in folders):
            return Module(source=None, is_package=True)
        return None

    def _read(self, name: str, path: Path, place: _Place, *, is_package: bool) -> Module:
        if path.samefile(self._graph.entry.path):
            message = f"`{name}` is the solution itself, which would run twice"
            raise DataError([_report(place, message, "move what other modules need from it into a separate module")])
        return Module(source=parse_source(path, path.read_bytes(), compiles=True), is_package=is_package)


def _find_imports(source: PythonSource, package: str) -> Iterator[tuple[str | None, tuple[str, ...], int]]:
    """Yield each imported module, which of its parts may be modules themselves, and the line.

    None stands for a module whose name only a run shows, or that lies outside all packages.
    """
    for node in ast.walk(source.tree):
        match node:
            case ast.Import(names=names, lineno=line):
                yield from ((alias.name, (), line) for alias in names)
            case ast.ImportFrom(names=names, level=level, lineno=line):
                # None fails in the original too, and is often in a `try` for that reason
                yield _absolute_name(node.module or "", level, package), tuple(alias.name for alias in names), line
            case ast.Call(func=function, args=[ast.Constant(value=str(name)), *_], lineno=line) if is_import_call(
                function
            ) and not name.startswith("."):
                yield name, (), line
            case ast.Call(func=function, lineno=line) if is_import_call(function):
                yield None, (), line


def _absolute_name(module: str, level: int, package: str) -> str | None:
    if level == 0:
        return module
    parts = package.split(".") if package else []
    if level > len(parts):
        return None
    return ".".join([*parts[: len(parts) - level + 1], *([module] if module else [])])
