"""`judge check`: check a file before it is submitted to an online judge.

For a problem instead of a file, check its cases, and run the tests of its checker and validator. For a package of a
contest, check the package: its files, its data with its validators, and these with their tests.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from judge.base.errors import Diagnostic, UsageError
from judge.base.units import format_count
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.session import find_source, open_archives, open_session
from judge.languages.table import find_language
from judge.problems.paths import (
    archives_in,
    contest_folders,
    is_archive,
    is_package,
    package_names,
    problem_ids,
    shown_path,
)
from judge.workspace.workspace import SourceSelection, Workspace

if TYPE_CHECKING:  # imported when a file is checked: help and completion need none of them
    from judge.model import Problem
    from judge.online.lint.check import CheckReport
    from judge.online.lint.judges import OnlineJudge
    from judge.packages.package_check import PackageReport

_PROBLEM_VERSION = 1  # of the JSON document about the tests of a problem

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
    interpreter: Annotated[str | None, shared.python_option("runs it")] = None
    data: shared.Data = None
    profile: shared.Profile = None

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
        if problem_id := _problem_id(options.file, workspace):
            return _check_problem(problem_id, options, workspace)
    from judge.reporters.check_report import render_json, render_text

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
    if options.interpreter and not is_python:
        raise UsageError(f"--python {options.interpreter}: {options.file} is not a Python solution; remove the option")
    judge, notes = _select_judge(options, source)
    interpreter, more_notes = None, list[str]()
    if options.interpreter:
        interpreter = find_interpreter(options.interpreter)
    elif is_python:
        interpreter, more_notes = find_judge_interpreter(judge)
    problem, ran = source.problem.problem if source.problem else None, None
    if problem:
        session_options = replace(options.session, tools={"python": interpreter.path} if interpreter else {})
        with open_session(workspace, session_options) as session:
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
    if is_single and _is_id(options.file, workspace):
        return None
    for path in () if is_single else options.files:
        if not os.path.lexists(path):
            raise UsageError(f"{path}: no such file or folder")
    packages = list(dict.fromkeys(each for path in options.files for each in _require_packages(path)))
    if options.interpreter or options.judge or options.cases:
        raise UsageError("--python, --for and --cases are for checking a solution, not a package; remove them")
    from judge.packages.package_check import check_package
    from judge.reporters.check_report import render_package_text, render_packages_json

    reports: list[PackageReport] = []
    with open_archives() as unpack, open_session(workspace, options.session) as session:
        for path in packages:
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


def _require_packages(path: Path) -> Sequence[Path]:
    if found := _find_packages(path):
        return found
    raise UsageError(f"{path}: not a package, nor a folder of packages: name only such, only solutions, or one problem")


# ---- problems ------------------------------------------------------------------------------------------------------


def _is_id(path: Path, workspace: Workspace) -> bool:
    return str(path) in problem_ids(workspace.root)


def _problem_id(path: Path, workspace: Workspace) -> str:
    """Return the id of the problem that a word means, as its id or the path of its folder; "" if it means none."""
    if _is_id(path, workspace):
        return str(path)
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - not resolve(): a link keeps its name
    is_problem = absolute.parent == workspace.root / "problems" and absolute.name in problem_ids(workspace.root)
    return absolute.name if is_problem else ""


def _check_problem(problem_id: str, options: Options, workspace: Workspace) -> ExitStatus:
    """Check the cases of a problem, run all tests of its programs, and report; return the exit status.

    Raises:
        UsageError: it has neither.
        DataError: its files are wrong.
    """
    from judge.packages.verification.program_tests import check_cases, problem_tests, run_tests
    from judge.preparation.store import read_lock

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
    render = _tests_to_json if options.format == "json" else _tests_to_text
    print(render(problem, len(tests), invalid, failures))
    return ExitStatus.FAILURE if invalid or failures else ExitStatus.SUCCESS


def _tests_to_text(problem: "Problem", tests: int, invalid: Sequence[Diagnostic], failed: Sequence[Diagnostic]) -> str:
    from judge.reporters.escape import PLAIN, one_line

    cases = format_count(len(problem.cases), "case")
    parts = [f"{cases} checked{', with errors' if invalid else ''}"]
    if failed:
        parts.append(f"{len(failed)} of {format_count(tests, 'test')} failed")
    else:
        parts.append(f"{format_count(tests, 'test')} passed" if tests else "no `checker_tests` or `validator_tests`")
    lines = [line for each in _findings(invalid, failed) for line in str(each).splitlines()]
    return "\n".join([*(one_line(line, PLAIN) for line in lines), f"{problem.id}: {', '.join(parts)}"])


def _findings(invalid: Sequence[Diagnostic], failed: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """Return what is wrong, each once: a program that does not compile makes cases and tests fail."""
    known = {each.path for each in invalid if not each.line}
    return list(dict.fromkeys([*invalid, *(each for each in failed if each.line or each.path not in known)]))


def _tests_to_json(problem: "Problem", tests: int, invalid: Sequence[Diagnostic], failed: Sequence[Diagnostic]) -> str:
    from judge.reporters.escape import without_surrogates

    findings = [
        {
            "file": without_surrogates(str(each.path)),
            "line": each.line or None,
            "severity": each.severity.value,
            "reason": without_surrogates(each.message),
        }
        for each in _findings(invalid, failed)
    ]
    document = {
        "version": _PROBLEM_VERSION,
        "problem": without_surrogates(problem.id),
        "passed": not findings,
        "cases": len(problem.cases),
        "tests": tests,
        "findings": findings,
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


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
