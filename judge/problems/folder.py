"""One folder of cases, as other tools and downloads make it: x.in with its answer x.ans or x.out beside it, and so on.

`paths` has the names that are understood. An input without an answer is a case without an answer.
"""

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path, PurePath
from stat import S_ISDIR
from typing import overload

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import Diagnostic, UsageError
from judge.model import Case, CheckerConfig, FileCases, InFile, Limits
from judge.problems.paths import (
    FOLDER_PAIRS,
    answer_names,
    answer_names_elsewhere,
    case_name,
    find_file_error,
    input_names,
    is_folder,
    is_input_beside,
    is_program,
    listing_error,
    scan_folder,
)

_EXPECTED = "expected a folder with inputs `x.in` and their answers `x.ans` or `x.out`"


def load_cases(
    folder: Path,
    *,
    limits: Limits,
    checker: CheckerConfig,
    is_left_out: Callable[[str], bool] = lambda _: False,
) -> tuple["FolderCases", tuple[Diagnostic, ...]]:
    """Return the cases in a folder, all with these limits and this checker, and what is wrong with its other files.

    A case's group is the path of its sub-folder, or the folder's own name; `sample` comes first, and 2 before 10.
    Sub-folders are included, but not links to folders, nor what `is_left_out` of the names directly in the folder.

    Raises:
        UsageError: there is no such folder, or nothing in it that looks like a case.
    """
    if not os.path.isdir(folder):  # noqa: PTH112 - Path.is_dir raises if a folder above cannot be entered
        problem = "is not a folder" if os.path.lexists(folder) else "does not exist"
        raise UsageError(f"{folder} {problem}: {_EXPECTED}")
    diagnostics: list[Diagnostic] = []
    top = Path(os.path.abspath(folder))  # noqa: PTH100 - not resolve(): a link keeps its name
    groups: list[CaseGroup] = []
    for scan in sorted(
        _walk(folder, is_left_out, diagnostics), key=lambda scan: folder_key(scan.folder.relative_to(folder))
    ):
        below = scan.folder.relative_to(folder)
        group = _pair_files(scan, _group_name(below, top.name), diagnostics)
        if group.inputs:
            elsewhere = scan.answer_folder and top / scan.answer_folder.relative_to(folder)
            groups.append(replace(group, folder=top / below, answer_folder=elsewhere))
    if not groups and not diagnostics:
        raise UsageError(f"no cases in {folder}: {_EXPECTED}")
    return FolderCases(groups, limits, checker), tuple(diagnostics)


class CaseGroup(Struct, frozen=True):
    """The cases of one folder: the names of their inputs, and for each the index of its answer's name.

    Attributes:
        answer_folder: where the answers are; None for the folder itself.
        answers: indices into the names that an answer may have; `NO_ANSWER` if there is none.
        exact: inputs whose case has the full name of the file, since another case has the short one.
    """

    folder: Path
    name: str
    inputs: list[str]
    answers: bytearray
    answer_folder: Path | None = None
    exact: frozenset[str] = frozenset()


NO_ANSWER = 255


class FolderCases(FileCases):
    """Cases that are created on access: of a hundred thousand, only the names are kept."""

    def __init__(self, groups: Sequence[CaseGroup], limits: Limits, checker: CheckerConfig) -> None:
        super().__init__(checker)
        self._groups = groups
        self._limits = limits
        self._ends = list(accumulate(len(group.inputs) for group in groups))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @property
    def unanswered(self) -> int:
        """How many cases have no answer."""
        return sum(group.answers.count(NO_ANSWER) for group in self._groups)

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
        return self._case(group, index - (self._ends[which] - len(group.inputs)))

    def _case(self, group: CaseGroup, index: int) -> Case:
        name, which = group.inputs[index], group.answers[index]
        answer = None
        if which != NO_ANSWER:
            folder = group.answer_folder or group.folder
            answer = InFile(folder / _answer_names(name, is_elsewhere=group.answer_folder is not None)[which])
        source = group.folder / name
        return Case(
            group=group.name,
            name=name if name in group.exact else case_name(name),
            input=InFile(source),
            answer=answer,
            limits=self._limits,
            checker=self.checker,
            origin=source,
        )


class _Scan(Struct, frozen=True):
    """The names of a folder's inputs, and its answers without an input; both in any order."""

    folder: Path
    answer_folder: Path | None
    inputs: list[str]
    orphans: list[str]


def _walk(folder: Path, is_left_out: Callable[[str], bool], diagnostics: list[Diagnostic]) -> Iterator[_Scan]:
    """Yield what a folder and each folder below it contain; a folder of answers belongs to that of the inputs."""
    waiting: list[tuple[Path, Path | None]] = [(folder, None)]
    while waiting:
        place, answers = waiting.pop()
        scan = _Scan(place, answers, [], [])
        below: list[str] = []
        has_file = partial(_has_file, place)
        try:
            for entry in scan_folder(place):
                if place is folder and is_left_out(entry.name):
                    continue
                if is_folder(entry) and not entry.is_symlink():
                    below.append(entry.name)
                elif answers is not None or is_input_beside(entry.name, has_file):
                    scan.inputs.append(entry.name)
                elif _is_orphan(entry.name, place):
                    scan.orphans.append(entry.name)
        except OSError as error:
            diagnostics.append(listing_error(place, error))
        else:
            waiting += _below(place, answers, sorted(below))
            yield scan


