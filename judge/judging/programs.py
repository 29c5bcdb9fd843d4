"""The programs of one problem that judge: the first worker that needs one builds it.

Most checkers of Codeforces need `testlib.h` (https://github.com/MikeMirzayanov/testlib): that is the user's file, never
part of the judge.
"""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import astuple, replace

from judge.base.errors import DataError, Diagnostic, JudgeError, ToolError, describe_error
from judge.base.links import LinkRoot
from judge.languages.build import Program, build
from judge.languages.build_cache import Once
from judge.languages.options import BuildOptions, copy_file, copy_folder
from judge.languages.program_source import program_fingerprint, read_source
from judge.languages.source import Source, program_options
from judge.model import DEFAULT_PROGRAM_LIMITS, Limits, Problem
from judge.model.programs import JudgeProgram, Protocol
from judge.sandbox.box import Box

TESTLIB = "testlib.h"
HEADERS = (".h", ".hpp", ".hh", ".hxx")
_PACKAGE_FOLDERS = ("", "files", "output_validator", "output_validators", "input_validators", "include", "check")


class ReadyProgram(Struct, frozen=True, kw_only=True):
    """A program that judges, ready to run, with its limits.

    Attributes:
        limits: of one run; the output is standard output, standard error and all files together.
        others: further checkers, which must accept the output, too.
    """

    program: Program
    protocol: Protocol
    limits: Limits
    others: tuple["ReadyProgram", ...] = ()

    @property
    def name(self) -> str:
        """The name of its file, for messages."""
        return self.program.source.name


class UnusableProgram(Struct, frozen=True, kw_only=True):
    """A program that judges and cannot be used: it does not compile, or its compiler is missing.

    Attributes:
        path: its source, as the user should see it.
        subject: what it is and the name of its file, for messages.
        cause: what is wrong, after these.
    """

    path: Path
    subject: str
    cause: str

    @property
    def reason(self) -> str:
        """What is wrong, as a sentence."""
        return f"{self.subject} {self.cause}"

    @property
    def diagnostic(self) -> Diagnostic:
        """The error for the whole problem."""
        return Diagnostic(path=self.path, message=f"{self.reason}; no case can be judged with it")


