"""What the names of a Python source refer to: an import, a builtin, or a definition of the source.

A rule about `math.prod` must not report a variable that is called `math`. So this module looks up every name in the
enclosing scopes, as Python does: https://docs.python.org/3/reference/executionmodel.html#resolution-of-names
"""

import ast
import builtins
from collections.abc import Iterable, Iterator
from enum import Enum

from msgspec import Struct, field

_BUILTINS = frozenset(dir(builtins))
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class BindingKind(Enum):
    """How a name is bound."""

    IMPORT = "import"  # of `path`
    VALUE = "value"  # an assignment of `value`
    ELEMENT = "element"  # a loop over `value`
    PARAMETER = "parameter"  # with an optional `annotation`
    CLASS = "class"
    AUGMENTED = "augmented"  # `x += ...` keeps the type
    OTHER = "other"


class Binding(Struct, frozen=True, kw_only=True):
    """One place that binds a name."""

    kind: BindingKind
    path: str = ""
    value: ast.expr | None = None
    annotation: ast.expr | None = None


class Scope(Struct):
    """A module, class, function or comprehension."""

    parent: "Scope | None" = None
    is_class: bool = False
    is_comprehension: bool = False
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    redirects: dict[str, "Scope | None"] = field(default_factory=dict)  # by `global` and `nonlocal`

    def bind(self, name: str, binding: Binding) -> None:
        """Add a binding, to the scope that a `global` or `nonlocal` statement selects."""
        target = self.redirects.get(name) or self
        target.bindings.setdefault(name, []).append(binding)


