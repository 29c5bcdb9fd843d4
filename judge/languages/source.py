"""The source of a program: its files, read once and copied for compilers and runs, and the names that Java needs."""

import hashlib
import os
import re
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from stat import S_ISREG

from msgspec import Struct, field

from judge.errors import ToolError
from judge.languages.table import Language
from judge.model import Solution
from judge.units import MIB

MAX_SIZE = 64 * MIB  # of all files of a program


class SourceOptions(Struct, frozen=True, kw_only=True):
    """What is known about the source of a program besides its files.

    Attributes:
        language: the id of its language; "" to decide by suffixes.
        entry_point: the file or class that runs; "" for the default of the language.
        include: files, and folders with files, that are copied beside its own, by the id of a language or `default`.
        constants: texts that replace `{{name}}` in the copies.
        is_for_windows: in the copies of files in C and C++, formats such as `%I64d` are replaced by those of Linux.
        root: of its package: links must lead to where `LinkRoot` of this folder allows it, and Python may be empty.
            None for the source itself.
        allows_scripts: it may be a folder with `build` or `run` scripts or an executable file, as a validator may.
    """

    language: str = ""
    entry_point: str = ""
    include: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    is_for_windows: bool = False
    root: Path | None = None
    allows_scripts: bool = False

    @property
    def is_simple(self) -> bool:
        """Whether a source file is built as it is."""
        return not (self.include or self.constants or self.is_for_windows or self.allows_scripts)


PLAIN = SourceOptions()
"""The options of a source that stands alone."""

PROGRAM = SourceOptions(allows_scripts=True)
"""The options of a validator, checker, interactor or generator (ICPC 2025-09, "Other programs")."""


def solution_options(solution: Solution, folder: Path | None = None) -> SourceOptions:
    """Return the options of a solution; its links are those of the folder of its problem, if it is in that."""
    root = folder if folder is not None and solution.path.is_relative_to(folder) else None
    return SourceOptions(
        language=solution.language,
        entry_point=solution.entry_point,
        include=solution.include,
        constants=solution.constants,
        is_for_windows=solution.is_for_windows,
        root=root,
    )


class Source(Struct, frozen=True, kw_only=True):
    """The content of a source as it is built: all its files, and what runs.

    Attributes:
        path: the user's file or folder.
        files: the contents of all files by their path in the folder of the copy, included ones too.
        sources: those of `files` that are compiled, sorted.
        main: the one of `sources` that runs, for a language that runs or compiles a file.
        entry_point: the class that runs, for a language that runs a class; otherwise "".
        included: the user's path of each file that comes from another folder, by its path in the copy.
        executable: those of `files` that are executable.
        is_folder: it consists of several files, which belong to the folder where it runs.
        may_fork: what the jury wrote of it, such as an included driver or a validator, starts processes.
    """

    path: Path
    language: Language
    files: Mapping[str, bytes]
    sources: tuple[str, ...]
    main: str
    entry_point: str = ""
    included: Mapping[str, Path] = field(default_factory=dict)
    executable: frozenset[str] = frozenset()
    is_folder: bool = False
    may_fork: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to compile."""
        return not any(self.files[name].strip() for name in self.sources)

    @property
    def digest(self) -> str:
        """The SHA-256 of a single file, in hex; for several, of all names and contents."""
        if not self.is_folder:
            return hashlib.sha256(self.files[self.main]).hexdigest()
        hasher = hashlib.sha256()
        for name, content in self.files.items():
            word = os.fsencode(name)
            hasher.update(b"%d:%s%d%d:" % (len(word), word, name in self.executable, len(content)) + content)
        return hasher.hexdigest()

    def key(self) -> tuple[str, ...]:
        """Return what a build depends on, besides the contents."""
        return (self.main, self.entry_point)


def single_file(path: Path, text: bytes, language: Language, entry_point: str = "") -> Source:
    """Return a source that consists of one file."""
    name, main = java_names(text, path.name) if language.is_java else (path.name, "")
    if language.runs_class:
        from judge.languages.classes import main_classes

        main = next(iter(main_classes(language, {name: text})), "Main")
    return Source(
        path=path,
        language=language,
        files={name: text},
        sources=(name,),
        main=name,
        entry_point=main and (entry_point or main),
    )


def read_file(path: Path) -> bytes:
    """Return the content of a source file.

    Raises:
        ToolError: it is not a regular file, since reading a pipe or a device might never end; or it is too large.
        OSError: it cannot be read.
    """
    status = path.stat()
    if not S_ISREG(status.st_mode):
        raise ToolError(f"{path} is not a regular file; expected a source file")
    if status.st_size > MAX_SIZE:
        raise ToolError(f"{path} is larger than {MAX_SIZE // MIB} MiB; expected a source file")
    return path.read_bytes()


def copy_file(source: Source, folder: Path, key: str = "") -> Path:
    """Return a subfolder with a copy of a single file; written once per path, content and key.

    Its permissions do not depend on the umask, because the sandbox may run programs as another user.

    Raises:
        OSError: it cannot be written.
    """
    text = source.files[source.main]
    unique = hashlib.sha256(os.fsencode(source.path) + b"\0" + os.fsencode(key) + b"\0" + text).hexdigest()[:16]
    copy = folder / unique / source.main
    if not copy.exists():
        copy.parent.mkdir(exist_ok=True)
        copy.parent.chmod(0o755)
        new = copy.with_name(f".new-{threading.get_ident()}")
        new.write_bytes(text)
        new.chmod(0o644)
        new.replace(copy)
    return copy.parent


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

    The file has the name of its public class, if there is one.
    """
    public, main, package = _find_classes(text)
    is_usable = 0 < len(os.fsencode(public)) <= _MAX_NAME  # otherwise the compiler reports what is wrong
    return f"{public}.java" if is_usable else name, package + (main or public or Path(name).stem)


def java_main(text: bytes) -> str:
    """Return the class of a Java source that has a `main`; "" if none has."""
    _, main, package = _find_classes(text)
    return main and package + main


def has_java_main(text: bytes) -> bool:
    """Return whether a Java source has a `main`: in a class, or outside of all classes (JEP 512)."""
    return any(found["main"] for found in _java_words(text))


def _java_words(text: bytes) -> Iterator[re.Match[bytes]]:
    """Yield what says which classes a source has; comments and strings do not."""
    return _WORD.finditer(_NOT_CODE.sub(b" ", text))


def _find_classes(text: bytes) -> tuple[str, str, str]:
    """Return the public class of a Java source, the one with `main`, and the package with a dot; "" for none.

    `main` belongs to the outermost class around it.
    """
    public, main, outermost, package, depth = "", "", "", "", 0
    for found in _java_words(text):
        if found["brace"]:
            depth += 1 if found["brace"] == b"{" else -1
        elif found["package"]:
            package = package or os.fsdecode(b"".join(found["package"].split())) + "."
        elif found["main"]:
            main = main or outermost
        elif depth == 0:
            outermost = os.fsdecode(found["name"])
            public = public or (outermost if found["public"] else "")
    return public, main, package
