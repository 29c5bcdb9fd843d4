"""The folder of a package: which names count, which links lead out of it, which programs it has, and its version."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, Severity
from judge.base.links import LinkRoot
from judge.languages.table import SCRIPTS, is_source
from judge.model import Problem
from judge.model.programs import JudgeProgram
from judge.problems.paths import find_file_error, is_folder, is_leftover, listing_error, shown_path
from judge.problems.yaml.text import quote, quote_all

# "General requirements" of every version. legacy-icpc forbids some more names, which its tools accept.
NAME = re.compile(r"[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}")
_MAX_REPORTED = 20  # files of a folder with which the same is wrong
_MAX_DIAGNOSTICS = 1000


class PackageFolder(Struct, frozen=True):
    """The folder of a package, and what is found to be wrong with its files.

    Attributes:
        path: the folder, absolute.
        shown: the folder as messages show it.
        links: where links may lead.
    """

    path: Path
    shown: Path
    links: LinkRoot
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _reported: set[Diagnostic] = field(default_factory=set)

    @classmethod
    def at(cls, folder: Path, root_for_display: Path | None = None) -> "PackageFolder":
        """Return the folder at a path; messages show paths relative to a folder around it, or absolute ones."""
        absolute = Path(os.path.abspath(folder))  # noqa: PTH100 - not resolve(): a link keeps its name
        shown = shown_path(absolute, root_for_display) if root_for_display else absolute
        return cls(absolute, shown, LinkRoot.of(absolute))

    @classmethod
    def load(
        cls, folder: Path, root_for_display: Path, read: "Callable[[PackageFolder], Problem]"
    ) -> tuple[Problem, list[Diagnostic]]:
        """Read a package; return the problem, and what is wrong.

        Errors are about parts that are not judged, such as a case without an answer; warnings are about what is
        unusual, with the rule `format` if it makes no difference to judging.

        Raises:
            DataError: nothing of the package can be judged; carries all diagnostics.
        """
        package = cls.at(folder, root_for_display)
        try:
            problem = read(package)
        except DataError as error:
            raise DataError([*package.found(), *error.diagnostics]) from error
        return problem, package.found()

    def show(self, path: Path | str) -> Path:
        """Return a path in the package as messages show it."""
        return self.shown / os.path.relpath(path, self.path)

    def error(
        self, path: Path | str, message: str, *, fix: str = "", rule: str = "", severity: Severity = Severity.ERROR
    ) -> None:
        """Report what keeps a part of the package from being judged, or what a complete package needs."""
        self.add(Diagnostic(path=self.show(path), severity=severity, message=message, fix=fix, rule=rule))

    def warn(self, path: Path | str, message: str, *, fix: str = "", rule: str = "") -> None:
        """Report what is unusual, and how it is judged; with the rule `format` if it makes no difference there."""
        self.error(path, message, fix=fix, rule=rule, severity=Severity.WARNING)

    def warn_all(
        self, folder: Path, names: Sequence[str], message: str, *, fix: str, rule: str = "", is_error: bool = False
    ) -> None:
        """Report the same of several files in a folder; of many, the first ones and the number of the others."""
        report = self.error if is_error else self.warn
        for name in names[:_MAX_REPORTED]:
            report(folder / name, message, fix=fix, rule=rule)
        if len(names) > _MAX_REPORTED:
            report(folder, f"{len(names) - _MAX_REPORTED:,} more files like the last one: it {message}", rule=rule)

    def add(self, diagnostic: Diagnostic) -> None:
        """Add what is wrong, once."""
        if diagnostic not in self._reported:  # some folders are listed more than once
            self._reported.add(diagnostic)
            self.diagnostics.append(diagnostic)

    def found(self) -> list[Diagnostic]:
        """Return what was found to be wrong; of very much, the beginning."""
        if len(self.diagnostics) <= _MAX_DIAGNOSTICS:
            return self.diagnostics
        rest = f"{len(self.diagnostics) - _MAX_DIAGNOSTICS:,} more errors and warnings are not shown"
        return [*self.diagnostics[:_MAX_DIAGNOSTICS], Diagnostic(path=self.shown, message=rest)]

    def leads_out(self, path: Path | str) -> bool:
        """Return whether a path is, or goes through, a link to where links must not lead; see `LinkRoot`."""
        return self.links.find_error(path) is not None

    def scan(self, folder: Path) -> Sequence[os.DirEntry[str]]:
        """Return the entries of a folder that count, by name; none if there is no such folder.

        Left out are hidden files and those of editors and compilers; and, with a diagnostic, links that lead out.
        """
        try:
            with os.scandir(folder) as entries:
                found = sorted((entry for entry in entries if not is_leftover(entry.name)), key=lambda each: each.name)
        except FileNotFoundError:
            return ()
        except NotADirectoryError:
            self.error(folder, "is a file: expected a folder")
            return ()
        except OSError as error:
            self.diagnostics.append(listing_error(self.show(folder), error))
            return ()
        kept = []
        for entry in found:
            reason = self.links.find_error(entry.path) if entry.is_symlink() else None
            if entry.is_symlink() and not reason and not os.path.exists(entry.path):  # noqa: PTH110 - a Path costs more
                reason = "is a broken link"
            if reason:
                self.error(entry.path, reason, fix="remove it, or copy the file into the package")
            else:
                kept.append(entry)
        return kept

    def walk(self, folder: Path) -> Iterator[Path]:
        """Yield the files in a folder and below, of at most 1,000 entries: links may make a folder endless."""
        waiting, limit = [folder], 1000
        while waiting:
            entries = self.scan(waiting.pop(0))
            for entry in entries[:limit]:
                if is_folder(entry):
                    waiting.append(Path(entry.path))
                elif entry.is_file():
                    yield Path(entry.path)
            limit -= len(entries)
            if limit <= 0:
                return

    def has_file(self, path: Path) -> bool:
        """Return whether there is a readable file in the package; anything else that has the name is reported."""
        if not os.path.lexists(path):
            return False
        reason = find_file_error(path) or self.links.find_error(path)
        if reason:
            self.error(path, reason)
        return reason is None

    def has_folder(self, path: Path) -> bool:
        """Return whether there is a folder in the package; a link that leads out is reported."""
        if not path.is_dir():
            return False
        if reason := self.links.find_error(path):
            self.error(path, reason, fix="copy the folder into the package")
            return False
        return True


def is_valid_name(name: str) -> bool:
    """Return whether the format allows a name; files with other names do not count.

    It does not allow `+`, but its table of languages has the suffix `.c++`.
    """
    return NAME.fullmatch(name.removesuffix(".c++")) is not None


INVALID_NAME = "is not judged: the format does not allow this name"
NAME_FIX = "use letters, digits, `_`, `-` and `.`, and begin with a letter, a digit or `_`"


# ---- statements ("Problem statements") ---------------------------------------------------------------------------

STATEMENT_FOLDERS = ("statement", "problem_statement", "")  # the last is DOMjudge's place for a PDF file


def find_statements(package: PackageFolder) -> dict[str, Path]:
    """Return the statements by language, "" where a file names none; Markdown before LaTeX before PDF.

    English comes first, then what names no language.
    """
    found: dict[str, Path] = {}
    for folder in (package.path / name for name in STATEMENT_FOLDERS):
        for suffix in (".md", ".tex", ".pdf"):
            for path in sorted(folder.glob(f"problem*{suffix}")):
                stem, _, language = path.name.removesuffix(suffix).partition(".")
                if stem == "problem" and "." not in language and not package.leads_out(path):
                    found.setdefault(language, path)
    return dict(sorted(found.items(), key=lambda each: (each[0] != "en", each[0])))


# ---- versions ------------------------------------------------------------------------------------------------------


class Version(StrEnum):
    """A version of the format; the drafts of a version count as the version."""

    LEGACY = "legacy"
    V2023_07 = "2023-07"
    V2025_09 = "2025-09"

    @property
    def is_legacy(self) -> bool:
        """Whether it is the version from before versions had dates; `legacy-icpc` is a part of it."""
        return self is Version.LEGACY

    @property
    def format_name(self) -> str:
        """The name of the format in `Problem.format`."""
        return f"icpc-{'legacy' if self.is_legacy else self.value}"


# ---- programs ("Programs") -----------------------------------------------------------------------------------------


def find_program(
    package: PackageFolder, folder: Path, kind: str, *, allows_several: bool = False
) -> JudgeProgram | None:
    """Return the program in a folder such as `output_validator/`; None if there is none.

    The folder is the program itself, or has it as a file or a folder in it. Several programs are reported, and the
    first one is used, as problemtools does; if several are allowed, it has the `others`. `kind` is for messages.
    """
    if not package.has_folder(folder):
        return None
    files = [entry for entry in package.scan(folder) if not is_folder(entry)]
    programs = list_programs(package, folder)
    sources = [entry for entry in programs if is_source(entry.name) and not is_folder(entry)]
    folders = [entry for entry in programs if is_folder(entry)]
    if any(entry.name in SCRIPTS for entry in files):
        return JudgeProgram(source=folder)
    # A header beside a source belongs to it; Kattis would not see it, DOMjudge and BAPCtools do.
    if sources and not folders and (len(sources) == 1 or any(each.name == "__main__.py" for each in sources)):
        return JudgeProgram(source=folder if len(files) > 1 else Path(sources[0].path))
    if sources and not folders and folder.name == "output_validator":
        return JudgeProgram(source=folder)  # 2025-09: the folder is the program
    if not programs:
        if files:
            package.warn(folder, f"has no {kind}: no file in it is a source in a known language")
        return None
    if len(programs) > 1 and not allows_several:
        names = quote_all(entry.name for entry in programs)
        package.warn(folder, f"has {len(programs)} {kind}s, {names}: only {quote(programs[0].name)} is used")
    first, *others = (JudgeProgram(source=Path(each.path)) for each in programs)
    return replace(first, others=tuple(others)) if allows_several else first


def list_programs(package: PackageFolder, folder: Path) -> list[os.DirEntry[str]]:
    """Return the programs in a folder such as `input_validators/`, by name: every file and folder is one."""
    found = []
    for entry in package.scan(folder):
        if is_folder(entry):
            names = (path.name for path in package.walk(Path(entry.path)))
            is_program = any(name in SCRIPTS or is_source(name) for name in names)
        else:
            is_program = entry.is_file() and (is_source(entry.name) or _is_script(entry.path))
        found += [entry] if is_program else []
    return found


def _is_script(path: str) -> bool:
    """Return whether a file is executable, and its first line names its interpreter."""
    if not os.access(path, os.X_OK):
        return False
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as everywhere here, entries have plain paths
            return file.read(2) == b"#!"
    except OSError:
        return False
