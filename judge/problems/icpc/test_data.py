"""The folders data/sample and data/secret: cases, and the tree of folders that test groups are made of.

Cases and folders are judged in the lexicographic order of their names ("Test data"); `sample` comes first.
"""

import os
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.data import Data
from judge.base.errors import shorten
from judge.base.units import GIB
from judge.model import AnswerSource, Case, CheckerConfig, InFile, Inline, Limits
from judge.problems.file_format import MAX_CASES
from judge.problems.icpc.data_settings import GROUP_FILES, Arguments, GroupSettings, SettingsReader
from judge.problems.icpc.files import INVALID_NAME, NAME_FIX, PackageFolder, is_valid_name
from judge.problems.icpc.generators_yaml import PlannedCase
from judge.problems.icpc.sections import read_text
from judge.problems.paths import find_file_error, is_folder
from judge.problems.yaml.text import quote_all

DATA = ("sample", "secret")
SELF_TESTS = ("invalid_input", "invalid_output", "valid_output")
# of BAPCtools; it reads `bad` in old packages
_OTHER_DATA = (*SELF_TESTS, "invalid_answer", "testing_tool_test", "bad")

_OF_CASES = (".ans", ".out", ".hint", ".desc", ".files", ".yaml")  # without an input they are mistakes
_IGNORED = frozenset({".interaction", ".png", ".jpg", ".jpeg", ".svg", ".gif", ".statement", ".download"})
_MAX_DEPTH = 30
_MAX_NAMED = 5  # cases that a message about many names


class DataFolder(Struct, frozen=True, kw_only=True):
    """A folder of test data.

    Attributes:
        name: the path below data/, such as `secret/group1`; "" for data/ itself.
        folders: those directly in it, in the order of judging.
        case_count: how many inputs are directly in it.
    """

    name: str
    path: Path
    settings: GroupSettings
    folders: tuple["DataFolder", ...] = ()
    case_count: int = 0

    @property
    def place(self) -> Path:
        """The file with its settings, or the folder."""
        return self.settings.place or self.path

    def walk(self) -> "Iterator[DataFolder]":
        """Yield the folder and all below it."""
        yield self
        for folder in self.folders:
            yield from folder.walk()

    @property
    def total(self) -> int:
        """The number of inputs in it and below."""
        return self.case_count + sum(folder.total for folder in self.folders)


class _Entries(Struct):
    """The entries of one folder, by what they are; all but `folders` without their suffix."""

    inputs: list[str] = field(default_factory=list)
    by_suffix: dict[str, set[str]] = field(default_factory=lambda: {suffix: set() for suffix in _OF_CASES})
    folders: list[str] = field(default_factory=list)
    group_files: list[str] = field(default_factory=list)


