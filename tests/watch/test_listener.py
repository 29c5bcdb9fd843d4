"""The listener of a watch: keys, and folders without read permission."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from judge.runner.executors import LocalExecutor
from judge.watch import listener
from judge.watch.listener import EventListener, EventQueue, Key, WatchEvent
from judge.watch.scheduler import DirtySet, ProblemCache, mark_dirty
from judge.watch.watchers import InotifyWatcher, WatchSpec
from tests.repositories import make
from tests.watch.watch_process import eventually


@contextmanager
def listening(root: Path) -> Iterator[tuple[EventQueue, int]]:
    """Yield the queue of a listener, and a descriptor to write keys to."""
    keyboard, keys = os.pipe()
    spec = WatchSpec(root=root)
    with LocalExecutor(1) as executor:
        queue = EventQueue(executor)
        with EventListener(spec, InotifyWatcher(spec), queue, keyboard=keyboard):
            yield queue, keys
    os.close(keyboard)
    os.close(keys)


def wait_for(queue: EventQueue, number: int) -> list[WatchEvent]:
    """Return the events of a queue as soon as there are that many."""
    found: list[WatchEvent] = []

    def is_enough() -> bool:
        found.extend(queue.begin_batch())
        queue.end_batch()
        return len(found) >= number

    assert eventually(is_enough), f"only {found}"
    return found


@pytest.mark.parametrize("other", ["\x1b[A", "\x1b[15;5~", "\x1bOP", "\x1bq", "x", "\x1b[1;5Rx"])
def test_keys_count_among_other_keys_and_escape_sequences(tmp_path: Path, other: str) -> None:
    with listening(tmp_path) as (queue, keys):
        os.write(keys, f"{other}f{other}\rq".encode())
        assert wait_for(queue, 3) == [Key.FRESH, Key.RERUN, Key.QUIT]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_a_change_in_a_folder_that_becomes_unreadable_is_reported(tmp_path: Path) -> None:
    cache, dirty = ProblemCache(), DirtySet()
    file = make(tmp_path) / "solutions/p/accepted/other.py"
    assert cache.load(tmp_path, "p").solutions
    with listening(tmp_path) as (queue, _):
        file.write_text("1\n")
        file.parent.chmod(0)
        try:
            (changed,) = wait_for(queue, 1)
            assert isinstance(changed, frozenset)
            mark_dirty(changed, WatchSpec(root=tmp_path), cache, dirty)
        finally:
            file.parent.chmod(0o755)
    assert file in dirty.files


@pytest.mark.parametrize("save", ["write", "rename", "remove and write", "many files"])
def test_one_save_is_one_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, save: str) -> None:
    for name in ("_SETTLE_S", "_SETTLE_MISSING_S", "_MAX_DELAY_S"):  # this process may have to wait for a core
        monkeypatch.setattr(listener, name, 0.4)
    folder = make(tmp_path) / "solutions/p/accepted"
    files = [folder / f"{number}.py" for number in range(5 if save == "many files" else 1)]
    for file in files:
        file.write_text("1\n")
    with listening(tmp_path) as (queue, _):
        for file in files:
            if save == "rename":
                (folder / ".new").write_text("2\n")
                (folder / ".new").rename(file)
                continue
            if save == "remove and write":
                file.unlink()
            with file.open("w") as opened:
                for _ in range(3):
                    opened.write("2\n")
                    opened.flush()
        (changed,) = wait_for(queue, 1)
    assert changed == frozenset(files)
