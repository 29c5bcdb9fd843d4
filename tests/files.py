"""Files that tests write."""

from collections.abc import Mapping
from pathlib import Path


def write_files(folder: Path, files: Mapping[str, str | bytes | None]) -> Path:
    """Write the files into a folder; None leaves one out."""
    for name, content in files.items():
        if content is not None:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def write_names(folder: Path, names: str) -> Path:
    """Write files that contain their names, which are separated by blanks."""
    return write_files(folder, {name: name for name in names.split()})
