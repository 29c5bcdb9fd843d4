"""What the ears of a watch make of keys and of folders that nobody may look into."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from judge.executors import LocalExecutor
from judge.watch.listener import EventListener, EventQueue, FilesChanged, KeyPressed, Message
from judge.watch.scheduler import DirtySet, ProblemCache, mark_dirty
from judge.watch.watchers import InotifyWatcher, WatchSpec
from tests.repositories import make
from tests.watch.watching import eventually


@contextmanager
def listening(root: Path) -> Iterator[tuple[EventQueue, int]]:
    """Give an inbox, and a descriptor that keys are written to."""
    keyboard, keys = os.pipe()
    places = WatchSpec(root=root)
    with LocalExecutor(1) as executor:
        inbox = EventQueue(executor)
        with EventListener(places, InotifyWatcher(places), inbox, keyboard=keyboard):
            yield inbox, keys
    os.close(keyboard)
    os.close(keys)


def heard(inbox: EventQueue, number: int) -> list[Message]:
    """Return the messages, as soon as there are so many."""
    found: list[Message] = []

    def is_enough() -> bool:
        found.extend(inbox.begin_round())
        inbox.end_round()
        return len(found) >= number

    assert eventually(is_enough), f"only {found}"
    return found


@pytest.mark.parametrize("nothing", ["\x1b[A", "\x1b[15;5~", "\x1bOP", "\x1bq", "x", "\x1b[1;5Rx"])
def test_a_key_right_behind_others_that_mean_nothing_counts(tmp_path: Path, nothing: str) -> None:
    with listening(tmp_path) as (inbox, keys):
        os.write(keys, f"{nothing}f{nothing}\rq".encode())
        assert heard(inbox, 3) == [KeyPressed("f"), KeyPressed("\r"), KeyPressed("q")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into everything")
def test_a_file_in_a_folder_that_is_shut_meanwhile_is_told_as_any_other(tmp_path: Path) -> None:
    read, due = ProblemCache(), DirtySet()
    file = make(tmp_path) / "solutions/p/accepted/other.py"
    assert read.load(tmp_path, "p").solutions
    with listening(tmp_path) as (inbox, _):
        file.write_text("1\n")
        file.parent.chmod(0)
        try:
            (changed,) = heard(inbox, 1)
            assert isinstance(changed, FilesChanged)
            mark_dirty(changed.paths, WatchSpec(root=tmp_path), read, due)
        finally:
            file.parent.chmod(0o755)
    assert file in due.files
