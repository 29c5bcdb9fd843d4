"""Asks the user's git about their repository: the commit, what was edited since, and old versions of files.

This module starts `git` outside any sandbox. The repository may come from a stranger, and its configuration can name
programs for git to start. So git never reads it: each command gets a temporary git folder with links to the objects
and references of the repository, and a configuration that contains only harmless values of the real one. A
folder counts as a repository only if it has a `.git` entry: a bare repository may be part of any clone. A missing git,
repository or commit is not an error; the functions then return nothing.
"""

import errno
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec import Struct

from judge.base.errors import UsageError
from judge.base.files import find_program, open_regular
from judge.base.links import list_above

if TYPE_CHECKING:
    from tarfile import TarInfo

# No locks for a query, no pager, no prompt, messages in English.
_ENVIRONMENT = {"GIT_OPTIONAL_LOCKS": "0", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
_MAX_INDEX = 512 << 20  # bytes; that of a repository with a million files has about 100 MiB

# What git gets of a repository. See gitrepository-layout(5): linked working trees share some of it.
_SHARED = ("objects", "refs", "packed-refs", "reftable", "shallow", "info/exclude", "logs/refs")
_OWN = ("info/sparse-checkout", "logs/HEAD", "ORIG_HEAD", "FETCH_HEAD")

# Values of its configuration that decide what git sees, and which branch is `@{upstream}`; none names a program.
_KEPT = re.compile(
    r"core\.(autocrlf|checkstat|eol|filemode|ignorecase|precomposeunicode|sparsecheckout|sparsecheckoutcone|symlinks"
    r"|trustctime)|extensions\.(objectformat|refstorage)|branch\..+\.(merge|remote)|remote\..+\.fetch"
)
# These override what the user's own configuration may say: no daemon for a folder that is gone in a moment, no hooks.
_CONFIG = """\
[core]
repositoryFormatVersion = 1
fsmonitor =
hooksPath = /dev/null
quotePath = false
"""
# No filters, no texts that git fills in (a signature, checked by gpg), and all files of old versions.
_ATTRIBUTES = "* -filter -export-subst -export-ignore\n"
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_NO_SUBMODULES = "--ignore-submodules=dirty"  # for more, git starts itself in each, with its configuration


class RepositoryState(Struct, frozen=True, kw_only=True):
    """The checked-out commit, "" if there is none, and whether files differ from it."""

    commit: str = ""
    is_dirty: bool = False


class BackgroundStatus:
    """A `git status` that runs in the background until `wait` or `close`."""

    def __init__(self, root: Path) -> None:
        self._git = _start(root, ["status", "--porcelain=v2", "--branch", _NO_SUBMODULES])

    def wait(self) -> RepositoryState:
        """Wait for git; return the state of the repository."""
        out = self._git.wait() if self._git else None
        if out is None:
            return RepositoryState()
        lines = out.decode(errors="replace").splitlines()
        commit = next((line.split()[-1] for line in lines if line.startswith("# branch.oid ")), "")
        is_dirty = any(not line.startswith("#") for line in lines)
        return RepositoryState(commit="" if commit == "(initial)" else commit, is_dirty=is_dirty)

    def close(self) -> None:
        """End git if it still runs."""
        if self._git:
            self._git.close()


def resolve_commit(root: Path, name: str) -> str | None:
    """Return the full hash of a commit, branch or tag; None if there is none of this name."""
    found = _run(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"])
    return found.decode().strip() if found else None


def list_changed_files(root: Path, commit: str) -> list[Path] | None:
    """Return the files that differ from a commit or are untracked, relative to `root`; None if git fails."""
    edited = _run(root, ["diff", "--name-only", "-z", "--relative", "--no-renames", _NO_SUBMODULES, commit, "--", "."])
    new = _run(root, ["ls-files", "-z", "--others", "--exclude-standard", "--", "."])
    if edited is None or new is None:
        return None
    return sorted({Path(os.fsdecode(name)) for name in (edited + new).split(b"\0") if name})


def extract_folders(root: Path, commit: str, names: Sequence[str], into: Path) -> None:
    """Write a commit's files of some folders of `root`.

    Raises:
        UsageError: the commit has none of the folders, a file is only a pointer of git-lfs, or git fails.
    """
    listed = _run(root, ["ls-tree", "--name-only", "-z", commit, "--", *(f"{name}/" for name in names)])
    entries = listed.split(b"\0") if listed else []
    present = [name for name in names if any(entry.startswith(name.encode() + b"/") for entry in entries)]
    if not present:
        raise UsageError(f"{commit[:12]} has none of the folders {', '.join(names)} in {root}")
    archive = _run(root, ["archive", "--format=tar", commit, "--", *present])
    if archive is None:
        raise UsageError(f"git cannot read the files of {commit[:12]}")
    import tarfile  # 3 ms that most commands do not need

    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        # Python before 3.11.4 has no filters; then `_is_harmless` alone protects.
        tar.extraction_filter = getattr(tarfile, "data_filter", None)
        members = [member for member in tar if _is_harmless(member)]
        for member in members:
            file = tar.extractfile(member) if member.isfile() else None
            if file and file.read(len(_LFS_POINTER)) == _LFS_POINTER:
                raise UsageError(
                    f"git-lfs stores {member.name} of {commit[:12]}, and the judge does not start it; "
                    "compare with a baseline or a run (run-N)"
                )
        tar.extractall(into, members)  # noqa: S202 - see `_is_harmless`


def _is_harmless(member: "TarInfo") -> bool:
    """Return whether a member is a file, a folder, or a link that stays inside; others may lead to the user's files."""
    if member.issym():
        target = os.path.normpath(os.path.join(os.path.dirname(member.name), member.linkname))  # noqa: PTH118, PTH120
        return not (member.linkname.startswith("/") or target.startswith(".."))
    return member.isfile() or member.isdir()


def read_file(root: Path, commit: str, path: str) -> bytes | None:
    """Return the content of a file in a commit; None if the commit does not have it."""
    return _run(root, ["cat-file", "blob", f"{commit}:./{path}"])


class _Git:
    """A git command that runs with a git folder of its own until `wait` or `close`.

    Args:
        program: the path of git.
        root: where it runs.
        files, source: the repository: the folder of its files and its git folder.

    Raises:
        OSError: git cannot be started, or the repository cannot be read.
    """

    def __init__(self, program: str, root: Path, files: Path, source: Path, arguments: Sequence[str]) -> None:
        self._program = program
        self._folder = TemporaryDirectory(prefix="judge-git-")
        # A git that starts us, as for a hook, sets variables that lead to its repository or contain configuration.
        own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self._environment = {**own, **_ENVIRONMENT, "GIT_DIR": self._folder.name, "GIT_WORK_TREE": str(files)}
        self._root = root
        try:
            self._fill(Path(self._folder.name), source)
            self._process = self._spawn(arguments)
        except BaseException:
            self._folder.cleanup()
            raise

    def wait(self) -> bytes | None:
        """Wait for git; return its output, or None if it fails."""
        out = _wait(self._process)
        self._folder.cleanup()
        return out

    def close(self) -> None:
        """End git if it still runs."""
        if self._process.returncode is None:
            self._process.kill()
            self._process.communicate()
        self._folder.cleanup()

    def _fill(self, folder: Path, source: Path) -> None:
        """Write the git folder."""
        shared = source / _read_line(source / "commondir") if (source / "commondir").is_file() else source
        (folder / "info").mkdir()
        (folder / "logs").mkdir()
        links = {**dict.fromkeys(_SHARED, shared), **dict.fromkeys(_OWN, source)}
        links |= {path.name: source for path in source.glob("sharedindex.*")}
        for name, place in links.items():
            if (place / name).exists():
                (folder / name).symlink_to(place / name)
        (folder / "HEAD").write_text(f"{_read_line(source / 'HEAD')}\n")
        if (source / "index").is_file():
            _copy_index(source / "index", folder / "index")
        (folder / "info/attributes").write_text(_ATTRIBUTES)
        (folder / "config").write_text(_CONFIG)
        values = [each for path in (shared / "config", source / "config.worktree") for each in self._list_values(path)]
        with (folder / "config").open("a", encoding="utf-8", errors="surrogateescape") as file:
            file.writelines(_format_value(key, value) for key, value in values if _KEPT.fullmatch(key))

    def _list_values(self, path: Path) -> Iterator[tuple[str, str]]:
        """Yield the keys and values of a configuration file."""
        if path.is_file():
            listed = _wait(self._spawn(["config", "--file", str(path), "--no-includes", "--list", "-z"])) or b""
            for entry in listed.split(b"\0"):
                key, separator, value = os.fsdecode(entry).partition("\n")
                yield key, value if separator else "true"

    def _spawn(self, arguments: Sequence[str]) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [self._program, *arguments],
            cwd=self._root,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )


def _wait(process: "subprocess.Popen[bytes]") -> bytes | None:
    """Return the output of git, None if it fails; end it when it hangs, as it may on a network disk that is gone."""
    try:
        out, _ = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
    return out if process.returncode == 0 else None


def _run(root: Path, arguments: Sequence[str]) -> bytes | None:
    """Return the output of git; None if it fails."""
    git = _start(root, arguments)
    return git.wait() if git else None


def _start(root: Path, arguments: Sequence[str]) -> _Git | None:
    """Start git on the repository that contains a folder; None if there is no git, or no repository."""
    root = root.resolve()
    program = find_program("git")
    try:
        for files in list_above(root) if program else ():
            folder = files / ".git"
            if folder.is_file():  # of a linked working tree or a submodule
                folder = files / _read_line(folder).removeprefix("gitdir: ")
            if program and (folder / "HEAD").is_file():
                return _Git(program, root, files, folder, arguments)
    except OSError:
        pass
    return None


def _copy_index(source: Path, target: Path) -> None:
    """Copy an index with its time, which tells git what to read again; a link would let `git diff` update the user's.

    Raises:
        OSError: it cannot be copied, or is larger than any real one: a file with holes would fill the disk.
    """
    with os.fdopen(open_regular(source, follows_link=True), "rb") as file:
        status = os.fstat(file.fileno())
        if status.st_size > _MAX_INDEX:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(source))
        target.write_bytes(file.read(status.st_size))
    os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))


def _read_line(path: Path) -> str:
    file = open_regular(path, follows_link=True)
    try:
        return os.fsdecode(os.read(file, 4096)).rstrip("\n")
    finally:
        os.close(file)


def _format_value(key: str, value: str) -> str:
    """Return a value as configuration files have it (git-config(1), "Syntax")."""
    section, _, name = key.rpartition(".")
    section, _, subsection = section.partition(".")
    value = value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
    subsection = subsection.replace("\\", r"\\").replace('"', r"\"")
    return f'[{section} "{subsection}"]\n{name} = "{value}"\n' if subsection else f'[{section}]\n{name} = "{value}"\n'
