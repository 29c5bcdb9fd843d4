"""Commands for `judge debug`: the program as it is, or in an interactive debugger."""

import shutil
from pathlib import Path

from judge.errors import ToolError, UsageError
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


def debug_fields(language: Language, debugger: str, *, source: Path, place: Path) -> dict[str, str]:
    """Return the additional fields of the commands.

    Args:
        language: of the program.
        debugger: its name, or "".
        source: the user's file.
        place: the folder of its copy.

    Raises:
        ToolError: the debugger is not on this machine.
    """
    fields = {"map": f"-ffile-prefix-map={place}={source.parent}"}
    if debugger == "pdb":
        fields["pdb"] = str(Path(__file__).with_name("pdb_driver.py"))
    elif debugger:
        path = shutil.which(debugger)
        if path is None:
            raise ToolError(f"--{debugger}: `{debugger}` is not on PATH; install it, or run {language.name} without it")
        fields[debugger] = path
    return fields


def fill_input(argv: tuple[str, ...], command: tuple[str, ...], given: Path) -> tuple[str, ...]:
    """Return the words of a program in which the words of its command name the file with the input."""
    return tuple(word.replace("{input}", str(given)) if word in command else word for word in argv)
