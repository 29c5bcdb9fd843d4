"""The grammar of the commands about what changed: `compare`, `baseline` and `history`."""

import argparse
from pathlib import Path

from judge.cli.grammar.parts import NO_SELECTION, Parser, add_command, add_data, add_jobs, add_require


def add_compare(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge compare`."""
    parser = add_command(
        commands,
        "compare",
        "tell what changed since a baseline, a commit or an earlier run",
        """\
REFERENCE is a baseline's name, a commit, branch or tag, or run-N of the history. Without one it is the baseline
`main` if there is one, else the last commit. Solutions of both times are judged now, on this machine.

examples:
  judge compare                      what did my edits change?
  judge compare v1.2 uva131
  judge compare HEAD~3 solutions/uva131/accepted/try_all.py
  judge compare --timing             is it slower?

exit status: 0 nothing that matters changed, 1 a verdict or an output did, or with --timing a solution is slower,
2 usage or the judge's own fault
""",
    )
    parser.set_defaults(command="judge.cli.compare:compare_command", **NO_SELECTION)
    parser.add_argument("words", nargs="*", metavar="REFERENCE|TARGET", help="what to compare with; what to compare")
    parser.add_argument(
        "--timing", action="store_true",
        help="run the old and the new source of what was edited in turn until it is clear whether it became slower",
    )  # fmt: skip
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text", help="how to report")
    add_jobs(parser)
    add_require(parser)
    add_data(parser)


def add_baseline(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge baseline`."""
    parser = add_command(
        commands,
        "baseline",
        "save what the solutions do now, to compare with later",
        """\
A baseline is a file beside a problem's cases, testcases/<id>/baseline.lock (or baseline-NAME.lock): commit it, and
every clone can compare.

examples:
  judge baseline save                all problems, under the name `main`
  judge baseline save contest uva131
  judge baseline list
  judge baseline drop contest
""",
    )
    parser.set_defaults(command="judge.cli.baseline:baseline_command", **NO_SELECTION)
    parser.add_argument("action", choices=("save", "list", "drop"))
    parser.add_argument("words", nargs="*", metavar="NAME|TARGET", help="the baseline's name (default: main); targets")
    add_jobs(parser)
    add_require(parser)
    add_data(parser)


def add_history(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge history`."""
    parser = add_command(
        commands,
        "history",
        "list the runs of the past, or those of one solution",
        """\
examples:
  judge history
  judge history solutions/uva131/accepted/try_all.py
  judge history --submissions        with their verdicts, as far as they are known
""",
    )
    parser.set_defaults(command="judge.cli.past:history_command")
    parser.add_argument("solution", nargs="?", type=Path, metavar="SOLUTION")
    parser.add_argument("--submissions", action="store_true", help="what was handed over to online judges instead")
    parser.add_argument("-n", "--number", type=int, default=20, metavar="N", help="how many (default: 20)")
