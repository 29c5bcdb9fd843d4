"""All in one file: the entry's head, the loader, the modules as functions, and the entry's own text."""

import ast
import re
import symtable
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.errors import DataError, Diagnostic
from judge.online.bundle.modules import Found, find_modules
from judge.online.bundle.source import Edits, ParsedSource, first_line, indented, is_docstring, is_future

_LOADER = '''\
class {loader}:
    """Lets `import` find the modules of this file: each body runs at the first import, with names of its own."""

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
{keep_star}\
        type(body)(body.__code__, names)()
{star}

'''

_STAR = '''
    @staticmethod
    def import_all(name, level, names):
        """Do what `from name import *` does."""
        module = __import__(name, names, None, ["*"], level)
        public = getattr(module, "__all__", [each for each in vars(module) if not each.startswith("_")])
        names.update((each, getattr(module, each)) for each in public)
'''


def loader_text(loader: str, star: str, *, has_star: bool) -> str:
    """Return the loader's class.

    Args:
        loader: what the class is called.
        star: what modules call in the place of `import *`.
        has_star: some module does.
    """
    keep = f'        names["{star}"] = cls.import_all\n' if has_star else ""
    return _LOADER.format(loader=loader, keep_star=keep, star=_STAR if has_star else "")


def start_text(loader: str, package: str) -> str:
    """Return what follows the modules: from here on `import` finds them."""
    own = f'__package__ = "{package}"  # of the file below, for its relative imports\n' if package else ""
    return f'__import__("sys").meta_path.insert(0, {loader})\n{own}'


def origin_text(entry: str, modules: Iterable[str]) -> str:
    """Return the comment that says what this is."""
    name = "".join(char if char.isprintable() else "?" for char in entry).replace("coding", "?")  # PEP 263
    return f"# Made by `judge bundle` of {name} and its modules {', '.join(modules)}.\n"


_WIDTH = 110
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_OF_GLOBALS = {"locals": "globals()", "vars": "globals()", "dir": "sorted(globals())"}


def function_of(source: ParsedSource, name: str, star: str) -> str:
    """Return a function, `name`, with the module's text as its body.

    Args:
        source: the module.
        name: what the function is called.
        star: what stands for `import *`: a function of a module's name, its level and the dictionary.
    """
    edits = Edits(source.text)
    bound = _bound(source)
    for node in _own_nodes(source.tree):
        if not _calls(node, bound):
            _change(node, edits, star)
    _declare(source, bound, edits)
    text = edits.result().rstrip("\n")
    return f"def {name}():\n{indented(text)}\n" + ("" if source.tree.body else "    pass\n")


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that belong to the module's own scope."""
    waiting = [node]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            yield child
            if not isinstance(child, _SCOPES):
                waiting.append(child)


def _calls(node: ast.AST, names: list[str]) -> bool:
    """Whether a node calls something of the module's own, which may be called `dir` like a builtin."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _change(node: ast.AST, edits: Edits, star: str) -> None:
    match node:
        case ast.ImportFrom() if is_future(node):
            edits.replace_node(node, "pass")
        case ast.ImportFrom(names=[ast.alias(name="*")], module=module, level=level):
            edits.replace_node(node, f'{star}("{module or ""}", {level}, globals())')
        case ast.AnnAssign(target=ast.Name(), value=None):
            edits.replace_node(node, "pass")
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
            assert annotation.end_lineno is not None
            assert annotation.end_col_offset is not None
            equals = edits.find("=", (annotation.end_lineno, annotation.end_col_offset))
            edits.replace((node.lineno, node.col_offset), equals, f"{name} ")
        case ast.Call(func=ast.Name(id="locals" | "vars" | "dir" as name), args=[], keywords=[]):
            edits.replace_node(node, _OF_GLOBALS[name])
        case ast.Call(func=ast.Name(id="exec" | "eval"), args=[text], keywords=[]):
            edits.add_argument(node, text, "globals()")


def _declare(source: ParsedSource, bound: list[str], edits: Edits) -> None:
    """Insert the `global` lines: at the top, after a docstring, which has to stay the first statement."""
    lines = list(_global_lines(bound))
    body = source.tree.body
    if not lines:
        return
    if not body or not is_docstring(body[0]):
        edits.insert((1, 0), "".join(f"{line}\n" for line in lines))
        return
    docstring = body[0]
    assert docstring.end_lineno is not None
    assert docstring.end_col_offset is not None
    shares_line = len(body) > 1 and body[1].lineno == docstring.end_lineno
    if shares_line:
        edits.insert((docstring.end_lineno, docstring.end_col_offset), "".join(f"; {line}" for line in lines))
    else:
        edits.insert_after_line(docstring.end_lineno, "".join(f"{line}\n" for line in lines))


def _bound(source: ParsedSource) -> list[str]:
    """Return the names that a module binds in its own scope, in the order of the alphabet."""
    table = symtable.symtable(source.text, str(source.path), "exec")
    bound = {each.get_name() for each in table.get_symbols() if each.is_assigned() or each.is_imported()}
    # the table does not tell those of `[x := 1 for ...]`, which are the module's, too (PEP 572)
    bound |= {node.target.id for node in _own_nodes(source.tree) if isinstance(node, ast.NamedExpr)}
    return sorted(name for name in bound if name.isidentifier())


def _global_lines(names: list[str]) -> Iterator[str]:
    line = ""
    for name in names:
        if line and len(line) + len(name) + 2 > _WIDTH:
            yield line
            line = ""
        line = f"{line}, {name}" if line else f"global {name}"
    if line:
        yield line


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
        raise DataError([Diagnostic(path=entry, message=message)]) from error


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


def _unused(name: str, sources: list[ParsedSource]) -> str:
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


def _futures(source: ParsedSource) -> set[str]:
    return {alias.name for node in source.tree.body if is_future(node) for alias in node.names}  # type: ignore[attr-defined]


def _within(entry: ParsedSource, future: str, prelude: str) -> str:
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
