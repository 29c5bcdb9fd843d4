"""Files that are written as a whole: no reader sees a part, and no part is left behind."""

from pathlib import Path

import pytest

from judge.base.files import read_cache, read_regular, write_atomically


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_what_ends_a_write_leaves_the_old_file_alone(
    error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "folder" / "1.in"
    write_atomically(path, b"old\n")

    def fail(_path: Path, _target: Path) -> Path:
        raise error

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(error):
        write_atomically(path, b"new\n")
    assert [each.name for each in path.parent.iterdir()] == ["1.in"]
    assert path.read_bytes() == b"old\n"


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # with holes: it takes no space
    for read in (read_cache, read_regular):
        with pytest.raises(OSError, match="too large"):
            read(path)
