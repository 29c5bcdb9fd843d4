"""What commands share: the repository that the user stands in and the folder for what is made from it."""

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from judge.cli.signals import stoppable
from judge.errors import UsageError
from judge.events import Notice
from judge.executors import Interrupted, LocalExecutor, default_workers
from judge.history.history import History
from judge.languages.build_cache import BuildCache
from judge.model import Level
from judge.preparation.cases import DataStore
from judge.preparation.inputs import data_folders
from judge.preparation.store import FactCache, ObjectStore
from judge.problems.native import find_root

CACHE = ".judge"  # in the repository's root; made at need, ignored by git, safe to delete
MOST_JOBS = 256  # each worker holds a process and a handful of descriptors; more serve no machine


def root_of(args: argparse.Namespace) -> Path:
    """Return the repository's root.

    Raises:
        UsageError: there is none here or above.
    """
    given: Path | None = args.root
    if given is not None and not given.is_dir():
        raise UsageError(f"--root {given}: there is no such folder")
    return find_root((given or Path.cwd()).absolute())


def cache_of(root: Path) -> Path:
    """Return the folder for what can be made again: in a repository of problems, else the user's own.

    A folder that only happens to be the current one is left as it is. XDG Base Directory Specification 0.8.
    """
    if (root / "problems").is_dir():
        return root / CACHE
    given = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(given) if given.startswith("/") else Path.home() / ".cache") / "judge"
    except RuntimeError:  # no home
        return root / CACHE


def say_warning(history: History) -> None:
    """Say why a history that was asked for something knows less than it should."""
    if history.warning:
        from judge.reporters.lines import write_notice

        write_notice(Notice(text=history.warning), sys.stderr)


@contextmanager
def workshop(args: argparse.Namespace, root: Path) -> Iterator[tuple[LocalExecutor, DataStore]]:
    """Give workers and a shelf for test data; both are cleaned up at the end, however it comes.

    Raises:
        UsageError: --jobs or --data cannot be used.
        KeyboardInterrupt: a signal asked to stop, and the block did not deal with it.
    """
    jobs = getattr(args, "jobs", None)
    if jobs is not None and not 1 <= jobs <= MOST_JOBS:
        raise UsageError(f"--jobs {jobs}: expected a number from 1 to {MOST_JOBS}")
    data: Path | None = getattr(args, "data", None)
    if data is not None and not data.is_dir():
        raise UsageError(f"--data {data}: there is no such folder")
    cache = cache_of(root)
    workers = jobs or min(default_workers(), MOST_JOBS)
    with (
        stoppable() as stop,  # outermost: until all is cleaned up
        TemporaryDirectory(prefix="judge-build-") as private,
        LocalExecutor(
            workers,
            work_folder=programs_in(Path(private)),
            cleanup_folder=Path(private),
            is_warm=getattr(args, "warm", False),
        ) as executor,
    ):
        store = DataStore(
            objects=ObjectStore(cache / "objects"),
            facts=FactCache(cache / "facts.json"),
            programs=BuildCache(cache / "programs"),
            build=programs_in(Path(private)),
            folders=data_folders(data),
        )
        try:
            stop.watch(executor)
            if wanted := getattr(args, "require_sandbox", None):
                require(executor.level, wanted)
            yield executor, store
        except Interrupted:
            raise KeyboardInterrupt from None
        finally:
            stop.clean_up()


def require(found: Level | None, wanted: str | None) -> None:
    """Refuse less than the wanted level of the sandbox.

    Raises:
        UsageError: this machine offers less.
    """
    order = list(Level)
    if wanted and (found is None or order.index(found) > order.index(Level(wanted))):
        raise UsageError(
            f"--require-sandbox {wanted}: this machine offers {found.value if found else 'none'}; "
            "`judge doctor` says what is missing and how to get it"
        )


def programs_in(private: Path) -> Path:
    """Return the folder for programs inside one that is ours alone: in the sandbox, another user may look into it."""
    programs = private / "programs"
    programs.mkdir(exist_ok=True)
    programs.chmod(0o755)
    return programs
