"""One folder of cases, as `oj` and sample downloads make it: x.in with its answer x.ans or x.out beside it."""

import os
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from stat import S_ISDIR
from typing import overload

from judge.errors import Diagnostic, UsageError
from judge.model import Case, CheckerConfig, InFile, Limits
from judge.problems.paths import find_file_error, is_folder, listing_error, scan_folder

_INPUT = ".in"
_ANSWERS = (".ans", ".out")  # the first one that exists is used
_EXPECTED = "expected a folder with inputs `x.in` and their answers `x.ans` or `x.out`"


def load_cases(
    folder: Path, *, limits: Limits, checker: CheckerConfig
) -> tuple[Sequence[Case], tuple[Diagnostic, ...]]:
    """Return the cases in a folder, and what is wrong with its other files.

    A case's group is the path of its sub-folder, or the folder's own name; `sample` comes first, and 2 before 10.
    Sub-folders are included, but not links to folders. All cases have these limits and this checker.

    Raises:
        UsageError: there is no such folder, or nothing in it that looks like a case.
    """
    if not os.path.isdir(folder):  # noqa: PTH112 - Path.is_dir raises if a folder above cannot be entered
        problem = "is not a folder" if os.path.lexists(folder) else "does not exist"
        raise UsageError(f"{folder} {problem}: {_EXPECTED}")
    diagnostics: list[Diagnostic] = []
    top = Path(os.path.abspath(folder))  # noqa: PTH100 - not resolve(): a link keeps its name
    groups: list[_Group] = []
    for scan in sorted(_walk(folder, diagnostics), key=lambda scan: _folder_key(scan.folder, folder)):
        below = scan.folder.relative_to(folder)
        names, answers = _pair_files(scan, diagnostics)
        if names:
            groups.append(_Group(top / below, _group_name(below, top.name), names, answers))
    if not groups and not diagnostics:
        raise UsageError(f"no cases in {folder}: {_EXPECTED}")
    return _FolderCases(groups, limits, checker), tuple(diagnostics)


@dataclass(frozen=True, slots=True)
class _Group:
    """The cases of one folder: their names, and for each the index of its answer's suffix."""

    folder: Path
    name: str
    names: list[str]
    answers: bytearray


class _FolderCases(Sequence[Case]):
    """Cases that are created on access: of a hundred thousand, only the names are kept."""

    def __init__(self, groups: Sequence[_Group], limits: Limits, checker: CheckerConfig) -> None:
        self._groups = groups
        self._limits = limits
        self._checker = checker
        self._ends = list(accumulate(len(group.names) for group in groups))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, at: int) -> Case: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Case]: ...
    def __getitem__(self, at: int | slice) -> Case | Sequence[Case]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        index = range(len(self))[at]
        which = bisect_right(self._ends, index)
        group = self._groups[which]
        return self._case(group, index - (self._ends[which] - len(group.names)))

    def _case(self, group: _Group, index: int) -> Case:
        name, answer = group.names[index], _ANSWERS[group.answers[index]]
        source = group.folder / f"{name}{_INPUT}"
        return Case(
            group=group.name,
            name=name,
            input=InFile(source),
            answer=InFile(group.folder / f"{name}{answer}"),
            limits=self._limits,
            checker=self._checker,
            origin=source,
        )


@dataclass(frozen=True, slots=True)
class _Scan:
    """The names of a folder's inputs, and its answers without an input; both in any order."""

    folder: Path
    inputs: list[str]
    orphans: list[str]


def _walk(folder: Path, diagnostics: list[Diagnostic]) -> Iterator[_Scan]:
    """Yield what a folder and each folder below it contain."""
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        scan = _Scan(place, [], [])
        below = []
        try:
            for entry in scan_folder(place):
                name, suffix = os.path.splitext(entry.name)  # noqa: PTH122 - a Path for each file costs more
                if is_folder(entry) and not entry.is_symlink():
                    below.append(entry.name)
                elif suffix == _INPUT:
                    scan.inputs.append(name)
                elif suffix in _ANSWERS and not _has_file(f"{place}/{name}{_INPUT}"):
                    scan.orphans.append(entry.name)
        except OSError as error:
            diagnostics.append(listing_error(place, error))
        else:
            waiting += [place / name for name in sorted(below)]
            yield scan


def _pair_files(scan: _Scan, diagnostics: list[Diagnostic]) -> tuple[list[str], bytearray]:
    """Return the names of the complete cases, in natural order, each with the index of its answer's suffix."""
    scan.inputs.sort()
    scan.inputs.sort(key=natural_key)  # a sort by pairs of key and name would take twice the memory
    names, answers = [], bytearray()
    found: list[Diagnostic] = []
    for name in scan.inputs:
        pair = _find_pair(scan.folder, name, found)
        if pair is not None:
            names.append(name)
            answers.append(pair)
    for answer in scan.orphans:
        message = f"{answer} has no input: expected {Path(answer).stem}{_INPUT} beside it"
        found.append(Diagnostic(path=scan.folder / answer, message=message))
    diagnostics += sorted(found, key=lambda diagnostic: natural_key(diagnostic.path.stem))
    return names, answers


def _find_pair(folder: Path, name: str, diagnostics: list[Diagnostic]) -> int | None:
    """Return the index of the suffix of a case's answer, or add what is wrong and return None."""
    source = name + _INPUT
    index = next((index for index, suffix in enumerate(_ANSWERS) if _has_file(f"{folder}/{name}{suffix}")), None)
    if index is None:
        expected = " or ".join(name + suffix for suffix in _ANSWERS)
        message = f"{source} has no answer: expected {expected} beside it"
        diagnostics.append(Diagnostic(path=folder / source, message=message))
        return None
    is_complete = True
    for file in (source, name + _ANSWERS[index]):
        if error := find_file_error(f"{folder}/{file}"):
            diagnostics.append(Diagnostic(path=folder / file, message=error))
            is_complete = False
    return index if is_complete else None


def _has_file(path: str) -> bool:
    """Return whether there is a file or a link, whatever the link leads to."""
    try:
        return not S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def natural_key(name: str) -> str:
    """Return a key that sorts 2 before 10, and any number before any letter; `2` and `02` have the same key."""
    return re.sub("[0-9]+", _number_key, name)


def _number_key(number: re.Match[str]) -> str:
    digits = number[0].lstrip("0")
    return f"\0{chr(len(digits))}{digits}"


def _folder_key(place: Path, folder: Path) -> tuple[bool, str, str]:
    path = place.relative_to(folder).as_posix()
    return path != "sample", natural_key(path), path


def _group_name(below: Path, top: str) -> str:
    """Return the group of a sub-folder; no two have the same, not even tests/ and tests/tests/."""
    if not below.parts:
        return top or "cases"
    return (below if below.parts[0] != top else top / below).as_posix()
