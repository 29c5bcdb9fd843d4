"""problem.yaml to values."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec import UNSET, UnsetType

from judge.errors import Finding
from judge.layouts.fileformat import ProblemFile, SourceEntry
from judge.layouts.generators import Signature, read_generators
from judge.layouts.paths import Home, home, shown_path
from judge.layouts.settings import Settings, profile_settings
from judge.model import Solution, Source
from judge.yamlfile.document import Document, read
from judge.yamlfile.reader import is_sound
from judge.yamlfile.words import quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What problem.yaml says, with its files found.

    Attributes:
        functions: the public functions of the generator files by name; None when not all files could be understood.
        makes_answers: whether a case may come without an answer.
    """

    name: str = ""
    profile: str = ""
    source: Source | None = None
    settings: Settings
    validator: Path | None = None
    generators: tuple[Path, ...] = ()
    functions: Mapping[str, Signature] | None = None
    reference: Path | None = None
    independent: Path | None = None
    makes_answers: bool = True


def read_problem_file(
    folder: Path, solutions: Home, known: Mapping[Path, Solution], root: Path, findings: list[Finding]
) -> Described:
    """Read problems/<id>/problem.yaml.

    Args:
        folder: problems/<id>.
        solutions: solutions/<id>.
        known: its solutions by path.
        root: the repository's root.
        findings: what is wrong is added here; then the values are only good for finding more mistakes.
    """
    path = folder / "problem.yaml"
    document = read(path, shown_path(path, root), ProblemFile)
    reader = _Reader(document, (home(folder, root), solutions), known, root)
    described = reader.described(document.value) if document.value else Described(settings=profile_settings("icpc"))
    findings.extend(document.findings)
    findings.extend(reader.findings)
    return described


class _Reader:
    """Turns the values of one problem.yaml into what they stand for."""

    def __init__(
        self, document: Document[ProblemFile], homes: tuple[Home, Home], known: Mapping[Path, Solution], root: Path
    ) -> None:
        self.findings: list[Finding] = []
        self._document = document
        self._home, self._solutions = homes
        self._known = known
        self._root = root

    def described(self, value: ProblemFile) -> Described:
        """Return what the file says; see `Described`."""
        generators = self._generator_files(value.generators)
        reference = self._solution("reference", value.reference)
        independent = self._solution("independent", value.independent)
        if independent is not None and independent == reference:
            self._document.report("the same as `reference`: name a solution by another method", "independent")
        return Described(
            name=value.name,
            profile=value.profile,
            source=_source(value.source),
            settings=profile_settings(value.profile).adjusted(value.limits, value.checker, self._document.report),
            validator=self._file(self._home, value.validator, "validator"),
            generators=tuple(path for path in generators if path),
            functions=self._functions(generators),
            reference=reference,
            independent=independent,
            makes_answers=value.reference is not UNSET,
        )

    def _file(self, home: Home, named: str | UnsetType, *path: str | int) -> Path | None:
        if not isinstance(named, str):
            return None
        try:
            return home.file(named)
        except ValueError as error:
            self._document.report(str(error), *path)
            return None

    def _solution(self, key: str, named: str | UnsetType) -> Path | None:
        path = self._file(self._solutions, named, key)
        if path is None:
            return None
        solution = self._known.get(path)
        if solution is None:
            self._document.report(
                f"{quoted(str(named))} is no solution: expected a source file such as `accepted/x.py`", key
            )
        elif solution.expectation.name != "accepted":
            self._document.report(f"{quoted(str(named))} is not meant to be right: name a solution in `accepted`", key)
        return path

    def _generator_files(self, named: list[str] | UnsetType) -> tuple[Path | None, ...]:
        if named is UNSET or not is_sound(named):
            return () if named is UNSET else (None,)
        return tuple(self._file(self._home, each, "generators", index) for index, each in enumerate(named))

    def _functions(self, files: tuple[Path | None, ...]) -> Mapping[str, Signature] | None:
        functions: dict[str, Signature] = {}
        complete = True
        for index, path in enumerate(files):
            found = read_generators(path, shown_path(path, self._root), self.findings) if path else None
            complete = complete and found is not None
            for each in found or ():
                self._add(each, functions, index)
        return functions if complete else None

    def _add(self, function: Signature, functions: dict[str, Signature], index: int) -> None:
        other = functions.get(function.name)
        if other is None or other.fault:
            functions[function.name] = function
        elif not function.fault and function.file != other.file:
            shown = shown_path(other.file, self._root)
            message = f"the generator {quoted(function.name)} stands in {shown} too: rename one of them"
            self._document.report(message, "generators", index)


def _source(entry: SourceEntry | UnsetType) -> Source | None:
    if not isinstance(entry, SourceEntry):
        return None
    return Source(name=entry.name, url=entry.url if isinstance(entry.url, str) else "")
