"""Watchers notice changes of real files in real folders, by inotify and by polling."""

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
    PollingWatcher,
    Watcher,
    WatchSpec,
    _remote_file_system,
    choose_watcher,
    is_temporary,
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
def watched(request: pytest.FixtureRequest, root: Path) -> Iterator[tuple[Watcher, WatchSpec]]:
    spec = WatchSpec(root=root, files=frozenset({root.parent / "elsewhere/mine.py"}))
    watcher = request.param(spec)
    yield watcher, spec
    watcher.close()


def read_changes(watched: tuple[Watcher, WatchSpec], wanted: set[Path] | None = None) -> set[Path]:
    """Return the relevant changes; wait until all that are wanted are among them."""
    watcher, spec = watched
    found: set[Path] = set()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        found |= {path for path in watcher.read_changes() if spec.includes(path)}
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
def test_every_way_of_saving_a_file_is_noticed(
    watched: tuple[Watcher, WatchSpec], tmp_path: Path, how: Callable[[Path], None], name: str
) -> None:
    path = tmp_path / name
    how(path)
    assert path in read_changes(watched, {path})


def test_a_renamed_file_is_reported_under_both_names(watched: tuple[Watcher, WatchSpec], root: Path) -> None:
    old, new = root / "solutions/p/accepted/a.py", root / "solutions/p/accepted/b.py"
    old.rename(new)
    assert {old, new} <= read_changes(watched, {old, new})


def test_files_in_new_folders_are_noticed_at_any_depth(watched: tuple[Watcher, WatchSpec], root: Path) -> None:
    file = root / "problems/q/generators/deep/x.py"
    file.parent.mkdir(parents=True)
    file.write_text("1\n")
    assert file in read_changes(watched, {file})
    file.write_text("22\n")
    assert file in read_changes(watched, {file})


def test_a_folder_that_is_removed_and_created_again_is_watched_again(
    watched: tuple[Watcher, WatchSpec], root: Path
) -> None:
    folder = root / "solutions/p"
    shutil.rmtree(folder)
    assert folder in read_changes(watched, {folder})
    file = folder / "accepted/a.py"
    file.parent.mkdir(parents=True)
    file.write_text("1\n")
    assert file in read_changes(watched, {file})
    file.write_text("22\n")
    assert file in read_changes(watched, {file})


def test_a_renamed_folder_is_watched_under_its_new_name(watched: tuple[Watcher, WatchSpec], root: Path) -> None:
    old, new = root / "solutions/p", root / "solutions/q"
    old.rename(new)
    assert {old, new} <= read_changes(watched, {old, new})
    (new / "accepted/a.py").write_text("22\n")
    assert new / "accepted/a.py" in read_changes(watched, {new / "accepted/a.py"})


def test_a_tree_that_is_created_later_is_watched(root: Path) -> None:
    shutil.rmtree(root / "testcases")
    for kind in (InotifyWatcher, PollingWatcher):
        spec = WatchSpec(root=root)
        watcher = kind(spec)
        file = root / f"testcases/p/{kind.__name__}.yaml"
        file.parent.mkdir(parents=True)
        file.write_text("cases: []\n")
        assert file in read_changes((watcher, spec), {file})
        watcher.close()
        shutil.rmtree(root / "testcases")


def test_a_file_in_a_linked_folder_changes_under_all_its_names(root: Path) -> None:
    (root / "testcases/p/data").mkdir()
    names = {root / "testcases" / problem / "data/a.in" for problem in ("o", "p", "q")}
    for problem in ("o", "q"):  # whichever is scanned last
        (root / "testcases" / problem).mkdir()
        (root / "testcases" / problem / "data").symlink_to("../p/data")
    for kind in (InotifyWatcher, PollingWatcher):
        spec = WatchSpec(root=root)
        watcher = kind(spec)
        (root / "testcases/p/data/a.in").write_text(f"{kind.__name__}\n")
        assert read_changes((watcher, spec), names) >= names
        watcher.close()


def test_the_target_of_a_new_link_is_watched(watched: tuple[Watcher, WatchSpec], root: Path) -> None:
    target = root.parent / "elsewhere/data"
    target.mkdir()
    link = root / "testcases/p/data"
    link.symlink_to(target)
    assert link in read_changes(watched, {link})
    (target / "a.in").write_text("1\n")
    assert link / "a.in" in read_changes(watched, {link / "a.in"})


