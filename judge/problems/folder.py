"""One folder of cases, as `oj` and sample downloads make it: x.in with its answer x.ans or x.out beside it."""

import heapq
import os
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from pathlib import Path
from typing import overload

from judge.errors import Diagnostic, UsageError
from judge.model import Case, CheckerConfig, InFile, Limits
from judge.problems.paths import is_folder, unlisted, walk_folder, why_no_file

_PORTION = 2048  # names that are sorted at once; what does not fit is merged from packed portions
_END = b"/"  # no file's name has it


class NoteBook:
    """Names in any order, each with bits that say what was seen of it (1 to 7)."""

    def __init__(self) -> None:
        self._open: dict[str, int] = {}
        self._packed: list[bytes] = []

    def note(self, name: str, bit: int) -> None:
        """Note a name, or one more bit of it."""
        self._open[name] = self._open.get(name, 0) | bit
        if len(self._open) >= _PORTION:
            self._packed.append(b"".join(_pack(*each) for each in _sorted(self._open)))
            self._open = {}

    def in_order(self) -> Iterator[tuple[str, int]]:
        """Yield each name once, with all of its bits; 2 comes before 10."""
        portions = [_unpack(portion) for portion in self._packed]
        keyed = ([(natural(name), name, bits) for name, bits in _sorted(self._open)], *map(_keyed, portions))
        for (_, name), same in groupby(heapq.merge(*keyed), key=lambda each: each[:2]):
            seen = 0
            for _, _, bits in same:
                seen |= bits
            yield name, seen


class PackedNames:
    """Names with a small number (0 to 255) each, by their place; as many as fit into 4 GiB."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._ends = array("I")
        self._numbers = bytearray()

    def append(self, name: str, number: int) -> None:
        """Add a name behind the others."""
        self._text += os.fsencode(name)
        self._ends.append(len(self._text))
        self._numbers.append(number)

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, at: int) -> tuple[str, int]:
        begin = self._ends[at - 1] if at else 0
        return os.fsdecode(bytes(self._text[begin : self._ends[at]])), self._numbers[at]


def natural(name: str) -> str:
    """Return a key that sorts 2 before 10: a number begins with a sign that sorts before all others, and its length."""

    def number(found: re.Match[str]) -> str:
        digits = found[0].lstrip("0")
        return f"\0{len(digits):06}{digits}"

    return f"{re.sub('[0-9]+', number, name)}\0{name}"


def _sorted(names: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(names.items(), key=lambda item: natural(item[0]))


def _pack(name: str, bits: int) -> bytes:
    return os.fsencode(name) + bytes((bits,)) + _END


def _unpack(portion: bytes) -> Iterator[tuple[str, int]]:
    begin = 0
    while begin < len(portion):
        end = portion.index(_END, begin)
        yield os.fsdecode(portion[begin : end - 1]), portion[end - 1]
        begin = end + 1


def _keyed(names: Iterator[tuple[str, int]]) -> Iterator[tuple[str, str, int]]:
    for name, bits in names:
        yield natural(name), name, bits


_INPUT = ".in"
_ANSWERS = (".ans", ".out")  # the first that is there wins
_BITS = {_INPUT: 1, _ANSWERS[0]: 2, _ANSWERS[1]: 4}  # which files of a case were seen
_WANTED = "expected a folder with inputs `x.in` and their answers `x.ans` or `x.out`"


def load_cases(
    folder: Path, *, limits: Limits, checker: CheckerConfig
) -> tuple[Sequence[Case], tuple[Diagnostic, ...]]:
    """Return the cases below a folder, and what is wrong with its other files.

    A case's group is its sub-folder's path, or the folder's own name; `sample` comes first, and 2 before 10.

    Args:
        folder: where to look, sub-folders included (but not links to folders).
        limits: those of every case.
        checker: that of every case.

    Raises:
        UsageError: there is no such folder, or nothing in it that looks like a case.
    """
    if not os.path.isdir(folder):  # noqa: PTH112 - Path.is_dir raises where a folder above cannot be entered
        problem = "is not a folder" if os.path.lexists(folder) else "does not exist"
        raise UsageError(f"{folder} {problem}: {_WANTED}")
    diagnostics: list[Diagnostic] = []
    top = Path(os.path.abspath(folder))  # noqa: PTH100 - not resolve(): a link keeps its name
    places: list[_Place] = []
    for place, noted in sorted(_folders(folder, diagnostics), key=lambda found: _order(found[0], folder)):
        below = place.relative_to(folder)
        names = PackedNames()
        for name, seen in noted.in_order():
            if (answer := _answer(place, name, seen, diagnostics)) is not None:
                names.append(name, answer)
        if len(names):
            places.append(_Place(top / below, _group(below, top.name), names))
    if not places and not diagnostics:
        raise UsageError(f"no cases in {folder}: {_WANTED}")
    return _FolderCases(places, limits, checker), tuple(diagnostics)


@dataclass(frozen=True, slots=True)
class _Place:
    """The cases of one folder: their names, each with the number of its answer's suffix."""

    folder: Path
    group: str
    names: PackedNames


