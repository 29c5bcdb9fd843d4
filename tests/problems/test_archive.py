"""Packages in zip files: what is extracted, and what is refused before anything is written outside."""

import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from judge.base.errors import DataError, UsageError
from judge.problems import archive as module
from judge.problems.archive import unpack_package
from judge.problems.paths import contest_folders, package_names

FILES: Mapping[str, str] = {"problem.yaml": "name: A\n", "data/secret/1.in": "1\n"}


def make_zip(path: Path, files: Mapping[str, str], links: Mapping[str, str] | None = None) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
        for name, target in (links or {}).items():
            add(archive, name, target, stat.S_IFLNK | 0o777)
    return path


def add(archive: zipfile.ZipFile, name: str, text: str, mode: int) -> None:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16 | 0x20  # the archive bit of Windows; zipfile replaces 0
    archive.writestr(info, text)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def entries(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


@pytest.mark.parametrize(("top", "name"), [("", "a"), ("sum/", "sum"), ("./", "a")])
def test_a_package_is_at_the_top_or_in_the_only_folder(top: str, name: str, tmp_path: Path, target: Path) -> None:
    archive = make_zip(tmp_path / "a.zip", {f"{top}{file}": text for file, text in FILES.items()})
    package = unpack_package(archive, target)
    assert package.name == name
    assert {file: (package / file).read_text() for file in entries(package)} == FILES


@pytest.mark.parametrize("top", ["", "contest/", "problems/", "contest/problems/"])
def test_the_packages_of_a_contest_may_be_in_one_archive(top: str, tmp_path: Path, target: Path) -> None:
    files = {f"{top}{package}/{file}": text for package in ("x", "y") for file, text in FILES.items()}
    (folder,) = contest_folders(unpack_package(make_zip(tmp_path / "a.zip", files), target))
    assert package_names(folder) == ["x", "y"]


def test_files_of_other_systems_are_left_out(tmp_path: Path, target: Path) -> None:
    files = {**{f"sum/{name}": text for name, text in FILES.items()}, "__MACOSX/sum/._problem.yaml": "x"}
    assert unpack_package(make_zip(tmp_path / "a.zip", files), target).name == "sum"


def test_links_within_the_package_and_the_right_to_execute_are_kept(tmp_path: Path, target: Path) -> None:
    archive = make_zip(tmp_path / "a.zip", FILES, {"data/secret/2.in": "1.in", "data/sample": "secret"})
    with zipfile.ZipFile(archive, "a") as opened:
        add(opened, "output_validator/run", "#!/bin/sh\n", stat.S_IFREG | 0o700)
    package = unpack_package(archive, target)
    assert (package / "data/sample/2.in").read_text() == "1\n"
    assert (package / "output_validator/run").stat().st_mode & 0o111


@pytest.mark.parametrize(("mode", "is_executable"), [(0, True), (stat.S_IFREG | 0o644, False)])
def test_scripts_of_an_archive_without_modes_are_executable(
    mode: int, is_executable: bool, tmp_path: Path, target: Path
) -> None:
    archive = make_zip(tmp_path / "a.zip", FILES)
    with zipfile.ZipFile(archive, "a") as opened:
        add(opened, "output_validator/run", "#!/bin/sh\n", mode)
        add(opened, "output_validator/notes", "", mode)
    folder = unpack_package(archive, target) / "output_validator"
    assert [bool((folder / name).stat().st_mode & 0o111) for name in ("run", "notes")] == [is_executable, False]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../evil.txt", "leads out"),
        ("data/../../evil.txt", "leads out"),
        ("/tmp/evil.txt", "leads out"),
        ("data\\evil.txt", "leads out"),
        (f"data/{'a' * 300}.in", "too long"),
        ("a/" * 2000 + "b", "too long"),
        ("problem.yaml", "twice"),
        ("./problem.yaml", "twice"),
        ("problem.yaml/evil.txt", "as a file and as a folder"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_harmful_name_is_refused(name: str, message: str, tmp_path: Path, target: Path) -> None:
    archive = make_zip(tmp_path / "a.zip", FILES)
    with zipfile.ZipFile(archive, "a") as opened:
        opened.writestr(name, "x")
    with pytest.raises(DataError, match=message):
        unpack_package(archive, target)
    assert entries(tmp_path) == ["a.zip"]


@pytest.mark.parametrize(
    "links",
    [
        {"data/evil": "/etc/passwd"},
        {"data/evil": "../../outside"},
        {"up": "data", "data/evil": "../.."},
        {"data/a": "../b/c", "b/c": "../../.."},
    ],
)
def test_a_link_that_leads_out_is_refused(links: Mapping[str, str], tmp_path: Path, target: Path) -> None:
    with pytest.raises(DataError, match="leads out"):
        unpack_package(make_zip(tmp_path / "a.zip", FILES, links), target)


@pytest.mark.parametrize("kind", [stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK])
def test_what_is_no_file_is_refused(kind: int, tmp_path: Path, target: Path) -> None:
    archive = make_zip(tmp_path / "a.zip", FILES)
    with zipfile.ZipFile(archive, "a") as opened:
        add(opened, "data/device", "", kind | 0o600)
    with pytest.raises(DataError, match="not a file, folder or link"):
        unpack_package(archive, target)


def test_a_bomb_is_refused(tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = make_zip(tmp_path / "a.zip", {**FILES, "data/secret/2.in": "0" * 2_000_000})
    monkeypatch.setattr(module, "_RATIO_FROM", 1_000_000)
    with pytest.raises(DataError, match="times its size"):
        unpack_package(archive, target)
    monkeypatch.setattr(module, "_MAX_SIZE", 1_000_000)
    with pytest.raises(DataError, match="at most"):
        unpack_package(archive, target)
    monkeypatch.setattr(module, "_MAX_MEMBERS", 2)
    with pytest.raises(DataError, match="3 members; expected at most 2"):
        unpack_package(archive, target)
    assert entries(target) == []


def test_an_encrypted_file_is_refused(tmp_path: Path, target: Path) -> None:
    archive = make_zip(tmp_path / "a.zip", FILES)
    data = archive.read_bytes()
    at = data.index(b"PK\1\2")
    archive.write_bytes(data[: at + 8] + bytes([data[at + 8] | 1]) + data[at + 9 :])
    with pytest.raises(DataError, match="is encrypted"):
        unpack_package(archive, target)


@pytest.mark.parametrize("content", [b"", b"PK\3\4", b"not a zip file"])
def test_a_damaged_file_is_reported(content: bytes, tmp_path: Path, target: Path) -> None:
    archive = tmp_path / "a.zip"
    archive.write_bytes(content)
    with pytest.raises(DataError, match="cannot be read as a zip file"):
        unpack_package(archive, target)


def test_a_zip_file_without_a_package_says_what_is_expected(tmp_path: Path, target: Path) -> None:
    with pytest.raises(UsageError, match="no package in this zip file"):
        unpack_package(make_zip(tmp_path / "a.zip", {"1.in": "1\n"}), target)