class DataReader(Struct, kw_only=True):
    """Reads the test data of one package.

    The cases of generators.yaml that are not in data/ are added, and others left out.

    Attributes:
        inherited: what holds in data/ unless a file there says otherwise.
        make_checker: returns the checker for arguments of the output validator; None if they are wrong, which it
            reports. It is called once for each of them.
        is_for_tests: the cases test validators. No solution computes an answer, and cases that are not in
            generators.yaml count, too.
        cases: what was found, in the order of judging.
        arguments: those that differ between validators, or are for answer validators, by the ids of the cases.
        outputs: of tests that need one, likewise.
    """

    package: PackageFolder
    settings: SettingsReader
    inherited: GroupSettings
    limits: Limits
    make_checker: Callable[[Arguments], CheckerConfig | None]
    suffixes: tuple[str, ...] = (".in", ".ans")
    is_for_tests: bool = False
    cases: list[Case] = field(default_factory=list)
    arguments: dict[str, Arguments] = field(default_factory=dict)
    outputs: dict[str, Data] = field(default_factory=dict)
    _checkers: dict[tuple[str, tuple[str, ...]], CheckerConfig | None] = field(default_factory=dict)
    _folder_count: int = 0
    _link_count: int = 0
    _is_full: bool = False

    def checker(self, arguments: Arguments) -> CheckerConfig | None:
        """Return the checker of cases with these arguments; None if they are wrong, which is reported once."""
        key = arguments.validator_name, arguments.output_validator
        if key not in self._checkers:
            self._checkers[key] = self.make_checker(arguments)
        return self._checkers[key]

    def read(self) -> DataFolder:
        """Read data/ and return its folders; the cases are in `cases`."""
        top = self.package.path / "data"
        entries = self.package.scan(top) if self.package.has_folder(top) else ()
        files = [entry.name for entry in entries if not is_folder(entry)]
        group_files = [name for name in files if name in GROUP_FILES]
        settings = self.settings.read_group(top, "", group_files, self.inherited)
        for name in files:
            if name.endswith(".in"):
                self.package.warn(top / name, "is not judged: it is not in data/sample or data/secret", fix="move it")
        names = [entry.name for entry in entries if is_folder(entry)]
        for name in names:
            if name not in (*DATA, *_OTHER_DATA):
                self.package.warn(top / name, "is not judged: only data/sample and data/secret are")
        above = (os.path.realpath(top),)
        names += self.settings.planned.folders("")
        folders = tuple(self._read(top / name, name, settings, above) for name in DATA if name in names)
        return DataFolder(name="", path=top, settings=settings, folders=folders)

    def read_tests(self, name: str) -> None:
        """Read a folder of data/ with cases that test validators."""
        top = self.package.path / "data"
        if self.package.has_folder(top / name) or name in self.settings.planned.folders(""):
            files = [each for each in GROUP_FILES if (top / each).is_file()]
            settings = self.settings.read_group(top, "", files, self.inherited)
            self._read(top / name, name, settings, (os.path.realpath(top),))

    def _read(self, path: Path, name: str, parent: GroupSettings, above: tuple[str, ...]) -> DataFolder:
        """Read a folder and those below; `name` is that below data/, and `above` are the real paths around it."""
        self._folder_count += 1
        entries = self._list(path)
        settings = self.settings.read_group(path, name, entries.group_files, parent)
        inputs = set(entries.inputs)
        unlisted = set() if self.is_for_tests else set(self.settings.planned.unlisted(name, inputs))
        if unlisted:
            more = f" and {len(unlisted) - _MAX_NAMED:,} more" if len(unlisted) > _MAX_NAMED else ""
            names = quote_all(sorted(unlisted)[:_MAX_NAMED])
            message = f"cases that are not in generators.yaml are not judged: {names}{more}"
            fix = "remove them, as `bt generate` does, or add them to generators.yaml"
            self.package.warn(path, message, fix=fix)
        inputs -= unlisted
        complete = inputs.intersection(*(entries.by_suffix[suffix] for suffix in self.suffixes[1:]))
        planned = self.settings.planned.missing(name, complete)
        self._report_incomplete(path, entries, inputs - complete - planned.keys())
        self._report_strays(path, entries, inputs, planned.keys() | unlisted)
        inner = {*entries.folders, *self.settings.planned.folders(name)}
        judged = complete | planned.keys() | {f"{folder}/" for folder in inner}
        here = (*above, os.path.realpath(path))
        folders = []
        for each in sorted(judged, key=lambda each: (each.rstrip("/"), each)):
            if each in planned:
                self._add_planned(planned[each], path / f"{each}.in" if each in inputs else None, settings.arguments)
            elif not each.endswith("/"):
                self._add_case(path, name, each, entries, settings.arguments)
            elif self._may_enter(path / each, here):
                folders.append(self._read(path / each, f"{name}/{each[:-1]}", settings, here))
        return DataFolder(
            name=name, path=path, settings=settings, folders=tuple(folders), case_count=len(inputs | planned.keys())
        )

    def _may_enter(self, folder: Path, above: tuple[str, ...]) -> bool:
        """Return whether a folder can be read; links may make test data endless."""
        if os.path.realpath(folder) in above:
            self.package.error(folder, "is a link that leads back to a folder around it", fix="remove it")
        elif len(above) >= _MAX_DEPTH:
            self.package.error(folder, f"is not judged: folders are nested more than {_MAX_DEPTH} levels deep")
        elif self._folder_count >= 10_000 or (folder.is_symlink() and self._link_count >= 100):
            self.package.error(folder, "is not judged: there are too many folders, or links to folders, before it")
        else:
            self._link_count += folder.is_symlink()
            return True
        return False

    def _list(self, path: Path) -> _Entries:
        found = _Entries()
        misnamed = []
        for entry in () if self.package.leads_out(path) else self.package.scan(path):
            name = entry.name
            stem, suffix = os.path.splitext(name)  # noqa: PTH122 - a Path for each file costs more
            if not is_valid_name(name):
                misnamed += [name] if suffix == ".in" or is_folder(entry) else []
            elif suffix == ".in":
                found.inputs.append(stem)
            elif name in GROUP_FILES:
                found.group_files.append(name)
            elif suffix in found.by_suffix:
                found.by_suffix[suffix].add(stem)
            elif suffix not in _IGNORED and is_folder(entry):
                found.folders.append(name)
        self.package.warn_all(path, misnamed, INVALID_NAME, fix=NAME_FIX)
        return found

    def _report_incomplete(self, path: Path, entries: _Entries, stems: set[str]) -> None:
        if self.is_for_tests:
            for stem in sorted(stems):
                names = [f"{stem}{suffix}" for suffix in self.suffixes[1:] if stem not in entries.by_suffix[suffix]]
                message = f"is not tested: there is no {' and no '.join(names)} beside it"
                self.package.error(path / f"{stem}.in", message)
            return
        message = "has no answer, so the case is not judged: expected a file with the suffix .ans beside it"
        missing = sorted(f"{stem}.in" for stem in stems)
        self.package.warn_all(path, missing, message, fix="add the answer; it may be empty", is_error=True)

    def _report_strays(self, path: Path, entries: _Entries, inputs: set[str], planned: Collection[str]) -> None:
        """Report what belongs to no case, and cases that are also folders."""
        known = {*inputs, *planned}
        strays = sorted(f"{stem}{suffix}" for suffix in _OF_CASES for stem in entries.by_suffix[suffix] - known)
        message = "belongs to no case: there is no input with the same name"
        self.package.warn_all(path, strays, message, fix="add the input, or remove the file")
        both = sorted(inputs & set(entries.folders))
        self.package.warn_all(path, both, "is a folder with the name of a case", fix="rename one", rule="format")

    def _add_case(self, path: Path, group: str, name: str, entries: _Entries, inherited: Arguments) -> None:
        stem = f"{path}/{name}"
        for file in (f"{stem}{suffix}" for suffix in self.suffixes):
            # As much as a zip file with a package may expand to.
            if reason := find_file_error(file, max_size=4 * GIB):
                self.package.error(file, reason)
                return
        why = ""
        if name in entries.by_suffix[".yaml"]:
            inherited, why = self.settings.read_case(path / f"{name}.yaml", inherited)
        if not why and name in entries.by_suffix[".desc"]:
            why = read_text(self.package, path / f"{name}.desc") or ""
        if ".out" in self.suffixes:
            self.outputs[f"{group}/{name}"] = Path(f"{stem}.out")
        case = Case(
            group=group,
            name=name,
            input=InFile(Path(f"{stem}.in")),
            answer=InFile(Path(f"{stem}.ans")) if ".ans" in self.suffixes else Inline(b""),
            limits=self.limits,
            checker=CheckerConfig(),
            origin=Path(f"{stem}.in"),
            files=Path(f"{stem}.files") if name in entries.by_suffix[".files"] else None,
        )
        self._add(case, inherited, why)

    def _add(self, case: Case, arguments: Arguments, why: str) -> None:
        """Add a case, unless the arguments of its output validator are wrong, or there are too many."""
        checker = self.checker(arguments)
        if checker is None:
            return
        if len(self.cases) >= MAX_CASES:
            message = f"is not judged, nor are those after it: more than {MAX_CASES:,} cases"
            if not self._is_full:
                self.package.error(case.origin, message)
            self._is_full = True
            return
        why, words = shorten(" ".join(why.split()), 300), arguments.input_validators.get("", ())
        found = replace(case, why=why, checker=checker, validator_args=words, args=arguments.args)
        self.cases.append(replace(found, visualizer_args=arguments.visualizers))
        if arguments.input_validators.keys() - {""} or arguments.answer_validators:
            self.arguments[case.id] = arguments

    def _add_planned(self, case: PlannedCase, existing: Path | None, inherited: Arguments) -> None:
        """Add a case of generators.yaml of which the input or the answer is not in data/."""
        planned = self.settings.planned
        source = InFile(existing) if existing else planned.find_input(case)
        if source is None:
            return
        answer: AnswerSource | None
        if self.is_for_tests:  # it has all files, but a generator may write the answer
            given = {suffix: planned.given(case, suffix) for suffix in self.suffixes[1:]}
            missing = [each[1:] for each, found in given.items() if not (found or (case.command and each == ".ans"))]
            if missing:
                planned.report(case, f"is not tested: it has no {' and no '.join(missing)}", fix="add it to the rule")
            if output := given.get(".out"):
                self.outputs[case.id] = output.path if isinstance(output, InFile) else output.data
            answer, is_complete = given.get(".ans", Inline(b"")), not missing
        else:
            answer, is_complete = planned.find_answer(case)
        arguments, why = self.settings.read_case(case, inherited)
        make = partial(Case, group=case.group, name=case.name, limits=self.limits, checker=CheckerConfig())
        if is_complete:
            found = make(input=source, answer=answer, origin=planned.path, line=case.line)
            self._add(found, arguments, why or case.texts.get("desc", ""))
