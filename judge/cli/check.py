"""`judge check`: what an online judge would object to, before it does."""

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from judge.cli.submission import Submission, submission_of
from judge.cli.workspace import workshop
from judge.errors import UsageError
from judge.languages.interpreters import Interpreter, find_interpreter, find_interpreter_by_version
from judge.languages.table import find_language
from judge.model import Problem
from judge.online.lint.dry_run import DryRun, trial_obstacles, try_out
from judge.online.lint.judges import JUDGES, OnlineJudge, Version, version_text
from judge.online.lint.parsing import HOST, Obstacle, Severity
from judge.online.lint.reading import read_for
from judge.units import format_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What is told at the end.

    Attributes:
        shown: the file as the user wrote it.
        notes: what was not done, and why; a line each.
        trial: the runs; None when nothing was run.
        ran_on: the interpreter's name, or the language's.
    """

    shown: str
    judge: OnlineJudge
    obstacles: tuple[Obstacle, ...]
    notes: tuple[str, ...]
    trial: DryRun | None = None
    ran_on: str = ""

    @property
    def errors(self) -> int:
        """How many things are to be mended."""
        return sum(each.severity is Severity.ERROR for each in self.obstacles)


@dataclass(slots=True)
class _Run:
    """What the run adds to the report."""

    trial: DryRun | None = None
    name: str = ""
    obstacles: tuple[Obstacle, ...] = ()
    notes: list[str] = field(default_factory=list)


def check_command(args: argparse.Namespace) -> int:
    """Carry out `judge check`; return the exit status."""
    from judge.cli import AS_EXPECTED, NOT_AS_EXPECTED
    from judge.cli.checkreport import as_json, as_text

    report = report_of(args)
    print(as_json(report) if args.format == "json" else as_text(report), end="")
    return NOT_AS_EXPECTED if report.errors else AS_EXPECTED


def report_of(args: argparse.Namespace) -> Report:
    """Read a file, and run it where its problem is known; return what its judge would object to.

    Raises:
        UsageError: there is no such file, or nobody knows for which judge.
        JudgeError: the cases cannot be run.
    """
    submission = submission_of(args)
    suffix = submission.path.suffix.lower()
    find_language(submission.path)  # an unknown suffix is said at once
    if args.python and suffix != ".py":
        raise UsageError(f"--python {args.python}: {args.file} is no Python solution; leave the option out")
    judge = _judge(args, submission)
    found = read_for(submission.data, suffix, judge, _neighbours(submission) if suffix == ".py" else ())
    done = _run(args, submission, judge, is_python=suffix == ".py")
    if not judge.judges_code:
        done.notes.append(f"{judge.name} judges no code: the answer is typed in; the program may do as it likes")
    return Report(
        shown=str(args.file),
        judge=judge,
        obstacles=(*found, *done.obstacles),
        notes=tuple(done.notes),
        trial=done.trial,
        ran_on=done.name,
    )


def _judge(args: argparse.Namespace, submission: Submission) -> OnlineJudge:
    if args.judge:
        return JUDGES[args.judge]
    if submission.selection is None:
        raise UsageError(
            f"{args.file}: for which judge? Its problem is not known: say --for {'|'.join(JUDGES)}, or --problem ID"
        )
    return JUDGES[submission.selection.problem.profile]


def _neighbours(submission: Submission) -> frozenset[str]:
    """Return the names of modules and packages that stand beside the file, or beside the one that a link leads to."""
    path = submission.path.resolve()
    entries = [entry for entry in path.parent.iterdir() if entry != path]
    modules = {entry.stem for entry in entries if entry.suffix == ".py"}
    return frozenset(modules | {entry.name for entry in entries if entry.is_dir() and _is_package(entry)})


def _is_package(folder: Path) -> bool:
    """Whether a folder is what an import of its name means: without `__init__.py` Python's own module comes first."""
    if (folder / "__init__.py").is_file():
        return True
    return folder.name not in sys.stdlib_module_names and any(folder.glob("*.py"))


def _run(args: argparse.Namespace, submission: Submission, judge: OnlineJudge, *, is_python: bool) -> _Run:
    done = _Run()
    python = _interpreter(args, judge, done) if is_python else None
    if submission.selection is None:
        done.notes.append("its problem is not known, so nothing was run; --problem ID names it")
        return done
    problem = submission.selection.problem
    done.name = python.name if python else _own_name(submission, is_python=is_python)
    tools: Mapping[str, str] = {"python": python.path} if python else {}
    done.trial = _tried(args, submission, problem, tools)
    done.notes += [f"skipped: {line}" for line in done.trial.skipped]
    done.obstacles = tuple(trial_obstacles(done.trial, judge, done.name))
    return done


def _tried(args: argparse.Namespace, submission: Submission, problem: Problem, tools: Mapping[str, str]) -> DryRun:
    with workshop(args, submission.root) as (executor, store):
        return try_out(submission.path, problem, executor, store, tools)


def _interpreter(args: argparse.Namespace, judge: OnlineJudge, done: _Run) -> Interpreter | None:
    """Return the Python to run with: the one that is named, one of the judge's version, or the nearest newer one.

    None stands for our own.
    """
    if args.python:
        return find_interpreter(args.python)
    if not judge.judges_code:
        return None
    for each in judge.interpreters:
        if found := find_interpreter_by_version(each.version, (*each.commands, f"python{version_text(each.version)}")):
            return found
    names = " or ".join(each.name for each in judge.interpreters)
    nearest = _newer_than(judge.oldest)
    where = nearest.name if nearest else f"Python {version_text(HOST)}"
    done.notes.append(f"{names} is not on this machine; the nearest is {where}: what only the other shows is not shown")
    return nearest


def _newer_than(version: Version) -> Interpreter | None:
    for minor in range(version[1] + 1, HOST[1]):
        if found := find_interpreter_by_version((3, minor), (f"python3.{minor}",)):
            return found
    return None


def _own_name(submission: Submission, *, is_python: bool) -> str:
    import platform

    return f"CPython {platform.python_version()}" if is_python else find_language(submission.path).name


def summary(report: Report) -> str:
    """Return the last line."""
    if not report.errors:
        return f"ready for {report.judge.id}"
    things = "1 thing" if report.errors == 1 else f"{report.errors} things"
    return f"{things} to mend before {report.judge.id}"


def runs(report: Report) -> str:
    """Return how the runs went, in a line; "" when nothing was run."""
    trial = report.trial
    if trial is None or not trial.cases:
        return ""
    cases = "1 case" if len(trial.cases) == 1 else f"{len(trial.cases)} cases"
    slowest = trial.slowest
    if slowest is None or slowest.run is None:
        return f"ran {cases} on {report.ran_on}"
    limit = report.judge.time_limit or slowest.case.limits.cpu
    return (
        f"ran {cases} on {report.ran_on}; the slowest, {slowest.case.id}, "
        f"took {format_seconds(slowest.run.cpu)} of {format_seconds(limit)}"
    )
