"""Grammars of Checktestdata (`.ctd`) as programs: an input validator of a package may be one.

The library `checktestdata`, an optional extra, translates a grammar to a Python program. The program runs in the
sandbox like every other validator; here a grammar is only parsed.
"""

from collections.abc import Mapping
from pathlib import Path

from judge.data import digest, read_small_file
from judge.errors import DataError, Diagnostic, ToolError
from judge.programs import JudgeProgram

_MAX_GRAMMAR = 64 * 1024  # bytes: the parser runs in this process
_PERMISSIONS = 0o755  # the sandbox may run programs as another user


def translate(grammar: Path, shown: Path, folder: Path, constants: Mapping[str, str]) -> JudgeProgram:
    """Return a program that accepts the inputs that a grammar describes.

    Args:
        grammar: the file.
        shown: the same, for messages.
        folder: where the program is written.
        constants: the texts that replace `{{name}}` in it.

    Raises:
        ToolError: the library is not installed.
        DataError: the grammar has an error.
        OSError: a file cannot be read or written.
    """
    try:
        from checktestdata.parser import ParserException, parse
        from checktestdata.tokenizer import (
            EOFException,
            UnexpectedTokenException,
            UnknownTokenException,
            tokenize,
        )
    except ImportError as error:
        raise ToolError("the Python package checktestdata is not installed") from error
    text = read_small_file(grammar, _MAX_GRAMMAR)
    if text is None:
        raise DataError([Diagnostic(path=shown, message=f"is larger than {_MAX_GRAMMAR // 1024} KiB")])
    for name, value in constants.items():
        text = text.replace(f"{{{{{name}}}}}".encode(), value.encode())
    try:
        code = parse(tokenize(text)).python_code(standalone=True)
    except (ParserException, UnexpectedTokenException, UnknownTokenException, EOFException) as error:
        token = getattr(error, "token", None)
        line, column = (token.line, token.column) if token else (0, 0)
        message = f"is not a grammar of Checktestdata: {error}"
        raise DataError([Diagnostic(path=shown, line=line, column=column, message=message)]) from error
    except (ValueError, RecursionError) as error:
        raise DataError([Diagnostic(path=shown, message=f"is not a grammar of Checktestdata: {error}")]) from error
    place = folder / "grammars" / digest(code.encode())[:16]
    place.mkdir(parents=True, exist_ok=True)
    for each in (place.parent, place):
        each.chmod(_PERMISSIONS)
    program = place / f"{grammar.stem}.py"
    program.write_text(code)
    return JudgeProgram(source=program)