class JudgePrograms:
    """Builds the programs of one problem that judge, each once. Its methods may be called from any thread.

    Attributes:
        interactor: of the problem, if it has one.
        passes: the highest number of passes.
        limits: of each run.

    Args:
        problem: its flags of compilers and limits of programs count.
        folder: for copies and binaries; it must outlive the runs.
        cache: the folder with programs that were compiled before; None for none.
        testlib: the user's `testlib.h`, for programs that have none.
    """

    def __init__(self, problem: Problem, folder: Path, cache: Path | None, testlib: Path | None = None) -> None:
        self.interactor, self.passes = problem.interactor, problem.passes
        self.limits = problem.checker_limits or DEFAULT_PROGRAM_LIMITS
        self._problem = problem
        self._folder = folder
        self._cache = cache
        self._testlib = testlib
        self._sources: Once[JudgeProgram, tuple[Source, BuildOptions]] = Once()
        self._identities: Once[JudgeProgram, tuple[str, ...] | None] = Once()
        self._built: Once[JudgeProgram, ReadyProgram | UnusableProgram] = Once()
        self._new_diagnostics: list[Diagnostic] = []

    def get(self, wanted: JudgeProgram, box: Box) -> ReadyProgram | UnusableProgram:
        """Return a program, built in the box on the first call."""
        return self._built.get(wanted, lambda: self._build_all(wanted, box))

    def require(self, wanted: JudgeProgram | None, box: Box) -> ReadyProgram | None:
        """Return a program as `get` does; None for none.

        Raises:
            DataError: it cannot be used.
        """
        if wanted is None:
            return None
        found = self.get(wanted, box)
        if isinstance(found, UnusableProgram):
            raise DataError([found.diagnostic])
        return found

    def take_diagnostics(self) -> list[Diagnostic]:
        """Return what is wrong with programs, each once."""
        taken, self._new_diagnostics = self._new_diagnostics, []
        return taken

    def identity(self, wanted: JudgeProgram) -> tuple[str, ...] | None:
        """Return everything that determines what a program says of an output; None if it cannot be built here."""
        return self._identities.get(wanted, lambda: self._identify(wanted))

    def _identify(self, wanted: JudgeProgram) -> tuple[str, ...] | None:
        words: list[str] = []
        try:
            for each in (wanted, *wanted.others):
                source, options = self._sources.get(each, partial(self._read, each))
                words += (*program_fingerprint(source, {}, options), each.protocol, repr(astuple(self.limits)))
        except (JudgeError, OSError):  # `get` reports it
            return None
        return tuple(words)

    def _build_all(self, wanted: JudgeProgram, box: Box) -> ReadyProgram | UnusableProgram:
        """Build a program and the further ones; the first one that cannot be used, if any, stands for all."""
        built = self._build(wanted, box)
        if isinstance(built, UnusableProgram):
            self._new_diagnostics.append(built.diagnostic)
        for each in wanted.others:
            other = self.get(each, box)
            if isinstance(built, ReadyProgram):
                is_ready = isinstance(other, ReadyProgram)
                built = replace(built, others=(*built.others, other)) if is_ready else other
        return built

    def _build(self, wanted: JudgeProgram, box: Box) -> ReadyProgram | UnusableProgram:
        try:
            source, options = self._sources.get(wanted, partial(self._read, wanted))
            built = build(wanted.source, self._folder, box, cache=self._cache, source=source, options=options)
            if isinstance(built, Program):
                return ReadyProgram(program=built, protocol=wanted.protocol, limits=self.limits)
            cause = f"does not compile: {built.message}"
        except (JudgeError, OSError) as error:
            cause = f"cannot be used: {describe_error(error)}"
        problem, name = self._problem, wanted.source.name
        graders = [each.grader for each in problem.groups.walk()] if problem.groups is not None else []
        roles = {**dict.fromkeys(graders, "grader"), problem.static_validator: "static validator"}
        usual = name.replace("_", " ") if name.endswith("_visualizer") else "checker"
        role = "interactor" if wanted == problem.interactor else roles.get(wanted, usual)
        return UnusableProgram(path=problem.show_file(wanted.source), subject=f"the {role} {name}", cause=cause)

    def _read(self, wanted: JudgeProgram) -> tuple[Source, BuildOptions]:
        """Return the source and the options of its build, read once: an edit meanwhile changes nothing."""
        source = read_source(wanted.source, program_options(self._problem, wanted.source))
        include = list(wanted.include)
        has_testlib = any(each.name == TESTLIB or (each / TESTLIB).is_file() for each in include)
        if needs_testlib(source.files.items()) and not has_testlib:
            include.append(find_testlib(wanted.source, self._problem.folder, self._testlib))
        copies = tuple((copy_folder if each.is_dir() else copy_file)(each, self._folder) for each in include)
        return source, BuildOptions(flags=self._problem.compile_flags, include=copies, is_static=True)


# ---- testlib.h -------------------------------------------------------------------------------------------------------


def needs_testlib(files: Iterable[tuple[str, bytes]]) -> bool:
    """Return whether a program includes `testlib.h` and does not bring it.

    The files are names and contents.
    """
    found = False
    for name, text in files:
        if name.rpartition("/")[2] == TESTLIB:
            return False
        found = found or TESTLIB.encode() in text
    return found


def find_testlib(source: Path, folder: Path | None, setting: Path | None) -> Path:
    """Return the `testlib.h` of a program: beside it, in the problem's folder, or what the user has set.

    Links are followed as far as `LinkRoot` allows it. The setting is the file, or its folder.

    Raises:
        ToolError: there is none; the message says where it was looked for, and what to do.
    """
    named = [folder / name for name in _PACKAGE_FOLDERS] if folder is not None else []
    beside = source if source.is_dir() else source.parent
    places = [place for place in dict.fromkeys((beside, *named)) if place.is_dir()]
    for place in places:
        path = place / TESTLIB
        if path.is_file() and (folder is None or LinkRoot.of(folder).find_error(path) is None):
            return path
    if setting is not None:
        path = setting / TESTLIB if setting.is_dir() else setting
        if path.is_file():
            return path
        raise ToolError(f"{path}, which the setting `testlib` names, is not a file; correct the setting")
    looked = ", ".join(str(place) for place in places)
    raise ToolError(
        f"testlib.h is not in {looked}; download it from https://github.com/MikeMirzayanov/testlib and put it there, "
        'or set its path in a settings file: testlib = "PATH"'
    )
