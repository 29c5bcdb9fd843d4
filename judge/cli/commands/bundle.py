"""`judge bundle`: merge a solution and the user's own modules into one file, verified on the problem's cases."""

import sys
from pathlib import Path
from typing import Annotated

from msgspec.structs import replace

from judge.base.errors import UsageError, make_safe
from judge.base.units import format_count
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.session import find_source, open_session
from judge.languages.table import find_language
from judge.model import Verdict
from judge.online.bundle import Bundle, bundle
from judge.workspace.workspace import SourceSelection, Workspace

EPILOG = """\
examples:
  judge bundle poker.py                            to standard output
  judge bundle poker.py -o submit.py --problem uva131
  judge bundle poker.py -o submit.py --force       overwrite submit.py
"""


class Options(shared.SessionArguments, frozen=True, kw_only=True):
    """What `judge bundle` merges, and where it writes; no output means standard output."""

    file: Annotated[Path, positional("FILE", "the solution")]
    output: Annotated[Path | None, option("the file to write (default: standard output)", "-o", metavar="OUT")] = None
    force: Annotated[bool, option("overwrite OUT")] = False
    problem: shared.Problem = None
    cases: shared.Cases = None
    python: shared.Python = None


def execute(options: Options) -> ExitStatus:
    """Merge, verify and write; return the exit status."""
    from judge.reporters.html.page import OutputFile

    workspace, source = find_source(options.root, options.file, options.problem, options.cases)
    if find_language(source.path).id != "python3":
        raise UsageError(f"{options.file}: not a Python solution; only Python solutions can be bundled")
    output = options.output
    file = None if output is None else OutputFile("--output", output, is_forced=options.force)
    merged = bundle(source.path)
    sources = [source.path, *(module.path for module in merged.modules.values() if module)]
    if output and output.exists() and any(output.samefile(path) for path in sources):
        raise UsageError(f"--output {output}: this is the solution itself, or it imports this; choose another file")
    for warning in merged.warnings:
        _print(str(warning))
    status = ExitStatus.SUCCESS
    if source.problem is None:
        _print(
            "not verified: there are no cases beside it; name some with --cases DIR, or the problem with --problem ID"
        )
    else:
        status = _verify(options, workspace, source, merged)
    if file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(merged.data)
        return status
    if status is not ExitStatus.SUCCESS:
        _print(f"{output} is not written; without --output, the bundle is printed in any case")
        return status
    file.write_bytes(merged.data)
    modules = ", ".join(merged.modules)
    content = f"with {modules}" if modules else "unchanged, since it imports none of your modules"
    _print(f"wrote {output}: {content}")
    return ExitStatus.SUCCESS


def _verify(options: Options, workspace: Workspace, source: SourceSelection, merged: Bundle) -> ExitStatus:
    """Judge the bundle on the cases of its problem; return the exit status."""
    from judge.languages.source import write_files
    from judge.online.lint.dry_run import dry_run

    assert source.problem is not None
    problem = source.problem.problem
    (solution,) = problem.solutions
    with open_session(workspace, options.session) as session:
        folder = session.store.build / "bundle"
        write_files({source.path.name: merged.data}, folder)
        bundled = replace(problem, solutions=(replace(solution, path=folder / source.path.name),))
        selection = replace(source.problem, problem=bundled)
        judged = dry_run(replace(source, problem=selection), session, sanitize=False)
    if not judged.cases and not judged.compile_error:
        _print(f"not verified: no case of {problem.id} can run here")
        return ExitStatus.SUCCESS
    verdicts = ", ".join(sorted({each.verdict for each in judged.cases}))
    if judged.as_expected:
        cases = format_count(len(judged.cases), "case")
        which = f"{cases} ({len(judged.skipped)} cannot run here)" if judged.skipped else f"all {cases}"
        _print(f"verified: {verdicts} on {which}{f' of {problem.id}' if problem.folder else ''}")
        return ExitStatus.SUCCESS
    passed = (*solution.expectation.permitted, Verdict.NA, Verdict.SK)
    failure = next((each for each in judged.results.values() if each.verdict not in passed), None)
    why = f"{failure.verdict} on {failure.case.id}" if failure else verdicts
    reason = f": {failure.reason}" if failure else ""
    _print(f"{options.file}: {why}, expected {solution.expectation}{reason}")
    return ExitStatus.FAILURE


def _print(text: str) -> None:
    print(make_safe(text), file=sys.stderr)
