"""One module's text as a function that does to a dictionary what the module does to its own.

All names that the module binds are declared `global`, and the function is run with the module's dictionary as its
globals. What a function cannot hold, or where it would mean something else, is changed:

- `from m import *`, which only a module may have, becomes a call;
- an annotation of a module's variable goes, since a global name cannot have one;
- `from __future__ import ...` stands at the top of the bundle;
- `locals()`, `vars()`, `dir()`, `exec(text)` and `eval(text)` of the module itself speak of its globals.
"""

import ast
import symtable
from collections.abc import Iterator

from judge.bundle.edits import Edits, Source, indented, is_docstring, is_future

_WIDTH = 110
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_OF_GLOBALS = {"locals": "globals()", "vars": "globals()", "dir": "sorted(globals())"}


def function_of(source: Source, name: str, star: str) -> str:
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


def _declare(source: Source, bound: list[str], edits: Edits) -> None:
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


def _bound(source: Source) -> list[str]:
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
