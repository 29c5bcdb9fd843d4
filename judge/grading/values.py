"""The values of grading: what a row of submissions becomes, and the result of a row. All of them can be pickled."""

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from judge.base.links import leads_out
from judge.base.units import Bytes, Seconds
from judge.model import CheckerConfig, FileNames, Level, Limits, Verdict

VERSION = 1
"""The version of the results: a change of a field's meaning or type gets a new one."""

TIME_BAND = 0.1
"""The share of a time limit, on both sides, within which a run is repeated."""

MEMORY_BAND = 0.05
"""The share of the memory limit, on both sides, within which a run is repeated."""


class RowError(Exception):
    """A row is malformed; the message names the key, what was found and what was expected."""


class DataSet(StrEnum):
    """A data set whose own evaluator decides what surrounds a submission, and how its output is compared.

    TACO and those that follow it, such as verl, count as APPS.
    """

    NONE = ""
    APPS = "APPS"
    LIVE_CODE_BENCH = "LiveCodeBench"
    HUMAN_EVAL = "HumanEval"
    MBPP = "MBPP"

    @property
    def has_asserts(self) -> bool:
        """Whether the tests are Python code that asserts, and not inputs and outputs."""
        return self in (DataSet.HUMAN_EVAL, DataSet.MBPP)


class TextTest(Struct, frozen=True):
    """An input and the output that is expected; for a task with a function, both are JSON."""

    input: bytes
    output: bytes


class GradeOptions(Struct, frozen=True, kw_only=True):
    """How rows are graded.

    Attributes:
        root: the repository for rows that name a problem; None for the nearest one.
        folders: where the files and problems that rows name may be; the current folder if there are none.
        jobs: runs at the same time; None for one on each CPU core.
        runs_all: run all tests of a submission, not only those up to its first failure.
        in_order: run the tests in their order; otherwise those first that rejected most submissions so far.
        extracts_code: grade only what is between the last Markdown fences of a source that has some.
        is_warm: fork Python submissions from a running interpreter.
        cpu, memory, checker, tolerance: for rows with tests that do not say it themselves; None for the defaults.
        python: the path of the interpreter for Python; "" for the judge's own.
        required_level: the weakest sandbox level to accept.
        profile: of the settings.
    """

    root: Path | None = None
    folders: tuple[Path, ...] = ()
    jobs: int | None = None
    runs_all: bool = False
    in_order: bool = False
    extracts_code: bool = False
    is_warm: bool = True
    cpu: Seconds | None = None
    memory: Bytes | None = None
    checker: str | None = None
    tolerance: float | None = None
    python: str = ""
    required_level: Level | None = None
    profile: str | None = None

    def find_fault(self, path: Path) -> str:
        """Return why a row may not name a path, in words that follow it; "" if it may: rows may come from anyone."""
        folders = self.folders or (Path.cwd(),)
        if not leads_out(path, *map(os.path.realpath, folders)):
            return ""
        return f"is not in {' or '.join(map(str, folders))}; to allow another folder: --allow-paths DIR"


class Task(Struct, frozen=True, kw_only=True):
    """A submission that can be graded.

    Attributes:
        line: the 1-based line or position in the stream.
        files: all files of a program of several, by their paths in its folder; empty for one.
        entry_point: the file or class that runs; "" for the default.
        tests: what it is run on; empty if it names a problem.
        function: the function that is called with each test's input as arguments; "" for a program.
        file_names: the files that take the place of standard input and output; None for none.
        uses_checker: `checker` compares what a program prints, not the rule of the data set.
        problem: the id of a problem, or the path of a package or folder; "" for tests.
        limit_overrides: arguments of `Limits.override` for the limits of the problem.
        checker_override: replaces the checker of the problem; None keeps it.
        names_checker: the row names it, and not only its options.
        group: what submissions to the same task have in common, for pass@k.
        digest: of everything that decides the verdict, in hex.
    """

    id: str
    line: int
    code: bytes
    files: Mapping[str, bytes] = field(default_factory=dict)
    language: str
    entry_point: str = ""
    tests: tuple[TextTest, ...] = ()
    limits: Limits
    checker: CheckerConfig
    function: str = ""
    data_set: DataSet = DataSet.NONE
    file_names: FileNames | None = None
    uses_checker: bool = True
    problem: str = ""
    limit_overrides: Mapping[str, Any] = field(default_factory=dict)
    checker_override: CheckerConfig | None = None
    names_checker: bool = False
    group: str = ""
    digest: str


class Failure(Struct, frozen=True, kw_only=True):
    """The first failure of a submission; texts are cut.

    Attributes:
        case: the name of the case; tests are numbered from 1.
        reason: one line.
        input, expected, found: the beginnings of the input, of the answer and of what was printed.
        stderr: the end of standard error.
    """

    case: str
    verdict: Verdict
    reason: str
    input: str = ""
    expected: str = ""
    found: str = ""
    stderr: str = ""


class Grade(Struct, frozen=True, kw_only=True):
    """The result of one submission, and the object of the results file, which `judge schema grade` describes.

    Attributes:
        version: of the format.
        line: the 1-based line or position of the row.
        task: what submissions to the same task have in common.
        verdict: AC; that of the first failure; JE if the judge failed; SK if the row or its test data is wrong.
        score: 1 or 0, or the share of passed tests if all ran; None if the fault is not the submission's.
        fault: why the score is None; "" otherwise.
        passed, total: numbers of tests.
        first_failure: None if there is none, and for a fault of the row.
        cpu_s, wall_s, memory_bytes: of the slowest, longest and largest run; None if nothing ran.
        margin: the smallest share of a limit that a run left unused, at most 0 if it was exceeded; None if nothing ran.
        uncertain: a run near a limit had another verdict when it was repeated.
        sandbox: the level; "" if nothing ran.
        digest: of everything that decides the verdict: source, tests, limits, checker, options, judge.
    """

    version: int = VERSION
    id: str
    line: int
    task: str = ""
    verdict: Verdict
    score: float | None
    fault: str = ""
    passed: int = 0
    total: int = 0
    first_failure: Failure | None = None
    cpu_s: float | None = None
    wall_s: float | None = None
    memory_bytes: int | None = None
    margin: float | None = None
    uncertain: bool = False
    sandbox: str = ""
    digest: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether the submission passed all tests."""
        return self.verdict is Verdict.AC

    def to_dict(self) -> dict[str, object]:
        """Return the object of the results file, whose keys are the fields."""
        found: dict[str, object] = to_builtins(self)
        return found


Row = Task | Grade
"""A submission that can be graded, or the result of one that cannot."""


def blame_row(row_id: str, line: int, reason: str, digest: str, task: str = "") -> Grade:
    """Return the result of a row that cannot be graded; the reason says what was found and what was expected."""
    return Grade(id=row_id, line=line, task=task, verdict=Verdict.SK, score=None, fault=reason, digest=digest)


def blame_judge(task: Task, reason: str) -> Grade:
    """Return the result of a row whose submission could not be judged on this machine."""
    found = blame_row(task.id, task.line, reason, task.digest, task.group)
    return replace(found, verdict=Verdict.JE, total=len(task.tests))


Document = Mapping[str, object]
"""A row as it is given: a JSON object."""
