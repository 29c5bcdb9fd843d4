"""Python sources by their syntax trees, and probes of their mutants.

A probe is a source that behaves as before, and reports on standard error whether a mutant would have mattered.
A probe evaluates the mutated expression beside the original one, once more and without using its value. A mutant of a
statement only has a mark in front of that statement. What a probe reports is a hint for people: a program can forge it.
"""

import ast
import re
from itertools import accumulate

from judge.strength.mutation.mutant import Mutant

REACHED, INFECTED = b"<judge: reached>", b"<judge: infected>"
"""What a probe writes: the changed place was executed; the changed expression had another value."""

PROBES_VERSION = 1
"""Changes whenever the probe of a mutant says something else: results that were stored before are then dropped."""

# The values after the first 100,000 evaluations of a run are not compared.
_PROLOGUE = f"""\
class _JudgeProbe:
    left, busy = 100_000, False
    def reach(self):
        if self.left == 100_000:
            __import__("os").write(2, {REACHED!r})
            self.left -= 1
    def compare(self, value, change):
        if self.busy or self.left <= 0:
            return value
        self.reach()
        self.left -= 1
        self.busy = True
        try:
            other = change()
            is_same = hasattr(value, "__next__") or (type(other) is type(value) and bool(other == value))
        except BaseException:
            is_same = False
        self.busy = False
        if not is_same:
            self.left = 0
            __import__("os").write(2, {INFECTED!r})
        return value
_judge_probe = _JudgeProbe()
"""
_PURE = {
    "abs", "all", "any", "bool", "chr", "divmod", "float", "int", "len", "list", "max", "min", "ord", "pow", "range",
    "round", "set", "sorted", "str", "sum", "tuple", "frozenset", "dict", "Counter",
}  # fmt: skip
_IMPURE_METHODS = {
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft", "read",
    "readline", "readlines", "remove", "reverse", "setdefault", "sort", "update", "write", "send", "close",
    "heappop", "heappush", "heapify", "shuffle", "random", "randrange", "randint", "choice", "flush", "writelines",
}  # fmt: skip
_IMPURE = {"next", "input", "print", "open", "iter", "map", "filter", "zip", "enumerate", "reversed", "exit", "locals"}
_TRANSPARENT = (ast.BoolOp, ast.Compare, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Slice, ast.IfExp, ast.Tuple)
_ONCE = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await, ast.GeneratorExp, ast.Lambda)


class SourceText:
    """The bytes of a source in UTF-8, in which `ast` counts columns, and where the nodes of its syntax tree are."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._starts = [0, *accumulate(len(line) for line in data.splitlines(keepends=True))]

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        """Return where a node starts and ends, without parentheses around it."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._starts[node.lineno - 1] + node.col_offset
        return start, self._starts[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.expr, *, parenthesized: bool = False) -> bytes:
        """Return the text of an expression."""
        start, end = self.span(node)
        text = self.data[start:end]
        needs_parentheses = parenthesized and not isinstance(node, ast.Name | ast.Constant | ast.Call | ast.Subscript)
        return b"(%s)" % text if needs_parentheses or (b"\n" in text and parenthesized) else text

    def line_of(self, offset: int) -> int:
        """Return the 1-based line of an offset."""
        return self.data.count(b"\n", 0, offset) + 1

    def statement_start(self, node: ast.stmt) -> int:
        """Return where a statement begins; -1 if another one may be before it on the line."""
        start, _ = self.span(node)
        first = self.data.rfind(b"\n", 0, start) + 1
        return start if not self.data[first:start].strip() else -1

    def find_between(self, left: ast.expr, right: ast.expr, pattern: str) -> tuple[int, int] | None:
        """Return where an operator is between its operands; None if a comment is in between."""
        start, end = self.span(left)[1], self.span(right)[0]
        if b"#" in self.data[start:end]:
            return None
        found = re.compile(pattern.encode()).search(self.data, start, end)
        return found.span() if found else None

    def find_colon(self, node: ast.Subscript, index: ast.Slice) -> int | None:
        """Return where the first colon of a slice is."""
        start = self.span(node.value)[1] if index.lower is None else self.span(index.lower)[1]
        at = self.data.find(b":", start, self.span(node)[1])
        return at if at >= 0 else None


def find_probe(chain: list[ast.AST], text: SourceText) -> tuple[int, int] | None:
    """Return the span of the largest expression around a change that can be evaluated twice; None if none can.

    `chain`: the nodes from the module down to the changed expression.
    """
    best: ast.expr | None = None
    for node, parent in zip(reversed(chain), [*reversed(chain[:-1]), None], strict=True):
        if not isinstance(node, ast.expr) or not _is_repeatable(node):
            break
        if not isinstance(node, ast.Slice | ast.Starred):
            best = node
        is_pure = isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id in _PURE
        if not isinstance(parent, _TRANSPARENT) and not is_pure:
            break
        if isinstance(getattr(parent, "ctx", None), ast.Store | ast.Del):
            break
        if isinstance(parent, ast.Call) and node is parent.func:
            best = None
    return text.span(best) if best is not None else None


def _is_repeatable(node: ast.expr) -> bool:
    """Return whether an expression may be evaluated twice, as far as its text shows."""
    for each in ast.walk(node):
        if isinstance(each, _ONCE) or isinstance(getattr(each, "ctx", None), ast.Store | ast.Del):
            return False
        if isinstance(each, ast.Call):
            match each.func:
                case ast.Attribute(attr=name) if name in _IMPURE_METHODS:
                    return False
                case ast.Name(id=name) if name in _IMPURE:
                    return False
    return True


def python_probe(text: bytes, mutant: Mutant) -> bytes | None:
    """Return the probe of a mutant of a Python source; None if there is none."""
    tree = ast.parse(text)
    at = _prologue_place(tree, text)
    if mutant.has_probe:
        original = text[mutant.probe_start : mutant.probe_end]
        changed = text[mutant.probe_start : mutant.start] + mutant.replacement + text[mutant.end : mutant.probe_end]
        call = b"_judge_probe.compare((%s), lambda: (%s))" % (original, changed)
        body = text[: mutant.probe_start] + call + text[mutant.probe_end :]
    elif mutant.statement >= 0:
        line = text.rfind(b"\n", 0, mutant.statement) + 1
        indent = text[line : mutant.statement]
        body = text[: mutant.statement] + b"_judge_probe.reach()\n" + indent + text[mutant.statement :]
    else:
        return None
    if min(mutant.probe_start if mutant.has_probe else mutant.statement, mutant.start) < at:
        return None
    probe = body[:at] + _PROLOGUE.encode() + body[at:]
    return probe if parses(probe) else None


def parses(text: bytes) -> bool:
    """Return whether a text is a Python source."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _prologue_place(tree: ast.Module, text: bytes) -> int:
    """Return where a program may define something: behind its docstring and its imports from `__future__`."""
    for node in tree.body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not (is_docstring or is_future):
            line = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
            return sum(map(len, text.splitlines(keepends=True)[: line - 1]))
    return 0
