"""From a source file to a program: copied, compiled in the sandbox, and cached by content.

Compilers run in the sandbox, too: a compile bomb exceeds its limits and does not harm the machine.
"""

import hashlib
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from judge.errors import ToolError
from judge.languages.build_cache import BuildCache, tool_fingerprint
from judge.languages.interpreters import create_bare_venv, find_python2, package_fingerprint
from judge.languages.options import NO_OPTIONS, BuildOptions
from judge.languages.source import copy_source, java_names, read_source
from judge.languages.table import Language, find_language
from judge.model import Ending, Limits, RunResult
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.installations import base_python
from judge.sandbox.work_folder import remove
from judge.units import GIB, MIB, Bytes, Seconds, format_seconds

if TYPE_CHECKING:  # most runs include nothing
    from judge.languages.include import IncludedFolder

# Compiling needs more than running; these limits do not depend on the problem.
COMPILE_LIMITS = Limits(cpu=Seconds(30.0), wall=Seconds(61.0), memory=Bytes(2 * GIB), output=Bytes(64 * MIB))

# Static data with initial values is in the program: 512 MiB of it, and as much in the object file at the same time.
COMPILE_DISK = Bytes(1152 * MIB)

_NO_CACHE = BuildCache()


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A solution that is ready to run.

    Attributes:
        argv: the command; may contain `{heap}`, which depends on the limits of a run.
        source: the user's file.
        copy: the file that runs or was compiled, so that editing the source during a run changes nothing.
        include: folders with the user's own modules, which it may read.
        environment: variables that it needs.
    """

    language: Language
    argv: tuple[str, ...]
    source: Path
    copy: Path
    include: "tuple[IncludedFolder, ...]" = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    def command(self, stdin: bytes | Path, limits: Limits, arguments: tuple[str, ...] = ()) -> Command:
        """Return the command that runs the program."""
        heap = f"{limits.memory // MIB}m"
        template = self.language.run  # only words of the row, not a file name that contains the field
        argv = tuple(word.replace("{heap}", heap) if word in template else word for word in self.argv)
        return Command(
            argv=(*argv, *arguments),
            stdin=stdin,
            readable=(self.copy.parent, *(each.copy for each in self.include)),
            environment=self.environment,
            may_fork=self.language.may_fork,
        )

    def restore_source_path(self, text: bytes) -> bytes:
        """Return a message of the program, such as a traceback, with the paths of the user's files, not of copies."""
        for folder in self.include:
            text = text.replace(os.fsencode(folder.copy), os.fsencode(folder.path))
        return text.replace(os.fsencode(self.copy), os.fsencode(self.source))


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileError:
    """The source does not compile; `message` is the compiler's first error with its line."""

    language: Language
    message: str


