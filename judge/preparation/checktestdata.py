"""Grammars of Checktestdata (`.ctd`) as Python programs that validate: they run in the sandbox.

The rules are those of the Checktestdata language specification (doc/format-spec.md of DOMjudge/checktestdata). All of
the programs share `checktestdata_runtime.py`, of which each has a copy.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NoReturn

from msgspec import Struct

from judge.base.data import digest, read_small_file
from judge.base.errors import DataError, Diagnostic
from judge.base.units import format_count
from judge.model.programs import JudgeProgram

_MAX_GRAMMAR = 64 * 1024  # bytes: the parser runs in this process
_PERMISSIONS = 0o755  # the sandbox may run programs as another user
_RUNTIME = Path(__file__).with_name("checktestdata_runtime.py")
_MAX_DEPTH = 50  # blocks in blocks, and parentheses
_MAX_LOOPS = 20  # in each other: Python has no more
_MAX_OPERATORS = 200  # of one argument: each makes its expression one level deeper
_MAX_DIGITS = 400  # and other characters of a number
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
_PYTHON = {"&&": "({} and {})", "||": "({} or {})", "/": "quotient({}, {})", "%": "remainder({}, {})"}
_FUNCTIONS = ("MATCH", "ISEOF", "UNIQUE", "INARRAY", "STRLEN")
_OPTIONS = ("FIXED", "SCIENTIFIC")  # of FLOAT and FLOATP
_SIMPLE = {  # in Python, with the arguments
    "SPACE": "t.literal(' ')",
    "NEWLINE": r"t.literal('\n')",
    "EOF": "t.end()",
    "STRING": "t.literal({0})",
    "ASSERT": "t.require({0}, 'of line {line} of the grammar')",
}
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
_CLASS_NAMES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r" \t-\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}  # of POSIX


class ChecktestdataError(ValueError):
    """A text is not Checktestdata; `line` and `column` are 1-based."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def translate(grammar: Path, shown: Path, folder: Path, constants: Mapping[str, str]) -> JudgeProgram:
    """Return a program in a folder that accepts the inputs that a grammar describes, with the texts of constants in it.

    Raises:
        DataError: the grammar has an error.
        OSError: a file cannot be read or written.
    """
    text = read_small_file(grammar, _MAX_GRAMMAR)
    if text is None:
        raise DataError([Diagnostic(path=shown, message=f"is larger than {_MAX_GRAMMAR // 1024} KiB")])
    for name, value in constants.items():
        text = text.replace(f"{{{{{name}}}}}".encode(), value.encode())
    try:
        code = validator_code(text.decode("latin-1"))
    except ChecktestdataError as error:
        message = f"is not a grammar of Checktestdata: {error}"
        raise DataError([Diagnostic(path=shown, line=error.line, column=error.column, message=message)]) from error
    place = folder / "grammars" / digest(code.encode())[:16]
    place.mkdir(parents=True, exist_ok=True)
    for each in (place.parent, place):
        each.chmod(_PERMISSIONS)
    program = place / f"{grammar.stem}.py"
    program.write_text(code, encoding="utf-8")
    return JudgeProgram(source=program)


def validator_code(text: str) -> str:
    """Return a program that exits with status 42 for an input that a grammar describes, and with 43 for others.

    Raises:
        ChecktestdataError: the text is not a grammar.
    """
    lines = _Translator(text).translate()
    return "\n".join([_RUNTIME.read_text(), "", "def grammar(t, V):", *lines, "", "", "check(grammar)", ""])


class _Token(Struct, frozen=True):
    """A token; `line` and `column` are 1-based."""

    kind: str
    text: str
    line: int
    column: int

    def error(self, message: str) -> ChecktestdataError:
        return ChecktestdataError(message, self.line, self.column)


class _Value(Struct, frozen=True):
    """An expression or a test in Python; the token is its only one, unless `code` is of several."""

    code: str
    token: _Token
    kind: str = ""

    @property
    def target(self) -> str:
        """The code of a variable, which a value is assigned to."""
        if self.kind != "name":
            raise self.token.error("expected a variable")
        return self.code


def _read_tokens(text: str) -> Iterator[_Token]:
    at, line, start = 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ChecktestdataError(f"unexpected `{text[at]}`", line, at - start + 1)
        if match.lastgroup != "space":
            yield _Token(match.lastgroup or "", match[0], line, at - start + 1)
        if "\n" in match[0]:
            line += match[0].count("\n")
            start = at + match[0].rindex("\n") + 1
        at = match.end()
    yield _Token("end", "", line, at - start + 1)


