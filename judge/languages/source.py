"""The source of a program: its files, read once and copied for compilers and runs."""

import hashlib
import os
import threading
from collections.abc import Container, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import ToolError
from judge.base.units import MIB
from judge.languages.table import Language
from judge.model import Problem, Solution

MAX_SIZE = 64 * MIB  # of all files of a program


STOPPED = "the compiler was stopped"
"""How the reason of a CE begins that a limit or a signal caused: perhaps the machine is to blame, not the source."""


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


def program_options(problem: Problem, path: Path) -> SourceOptions:
    """Return the options of such a program; its links are those of the folder of its problem, if it is in that."""
    root = problem.folder if problem.folder is not None and path.is_relative_to(problem.folder) else None
    return replace(PROGRAM, constants=problem.constants, is_for_windows=problem.is_for_windows, root=root)


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
    name, main = path.name, ""
    if language.is_java:
        from judge.languages.inspection import java_names  # most sources are in other languages

        name, main = java_names(text, path.name)
    if language.runs_class:
        from judge.languages.inspection import main_classes

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


def write_files(files: Mapping[str, bytes], folder: Path, executable: Container[str] = ()) -> None:
    """Write files into a folder, which is created if necessary, by their paths in it.

    Permissions do not depend on the umask, because the sandbox may run programs as another user.

    Raises:
        OSError: one cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o755 if name in executable else 0o644)
    for parent in {folder, *(folder / parent for name in files for parent in Path(name).parents)}:
        parent.chmod(0o755)


def write_once(files: Mapping[str, bytes], folder: Path) -> None:
    """Write files into a folder in one step, unless it exists; see `write_files`."""
    if not folder.exists():
        new = folder.with_name(f".new-{threading.get_ident()}-{folder.name}")
        write_files(files, new)
        with suppress(OSError):  # another thread was faster
            new.rename(folder)


def copy_file(source: Source, folder: Path, key: str = "") -> Path:
    """Return a subfolder with a copy of a single file; written once per path, content and key.

    Raises:
        OSError: it cannot be written.
    """
    text = source.files[source.main]
    unique = hashlib.sha256(os.fsencode(source.path) + b"\0" + os.fsencode(key) + b"\0" + text).hexdigest()[:16]
    write_once({source.main: text}, folder / unique)
    return folder / unique
