"""The class with the entry point of a program for the JVM, as its compiler names it. Java has rules of its own."""

import os
import re
from collections.abc import Iterator, Mapping

from judge.languages.table import Language

_PACKAGE = re.compile(rb"^\s*package\s+([\w.]+)", re.MULTILINE)
_KOTLIN_MAIN = re.compile(rb"^[ \t]*(?:suspend\s+|public\s+)*fun\s+main\s*\(", re.MULTILINE)
_KOTLIN_FILE = re.compile(rb'@file\s*:\s*JvmName\s*\(\s*"(\w+)"')
_SCALA_MAIN = re.compile(rb"\bdef\s+main\s*[(\[]|\bextends\s+App\b|@main\s+def\s+(\w+)")
_SCALA_OBJECT = re.compile(rb"\bobject\s+(\w+)")


def main_classes(language: Language, files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the classes with an entry point, with their packages.

    Args:
        language: Kotlin or Scala.
        files: the contents of its sources, by name.
    """
    find = _kotlin_class if language.id == "kotlin" else _scala_class
    for name, text in files.items():
        if found := find(name, text):
            package = _PACKAGE.search(text)
            yield f"{package[1].decode()}.{found}" if package else found


def _kotlin_class(name: str, text: bytes) -> str:
    """Return the class of a file with a top-level `main` (Kotlin's documentation, "Calling Kotlin from Java").

    Characters that no identifier has become underscores.
    """
    if not _KOTLIN_MAIN.search(text):
        return ""
    if named := _KOTLIN_FILE.search(text):
        return named[1].decode()
    stem = re.sub(r"\W", "_", os.path.basename(name).rpartition(".")[0])  # noqa: PTH119 - a name, not a file
    stem = f"_{stem}" if stem[:1].isdigit() else stem
    return f"{stem[:1].upper()}{stem[1:]}Kt"


def _scala_class(_: str, text: bytes) -> str:
    """Return the object before the entry point, or the function that is one (Scala 3)."""
    main = _SCALA_MAIN.search(text)
    if main is None:
        return ""
    if main[1]:
        return main[1].decode()
    before = _SCALA_OBJECT.findall(text, 0, main.end())
    return before[-1].decode() if before else ""
