"""The cases that belong to a source by its place: beside it, as other tools and online judges arrange them.

Cases of this source alone come first, for `a.py` in this order:

    a.in, a1.in, a_1.in           beside it
    a/, a/tests/, tests/a/        a folder of its own; `tests` may also be one of `CASE_FOLDERS`
    tests/a.in, tests/a_1.in      its own files in a folder of cases
    .cph/.a.py_<hash>.prob        cph

Then those that all sources of its folder share, without what belongs to another source of the folder:

    test/, tests/, samples/, ...  a folder of cases
    data/sample, data/secret      an ICPC package; also two folders above submissions/accepted/a.py
    in/ and out/, input/ and output/
    1.in, in1.txt, input.txt      any inputs beside it

Each place is one folder with a fixed name, so that nothing else is searched, however large it is.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, UsageError
from judge.languages.table import is_source
from judge.model import Case, CheckerConfig, Limits, ProblemSource
from judge.problems.folder import FolderCases, load_cases, natural_key, pair_inputs
from judge.problems.paths import FOLDER_PAIRS, belongs_to, is_folder, is_input, scan_folder

CASE_FOLDERS = ("test", "tests", "testcases", "samples", "sample", "cases", "testdata")
SOURCE_FOLDERS = ("src", "solutions", "sols")  # their folder of cases may be one folder up
_PACKAGE_DATA = ("sample", "secret")
_GENERIC = frozenset({*CASE_FOLDERS, "case", "data", "in", "input", "example"})  # no source has them for itself
_MAX_NAMED = 3


class FoundCases(Struct, frozen=True, kw_only=True):
    """Cases that belong to a source by its place.

    Attributes:
        places: the folders or the files that they are in; sources with the same places solve the same problem.
        has_folders: the places are folders.
        where: the places, for people, relative to the folder of the source: `test/`, `a1.in, a2.in`.
        is_shared: they belong to every source of a folder.
        unanswered: how many have no answer.
        limits_from: what set other limits than the default ones, "" if nothing did.
        source: where the problem was published, if its file says so.
        notes: more that the user should know.
    """

    places: tuple[Path, ...]
    has_folders: bool = False
    where: str = ""
    is_shared: bool = False
    cases: Sequence[Case]
    unanswered: int = 0
    limits: Limits
    checker: CheckerConfig
    limits_from: str = ""
    source: ProblemSource | None = None
    notes: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


class _Listing(Struct, frozen=True):
    """The entries of a folder: inputs in any order, the names of its folders, and the stems of its sources."""

    inputs: list[str] = field(default_factory=list)
    folders: set[str] = field(default_factory=set)
    stems: set[str] = field(default_factory=set)


class Neighbourhood:
    """Finds the cases of sources; lists each folder once."""

    def __init__(self, *, limits: Limits, checker: CheckerConfig) -> None:
        self._limits = limits
        self._checker = checker
        self._listings: dict[Path, _Listing] = {}
        self._shared: dict[tuple[Path, bool], list[FoundCases]] = {}

    def find(self, source: Path) -> FoundCases | None:
        """Return the cases of a source, an absolute path, or None; the notes name other places that have some, too."""
        stems = self._list(source.parent).stems
        found: list[FoundCases] = []
        for base in _bases(source):
            found += self._find_own(source.stem, base, stems)
        if problem := self._read_companion(source):
            found.append(problem)
        if not found:
            for base in _bases(source):
                found += self._find_shared(base, stems, is_beside=base == source.parent)
        if not found:
            return None
        used, *others = (replace(each, where=_describe_places(each, source.parent)) for each in found)
        note = f"not used: {', '.join(other.where for other in others)}; choose with --cases"
        return replace(used, notes=(*used.notes, note)) if others else used

    # ---- of one source alone ---------------------------------------------------------------------------------------

    def _find_own(self, stem: str, base: Path, stems: set[str]) -> Iterator[FoundCases]:
        listing = self._list(base)
        rivals = _rivals(stem, stems)
        if own := [name for name in listing.inputs if belongs_to(name, stem) and not _is_claimed(name, rivals)]:
            yield from self._pair(base, own)
        if stem in listing.folders and stem not in _GENERIC:
            yield from self._find_in_own_folder(base / stem)
        for name in CASE_FOLDERS:
            if name in listing.folders:
                yield from self._find_in_case_folder(base / name, stem, rivals)

    def _find_in_own_folder(self, folder: Path) -> Iterator[FoundCases]:
        listing = self._list(folder)
        if listing.stems:  # its sources have these cases
            return
        for name in CASE_FOLDERS:
            if name in listing.folders:
                yield from self._load(folder / name, package=_package_of(folder))
        if listing.inputs or _pairs_of(listing.folders):
            inside = {name for one in _pairs_of(listing.folders) for name in (one, FOLDER_PAIRS[one])}
            yield from self._load(folder, lambda name: name in listing.folders and name not in inside)

    def _find_in_case_folder(self, folder: Path, stem: str, rivals: tuple[str, ...]) -> Iterator[FoundCases]:
        listing = self._list(folder)
        if stem in listing.folders:
            yield from self._load(folder / stem)
        elif stem not in _GENERIC and (
            own := [name for name in listing.inputs if belongs_to(name, stem) and not _is_claimed(name, rivals)]
        ):
            yield from self._pair(folder, own)

    def _read_companion(self, source: Path) -> FoundCases | None:
        if not os.path.isdir(source.parent / ".cph"):  # noqa: PTH112 - Path.is_dir raises where it may not look
            return None
        from judge.problems.case_source import find_problem_file, read_problem_file

        path = find_problem_file(source)
        if path is None:
            return None
        try:
            found = read_problem_file(path, limits=self._limits, checker=self._checker)
        except DataError as error:
            return self._found((path,), (), error.diagnostics)
        if not found.cases:
            return None
        notes = ("the problem is interactive, and its samples are dialogues",) if found.is_interactive else ()
        return replace(
            self._found((path,), found.cases),
            limits=found.limits or self._limits,
            limits_from="cph" if found.limits else "",
            source=found.source,
            notes=notes,
        )

    # ---- of all sources of a folder --------------------------------------------------------------------------------

    def _find_shared(self, base: Path, stems: set[str], *, is_beside: bool) -> list[FoundCases]:
        key = (base, is_beside)
        if key not in self._shared:
            claimed = tuple(stem for stem in stems if stem not in _GENERIC)
            found = self._search_shared(base, claimed, is_beside=is_beside)
            self._shared[key] = [replace(each, is_shared=True) for each in found]
        return self._shared[key]

    def _search_shared(self, base: Path, claimed: tuple[str, ...], *, is_beside: bool) -> Iterator[FoundCases]:
        listing = self._list(base)
        is_left_out = partial(_is_claimed, stems=claimed)
        for name in CASE_FOLDERS:
            if name in listing.folders:
                yield from self._load(base / name, is_left_out, package=_package_of(base))
        if "data" in listing.folders and self._list(base / "data").folders & set(_PACKAGE_DATA):
            yield from self._load(base / "data", lambda name: name not in _PACKAGE_DATA, package=base)
        for name in _pairs_of(listing.folders):
            yield from self._load_pair(base, name)
        if is_beside:
            inputs = [name for name in listing.inputs if not is_left_out(name)]
            yield from self._pair(base, inputs) if inputs else ()

    # ---- loading ---------------------------------------------------------------------------------------------------

    def _list(self, folder: Path) -> _Listing:
        """Return the entries of a folder; none if it cannot be listed, since nobody named it."""
        if folder not in self._listings:
            listing = self._listings[folder] = _Listing()
            try:
                for entry in scan_folder(folder):
                    _add_entry(entry, listing)
            except OSError:
                pass
        return self._listings[folder]

    def _load(
        self, folder: Path, is_left_out: Callable[[str], bool] = lambda _: False, *, package: Path | None = None
    ) -> Iterator[FoundCases]:
        """Yield the cases of a folder, if there are any; a package around it, or its own problem.yaml, sets limits."""
        found = self._found((folder,), ())
        if described := package or _package_of(folder):  # a folder that `judge import` wrote has its problem.yaml only
            from judge.problems.package import read_package

            said = read_package(described, limits=self._limits, checker=self._checker)
            found = replace(
                found,
                limits=said.limits,
                checker=said.checker,
                limits_from=", ".join(said.limits_from),
                source=said.source,
                notes=said.notes,
                diagnostics=said.diagnostics,
            )
        try:
            cases, errors = load_cases(folder, limits=found.limits, checker=found.checker, is_left_out=is_left_out)
        except UsageError:
            return
        diagnostics = (*errors, *found.diagnostics)
        yield replace(found, cases=cases, diagnostics=diagnostics, has_folders=True, unanswered=cases.unanswered)

    def _load_pair(self, base: Path, name: str) -> Iterator[FoundCases]:
        """Yield the cases whose inputs and answers are in two folders."""
        other = FOLDER_PAIRS[name]
        for found in self._load(base, lambda entry: entry not in (name, other)):
            yield replace(found, places=(base / name, base / other))

    def _pair(self, folder: Path, inputs: list[str]) -> Iterator[FoundCases]:
        """Yield the cases with these inputs."""
        diagnostics: list[Diagnostic] = []
        group = pair_inputs(folder, inputs, folder.name or "cases", diagnostics)
        cases = FolderCases([group] if group.inputs else [], self._limits, self._checker)
        found = self._found(tuple(folder / name for name in inputs), cases, tuple(diagnostics))
        yield replace(found, unanswered=cases.unanswered)

    def _found(
        self, places: tuple[Path, ...], cases: Sequence[Case], diagnostics: tuple[Diagnostic, ...] = ()
    ) -> FoundCases:
        return FoundCases(
            places=places, cases=cases, limits=self._limits, checker=self._checker, diagnostics=diagnostics
        )


def _package_of(folder: Path) -> Path | None:
    """Return a folder that says of its cases what a package says: the one with a problem.yaml."""
    return folder if os.path.lexists(folder / "problem.yaml") else None


def _describe_places(found: FoundCases, start: Path) -> str:
    shown = [os.path.relpath(place, start) for place in found.places]
    if found.has_folders:
        return " and ".join(f"{each}/" for each in shown)
    return ", ".join(shown) if len(shown) <= _MAX_NAMED else f"{shown[0]} ... {shown[-1]}"


def list_sources(folder: Path) -> list[Path]:
    """Return the sources in a folder: its own, or else those of its folders, or of submissions/ in an ICPC package.

    Raises:
        UsageError: it cannot be listed.
    """
    own, folders = _scan_sources(folder)
    if own:
        return own
    if "submissions" in folders and "data" in folders:
        _, folders = _scan_sources(folder / "submissions")
        return [path for name in folders for path in _scan_sources(folder / "submissions" / name)[0]]
    below = [name for name in folders if name not in CASE_FOLDERS]
    return [path for name in below[:_MAX_FOLDERS] for path in _scan_sources(folder / name)[0]]


_MAX_FOLDERS = 100  # a contest has fewer problems; a home folder may have more folders


def _scan_sources(folder: Path) -> tuple[list[Path], list[str]]:
    """Return the sources of a folder, and the names of its folders; both in natural order."""
    sources, folders = [], []
    try:
        for entry in scan_folder(folder):
            if is_folder(entry):
                folders.append(entry.name)
            elif is_source(entry.name):
                sources.append(entry.name)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be listed: {error.strerror}") from error
    return [folder / name for name in sorted(sources, key=natural_key)], sorted(folders, key=natural_key)


def _bases(source: Path) -> Iterator[Path]:
    """Yield the folders beside which cases may be: that of the source, and those above it by convention."""
    folder = source.parent
    yield folder
    if folder.parent.name == "submissions":
        yield folder.parent.parent
    elif folder.name in SOURCE_FOLDERS:
        yield folder.parent


def _add_entry(entry: os.DirEntry[str], listing: _Listing) -> None:
    name = entry.name
    if is_folder(entry):
        listing.folders.add(name)
    elif is_source(name):
        listing.stems.add(os.path.splitext(name)[0])  # noqa: PTH122 - called for every file; a Path costs more
    elif is_input(name):
        listing.inputs.append(name)


def _pairs_of(folders: set[str]) -> list[str]:
    """Return the folders of inputs that have a folder of answers beside them."""
    return [one for one, other in FOLDER_PAIRS.items() if one in folders and other in folders]


def _rivals(stem: str, stems: set[str]) -> tuple[str, ...]:
    """Return the sources that may have a better claim to an input: `a1.in` belongs to `a1.py` rather than to `a.py`."""
    return tuple(other for other in stems if other.startswith(stem) and other != stem)


def _is_claimed(name: str, stems: tuple[str, ...]) -> bool:
    """Return whether an entry belongs to a source with one of these stems."""
    return name.startswith(stems) and any(name == stem or belongs_to(name, stem) for stem in stems)
