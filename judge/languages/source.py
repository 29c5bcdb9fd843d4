"""Source files: reading them, copying them for compilers and runs, and the names that Java derives from them."""

import hashlib
import os
import re
import threading
from pathlib import Path
from stat import S_ISREG

from judge.errors import ToolError


def read_source(source: Path) -> bytes:
    """Return the content of a source file.

    Raises:
        ToolError: it is not a regular file; reading a pipe or a device might never end.
        OSError: it cannot be read.
    """
    if not S_ISREG(source.stat().st_mode):
        raise ToolError(f"{source} is not a regular file; expected a source file")
    return source.read_bytes()


def copy_source(source: Path, text: bytes, folder: Path, name: str, key: str = "") -> Path:
    """Return a copy of a source in its own subfolder; written once per path, content and key.

    Its permissions do not depend on the umask, because the sandbox may run programs as another user.

    Raises:
        OSError: it cannot be written.
    """
    unique = hashlib.sha256(os.fsencode(source) + b"\0" + os.fsencode(key) + b"\0" + text).hexdigest()[:16]
    copy = folder / unique / name
    if not copy.exists():
        copy.parent.mkdir(exist_ok=True)
        copy.parent.chmod(0o755)
        new = copy.with_name(f".new-{threading.get_ident()}")
        new.write_bytes(text)
        new.chmod(0o644)
        new.replace(copy)
    return copy


# Hostile sources must not cost more than one pass: unclosed comments and strings extend to the end, and the number of
# modifiers is bounded.
_NOT_CODE = re.compile(
    rb"""//[^\n]*|/\*.*?(?:\*/|\Z)|"{3}(?:\\?.)*?(?:"{3}|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?""", re.DOTALL
)
_CLASS = rb"(?P<public>\bpublic\s+(?:\w+\s+){0,8})?\b(?:class|record|enum|interface)\s+(?P<name>[\w$\x80-\xff]+)"
_MAX_NAME = 250  # bytes without the suffix: the limit of file systems
_PACKAGE = rb"\bpackage\s+(?P<package>[^\s;{}][^;{}]{0,499});"
_WORD = re.compile(_CLASS + rb"|(?P<main>\bvoid\s+main\s*\()|(?P<brace>[{}])|" + _PACKAGE)


def java_names(text: bytes, name: str) -> tuple[str, str]:
    """Return the file name that a Java compiler expects for a source, and the class whose `main` runs.

    The file has the name of its public class, if there is one. `main` belongs to the outermost class around it, whose
    name includes the package.
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
    is_usable = 0 < len(os.fsencode(public)) <= _MAX_NAME  # otherwise the compiler reports what is wrong
    return f"{public}.java" if is_usable else name, package + (main or public or Path(name).stem)
