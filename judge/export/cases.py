"""The folder data/: inputs, answers, and the settings of cases and groups ("Test data" in both versions)."""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from judge.errors import DataError
from judge.export.grading import GroupNames, add_grading
from judge.export.package import Package, join_flags
from judge.model import Case, CheckerConfig, Problem, ProblemType
from judge.preparation.cases import InvalidCase, PreparedCase, ReadyCase, SkippedCase, diagnose
from judge.problems.yaml.text import quote
from judge.units import format_count

_ILLEGAL = re.compile(r"[^a-zA-Z0-9_.-]")
_MAX_NAME = 200
_RESERVED = ("testdata", "test_group")  # their files would be those of a group

Flags = tuple[str, ...]


class _Settings(Struct, frozen=True):
    """The arguments of the validators for a case."""

    input_validator: Flags = ()
    output_validator: Flags = ()


class _Folder(Struct):
    """The settings of the cases in a folder, for a format in which all have the same."""

    settings: _Settings | None = None


class DataWriter(Struct, kw_only=True):
    """Writes the cases of one problem.

    Attributes:
        flags: the arguments of the output validator that all cases have; None if they differ.
    """

    package: Package
    problem: Problem
    flags: Flags | None
    groups: GroupNames
    _folders: dict[str, _Folder] = field(default_factory=dict)
    _used: set[str] = field(default_factory=set)
    _limited: int = 0

    def write(self, prepared: Iterable[PreparedCase]) -> None:
        """Add all cases and the files of their groups.

        Raises:
            DataError: some test data is wrong.
        """
        for each in keep_ready(self.package, prepared):
            self._write_case(each)
        if self._limited:
            cases = format_count(self._limited, "case")
            self.package.losses.append(f"the limits of {cases} that differ from those of the problem")
        self._write_groups()

    def _write_case(self, ready: ReadyCase) -> None:
        case = ready.case
        if case.is_static:
            return  # the format makes it from the settings of its group
        answer = ready.answer
        if answer is None:
            if not self.problem.types & {ProblemType.INTERACTIVE, ProblemType.MULTI_PASS}:
                self.package.losses.append(f"case {quote(case.id)}: it has no answer")
                return
            answer = b""
        if self.package.target.is_legacy and (case.args or case.files):
            what = "arguments" if case.args else "files"
            self.package.losses.append(f"case {quote(case.id)}: this format has no {what} of submissions")
            return
        self._limited += case.limits != self.problem.limits
        settings = _Settings(case.validator_args, () if self.flags is not None else checker_flags(case.checker))
        name = self._name(case, settings)
        self.package.add(f"data/{name}.in", ready.input)
        self.package.add(f"data/{name}.ans", answer)
        self.package.cases += 1
        if self.package.target.is_legacy:
            self._describe_legacy(case, name, settings)
        else:
            self._describe_new(case, name, settings)

    def _describe_legacy(self, case: Case, name: str, settings: _Settings) -> None:
        if case.why:
            self.package.add(f"data/{name}.desc", f"{case.why}\n".encode())
        folder = self._folders.setdefault(name.rpartition("/")[0], _Folder(settings))
        if folder.settings != settings:
            self.package.losses.append(f"the arguments of the validators for case {quote(case.id)}")

    def _describe_new(self, case: Case, name: str, settings: _Settings) -> None:
        found: dict[str, object] = {"description": case.why} if case.why else {}
        for key, words in (
            ("args", case.args),
            ("input_validator_args", settings.input_validator),
            ("output_validator_args", settings.output_validator),
        ):
            if words:
                found[key] = list(words)
        if found:
            self.package.add_yaml(f"data/{name}.yaml", found)
        if case.files is not None:
            self.package.copy(case.files, f"data/{name}.files", root=self.problem.folder)

    # ---- names -----------------------------------------------------------------------------------------------------

    def _name(self, case: Case, settings: _Settings) -> str:
        """Return the path of a case below data/, without its suffix."""
        if self.problem.is_package:
            wanted = case.id if case.id.startswith(("sample/", "secret/")) else f"secret/{case.id}"
        else:
            wanted = self._native_name(case, settings)
        name, number = wanted, 2
        while name in self._used:
            name, number = f"{wanted}-{number}", number + 1
        self._used.add(name)
        return name

    def _native_name(self, case: Case, settings: _Settings) -> str:
        stem = legal_name(case.name)
        if case.group == "sample" and (settings == _Settings() or not self.package.target.is_legacy):
            return f"sample/{stem}"
        if self.problem.has_scores:
            return f"{self.groups.of(case.group)}/{stem}"
        group = legal_name(case.group)
        if settings == _Settings() or not self.package.target.is_legacy:
            return f"secret/{group}-{stem}"
        folder, number = f"secret/{group}", 2  # only folders have arguments in legacy
        while folder in self._folders and self._folders[folder].settings != settings:
            folder, number = f"secret/{group}-{number}", number + 1
        return f"{folder}/{stem}"

    # ---- groups ----------------------------------------------------------------------------------------------------

    def _write_groups(self) -> None:
        files: dict[str, dict[str, object]] = {}
        if self.package.target.is_legacy:
            for folder, found in self._folders.items():
                settings = found.settings or _Settings()
                flags = (
                    ("input_validator_flags", settings.input_validator),
                    ("output_validator_flags", settings.output_validator),
                )
                files[folder] = {key: join_flags(words) for key, words in flags if words}
        elif self.flags:
            for folder in {name.split("/")[0] for name in self._used}:
                files[folder] = {"output_validator_args": list(self.flags)}
        if self.problem.groups is not None:
            add_grading(self.package, self.problem, self.groups, files)
        file_name = "testdata.yaml" if self.package.target.is_legacy else "test_group.yaml"
        for folder, values in sorted(files.items()):
            if values:
                self.package.add_yaml(f"data/{folder}/{file_name}".replace("//", "/"), values)


