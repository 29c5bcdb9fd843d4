"""The files that a YAML file names."""

import os
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path

from msgspec import Struct

from judge.base.links import find_link_error
from judge.problems.paths import find_file_error, is_ignored, shown_path
from judge.problems.yaml.text import nearest, quote

Report = Callable[..., None]
"""Called with a message, and then the keys of what it concerns in a YAML file."""


class AssetRoot(Struct, frozen=True):
    """A folder whose files a YAML file may name.

    Attributes:
        shown: the folder as messages show it.
        root: of the repository, where links may lead; a real path.
    """

    folder: Path
    shown: Path
    root: str

    @classmethod
    def in_repository(cls, folder: Path, root: Path) -> "AssetRoot":
        """Return a folder of a repository; links may lead anywhere in the repository."""
        return cls(folder, shown_path(folder, root), os.path.realpath(root))

    def find(self, name: str) -> Path:
        """Return the absolute path of a file, named relative to the folder.

        Raises:
            ValueError: it is not a readable file, or a link out of the repository; the message says what to do.
        """
        path = self.folder / name
        if reason := find_file_error(path):
            fix = ""
            if reason == "does not exist":
                names: list[str] = []
                with suppress(OSError):
                    names = [each.name for each in islice(path.parent.iterdir(), 1000)]
                found = nearest(path.name, [each for each in names if not is_ignored(each)])
                near = str((path.parent / found).relative_to(self.folder)) if found else None
                fix = f": did you mean {quote(near)}?" if near else f" in {self.shown}"
            raise ValueError(f"{quote(name)} {reason}{fix}")
        if error := find_link_error(path, self.root):
            raise ValueError(f"{quote(name)} {error}")
        return path

    def find_or_report(self, name: str | None, report: Report, *keys: str | int) -> Path | None:
        """Return the path of a file as `find` does; None if none is named, or if it was reported with these keys."""
        try:
            return None if name is None else self.find(name)
        except ValueError as error:
            report(str(error), *keys)
            return None
