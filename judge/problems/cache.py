"""Loaded problems, stored as JSON: a run in which no file of a problem has changed reads no YAML.

A stored problem is used only while the stats of all its files and folders are those of when it was read, and the judge
and its YAML parser are the same. A file that was changed less than two seconds before is not trusted: a second edit
could leave the same time (as in git, Documentation/technical/racy-git.txt).

The folder may come with a repository from somewhere else, so its content proves nothing. A stored problem begins with
a hash over these stats and the rest of the file. It cannot be written without knowing the inodes and change times that
the files have on this machine.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from judge.files import describe_code, read_cache, write_cache
from judge.model import (
    EXPECTATIONS,
    Case,
    CheckerConfig,
    CheckerTest,
    External,
    Generated,
    InFile,
    Inline,
    InputSource,
    Limits,
    Problem,
    ProblemSource,
    ProblemType,
    Requirement,
    Solution,
    ValidatorTest,
    Verdict,
)
from judge.serialization import dump, fields_of, restore, to_bytes

if TYPE_CHECKING:
    from judge.groups import TestGroup
    from judge.programs import JudgeProgram

_TOP_FOLDERS = ("problems", "testcases", "solutions")
_RECENT_NS = 2 * 10**9


class _NotStorableError(Exception):
    """A link or an unreadable folder: what the problem consists of is not known from its own folders."""


def load_problem(root: Path, problem_id: str, folder: Path) -> Problem:
    """Read a problem as `judge.problems.native.load_problem` does, or take what an earlier read stored in a folder.

    Raises:
        UsageError: there is no such problem.
        DataError: its files are wrong.
    """
    root = Path(os.path.abspath(root))  # noqa: PTH100 - not resolve(): links stay as they are
    path, now = folder / f"{problem_id}.json", time.time_ns()
    before = _fingerprint(root, problem_id, now)
    if before is not None and (problem := _read(path, before)) is not None:
        return problem
    from judge.problems import native

    problem = native.load_problem(root, problem_id)
    if before is not None and before == _fingerprint(root, problem_id, now):
        _write(path, before, problem)
    return problem


def _fingerprint(root: Path, problem_id: str, now: int) -> str | None:
    """Return a hash of all that a problem is read from; None if that is not known, or has just been changed."""
    if "/" in problem_id or problem_id.startswith("."):
        return None
    lines = [os.path.realpath(root), str(root), problem_id, f"{os.getuid()} {os.getgroups()}", _reader_stats()]
    try:
        for top in _TOP_FOLDERS:
            lines.append(_describe(f"{root}/{top}", os.lstat(root / top), now))
            lines += _describe_tree(f"{root}/{top}/{problem_id}", now)
    except (_NotStorableError, OSError):
        return None
    return hashlib.sha256("\0".join(lines).encode(errors="surrogateescape")).hexdigest()


def _describe_tree(path: str, now: int) -> Iterator[str]:
    """Yield a line for a file, or for a folder and everything below, sorted; for what does not exist, too."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        yield f"no {path}"
        return
    yield _describe(path, found, now)
    if S_ISDIR(found.st_mode):
        for name in sorted(os.listdir(path)):  # noqa: PTH208 - a Path for each file costs more
            yield from _describe_tree(f"{path}/{name}", now)


def _describe(path: str, found: os.stat_result, now: int) -> str:
    """Return a line that changes with a file, or with who may read a folder."""
    text = f"{path} {found.st_mode} {found.st_uid} {found.st_gid}"
    if S_ISDIR(found.st_mode):  # its entries have lines of their own
        return text
    if S_ISLNK(found.st_mode) or (
        S_ISREG(found.st_mode) and max(found.st_mtime_ns, found.st_ctime_ns) > now - _RECENT_NS
    ):
        raise _NotStorableError
    return f"{text} {found.st_ino} {found.st_dev} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"


@cache
def _reader_stats() -> str:
    """Return a text that changes with the code that reads problems: the judge, PyYAML, and Python's own parser."""
    from importlib.util import find_spec
    from sys import version

    found = find_spec("yaml")
    assert found is not None
    assert found.origin is not None
    parser = Path(found.origin).stat()
    return f"{version} {found.origin} {parser.st_size} {parser.st_mtime_ns} {describe_code(Path(__file__).parents[1])}"


def _read(path: Path, fingerprint: str) -> Problem | None:
    """Return the stored problem; None if there is none, or if it was stored for other files or is damaged."""
    try:
        checksum, _, body = read_cache(path).partition(b"\n")
    except OSError:
        return None
    return _from_values(json.loads(body)) if checksum == _checksum(fingerprint, body) else None


def _write(path: Path, fingerprint: str, problem: Problem) -> None:
    body = dump(_to_values(problem))
    try:
        write_cache(path, _checksum(fingerprint, body) + b"\n" + body, path.parents[1])
    except OSError:  # a read-only repository or a full disk: it is read from YAML again
        return


