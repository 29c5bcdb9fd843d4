"""The stored test data, whose files may come with a repository from somewhere else."""

import json
from itertools import product
from pathlib import Path

import pytest

from judge.base.data import digest
from judge.base.files import write_cache
from judge.preparation.store import FactCache, ObjectStore, make_key


def test_a_key_is_the_hash_of_a_list_as_json() -> None:
    texts = ("", "a b", '"', '", "', "\\", "\n", "\x7f", "é", "\ud800", "\U0001f600")
    for parts in ((), *((each,) for each in texts), *product(texts, repeat=2), *product(texts, repeat=3)):
        assert make_key(*parts) == digest(json.dumps(parts).encode()), parts


@pytest.mark.parametrize("sha256", ["", "xx/dev/zero", "//dev/zero", "ab\0c", "0" * 63 + "/", "A" * 64])
def test_what_is_not_a_hash_leads_to_no_file(tmp_path: Path, sha256: str) -> None:
    assert ObjectStore(tmp_path).find(sha256) is None


def test_a_link_is_no_stored_file(tmp_path: Path) -> None:
    store, outside = ObjectStore(tmp_path / "objects"), tmp_path / "outside"
    outside.write_bytes(b"5\n")
    link = store.path(digest(b"5\n"))
    link.parent.mkdir(parents=True)
    link.symlink_to(outside)
    assert store.find(digest(b"5\n")) is None
    sha256, _ = store.add(b"5\n")
    assert store.find(sha256) == link
    assert not link.is_symlink()


def test_facts_are_not_read_through_a_link(tmp_path: Path) -> None:
    path, outside = tmp_path / "facts.json", tmp_path / "outside"
    outside.write_text(json.dumps({"key": "value"}))
    path.symlink_to(outside)
    facts = FactCache(path)
    assert facts.get("key") is None
    facts.put("other", "fact")
    facts.save()
    assert json.loads(outside.read_text()) == {"key": "value"}
    assert json.loads(path.read_text()) == {"other": "fact"}


def test_nothing_is_written_through_a_linked_folder(tmp_path: Path) -> None:
    folder, outside = tmp_path / ".judge", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "objects").symlink_to(outside)
    store = ObjectStore(folder / "objects")
    assert store.add(b"5\n") == (digest(b"5\n"), b"5\n")
    assert f"{folder / 'objects'} is a link" in store.warning
    (folder / "problems").symlink_to(outside)
    with pytest.raises(OSError, match="is a link"):
        write_cache(folder / "problems" / "settings.json", b"{}", folder)
    assert list(outside.iterdir()) == []
