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
    for add in (
        _run,
        _watch,
        _compare,
        _baseline,
        _history,
        _list,
        _show,
        _lock,
        _new,
        _listen,
        _import,
        _check,
        _bundle,
        _submit,
        _fetch,
        _doctor,
    ):
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
  judge run --failed                 what was not as expected last time
  judge run --changed                what I edited since the last commit
  judge run --fresh                  trust nothing that earlier runs found out
  judge run --format json > report.json

A result is taken from the cache as long as nothing that decides it has changed: the solution, its language's tools,
the case, the checker, the limits, the sandbox, the judge.
""",
    )
    parser.set_defaults(command="judge.cli.run:run_command")
    _selection(parser)
    _jobs(parser)
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
    _require(parser)
    _data(parser)


def _selection(parser: _Parser) -> None:
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


def _watch(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
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
    _selection(parser)
    _jobs(parser)
    parser.add_argument(
        "-f", "--format", choices=("rich", "plain"), help="a screen or lines (default: rich on a terminal)"
    )
    parser.add_argument("--poll", action="store_true", help="look for changes again and again: for network disks")
    parser.add_argument("--python", metavar="COMMAND", help="the Python to run solutions with, such as pypy3")
    _require(parser)
    _data(parser)


def _compare(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
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
    parser.set_defaults(command="judge.cli.compare:compare_command", **_NO_SELECTION)
    parser.add_argument("words", nargs="*", metavar="REFERENCE|TARGET", help="what to compare with; what to compare")
    parser.add_argument(
        "--timing", action="store_true",
        help="run the old and the new source of what was edited in turn until it is clear whether it became slower",
    )  # fmt: skip
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text", help="how to report")
    _jobs(parser)
    _require(parser)
    _data(parser)


def _baseline(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
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
    parser.set_defaults(command="judge.cli.baseline:baseline_command", **_NO_SELECTION)
    parser.add_argument("action", choices=("save", "list", "drop"))
    parser.add_argument("words", nargs="*", metavar="NAME|TARGET", help="the baseline's name (default: main); targets")
    _jobs(parser)
    _require(parser)
    _data(parser)


def _history(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
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


# What `judge.cli.select` asks for and these commands do not offer.
_NO_SELECTION: dict[str, object] = {"solution": [], "case": [], "group": [], "cases": None}


def _jobs(parser: _Parser) -> None:
    parser.add_argument(
        "-j", "--jobs", type=int, metavar="N", help="runs at once, 256 at most (default: one for each processor core)"
    )


def _check(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
        commands,
        "check",
        "tell whether a file is ready to be submitted to an online judge, and what to mend before",
        """\
examples:
  judge check solutions/uva131/accepted/try_all.py
  judge check poker.py --for uva --problem uva131
  judge check poker.py --problem uva131 --python 3.8    really run it on Python 3.8
  judge check poker.py --for codeforces --format json
""",
    )
    parser.set_defaults(command="judge.cli.check:check_command")
    parser.add_argument("file", type=Path, metavar="FILE", help="the solution")
    parser.add_argument(
        "--for", dest="judge", choices=("uva", "kattis", "codeforces", "atcoder", "euler", "icpc"),
        help="where it will be submitted (default: the profile of its problem)",
    )  # fmt: skip
    _problem(parser)
    parser.add_argument("-f", "--format", choices=("plain", "json"), default="plain", help="how to report")
    parser.add_argument(
        "--python", metavar="VERSION", help="run it on this Python: a version such as 3.8, or a command such as pypy3"
    )
    _data(parser)


def _problem(parser: _Parser) -> None:
    parser.add_argument(
        "--problem", metavar="ID", help="whose cases it is run on (default: told by the file's place or name)"
    )


def _bundle(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
        commands,
        "bundle",
        "make one file of a solution and the modules of yours that it imports",
        """\
examples:
  judge bundle poker.py                            to standard output
  judge bundle poker.py -o submit.py --problem uva131
  judge bundle poker.py -o submit.py --force       overwrite submit.py
""",
    )
    parser.set_defaults(command="judge.cli.bundle:bundle_command")
    parser.add_argument("file", type=Path, metavar="FILE", help="the solution that is run")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="where to write it (default: standard output)")
    parser.add_argument("--force", action="store_true", help="overwrite OUT")
    _problem(parser)
    parser.add_argument("--python", metavar="COMMAND", help="the Python to prove it with, such as pypy3")
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


def _listen(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
        commands,
        "listen",
        "take problems from the browser extension Competitive Companion",
        """\
