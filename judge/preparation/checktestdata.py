"""Grammars of Checktestdata (`.ctd`) as Python programs that validate: the library of that name translates them."""

import re
import sys
from collections.abc import Mapping
from inspect import getsource
from pathlib import Path
from typing import Any

from judge.base.data import digest, read_small_file
from judge.base.errors import DataError, Diagnostic
from judge.languages.source import write_files
from judge.model.programs import JudgeProgram
from judge.preparation import checktestdata_runtime
from judge.preparation.checktestdata_runtime import MAX_DIGITS, bound_powers, compile_pattern

_MAX_GRAMMAR = 64 * 1024  # bytes: the library runs in this process
_ENDLESS = re.compile(rb"[0-9.]+[eE][+-]?[0-9]{5,}")  # it would compute the value of such a number
_LONG = re.compile(r"\bNumber\((-?[0-9]{4000,})\)")  # Python does not read literals of more than 4300 digits
_NO_ARGUMENTS = "import sys\ndel sys.argv[1:]\n"  # a package calls all of its validators with the same ones


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
    digits = sys.get_int_max_str_digits()
    from checktestdata.lib import Number
    from checktestdata.parser import parse
    from checktestdata.tokenizer import tokenize

    try:
        sys.set_int_max_str_digits(MAX_DIGITS)
        bound_powers(Number)
        _check_values(tokenize(text))
        code = _NO_ARGUMENTS + parse(tokenize(text)).python_code(standalone=True)
        code = _LONG.sub(lambda found: f"Number({int(found[1]):#x})", code)
        start = f"\n{getsource(checktestdata_runtime)}\ninstall(globals())\ninit_lib()\n"
        code = code.replace("\ninit_lib()\n", start, 1)
    except Exception as error:  # of five kinds, or because of too many parentheses
        place = getattr(error, "token", None)
        message = f"is not a grammar of Checktestdata: {error}"
        line, column = (place.line, place.column) if place else (0, 0)
        raise DataError([Diagnostic(path=shown, line=line, column=column, message=message)]) from error
    finally:
        sys.set_int_max_str_digits(digits)  # the library removes the limit, too
    program = folder / "grammars" / digest(code.encode())[:16] / f"{grammar.stem}.py"
    program.parent.parent.mkdir(mode=0o755, exist_ok=True)
    write_files({program.name: code.encode()}, program.parent)
    return JudgeProgram(source=program)


def _check_values(tokens: Any) -> None:
    """Raise a ParserException at a number that would take long, or at what is no pattern."""
    from checktestdata.parser import ParserException, parse_string

    listed = []
    while not tokens.empty():
        listed.append(tokens.pop())
        if _ENDLESS.fullmatch(listed[-1].bytes()):
            raise ParserException("a number has an exponent of more than four digits", listed[-1])
    for command, argument in zip(listed, listed[2:], strict=False):
        if command.bytes() == b"REGEX" and argument.type.name == "STRING":
            try:
                compile_pattern(parse_string(argument))
            except ValueError as error:
                raise ParserException(str(error), argument) from error
