"""`judge watch`: judge again what a save affects, on one steady screen or as lines of a log."""

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from judge.cli import AS_EXPECTED, NOT_AS_EXPECTED
from judge.cli.run import words_of
from judge.cli.select import select
from judge.cli.targets import absolute, wanted_of
from judge.cli.terminal import single_keys
from judge.cli.workspace import cache_of, root_of, workshop
from judge.errors import DataError, UsageError
from judge.history.history import History
from judge.history.recorder import Recorder
from judge.history.results import ResultStore
from judge.languages.interpreters import find_interpreter
from judge.reporters.reporter import OutputOptions as Showing
from judge.reporters.reporter import can_redraw
from judge.reporters.watch_view import WatchView
from judge.runner import RunOptions
from judge.watch.listener import EventListener, EventQueue, WatcherWarning
from judge.watch.loop import watch
from judge.watch.scheduler import Choice, ProblemCache, Scheduler
from judge.watch.watchers import WatchSpec, choose_watcher


def watch_command(args: argparse.Namespace) -> int:
    """Carry out `judge watch`; return the exit status."""
    places = _places(args)
    notices, why_slow = choose_watcher(places, only_looking=args.poll)
    read = ProblemCache()
    with suppress(DataError):  # it may be mended while we watch; a wrong command line may not
        select(args, read.load)
    root = places.root
    tools = {"python": find_interpreter(args.python).path} if args.python else {}
    with (
        workshop(args, root) as (executor, store),
        closing(ResultStore(cache_of(root) / "results.sqlite")) as results,
        closing(History(cache_of(root) / "history.sqlite")) as history,
        single_keys() as keyboard,
        closing(_view(args, f"{_title(args)}, {notices.name}", has_keys=keyboard is not None)) as view,
    ):
        inbox = EventQueue(executor)
        options = RunOptions(store=store, results=results, tools=tools, words=words_of(args))
        rounds = Scheduler(lambda: _choice(args, read), read, places, executor, options)
        with EventListener(places, notices, inbox, keyboard=keyboard, resized=view.redraw) as ears, _resizing(ears):
            if why_slow:
                inbox.tell(WatcherWarning(why_slow))
            watch(rounds, inbox, view, lambda: Recorder(history, root, ["watch", *args.targets]))
    return AS_EXPECTED if rounds.as_expected else NOT_AS_EXPECTED


def _choice(args: argparse.Namespace, read: ProblemCache) -> Choice:
    chosen = select(args, read.load)
    return Choice(selections=chosen.selections, diagnostics=chosen.diagnostics)


def _places(args: argparse.Namespace) -> WatchSpec:
    """Return what is to be watched; what the command line names is made absolute.

    Raises:
        UsageError: a word of it means nothing.
    """
    try:
        root = root_of(args)
    except UsageError:
        if not (args.cases and args.solution and not args.targets):
            raise
        root, problems = Path.cwd(), None
    else:
        wanted = wanted_of(args, root)
        problems = frozenset(wanted) if args.targets or args.solution else None
    args.solution = [absolute(path, root) for path in args.solution]
    folders = frozenset({absolute(args.cases, root)} if args.cases else ())
    return WatchSpec(root=root, problems=problems, files=frozenset(args.solution), folders=folders)


def _title(args: argparse.Namespace) -> str:
    """Return what is watched, for people."""
    named = [*args.targets, *(path.name for path in args.solution)]
    return " ".join(named) if named else "all problems"


def _view(args: argparse.Namespace, heading: str, *, has_keys: bool) -> WatchView:
    showing = Showing()
    if args.format == "plain" or not can_redraw(sys.stdout, showing):
        from judge.reporters.watch_log import WatchLog

        return WatchLog(sys.stdout, sys.stderr, showing, heading)
    from judge.reporters.watch_screen import WatchScreen

    return WatchScreen(sys.stdout, showing, heading, has_keys=has_keys)


@contextmanager
def _resizing(ears: EventListener) -> Iterator[None]:
    """Have the screen drawn again when the window gets another size."""
    before = signal.signal(signal.SIGWINCH, lambda *_: ears.resize())
    try:
        yield
    finally:
        signal.signal(signal.SIGWINCH, before)
