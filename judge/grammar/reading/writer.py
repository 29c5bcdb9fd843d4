"""What the writers of reading code have in common: names and expressions, the walk of a grammar, typed languages."""

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import count

from judge.grammar.expressions import COMPARISONS, Expression
from judge.grammar.forms import (
    END_OF_FILE,
    Body,
    Either,
    Graph,
    Integer,
    Item,
    Kind,
    Line,
    Listed,
    Member,
    Permutation,
    Real,
    Relation,
    Repeat,
    Text,
    Word,
    first_text,
    is_open,
    own_fields,
)
from judge.grammar.patterns import parse_pattern

_INT = 2**31 - 1


def plain(kind: object) -> object:
    """Return what the values are: of a value of another list, what those are."""
    return kind.item if isinstance(kind, Member) else kind


def is_text(kind: object) -> bool:
    """Return whether the values are words, or numbers that are kept as words."""
    return isinstance(plain(kind), Word)


def is_large(kind: object) -> bool:
    """Return whether integers may not fit into 32 bits."""
    match plain(kind):
        case Integer(ranges=ranges):
            ends = [end.constant for each in ranges for end in (each.low, each.high)]
            return any(end is not None and not -_INT <= end <= _INT for end in ends)
        case Listed(item=item):
            return is_large(item)
        case _:
            return False


def type_of(kind: object, *, word: str, large: str) -> str:
    """Return the type of a value, with the names of types that languages do not have in common."""
    match plain(kind):
        case Word():
            return word
        case Real():
            return "double"
        case value:
            return large if is_large(value) else "int"


class Writer(ABC):
    """Writes one program.

    Attributes:
        lines: of the program so far.
        depth: of the indentation.
        used: what the program needs at its top.
        names: of its own variables.
    """

    def __init__(self, depth: int = 0) -> None:
        self.lines: list[str] = []
        self.depth = depth
        self.used: set[str] = set()
        self.names: set[str] = set()

    def emit(self, text: str) -> None:
        """Add a line."""
        self.lines.append("    " * self.depth + text if text else "")

    def fresh(self, name: str) -> str:
        """Return a name that no variable of the program has yet."""
        found = next(
            each for number in count(1) if (each := name if number == 1 else f"{name}{number}") not in self.names
        )
        self.names.add(found)
        return found

    def body(self, body: Body) -> None:
        """Read what a body describes."""
        for item in body.items:
            self.item(item)

    def item(self, item: Item) -> None:
        """Read one item."""
        match item:
            case Line():
                self.line(item)
            case Text():
                self.skip_line()
            case Relation():
                return
            case Repeat(is_condition=True):
                self.condition(item)
            case Repeat():
                self.repeat(item)
            case Graph():
                self.graph(item)
            case Either(options):
                self.either(options)

    @abstractmethod
    def line(self, line: Line) -> None:
        """Read the fields of a line."""

    @abstractmethod
    def skip_line(self) -> None:
        """Read a line that is always the same."""

    @abstractmethod
    def condition(self, block: Repeat) -> None:
        """Read what is there only if something holds."""

    @abstractmethod
    def repeat(self, block: Repeat) -> None:
        """Read a block."""

    @abstractmethod
    def graph(self, graph: Graph) -> None:
        """Read edges."""

    @abstractmethod
    def either(self, options: Sequence[Line]) -> None:
        """Read one of some lines."""

    @abstractmethod
    def finish(self) -> str:
        """Return the program."""


# Keywords of the three languages, and names that the programs use themselves.
_RESERVED = """
abstract and asm assert auto bool boolean break byte case catch char class const continue data default delete
do double each edge edges else enum explicit export extends extern false final finally float for friend goto
at i ii iii iiii if implements import in inline input instanceof int interface is kind lambda lines long
main map native new
next not null one operator or other out package pass place print private protected public register rest return
row scanner short signed sizeof static std string struct super switch synchronized sys template this throw
throws token tokens transient true try typedef typename union unsigned using var vector virtual void volatile
weight while yield
"""
_KEYWORDS = frozenset(_RESERVED.split())
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "/", ast.Mod: "%"}


def identifier(name: str) -> str:
    """Return the name of a variable for a field."""
    return f"{name}_" if name in _KEYWORDS else name


def python_text(source: str) -> str:
    """Return an expression, given as `Expression.source`, as Python."""
    return ast.unparse(ast.fix_missing_locations(_Python().visit(ast.parse(source, mode="eval"))))


