"""problem.xml and contest.xml to elements with their lines.

The files may come from anyone, so they are bounded before they are parsed. A document type declaration is refused:
Polygon writes none, and entities can expand without bound.
"""

from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from msgspec import Struct, field

from judge.errors import DataError, Diagnostic
from judge.problems.paths import find_file_error
from judge.units import MIB

_MAX_SIZE = MIB
_MAX_DEPTH = 50


class Element(Struct, frozen=True, kw_only=True):
    """An element of an XML document.

    Attributes:
        line: 1-based line of its start tag.
        parts: the pieces of its text.
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


class _RefusedError(Exception):
    """The document has something that is refused; the message says what."""


def read_document(path: Path, shown: Path) -> Element:
    """Return the root of a document; messages show the file as `shown`.

    Raises:
        DataError: it cannot be read, is not well-formed, or is refused.
    """
    if reason := find_file_error(path):
        raise DataError([Diagnostic(path=shown, message=reason)])
    try:
        with path.open("rb") as file:
            text = file.read(_MAX_SIZE + 1)
    except OSError as error:
        raise DataError([Diagnostic(path=shown, message=f"cannot be read: {error.strerror}")]) from error
    if len(text) > _MAX_SIZE:
        raise DataError([Diagnostic(path=shown, message="is larger than 1 MiB, which no package of Polygon needs")])
    return _Builder(shown).parse(text)


class _Builder:
    """Builds the tree of one document."""

    def __init__(self, shown: Path) -> None:
        self._shown = shown
        self._open: list[Element] = []
        self._root: Element | None = None
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add_text
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def parse(self, text: bytes) -> Element:
        try:
            self._parser.Parse(text, True)
        except expat.ExpatError as error:
            raise self._failure(error.lineno, error.offset + 1, f"not valid XML: {error}") from error
        except _RefusedError as error:
            raise self._failure(self._parser.CurrentLineNumber, 1, str(error)) from error
        except (ValueError, LookupError) as error:  # the encoding that it names
            raise self._failure(1, 1, f"cannot be decoded: {error}") from error
        assert self._root is not None  # else it is not well-formed
        return self._root

    def _failure(self, line: int, column: int, message: str) -> DataError:
        return DataError([Diagnostic(path=self._shown, line=line, column=column, message=message)])

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= _MAX_DEPTH:
            raise _RefusedError(f"more than {_MAX_DEPTH} elements in each other, which no package of Polygon needs")
        element = Element(tag=tag, attributes=attributes, line=self._parser.CurrentLineNumber)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)

    def _end(self, _: str) -> None:
        self._open.pop()

    def _add_text(self, text: str) -> None:
        self._open[-1].parts.append(text)

    def _refuse_doctype(self, *_: object) -> None:
        raise _RefusedError("has a document type declaration (<!DOCTYPE>), which is refused: remove it")
