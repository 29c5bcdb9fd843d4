"""Noticing changes: real files in real folders, by inotify and by looking."""

import errno
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge.watch.watchers import (
    InotifyWatcher,
    Noticing,
    PollingWatcher,
    WatchSpec,
    _remote_disk,
    choose_watcher,
    is_irrelevant,
    walk,
)

ROOT = Path(__file__).parents[2]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    for folder in ("problems/p/generators", "testcases/p", "solutions/p/accepted"):
        (root / folder).mkdir(parents=True)
    (root / "problems/p/problem.yaml").write_text("name: P\n")
    (root / "solutions/p/accepted/a.py").write_text("1\n")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/mine.py").write_text("1\n")
    return root


@pytest.fixture(params=[InotifyWatcher, PollingWatcher])
def watched(request: pytest.FixtureRequest, root: Path) -> Iterator[tuple[Noticing, WatchSpec]]:
    places = WatchSpec(root=root, files=frozenset({root.parent / "elsewhere/mine.py"}))
    made = request.param(places)
    yield made, places
    made.close()


def concerned(watched: tuple[Noticing, WatchSpec], wanted: set[Path] | None = None) -> set[Path]:
    """Return what changed and concerns somebody, as soon as all that is wanted is among it."""
    made, places = watched
    found: set[Path] = set()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        found |= {path for path in made.changed() if places.concern(path)}
        if wanted is None or wanted <= found:
            return found
        time.sleep(0.01)
    return found


SAVED = ["repository/solutions/p/accepted/a.py", "repository/problems/p/problem.yaml", "elsewhere/mine.py"]


def save(path: Path) -> None:
    path.write_text("22\n")


def save_by_rename(path: Path) -> None:
    (path.parent / ".new").write_text("22\n")
    (path.parent / ".new").replace(path)


def save_with_backup(path: Path) -> None:
    path.rename(f"{path}~")
    path.write_text("22\n")


def remove_and_make(path: Path) -> None:
    path.unlink()
    path.write_text("333\n")


@pytest.mark.parametrize("how", [save, save_by_rename, save_with_backup, remove_and_make, Path.unlink])
@pytest.mark.parametrize("name", SAVED)
def test_every_way_to_save_a_file_is_noticed(
    watched: tuple[Noticing, WatchSpec], tmp_path: Path, how: Callable[[Path], None], name: str
) -> None:
    path = tmp_path / name
    how(path)
    assert path in concerned(watched, {path})


def test_a_file_with_another_name_is_gone_and_new(watched: tuple[Noticing, WatchSpec], root: Path) -> None:
    old, new = root / "solutions/p/accepted/a.py", root / "solutions/p/accepted/b.py"
    old.rename(new)
    assert {old, new} <= concerned(watched, {old, new})


def test_what_is_in_a_new_folder_is_noticed_however_deep(watched: tuple[Noticing, WatchSpec], root: Path) -> None:
    file = root / "problems/q/generators/deep/x.py"
    file.parent.mkdir(parents=True)
    file.write_text("1\n")
    assert file in concerned(watched, {file})
    file.write_text("22\n")
    assert file in concerned(watched, {file})


def test_a_folder_that_is_removed_and_made_again_is_watched_again(
    watched: tuple[Noticing, WatchSpec], root: Path
) -> None:
    folder = root / "solutions/p"
    shutil.rmtree(folder)
    assert folder in concerned(watched, {folder})
    file = folder / "accepted/a.py"
    file.parent.mkdir(parents=True)
    file.write_text("1\n")
    assert file in concerned(watched, {file})
    file.write_text("22\n")
    assert file in concerned(watched, {file})


def test_a_folder_with_another_name_is_watched_under_that(watched: tuple[Noticing, WatchSpec], root: Path) -> None:
    old, new = root / "solutions/p", root / "solutions/q"
    old.rename(new)
    assert {old, new} <= concerned(watched, {old, new})
    (new / "accepted/a.py").write_text("22\n")
    assert new / "accepted/a.py" in concerned(watched, {new / "accepted/a.py"})


def test_a_whole_tree_that_comes_later_is_watched(root: Path) -> None:
    shutil.rmtree(root / "testcases")
    for kind in (InotifyWatcher, PollingWatcher):
        places = WatchSpec(root=root)
        made = kind(places)
        file = root / f"testcases/p/{kind.__name__}.yaml"
        file.parent.mkdir(parents=True)
        file.write_text("cases: []\n")
        assert file in concerned((made, places), {file})
        made.close()
        shutil.rmtree(root / "testcases")


