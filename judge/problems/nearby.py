"""The cases that belong to a source by its place: beside it, as other tools and online judges arrange them.

Cases of this source alone come first, for `a.py` in this order:

    a.in, a1.in, a_1.in           beside it
    a/, a/tests/, tests/a/        a folder of its own; `tests` may also be one of `CASE_FOLDERS`
    tests/a.in, tests/a_1.in      its own files in a folder of cases
    .cph/.a.py_<hash>.prob        cph

Then those that all sources of its folder share, without what belongs to another source of the folder:

    test/, tests/, data/, ...     a folder of cases
    data/sample, data/secret      an ICPC package; also two folders above submissions/accepted/a.py
    in/ and out/, input/ and expected/
    1.in, in1.txt, input.txt      any inputs beside it

Each place is one folder with a fixed name, so that nothing else is searched, however large it is. Cases in these places
that a source does not get are named in its `unused`.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, UsageError
from judge.languages.table import is_source
from judge.model import InFile, Problem
from judge.problems.conventions import (
    GENERIC,
    PACKAGE_DATA,
    SOURCE_FOLDERS,
    belongs_to,
    case_folder_rank,
    case_name,
    find_pairs,
    is_case_folder_of,
    is_helper,
    is_input_beside,
)
from judge.problems.folder import FoundCases, load_cases, natural_key
from judge.problems.paths import is_folder, scan_folder

_MAX_NAMED = 3
_NUMBERED = re.compile("(?:test|case|sample)?[-_.]?[0-9]+", re.IGNORECASE)


class _Listing(Struct):
    """The entries of a folder, in any order: folders, sources with their stems, and inputs."""

    folders: set[str]
    sources: set[str]
    stems: set[str]
    inputs: list[str]


def _list(folder: Path) -> _Listing:
    entries = {entry.name: is_folder(entry) for entry in scan_folder(folder)}
    sources = {name for name, is_inner in entries.items() if not is_inner and is_source(name)}
    others = {name for name, is_inner in entries.items() if not is_inner} - sources
    return _Listing(
        folders={name for name, is_inner in entries.items() if is_inner},
        sources=sources,
        stems={os.path.splitext(name)[0] for name in sources},  # noqa: PTH122 - a Path for each file costs more
        inputs=[name for name in others if is_input_beside(name, others.__contains__)],
    )


class Neighbourhood:
    """Finds the cases of sources; lists each folder once."""

    def __init__(self) -> None:
        self._problem = Problem()
        self._listings: dict[Path, _Listing] = {}
        self._shared: dict[tuple[Path, bool, bool], list[FoundCases]] = {}

    def find(self, source: Path) -> FoundCases | None:
        """Return the cases of a source, an absolute path, or None."""
        stems = self._list(source.parent).stems
        names = [source.stem]
        if (version_of := source.stem.rstrip("0123456789-_")) in stems - {source.stem}:
            names.append(version_of)  # `a2.py` has the cases of `a.py` if it has none of its own
        own: list[FoundCases] = []
        while names and not own:
            own += (each for base in _bases(source) for each in self._find_own(names[0], base, stems))
            names = names[1:]
        own += self._read_companion(source)
        found = list(own)
        for base in _bases(source):
            key = (base, base == source.parent, bool(own))
            if key not in self._shared:
                shared = self._find_shared(base, stems, is_beside=key[1], is_rest=key[2])
                self._shared[key] = [replace(each, is_shared=True) for each in shared]
            found += self._shared[key]
        if not found:
            return None
        used, *others = found
        unused = [*used.unused]
        for other in others:  # a few inputs by their names, more by their place
            cases = (case.input for case in other.cases[: _MAX_NAMED + 1])
            inputs = [each.path for each in cases if isinstance(each, InFile)]
            unused += [*(inputs if 0 < len(inputs) <= _MAX_NAMED else other.places), *other.unused]
        places = [os.path.relpath(place, source.parent) for place in used.places]
        where = ", ".join(places) if len(places) <= _MAX_NAMED else f"{places[0]} ... {places[-1]}"
        if used.has_folders:
            where = " and ".join(f"{each}/" for each in places)
        shown = (os.path.relpath(path, source.parent) for path in dict.fromkeys(unused))
        return replace(used, where=where, unused=tuple(map(Path, shown)))

    def _find_own(self, stem: str, base: Path, stems: set[str]) -> Iterator[FoundCases]:
        """Yield the cases of one source alone; a problem.yaml beside the source counts, too."""
        yield from self._load_own_files(base, stem, stems, base)
        listing = self._list(base)
        for name in sorted(listing.folders) if stem not in GENERIC else ():
            if is_case_folder_of(name, stem):
                yield from self._find_in_own_folder(base / name, base)
        for folder in self._case_folders(base):
            if not self._owners(folder, {stem}, stems):
                continue
            if stem in self._list(folder).folders:
                yield from self._load(folder / stem, described=(folder / stem, base))
            yield from self._load_own_files(folder, stem, stems, base)

    def _load_own_files(self, folder: Path, stem: str, stems: set[str], base: Path) -> Iterator[FoundCases]:
        # `a1.in` belongs to `a1.py` rather than to `a.py`
        rivals = {other for other in stems if other.startswith(stem) and other != stem}
        owners = self._owners(folder, rivals, stems)
        if stem not in GENERIC and not self._owners(folder, {stem}, stems):
            return
        yield from self._load_files(folder, lambda name: belongs_to(name, stem) and not _is_claimed(name, owners), base)

    def _owners(self, folder: Path, candidates: set[str], stems: set[str]) -> tuple[str, ...]:
        """Return those candidates that may have cases in a folder for themselves.

        A number is part of the name of a source only if each number there is: `1.py` has no claim to `1.in` if there is
        `2.in` and no `2.py`, nor `a1.py` to `a1.in` if there is `a2.in`.
        """
        names = self._list(folder)
        owners = []
        for stem in candidates:
            family = stem.rstrip("0123456789")
            if stem in GENERIC or is_helper(stem):
                continue
            if family != stem:
                number = re.compile(re.escape(family) + "[0-9]+")
                numbered = filter(None, map(number.match, (*names.inputs, *names.folders)))
                if not {found[0] for found in numbered} <= stems:
                    continue
            owners.append(stem)
        return tuple(owners)

    def _find_in_own_folder(self, folder: Path, base: Path) -> Iterator[FoundCases]:
        listing = self._list(folder)
        if listing.stems:  # its sources have these cases
            return
        for each in self._case_folders(folder):
            yield from self._load(each, described=(folder, each, base))
        pairs = find_pairs(listing.folders)
        numbered = set(filter(_NUMBERED.fullmatch, listing.folders))  # `a/TEST01/a.inp` (Themis)
        if listing.inputs or pairs or numbered:
            others = listing.folders - {*pairs, *pairs.values(), *numbered}
            yield from self._load(folder, others.__contains__, described=(folder, base))

    def _find_shared(self, base: Path, stems: set[str], *, is_beside: bool, is_rest: bool) -> Iterator[FoundCases]:
        listing = self._list(base)
        for folder in self._case_folders(base):
            claimed = self._owners(folder, stems, stems)
            inside = self._list(folder)
            # with `tests/a/` for a source, the other folders in `tests` are for sources, too
            others = inside.folders if is_rest and not inside.folders.isdisjoint(claimed) else set()
            left = {name for name in {*inside.inputs, *inside.folders} if name in others or _is_claimed(name, claimed)}
            unused = () if is_rest else tuple(folder / name for name in sorted(left, key=natural_key))
            for found in self._load(folder, left.__contains__, described=(base, folder)):
                yield replace(found, unused=unused)
        if self._has_package_data(base):
            yield from self._load(base / "data", _all_but(PACKAGE_DATA), described=(base,))
        for pair in find_pairs(listing.folders).items():
            for found in self._load(base, _all_but(pair)):
                yield replace(found, places=(base / pair[0], base / pair[1]))
        if is_beside:
            claimed = self._owners(base, stems, stems)
            left = {name for name in listing.inputs if _is_claimed(name, claimed)}
            unused = () if is_rest else tuple(base / name for name in sorted(left, key=natural_key))
            for found in self._load_files(base, lambda name: name not in left, base):
                yield replace(found, unused=unused)

    def _read_companion(self, source: Path) -> Iterator[FoundCases]:
        if not os.path.isdir(source.parent / ".cph"):  # noqa: PTH112 - Path.is_dir raises where it may not look
            return
        from judge.problems.case_source import find_problem_file, read_problem_file

        path = find_problem_file(source)
        if path is None:
            return
        try:
            found = read_problem_file(path, self._problem)
        except DataError as error:
            found = FoundCases(problem=self._problem, places=(path,), diagnostics=error.diagnostics)
        if found.cases or found.diagnostics:
            yield found

    # ---- loading ---------------------------------------------------------------------------------------------------

    def _list(self, folder: Path) -> _Listing:
        """Return the entries of a folder; none if it cannot be listed, since nobody named it."""
        if folder not in self._listings:
            try:
                self._listings[folder] = _list(folder)
            except OSError:
                self._listings[folder] = _Listing(set(), set(), set(), [])
        return self._listings[folder]

    def _case_folders(self, base: Path) -> list[Path]:
        folders = self._list(base).folders
        folders = folders - find_pairs(folders).keys() - ({"data"} if self._has_package_data(base) else set())
        ranked = ((case_folder_rank(name), name) for name in folders)
        return [base / name for _, name in sorted((rank, name) for rank, name in ranked if rank is not None)]

    def _has_package_data(self, base: Path) -> bool:
        return not self._list(base / "data").folders.isdisjoint(PACKAGE_DATA)

    def _load_files(self, folder: Path, is_wanted: Callable[[str], bool], base: Path) -> Iterator[FoundCases]:
        """Yield the cases with these inputs directly in a folder, if there are any; the sources are in `base`."""
        inputs = [name for name in self._list(folder).inputs if is_wanted(name)]
        inputs.sort(key=lambda name: (natural_key(case_name(name)), name))
        for found in self._load(folder, _all_but(inputs), described=(base,)) if inputs else ():
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
        import` writes one.
        """
        found = FoundCases(problem=self._problem, places=(folder,), has_folders=True)
        places = (folder,) if described is None else described
        try:
            if place := next((each for each in places if os.path.lexists(each / "problem.yaml")), None):
                from judge.problems.folder_file import NAME, read_rules  # few folders have a problem.yaml

                problem = read_rules(place)
                origin = NAME if problem.limits != self._problem.limits else ""
                found = replace(found, problem=problem, limits_from=origin)
            cases, errors = load_cases(folder, found.problem, is_left_out)
        except UsageError:
            return
        except DataError as error:
            yield replace(found, diagnostics=error.diagnostics)
            return
        yield replace(found, cases=cases, diagnostics=errors, unanswered=cases.unanswered)


