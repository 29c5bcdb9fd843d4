"""The programs of a problem that make and confirm its test data: the validator and the problem's own solutions."""

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from judge.errors import JudgeError, describe_error
from judge.languages.build import Program, build, read_source
from judge.languages.options import BuildOptions
from judge.languages.source import PLAIN, Source, SourceOptions, solution_options
from judge.languages.table import SUFFIXES
from judge.model import Problem
from judge.preparation.cases import DataStore
from judge.sandbox.box import Box


class BuildFailure(Struct, frozen=True):
    """Why a program cannot be used: it does not compile, its compiler is missing, or it was edited meanwhile."""

    reason: str
    fix: str = ""


def source_options(problem: Problem, path: Path) -> SourceOptions:
    """Return how one of a problem's own programs is read; in a package, other files may belong to it."""
    if problem.format == "native":
        return PLAIN
    solution = next((each for each in problem.solutions if each.path == path), None)
    if solution is not None:
        return solution_options(solution, problem.folder)
    return SourceOptions(
        include=problem.include,
        constants=problem.constants,
        is_for_windows=problem.is_for_windows,
        root=problem.folder,
    )


class Programs:
    """The programs of one problem; the first worker that needs one builds it.

    Args:
        hashes: the SHA-256 of the programs on whose behaviour facts depend.
    """

    def __init__(self, problem: Problem, hashes: Mapping[Path, str], store: DataStore) -> None:
        self._problem = problem
        self._hashes = hashes
        self._store = store
        self._locks: dict[tuple[Path, bool], threading.Lock] = {}
        self._built: dict[tuple[Path, bool], Program | BuildFailure] = {}

    def get(self, source: Path, box: Box, *, committed: bool = False) -> Program | BuildFailure:
        """Return a program, built on the first call; `committed` builds the file as it is in the last commit."""
        key = (source, committed)
        with self._locks.setdefault(key, threading.Lock()):  # atomic: a method of dict
            if key not in self._built:
                self._built[key] = self._build_committed(source, box) if committed else self._build(source, box)
            return self._built[key]

    def accepted(self) -> Iterator[Path]:
        """Yield the solutions that should print every answer: the reference, the independent one, then all others."""
        own = [path for path in (self._problem.reference, self._problem.independent) if path is not None]
        yield from own
        for folder in dict.fromkeys(path.parent for path in own):
            for path in sorted(folder.iterdir()):
                if path.suffix.lower() in SUFFIXES and not path.name.startswith((".", "_", "#")) and path not in own:
                    yield path

    def _build(self, path: Path, box: Box) -> Program | BuildFailure:
        try:
            source = read_source(path, source_options(self._problem, path))
            if source.digest != self._hashes.get(path, source.digest):
                return BuildFailure("edited while test data was being made with it", fix="run again")
            return self._build_source(source, self._store.build, box)
        except (JudgeError, OSError) as error:
            return BuildFailure(describe_error(error))

    def _build_committed(self, source: Path, box: Box) -> Program | BuildFailure:
        from judge.git import read_file, resolve_commit  # only for answers that no present solution prints

        commit = resolve_commit(source.parent, "HEAD")
        text = read_file(source.parent, commit, source.name) if commit else None
        if text is None:
            return BuildFailure("not committed")
        folder = self._store.build / "committed"
        try:
            folder.mkdir(exist_ok=True)
            folder.chmod(0o755)  # the sandbox may run programs as another user
            return self._build_source(read_source(source, text=text), folder, box)
        except (JudgeError, OSError) as error:
            return BuildFailure(describe_error(error))

    def _build_source(self, source: Source, folder: Path, box: Box) -> Program | BuildFailure:
        options = BuildOptions(flags=self._problem.compile_flags, is_static=True)
        built = build(source.path, folder, box, cache=self._store.programs, source=source, options=options)
        return built if isinstance(built, Program) else BuildFailure(f"does not compile: {built.message}")
