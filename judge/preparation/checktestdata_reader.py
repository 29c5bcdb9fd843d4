"""A reader of Checktestdata, the language of input validators `*.ctd`: text to commands, each with its place.

The rules are those of the Checktestdata language specification (doc/format-spec.md of DOMjudge/checktestdata).
"""

import re
from collections.abc import Iterator
from typing import NoReturn

from msgspec import Struct

_MAX_DEPTH = 50  # blocks in blocks, and parentheses
_MAX_LOOPS = 20  # in each other: Python, to which they are translated, has no more
_MAX_OPERATORS = 200  # of one argument: each makes its tree one level deeper
_TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)
    |(?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)
    |(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<command>[A-Z]+)
    |(?P<name>[a-z][a-z0-9]*)
    |(?P<sign><=|>=|==|!=|&&|\|\||[-+*/%^()\[\],<>=!])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\([0-7]{1,3}|.)", re.DOTALL)
_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", '"': '"', "\\": "\\", "\n": ""}
_LEVELS = (("||",), ("&&",), ("<", ">", "<=", ">=", "==", "!="), ("+", "-"), ("*", "/", "%"))
_VALUES = ("MATCH", "ISEOF", "UNIQUE", "INARRAY", "STRLEN")
_OPTIONS = ("FIXED", "SCIENTIFIC")
_LOOPS = ("REP", "REPI", "WHILE", "WHILEI")

# The least and the highest number of arguments.
_COMMANDS = {
    "SPACE": (0, 0),
    "NEWLINE": (0, 0),
    "EOF": (0, 0),
    "INT": (2, 3),
    "FLOAT": (2, 4),
    "FLOATP": (4, 6),
    "STRING": (1, 1),
    "REGEX": (1, 2),
    "ASSERT": (1, 1),
    "SET": (1, 100),
    "UNSET": (1, 100),
    "REP": (1, 1),
    "REPI": (2, 2),
    "WHILE": (1, 1),
    "WHILEI": (2, 2),
    "IF": (1, 1),
}


