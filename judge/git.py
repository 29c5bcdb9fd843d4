"""What git knows of the user's repository: the commit, what was edited since, and files as they were.

The one room besides `sandbox` that starts a program: the user's own `git`, on the user's own repository, outside any
sandbox. Where there is no git, no repository or no commit, there is nothing to know, and that is no error.
"""

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from judge.errors import UsageError

if TYPE_CHECKING:
    from tarfile import TarInfo

# No lock for a mere look, no pager, no prompt, messages in English, and none of the variables of a hook that calls us.
_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
_PATIENCE_S = 20
_OF_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Where a repository stands; `commit` is "" without one."""

    commit: str = ""
    is_dirty: bool = False


class StateQuery:
    """A look at a repository that goes on in the background until it is asked for."""

    def __init__(self, root: Path) -> None:
        self._process = _started(root, ["status", "--porcelain=v2", "--branch"])

    def state(self) -> State:
        """Return where the repository stands; waits for git."""
        if self._process is None:
            return State()
        out = _waited_for(self._process)
        lines = out.decode(errors="replace").splitlines()
        if self._process.returncode != 0:
            return State()
        commit = next((line.split()[-1] for line in lines if line.startswith("# branch.oid ")), "")
        is_dirty = any(not line.startswith("#") for line in lines)
        return State(commit="" if commit == "(initial)" else commit, is_dirty=is_dirty)

    def close(self) -> None:
        """End git if nobody waited for it."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            self._process.communicate()


def commit_of(root: Path, name: str) -> str | None:
    """Return the full hash of a commit, branch or tag; None when there is none of that name."""
    found = _output(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"])
    return found.decode().strip() if found else None


def changed_since(root: Path, commit: str) -> list[Path] | None:
    """Return the files that differ from a commit, or that git does not know yet, relative to `root`.

    None when that cannot be found out.
    """
    edited = _output(root, ["diff", "--name-only", "-z", "--relative", "--no-renames", commit, "--", "."])
    new = _output(root, ["ls-files", "-z", "--others", "--exclude-standard", "--", "."])
    if edited is None or new is None:
        return None
    return sorted({Path(os.fsdecode(name)) for name in (edited + new).split(b"\0") if name})


def extract(root: Path, commit: str, names: Sequence[str], into: Path) -> None:
    """Write a commit's files of some folders of `root`.

    Raises:
        UsageError: git cannot give them.
    """
    known = _output(root, ["ls-tree", "--name-only", "-z", commit, "--", *(f"{name}/" for name in names)])
    present = [name for name in names if known and any(x.startswith(name.encode() + b"/") for x in known.split(b"\0"))]
    if not present:
        raise UsageError(f"{commit[:12]} has none of the folders {', '.join(names)} in {root}")
    # from the repository's top, since an archive of a folder below has paths that begin there
    archive = _output(root, ["archive", "--format=tar", commit, "--", *present])
    if archive is None:
        raise UsageError(f"git cannot give the files of {commit[:12]}")
    import tarfile  # 3 ms that most commands need not wait for

    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        # Pythons before 3.11.4 know no filters of their own
        tar.extraction_filter = getattr(tarfile, "data_filter", None)
        tar.extractall(into, [member for member in tar if _is_harmless(member)])  # noqa: S202 - of those no member is left


def _is_harmless(member: "TarInfo") -> bool:
    """Whether a member is a file or folder, or a link that stays inside; others may lead to the user's own files."""
    if member.issym():
        target = os.path.normpath(os.path.join(os.path.dirname(member.name), member.linkname))  # noqa: PTH118, PTH120
        return not (member.linkname.startswith("/") or target.startswith(".."))
    return member.isfile() or member.isdir()


def text_of(root: Path, commit: str, path: str) -> bytes | None:
    """Return a file's content in a commit; None when it is not there."""
    return _output(root, ["show", "--end-of-options", f"{commit}:./{path}"])


def _started(root: Path, words: Sequence[str]) -> "subprocess.Popen[bytes] | None":
    git = shutil.which("git")
    if git is None:
        return None
    environment = {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}
    try:
        return subprocess.Popen(
            [git, "-c", "core.quotePath=false", *words],
            cwd=root,
            env={**environment, **_QUIET},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None


def _waited_for(process: "subprocess.Popen[bytes]") -> bytes:
    """Return what git printed; a git that hangs, as on a network disk that is gone, is ended."""
    try:
        out, _ = process.communicate(timeout=_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
    return out


def _output(root: Path, words: Sequence[str]) -> bytes | None:
    """Return what git prints; None when it fails."""
    process = _started(root, words)
    if process is None:
        return None
    out = _waited_for(process)
    return out if process.returncode == 0 else None
