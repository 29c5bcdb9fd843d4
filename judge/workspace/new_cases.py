"""New cases of a source or a problem: what a user types, or a search finds, is put where `judge run` finds it.

Beside a source, the names follow those of the cases that it has; a problem of a repository gets a case in a case file.
"""

import errno
import os
import re
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import count
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import UsageError
from judge.base.files import write_atomically
from judge.base.links import check_inside
from judge.languages.table import is_source
from judge.model import Case, InFile, Inline
from judge.problems.conventions import GENERIC, answer_names, belongs_to, is_helper

_SAMPLE = re.compile("samples?[-_.]?", re.IGNORECASE)
_NUMBER = re.compile(r"(.*?)([0-9]+)([^0-9]*)")


def find_known(cases: Iterable[Case], data: bytes) -> Case | None:
    """Return the case that has an input already."""
    for case in cases:
        match case.input:
            case Inline(known) if known == data:
                return case
            case InFile(path) if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
                return case
    return None


def add_beside(
    source: Path, cases: Sequence[Case], data: bytes, answer: bytes | None, helpers: Collection[Path] = ()
) -> tuple[Path, ...]:
    """Write an input and its answer, if that is known, where the other cases of a source are; return the files.

    The path of the source is absolute. `helpers` are sources that solve the same problem, or that help to.

    Raises:
        OSError: they cannot be written, or a folder is a link to somewhere else.
        UsageError: the file of cph with the cases cannot be read.
    """
    companion = next((case.origin for case in cases if case.origin.suffix == ".prob"), None)
    if companion is not None:
        if answer is None:
            raise UsageError(f"{companion}: a test of cph has an answer, and none is known")
        _add_to_companion(companion, data, answer)
        return (companion,)
    files = [case for case in cases if isinstance(case.input, InFile)]
    fill = _name_next(source, files) if files else _name_first(source, helpers)
    return write_case(fill, data, answer, source.parent)


def add_answer(path: Path, answer: bytes, beside: Path) -> tuple[Path]:
    """Write the answer to an input that has none beside it; return the file.

    Raises:
        OSError: it exists or cannot be written, or its folder, which is not far from `beside`, leads somewhere else.
    """
    path = _answer_beside(path)
    check_inside(path.parent, Path(os.path.commonpath([beside, path.parent])))
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, "exists, and is not the answer of a case", str(path))
    write_atomically(path, answer)
    return (path,)


def _answer_beside(path: Path) -> Path:
    return path.with_name(next(iter(answer_names(path.name)), "answer"))


def write_case(
    fill: Callable[[int], tuple[Path, Path]], data: bytes, answer: bytes | None, beside: Path
) -> tuple[Path, ...]:
    """Write an input and its answer, both or none, under the first number that is free; return the files.

    Raises:
        OSError: they cannot be written, or their folder, which is not far from `beside`, is a link to somewhere else.
    """
    paths = next(pair for pair in map(fill, count(1)) if not any(map(os.path.lexists, pair)))
    for path in paths:
        check_inside(path.parent, Path(os.path.commonpath([beside, path.parent])))
    given = [(paths[1], answer), (paths[0], data)]  # the answer first: an input alone would be a case without one
    try:
        for path, content in given:
            if content is not None:
                write_atomically(path, content)
    except BaseException:  # Ctrl-C, too
        for path in paths:
            path.unlink(missing_ok=True)
        raise
    return paths if answer is not None else paths[:1]


def _name_first(source: Path, helpers: Collection[Path]) -> Callable[[int], tuple[Path, Path]]:
    """Return the files of the first cases of a source: in tests/, or in tests/NAME/ if there are other solutions."""
    folder, stem = source.parent / "tests", source.stem
    others = (path for path in source.parent.iterdir() if is_source(path.name) and path not in helpers)
    is_alone = all(path.stem.lower() == stem.lower() or is_helper(path.stem) for path in others)
    if not (is_alone or stem.lower() in GENERIC or is_helper(stem)):
        folder /= stem
    return numbered(folder)


def numbered(folder: Path) -> Callable[[int], tuple[Path, Path]]:
    """Return a function that names the files of the case with a number in a folder."""
    return lambda number: (folder / f"{number}.in", folder / f"{number}.ans")


class _Name(Struct, frozen=True):
    """The name of a file without its number."""

    folder: Path
    before: str
    after: str

    def fill(self, number: str) -> Path:
        """Return the path with a number."""
        return self.folder / f"{self.before}{number}{self.after}"


def _split_name(path: Path, own: str) -> tuple[_Name, str]:
    """Return a name without its last number, and the number; "" if it has none, and then where one is added.

    What is before and in the name of the source, `own`, does not count.
    """
    if found := _NUMBER.fullmatch(path.name.removeprefix(own)):
        return _Name(path.parent, own + found[1], found[3]), found[2]
    before = own or path.name.partition(".")[0]
    return _Name(path.parent, f"{before}-", path.name.removeprefix(before)), ""


def _name_next(source: Path, cases: Sequence[Case]) -> Callable[[int], tuple[Path, Path]]:
    """Return the files of the next cases: named as most of a source's cases, with the next numbers."""
    by_name: dict[_Name, list[tuple[str, str, Path | None]]] = {}
    for case in cases:
        assert isinstance(case.input, InFile)
        own = source.stem if belongs_to(case.input.path.name, source.stem) else ""
        name, number = _split_name(case.input.path, own)
        answer = case.answer.path if isinstance(case.answer, InFile) else None
        by_name.setdefault(name, []).append((number, own, answer))
    name, members = max(by_name.items(), key=lambda each: (len(each[1]), bool(each[1][0][0])))
    number, own, answer = next((each for each in members if each[2]), members[0])
    after = None if answer is None else _split_name(answer, own)[0]
    last = max(int(each[0] or 1) for each in members)
    if _SAMPLE.fullmatch(name.before):  # these names are for the samples of the statement, which an import may replace
        name, after, last = replace(name, before="own-"), after and replace(after, before="own-"), 0

    def fill(step: int) -> tuple[Path, Path]:
        digits = str(last + step).zfill(len(number))
        path = name.fill(digits)
        return path, after.fill(digits) if after else _answer_beside(path)

    return fill


def _add_to_companion(path: Path, data: bytes, answer: bytes) -> None:
    """Add a test to a problem file of cph; all else stays.

    Raises:
        UsageError: the file has another form, or the data are no text.
    """
    try:
        problem = msgspec.json.decode(path.read_bytes(), type=dict[str, object])
        tests = msgspec.convert(problem["tests"], list[dict[str, object]])
        test = {"input": data.decode(), "output": answer.decode(), "id": time.time_ns() // 1_000_000}  # as cph does
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError) as error:
        raise UsageError(f"{path}: no test can be added: {error}") from error
    write_atomically(path, msgspec.json.encode({**problem, "tests": [*tests, test]}))
