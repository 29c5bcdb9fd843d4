"""From a source file to a program: copied, compiled in the sandbox, and cached by content.

Compilers run in the sandbox, too: a compile bomb exceeds its limits and does not harm the machine.
"""

import errno
import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import SandboxError
from judge.base.units import GIB, MIB, Bytes, Seconds
from judge.languages.build_cache import BuildCache
from judge.languages.options import NO_OPTIONS, BuildOptions, IncludedFolder
from judge.languages.program_source import commands_key, included_above, options_key, read_source
from judge.languages.source import PLAIN, STOPPED, Source, SourceOptions, copy_file
from judge.languages.table import Language
from judge.languages.tools import (
    choose_tools,
    debug_command,
    debug_fields,
    debugged_file,
    search_path,
    tool_fingerprint,
)
from judge.model import Ending, Limits
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.run_files import describe_full_disk
from judge.sandbox.work_folder import remove

if TYPE_CHECKING:  # most runs include nothing
    from judge.languages.options import IncludedFolder

# Compiling needs more than running; these limits do not depend on the problem.
COMPILE_LIMITS = Limits(cpu=Seconds(30.0), wall=Seconds(61.0), memory=Bytes(2 * GIB), output=Bytes(64 * MIB))

# Static data with initial values is in the program: 512 MiB of it, and as much in the object file at the same time.
COMPILE_DISK = Bytes(1152 * MIB)

_FIELD = re.compile(r"\{(\w+)\}")
_ERROR = re.compile("error: .*")
_MADE_OF_WARNING = re.compile(r".*\[-Werror[=,][-\w,=]+\]")  # GCC, Clang
_SCRATCH = ".scratch"  # the folder for a compiler's own files


