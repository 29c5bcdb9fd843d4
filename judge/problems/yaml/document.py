"""One YAML file: its value, the positions of its parts, its diagnostics."""

from pathlib import Path
from typing import Generic

from judge.base.errors import DataError, Diagnostic
from judge.base.units import MIB
from judge.problems.yaml.parse import AnyNode, Location, Mapping, Scalar, diagnostic_at, find, parse, parse_file
from judge.problems.yaml.text import quote_all
from judge.problems.yaml.types import Anything, Fields, R, Record, describe

_MAX_SIZE = 64 * MIB
_ADVICE = "; put large inputs into separate files (`input_file: ...`)"


class Document(Generic[R]):
    """A file after reading, whether or not it has errors.

    Attributes:
        value: None if nothing could be read.
        diagnostics: what is wrong with it, in no particular order.
    """

    def __init__(self, shown: Path) -> None:
        self.shown = shown
        self.value: R | None = None
        self.root: AnyNode | None = None
        self.diagnostics: list[Diagnostic] = []

    def report(self, message: str, *path: str | int, at_key: bool = False) -> None:
        """Add an error at the value, or at the key, that `path` leads to: `"cases", 3, "generate"`."""
        self.diagnostics.append(diagnostic_at(self.shown, self.locate(*path, at_key=at_key), message))

    def report_file(self, message: str) -> None:
        """Add an error that concerns the file as a whole."""
        self.diagnostics.append(Diagnostic(path=self.shown, message=message))

    def report_node(self, node: AnyNode, message: str) -> None:
        """Add an error at a node."""
        self.diagnostics.append(diagnostic_at(self.shown, node.location, message))

    def locate(self, *path: str | int, at_key: bool = False) -> Location:
        """Return the position of a value or of its key; if the path ends early, the position where it ends."""
        return find(self.root, *path, at_key=at_key).location if self.root else Location()

    def sorted_diagnostics(self) -> list[Diagnostic]:
        """Return the diagnostics in the order of their positions."""
        return sorted(self.diagnostics, key=lambda diagnostic: (diagnostic.line, diagnostic.column))


def read_document(path: Path, shown: Path, fields: Fields[R]) -> Document[R]:
    """Read a YAML file; everything that is wrong with it becomes a diagnostic of the document.

    Messages show it as `shown`; `fields` is the type of the whole file.
    """
    document: Document[R] = Document(shown)
    try:
        document.root, document.diagnostics = parse_file(path, shown, max_size=_MAX_SIZE, advice=_ADVICE)
    except DataError as error:
        document.diagnostics.extend(error.diagnostics)
    else:
        _read_root(document, fields)
    return document


def read_value(data: bytes, shown: Path) -> tuple[object, Document[Record]]:
    """Read YAML of any kind; everything that is wrong with it becomes a diagnostic of the document."""
    document: Document[Record] = Document(shown)
    try:
        document.root, document.diagnostics = parse(data, shown)
    except DataError as error:
        document.diagnostics.extend(error.diagnostics)
    root = document.root
    return None if root is None else Anything().read(root, "", document.report_node), document


def _read_root(document: Document[R], fields: Fields[R]) -> None:
    root = document.root
    if isinstance(root, Mapping):
        document.value = fields.read_record(root, document.report_node)
        return
    keys = f"expected the keys {quote_all(fields.types)}"
    if root is None or (isinstance(root, Scalar) and root.is_empty):
        document.diagnostics.append(diagnostic_at(document.shown, Location(1, 1), f"the file is empty: {keys}"))
    else:
        document.report_node(root, f"{keys} at the top level, found {describe(root)}")
