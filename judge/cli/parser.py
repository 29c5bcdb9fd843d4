"""The command line's grammar: one function a command, with its help and an example.

Only names of the functions that carry them out stand here: `--help` has no need to load them.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from judge import __version__
from judge.errors import UsageError

_EPILOG = """\
examples:
  judge run                          every solution of every problem
  judge run uva131                   one problem
  judge run solutions/uva131/accepted/try_all.py
  judge run uva131 --solution my.py  any file against a problem
  judge show uva131/edge/ace-low     one case: input, answer, where it comes from

exit status: 0 all as expected, 1 not, 2 usage or the judge's or the test data's own fault
"""


class _Parser(argparse.ArgumentParser):
    """argparse, but an error is raised like every other error of ours."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise UsageError(f"{message}\n{self.format_usage().strip()}\nTry `{self.prog} --help`.")


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the arguments, with `command` set to the place of the function that carries them out, `module:function`.

    Raises:
        UsageError: they do not fit the grammar.
    """
    parser = _Parser(
        prog="judge",
        description="Judge solutions on this machine: right or wrong and where, how fast, how much memory.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"judge {__version__}")
    _root(parser, default=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)
    for add in (_run, _list, _show, _lock, _new, _fetch, _doctor):
        add(commands)
    return parser.parse_args(argv)


def _root(parser: _Parser, default: object) -> None:
    parser.add_argument(
        "-C", "--root", type=Path, metavar="DIR", default=default,
        help="the folder that has problems/ (default: here or above)",
    )  # fmt: skip


def _command(commands: "argparse._SubParsersAction[_Parser]", name: str, summary: str, epilog: str) -> _Parser:
    parser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _root(parser, default=argparse.SUPPRESS)  # what stands before the command counts unless it is said again
    return parser


def _run(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
        commands,
        "run",
        "judge solutions",
        """\
TARGET is a problem's id, a solution, or a folder or file of solutions/, problems/ or testcases/;
problem/group and problem/group/case select cases. Without a target all problems are judged.

examples:
  judge run
  judge run uva131 handclear -j 2
  judge run uva131 --solution ~/work/poker.py
  judge run solutions/uva131/wrong_answer/ace_high_only.py --case edge/ace-low
  judge run uva131 --solution poker.py --cases ~/work/tests
  judge run --format json > report.json
""",
    )
    parser.set_defaults(command="judge.cli.run:run_command")
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
    parser.add_argument(
        "-j", "--jobs", type=int, metavar="N", help="runs at once, 256 at most (default: one for each processor core)"
    )
    parser.add_argument("-x", "--fail-fast", action="store_true", help="stop at the first verdict not expected")
    parser.add_argument(
        "-f", "--format", choices=("rich", "plain", "json", "jsonl"),
        help="how to report (default: rich on a terminal, plain elsewhere)",
    )  # fmt: skip
    parser.add_argument("--python", metavar="COMMAND", help="the Python to run solutions with, such as pypy3")
    parser.add_argument(
        "--warm", action="store_true",
        help="fork Python solutions from a ready interpreter: faster; verdicts that count come from cold runs",
    )  # fmt: skip
    _require(parser)
    _data(parser)


def _require(parser: _Parser) -> None:
    parser.add_argument(
        "--require-sandbox", choices=("full", "landlock", "limits"), metavar="LEVEL",
        help="refuse to run with less than full, landlock or limits (see `judge doctor`)",
    )  # fmt: skip


def _doctor(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
        commands,
        "doctor",
        "show how well runs are shut in on this machine, what is missing, and which languages it has",
        "examples:\n  judge doctor\n  judge doctor --require-sandbox full    exit status 2 where there is less\n",
    )
    parser.set_defaults(command="judge.cli.doctor:doctor_command")
    _require(parser)


def _data(parser: _Parser) -> None:
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="a folder that holds external data (also: the variable JUDGE_DATA)"
    )


def _list(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
        commands, "list", "list problems, or the cases and solutions of some", "example:\n  judge list uva131\n"
    )
    parser.set_defaults(command="judge.cli.listing:list_command")
    parser.add_argument("problems", nargs="*", metavar="PROBLEM", help="show its cases and solutions")


def _show(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
        commands,
        "show",
        "show a problem's statement and limits, or a case's input and answer",
        "examples:\n  judge show uva131\n  judge show uva131/edge/ace-low\n  judge show uva131/ace-low --input >x.in\n",
    )
    parser.set_defaults(command="judge.cli.show:show_command")
    parser.add_argument("what", metavar="PROBLEM[/CASE]")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--input", action="store_true", help="print just the case's input, byte for byte")
    only.add_argument("--answer", action="store_true", help="print just the case's answer, byte for byte")
    _data(parser)


def _lock(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
        commands,
        "lock",
        "make all test data anew, confirm it, and record its hashes in testcases/<id>/cases.lock",
        "examples:\n  judge lock\n  judge lock uva131\n  judge lock --check\n",
    )
    parser.set_defaults(command="judge.cli.lock:lock_command")
    parser.add_argument("problems", nargs="*", metavar="PROBLEM", help="(default: all)")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a lock file is out of date")
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="runs at once, 256 at most")
    _require(parser)


def _new(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
        commands,
        "new",
        "make the files of a new problem, ready to run",
        "example:\n  judge new sums && judge run sums\n",
    )
    parser.set_defaults(command="judge.cli.new:new_command")
    parser.add_argument("id", metavar="ID", help="lower-case letters, digits, _ and -")


def _fetch(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
        commands,
        "fetch",
        "download a problem's external data and check its hash",
        "example:\n  judge fetch euler54\n",
    )
    parser.set_defaults(command="judge.cli.fetch:fetch_command")
    parser.add_argument("problems", nargs="*", metavar="PROBLEM", help="(default: all)")
