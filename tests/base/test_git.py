"""git answers about a repository of a stranger without starting anything that the repository names."""

import os
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from judge.base import git
from judge.base.errors import UsageError
from tests.cli.command_line import CapSys, copy_repository, run_judge
from tests.files import write_files

# Every key of git-config(1) whose value is a command, and some of other versions. `evil` is a driver, remote, tool, ...
KEYS = """\
alias.archive alias.status browser.evil.cmd browser.evil.path core.alternateRefsCommand core.askPass core.editor
core.fsmonitor core.gitProxy core.pager core.sshCommand credential.helper credential.https://evil.helper
diff.evil.command diff.evil.textconv diff.external difftool.evil.cmd difftool.evil.path filter.evil.clean
filter.evil.process filter.evil.smudge gc.recentObjectsHook gpg.openpgp.program gpg.program gpg.ssh.defaultKeyCommand
gpg.ssh.program gpg.x509.program guitool.evil.cmd help.browser hook.evil.command imap.tunnel instaweb.browser
instaweb.httpd interactive.diffFilter man.evil.cmd man.evil.path merge.evil.driver mergetool.evil.cmd
mergetool.evil.path pager.archive pager.cat-file pager.diff pager.ls-files pager.show pager.status
remote.evil.receivepack remote.evil.uploadpack sendemail.ccCmd sendemail.headerCmd sendemail.sendmailCmd
sendemail.smtpServer sendemail.toCmd sequence.editor submodule.evil.update tar.tar.command tar.evil.command
trailer.evil.cmd trailer.evil.command uploadpack.packObjectsHook web.browser
"""
HOOKS = ("fsmonitor-watchman", "post-checkout", "post-index-change", "pre-auto-gc", "reference-transaction")
ATTRIBUTES = "* filter=evil diff=evil merge=evil\n*.sig export-subst\nleft-out export-ignore\n"
FILES = {
    "problems/p/a.txt": "old\n",
    "problems/p/of-key.sig": "$Format:%GG %G? %GS$\n",
    "problems/p/left-out": "kept\n",
    ".gitattributes": ATTRIBUTES,
}


def plain(root: Path, *words: str, data: str = "") -> str:
    """Run git as a user without any configuration; return its output."""
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main")
    command = ["git", *who, "-c", "protocol.file.allow=always", *words]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        command, cwd=root, check=True, input=data, capture_output=True, text=True, env=environment, timeout=60
    )
    return done.stdout


def commit(root: Path, files: Mapping[str, str] = FILES) -> Path:
    """Commit files, also in a new repository, with a signature that nothing has made; return the folder."""
    write_files(root, files)
    if not (root / ".git").exists():
        plain(root, "init", "-q")
    plain(root, "add", "-A")
    plain(root, "commit", "-qm", "all")
    head, _, message = plain(root, "cat-file", "commit", "HEAD").partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----"
    signed = plain(root, "hash-object", "-t", "commit", "-w", "--stdin", data=f"{head}\n{signature}\n\n{message}")
    plain(root, "update-ref", "HEAD", signed.strip())
    return root


