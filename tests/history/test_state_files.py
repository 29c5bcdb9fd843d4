"""The files in `.judge` may come with a repository from anyone: whatever they are, they cost neither time nor files."""

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from judge.base.errors import StoreError
from judge.base.files import read_cache
from judge.history.history import History
from judge.history.results import ResultStore
from judge.history.submissions import open_submissions
from judge.languages.build_cache import BuildCache
from judge.preparation.store import FactCache


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


def _folder(path: Path) -> None:
    path.mkdir()
    (path / "file").touch()


def _link_to_pipe(path: Path) -> None:
    os.mkfifo(path.parent / "pipe")
    path.symlink_to("pipe")


IRREGULAR: dict[str, tuple[Callable[[Path], object], str]] = {
    "a pipe": (os.mkfifo, "is not a regular file"),
    "a socket": (_socket, "is not a regular file"),
    "a folder": (_folder, "is not a regular file"),
    "a link to a device": (lambda path: path.symlink_to("/dev/zero"), "is a link"),
    "a link to a pipe": (_link_to_pipe, "is a link"),
    "a link to a file": (lambda path: path.symlink_to("mine"), "is a link"),
    "a broken link": (lambda path: path.symlink_to("nowhere"), "is a link"),
}
PARTS = ("", "-wal", "-shm", "-journal")
BROKEN = b"CREATE TAB\xff\xfe runs"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the state, and in it a file of the user's; the current folder, since names of sockets are short."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").write_bytes(b"mine")
    yield Path()
    assert (tmp_path / "mine").read_bytes() == b"mine"
    assert not (tmp_path / "nowhere").exists()


def record(path: Path) -> tuple[str, int]:
    """Record a run; return the warning, and how many runs there are."""
    with closing(History(path)) as history:
        history.begin(arguments="", level="", version="")
        return history.warning, len(history.runs(9))


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("kind", IRREGULAR)
def test_a_database_that_is_not_a_regular_file_is_set_aside_with_one_line(folder: Path, kind: str, part: str) -> None:
    make, reason = IRREGULAR[kind]
    make(folder / f"history.sqlite{part}")
    warning, runs = record(folder / "history.sqlite")
    place = f" has a file history.sqlite{part} that" if part else ""
    assert f"history.sqlite{place} {reason}; it was renamed to history.sqlite.aside" in warning
    assert "\n" not in warning
    assert runs == 1
    assert record(folder / "history.sqlite") == ("", 2)
    assert os.path.lexists(folder / f"history.sqlite.aside{part}")


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("kind", IRREGULAR)
def test_a_record_of_submissions_that_is_not_a_regular_file_is_an_error(folder: Path, kind: str, part: str) -> None:
    make, reason = IRREGULAR[kind]
    make(folder / f"submissions.sqlite{part}")
    with pytest.raises(StoreError, match=f"submissions.*{reason}: replace it"), open_submissions(folder):
        pass
    assert os.path.lexists(folder / f"submissions.sqlite{part}")


def test_a_database_that_cannot_be_set_aside_is_not_opened(folder: Path) -> None:
    os.mkfifo(folder / "results.sqlite")
    _folder(folder / "results.sqlite.aside")
    with closing(ResultStore(folder / "results.sqlite")) as results:
        assert "results.sqlite cannot be written (" in results.warning


@pytest.mark.parametrize("name", ["history", "results", "submissions"])
def test_a_schema_that_is_not_text_is_damage(folder: Path, name: str) -> None:
    record(folder / "history.sqlite")
    path = folder / f"{name}.sqlite"
    path.write_bytes((folder / "history.sqlite").read_bytes().replace(b"CREATE TABLE runs", BROKEN))
    if name == "submissions":
        with pytest.raises(StoreError, match="cannot use the record"), open_submissions(folder):
            pass
        return
    with closing((History if name == "history" else ResultStore)(path)) as found:
        assert f"{name}.sqlite is damaged (" in found.warning


@pytest.mark.parametrize("name", ["history", "results"])
def test_an_empty_database_is_a_new_one(folder: Path, name: str) -> None:
    (folder / f"{name}.sqlite").touch()
    with closing((History if name == "history" else ResultStore)(folder / f"{name}.sqlite")) as found:
        assert found.warning == ""


@pytest.mark.parametrize("kind", IRREGULAR)
def test_a_file_of_the_cache_that_is_not_regular_is_not_read(folder: Path, kind: str) -> None:
    IRREGULAR[kind][0](folder / "facts.json")
    with pytest.raises(OSError, match=r"regular|symbolic|No such device"):
        read_cache(folder / "facts.json")
    facts = FactCache(folder / "facts.json")
    facts.put("key", "fact")
    facts.save()
    assert FactCache(folder / "facts.json").get("key") == (None if kind == "a folder" else "fact")


def test_no_program_is_stored_through_a_linked_folder(folder: Path) -> None:
    for name in ("built", "elsewhere"):
        (folder / name).mkdir()
    (folder / "built/program").write_bytes(b"x")
    (folder / "programs").symlink_to("elsewhere")
    BuildCache(folder / "programs").store("0" * 64, folder / "built", {})
    assert list((folder / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("kind", ["a pipe", "a socket"])
def test_a_state_folder_that_is_none_does_not_hang(folder: Path, kind: str) -> None:
    IRREGULAR[kind][0](folder / ".judge")
    warning, runs = record(folder / ".judge/history.sqlite")
    assert ("history.sqlite cannot be written (Not a directory)" in warning, runs) == (True, 0)
