"""One file and the standard library: nothing else is there at the other end."""

import ast
import sys
from collections.abc import Collection, Iterator

from judge.readiness.guards import Guards
from judge.readiness.judges import OnlineJudge
from judge.readiness.needs import place_of
from judge.readiness.obstacle import Obstacle, Severity
from judge.readiness.removals import REMOVED_MODULES

STANDARD: frozenset[str] = sys.stdlib_module_names | {name.partition(".")[0] for name in REMOVED_MODULES}


def import_obstacles(
    tree: ast.Module, guards: Guards, judge: OnlineJudge, neighbours: Collection[str]
) -> Iterator[Obstacle]:
    """Yield every import of what the judge does not have.

    Args:
        tree: the source.
        guards: an import that the source can do without is none.
        judge: some have more than the standard library.
        neighbours: names of modules and packages that stand beside the file.
    """
    inside = _inside(tree)
    for node in ast.walk(tree):
        for name in _imported(node):
            top = name.partition(".")[0]
            line, column = place_of(node)
            if top in inside or (not top and inside) or guards.has(line):
                continue
            severity = Severity.WARNING if guards.may_have(line) else Severity.ERROR
            if name.startswith(".") or (top in neighbours and top not in sys.builtin_module_names):
                reason = f"`{name}` is a module of yours, and one file is submitted"
                yield _obstacle(line, column, reason, "`judge bundle FILE` makes one file of them", severity)
            elif top not in STANDARD and top not in judge.libraries:
                reason = f"`{top}` does not belong to the standard library, and {judge.name} has no other"
                if judge.libraries:
                    reason = f"`{top}` is not among the libraries that {judge.name} has"
                yield _obstacle(line, column, reason, f"do without `{top}`", severity)


def _inside(tree: ast.Module) -> frozenset[str]:
    """Return the modules that a bundle holds: its loader's decorator names them (`judge.bundle.prelude`)."""
    loaders = {
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        and any(isinstance(part, ast.FunctionDef) and part.name == "find_spec" for part in node.body)
    }
    found = set()
    for node in tree.body:
        for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            match decorator:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id=loader), attr="module"), args=[ast.Constant(value=str(name))]
                ) if loader in loaders:
                    found.add(name.partition(".")[0])
    return frozenset(found)


def _imported(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=module, level=level):
            yield "." * level + (module or "")
        case ast.Call(func=function, args=[ast.Constant(value=str(name)), *_]) if _is_import(function):
            yield name


def _is_import(function: ast.expr) -> bool:
    return ast.unparse(function) in ("__import__", "import_module", "importlib.import_module")


def _obstacle(line: int, column: int, reason: str, fix: str, severity: Severity) -> Obstacle:
    return Obstacle(check="import", severity=severity, line=line, column=column, reason=reason, fix=fix)
