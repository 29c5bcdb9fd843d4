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
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import DataError, Severity, UsageError
from judge.languages.table import is_source
from judge.model import CheckerConfig, Limits
from judge.problems.case_source import FoundCases, find_problem_file, read_problem_file
from judge.problems.conventions import (
    CASE_FOLDERS,
    GENERIC,
    PACKAGE_DATA,
    SOURCE_FOLDERS,
    belongs_to,
    case_name,
    is_input_beside,
)
from judge.problems.folder import find_pairs, load_cases, natural_key
from judge.problems.paths import is_folder, scan_folder

_MAX_NAMED = 3


class _Listing(Struct):
    """The entries of a folder, in any order: folders, sources with their stems, and inputs."""

    folders: set[str] = field(default_factory=set)
    sources: list[str] = field(default_factory=list)
    stems: set[str] = field(default_factory=set)
    inputs: list[str] = field(default_factory=list)


def _list(folder: Path) -> _Listing:
    found, others = _Listing(), set()
    for entry in scan_folder(folder):
        if is_folder(entry):
            found.folders.add(entry.name)
        elif is_source(entry.name):
            found.sources.append(entry.name)
            found.stems.add(os.path.splitext(entry.name)[0])  # noqa: PTH122 - called for every file; a Path costs more
        else:
            others.add(entry.name)
    found.inputs += (name for name in others if is_input_beside(name, others.__contains__))
    return found


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
        found = [each for base in _bases(source) for each in self._find_own(source.stem, base, stems)]
        found += self._read_companion(source)
        if not found:
            for base in _bases(source):
                is_beside = base == source.parent
                if (base, is_beside) not in self._shared:
                    shared = self._find_shared(base, stems, is_beside=is_beside)
                    self._shared[base, is_beside] = [replace(each, is_shared=True) for each in shared]
                found += self._shared[base, is_beside]
        if not found:
            return None
        used, *others = (replace(each, where=_describe_places(each, source.parent)) for each in found)
        note = f"not used: {', '.join(other.where for other in others)}; choose with --cases"
        return replace(used, notes=(*used.notes, note)) if others else used

    def _find_own(self, stem: str, base: Path, stems: set[str]) -> Iterator[FoundCases]:
        """Yield the cases of one source alone."""
        # `a1.in` belongs to `a1.py` rather than to `a.py`
        rivals = tuple(other for other in stems if other.startswith(stem) and other != stem)

        def is_own(name: str) -> bool:
            return belongs_to(name, stem) and not _is_claimed(name, rivals)

        yield from self._load_files(base, is_own)
        listing = self._list(base)
        if stem in listing.folders and stem not in GENERIC:
            yield from self._find_in_own_folder(base / stem)
        for folder in self._case_folders(base):
            if stem in self._list(folder).folders:
                yield from self._load(folder / stem)
            elif stem not in GENERIC:
                yield from self._load_files(folder, is_own)

    def _find_in_own_folder(self, folder: Path) -> Iterator[FoundCases]:
        listing = self._list(folder)
        if listing.stems:  # its sources have these cases
            return
        for each in self._case_folders(folder):
            yield from self._load(each, described=(folder, each))
        pairs = find_pairs(listing.folders)
        if listing.inputs or pairs:
            others = listing.folders - {*pairs, *pairs.values()}
            yield from self._load(folder, others.__contains__)

    def _find_shared(self, base: Path, stems: set[str], *, is_beside: bool) -> Iterator[FoundCases]:
        """Yield the cases of all sources of a folder."""
        claimed = tuple(stem for stem in stems if stem not in GENERIC)
        listing = self._list(base)
        for folder in self._case_folders(base):
            yield from self._load(folder, lambda name: _is_claimed(name, claimed), described=(base, folder))
        if "data" in listing.folders and self._list(base / "data").folders & {*PACKAGE_DATA}:
            yield from self._load(base / "data", _all_but(PACKAGE_DATA), described=(base,))
        for pair in find_pairs(listing.folders).items():
            for found in self._load(base, _all_but(pair)):
                yield replace(found, places=(base / pair[0], base / pair[1]))
        if is_beside:
            yield from self._load_files(base, lambda name: not _is_claimed(name, claimed))

    def _read_companion(self, source: Path) -> Iterator[FoundCases]:
        path = find_problem_file(source)
        if path is None:
            return
        try:
            found = read_problem_file(path, limits=self._limits, checker=self._checker)
        except DataError as error:
            yield FoundCases(
                places=(path,), cases=(), limits=self._limits, checker=self._checker, diagnostics=error.diagnostics
            )
        else:
            yield from (found,) if found.cases else ()

    # ---- loading ---------------------------------------------------------------------------------------------------

    def _list(self, folder: Path) -> _Listing:
        """Return the entries of a folder; none if it cannot be listed, since nobody named it."""
        if folder not in self._listings:
            try:
                self._listings[folder] = _list(folder)
            except OSError:
                self._listings[folder] = _Listing()
        return self._listings[folder]

    def _case_folders(self, base: Path) -> list[Path]:
        folders = self._list(base).folders
        return [base / name for name in CASE_FOLDERS if name in folders]

    def _load_files(self, folder: Path, is_wanted: Callable[[str], bool]) -> Iterator[FoundCases]:
        """Yield the cases with these inputs directly in a folder, if there are any."""
        inputs = [name for name in self._list(folder).inputs if is_wanted(name)]
        inputs.sort(key=lambda name: (natural_key(case_name(name)), name))
        for found in self._load(folder, _all_but(inputs), described=()) if inputs else ():
            yield replace(found, places=tuple(folder / name for name in inputs), has_folders=False)

    def _load(
        self,
        folder: Path,
        is_left_out: Callable[[str], bool] = lambda _: False,
        *,
        described: Sequence[Path] | None = None,
    ) -> Iterator[FoundCases]:
        """Yield the cases of a folder, if there are any.

        The first of the folders `described` with a problem.yaml sets limits, by default the folder itself: `judge
        import` writes one. `data` belongs to a package even without it.
        """
        found = FoundCases(places=(folder,), has_folders=True, cases=(), limits=self._limits, checker=self._checker)
        places = (folder,) if described is None else described
        packages = (each for each in places if folder == each / "data" or os.path.lexists(each / "problem.yaml"))
        if package := next(packages, None):
            found = _apply_rules(found, package)
        try:
            cases, errors = load_cases(folder, limits=found.limits, checker=found.checker, is_left_out=is_left_out)
        except UsageError:
            return
        yield replace(found, cases=cases, diagnostics=(*errors, *found.diagnostics), unanswered=cases.unanswered)


