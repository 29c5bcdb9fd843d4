"""The loop of a watch: wait for changes and keys, judge what they affect, show it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from judge.events import Event, RunEnded
from judge.executors import Interrupted
from judge.reporters.watch import BatchStarted, Status, WatchView
from judge.watch.listener import AGAIN, FRESH, QUIT, EventQueue, FilesChanged, KeyPressed, Message, WatcherWarning
from judge.watch.scheduler import Batch, Scheduler


class Record(Protocol):
    """Remembers a round; see `judge.history.recorder.Recorder`."""

    def handle(self, event: Event) -> None:
        """Take one event."""

    def close(self) -> None:
        """Let nothing go on."""


def watch(rounds: Scheduler, inbox: EventQueue, view: WatchView, record: Callable[[], Record]) -> None:
    """Judge all that is watched, then again what changes affect, until a key or a signal asks to stop."""
    try:
        while True:
            if not (messages := inbox.begin_round()):
                try:
                    _round(rounds, view, record)
                finally:
                    inbox.end_round()
                messages = inbox.wait()  # what broke the round off is there already
            if not _taken(messages, rounds, view):
                return
            while not rounds.is_due:
                if not _taken(inbox.wait(), rounds, view):
                    return
    except Interrupted:
        return


def _taken(messages: Iterable[Message], rounds: Scheduler, view: WatchView) -> bool:
    """Take in what happened; return whether to go on."""
    for message in messages:
        match message:
            case FilesChanged(paths=paths):
                rounds.mark_dirty(paths)
            case WatcherWarning(text=text):
                view.show_message(text)
            case KeyPressed(key=key) if key in QUIT:
                return False
            case KeyPressed(key=key) if key in AGAIN or key in FRESH:
                rounds.demand(fresh=key in FRESH)
            case KeyPressed():
                pass
    return True


def _round(rounds: Scheduler, view: WatchView, record: Callable[[], Record]) -> None:
    planned = rounds.plan()
    if planned.is_empty:
        return
    view.start_batch(_outset(planned), _standing(rounds, planned))
    if not _is_interrupted(rounds.judge_first(planned), view.handle_early):
        _is_interrupted(_recorded(rounds.judge(planned), record), view.handle)
    view.end_batch(_standing(rounds, planned))


def _is_interrupted(events: Iterator[Event], handle: Callable[[Event], None]) -> bool:
    interrupted = False
    for event in events:
        handle(event)
        interrupted |= isinstance(event, RunEnded) and event.interrupted
    return interrupted


def _recorded(events: Iterator[Event], record: Callable[[], Record]) -> Iterator[Event]:
    """Yield events; they are shown first and remembered then."""
    remembering: Record | None = None
    try:
        for event in events:
            yield event
            remembering = remembering or record()
            remembering.handle(event)
    finally:
        if remembering is not None:
            remembering.close()


def _outset(planned: Batch) -> BatchStarted:
    return BatchStarted(
        edited=planned.edited,
        new=planned.new,
        gone=planned.gone,
        notices=planned.notices,
        solutions=planned.solutions,
    )


def _standing(rounds: Scheduler, planned: Batch) -> Status:
    return Status(
        results=rounds.results(),
        as_expected=rounds.as_expected,
        waiting=rounds.waiting,
        stale=frozenset(rounds.stale()),
        has_faults=bool(planned.notices),
    )
