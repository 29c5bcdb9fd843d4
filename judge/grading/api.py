"""Grading as a part of the public Python API: import the names from `judge`, not from this module."""

from collections.abc import AsyncIterable, Iterable
from pathlib import Path

from judge.base.errors import UsageError
from judge.base.units import MIB, Bytes, Seconds
from judge.grading import grader
from judge.grading.grader import GradeStream
from judge.grading.rows import LEAST_TIME, MAX_MEMORY, MAX_TIME, find_checker_fault
from judge.grading.values import Document, GradeOptions
from judge.model import Level


class Grader(grader.Grader):
    """Grades rows; a context manager that ends all runs and removes all temporary files. Thread-safe.

    It starts its workers once. Use one for as many rows, streams and threads as you like.

    Args:
        jobs: rows at the same time, at most 256; default: one per CPU core.
        root: the repository for rows that name a problem; default: the nearest one above the current folder.
        allow_paths: folders; files and problems that rows name must be in one of them; default: the current folder.
        warm: fork Python submissions from a running interpreter.
        python: the absolute path of the interpreter for Python, which then starts cold; default: this one's base.
        all_tests: run all tests of a submission, not only those up to its first failure.
        extract_code: grade only what is between the last Markdown fences of a source that has some.
        in_order: run tests in their order, not first those that rejected most.
        time_limit: CPU seconds per test, for rows with tests that do not say it; default: 2 s.
        memory_limit: bytes per test, likewise; default: 256 MiB.
        checker: `tokens`, `lines` or `exact`, likewise.
        float_tolerance: accept numbers within this absolute or relative error, likewise.
        require_sandbox: `full`, `landlock` or `limits`: the weakest level to accept.

    Raises:
        JudgeError: an argument is not valid, the sandbox is weaker than required, or no program can be run here.
    """

    def __init__(
        self,
        *,
        jobs: int | None = None,
        root: str | Path | None = None,
        allow_paths: Iterable[str | Path] = (),
        warm: bool = True,
        python: str | None = None,
        all_tests: bool = False,
        in_order: bool = False,
        extract_code: bool = False,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        checker: str | None = None,
        float_tolerance: float | None = None,
        require_sandbox: str | None = None,
    ) -> None:
        if require_sandbox is not None and require_sandbox not in list(Level):
            raise UsageError(f"require_sandbox={require_sandbox!r}: expected one of {', '.join(Level)}")
        for name, value, least, most in (
            ("time_limit", time_limit, LEAST_TIME, MAX_TIME),
            ("memory_limit", memory_limit, MIB, MAX_MEMORY),
        ):
            if value is not None and not least <= value <= most:
                raise UsageError(f"{name}={value}: expected a number from {least:g} to {most:g}")
        if fault := find_checker_fault(checker or "tokens", float_tolerance):
            raise UsageError(fault if fault.startswith("float_tolerance") else f"checker={fault}")
        if python is not None and not Path(python).is_file():
            raise UsageError(f"python={python!r}: no such file; expected the path of an interpreter")
        super().__init__(
            GradeOptions(
                root=None if root is None else Path(root),
                folders=tuple(map(Path, allow_paths)),
                jobs=jobs,
                runs_all=all_tests,
                in_order=in_order,
                extracts_code=extract_code,
                is_warm=warm,
                cpu=None if time_limit is None else Seconds(time_limit),
                memory=None if memory_limit is None else Bytes(int(memory_limit)),
                checker=checker,
                tolerance=float_tolerance,
                python=python or "",
                required_level=None if require_sandbox is None else Level(require_sandbox),
            )
        )


def grade(
    rows: Iterable[Document] | AsyncIterable[Document], *, jobs: int | None = None, all_tests: bool = False
) -> GradeStream:
    """Grade rows with a `Grader` of their own; for `for` or `async for`, which yield each `Grade` when it is known.

    Args:
        rows: JSON objects, as in the lines of `judge grade`; taken only as fast as results are.
        jobs: rows at the same time; default: one per CPU core.
        all_tests: run all tests of a submission, not only those up to its first failure.
    """
    return GradeStream(rows, lambda: Grader(jobs=jobs, all_tests=all_tests))
