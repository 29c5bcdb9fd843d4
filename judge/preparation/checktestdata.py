"""Grammars of Checktestdata (`.ctd`) as Python programs that validate: the library of that name translates them."""

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from judge.base.data import digest, read_small_file
from judge.base.errors import DataError, Diagnostic
from judge.languages.source import write_files
from judge.model.programs import JudgeProgram

_MAX_GRAMMAR = 64 * 1024  # bytes: the library runs in this process
_ENDLESS = re.compile(rb"[eE][+-]?[0-9]{5}")  # it would compute the value of such a number
# What the reference implementation reads as well: patterns that begin with `^`, and the classes of POSIX.
_ANCHOR = re.compile(rb'(REGEX\s*\(\s*")\^')
_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t\\n\\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
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
    text = _ANCHOR.sub(rb"\1", text)
    for name, characters in _CLASSES.items():
        text = text.replace(f"[:{name}:]".encode(), characters.encode())
    if _ENDLESS.search(text):
        raise DataError([Diagnostic(path=shown, message="has a number with an exponent of more than four digits")])
    digits = sys.get_int_max_str_digits()
    from checktestdata.parser import parse
    from checktestdata.tokenizer import tokenize

    sys.set_int_max_str_digits(digits)  # the library removes the limit
    try:
        code = _NO_ARGUMENTS + parse(tokenize(text)).python_code(standalone=True)
    except Exception as error:  # of five kinds, or because of too many parentheses
        place = getattr(error, "token", None)
        message = f"is not a grammar of Checktestdata: {error}"
        line, column = (place.line, place.column) if place else (0, 0)
        raise DataError([Diagnostic(path=shown, line=line, column=column, message=message)]) from error
    program = folder / "grammars" / digest(code.encode())[:16] / f"{grammar.stem}.py"
    program.parent.parent.mkdir(mode=0o755, exist_ok=True)
    write_files({program.name: code.encode()}, program.parent)
    return JudgeProgram(source=program)