def _checksum(fingerprint: str, body: bytes) -> bytes:
    return hashlib.sha256(fingerprint.encode() + body).hexdigest().encode()


def _to_values(problem: Problem) -> list[object]:
    values = dict(zip(Problem.__struct_fields__, fields_of(problem), strict=True))
    for name in ("checker_tests", "validator_tests"):
        values[name] = [[_tag(value) for value in fields_of(test)] for test in getattr(problem, name)]
    values["cases"] = [[_tag(value) for value in fields_of(case)] for case in problem.cases]
    values["solutions"] = [
        (each.path, each.display_path, each.expectation.name, each.expectation.more) for each in problem.solutions
    ]
    return list(values.values())


def _tag(value: object) -> object:
    """Return the values of an input or an answer with its kind before them; anything else as it is."""
    return [type(value).__name__, *fields_of(value)] if isinstance(value, InputSource) else value


def _from_values(values: list[Any]) -> Problem:
    return restore(
        Problem,
        values,
        source=lambda source: restore(ProblemSource, source),
        limits=_restore_limits,
        checker=_restore_checker,
        folder=Path,
        statement=Path,
        validator=Path,
        generators=lambda paths: tuple(map(Path, paths)),
        reference=Path,
        independent=Path,
        lock=Path,
        compile_flags=lambda flags: {language: tuple(given) for language, given in flags.items()},
        cases=lambda cases: tuple(map(_restore_case, cases)),
        solutions=lambda solutions: tuple(_restore_solution(*values) for values in solutions),
        types=lambda types: frozenset(map(ProblemType, types)),
        interactor=_restore_program,
        program_limits=_restore_limits,
        groups=_restore_group,
        checker_tests=lambda tests: tuple(map(_restore_checker_test, tests)),
        validator_tests=lambda tests: tuple(map(_restore_validator_test, tests)),
    )


def _restore_solution(path: str, shown: str, name: str, more: list[Any]) -> Solution:
    expectation = EXPECTATIONS[name]
    if len(more) != len(expectation.more):
        expectation = replace(expectation, more=tuple(map(_restore_requirement, more)))
    return Solution(path=Path(path), display_path=shown, expectation=expectation)


def _restore_verdicts(names: list[str]) -> frozenset[Verdict]:
    return frozenset(map(Verdict, names))


def _restore_group(values: list[Any]) -> "TestGroup":
    from judge.groups import Aggregation, Rules, TestGroup, VerdictMode  # few problems have any

    return restore(
        TestGroup,
        values,
        rules=Rules,
        groups=lambda groups: tuple(map(_restore_group, groups)),
        aggregation=Aggregation,
        require_pass=tuple,
        verdict_mode=VerdictMode,
        grader_args=tuple,
        static_args=tuple,
    )


def _restore_data(values: list[Any]) -> InputSource:
    return _RESTORE_DATA[values[0]](values[1:])


_restore_path = cache(Path)  # few files describe many cases
_RESTORE_DATA: Mapping[str, Callable[[list[Any]], InputSource]] = {
    "Inline": partial(restore, Inline, data=to_bytes),
    "InFile": partial(restore, InFile, path=Path),
    "Generated": partial(restore, Generated, file=_restore_path, parameters=lambda pairs: tuple(map(tuple, pairs))),
    "External": partial(restore, External),
}


def _restore_limits(values: list[Any]) -> Limits:
    return _limits(*values)


def _restore_checker(values: list[Any]) -> CheckerConfig:
    *options, program, args = values
    checker = _checker(*options, None, ())
    return replace(checker, program=_restore_program(program), args=tuple(args)) if program else checker


_restore_case = partial(
    restore,
    Case,
    input=_restore_data,
    answer=_restore_data,
    limits=_restore_limits,
    checker=_restore_checker,
    validator_args=tuple,
    origin=_restore_path,
    args=tuple,
)
_restore_requirement = partial(
    restore, Requirement, cases=tuple, permitted=_restore_verdicts, required=_restore_verdicts, score=tuple
)
_restore_checker_test = partial(
    restore, CheckerTest, input=_restore_data, answer=_restore_data, output=_restore_data, args=tuple, origin=Path
)
_restore_validator_test = partial(restore, ValidatorTest, input=_restore_data, args=tuple, origin=Path)


def _restore_program(values: list[Any]) -> "JudgeProgram":
    from judge.programs import JudgeProgram, Protocol  # few problems have one

    return restore(
        JudgeProgram,
        values,
        source=Path,
        protocol=Protocol,
        include=tuple,  # empty, and so are the others: only packages have any
        others=tuple,
    )


@cache  # most cases have the same
def _limits(*values: Any) -> Limits:
    return restore(Limits, values)


@cache
def _checker(*values: Any) -> CheckerConfig:
    return restore(CheckerConfig, values)
