"""A folder and all below it that is somebody's work; links are followed, but not round in a circle."""

import os
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISDIR

from judge.layouts.paths import is_folder
from judge.watch.names import is_leftover


def walk(top: Path) -> Iterator[tuple[Path, bool]]:
    """Yield each folder before it is looked into, and each file; with whether it is a folder.

    What cannot be looked into is passed over, and so is a link to a folder that it lies in. Two links to the same
    folder are two folders: what they are called decides whom a change concerns.
    """
    waiting: list[tuple[Path, frozenset[tuple[int, int]]]] = [(top, frozenset())]
    while waiting:
        folder, above = waiting.pop()
        try:
            status = folder.stat()
            identity = (status.st_dev, status.st_ino)
            if not S_ISDIR(status.st_mode) or identity in above:
                continue
            yield folder, True
            entries = list(os.scandir(folder))
        except OSError:
            continue
        for entry in entries:
            if is_leftover(entry.name):
                continue
            if is_folder(entry):
                waiting.append((folder / entry.name, above | {identity}))
            else:
                yield folder / entry.name, False
