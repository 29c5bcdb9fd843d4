"""The command that runs one case of one solution again, ready to be pasted into a shell."""

import glob
from collections.abc import Sequence
from pathlib import Path

from judge.model import Case, Problem, Solution


def rerun_command(
    problem: Problem,
    solution: Solution,
    case: Case | None = None,
    *,
    options: Sequence[str] = (),
    ascii_only: bool = False,
) -> str:
    """Return the command; without a case it runs all of them.

    A file in the problem's solutions folder says by its place which problem it solves. For any other the command names
    the problem, if there is one. `options` are those of the first run that matter, `--cases DIR` among them.
    """
    file = _no_option(solution.shown)
    if problem.folder is None:
        words = ["judge", "run", "--solution", file]
    elif path_in_solutions(problem, solution) is None:
        words = ["judge", "run", problem.id, "--solution", file]
    else:
        words = ["judge", "run", file]
    words += options
    if case is not None:
        words += ["--case", glob.escape(case.id)]
    return " ".join(quoted(word, ascii_only=ascii_only) for word in words)


def path_in_solutions(problem: Problem, solution: Solution) -> Path | None:
    """Return the solution's path below `solutions/<id>/`, beside the folder of problems; None when it is elsewhere."""
    if problem.folder is None:
        return None
    home = problem.folder.parent.parent / "solutions" / problem.id
    return solution.path.relative_to(home) if solution.path.is_relative_to(home) else None


def quoted(word: str, *, ascii_only: bool = False) -> str:
    """Quote one word for a shell; what a terminal must not or cannot show raw becomes `$'...'`."""
    from shlex import quote  # it takes 2 ms to import, and most reports have no command

    return quote(word) if word.isprintable() and (word.isascii() or not ascii_only) else _ansi_c(word)


def _ansi_c(word: str) -> str:
    """Quote as POSIX 2024 and all common shells read it: dollar-single-quotes."""
    raw = word.encode("utf-8", "surrogateescape")
    return "$'" + "".join(chr(byte) if _plain(byte) else f"\\x{byte:02x}" for byte in raw) + "'"


def _plain(byte: int) -> bool:
    return 0x20 <= byte < 0x7F and byte not in b"\\'"


def _no_option(path: str) -> str:
    """Keep a path that starts with a dash from being read as an option."""
    return f"./{path}" if path.startswith("-") else path
