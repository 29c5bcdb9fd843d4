"""A zip file of cases, as judges offer them for download: read in memory, never extracted to the disk.

Members are named as files in a folder of cases are (`naming`). Their paths are only names here, so a member such as
`../../x.in` can do no harm. What a file may expand to is bounded.
"""

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from judge.errors import DataError, Diagnostic, UsageError
from judge.model import Case, CheckerConfig, Inline, Limits
from judge.problems.folder import folder_key, natural_key
from judge.problems.naming import (
    FOLDER_PAIRS,
    answer_names,
    answer_names_elsewhere,
    case_name,
    is_bare_number,
    is_input,
)
from judge.problems.paths import is_ignored
from judge.units import MIB, format_bytes

_MAX_MEMBERS = 100_000
_MAX_SIZE = 512 * MIB  # of all cases together, decompressed

_Folders = dict[PurePosixPath, dict[str, zipfile.ZipInfo]]


def load_zip(path: Path, *, limits: Limits, checker: CheckerConfig) -> list[Case]:
    """Return the cases in a zip file, ordered as in a folder; their groups are its folders.

    Raises:
        UsageError: there are no cases in it, or too much of everything.
        DataError: it is not a zip file, it is damaged, or it needs a password.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            folders = _list_folders(path, archive)
            pairs = list(_find_pairs(folders))
            _check_size(path, [member for pair in pairs for member in pair[2:] if member is not None])
            make = partial(Case, limits=limits, checker=checker, origin=path)
            return [
                make(group=group, name=name, input=_read_member(archive, given), answer=_read_answer(archive, answer))
                for group, name, given, answer in pairs
            ]
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        # zipfile raises the last two for an encrypted member and for an unknown compression.
        raise DataError([Diagnostic(path=path, message=f"cannot be read as a zip file: {error}")]) from error


def _list_folders(path: Path, archive: zipfile.ZipFile) -> _Folders:
    members = archive.infolist()
    if len(members) > _MAX_MEMBERS:
        raise UsageError(f"{path}: {len(members):,} files; expected at most {_MAX_MEMBERS:,}")
    folders: _Folders = {}
    for member in members:
        place = PurePosixPath(member.filename)
        if not member.is_dir() and not any(is_ignored(part) or part == "__MACOSX" for part in place.parts):
            folders.setdefault(place.parent, {})[place.name] = member
    return folders


def _find_pairs(folders: _Folders) -> Iterator[tuple[str, str, zipfile.ZipInfo, zipfile.ZipInfo | None]]:
    """Yield the group and the name of each case, its input, and its answer if there is one."""
    elsewhere = {
        place: place.with_name(FOLDER_PAIRS[place.name])
        for place in folders
        if place.name in FOLDER_PAIRS and place.with_name(FOLDER_PAIRS[place.name]) in folders
    }
    for place in sorted(folders, key=folder_key):
        if place in elsewhere.values():
            continue
        files = folders[place]
        answers = folders[elsewhere[place]] if place in elsewhere else files
        names = [name for name in files if place in elsewhere or _is_input(name, files)]
        used: set[str] = set()
        for name in sorted(names, key=lambda each: (natural_key(case_name(each)), each)):
            candidates = answer_names_elsewhere(name) if place in elsewhere else answer_names(name)
            answer = next((answers[each] for each in candidates if each in answers), None)
            short = case_name(name) if case_name(name) not in used else name
            used.add(short)
            yield place.as_posix() if place.parts else "cases", short, files[name], answer


def _is_input(name: str, files: dict[str, zipfile.ZipInfo]) -> bool:
    return f"{name}.a" in files and f"{name}.in" not in files if is_bare_number(name) else is_input(name)


def _check_size(path: Path, members: Sequence[zipfile.ZipInfo]) -> None:
    if not members:
        raise UsageError(f"no cases in {path}: expected inputs `x.in` and their answers `x.ans` or `x.out`")
    size = sum(member.file_size for member in members)
    if size > _MAX_SIZE:
        raise UsageError(
            f"{path}: its cases take {format_bytes(size)}, at most {format_bytes(_MAX_SIZE)} are read from a zip file; "
            "extract it, and name the folder with --cases"
        )


def _read_answer(archive: zipfile.ZipFile, member: zipfile.ZipInfo | None) -> Inline | None:
    return None if member is None else _read_member(archive, member)


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Inline:
    """Return the bytes of a member: no more than its header says, since `_check_size` believes the header."""
    with archive.open(member) as file:
        data = file.read(member.file_size + 1)
    if len(data) > member.file_size:
        raise zipfile.BadZipFile(f"{member.filename} is larger than its header says")
    return Inline(data)