class Trap:
    """Programs that leave a mark when they are started, some first on PATH, and a configuration that names them."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._marks = folder / "marks"
        self._marks.mkdir(parents=True)
        self.programs = folder / "programs"
        write_files(self.programs, {"trap": f'#!/bin/sh\ntouch "{self._marks}/${{0##*/}}"\nexit 1\n'})
        (self.programs / "trap").chmod(0o755)
        for name in ("gpg", "gpgsm", "less", "ssh", "ssh-keygen"):  # git starts these by itself
            self.program(name)
        monkeypatch.setenv("PATH", f"{self.programs}:{os.environ['PATH']}")

    def program(self, name: str) -> Path:
        """Return the path of a program."""
        path = self.programs / name.replace("/", "_")
        with suppress(FileExistsError):
            path.symlink_to("trap")
        return path

    def sprung(self) -> set[str]:
        """Return the names of programs that were started."""
        return {path.name for path in self._marks.iterdir()}

    def configuration(self) -> str:
        """Return a configuration that names the programs, and what makes git use them."""
        values = {key: str(self.program(key)) for key in KEYS.split()}
        values |= {"alias.status": f"!{values['alias.status']}", "submodule.evil.update": f"!{self.program('update')}"}
        values |= {
            "core.repositoryFormatVersion": "1",
            "extensions.partialClone": "evil",
            "remote.evil.promisor": "true",
            "remote.evil.url": f"ext::{self.program('url')}",
            "protocol.allow": "always",
            "filter.evil.required": "true",
            "hook.evil.event": "post-index-change",
            "log.showSignature": "true",
            "status.submoduleSummary": "true",
            "diff.ignoreSubmodules": "none",
            "branch.main.merge": "refs/heads/main",
            "branch.main.remote": f'evil"\n[core]\nfsmonitor = {self.program("value")}\n\\',
        }
        lines = [f"[{section}]\n{key} = {_quote(value)}\n" for section, key, value in map(_split, values.items())]
        name = f'x\\"]\\\\\\"\\nfsmonitor = {self.program("name")}'  # of a subsection, with everything that ends one
        return "".join([*lines, f'[branch "{name}"]\nremote = evil\n'])

    def write_into(self, folder: Path) -> None:
        """Write the configuration, hooks and attributes into a git folder."""
        with (folder / "config").open("a") as file:
            file.write(self.configuration())
        self.write_hooks(folder)

    def write_hooks(self, folder: Path) -> None:
        """Write hooks and attributes into a git folder."""
        write_files(folder, {"info/attributes": ATTRIBUTES, "hooks/sample": ""})
        for name in HOOKS:
            with suppress(FileExistsError):
                (folder / "hooks" / name).symlink_to(self.program(name))


def _split(item: tuple[str, str]) -> tuple[str, str, str]:
    section, _, key = item[0].rpartition(".")
    section, _, subsection = section.partition(".")
    return (f'{section} "{subsection}"' if subsection else section), key, item[1]


def _quote(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


# ---- places of a configuration: each returns the folder to judge in --------------------------------------------------


def in_config(root: Path, trap: Trap) -> Path:
    trap.write_into(commit(root) / ".git")
    return root


def included(root: Path, trap: Trap) -> Path:
    commit(root, {**FILES, "evil.cfg": trap.configuration()})
    with (root / ".git/config").open("a") as file:
        file.write("[include]\npath = ../evil.cfg\n")
    trap.write_hooks(root / ".git")
    return root


def of_the_working_tree(root: Path, trap: Trap) -> Path:
    commit(root)
    plain(root, "config", "core.repositoryFormatVersion", "1")
    plain(root, "config", "extensions.worktreeConfig", "true")
    (root / ".git/config.worktree").write_text(trap.configuration())
    return root


def behind_a_file(root: Path, trap: Trap) -> Path:
    in_config(root, trap)
    (root / ".git").rename(root / "store")
    (root / ".git").write_text("gitdir: store\n")
    return root


def of_a_linked_working_tree(root: Path, trap: Trap) -> Path:
    plain(commit(root / "main"), "worktree", "add", "-q", str(root / "linked"))
    trap.write_into(root / "main/.git")
    return root / "linked"


def of_a_submodule(root: Path, trap: Trap) -> Path:
    origin = commit(root / "origin")
    commit(root / "outer")
    plain(root / "outer", "submodule", "add", "-q", str(origin), "sub")
    commit(root / "outer", {})
    trap.write_into(root / "outer/.git/modules/sub")
    (root / "outer/sub/problems/p/a.txt").write_text("new\n")
    return root / "outer"


def in_a_submodule(root: Path, trap: Trap) -> Path:
    return of_a_submodule(root, trap) / "sub"


def bare_in_a_clone(root: Path, trap: Trap) -> Path:
    bare = {"sub/HEAD": "ref: refs/heads/main\n", "sub/objects/.keep": "", "sub/refs/heads/.keep": ""}
    files = {f"sub/{name}": text for name, text in FILES.items()}
    config = f"[core]\nbare = false\nworktree = .\n{trap.configuration()}"
    commit(root / "origin", {**files, **bare, "sub/config": config})
    plain(root, "clone", "-q", str(root / "origin"), "clone")
    return root / "clone/sub"


PLACES: tuple[Callable[[Path, Trap], Path], ...] = (
    in_config,
    included,
    of_the_working_tree,
    behind_a_file,
    of_a_linked_working_tree,
    of_a_submodule,
    in_a_submodule,
    bare_in_a_clone,
)


def touch(root: Path) -> None:
    """Make git read a file again, which has not changed, and one that has."""
    os.utime(root / "problems/p/left-out", (0, 0))
    (root / "problems/p/a.txt").write_text("new\n")


def lose_an_object(folder: Path) -> None:
    """Remove the content of a file from repositories; in a partial clone, git fetches it."""
    blob = plain(folder, "hash-object", "--stdin", data="old\n").strip()
    for path in folder.glob(f"**/objects/{blob[:2]}/{blob[2:]}"):
        path.unlink()


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_nothing_that_a_repository_names_is_started(
    place: Callable[[Path, Trap], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = Trap(tmp_path / "trap", monkeypatch)
    root = place(tmp_path / "repository", trap)
    touch(root)
    head = git.resolve_commit(root, "HEAD")
    assert head is not None
    for name in ("HEAD~5", "main@{upstream}", "@{1}", "x"):
        git.resolve_commit(root, name)
    assert git.BackgroundStatus(root).wait() == git.RepositoryState(commit=head, is_dirty=True)
    assert Path("problems/p/a.txt") in (git.list_changed_files(root, head) or ())
    git.extract_folders(root, head, ["problems"], tmp_path / "old")
    old = {path.name: path.read_text() for path in (tmp_path / "old/problems/p").iterdir()}
    assert old == {Path(name).name: text for name, text in FILES.items() if name.startswith("problems")}
    assert git.read_file(root, head, "problems/p/a.txt") == b"old\n"
    lose_an_object(tmp_path)
    git.read_file(root, head, "problems/p/a.txt")
    git.list_changed_files(root, head)
    assert trap.sprung() == set()


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_plain_git_starts_what_a_repository_names(
    place: Callable[[Path, Trap], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = Trap(tmp_path / "trap", monkeypatch)
    root = place(tmp_path / "repository", trap)
    touch(root)
    for words in (
        "status --porcelain",
        "config --unset filter.evil.process",
        "status --porcelain",
        "archive HEAD",
        "-c filter.evil.required=false archive HEAD",
    ):
        with suppress(subprocess.CalledProcessError):
            plain(root, *words.split())
    lose_an_object(tmp_path)
    with suppress(subprocess.CalledProcessError):
        plain(root, "show", "HEAD:./problems/p/a.txt")
    assert "core.fsmonitor" in trap.sprung()
    if place is in_config:
        assert trap.sprung() >= {"filter.evil.clean", "filter.evil.smudge", "gpg", "url"}


# ---- the answers are those of git ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "hashes"),
    [
        ("pack-refs --all", "sha1"),
        ("update-index --split-index", "sha1"),
        ("sparse-checkout set --cone --sparse-index a", "sha1"),
        ("config core.fileMode false", "sha1"),
        ("config core.autocrlf true", "sha1"),
        ("checkout -q --detach", "sha1"),
        ("clone -q --shared . other-folder", "sha1"),
        ("worktree add -q other-folder", "sha1"),
        ("worktree add -q other-folder", "sha256"),
    ],
)
def test_the_answers_are_those_of_git(words: str, hashes: str, tmp_path: Path) -> None:
    root = tmp_path / "repository"
    root.mkdir()
    plain(root, "init", "-q", f"--object-format={hashes}")
    ignored = "*.log\n/other-folder\n"
    commit(root, {"a/old.txt": "", "a/edited.txt": "b\n", "a/run.sh": "", "b/c.txt": "c\n", ".gitignore": ignored})
    plain(root, *words.split())
    if (root / "other-folder").exists():
        root /= "other-folder"
    head = plain(root, "rev-parse", "HEAD").strip()
    assert git.BackgroundStatus(root).wait() == git.RepositoryState(commit=head, is_dirty=False)
    os.utime(root / "a/old.txt", (0, 0))
    write_files(root, {"a/edited.txt": "b\r\n", "a/new.txt": "", "a/new.log": ""})
    (root / "a/run.sh").chmod(0o755)
    index = (root / ".git/index").read_bytes() if (root / ".git").is_dir() else b""
    found = git.list_changed_files(root / "a", head)
    assert git.BackgroundStatus(root).wait().is_dirty
    assert git.read_file(root / "a", head, "edited.txt") == b"b\n"
    assert git.resolve_commit(root / "a", head[:12]) == head
    git.extract_folders(root, head, ["a"], tmp_path / "old")
    assert sorted(path.name for path in (tmp_path / "old/a").iterdir()) == ["edited.txt", "old.txt", "run.sh"]
    assert not index or (root / ".git/index").read_bytes() == index, "a question changes nothing"
    edited = plain(root / "a", "diff", "--name-only", "--relative", "HEAD").split()
    assert found == [Path(name) for name in sorted([*edited, "new.txt"])]


def test_names_of_git_are_understood(tmp_path: Path) -> None:
    commit(tmp_path / "origin")
    plain(tmp_path, "clone", "-q", "origin", "clone")
    root = tmp_path / "clone"
    first = plain(root, "rev-parse", "HEAD").strip()
    second = plain(commit(root, {"more": ""}), "rev-parse", "HEAD").strip()
    names = ["@{upstream}", "main@{u}", "origin/main", "HEAD~1", "main", "HEAD"]
    assert [git.resolve_commit(root, name) for name in names] == [first, first, first, first, second, second]
    reflog = [plain(root, "rev-parse", name).strip() for name in ("HEAD@{1}", "main@{1}")]
    assert [git.resolve_commit(root, name) for name in ("HEAD@{1}", "main@{1}")] == reflog


@pytest.mark.parametrize("content", [None, "gitdir: nowhere\n", "gitdir: \n", "\0", "x" * 5000])
def test_a_folder_without_a_repository_has_no_answers(content: str | None, tmp_path: Path) -> None:
    write_files(tmp_path, {".git": content})
    assert git.BackgroundStatus(tmp_path).wait() == git.RepositoryState()
    assert git.resolve_commit(tmp_path, "HEAD") is None
    assert git.list_changed_files(tmp_path, "HEAD") is None
    assert git.read_file(tmp_path, "HEAD", "a") is None


def test_a_huge_index_is_not_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = commit(tmp_path)
    size = (root / ".git/index").stat().st_size
    monkeypatch.setattr(git, "_MAX_INDEX", size)
    assert git.resolve_commit(root, "HEAD")
    monkeypatch.setattr(git, "_MAX_INDEX", size - 1)
    assert git.resolve_commit(root, "HEAD") is None


def test_an_old_file_that_only_git_lfs_can_read_is_an_error(tmp_path: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 12345\n"
    root = commit(tmp_path / "repository", {"testcases/p/big.in": pointer})
    with pytest.raises(UsageError, match=r"git-lfs stores testcases/p/big\.in of .*; compare with a baseline"):
        git.extract_folders(root, git.resolve_commit(root, "HEAD") or "", ["testcases"], tmp_path / "old")


def test_variables_of_another_git_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trap = Trap(tmp_path / "trap", monkeypatch)
    root = commit(tmp_path / "repository")
    head = git.resolve_commit(root, "HEAD")
    names = {"GIT_DIR": "/x", "GIT_INDEX_FILE": "/x", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor"}
    for name, value in {**names, "GIT_CONFIG_VALUE_0": str(trap.program("variable"))}.items():
        monkeypatch.setenv(name, value)
    assert git.BackgroundStatus(root).wait() == git.RepositoryState(commit=str(head), is_dirty=False)
    assert trap.sprung() == set()


def test_a_git_in_the_current_folder_is_not_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trap = Trap(tmp_path / "trap", monkeypatch)
    root = commit(tmp_path / "repository")
    (root / "git").symlink_to(trap.programs / "trap")
    monkeypatch.chdir(root)
    for path in (".", "", "../repository"):
        monkeypatch.setenv("PATH", os.pathsep.join([path, os.environ["PATH"]]))
        assert git.resolve_commit(root, "HEAD") is not None
    assert trap.sprung() == set()


def test_commands_start_nothing_that_the_repository_names(
    locked_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    root = copy_repository(locked_sums, tmp_path, monkeypatch)
    trap = Trap(tmp_path / "trap", monkeypatch)
    trap.write_into(commit(root, {".gitignore": ".judge/\n", ".gitattributes": ATTRIBUTES}) / ".git")
    for path in root.glob("*/sums/**/*.py"):
        os.utime(path, (0, 0))
    for words in ("run", "run --changed", "run --since HEAD", "compare", "baseline save", "compare main"):
        status, out = run_judge(*words.split(), capsys=capsys)
        assert (status, trap.sprung()) == (0, set()), out
