"""Grammars of Checktestdata (`.ctd`) as programs: an input validator of a package may be one.

The programs run in the sandbox like every other validator; here a grammar is only parsed.
"""

from collections.abc import Mapping
from pathlib import Path

from judge.data import digest, read_small_file
from judge.errors import DataError, Diagnostic
from judge.programs import JudgeProgram
from judge.verification.checktestdata import GrammarSyntaxError, generator_code, validator_code

_MAX_GRAMMAR = 64 * 1024  # bytes: the parser runs in this process
_PERMISSIONS = 0o755  # the sandbox may run programs as another user


def translate(
    grammar: Path, shown: Path, folder: Path, constants: Mapping[str, str], *, makes_inputs: bool = False
) -> JudgeProgram:
    """Return a program that accepts the inputs that a grammar describes, or one that makes such inputs.

    Args:
        grammar: the file.
        shown: the same, for messages.
        folder: where the program is written.
        constants: the texts that replace `{{name}}` in it.
        makes_inputs: return the program that makes inputs (`checktestdata.generator_code`).

    Raises:
        DataError: the grammar has an error.
        OSError: a file cannot be read or written.
    """
    data = read_small_file(grammar, _MAX_GRAMMAR)
    if data is None:
        raise DataError([Diagnostic(path=shown, message=f"is larger than {_MAX_GRAMMAR // 1024} KiB")])
    text = data.decode("latin-1")
    for name, value in constants.items():
        text = text.replace(f"{{{{{name}}}}}", value)
    try:
        code = generator_code(text) if makes_inputs else validator_code(text)
    except GrammarSyntaxError as error:
        message = f"is not a grammar of Checktestdata: {error}"
        raise DataError([Diagnostic(path=shown, line=error.line, column=error.column, message=message)]) from error
    place = folder / "grammars" / digest(code.encode())[:16]
    place.mkdir(parents=True, exist_ok=True)
    for each in (place.parent, place):
        each.chmod(_PERMISSIONS)
    program = place / f"{grammar.stem}.py"
    program.write_text(code)
    return JudgeProgram(source=program)
