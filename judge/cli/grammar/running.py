"""The grammar of the commands about judging: `run` and `watch`."""

import argparse

from judge.cli.grammar.parts import Parser, add_command, add_data, add_jobs, add_overrides, add_require, add_selection


def add_run(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge run`."""
    parser = add_command(
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
  judge run -s poker.py --cases tests --time-limit 0.5 --memory-limit 64 --float-tolerance 1e-6
  judge run --failed                 what was not as expected last time
  judge run --changed                what I edited since the last commit
  judge run --fresh                  trust nothing that earlier runs found out
  judge run --format json > report.json

A result is taken from the cache as long as nothing that decides it has changed: the solution, its language's tools,
the case, the checker, the limits, the sandbox, the judge.
""",
    )
    parser.set_defaults(command="judge.cli.run:run_command")
    add_selection(parser)
    add_overrides(parser)
    add_jobs(parser)
    parser.add_argument("--failed", action="store_true", help="only solutions that failed when they were judged last")
    parser.add_argument("--changed", action="store_true", help="only what differs from git's last commit")
    parser.add_argument("--since", metavar="COMMIT", help="only what differs from this commit, branch or tag")
    parser.add_argument(
        "--fresh", action="store_true", help="run everything again, also what earlier runs have found out"
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
    add_require(parser)
    add_data(parser)


def add_watch(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge watch`."""
    parser = add_command(
        commands,
        "watch",
        "judge again what a save affects, failures first, until you stop it",
        """\
TARGET is what it is for `judge run`. What is saved, renamed, new or gone in problems/, testcases/ and solutions/ is
noticed at once; a file given with --solution is watched wherever it stands.

examples:
  judge watch
  judge watch uva131
  judge watch uva131 --solution ~/work/poker.py
  judge watch uva131 | tee log         lines instead of a screen

keys: q or Ctrl-C quit, Enter judges all again, f does so with nothing from the cache
exit status: 0 when all was as expected at the end, 1 when not, or when it was not known yet
""",
    )
    parser.set_defaults(command="judge.cli.watch:watch_command")
    add_selection(parser)
    add_overrides(parser)
    add_jobs(parser)
    parser.add_argument(
        "-f", "--format", choices=("rich", "plain"), help="a screen or lines (default: rich on a terminal)"
    )
    parser.add_argument("--poll", action="store_true", help="look for changes again and again: for network disks")
    parser.add_argument("--python", metavar="COMMAND", help="the Python to run solutions with, such as pypy3")
    add_require(parser)
    add_data(parser)
