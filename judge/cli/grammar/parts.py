"""What the grammars of several commands have in common."""

import argparse
from pathlib import Path

from judge.errors import UsageError


class Parser(argparse.ArgumentParser):
    """argparse, but an error is raised like every other error of ours."""

    def error(self, message: str) -> None:  # type: ignore[override]
        """Raise what is wrong, with the usage."""
        raise UsageError(f"{message}\n{self.format_usage().strip()}\nTry `{self.prog} --help`.")


def add_command(commands: "argparse._SubParsersAction[Parser]", name: str, summary: str, epilog: str) -> Parser:
    """Add a command and return its parser."""
    parser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_root(parser, default=argparse.SUPPRESS)  # what stands before the command counts unless it is said again
    return parser


def add_root(parser: Parser, default: object) -> None:
    """Add the option that names the repository."""
    parser.add_argument(
        "-C", "--root", type=Path, metavar="DIR", default=default,
        help="the folder that has problems/ (default: here or above)",
    )  # fmt: skip


def add_selection(parser: Parser) -> None:
    """Add what says which solutions and cases."""
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="what to judge (default: everything)")
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
    parser.add_argument(
        "--cases", type=Path, metavar="DIR", help="judge against a folder of x.in with x.ans or x.out instead"
    )


def add_overrides(parser: Parser) -> None:
    """Add limits and a checker in place of what the cases say."""
    parser.add_argument(
        "--time-limit",
        metavar="TIME",
        help="CPU seconds for each case, or such as `800 ms` (default: its own)",
    )
    parser.add_argument(
        "--memory-limit", metavar="SIZE", help="MiB for each case, or such as `1 GiB` (default: its own)"
    )
    parser.add_argument("--checker", choices=("tokens", "lines", "exact"), help="what is right (default: its own)")
    parser.add_argument(
        "--float-tolerance", metavar="X", help="numbers may differ by X, absolutely or relatively, such as 1e-6"
    )


# What `judge.cli.select` asks for and these commands do not offer.
NO_SELECTION: dict[str, object] = {"solution": [], "case": [], "group": [], "cases": None}


def add_jobs(parser: Parser) -> None:
    """Add the number of runs at once."""
    parser.add_argument(
        "-j", "--jobs", type=int, metavar="N", help="runs at once, 256 at most (default: one for each processor core)"
    )


def add_problem(parser: Parser) -> None:
    """Add the problem of a file."""
    parser.add_argument(
        "--problem", metavar="ID", help="whose cases it is run on (default: told by the file's place or name)"
    )


def add_require(parser: Parser) -> None:
    """Add the least level of the sandbox."""
    parser.add_argument(
        "--require-sandbox", choices=("full", "landlock", "limits"), metavar="LEVEL",
        help="refuse to run with less than full, landlock or limits (see `judge doctor`)",
    )  # fmt: skip


def add_data(parser: Parser) -> None:
    """Add the folder with external data."""
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="a folder that holds external data (also: the variable JUDGE_DATA)"
    )
