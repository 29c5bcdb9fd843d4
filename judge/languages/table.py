"""The language table: how each kind of source file becomes a program. A new language is one more row.

The commands of a row are templates with the fields `{source}`, `{binary}`, `{folder}` and the names of its tools
(`{python}`, `{cc}`, ...).

Compilers run in the sandbox, too: a compile bomb exceeds its limits and does not harm the machine.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.errors import ToolError
from judge.languages.build_cache import BuildCache, tool_fingerprint
from judge.languages.interpreters import create_bare_venv, package_fingerprint
from judge.languages.source import copy_source, java_names, read_source
from judge.model import Ending, Limits, RunResult
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.installations import base_python
from judge.sandbox.work_folder import remove
from judge.units import GIB, MIB, Bytes, Seconds, format_seconds

# Compiling needs more than running; these limits do not depend on the problem.
COMPILE_LIMITS = Limits(cpu=Seconds(30.0), wall=Seconds(61.0), memory=Bytes(2 * GIB), output=Bytes(64 * MIB))

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

_NO_CACHE = BuildCache()

SUFFIXES: frozenset[str] = frozenset(suffix for language in LANGUAGES for suffix in language.suffixes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A solution that is ready to run.

    Attributes:
        argv: the command; may contain `{heap}`, which depends on the limits of a run.
        copy: the file that runs or was compiled, so that editing the source during a run changes nothing.
    """

    language: Language
    argv: tuple[str, ...]
    source: Path
    copy: Path

    def command(self, stdin: bytes | Path, limits: Limits, arguments: tuple[str, ...] = ()) -> Command:
        """Return the command that runs the program."""
        heap = f"{limits.memory // MIB}m"
        template = self.language.run  # only words of the row, not a file name that contains the field
        argv = tuple(word.replace("{heap}", heap) if word in template else word for word in self.argv)
        return Command(
            argv=(*argv, *arguments), stdin=stdin, readable=(self.copy.parent,), may_fork=self.language.may_fork
        )

    def restore_source_path(self, text: bytes) -> bytes:
        """Return a message of the program, such as a traceback, with the path of the user's file, not of the copy."""
        return text.replace(os.fsencode(self.copy), os.fsencode(self.source))


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileError:
    """The source does not compile; `message` is the compiler's first error with its line."""

    language: Language
    message: str


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


def build(
    source: Path,
    folder: Path,
    box: Box,
    tools: Mapping[str, str] | None = None,
    cache: BuildCache = _NO_CACHE,
    *,
    text: bytes | None = None,
) -> Program | CompileError:
    """Compile a copy of a source file inside a box; for an interpreted language, parse it.

    Args:
        source: the file; absolute.
        folder: for copies, binaries and the interpreter's environment; it must outlive the runs.
        box: where the compiler runs.
        tools: overrides of tools, such as `{"python": "pypy3"}`.
        cache: programs that were compiled before.
        text: the content of the file, if it was read already.

    Raises:
        ToolError: the suffix is unknown, a tool is missing, or the source is not a regular file.
        SandboxError: the compiler could not be run.
        OSError: the source cannot be read, or the copy cannot be written.
    """
    language = find_language(source)
    text = read_source(source) if text is None else text
    if not text.strip():
        return CompileError(language=language, message="the file is empty")
    name, main = java_names(text, source.name) if language.is_java else (source.name, "")
    copy = copy_source(source, text, folder, name)
    place = copy.parent
    paths = {
        tool: create_bare_venv(folder) if _is_own_python(tool, tools) else _find_tool(language, tool, tools)
        for tool in language.tools
    }
    fields = {"source": str(copy), "binary": str(place / "program"), "folder": str(place), "main": main, **paths}
    program = Program(language=language, argv=_fill(language.run, fields), source=source, copy=copy)
    key = cache.key((language.id, *language.compile, name, text), paths.values())
    if cache.restore(key, place):
        return program
    compiler = Command(argv=_fill(language.compile, fields), readable=(place,), writable=place, may_fork=True)
    outcome = box.run(compiler, COMPILE_LIMITS)
    if outcome.result.ending is Ending.EXITED and outcome.result.exit_code == 0:
        cache.store(key, place, copy)
        return program
    error = CompileError(language=language, message=_first_error(outcome, copy))
    if outcome.result.ending is Ending.OUTPUT_LIMIT:
        remove(str(place))  # otherwise its output would occupy the disk until the judge ends
    return error


