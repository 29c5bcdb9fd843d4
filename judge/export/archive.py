"""A package as a zip file: the same files give the same bytes."""

import os
import stat
import zipfile
from pathlib import Path

from judge.data import write_data
from judge.export.package import Package

_TIME = (1980, 1, 1, 0, 0, 0)  # the first that a zip file can hold
_UNIX = 3
_LEVEL = 6


def write_zip(package: Package, path: Path) -> None:
    """Write a package to a zip file, so that readers see either the whole file or none.

    Raises:
        OSError: a file cannot be read, or the zip file cannot be written.
    """
    new = path.with_name(f".new-{os.getpid()}-{os.urandom(8).hex()}")
    try:
        with new.open("xb") as file, zipfile.ZipFile(file, "w") as archive:
            for name in sorted(package.files):
                _write_file(archive, package, name)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def _write_file(archive: zipfile.ZipFile, package: Package, name: str) -> None:
    top = f"{package.name}/" if package.target.has_top_folder else ""
    info = zipfile.ZipInfo(top + name, _TIME)
    info.create_system = _UNIX
    info.external_attr = (stat.S_IFREG | (0o755 if name in package.executable else 0o644)) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    info._compresslevel = _LEVEL  # type: ignore[attr-defined] # noqa: SLF001 - public in Python 3.13
    data = package.files[name]
    size = len(data) if isinstance(data, bytes) else data.stat().st_size
    info.file_size = size
    with archive.open(info, "w", force_zip64=size >= zipfile.ZIP64_LIMIT) as target:
        write_data(data, target)  # type: ignore[arg-type] # a writable binary stream
