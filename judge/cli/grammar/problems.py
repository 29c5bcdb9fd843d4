"""The grammar of the commands about problems and this machine: `list`, `show`, `lock`, `new`, `fetch` and `doctor`."""

import argparse

from judge.cli.grammar.parts import Parser, add_command, add_data, add_require


def add_list(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge list`."""
    parser = add_command(
        commands, "list", "list problems, or the cases and solutions of some", "example:\n  judge list uva131\n"
    )
    parser.set_defaults(command="judge.cli.listing:list_command")
    parser.add_argument("problems", nargs="*", metavar="PROBLEM", help="show its cases and solutions")


def add_show(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge show`."""
    parser = add_command(
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
    add_data(parser)


def add_lock(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge lock`."""
    parser = add_command(
        commands,
        "lock",
        "make all test data anew, confirm it, and record its hashes in testcases/<id>/cases.lock",
        "examples:\n  judge lock\n  judge lock uva131\n  judge lock --check\n",
    )
    parser.set_defaults(command="judge.cli.lock:lock_command")
    parser.add_argument("problems", nargs="*", metavar="PROBLEM", help="(default: all)")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a lock file is out of date")
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="runs at once, 256 at most")
    add_require(parser)


def add_new(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge new`."""
    parser = add_command(
        commands,
        "new",
        "make the files of a new problem, ready to run",
        "example:\n  judge new sums && judge run sums\n",
    )
    parser.set_defaults(command="judge.cli.new:new_command")
    parser.add_argument("id", metavar="ID", help="lower-case letters, digits, _ and -")


def add_fetch(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge fetch`."""
    parser = add_command(
        commands,
        "fetch",
        "download a problem's external data and check its hash",
        "example:\n  judge fetch euler54\n",
    )
    parser.set_defaults(command="judge.cli.fetch:fetch_command")
    parser.add_argument("problems", nargs="*", metavar="PROBLEM", help="(default: all)")


def add_doctor(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge doctor`."""
    parser = add_command(
        commands,
        "doctor",
        "show how well runs are shut in on this machine, what is missing, and which languages it has",
        "examples:\n  judge doctor\n  judge doctor --require-sandbox full    exit status 2 where there is less\n",
    )
    parser.set_defaults(command="judge.cli.doctor:doctor_command")
    add_require(parser)
