"""`judge import`: create problems from the samples of another tool."""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from judge.commands.samples import print_result, write_draft
from judge.commands.status import ExitStatus
from judge.errors import DataError, JudgeError, UsageError, describe_error
from judge.online.samples.readers import read_drafts
from judge.workspace.workspace import Workspace

EPILOG = """\
SOURCE is a folder of x.in with x.ans or x.out (such as the folder test of oj), of in1.txt with ans1.txt (cf-tool), or
one with the .prob files of cph, also in .cph/; or a single .prob file.

examples:
  judge import test --id abc300-a
  judge import ~/cf/contest/1900/a --id codeforces-1900a
  judge import ~/work/.cph
"""

_ID = re.compile(r"[a-z0-9][a-z0-9_-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `judge import` reads, under which id, and whether it replaces files that differ."""

    root: Path | None
    sources: tuple[Path, ...]
    id: str | None
    force: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge import`."""
    parser.add_argument("sources", nargs="+", type=Path, metavar="SOURCE", help="a folder or a .prob file")
    parser.add_argument("--id", metavar="ID", help="the problem's id (default: from its URL or its folder's name)")
    parser.add_argument("--force", action="store_true", help="replace existing files that differ")


def from_args(args: argparse.Namespace) -> Options:
    """Return the options.

    Raises:
        UsageError: the id is not valid, or there are several sources for one id.
    """
    if args.id is not None and not _ID.fullmatch(args.id):
        raise UsageError(f"--id {args.id}: expected lower-case letters, digits, `_` and `-`")
    if args.id is not None and len(args.sources) > 1:
        raise UsageError(f"--id {args.id}: expected one source, found {len(args.sources)}; import one at a time")
    return Options(root=args.root, sources=tuple(args.sources), id=args.id, force=args.force)


def execute(options: Options) -> ExitStatus:
    """Import every source, even if another one fails; return the exit status."""
    root = Workspace.find_or_use(options.root).root
    had_errors = False
    for source in options.sources:
        try:
            for draft in read_drafts(source, options.id):
                print_result(draft, write_draft(draft, root, force=options.force))
        except (JudgeError, OSError) as error:
            if len(options.sources) == 1:
                raise
            print(str(error) if isinstance(error, DataError) else f"judge: {describe_error(error)}", file=sys.stderr)
            had_errors = True
    return ExitStatus.ERROR if had_errors else ExitStatus.SUCCESS