def _bases(source: Path) -> Iterator[Path]:
    """Yield the folders beside which cases may be: that of the source, and those above it by convention."""
    folder = source.parent
    yield folder
    if folder.parent.name == "submissions":
        yield folder.parent.parent
    elif folder.name in SOURCE_FOLDERS:
        yield folder.parent
    elif folder.match("src/bin"):  # of Cargo
        yield folder.parent.parent


def _is_claimed(name: str, stems: tuple[str, ...]) -> bool:
    return name.startswith(stems) and any(name == stem or belongs_to(name, stem) for stem in stems)


def _all_but(names: Iterable[str]) -> Callable[[str], bool]:
    kept = frozenset(names)
    return lambda name: name not in kept


def list_sources(folder: Path) -> list[Path]:
    """Return the sources in a folder: its own, or else those of its folders, or of submissions/ in an ICPC package.

    Raises:
        UsageError: it cannot be listed.
    """
    own, folders = _list_sources(folder)
    if own:
        return own
    # A contest has fewer problems; a home folder may have more folders.
    names = [name for name in folders if case_folder_rank(name) is None][:100]
    if "submissions" in folders and "data" in folders:
        folder /= "submissions"
        _, names = _list_sources(folder)
    return [path for name in names for path in _list_sources(folder / name)[0]]


def _list_sources(folder: Path) -> tuple[list[Path], list[str]]:
    try:
        found = _list(folder)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be listed: {error.strerror}") from error
    sources = [folder / name for name in sorted(found.sources, key=natural_key)]
    return sources, sorted(found.folders, key=natural_key)