class SymbolTable(ast.NodeVisitor):
    """The names of one source.

    Attributes:
        attributes: names that the source may give to attributes: methods, fields, keywords, words of strings.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._scope = self._module = Scope()
        self._scope_at: dict[ast.AST, Scope] = {}
        self._star_imports: list[str] = []
        self.attributes: set[str] = set()
        self.visit(tree)

    def bindings(self, name: ast.Name) -> list[Binding] | None:
        """Return what binds a name; None if no scope does, so that it is a builtin."""
        scope: Scope | None = self._scope_at.get(name, self._module)
        innermost = scope
        while scope is not None:
            target = scope.redirects.get(name.id)
            if target is not None:
                return target.bindings.get(name.id)
            if name.id in scope.bindings and (scope is innermost or not scope.is_class):
                return scope.bindings[name.id]
            scope = scope.parent
        return None

    def resolve(self, node: ast.AST) -> str:
        """Return the dotted path that a name or attribute refers to: `math.prod`, `builtins.len`; "" if unknown."""
        if isinstance(node, ast.Attribute):
            owner = self.resolve(node.value)
            return f"{owner}.{node.attr}" if owner else ""
        if not isinstance(node, ast.Name):
            return ""
        found = self.bindings(node)
        if found is None:
            if node.id in _BUILTINS:
                return f"builtins.{node.id}"
            return f"{self._star_imports[0]}.{node.id}" if len(self._star_imports) == 1 else ""
        if any(each.kind is not BindingKind.IMPORT for each in found):  # first: a name may be bound thousands of times
            return ""
        paths = {each.path for each in found}
        return paths.pop() if len(paths) == 1 else ""

    def resolve_star(self, node: ast.Name) -> Iterator[str]:
        """Yield the paths that an unbound name may refer to, one for each `import *`, the last one first."""
        if self.bindings(node) is None:
            yield from (f"{module}.{node.id}" for module in reversed(self._star_imports))

    def is_in_function(self, node: ast.AST) -> bool:
        """Whether a node's scope is a function."""
        scope = self._scope_at.get(node, self._module)
        return scope is not self._module and not scope.is_class

    # ---- the visitor ---------------------------------------------------------------------------------------------

    def visit(self, node: ast.AST) -> None:
        """Record a node's scope, and visit it."""
        self._scope_at[node] = self._scope
        super().visit(node)

    def _visit_in_scope(
        self, nodes: Iterable[ast.AST], *, is_class: bool = False, is_comprehension: bool = False
    ) -> None:
        outer = self._scope
        self._scope = Scope(parent=outer, is_class=is_class, is_comprehension=is_comprehension)
        for node in nodes:
            self.visit(node)
        self._scope = outer

    def _bind(self, target: ast.AST, binding: Binding) -> None:
        if isinstance(target, ast.Name):
            self._scope.bind(target.id, binding)
            if self._scope.is_class:
                self.attributes.add(target.id)
        elif isinstance(target, ast.Attribute):
            self.attributes.add(target.attr)
        elif isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                self._bind(part, Binding(kind=BindingKind.OTHER))
        elif isinstance(target, ast.Starred):
            self._bind(target.value, Binding(kind=BindingKind.OTHER))

    def visit_Import(self, node: ast.Import) -> None:
        """`import a.b` binds `a`; `import a.b as c` binds `c` to `a.b`."""
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            self._scope.bind(name, Binding(kind=BindingKind.IMPORT, path=alias.name if alias.asname else name))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Bind each imported name to its path."""
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self._star_imports.append(module)
            else:
                binding = Binding(kind=BindingKind.IMPORT, path=f"{module}.{alias.name}")
                self._scope.bind(alias.asname or alias.name, binding)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Bind the name in this scope and the parameters in a new one."""
        if self._scope.is_class:
            self.attributes.add(node.name)
        self._scope.bind(node.name, Binding(kind=BindingKind.OTHER))
        for part in (*node.decorator_list, *_outer_expressions(node.args), *([node.returns] if node.returns else [])):
            self.visit(part)
        self._visit_in_scope((node.args, *node.body))

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Bind the parameters in a new scope."""
        for part in _outer_expressions(node.args):
            self.visit(part)
        self._visit_in_scope((node.args, node.body))

    def visit_arguments(self, node: ast.arguments) -> None:
        """Bind the parameters; their defaults and annotations belong to the enclosing scope."""
        for each in (*node.posonlyargs, *node.args, *node.kwonlyargs):
            self._scope.bind(each.arg, Binding(kind=BindingKind.PARAMETER, annotation=each.annotation))
        for rest in (node.vararg, node.kwarg):
            if rest:
                self._scope.bind(rest.arg, Binding(kind=BindingKind.OTHER))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Bind the name in this scope; the body is a new one."""
        self._scope.bind(node.name, Binding(kind=BindingKind.CLASS))
        for part in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(part)
        self._visit_in_scope(node.body, is_class=True)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Bind all targets to the value."""
        self.visit(node.value)
        for target in node.targets:
            self._bind(target, Binding(kind=BindingKind.VALUE, value=node.value))
            self.visit(target)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Bind the target to its annotation."""
        self._bind(node.target, Binding(kind=BindingKind.PARAMETER, annotation=node.annotation, value=node.value))
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Bind the target without changing its type."""
        self._bind(node.target, Binding(kind=BindingKind.AUGMENTED))
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        """Bind in the nearest scope that is not a comprehension (PEP 572)."""
        scope = self._scope
        while scope.is_comprehension and scope.parent is not None:
            scope = scope.parent
        scope.bind(node.target.id, Binding(kind=BindingKind.VALUE, value=node.value))
        self.visit(node.value)

    def visit_For(self, node: ast.For | ast.AsyncFor | ast.comprehension) -> None:
        """Bind the target to the elements."""
        self.visit(node.iter)
        self._bind(node.target, Binding(kind=BindingKind.ELEMENT, value=node.iter))
        for part in ast.iter_child_nodes(node):
            if part is not node.iter:
                self.visit(part)

    visit_AsyncFor = visit_For  # noqa: N815
    visit_comprehension = visit_For

    def visit_withitem(self, node: ast.withitem) -> None:
        """Bind the target to the context manager."""
        if node.optional_vars:
            self._bind(node.optional_vars, Binding(kind=BindingKind.VALUE, value=node.context_expr))
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        """Redirect bindings to the module."""
        self._scope.redirects.update(dict.fromkeys(node.names, self._module))

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        """Redirect bindings to the enclosing function that binds the name."""
        for name in node.names:
            scope = self._scope.parent
            while scope is not None and name not in scope.bindings:
                scope = scope.parent
            self._scope.redirects[name] = scope

    def visit_keyword(self, node: ast.keyword) -> None:
        """Count a keyword as an attribute: `SimpleNamespace(size=3)`."""
        if node.arg:
            self.attributes.add(node.arg)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Count the words of a string as attributes: `setattr`, `namedtuple`."""
        if isinstance(node.value, str):
            self.attributes.update(word for word in node.value.replace(",", " ").split() if word.isidentifier())

    def generic_visit(self, node: ast.AST) -> None:
        """Visit the children; comprehensions are scopes, and handlers and patterns bind names."""
        if isinstance(node, _COMPREHENSIONS):
            parts = sorted(ast.iter_child_nodes(node), key=lambda part: not isinstance(part, ast.comprehension))
            self._visit_in_scope(parts, is_comprehension=True)
            return
        captured = getattr(node, "rest" if isinstance(node, ast.MatchMapping) else "name", None)
        if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar | ast.MatchMapping) and captured:
            self._scope.bind(captured, Binding(kind=BindingKind.OTHER))
        super().generic_visit(node)


def _outer_expressions(node: ast.arguments) -> list[ast.expr]:
    """Return the parts of a function's signature that belong to the enclosing scope: defaults and annotations."""
    every = (*node.posonlyargs, *node.args, *node.kwonlyargs, *filter(None, (node.vararg, node.kwarg)))
    annotations = [each.annotation for each in every if each.annotation]
    return [*node.defaults, *filter(None, node.kw_defaults), *annotations]
