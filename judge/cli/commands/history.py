"""`judge history`: earlier runs, those of one solution, or the submissions to online judges."""

import math
import sys
import time
from pathlib import Path
from typing import Annotated

from judge.base.errors import UsageError
from judge.base.units import format_bytes, format_count, format_seconds
from judge.cli.commands import ExitStatus
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.options import Arguments
from judge.cli.commands.session import report_notes
from judge.history.history import History, RunRecord
from judge.history.submissions import open_submissions
from judge.languages.table import SUFFIXES
from judge.problems.paths import find_package, submission_folder
from judge.reporters import log_glyphs
from judge.reporters.escape import align, one_line
from judge.workspace.query import absolute_path
from judge.workspace.workspace import Workspace

EPILOG = """\
examples:
  judge history
  judge history solutions/uva131/accepted/try_all.py
  judge history --submissions        submissions to online judges, with their verdicts
"""


class Options(Arguments, frozen=True, kw_only=True):
    """What `judge history` lists."""

    solution: Annotated[Path | None, positional("SOLUTION", "only runs of this solution")] = None
    submissions: Annotated[bool, option("list submissions to online judges instead")] = False
    number: Annotated[int, option("how many (default: 20)", "-n", between=(1, math.inf))] = 20


def execute(options: Options) -> ExitStatus:
    """List; return the exit status."""
    workspace = Workspace.find_or_use(options.root)
    if options.submissions:
        return _list_submissions(workspace, options.number)
    with workspace.open_history() as history:
        if options.solution is None:
            lines = []
            for run in history.runs(options.number):
                wall = format_seconds(run.wall) if run.wall is not None else ""
                unexpected = f", {run.surprises} unexpected" if run.surprises else ""
                judged = f"{format_count(run.solutions, 'solution')}{unexpected}"
                facts = f"{run.ending or 'ended early':<15} {judged:<28} {wall:>8}  {run.arguments}"
                lines.append(f"{_run_prefix(run)}  {facts}".rstrip())
        else:
            lines = _solution_lines(history, options.solution, workspace.root, options.number)
        for each in lines:
            print(one_line(each, log_glyphs(sys.stdout)))
        report_notes([history.warning] if history.warning else [])
    if not lines:
        what = "no runs" if options.solution is None else f"no runs of {options.solution}"
        print(f"{what} recorded yet; `judge run` records them", file=sys.stderr)
    return ExitStatus.SUCCESS


def _list_submissions(workspace: Workspace, most: int) -> ExitStatus:
    glyphs = log_glyphs(sys.stdout)
    with open_submissions(workspace.state_folder) as submissions:
        rows = []
        for each in reversed(submissions.all()[-most:]):
            facts = [each.verdict or each.state.name.lower(), format_seconds(each.cpu) if each.cpu is not None else ""]
            facts += [each.remote_id, f"source {each.sha256[:10]}"]
            row = [each.local_time, each.judge, each.problem, "  ".join(filter(None, facts))]
            rows.append([one_line(cell, glyphs) for cell in row])
        for line in align(rows):
            print(line)
    return ExitStatus.SUCCESS


def _solution_lines(history: History, solution: Path, root: Path, most: int) -> list[str]:
    """Return a line for each run of a solution, which may no longer exist.

    Raises:
        UsageError: it is not the path of a solution.
    """
    path = absolute_path(solution, root)
    problem: str | None
    if (package := find_package(path)) is not None and path.is_relative_to(submission_folder(package)):
        problem, shown = package.name, path.relative_to(package)
    else:
        shown = path.relative_to(root) if path.is_relative_to(root) else path
        is_of_problem = shown.parts[:1] == ("solutions",) and len(shown.parts) > 2  # with the problem and the file
        if path.is_dir() or not (is_of_problem or path.suffix.lower() in SUFFIXES):
            raise UsageError(f"{solution}: expected a solution, such as solutions/uva131/accepted/try_all.py")
        problem = shown.parts[1] if is_of_problem else None
    lines = []
    for run, record in history.runs_of_solution(problem, str(shown), most):
        passed = sum(case.verdict == "AC" for case in record.cases.values())
        verdict = f"{record.verdict}{'' if record.as_expected else ' (unexpected)'}"
        cost = f"{format_seconds(record.cpu)} CPU in total, {format_bytes(record.memory)}"
        counts = f"{passed}/{len(record.cases)} passed, {cost}, source {record.source[:10]}"
        lines.append(f"{_run_prefix(run)}  {verdict:<15} {counts}")
    return lines


def _run_prefix(run: RunRecord) -> str:
    started = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(run.started))
    commit = (run.commit[:10] + ("+" if run.is_dirty else "")) or "-"
    return f"run-{run.number:<5} {started}  {commit:<11}"
