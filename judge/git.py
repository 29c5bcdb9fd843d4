"""Asks the user's git about their repository: the commit, what was edited since, and old versions of files.

Besides `sandbox`, only this module starts a program: `git`, outside any sandbox. A missing git, repository or commit is
not an error; the functions then return nothing.
"""

import os
import shutil
import subprocess
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from judge.errors import UsageError

if TYPE_CHECKING:
    from tarfile import TarInfo

# No locks for a query, no pager, no prompt, messages in English.
_ENVIRONMENT = {"GIT_OPTIONAL_LOCKS": "0", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
# Set when a git hook starts us; they would point git to another repository.
_HOOK_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
_TIMEOUT_S = 20


class RepositoryState(Struct, frozen=True, kw_only=True):
    """The checked-out commit, "" if there is none, and whether files differ from it."""

    commit: str = ""
    is_dirty: bool = False


class BackgroundStatus:
    """A `git status` that runs in the background until `wait` or `close`."""

    def __init__(self, root: Path) -> None:
        self._process = _start(root, ["status", "--porcelain=v2", "--branch"])

    def wait(self) -> RepositoryState:
        """Wait for git; return the state of the repository."""
        if self._process is None:
            return RepositoryState()
        lines = _wait(self._process).decode(errors="replace").splitlines()
        if self._process.returncode != 0:
            return RepositoryState()
        commit = next((line.split()[-1] for line in lines if line.startswith("# branch.oid ")), "")
        is_dirty = any(not line.startswith("#") for line in lines)
        return RepositoryState(commit="" if commit == "(initial)" else commit, is_dirty=is_dirty)

    def close(self) -> None:
        """End git if it still runs."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            self._process.communicate()


def resolve_commit(root: Path, name: str) -> str | None:
    """Return the full hash of a commit, branch or tag; None if there is none of this name."""
    found = _run(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"])
    return found.decode().strip() if found else None


def list_changed_files(root: Path, commit: str) -> list[Path] | None:
    """Return the files that differ from a commit or are untracked, relative to `root`; None if git fails."""
    edited = _run(root, ["diff", "--name-only", "-z", "--relative", "--no-renames", commit, "--", "."])
    new = _run(root, ["ls-files", "-z", "--others", "--exclude-standard", "--", "."])
    if edited is None or new is None:
        return None
    return sorted({Path(os.fsdecode(name)) for name in (edited + new).split(b"\0") if name})


def extract_folders(root: Path, commit: str, names: Sequence[str], into: Path) -> None:
    """Write a commit's files of some folders of `root`.

    Raises:
        UsageError: the commit has none of the folders, or git fails.
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
        tar.extractall(into, [member for member in tar if _is_harmless(member)])  # noqa: S202 - see `_is_harmless`


def _is_harmless(member: "TarInfo") -> bool:
    """Return whether a member is a file, a folder, or a link that stays inside; others may lead to the user's files."""
    if member.issym():
        target = os.path.normpath(os.path.join(os.path.dirname(member.name), member.linkname))  # noqa: PTH118, PTH120
        return not (member.linkname.startswith("/") or target.startswith(".."))
    return member.isfile() or member.isdir()


def read_file(root: Path, commit: str, path: str) -> bytes | None:
    """Return the content of a file in a commit; None if the commit does not have it."""
    return _run(root, ["show", "--end-of-options", f"{commit}:./{path}"])


def _start(root: Path, arguments: Sequence[str]) -> "subprocess.Popen[bytes] | None":
    git = shutil.which("git")
    if git is None:
        return None
    environment = {name: value for name, value in os.environ.items() if name not in _HOOK_VARIABLES}
    try:
        return subprocess.Popen(
            [git, "-c", "core.quotePath=false", *arguments],
            cwd=root,
            env={**environment, **_ENVIRONMENT},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None


def _wait(process: "subprocess.Popen[bytes]") -> bytes:
    """Return the output of git; end it when it hangs, as it may on a network disk that is gone."""
    try:
        out, _ = process.communicate(timeout=_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
    return out


def _run(root: Path, arguments: Sequence[str]) -> bytes | None:
    """Return the output of git; None if it fails."""
    process = _start(root, arguments)
    if process is None:
        return None
    out = _wait(process)
    return out if process.returncode == 0 else None