def _below(place: Path, answers: Path | None, names: Sequence[str]) -> Iterator[tuple[Path, Path | None]]:
    """Yield the folders to walk, each with its folder of answers if that is another one."""
    if answers is not None:
        yield from ((place / name, answers / name) for name in names)
        return
    pairs = {one: other for one, other in FOLDER_PAIRS.items() if one in names and other in names}
    for name in names:
        if name in pairs:
            yield place / name, place / pairs[name]
        elif name not in pairs.values():
            yield place / name, None


def _is_orphan(name: str, place: Path) -> bool:
    """Return whether a file is an answer without an input; a program that a compiler made, such as a.out, is not."""
    names = input_names(name)
    return bool(names) and not any(_has_file(place, each) for each in names) and not is_program(f"{place}/{name}")


def _pair_files(scan: _Scan, group: str, diagnostics: list[Diagnostic]) -> CaseGroup:
    found: list[Diagnostic] = []
    made = pair_inputs(scan.folder, scan.inputs, group, found, answer_folder=scan.answer_folder)
    for answer in scan.orphans:
        message = f"{answer} has no input: expected {input_names(answer)[0]} beside it"
        found.append(Diagnostic(path=scan.folder / answer, message=message))
    diagnostics += sorted(found, key=lambda diagnostic: natural_key(diagnostic.path.stem))
    return made


def pair_inputs(
    folder: Path,
    inputs: list[str],
    group: str,
    diagnostics: list[Diagnostic],
    *,
    answer_folder: Path | None = None,
) -> CaseGroup:
    """Return the cases with these inputs, in natural order; what cannot be read is added to the diagnostics."""
    inputs.sort()
    inputs.sort(key=_case_key)  # a sort by pairs of key and name would take twice the memory
    names, answers = [], bytearray()
    for name in inputs:
        index = _find_answer(folder, name, answer_folder, diagnostics)
        if index is not None:
            names.append(name)
            answers.append(index)
    return CaseGroup(folder, group, names, answers, answer_folder, _find_clashes(names))


def _case_key(name: str) -> str:
    return natural_key(case_name(name))


def _find_clashes(inputs: Sequence[str]) -> frozenset[str]:
    """Return the inputs whose short name another input before has, too; that takes two suffixes."""
    if len({name.rpartition(".")[2] if "." in name else "" for name in inputs}) < 2:
        return frozenset()
    seen: set[str] = set()
    clashes = set()
    for name in inputs:
        short = case_name(name)
        if short in seen:
            clashes.add(name)
        seen.add(short)
    return frozenset(clashes)


def _answer_names(name: str, *, is_elsewhere: bool) -> tuple[str, ...]:
    return answer_names_elsewhere(name) if is_elsewhere else answer_names(name)


def _find_answer(folder: Path, name: str, answer_folder: Path | None, diagnostics: list[Diagnostic]) -> int | None:
    """Return the index of the name of an input's answer, or `NO_ANSWER`; None if the case cannot be read."""
    beside = answer_folder or folder
    candidates = _answer_names(name, is_elsewhere=answer_folder is not None)
    found = (at for at, each in enumerate(candidates) if _has_file(beside, each))
    index = next((at for at in found if not is_program(f"{beside}/{candidates[at]}")), NO_ANSWER)
    is_complete = True
    for file in (f"{folder}/{name}", *([f"{beside}/{candidates[index]}"] if index != NO_ANSWER else [])):
        if error := find_file_error(file):
            diagnostics.append(Diagnostic(path=Path(file), message=error))
            is_complete = False
    return index if is_complete else None


def _has_file(folder: Path, name: str) -> bool:
    """Return whether there is a file or a link, whatever the link leads to."""
    try:
        return not S_ISDIR(os.lstat(f"{folder}/{name}").st_mode)
    except OSError:
        return False


def natural_key(name: str) -> str:
    """Return a key that sorts 2 before 10, and any number before any letter; `2` and `02` have the same key."""
    return re.sub("[0-9]+", _number_key, name)


def _number_key(number: re.Match[str]) -> str:
    digits = number[0].lstrip("0")
    return f"\0{chr(len(digits))}{digits}"


def folder_key(below: PurePath) -> tuple[bool, str, str]:
    """Return a key that sorts the folders of cases: `sample` first, the others in natural order."""
    path = below.as_posix()
    return path != "sample", natural_key(path), path


def _group_name(below: Path, top: str) -> str:
    """Return the group of a sub-folder; no two have the same, not even tests/ and tests/tests/."""
    if not below.parts:
        return top or "cases"
    return (below if below.parts[0] != top else top / below).as_posix()
