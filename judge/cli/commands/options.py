"""Arguments that several commands share, and the typed values that they become."""

import argparse
import math
import re
from collections.abc import Callable
from pathlib import Path

from judge.base.errors import UsageError
from judge.base.units import Bytes, Seconds, parse_bytes, parse_seconds
from judge.judging.checkers import CHECKERS
from judge.model import MAX_JOBS, Level
from judge.runner.options import Overrides
from judge.workspace.options import NO_CLUSTER, ClusterOptions, SessionOptions
from judge.workspace.query import Query

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def add_selection(parser: argparse.ArgumentParser, *, more_cases: str = "") -> None:
    """Add the solutions and cases to judge; `more_cases` ends the help of --cases."""
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="what to judge (default: everything)")
    parser.add_argument("--problem", metavar="ID", help="the problem that the files solve; the same as ID as a TARGET")
    parser.add_argument(
        "-s", "--solution", action="append", default=[], type=Path, metavar="FILE",
        help="judge this file instead of the problem's own solutions (repeatable)",
    )  # fmt: skip
    parser.add_argument(
        "--case", action="append", default=[], metavar="GLOB",
        help="only cases whose name or group/name matches (repeatable)",
    )  # fmt: skip
    parser.add_argument(
        "--group", action="append", default=[], metavar="GLOB", help="only cases of matching groups (repeatable)"
    )
    add_cases(parser, more_cases)
    parser.add_argument(
        "--time-limit", metavar="TIME", help="CPU seconds per case, or such as `800 ms` (default: the case's own)"
    )
    parser.add_argument(
        "--memory-limit", metavar="SIZE", help="MiB per case, or such as `1 GiB` (default: the case's own)"
    )
    parser.add_argument("--checker", choices=tuple(CHECKERS), help="the checker (default: the case's own)")
    parser.add_argument(
        "--float-tolerance", metavar="X", help="accept numbers within X, absolute or relative, such as 1e-6"
    )


def add_cases(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add the cases to use instead; `more` ends its help."""
    parser.add_argument(
        "--cases", type=Path, metavar="DIR",
        help="use these cases: a folder, an input file, a zip file, or a pattern such as "
        f"'tests/%%s.in:%%s.out'{more}",
    )  # fmt: skip


def query_from(args: argparse.Namespace) -> Query:
    """Return what `add_selection` parsed.

    Raises:
        UsageError: a limit or the tolerance is not valid.
    """
    return Query(
        targets=(*([args.problem] if args.problem else []), *args.targets),
        solutions=tuple(args.solution),
        cases=tuple(args.case),
        groups=tuple(args.group),
        case_source=args.cases,
        overrides=limits_from(args.time_limit, args.memory_limit, args.float_tolerance, args.checker),
    )


def rerun_args_from(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the options of `judge run`, besides what it selects, that judging a part again needs too."""
    given = {
        "--cases": args.cases,
        "--data": args.data,
        "--python": args.python,
        "--profile": args.profile,
        "--root": args.root,
        "--time-limit": args.time_limit,
        "--memory-limit": args.memory_limit,
        "--checker": args.checker,
        "--float-tolerance": args.float_tolerance,
    }
    words = [word for option, value in given.items() if value for word in (option, str(value))]
    return (*words, *(word for folder in args.include for word in ("--include", str(folder))))


def limits_from(
    time: str | None, memory: str | None, tolerance: str | None = None, checker: str | None = None
) -> Overrides:
    """Return what options with these texts replace.

    Raises:
        UsageError: one is not valid.
    """
    return Overrides(
        cpu=None if time is None else parse_time("--time-limit", time),
        memory=None if memory is None else _parse_memory(memory),
        checker=checker,
        tolerance=None if tolerance is None else _parse_tolerance(tolerance),
    )


def parse_time(option: str, text: str) -> Seconds:
    """Parse the time that an option gives; a bare number is in seconds.

    Raises:
        UsageError: it is not a time, or more than a day.
    """
    return Seconds(_parse(option, text, "s", "1440 min", parse_seconds))


def _parse_memory(text: str) -> Bytes:
    return Bytes(int(_parse("--memory-limit", text, "MiB", "1024 GiB", parse_bytes)))


def _parse(option: str, text: str, unit: str, most: str, parse: Callable[[str], float]) -> float:
    """Parse a quantity; a bare number is in `unit`."""
    try:
        value = parse(f"{text} {unit}" if _NUMBER.fullmatch(text) else text)
    except ValueError as error:
        raise UsageError(f"{option} {text}: {error}; a bare number is in {unit}") from error
    if value > parse(most):
        raise UsageError(f"{option} {text}: expected at most {most}")
    return value


def _parse_tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise UsageError(f"--float-tolerance {text}: expected a number such as 1e-6")
    return value


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the format of a report."""
    parser.add_argument(
        "-f", "--format", choices=("text", "json"), default="text", help="the report's format (default: text)"
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the number of runs at the same time."""
    parser.add_argument(
        "-j", "--jobs", type=_parse_jobs, metavar="N",
        help=f"parallel runs, at most {MAX_JOBS} (default: auto, one per CPU core)",
    )  # fmt: skip


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Add on which machines programs run."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--scheduler", metavar="ADDRESS", help="run on the workers of a Dask cluster, such as tcp://HOST:8786"
    )
    where.add_argument("--workers", type=int, metavar="N", help="run in N worker processes of this machine, with Dask")


