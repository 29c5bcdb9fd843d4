"""What the text of a source says: the class that runs of a program for the JVM, and whether Python is Python 2."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from judge.languages.table import Language

# ---- Java -----------------------------------------------------------------------------------------------------------

# Hostile sources must not cost more than one pass: unclosed comments and strings extend to the end, and the number of
# modifiers is bounded.
_NOT_CODE = re.compile(
    rb"""//[^\n]*|/\*.*?(?:\*/|\Z)|"{3}(?:\\?.)*?(?:"{3}|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?""", re.DOTALL
)
_CLASS = rb"(?P<public>\bpublic\s+(?:\w+\s+){0,8})?\b(?:class|record|enum|interface)\s+(?P<name>[\w$\x80-\xff]+)"
_PACKAGE = rb"\bpackage\s+(?P<package>[^\s;{}][^;{}]{0,499});"
_WORD = re.compile(_CLASS + rb"|(?P<main>\bvoid\s+main\s*\()|(?P<brace>[{}])|" + _PACKAGE)


def java_names(text: bytes, name: str) -> tuple[str, str]:
    """Return the file name that a Java compiler expects for a source, and the class whose `main` runs.

    The file has the name of its public class, if there is one.
    """
    public, main, package = _find_classes(text)
    is_usable = 0 < len(os.fsencode(public)) <= 250  # otherwise the compiler reports what is wrong
    return f"{public}.java" if is_usable else name, package + (main or public or Path(name).stem)


def has_java_main(text: bytes) -> bool:
    """Return whether a Java source has a `main`: in a class, or outside of all classes (JEP 512)."""
    return any(found["main"] for found in _java_words(text))


def _java_words(text: bytes) -> Iterator[re.Match[bytes]]:
    """Yield what says which classes a source has; comments and strings do not."""
    return _WORD.finditer(_NOT_CODE.sub(b" ", text))


def _find_classes(text: bytes) -> tuple[str, str, str]:
    """Return the public class of a Java source, the one with `main`, and the package with a dot; "" for none.

    `main` belongs to the outermost class around it.
    """
    public, main, outermost, package, depth = "", "", "", "", 0
    for found in _java_words(text):
        if found["brace"]:
            depth += 1 if found["brace"] == b"{" else -1
        elif found["package"]:
            package = package or os.fsdecode(b"".join(found["package"].split())) + "."
        elif found["main"]:
            main = main or outermost
        elif depth == 0:
            outermost = os.fsdecode(found["name"])
            public = public or (outermost if found["public"] else "")
    return public, main, package


# ---- Kotlin and Scala -----------------------------------------------------------------------------------------------

_JVM_PACKAGE = re.compile(rb"^\s*package\s+([\w.]+)", re.MULTILINE)
_KOTLIN_MAIN = re.compile(rb"^[ \t]*(?:suspend\s+|public\s+)*fun\s+main\s*\(", re.MULTILINE)
_KOTLIN_FILE = re.compile(rb'@file\s*:\s*JvmName\s*\(\s*"(\w+)"')
_SCALA_MAIN = re.compile(rb"\bdef\s+main\s*[(\[]|\bextends\s+App\b|@main\s+def\s+(\w+)")
_SCALA_OBJECT = re.compile(rb"\bobject\s+(\w+)")


def main_classes(language: Language, files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the classes with an entry point, with their packages, in sources of Java, Kotlin or Scala by name."""
    if language.is_java:
        found_in = map(_find_classes, files.values())
        yield from (package + main for _, main, package in found_in if main)
        return
    find = _kotlin_class if language.id == "kotlin" else _scala_class
    for name, text in files.items():
        if found := find(name, text):
            package = _JVM_PACKAGE.search(text)
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


# ---- programs of several files --------------------------------------------------------------------------------------

_MAIN = re.compile(rb"\bmain\s*\([^;{}]{0,500}[{=]")  # bounded, as above
_TOP_CLASS = re.compile(rb"^(?:\w+[ \t]+)*(?:class|record|enum|interface|object)[ \t]+(\w+)", re.MULTILINE)


def is_program_apart(language: Language, part: bytes, main: bytes) -> bool:
    """Return whether a source defines a `main` that the program of another source cannot have beside its own.

    Java, Kotlin and Scala run the class that is named; there, the two must declare the same class. Other languages that
    link all sources take one `main`. A call, a comment or a text defines none.
    """
    if not language.compiles_all:
        return False
    part, main = (_NOT_CODE.sub(b" ", text) for text in (part, main))
    if language.is_java or language.runs_class:
        return bool(_MAIN.search(part)) and not set(_TOP_CLASS.findall(part)).isdisjoint(_TOP_CLASS.findall(main))
    return bool(_MAIN.search(part) and _MAIN.search(main))


# ---- Python 2 -------------------------------------------------------------------------------------------------------

# Old packages of the legacy format have many sources for Python 2, most without a shebang line, which the format wants
# ("Programs" of legacy). Kattis ran `.py` with Python 2 when it was written.
_SHEBANG = re.compile(rb"#!.*(?:python|pypy)([23])")

# Strings and comments. One that is not closed ends with the line, a long one with the file.
_TEXTS = re.compile(
    rb'"""(?s:\\.|.)*?(?:"""|\Z)'
    rb"|'''(?s:\\.|.)*?(?:'''|\Z)"
    rb'|"(?:\\.|[^"\\\n])*"?'
    rb"|'(?:\\.|[^'\\\n])*'?"
    rb"|#[^\n]*"
)

# A name, a number or a string after `print` is a syntax error in Python 3; an operator is not, nor a keyword.
_KEYWORDS = rb"(?:and|else|for|if|in|is|not|or)\b"
_STATEMENT = re.compile(rb'(?:^|[:;])[ \t]*print(?:[ \t]*"|[ \t]+(?!%b)[A-Za-z0-9_])' % _KEYWORDS, re.MULTILINE)
_INPUT = re.compile(rb"\braw_input[ \t]*\(")
_DEFINITION = re.compile(rb"\b(?:def|as)[ \t]+raw_input\b|\braw_input[ \t]*=|\bexcept\b")


def is_python_2(source: bytes) -> bool:
    """Return whether a source says that it is Python 2, or cannot be anything else.

    Its first line decides if that names a version. Otherwise the source has a `print` statement, or it calls
    `raw_input` without defining it.
    """
    if found := _SHEBANG.match(source[: source.find(b"\n")] if source[:2] == b"#!" else b""):
        return found[1] == b"2"
    if b"print" not in source and b"raw_input" not in source:
        return False
    code = _TEXTS.sub(
        lambda found: b"" if found[0].startswith(b"#") else b'""', source[: 256 * 1024].replace(b"\r", b"\n")
    )
    return bool(_STATEMENT.search(code) or (_INPUT.search(code) and not _DEFINITION.search(code)))
