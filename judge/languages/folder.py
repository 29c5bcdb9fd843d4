"""A program of several files: read from its folder and the included ones, and copied for compilers and runs."""

import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import ToolError
from judge.base.links import LinkRoot
from judge.base.units import MIB
from judge.languages.inspection import is_python_2, main_classes
from judge.languages.source import MAX_SIZE, Source, SourceOptions, read_file, single_file, write_files
from judge.languages.table import (
    LANGUAGES,
    SCRIPTS,
    SOME_SUFFIXES,
    SUFFIXES,
    Language,
    find_language,
    language_by_id,
    language_of_text,
)

_LINK_TEXT = re.compile(rb"(?:\.\./)+[\w./+-]+\.\w+")  # what Git writes where there are no links, and some archives
_MAX_FILES = 2000
NO_FILES: Mapping[str, Path] = MappingProxyType({})
_IGNORED = frozenset({"__pycache__"})
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inc")
_PROCESSES = re.compile(
    rb"\b(v?fork|posix_spawnp?|popen|system|exec[lv]p?e?|spawn[lv]p?e?)\s*\("
    rb"|\b(Popen|subprocess|multiprocessing|ProcessPoolExecutor|create_subprocess_\w+|child_process|ProcessBuilder)\b"
    rb"|\bgetRuntime\(\)\s*\.\s*exec\b|\bCommand::new\b|\bos/exec\b|\bProcess\.Start\b"
)
_WINDOWS_FORMAT = re.compile(rb"(%[-+ #0]{0,5}(?:\d{1,4}|\*)?(?:\.(?:\d{1,4}|\*))?)I64(?=[dioxXu])")
_CONSTANT = re.compile(rb"\{\{([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)?)\}\}")  # ICPC 2025-09, "Constants"

# Programs that consist of scripts: validators and other programs of problem packages, never submissions. A folder may
# have a `build` script, which makes the program `run`, or only `run` (ICPC 2025-09, "Other programs"). A single
# executable file names its interpreter in its first line.
RUN = Language(
    id="scripts",
    name="a `run` script",
    suffixes=(),
    tools={},
    run=("{source}",),
    may_fork=True,
    is_script=True,
)
BUILD_AND_RUN = replace(RUN, name="`build` and `run` scripts", compile=("{build}",), run=("{run}",))
EXECUTABLE = replace(RUN, id="executable", name="an executable file")


class _Files(Struct):
    """The files that were read so far, by their path in the copy; bounded.

    Attributes:
        program: the user's path of the program, for messages.
        links: where links may lead.
        origins: the user's path of each file.
    """

    program: Path
    links: LinkRoot
    contents: dict[str, bytes] = field(default_factory=dict)
    origins: dict[str, Path] = field(default_factory=dict)
    executable: set[str] = field(default_factory=set)
    size: int = 0

    def add(self, name: str, path: Path, text: bytes | None = None) -> None:
        """Read a file; it replaces one of the same name.

        Raises:
            ToolError: it is not a regular file, or all files together are too large or too many.
            OSError: it cannot be read.
        """
        status = path.stat()
        if not S_ISREG(status.st_mode):
            raise ToolError(f"{path} is not a regular file; remove it from the program {self.program}")
        self.size += status.st_size if text is None else len(text)
        if self.size > MAX_SIZE or len(self.contents) >= _MAX_FILES:
            raise ToolError(
                f"{self.program}: more than {_MAX_FILES} files or {MAX_SIZE // MIB} MiB; "
                "a program's folder should hold only its own files"
            )
        content = self.contents[name] = read_file(path) if text is None else text
        if _LINK_TEXT.fullmatch(content) and content.endswith(path.suffix.encode()):
            target = content.decode()
            raise ToolError(f"{path} is only the text of a link to {target}: make it a link again, or copy the file")
        self.origins[name] = path
        self.executable.discard(name)
        if status.st_mode & 0o111:
            self.executable.add(name)

    def add_folder(self, folder: Path) -> None:
        """Read all files of a folder and its subfolders, hidden ones excepted; see `add`."""
        for name, path in self._walk(folder, "", (os.path.realpath(folder),)):
            self.add(name, path)

    def add_included(self, path: Path) -> None:
        """Read a file, or all files of a folder; see `add`."""
        if path.is_dir():
            self.add_folder(path)
            return
        if path.is_symlink():
            self.check_link(path)
        self.add(path.name, path)

    def check_link(self, path: Path) -> None:
        """Check that a link leads to where it may.

        Raises:
            ToolError: it does not; a program must not copy other files of the user.
        """
        if reason := self.links.find_error(path):
            raise ToolError(f"{path} {reason}: copy the file instead")

    def _walk(self, folder: Path, prefix: str, parents: tuple[str, ...]) -> Iterator[tuple[str, Path]]:
        # names that begin with a dash or a period are auxiliary (ICPC 2025-09, "General requirements")
        for entry in sorted(os.scandir(folder), key=lambda each: each.name):
            if entry.name.startswith((".", "-")) or entry.name in _IGNORED:
                continue
            path = folder / entry.name
            if entry.is_symlink():
                self.check_link(path)
            if not S_ISDIR(path.stat().st_mode):
                yield prefix + entry.name, path
                continue
            real = os.path.realpath(path)
            if real in parents:
                raise ToolError(f"{path} is a link to a folder that contains it: remove it")
            yield from self._walk(path, f"{prefix}{entry.name}/", (*parents, real))


