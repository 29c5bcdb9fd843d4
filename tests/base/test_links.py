"""Where links in packages may lead: an attacker's package without a repository reads nothing but itself."""

import os
from pathlib import Path

import pytest

from judge.base.links import LinkRoot
from judge.cli.main import run_cli
from judge.workspace.workspace import Workspace
from tests.files import write_files

# Where `.git` or problems.yaml is, what the package's link leads to, and the reason why it is refused; "" if it is not.
CASES: dict[str, tuple[str, str, str]] = {
    "a header of the repository": ("repo/.git/", "repo/headers/validate.h", ""),
    "a worktree": ("repo/.git", "repo/headers/validate.h", ""),
    "test data of another package": ("repo/.git/", "repo/contest/other/data/secret/1.in", ""),
    "a header of the contest": ("repo/contest/problems.yaml", "repo/contest/headers/validate.h", ""),
    "the package itself": ("", "repo/contest/package/a.h", ""),
    "no repository": ("", "repo/contest/headers/validate.h", "leads out of the package"),
    "beyond the contest": ("repo/contest/problems.yaml", "repo/headers/x", "leads out of the repository or contest"),
    "beyond the repository": ("repo/.git/", "outside", "leads out of the repository or contest {root}/repo"),
    "a similar name": ("repo/.git/", "repository/x", "leads out of"),
    "a package that is a repository": ("repo/contest/package/.git/", "repo/headers/x", "leads out of the package"),
    "the repository is nearer than the contest's parent": ("repo/contest/.git/", "repo/headers/x", "leads out of"),
    "a password": ("repo/.git/", "repo/.git/config", "a hidden file or folder"),
    "a hidden file": ("repo/.git/", "repo/web/.env", "a hidden file or folder"),
    "a folder": ("repo/.git/", "repo/headers/", "not a regular file"),
    "nothing": ("repo/.git/", "", "a broken link"),
}


def make(path: str, root: Path) -> Path:
    place = root / path
    if path.endswith("/"):
        place.mkdir(parents=True, exist_ok=True)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    return place


def package_in(root: Path, marker: str = "") -> Path:
    package = make("repo/contest/package/", root)
    if marker:
        make(marker, root)
    return package


@pytest.mark.parametrize("name", CASES)
def test_a_link_leads_to_a_file_of_the_same_repository(tmp_path: Path, name: str) -> None:
    marker, target, reason = CASES[name]
    package = package_in(tmp_path, marker)
    link = package / "link"
    link.symlink_to(make(target, tmp_path) if target else tmp_path / "repo/headers/missing")
    found = LinkRoot.of(package).find_error(link)
    if reason:
        assert found is not None
        assert reason.format(root=tmp_path) in found
    else:
        assert found is None


def test_links_through_links_count_by_their_end(tmp_path: Path) -> None:
    package = package_in(tmp_path, "repo/.git/")
    make("outside", tmp_path)
    make("repo/headers/", tmp_path).joinpath("x.h").symlink_to(tmp_path / "outside")
    (package / "x.h").symlink_to("../../headers/x.h")
    assert "leads out" in (LinkRoot.of(package).find_error(package / "x.h") or "")


def test_a_pipe_of_the_repository_is_refused(tmp_path: Path) -> None:
    package = package_in(tmp_path, "repo/.git/")
    os.mkfifo(tmp_path / "repo/pipe")
    (package / "x.h").symlink_to("../../pipe")
    assert "not a regular file" in (LinkRoot.of(package).find_error(package / "x.h") or "")


@pytest.mark.parametrize("marker", ["repo/.git/", "repo/contest/problems.yaml"])
def test_a_home_folder_is_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, marker: str) -> None:
    package = package_in(tmp_path, marker)
    make("repo/contest/headers/x.h", tmp_path)
    assert LinkRoot.of(package).find_error(package.parent / "headers/x.h") is None
    monkeypatch.setenv("HOME", str(package.parent))
    assert "leads out of the package" in (LinkRoot.of(package).find_error(package.parent / "headers/x.h") or "")


def test_a_folder_of_everyone_is_no_repository(tmp_path: Path) -> None:
    package = package_in(tmp_path, "repo/.git/")
    (tmp_path / "repo").chmod(0o1777)
    assert LinkRoot.of(package).root == str(package)


def test_a_package_behind_a_link_belongs_to_its_own_repository(tmp_path: Path) -> None:
    package = package_in(tmp_path, "repo/.git/")
    make("elsewhere/.git/", tmp_path)
    (tmp_path / "elsewhere/link").symlink_to(package)
    assert LinkRoot.of(tmp_path / "elsewhere/link").root == str(tmp_path / "repo")


def test_what_someone_put_into_a_shared_folder_does_not_count_below_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = write_files(tmp_path / "mine", {"a.py": "print(1)\n"})
    write_files(tmp_path, {"problems/p/problem.yaml": "name: P\n", "judge.toml": "jobs = 7\n"})
    monkeypatch.chdir(mine)
    assert run_cli(["config"]) == 0
    assert "judge.toml" in capsys.readouterr().out
    assert Workspace.find_or_use().root == tmp_path
    tmp_path.chmod(0o1777)
    assert run_cli(["config"]) == 0
    assert "judge.toml" not in capsys.readouterr().out
    assert Workspace.find_or_use().root == mine
    assert Workspace.find_or_use(tmp_path).root == tmp_path
