"""Code that expects an old interpreter: what stands there asks for nothing.

`try: from math import prod` with a handler for ImportError runs everywhere, and so does what stands under
`if sys.version_info >= (3, 8)` or `if hasattr(math, "prod")`, on both sides.
"""

import ast

from judge.readiness.names import Names

_CATCHING = frozenset(
    f"builtins.{name}"
    for name in ("ImportError", "ModuleNotFoundError", "AttributeError", "NameError", "TypeError", "Exception")
)
_ASKING = ("sys.version_info", "sys.hexversion", "sys.version", "sys.implementation.version")


class Guards:
    """The guarded lines of one source."""

    def __init__(self, tree: ast.Module, names: Names) -> None:
        self._names = names
        self._lines: set[int] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Try) and any(self._catches(handler) for handler in node.handlers):
                self._guard(node.body[0], node.body[-1])
                for handler in node.handlers:
                    self._guard(handler, handler)
            elif isinstance(node, ast.If | ast.IfExp) and self._asks(node.test):
                self._guard(node, node)

    def has(self, line: int) -> bool:
        """Whether a 1-based line is guarded."""
        return line in self._lines

    def _guard(self, first: ast.AST, last: ast.AST) -> None:
        self._lines.update(range(getattr(first, "lineno", 1), (getattr(last, "end_lineno", None) or 0) + 1))

    def _catches(self, handler: ast.ExceptHandler) -> bool:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        return any(kind is None or self._names.origin(kind) in _CATCHING for kind in kinds)

    def _asks(self, test: ast.expr) -> bool:
        for node in ast.walk(test):
            origin = self._names.origin(node)
            if origin == "builtins.hasattr" or origin.startswith(_ASKING):
                return True
        return False
