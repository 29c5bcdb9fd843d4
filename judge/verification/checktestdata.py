"""The language of Checktestdata (`.ctd`): a grammar becomes a Python program that validates, or that makes inputs.

The language is that of DOMjudge's checktestdata: INT, FLOAT, FLOATP, STRING, REGEX, SPACE, NEWLINE, EOF, REP, REPI,
WHILE, WHILEI, IF, SET, UNSET, ASSERT, with MATCH, UNIQUE, INARRAY, STRLEN and ISEOF in expressions. A grammar is only
translated here; the programs run in the sandbox. `checktestdata_runtime` is the other half of them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from judge.errors import JudgeError

_MAX_DEPTH = 60  # of expressions and blocks in each other
_RUNTIME = Path(__file__).with_name("checktestdata_runtime.py")
_TOKEN = re.compile(
    r"""(?P<skip>(?:\s+|\#[^\n]*)+)
    |(?P<float>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]\d+)
    |(?P<int>\d+)
    |(?P<name>[A-Za-z_]\w*)
    |"(?P<text>(?:[^"\\]|\\[\s\S])*)"
    |(?P<sign>&&|\|\||==|!=|<=|>=|[-+*/%^!<>=(),\[\]])""",
    re.VERBOSE | re.ASCII,
)
_ESCAPE = re.compile(r"\\([0-7]{1,3}|\n|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", '"': '"', "\\": "\\", "\n": ""}
_LOOPS = {"REP": (False, False), "REPI": (True, False), "WHILE": (False, True), "WHILEI": (True, True)}
_COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")
_SPACES = {"SPACE": " ", "NEWLINE": "\n"}
_STYLES = ("FIXED", "SCIENTIFIC")


class GrammarSyntaxError(JudgeError):
    """A grammar has an error; `line` and `column` count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class _Expression:
    """An expression as Python code, and the variables that it reads."""

    code: str
    names: frozenset[str] = frozenset()
    depth: int = 0


@dataclass(slots=True)
class _Command:
    """A command.

    Attributes:
        kind: its keyword.
        target: the variable that it sets, as Python code; "" for none.
        name: the same without its indices.
        values: its expressions.
        body, otherwise: of loops and conditions.
        separator: of loops.
        number: of the command, for random values.
    """

    kind: str
    target: str = ""
    name: str = ""
    values: list[_Expression] = field(default_factory=list)
    text: str = ""
    body: "list[_Command]" = field(default_factory=list)
    otherwise: "list[_Command]" = field(default_factory=list)
    separator: "_Command | None" = None
    number: int = 0


def validator_code(text: str) -> str:
    """Return a program that exits with status 42 for an input that a grammar describes, and with 43 for others.

    Raises:
        GrammarSyntaxError: the text is not a grammar.
    """
    commands = _Parser(text).parse()
    lines = list(_emit(commands, "    ", {}, makes=False)) or ["    pass"]
    return "\n".join([_runtime("reader"), "def grammar(t, V):", *lines, "check(grammar)", ""])


def generator_code(text: str) -> str:
    """Return a program that makes inputs; its arguments are a seed, how many, and how large counts become.

    It prints every input after a line with its length in bytes.

    Raises:
        GrammarSyntaxError: the text is not a grammar.
    """
    commands = _Parser(text).parse()
    counts: dict[str, bool] = {}
    _find_counts(commands, counts)
    lines = list(_emit(commands, "    ", counts, makes=True)) or ["    pass"]
    return "\n".join([_runtime("writer"), "def grammar(t, V):", *lines, "make(grammar)", ""])


def _runtime(part: str) -> str:
    """Return a part of the runtime: what is between `# [part]` and `# [end]`, after what both parts use."""
    found = re.split(r"(?m)^# \[(\w+)\]\n", _RUNTIME.read_text())
    parts = dict(zip(found[1::2], found[2::2], strict=True))
    return parts["both"] + parts[part]


