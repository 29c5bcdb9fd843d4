"""The language table: how each kind of source file becomes a program. A new language is one more row.

The commands of a row are templates with the fields `{source}` (the file that runs), `{sources}` (all of the language),
`{binary}`, `{folder}` and the names of its tools (`{python}`, `{cc}`, ...); `Language` describes the other fields.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from judge.errors import ToolError

# Parses the source as the interpreter would, without running it; prints the last part of the traceback. `compile`
# accepts bytes in comments that are not text in the file's encoding; the interpreter does not.
_PARSE = r"""
import sys
def parse(path):
    with open(path, "rb") as file:
        source = file.read()
    encoding = "ascii" if sys.version_info[0] == 2 and source[:3] != b"\xef\xbb\xbf" else "utf-8"
    try:
        source.decode(encoding)
    except UnicodeDecodeError:
        import re
        first_lines = b"\n".join(source.split(b"\n", 2)[:2])
        found = re.search(br"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", first_lines, re.MULTILINE)
        encoding = found.group(1).decode("ascii") if found else encoding
        try:
            source.decode(encoding)
        except UnicodeDecodeError as error:
            line = source.count(b"\n", 0, error.start) + 1
            byte = ord(source[error.start:error.start + 1])
            sys.exit("%sline %d: byte 0x%02x is not %s; save the file as UTF-8, or declare its encoding (PEP 263)" % (
                file_name(path), line, byte, encoding))
        except LookupError:
            pass
    try:
        compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RuntimeError) as error:
        place = "line %s: " % error.lineno if getattr(error, "lineno", None) else ""
        text = (getattr(error, "text", None) or "").strip()
        what = getattr(error, "msg", None) or str(error) or type(error).__name__
        sys.exit(file_name(path) + place + what + (": " + text[:200] if text else ""))
def file_name(path):
    return path + ", " if len(sys.argv) > 2 else ""
for path in sys.argv[1:]:
    parse(path)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Debugging:
    """How programs of a language are built and run for `judge debug`; what is empty is as for a usual run.

    Attributes:
        compile: the compile command; `{map}` makes messages and debuggers name the user's file, not its copy.
        run: the run command.
        debuggers: commands of interactive debuggers, by name; in their words, `{input}` is the file for standard input.
        environment: variables for the run.
    """

    compile: tuple[str, ...] = ()
    run: tuple[str, ...] = ()
    debuggers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)


# The input comes from a file; the terminal stays the debugger's. `start` stops at the first line of `main`.
_GDB = ("{gdb}", "-q", "-ex", "set args < '{input}'", "-ex", "start", "{binary}")