def build(
    source: Path,
    folder: Path,
    box: Box,
    tools: Mapping[str, str] | None = None,
    cache: BuildCache = _NO_CACHE,
    *,
    text: bytes | None = None,
    options: BuildOptions = NO_OPTIONS,
) -> Program | CompileError:
    """Compile a copy of a source file inside a box; for an interpreted language, parse it.

    Args:
        source: the file; absolute.
        folder: for copies, binaries and the interpreter's environment; it must outlive the runs.
        box: where the compiler runs.
        tools: overrides of tools, such as `{"python": "pypy3"}`.
        cache: programs that were compiled before.
        text: the content of the file, if it was read already.
        options: flags of the compiler, and folders with the user's own headers and modules.

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
    copy = copy_source(source, text, folder, name, "\0".join(options.key(language)))
    place = copy.parent
    paths = {
        tool: create_bare_venv(folder) if _is_own_python(tool, tools) else _find_tool(language, tool, tools)
        for tool in language.tools
    }
    fields = {
        "source": str(copy),
        "binary": str(place / "program"),
        "folder": str(place),
        "main": main,
        "isolation": "-s" if options.include else "-I",  # `-I` ignores the variable that names the folders
        **paths,
    }
    environment = options.environment(language)
    run = language.run
    if options.is_debug:
        from judge.languages.debugging import debug_command, debug_fields

        run = debug_command(language, options.debugger)
        fields |= debug_fields(language, options.debugger, source=source, place=place)
    program = Program(
        language=language,
        argv=_fill(run, {**fields, "source": str(source)} if options.is_debug else fields),
        source=source,
        copy=copy,
        include=options.include,
        environment=environment,
    )
    if options.is_debug:
        cache = _NO_CACHE  # the program names the user's file
    key = cache.key((*_commands(language), *options.key(language), name, text), paths.values())
    if cache.restore(key, place):
        return program
    outcome = _compile(program, fields, box, options)
    if outcome.result.ending is Ending.EXITED and outcome.result.exit_code == 0:
        cache.store(key, place, copy)
        return program
    error = CompileError(language=language, message=_describe_failure(outcome, program))
    if outcome.result.ending is Ending.OUTPUT_LIMIT:
        remove(str(place))  # otherwise its output would occupy the disk until the judge ends
    return error


_known_standards: dict[str, str] = {}  # the newest standard that a compiler, by its fingerprint, has


def _compile(program: Program, fields: Mapping[str, str], box: Box, options: BuildOptions) -> Outcome:
    """Compile with the newest standard of the language that the compiler has.

    A compiler names the option that it does not know. So nothing has to be tried before, and usually the first fits.
    """
    language = program.language
    compiler = next((tool_fingerprint(fields[tool]) for tool in language.tools), "")
    known = _known_standards.get(compiler)
    *newer, oldest = (known,) if known else language.standards or ("",)
    for standard in newer:
        outcome = _run_compiler(program, {**fields, "standard": standard}, box, options)
        if outcome.result.exit_code == 0 or standard.encode() not in outcome.stderr:
            if outcome.result.ending is Ending.EXITED:
                _known_standards[compiler] = standard
            return outcome
    return _run_compiler(program, {**fields, "standard": oldest}, box, options)


def _run_compiler(program: Program, fields: Mapping[str, str], box: Box, options: BuildOptions) -> Outcome:
    language, place = program.language, program.copy.parent
    flags = options.flags_of(language)
    words = _fill((options.is_debug and language.debug.compile) or language.compile, fields)
    command = Command(
        argv=tuple(part for word in words for part in (flags if word == "{flags}" else (word,))),
        readable=(place, *(each.copy for each in options.include)),
        writable=place,
        disk=COMPILE_DISK,
        environment=program.environment,
        may_fork=True,
    )
    return box.run(command, COMPILE_LIMITS)


def _commands(language: Language) -> tuple[str, ...]:
    return (language.id, *language.standards, *language.compile)


def program_fingerprint(
    source: Path, text: bytes, tools: Mapping[str, str], options: BuildOptions = NO_OPTIONS
) -> tuple[str, ...]:
    """Return everything that determines what a program does, besides its input and the machine.

    Args:
        source: the file; only its name counts.
        text: its content.
        tools: overrides, as for `build`.
        options: as for `build`.

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
        if tool.startswith("python"):
            fingerprints += [path, *package_fingerprint(Path(path))]
    digest = hashlib.sha256(text).hexdigest()
    return (*_commands(language), *language.run, *options.key(language), source.name, digest, *fingerprints)


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
    if tool == "python2" and not override:
        return find_python2(commands)
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


def _describe_failure(outcome: Outcome, program: Program) -> str:
    """Return the compiler's first error, or why it was stopped before it printed one."""
    from judge.languages.messages import first_error  # most programs compile

    text = program.restore_source_path(outcome.stderr).decode(errors="replace")
    text = text.replace(f"{program.copy.parent}/", "").replace(str(program.source), program.copy.name)
    message = first_error(text, program.copy.name)
    if message.startswith("line "):
        return message
    if reason := _stop_reason(outcome.result):
        return f"{STOPPED}: {reason}"
    if any(words in text for words in _TOO_LARGE):
        return f"{STOPPED}: {Ending.OUTPUT_LIMIT.value} exceeded"
    if message:
        return message
    return f"the compiler exited with status {outcome.result.exit_code} and without a message"


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