class _Parser:
    """Parses a grammar by recursive descent."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(self._tokenize())
        self._at = 0
        self._depth = 0
        self._number = 0

    def parse(self) -> list[_Command]:
        """Return the commands."""
        commands = self._block(())
        if self._kind() != "end":
            self._fail("expected a command")
        return commands

    def _tokenize(self) -> Iterator[_Token]:
        at = 0
        while at < len(self._text):
            found = _TOKEN.match(self._text, at)
            if found is None:
                self._fail_at(f"found {self._text[at]!r}, expected a command or an expression", at)
            kind = found.lastgroup or ""
            if kind != "skip":
                yield _Token(kind, found[kind], at)
            at = found.end()
        yield _Token("end", "", at)

    def _fail_at(self, message: str, at: int) -> NoReturn:
        line = self._text.count("\n", 0, at) + 1
        raise GrammarSyntaxError(message, line, at - self._text.rfind("\n", 0, at))

    def _fail(self, message: str) -> NoReturn:
        token = self._tokens[self._at]
        self._fail_at(f"{message}, found {token.text!r}" if token.text else f"{message}, found the end", token.at)

    def _kind(self) -> str:
        return self._tokens[self._at].kind

    def _sees(self, *signs: str) -> bool:
        token = self._tokens[self._at]
        return token.kind in ("sign", "name") and token.text in signs

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1].text

    def _accepts(self, sign: str) -> bool:
        if self._sees(sign):
            self._at += 1
            return True
        return False

    def _expect(self, sign: str) -> None:
        if not self._accepts(sign):
            self._fail(f"expected `{sign}`")

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._fail(f"more than {_MAX_DEPTH} levels")

    # ---- commands -------------------------------------------------------------------------------------------------

    def _block(self, ends: Sequence[str]) -> list[_Command]:
        self._enter()
        commands = []
        while self._kind() != "end" and not self._sees(*ends):
            commands.append(self._command())
        if ends and self._kind() == "end":
            self._fail(f"expected {' or '.join(ends)}")
        self._depth -= 1
        return commands

    def _command(self) -> _Command:
        if self._kind() != "name":
            self._fail("expected a command")
        kind = self._take()
        self._number += 1
        command = _Command(kind, number=self._number)
        reader = _READERS.get(kind)
        if kind in ("SPACE", "NEWLINE", "EOF"):
            return command
        if reader is None:
            self._at -= 1
            self._fail("expected a command")
        assert reader is not None
        self._expect("(")
        reader(self, command)
        if kind in _LOOPS or kind == "IF":
            command.body = self._block(("ELSE", "END") if kind == "IF" else ("END",))
            if kind == "IF" and self._accepts("ELSE"):
                command.otherwise = self._block(("END",))
            self._expect("END")
        return command

    def read_number(self, command: _Command) -> None:
        """Read what INT, FLOAT and FLOATP allow."""
        command.values = [self._expression()]
        for _ in range(3 if command.kind == "FLOATP" else 1):
            self._expect(",")
            command.values.append(self._expression())
        while self._accepts(","):
            if self._sees(*_STYLES):
                command.text = self._take()
            else:
                command.target, command.name = self._variable()
        self._expect(")")

    def read_text(self, command: _Command) -> None:
        """Read the text or the pattern of STRING and REGEX."""
        command.values = [self._expression()]
        if command.kind == "REGEX" and self._accepts(","):
            command.target, command.name = self._variable()
        self._expect(")")

    def read_test(self, command: _Command) -> None:
        """Read the condition of ASSERT and IF."""
        start = self._tokens[self._at].at
        command.values = [self._expression()]
        command.text = self._text[start : self._tokens[self._at].at].strip()[:200]
        self._expect(")")

    def read_set(self, command: _Command) -> None:
        """Read the variables of SET and UNSET."""
        while True:
            target, name = self._variable()
            item = _Command("SET", target, name)
            if command.kind == "SET":
                self._expect("=")
                item.values = [self._expression()]
            command.body.append(item)
            if not self._accepts(","):
                break
        self._expect(")")

    def read_loop(self, command: _Command) -> None:
        """Read how often a block repeats, and what separates the repetitions."""
        has_index, _ = _LOOPS[command.kind]
        if has_index:
            command.target, command.name = self._variable()
            self._expect(",")
        command.values = [self._expression()]
        if self._accepts(","):
            command.separator = self._command()
        self._expect(")")

    def _variable(self) -> tuple[str, str]:
        """Return a variable as Python code, and its name."""
        if self._kind() != "name":
            self._fail("expected a variable")
        name = self._take()
        indices = self._indices()
        return f"V[{', '.join([repr(name), *(each.code for each in indices)])}]", name

    def _indices(self) -> list[_Expression]:
        indices: list[_Expression] = []
        if self._accepts("["):
            indices.append(self._expression())
            while self._accepts(","):
                indices.append(self._expression())
            self._expect("]")
        return indices

    # ---- expressions, from the loosest operator to the tightest -----------------------------------------------------

    def _expression(self) -> _Expression:
        self._enter()
        left = self._all()
        while self._accepts("||"):
            left = _join(left, "or", self._all())
        self._depth -= 1
        return left

    def _all(self) -> _Expression:
        left = self._not()
        while self._accepts("&&"):
            left = _join(left, "and", self._not())
        return left

    def _not(self) -> _Expression:
        if self._accepts("!"):
            self._enter()
            inner = self._not()
            self._depth -= 1
            return _Expression(f"(not {inner.code})", inner.names)
        left = self._sum()
        while self._sees(*_COMPARISONS):
            left = _join(left, self._take(), self._sum())
        return left

    def _sum(self) -> _Expression:
        left = self._product()
        while self._sees("+", "-"):
            left = _join(left, self._take(), self._product())
        return left

    def _product(self) -> _Expression:
        left = self._power()
        while self._sees("*", "/", "%"):
            sign = self._take()
            right = self._power()
            names = left.names | right.names
            call = {"/": "quotient", "%": "remainder"}.get(sign)
            left = _Expression(f"{call}({left.code}, {right.code})", names) if call else _join(left, sign, right)
        return left

    def _power(self) -> _Expression:
        left = self._unary()
        if self._accepts("^"):
            self._enter()
            right = self._power()
            self._depth -= 1
            return _Expression(f"power({left.code}, {right.code})", left.names | right.names)
        return left

    def _unary(self) -> _Expression:
        if self._accepts("-"):
            self._enter()
            inner = self._power()
            self._depth -= 1
            return _Expression(f"(-{inner.code})", inner.names)
        return self._atom()

    def _atom(self) -> _Expression:
        kind = self._kind()
        if kind == "int":
            return _Expression(repr(int(self._take()[:400])))
        if kind == "float":
            return _Expression(repr(float(self._take())))
        if kind == "text":
            return _Expression(repr(_ESCAPE.sub(_unescape, self._take())))
        if self._accepts("("):
            inner = self._expression()
            self._expect(")")
            return inner
        if kind != "name":
            self._fail("expected an expression")
        if self._sees("MATCH", "UNIQUE", "INARRAY", "STRLEN", "ISEOF"):
            return self._call(self._take())
        name = self._take()
        indices = self._indices()
        names = frozenset({name}).union(*(each.names for each in indices))
        return _Expression(f"V[{', '.join([repr(name), *(each.code for each in indices)])}]", names)

    def _call(self, function: str) -> _Expression:
        if function == "ISEOF":
            if self._accepts("("):
                self._expect(")")
            return _Expression("t.at_end()")
        self._expect("(")
        if function in ("MATCH", "STRLEN"):
            inner = self._expression()
            code = f"t.sees({inner.code})" if function == "MATCH" else f"len({inner.code})"
            self._expect(")")
            return _Expression(code, inner.names)
        value: _Expression | None = None
        if function == "INARRAY":
            value = self._expression()
            self._expect(",")
        names = [self._name()]
        while self._accepts(","):
            names.append(self._name())
        self._expect(")")
        read = frozenset(names) | (value.names if value else frozenset())
        if value is not None:
            return _Expression(f"in_array(V, {value.code}, {names[0]!r})", read)
        return _Expression(f"unique(V, {', '.join(map(repr, names))})", read)

    def _name(self) -> str:
        if self._kind() != "name":
            self._fail("expected the name of an array")
        return self._take()


_READERS: dict[str, Callable[[_Parser, _Command], None]] = {
    "INT": _Parser.read_number,
    "FLOAT": _Parser.read_number,
    "FLOATP": _Parser.read_number,
    "STRING": _Parser.read_text,
    "REGEX": _Parser.read_text,
    "ASSERT": _Parser.read_test,
    "SET": _Parser.read_set,
    "UNSET": _Parser.read_set,
    "IF": _Parser.read_test,
    **dict.fromkeys(_LOOPS, _Parser.read_loop),
}


def _join(left: _Expression, sign: str, right: _Expression) -> _Expression:
    return _Expression(f"({left.code} {sign} {right.code})", left.names | right.names)


def _unescape(found: re.Match[str]) -> str:
    text = found[1]
    return chr(int(text, 8) & 255) if text[0] in "01234567" else _ESCAPES.get(text, "\\" + text)


def _emit(  # noqa: C901 - a case for each kind of command
    commands: Sequence[_Command], indent: str, counts: dict[str, bool], *, makes: bool
) -> Iterator[str]:
    """Yield Python code for commands."""
    for at, command in enumerate(commands):
        kind, values = command.kind, [each.code for each in command.values]
        inner = indent + "    "
        match kind:
            case "INT" | "FLOAT" | "FLOATP" | "REGEX" if makes:
                yield from _emit_choice(command, commands[at + 1 :], indent, counts)
            case "INT" | "FLOAT" | "FLOATP" | "REGEX":
                style = [repr(command.text)] if kind.startswith("FLOAT") else []
                call = f"t.{kind.lower()}({', '.join([*values, *style])})"
                yield indent + (f"{command.target} = {call}" if command.target else call)
            case "STRING":
                yield f"{indent}t.literal({values[0]})"
            case "SPACE" | "NEWLINE":
                yield f"{indent}t.literal({_SPACES[kind]!r})"
            case "EOF":
                yield f"{indent}t.end()"
            case "ASSERT":
                yield f"{indent}t.require({values[0]}, {command.text!r})"
            case "SET":
                yield from (f"{indent}{each.target} = {each.values[0].code}" for each in command.body)
            case "UNSET":
                yield from (f"{indent}unset(V, {each.name!r})" for each in command.body)
            case "IF":
                yield f"{indent}if {values[0]}:"
                yield from list(_emit(command.body, inner, counts, makes=makes)) or [inner + "pass"]
                yield f"{indent}else:"
                yield from list(_emit(command.otherwise, inner, counts, makes=makes)) or [inner + "pass"]
            case _:
                yield from _emit_loop(command, indent, counts, makes=makes)


def _emit_loop(command: _Command, indent: str, counts: dict[str, bool], *, makes: bool) -> Iterator[str]:
    """Yield Python code for a loop."""
    inner = indent + "    "
    value = command.values[0].code
    separator = "None"
    if command.separator is not None:
        separator = f"separate_{command.number}"
        yield f"{indent}def {separator}():"
        yield from _emit([command.separator], inner, counts, makes=makes)
    _, is_while = _LOOPS[command.kind]
    loop = f"t.loop(lambda: {value}, {separator})" if is_while else f"t.times({value}, {separator})"
    yield f"{indent}for {command.target or f'_{command.number}'} in {loop}:"
    yield from list(_emit(command.body, inner, counts, makes=makes)) or [inner + "pass"]


def _emit_choice(
    command: _Command, following: Sequence[_Command], indent: str, counts: dict[str, bool]
) -> Iterator[str]:
    """Yield Python code that chooses a value which passes the assertions after it."""
    name = command.name or f"_{command.number}"
    target = command.target or f"V[{name!r}]"
    arguments = [each.code for each in command.values]
    if command.kind == "REGEX":
        arguments.append(_length(command, following))
    elif command.kind == "INT":
        arguments.append(repr(name in counts))
    else:
        arguments.append(repr(command.text))
    tests = list(_assertions(command, following))
    yield f"{indent}for {target} in t.{command.kind.lower()}({command.number}, {', '.join(arguments)}):"
    yield f"{indent}    if {' and '.join(f'({each})' for each in tests) or 'True'}: break"
    yield f"{indent}else: raise Rejected"
    yield f"{indent}t.write({target})"


def _assertions(command: _Command, following: Sequence[_Command]) -> Iterator[str]:
    """Yield the assertions about a variable that hold as soon as it has a value."""
    unknown: set[str] = set()
    for each in following:
        if each.kind in _LOOPS or each.kind == "IF":
            break
        if each.kind == "SET":
            unknown |= {item.name for item in each.body}
        elif each.name and each.name != command.name:
            unknown.add(each.name)
        elif each.name and each.name == command.name:
            break
        if each.kind == "ASSERT" and command.name in each.values[0].names and not each.values[0].names & unknown:
            yield each.values[0].code


def _length(command: _Command, following: Sequence[_Command]) -> str:
    """Return what an assertion says about the length of a word: `(exact, most)` as Python code."""
    start = f"(len(V[{command.name!r}"
    for test in _assertions(command, following):
        if test.startswith(start):
            for sign, form in (("==", "({0}, None)"), ("<=", "(None, {0})"), ("<", "(None, {0} - 1)")):
                _, found, rest = test.partition(f") {sign} ")
                if found:
                    return form.format(rest[:-1])
    return "(None, None)"


def _find_counts(commands: Sequence[_Command], counts: dict[str, bool]) -> None:
    """Find the variables that decide how large an input is."""
    for each in commands:
        if each.kind in ("REP", "REPI", "WHILE", "WHILEI"):
            counts.update(dict.fromkeys(each.values[0].names, True))
        if each.kind == "ASSERT" and "len(" in each.values[0].code:
            counts.update(dict.fromkeys(each.values[0].names, True))
        _find_counts(each.body, counts)
        _find_counts(each.otherwise, counts)
