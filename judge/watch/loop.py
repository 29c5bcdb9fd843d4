"""The loop of a watch: wait for changes and keys, judge what they affect, show it."""

from collections.abc import Callable, Iterable, Iterator

from judge.history.recorder import Recorder
from judge.model.events import Event, RunEnded
from judge.runner.executors import Interrupted
from judge.watch.listener import EventQueue, Key, WatchEvent
from judge.watch.scheduler import Scheduler
from judge.watch.view import WatchView


def watch(scheduler: Scheduler, queue: EventQueue, view: WatchView, start_recorder: Callable[[], Recorder]) -> None:
    """Judge everything, then again what changes affect, until a key or a signal asks to stop."""
    try:
        while True:
            if not (events := queue.begin_batch()):
                try:
                    batch = scheduler.plan()
                    if not batch.is_empty:
                        view.start_batch(batch, scheduler.status(batch))
                        if not _is_interrupted(scheduler.judge_failures(batch), view.handle_early):
                            _is_interrupted(_record(scheduler.judge(batch), start_recorder), view.handle)
                        view.end_batch(scheduler.status(batch))
                finally:
                    queue.end_batch()
                events = queue.wait()  # returns at once if an event abandoned the batch
            if not _handle(events, scheduler, view):
                return
            while not scheduler.is_due:
                if not _handle(queue.wait(), scheduler, view):
                    return
    except Interrupted:
        return


def _handle(events: Iterable[WatchEvent], scheduler: Scheduler, view: WatchView) -> bool:
    """Handle events; return False to quit."""
    for event in events:
        match event:
            case frozenset():
                scheduler.mark_dirty(event)
            case str():
                view.show_message(event)
            case Key.QUIT:
                return False
            case _:
                scheduler.mark_all_dirty(fresh=event is Key.FRESH)
    return True


def _is_interrupted(events: Iterator[Event], show: Callable[[Event], None]) -> bool:
    """Show all events; return whether the run was interrupted."""
    interrupted = False
    for event in events:
        show(event)
        interrupted |= isinstance(event, RunEnded) and event.interrupted
    return interrupted


def _record(events: Iterator[Event], start_recorder: Callable[[], Recorder]) -> Iterator[Event]:
    """Yield events; each is shown first and recorded then."""
    recorder: Recorder | None = None
    try:
        for event in events:
            yield event
            recorder = recorder or start_recorder()
            recorder.handle(event)
    finally:
        if recorder is not None:
            recorder.close()
