"""`judge baseline`: save what the solutions do now, to compare with later."""

from contextlib import closing
from typing import Annotated

from judge.base.errors import UsageError
from judge.base.git import BackgroundStatus
from judge.base.units import format_count
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import positional
from judge.cli.commands.session import judge_records, open_session
from judge.history.baseline import (
    DEFAULT,
    Baseline,
    baseline_path,
    check_name,
    list_baselines,
    read_baseline,
    write_baseline,
)
from judge.problems.paths import shown_path
from judge.runner.cache import machine
from judge.workspace.query import Query, split_name
from judge.workspace.workspace import Workspace

EPILOG = """\
A baseline is a file next to a problem's cases, testcases/<id>/baseline.lock (or baseline-NAME.lock). Commit it, and
every clone can compare with it. The baselines of a package are in the user's cache folder: a package is left as it is.

examples:
  judge baseline save                all problems, under the name `main`
  judge baseline save contest uva131
  judge baseline list
  judge baseline drop contest
"""


class Options(shared.SessionArguments, frozen=True, kw_only=True):
    """What `judge baseline` does: `words` are a name, then targets."""

    action: Annotated[str, positional(None, "what to do", choices=("save", "list", "drop"))]
    words: Annotated[tuple[str, ...], positional("NAME|TARGET", "the baseline's name (default: main); targets")] = ()


def execute(options: Options) -> ExitStatus:
    """Save, list or drop baselines; return the exit status."""
    workspace = Workspace.find_problems(options.root)
    match options.action:
        case "save":
            _save(options, workspace)
        case "list":
            _list(options, workspace)
        case _:
            _drop(options, workspace)
    return ExitStatus.SUCCESS


def _save(options: Options, workspace: Workspace) -> None:
    root = workspace.root
    given, targets = split_name(options.words, root, what="baseline", packages=workspace.packages)
    name = DEFAULT if given is None else given
    check_name(name)
    selection = workspace.select(Query(targets=targets))
    if partial := [each.problem.id for each in selection.problems if not each.is_complete]:
        raise UsageError(f"a baseline holds all cases of a problem: select no cases of {', '.join(partial)}")
    with closing(BackgroundStatus(root)) as status:
        with open_session(workspace, options.session) as session:
            records = judge_records(session, selection)
        state = status.wait()
    for each in selection.problems:
        package = each.problem.folder if each.problem.is_package else None
        path = baseline_path(workspace.baseline_folder(each.problem.id, package), name)
        judged = {solution.display_path for solution in each.problem.solutions}
        old = read_baseline(path).records if path.exists() else []
        kept = [  # of solutions that still exist and were not judged now
            record for record in old if record.solution not in judged and ((package or root) / record.solution).exists()
        ]
        own = [record for record in records if record.problem == each.problem.id]
        saved = Baseline(
            commit=state.commit, is_dirty=state.is_dirty, machine=" ".join(machine()), records=[*kept, *own]
        )
        write_baseline(path, each.problem.id, saved)
        print(f"{each.problem.id}: {format_count(len(own), 'solution')} saved in {shown_path(path, root)}")


def _list(options: Options, workspace: Workspace) -> None:
    if options.words:
        raise UsageError("`judge baseline list` takes no arguments")
    ids = workspace.problem_ids()
    folders = {problem: workspace.baseline_folder(problem) for problem in ids}
    folders |= {name: workspace.baseline_folder(name, path) for name, path in workspace.packages.items()}
    for problem, folder in folders.items():
        for name in list_baselines(folder):
            found = read_baseline(baseline_path(folder, name))
            commit = f"at {found.commit[:12]}{' with edits' if found.is_dirty else ''}" if found.commit else ""
            count = format_count(len(found.records), "solution")
            print(f"{problem:<12} {name:<12} {count:<14} {commit}".rstrip())


def _drop(options: Options, workspace: Workspace) -> None:
    root = workspace.root
    name, targets = split_name(options.words, root, what="baseline", packages=workspace.packages)
    if name is None:
        raise UsageError("which baseline? judge baseline drop NAME; `judge baseline list` lists them")
    check_name(name)
    resolved = workspace.resolve(Query(targets=targets))
    folders = [workspace.baseline_folder(problem) for problem in resolved.problems]
    folders += [workspace.baseline_folder(path.name, path) for path in resolved.packages]
    paths = [baseline_path(folder, name) for folder in folders]
    found = [path for path in paths if path.exists()]
    if not found:
        raise UsageError(f"no baseline `{name}`; `judge baseline list` lists them")
    for path in found:
        path.unlink()
        print(f"removed {shown_path(path, root)}")
