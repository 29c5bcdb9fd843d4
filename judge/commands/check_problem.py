"""`judge check PROBLEM`: run the tests of a problem's checker and validator."""

import json
from collections.abc import Sequence

from msgspec import Struct

from judge.commands.session import open_session
from judge.commands.status import ExitStatus
from judge.errors import DataError, Diagnostic, UsageError
from judge.model import Problem
from judge.reporters.escape import PLAIN, one_line, without_surrogates
from judge.units import format_count
from judge.workspace.options import SessionOptions
from judge.workspace.query import Query
from judge.workspace.workspace import Workspace

VERSION = 1


class _Report(Struct, frozen=True, kw_only=True):
    """What the tests of a problem show."""

    problem: Problem
    count: int
    failures: Sequence[Diagnostic]


def check_problem(workspace: Workspace, target: str, session_options: SessionOptions, *, as_json: bool) -> ExitStatus:
    """Run all tests of a problem's programs and report; return the exit status.

    Raises:
        UsageError: there is no such problem, or it has no tests.
        DataError: its files are wrong.
    """
    selection = workspace.select(Query(targets=(target,)))
    if selection.diagnostics:
        raise DataError(selection.diagnostics)
    problem = selection.problems[0].problem
    from judge.preparation.lock import read_lock
    from judge.verification.program_tests import problem_tests, run_tests

    tests = problem_tests(problem)
    if not tests:
        raise UsageError(
            f"{problem.id} has no tests of its checker or validator; add `checker_tests` or `validator_tests` to its "
            "problem.yaml (docs/format.md), or name a solution to check"
        )
    with open_session(workspace, session_options) as session:
        results = run_tests(problem, tests, session.store, read_lock(problem.lock), session.executor.map)
        failures = [each for each in results if each]
    report = _Report(problem=problem, count=len(tests), failures=failures)
    print(_render_json(report) if as_json else _render_text(report))
    return ExitStatus.FAILURE if failures else ExitStatus.SUCCESS


def _render_text(report: _Report) -> str:
    tests = format_count(report.count, "test")
    summary = f"{report.problem.id}: {tests} of its programs passed"
    if report.failures:
        summary = f"{report.problem.id}: {len(report.failures)} of {tests} of its programs failed"
    lines = [line for each in report.failures for line in str(each).splitlines()]
    return "\n".join([*(one_line(line, PLAIN) for line in lines), summary])


def _render_json(report: _Report) -> str:
    findings = [
        {
            "file": without_surrogates(str(each.path)),
            "line": each.line or None,
            "severity": each.severity.value,
            "reason": without_surrogates(each.message),
        }
        for each in report.failures
    ]
    document = {
        "version": VERSION,
        "problem": without_surrogates(report.problem.id),
        "passed": not findings,
        "tests": report.count,
        "findings": findings,
    }
    return json.dumps(document, indent=2, ensure_ascii=False)
