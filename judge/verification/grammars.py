"""Grammars of Checktestdata (`.ctd`) as programs and in our notation: an input validator of a package may be one.

The programs run in the sandbox like every other validator; here a grammar is only parsed.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from judge.data import digest, read_small_file
from judge.errors import DataError, Diagnostic
from judge.model import Problem
from judge.programs import JudgeProgram

if TYPE_CHECKING:  # few packages have a grammar
    from judge.grammar import Grammar
    from judge.grammar.checktestdata.convert import Conversion

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
        DataError: the grammar has an error.
        OSError: a file cannot be read or written.
    """
    from judge.grammar.checktestdata.reader import ChecktestdataError
    from judge.verification.checktestdata import validator_code

    text = _read(grammar, shown, constants).decode("latin-1")
    try:
        code = validator_code(text)
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


class PackageGrammar(Struct, frozen=True, kw_only=True):
    """The grammar of Checktestdata of a package in our notation.

    Attributes:
        path: the file.
        conversion: what became of it.
        is_only: no other input validator has a say.
    """

    path: Path
    conversion: "Conversion"
    is_only: bool

    @property
    def grammar(self) -> "Grammar | None":
        """The grammar; None if the file has no counterpart."""
        from judge.grammar import Grammar

        return None if self.conversion.value is None else Grammar.from_yaml(self.conversion.value)

    @property
    def decides(self) -> bool:
        """Whether it accepts exactly the valid inputs."""
        return self.is_only and not self.conversion.accepts_more and not self.conversion.accepts_less


def find_package_grammar(problem: Problem) -> PackageGrammar | None:
    """Return the grammar of a package: its first file of Checktestdata with a counterpart; None if it has no such file.

    Raises:
        DataError: the package, or the file, cannot be read.
    """
    from judge.problems.icpc.package_files import GrammarKind, read_package_files

    if not problem.is_package or problem.folder is None or not any(problem.folder.glob("input*_validators/*.ctd")):
        return None
    files, _ = read_package_files(problem.folder, root_for_display=problem.folder)
    first = None
    for each in files.input_validators:
        if each.grammar is GrammarKind.CHECKTESTDATA:
            found = PackageGrammar(
                path=each.path,
                conversion=_convert(each.path, problem.show_file(each.path), problem.constants),
                is_only=len(files.input_validators) == 1,
            )
            if found.conversion.value is not None:
                return found
            first = first or found
    return first


def _convert(path: Path, shown: Path, constants: Mapping[str, str]) -> "Conversion":
    from judge.grammar.checktestdata.convert import convert

    try:
        text = _read(path, shown, constants).decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(
            [Diagnostic(path=shown, message="is not a grammar of Checktestdata: it is not UTF-8")]
        ) from error
    except OSError as error:
        raise DataError([Diagnostic(path=shown, message=f"cannot be read: {error.strerror}")]) from error
    return convert(text, shown)


def _read(path: Path, shown: Path, constants: Mapping[str, str]) -> bytes:
    text = read_small_file(path, _MAX_GRAMMAR)
    if text is None:
        raise DataError([Diagnostic(path=shown, message=f"is larger than {_MAX_GRAMMAR // 1024} KiB")])
    for name, value in constants.items():
        text = text.replace(f"{{{{{name}}}}}".encode(), value.encode())
    return text