def starts_processes(contents: Mapping[str, bytes], language: Language) -> bool:
    """Return whether sources or headers of a program name a function that starts processes; in a comment, too.

    Two-phase problems of Kattis have drivers that fork, and validators or generators may run other programs. Contest
    systems let them. Other programs keep the stricter sandbox, and can start warm.
    """
    return any(
        _PROCESSES.search(content)
        for name, content in contents.items()
        if _belongs_to(name, language) or name.endswith(HEADERS)
    )


def read_program(
    path: Path, options: SourceOptions, text: bytes | None = None, beside: Mapping[str, Path] = NO_FILES
) -> Source:
    """Read a program of any form; see `read_source`. Files `beside` it are included, by their path in the copy.

    Raises:
        ToolError: as there; or there are too many files, or a link leads to where it must not.
        OSError: a file cannot be read.
    """
    is_folder = text is None and path.is_dir()
    files = _Files(path, LinkRoot.of(options.root or path))
    if options.root is not None and path.is_symlink():
        files.check_link(path)
    if is_folder:
        files.add_folder(path)
    else:
        files.add(path.name, path, text)
    own = tuple(files.contents)
    language = _find_scripts(path, files, options) or _decide_language(path, files.contents, options)
    places = [place for each in ("default", language.code) for place in options.include.get(each, ())]
    for place in places:
        files.add_included(place)
    for name, file in beside.items():
        files.add(name, file)
    included = {name: origin for name, origin in files.origins.items() if any(map(origin.is_relative_to, places))}
    included |= beside
    contents = {name: adapt(content, language, options) for name, content in files.contents.items()}
    of_jury = contents if options.allows_scripts else {name: contents[name] for name in included}
    may_fork = starts_processes(of_jury, language)
    if language.is_script:
        return _script(path, language, contents, files)
    if not is_folder:
        only = single_file(path, contents[path.name], language, options.entry_point)
        if not included:
            return replace(only, executable=frozenset(files.executable & set(own)), may_fork=may_fork)
        if path.name not in included:  # a compiler may want another name
            contents = {**only.files, **{name: contents[name] for name in included}}
            own = (only.main,)
    sources = tuple(sorted(name for name in contents if _belongs_to(name, language))) or own
    own = tuple(name for name in own if name not in included) or own
    main, entry_point = _find_main(path, language, own, sources, contents, entry_point=options.entry_point)
    sources = (*(name for name in sources if name != main), main)  # some compilers want the main file last
    return Source(
        path=path,
        language=language,
        files=dict(sorted(contents.items())),
        sources=sources,
        main=main,
        entry_point=entry_point,
        included=included,
        executable=frozenset(files.executable & contents.keys()),
        is_folder=True,
        may_fork=may_fork,
    )


def copy_files(source: Source, folder: Path) -> Path:
    """Write all files of a source into a new subfolder of `folder`, and return it.

    A new one each time: a script of an earlier build may have put links into its own.

    Raises:
        OSError: a file cannot be written.
    """
    place = Path(tempfile.mkdtemp(prefix="program-", dir=folder))
    write_files(source.files, place, source.executable)
    return place


def _find_scripts(path: Path, files: _Files, options: SourceOptions) -> Language | None:
    """Return the language of a program that consists of scripts; None if it has a usual language."""
    if not options.allows_scripts or options.language:
        return None
    scripts = [name for name in SCRIPTS if name in files.contents] if path.is_dir() else []
    if scripts:
        return BUILD_AND_RUN if "build" in scripts else RUN
    content = files.contents.get(path.name, b"")
    return EXECUTABLE if content.startswith(b"#!") and path.suffix.lower() not in SUFFIXES else None


def _script(path: Path, language: Language, contents: dict[str, bytes], files: _Files) -> Source:
    """Return the source of a program that consists of scripts, or of one executable file."""
    names = [name for name in SCRIPTS if name in contents] if path.is_dir() else [path.name]
    return Source(
        path=path,
        language=language,
        files=dict(sorted(contents.items())),
        sources=tuple(names),
        main=names[-1],
        executable=frozenset(files.executable) | set(names),  # as DOMjudge marks `build` and `run` on import
        is_folder=True,
    )