def cluster_from(args: argparse.Namespace) -> ClusterOptions:
    """Return on which machines programs run.

    Raises:
        UsageError: a number of jobs is given, too.
    """
    cluster = ClusterOptions(scheduler=args.scheduler, workers=args.workers)
    if args.jobs is not None and cluster != NO_CLUSTER:
        raise UsageError("-j is for this machine: the threads of the workers say how much a cluster runs at once")
    return cluster


def _parse_jobs(text: str) -> int:
    if text == "auto":
        from judge.runner.executors import default_workers

        return min(default_workers(), MAX_JOBS)
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number or `auto`, found `{text}`") from None


def add_profile(parser: argparse.ArgumentParser) -> None:
    """Add the profile of the settings."""
    parser.add_argument(
        "--profile", metavar="NAME", help="use the settings profile [profile.NAME] (default: $JUDGE_PROFILE)"
    )


def add_data(parser: argparse.ArgumentParser) -> None:
    """Add the folder with external data."""
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="a folder that holds external data (default: $JUDGE_DATA)"
    )


def add_include(parser: argparse.ArgumentParser) -> None:
    """Add folders with the user's own headers and modules."""
    parser.add_argument(
        "--include", action="append", default=[], type=Path, metavar="DIR",
        help="a folder with your own headers or modules that the solutions use (repeatable)",
    )  # fmt: skip


def add_python(parser: argparse.ArgumentParser, use: str = "runs solutions") -> None:
    """Add the interpreter, which does what `use` says."""
    parser.add_argument("--python", metavar="VERSION", help=f"the Python that {use}: a version such as 3.12, or pypy3")


def add_required_level(parser: argparse.ArgumentParser) -> None:
    """Add the weakest sandbox level to accept."""
    parser.add_argument(
        "--require-sandbox", choices=("full", "landlock", "limits"), metavar="LEVEL",
        help="refuse a weaker sandbox than full, landlock or limits (see `judge doctor`)",
    )  # fmt: skip


def session_from(args: argparse.Namespace) -> SessionOptions:
    """Return how to run programs; the parser has defaults for the options that a command does not have.

    Raises:
        UsageError: the number of jobs is out of range, or there is no such folder.
    """
    if args.jobs is not None and not 1 <= args.jobs <= MAX_JOBS:
        raise UsageError(f"--jobs {args.jobs}: expected a number from 1 to {MAX_JOBS}")
    if args.data is not None and not args.data.is_dir():
        raise UsageError(f"--data {args.data}: no such folder")
    for folder in args.include:
        if not folder.is_dir():
            raise UsageError(f"--include {folder}: no such folder")
    return SessionOptions(
        jobs=args.jobs,
        data=args.data,
        required_level=Level(args.require_sandbox) if args.require_sandbox else None,
        is_warm=args.warm,
        include=tuple(folder.absolute() for folder in args.include),
        profile=args.profile,
        python=args.python,
    )


def add_problem(parser: argparse.ArgumentParser) -> None:
    """Add the problem that a file solves."""
    parser.add_argument(
        "--problem",
        metavar="ID",
        help="the problem that the file solves (default: by its place, or the cases beside it)",
    )
    add_cases(parser)
