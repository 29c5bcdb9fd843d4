"""`judge import`: create problems from the samples of another tool."""

import argparse
import sys
from pathlib import Path

from msgspec import Struct

from judge.base.errors import DataError, JudgeError, UsageError, describe_error, make_safe
from judge.cli.commands import ExitStatus
from judge.cli.commands.starter import (
    ID,
    DestinationOptions,
    add_destination,
    destination_from,
    find_destination,
    print_result,
    write_draft,
)

EPILOG = """\
SOURCE is a folder of x.in with x.ans or x.out (such as the folder test of oj), of in1.txt with ans1.txt (cf-tool), or
one with the .prob files of cph, also in .cph/; a single .prob file; or an ICPC problem package, which goes into a
repository: what was found in it and what is not imported is listed.

In a repository, the files become problems/ID, testcases/ID and solutions/ID; elsewhere ID/ID.py and ID/tests.

examples:
  judge import test --id abc300-a
  judge import ~/cf/contest/1900/a --id codeforces-1900a
  judge import ~/work/.cph
  judge import ~/packages/hello --layout repository
  judge import test --id a --layout contest --language cpp

A template may contain {{name}}, {{id}}, {{url}} and {{date}}.
"""


class Options(Struct, frozen=True, kw_only=True):
    """What `judge import` reads, under which id, and where it writes."""

    sources: tuple[Path, ...]
    id: str | None
    destination: DestinationOptions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge import`."""
    parser.add_argument("sources", nargs="+", type=Path, metavar="SOURCE", help="a folder or a .prob file")
    parser.add_argument("--id", metavar="ID", help="the problem's id (default: from its URL or its folder's name)")
    add_destination(parser)


def from_args(args: argparse.Namespace) -> Options:
    """Return the options."""
    if args.id is not None and not ID.fullmatch(args.id):
        raise UsageError(f"--id {args.id}: expected lower-case letters, digits, `_` and `-`")
    if args.id is not None and len(args.sources) > 1:
        raise UsageError(f"--id {args.id}: expected one source, found {len(args.sources)}; import one at a time")
    return Options(sources=tuple(args.sources), id=args.id, destination=destination_from(args))


def execute(options: Options) -> ExitStatus:
    """Import every source, even if another one fails; return the exit status."""
    from judge.online.samples.package import is_package, read_package_draft
    from judge.online.samples.readers import read_drafts

    to = find_destination(options.destination)
    had_errors = False
    for source in options.sources:
        try:
            if is_package(source):
                drafts = [read_package_draft(source, options.id)]
            else:
                drafts = read_drafts(source, options.id, to.case_folder)
            for draft in drafts:
                print_result(*write_draft(draft, to))
        except (JudgeError, OSError) as error:
            if len(options.sources) == 1:
                raise
            text = str(error) if isinstance(error, DataError) else f"judge: {describe_error(error)}"
            print(make_safe(text), file=sys.stderr)
            had_errors = True
    return ExitStatus.ERROR if had_errors else ExitStatus.SUCCESS
