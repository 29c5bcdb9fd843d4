"""One YAML file: its value, the positions of its parts, its diagnostics."""

from pathlib import Path
from typing import Generic

from judge.base.errors import DataError, Diagnostic
from judge.base.units import MIB
from judge.problems.yaml.parse import AnyNode, Location, Mapping, Scalar, diagnostic_at, find, parse, parse_file
from judge.problems.yaml.text import quote_all
from judge.problems.yaml.types import Fields, T, Type, describe

_ADVICE = "; put large inputs into separate files (`input_file: ...`)"


class Document(Generic[T]):
    """A file after reading, whether or not it has errors."""

    def __init__(self, shown: Path) -> None:
        self.shown = shown
        self.value: T | None = None
        self.root: AnyNode | None = None
        self.diagnostics: list[Diagnostic] = []

    def report(self, message: str, *path: str | int, at_key: bool = False) -> None:
        """Add an error at the value, or at the key, that `path` leads to: `"cases", 3, "generate"`."""
        self.diagnostics.append(diagnostic_at(self.shown, self.locate(*path, at_key=at_key), message))

    def report_node(self, node: AnyNode, message: str) -> None:
        """Add an error at a node."""
        self.diagnostics.append(diagnostic_at(self.shown, node.location, message))

    def locate(self, *path: str | int, at_key: bool = False) -> Location:
        """Return the position of a value or of its key; if the path ends early, the position where it ends."""
        return find(self.root, *path, at_key=at_key).location if self.root else Location()

    def sorted_diagnostics(self) -> list[Diagnostic]:
        """Return the diagnostics in the order of their positions."""
        return sorted(self.diagnostics, key=lambda diagnostic: (diagnostic.line, diagnostic.column))


def read_document(source: Path | bytes, shown: Path, kind: Type[T]) -> Document[T]:
    """Read YAML, in a file or in memory; everything that is wrong with it becomes a diagnostic of the document.

    Messages show it as `shown`; `kind` is the type of the whole file.
    """
    document: Document[T] = Document(shown)
    try:
        if isinstance(source, bytes):
            document.root, document.diagnostics = parse(source, shown)
        else:
            document.root, document.diagnostics = parse_file(source, shown, max_size=64 * MIB, advice=_ADVICE)
    except DataError as error:
        document.diagnostics.extend(error.diagnostics)
        return document
    root = document.root
    keys = f"expected the keys {quote_all(kind.types)}" if isinstance(kind, Fields) else ""
    if root is None or (isinstance(root, Scalar) and root.is_empty):
        if keys:
            document.diagnostics.append(diagnostic_at(shown, Location(1, 1), f"the file is empty: {keys}"))
    elif keys and not isinstance(root, Mapping):
        document.report_node(root, f"{keys} at the top level, found {describe(root)}")
    else:
        document.value = kind.read(root, "", document.report_node)
    return document