class ChecktestdataError(ValueError):
    """A text is not Checktestdata; `line` and `column` are 1-based."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class Place(Struct, frozen=True):
    """A line and a column, 1-based."""

    line: int
    column: int


class Value(Struct, frozen=True, kw_only=True):
    """An expression or a test.

    Attributes:
        kind: `number`, `string`, `name`, `option`, a function such as `STRLEN`, `negative`, or an operator.
        text: of a number or a name; the characters of a string.
        parts: the operands, the arguments, or the indices of a name.
    """

    kind: str
    place: Place
    text: str = ""
    parts: tuple["Value", ...] = ()


class Command(Struct, frozen=True, kw_only=True):
    """A command.

    Attributes:
        separator: what a loop reads between two repetitions.
        body: of a loop, or what IF does.
        otherwise: what ELSE does.
    """

    name: str
    place: Place
    arguments: tuple[Value, ...] = ()
    separator: "Command | None" = None
    body: tuple["Command", ...] = ()
    otherwise: tuple["Command", ...] = ()


def read_commands(text: str) -> tuple[Command, ...]:
    """Return the commands of a program.

    Raises:
        ChecktestdataError: it is not one.
    """
    reader = _Reader(text)
    commands = reader.commands(0)
    reader.finish()
    return commands


def unescape(literal: str) -> str:
    """Return the characters of a string literal without its quotes."""

    def replace(match: re.Match[str]) -> str:
        found = match[1]
        if found[0] in "01234567":
            return chr(int(found, 8))
        return _SIMPLE_ESCAPES.get(found, match[0])

    return _ESCAPE.sub(replace, literal)


class _Token(Struct, frozen=True):
    kind: str
    text: str
    place: Place


def _tokens(text: str) -> Iterator[_Token]:
    at, line, start = 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ChecktestdataError(f"unexpected `{text[at]}`", line, at - start + 1)
        if match.lastgroup != "space":
            yield _Token(match.lastgroup or "", match[0], Place(line, at - start + 1))
        if "\n" in match[0]:
            line += match[0].count("\n")
            start = at + match[0].rindex("\n") + 1
        at = match.end()
    yield _Token("end", "", Place(line, at - start + 1))


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._at = 0
        self._operators = 0  # of the argument that is being read
        self._loops = 0  # around what is being read

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def finish(self) -> None:
        if self._next.kind != "end":
            self._fail("a command")

    def _fail(self, expected: str) -> NoReturn:
        found = f"`{self._next.text}`" if self._next.text else "the end of the file"
        raise ChecktestdataError(f"found {found}, expected {expected}", self._next.place.line, self._next.place.column)

    def _take(self, text: str) -> bool:
        if self._next.kind in ("sign", "command") and self._next.text == text:
            self._at += 1
            return True
        return False

    def _require(self, text: str) -> None:
        if not self._take(text):
            self._fail(f"`{text}`")

    # ---- commands

    def commands(self, depth: int) -> tuple[Command, ...]:
        """Read commands up to END, ELSE or the end of the file."""
        found = []
        while self._next.kind == "command" and self._next.text not in ("END", "ELSE"):
            found.append(self._command(depth))
        return tuple(found)

    def _command(self, depth: int) -> Command:
        token = self._next
        if depth > _MAX_DEPTH:
            self._fail(f"at most {_MAX_DEPTH} blocks in blocks")
        if token.kind != "command" or token.text not in _COMMANDS:
            self._fail("a command such as INT, SPACE or NEWLINE")
        is_loop = token.text in _LOOPS
        if is_loop and self._loops == _MAX_LOOPS:
            self._fail(f"at most {_MAX_LOOPS} loops in loops")
        self._at += 1
        least, most = _COMMANDS[token.text]
        arguments: tuple[Value, ...] = ()
        separator = None
        if self._take("("):
            arguments, separator = self._arguments(token.text, depth)
            self._require(")")
        if not least <= len(arguments) <= most:
            many = f"{least}" if least == most else f"{least} to {most}"
            message = f"{token.text} has {len(arguments)} arguments: expected {many}"
            raise ChecktestdataError(message, token.place.line, token.place.column)
        body: tuple[Command, ...] = ()
        otherwise: tuple[Command, ...] = ()
        if is_loop or token.text == "IF":
            self._loops += is_loop
            body = self.commands(depth + 1)
            self._loops -= is_loop
            if token.text == "IF" and self._take("ELSE"):
                otherwise = self.commands(depth + 1)
            self._require("END")
        return Command(
            name=token.text,
            place=token.place,
            arguments=arguments,
            separator=separator,
            body=body,
            otherwise=otherwise,
        )

    def _arguments(self, name: str, depth: int) -> tuple[tuple[Value, ...], Command | None]:
        found = [self._argument(name)]
        while self._take(","):
            if self._next.kind == "command" and self._next.text in _COMMANDS:
                return tuple(found), self._command(depth + 1)
            found.append(self._argument(name))
        return tuple(found), None

    def _argument(self, name: str) -> Value:
        self._operators = 0
        if name != "SET":
            return self.value(0)
        target, place = self._atom(0), self._next.place
        self._require("=")
        return Value(kind="=", place=place, parts=(target, self.value(0)))

    # ---- expressions and tests

    def value(self, depth: int, level: int = 0) -> Value:
        """Read an expression or a test, of operators that bind at least as strongly as a level."""
        if depth > _MAX_DEPTH:
            self._fail(f"at most {_MAX_DEPTH} parentheses in parentheses")
        if level == len(_LEVELS):
            return self._power(depth)
        left = self.value(depth, level + 1)
        while self._next.kind == "sign" and self._next.text in _LEVELS[level]:
            sign = self._next
            self._operators += 1
            if self._operators > _MAX_OPERATORS:
                self._fail(f"at most {_MAX_OPERATORS} operators in one argument")
            self._at += 1
            right = self.value(depth, level + 1)
            left = Value(kind=sign.text, place=sign.place, parts=(left, right))
        return left

    def _power(self, depth: int) -> Value:
        place = self._next.place
        if depth > _MAX_DEPTH:
            self._fail(f"at most {_MAX_DEPTH} signs in a row")
        if self._take("-"):
            return Value(kind="negative", place=place, parts=(self._power(depth + 1),))
        if self._take("!"):
            return Value(kind="!", place=place, parts=(self.value(depth + 1, 2),))
        base = self._atom(depth)
        place = self._next.place
        if self._take("^"):
            return Value(kind="^", place=place, parts=(base, self._power(depth + 1)))
        return base

    def _atom(self, depth: int) -> Value:  # noqa: PLR0911 - one case for each kind of token
        token = self._next
        if self._take("("):
            inner = self.value(depth + 1)
            self._require(")")
            return inner
        self._at += token.kind in ("number", "string", "name", "command")
        match token.kind:
            case "number":
                return Value(kind="number", place=token.place, text=token.text)
            case "string":
                return Value(kind="string", place=token.place, text=unescape(token.text[1:-1]))
            case "name":
                return Value(kind="name", place=token.place, text=token.text, parts=self._list("[", "]", depth))
            case "command" if token.text in _VALUES:
                return Value(kind=token.text, place=token.place, parts=self._list("(", ")", depth))
            case "command" if token.text in _OPTIONS:
                return Value(kind="option", place=token.place, text=token.text)
        self._at -= token.kind == "command"
        return self._fail("a value")

    def _list(self, start: str, end: str, depth: int) -> tuple[Value, ...]:
        if not self._take(start):
            return ()
        found = [self.value(depth + 1)]
        while self._take(","):
            found.append(self.value(depth + 1))
        self._require(end)
        return tuple(found)
