"""`judge list`: the problems of a repository, or the cases and solutions of some problems or files."""

import sys
from typing import Annotated

from judge.base.errors import DataError, Diagnostic
from judge.base.units import format_bytes, format_count, format_seconds
from judge.cli.commands import ExitStatus
from judge.cli.commands.arguments import positional
from judge.cli.commands.options import Arguments
from judge.cli.commands.session import open_archives, report_notes
from judge.model import External, Generated, InFile, Inline, InputSource, Problem, Produced, describe_call
from judge.reporters import log_glyphs
from judge.reporters.escape import align, one_line
from judge.reporters.formatting import label_expectation
from judge.workspace.query import Query
from judge.workspace.workspace import Workspace

EPILOG = """\
examples:
  judge list
  judge list uva131
  judge list a.py        the cases beside a file
  judge list contest/    the packages in a folder
  judge list hello/      the cases and submissions of a package
"""


class Options(Arguments, frozen=True, kw_only=True):
    """What `judge list` shows: the details of some problems or files, or a line for each problem."""

    targets: Annotated[
        tuple[str, ...], positional("TARGET", "show the cases and solutions of this problem, file or folder")
    ] = ()


def execute(options: Options) -> ExitStatus:
    """List; return the exit status."""
    workspace = Workspace.find_or_use(options.root)
    problems: list[Problem] = []
    diagnostics: list[Diagnostic] = []
    is_of_repository = workspace.is_repository and (options.targets or not workspace.packages)
    with open_archives() as unpack:
        if is_of_repository and all(target in workspace.problem_ids() for target in options.targets):
            for each in workspace.require_problems(options.targets):
                try:
                    problems.append(workspace.load_problem(each))
                except DataError as error:
                    diagnostics.extend(error.diagnostics)
        else:
            selection = workspace.select(Query(targets=options.targets, unpack=unpack))
            report_notes((*selection.notes, *map(str, selection.warnings)))
            problems = [*(each.problem for each in selection.problems), *selection.unsolved]
            diagnostics = list(selection.diagnostics)
        has_details = bool(options.targets) or not workspace.is_repository
        if len(problems) > 1 and all(problem.is_package for problem in problems):  # a contest
            has_details = False
        summaries = _align([_summary(problem) for problem in problems])
        for number, (problem, summary) in enumerate(zip(problems, summaries, strict=True)):
            if has_details and number:
                print()
            print("\n".join([summary, *_detail_lines(problem)] if has_details else [summary]))
    if diagnostics:
        raise DataError(diagnostics)
    return ExitStatus.SUCCESS


def _summary(problem: Problem) -> list[str]:
    time = "no time limit given" if problem.needs_time_limit else format_seconds(problem.limits.cpu)
    limits = f"{time}, {format_bytes(problem.limits.memory)}"
    cases = format_count(len(problem.cases), "case")
    solutions = format_count(len(problem.solutions), "solution") if problem.solutions else "unsolved"
    return [problem.id, problem.name, problem.profile, limits, f"{cases}, {solutions}"]


def _detail_lines(problem: Problem) -> list[str]:
    cases = _align([[case.id, _input_text(case.input), case.why] for case in problem.cases])
    if problem.is_package:
        paths = _align([[each.display_path, label_expectation(each.expectation)] for each in problem.solutions])
    else:
        paths = [solution.display_path for solution in problem.solutions]
    solutions = [one_line(path, log_glyphs(sys.stdout)) for path in paths or ["none: the problem is unsolved"]]
    return ["", "cases", *(f"  {line}" for line in cases), "", "solutions", *(f"  {line}" for line in solutions)]


def _align(rows: list[list[str]]) -> list[str]:
    """Return the rows of a table as lines of safe text."""
    glyphs = log_glyphs(sys.stdout)
    return align([[one_line(cell, glyphs) for cell in row] for row in rows])


def _input_text(source: InputSource) -> str:
    match source:
        case Inline(data):
            return format_count(len(data.splitlines()), "line")
        case InFile(path):
            return path.name
        case Generated(function=function, seed=seed):
            return f"{function}, seed {seed}"
        case Produced() as produced:
            return describe_call(produced)
        case External(file=file):
            return f"external {file}"
