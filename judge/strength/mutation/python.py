"""Mutants of Python sources: the syntax tree says where a mistake is possible, and only that place of the text changes.

Every operator imitates a mistake that people make in contests; `OPERATORS` lists them. Imports, annotations,
decorators, docstrings and format strings stay as they are: a mistake there fails at once, or changes nothing.
"""

import ast
import re
import warnings
from collections.abc import Iterator
from itertools import pairwise

from judge.strength.mutation.mutant import Mutant
from judge.strength.mutation.probe import SourceText, find_probe, parses

OPERATORS = {
    "comparison": "`<` for `<=`, `!=` for `==`, `not in` for `in`, and so on",
    "boundary": "`>=` for `== N`",
    "connective": "`or` for `and`, and the reverse",
    "missing-condition": "one of the conditions of `and` or `or` is left out",
    "negation": "a condition is reversed, or a `not` or a minus sign is missing",
    "missing-case": "the branch of an `if` is never taken",
    "arithmetic": "`-` for `+`, `/` for `//`, and so on",
    "operand-order": "`b - a` for `a - b`",
    "constant": "a number is one too large or too small; True for False",
    "missing-symbol": "a string or list of constants lacks its first or last element",
    "range": "a bound of `range` is one too large or too small",
    "index": "an index is one too large or too small",
    "slice": "a bound of a slice is one too large or too small",
    "missing-statement": "a statement is left out",
    "loop-exit": "`continue` for `break`, and the reverse",
    "early-exit": "a loop ends after its first round",
    "not-reset": "a variable keeps its value from the round before",
    "extreme": "`max` for `min`, `all` for `any`, and the reverse",
    "order": "sorted in reverse, not sorted, or without its key",
    "argument-order": "two arguments are exchanged",
}
"""The kinds of mistakes, with what each does."""

_COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
}
_ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "//"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
}
_NOT_COMMUTATIVE = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift)
_EXTREMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
_SYMMETRIC = {"print", "min", "max", "zip", "map", "filter", "isinstance", "getattr", "hasattr", "setattr", "range"}
_SETTINGS = {"setrecursionlimit", "set_int_max_str_digits", "stack_size"}
_CONTAINERS = {"set", "list", "dict", "Counter", "defaultdict", "deque"}
_SIMPLE = (ast.Name, ast.Attribute, ast.Constant, ast.Subscript)
_SYMBOLS = re.compile(r"[!-`{-~]{4,64}")  # not words for people
_MAY_BREAK = {"missing-symbol", "order", "argument-order", "early-exit", "not-reset", "missing-statement"}
_Edit = tuple[str, int, int, bytes]  # operator, start, end, replacement


