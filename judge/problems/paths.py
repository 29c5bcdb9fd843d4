"""Files and folders on disk: what is looked at, and the files that a YAML file names."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from judge.errors import Diagnostic
from judge.problems.yaml.scalars import nearest, quoted

# vim: .swa to .swp; JetBrains: ___jb_tmp___ and others; Emacs and gedit: ~; Python; C and Java compilers.
_LEFTOVERS = (
    *(f".sw{letter}" for letter in "abcdefghijklmnop"),
    *(f"___jb_{kind}___" for kind in ("bak", "old", "tmp")),
    *("~", ".bak", ".pyc", ".pyo", ".class", ".o"),
)
_MOST_NEIGHBOURS = 1000  # names that are looked at for the nearest one


def is_leftover(name: str) -> bool:
    """Return whether a file or folder is hidden or made by an editor, an interpreter or a compiler."""
    if name.startswith((".", "#")):  # .git, our own .new-X, vim's .x.swp, Kate's .x.kate-swp, Emacs's .#x and #x#
        return name[0] == "." or name.endswith("#")
    return name.endswith(_LEFTOVERS) or name == "__pycache__"


def is_ignored(name: str) -> bool:
    """Return whether the entry of a folder does not count: a leftover, or private (`_x`)."""
    return name.startswith("_") or is_leftover(name)


def shown_path(path: Path, root: Path) -> Path:
    """Return the path as messages show it: relative to the root when it is inside."""
    return path.relative_to(root) if path.is_relative_to(root) else path


def list_folder(folder: Path, shown: Path, diagnostics: list[Diagnostic]) -> list[os.DirEntry[str]]:
    """Return what a folder holds and is not ignored, by name; nothing when there is no such folder."""
    try:
        return sorted(walk_folder(folder), key=lambda entry: entry.name)
    except OSError as error:
        diagnostics.append(unlisted(shown, error))
        return []


def walk_folder(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield what a folder holds and is not ignored, in any order; nothing when there is no such folder.

    Raises:
        OSError: the folder cannot be listed, or not to its end.
    """
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if not is_ignored(entry.name):
                    yield entry
    except FileNotFoundError:
        return


def unlisted(shown: Path, error: OSError) -> Diagnostic:
    """Return that a folder cannot be listed."""
    return Diagnostic(path=shown, message=f"cannot be listed: {error.strerror}")


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder or a link to one; False where that cannot be known."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def why_no_file(path: Path | str) -> str | None:
    """Return why a path is no file that can be read, in words that follow its name; None when it is one.

    A text will do: making a `Path` takes as long as asking, and a large folder asks very often.
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - see above
    except FileNotFoundError:
        return "is a broken link" if os.path.islink(path) else "does not exist"  # noqa: PTH114 - see above
    except (OSError, ValueError) as error:
        return f"cannot be read: {error.strerror if isinstance(error, OSError) else error}"
    if S_ISDIR(mode):
        return "is a folder: expected a file"
    if not S_ISREG(mode):
        return "is no ordinary file"
    return None if os.access(path, os.R_OK) else "cannot be read: Permission denied"


@dataclass(frozen=True, slots=True)
class AssetRoot:
    """A folder whose files a YAML file may name; links may lead elsewhere within `allowed` (real paths)."""

    folder: Path
    shown: Path
    allowed: tuple[str, ...]

    def file(self, named: str) -> Path:
        """Return the named file's path, absolute.

        Raises:
            ValueError: it is no file that can be read, or a link out of the repository; the message says what to do.
        """
        path = self.folder / named
        if reason := why_no_file(path):
            hint = f": did you mean {quoted(near)}?" if (near := self._nearest(path)) else f" (in {self.shown})"
            raise ValueError(f"{quoted(named)} {reason}{hint if reason == 'does not exist' else ''}")
        real = os.path.realpath(path)
        if not any(os.path.commonpath((real, allowed)) == allowed for allowed in self.allowed):
            raise ValueError(f"{quoted(named)} is a link that leads out of the repository: put the file inside")
        return path

    def _nearest(self, path: Path) -> str | None:
        try:
            names = [each.name for each in islice(path.parent.iterdir(), _MOST_NEIGHBOURS) if not is_ignored(each.name)]
        except OSError:
            return None
        near = nearest(path.name, names)
        return str((path.parent / near).relative_to(self.folder)) if near else None


def asset_root(folder: Path, root: Path) -> AssetRoot:
    """Return a folder of the repository as a place of named files."""
    return AssetRoot(folder, shown_path(folder, root), (os.path.realpath(folder), os.path.realpath(root)))
