"""What changes a build besides the source and the tools: flags of compilers, and folders of the user's own code.

The folders have headers and modules (`--include`). They are copied, so that compilers and runs can read them: an edit
changes nothing while a run lasts, and the sandbox need not show the user's folder, which may be private or hold answers
beside the code.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.data import digest_files
from judge.base.errors import UsageError
from judge.base.units import MIB
from judge.languages.table import LANGUAGES, Language

_MAX_FILES = 10_000
_MAX_SIZE = 64 * MIB
_DATA_SUFFIXES = (".in", ".out", ".ans")  # of test cases: a solution must not read the answers
_IGNORED = ("__pycache__", "node_modules")


class IncludedFolder(Struct, frozen=True, kw_only=True):
    """A folder that solutions may use.

    Attributes:
        path: the user's folder; absolute.
        copy: what compilers and runs read.
        digest: a hash of the names and contents of all files.
    """

    path: Path
    copy: Path
    digest: str


def copy_folder(path: Path, target: Path) -> IncludedFolder:
    """Copy the files of a folder into a subfolder of `target`; does nothing if the same content is there already.

    Hidden files, caches and data of test cases are left out, and links to folders are not followed.

    Raises:
        UsageError: it is no folder, or larger than any library.
        OSError: a file cannot be read or written.
    """
    if not path.is_dir():
        raise UsageError(f"--include {path}: no such folder")
    files: dict[str, bytes] = {}
    size = 0
    for name, file in _walk(path, ""):
        with open(file, "rb") as stream:  # noqa: PTH123 - called for every file; a Path costs more
            files[name] = stream.read(_MAX_SIZE - size + 1)
        size += len(files[name])
        if len(files) > _MAX_FILES or size > _MAX_SIZE:
            raise UsageError(
                f"--include {path}: more than {_MAX_FILES} files or {_MAX_SIZE // MIB} MiB; "
                "name the folder that holds only your library"
            )
    return _store(files, path, target)


def copy_file(path: Path, target: Path) -> IncludedFolder:
    """Copy one file into a subfolder of `target`, alone.

    Raises:
        OSError: it cannot be read or written.
    """
    return _store({path.name: path.read_bytes()}, path.parent, target)


def _store(files: dict[str, bytes], path: Path, target: Path) -> IncludedFolder:
    digest = digest_files(files)
    copy = target / f"include-{digest[:16]}"
    from judge.languages.source import write_once  # help and completion need none of it

    write_once(files, copy)
    return IncludedFolder(path=path, copy=copy, digest=digest)


def _walk(folder: Path | str, prefix: str) -> Iterator[tuple[str, str]]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            if entry.name.startswith(".") or entry.name in _IGNORED or entry.name.endswith(_DATA_SUFFIXES):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _walk(entry.path, f"{prefix}{entry.name}/")
            elif entry.is_file():
                yield f"{prefix}{entry.name}", entry.path


class BuildOptions(Struct, frozen=True, kw_only=True):
    """How to build sources.

    Attributes:
        flags: more flags of the compiler, by the id of the language; they come after those of the table, so that a
            later `-std=...` or `-O...` wins.
        include: folders with the user's own headers and modules.
        flags_from: where these flags come from, by the id of the language; for messages.
        is_static: link programs with their libraries, where that is possible: they start in half the time, and have a
            fork server (see `judge.sandbox.fork_server`).
        links_both: compile once, and link a second program with its libraries (see `judge.languages.build`).
        static: what the compiler needs for that; only while it runs.
        is_debug: build for `judge debug`.
        debugger: the interactive debugger to run the program in, by name; "" for none.
        run: the run command, if it is not that of the language.
        variables: for the runs of programs, not of compilers.
    """

    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    include: tuple[IncludedFolder, ...] = ()
    flags_from: Mapping[str, str] = field(default_factory=dict)
    is_static: bool = False
    links_both: bool = False
    static: tuple[str, ...] = ()
    is_debug: bool = False
    debugger: str = ""
    run: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)

    def add_flags(self, flags: Mapping[str, tuple[str, ...]]) -> "BuildOptions":
        """Return the options with more flags after those that they have."""
        if not flags:
            return self
        merged = {each: (*self.flags.get(each, ()), *flags.get(each, ())) for each in {**self.flags, **flags}}
        return replace(self, flags=merged)

    def flags_of(self, language: Language) -> tuple[str, ...]:
        """Return the flags to add to the compile command of a language."""
        return self.flags.get(language.id, ())

    def describe_flags(self, languages: Iterable[Language] = LANGUAGES) -> Iterator[str]:
        """Yield a sentence for each language whose compiler gets flags."""
        for language in languages:
            if flags := " ".join(self.flags_of(language)):
                origin = self.flags_from.get(language.id)
                yield f"{language.name} is compiled with {flags}{f' ({origin})' if origin else ''}"

    def environment(self, language: Language, own: Sequence[Path] = ()) -> dict[str, str]:
        """Return the variables that tell compilers and interpreters about a program's own folders and included ones."""
        folders = ":".join(map(str, (*own, *(folder.copy for folder in self.include))))
        return {name: value.replace("{include}", folders) for name, value in language.include.items() if folders}

    def key(self, language: Language) -> tuple[str, ...]:
        """Return everything in these options that determines what a program of a language does."""
        flags = self.flags_of(language)
        parts = ("flags", *flags) if flags else ()
        if self.include:
            parts += ("include", *(folder.digest for folder in self.include))
        if (self.is_static or self.links_both) and language.static:
            from judge.languages import fork_server  # most programs have none

            parts += (*language.static, *(language.link if self.links_both else ()), *fork_server.key())
        return (*parts, "debug") if self.is_debug else parts


NO_OPTIONS = BuildOptions()


def check_flags(flags: Mapping[str, tuple[str, ...]]) -> None:
    """Check that there are flags only for languages that are compiled with flags.

    Raises:
        UsageError: a language is unknown or takes none.
    """
    known = [language.id for language in LANGUAGES if language.takes_flags]
    for language in flags:
        if language not in known:
            raise UsageError(f"compile flags for {language}: expected one of {', '.join(known)}")
