"""The values of preparing test data: what a case becomes, where test data is kept, and how programs are run."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Protocol, TypeVar, overload

from msgspec import Struct

from judge.base.data import Data
from judge.base.errors import Diagnostic, ToolError
from judge.model import Case, FileCases, InFile, Problem
from judge.preparation.store import FactCache, LockedCase, ObjectStore
from judge.sandbox.box import Box

if TYPE_CHECKING:  # few problems have such programs
    from judge.judging.programs import JudgePrograms

T = TypeVar("T")
R = TypeVar("R")


class MapRuns(Protocol):
    """Calls a function for each item, each time with a box, and yields the results in the order of the items."""

    def __call__(self, function: Callable[[Box, T], R], items: Iterable[T]) -> Iterator[R]:
        """Start the calls; the caller takes the results at its own pace."""


class DataStore(Struct, frozen=True, kw_only=True):
    """Where test data and compiled programs are kept.

    Attributes:
        objects: inputs and answers that were made, by hash.
        programs: those that were compiled in earlier runs; None for none.
        build: a temporary folder for compiled programs, which exists as long as this process.
        testlib: the user's `testlib.h`, for checkers that have none; None if it is not set.
    """

    objects: ObjectStore
    facts: FactCache
    build: Path
    programs: Path | None = None
    folders: Sequence[Path] = ()
    testlib: Path | None = None

    def judge_programs(self, problem: Problem) -> "JudgePrograms | None":
        """Return the programs of a problem that judge, not built yet; None if it has none."""
        has_grader = problem.groups is not None and any(each.grader for each in problem.groups.walk())
        has_program = has_grader or problem.static_validator is not None or problem.interactor is not None
        cases = problem.cases
        checkers = [cases.checker] if isinstance(cases, FileCases) else [case.checker for case in cases]
        if not has_program and all(each.program is None for each in (problem.checker, *checkers)):
            return None
        from judge.judging.programs import JudgePrograms

        return JudgePrograms(problem, self.build, self.programs, self.testlib)


class Answer(Struct, frozen=True):
    """An answer with its hash; `is_confirmed`: all of the problem's own solutions that were needed agree."""

    digest: str
    data: Data
    is_confirmed: bool = True


class ReadyCase(Struct, frozen=True, kw_only=True):
    """A case whose input is valid and whose answer is confirmed.

    Attributes:
        answer: None if there is none: a program is run, and its output compared with nothing.
        locked: what a lock file should record for it; None if it records nothing (no reference, or external data).
    """

    case: Case
    input: Data
    answer: Data | None
    locked: LockedCase | None = None


class SkippedCase(Struct, frozen=True, kw_only=True):
    """A case whose external data is not on this machine; `reason` names it and says how to get it."""

    case: Case
    reason: str


class InvalidCase(Struct, frozen=True):
    """A case whose test data is wrong, so that no solution can be judged on it.

    Attributes:
        subject: what is wrong; the same text for every case with this cause.
        detail: what the error looks like on this case.
        file: the program that is wrong; None if it is the case itself, as far as anybody can tell.
    """

    case: Case
    subject: str
    detail: str = ""
    file: Path | None = None
    fix: str = ""

    @property
    def cause(self) -> tuple[Path | None, str]:
        """What cases that are wrong for the same reason have in common."""
        return self.file, self.subject

    @property
    def diagnostic(self) -> Diagnostic:
        """The error of this case alone."""
        return _diagnose([self])


PreparedCase = ReadyCase | SkippedCase | InvalidCase


class RunFailure(Struct, frozen=True):
    """Why a solution or a generator has no output, such as that it does not compile.

    Attributes:
        is_slow: it exceeded a time limit.
        is_random: it made an input twice, and they differ.
    """

    reason: str
    is_slow: bool = False
    is_random: bool = False


class CheckerFailureError(ToolError):
    """A checker fails on an output of the problem's own solutions; `file` is its source, as messages name it."""

    def __init__(self, reason: str, file: Path) -> None:
        super().__init__(reason)
        self.file = file


_MOST_NAMED = 3  # cases that a diagnostic about many names


def diagnose(cases: Iterable[PreparedCase]) -> list[Diagnostic]:
    """Return what is wrong with some cases: one diagnostic per cause if it is a program, or has many cases."""
    causes: dict[tuple[Path | None, str], list[InvalidCase]] = {}
    for each in cases:
        if isinstance(each, InvalidCase):
            causes.setdefault(each.cause, []).append(each)
    diagnostics = []
    for (file, _), invalid in causes.items():
        if file is None and len(invalid) <= 3:
            diagnostics += [_diagnose([each]) for each in invalid]
        else:
            diagnostics.append(_diagnose(invalid))
    return diagnostics


def _diagnose(cases: Sequence[InvalidCase]) -> Diagnostic:
    """Return the diagnostic of cases with the same cause; its detail is that of the first."""
    first = cases[0]
    names = [each.case.id for each in cases]
    which = f"case {names[0]}"
    if len(names) > 1:
        shown, others = names[:_MOST_NAMED], len(names) - _MOST_NAMED
        more = f" and {others} more" if others > 0 else ""
        which = f"cases {', '.join(shown)}{more}"
    if first.file is None:
        message = f"{which}: {first.subject}{first.detail}"
        return Diagnostic(path=first.case.origin, line=first.case.line, column=1, message=message, fix=first.fix)
    return Diagnostic(path=first.file, message=f"{first.subject} {which}{first.detail}", fix=first.fix)


class LazyCases(Sequence[ReadyCase]):
    """Cases whose inputs and answers are files, if there is an answer, and need no validation; created on access.

    Raises:
        ValueError: a case is not of this kind.
    """

    def __init__(self, cases: Sequence[Case]) -> None:
        if not isinstance(cases, FileCases) and any(
            type(case.input) is not InFile or type(case.answer) not in (InFile, NoneType) for case in cases
        ):
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