# Sanitizers stop at the first undefined behaviour and print where it is. Memory that is never freed is usual here, and
# gdb does not go together with the search for it.
_SANITIZERS = ("-g", "-O0", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_SANITIZER_OPTIONS = {"ASAN_OPTIONS": "detect_leaks=0:print_legend=0", "UBSAN_OPTIONS": "print_stacktrace=1"}


# The Development Mode of Python, but without warnings about files that are not closed, as in `open(0).read()`.
_PYTHON_DEBUG = ("{python}", "{isolation}", "-X", "dev", "-W", "ignore::ResourceWarning")


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One row of the table.

    Attributes:
        suffixes: of source files. Those with a capital letter count as written (`.C`), the others in any case.
        tools: the programs that it needs: the name in templates, and the commands to look for, best first.
        compile: the compile command, if any; exit status 0 means that the source is valid. `{standard}` is the first of
            `standards` that the compiler knows, `{flags}` what the problem and the user add.
        standards: options that name a version of the language, newest first.
        run: the run command; `{heap}` is the memory limit in the form of the JVM's options, `{isolation}` the option
            that hides the user's modules, or, if folders are included, only those of the user's site-packages.
        include: environment variables for folders with the user's headers or modules; `{include}` is their list.
        debug: what differs for `judge debug`.
        may_fork: programs may start processes, not only threads; for interpreters that consist of several programs.
        is_java: a source file has the name of its public class, and the class with `main` runs.
        is_script: programs are scripts of a problem package, which may use the tools that those may expect.
        main_files: of several files, the one that runs, by its name; the first that exists counts.
        compiles_all: all files are compiled together, and none of them is the one that runs.
        other_suffixes: of files that belong to a program if its language is known; they do not determine it.
    """

    id: str
    name: str
    suffixes: tuple[str, ...]
    tools: Mapping[str, tuple[str, ...]]
    compile: tuple[str, ...]
    run: tuple[str, ...]
    standards: tuple[str, ...] = ()
    include: Mapping[str, str] = field(default_factory=dict)
    debug: Debugging = Debugging()
    may_fork: bool = False
    is_java: bool = False
    is_script: bool = False
    main_files: tuple[str, ...] = ()
    compiles_all: bool = False
    other_suffixes: tuple[str, ...] = ()

    @property
    def takes_flags(self) -> bool:
        """Whether a problem or the user can add flags to the compile command."""
        return "{flags}" in self.compile


LANGUAGES: tuple[Language, ...] = (
    Language(
        id="python3",
        name="Python 3",
        suffixes=(".py", ".py3"),
        tools={"python": ("python3",)},
        compile=("{python}", "-I", "-S", "-c", _PARSE, "{sources}"),
        run=("{python}", "{isolation}", "{source}"),
        include={"PYTHONPATH": "{include}", "PYTHONSAFEPATH": "1"},
        main_files=("__main__.py", "main.py"),
        debug=Debugging(
            run=(*_PYTHON_DEBUG, "{source}"),
            debuggers={"pdb": (*_PYTHON_DEBUG, "{pdb}", "{source}", "{input}")},
        ),
    ),
    Language(
        id="python2",
        name="Python 2",
        suffixes=(".py2",),
        tools={"python2": ("python2.7", "python2", "pypy2.7", "pypy2", "pypy")},
        compile=("{python2}", "-E", "-S", "-c", _PARSE, "{sources}"),
        run=("{python2}", "-s", "{source}"),
        include={"PYTHONPATH": "{include}"},
        main_files=("__main__.py", "__main__.py2", "main.py", "main.py2"),
        other_suffixes=(".py",),
    ),
    Language(
        id="c",
        name="C",
        suffixes=(".c",),
        tools={"cc": ("gcc", "cc", "clang")},
        compile=("{cc}", "-O2", "-std=gnu17", "{flags}", "-o", "{binary}", "-x", "c", "{sources}", "-x", "none", "-lm"),
        run=("{binary}",),
        include={"CPATH": "{include}"},
        compiles_all=True,
        debug=Debugging(
            compile=(
                *("{cc}", "-std=gnu17", "{flags}", *_SANITIZERS, "{map}"),
                *("-o", "{binary}", "-x", "c", "{sources}", "-x", "none", "-lm"),
            ),
            debuggers={"gdb": _GDB},
            environment=_SANITIZER_OPTIONS,
        ),
    ),
    Language(
        id="cpp",
        name="C++",
        suffixes=(".cpp", ".cc", ".cxx", ".c++", ".cp", ".C"),
        tools={"cxx": ("g++", "c++", "clang++")},
        compile=("{cxx}", "-O2", "{standard}", "{flags}", "-o", "{binary}", "-x", "c++", "{sources}"),
        debug=Debugging(
            compile=(
                *("{cxx}", "{standard}", "{flags}", *_SANITIZERS, "-D_GLIBCXX_DEBUG", "{map}"),
                *("-o", "{binary}", "-x", "c++", "{sources}"),
            ),
            debuggers={"gdb": _GDB},
            environment=_SANITIZER_OPTIONS,
        ),
        # published standards only; older compilers know them by their working names
        standards=("-std=gnu++23", "-std=gnu++2b", "-std=gnu++20", "-std=gnu++2a", "-std=gnu++17"),
        run=("{binary}",),
        include={"CPATH": "{include}"},
        compiles_all=True,
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
            "{flags}",
            "-d",
            "{folder}",
            "{sources}",
        ),
        # one collector thread, so that the CPU time is the program's; deep recursion as in the other languages
        run=("{java}", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xss64m", "-Xmx{heap}", "-cp", "{folder}", "{main}"),
        include={"CLASSPATH": "{include}"},
        debug=Debugging(run=("{java}", "-ea", "-Xss64m", "-cp", "{folder}", "{main}")),
        is_java=True,
        compiles_all=True,
    ),
)

SUFFIXES: frozenset[str] = frozenset(suffix.lower() for language in LANGUAGES for suffix in language.suffixes)
"""The suffixes of source files, in lower case."""


def find_language(source: Path) -> Language:
    """Return the language of a source file, by its suffix.

    Raises:
        ToolError: no language has this suffix; the message lists the known ones.
    """
    for suffix in (source.suffix, source.suffix.lower()):
        for language in LANGUAGES:
            if suffix in language.suffixes:
                return language
    known = ", ".join(sorted(SUFFIXES))
    raise ToolError(f"{source}: no language has the suffix `{source.suffix}`; expected one of {known}")


def language_by_id(language_id: str, source: Path) -> Language:
    """Return the language with an id.

    Raises:
        ToolError: there is none; the message names the source and lists the known ones.
    """
    for language in LANGUAGES:
        if language.id == language_id:
            return language
    known = ", ".join(language.id for language in LANGUAGES)
    raise ToolError(f"{source}: the language `{language_id}` is not known; expected one of {known}")
