"""`judge export`: write a problem as a package of another format."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from judge.base.errors import DataError, JudgeError, UsageError, describe_error
from judge.base.units import format_count
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.session import open_archives, open_session
from judge.model import Problem
from judge.reporters import log_glyphs
from judge.reporters.escape import one_line, without_surrogates
from judge.workspace.query import Query
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # imported when a problem is exported: help and completion need none of it
    from judge.packages.export.package import Package

TARGETS = ("icpc-2025-09", "icpc-legacy", "domjudge", "kattis", "polygon")

EPILOG = """\
Inputs are generated and answers computed, as for `judge run`, and written to a zip file; the same problem gives the
same bytes. What the format cannot express is printed as `not exported: ...`.

formats:
  icpc-2025-09   the ICPC problem package format, version 2025-09 (BAPCtools)
  icpc-legacy    its legacy version
  kattis         legacy, with a UUID (Kattis, problemtools)
  domjudge       legacy, with domjudge-problem.ini and .timelimit, and no folder around the files
  polygon        a full package of Polygon (Codeforces)

examples:
  judge export uva131 --to kattis                   writes uva131.zip
  judge export uva131 --to icpc-2025-09 -o a.zip --force
  judge export ~/contest/sums --to domjudge         converts a package
  judge export uva131 --to polygon -o uva131-polygon.zip
  judge export uva131 --to icpc-legacy --strict     exit status 1 if something is not exported

exit status: 0 if the zip file was written, 1 if something is not exported without which the package cannot judge, or
anything at all with --strict, 2 for wrong usage, wrong test data or an error of the judge
"""


class Options(shared.SessionArguments, frozen=True, kw_only=True):
    """What `judge export` does; `output` is the zip file, by default the problem's id in the current folder."""

    problem: Annotated[str, positional("PROBLEM", "an id or a package")]
    to: Annotated[str, option(f"one of {', '.join(TARGETS)}", choices=TARGETS, metavar="FORMAT")]
    output: Annotated[Path | None, option("the zip file (default: ID.zip)", "-o", metavar="ZIP")] = None
    force: Annotated[bool, option("overwrite the zip file")] = False
    strict: Annotated[bool, option("exit 1 if something is not exported")] = False
    format: shared.Format = "text"
    data: shared.Data = None
    jobs: shared.Jobs = None
    require_sandbox: shared.RequireSandbox = None
    profile: shared.Profile = None


def execute(options: Options) -> ExitStatus:
    """Write the package and report; return the exit status."""
    from judge.packages.export.export import export
    from judge.packages.export.package import Target, write_zip

    workspace = Workspace.find_or_use(options.root)
    with open_archives() as unpack:
        problem = _find_problem(workspace, Query(targets=(options.problem,), unpack=unpack))
        path = options.output or Path(f"{problem.id}.zip")
        if path.exists() and not options.force:
            raise UsageError(f"{path} exists: --force overwrites it, -o names another file")
        with open_session(workspace, options.session) as session:
            package = export(problem, session.prepare(problem, problem.cases), Target(options.to))
            try:
                write_zip(package, path)
            except OSError as error:
                raise JudgeError(describe_error(error)) from error
    print(_to_json(package, problem, path) if options.format == "json" else _render(package, path))
    is_failure = package.breaking or (options.strict and package.losses)
    return ExitStatus.FAILURE if is_failure else ExitStatus.SUCCESS


def _find_problem(workspace: Workspace, query: Query) -> Problem:
    """Return the problem that the target names.

    Raises:
        UsageError: the target is not exactly one problem.
        DataError: the problem's files are wrong.
    """
    (target,) = query.targets
    if workspace.is_repository and target in workspace.problem_ids():
        return workspace.load_problem(target)
    selection = workspace.select(query)
    if selection.diagnostics:
        raise DataError(selection.diagnostics)
    problems = [part.problem for part in selection.problems]
    problems = problems or list(selection.unsolved)
    if len(problems) != 1 or problems[0].folder is None:
        raise UsageError(f"{target} is not a problem: name one problem of the repository, or one package")
    if problems[0].format == "polygon":
        raise UsageError(f"{target} is a package of Polygon, which is not exported to other formats")
    return problems[0]


def _render(package: "Package", path: Path) -> str:
    glyphs = log_glyphs(sys.stdout)
    counts = f"{format_count(package.cases, 'case')}, {format_count(package.submissions, 'submission')}"
    lines = [f"{path}: {package.target.value}, {counts}"]
    lines += [
        f"error: not exported: {each}; the package does not judge as the problem does" for each in package.breaking
    ]
    lines += [f"not exported: {each}" for each in package.losses]
    lines += [f"note: {each}" for each in package.notes]
    return "\n".join(one_line(line, glyphs) for line in lines)


def _to_json(package: "Package", problem: Problem, path: Path) -> str:
    document = {
        "version": 1,
        "id": without_surrogates(problem.id),
        "file": without_surrogates(str(path)),
        "format": package.target.value,
        "cases": package.cases,
        "submissions": package.submissions,
        "breaking": [without_surrogates(each) for each in package.breaking],
        "not_exported": [without_surrogates(each) for each in package.losses],
        "notes": [without_surrogates(each) for each in package.notes],
    }
    return json.dumps(document, indent=1, ensure_ascii=False)
