"""The language table: how each kind of source file becomes a program. A new language is one more row.

The commands of a row are templates with the fields `{source}`, `{binary}`, `{folder}` and the names of its tools
(`{python}`, `{cc}`, ...); `judge.languages.program` carries them out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.errors import ToolError

# Parses the source as the interpreter would, without running it; prints the last part of the traceback.
_PARSE = """\
import sys
path = sys.argv[1]
try:
    compile(open(path, "rb").read(), path, "exec", dont_inherit=True)
except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
    place = "line %s: " % error.lineno if getattr(error, "lineno", None) else ""
    text = (getattr(error, "text", None) or "").strip()
    what = getattr(error, "msg", None) or str(error) or type(error).__name__
    sys.exit(place + what + (": " + text[:200] if text else ""))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One row of the table.

    Attributes:
        suffixes: of source files, in lower case.
        tools: the programs that it needs: the name in templates, and the commands to look for, best first.
        compile: the compile command; exit status 0 means that the source is valid.
        run: the run command; `{heap}` is the memory limit in the form of the JVM's options.
        may_fork: programs may start processes, not only threads; for interpreters that consist of several programs.
        is_java: a source file has the name of its public class, and the class with `main` runs.
    """

    id: str
    name: str
    suffixes: tuple[str, ...]
    tools: Mapping[str, tuple[str, ...]]
    compile: tuple[str, ...]
    run: tuple[str, ...]
    may_fork: bool = False
    is_java: bool = False


LANGUAGES: tuple[Language, ...] = (
    Language(
        id="python3",
        name="Python 3",
        suffixes=(".py",),
        tools={"python": ("python3",)},
        compile=("{python}", "-I", "-S", "-c", _PARSE, "{source}"),
        run=("{python}", "-I", "{source}"),
    ),
    Language(
        id="c",
        name="C",
        suffixes=(".c",),
        tools={"cc": ("gcc", "cc", "clang")},
        compile=("{cc}", "-O2", "-std=gnu17", "-o", "{binary}", "{source}", "-lm"),
        run=("{binary}",),
    ),
    Language(
        id="cpp",
        name="C++",
        suffixes=(".cpp", ".cc", ".cxx", ".c++"),
        tools={"cxx": ("g++", "c++", "clang++")},
        compile=("{cxx}", "-O2", "-std=gnu++17", "-o", "{binary}", "{source}"),
        run=("{binary}",),
    ),
    Language(
        id="java",
        name="Java",
        suffixes=(".java",),
        tools={"javac": ("javac",), "java": ("java",)},
        compile=(
            "{javac}",
            "-J-XX:+UseSerialGC",
            "-J-XX:-UsePerfData",
            "-encoding",
            "UTF-8",
            "-d",
            "{folder}",
            "{source}",
        ),
        # one collector thread, so that the CPU time is the program's; deep recursion as in the other languages
        run=("{java}", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xss64m", "-Xmx{heap}", "-cp", "{folder}", "{main}"),
        is_java=True,
    ),
)

SUFFIXES: frozenset[str] = frozenset(suffix for language in LANGUAGES for suffix in language.suffixes)


def find_language(source: Path) -> Language:
    """Return the language of a source file, by its suffix.

    Raises:
        ToolError: no language has this suffix; the message lists the known ones.
    """
    for language in LANGUAGES:
        if source.suffix.lower() in language.suffixes:
            return language
    known = ", ".join(sorted(SUFFIXES))
    raise ToolError(f"{source}: no language has the suffix `{source.suffix}`; expected one of {known}")
