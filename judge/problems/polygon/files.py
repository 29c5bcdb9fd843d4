"""The folder of a package, its problem.xml, and the files that problem.xml names, numbered tests among them."""

import os
import re
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from judge.errors import Diagnostic, Severity
from judge.problems.icpc.files import PackageFolder
from judge.problems.polygon.document import Element
from judge.problems.yaml.text import quote

FILE = "problem.xml"
_PATTERN = re.compile(r"([^%]*)%(?:0([1-9]))?d([^%]*)")


class PolygonFolder(Struct, frozen=True):
    """A package and its document; what is wrong is added to the diagnostics of `package`."""

    package: PackageFolder
    root: Element

    @property
    def path(self) -> Path:
        """The folder, absolute."""
        return self.package.path

    def diagnostic(self, at: Element, message: str, *, fix: str = "") -> Diagnostic:
        """Return an error about an element."""
        shown = self.package.show(self.path / FILE)
        return Diagnostic(path=shown, line=at.line, column=1, message=message, fix=fix)

    def error(self, at: Element, message: str, *, fix: str = "") -> None:
        """Report what keeps a part of the package from being judged."""
        self.package.add(self.diagnostic(at, message, fix=fix))

    def warn(self, at: Element, message: str, *, fix: str = "", rule: str = "") -> None:
        """Report what is unusual, and how it is judged; with the rule `format` if it makes no difference there."""
        self.package.add(replace(self.diagnostic(at, message, fix=fix), severity=Severity.WARNING, rule=rule))

    def locate(self, at: Element, name: str) -> Path | None:
        """Return the absolute path of a name in the package; None if it leads out, which is reported.

        The file need not exist.
        """
        path = PurePosixPath(name)
        if not name or path.is_absolute() or ".." in path.parts or "\\" in name or not name.isprintable():
            self.error(at, f"expected the path of a file in the package, found {quote(name)}")
            return None
        return self.path / path

    def find(self, at: Element, name: str, *, is_optional: bool = False) -> Path | None:
        """Return the absolute path of a readable file in the package.

        None if it is none, which is reported; not if it is optional and does not exist.
        """
        path = self.locate(at, name)
        if path is None or self.package.has_file(path):
            return path
        if not is_optional and not os.path.lexists(path):
            self.error(at, f"the package has no file {quote(name)}")
        return None


class PathPattern(Struct, frozen=True, kw_only=True):
    """A path with the number of a test in it, of at least `width` digits, such as `tests/%02d.a`."""

    before: str
    width: int
    after: str

    @classmethod
    def of(cls, folder: PolygonFolder, testset: Element, tag: str, *, default: str) -> "PathPattern | None":
        """Return the pattern in an element of a set of tests; None if it is wrong, which is reported."""
        element = testset.first(tag)
        text = element.text if element is not None else default
        match = _PATTERN.fullmatch(text)
        if match is None:
            folder.error(element or testset, f"<{tag}>: expected a path such as `{default}`, found {quote(text)}")
            return None
        return cls(before=match[1], width=int(match[2] or 1), after=match[3])

    def name(self, number: int) -> str:
        """Return the path of a test."""
        return f"{self.before}{number:0{self.width}d}{self.after}"