def test_a_hard_link_whose_other_name_is_removed_is_noticed(watched: tuple[Watcher, WatchSpec], root: Path) -> None:
    file = root / "testcases/p/sample.yaml"
    (root / "testcases/p/.new").write_text("cases: []\n")
    file.hardlink_to(root / "testcases/p/.new")
    (root / "testcases/p/.new").unlink()
    assert file in read_changes(watched, {file})


def test_circular_links_are_walked_once(root: Path) -> None:
    for number in range(8):  # eight choices at each step, and the kernel follows forty links
        (root / f"testcases/p/{number}").symlink_to("../../problems/p")
        (root / f"problems/p/{number}").symlink_to("../../testcases/p")
    assert len(list(walk(root / "testcases"))) < 50


@pytest.mark.parametrize(
    "name",
    [
        ".a.py.swp",
        "a.py~",
        "#a.py#",
        ".#a.py",
        "4913",
        ".new-17",
        "a.pyc",
        "__pycache__/a.pyc",
        ".git/index",
        "a.py.swo",
        "a.py.bak",
        "a.py___jb_tmp___",
        "#a#",
        "baseline-x.lock",
    ],
)
def test_temporary_files_of_editors_and_tools_are_ignored(
    watched: tuple[Watcher, WatchSpec], root: Path, name: str
) -> None:
    folder = root / "solutions/p/accepted"
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("x")
    (folder / "last.py").write_text("x")  # when it is noticed, everything before it is, too
    assert read_changes(watched, {folder / "last.py"}) == {folder / "last.py"}


@pytest.mark.parametrize("name", ["a.py", "_cards.py", "x.in", "problem.yaml", "cases.lock", "49130"])
def test_names_of_sources_and_data_are_not_temporary(name: str) -> None:
    assert not is_temporary(name)


@pytest.mark.parametrize("kind", [InotifyWatcher, PollingWatcher])
def test_cases_that_appear_beside_a_file_are_noticed_but_nothing_below(
    root: Path, kind: type[InotifyWatcher | PollingWatcher]
) -> None:
    beside = root.parent / "elsewhere"
    spec = WatchSpec(root=root, files=frozenset({beside / "mine.py"}), entries=frozenset({beside}))
    watcher = kind(spec)
    try:
        (beside / "deep").mkdir()
        (beside / "deep/x.in").write_text("1\n")
        (beside / "mine.in").write_text("1\n")
        found = read_changes((watcher, spec), {beside / "mine.in"})
    finally:
        watcher.close()
    assert beside / "deep/x.in" not in found


def test_only_the_selected_problems_are_included(root: Path) -> None:
    spec = WatchSpec(root=root, problems=frozenset({"p"}))
    assert spec.includes(root / "testcases/p/sample.yaml")
    assert not spec.includes(root / "testcases/q/sample.yaml")
    assert not spec.includes(root / "README.md")
    assert not spec.includes(root / ".judge/facts.json")


def test_a_network_file_system_is_recognized(tmp_path: Path) -> None:
    mounts = tmp_path / "mountinfo"
    line = "36 35 98:0 / {place} rw,noatime master:1 - {kind} source rw\n"
    mounts.write_text(line.format(place="/", kind="ext4") + line.format(place=tmp_path, kind="nfs4"))
    assert _remote_file_system(tmp_path / "x", mounts) == "nfs4"
    assert _remote_file_system(Path("/"), mounts) == ""


WITHOUT_INSTANCES = 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$0" "$@"'
FALLBACK = """\
import sys
from pathlib import Path
from judge.watch.watchers import WatchSpec, choose_watcher
watcher, warning = choose_watcher(WatchSpec(root=Path(sys.argv[1])))
print(watcher.name, warning, sep=chr(10))
"""


def test_without_inotify_files_are_polled_and_the_warning_says_why(root: Path) -> None:
    unshare = ["unshare", "--map-root-user", "sh", "-c", WITHOUT_INSTANCES]
    if (
        shutil.which("unshare") is None
        or subprocess.run([*unshare, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("no user namespaces here")
    ran = subprocess.run(
        [*unshare, sys.executable, "-c", FALLBACK, root], cwd=ROOT, capture_output=True, text=True, check=False
    )
    name, warning = ran.stdout.splitlines()
    assert name == "polling every 0.2 s", ran.stderr
    assert os.strerror(errno.EMFILE) in warning
    assert "fs.inotify.max_user_watches" in warning


def test_polling_can_be_requested(root: Path) -> None:
    watcher, warning = choose_watcher(WatchSpec(root=root), poll=True)
    assert (type(watcher), warning) == (PollingWatcher, "")
