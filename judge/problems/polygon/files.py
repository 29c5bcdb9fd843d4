"""problem.xml and contest.xml to elements with their lines, and the files that problem.xml names.

The files may come from anyone, so they are bounded before they are parsed. A document type declaration is refused:
Polygon writes none, and entities can expand without bound.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from xml.parsers import expat

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, Severity
from judge.base.units import MIB
from judge.model import InFile, WindowsText
from judge.problems.icpc.files import PackageFolder
from judge.problems.paths import find_file_error
from judge.problems.yaml.text import quote

_MAX_SIZE = MIB
_MAX_DEPTH = 50


class Element(Struct, frozen=True, kw_only=True):
    """An element of an XML document.

    Attributes:
        line: 1-based line of its start tag.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    children: "list[Element]" = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its own text, without whitespace around it."""
        return "".join(self.parts).strip()

    def get(self, name: str) -> str:
        """Return an attribute, or "" without it."""
        return self.attributes.get(name, "").strip()

    def all(self, path: str) -> "Iterator[Element]":
        """Yield the elements at a path such as `assets/checker`."""
        tag, _, rest = path.partition("/")
        for child in self.children:
            if child.tag == tag:
                yield from child.all(rest) if rest else (child,)

    def first(self, path: str) -> "Element | None":
        """Return the first element at a path, or None."""
        return next(self.all(path), None)


def read_document(path: Path, shown: Path) -> Element:
    """Return the root of a document; messages show the file as `shown`.

    Raises:
        DataError: it cannot be read, is not well-formed, or is refused.
    """
    if reason := find_file_error(path, max_size=_MAX_SIZE):
        raise DataError([Diagnostic(path=shown, message=reason)])
    return _Builder(shown).parse(path.read_bytes())


class _Builder:
    """Builds the tree of one document."""

    def __init__(self, shown: Path) -> None:
        self._shown = shown
        self._open: list[Element] = []
        self._root: Element | None = None
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = lambda _: self._open.pop()
        self._parser.CharacterDataHandler = self._add_text
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def parse(self, text: bytes) -> Element:
        try:
            self._parser.Parse(text, True)
        except expat.ExpatError as error:
            raise self._failure(error.lineno, error.offset + 1, f"not valid XML: {error}") from error
        except (ValueError, LookupError) as error:  # the encoding that it names
            raise self._failure(1, 1, f"cannot be decoded: {error}") from error
        assert self._root is not None  # else it is not well-formed
        return self._root

    def _failure(self, line: int, column: int, message: str) -> DataError:
        return DataError([Diagnostic(path=self._shown, line=line, column=column, message=message)])

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= _MAX_DEPTH:
            message = f"more than {_MAX_DEPTH} elements in each other, which no package of Polygon needs"
            raise self._failure(self._parser.CurrentLineNumber, 1, message)
        element = Element(tag=tag, attributes=attributes, line=self._parser.CurrentLineNumber)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def _add_text(self, text: str) -> None:
        self._open[-1].parts.append(text)

    def _refuse_doctype(self, *_: object) -> None:
        message = "has a document type declaration (<!DOCTYPE>), which is refused: remove it"
        raise self._failure(self._parser.CurrentLineNumber, 1, message)


# ---- files of a package --------------------------------------------------------------------------------------------

FILE = "problem.xml"
_PATTERN = re.compile(r"[^%]*%(0[1-9])?d[^%]*")


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

    def find(self, at: Element, name: str, *, is_optional: bool = False) -> Path | None:
        """Return the absolute path of a readable file in the package.

        None if it is none, which is reported; not if it is optional and does not exist.
        """
        relative = PurePosixPath(name)
        if not name or relative.is_absolute() or ".." in relative.parts or "\\" in name or not name.isprintable():
            self.error(at, f"expected the path of a file in the package, found {quote(name)}")
            return None
        path = self.path / relative
        if self.package.has_file(path):
            return path
        if not is_optional and not os.path.lexists(path):
            self.error(at, f"the package has no file {quote(name)}")
        return None


def read_pattern(folder: PolygonFolder, testset: Element, tag: str, *, default: str) -> str | None:
    """Return the path in an element of a set of tests, such as `tests/%02d.a`; None if it is wrong, which is reported.

    The number of a test takes the place of `%02d`: `pattern % number`.
    """
    element = testset.first(tag)
    text = element.text if element is not None else default
    if _PATTERN.fullmatch(text):
        return text
    folder.error(element or testset, f"<{tag}>: expected a path such as `{default}`, found {quote(text)}")
    return None


_MAX_TESTS = 10_000  # of a program


def list_tests(folder: PolygonFolder, testset: Element, of: str) -> Iterator[tuple[int, Element]]:
    """Yield the tests of a program with their numbers; if there are very many, the first ones."""
    for number, test in enumerate(testset.all("tests/test"), start=1):
        if number > _MAX_TESTS:
            folder.warn(test, f"more than {_MAX_TESTS:,} tests of the {of}: the others are left out")
            return
        yield number, test


def text_file(path: Path) -> InFile:
    """Return a test in a file. Programs on Windows, as at Codeforces, read CRLF as LF."""
    try:
        with path.open("rb") as file:
            return WindowsText(path) if file.readline(1 << 24).endswith(b"\r\n") else InFile(path)
    except OSError:  # reported where the test is read
        return InFile(path)
