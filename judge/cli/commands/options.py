"""Arguments that several commands share, and the typed values that they become."""

import argparse
import math
import os
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from judge.base.errors import UsageError
from judge.base.units import Bytes, parse_bytes
from judge.cli.commands.arguments import Argument, option, parse_quantity, parse_time, positional, words_of
from judge.model import CHECKERS, MAX_JOBS, Level, file_names
from judge.model.programs import JudgeProgram, Protocol
from judge.runner.options import Overrides, find_judge_program
from judge.workspace.options import SessionOptions
from judge.workspace.query import Query

if TYPE_CHECKING:  # imported when a page is written
    from judge.reporters.html.page import PageFile


def _parse_jobs(text: str) -> int:
    if text == "auto":
        from judge.runner.executors import default_workers

        return min(default_workers(), MAX_JOBS)
    try:
        jobs = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number or `auto`, found `{text}`") from None
    if not 1 <= jobs <= MAX_JOBS:
        raise UsageError(f"--jobs {jobs}: expected a number from 1 to {MAX_JOBS}")
    return jobs


def _parse_folder(name: str, text: str) -> Path:
    folder = Path(text)
    if not folder.is_dir():
        raise UsageError(f"{name} {folder}: no such folder")
    return folder


def parse_tolerance(text: str) -> float:
    """Parse the argument of `--float-tolerance`.

    Raises:
        UsageError: it is not a number, negative or infinite.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise UsageError(f"--float-tolerance {text}: expected a number such as 1e-6")
    return value


def cases_option(more: str = "") -> Argument:
    """Return the option for the cases to use instead; `more` ends its help."""
    return option("use these cases: a folder, an input file, a zip file, or a pattern such as "
        f"'tests/%%s.in:%%s.out'{more}", "--cases", metavar="DIR")  # fmt: skip


Problem = Annotated[
    str | None, option("the problem that the file solves (default: by its place, or the cases beside it)", metavar="ID")
]
Cases = Annotated[Path | None, cases_option()]
Checker = Annotated[
    str | None,
    option(f"{', '.join(CHECKERS)}, or a program (default: the case's own)", "--checker", metavar="NAME|FILE"),
]
FloatTolerance = Annotated[
    float | None,
    option("accept numbers within X, absolute or relative, such as 1e-6", type=parse_tolerance, metavar="X"),
]
Format = Annotated[str, option("the report's format (default: text)", "-f", choices=("text", "json"))]
Python = Annotated[
    str | None,
    option("the Python that runs solutions: a version such as 3.12, or pypy3", is_general=True, metavar="VERSION"),
]
Scheduler = Annotated[
    str | None,
    option(
        "run on the workers of a Dask cluster, such as tcp://HOST:8786",
        excludes="cluster",
        is_general=True,
        metavar="ADDRESS",
    ),
]
Workers = Annotated[
    int | None, option("run in N worker processes of this machine, with Dask", excludes="cluster", is_general=True)
]
Profile = Annotated[
    str | None,
    option("use the settings profile [profile.NAME] (default: $JUDGE_PROFILE)", is_general=True, metavar="NAME"),
]
Include = Annotated[
    tuple[Path, ...],
    option(
        "a folder with your own headers or modules that the solutions use (repeatable)",
        is_general=True,
        type=partial(_parse_folder, "--include"),
        metavar="DIR",
    ),
]
RequireSandbox = Annotated[
    str | None,
    option(
        "refuse a weaker sandbox than full, landlock or limits (see `judge doctor`)",
        is_general=True,
        choices=("full", "landlock", "limits"),
        metavar="LEVEL",
    ),
]


Html = Annotated[Path | None, option("write the report as a page, too: one file for a browser and for `judge show`")]


class PageArguments(Struct, frozen=True, kw_only=True):
    """The page that a report is written to, besides what is printed; `command_line` makes it again."""

    html: Html = None
    force: Annotated[bool, option("overwrite the file of --html, even if it is not a page of judge")] = False
    command_line: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.force and self.html is None:
            raise UsageError("--force: there is nothing to overwrite without --html FILE")

    def open(self, **others: Path | None) -> "PageFile | None":
        """Return the file, checked before the work begins; None without one.

        `others` are the files that other options write, by the names of these.

        Raises:
            UsageError: it cannot be written, or must not be overwritten.
        """
        if self.html is None:
            return None
        for name, other in others.items():
            if other is not None and os.path.realpath(other) == os.path.realpath(self.html):
                raise UsageError(f"--{name} and --html name the same file: {other}")
        from judge.reporters.html.page import PageFile  # few commands write one

        return PageFile(self.html, self.command_line, is_forced=self.force)


class Arguments(Struct, frozen=True, kw_only=True):
    """What every command has."""

    root: Annotated[
        Path | None,
        option(
            "the folder that contains problems/ (default: this one, or one above it)",
            "-C",
            is_general=True,
            metavar="DIR",
        ),
    ] = None


class SessionArguments(Arguments, frozen=True, kw_only=True):
    """How a command runs programs. Some commands declare further fields again, as options."""

    jobs: Annotated[
        int | None,
        option(
            f"parallel runs, at most {MAX_JOBS} (default: auto, one per CPU core)",
            "-j",
            is_general=True,
            type=_parse_jobs,
        ),
    ] = None
    data: Annotated[
        Path | None,
        option(
            "a folder that holds external data (default: $JUDGE_DATA)",
            is_general=True,
            type=partial(_parse_folder, "--data"),
            metavar="DIR",
        ),
    ] = None
    require_sandbox: RequireSandbox = None
    profile: Profile = None
    scheduler: str | None = None
    workers: int | None = None
    include: tuple[Path, ...] = ()
    python: str | None = None
    warm: bool = False

    def __post_init__(self) -> None:
        if self.jobs is not None and self.session.has_cluster:
            raise UsageError("-j is for this machine: the threads of the workers say how much a cluster runs at once")

    @property
    def session(self) -> SessionOptions:
        """How a session runs programs."""
        return SessionOptions(
            jobs=self.jobs,
            data=self.data,
            required_level=Level(self.require_sandbox) if self.require_sandbox else None,
            is_warm=self.warm,
            include=tuple(folder.absolute() for folder in self.include),
            profile=self.profile,
            python=self.python,
            scheduler=self.scheduler,
            workers=self.workers,
        )


class LimitArguments(SessionArguments, frozen=True, kw_only=True):
    """What replaces limits and checkers. Some commands declare further fields again, as options."""

    time_limit: Annotated[
        str | None,
        option("CPU seconds per run, or such as `800 ms` (default: the case's own, else 2 s)", metavar="TIME"),
    ] = None
    memory_limit: Annotated[
        str | None, option("MiB per run, or such as `1 GiB` (default: the case's own, else 256 MiB)", metavar="SIZE")
    ] = None
    checker: str | None = None
    float_tolerance: float | None = None
    interactor: Path | None = None
    input_file: str | None = None
    output_file: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.overrides

    @property
    def overrides(self) -> Overrides:
        """What the options replace; that they are valid is known once they are parsed."""
        time, memory = self.time_limit, self.memory_limit
        for name, file in (("--input-file", self.input_file), ("--output-file", self.output_file)):
            if file is not None:
                _check_file_name(name, file)
        is_program = self.checker is not None and self.checker not in CHECKERS
        program = _find_program("--checker", Path(self.checker or "")) if is_program else None
        interactor = None if self.interactor is None else _find_program("--interactor", self.interactor)
        if interactor and interactor.protocol is Protocol.ICPC and self.checker is not None:
            raise UsageError(f"--checker {self.checker}: the interactor decides; remove the option")
        if interactor and (self.input_file or self.output_file):
            raise UsageError("--interactor: a solution talks to it through standard input and output, not files")
        return Overrides(
            cpu=None if time is None else parse_time("--time-limit", time),
            memory=None
            if memory is None
            else Bytes(int(parse_quantity("--memory-limit", memory, "MiB", "1024 GiB", parse_bytes))),
            checker=None if program else self.checker,
            tolerance=self.float_tolerance,
            program=program,
            interactor=interactor,
            file_names=file_names(self.input_file, self.output_file),
        )


class SelectionArguments(LimitArguments, frozen=True, kw_only=True):
    """The solutions and cases to judge."""

    targets: Annotated[tuple[str, ...], positional("TARGET", "what to judge (default: everything)")] = ()
    problem: Annotated[
        str | None, option("the problem that the files solve; the same as ID as a TARGET", metavar="ID")
    ] = None
    solution: Annotated[
        tuple[Path, ...],
        option("judge this file, or those in this folder, instead of the problem's own solutions (repeatable)", "-s"),
    ] = ()
    case: Annotated[
        tuple[str, ...], option("only cases whose name or group/name matches (repeatable)", metavar="GLOB")
    ] = ()
    group: Annotated[tuple[str, ...], option("only cases of matching groups (repeatable)", metavar="GLOB")] = ()
    cases: Cases = None
    checker: Checker = None
    float_tolerance: FloatTolerance = None
    interactor: Annotated[
        Path | None, option("a program that talks to the solution through standard input and output")
    ] = None
    input_file: Annotated[
        str | None, option("the file that a solution reads in place of standard input, such as sum.in", metavar="NAME")
    ] = None
    output_file: Annotated[
        str | None, option("the file that it writes in place of standard output, such as sum.out", metavar="NAME")
    ] = None

    @property
    def query(self) -> Query:
        """What the arguments select."""
        return Query(
            targets=(*([self.problem] if self.problem else []), *self.targets),
            solutions=self.solution,
            cases=self.case,
            groups=self.group,
            case_source=self.cases,
            overrides=self.overrides,
        )

    @property
    def rerun_args(self) -> tuple[str, ...]:
        """The options, besides what is selected, that judging a part again needs too."""
        settings = ("--cases", "--data", "--python", "--profile", "--root")
        limits = ("--time-limit", "--memory-limit", "--checker", "--float-tolerance")
        files = ("--interactor", "--input-file", "--output-file")
        return words_of(self, *settings, *limits, *files, "--include")


def parse_language(option: str, text: str) -> str:
    """Return the id of the language that an option names.

    Raises:
        UsageError: there is none.
    """
    from judge.settings.files import parse_language as parse

    try:
        return parse(text)
    except ValueError as error:
        raise UsageError(f"{option} {text}: {error}") from error


def _check_file_name(name: str, file: str) -> None:
    from judge.problems.conventions import FILE_NAME

    if not re.fullmatch(FILE_NAME, file):
        raise UsageError(f"{name} {file}: expected the name of a file, without a folder, such as sum.in")


def _find_program(name: str, path: Path) -> JudgeProgram:
    try:
        return find_judge_program(path)
    except UsageError as error:
        known = f", and not one of {', '.join(CHECKERS)}" if name == "--checker" and not path.exists() else ""
        raise UsageError(f"{name} {error}{known}") from error
