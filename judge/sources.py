"""Source files: reading them, and the copies that are compiled and run in their place."""

import hashlib
import os
import re
import threading
from pathlib import Path
from stat import S_ISREG

from judge.errors import ToolError


def read_source(source: Path) -> bytes:
    """Return a source's text; what is no ordinary file may never end.

    Raises:
        ToolError: it is none.
        OSError: it cannot be read.
    """
    if not S_ISREG(source.stat().st_mode):
        raise ToolError(f"{source} is no ordinary file: expected a source file")
    return source.read_bytes()


def copied(source: Path, text: bytes, folder: Path, name: str) -> Path:
    """Return a copy of a source in a folder of its own; the same text of the same file is one copy.

    Its permissions do not depend on the umask: the sandbox may run programs as another user.

    Raises:
        OSError: it cannot be written.
    """
    unique = hashlib.sha256(os.fsencode(source) + b"\0" + text).hexdigest()[:16]
    copy = folder / unique / name
    if not copy.exists():
        copy.parent.mkdir(exist_ok=True)
        copy.parent.chmod(0o755)
        new = copy.with_name(f".new-{threading.get_ident()}")
        new.write_bytes(text)
        new.chmod(0o644)
        new.replace(copy)
    return copy


_PUBLIC_CLASS = re.compile(rb"^\s*public\s+(?:final\s+|abstract\s+|strictfp\s+)*class\s+(\w+)", re.MULTILINE)
_CLASS_OR_MAIN = re.compile(rb"\b(?:class|record|enum|interface)\s+(\w+)|\bvoid\s+main\s*\(")


def java_names(text: bytes, name: str) -> tuple[str, str]:
    """Return the file name that a Java compiler wants for a source, and the class whose `main` is to be run.

    The file is named after its public class; `main` belongs to the class that is named last before it.
    """
    public = _PUBLIC_CLASS.search(text)
    wanted = f"{public[1].decode()}.java" if public else name
    last = Path(wanted).stem
    for found in _CLASS_OR_MAIN.finditer(text):
        if found[1] is None:
            return wanted, last
        last = found[1].decode()
    return wanted, Path(wanted).stem
