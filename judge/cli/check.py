"""`judge check`: report what an online judge would reject."""

import argparse

from judge.cli.interpreters import named_python, python_of
from judge.cli.python import Found
from judge.cli.submission import Submission, submission_of
from judge.cli.workspace import workshop
from judge.errors import UsageError
from judge.languages.table import language_of
from judge.online.lint.check import CheckReport, check_source
from judge.online.lint.dry_run import DryRunner
from judge.online.lint.judges import JUDGES, OnlineJudge
from judge.online.python_source import HOST, Version, format_version


def check_command(args: argparse.Namespace) -> int:
    """Carry out `judge check`; return the exit status."""
    from judge.cli import AS_EXPECTED, NOT_AS_EXPECTED
    from judge.reporters.check_report import render_json, render_text

    submission = submission_of(args)
    language = language_of(submission.path)
    if args.python and language.id != "python3":
        raise UsageError(f"--python {args.python}: {args.file} is not a Python solution; remove the option")
    report = check_submission(args, submission, _select_judge(args, submission), args.python)
    print(render_json(report) if args.format == "json" else render_text(report), end="")
    return AS_EXPECTED if report.is_ready else NOT_AS_EXPECTED


def _select_judge(args: argparse.Namespace, submission: Submission) -> OnlineJudge:
    if args.judge:
        return JUDGES[args.judge]
    if submission.selection is None:
        raise UsageError(
            f"{args.file}: which judge? Its problem is unknown: use --for {'|'.join(JUDGES)}, or --problem ID"
        )
    return JUDGES[submission.selection.problem.profile]


def check_submission(
    args: argparse.Namespace, submission: Submission, judge: OnlineJudge, named: str | None = None
) -> CheckReport:
    """Check a file for a judge, and run it if its problem is known.

    Args:
        args: the options of a session.
        submission: the file and its problem.
        judge: the judge that gets the file.
        named: the interpreter to run it on, as a version or a command; None finds one like the judge's.

    Raises:
        UsageError: the named interpreter does not exist.
        JudgeError: the cases cannot be run.
    """
    python: Found | None = None
    notes: list[str] = []
    if language_of(submission.path).id == "python3":
        python, notes = (named_python(named), []) if named else find_interpreter(judge)
    if submission.selection is None:
        return check_source(submission.path, submission.data, judge, shown=args.file, notes=notes)
    with workshop(args, submission.root) as (executor, store):
        runner = DryRunner(
            problem=submission.selection.problem,
            executor=executor,
            store=store,
            interpreter=python.path if python else "",
            interpreter_name=python.name if python else "",
        )
        return check_source(submission.path, submission.data, judge, shown=args.file, runner=runner, notes=notes)


def find_interpreter(judge: OnlineJudge) -> tuple[Found | None, list[str]]:
    """Find an interpreter of the judge's version, or of the next newer one; None stands for our own.

    Returns:
        The interpreter, and a note if it is not of the judge's version.
    """
    if not judge.runs_code:
        return None, []
    for offered in judge.pythons:
        if found := python_of(offered.version, (*offered.commands, f"python{format_version(offered.version)}")):
            return found, []
    names = " or ".join(offered.name for offered in judge.pythons)
    newer = _find_newer(judge.oldest_version)
    used = newer.name if newer else f"Python {format_version(HOST)}"
    return newer, [f"{names} is not installed; {used} is used instead and may behave differently"]


def _find_newer(version: Version) -> Found | None:
    for minor in range(version[1] + 1, HOST[1]):
        if found := python_of((3, minor), (f"python3.{minor}",)):
            return found
    return None
