"""Commands for `judge debug`: the program as it is, or in an interactive debugger."""

import shutil
from pathlib import Path

from judge.errors import ToolError, UsageError
from judge.languages.source import Source
from judge.languages.table import Language


def debug_command(language: Language, debugger: str) -> tuple[str, ...]:
    """Return the command that runs a program of a language.

    Raises:
        UsageError: the language has no such debugger.
    """
    debug = language.debug
    if not debugger:
        return debug.run or language.run
    if debugger not in debug.debuggers:
        known = ", ".join(f"--{name}" for name in debug.debuggers)
        hint = f"expected {known}" if known else f"run it without --{debugger}"
        raise UsageError(f"--{debugger} does not debug {language.name}; {hint}")
    return debug.debuggers[debugger]


def debug_fields(source: Source, debugger: str, *, place: Path) -> dict[str, str]:
    """Return the additional fields of the commands.

    Args:
        source: of the program.
        debugger: its name, or "".
        place: the folder with the copies of its files.

    Raises:
        ToolError: the debugger is not on this machine.
    """
    folder = source.path if source.path.is_dir() else source.path.parent
    fields = {"map": f"-ffile-prefix-map={place}={folder}"}
    if debugger == "pdb":
        fields["pdb"] = str(Path(__file__).with_name("pdb_driver.py"))
    elif debugger:
        path = shutil.which(debugger)
        if path is None:
            name = source.language.name
            raise ToolError(f"--{debugger}: `{debugger}` is not on PATH; install it, or run {name} without it")
        fields[debugger] = path
    return fields


def debugged_file(source: Source, place: Path) -> Path:
    """Return the file that runs in a debugger: the user's own, unless its copy differs or comes from elsewhere."""
    path = source.path / source.main if source.path.is_dir() else source.path
    if source.is_folder and not (path.is_file() and path.read_bytes() == source.files[source.main]):
        return place / source.main
    return path


def fill_input(argv: tuple[str, ...], command: tuple[str, ...], given: Path) -> tuple[str, ...]:
    """Return the words of a program in which the words of its command name the file with the input."""
    return tuple(word.replace("{input}", str(given)) if word in command else word for word in argv)
