"""The folder of a package: which names count, and which links lead out of it."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field

from judge.errors import Diagnostic, Severity
from judge.links import LinkRoot
from judge.problems.paths import find_file_error, is_folder, is_leftover, listing_error

# "General requirements" of every version. legacy-icpc forbids some more names, which its tools accept.
_NAME = re.compile(r"[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}")
_MAX_REPORTED = 20  # files of a folder with which the same is wrong
_MAX_DIAGNOSTICS = 1000
_FIX = "remove it, or copy the file into the package"


class PackageFolder(Struct, frozen=True):
    """The folder of a package, and what is found to be wrong with its files.

    Attributes:
        path: the folder, absolute.
        shown: the folder as messages show it.
        links: where links may lead.
    """

    path: Path
    shown: Path
    links: LinkRoot
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _reported: set[Diagnostic] = field(default_factory=set)

    @classmethod
    def at(cls, folder: Path, shown: Path) -> "PackageFolder":
        """Return the folder at a path."""
        absolute = Path(os.path.abspath(folder))  # noqa: PTH100 - not resolve(): a link keeps its name
        return cls(absolute, shown, LinkRoot.of(absolute))

    def show(self, path: Path | str) -> Path:
        """Return a path in the package as messages show it."""
        return self.shown / os.path.relpath(path, self.path)

    def error(self, path: Path | str, message: str, *, fix: str = "", rule: str = "") -> None:
        """Report what keeps a part of the package from being judged, or what a complete package needs."""
        self.add(Diagnostic(path=self.show(path), message=message, fix=fix, rule=rule))

    def warn(self, path: Path | str, message: str, *, fix: str = "", rule: str = "") -> None:
        """Report what is unusual, and how it is judged; with the rule `format` if it makes no difference there."""
        self.add(Diagnostic(path=self.show(path), severity=Severity.WARNING, message=message, fix=fix, rule=rule))

    def error_all(self, folder: Path, names: Sequence[str], message: str, *, fix: str) -> None:
        """Report the same of several files in a folder; of many, the first ones and the number of the others."""
        for name in names[:_MAX_REPORTED]:
            self.error(folder / name, message, fix=fix)
        if len(names) > _MAX_REPORTED:
            self.error(folder, f"{len(names) - _MAX_REPORTED:,} more files like the last one: it {message}")

    def warn_all(self, folder: Path, names: Sequence[str], message: str, *, fix: str, rule: str = "") -> None:
        """Report the same of several files in a folder, as `error_all` does."""
        for name in names[:_MAX_REPORTED]:
            self.warn(folder / name, message, fix=fix, rule=rule)
        if len(names) > _MAX_REPORTED:
            self.warn(folder, f"{len(names) - _MAX_REPORTED:,} more files like the last one: it {message}", rule=rule)

    def add(self, diagnostic: Diagnostic) -> None:
        """Add what is wrong, once."""
        if diagnostic in self._reported:  # some folders are listed more than once
            return
        self._reported.add(diagnostic)
        self.diagnostics.append(diagnostic)

    def found(self) -> list[Diagnostic]:
        """Return what was found to be wrong; of very much, the beginning."""
        if len(self.diagnostics) <= _MAX_DIAGNOSTICS:
            return self.diagnostics
        rest = f"{len(self.diagnostics) - _MAX_DIAGNOSTICS:,} more errors and warnings are not shown"
        return [*self.diagnostics[:_MAX_DIAGNOSTICS], Diagnostic(path=self.shown, message=rest)]

    def leads_out(self, path: Path | str) -> bool:
        """Return whether a path is, or goes through, a link to where links must not lead; see `LinkRoot`."""
        return self.links.find_error(path) is not None

    def scan(self, folder: Path) -> Sequence[os.DirEntry[str]]:
        """Return the entries of a folder that count, by name; none if there is no such folder.

        Left out are hidden files and those of editors and compilers; and, with a diagnostic, links that lead out.
        """
        try:
            with os.scandir(folder) as entries:
                found = sorted((entry for entry in entries if not is_leftover(entry.name)), key=lambda each: each.name)
        except FileNotFoundError:
            return ()
        except NotADirectoryError:
            self.error(folder, "is a file: expected a folder")
            return ()
        except OSError as error:
            self.diagnostics.append(listing_error(self.show(folder), error))
            return ()
        return [entry for entry in found if not self._is_wrong_link(entry)]

    def _is_wrong_link(self, entry: os.DirEntry[str]) -> bool:
        if not entry.is_symlink():
            return False
        if reason := self.links.find_error(entry.path):
            self.error(entry.path, reason, fix=_FIX)
            return True
        if not os.path.exists(entry.path):  # noqa: PTH110 - a Path costs more, and this may be called for every case
            self.error(entry.path, "is a broken link", fix=_FIX)
            return True
        return False

    def walk(self, folder: Path, limit: int) -> Iterator[Path]:
        """Yield the files in a folder and below, at most `limit` entries: links may make a folder endless."""
        waiting = [folder]
        while waiting:
            entries = self.scan(waiting.pop(0))
            for entry in entries[:limit]:
                if is_folder(entry):
                    waiting.append(Path(entry.path))
                elif entry.is_file():
                    yield Path(entry.path)
            limit -= len(entries)
            if limit <= 0:
                return

    def has_file(self, path: Path) -> bool:
        """Return whether there is a readable file in the package; anything else that has the name is reported."""
        if not os.path.lexists(path):
            return False
        reason = find_file_error(path) or self.links.find_error(path)
        if reason:
            self.error(path, reason)
        return reason is None

    def has_folder(self, path: Path) -> bool:
        """Return whether there is a folder in the package; a link that leads out is reported."""
        if not path.is_dir():
            return False
        if reason := self.links.find_error(path):
            self.error(path, reason, fix="copy the folder into the package")
            return False
        return True


def is_valid_name(name: str) -> bool:
    """Return whether the format allows a name; files with other names do not count.

    It does not allow `+`, but its table of languages has the suffix `.c++`.
    """
    return _NAME.fullmatch(name.removesuffix(".c++")) is not None


INVALID_NAME = "is not judged: the format does not allow this name"
NAME_FIX = "use letters, digits, `_`, `-` and `.`, and begin with a letter, a digit or `_`"
