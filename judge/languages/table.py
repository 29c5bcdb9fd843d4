"""Languages: a table of how a source file becomes a program. A new language is one more row.

A row's commands are templates; `{source}`, `{binary}`, `{folder}` and the tools' names
(`{python}`, `{cc}`, ...) are filled in.

Compilation runs in the sandbox like everything else: a compile bomb breaks its limits, not the machine.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.errors import ToolError
from judge.interpreter import bare_python, base_python, packages_of
from judge.languages.build_cache import BuildCache, identity_of
from judge.languages.source import copied, java_names, read_source
from judge.model import Ending, Limits, RunResult
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.work_folder import remove
from judge.units import GIB, MIB, Bytes, Seconds, format_seconds

# Compiling needs more than running: these are no part of a problem.
COMPILE_LIMITS = Limits(cpu=Seconds(30.0), wall=Seconds(61.0), memory=Bytes(2 * GIB), output=Bytes(64 * MIB))

# Parses the source as the interpreter would, without running it; what it prints is the traceback's last part.
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
        suffixes: of source files, lower case.
        tools: the programs that it needs: the template's name and the commands to look for, best first.
        compile: the compile command; it ends with status 0 when the source is fine.
        run: the run command; `{heap}` is the memory limit, in the way of the JVM's options.
        may_fork: programs may start processes, not only threads; for interpreters that are several programs.
        is_java: a source file is named after its public class, and the class with `main` is run.
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
        # one collector thread, so that CPU time is the program's; deep recursion as in the other languages
        run=("{java}", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xss64m", "-Xmx{heap}", "-cp", "{folder}", "{main}"),
        is_java=True,
    ),
)

_NO_CACHE = BuildCache()

SUFFIXES: frozenset[str] = frozenset(suffix for language in LANGUAGES for suffix in language.suffixes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A solution that is ready to run.

    Attributes:
        argv: the command; words may hold `{heap}`, which depends on the limits of a run.
        source: the user's file.
        copy: what is run or was compiled: an edit in the middle of a run changes nothing.
    """

    language: Language
    argv: tuple[str, ...]
    source: Path
    copy: Path

    def command(self, stdin: bytes | Path, limits: Limits, arguments: tuple[str, ...] = ()) -> Command:
        """Return what runs it."""
        heap = f"{limits.memory // MIB}m"
        own = self.language.run  # a word of the row, not the name of a file that happens to look like one
        argv = tuple(word.replace("{heap}", heap) if word in own else word for word in self.argv)
        place = (self.copy.parent,)
        return Command(
            argv=(*argv, *arguments),
            stdin=stdin,
            readable=place,
            may_fork=self.language.may_fork,
        )

    def as_users_see_it(self, text: bytes) -> bytes:
        """Return what the program wrote for people, such as a traceback, with the user's file in place of the copy."""
        return text.replace(os.fsencode(self.copy), os.fsencode(self.source))


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileError:
    """The source is no program; `message` is the compiler's first error with its line."""

    language: Language
    message: str


def language_of(source: Path) -> Language:
    """Return the language of a source file, by its suffix.

    Raises:
        ToolError: no language has this suffix; the message lists the known ones.
    """
    for language in LANGUAGES:
        if source.suffix.lower() in language.suffixes:
            return language
    known = ", ".join(sorted(SUFFIXES))
    raise ToolError(f"{source}: no language has the suffix `{source.suffix}`; known are {known}")


def build(
    source: Path,
    folder: Path,
    box: Box,
    tools: Mapping[str, str] | None = None,
    cache: BuildCache = _NO_CACHE,
    *,
    text: bytes | None = None,
) -> Program | CompileError:
    """Compile a copy of a source file (for an interpreted language: parse it) inside a box.

    Args:
        source: the file; absolute.
        folder: where copies, binaries and the interpreter's environment are made; it must outlive the runs.
        box: where the compiler runs.
        tools: overrides of tools, such as `{"python": "pypy3"}`.
        cache: what was compiled before is taken from there, and what is compiled now is kept.
        text: the file's content, where it was read already.

    Raises:
        ToolError: the suffix is unknown, a tool is not on this machine, or the source is no ordinary file.
        SandboxError: the compiler could not be run.
        OSError: the source cannot be read, or the copy cannot be written.
    """
    language = language_of(source)
    text = read_source(source) if text is None else text
    if not text.strip():
        return CompileError(language=language, message="the file is empty")
    name, main = java_names(text, source.name) if language.is_java else (source.name, "")
    copy = copied(source, text, folder, name)
    place = copy.parent
    names = {"source": str(copy), "binary": str(place / "program"), "folder": str(place), "main": main}
    for tool, candidates in language.tools.items():
        chosen = (tools or {}).get(tool)
        use_own = tool == "python" and chosen is None
        names[tool] = bare_python(folder) if use_own else find_tool(language, chosen, candidates)
    program = Program(language=language, argv=_fill(language.run, names), source=source, copy=copy)
    used = [names[tool] for tool in language.tools]
    key = cache.key((language.id, *language.compile, name, text), used)
    if cache.restore(key, place):
        return program
    compiler = Command(argv=_fill(language.compile, names), readable=(place,), workshop=place, may_fork=True)
    outcome = box.run(compiler, COMPILE_LIMITS)
    if outcome.result.ending is Ending.EXITED and outcome.result.exit_code == 0:
        cache.keep(key, place, copy)
        return program
    error = CompileError(language=language, message=_first_error(outcome, copy))
    if outcome.result.ending is Ending.OUTPUT_LIMIT:
        remove(str(place))  # else what it wrote would fill the disk until the judge ends
    return error


