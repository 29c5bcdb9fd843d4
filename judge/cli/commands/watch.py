"""`judge watch`: judge again what each save affects, on one screen or as lines of a log."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from threading import Thread
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option
from judge.cli.commands.session import open_session
from judge.history.recorder import Recorder
from judge.problems.case_source import find_case_folder
from judge.reporters import OutputOptions, can_redraw
from judge.watch.view import WatchView
from judge.watch.watchers import WatchSpec, choose_watcher
from judge.workspace.query import Query, absolute_path
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # imported when the watch starts: help and completion need none of them
    from judge.languages.options import BuildOptions
    from judge.runner.options import ProblemSelection
    from judge.watch.listener import EventListener
    from judge.workspace.session import Session

EPILOG = """\
TARGET is as for `judge run`. Changes in problems/, testcases/ and solutions/ are noticed at once; a file given with
--solution is watched wherever it is.

examples:
  judge watch
  judge watch uva131
  judge watch uva131 --solution ~/work/poker.py
  judge watch uva131 | tee log         lines instead of a screen
  judge watch contest/hello            a package: any of its files
  judge watch --browser                the page of `judge run --html`, which updates itself

keys: q or Ctrl-C quits, Enter judges everything again, f does so without the cache

exit status: 0 if everything was as expected at the end, 1 if not or not known yet
"""


class Options(shared.SelectionArguments, frozen=True, kw_only=True):
    """What `judge watch` does: it selects and runs like `judge run`; `poll` asks for polling."""

    format: Annotated[
        str | None, option("a screen, a log, or lines for editors", "-f", choices=("rich", "plain", "short"))
    ] = None
    poll: Annotated[bool, option("look for changes at intervals, as for network disks")] = False
    browser: Annotated[bool, option("show the results as a page in a browser, too; prints its address")] = False
    python: shared.Python = None
    include: shared.Include = ()
    command_line: tuple[str, ...] = ()


def execute(options: Options) -> ExitStatus:
    """Watch until a key or a signal asks to stop; return the exit status."""
    from judge.watch.listener import EventListener, EventQueue
    from judge.watch.scheduler import ProblemCache, Scheduler, watch

    workspace = Workspace.find_or_use(options.root)
    query = options.query
    query = replace(
        query,
        solutions=tuple(absolute_path(path, workspace.root) for path in query.solutions),
        case_source=query.case_source and absolute_path(query.case_source, workspace.root),
    )
    spec = _watch_spec(query, workspace)
    spec = replace(spec, folders=spec.folders | frozenset(options.session.include))
    watcher, warning = choose_watcher(spec, poll=options.poll)
    cache = ProblemCache()
    notes: tuple[str, ...] = ()
    with suppress(DataError):  # files may be fixed while we watch; a wrong command line may not
        notes = workspace.select(query, load=cache.load).notes
    named = " ".join([*query.targets, *(path.name for path in query.solutions)])
    every = "all problems" if workspace.is_repository else str(workspace.root)
    heading = f"{named or every}, {watcher.name}"
    with (
        open_session(workspace, options.session) as session,
        _single_keys() as keyboard,
        closing(
            _make_view(options, heading, named or workspace.root.name, session, has_keys=keyboard is not None)
        ) as view,
    ):

        def choose() -> "tuple[Sequence[ProblemSelection], Sequence[Diagnostic], BuildOptions]":
            selection = workspace.select(query, load=cache.load)
            return selection.problems, selection.diagnostics, session.build_options()

        queue = EventQueue(session.executor)
        run_options = replace(session.run_options(), rerun_args=options.rerun_args)
        scheduler = Scheduler(choose, cache, spec, session.executor, run_options)
        with (
            EventListener(spec, watcher, queue, keyboard=keyboard, redraw=view.redraw) as listener,
            _on_resize(listener),
        ):
            for message in (*notes, *([warning] if warning else [])):
                queue.put(message)
            command = ["watch", *query.targets]
            watch(scheduler, queue, view, lambda: Recorder(session.history, workspace.root, command))
    return ExitStatus.SUCCESS if scheduler.as_expected else ExitStatus.FAILURE


def _watch_spec(query: Query, workspace: Workspace) -> WatchSpec:
    """Return the files and folders to watch.

    Raises:
        UsageError: a word of the query is unknown.
    """
    resolved = workspace.resolve(query)
    files = {path for each in resolved.loose for path in each.files}
    for each in resolved.problems.values():
        files |= {path for path in each.solutions if not path.is_dir()}
    for folder, each in resolved.packages.items():
        files |= {path for path in each.solutions if not path.is_relative_to(folder)}
    folders, entries = (
        set(resolved.packages),
        {path.parent for each in resolved.loose for path in each.files if each.found},
    )
    for found in [each.found for each in resolved.loose if each.found]:
        if found.has_folders:
            folders |= set(found.places)
        else:
            entries |= {place.parent for place in found.places}
    if query.case_source:
        top = find_case_folder(query.case_source)
        (folders if top == query.case_source else entries).add(top)
    has_part = bool(query.targets or query.solutions or not workspace.is_repository)
    return WatchSpec(
        root=workspace.root,
        problems=frozenset(resolved.problems) if has_part else None,
        files=frozenset(files),
        folders=frozenset(folders),
        entries=frozenset(entries),
    )


def _make_view(options: Options, heading: str, name: str, session: "Session", *, has_keys: bool) -> WatchView:
    from judge.reporters.watch import WatchLog, WatchScreen

    def make(address: str) -> WatchView:
        output = OutputOptions()
        if options.format not in (None, "rich") or not can_redraw(sys.stdout, output):
            kind = "short" if options.format == "short" else "plain"
            return WatchLog(sys.stdout, sys.stderr, output, heading, kind, address=address)
        return WatchScreen(sys.stdout, output, heading, has_keys=has_keys, address=address)

    if not options.browser:
        return make("")
    from judge.online.desktop import open_page
    from judge.reporters.html.live import LivePage

    page = LivePage(f"Watch of {name}", options.command_line, make, session)
    Thread(target=open_page, args=(page.address,), daemon=True).start()  # some browsers take a while
    return page


@contextmanager
def _on_resize(listener: "EventListener") -> Iterator[None]:
    """Redraw the screen when the window changes its size."""
    before = signal.signal(signal.SIGWINCH, lambda *_: listener.request_redraw())
    try:
        yield
    finally:
        signal.signal(signal.SIGWINCH, before)


@contextmanager
def _single_keys() -> Iterator[int | None]:
    """Yield a descriptor that reads keys as they are pressed, without echo; None if stdin is not our terminal.

    Ctrl-C stays a signal. Ctrl-Z does nothing: the kernel would stop the sandboxes with us.
    """
    import termios

    file, before = -1, None
    with suppress(AttributeError, OSError, ValueError, termios.error):  # closed, no file, or no controlling terminal
        file = sys.stdin.fileno()
        if os.isatty(file) and os.tcgetpgrp(file) == os.getpgrp():  # not from the background
            before = termios.tcgetattr(file)
    if before is None:
        yield None
        return
    now = [*before[:6], [*before[6]]]
    now[3] &= ~(termios.ICANON | termios.ECHO)
    now[6][termios.VMIN], now[6][termios.VTIME] = 1, 0
    now[6][termios.VSUSP] = os.fpathconf(file, "PC_VDISABLE").to_bytes(1, "big")
    termios.tcsetattr(file, termios.TCSADRAIN, now)
    try:
        yield file
    finally:
        with suppress(termios.error):  # the terminal was closed
            termios.tcsetattr(file, termios.TCSAFLUSH, before)
