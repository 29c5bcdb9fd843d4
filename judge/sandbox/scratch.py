"""The folder that runs work in where nothing keeps them from writing files (level `limits`)."""

import os
import stat
import tempfile

from judge.errors import SandboxError, told
from judge.sandbox.removal import remove

_ALL = 0o700


class Scratch:
    """A folder that is empty before every run, whatever the run before did to it.

    It stands in a folder of ours, so that a run that renames its own folder leaves nothing outside ours.
    """

    def __init__(self) -> None:
        self._base: str | None = None

    def fresh(self) -> str:
        """Return the path of an empty folder.

        Raises:
            SandboxError: there is no place for one.
        """
        if self._base is not None and not _holds_one_empty_folder(self._base):
            self.close()
        if self._base is None:
            try:
                self._base = tempfile.mkdtemp(prefix="judge-")
                os.mkdir(os.path.join(self._base, "run"), _ALL)
            except OSError as error:
                raise SandboxError(f"cannot make a working folder: {told(error)}") from error
        return os.path.join(self._base, "run")

    def close(self) -> None:
        """Remove the folder with all that runs left in it."""
        if self._base is not None:
            remove(self._base)
            self._base = None


def _holds_one_empty_folder(base: str) -> bool:
    """Tell whether the folder of the last run is there, alone, empty, ours to use, and a folder."""
    run = os.path.join(base, "run")
    try:
        return (
            os.listdir(base) == ["run"]
            and stat.S_ISDIR(os.lstat(run).st_mode)
            and not os.listdir(run)
            and os.access(run, os.R_OK | os.W_OK | os.X_OK)
        )
    except OSError:
        return False
