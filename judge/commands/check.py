"""`judge check`: check whether a file is ready to be submitted to an online judge.

For a problem instead of a file, run the tests of its checker and validator. For a package of a contest, check the
package: its files, its data with its validators, and these with their tests.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from judge.commands import options as shared
from judge.commands.session import find_source, open_session
from judge.commands.status import ExitStatus
from judge.errors import UsageError
from judge.languages.table import find_language
from judge.workspace.options import SessionOptions
from judge.workspace.source import SourceSelection

if TYPE_CHECKING:  # imported when a file is checked: help and completion need none of them
    from judge.languages.interpreters import Interpreter
    from judge.online.lint.judges import OnlineJudge
    from judge.workspace.workspace import Workspace

EPILOG = """\
examples:
  judge check solutions/uva131/accepted/try_all.py
  judge check poker.py --for uva --problem uva131
  judge check poker.py --problem uva131 --python 3.8    run it on Python 3.8
  judge check poker.py --for codeforces --format json
  judge check uva131                                   run the tests of its checker and validator
  judge check hello                                    a package: its files, its data and its validators
  judge check contest other.zip --format json          all packages of a folder, and one in a zip file
"""


class Options(Struct, frozen=True, kw_only=True):
    """What `judge check` checks, and how it reports."""

    root: Path | None
    files: tuple[Path, ...]
    judge: str | None
    problem: str | None
    cases: Path | None
    format: str
    python: str | None
    session: SessionOptions

    @property
    def file(self) -> Path:
        """The file or problem, if there is only one."""
        return self.files[0]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge check`."""
    parser.add_argument(
        "file", type=Path, nargs="+", metavar="FILE|PROBLEM",
        help="the solution; or a problem, to test its programs; or packages of a contest, to check them",
    )  # fmt: skip
    parser.add_argument(
        "--for", dest="judge", choices=("uva", "kattis", "codeforces", "atcoder", "euler", "icpc"),
        help="the online judge (default: the profile of the problem)",
    )  # fmt: skip
    shared.add_problem(parser)
    parser.add_argument(
        "-f", "--format", choices=("plain", "json"), default="plain", help="the report's format (default: plain)"
    )
    parser.add_argument(
        "--python", metavar="VERSION", help="run it on this Python: a version such as 3.8, or a command such as pypy3"
    )
    shared.add_data(parser)
    shared.add_profile(parser)


def from_args(args: argparse.Namespace) -> Options:
    """Return the options."""
    return Options(
        root=args.root,
        files=tuple(args.file),
        judge=args.judge,
        problem=args.problem,
        cases=args.cases,
        format=args.format,
        python=args.python,
        session=shared.session_options(data=args.data, profile=args.profile),
    )


def execute(options: Options) -> ExitStatus:
    """Check and report; return the exit status."""
    from judge.online.lint.check import check_source
    from judge.online.lint.dry_run import DryRunner
    from judge.reporters.check_report import render_json, render_text

    if options.problem is None and (status := _check_packages(options)) is not None:
        return status
    if len(options.files) > 1:
        raise UsageError("several arguments: only packages of a contest can be checked together")
    if not options.file.is_file() and options.problem is None:
        from judge.workspace.workspace import Workspace

        workspace = Workspace.find_or_use(options.root)
        if _is_problem(options.file, workspace):
            from judge.commands.check_problem import check_problem

            return check_problem(workspace, str(options.file), options.session, as_json=options.format == "json")
    workspace, source = find_source(options.root, options.file, options.problem, options.cases)
    is_python = find_language(source.path).id == "python3"
    if options.python and not is_python:
        raise UsageError(f"--python {options.python}: {options.file} is not a Python solution; remove the option")
    judge, notes = _select_judge(options, source)
    interpreter, more_notes = _find_interpreter(options, judge) if is_python else (None, [])
    problem, dry_run = source.problem.problem if source.problem else None, None
    if problem:
        with open_session(workspace, options.session) as session:
            path = interpreter.path if interpreter else ""
            runner = DryRunner(problem=problem, executor=session.executor, store=session.store, interpreter=path)
            dry_run = runner.build_and_run(source.path)
    report = check_source(
        source.path,
        source.data,
        judge,
        shown=options.file,
        problem=problem.id if problem and problem.folder else "",
        dry_run=dry_run,
        interpreter=interpreter.name if interpreter else "",
        notes=[*notes, *more_notes],
    )
    print(render_json(report) if options.format == "json" else render_text(report), end="")
    return ExitStatus.SUCCESS if report.is_ready else ExitStatus.FAILURE


def _check_packages(options: Options) -> ExitStatus | None:
    """Check packages and return the exit status; None if the arguments are a solution or a problem."""
    from judge.commands.check_package import check_packages, find_packages
    from judge.workspace.workspace import Workspace

    is_single = len(options.files) == 1
    if is_single and not find_packages(options.file):
        return None
    workspace = Workspace.find_or_use(options.root)
    if is_single and _is_id(options.file, workspace):
        return None
    if options.python or options.judge or options.cases:
        raise UsageError("--python, --for and --cases are for checking a solution, not a package; remove them")
    return check_packages(workspace, options.files, options.session, as_json=options.format == "json")


def _is_id(path: Path, workspace: "Workspace") -> bool:
    from judge.problems.paths import problem_ids

    return str(path) in problem_ids(workspace.root)


def _is_problem(path: Path, workspace: "Workspace") -> bool:
    """Return whether a word is the id of a problem or the path of its folder, and not that of a solution."""
    if _is_id(path, workspace):
        return True
    return any((path / name).is_file() for name in ("problem.yaml", "domjudge-problem.ini", "problem.xml"))


def _find_interpreter(options: Options, judge: "OnlineJudge") -> "tuple[Interpreter | None, list[str]]":
    """Return the interpreter to run with, None for our own, and notes about it."""
    from judge.languages.interpreters import find_interpreter
    from judge.online.lint.judges import find_judge_interpreter

    return (find_interpreter(options.python), []) if options.python else find_judge_interpreter(judge)


def _select_judge(options: Options, source: SourceSelection) -> "tuple[OnlineJudge, list[str]]":
    """Return the judge whose rules apply, and notes about it.

    Raises:
        UsageError: neither the options nor the problem say which.
    """
    from judge.online.lint.judges import JUDGES
    from judge.online.problem_ref import problem_ref

    if options.judge:
        return JUDGES[options.judge], []
    if source.problem is None:
        raise UsageError(
            f"{options.file}: which judge? Its problem is unknown: use --for {'|'.join(JUDGES)}, or --problem ID"
        )
    problem = source.problem.problem
    if problem.folder is not None:
        return JUDGES[problem.profile], []
    ref = problem_ref(problem.source.url) if problem.source else None
    if ref and ref.judge in JUDGES:
        return JUDGES[ref.judge], []
    judge = JUDGES[problem.profile]
    return judge, [
        f"the online judge is unknown: the rules of {judge.name} apply; choose with --for {'|'.join(JUDGES)}"
    ]
