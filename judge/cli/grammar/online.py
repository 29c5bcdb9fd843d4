"""The grammar of the commands about online judges: `check`, `bundle`, `submit`, `listen` and `import`."""

import argparse
from pathlib import Path

from judge.cli.grammar.parts import Parser, add_command, add_data, add_problem


def add_listen(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge listen`."""
    parser = add_command(
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


def add_import(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge import`."""
    parser = add_command(
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


def add_check(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge check`."""
    parser = add_command(
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
    add_problem(parser)
    parser.add_argument("-f", "--format", choices=("plain", "json"), default="plain", help="how to report")
    parser.add_argument(
        "--python", metavar="VERSION", help="run it on this Python: a version such as 3.8, or a command such as pypy3"
    )
    add_data(parser)


def add_bundle(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge bundle`."""
    parser = add_command(
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
    add_problem(parser)
    parser.add_argument("--python", metavar="COMMAND", help="the Python to prove it with, such as pypy3")
    add_data(parser)


def add_submit(commands: "argparse._SubParsersAction[Parser]") -> None:
    """Add `judge submit`."""
    parser = add_command(
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
    add_data(parser)
