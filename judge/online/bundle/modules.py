"""Which of the user's own modules a file imports, directly or not, and what their names are.

As for a script, modules are looked for in the file's folder; for a file inside a package also in the folder that holds
the outermost package.
"""

import ast
import importlib.machinery
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from judge.errors import DataError, Diagnostic
from judge.online.bundle.source import ParsedSource, read_source_text

_BINARY = tuple(importlib.machinery.EXTENSION_SUFFIXES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """One module of the user's.

    Attributes:
        name: dotted, as it is imported.
        source: None for a folder without `__init__.py`: a package all the same (PEP 420).
        is_package: it may have modules inside.
    """

    name: str
    source: ParsedSource | None
    is_package: bool


@dataclass(slots=True)
class Found:
    """All that an entry needs.

    Attributes:
        package: of the entry itself, "" for a plain script.
        modules: by name; what is imported first comes first.
        foreign: modules of other people that are imported, with the place of the first import.
        notes: what cannot be told by reading.
    """

    entry: ParsedSource
    package: str
    modules: dict[str, Module] = field(default_factory=dict)
    foreign: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def find_modules(entry: Path) -> Found:
    """Return the modules that a file needs; those of a link stand where it leads, as for `python LINK`.

    Raises:
        DataError: a module cannot be read or parsed, or the file imports itself.
        OSError: the file cannot be read.
    """
    entry = entry.resolve()
    package, top = _package_of(entry)
    search = _Search(Found(entry=read_source_text(entry), package=package), list(dict.fromkeys((entry.parent, top))))
    for parent in _parents(f"{package}.x" if package else ""):
        search.add(parent, "")
    search.follow(search.found.entry, package)
    return search.found


def _package_of(entry: Path) -> tuple[str, Path]:
    """Return the package that a file belongs to, and the folder that holds it."""
    names: list[str] = []
    folder = entry.parent
    while (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    return ".".join(names), folder


def _parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    yield from (".".join(parts[:size]) for size in range(1, len(parts)))


class _Search:
    def __init__(self, found: Found, roots: list[Path]) -> None:
        self.found = found
        self._roots = roots

    def follow(self, source: ParsedSource, package: str) -> None:
        """Add what a source imports; `package` is what its relative imports start from."""
        for name, parts, line in _imports(source, package):
            place = f"{source.path}:{line}"
            if name is None:
                self.found.notes.append(f"{place}: which module this imports cannot be told, so it is not bundled")
                continue
            if not self.add(name, place):
                self._note_foreign(name, place)
                continue
            for part in self._exported(name) if parts == ("*",) else parts:
                self.add(f"{name}.{part}", place)

    def add(self, name: str, place: str) -> bool:
        """Add a module, those above it, and what they import; return whether it is one of the user's."""
        if name in self.found.modules:
            return True
        for parent in _parents(name):
            if not self.add(parent, place):
                return False
        module = self._locate(name, place)
        if module is None:
            return False
        self.found.modules[name] = module  # known from here on: what it imports may import it again
        if module.source is not None:
            self.follow(module.source, name if module.is_package else name.rpartition(".")[0])
            self.found.modules[name] = self.found.modules.pop(name)  # after what it imports
        return True

    def _locate(self, name: str, place: str) -> Module | None:
        if name.partition(".")[0] in sys.builtin_module_names:  # Python looks there before any folder
            return None
        for root in self._roots:
            path = root.joinpath(*name.split("."))
            init, single = path / "__init__.py", path.with_name(f"{path.name}.py")
            if init.is_file():
                return self._module(name, init, place, is_package=True)
            if single.is_file():
                return self._module(name, single, place, is_package=False)
            for suffix in _BINARY:
                if path.with_name(f"{path.name}{suffix}").is_file():
                    message = f"`{name}` is a compiled module ({path.name}{suffix}): only Python text can be bundled"
                    raise DataError([Diagnostic(path=Path(place), message=message)])
        if "." not in name and name in sys.stdlib_module_names:
            return None
        if any(_holds_modules(root.joinpath(*name.split("."))) for root in self._roots):
            return Module(name=name, source=None, is_package=True)
        return None

    def _module(self, name: str, path: Path, place: str, *, is_package: bool) -> Module:
        if path.samefile(self.found.entry.path):
            message = (
                f"`{name}` is the file that is bundled: it would run twice; "
                "move what others need from it into a module of its own"
            )
            raise DataError([Diagnostic(path=Path(place), message=message)])
        if name in sys.stdlib_module_names:
            self.found.notes.append(f"{place}: `{name}` is your {path.name}, which hides a module of Python's own")
        return Module(name=name, source=read_source_text(path), is_package=is_package)

    def _exported(self, name: str) -> tuple[str, ...]:
        """Return what `from name import *` may import as modules: the words of a package's `__all__`."""
        source = self.found.modules[name].source
        words: list[str] = []
        for node in source.tree.body if source else ():
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=parts) | ast.Tuple(elts=parts))
                    | ast.AugAssign(target=ast.Name(id="__all__"), value=ast.List(elts=parts) | ast.Tuple(elts=parts))
                ):
                    words += [str(part.value) for part in parts if isinstance(part, ast.Constant)]
        return tuple(words)

    def _note_foreign(self, name: str, place: str) -> None:
        top = name.partition(".")[0]
        if top and top not in sys.stdlib_module_names and top not in sys.builtin_module_names:
            self.found.foreign.setdefault(top, place)


def _holds_modules(folder: Path) -> bool:
    return folder.is_dir() and any(folder.rglob("*.py"))


def _imports(source: ParsedSource, package: str) -> Iterator[tuple[str | None, tuple[str, ...], int]]:
    """Yield each imported module, which of its parts may be modules themselves, and the line.

    None stands for a module whose name is only known when the source runs, or that no package reaches.
    """
    unread = {part for node in ast.walk(source.tree) for part in _for_type_checkers(node)}
    for node in ast.walk(source.tree):
        match node:
            case _ if node in unread:
                pass
            case ast.Import(names=names, lineno=line):
                yield from ((alias.name, (), line) for alias in names)
            case ast.ImportFrom(names=names, level=level, lineno=line):
                # fails when it runs, bundled or not, and is often in a `try` for that
                yield _absolute(node.module or "", level, package), tuple(alias.name for alias in names), line
            case ast.Call(func=function, lineno=line) if _is_import(function):
                yield _named(node, package), (), line


def _for_type_checkers(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands under `if TYPE_CHECKING:`, which never runs."""
    if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
        for statement in node.body:
            yield from ast.walk(statement)


def _named(call: ast.Call, package: str) -> str | None:
    """Return the module that a call of `import_module` or `__import__` names, `import_module(".m", "p")` too."""
    match call.args:
        case [ast.Constant(value=str(name)), *rest]:
            of = next(iter([*rest, *(each.value for each in call.keywords if each.arg == "package")]), None)
            base = of.value if isinstance(of, ast.Constant) and isinstance(of.value, str) else package
            tail = name.lstrip(".")
            return _absolute(tail, len(name) - len(tail), base)
    return None


def _is_import(function: ast.expr) -> bool:
    return ast.unparse(function) in ("__import__", "import_module", "importlib.import_module")


def _absolute(module: str, level: int, package: str) -> str | None:
    if level == 0:
        return module
    parts = package.split(".") if package else []
    if level > len(parts):
        return None
    return ".".join([*parts[: len(parts) - level + 1], *([module] if module else [])])
