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


# Nothing hostile may cost more than one pass: what is not closed goes on to its end, and modifiers are few.
_NOT_CODE = re.compile(
    rb"""//[^\n]*|/\*.*?(?:\*/|\Z)|"{3}(?:\\?.)*?(?:"{3}|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?""", re.DOTALL
)
_CLASS = rb"(?P<public>\bpublic\s+(?:\w+\s+){0,8})?\b(?:class|record|enum|interface)\s+(?P<name>[\w$\x80-\xff]+)"
_LONGEST_NAME = 250  # bytes, without the suffix: what file systems take
_PACKAGE = rb"\bpackage\s+(?P<package>[^\s;{}][^;{}]{0,499});"
_WORD = re.compile(_CLASS + rb"|(?P<main>\bvoid\s+main\s*\()|(?P<brace>[{}])|" + _PACKAGE)


def java_names(text: bytes, name: str) -> tuple[str, str]:
    """Return the file name that a Java compiler wants for a source, and the class whose `main` is to be run.

    The file is named after its public class, if it has one; `main` belongs to the outermost class around it, which is
    named with its package.
    """
    public, main, outermost, package, depth = "", "", "", "", 0
    for found in _WORD.finditer(_NOT_CODE.sub(b" ", text)):
        if found["brace"]:
            depth += 1 if found["brace"] == b"{" else -1
        elif found["package"]:
            package = package or os.fsdecode(b"".join(found["package"].split())) + "."
        elif found["main"]:
            main = main or outermost
        elif depth == 0:
            outermost = os.fsdecode(found["name"])
            public = public or (outermost if found["public"] else "")
    has_place = 0 < len(os.fsencode(public)) <= _LONGEST_NAME  # else the compiler says what is wrong
    return f"{public}.java" if has_place else name, package + (main or public or Path(name).stem)
