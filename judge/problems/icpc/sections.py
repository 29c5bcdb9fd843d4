"""Mappings of the YAML files of packages, read key by key.

Packages are read as leniently as their own tools read them: a string may be written as a number, a list of one as a
string, and what is unknown does not count. All of that is reported with its position. A key that nobody asked for is
unknown, so the code that reads a file is also the list of its keys.
"""

import dataclasses
import math
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from shlex import split
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, Severity
from judge.base.units import KIB
from judge.problems.icpc.files import PackageFolder
from judge.problems.paths import find_file_error
from judge.problems.yaml.parse import AnyNode, Location, Mapping, Scalar, Sequence, diagnostic_at, find, parse
from judge.problems.yaml.text import describe_unknown, quote, quote_all
from judge.problems.yaml.types import describe

T = TypeVar("T")

_MAX_UNKNOWN = 10  # keys of a mapping that are reported

# "General requirements" of 2025-09; the older versions mean the same numbers.
_FLOAT = re.compile(r"[+-]?(?:[0-9]*\.[0-9]+|[0-9]+\.|[0-9]+)(?:[Ee][+-]?[0-9]+)?")
_MAX_FLAGS = 10_000  # characters
_NULL = ("", "~", "null", "Null", "NULL")
_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def parse_float(text: str) -> float:
    """Parse a number as the format writes it: decimal, neither infinite nor hexadecimal.

    Raises:
        ValueError: it is not one.
    """
    value = float(text) if len(text) <= 300 and _FLOAT.fullmatch(text) else math.inf
    if math.isinf(value):
        raise ValueError(f"expected a number, found {quote(text)}")
    return value


def is_null(node: AnyNode) -> bool:
    """Return whether a value is left out, or null."""
    return isinstance(node, Scalar) and node.is_plain and node.text in _NULL


class Section(Struct):
    """A mapping of a file, or one that is absent.

    Attributes:
        node: None if it is absent.
        name: the keys that lead to it, such as `limits.time_multipliers`; "" for the whole file.
    """

    node: Mapping | None
    shown: Path
    diagnostics: list[Diagnostic]
    name: str = ""
    _asked: dict[str, None] = field(default_factory=dict)

    # ---- reports ---------------------------------------------------------------------------------------------------

    def warn(
        self,
        message: str,
        key: str = "",
        *,
        fix: str = "",
        at_key: bool = False,
        rule: str = "",
        severity: Severity = Severity.WARNING,
    ) -> None:
        """Report what is unusual, and how it is judged, at the value of a key."""
        place = self.place(key, at_key=at_key)
        self.diagnostics.append(replace(place, message=message, severity=severity, rule=rule, fix=fix))

    def error(self, message: str, key: str = "") -> None:
        """Report what keeps something from being judged, likewise."""
        self.warn(message, key, severity=Severity.ERROR)

    def note(self, message: str, key: str = "", *, fix: str = "", at_key: bool = False) -> None:
        """Report what the format does not allow, but what makes no difference to judging."""
        self.warn(message, key, fix=fix, at_key=at_key, rule="format")

    def _mismatch(self, key: str, expected: str, node: AnyNode) -> None:
        message = f"{quote(self._full(key))}: expected {expected}, found {describe(node)}; it does not count"
        place = diagnostic_at(self.shown, node.location, message)
        self.diagnostics.append(replace(place, severity=Severity.WARNING))

    def _full(self, key: str) -> str:
        return f"{self.name}.{key}" if self.name else key

    def place(self, key: str, *, at_key: bool = False) -> Diagnostic:
        """Return an error without a message at a key, for a later check of its value."""
        location = find(self.node, key, at_key=at_key).location if self.node else Location()
        return diagnostic_at(self.shown, location, "")

    # ---- values ----------------------------------------------------------------------------------------------------

    @property
    def keys(self) -> Iterable[str]:
        """The keys that are given."""
        return self.node.values if self.node else ()

    def has(self, key: str) -> bool:
        """Return whether a key is given, and not null."""
        return self._get(key) is not None

    def _get(self, key: str) -> AnyNode | None:
        self._asked[key] = None
        node = self.node.values.get(key) if self.node else None
        return None if node is None or is_null(node) else node

    def text(self, key: str) -> str | None:
        """Return a string; anything that is a single value is taken as it is written."""
        node = self._get(key)
        if isinstance(node, Scalar):
            return node.text
        if node is not None:
            self._mismatch(key, "a string", node)
        return None

    def number(self, key: str, *, above: float | None = None, minimum: float | None = None) -> float | None:
        """Return a number, more than `above` and at least `minimum`."""
        expected = "a number" + (f" above {above:g}" if above is not None else "")
        expected += f" of at least {minimum:g}" if minimum is not None else ""
        low, exclusive = -math.inf if minimum is None else minimum, -math.inf if above is None else above

        def read(text: str) -> float:
            value = parse_float(text)
            if value < low or value <= exclusive:
                raise ValueError
            return value

        return self._parse(key, expected, read)

    def boolean(self, key: str) -> bool | None:
        """Return `true` or `false`."""
        return self._parse(key, "`true` or `false`", lambda text: _BOOLEANS[text.lower()])

    def word(self, key: str, words: Iterable[str]) -> str | None:
        """Return one of the words."""
        valid = tuple(words)
        return self._parse(key, f"one of {quote_all(valid)}", lambda text: valid[valid.index(text)])

    def _parse(self, key: str, expected: str, read: Callable[[str], T]) -> T | None:
        node = self._get(key)
        if node is None:
            return None
        if isinstance(node, Scalar):
            try:
                return read(node.text.strip())
            except (ValueError, KeyError, OverflowError):
                pass
        self._mismatch(key, expected, node)
        return None

    def strings(self, key: str) -> tuple[str, ...] | None:
        """Return a list of strings; a single string is a list of one."""
        node = self._get(key)
        if node is None:
            return None
        items = node.items if isinstance(node, Sequence) else [node]
        for item in items:
            if not isinstance(item, Scalar):
                self._mismatch(key, "a list of strings", item)
        texts = tuple(item.text for item in items if isinstance(item, Scalar))
        return None if isinstance(node, Mapping) else texts

    def flags(self, key: str) -> tuple[str, ...] | None:
        """Return arguments: a list of strings, or one string that is split as a shell does."""
        node = self._get(key)
        if not isinstance(node, Scalar):
            return self.strings(key)
        if len(node.text) > _MAX_FLAGS:
            self.warn(f"{quote(self._full(key))} is longer than {_MAX_FLAGS:,} characters; it does not count", key)
            return None
        try:
            return tuple(split(node.text))
        except ValueError as error:
            message = f"{quote(self._full(key))} cannot be split into words: {error}; it is split at spaces"
            self.warn(message, key, fix="close the quote")
            return tuple(node.text.split())

    def section(self, key: str) -> "Section":
        """Return a mapping in this one; an absent one if it is not given."""
        node = self._get(key)
        if node is not None and not isinstance(node, Mapping):
            self._mismatch(key, "a mapping", node)
            node = None
        return Section(node, self.shown, self.diagnostics, self._full(key))

    def is_mapping(self, key: str) -> bool:
        """Return whether the value of a key is a mapping; this alone does not make the key known."""
        return self.node is not None and isinstance(self.node.values.get(key), Mapping)

    def is_list(self, key: str) -> bool:
        """Return whether the value of a key is a list, likewise."""
        return self.node is not None and isinstance(self.node.values.get(key), Sequence)

    def list_of(self, key: str) -> Iterable["Section | str"]:
        """Yield the items of a list, or the only value: mappings and strings."""
        node = self._get(key)
        if node is None:
            return
        for item in node.items if isinstance(node, Sequence) else (node,):
            if isinstance(item, Sequence):
                self._mismatch(key, "a string or a mapping", item)
            else:
                own = (self.shown, self.diagnostics, self._full(key))
                yield item.text if isinstance(item, Scalar) else Section(item, *own)

    def know(self, *keys: str) -> None:
        """Accept keys that are not read."""
        self._asked.update(dict.fromkeys(keys))

    def finish(self) -> None:
        """Report the keys that nobody asked for."""
        unknown = [key for key in self.keys if key not in self._asked]
        for key in unknown[:_MAX_UNKNOWN]:
            message = describe_unknown("key", key, tuple(self._asked), self.name)
            self.warn(f"{message}; it does not count", key, at_key=True)
        if len(unknown) > _MAX_UNKNOWN:
            self.warn(f"{len(unknown) - _MAX_UNKNOWN:,} more keys are unknown", unknown[_MAX_UNKNOWN], at_key=True)


