"""`judge import`: create problems from the samples of another tool."""

import sys
from pathlib import Path
from typing import Annotated

from judge.base.errors import DataError, JudgeError, UsageError, describe_error, make_safe
from judge.cli.commands import ExitStatus
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.options import Arguments
from judge.cli.commands.session import open_archives
from judge.cli.commands.starter import ID, DestinationOptions, find_destination, print_result, write_draft
from judge.problems.paths import contest_folders, is_archive, package_names

EPILOG = """\
SOURCE is a folder of x.in with x.ans or x.out (such as the folder test of oj), of in1.txt with ans1.txt (cf-tool), or
one with the .prob files of cph, also in .cph/; a single .prob file; or an ICPC problem package, a zip file of one, or a
folder of packages, which go into a repository: what was found and what is not imported is listed.

In a repository, the files become problems/ID, testcases/ID and solutions/ID; elsewhere ID/ID.py and ID/tests.

examples:
  judge import test --id abc300-a
  judge import ~/cf/contest/1900/a --id codeforces-1900a
  judge import ~/work/.cph
  judge import ~/packages/hello --layout repository
  judge import hello.zip --layout repository
  judge import test --id a --layout contest --language cpp

A template may contain {{name}}, {{id}}, {{url}} and {{date}}.
"""


class Options(Arguments, frozen=True, kw_only=True):
    """What `judge import` reads, under which id, and where it writes."""

    sources: Annotated[tuple[Path, ...], positional("SOURCE", "a folder, a .prob file, or a zip file with a package")]
    id: Annotated[str | None, option("the problem's id (default: from its URL or its folder's name)", metavar="ID")] = (
        None
    )
    destination: DestinationOptions

    def __post_init__(self) -> None:
        if self.id is not None and not ID.fullmatch(self.id):
            raise UsageError(f"--id {self.id}: expected lower-case letters, digits, `_` and `-`")
        if self.id is not None and len(self.sources) > 1:
            raise UsageError(f"--id {self.id}: expected one source, found {len(self.sources)}; import one at a time")


def execute(options: Options) -> ExitStatus:
    """Import every source, even if another one fails; return the exit status."""
    from judge.online.samples.package import is_package, read_package_draft
    from judge.online.samples.readers import read_drafts

    to = find_destination(options.root, options.destination)
    had_errors = False
    with open_archives() as unpack:
        for source in options.sources:
            try:
                place = unpack(source) if is_archive(source) and source.is_file() else source
                inside = (each / name for each in contest_folders(place) for name in package_names(each))
                folders = [place] if is_package(place) else list(inside)
                drafts = [read_package_draft(each, options.id) for each in folders]
                for draft in drafts or read_drafts(place, options.id, to.case_folder):
                    print_result(*write_draft(draft, to))
            except (JudgeError, OSError) as error:
                if len(options.sources) == 1:
                    raise
                text = str(error) if isinstance(error, DataError) else f"judge: {describe_error(error)}"
                print(make_safe(text), file=sys.stderr)
                had_errors = True
    return ExitStatus.ERROR if had_errors else ExitStatus.SUCCESS
