"""`judge new`: the files of a small, complete problem to start from; they run at once."""

import argparse
import re
from pathlib import Path

from judge.errors import StoreError, UsageError
from judge.problems.native import find_root

_SCAFFOLD = Path(__file__).parents[1] / "scaffold"
_FOLDERS = {"problem": "problems", "cases": "testcases", "solutions": "solutions"}
_ID = re.compile(r"[a-z0-9][a-z0-9_-]*")


def new_command(args: argparse.Namespace) -> int:
    """Carry out `judge new`; return the exit status."""
    name: str = args.id
    if not _ID.fullmatch(name):
        raise UsageError(f"{name}: an id has lower-case letters, digits, _ and -, and starts with a letter or digit")
    root = root_or_here(args)
    targets = {part: root / folder / name for part, folder in _FOLDERS.items()}
    if taken := [folder for folder in targets.values() if folder.exists()]:
        raise UsageError(f"{taken[0]} is there already; nothing was changed")
    for part, folder in targets.items():
        for source in sorted((_SCAFFOLD / part).rglob("*")):
            if source.is_file() and source.suffix in {".py", ".md", ".yaml"}:
                _write(folder / source.relative_to(_SCAFFOLD / part), source.read_text(encoding="utf-8"))
    print(f"made problems/{name}, testcases/{name} and solutions/{name} in {root}")
    print(f"judge them:  judge run {name}")
    return 0


def root_or_here(args: argparse.Namespace) -> Path:
    """Return the repository's root; where there is none yet, the current folder becomes one."""
    start: Path = (args.root or Path.cwd()).absolute()
    try:
        return find_root(start)
    except UsageError:
        return start


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error
