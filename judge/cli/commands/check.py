"""`judge check`: check a file before it is submitted to an online judge.

For a problem instead of a file, check its cases, and run the tests of its checker and validator. For a package of a
contest, check the package: its files, its data with its validators, and these with their tests.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from judge.base.errors import UsageError
from judge.base.units import format_count
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.session import find_source, open_archives, open_session
from judge.languages.table import find_language
from judge.preparation.store import read_lock
from judge.problems.paths import (
    archives_in,
    contest_folders,
    is_archive,
    is_package,
    package_names,
    problem_ids,
    shown_path,
)
from judge.reporters.check_report import render_json, render_package_text, render_packages_json, render_text
from judge.reporters.escape import PLAIN, one_line, to_json
from judge.workspace.workspace import SourceSelection, Workspace

if TYPE_CHECKING:  # imported when a file is checked: help and completion need none of them
    from judge.online.lint.check import CheckReport
    from judge.online.lint.judges import OnlineJudge
    from judge.packages.package_check import PackageReport


EPILOG = """\
examples:
  judge check solutions/uva131/accepted/try_all.py
  judge check poker.py --for uva --problem uva131
  judge check poker.py --problem uva131 --python 3.8    run it on Python 3.8
  judge check poker.py --for codeforces --format json
  judge check solutions/uva131/accepted/*.py           several solutions
  judge check uva131                                   check its cases, and test its checker and validator
  judge check hello                                    a package: its files, its data and its validators
  judge check contest other.zip --format json          all packages of a folder, and one in a zip file
"""


class Options(shared.SessionArguments, frozen=True, kw_only=True):
    """What `judge check` checks, and how it reports."""

    file: Annotated[
        Path,
        positional(
            "FILE|PROBLEM|PACKAGE",
            "a solution; a problem, to check its cases, checker and validator; or a package, to check it",
        ),
    ]
    more: Annotated[tuple[Path, ...], positional("FILE|PACKAGE", "more solutions or packages to check")] = ()
    judge: Annotated[
        str | None,
        option(
            "the online judge (default: `profile` in problem.yaml)",
            "--for",
            choices=("uva", "kattis", "codeforces", "atcoder", "cses", "euler", "icpc"),
        ),
    ] = None
    problem: shared.Problem = None
    cases: shared.Cases = None
    format: Annotated[str, option("the report's format (default: plain)", "-f", choices=("plain", "json"))] = "plain"
    python: shared.Python = None

    @property
    def files(self) -> tuple[Path, ...]:
        """All that is checked."""
        return (self.file, *self.more)


def execute(options: Options) -> ExitStatus:
    """Check and report; return the exit status."""
    are_files = all(path.is_file() and not is_archive(path) for path in options.files)
    if options.problem is None and not are_files and (status := _check_packages(options)) is not None:
        return status
    if len(options.files) > 1 and not are_files:
        raise UsageError("several arguments: name solutions only, or packages of a contest only")
    if not options.file.is_file() and options.problem is None:
        workspace = Workspace.find_or_use(options.root)
        absolute = Path(os.path.abspath(options.file))  # noqa: PTH100 - not resolve(): a link keeps its name
        for problem_id in problem_ids(workspace.root):
            if str(options.file) == problem_id or absolute == workspace.root / "problems" / problem_id:
                return _check_problem(problem_id, options, workspace)
    reports: list[CheckReport] = []
    for path in options.files:
        report = _check_solution(replace(options, file=path))
        reports.append(report)
        if options.format != "json":
            print(render_text(report, is_named=len(options.files) > 1), end="", flush=True)
    if options.format == "json":
        print(render_json(reports), end="")
    return ExitStatus.SUCCESS if all(each.is_ready for each in reports) else ExitStatus.FAILURE


def _check_solution(options: Options) -> "CheckReport":
    """Check the file of the options."""
    from judge.languages.interpreters import find_interpreter
    from judge.online.lint.check import check_source
    from judge.online.lint.dry_run import dry_run
    from judge.online.lint.judges import find_judge_interpreter

    workspace, source = find_source(options.root, options.file, options.problem, options.cases)
    is_python = find_language(source.path).id == "python3"
    if options.python and not is_python:
        raise UsageError(f"--python {options.python}: {options.file} is not a Python solution; remove the option")
    judge, notes = _select_judge(options, source)
    interpreter, more_notes = None, list[str]()
    if options.python:
        interpreter = find_interpreter(options.python)
    elif is_python:
        interpreter, more_notes = find_judge_interpreter(judge)
    problem, ran = source.problem.problem if source.problem else None, None
    if problem:
        tools = {"python": interpreter.path} if interpreter else {}
        with open_session(workspace, replace(options.session, python=None, tools=tools)) as session:
            given = ("--cases", str(options.cases)) if options.cases else ()
            ran = dry_run(source, session)
            ran = replace(ran, rerun_args=(*ran.rerun_args, *given))
    return check_source(
        source.path,
        source.data,
        judge,
        shown=options.file,
        problem=problem.id if problem and problem.folder else "",
        dry_run=ran,
        interpreter=interpreter.name if interpreter else "",
        notes=[*notes, *more_notes],
    )


# ---- packages ------------------------------------------------------------------------------------------------------


def _check_packages(options: Options) -> ExitStatus | None:
    """Check packages and report each; return the exit status, which warnings do not change.

    Returns:
        None if the arguments are a solution or a problem.

    Raises:
        UsageError: a path is no package.
        DataError: a zip file cannot be read.
    """
    is_single = len(options.files) == 1
    if is_single and not _find_packages(options.file):
        return None
    workspace = Workspace.find_or_use(options.root)
    if is_single and str(options.file) in problem_ids(workspace.root):
        return None
    if gone := next((path for path in options.files if not os.path.lexists(path)), None):
        raise UsageError(f"{gone}: no such file or folder")
    found = {path: _find_packages(path) for path in options.files}
    if other := next((path for path, packages in found.items() if not packages), None):
        raise UsageError(
            f"{other}: not a package, nor a folder of packages: name only such, only solutions, or one problem"
        )
    if options.python or options.judge or options.cases:
        raise UsageError("--python, --for and --cases are for checking a solution, not a package; remove them")
    from judge.packages.package_check import check_package

    reports: list[PackageReport] = []
    with open_archives() as unpack, open_session(workspace, options.session) as session:
        for path in dict.fromkeys(each for packages in found.values() for each in packages):
            place = unpack(path) if path.is_file() else path
            for folder in _find_packages(place):
                root = folder.parent if place != path else Path.cwd()
                name = shown_path(path if folder == place else path / folder.name, Path.cwd())
                report = check_package(folder, root, session, shown=name)
                reports.append(report)
                if options.format != "json":
                    print(render_package_text(report), end="", flush=True)
    if options.format == "json":
        print(render_packages_json(reports), end="")
    return ExitStatus.FAILURE if any(report.errors for report in reports) else ExitStatus.SUCCESS


def _find_packages(path: Path) -> list[Path]:
    """Return the packages that a path names, absolute: itself, a zip file, or all in the folder or its subfolders."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - not resolve(): a link keeps its name
    if is_package(absolute) or (is_archive(path) and path.is_file()):
        return [absolute]
    found = [folder / name for folder in contest_folders(absolute) for name in package_names(folder)]
    return found or archives_in(absolute)


# ---- problems ------------------------------------------------------------------------------------------------------


def _check_problem(problem_id: str, options: Options, workspace: Workspace) -> ExitStatus:
    """Check the cases of a problem, run all tests of its programs, and report; return the exit status.

    Raises:
        UsageError: it has neither.
        DataError: its files are wrong.
    """
    from judge.packages.verification.program_tests import check_cases, problem_tests, run_tests

    problem = workspace.load_problem(problem_id)
    tests = problem_tests(problem)
    if not tests and not problem.cases:
        raise UsageError(
            f"{problem.id} has no cases, and no tests of its checker or validator; add `checker_tests` or "
            "`validator_tests` to its problem.yaml (`judge schema problem` describes them), or name a solution to check"
        )
    with open_session(workspace, options.session) as session:
        lock, map_runs = read_lock(problem.lock), session.executor.map
        invalid = check_cases(problem, session.store, lock, map_runs)
        failures = [each for each in run_tests(problem, tests, session.store, lock, map_runs) if each]
    # what is wrong, each once: a program that does not compile makes cases and tests fail
    known = {each.path for each in invalid if not each.line}
    findings = dict.fromkeys([*invalid, *(each for each in failures if each.line or each.path not in known)])
    if options.format == "json":
        record = {
            "version": 1,  # of the JSON document about the tests of a problem
            "problem": problem.id,
            "passed": not findings,
            "cases": len(problem.cases),
            "tests": len(tests),
            "findings": [
                {
                    "file": str(each.path),
                    "line": each.line or None,
                    "severity": each.severity.value,
                    "reason": each.message,
                }
                for each in findings
            ],
        }
        print(to_json(record, indent=2))
    else:
        for line in (line for each in findings for line in str(each).splitlines()):
            print(one_line(line, PLAIN))
        passed = "no `checker_tests` or `validator_tests`"
        if failures:
            passed = f"{len(failures)} of {format_count(len(tests), 'test')} failed"
        elif tests:
            passed = f"{format_count(len(tests), 'test')} passed"
        cases = format_count(len(problem.cases), "case")
        print(f"{problem.id}: {cases} checked{', with errors' if invalid else ''}, {passed}")
    return ExitStatus.FAILURE if findings else ExitStatus.SUCCESS


# ---- solutions -----------------------------------------------------------------------------------------------------


def _select_judge(options: Options, source: SourceSelection) -> "tuple[OnlineJudge, list[str]]":
    """Return the judge whose rules apply, and notes about it.

    Raises:
        UsageError: neither the options nor the problem say which.
    """
    from judge.online.lint.judges import JUDGES
    from judge.online.problem_ref import source_ref

    if options.judge:
        return JUDGES[options.judge], []
    if source.problem is None:
        raise UsageError(
            f"{options.file}: which judge? Its problem is unknown: use --for {'|'.join(JUDGES)}, or --problem ID"
        )
    problem = source.problem.problem
    if problem.folder is not None:
        return JUDGES[problem.profile], []
    ref = source_ref(problem.source)
    if ref and ref.judge in JUDGES:
        return JUDGES[ref.judge], []
    judge = JUDGES[problem.profile]
    if not ref and judge.id != "icpc":  # that is also the default
        return judge, []
    reason = f"the rules of {ref.judge} are unknown: those" if ref else "the online judge is unknown: the rules"
    return judge, [f"{reason} of {judge.name} apply; choose with --for {'|'.join(JUDGES)}"]
