"""Where links in repositories, packages and programs may lead.

They may come from anyone. What a link leads to is shown in messages, perhaps in a public log, and to submissions. So
links lead to files of the repository only. A link out of a package counts only if the user's own repository or contest
is around it, and only as a file.
"""

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG, S_ISVTX

from msgspec import Struct

_REPOSITORY = ".git"  # a folder; a file in worktrees and submodules
_CONTEST = "problems.yaml"  # of BAPCtools and DOMjudge, beside the packages


LEADS_OUT = "is a link that leads out of the repository: copy the file into it"
"""Why a file of a repository is not read, in words that follow its name."""


def leads_out(path: Path | str, *folders: str) -> bool:
    """Return whether a path is, or goes through, a link out of some folders, which are real paths."""
    real = os.path.realpath(path)
    return not any(_is_in(real, folder) for folder in folders)


def find_link_error(path: Path | str, root: str) -> str | None:
    """Return why a file of a repository may not be read, in words that follow its name; None if it may.

    `.git/config` and `.env` may hold passwords.

    Args:
        path: the file, which may be a link, or be behind one.
        root: of the repository; a real path.
    """
    real = os.path.realpath(path)
    if not _is_in(real, root):
        return LEADS_OUT
    is_hidden = any(part.startswith(".") for part in Path(real).relative_to(root).parts)
    return "is a link to a hidden file or folder" if is_hidden and real != os.path.abspath(path) else None  # noqa: PTH100


def find_wrong_links(folders: Iterable[Path], root: str) -> Iterator[tuple[Path, str]]:
    """Yield the links in some folders of a repository, or the folders themselves, that may not be read, and why.

    Links that lead to nothing do not count: Emacs makes some to lock files.
    """
    waiting, seen = [*folders], set[str]()
    is_folder, exists = os.path.isdir, os.path.exists  # those of Path raise errors
    while waiting:
        place = waiting.pop(0)
        real = os.path.realpath(place)
        error = find_link_error(place, root)
        if error and (error == LEADS_OUT or place.is_symlink()):  # not a hidden folder behind a link
            yield place, error
        elif error is None and real not in seen:
            seen.add(real)
            with suppress(OSError):  # it is a file, or is reported where it is read
                paths = sorted(place.iterdir())
                waiting += [path for path in paths if is_folder(path) or (path.is_symlink() and exists(path))]


def check_inside(folder: Path, root: Path) -> None:
    """Check that writing into a folder of a repository changes nothing out of it.

    Raises:
        OSError: the folder, or one above it, is a link that leads out.
    """
    if leads_out(folder, os.path.realpath(root)):
        raise OSError(errno.ELOOP, f"leads out of {root}: nothing was written", str(folder))


def list_above(folder: Path) -> Iterator[Path]:
    """Yield an absolute folder and those above it, except shared ones such as /tmp, where anyone may put files."""
    yield folder
    yield from (each for each in folder.parents if not _is_shared(each))


class LinkRoot(Struct, frozen=True):
    """A folder, and the one around it in which links may lead to files; real paths.

    Attributes:
        folder: a package or a program; links may lead anywhere in it.
        root: the nearest folder with `.git`, the folder itself included; else the parent folder, if it is that of a
            contest; else the folder itself.
    """

    folder: str
    root: str

    @classmethod
    def of(cls, folder: Path) -> "LinkRoot":
        """Return the root for links in a folder, which may be a link itself."""
        real = Path(os.path.realpath(folder))
        repository = next((each for each in (real, *real.parents) if os.path.lexists(each / _REPOSITORY)), None)
        if repository is not None and (repository == real or _is_private(repository)):
            return cls(str(real), str(repository))
        is_contest = (real.parent / _CONTEST).is_file() and _is_private(real.parent)
        return cls(str(real), str(real.parent if is_contest else real))

    def find_error(self, path: Path | str) -> str | None:
        """Return why a path may not be read, in words that follow its name; None if it may.

        Outside of the folder it must be a regular file that is not hidden: `.git` and `.env` may hold passwords.
        """
        real = os.path.realpath(path)
        if _is_in(real, self.folder):
            return None
        if not _is_in(real, self.root):
            return f"is a link that leads out of {self.shown}"
        if any(part.startswith(".") for part in Path(real).relative_to(self.root).parts):
            return f"is a link to a hidden file or folder of {self.shown}"
        try:
            mode = os.stat(real).st_mode  # noqa: PTH116 - called for many files; a Path costs more
        except (OSError, ValueError):
            return "is a broken link"
        return None if S_ISREG(mode) else "is a link out of the package to something that is not a regular file"

    @property
    def shown(self) -> str:
        """The root as messages name it."""
        return "the package" if self.root == self.folder else f"the repository or contest {self.root}"


def _is_private(folder: Path) -> bool:
    """Return whether only its owner puts packages into a folder, and it is not the home folder or one above it.

    A home folder may be a repository of settings, and anyone may write `.git` into a folder such as /tmp.
    """
    home = Path(os.path.realpath(os.path.expanduser("~")))  # noqa: PTH111 - Path.expanduser raises without a home
    return not _is_shared(folder) and not home.is_relative_to(folder)


def _is_shared(folder: Path) -> bool:
    try:
        return bool(folder.stat().st_mode & S_ISVTX)
    except OSError:  # what is not known is not trusted
        return True


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