def python_mutants(text: bytes) -> list[Mutant]:
    """Return all mutants of a Python source, in the order of their places; none twice, and each one parses.

    Raises:
        SyntaxError: the source does not parse.
        RecursionError: it is nested too deeply.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sorted(_Mutator(text).mutants(), key=lambda each: (each.start, each.end, each.replacement))


class _Mutator:
    def __init__(self, text: bytes) -> None:
        self.text = SourceText(text)
        self.tree = ast.parse(text)
        self.parents: list[ast.AST] = []
        self.counters: set[str] = set()  # names of loop variables that count
        self.results: set[bytes] = {text}

    def mutants(self) -> Iterator[Mutant]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.For | ast.comprehension):
                match node.iter, node.target:
                    case (ast.Call(func=ast.Name(id="range")), ast.Name(id=name)) | (
                        ast.Call(func=ast.Name(id="enumerate")),
                        ast.Tuple(elts=[ast.Name(id=name), *_]),
                    ):
                        self.counters.add(name)
        for mutant in self._visit(self.tree):
            mutated = mutant.apply(self.text.data)
            if mutated in self.results or (mutant.operator in _MAY_BREAK and not parses(mutated)):
                continue
            self.results.add(mutated)
            yield mutant

    def _visit(self, node: ast.AST) -> Iterator[Mutant]:
        for edit in self._edits(node):
            yield self._mutant(node, *edit)
        self.parents.append(node)
        for child in _children(node):
            yield from self._visit(child)
        self.parents.pop()

    def _mutant(self, node: ast.AST, operator: str, start: int, end: int, replacement: bytes) -> Mutant:
        chain = [*self.parents, node]
        probe = find_probe(chain, self.text) if isinstance(node, ast.expr) else None
        if isinstance(node, ast.If | ast.While) and operator in ("negation", "missing-case"):
            probe = find_probe([*chain, node.test], self.text)
        statement = next((each for each in reversed(chain) if isinstance(each, ast.stmt)), None)
        return Mutant(
            operator=operator,
            start=start,
            end=end,
            replacement=replacement,
            line=self.text.line_of(start),
            probe_start=probe[0] if probe else 0,
            probe_end=probe[1] if probe else 0,
            statement=self.text.statement_start(statement) if statement else -1,
        )

    def _edits(self, node: ast.AST) -> Iterator[_Edit]:
        match node:
            case ast.stmt():
                yield from self._statement(node)
            case ast.comprehension():
                for test in node.ifs:
                    yield from self._negate(test)
                    yield ("missing-condition", *self.text.span(test), b"True")
            case ast.expr():
                yield from self._expression(node)

    def _expression(self, node: ast.expr) -> Iterator[_Edit]:
        match node:
            case ast.Compare():
                yield from self._compare(node)
            case ast.BoolOp():
                yield from self._bool_op(node)
            case ast.BinOp():
                yield from self._bin_op(node)
            case ast.UnaryOp(op=ast.Not() | ast.USub()) if not isinstance(node.operand, ast.Constant):
                yield ("negation", *self.text.span(node), self.text.of(node.operand, parenthesized=True))
            case ast.Constant():
                yield from self._constant(node)
            case ast.List() | ast.Tuple() | ast.Set():
                yield from self._literal(node)
            case ast.Call():
                yield from self._call(node)
            case ast.Subscript():
                yield from self._subscript(node)
            case ast.IfExp():
                yield from self._negate(node.test)

    def _compare(self, node: ast.Compare) -> Iterator[_Edit]:
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            word, other = _COMPARISONS[type(op)]
            pattern = word if word[0].isalpha() else re.escape(word)
            place = self.text.find_between(left, right, pattern)
            if place is None:
                continue
            yield ("comparison", *place, other.encode())
            if isinstance(op, ast.Eq) and isinstance(right, ast.Constant) and type(right.value) is int:
                yield ("boundary", *place, b">=")

    def _bool_op(self, node: ast.BoolOp) -> Iterator[_Edit]:
        word, other = (b"and", b"or") if isinstance(node.op, ast.And) else (b"or", b"and")
        for left, right in pairwise(node.values):
            place = self.text.find_between(left, right, word.decode())
            if place is not None:
                yield ("connective", *place, other)
        start, end = self.text.span(node)
        for index in range(len(node.values)):
            rest = [self.text.of(each, parenthesized=True) for at, each in enumerate(node.values) if at != index]
            yield ("missing-condition", start, end, b"(" + (b" %s " % word).join(rest) + b")")

    def _bin_op(self, node: ast.BinOp) -> Iterator[_Edit]:
        if isinstance(node.left, ast.Constant) and isinstance(node.left.value, str | bytes):
            return  # formatting, or a repeated text
        word, other = _ARITHMETIC.get(type(node.op), ("", ""))
        place = self.text.find_between(node.left, node.right, re.escape(word)) if word else None
        if place is not None:
            yield ("arithmetic", *place, other.encode())
        if isinstance(node.op, _NOT_COMMUTATIVE):
            left, right = (self.text.of(each, parenthesized=True) for each in (node.left, node.right))
            yield ("operand-order", *self.text.span(node), b"(%s %s %s)" % (right, word.encode(), left))

    def _constant(self, node: ast.Constant) -> Iterator[_Edit]:
        span = self.text.span(node)
        value = node.value
        if isinstance(value, bool):
            yield ("constant", *span, str(not value).encode())
        elif isinstance(value, int | float):
            yield ("constant", *span, _number(value + 1))
            yield ("constant", *span, _number(value - 1))
        elif isinstance(value, str) and _SYMBOLS.fullmatch(value) and len(set(value)) >= len(value) - 1:
            yield ("missing-symbol", *span, repr(value[1:]).encode())
            yield ("missing-symbol", *span, repr(value[:-1]).encode())

    def _literal(self, node: ast.List | ast.Tuple | ast.Set) -> Iterator[_Edit]:
        """Leave out the first or the last element of a list of constants."""
        elements = node.elts
        if len(elements) >= 3 and all(isinstance(each, ast.Constant | ast.Tuple) for each in elements):
            first, second, last_but_one, last = (self.text.span(elements[at]) for at in (0, 1, -2, -1))
            yield ("missing-symbol", first[0], second[0], b"")
            yield ("missing-symbol", last_but_one[1], last[1], b"")

    def _call(self, node: ast.Call) -> Iterator[_Edit]:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _EXTREMES:
            yield ("extreme", *self.text.span(node.func), _EXTREMES[name].encode())
        if name == "range":
            yield from self._range(node)
        if name == "sorted" or (isinstance(node.func, ast.Attribute) and node.func.attr == "sort"):
            yield from self._sort(node, name)
        args = node.args
        if len(args) >= 2 and name not in _SYMMETRIC:
            for first, second in pairwise(args):
                if isinstance(first, _SIMPLE) and isinstance(second, _SIMPLE):
                    start, end = self.text.span(first)[0], self.text.span(second)[1]
                    between = self.text.data[self.text.span(first)[1] : self.text.span(second)[0]]
                    yield ("argument-order", start, end, self.text.of(second) + between + self.text.of(first))

    def _range(self, node: ast.Call) -> Iterator[_Edit]:
        for bound in node.args[:2]:
            if not isinstance(bound, ast.Constant | ast.Starred):
                yield from self._off_by_one("range", bound)
        if len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
            yield ("range", *self.text.span(node.args[0]), b"1, " + self.text.of(node.args[0]))

    def _sort(self, node: ast.Call, name: str) -> Iterator[_Edit]:
        start, end = self.text.span(node)
        named = {each.arg: each for each in node.keywords}
        if name and node.args:
            yield ("order", start, end, b"list(%s)" % self.text.of(node.args[0]))
        if "reverse" not in named and self.text.data[end - 1 : end] == b")":
            comma = b", " if node.args or node.keywords else b""
            yield ("order", end - 1, end, comma + b"reverse=True)")
        if key := named.get("key"):
            key_start, key_end = self.text.span(key)
            comma_at = self.text.data.rfind(b",", start, key_start)
            yield ("order", comma_at if comma_at > 0 and node.args else key_start, key_end, b"")

    def _subscript(self, node: ast.Subscript) -> Iterator[_Edit]:
        index = node.slice
        if isinstance(index, ast.Slice):
            for bound in (index.lower, index.upper):
                if bound is not None and not isinstance(bound, ast.Constant):
                    yield from self._off_by_one("slice", bound)
            if index.step is None:
                colon = self.text.find_colon(node, index)
                if colon is not None and index.lower is None:
                    yield ("slice", colon, colon, b"1")
                if colon is not None and index.upper is None:
                    yield ("slice", colon + 1, colon + 1, b"-1")
        elif isinstance(index, ast.Name | ast.BinOp):
            names = {each.id for each in ast.walk(index) if isinstance(each, ast.Name)}
            if names & self.counters:
                yield from self._off_by_one("index", index)

    def _off_by_one(self, operator: str, node: ast.expr) -> Iterator[_Edit]:
        span, text = self.text.span(node), self.text.of(node, parenthesized=not isinstance(node, ast.Name))
        yield (operator, *span, text + b" + 1")
        yield (operator, *span, text + b" - 1")

    def _negate(self, test: ast.expr) -> Iterator[_Edit]:
        if not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):  # that has a mutant of its own
            yield ("negation", *self.text.span(test), b"not (%s)" % self.text.of(test))

    def _early_exit(self, node: ast.For | ast.While) -> Iterator[_Edit]:
        """Put a `break` behind the last statement of a loop, if that is on its own line."""
        last = node.body[-1]
        is_exit = isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue)
        if not (is_exit or hasattr(last, "body") or hasattr(last, "cases")):
            _, end = self.text.span(last)
            yield ("early-exit", end, end, b"; break")

    def _statement(self, node: ast.stmt) -> Iterator[_Edit]:
        span = self.text.span(node)
        match node:
            case ast.If() | ast.While():
                yield from self._branch(node)
            case ast.For():
                yield from self._early_exit(node)
            case ast.Break():
                yield ("loop-exit", *span, b"continue")
                yield ("missing-statement", *span, b"pass")
            case ast.Continue():
                yield ("loop-exit", *span, b"break")
                yield ("missing-statement", *span, b"pass")
            case ast.AugAssign():
                yield ("missing-statement", *span, b"pass")
                yield from self._augmented(node)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=attr))) if attr in _SETTINGS:
                return
            case ast.Return() | ast.Delete() | ast.Expr(value=ast.Call() | ast.Await()):
                yield ("missing-statement", *span, b"pass")
            case ast.Assign():
                yield from self._assignment(node)

    def _branch(self, node: ast.If | ast.While) -> Iterator[_Edit]:
        if _is_main_guard(node.test):
            return
        yield from self._negate(node.test)
        if isinstance(node, ast.If):
            yield ("missing-case", *self.text.span(node.test), b"False")
        else:
            yield from self._early_exit(node)

    def _augmented(self, node: ast.AugAssign) -> Iterator[_Edit]:
        word, other = _ARITHMETIC.get(type(node.op), ("", ""))
        place = self.text.find_between(node.target, node.value, re.escape(word + "=")) if word else None
        if place is not None:
            yield ("arithmetic", *place, other.encode() + b"=")

    def _assignment(self, node: ast.Assign) -> Iterator[_Edit]:
        """Leave out an assignment, unless its name would be unknown then; or do not repeat it in a loop."""
        span = self.text.span(node)
        target = node.targets[0]
        scope = next((each for each in reversed(self.parents) if isinstance(each, ast.FunctionDef | ast.Module)), None)
        in_loop = any(isinstance(each, ast.For | ast.While) for each in self.parents)
        is_known = isinstance(target, ast.Name) and scope is not None and _is_bound_before(target.id, scope, node)
        if is_known or not isinstance(target, ast.Name):
            yield ("missing-statement", *span, b"pass")
        if in_loop and isinstance(target, ast.Name) and len(node.targets) == 1 and _is_initial(node.value):
            name, value = target.id.encode(), self.text.of(node.value)
            yield ("not-reset", *span, b"%s = %s if '%s' in locals() else %s" % (name, name, name, value))


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a node in which a mistake is looked for."""
    match node:
        case ast.Import() | ast.ImportFrom() | ast.JoinedStr():
            return
        case ast.Expr(value=ast.Constant()):  # a docstring
            return
        case ast.Call(func=ast.Attribute(attr=attr)) if attr in _SETTINGS:
            return
        case ast.If(test=test) if _is_main_guard(test):
            yield from node.body
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from (each for each in (*node.args.defaults, *node.args.kw_defaults) if each is not None)
            yield from node.body
        case ast.ClassDef():
            yield from node.body
        case ast.AnnAssign():
            yield from [node.value] if node.value else []
        case _:
            yield from ast.iter_child_nodes(node)


def _number(value: float) -> bytes:
    return str(value).encode() if value >= 0 else f"({value})".encode()


def _is_main_guard(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def _is_initial(value: ast.expr) -> bool:
    """Return whether a value is one that a variable starts with."""
    match value:
        case ast.Constant() | ast.List() | ast.Dict() | ast.Set():
            return True
        case ast.BinOp(left=ast.List(), op=ast.Mult()):
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in _CONTAINERS
    return False


def _is_bound_before(name: str, scope: ast.AST, statement: ast.stmt) -> bool:
    for node in ast.walk(scope):
        if isinstance(node, ast.arg) and node.arg == name:
            return True
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name:
            return (node.lineno, node.col_offset) < (statement.lineno, statement.col_offset)
    return False