def _apply_rules(found: FoundCases, folder: Path) -> FoundCases:
    """Return found cases with the limits and the comparison of outputs of the package around them."""
    from judge.problems.icpc.default_validator import read_rules  # takes a while, and few sources need it
    from judge.problems.icpc.files import PackageFolder

    package = PackageFolder.at(folder)
    try:
        rules = read_rules(package, found.limits)
    except DataError as error:
        return replace(found, diagnostics=error.diagnostics)
    problem = rules.metadata.problem
    return replace(
        found,
        limits=problem.limits,
        checker=rules.checker,
        limits_from=", ".join(rules.limits_from),
        source=problem.source if problem.source and problem.source.url else None,
        notes=rules.notes,
        diagnostics=tuple(each for each in package.found() if each.severity is Severity.ERROR),
    )


def _bases(source: Path) -> Iterator[Path]:
    """Yield the folders beside which cases may be: that of the source, and those above it by convention."""
    folder = source.parent
    yield folder
    if folder.parent.name == "submissions":
        yield folder.parent.parent
    elif folder.name in SOURCE_FOLDERS:
        yield folder.parent


def _is_claimed(name: str, stems: tuple[str, ...]) -> bool:
    """Return whether an entry belongs to a source with one of these stems."""
    return name.startswith(stems) and any(name == stem or belongs_to(name, stem) for stem in stems)


def _all_but(names: Iterable[str]) -> Callable[[str], bool]:
    kept = frozenset(names)
    return lambda name: name not in kept


def _describe_places(found: FoundCases, start: Path) -> str:
    shown = [os.path.relpath(place, start) for place in found.places]
    if found.has_folders:
        return " and ".join(f"{each}/" for each in shown)
    return ", ".join(shown) if len(shown) <= _MAX_NAMED else f"{shown[0]} ... {shown[-1]}"


_MAX_FOLDERS = 100  # a contest has fewer problems; a home folder may have more folders


def list_sources(folder: Path) -> list[Path]:
    """Return the sources in a folder: its own, or else those of its folders, or of submissions/ in an ICPC package.

    Raises:
        UsageError: it cannot be listed.
    """
    own, folders = _list_sources(folder)
    if own:
        return own
    names = [name for name in folders if name not in CASE_FOLDERS][:_MAX_FOLDERS]
    if "submissions" in folders and "data" in folders:
        folder /= "submissions"
        _, names = _list_sources(folder)
    return [path for name in names for path in _list_sources(folder / name)[0]]


def _list_sources(folder: Path) -> tuple[list[Path], list[str]]:
    """Return the sources of a folder, and the names of its folders; both in natural order."""
    try:
        found = _list(folder)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be listed: {error.strerror}") from error
    sources = [folder / name for name in sorted(found.sources, key=natural_key)]
    return sources, sorted(found.folders, key=natural_key)
