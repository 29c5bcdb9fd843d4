"""What the names of a Python source refer to, where that is the same in the whole file."""

import ast
import builtins
from collections import defaultdict

_BUILTINS = frozenset(dir(builtins))


class Names:
    """The names that a source binds, whatever their scope.

    A name that only imports of one path bind refers to that path, and one that nothing binds to a builtin. All others,
    such as an import that a parameter hides in some function, are unknown, so that the rules raise no false alarms.

    Attributes:
        stars: the modules of `from module import *`.
        attributes: names that the source gives to attributes of values.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.stars: list[str] = []
        self.attributes: set[str] = set()
        self._bindings: dict[str, list[str]] = defaultdict(list)  # the path that an import binds; "" for anything else
        self._constants: dict[str, ast.Constant] = {}
        for node in ast.walk(tree):
            self._bind(node)

    def _bind(self, node: ast.AST) -> None:
        match node:
            case ast.Import(names=imported):
                for alias in imported:
                    top = alias.name.partition(".")[0]
                    self._bindings[alias.asname or top].append(alias.name if alias.asname else top)
            case ast.ImportFrom(module=module, level=level, names=imported):
                module = "." * level + (module or "")
                for alias in imported:
                    if alias.name == "*":
                        self.stars.append(module)
                    else:
                        self._bindings[alias.asname or alias.name].append(f"{module}.{alias.name}")
            case (
                ast.Name(id=name, ctx=ast.Store() | ast.Del())
                | ast.arg(arg=name)
                | ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
                | ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.MatchMapping(rest=str(name))
            ):
                self._bindings[name].append("")
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.keyword(arg=str(name)):
                self.attributes.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value):
                self._constants[name] = value

    def is_bound(self, name: str) -> bool:
        """Whether the source binds a name anywhere."""
        return name in self._bindings

    def resolve(self, node: ast.AST | None) -> str:
        """Return the dotted path that a name or attribute refers to: `math.prod`, `builtins.len`; "" if unknown."""
        match node:
            case ast.Attribute(value=value, attr=attribute):
                owner = self.resolve(value)
                return f"{owner}.{attribute}" if owner else ""
            case ast.Name(id=name) if name in self._bindings:
                paths = set(self._bindings[name])
                return paths.pop() if len(paths) == 1 else ""
            case ast.Name(id=name) if name in _BUILTINS:
                return f"builtins.{name}"
        return ""

    def constant(self, name: str) -> ast.Constant | None:
        """Return the constant that is a name's only value: `LOCAL = False`; None if it has others."""
        return self._constants.get(name) if len(self._bindings.get(name, ())) == 1 else None
