"""The values of preparing test data: what a case becomes, where things are kept, and who runs programs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar, overload

from judge.data import Data
from judge.errors import Diagnostic
from judge.languages.build_cache import BuildCache
from judge.model import Case, InFile
from judge.preparation.lock import LockedCase
from judge.preparation.store import FactCache, ObjectStore
from judge.sandbox.box import Box

T = TypeVar("T")
R = TypeVar("R")

"""Some bytes: themselves, or the file that holds them."""


class MapRuns(Protocol):
    """Calls a function for every item, each in some box, and yields the results in the items' order."""

    def __call__(self, function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
        """Start calling; results come as fast as they are taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataStore:
    """Where test data is kept and looked for.

    Attributes:
        objects, facts: what earlier runs made and found out.
        programs: what was compiled before.
        build: a folder for compiled programs; it lives as long as this process needs them.
        folders: where external data may be.
    """

    objects: ObjectStore
    facts: FactCache
    build: Path
    programs: BuildCache = field(default_factory=BuildCache)
    folders: Sequence[Path] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A case whose input is valid and whose answer is confirmed.

    `locked` is what a lock file says of it now; None when there is nothing to lock (no reference, or external data).
    """

    case: Case
    input: Data
    answer: Data
    locked: LockedCase | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A case whose external data is not here; `reason` says what is missing."""

    case: Case
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A case whose data is wrong; `diagnostic` says where and what to do."""

    case: Case
    diagnostic: Diagnostic


PreparedCase = Ready | Skipped | Broken


class LazyCases(Sequence[Ready]):
    """Cases whose inputs and answers are files and need no proof: made when they are asked for, however many.

    Raises:
        ValueError: a case is not of this kind.
    """

    def __init__(self, cases: Sequence[Case]) -> None:
        if not all(isinstance(case.input, InFile) and isinstance(case.answer, InFile) for case in cases):
            raise ValueError("a case without files")
        self._cases = cases

    def __len__(self) -> int:
        return len(self._cases)

    @overload
    def __getitem__(self, at: int) -> Ready: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Ready]: ...
    def __getitem__(self, at: int | slice) -> Ready | Sequence[Ready]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        case = self._cases[at]
        assert isinstance(case.input, InFile)
        assert isinstance(case.answer, InFile)
        return Ready(case=case, input=case.input.path, answer=case.answer.path)


@dataclass(frozen=True, slots=True)
class Generating:
    """How many inputs generators have still to make; before that no case is prepared."""

    left: int


def broken(case: Case, message: str) -> Broken:
    """Return a case as broken, with its place and name before the message."""
    text = f"case {case.id}: {message}"
    return Broken(case=case, diagnostic=Diagnostic(path=case.origin, line=case.line, column=1, message=text))
