"""One YAML file: its value, the places of its parts, its findings."""

from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG
from typing import Generic, TypeVar

from msgspec import Struct

from judge.errors import Diagnostic
from judge.problems.yaml.parse import Location, Mapping, Mistake, Node, Scalar, Sequence, UnreadableError, parse
from judge.problems.yaml.readers import found, struct_reader
from judge.problems.yaml.scalars import listed

_LARGEST = 64 * 1024 * 1024  # bytes; larger inputs belong into files of their own

T = TypeVar("T", bound=Struct)


@dataclass(slots=True, kw_only=True)
class Document(Generic[T]):
    """A file that was read, mistakes and all.

    Attributes:
        file: the file as messages show it.
        value: None when nothing could be read; may hold BROKEN wherever there is a mistake.
        mistakes: all so far; whoever knows more about the value adds to them with `report`.
    """

    file: Path
    value: T | None = None
    root: Node | None = None
    mistakes: list[Mistake] = field(default_factory=list)

    def report(self, message: str, *path: str | int, at_key: bool = False) -> None:
        """Add a mistake at the value, or at the key, that `path` leads to: `"cases", 3, "generate"`."""
        self.mistakes.append(Mistake(self.place(*path, at_key=at_key), message))

    def place(self, *path: str | int, at_key: bool = False) -> Location:
        """Return where the value, or its key, stands; where the path ends early, that place."""
        node: Node | None = self.root
        key: Scalar | None = None
        for step in path:
            if isinstance(node, Mapping) and isinstance(step, str) and step in node.values:
                key = node.keys[step]
                node = node.values[step]
            elif isinstance(node, Sequence) and isinstance(step, int):
                node, key = node.items[step], None
            else:
                break
        at = key if key and at_key else node
        return at.place if at else Location()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The mistakes in the order of their places."""
        ordered = sorted(self.mistakes, key=lambda mistake: (mistake.place.line, mistake.place.column))
        return tuple(
            Diagnostic(path=self.file, line=mistake.place.line, column=mistake.place.column, message=mistake.message)
            for mistake in ordered
        )


def read(path: Path, shown: Path, struct: type[T]) -> Document[T]:
    """Read a YAML file as a Struct; every mistake becomes a finding of the document.

    Args:
        path: the file.
        shown: the file as messages should show it.
        struct: the type of the whole file; `judge.problems.yaml.readers` says which types it may be made of.
    """
    document: Document[T] = Document(file=shown)
    try:
        document.root, document.mistakes = parse(_data(path))
        document.value = _value(document.root, struct, document.mistakes)
    except UnreadableError as error:
        document.mistakes.append(error.mistake)
    return document


def _value(root: Node | None, struct: type[T], mistakes: list[Mistake]) -> T | None:
    reader = struct_reader(struct)
    if root is None or (isinstance(root, Scalar) and root.plain and not root.text):
        mistakes.append(Mistake(Location(1, 1), f"the file is empty: expected the keys {listed(reader.fields)}"))
        return None
    if not isinstance(root, Mapping):
        message = f"expected the keys {listed(reader.fields)} at the top, found {found(root)}"
        mistakes.append(Mistake(root.place, message))
        return None
    value = reader.read(root, "", mistakes)
    assert isinstance(value, struct)
    return value


def _data(path: Path) -> bytes:
    try:
        state = path.stat()
        if not S_ISREG(state.st_mode):
            raise UnreadableError("not a file: put a YAML file here, or remove it")
        if state.st_size > _LARGEST:
            raise UnreadableError("larger than 64 MiB: put large inputs into files of their own, `input_file: ...`")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UnreadableError(f"cannot be read: {reason}") from error
