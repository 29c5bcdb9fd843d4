"""Zip files from anyone: of cases, which are read in memory, and of packages and submissions, which are extracted.

What is read is checked before. Nothing is written outside of the folder: no member has an absolute path,
`..`, or a link above it, and links lead to members. Nothing is larger than its header says, and the headers together
are bounded.
"""

import os
import shlex
import shutil
import time
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from stat import S_IFMT, S_ISDIR, S_ISLNK, S_ISREG
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, UsageError
from judge.base.files import as_word
from judge.base.units import GIB, MIB, format_bytes
from judge.languages.table import SCRIPTS
from judge.model import Case, InFile, Inline, Problem
from judge.problems.folder import INPUTS, load_cases
from judge.problems.paths import contest_folders, is_package
from judge.problems.yaml.text import quote

# ---- cases ---------------------------------------------------------------------------------------------------------

_OF_PACKAGES = ("problem.yaml", "domjudge-problem.ini", "problem.xml")
_MAX_CASE_SIZE = 512 * MIB  # of all cases together, decompressed


def load_zip(path: Path, problem: Problem) -> list[Case]:
    """Return the cases in a zip file, judged as the problem says, ordered as in a folder; their groups are its folders.

    Raises:
        UsageError: there are no cases in it.
        DataError: as from `extract_zip`, but only cases count: a large or encrypted file beside them is not read.
    """
    with TemporaryDirectory() as folder, _open_zip(path, path) as opened:
        top = Path(folder).resolve() / "cases"
        files, links = _list_members(path, opened)
        if any(name.name in _OF_PACKAGES for name, _ in files):
            raise UsageError(f"{path} is a problem package, not cases: judge run {shlex.quote(as_word(path))} FILE")
        top.mkdir()
        for name, _ in files:  # empty: their names say which are cases
            (top / name).parent.mkdir(parents=True, exist_ok=True)
            (top / name).touch()
        _make_links(path, opened, links, top)
        try:
            cases, _ = load_cases(top, problem)
        except UsageError:
            raise UsageError(f"no cases in {path}: expected {INPUTS}") from None
        members = {top / name: info for name, info in files}

        def find(source: object) -> zipfile.ZipInfo:
            assert isinstance(source, InFile)
            return members[source.path.resolve()]

        _check_content(
            path,
            [find(source) for each in cases for source in (each.input, each.answer) if source is not None],
            _MAX_CASE_SIZE,
            "; extract it, and name the folder with --cases",
        )
        is_flat = any(each.group == top.name for each in cases)  # else `cases` is a folder in the archive
        return [
            replace(
                each,
                group=each.group if is_flat else each.group.removeprefix(f"{top.name}/"),
                origin=path,
                input=Inline(opened.read(find(each.input))),
                answer=each.answer and Inline(opened.read(find(each.answer))),
            )
            for each in cases
        ]


# ---- packages ------------------------------------------------------------------------------------------------------

_MAX_MEMBERS = 200_000
_MAX_SIZE = 4 * GIB  # of all files, decompressed
_RATIO_FROM = 256 * MIB
_MAX_RATIO = 200  # of large archives; data of cases rarely shrinks to less than 1/50
_IGNORED = ("__MACOSX", ".DS_Store")

_Member = tuple[PurePosixPath, zipfile.ZipInfo]


def unpack_package(archive: Path, folder: Path, report: Callable[[], object] = lambda: None) -> Path:
    """Extract a zip file into an empty folder; return the folder of the package, or that of a contest's packages.

    It is the only folder of the archive, or a new one with the name of the archive. `report` is called for each file.

    Raises:
        UsageError: there is no package in it.
        DataError: it is not a zip file, is damaged or encrypted, or has members that could do harm.
        OSError: the disk is full, for instance.
    """
    top = folder / (archive.stem or "package")
    extract_zip(archive, top, report, most=_MAX_SIZE)
    inside = [path for path in top.iterdir() if path.is_dir()] if top.is_dir() else []
    places = [top, *inside] if len(inside) == 1 else [top]
    for has_packages in (is_package, contest_folders):
        if found := next(filter(has_packages, places), None):
            return found
    raise UsageError(
        f"{archive}: no package in this zip file: expected problem.yaml beside data/ or submissions/, or problem.xml "
        "beside files/, at the top or in its only folder, or a folder of packages there; for a zip file of cases: "
        "judge run FILE --cases ZIP"
    )


def extract_zip(
    archive: Path, top: Path, report: Callable[[], object] = lambda: None, *, most: int, shown: Path | None = None
) -> int:
    """Extract a zip file of at most `most` bytes into a new folder; return how many it has.

    `report` is called for each file. Messages call the zip file `shown`.

    Raises:
        DataError: it is not a zip file, is damaged or encrypted, or has members that could do harm.
        OSError: the disk is full, for instance.
    """
    shown = shown or archive
    with _open_zip(archive, shown) as opened:
        files, links = _list_members(shown, opened)
        size, packed = _check_content(shown, opened.infolist(), most), archive.stat().st_size
        if size > _RATIO_FROM and size > _MAX_RATIO * packed:
            raise _refuse(shown, f"expands to {format_bytes(size)}, more than {_MAX_RATIO} times its size")
        top.mkdir()
        _extract(opened, files, top, report)
        _make_links(shown, opened, links, top)
        return size


