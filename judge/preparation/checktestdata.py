"""Grammars of Checktestdata (`.ctd`) as Python programs that validate: they run in the sandbox.

`checktestdata_reader.py` reads the language. The parts that all of the programs share are in
`checktestdata_runtime.py`, of which each has a copy.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from judge.base.data import digest, read_small_file
from judge.base.errors import DataError, Diagnostic
from judge.model.programs import JudgeProgram
from judge.preparation.checktestdata_reader import ChecktestdataError, Command, Value, read_commands

_MAX_GRAMMAR = 64 * 1024  # bytes: the parser runs in this process
_PERMISSIONS = 0o755  # the sandbox may run programs as another user
_RUNTIME = Path(__file__).with_name("checktestdata_runtime.py")
_CALLS = {"/": "quotient", "%": "remainder", "^": "power"}
_SPACES = {"SPACE": " ", "NEWLINE": "\n"}
_LOGIC = {"&&": "and", "||": "or"}
_MAX_DIGITS = 400  # and other characters of a number in a grammar
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
    lines = list(_emit(read_commands(text), "    ")) or ["    pass"]
    return "\n".join([_RUNTIME.read_text(), "", "def grammar(t, V):", *lines, "", "", "check(grammar)", ""])


def _emit(commands: Sequence[Command], indent: str) -> Iterator[str]:
    """Yield Python code for commands."""
    for at, command in enumerate(commands):
        if command.name in ("REP", "REPI", "WHILE", "WHILEI"):
            yield from _emit_loop(command, indent, f"{len(indent)}_{at}")
        elif command.name == "IF":
            yield f"{indent}if {_code(command.arguments[0])}:"
            yield from list(_emit(command.body, indent + "    ")) or [f"{indent}    pass"]
            yield f"{indent}else:"
            yield from list(_emit(command.otherwise, indent + "    ")) or [f"{indent}    pass"]
        else:
            yield from (indent + line for line in _emit_simple(command))


def _emit_simple(command: Command) -> Iterator[str]:
    """Yield Python code for a command without a block."""
    arguments = command.arguments
    match command.name:
        case "SPACE" | "NEWLINE":
            yield f"t.literal({_SPACES[command.name]!r})"
        case "EOF":
            yield "t.end()"
        case "STRING":
            yield f"t.literal({_code(arguments[0])})"
        case "ASSERT":
            place = f"of line {command.place.line} of the grammar"
            yield f"t.require({_code(arguments[0])}, {place!r})"
        case "SET":
            yield from (f"{_target(each.parts[0])} = {_code(each.parts[1])}" for each in arguments)
        case "UNSET":
            yield from (f"unset(V, {each.text!r})" for each in arguments)
        case _:
            yield _emit_reading(command)


def _emit_reading(command: Command) -> str:
    """Return Python code for a command that reads a value, and keeps it if it names a variable."""
    least = {"INT": 2, "FLOAT": 2, "FLOATP": 4, "REGEX": 1}[command.name]
    values = [_code(each) for each in command.arguments[:least]]
    if command.name == "REGEX" and command.arguments[0].kind == "string":
        values = [repr(_replace_class_names(command.arguments[0].text))]
    options = [each.text for each in command.arguments[least:] if each.kind == "option"]
    targets = [_target(each) for each in command.arguments[least:] if each.kind != "option"]
    if command.name.startswith("FLOAT"):
        values.append(repr(options[0] if options else ""))
    call = f"t.{command.name.lower()}({', '.join(values)})"
    return f"{targets[0]} = {call}" if targets else call


def _replace_class_names(regex: str) -> str:
    """Return a regular expression without names such as `[:alpha:]`, which Python does not know."""
    return re.sub(r"\[:([a-z]+):\]", lambda found: _CLASS_NAMES.get(found[1], found[0]), regex)


def _emit_loop(command: Command, indent: str, number: str) -> Iterator[str]:
    inner = indent + "    "
    *index, value = command.arguments
    separator = "None"
    if command.separator is not None:
        separator = f"separate_{number}"
        yield f"{indent}def {separator}():"
        yield from _emit([command.separator], inner)
    if index:
        yield f"{indent}{_target(index[0])} = 0"
    counter, count = f"_{number}", _code(value)
    loop = (
        f"t.times({count}, {separator})" if command.name.startswith("REP") else f"t.loop(lambda: {count}, {separator})"
    )
    yield f"{indent}for {counter} in {loop}:"
    yield from list(_emit(command.body, inner)) or [f"{inner}pass"]
    if index:
        yield f"{inner}{_target(index[0])} = {counter} + 1"


def _target(value: Value) -> str:
    """Return Python code for a variable, with its indices."""
    if value.kind != "name":
        raise ChecktestdataError("expected a variable", value.place.line, value.place.column)
    return f"V[{', '.join([repr(value.text), *map(_code, value.parts)])}]"


def _code(value: Value) -> str:  # noqa: C901, PLR0911 - one for each kind of value
    """Return Python code for an expression or a test."""
    match value.kind:
        case "number":
            return _number(value)
        case "string":
            return repr(value.text)
        case "name":
            return _target(value)
        case "negative":
            return f"(-{_code(value.parts[0])})"
        case "!":
            return f"(not {_code(value.parts[0])})"
        case "ISEOF":
            return "t.at_end()"
        case "MATCH" | "STRLEN" if len(value.parts) == 1:
            return f"{'t.sees' if value.kind == 'MATCH' else 'len'}({_code(value.parts[0])})"
        case "UNIQUE" if value.parts and all(each.kind == "name" for each in value.parts):
            return f"unique(V, {', '.join(repr(each.text) for each in value.parts)})"
        case "INARRAY" if [each.kind for each in value.parts[1:]] == ["name"]:
            return f"in_array(V, {_code(value.parts[0])}, {value.parts[1].text!r})"
        case "/" | "%" | "^":
            return f"{_CALLS[value.kind]}({', '.join(map(_code, value.parts))})"
        case "MATCH" | "STRLEN" | "UNIQUE" | "INARRAY" | "option":
            message = f"{value.kind} has arguments that are not expected"
            raise ChecktestdataError(message, value.place.line, value.place.column)
    left, right = map(_code, value.parts)
    return f"({left} {_LOGIC.get(value.kind, value.kind)} {right})"


def _number(value: Value) -> str:
    """Return Python code for a number."""
    if len(value.text) > _MAX_DIGITS:
        message = f"a number of {len(value.text)} characters: expected at most {_MAX_DIGITS}"
        raise ChecktestdataError(message, value.place.line, value.place.column)
    return str(int(value.text)) if value.text.isdecimal() else value.text  # a number such as 1E999 is infinite