def identity(source: Path, text: bytes, tools: Mapping[str, str]) -> tuple[str, ...]:
    """Return all that decides what a source file's program does, besides its input and the machine.

    Args:
        source: the file; only its name counts.
        text: its content.
        tools: overrides, as for `build`.

    Raises:
        ToolError: the suffix is unknown, or a tool is not on this machine.
        OSError: a tool cannot be looked at.
    """
    language = language_of(source)
    used = []
    for tool, candidates in language.tools.items():
        chosen = tools.get(tool)
        own = tool == "python" and chosen is None
        place = base_python() if own else find_tool(language, chosen, candidates)
        used.append(identity_of(place))
        if tool == "python" and not own:  # our own has no packages, see `interpreter`
            used += [place, *packages_of(Path(place))]
    digest = hashlib.sha256(text).hexdigest()
    return (language.id, *language.compile, *language.run, source.name, digest, *used)


def tools_of(language: Language) -> str:
    """Return where a language's tools are on this machine, or which are missing."""
    found = []
    for tool, candidates in language.tools.items():
        try:
            found.append(base_python() if tool == "python" else find_tool(language, None, candidates))
        except ToolError as error:
            return str(error)
    return ", ".join(found)


def find_tool(language: Language, chosen: str | None, candidates: tuple[str, ...]) -> str:
    """Return the absolute path of a compiler or interpreter.

    Raises:
        ToolError: it is not on this machine.
    """
    for command in (chosen,) if chosen else candidates:
        if found := shutil.which(command):
            return str(Path(found).absolute())
    wanted = f"`{chosen}`" if chosen else " or ".join(f"`{command}`" for command in candidates)
    raise ToolError(f"{language.name} needs {wanted}, which is not on this machine (looked for on PATH)")


def _fill(template: tuple[str, ...], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(names[word[1:-1]] if word[:1] == "{" and word[1:-1] in names else word for word in template)


STOPPED = "the compiler was stopped"  # by a limit or a signal: perhaps the machine's fault, not the source's

# What drivers say of a part of theirs that wrote too much, before they end by themselves.
_TOO_LARGE = ("File size limit exceeded", "File too large")
_ERROR_LINE = re.compile(r"^(?:.*?:)?(?P<line>\d+):(?:\d+:)? (?P<text>(?:fatal )?error: .*)$", re.MULTILINE)


def _first_error(outcome: Outcome, source: Path) -> str:
    """Return the first error in a compiler's messages; the whole, cut, when none is recognised."""
    broken = _broken_limit(outcome.result)
    if broken:
        return f"{STOPPED}: {broken}"
    text = outcome.result.stderr_tail.decode(errors="replace").replace(f"{source.parent}/", "").strip()
    if found := _ERROR_LINE.search(text):
        return f"line {found['line']}: {found['text']}"
    if any(words in text for words in _TOO_LARGE):
        return f"{STOPPED}: it broke its {Ending.OUTPUT_LIMIT.value}"
    return text or f"the compiler ended with exit status {outcome.result.exit_code} and said nothing"


def _broken_limit(result: RunResult) -> str:
    match result.ending:
        case Ending.EXITED:
            return ""
        case Ending.SIGNALED:
            return f"signal {result.signal}"
        case Ending.TIME_LIMIT | Ending.WALL_LIMIT:
            return f"it needed more than {format_seconds(COMPILE_LIMITS.cpu)}"
        case Ending.MEMORY_LIMIT | Ending.OUTPUT_LIMIT:
            return f"it broke its {result.ending.value}"