def legal_name(text: str) -> str:
    """Return a name that the format allows for a file."""
    name = _ILLEGAL.sub("_", text)[:_MAX_NAME]
    name = name if name and name[0] not in ".-" else f"_{name}"
    return f"{name}_" if name in _RESERVED else name


def common_flags(problem: Problem) -> Flags | None:
    """Return the arguments of the output validator, if they are the same for all cases."""
    found = {checker_flags(case.checker) for case in problem.cases} or {checker_flags(problem.checker)}
    return next(iter(found)) if len(found) == 1 else None


def checker_flags(checker: CheckerConfig) -> Flags:
    """Return a checker as the arguments of the output validator ("Default output validator specification")."""
    if checker.program is not None:
        return checker.args
    if checker.name == "exact":
        return ("case_sensitive", "space_change_sensitive")
    if checker.name == "lines":
        return ("case_sensitive",)
    words = ["case_sensitive"] if checker.case_sensitive else []
    words += ["space_change_sensitive"] if checker.space_change_sensitive else []
    absolute, relative = checker.float_absolute_tolerance, checker.float_relative_tolerance
    if absolute is not None and absolute == relative:
        words += ["float_tolerance", repr(absolute)]
    else:
        words += ["float_absolute_tolerance", repr(absolute)] if absolute is not None else []
        words += ["float_relative_tolerance", repr(relative)] if relative is not None else []
    return tuple(words)


def keep_ready(package: Package, prepared: Iterable[PreparedCase]) -> Iterator[ReadyCase]:
    """Yield the cases with their data, and note those that are skipped.

    Raises:
        DataError: some test data is wrong; after the others.
    """
    invalid = []
    for each in prepared:
        match each:
            case ReadyCase():
                yield each
            case SkippedCase(case=case, reason=reason):
                package.losses.append(f"case {quote(case.id)}: {reason}")
            case InvalidCase():
                invalid.append(each)
    if invalid:
        raise DataError(diagnose(invalid))


def report_checkers(package: Package, checkers: Sequence[CheckerConfig]) -> None:
    """Report what the default output validator does not compare as our checkers do."""
    names = {each.name for each in checkers if each.program is None}
    if "lines" in names:
        package.losses.append(
            "the checker `lines`: the default output validator ignores all white space, so an output with other lines "
            "but the same tokens is accepted"
        )
    if "exact" in names:
        package.notes.append("the checker `exact` is `case_sensitive space_change_sensitive`; what was PE is WA")
