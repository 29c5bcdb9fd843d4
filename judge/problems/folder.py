"""A tree of cases, as other tools and downloads make it: x.in with its answer x.ans or x.out beside it, and so on.

`conventions` has the names that are understood. An input without an answer is a case without an answer.
"""

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, islice, pairwise
from pathlib import Path, PurePath
from shlex import quote
from stat import S_ISDIR
from typing import overload

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import Diagnostic, UsageError
from judge.model import Case, FileCases, InFile, Problem
from judge.problems.conventions import (
    answer_names,
    answer_names_elsewhere,
    case_name,
    find_pairs,
    input_names,
    is_input_beside,
)
from judge.problems.paths import find_file_error, is_folder, is_program, listing_error, scan_folder

INPUTS = "inputs `x.in` and their answers `x.ans` or `x.out`"
NO_ANSWER = 255


def load_cases(
    folder: Path, problem: Problem, is_left_out: Callable[[str], bool] = lambda _: False
) -> tuple["FolderCases", tuple[Diagnostic, ...]]:
    """Return the cases in a folder, all judged as the problem says, and what is wrong with its other files.

    A case's group is the path of its sub-folder, or the folder's own name; `sample` comes first, and 2 before 10.
    Sub-folders are included, but not links to folders, nor what `is_left_out` of the names directly in the folder.

    Raises:
        UsageError: there is no such folder, or nothing in it that looks like a case.
    """
    if not os.path.isdir(folder):  # noqa: PTH112 - Path.is_dir raises if a folder above cannot be entered
        fault = "is not a folder" if os.path.lexists(folder) else "does not exist"
        raise UsageError(f"{folder} {fault}: expected a folder with {INPUTS}")
    top = Path(os.path.abspath(folder))  # noqa: PTH100 - not resolve(): a link keeps its name
    groups, found = _find_groups(top, is_left_out)
    if not groups and not found:
        pattern = quote(f"{folder}/%s.dat:%s.res")
        raise UsageError(
            f"no cases in {folder}: expected a folder with {INPUTS}; other names as a pattern: --cases {pattern}"
        )
    diagnostics = tuple(replace(each, path=folder / each.path.relative_to(top)) for each in found)
    return FolderCases(groups, problem), diagnostics


class FoundCases(Struct, frozen=True, kw_only=True):
    """Cases that belong to a source by its place.

    Attributes:
        problem: limits, checker, source and programs, without an id and without cases.
        limits_from: what set other limits than the default ones, "" if nothing did.
        places: the folders or the files that they are in; sources with the same places solve the same problem.
        where: the places, for people, relative to the folder of the source: `test/`, `a1.in, a2.in`.
        is_shared: they belong to every source of a folder.
        unanswered: how many have no answer.
        unused: files and folders with cases that the source does not get, relative to its folder.
    """

    problem: Problem
    places: tuple[Path, ...]
    limits_from: str = ""
    notes: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    has_folders: bool = False
    where: str = ""
    is_shared: bool = False
    cases: Sequence[Case] = ()
    unanswered: int = 0
    unused: tuple[Path, ...] = ()


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

    def files(self, index: int) -> tuple[Path, Path | None]:
        """Return the paths of an input and of its answer, if it has one."""
        name, which = self.inputs[index], self.answers[index]
        answer = None
        if which != NO_ANSWER:
            found = next(islice(_answer_names(name, self.answer_folder), which, None))
            answer = (self.answer_folder or self.folder) / found
        return self.folder / name, answer


class FolderCases(FileCases):
    """Cases that are created on access: of a hundred thousand, only the names are kept."""

    def __init__(self, groups: Sequence[CaseGroup], problem: Problem) -> None:
        super().__init__(problem.checker, problem.file_names)
        self._groups = groups
        self._limits = problem.limits
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
        index -= self._ends[which] - len(group.inputs)
        source, answer = group.files(index)
        return Case(
            group=group.name,
            name=source.name if source.name in group.exact else case_name(source.name),
            input=InFile(source),
            answer=None if answer is None else InFile(answer),
            limits=self._limits,
            checker=self.checker,
            origin=source,
            file_names=self.file_names,
        )