class Program(Struct, frozen=True, kw_only=True):
    """A program that is ready to run.

    Attributes:
        argv: the command; may contain `{heap}`, which depends on the limits of a run.
        source: the user's file or folder.
        copy: the file that runs or was compiled, so that editing the source during a run changes nothing.
        place: the folder with the copies of all its files.
        is_folder: it consists of several files: it runs in `place`, where it may read them.
        included: the user's path of each file that comes from another folder, by its path in `place`.
        include: folders with the user's own modules, which it may read.
        readable: what else it needs to read.
        environment: variables that it needs.
        base: the program of which it is a variant; see `Command.base`.
        may_fork: as for `Source`.
        has_fork_server: as for `Command`.
    """

    language: Language
    argv: tuple[str, ...]
    source: Path
    copy: Path
    place: Path
    is_folder: bool = False
    included: Mapping[str, Path] = field(default_factory=dict)
    include: "tuple[IncludedFolder, ...]" = ()
    readable: tuple[Path, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    base: Path | None = None
    may_fork: bool = False
    has_fork_server: bool = False

    def command(self, stdin: bytes | Path, limits: Limits, arguments: tuple[str, ...] = ()) -> Command:
        """Return the command that runs the program."""
        heap = f"{limits.memory // MIB}m"
        template = self.language.run  # only words of the row, not a file name that contains the field
        argv = tuple(word.replace("{heap}", heap) if word in template else word for word in self.argv)
        return Command(
            argv=(*argv, *arguments),
            stdin=stdin,
            readable=(self.place, *(each.copy for each in self.include), *self.readable),
            cwd=self.place if self.is_folder else None,
            environment=self.environment,
            may_fork=self.language.may_fork or self.may_fork,
            is_compiled=not self.language.is_script and self.argv[0].startswith(f"{self.place}/"),
            has_fork_server=self.has_fork_server,
            needs_scratch=self.language.writes_files,
            base=self.base,
        )

    @property
    def file_names(self) -> list[str]:
        """The names of the user's files in messages of the program; the first is that of the main file."""
        others = os.listdir(self.place) if self.is_folder else ()  # noqa: PTH208 - names
        return [self.copy.name, self.source.name, *others]

    def restore_source_path(self, text: bytes) -> bytes:
        """Return a message of the program, such as a traceback, with the paths of the user's files, not of copies."""
        for folder in self.include:
            text = text.replace(os.fsencode(folder.copy), os.fsencode(folder.path))
        if not self.is_folder:
            return text.replace(os.fsencode(self.copy), os.fsencode(self.source))
        for name, path in self.included.items():
            text = text.replace(os.fsencode(self.place / name), os.fsencode(path))
        if self.source.is_dir():
            return text.replace(os.fsencode(self.place), os.fsencode(self.source))
        return text.replace(os.fsencode(self.copy), os.fsencode(self.source))


class CompileError(Struct, frozen=True, kw_only=True):
    """The source does not compile.

    Attributes:
        message: the compiler's first error with its line.
        text: everything that the compiler wrote, up to 64 KiB, with the user's paths.
        place: the folder with the copy of the source, if there is one.
    """

    message: str
    text: str = ""
    place: Path | None = None


def build(
    path: Path,
    folder: Path,
    box: Box,
    tools: Mapping[str, str] | None = None,
    cache: Path | None = None,
    *,
    text: bytes | None = None,
    source: Source | None = None,
    source_options: SourceOptions = PLAIN,
    options: BuildOptions = NO_OPTIONS,
    is_parsed: bool = True,
) -> Program | CompileError:
    """Compile a copy of a source inside a box; for an interpreted language, parse it.

    Args:
        path: the source file, or the folder with all files of the program; absolute.
        folder: for copies, binaries and the interpreter's environment; it must outlive the runs.
        box: where the compiler runs.
        tools: overrides of tools, such as `{"python": "pypy3"}`.
        cache: the folder with programs that were compiled before; None for none.
        text: the content of the file, if it was read already.
        source: the content of all files, if they were read already.
        source_options: what is known about the source besides its files; `PROGRAM` for validators and the like.
        options: flags of the compiler, and folders with the user's own headers and modules.
        is_parsed: False leaves out the parsing of Python 3: an error in the syntax then is one at run time.

    Raises:
        ToolError: the language cannot be determined, a tool is missing, or the source has a form that it cannot have.
        SandboxError: the compiler could not be run, or failed because of the machine.
        OSError: the source cannot be read, or the copy cannot be written.
    """
    source = source or read_source(path, source_options, text)
    if fault := _find_fault(source, is_in_package=source_options.root is not None):
        return CompileError(message=fault)
    place = _copy(source, folder, options)
    paths = choose_tools(source.language, tools, folder)
    fields = _fields(source, place, options, paths)
    program = _describe_program(source, place, options, fields)
    if source.language.is_script:
        search, readable = search_path(paths, folder)
        program = replace(program, readable=readable, environment={**program.environment, "PATH": search})
    if not source.language.compile or (source.language.id == "python3" and not is_parsed):
        return program
    built = BuildCache(None if options.is_debug else cache)  # a debugged program names the user's file
    parts = (*commands_key(source.language), *options_key(source, options), *source.key(), source.digest)
    key = built.key(parts, paths.values())
    if built.restore(key, place):
        return _note_fork_server(program, options)
    rejected = built.key((*parts, "rejected"), paths.values())  # apart from programs: those have files of their own
    with suppress(msgspec.DecodeError):  # nothing, or truncated by a power failure
        return msgspec.json.decode(built.read(rejected), type=CompileError)
    outcome = _compile(program, source, fields, box, options)
    if source.language.compile_runs_code:
        place.chmod(0o755)  # as before, whatever the code did
    remove(str(place / _SCRATCH))
    has_failed = outcome.result.ending is not Ending.EXITED or outcome.result.exit_code != 0
    error = _blame(outcome, program, box) if has_failed else _find_no_result(program)
    if error is None:
        built.store(key, place, source.files)
        return _note_fork_server(program, options)
    errors = _ERROR.findall(error.text)
    if errors and all(map(_MADE_OF_WARNING.fullmatch, errors)):  # depends on nothing else, such as a missing header
        built.write(rejected, msgspec.json.encode(replace(error, place=None)))
    return error


def _blame(outcome: Outcome, program: Program, box: Box) -> CompileError:
    """Return the error of a source whose compilation failed.

    Raises:
        SandboxError: the machine is to blame.
    """
    if outcome.result.ending in (Ending.EXITED, Ending.SIGNALED):
        from judge.languages.machine_faults import find_machine_fault  # most programs compile

        if fault := find_machine_fault(
            outcome, program.language, program.place, box, COMPILE_LIMITS, disk=COMPILE_DISK
        ):
            raise SandboxError(fault)
    error = _describe_failure(outcome, program)
    if outcome.result.ending is Ending.OUTPUT_LIMIT:
        remove(str(program.place))  # otherwise its output would occupy the disk until the judge ends
    return error


def _find_fault(source: Source, *, is_in_package: bool) -> str:
    """Return why a source cannot become a program, whatever its compiler says; "" if nothing is known.

    An empty source is most likely a mistake, except in a package: it may be an example that prints nothing.
    """
    if source.is_empty and not is_in_package:
        return "the file is empty" if len(source.files) == 1 else "all source files are empty"
    if source.language.is_java:
        from judge.languages.inspection import has_java_main  # most sources are in other languages

        if not any(map(has_java_main, source.files.values())):
            # As at DOMjudge (java_javac_detect): the program could not even start.
            return "no class has a `main`: expected `public static void main(String[] args)`"
    return ""


def _copy(source: Source, folder: Path, options: BuildOptions) -> Path:
    """Return a subfolder with copies of all files of a source.

    Raises:
        SandboxError: there is no space for them.
        OSError: one cannot be written.
    """
    try:
        if source.is_folder:
            from judge.languages.folder import copy_files

            return copy_files(source, folder)
        return copy_file(source, folder, "\0".join(options.key(source.language)))
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise SandboxError(describe_full_disk()) from error
        raise


def _fields(source: Source, place: Path, options: BuildOptions, paths: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of the commands of a language, and their values."""
    copy = place / source.main
    fields = {
        "source": str(copy),
        "binary": str(place / "program"),
        "folder": str(place),
        "build": str(place / "build"),
        "run": str(place / "run"),
        "main": source.entry_point,
        "scratch": str(place / _SCRATCH),
        "stem": source.main.rpartition(".")[0],
        # `-I` ignores the variable that names the folders
        "isolation": "-s" if options.include or options.variables or source.is_folder else "-I",
        **paths,
    }
    if options.is_debug:
        fields |= debug_fields(source, options.debugger, place=place)
    return fields


def _describe_program(source: Source, place: Path, options: BuildOptions, fields: Mapping[str, str]) -> Program:
    run, language = options.run or source.language.run, source.language
    if options.is_debug:
        run = debug_command(language, options.debugger)
        fields = {**fields, "source": str(debugged_file(source, place))}
    copy = place / source.main
    above = [each.copy / name for each, name in included_above(source, options)]
    return Program(
        language=language,
        argv=_fill(run, fields),
        source=source.path,
        copy=copy,
        place=place,
        is_folder=source.is_folder,
        included=source.included,
        may_fork=source.may_fork,
        include=options.include,
        readable=tuple(Path(path) for path in language.readable if os.path.exists(path)),  # noqa: PTH110 - one stat
        environment={
            **dict(zip(language.environment, _fill(language.environment.values(), fields), strict=True)),
            **options.environment(language, (copy.parent,) if source.is_folder else above),
            **options.variables,
        },
    )


def _find_no_result(program: Program) -> CompileError | None:
    """Return the error if the scripts of a program have not made what runs; compilers report that themselves."""
    run = Path(program.argv[0])
    if not program.language.is_script or (run.is_file() and run.stat().st_mode & 0o111 != 0):
        return None
    return CompileError(message="`build` ended without an executable file `run`")


def _note_fork_server(program: Program, options: BuildOptions) -> Program:
    if not (options.is_static and _static_flags(program.language, options)):
        return program
    from judge.languages.fork_server import has_fork_server

    return replace(program, has_fork_server=has_fork_server(Path(program.argv[0])))


_ERRORS_ON_STDOUT = ("pascal", "typescript", "csharp", "php", "cobol")

_known_standards: dict[str, str] = {}  # the newest standard that a compiler, by its fingerprint, has


def _compile(program: Program, source: Source, fields: Mapping[str, str], box: Box, options: BuildOptions) -> Outcome:
    """Compile; with libraries linked if the options want that and the machine has them in that form."""
    static, scratch = _static_flags(source.language, options), program.place / _SCRATCH
    if not static:
        return _compile_newest(program, source, fields, box, options)
    from judge.languages import fork_server  # most programs have none

    static += fork_server.compile_object(fields[next(iter(source.language.tools))], scratch, box, COMPILE_LIMITS)
    if options.is_static:
        outcome = _compile_newest(program, source, fields, box, replace(options, static=static))
        has_failed = outcome.result.ending is Ending.EXITED and outcome.result.exit_code
        return _compile_newest(program, source, fields, box, options) if has_failed else outcome
    compile_all = _compile_newest
    if source.language.link and len(source.sources) == 1:  # compile once, and link twice
        made = str(scratch / "program.o")
        to_object = replace(options, static=("-c",))
        outcome = _compile_newest(program, source, {**fields, "binary": made}, box, to_object)
        if outcome.result.exit_code != 0:
            return outcome
        compile_all, fields = _run_compiler, {**fields, "object": made}
    outcome = compile_all(program, source, fields, box, options)
    if outcome.result.exit_code == 0:
        compile_all(program, source, {**fields, "binary": _static_path(program)}, box, replace(options, static=static))
    return outcome


def _static_path(program: Program) -> str:
    return f"{program.argv[0]}-static"


def static_variant(program: Program) -> Program | None:
    """Return the program with its libraries that `BuildOptions.links_both` has linked beside it; None if it could not.

    Raises:
        OSError: it cannot be read.
    """
    path = Path(_static_path(program))
    if not path.exists():
        return None
    from judge.languages.fork_server import has_fork_server

    return replace(program, argv=(str(path),), has_fork_server=has_fork_server(path))


def _compile_newest(
    program: Program, source: Source, fields: Mapping[str, str], box: Box, options: BuildOptions
) -> Outcome:
    """Compile with the newest standard of the language that the compiler has.

    A compiler names the option that it does not know. So nothing has to be tried before, and usually the first fits.
    """
    language = program.language
    for name in source.sources if language.checks_each else ():
        if name != source.main:
            outcome = _run_compiler(program, source, {**fields, "source": str(program.place / name)}, box, options)
            if outcome.result.ending is not Ending.EXITED or outcome.result.exit_code != 0:
                return outcome
    compiler = next((tool_fingerprint(fields[tool]) for tool in language.tools), "")
    known = _known_standards.get(compiler)
    *newer, oldest = (known,) if known else language.standards or ("",)
    if any(flag.startswith("-std=") for flag in options.flags_of(language)):
        newer = []  # compilers that only read the last one accept any before it
    for standard in newer:
        outcome = _run_compiler(program, source, {**fields, "standard": standard}, box, options)
        if outcome.result.exit_code == 0 or standard.encode() not in outcome.stderr:
            if outcome.result.ending is Ending.EXITED:
                _known_standards[compiler] = standard
            return outcome
    return _run_compiler(program, source, {**fields, "standard": oldest}, box, options)


def _run_compiler(
    program: Program, source: Source, fields: Mapping[str, str], box: Box, options: BuildOptions
) -> Outcome:
    language, place = program.language, program.place
    template = language.link if "object" in fields else language.compile
    words = _fill((options.is_debug and language.debug.compile) or template, fields)
    flags = (*options.static, *options.flags_of(language))
    lists = {"{flags}": flags, "{sources}": [str(place / name) for name in source.sources]}
    command = Command(
        argv=tuple(part for word in words for part in lists.get(word, (word,))),
        readable=(place, *(each.copy for each in options.include), *program.readable),
        writable=place,
        disk=COMPILE_DISK,
        environment=program.environment,
        may_fork=True,
    )
    if template is language.compile and language.id == "cpp" and not (source.is_folder or options.include):
        from judge.languages.precompiled import can_use_header, run_compiler

        own = options.flags_of(language)
        if "{flags}" in template and can_use_header(source.files[source.main], own):  # not so in each row of a user
            return run_compiler(command, (*words[: template.index("{flags}")], *own), box, COMPILE_LIMITS)
    return box.run(command, COMPILE_LIMITS)


def _static_flags(language: Language, options: BuildOptions) -> tuple[str, ...]:
    is_wanted = (options.is_static or options.links_both) and not options.is_debug
    return language.static if is_wanted else ()


def _fill(template: Iterable[str], fields: Mapping[str, str]) -> tuple[str, ...]:
    """Return words with their fields filled in; what is no field stays as it is."""
    return tuple(_FIELD.sub(lambda found: fields.get(found[1], found[0]), word) for word in template)


# What compiler drivers print, before they exit normally, when one of their programs exceeds the file size limit.
_TOO_LARGE = ("File size limit exceeded", "File too large")


def _describe_failure(outcome: Outcome, program: Program) -> CompileError:
    """Return the compiler's first error, or why it was stopped before it printed one, and all that it wrote."""
    from judge.languages.messages import first_error  # most programs compile

    printed = outcome.stderr + (outcome.stdout if program.language.id in _ERRORS_ON_STDOUT else b"")
    text = program.restore_source_path(printed).decode(errors="replace")
    text = text.replace(f"{program.place}/", "").replace(str(program.place), ".")
    if program.source.is_dir():
        text = text.replace(f"{program.source}/", "")
    name = program.copy.relative_to(program.place).as_posix()
    text = text.replace(str(program.source), name)
    message = first_error(text, name)
    if not message.startswith("line "):
        if outcome.result.ending is Ending.OUTPUT_LIMIT or any(words in text for words in _TOO_LARGE):
            message = f"{STOPPED}: {Ending.OUTPUT_LIMIT.value} exceeded"
        elif reason := outcome.result.describe_stop(COMPILE_LIMITS):
            message = f"{STOPPED}: {reason}"
        elif not message:
            message = f"the compiler exited with status {outcome.result.exit_code} and without a message"
    elif message.startswith("line 1:") and program.copy.read_bytes().startswith(BOM_UTF8):
        message += "; the file begins with a byte-order mark: save it without"
    return CompileError(message=message, text=text[: 64 * 1024].strip("\n"), place=program.place)
