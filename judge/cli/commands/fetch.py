"""`judge fetch`: download external data, check its hash and keep it."""

from typing import Annotated

from judge.base.errors import StoreError
from judge.cli.commands import ExitStatus
from judge.cli.commands.arguments import positional
from judge.cli.commands.options import Arguments
from judge.model import External
from judge.preparation.inputs import fetch_external, find_external
from judge.preparation.store import ObjectStore, data_folders
from judge.workspace.workspace import Workspace

EPILOG = """\
example:
  judge fetch euler54
"""


class Options(Arguments, frozen=True, kw_only=True):
    """The problems whose data `judge fetch` downloads; none means all."""

    problems: Annotated[tuple[str, ...], positional("PROBLEM", "only this problem's data (default: all)")] = ()


def execute(options: Options) -> ExitStatus:
    """Download what is missing; return the exit status."""
    workspace = Workspace.find(options.root)
    objects = ObjectStore(workspace.state_folder / "objects")
    folders = data_folders(None)
    for each in options.problems or workspace.problem_ids():
        problem = workspace.load_problem(each)
        needed = {case.input for case in problem.cases if isinstance(case.input, External)}
        for external in sorted(needed, key=lambda one: one.file):
            found, _ = find_external(external, problem.id, folders, objects)
            if found is None:
                fetch_external(external, objects)
            if objects.warning:
                raise StoreError(f"{external.file} is here but cannot be stored: {objects.warning}")
            print(
                f"{problem.id}: {external.file} " + ("is already here" if found else f"downloaded from {external.url}")
            )
        if not needed and options.problems:
            print(f"{problem.id}: needs no external data")
    return ExitStatus.SUCCESS
