"""A package that is being made: its files, what could not be expressed in its format, and its zip file."""

import math
import os
import stat
import zipfile
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from itertools import count
from pathlib import Path
from types import MappingProxyType

import yaml
from msgspec import Struct, field

from judge.base.data import Data, write_data
from judge.base.links import LinkRoot
from judge.problems.icpc.files import NAME
from judge.problems.yaml.text import quote

_MAX_FILES = 10_000  # in one copied folder
_SKIPPED = ("__pycache__",)
_PROGRAMS = frozenset({  # folders whose files are compiled or run
    *("input_validators", "output_validators", "output_validator", "static_validator", "graders", "include", "files"),
    *("submissions", "solutions"),
})  # fmt: skip
_TIME = (1980, 1, 1, 0, 0, 0)  # the first that a zip file can hold


class Target(StrEnum):
    """The formats of packages that are written."""

    ICPC_2025_09 = "icpc-2025-09"
    ICPC_LEGACY = "icpc-legacy"
    DOMJUDGE = "domjudge"  # legacy, with the files that only DOMjudge reads
    KATTIS = "kattis"  # legacy, with a UUID
    POLYGON = "polygon"  # a full package: all tests are files

    @property
    def is_legacy(self) -> bool:
        """Whether it is the legacy version of the ICPC format."""
        return self in (Target.ICPC_LEGACY, Target.DOMJUDGE, Target.KATTIS)

    @property
    def has_top_folder(self) -> bool:
        """Whether all files are in a folder of the zip file: DOMjudge and Polygon expect none."""
        return self not in (Target.DOMJUDGE, Target.POLYGON)


class Package(Struct, kw_only=True):
    """The files of a package.

    Attributes:
        files: the data of each file, by its path in the package.
        losses: what the format cannot express, a phrase each.
        breaking: likewise, without which the package does not judge as the problem does.
        notes: what is expressed in another way, likewise; nothing is lost.
    """

    target: Target
    name: str
    files: dict[str, Data] = field(default_factory=dict)
    executable: set[str] = field(default_factory=set)
    losses: list[str] = field(default_factory=list)
    breaking: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    cases: int = 0
    submissions: int = 0

    def add(self, name: str, data: Data, *, is_executable: bool = False) -> bool:
        """Add a file; one whose name the format does not allow, or that exists, is reported. Return whether it is new.

        The name `.timelimit` counts as allowed.
        """
        is_allowed = name == ".timelimit" or all(map(NAME.fullmatch, name.split("/")))
        if not is_allowed or name in self.files:
            reason = "exists twice" if is_allowed else "the format does not allow this name"
            self.losses.append(f"{quote(name)}: {reason}")
            return False
        self.files[name] = data
        if is_executable:
            self.executable.add(name)
        return True

    def add_case(self, input_name: str, data: Data, answer_name: str, answer: Data) -> None:
        """Add the files of a case."""
        self.add(input_name, data)
        self.add(answer_name, answer)
        self.cases += 1

    def add_yaml(self, name: str, value: Mapping[str, object]) -> None:
        """Add a YAML file, in the order of its keys."""
        self.add(name, yaml.safe_dump(dict(value), sort_keys=False, allow_unicode=True, width=100).encode())

    def copy(self, source: Path, name: str, *, root: Path | None = None) -> int:
        """Add a file, or a folder with all its files; return how many were added.

        Hidden files and what compilers leave behind are left out. Links are replaced by what they lead to; those that
        lead out of `root` (default: the source), or out of the repository around it, are reported.
        """
        links = LinkRoot.of(root or (source if source.is_dir() else source.parent))
        if not source.is_dir():
            return int(self._copy_file(source, name, links))
        count = 0
        for folder, folders, files in os.walk(source, followlinks=True):
            folders[:] = [each for each in sorted(folders) if self._may_enter(Path(folder, each), source, name, links)]
            for file in sorted(each for each in files if not each.startswith(".")):
                path = Path(folder) / file
                count += self._copy_file(path, f"{name}/{path.relative_to(source).as_posix()}", links)
                if count >= _MAX_FILES:
                    self.losses.append(f"{quote(name)}: files after the first {_MAX_FILES}")
                    return count
        return count

    def _may_enter(self, folder: Path, source: Path, name: str, links: LinkRoot) -> bool:
        """Return whether the files of a folder are copied; a link out of the package to one is reported."""
        if (
            folder.name in _SKIPPED
            or folder.name.startswith(".")
            or folder.parent.resolve().is_relative_to(
                folder.resolve()  # a link to a folder around it
            )
        ):
            return False
        reason = links.find_error(folder)
        if reason:
            self._lose_file(f"{name}/{folder.relative_to(source).as_posix()}", reason)
        return reason is None

    def _copy_file(self, path: Path, name: str, links: LinkRoot) -> bool:
        reason = links.find_error(path) or (None if path.is_file() else "is not a regular file")
        if reason:
            self._lose_file(name, reason)
            return False
        real = path.resolve()
        return self.add(name, real, is_executable=os.access(real, os.X_OK))

    def _lose_file(self, name: str, reason: str) -> None:
        is_of_program = name.split("/", maxsplit=1)[0] in _PROGRAMS
        (self.breaking if is_of_program else self.losses).append(f"{quote(name)}: {reason}")


def first_name(wanted: str, is_free: Callable[[str], bool]) -> str:
    """Return a name that is free: the wanted one, or one with a number."""
    return next(name for at in count(1) if is_free(name := wanted if at == 1 else f"{wanted}-{at}"))


def plain_number(value: float) -> int | float:
    """Return a number that YAML shows without `.0` if it is whole."""
    return int(value) if math.isfinite(value) and value == int(value) else float(value)


def write_zip(packages: Sequence[Package], path: Path, more: Mapping[str, Data] = MappingProxyType({})) -> None:
    """Write a package, or those of a contest and `more` files, so that readers see either the whole file or none.

    Several packages have a folder each. The same files give the same bytes.

    Raises:
        OSError: a file cannot be read, or the zip file cannot be written.
    """
    new = path.with_name(f".new-{os.getpid()}-{os.urandom(8).hex()}")
    try:
        with new.open("xb") as file, zipfile.ZipFile(file, "w") as archive:
            for package in packages:
                top = f"{package.name}/" if package.target.has_top_folder or len(packages) > 1 else ""
                for name in sorted(package.files):
                    _write_file(archive, top + name, package.files[name], is_executable=name in package.executable)
            for name, data in sorted(more.items()):
                _write_file(archive, name, data)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def _write_file(archive: zipfile.ZipFile, name: str, data: Data, *, is_executable: bool = False) -> None:
    info = zipfile.ZipInfo(name, _TIME)
    info.create_system = 3
    info.external_attr = (stat.S_IFREG | (0o755 if is_executable else 0o644)) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    info._compresslevel = 6  # type: ignore[attr-defined] # noqa: SLF001 - public in Python 3.13
    size = len(data) if isinstance(data, bytes) else data.stat().st_size
    info.file_size = size
    with archive.open(info, "w", force_zip64=size >= zipfile.ZIP64_LIMIT) as target:
        write_data(data, target)  # type: ignore[arg-type] # a writable binary stream
