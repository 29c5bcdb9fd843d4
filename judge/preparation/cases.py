"""The values of preparing test data: what a case becomes, where test data is kept, and how programs are run."""

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


class MapRuns(Protocol):
    """Calls a function for each item, each time with a box, and yields the results in the order of the items."""

    def __call__(self, function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
        """Start the calls; the caller takes the results at its own pace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataStore:
    """Where test data and compiled programs are kept.

    Attributes:
        objects: inputs and answers that were made, by hash.
        build: a temporary folder for compiled programs, which exists as long as this process.
    """

    objects: ObjectStore
    facts: FactCache
    build: Path
    programs: BuildCache = field(default_factory=BuildCache)
    folders: Sequence[Path] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyCase:
    """A case whose input is valid and whose answer is confirmed.

    Attributes:
        answer: None if there is none: a program is run, and its output compared with nothing.
        locked: what a lock file should record for it; None if it records nothing (no reference, or external data).
    """

    case: Case
    input: Data
    answer: Data | None
    locked: LockedCase | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedCase:
    """A case whose external data is not on this machine; `reason` names it and says how to get it."""

    case: Case
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidCase:
    """A case whose test data is wrong."""

    case: Case
    diagnostic: Diagnostic


PreparedCase = ReadyCase | SkippedCase | InvalidCase


def invalid_case(case: Case, message: str) -> InvalidCase:
    """Return an invalid case; the diagnostic has the position of the case, and its name before the message."""
    text = f"case {case.id}: {message}"
    return InvalidCase(case=case, diagnostic=Diagnostic(path=case.origin, line=case.line, column=1, message=text))


class LazyCases(Sequence[ReadyCase]):
    """Cases whose inputs and answers are files, if there is an answer, and need no validation; created on access.

    Raises:
        ValueError: a case is not of this kind.
    """

    def __init__(self, cases: Sequence[Case]) -> None:
        if not all(isinstance(case.input, InFile) and isinstance(case.answer, InFile | None) for case in cases):
            raise ValueError("a case without files")
        self._cases = cases

    def __len__(self) -> int:
        return len(self._cases)

    @overload
    def __getitem__(self, at: int) -> ReadyCase: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[ReadyCase]: ...
    def __getitem__(self, at: int | slice) -> ReadyCase | Sequence[ReadyCase]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        case = self._cases[at]
        assert isinstance(case.input, InFile)
        assert isinstance(case.answer, InFile | None)
        return ReadyCase(case=case, input=case.input.path, answer=case.answer.path if case.answer else None)


@dataclass(frozen=True, slots=True)
class Generating:
    """Progress: how many inputs generators have yet to make; until then no case is prepared."""

    remaining: int