class _Python(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(identifier(node.id), ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.AST:
        assert isinstance(node.func, ast.Name)
        arguments = [self.visit(each) for each in node.args]
        match node.func.id:
            case "_item":
                return ast.Subscript(arguments[0], _one_less(arguments[1]), ast.Load())
            case "_power":
                return ast.BinOp(arguments[0], ast.Pow(), arguments[1])
            case name:
                return ast.Call(ast.Name({"length": "len"}.get(name, name), ast.Load()), arguments, [])


def _one_less(index: ast.expr) -> ast.expr:
    if isinstance(index, ast.Constant) and isinstance(index.value, int):
        return ast.Constant(index.value - 1)
    return ast.BinOp(index, ast.Sub(), ast.Constant(1))


def typed_text(source: str, call: Callable[[str, list[str]], str]) -> str:
    """Return an expression, given as `Expression.source`, as C++ or Java.

    Args:
        source: of the expression.
        call: returns a call of a function of the grammar (`min`, `sum`, `_item`, ...) with some arguments.
    """
    return _typed(ast.parse(source, mode="eval").body, call)


def _typed(node: ast.expr, call: Callable[[str, list[str]], str]) -> str:  # noqa: C901, PLR0911 - one for each kind
    def inner(part: ast.expr) -> str:
        text = _typed(part, call)
        return text if isinstance(part, ast.Name | ast.Constant | ast.Call) else f"({text})"

    def number(part: ast.expr) -> str:
        is_condition = isinstance(part, ast.Compare) or (isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not))
        return f"({inner(part)} ? 1 : 0)" if is_condition else inner(part)

    match node:
        case ast.Constant(value=value):
            return f"{value}L" if isinstance(value, int) and abs(value) >= 1 << 31 else str(value)
        case ast.Name(id=name):
            return identifier(name)
        case ast.UnaryOp(op=op, operand=operand):
            return f"{'-' if isinstance(op, ast.USub) else '!'}{inner(operand)}"
        case ast.BinOp(left=left, op=op, right=right):
            return f"{number(left)} {_OPERATORS[type(op)]} {number(right)}"
        case ast.BoolOp(op=op, values=values):
            return (" && " if isinstance(op, ast.And) else " || ").join(map(inner, values))
        case ast.Compare(left=left, ops=ops, comparators=others):
            ends = [left, *others]
            parts = [
                f"{inner(one)} {COMPARISONS[type(op)]} {inner(other)}"
                for one, op, other in zip(ends, ops, others, strict=False)
            ]
            return " && ".join(parts)
        case ast.IfExp(test=test, body=ast.Constant(value=1), orelse=ast.Constant(value=0)):
            return _typed(test, call)
        case ast.IfExp(test=test):
            return f"!{inner(test)}"
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return call(name, [_typed(each, call) for each in arguments])
    raise AssertionError(ast.dump(node))


_ANY = parse_pattern(".")


class Typed(Writer):
    """Writes one program."""

    @abstractmethod
    def call(self, name: str, arguments: list[str]) -> str:
        """Return a call of a function of the grammar."""

    @abstractmethod
    def read_scalar(self, name: str, kind: Kind) -> None:
        """Read one value."""

    @abstractmethod
    def read_list(self, name: str, item: object, count: str) -> None:
        """Read values in a row; `item` is None for plain integers."""

    @abstractmethod
    def read_open(self, fields: Sequence[tuple[str, Kind]]) -> None:
        """Read a line whose last field ends with it."""

    @abstractmethod
    def until(self, block: Repeat) -> str:
        """Return the condition under which another repetition follows."""

    def end_until(self) -> None:
        """Skip the line that ends a block."""

    @abstractmethod
    def begin_column(self, name: str, kind: object) -> None:
        """Declare a list of the values of a field in all repetitions."""

    @abstractmethod
    def add_to_column(self, name: str) -> None:
        """Add a value."""

    @abstractmethod
    def end_column(self, name: str, kind: object) -> None:
        """Give the list the name of the field."""

    @abstractmethod
    def equals(self, name: str, text: str) -> str:
        """Return whether a word is the same as a text."""

    def text(self, expression: Expression) -> str:
        """Return an expression in the language."""
        return typed_text(expression.source, self.call)

    def line(self, line: Line) -> None:
        fields = line.fields
        if is_open(fields[-1][1]):
            self.read_open(fields)
            return
        for name, kind in fields:
            self.read(identifier(name), kind)

    def read(self, name: str, kind: Kind) -> None:
        """Read a field."""
        match kind:
            case Listed(item=item, count=count):
                self.read_list(name, item, self.text(count.low))
            case Permutation(count=count):
                self.read_list(name, None, self.text(count))
            case _:
                self.read_scalar(name, kind)

    def condition(self, block: Repeat) -> None:
        self.emit(f"if ({self.text(block.count.low)}) {{")
        self.depth += 1
        self.body(block.body)
        self.depth -= 1
        self.emit("}")

    def repeat(self, block: Repeat) -> None:
        fields = own_fields(block.body)
        for name in block.columns:
            self.begin_column(name, fields[name])
        self.emit(self._head(block))
        self.depth += 1
        self.body(block.body)
        for name in block.columns:
            self.add_to_column(name)
        if block.is_tests or block.until == END_OF_FILE:
            self.emit("// solve")
        self.depth -= 1
        self.emit("}")
        if block.has_end_line:
            self.end_until()
        for name in block.columns:
            self.end_column(name, fields[name])

    def _head(self, block: Repeat) -> str:
        index = identifier(block.index)
        if block.until:
            condition = self.until(block)
            return f"for (long {index} = 1; {condition}; {index}++) {{" if index else f"while ({condition}) {{"
        count = self.text(block.count.low)
        if index:
            return f"for (long {index} = 1; {index} <= {count}; {index}++) {{"
        at = "i" * self.depth
        return f"for (long {at} = 0; {at} < {count}; {at}++) {{"

    def either(self, options: Sequence[Line]) -> None:
        kind = self.fresh("kind")
        self.read_scalar(kind, Word(pattern=_ANY))
        for at, line in enumerate(options):
            condition = self.equals(kind, first_text(line) or "")
            self.emit(f"{'} else ' if at else ''}if ({condition}) {{")
            self.depth += 1
            if fields := line.fields[1:]:
                self.line(Line(fields=fields))
            self.depth -= 1
        self.emit("}")


def escape(text: str) -> str:
    """Return a text as it stands within double quotes."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