def _unescape(literal: str) -> str:
    """Return the characters of a string literal without its quotes."""

    def replace(match: re.Match[str]) -> str:
        found = match[1]
        return chr(int(found, 8)) if found[0] in "01234567" else _SIMPLE_ESCAPES.get(found, match[0])

    return _ESCAPE.sub(replace, literal)


class _Translator:
    """Reads a grammar by recursive descent, and returns lines and expressions of Python."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_read_tokens(text))
        self._at = 0
        self._operators = 0  # of the argument that is being read
        self._loops = 0  # around what is being read
        self._loop_count = 0

    def translate(self) -> list[str]:
        lines = self._block(0)
        if self._next.kind != "end":
            self._fail("a command")
        return lines

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _fail(self, expected: str) -> NoReturn:
        found = f"`{self._next.text}`" if self._next.text else "the end of the file"
        raise self._next.error(f"found {found}, expected {expected}")

    def _take(self, text: str) -> bool:
        if self._next.kind in ("sign", "command") and self._next.text == text:
            self._at += 1
            return True
        return False

    def _require(self, text: str) -> None:
        if not self._take(text):
            self._fail(f"`{text}`")

    # ---- commands --------------------------------------------------------------------------------------------------

    def _block(self, depth: int) -> list[str]:
        """Read commands up to END, ELSE or the end of the file."""
        lines = []
        while self._next.kind == "command" and self._next.text not in ("END", "ELSE"):
            lines += self._command(depth)
        return [f"    {line}" for line in lines or ["pass"]]

    def _command(self, depth: int) -> list[str]:
        token = self._next
        if depth > _MAX_DEPTH:
            self._fail(f"at most {_MAX_DEPTH} blocks in blocks")
        if token.kind != "command" or token.text not in _COMMANDS:
            self._fail("a command such as INT, SPACE or NEWLINE")
        if token.text in _LOOPS and self._loops == _MAX_LOOPS:
            self._fail(f"at most {_MAX_LOOPS} loops in loops")
        self._at += 1
        arguments: list[_Value] = []
        separator: list[str] = []
        if self._take("("):
            arguments.append(self._argument(token.text))
            while not separator and self._take(","):
                if self._next.kind == "command" and self._next.text in _COMMANDS:
                    separator = self._command(depth + 1)
                else:
                    arguments.append(self._argument(token.text))
            self._require(")")
        least, most = _COMMANDS[token.text]
        if not least <= len(arguments) <= most:
            many = f"{least}" if least == most else f"{least} to {most}"
            raise token.error(f"{token.text} has {format_count(len(arguments), 'argument')}: expected {many}")
        if token.text in _LOOPS:
            return self._loop(token.text, arguments, separator, depth)
        if token.text == "IF":
            lines = [f"if {arguments[0].code}:", *self._block(depth + 1)]
            lines += ["else:", *self._block(depth + 1)] if self._take("ELSE") else []
            self._require("END")
            return lines
        return [_simple_command(token, arguments)]

    def _argument(self, command: str) -> _Value:
        self._operators = 0
        token = self._next
        if command.startswith("FLOAT") and token.text in _OPTIONS:
            self._at += 1
            return _Value(repr(token.text), token, "option")
        if command != "SET":
            return self._value(0)
        target = self._atom(0).target
        self._require("=")
        return _Value(f"{target} = {self._value(0).code}", token)

    def _loop(self, name: str, arguments: list[_Value], separator: list[str], depth: int) -> list[str]:
        *index, value = arguments
        self._loop_count += 1
        counter, separate = f"at_{self._loop_count}", f"separate_{self._loop_count}" if separator else None
        lines = [f"def {separate}():", *(f"    {line}" for line in separator)] if separator else []
        lines += [f"{each.target} = 0" for each in index]
        count = f"t.times({value.code}" if name.startswith("REP") else f"t.loop(lambda: {value.code}"
        self._loops += 1
        lines += [f"for {counter} in {count}, {separate}):", *self._block(depth + 1)]
        self._loops -= 1
        self._require("END")
        return [*lines, *(f"    {each.target} = {counter} + 1" for each in index)]

    # ---- expressions and tests -------------------------------------------------------------------------------------

    def _value(self, depth: int, level: int = 0) -> _Value:
        """Read an expression or a test, of operators that bind at least as strongly as a level."""
        if depth > _MAX_DEPTH:
            self._fail(f"at most {_MAX_DEPTH} parentheses in parentheses")
        if level == len(_LEVELS):
            return self._power(depth)
        left = self._value(depth, level + 1)
        while self._next.kind == "sign" and self._next.text in _LEVELS[level]:
            sign = self._next
            self._operators += 1
            if self._operators > _MAX_OPERATORS:
                self._fail(f"at most {_MAX_OPERATORS} operators in one argument")
            self._at += 1
            right = self._value(depth, level + 1)
            code = _PYTHON.get(sign.text, f"({{}} {sign.text} {{}})").format(left.code, right.code)
            left = _Value(code, left.token)
        return left

    def _power(self, depth: int) -> _Value:
        token = self._next
        if depth > _MAX_DEPTH:
            self._fail(f"at most {_MAX_DEPTH} signs in a row")
        if self._take("-"):
            return _Value(f"(-{self._power(depth + 1).code})", token)
        if self._take("!"):
            return _Value(f"(not {self._value(depth + 1, 2).code})", token)
        base = self._atom(depth)
        if self._take("^"):
            return _Value(f"power({base.code}, {self._power(depth + 1).code})", token)
        return base

    def _atom(self, depth: int) -> _Value:
        token = self._next
        if self._take("("):
            inner = self._value(depth + 1)
            self._require(")")
            return inner
        self._at += 1
        match token.kind:
            case "number":
                return _Value(_number(token), token)
            case "string":
                return _Value(repr(_unescape(token.text[1:-1])), token, "string")
            case "name":
                indices = (value.code for value in self._list("[", "]", depth))
                return _Value(f"V[{', '.join([repr(token.text), *indices])}]", token, "name")
            case "command" if token.text in _FUNCTIONS:
                return _Value(_function(token, self._list("(", ")", depth)), token)
        self._at -= 1
        return self._fail("a value")

    def _list(self, start: str, end: str, depth: int) -> list[_Value]:
        if not self._take(start):
            return []
        found = [self._value(depth + 1)]
        while self._take(","):
            found.append(self._value(depth + 1))
        self._require(end)
        return found


def _simple_command(token: _Token, arguments: list[_Value]) -> str:
    """Return a line of Python for a command without a block."""
    codes = [each.code for each in arguments]
    if token.text in _SIMPLE:
        return _SIMPLE[token.text].format(*codes, line=token.line)
    if token.text == "SET":
        return "; ".join(codes)
    if token.text == "UNSET":
        return "; ".join(f"unset(V, {each.token.text!r})" for each in arguments)
    if token.text == "REGEX" and arguments[0].kind == "string":  # Python does not know the names of classes
        text = _unescape(arguments[0].token.text[1:-1])
        codes[0] = repr(re.sub(r"\[:([a-z]+):\]", lambda found: _CLASS_NAMES.get(found[1], found[0]), text))
    least, _ = _COMMANDS[token.text]
    values, rest = codes[:least], arguments[least:]
    if wrong := next((each for each in arguments[:least] if each.kind == "option"), None):
        raise wrong.token.error("expected a value")
    targets = [each.target for each in rest if each.kind != "option"]
    if token.text.startswith("FLOAT"):
        values.append(next((each.code for each in rest if each.kind == "option"), "''"))
    call = f"t.{token.text.lower()}({', '.join(values)})"
    return f"{targets[0]} = {call}" if targets else call


def _function(token: _Token, arguments: list[_Value]) -> str:
    """Return a call in Python."""
    codes = [each.code for each in arguments]
    names = [repr(each.token.text) if each.kind == "name" else "" for each in arguments]
    match token.text, len(arguments):
        case "ISEOF", _:
            return "t.at_end()"
        case "MATCH", 1:
            return f"t.sees({codes[0]})"
        case "STRLEN", 1:
            return f"len({codes[0]})"
        case "UNIQUE", _ if names and all(names):
            return f"unique(V, {', '.join(names)})"
        case "INARRAY", 2 if names[1]:
            return f"in_array(V, {codes[0]}, {names[1]})"
    raise token.error(f"{token.text} has arguments that are not expected")


def _number(token: _Token) -> str:
    if len(token.text) > _MAX_DIGITS:
        raise token.error(f"a number of {len(token.text)} characters: expected at most {_MAX_DIGITS}")
    return str(int(token.text)) if token.text.isdecimal() else token.text  # a number such as 1E999 is infinite
