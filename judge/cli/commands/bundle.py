"""`judge bundle`: merge a solution and the user's own modules into one file, verified on the problem's cases."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

from judge.base.errors import UsageError, make_safe
from judge.base.files import as_word
from judge.base.units import format_count
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.session import find_source, open_session
from judge.languages.table import find_language
from judge.model import Verdict
from judge.online.bundle.assemble import Bundle, bundle
from judge.runner.options import ProblemSelection
from judge.workspace.workspace import Workspace

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
    sources = [source.path, *(module.source.path for module in merged.graph.modules.values() if module.source)]
    if output and output.exists() and any(output.samefile(path) for path in sources):
        raise UsageError(f"--output {output}: this is the solution itself, or it imports this; choose another file")
    for warning in merged.graph.warnings:
        _print(str(warning))
    status = ExitStatus.SUCCESS
    if source.problem is None:
        _print(
            "not verified: there are no cases beside it; name some with --cases DIR, or the problem with --problem ID"
        )
    else:
        is_same, status = _verify(options, workspace, source.path, source.problem, merged)
        if not is_same:
            return status
    if file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(merged.data)
        return status
    file.write_bytes(merged.data)
    modules = ", ".join(merged.graph.modules)
    content = f"with {modules}" if modules else "unchanged, since it imports none of your modules"
    _print(f"wrote {output}: {content}")
    return status


def _verify(
    options: Options, workspace: Workspace, path: Path, selection: ProblemSelection, merged: Bundle
) -> tuple[bool, ExitStatus]:
    """Judge the original and the bundle; return whether they agree, and the exit status."""
    from judge.languages.interpreters import find_interpreter
    from judge.online.bundle.verify import verify_bundle

    problem = selection.problem
    (solution,) = problem.solutions
    interpreter = find_interpreter(options.python).path if options.python else ""
    with open_session(workspace, options.session) as session:
        found = verify_bundle(merged, path, problem, session, interpreter)
    if found.differences:
        _print("the bundle and the original get different verdicts; nothing was written:")
        for line in found.differences[:5]:
            _print(f"  {line}")
        return False, ExitStatus.FAILURE
    if not found.cases:
        _print(f"not verified: no case of {problem.id} can run here")
        return True, ExitStatus.SUCCESS
    is_expected = found.verdicts - {Verdict.NA} <= solution.expectation.permitted
    if found.failure is not None and not is_expected:
        where, why = found.failure.case.id, found.failure.reason
        _print(f"{options.file}: {found.failure.verdict} on {where}, expected {solution.expectation}: {why}")
    verdicts = ", ".join(sorted(found.verdicts))
    cases = format_count(found.cases, "case")
    which = f"all {cases}" if found.cases > 1 else cases
    if found.skipped:
        which = f"{cases} ({found.skipped} cannot run here)"
    which += f" of {problem.id}" if problem.folder else ""
    _print(f"verified: the bundle and the original get the same verdicts on {which}: {verdicts}")
    if is_expected:
        return True, ExitStatus.SUCCESS
    if options.output:
        given = ["--cases", str(options.cases)] if options.cases else []
        command = shlex.join(
            ["judge", "run", *([problem.id, "--solution"] if problem.folder else []), as_word(options.output), *given]
        )
        _print(f"`{command}` shows the details")
    return True, ExitStatus.FAILURE


def _print(text: str) -> None:
    print(make_safe(text), file=sys.stderr)
