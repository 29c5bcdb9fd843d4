"""`judge baseline`: save what the solutions do now, to compare with later."""

import argparse
from contextlib import closing
from pathlib import Path

from judge.cli.collect import sheets_of
from judge.cli.select import select
from judge.cli.targets import words_as_targets
from judge.cli.workspace import cache_of, root_of, workshop
from judge.errors import StoreError, UsageError
from judge.git import StateQuery
from judge.history import baseline
from judge.history.baseline import Baseline
from judge.history.records import SolutionRecord
from judge.history.results import ResultStore
from judge.problems.native import problem_ids
from judge.reporters import formatting
from judge.runner.cache import machine


def baseline_command(args: argparse.Namespace) -> int:
    """Carry out `judge baseline save|list|drop`; return the exit status."""
    return {"save": _save, "list": _list, "drop": _drop}[args.action](args)


def _save(args: argparse.Namespace) -> int:
    root = root_of(args)
    name, args.targets = words_as_targets(args.words, root, what="baseline")
    name = baseline.DEFAULT if name is None else name
    baseline.check_name(name)
    chosen = select(args)
    partial = [each.problem.id for each in chosen.selections if not each.is_complete]
    if partial:
        raise UsageError(f"a baseline holds all cases of a problem: leave out the selection of {', '.join(partial)}")
    look = StateQuery(root)
    with closing(look), workshop(args, root) as (executor, store):
        with closing(ResultStore(cache_of(root) / "results.sqlite")) as results:
            sheets = sheets_of(chosen, executor, store, results)
        state = look.state()
    for each in chosen.selections:
        path = baseline.path_of(_folder(root, each.problem.id), name)
        kept = _kept(path, {solution.display_path for solution in each.problem.solutions}, root)
        own = [sheet for sheet in sheets if sheet.problem == each.problem.id]
        made = Baseline(commit=state.commit, is_dirty=state.is_dirty, machine=" ".join(machine()), sheets=[*kept, *own])
        try:
            baseline.write(path, each.problem.id, made)
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}") from error
        print(f"{each.problem.id}: {formatting.pluralize(len(own), 'solution')} saved in {path.relative_to(root)}")
    return 0


def _kept(path: Path, judged: set[str], root: Path) -> list[SolutionRecord]:
    """Return what stays of an older file when only some solutions were judged: those that still exist."""
    if not path.exists():
        return []
    return [s for s in baseline.read(path).sheets if s.solution not in judged and (root / s.solution).exists()]


def _list(args: argparse.Namespace) -> int:
    root = root_of(args)
    if args.words:
        raise UsageError("judge baseline list takes no words")
    for problem in problem_ids(root):
        for name in baseline.names_in(_folder(root, problem)):
            found = baseline.read(baseline.path_of(_folder(root, problem), name))
            commit = f"at {found.commit[:12]}{' with edits' if found.is_dirty else ''}" if found.commit else ""
            print(
                f"{problem:<12} {name:<12} {formatting.pluralize(len(found.sheets), 'solution'):<14} {commit}".rstrip()
            )
    return 0


def _drop(args: argparse.Namespace) -> int:
    root = root_of(args)
    name, targets = words_as_targets(args.words, root, what="baseline")
    if name is None:
        raise UsageError("which baseline? judge baseline drop NAME; `judge baseline list` lists them")
    baseline.check_name(name)
    paths = [baseline.path_of(_folder(root, problem), name) for problem in targets or problem_ids(root)]
    found = [path for path in paths if path.exists()]
    if not found:
        raise UsageError(f"there is no baseline `{name}`; `judge baseline list` lists them")
    for path in found:
        path.unlink()
        print(f"removed {path.relative_to(root)}")
    return 0


def _folder(root: Path, problem: str) -> Path:
    return root / "testcases" / problem