Click the extension's green plus on a problem's or a contest's page: each problem becomes files here, ready to run.
It posts to the ports 1327 4244 6174 10042 10043 10045 27121.

examples:
  judge listen
  judge listen --once              one problem or one contest, then end
  judge listen --port 10045
""",
    )
    parser.set_defaults(command="judge.cli.samples:listen_command")
    parser.add_argument("--port", type=int, default=10043, metavar="N", help="the port (default: 10043)")
    parser.add_argument("--once", action="store_true", help="end when one problem, or one whole contest, has come")
    parser.add_argument("--force", action="store_true", help="replace files that are there and differ")


def _import(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
        commands,
        "import",
        "make problems from the samples of another tool",
        """\
WHERE is a folder of x.in with x.ans or x.out (oj's test/, too), of in1.txt with ans1.txt (cf-tool), or one with cph's
.prob files, also below .cph/; or one .prob file.

examples:
  judge import test --id abc300-a
  judge import ~/cf/contest/1900/a --id codeforces-1900a
  judge import ~/work/.cph
""",
    )
    parser.set_defaults(command="judge.cli.samples:import_command")
    parser.add_argument("places", nargs="+", type=Path, metavar="WHERE", help="a folder or a .prob file")
    parser.add_argument("--id", metavar="ID", help="the problem's id (default: from its address or its folder's name)")
    parser.add_argument("--force", action="store_true", help="replace files that are there and differ")


def _submit(commands: "argparse._SubParsersAction[_Parser]") -> None:
    parser = _command(
        commands,
        "submit",
        "judge a file and hand it over to its online judge",
        """\
Kattis (~/.kattisrc) and DOMjudge (~/.netrc) get the file and tell the verdict. UVa, Codeforces, AtCoder and Project
Euler take nothing from programs: the source, or the answer, goes to the clipboard, and the right page is opened.

examples:
  judge submit solutions/kattis-hello/accepted/hello.py
  judge submit hello.py --problem kattis-hello --yes
  judge submit hello.py --problem kattis-hello --follow    the verdict that did not come in time
  judge submit b.cpp --problem sums --to domjudge --url https://judge.example --contest demo --as B
  judge submit solutions/uva131/accepted/packed_ranks.py
""",
    )
    parser.set_defaults(command="judge.cli.submit:submit_command")
    parser.add_argument("file", type=Path, metavar="FILE", help="the source file")
    parser.add_argument(
        "--to", choices=("kattis", "domjudge", "uva", "codeforces", "atcoder", "euler"),
        help="the judge (default: the one of the problem's address or profile)",
    )  # fmt: skip
    parser.add_argument("--problem", metavar="ID", help="the problem here (default: from the file's place or name)")
    parser.add_argument("--as", dest="name", metavar="NAME", help="what the judge calls the problem")
    parser.add_argument("--contest", metavar="CID", help="the judge's contest (DOMjudge: when there are several)")
    parser.add_argument("--language", metavar="NAME", help="what the judge calls the language")
    parser.add_argument("--url", metavar="URL", help="DOMjudge's address (also: the variable SUBMITBASEURL)")
    parser.add_argument("--kattisrc", type=Path, metavar="FILE", help="instead of ~/.kattisrc (also: KATTISRC)")
    parser.add_argument("--netrc", type=Path, metavar="FILE", help="instead of ~/.netrc (also: NETRC)")
    parser.add_argument("--force", action="store_true", help="whatever our own judging says")
    parser.add_argument("--again", action="store_true", help="the same source once more")
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask")
    parser.add_argument(
        "--follow", action="store_true", help="send nothing: wait for the verdict of what was sent before"
    )
    parser.add_argument("--no-wait", action="store_true", help="do not wait for the verdict")
    parser.add_argument(
        "--patience", type=float, default=600, metavar="S", help="wait so long for the verdict (default: 600 s)"
    )
    parser.add_argument(
        "--timeout", type=float, default=30, metavar="S", help="wait so long for each answer (default: 30 s)"
    )
    parser.add_argument("--allow-http", action="store_true", help="send passwords without encryption")
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="runs at once, 256 at most")
    _data(parser)