def test_a_file_that_two_links_lead_to_changes_under_both_names(root: Path) -> None:
    (root / "testcases/p/data").mkdir()
    names = {root / "testcases" / problem / "data/a.in" for problem in ("o", "p", "q")}
    for problem in ("o", "q"):  # whichever is looked into last
        (root / "testcases" / problem).mkdir()
        (root / "testcases" / problem / "data").symlink_to("../p/data")
    for kind in (InotifyWatcher, PollingWatcher):
        places = WatchSpec(root=root)
        made = kind(places)
        (root / "testcases/p/data/a.in").write_text(f"{kind.__name__}\n")
        assert concerned((made, places), names) >= names
        made.close()


def test_a_folder_that_a_new_link_leads_to_is_watched(watched: tuple[Noticing, WatchSpec], root: Path) -> None:
    target = root.parent / "elsewhere/data"
    target.mkdir()
    link = root / "testcases/p/data"
    link.symlink_to(target)
    assert link in concerned(watched, {link})
    (target / "a.in").write_text("1\n")
    assert link / "a.in" in concerned(watched, {link / "a.in"})


def test_a_file_that_is_made_as_a_link_whose_other_name_goes_is_noticed(
    watched: tuple[Noticing, WatchSpec], root: Path
) -> None:
    file = root / "testcases/p/sample.yaml"
    (root / "testcases/p/.new").write_text("cases: []\n")
    file.hardlink_to(root / "testcases/p/.new")
    (root / "testcases/p/.new").unlink()
    assert file in concerned(watched, {file})


def test_links_that_lead_round_in_a_circle_are_walked_once(root: Path) -> None:
    for number in range(8):  # of each turn there are eight, and the kernel follows forty links
        (root / f"testcases/p/{number}").symlink_to("../../problems/p")
        (root / f"problems/p/{number}").symlink_to("../../testcases/p")
    assert len(list(walk(root / "testcases"))) < 50


@pytest.mark.parametrize(
    "name", [".a.py.swp", "a.py~", "#a.py#", ".#a.py", "4913", ".new-17", "a.pyc", "__pycache__/a.pyc", ".git/index"]
)
def test_what_editors_and_tools_leave_behind_concerns_nobody(
    watched: tuple[Noticing, WatchSpec], root: Path, name: str
) -> None:
    folder = root / "solutions/p/accepted"
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("x")
    (folder / "last.py").write_text("x")  # all before it has been told when it is told
    assert concerned(watched, {folder / "last.py"}) == {folder / "last.py"}


@pytest.mark.parametrize("name", ["a.py", "_cards.py", "x.in", "problem.yaml", "cases.lock", "49130"])
def test_names_of_peoples_work_are_no_leftovers(name: str) -> None:
    assert not is_irrelevant(name)


def test_only_the_problems_that_are_asked_for_concern_somebody(root: Path) -> None:
    places = WatchSpec(root=root, problems=frozenset({"p"}))
    assert places.concern(root / "testcases/p/sample.yaml")
    assert not places.concern(root / "testcases/q/sample.yaml")
    assert not places.concern(root / "README.md")
    assert not places.concern(root / ".judge/facts.json")


def test_a_network_disk_is_looked_at(tmp_path: Path) -> None:
    mounts = tmp_path / "mountinfo"
    line = "36 35 98:0 / {place} rw,noatime master:1 - {kind} source rw\n"
    mounts.write_text(line.format(place="/", kind="ext4") + line.format(place=tmp_path, kind="nfs4"))
    assert _remote_disk(tmp_path / "x", mounts) == "nfs4"
    assert _remote_disk(Path("/"), mounts) == ""


NO_MORE = 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$0" "$@"'
FALLBACK = """\
import sys
from pathlib import Path
from judge.watch.watchers import WatchSpec, choose_watcher
made, why = noticing(Places(root=Path(sys.argv[1])))
print(made.name, why, sep=chr(10))
"""


def test_where_inotify_cannot_be_had_it_is_said_and_changes_are_looked_for(root: Path) -> None:
    unshare = ["unshare", "--map-root-user", "sh", "-c", NO_MORE]
    if (
        shutil.which("unshare") is None
        or subprocess.run([*unshare, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("no user namespaces here")
    ran = subprocess.run(
        [*unshare, sys.executable, "-c", FALLBACK, root], cwd=ROOT, capture_output=True, text=True, check=False
    )
    name, why = ran.stdout.splitlines()
    assert name.startswith("looking every"), ran.stderr
    assert os.strerror(errno.EMFILE) in why
    assert "fs.inotify.max_user_watches" in why


def test_asking_for_looking_gets_it(root: Path) -> None:
    made, why = choose_watcher(WatchSpec(root=root), only_looking=True)
    assert (type(made), why) == (PollingWatcher, "")