def _decide_language(path: Path, contents: Mapping[str, bytes], options: SourceOptions) -> Language:
    """Return the language of all files with a known suffix; headers and data have none.

    Raises:
        ToolError: there is none, or more than one.
    """
    if options.language:
        return language_by_id(options.language, path)
    if not path.is_dir():
        return _language_of_file(path, contents[path.name], options)
    found: dict[str, list[str]] = {}
    for name in contents:
        if Path(name).suffix.lower() in SUFFIXES:
            found.setdefault(_language_of_file(Path(name), contents[name], options).id, []).append(name)
    if set(found) in ({"python2", "python3"}, {"pypy3", "python3"}):  # the first line of one file decides for all
        del found["python3"]
    if len(found) == 1:
        return language_by_id(next(iter(found)), path)
    if not found:
        raise ToolError(f"{path}: no source files; expected files with {SOME_SUFFIXES}")
    names = {language.id: language.name for language in LANGUAGES}
    listed = ", ".join(f"{names[each]} ({files[0]})" for each, files in sorted(found.items()))
    raise ToolError(
        f"{path}: files in several languages: {listed}; remove what does not belong to the program, or name its "
        "language (`language` in submissions.yaml)"
    )


def _language_of_file(path: Path, content: bytes, options: SourceOptions) -> Language:
    """Return the language of a file; a program that judges may be in Python 2 without saying so, as in old packages."""
    language = language_of_text(path, content)
    if options.allows_scripts and language.id == "python3" and path.suffix == ".py" and is_python_2(content):
        return language_by_id("python2", path)
    return language


def _belongs_to(name: str, language: Language) -> bool:
    """Return whether a file is a source of a language."""
    suffix = Path(name).suffix
    if suffix.lower() in language.other_suffixes:
        return True
    return suffix.lower() in SUFFIXES and find_language(Path(name)).id == language.id


def adapt(content: bytes, language: Language, options: SourceOptions) -> bytes:
    """Return a file of a program as it is built: with constants replaced, and with the formats of Linux.

    glibc reads `%I64d` as a flag and a width, so programs for Windows would silently write wrong numbers.
    """
    if constants := options.constants:

        def replace_constant(found: re.Match[bytes]) -> bytes:
            name = found[1].decode()
            value = constants.get(name, constants.get(name.removesuffix(".value")))
            return found[0] if value is None else value.encode()

        content = _CONSTANT.sub(replace_constant, content)
    if options.is_for_windows and language.id in {"c", "cpp"} and b"I64" in content:
        content = _WINDOWS_FORMAT.sub(rb"\1ll", content)
    return content


def _find_main(
    path: Path,
    language: Language,
    own: Sequence[str],
    sources: Sequence[str],
    contents: Mapping[str, bytes],
    *,
    entry_point: str,
) -> tuple[str, str]:
    """Return the file and the class that run.

    `own` are the program's own files, without included ones, and `sources` those of the language. The entry point is
    what the package or the user says; "" for nothing.

    Raises:
        ToolError: the entry point is not one of the files.
    """
    if language.is_java or language.runs_class:
        classes = list(main_classes(language, {name: contents[name] for name in sources}))
        default = "MainKt" if language.id == "kotlin" else "Main"  # else the first by the name of its file
        return sources[0], entry_point or (default if default in classes or not classes else classes[0])
    if language.compiles_all:
        return sources[0], ""
    if entry_point:
        for name in (entry_point, *(entry_point + suffix for suffix in language.suffixes)):
            if name in contents:
                return name, ""
        listed = ", ".join(sources[:5]) + (", ..." if len(sources) > 5 else "")
        raise ToolError(f"{path}: the entry point `{entry_point}` is none of its files: {listed}")
    by_lower_name = {name.lower(): name for name in sources}
    for wanted in language.main_files or [f"main{suffix}" for suffix in language.suffixes]:
        if wanted in by_lower_name:
            return by_lower_name[wanted], ""
    # As at Kattis and in BAPCtools (languages.yaml, `mainfile`): `main` with any suffix, else the first by name.
    mine = _find_drivers(own, sources, contents) or [name for name in sources if name in own] or list(sources)
    top = [name for name in mine if "/" not in name] or mine
    return min(top, key=lambda name: (Path(name).stem.lower() != "main", name)), ""


def _find_drivers(own: Sequence[str], sources: Sequence[str], contents: Mapping[str, bytes]) -> list[str]:
    """Return the included modules in Python that import the program: one of them runs, whatever its name.

    The format wants it to be called `main.py`, but at Kattis the first file by name runs, such as `grader.py`. What
    the program itself imports is a library.
    """
    mine = [name for name in own if name.endswith(".py")]
    others = [name for name in sources if name not in own and name.endswith(".py")]
    return [
        name
        for name in others
        if any(_imports(contents[name], each) for each in mine)
        and not any(_imports(contents[each], name) for each in mine)
    ]


def _imports(source: bytes, name: str) -> bool:
    """Return whether a source in Python imports the module in a file, at the beginning of a line."""
    module = re.escape(Path(name).stem.encode())
    return bool(re.search(rb"^(?:import|from)[ \t]+(?:[\w.]+[ \t]*,[ \t]*)*%s\b" % module, source, re.MULTILINE))