@contextmanager
def _open_zip(archive: Path, shown: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(archive) as opened:
            yield opened
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError) as error:
        # zipfile raises the last ones for an unknown compression or a damaged directory.
        raise _refuse(shown, f"cannot be read as a zip file: {error}") from error


def _check_content(archive: Path, infos: Sequence[zipfile.ZipInfo], most: int, advice: str = "") -> int:
    """Return how many bytes members have together."""
    size = sum(info.file_size for info in infos)
    if size > most:
        raise _refuse(archive, f"expands to {format_bytes(size)}; at most {format_bytes(most)} are extracted{advice}")
    if found := next((info for info in infos if info.flag_bits & 1), None):
        raise _refuse(archive, f"is encrypted ({quote(found.filename)}): extract it with its password")
    return size


def _list_members(archive: Path, opened: zipfile.ZipFile) -> tuple[list[_Member], list[_Member]]:
    """Return the files and the links, with their paths; folders follow from them."""
    infos = opened.infolist()
    if len(infos) > _MAX_MEMBERS:
        raise _refuse(archive, f"has {len(infos):,} members; expected at most {_MAX_MEMBERS:,}")
    found: tuple[list[_Member], list[_Member]] = [], []
    files: set[PurePosixPath] = set()
    folders: set[PurePosixPath] = set()
    for info in infos:
        path = _check_member(archive, info)
        if any(part in _IGNORED for part in path.parts):
            continue
        folders.update(path.parents)
        if info.is_dir():
            folders.add(path)
            continue
        if path in files:
            raise _refuse(archive, f"has {quote(info.filename)} twice")
        files.add(path)
        found[S_ISLNK(info.external_attr >> 16)].append((path, info))
    if both := files & folders:
        raise _refuse(archive, f"has {quote(str(min(both)))} as a file and as a folder")
    return found


def _check_member(archive: Path, info: zipfile.ZipInfo) -> PurePosixPath:
    name = info.filename
    path = PurePosixPath(name)
    mode = info.external_attr >> 16
    if path.is_absolute() or ".." in path.parts or not path.parts or "\\" in name or "\0" in name:
        raise _refuse(archive, f"has a member {quote(name)}, whose path leads out of it")
    # File systems allow 255 bytes for a name. The path is below a temporary folder, so it may have fewer than theirs.
    if len(os.fsencode(name)) > 2048 or any(len(os.fsencode(part)) > 255 for part in path.parts):
        raise _refuse(archive, f"has a member {quote(name[:80] + '...')}, whose path is too long")
    if S_IFMT(mode) and not (S_ISREG(mode) or S_ISDIR(mode) or S_ISLNK(mode)):
        raise _refuse(archive, f"has a member {quote(name)} that is not a file, folder or link")
    return path


def _extract(opened: zipfile.ZipFile, members: Sequence[_Member], top: Path, report: Callable[[], object]) -> None:
    """Write the files; no link exists yet, so every path leads where it says."""
    made: set[Path] = set()
    for path, info in members:
        target = top / path
        if target.parent not in made:
            target.parent.mkdir(parents=True, exist_ok=True)
            made.add(target.parent)
        with opened.open(info) as source, target.open("xb") as file:
            shutil.copyfileobj(source, file)  # no more than its header says, or zipfile finds another checksum
        with suppress(OverflowError, ValueError, OSError):  # any numbers are allowed
            date = time.mktime((*info.date_time, 0, 0, -1))
            os.utime(target, (date, date))
        mode = info.external_attr >> 16  # 0: archives made on Windows have none
        if mode & 0o100 or (not mode and path.name in SCRIPTS):
            target.chmod(0o755)
        report()


def _make_links(archive: Path, opened: zipfile.ZipFile, members: Sequence[_Member], top: Path) -> None:
    for path, info in members:
        if info.file_size > 4096:
            raise _refuse(archive, f"has a link {quote(info.filename)} with a path of {info.file_size:,} bytes")
        leads_to = os.fsdecode(opened.read(info))
        target = Path(os.path.normpath(top / path.parent / leads_to))
        if os.path.isabs(leads_to) or not target.is_relative_to(top):  # noqa: PTH117 - any text is allowed
            raise _refuse(archive, f"has a link {quote(info.filename)} that leads out of it")
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).symlink_to(leads_to)
    real = top.resolve()
    for path, info in members:  # through other links
        if not (top / path).resolve().is_relative_to(real):
            shutil.rmtree(top)
            raise _refuse(archive, f"has a link {quote(info.filename)} that leads out of it")


def _refuse(archive: Path, message: str) -> DataError:
    return DataError([Diagnostic(path=archive, message=message)])
