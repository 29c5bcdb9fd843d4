"""`judge export`: write a problem, or those of a contest, as a package of another format."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from judge.base.errors import JudgeError, UsageError, describe_error
from judge.base.units import format_count
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.session import find_problems, open_archives, open_session
from judge.reporters import log_glyphs
from judge.reporters.escape import one_line, to_json
from judge.workspace.query import Query
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # imported when a problem is exported: help and completion need none of it
    from judge.packages.export.package import Package

TARGETS = ("icpc-2025-09", "icpc-legacy", "bapctools", "domjudge", "kattis", "polygon")

EPILOG = """\
Inputs are generated and answers computed, as for `judge run`, and written to a zip file; the same problem gives the
same bytes. What the format cannot express is printed as `not exported: ...`.

formats:
  icpc-2025-09   the ICPC problem package format, version 2025-09 (also `bapctools`)
  icpc-legacy    its legacy version
  kattis         legacy, with a UUID (Kattis, problemtools)
  domjudge       legacy, with domjudge-problem.ini and .timelimit, and no folder around the files
  polygon        a full package of Polygon (Codeforces)

Several problems are a contest: a folder for each in one zip file, with problems.yaml and contest.yaml, except for
Kattis.

examples:
  judge export uva131 --to kattis                   writes uva131.zip
  judge export uva131 --to icpc-2025-09 -o a.zip --force
  judge export ~/contest/sums --to domjudge         converts a package
  judge export ~/contest --to domjudge              a contest: import-contest of DOMjudge loads contest.zip, unzipped
  judge export uva131 --to polygon -o uva131-polygon.zip
  judge export uva131 --to icpc-legacy --strict     exit status 1 if something is not exported

exit status: 0 if the zip file was written, 1 if something is not exported without which the package cannot judge, or
anything at all with --strict, 2 for wrong usage, wrong test data or an error of the judge
"""


class Options(shared.SessionArguments, frozen=True, kw_only=True):
    """What `judge export` does; `output` is the zip file, by default the problem's id in the current folder."""

    problems: Annotated[tuple[str, ...], positional("PROBLEM", "an id, a package, or a folder of packages: a contest")]
    to: Annotated[str, option(f"one of {', '.join(TARGETS)}", choices=TARGETS, metavar="FORMAT")]
    output: Annotated[Path | None, option("the zip file (default: ID.zip)", "-o", metavar="ZIP")] = None
    force: Annotated[bool, option("overwrite the zip file")] = False
    strict: Annotated[bool, option("exit 1 if something is not exported")] = False
    format: shared.Format = "text"


def execute(options: Options) -> ExitStatus:
    """Write the package and report; return the exit status."""
    from judge.packages.export.export import describe_contest, export
    from judge.packages.export.package import Target, write_zip

    workspace = Workspace.find_or_use(options.root)
    with open_archives() as unpack:
        problems = find_problems(workspace, Query(targets=options.problems, unpack=unpack))
        if polygon := [each for each in problems if each.format == "polygon"]:
            raise UsageError(f"{polygon[0].target} is a package of Polygon, which is not exported to other formats")
        target = Target({"bapctools": "icpc-2025-09"}.get(options.to, options.to))
        if len(problems) > 1 and target is Target.POLYGON:
            raise UsageError("Polygon loads one package at a time: export the problems one by one")
        name = problems[0].id
        if len(problems) > 1:
            name = Path(options.problems[0]).resolve().stem if len(options.problems) == 1 else "contest"
        path = options.output or Path(f"{name}.zip")
        if path.exists() and not options.force:
            raise UsageError(f"{path} exists: --force overwrites it, -o names another file")
        with open_session(workspace, options.session) as session:
            testlib = session.options.testlib
            packages = [export(each, session.prepare(each, each.cases), target, testlib) for each in problems]
            try:
                write_zip(packages, path, describe_contest(problems, packages) if len(packages) > 1 else {})
            except OSError as error:
                raise JudgeError(describe_error(error)) from error
    if options.format == "json":
        found = [
            {
                "version": 1,
                "id": problem.id,
                "file": str(path),
                "format": package.target.value,
                "cases": package.cases,
                "submissions": package.submissions,
                "breaking": list(package.breaking),
                "not_exported": list(package.losses),
                "notes": list(package.notes),
            }
            for package, problem in zip(packages, problems, strict=True)
        ]
        document = found[0] if len(found) == 1 else {"version": 1, "file": found[0]["file"], "packages": found}
        print(to_json(document, indent=1))
    else:
        for package in packages:
            print(_render(package, f"{path}/{package.name}" if len(packages) > 1 else str(path)))
    is_failure = any(each.breaking or (options.strict and each.losses) for each in packages)
    return ExitStatus.FAILURE if is_failure else ExitStatus.SUCCESS


def _render(package: "Package", path: str) -> str:
    glyphs = log_glyphs(sys.stdout)
    counts = f"{format_count(package.cases, 'case')}, {format_count(package.submissions, 'submission')}"
    lines = [f"{path}: {package.target.value}, {counts}"]
    lines += [
        f"error: not exported: {each}; the package does not judge as the problem does" for each in package.breaking
    ]
    lines += [f"not exported: {each}" for each in package.losses]
    lines += [f"note: {each}" for each in package.notes]
    return "\n".join(one_line(line, glyphs) for line in lines)