def _find_groups(top: Path, is_left_out: Callable[[str], bool]) -> tuple[list[CaseGroup], list[Diagnostic]]:
    """Return the cases in a folder and below, and what is wrong with other files."""
    groups: dict[PurePath, CaseGroup] = {}
    diagnostics: dict[PurePath, list[Diagnostic]] = {}
    waiting: list[tuple[Path, Path | None]] = [(top, None)]  # with the folder of answers, if elsewhere
    while waiting:
        folder, answers = waiting.pop()
        below = folder.relative_to(top)
        found = diagnostics[below] = []
        try:
            inputs, folders = _list(folder, answers, is_left_out if folder is top else None, found)
        except OSError as error:
            found.append(listing_error(folder, error))
            continue
        names, indices = _find_answers(folder, answers, inputs, found)
        if names:
            exact = frozenset(each for before, each in pairwise(names) if case_name(before) == case_name(each))
            # tests/ and tests/tests/ are two groups
            inner = top.name / below if below.parts[:1] == (top.name,) else below
            group = inner.as_posix() if below.parts else top.name or "cases"
            groups[below] = CaseGroup(folder, group, names, indices, answers, exact)
        pairs = {} if answers is not None else find_pairs(folders)
        for each in folders:  # with its folder of answers, if that is another one
            if each not in pairs.values():
                place = answers / each if answers is not None else folder / pairs[each] if each in pairs else None
                waiting.append((folder / each, place))
        found.sort(key=lambda each: natural_key(each.path.stem))
    return (
        [groups[below] for below in sorted(groups, key=folder_key)],
        [each for below in sorted(diagnostics, key=folder_key) for each in diagnostics[below]],
    )


def _has_file(folder: Path, name: str) -> bool:
    """Return whether there is a file, or a link to whatever, that is not a program of a compiler, such as a.out."""
    path = f"{folder}/{name}"  # a Path costs more, and this is called for every case
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    return not S_ISDIR(mode) and not (mode & 0o111 and is_program(path))


def _list(
    folder: Path, answers: Path | None, is_left_out: Callable[[str], bool] | None, diagnostics: list[Diagnostic]
) -> tuple[list[str], list[str]]:
    """Return the names of inputs and of folders, in any order; an answer without an input is reported."""
    inputs, folders = [], []
    has_file = partial(_has_file, folder)
    for entry in scan_folder(folder):
        name = entry.name
        if is_left_out is not None and is_left_out(name):
            continue
        if is_folder(entry) and not entry.is_symlink():
            folders.append(name)
        elif answers is not None or is_input_beside(name, has_file):
            inputs.append(name)
        elif (missing := input_names(name)) and not any(map(has_file, missing)) and has_file(name):
            message = f"{name} has no input: expected {missing[0]} beside it"
            diagnostics.append(Diagnostic(path=folder / name, message=message))
    return inputs, folders


def _find_answers(
    folder: Path, answer_folder: Path | None, inputs: list[str], diagnostics: list[Diagnostic]
) -> tuple[list[str], bytearray]:
    """Return the inputs in natural order, and the indices of their answers; what cannot be read is reported."""
    inputs.sort()
    inputs.sort(key=lambda name: natural_key(case_name(name)))  # a sort by pairs would take twice the memory
    beside = answer_folder or folder
    names, answers = [], bytearray()
    for name in inputs:
        candidates = enumerate(_answer_names(name, answer_folder))
        index, answer = next((each for each in candidates if _has_file(beside, each[1])), (NO_ANSWER, ""))
        files = [f"{folder}/{name}", *([f"{beside}/{answer}"] if answer else [])]
        wrong = [(file, error) for file in files if (error := find_file_error(file))]
        diagnostics += [Diagnostic(path=Path(path), message=error) for path, error in wrong]
        if not wrong:
            names.append(name)
            answers.append(index)
    return names, answers


def _answer_names(name: str, answer_folder: Path | None) -> Iterator[str]:
    return answer_names(name) if answer_folder is None else answer_names_elsewhere(name)


def natural_key(name: str) -> str:
    """Return a key that sorts 2 before 10, and any number before any letter; `2` and `02` have the same key."""
    return re.sub("0*([0-9]+)", lambda number: f"\0{chr(len(number[1]))}{number[1]}", name)


def folder_key(below: PurePath) -> tuple[bool, str, str]:
    """Return a key that sorts the folders of cases: `sample` first, the others in natural order."""
    path = below.as_posix()
    return path != "sample", natural_key(path), path
