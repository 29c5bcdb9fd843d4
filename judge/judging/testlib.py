"""Where `testlib.h` is found, the header of most checkers of Codeforces: the user's file, never part of the judge.

https://github.com/MikeMirzayanov/testlib
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from judge.errors import ToolError
from judge.links import LinkRoot

NAME = "testlib.h"
_WORD = b"testlib.h"
_PACKAGE_FOLDERS = ("", "files", "output_validator", "output_validators", "input_validators", "include", "check")


def needs_testlib(files: Iterable[tuple[str, bytes]]) -> bool:
    """Return whether a program includes `testlib.h` and does not bring it.

    Args:
        files: the names and contents of its files.
    """
    found = False
    for name, text in files:
        if name.rpartition("/")[2] == NAME:
            return False
        found = found or _WORD in text
    return found


def find_testlib(source: Path, folder: Path | None, setting: Path | None) -> Path:
    """Return the `testlib.h` of a program: beside it, in the problem's folder, or the user's.

    Args:
        source: the file or folder of the program.
        folder: of the problem; links are followed as far as `LinkRoot` allows it.
        setting: what the user has set: the file, or its folder.

    Raises:
        ToolError: there is none; the message says where it was looked for, and what to do.
    """
    places = list(_places(source, folder))
    for place in places:
        path = place / NAME
        if path.is_file() and (folder is None or LinkRoot.of(folder).find_error(path) is None):
            return path
    if setting is not None:
        path = setting / NAME if setting.is_dir() else setting
        if path.is_file():
            return path
        raise ToolError(f"{path}, which the setting `testlib` names, is not a file; correct the setting")
    looked = ", ".join(str(place) for place in places)
    raise ToolError(
        f"testlib.h is not in {looked}; download it from https://github.com/MikeMirzayanov/testlib and put it there, "
        'or set its path in a settings file: testlib = "PATH"'
    )


def _places(source: Path, folder: Path | None) -> Iterator[Path]:
    places = [source if source.is_dir() else source.parent]
    if folder is not None:
        places += [folder / name if name else folder for name in _PACKAGE_FOLDERS]
    yield from (place for place in dict.fromkeys(places) if place.is_dir())