class _FolderCases(Sequence[Case]):
    """Cases that are made when they are asked for: of a hundred thousand, only the names are kept."""

    def __init__(self, places: Sequence[_Place], limits: Limits, checker: CheckerConfig) -> None:
        self._places = places
        self._limits = limits
        self._checker = checker
        self._ends = list(accumulate(len(place.names) for place in places))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, at: int) -> Case: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Case]: ...
    def __getitem__(self, at: int | slice) -> Case | Sequence[Case]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        number = range(len(self))[at]
        which = bisect_right(self._ends, number)
        place = self._places[which]
        return self._case(place, number - (self._ends[which] - len(place.names)))

    def _case(self, place: _Place, number: int) -> Case:
        name, answer = place.names[number]
        source = place.folder / f"{name}{_INPUT}"
        return Case(
            group=place.group,
            name=name,
            input=InFile(source),
            answer=InFile(place.folder / f"{name}{_ANSWERS[answer]}"),
            limits=self._limits,
            checker=self._checker,
            origin=source,
        )


def _folders(folder: Path, diagnostics: list[Diagnostic]) -> Iterator[tuple[Path, NoteBook]]:
    """Yield a folder and those below it, each with the names of its cases and which of their files are there."""
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        below, noted = [], NoteBook()
        try:
            for entry in walk_folder(place):
                name, dot, suffix = entry.name.rpartition(".")
                if is_folder(entry) and not entry.is_symlink():
                    below.append(entry.name)
                elif bit := _BITS.get(dot + suffix):
                    noted.note(name, bit)
        except OSError as error:
            diagnostics.append(unlisted(place, error))
            below, noted = [], NoteBook()
        waiting += [place / name for name in sorted(below)]
        yield place, noted


def _group(below: Path, top: str) -> str:
    """Return the group of a sub-folder; no two have the same, not even tests/ and tests/tests/."""
    if not below.parts:
        return top or "cases"
    return (below if below.parts[0] != top else top / below).as_posix()


def _answer(place: Path, name: str, seen: int, diagnostics: list[Diagnostic]) -> int | None:
    """Return the number of the suffix of a case's answer, or note what is missing."""
    source = name + _INPUT
    answers = [number for number, suffix in enumerate(_ANSWERS) if seen & _BITS[suffix]]
    if not seen & _BITS[_INPUT]:
        diagnostics += [
            Diagnostic(path=place / answer, message=f"{answer} has no input: expected {source} beside it")
            for answer in (name + _ANSWERS[number] for number in answers)
        ]
        return None
    if not answers:
        expected = " or ".join(name + suffix for suffix in _ANSWERS)
        message = f"{source} has no answer: expected {expected} beside it"
        diagnostics.append(Diagnostic(path=place / source, message=message))
        return None
    pair = source, name + _ANSWERS[answers[0]]
    wrong = [Diagnostic(path=place / each, message=why) for each in pair if (why := why_no_file(f"{place}/{each}"))]
    diagnostics += wrong
    return None if wrong else answers[0]


def _order(place: Path, folder: Path) -> tuple[object, ...]:
    path = place.relative_to(folder).as_posix()
    return path != "sample", natural(path)