def read_section(package: PackageFolder, path: Path, *, constants: dict[str, str] | None = None) -> Section:
    """Read an existing YAML file of a package, with the texts of constants for `{{name}}`; an empty one has no mapping.

    Raises:
        DataError: it cannot be read, is too large, is not YAML, or is not a mapping.
    """
    shown = package.show(path)
    data = read_file(package, path)
    if constants and b"{{" in data:
        data = substitute(data.decode(errors="surrogateescape"), constants).encode(errors="surrogateescape")
    root, diagnostics = parse(data, shown, merges=True)
    package.diagnostics.extend(replace(each, severity=Severity.WARNING) for each in diagnostics)
    if root is not None and not isinstance(root, Mapping) and not (isinstance(root, Scalar) and root.is_empty):
        message = f"expected keys with values, found {describe(root)}"
        raise DataError([diagnostic_at(shown, root.location, message)])
    return Section(root if isinstance(root, Mapping) else None, shown, package.diagnostics)


def read_file(package: PackageFolder, path: Path) -> bytes:
    """Return the bytes of a small file.

    Raises:
        DataError: it cannot be read, or is larger than 256 KiB.
    """
    if reason := find_file_error(path, max_size=256 * KIB):
        raise DataError([Diagnostic(path=package.show(path), message=reason)])
    return path.read_bytes()


def read_text(package: PackageFolder, path: Path) -> str | None:
    """Return the text of a small file; None if there is none, or if it cannot be read, which is reported."""
    try:
        return read_file(package, path).decode(errors="replace") if package.has_file(path) else None
    except DataError as error:
        package.diagnostics.extend(error.diagnostics)
        return None


_CONSTANT = re.compile(r"\{\{([a-zA-Z_][a-zA-Z0-9_]*(?:\.[a-zA-Z_][a-zA-Z0-9_]*)?)\}\}")


def substitute(text: str, constants: dict[str, str]) -> str:
    """Replace the sequences `{{name}}` of constants (2025-09, "Constants"); those of unknown names stay."""
    return _CONSTANT.sub(lambda match: constants.get(match[1], match[0]), text)


def substitute_values(mapping: Mapping, constants: dict[str, str]) -> Mapping:
    """Replace the sequences `{{name}}` of constants in the values of a mapping and of what is in it."""

    def substituted(node: AnyNode) -> AnyNode:
        if isinstance(node, Mapping):
            return substitute_values(node, constants)
        if isinstance(node, Scalar):
            return dataclasses.replace(node, text=substitute(node.text, constants))
        return dataclasses.replace(node, items=[substituted(each) for each in node.items])

    return dataclasses.replace(mapping, values={key: substituted(node) for key, node in mapping.values.items()})
