"""The problem files of cph: `.cph/.a.py_<hash>.prob` beside `a.py`, JSON in the format of Competitive Companion."""

from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from judge.errors import DataError, Diagnostic
from judge.model import Case, CheckerConfig, Inline, Limits, ProblemSource, default_wall
from judge.problems.paths import find_file_error
from judge.units import MIB, Bytes, Seconds

_MAX_SIZE = 64 * MIB
_MAX_TIME_LIMIT = 24 * 60 * 60 * 1000  # ms
_MAX_MEMORY_LIMIT = 1024 * 1024  # MiB


class CompanionTest(msgspec.Struct):
    """An input and its answer."""

    input: str
    output: str


class _Problem(msgspec.Struct, rename="camel"):
    """The members that are used; others are ignored."""

    tests: list[CompanionTest]
    name: str = ""
    url: str = ""
    interactive: bool | None = None
    memory_limit: float | None = None
    time_limit: float | None = None


class CompanionProblem(Struct, frozen=True, kw_only=True):
    """What a problem file says.

    Attributes:
        limits: None if it sets none.
        source: None if it has no URL.
        is_interactive: its tests are dialogues.
    """

    cases: tuple[Case, ...]
    limits: Limits | None
    source: ProblemSource | None
    is_interactive: bool


def find_problem_file(source: Path) -> Path | None:
    """Return cph's file for a source, or None; the hash in its name depends on where cph saw the source."""
    folder = source.parent / ".cph"
    prefix = f".{source.name}_"
    try:
        names = sorted(each.name for each in folder.iterdir())
    except OSError:
        return None
    return next((folder / name for name in names if name.startswith(prefix) and name.endswith(".prob")), None)


def read_problem_file(path: Path, *, limits: Limits, checker: CheckerConfig) -> CompanionProblem:
    """Read a problem file; `limits` are for what it does not set.

    Raises:
        DataError: it cannot be read, or is something else.
    """
    reason = find_file_error(path)
    if reason is None and path.stat().st_size > _MAX_SIZE:
        reason = f"is larger than {_MAX_SIZE // MIB} MiB"
    if reason is not None:
        raise DataError([Diagnostic(path=path, message=reason)])
    try:
        found = msgspec.json.decode(path.read_bytes(), type=_Problem)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OSError) as error:
        message = f"not a problem file of cph: {error}; delete it, or name other cases with --cases"
        raise DataError([Diagnostic(path=path, message=message)]) from error
    own = _read_limits(found, limits)
    return CompanionProblem(
        cases=tuple(
            Case(
                group="cph",
                name=str(number),
                input=Inline(test.input.encode()),
                answer=Inline(test.output.encode()),
                limits=own,
                checker=checker,
                origin=path,
            )
            for number, test in enumerate(found.tests, 1)
        ),
        limits=None if own == limits else own,
        source=ProblemSource(name=found.name, url=found.url) if found.url.startswith(("http://", "https://")) else None,
        is_interactive=found.interactive is True,
    )


def _read_limits(problem: _Problem, limits: Limits) -> Limits:
    if (cpu := read_time_limit(problem.time_limit)) is not None:
        limits = replace(limits, cpu=cpu, wall=default_wall(cpu))
    memory = read_memory_limit(problem.memory_limit)
    return limits if memory is None else replace(limits, memory=memory)


def read_time_limit(limit: float | None) -> Seconds | None:
    """Return a time limit, given in milliseconds; None if it means nothing."""
    return Seconds(round(limit) / 1000) if limit is not None and 1 <= limit <= _MAX_TIME_LIMIT else None


def read_memory_limit(limit: float | None) -> Bytes | None:
    """Return a memory limit, given in MiB; None if it means nothing."""
    return Bytes(round(limit) * MIB) if limit is not None and 1 <= limit <= _MAX_MEMORY_LIMIT else None
