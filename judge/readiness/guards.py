"""Code that expects an old interpreter: what stands there asks for nothing.

`try: from math import prod` with a handler for ImportError runs everywhere, and so does what stands under
`if sys.version_info >= (3, 8)` or `if hasattr(math, "prod")`, on both sides. A handler for everything says less: around
more than an import it more likely waits for the end of the input, and hides what fails.
"""

import ast

from judge.readiness.names import Names

_CATCHING = frozenset(
    f"builtins.{name}" for name in ("ImportError", "ModuleNotFoundError", "AttributeError", "NameError", "TypeError")
)
_CATCHING_ALL = frozenset({"builtins.Exception", "builtins.BaseException"})
_ASKING = ("sys.version", "sys.hexversion", "sys.implementation.version", "typing.TYPE_CHECKING")


class Guards:
    """The guarded lines of one source."""

    def __init__(self, tree: ast.Module, names: Names) -> None:
        self._names = names
        self._lines: set[int] = set()
        self._doubtful: set[int] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Try):
                self._try(node)
            elif isinstance(node, ast.If | ast.IfExp) and self._asks(node.test):
                self._lines |= _lines(node, node)

    def has(self, line: int) -> bool:
        """Whether a 1-based line is guarded."""
        return line in self._lines

    def may_have(self, line: int) -> bool:
        """Whether a 1-based line stands where whatever fails is caught: perhaps a guard, perhaps not."""
        return line in self._doubtful

    def _try(self, node: ast.Try) -> None:
        caught = {kind for handler in node.handlers for kind in self._caught(handler)}
        if caught & _CATCHING or (caught & _CATCHING_ALL and all(_is_a_try_out(each) for each in node.body)):
            self._lines |= _lines(node.body[0], node.body[-1])
            for handler in node.handlers:
                self._lines |= _lines(handler, handler)
        elif caught & _CATCHING_ALL:
            self._doubtful |= _lines(node.body[0], node.body[-1])

    def _caught(self, handler: ast.ExceptHandler) -> set[str]:
        if handler.type is None:
            return {"builtins.BaseException"}
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        return {self._names.origin(kind) for kind in kinds}

    def _asks(self, test: ast.expr) -> bool:
        for node in ast.walk(test):
            origin = self._names.origin(node)
            if origin == "builtins.hasattr" or origin.startswith(_ASKING):
                return True
        return False


def _lines(first: ast.AST, last: ast.AST) -> set[int]:
    return set(range(getattr(first, "lineno", 1), (getattr(last, "end_lineno", None) or 0) + 1))


def _is_a_try_out(node: ast.stmt) -> bool:
    """Whether a statement only imports, or gives something another name: `prod = math.prod`."""
    is_name = isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Attribute)
    return is_name or isinstance(node, ast.Import | ast.ImportFrom)
