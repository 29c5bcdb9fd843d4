"""problem.yaml to values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import UNSET, UnsetType

from judge.errors import Diagnostic
from judge.model import DEFAULT_LIMITS, CheckerConfig, Limits, ProblemSource, Solution, default_wall
from judge.problems.file_format import CheckerEntry, LimitsEntry, ProblemFile, SourceEntry
from judge.problems.generators import Signature, read_generators
from judge.problems.paths import AssetRoot, asset_root, shown_path
from judge.problems.yaml.document import Document, read
from judge.problems.yaml.readers import is_sound
from judge.problems.yaml.scalars import quoted
from judge.units import format_seconds, parse_bytes, parse_seconds

Complain = Callable[[str, str], None]  # a message, and the key whose value it is about


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What holds for a case unless it says otherwise.

    Attributes:
        wall_given: whether somebody has set the wall limit, so that it no longer follows the time limit.
    """

    limits: Limits
    checker: CheckerConfig
    wall_given: bool = False

    def adjusted(
        self, limits: LimitsEntry | UnsetType, checker: str | CheckerEntry | UnsetType, complain: Complain
    ) -> "Settings":
        """Return the settings with what a mapping says of them; only what it says is replaced.

        Args:
            limits: from the file; what was found to be wrong in it is passed over.
            checker: likewise.
            complain: is told what does not fit together.
        """
        adjusted = self
        if isinstance(limits, LimitsEntry):
            adjusted = adjusted._limited(limits, complain)
        if isinstance(checker, str | CheckerEntry):
            adjusted = replace(adjusted, checker=_config(checker))
        return adjusted

    def _limited(self, entry: LimitsEntry, complain: Complain) -> "Settings":
        old = self.limits
        cpu = parse_seconds(entry.time) if isinstance(entry.time, str) else old.cpu
        wall = old.wall if self.wall_given else default_wall(cpu)
        if isinstance(entry.wall, str):
            wall = parse_seconds(entry.wall)
        if wall < cpu:
            shown = f"`wall` ({format_seconds(wall)}) is shorter than `time` ({format_seconds(cpu)})"
            complain(f"{shown}: make it longer, or leave it out", "limits")
        limits = Limits(
            cpu=cpu,
            wall=wall,
            memory=parse_bytes(entry.memory) if isinstance(entry.memory, str) else old.memory,
            output=parse_bytes(entry.output) if isinstance(entry.output, str) else old.output,
        )
        return replace(self, limits=limits, wall_given=self.wall_given or isinstance(entry.wall, str))


def profile_settings(profile: str) -> Settings:
    """Return what holds where a problem says nothing; `uva` alone compares every byte."""
    return Settings(limits=DEFAULT_LIMITS, checker=CheckerConfig(name="exact" if profile == "uva" else "tokens"))


def _config(entry: str | CheckerEntry) -> CheckerConfig:
    if isinstance(entry, str):
        return CheckerConfig(name=entry)
    both = _number(entry.float_tolerance)
    absolute, relative = _number(entry.float_absolute_tolerance), _number(entry.float_relative_tolerance)
    return CheckerConfig(
        name=entry.name,
        case_sensitive=entry.case_sensitive is True,
        space_change_sensitive=entry.space_change_sensitive is True,
        float_absolute_tolerance=both if absolute is None else absolute,
        float_relative_tolerance=both if relative is None else relative,
    )


def _number(value: float | UnsetType) -> float | None:
    return float(value) if isinstance(value, int | float) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What problem.yaml says, with its files found.

    Attributes:
        functions: the public functions of the generator files by name; None when not all files could be understood.
        makes_answers: whether a case may come without an answer.
    """

    name: str = ""
    profile: str = ""
    source: ProblemSource | None = None
    settings: Settings
    validator: Path | None = None
    generators: tuple[Path, ...] = ()
    functions: Mapping[str, Signature] | None = None
    reference: Path | None = None
    independent: Path | None = None
    makes_answers: bool = True


def read_problem_file(
    folder: Path, solutions: AssetRoot, known: Mapping[Path, Solution], root: Path, diagnostics: list[Diagnostic]
) -> Described:
    """Read problems/<id>/problem.yaml.

    Args:
        folder: problems/<id>.
        solutions: solutions/<id>.
        known: its solutions by path.
        root: the repository's root.
        diagnostics: what is wrong is added here; then the values are only good for finding more mistakes.
    """
    path = folder / "problem.yaml"
    document = read(path, shown_path(path, root), ProblemFile)
    reader = _Reader(document, (asset_root(folder, root), solutions), known, root)
    described = reader.described(document.value) if document.value else Described(settings=profile_settings("icpc"))
    diagnostics.extend(document.diagnostics)
    diagnostics.extend(reader.diagnostics)
    return described


class _Reader:
    """Turns the values of one problem.yaml into what they stand for."""

    def __init__(
        self,
        document: Document[ProblemFile],
        homes: tuple[AssetRoot, AssetRoot],
        known: Mapping[Path, Solution],
        root: Path,
    ) -> None:
        self.diagnostics: list[Diagnostic] = []
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

    def _file(self, asset_root: AssetRoot, named: str | UnsetType, *path: str | int) -> Path | None:
        if not isinstance(named, str):
            return None
        try:
            return asset_root.file(named)
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
            found = read_generators(path, shown_path(path, self._root), self.diagnostics) if path else None
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


def _source(entry: SourceEntry | UnsetType) -> ProblemSource | None:
    if not isinstance(entry, SourceEntry):
        return None
    return ProblemSource(name=entry.name, url=entry.url if isinstance(entry.url, str) else "")