def program_fingerprint(source: Path, text: bytes, tools: Mapping[str, str]) -> tuple[str, ...]:
    """Return everything that determines what a program does, besides its input and the machine.

    Of the file, only its name counts, and `text`, its content. `tools` are overrides, as for `build`.

    Raises:
        ToolError: the suffix is unknown, or a tool is missing.
        OSError: a tool cannot be read.
    """
    language = find_language(source)
    fingerprints = []
    for tool in language.tools:
        if _is_own_python(tool, tools):  # without packages, see `interpreters`
            fingerprints.append(tool_fingerprint(base_python()))
            continue
        path = _find_tool(language, tool, tools)
        fingerprints.append(tool_fingerprint(path))
        if tool == "python":
            fingerprints += [path, *package_fingerprint(Path(path))]
    digest = hashlib.sha256(text).hexdigest()
    return (language.id, *language.compile, *language.run, source.name, digest, *fingerprints)


def describe_tools(language: Language) -> str:
    """Return the paths of a language's tools on this machine, or which tool is missing."""
    try:
        paths = [base_python() if _is_own_python(tool) else _find_tool(language, tool) for tool in language.tools]
    except ToolError as error:
        return str(error)
    return ", ".join(paths)


def _is_own_python(tool: str, tools: Mapping[str, str] | None = None) -> bool:
    """Return whether the judge's own interpreter serves as a tool."""
    return tool == "python" and not (tools or {}).get(tool)


def _find_tool(language: Language, tool: str, tools: Mapping[str, str] | None = None) -> str:
    """Return the absolute path of a compiler or interpreter.

    Raises:
        ToolError: it is not on this machine.
    """
    override = (tools or {}).get(tool)
    commands = (override,) if override else language.tools[tool]
    for command in commands:
        if path := shutil.which(command):
            return str(Path(path).absolute())
    wanted = " or ".join(f"`{command}`" for command in commands)
    raise ToolError(f"{language.name} needs {wanted}: command not found on PATH")


def _fill(template: tuple[str, ...], fields: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(fields[word[1:-1]] if word[:1] == "{" and word[1:-1] in fields else word for word in template)


STOPPED = "the compiler was stopped"  # by a limit or a signal: possibly because of the machine, not the source

# What compiler drivers print, before they exit normally, when one of their programs exceeds the file size limit.
_TOO_LARGE = ("File size limit exceeded", "File too large")
_ERROR_LINE = re.compile(r"^(?:.*?:)?(?P<line>\d+):(?:\d+:)? (?P<text>(?:fatal )?error: .*)$", re.MULTILINE)


def _first_error(outcome: Outcome, source: Path) -> str:
    """Return the first error in a compiler's messages, or all of them if none is recognized."""
    if reason := _stop_reason(outcome.result):
        return f"{STOPPED}: {reason}"
    text = outcome.result.stderr_tail.decode(errors="replace").replace(f"{source.parent}/", "").strip()
    if found := _ERROR_LINE.search(text):
        return f"line {found['line']}: {found['text']}"
    if any(words in text for words in _TOO_LARGE):
        return f"{STOPPED}: {Ending.OUTPUT_LIMIT.value} exceeded"
    return text or f"the compiler exited with status {outcome.result.exit_code} and without a message"


def _stop_reason(result: RunResult) -> str:
    match result.ending:
        case Ending.EXITED:
            return ""
        case Ending.SIGNALED:
            return f"signal {result.signal}"
        case Ending.TIME_LIMIT:
            return f"time limit exceeded: {format_seconds(COMPILE_LIMITS.cpu)}"
        case Ending.WALL_LIMIT:
            return f"wall-clock limit exceeded: {format_seconds(COMPILE_LIMITS.wall)}"
        case Ending.MEMORY_LIMIT | Ending.OUTPUT_LIMIT:
            return f"{result.ending.value} exceeded"
