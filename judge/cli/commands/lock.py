"""`judge lock`: generate and confirm all test data, and record its hashes."""

import sys
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, make_safe
from judge.base.units import format_count
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.session import open_session
from judge.model import Problem
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # imported when data is locked: help and completion need none of them
    from judge.preparation.store import Lock, LockedCase
    from judge.workspace.session import Session

EPILOG = """\
examples:
  judge lock
  judge lock uva131
  judge lock --check
"""


class Options(shared.SessionArguments, frozen=True, kw_only=True):
    """What `judge lock` does; `check` writes nothing."""

    problems: Annotated[tuple[str, ...], positional("PROBLEM", "lock this problem only (default: all)")] = ()
    check: Annotated[bool, option("write nothing; exit 1 if a lock file is out of date")] = False


def execute(options: Options) -> ExitStatus:
    """Lock the test data; return the exit status."""
    workspace = Workspace.find(options.root)
    problems = workspace.require_problems(options.problems)
    is_outdated = False
    diagnostics: list[Diagnostic] = []
    with open_session(workspace, options.session) as session:
        for each in problems:
            try:
                is_outdated |= _lock_problem(workspace.load_problem(each), session, write=not options.check)
            except DataError as error:
                diagnostics.extend(error.diagnostics)
    if diagnostics:
        raise DataError(diagnostics)
    return ExitStatus.FAILURE if options.check and is_outdated else ExitStatus.SUCCESS


def _lock_problem(problem: Problem, session: "Session", *, write: bool) -> bool:
    """Bring one lock file up to date; return whether it was outdated.

    Raises:
        DataError: some test data is wrong; the lock file is unchanged.
    """
    from judge.preparation.store import read_lock, write_lock

    assert problem.lock is not None
    try:
        old = read_lock(problem.lock)
    except DataError as error:  # a wrong lock file is made again
        print(error, file=sys.stderr)
        old = {}
    new = _prepare_lock(problem, session, old)
    added, gone = len(new.keys() - old.keys()), len(old.keys() - new.keys())
    changed = sum(old[name] != new[name] for name in new.keys() & old.keys())
    if not (added or gone or changed):
        print(f"{problem.id}: {format_count(len(new), 'case')}, nothing changed")
        return False
    if write:
        write_lock(problem.lock, new)
    verb = "locked" if write else "out of date"
    print(f"{problem.id}: {format_count(len(new), 'case')} {verb}: {added} new, {changed} changed, {gone} removed")
    return True


def _prepare_lock(problem: Problem, session: "Session", old: "Lock") -> "dict[str, LockedCase]":
    """Return the hashes of all cases, generated and confirmed again: no earlier result is trusted.

    A generator that makes another input than before is run twice, to find out whether it is deterministic.
    """
    from judge.preparation.cases import InvalidCase, ReadyCase, SkippedCase, diagnose
    from judge.preparation.prepare import prepare, without_progress
    from judge.preparation.store import FactCache

    store = replace(session.store, facts=FactCache(session.store.facts.path, start_empty=True))
    executor = session.executor
    lock: dict[str, LockedCase] = {}
    invalid = []
    for each in without_progress(
        prepare(problem, problem.cases, store, old, executor.map, workers=executor.workers, is_strict=True)
    ):
        match each:
            case ReadyCase(case=case, locked=locked):
                if locked is not None:  # external data is not locked: its hash is in the case file
                    lock[case.id] = locked
            case InvalidCase():
                invalid.append(each)
            case SkippedCase(case=case, reason=reason):
                print(make_safe(f"{problem.id}: {case.id} is skipped: {reason}"), file=sys.stderr)
    if invalid:
        raise DataError(diagnose(invalid))
    return lock
