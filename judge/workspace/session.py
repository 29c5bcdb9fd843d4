"""A session: the workers, test data and results of one workspace, opened once and used for any number of runs."""

import fcntl
import os
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Self

from msgspec.structs import replace

from judge.base.errors import UsageError
from judge.base.files import header_folder
from judge.languages.options import NO_OPTIONS, BuildOptions, check_flags
from judge.model import MAX_JOBS, Case, Level, Problem
from judge.model.events import Event, Notice, RunEnded
from judge.runner.executors import LocalExecutor, default_workers
from judge.runner.options import RunOptions
from judge.sandbox.work_folder import remove
from judge.workspace.options import SessionOptions

if TYPE_CHECKING:  # imported when they are used: many commands need neither, and the first sandbox starts meanwhile
    from judge.history.history import History
    from judge.history.results import ResultStore
    from judge.preparation.cases import DataStore, PreparedCase
    from judge.workspace.select import Selection

_PREFIX = "judge-session-"  # of temporary folders
_MIN_AGE_S = 60.0  # a younger one may belong to a judge that has not locked it yet


ExecutorFactory = Callable[..., LocalExecutor]
"""Opens the executor of a session, with the arguments `work_folder`, `cleanup_folder` and `is_warm`."""


class Session:
    """Workers, test data and results; a context manager that ends all runs and releases everything.

    One thread may use a session at a time; `executor.interrupt` may be called from any.

    Args:
        place: the folder that the history belongs to; default: the root.
        open_executor: for runs on other machines; default: workers of this one.
    """

    def __init__(
        self,
        root: Path,
        state_folder: Path,
        options: SessionOptions,
        *,
        place: Path | None = None,
        open_executor: ExecutorFactory | None = None,
    ) -> None:
        self.root = root
        self._open_executor = open_executor or self._open_local_executor
        self._place = place or root
        self.options = options
        self.state_folder = state_folder
        self._stack = ExitStack()
        try:
            self.executor, self.store = self._open()
        except BaseException:
            self._stack.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all runs, close the stores and remove temporary files."""
        self._stack.close()

    def _open(self) -> "tuple[LocalExecutor, DataStore]":
        self._stack.callback(_make_headers)
        private = self._stack.enter_context(open_temporary_folder())
        programs = private / "programs"  # not `private` itself: in the sandbox, another user must be able to enter it
        programs.mkdir()
        programs.chmod(0o755)
        executor = self._stack.enter_context(
            self._open_executor(work_folder=programs, cleanup_folder=private, is_warm=self.options.is_warm)
        )
        from judge.preparation.cases import DataStore  # from here on the first sandbox starts meanwhile
        from judge.preparation.store import FactCache, ObjectStore, data_folders

        store = DataStore(
            objects=ObjectStore(self.state_folder / "objects"),
            facts=FactCache(self.state_folder / "facts.json"),
            programs=self.state_folder / "programs",
            build=programs,
            folders=data_folders(self.options.data),
            testlib=self.options.testlib,
        )
        return executor, store

    def _open_local_executor(self, *, work_folder: Path, cleanup_folder: Path, is_warm: bool) -> LocalExecutor:
        headers = header_folder()
        return LocalExecutor(
            self.options.jobs or min(default_workers(), MAX_JOBS),
            work_folder=work_folder,
            shown=(headers,) if headers is not None and os.path.lexists(headers) else (),
            cleanup_folder=cleanup_folder,
            is_warm=is_warm,
            is_shared=self.options.is_shared,
        )

    @cached_property
    def results(self) -> "ResultStore":
        """The results of earlier runs."""
        from judge.history.results import ResultStore

        return self._stack.enter_context(closing(ResultStore(self.state_folder / "results.sqlite")))

    @cached_property
    def history(self) -> "History":
        """The history of runs."""
        from judge.history.history import History, history_file

        return self._stack.enter_context(closing(History(history_file(self._place, self.state_folder))))

    def run(
        self, selection: "Selection", options: RunOptions | None = None, *, command: Sequence[str] | None = None
    ) -> Generator[Event, None, None]:
        """Judge a selection; yield events in the order that `judge.model.events` promises.

        Args:
            selection: what to judge; its diagnostics are reported.
            options: from `run_options`.
            command: the words to record the run under in the history; None records nothing.

        Raises:
            SandboxError: nothing can be run.
        """
        notes = (*selection.notes, *selection.warning_notes)
        options = replace(options or self.run_options(), diagnostics=selection.diagnostics, notes=notes)
        if command is None:
            from judge.runner.run import run

            yield from run(selection.problems, self.executor, options)
        else:
            yield from self._record(selection, options, command)

    def run_options(self, *, use_cache: bool = True) -> RunOptions:
        """Return the options of a run, to be refined; without the cache, no result is read or stored."""
        return RunOptions(
            store=self.store,
            root=self.root,
            results=self.results if use_cache else None,
            tools=self.options.tools,
            build=self.build_options(),
        )

    def build_options(self) -> BuildOptions:
        """Return how solutions are built; included folders are read again.

        Raises:
            UsageError: an included folder does not exist or is too large, or a language takes no flags.
        """
        if not (self.options.flags or self.options.include):
            return NO_OPTIONS
        from judge.languages.options import copy_folder

        check_flags(self.options.flags)
        folders = (Path(os.path.abspath(each)) for each in self.options.include)  # noqa: PTH100 - links are kept
        include = tuple(copy_folder(folder, self.store.build) for folder in folders)
        return BuildOptions(flags=self.options.flags, flags_from=self.options.flags_from, include=include)

    def _record(self, selection: "Selection", options: RunOptions, command: Sequence[str]) -> Iterator[Event]:
        from judge.history.recorder import Recorder
        from judge.runner.run import run

        with closing(Recorder(self.history, self.root, command)) as recorder:
            if options.skips_cases is not None:
                options = replace(options, skips_cases=recorder.needs_no_cases)
            for event in run(selection.problems, self.executor, options):
                recorder.handle(event)
                if isinstance(event, RunEnded) and self.history.warning:
                    yield Notice(text=self.history.warning)
                yield event

    def prepare(self, problem: Problem, cases: Sequence[Case]) -> "Iterator[PreparedCase]":
        """Yield the bytes of some cases of a problem, generated, validated and answered.

        Raises:
            DataError: the problem's lock file is wrong.
        """
        from judge.preparation.prepare import prepare, without_progress
        from judge.preparation.store import read_lock

        lock = read_lock(problem.lock)
        return without_progress(
            prepare(problem, cases, self.store, lock, self.executor.map, workers=self.executor.workers)
        )


def _make_headers() -> None:
    """Start to make the precompiled headers that compilations wanted, in the background, after the report."""
    if (folder := header_folder()) is not None and os.path.lexists(folder):
        from judge.languages.precompiled import start_making  # few languages have headers

        start_making(folder)


def require_level(found: Level | None, wanted: Level) -> None:
    """Check that a sandbox level is at least the wanted one.

    Raises:
        UsageError: it is weaker.
    """
    order = list(Level)
    if found is None or order.index(found) > order.index(wanted):
        raise UsageError(
            f"--require-sandbox {wanted.value}: this machine offers {found.value if found else 'none'}; "
            "`judge doctor` shows what is missing and how to get it"
        )


# ---- the temporary folder, with copies of sources and compiled programs ---------------------------------------------


@contextmanager
def open_temporary_folder() -> Iterator[Path]:
    """Create a folder and remove it at the end; also remove those of judges that were killed.

    A judge holds a lock on its folder, which the kernel releases when the judge ends in whatever way (flock(2)).
    """
    # A worker process that ends late may still write there; a later judge removes what is left.
    with TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as name:
        lock = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            with suppress(OSError):  # a file system without locks, or a folder that cannot be listed
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                for each in os.listdir(Path(name).parent):  # noqa: PTH208 - a Path for each of many files costs more
                    if each.startswith(_PREFIX):
                        with suppress(OSError):  # removed meanwhile, another user's, or in use
                            _remove_if_abandoned(Path(name).with_name(each))
            yield Path(name)
        finally:
            os.close(lock)


def _remove_if_abandoned(folder: Path) -> None:
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        status = os.fstat(lock)
        if status.st_uid == os.geteuid() and time.time() - status.st_mtime > _MIN_AGE_S:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(str(folder))
    finally:
        os.close(lock)
