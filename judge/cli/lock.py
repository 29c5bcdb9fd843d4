"""`judge lock`: make and confirm all test data, and record its hashes on purpose."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from judge.cli.workspace import root_of, workshop
from judge.errors import DataError, Diagnostic, StoreError, UsageError
from judge.executors import LocalExecutor
from judge.model import Problem
from judge.preparation.cases import Broken, DataStore, Ready, Skipped
from judge.preparation.lock import Lock, LockedCase, read_lock, write_lock
from judge.preparation.prepare import prepare
from judge.preparation.store import FactCache
from judge.problems.native import load_problem, problem_ids


def lock_command(args: argparse.Namespace) -> int:
    """Carry out `judge lock`; return the exit status."""
    root = root_of(args)
    known = problem_ids(root)
    if not known:
        raise UsageError(f"there is no problem in {root / 'problems'}; `judge new ID` makes one")
    stale = False
    diagnostics: list[Diagnostic] = []
    with workshop(args, root) as (executor, store):
        for each in args.problems or known:
            try:
                stale |= _lock_problem(load_problem(root, each), store, executor, write=not args.check)
            except DataError as error:
                diagnostics.extend(error.diagnostics)
    if diagnostics:
        raise DataError(diagnostics)
    return 1 if args.check and stale else 0


def _lock_problem(problem: Problem, store: DataStore, executor: LocalExecutor, *, write: bool) -> bool:
    """Bring one lock file up to date; return whether it was not.

    Raises:
        DataError: some test data is wrong; the lock file stays as it was.
    """
    assert problem.lock is not None
    old = _old_lock(problem.lock)
    lock: dict[str, LockedCase] = {}
    diagnostics = []
    anew = replace(store, facts=FactCache(store.facts.path, anew=True))  # nothing is taken on trust
    for each in prepare(problem, problem.cases, anew, {}, executor.map, workers=executor.workers):
        match each:
            case Ready(case=case, locked=locked):
                if locked is not None:  # external data is not locked: its hash stands in the case file
                    lock[case.id] = locked
            case Broken(diagnostic=diagnostic):
                diagnostics.append(diagnostic)
            case Skipped(case=case, reason=reason):
                print(f"{problem.id}: {case.id} is skipped: {reason}", file=sys.stderr)
    if diagnostics:
        raise DataError(diagnostics)
    added, gone = len(lock.keys() - old.keys()), len(old.keys() - lock.keys())
    changed = sum(old[name] != lock[name] for name in lock.keys() & old.keys())
    if not (added or gone or changed):
        print(f"{problem.id}: {len(lock)} cases, nothing changed")
        return False
    if write:
        try:
            write_lock(problem.lock, lock)
        except OSError as error:
            raise StoreError(f"{problem.lock}: {error.strerror}") from error
    verb = "locked" if write else "out of date"
    print(f"{problem.id}: {len(lock)} cases {verb}: {added} new, {changed} changed, {gone} gone")
    return True


def _old_lock(path: Path) -> Lock:
    """Return what was locked; a file that cannot be read is said and made anew."""
    try:
        return read_lock(path)
    except DataError as error:
        print(error, file=sys.stderr)
        return {}
