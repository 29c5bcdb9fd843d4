"""`judge demo`: make a folder with a problem, its samples and three solutions, to try the judge on."""

import os
import shlex
from pathlib import Path
from typing import Annotated

from judge.base.errors import UsageError
from judge.base.files import as_word, write_atomically
from judge.cli.commands import ExitStatus
from judge.cli.commands.arguments import positional
from judge.cli.commands.options import Arguments

EPILOG = """\
Two of the solutions are wrong: a.py fails a sample, and b.py passes them all.

examples:
  judge demo
  judge run demo/a.py
  judge hack demo/b.py --reference demo/brute.py
"""

_SCAFFOLD = Path(__file__).parents[2] / "scaffold/demo"


class Options(Arguments, frozen=True, kw_only=True):
    """Where `judge demo` makes the folder."""

    folder: Annotated[Path, positional("DIR", "the folder to make (default: demo)", nargs="?")] = Path("demo")


def execute(options: Options) -> ExitStatus:
    """Make the folder; return the exit status.

    Raises:
        UsageError: it exists.
        OSError: it cannot be written.
    """
    folder = options.folder
    if os.path.lexists(folder):
        raise UsageError(f"{folder} already exists; nothing was changed; to make another folder: judge demo DIR")
    for source in sorted(_SCAFFOLD.iterdir()):
        if source.is_file():
            write_atomically(folder / source.name, source.read_bytes())
    print(f"created {folder} with the problem in {folder / 'README.md'}, three samples and three solutions")
    first, second, reference = (as_word(folder / name) for name in ("a.py", "b.py", "brute.py"))
    print("next: " + shlex.join(["judge", "run", first]))
    print("      " + shlex.join(["judge", "hack", second, "--reference", reference]))
    return ExitStatus.SUCCESS
