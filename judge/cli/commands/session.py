"""Sessions of a command, here or on a cluster: judged with progress on the terminal, ended in order by a signal."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, JudgeError, UsageError, make_safe
from judge.base.units import format_count
from judge.cli.commands.signals import StopHandler, exit_on_signal, stop_on_signal
from judge.model import Case, Problem
from judge.model.events import Event, Notice, RunEnded
from judge.reporters import OutputOptions, Verbosity, make_canvas
from judge.reporters.lines import DisplayOptions, Line, write_notice
from judge.reporters.progress import RunProgress, StatusLine, progress_beside
from judge.workspace.options import SessionOptions
from judge.workspace.query import Query
from judge.workspace.select import Selection, describe_unsolved
from judge.workspace.workspace import SourceSelection, Workspace

if TYPE_CHECKING:  # imported when a session is opened: help and completion need none of them
    from judge.history.recorder import Collector
    from judge.history.records import SolutionRecord
    from judge.preparation.cases import ReadyCase
    from judge.workspace.session import ExecutorFactory, Session


def open_cluster(options: SessionOptions, stop: StopHandler) -> AbstractContextManager[Any]:
    """Return the context of a client of Dask; a signal ends the wait for its scheduler and workers.

    Raises:
        UsageError: Dask is not installed; entering the context: no scheduler answers, or a number is out of range.
    """
    from judge.grading.cluster.connection import connect, start_workers

    if options.scheduler is not None:
        return connect(options.scheduler, stop)
    return start_workers(options.workers or 0, stop)


def notify(text: str) -> None:
    """Print a line for the user."""
    print(make_safe(f"judge: {text}"), file=sys.stderr)


def print_lines(make_lines: Callable[[DisplayOptions], Iterable[Line]]) -> None:
    """Print a report: in colours on a terminal, in whole lines with ASCII signs elsewhere."""
    canvas = make_canvas(sys.stdout)
    canvas.write(*make_lines(canvas.display))


@contextmanager
def show_extracting(archive: Path, *, is_quiet: bool = False) -> Iterator[Callable[[], None]]:
    """Yield what shows how many files of an archive were extracted, on standard error; call it for each."""
    numbers = count(1)
    verbosity = Verbosity.QUIET if is_quiet else Verbosity.NORMAL
    with StatusLine(sys.stderr, OutputOptions(verbosity=verbosity)) as line:

        def report() -> None:
            number = next(numbers)
            line.show(lambda: f"extracting {make_safe(archive.name)}: {format_count(number, 'file')}")

        yield report


@contextmanager
def open_archives(*, is_quiet: bool = False) -> Iterator[Callable[[Path], Path]]:
    """Yield a function that extracts a zip file with packages, and returns their folder; removed at the end.

    A quiet one shows no progress.

    The function raises DataError or UsageError if the file is not a safe zip file with a package.
    """
    with ExitStack() as handlers, ExitStack() as folders:
        extracted: dict[Path, Path] = {}

        def unpack(archive: Path) -> Path:
            if archive not in extracted:
                from judge.problems.archive import unpack_package  # few commands are about a zip file
                from judge.workspace.session import open_temporary_folder

                if not extracted:
                    handlers.enter_context(exit_on_signal(folders.close))
                with show_extracting(archive, is_quiet=is_quiet) as report:
                    folder = folders.enter_context(open_temporary_folder())
                    extracted[archive] = unpack_package(archive, folder, report)
            return extracted[archive]

        yield unpack


@contextmanager
def open_session(workspace: Workspace, options: SessionOptions) -> "Iterator[Session]":
    """Open a session that a signal interrupts; everything is cleaned up at the end, however it comes.

    Raises:
        UsageError: this machine does not offer the required sandbox level, or there is no such interpreter or profile;
            no worker of the cluster is fit, or as from `open_cluster`.
        DataError: a file of settings is not valid.
        KeyboardInterrupt: a signal asked to stop, and the block did not handle it.
    """
    from judge.runner.executors import Interrupted
    from judge.workspace.session import require_level

    if options.python:
        from judge.languages.interpreters import find_interpreter

        options = replace(options, tools={"python": find_interpreter(options.python).path})
    options = workspace.with_settings(options)
    with stop_on_signal() as stop, ExitStack() as stack:  # signals last, until all is cleaned up
        open_executor: ExecutorFactory | None = None
        if options.has_cluster:
            client = stack.enter_context(open_cluster(options, stop))
            from judge.grading.cluster.executor import ClusterExecutor

            place = f"cluster {options.scheduler}" if options.scheduler is not None else ""
            level = options.required_level

            def open_executor(**given: Any) -> ClusterExecutor:
                with stop.raise_meanwhile():  # it waits for workers
                    return ClusterExecutor(client, notify, place=place, required_level=level, **given)

        session = stack.enter_context(workspace.open_session(options, open_executor))
        try:
            stop.attach(session.executor)
            if session.options.required_level is not None:
                require_level(session.executor.level, session.options.required_level)
            yield session
        except Interrupted:
            raise KeyboardInterrupt from None
        finally:
            stop.start_clean_up()


def judge_records(
    session: "Session", selection: Selection, collector: "Collector | None" = None, *, report: str = "text"
) -> "list[SolutionRecord]":
    """Judge a selection with progress on standard error; return a record of each solution, to be compared.

    The collector has the records until then after a signal, too.

    Raises:
        UsageError: no selected problem has a solution.
        DataError: none can be judged, and the files of some are wrong.
        KeyboardInterrupt: a signal asked to stop; half of a comparison is of no use.
        JudgeError: some test data is wrong.
    """
    if not selection.problems and selection.diagnostics:
        raise DataError(selection.diagnostics)
    if not selection.problems and selection.unsolved:
        raise UsageError(f"nothing to judge: {describe_unsolved(selection.unsolved)}")
    from judge.history.recorder import Collector

    collector = collector or Collector()
    for event in show_progress(session.run(selection), report):
        collector.handle(event)
    if selection.diagnostics:
        raise DataError(selection.diagnostics)
    if collector.end is None or collector.end.had_errors:
        raise JudgeError("the test data or the judge has errors (see above); nothing is compared or saved")
    return collector.records


def show_progress(events: Iterable[Event], report: str = "text") -> Iterator[Event]:
    """Show the progress and the notices of a run on standard error while its events pass through.

    `report` is the format of the report beside it.

    Raises:
        KeyboardInterrupt: a signal asked to stop; half of the results are of no use.
    """
    live = RunProgress(sys.stderr, progress_beside(report, sys.stderr), is_log=False)
    try:
        for event in events:
            live.handle(event)
            if isinstance(event, Notice):
                with live.hide():
                    write_notice(event, sys.stderr)
            if isinstance(event, RunEnded) and event.interrupted:
                raise KeyboardInterrupt
            yield event
    finally:
        live.stop()


def prepare_case(session: "Session", problem: Problem, case: Case) -> "ReadyCase":
    """Return a case with its input and answer.

    Raises:
        DataError: it is wrong.
        UsageError: it cannot be made on this machine.
    """
    from judge.preparation.cases import InvalidCase, SkippedCase

    (prepared,) = session.prepare(problem, [case])
    if isinstance(prepared, InvalidCase):
        raise DataError([prepared.diagnostic])
    if isinstance(prepared, SkippedCase):
        raise UsageError(f"{problem.id}/{case.id}: {prepared.reason}")
    return prepared


def find_problems(workspace: Workspace, query: Query) -> list[Problem]:
    """Return the problems that the targets name: of the repository, single packages, or all in a folder.

    Raises:
        UsageError: a target is not a problem.
        DataError: the problems' files are wrong.
    """
    if workspace.is_repository and set(query.targets) <= set(workspace.problem_ids()):
        return [workspace.load_problem(each) for each in query.targets]
    selection = workspace.select(query)
    if selection.diagnostics:
        raise DataError(selection.diagnostics)
    problems = [*(part.problem for part in selection.problems), *selection.unsolved]
    if not problems or any(each.folder is None for each in problems):
        raise UsageError(
            f"{' '.join(query.targets)} is not a problem: name problems of the repository, packages, or a folder of "
            "packages"
        )
    return problems


def find_source(
    root: Path | None, file: Path, problem: str | None, cases: Path | None
) -> tuple[Workspace, SourceSelection]:
    """Return the workspace, and a source file in it with the problem that it solves; print how that was found.

    Raises:
        UsageError: there is no such file or problem, or the problem is named and there is no repository.
        DataError: the problem's files are wrong.
    """
    is_id = problem is not None and not Path(problem).exists()  # else it is the path of a package
    workspace = Workspace.find_problems(root) if is_id else Workspace.find_or_use(root)
    source = workspace.select_source(file, problem, cases)
    report_notes(source.notes, source.diagnostics)
    return workspace, source


def report_notes(notes: Sequence[str], diagnostics: Sequence[Diagnostic] = ()) -> None:
    """Print notes, such as how the problem of a file was found, and what is wrong with some files."""
    for note in notes:
        write_notice(Notice(text=note), sys.stderr)
    for diagnostic in diagnostics:
        write_notice(Notice(text=str(diagnostic), is_error=True, diagnostics=(diagnostic,)), sys.stderr)
