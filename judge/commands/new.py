"""`judge new`: create the files of a small, complete problem that runs at once."""

import argparse
import re
from dataclasses import dataclass
from pathlib import Path

from judge.commands.status import ExitStatus
from judge.errors import StoreError, UsageError
from judge.workspace.workspace import Workspace

EPILOG = """\
example:
  judge new sums && judge run sums

It also writes the JSON Schemas of the YAML files to .schemas, where editors find them; commit the folder.
"""

_PACKAGE = Path(__file__).parents[1]
_SCAFFOLD = _PACKAGE / "scaffold"
_FOLDERS = {"problem": "problems", "cases": "testcases", "solutions": "solutions"}
_SCHEMAS = Path(".schemas")  # in the repository: the first line of each YAML file names its schema there, for editors
_ID = re.compile(r"[a-z0-9][a-z0-9_-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `judge new` creates."""

    root: Path | None
    id: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge new`."""
    parser.add_argument("id", metavar="ID", help="lower-case letters, digits, _ and -")


def from_args(args: argparse.Namespace) -> Options:
    """Return the options.

    Raises:
        UsageError: the id is not valid.
    """
    if not _ID.fullmatch(args.id):
        raise UsageError(f"{args.id}: an id has lower-case letters, digits, _ and -, and starts with a letter or digit")
    return Options(root=args.root, id=args.id)


def execute(options: Options) -> ExitStatus:
    """Create the files; return the exit status."""
    root = Workspace.find_or_use(options.root).root
    targets = {part: root / folder / options.id for part, folder in _FOLDERS.items()}
    if existing := [folder for folder in targets.values() if folder.exists()]:
        raise UsageError(f"{existing[0]} already exists; nothing was changed")
    for part, folder in targets.items():
        for source in sorted((_SCAFFOLD / part).rglob("*")):
            if source.is_file() and source.suffix in {".py", ".md", ".yaml"}:
                _write(folder / source.relative_to(_SCAFFOLD / part), source.read_text(encoding="utf-8"))
    for source in (_PACKAGE / "schemas" / f"{name}.schema.json" for name in ("problem", "testcases")):
        _write(root / _SCHEMAS / source.name, source.read_text(encoding="utf-8"))
    print(f"created problems/{options.id}, testcases/{options.id} and solutions/{options.id} in {root}")
    print(f"next: judge run {options.id}")
    return ExitStatus.SUCCESS


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error
