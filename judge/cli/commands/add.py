"""`judge add`: add a case that the user types, pastes or pipes, where `judge run` finds it."""

import sys
from pathlib import Path
from shlex import quote
from typing import Annotated

from judge.base.errors import UsageError
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.keeping import keep_case
from judge.cli.commands.session import report_notes
from judge.workspace.workspace import Workspace

EPILOG = """\
On a terminal, type or paste the input, then the answer; end each with Ctrl-D. A piped text is the input.

Beside a file, the case is named as those that are there: after tests/2.in comes tests/3.in, after a.in a-2.in. Without
any, it is tests/1.in with tests/1.ans; tests/a/1.in if other solutions are in the folder. Cases like sample-1.in belong
to the statement, so the name is own-1.in. A problem of a repository gets a case in testcases/ID/own.yaml.

examples:
  judge add a.py
  judge add a.py --from clipboard
  judge add a.py --from big.in --answer big.out
  echo 1 2 | judge add a.py
  judge add uva131 --from hand.txt --why "all cards equal"
"""


class Options(shared.Arguments, frozen=True, kw_only=True):
    """What `judge add` adds."""

    target: Annotated[str, positional("FILE|PROBLEM", "the solution, or the problem, that gets the case")]
    source: Annotated[
        str, option("the input: `clipboard`, or a file (default: standard input)", "--from", metavar="FILE")
    ] = "-"
    answer: Annotated[
        str | None, option("the answer: `clipboard`, or a file (default: asked for on a terminal)", metavar="FILE")
    ] = None
    why: Annotated[str, option("the reason for a case of a problem of a repository", metavar="TEXT")] = (
        "added with `judge add`"
    )


def execute(options: Options) -> ExitStatus:
    """Read a case and add it; return the exit status."""
    workspace = Workspace.find_or_use(options.root)
    known = workspace.problem_ids()
    if options.target in known:
        problem = workspace.load_problem(options.target)
    else:
        found = workspace.select_source(Path(options.target), needs_cases=False)
        assert found.problem is not None  # a file without cases has one from standard input
        report_notes(found.notes, found.diagnostics)
        problem = found.problem.problem
    if problem.is_package:
        raise UsageError(f"{problem.id} is a package, which is left as it is: put the case into its data/secret")
    is_same = options.answer in {"-", "clipboard"} and options.answer == options.source
    if is_same and not sys.stdin.isatty():
        raise UsageError(
            f"--answer {options.answer}: the input is read from there; name a file with --from or --answer"
        )
    data = _read("input", options.source)
    answer = None
    if options.answer is not None and not is_same:
        answer = _read("answer", options.answer)
    elif sys.stdin.isatty():
        source = options.source if options.source == "clipboard" else "-"
        if source == "clipboard":
            print("copy the answer, then press Enter; Ctrl-D for none", file=sys.stderr)
        answer = _read("answer", source) or None if source == "-" or sys.stdin.readline() else None
    if answer is None and problem.folder is not None and problem.reference is None and problem.interactor is None:
        raise UsageError(f"{problem.id} has no reference solution that computes the answer: add --answer FILE")
    print(keep_case(problem, data, answer, is_found=False, file="own.yaml", why=options.why))
    print(f"  next: judge run {quote(options.target)}")
    return ExitStatus.SUCCESS


def _read(what: str, source: str) -> bytes:
    """Return an input or an answer.

    Raises:
        UsageError: there is none, or the input is empty.
    """
    if source == "clipboard":
        from judge.online.desktop import read_clipboard

        if (data := read_clipboard()) is None:
            raise UsageError("the clipboard cannot be read; expected wl-paste, xclip or xsel, and a desktop")
        data += b"" if data.endswith(b"\n") or not data else b"\n"  # a page's text often ends without one
    elif source != "-":
        try:
            data = Path(source).read_bytes()
        except OSError as error:
            raise UsageError(f"{source}: {error.strerror}; expected a file with the {what}, or `clipboard`") from error
    else:
        if is_terminal := sys.stdin.isatty():
            print(f"type or paste the {what}, then Ctrl-D:", file=sys.stderr, flush=True)
        data = sys.stdin.buffer.read()
        if is_terminal and data and not data.endswith(b"\n"):  # a pasted text, too
            data += b"\n"
            print(file=sys.stderr)
    if not data and what == "input":
        raise UsageError("the input is empty; type or paste it, pipe it, or name a file with --from")
    return data
