"""The files of a package's generator: a folder, a list of files, or one file with those that it uses.

BAPCtools runs a generator that is one Python file through a link, so that it finds the modules of its own folder; and
headers lie beside a C++ generator. So the files that one file imports or includes belong to it.
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from judge.errors import ToolError
from judge.languages.build import CompileError, Program, build, read_source
from judge.languages.folder import replace_constants, starts_processes
from judge.languages.options import BuildOptions
from judge.languages.source import Source, SourceOptions, read_file
from judge.languages.table import SUFFIXES, find_language
from judge.links import LinkRoot
from judge.model import Problem
from judge.preparation.cases import DataStore
from judge.sandbox.box import Box
from judge.units import MIB

_MAX_FILES = 1000
_MAX_SIZE = 64 * MIB
_FOLDER = "generators"

# What a line imports; a relative import has no meaning in a program of one file.
_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+(\w[\w.,\t ]*))", re.MULTILINE)
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]{1,255})"', re.MULTILINE)
_C_SUFFIXES = frozenset({".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hpp", ".hh", ".hxx"})


def read_generator(sources: Sequence[Path], problem: Problem) -> Source:
    """Return the files of a generator.

    Args:
        sources: a folder, or files of which the first runs; absolute.
        problem: its links must lead to where `LinkRoot` allows it, and its constants are replaced.

    Raises:
        ToolError: it is not a program, or a link leads to where it must not.
        OSError: a file cannot be read.
    """
    for path in sources:
        _check_link(path, problem.folder)
    first, *others = sources
    options = SourceOptions(constants=problem.constants, root=problem.folder, allows_scripts=True)
    source = read_source(first, options)
    if first.is_dir():
        return source
    used = () if others else _find_used(first, problem.folder)
    files = {path.name: path for path in others if path != first}
    files |= {str(path.relative_to(first.parent)): path for path in used}
    if not files:
        return source
    contents = dict(source.files)
    size = 0
    for name, path in files.items():
        _check_link(path, problem.folder)  # also of those that were found
        text = read_file(path)
        size += len(text)
        if size > _MAX_SIZE or len(contents) >= _MAX_FILES:
            raise ToolError(f"{first}: more than {_MAX_FILES} files or {_MAX_SIZE // MIB} MiB belong to this generator")
        contents[name] = replace_constants(text, problem.constants)
    language = source.language
    return replace(
        source,
        files=dict(sorted(contents.items())),
        sources=tuple(sorted({source.main, *(name for name in files if _is_source(name, language.id))})),
        included=files,
        is_folder=True,
        may_fork=starts_processes(contents, language),
    )


def build_generator(source: Source, problem: Problem, store: DataStore, box: Box) -> Program | CompileError:
    """Build a generator.

    Its program is in a folder `generators`: the header `validation.h` of BAPCtools takes a program for a generator, not
    for a validator, if its path contains `generat`.

    Raises:
        ToolError: a tool is missing.
        SandboxError: the compiler could not be run.
        OSError: the folder cannot be written.
    """
    folder = store.build / _FOLDER
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)  # the sandbox may run programs as another user
    options = BuildOptions(flags=problem.compile_flags, is_static=True)
    return build(source.path, folder, box, cache=store.programs, source=source, options=options)


def _is_source(name: str, language: str) -> bool:
    return Path(name).suffix.lower() in SUFFIXES and find_language(Path(name)).id == language


def _check_link(path: Path, root: Path | None) -> None:
    if root is not None and (reason := LinkRoot.of(root).find_error(path)):
        raise ToolError(f"{path} {reason}: copy the file into it")


def _find_used(path: Path, root: Path | None) -> Iterator[Path]:
    """Yield the files of the same folder, or of Python packages in it, that a file uses directly or through others."""
    seen = {path}
    pending = [path]
    while pending:
        current = pending.pop()
        _check_link(current, root)
        for name in _used_names(current):
            used = path.parent / name
            for each in used.rglob("*.py") if used.is_dir() else [used]:
                if each not in seen and len(seen) < _MAX_FILES and each.is_file():
                    seen.add(each)
                    pending.append(each)
                    yield each


def _used_names(path: Path) -> Iterator[str]:
    """Yield the names of files and folders that a source may mean."""
    suffix = path.suffix.lower()
    if suffix in _C_SUFFIXES:
        for match in _INCLUDE.finditer(read_file(path)):
            name = os.fsdecode(match[1])
            if "/" not in name:
                yield name
    elif suffix in {".py", ".py3"}:
        for match in _IMPORT.finditer(read_file(path)):
            for word in (match[1] or match[2]).split(b","):
                if parts := word.split():
                    name = os.fsdecode(parts[0].split(b".")[0])
                    if name:  # not of a relative import
                        yield from (f"{name}.py", name)
