"""`judge history`: the runs of the past, or those of one solution."""

import argparse
import sys
import time
from contextlib import closing
from pathlib import Path

from judge.cli.targets import absolute
from judge.cli.workspace import cache_of, root_of, say_warning
from judge.errors import UsageError
from judge.history.history import History, PastRun
from judge.history.records import SolutionRecord
from judge.reporters import formatting as words
from judge.reporters.escape import PLAIN, one_line
from judge.units import format_bytes, format_seconds

_PARTS = 3  # of a solution's path: solutions, the problem, and the file, perhaps with a folder between


def history_command(args: argparse.Namespace) -> int:
    """Carry out `judge history`; return the exit status."""
    root = root_of(args)
    if args.number < 1:
        raise UsageError(f"--number {args.number}: expected a number from 1 on")
    if args.submissions:
        return _list_submissions(root, args.number)
    with closing(History(cache_of(root) / "history.sqlite")) as history:
        lines = _of_all(history, args.number) if args.solution is None else _of_one(history, args, root)
        for each in lines:
            print(one_line(each, PLAIN))
        say_warning(history)
    if not lines:
        what = "no run" if args.solution is None else f"no run of {args.solution}"
        print(f"{what} is remembered; `judge run` is what is", file=sys.stderr)
    return 0


def _list_submissions(root: Path, most: int) -> int:
    from judge.history.submissions import open_submissions

    with open_submissions(cache_of(root)) as submissions:
        for each in reversed(submissions.all()[-most:]):
            verdict = each.verdict or each.state.name.lower()
            cpu = f"  {format_seconds(each.cpu)}" if each.cpu is not None else ""
            number = f"  {each.remote_id}" if each.remote_id else ""
            what = f"{each.judge:<10} {each.problem:<20} {verdict}{cpu}{number}"
            print(f"{each.time} UTC  {what}  source {each.sha256[:10]}")
    return 0


def _of_all(history: History, most: int) -> list[str]:
    return [_run(run) for run in history.runs(most)]


def _of_one(history: History, args: argparse.Namespace, root: Path) -> list[str]:
    """Return a line for each run of a solution, which may be gone by now.

    Raises:
        UsageError: it is no path of a solution.
    """
    path = absolute(args.solution, root)
    shown = path.relative_to(root) if path.is_relative_to(root) else path
    if shown.parts[:1] != ("solutions",) or len(shown.parts) < _PARTS or path.is_dir():
        raise UsageError(f"{args.solution}: expected a solution, such as solutions/uva131/accepted/try_all.py")
    found = history.of_solution(shown.parts[1], str(shown), args.number)
    return [f"{_when(run)}  {_sheet(sheet)}" for run, sheet in found]


def _run(run: PastRun) -> str:
    wall = format_seconds(run.wall) if run.wall is not None else ""
    surprises = f", {words.count(run.surprises, 'surprise')}" if run.surprises else ""
    ending = run.ending or "ended early"
    judged = f"{words.count(run.solutions, 'solution')}{surprises}"
    return f"{_when(run)}  {ending:<15} {judged:<28} {wall:>8}  {run.words}".rstrip()


def _when(run: PastRun) -> str:
    began = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(run.began))
    commit = (run.commit[:10] + ("+" if run.is_dirty else "")) or "-"
    return f"run-{run.number:<5} {began}  {commit:<11}"


def _sheet(sheet: SolutionRecord) -> str:
    passed = sum(mark.verdict == "AC" for mark in sheet.marks.values())
    verdict = f"{sheet.verdict}{'' if sheet.as_expected else ' (surprise)'}"
    cost = f"{format_seconds(sheet.cpu)} CPU in all, {format_bytes(sheet.memory)}"
    return f"{verdict:<15} {passed}/{len(sheet.marks)} passed, {cost}, source {sheet.source[:10]}"
