"""What a package has besides what is judged: for checking the package itself, on demand.

The input validators, the cases that test the validators (2025-09, "Validation test data"), the statements, and what a
complete package must have ("Problem package structure overview").
"""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path

from msgspec import Struct, field

from judge.base.data import Data
from judge.base.errors import Diagnostic
from judge.model import Case, CheckerConfig, InFile, Inline
from judge.model.programs import JudgeProgram
from judge.problems.icpc.data_settings import (
    GROUP_FILES,
    Arguments,
    CaseSettings,
    GroupSettings,
    SettingsReader,
    ValidatorArguments,
)
from judge.problems.icpc.files import INVALID_NAME, NAME_FIX, PackageFolder, Version, is_valid_name, list_programs
from judge.problems.icpc.generators_yaml import FILE, PlannedCase
from judge.problems.icpc.load import checker_maker
from judge.problems.icpc.planned_cases import PlannedData
from judge.problems.icpc.problem_yaml import Metadata, read_metadata
from judge.problems.icpc.test_data import DATA

_INPUT_VALIDATORS = ("input_validators", "input_format_validators")  # the second one is deprecated
_STATEMENTS = ("statement", "problem_statement")
_MAX_FILES = 100_000


class GrammarKind(StrEnum):
    """A language that describes valid inputs."""

    CHECKTESTDATA = "ctd"
    VIVA = "viva"


class Validator(Struct, frozen=True, kw_only=True):
    """What decides whether an input, or an answer, is valid.

    Attributes:
        path: the grammar, or the source of the program.
        program: it reads the file on standard input, and says with its exit status whether that is valid; None for a
            grammar.
        grammar: the kind of a grammar; None for a program.
    """

    path: Path
    program: JudgeProgram | None = None
    grammar: GrammarKind | None = None


class SelfTestKind(StrEnum):
    """What a case for the validators is: the name of its folder in data/, if it has one."""

    VALID_INPUT = "valid_input"  # all input validators accept the input (Polygon)
    INVALID_INPUT = "invalid_input"  # an input validator rejects the input
    INVALID_OUTPUT = "invalid_output"  # the output validator rejects the output
    VALID_OUTPUT = "valid_output"  # it accepts the output
    INVALID_ANSWER = "invalid_answer"  # an answer validator rejects the answer (BAPCtools)


_SELF_TESTS = {  # with the files of a test
    SelfTestKind.INVALID_INPUT: (".in",),
    SelfTestKind.INVALID_OUTPUT: (".in", ".ans", ".out"),
    SelfTestKind.VALID_OUTPUT: (".in", ".ans", ".out"),
    SelfTestKind.INVALID_ANSWER: (".in", ".ans"),
}


class SelfTest(Struct, frozen=True, kw_only=True):
    """A case that tests the validators.

    Attributes:
        answer: None if only the input is tested.
        output: None unless the output validator is tested.
        arguments: for the validators.
        checker: the output validator with its arguments, or the default one.
        rule: what it was made from, if its files are not in data/.
        is_for_windows: lines may end with CRLF, which programs get as LF (Polygon).
    """

    kind: SelfTestKind
    input: Data
    answer: Data | None = None
    output: Data | None = None
    arguments: Arguments
    checker: CheckerConfig | None = None
    rule: Case | None = None
    is_for_windows: bool = False


class PlannedTest(Struct, frozen=True, kw_only=True):
    """A case of generators.yaml that tests the validators, and whose files are not in data/.

    Attributes:
        case: how its input and its answer are made; its checker is the output validator.
        output, arguments: as those of a `SelfTest`.
    """

    kind: SelfTestKind
    case: Case
    output: Data | None = None
    arguments: Arguments


class PackageFiles(Struct, frozen=True, kw_only=True):
    """The parts of a package that are not judged.

    Attributes:
        answer_validators: of BAPCtools; like input validators, with the answer in place of the input.
        arguments: those of cases in `sample` and `secret` that differ between input validators, or have some for
            answer validators, by the id of the case. The others have `Case.validator_args` for all input validators.
        statements: the statements, by language; "" where a file names none.
        generators: BAPCtools' generators.yaml.
        declares_score: `validation` in problem.yaml says that the output validator gives scores (legacy).
        ans_is_output: every answer is an output that the output validator accepts, unless another file replaces it.
    """

    version: Version
    input_validators: tuple[Validator, ...] = ()
    answer_validators: tuple[Validator, ...] = ()
    arguments: Mapping[str, Arguments] = field(default_factory=dict)
    self_tests: tuple[SelfTest, ...] = ()
    planned_tests: tuple[PlannedTest, ...] = ()
    statements: Mapping[str, Path] = field(default_factory=dict)
    generators: Path | None = None
    declares_score: bool = False
    ans_is_output: bool = True


def read_package_files(folder: Path, *, root_for_display: Path) -> tuple[PackageFiles, list[Diagnostic]]:
    """Read what a package has besides what is judged, and report what it lacks; nothing is run or changed.

    What `judge.problems.icpc.load.load_package` reports is not repeated.

    Raises:
        DataError: as there.
    """
    package = PackageFolder.at(folder, root_for_display)
    metadata = read_metadata(package)
    planned = PlannedData.of(package, metadata.problem)
    known = set(package.diagnostics)  # `load_package` has the same
    found = _Reader(package, metadata, checker_maker(package, metadata), planned).read()
    return found, [each for each in package.found() if each not in known]


class _Reader(Struct):
    _package: PackageFolder
    _metadata: Metadata
    _make_checker: Callable[[Arguments], CheckerConfig | None]
    _planned: PlannedData | None

    def read(self) -> PackageFiles:
        path = self._package.path
        generators = path / FILE
        settings = _FolderSettings(self._package, self._metadata, self._planned)
        files = PackageFiles(
            version=self._metadata.version,
            input_validators=tuple(each for name in _INPUT_VALIDATORS for each in self._validators(path / name)),
            answer_validators=tuple(self._validators(path / "answer_validators")),
            arguments={
                name: arguments
                for name, arguments in self._arguments(settings)
                if arguments.input_validators.by_name or arguments.answer_validators != ValidatorArguments()
            },
            self_tests=tuple(self._self_tests(settings)),
            planned_tests=tuple(
                test
                for kind, suffixes in _SELF_TESTS.items()
                for case in self._missing(kind, suffixes)
                if (test := self._planned_test(kind, suffixes, case, settings.of_planned_case(case)))
            ),
            statements=self._statements(),
            generators=generators if self._package.has_file(generators) else None,
            declares_score=self._metadata.declares_score,
            ans_is_output=self._metadata.ans_is_output,
        )
        self._report_missing(files)
        return files

    # ---- validators ------------------------------------------------------------------------------------------------

    def _validators(self, folder: Path) -> Iterator[Validator]:
        """Yield the programs and grammars in a folder, by name."""
        if not self._package.has_folder(folder):
            return
        programs = {entry.name for entry in list_programs(self._package, folder)}
        for path in (Path(entry.path) for entry in self._package.scan(folder)):
            if path.name in programs:
                yield Validator(path=path, program=JudgeProgram(source=path))
            elif path.suffix[1:] in set(GrammarKind) and path.is_file():
                yield Validator(path=path, grammar=GrammarKind(path.suffix[1:]))

    # ---- cases -----------------------------------------------------------------------------------------------------

    def _arguments(self, settings: "_FolderSettings") -> Iterator[tuple[str, Arguments]]:
        """Yield the arguments of all cases that are judged."""
        for name in DATA:
            for path in self._inputs(name):
                yield self._case_name(path), settings.of_case(path).arguments
            for case in self._missing(name, (".in", ".ans")):
                yield case.id, settings.of_planned_case(case).arguments

    def _self_tests(self, settings: "_FolderSettings") -> Iterator[SelfTest]:
        for kind, suffixes in _SELF_TESTS.items():
            planned = {case.id for case in self._missing(kind, suffixes)}
            for path in self._inputs(kind):
                if not is_valid_name(path.name):
                    self._package.warn(path, INVALID_NAME, fix=NAME_FIX)
                    continue
                if self._case_name(path) in planned:
                    continue
                missing = [
                    each.name
                    for each in (path.with_suffix(suffix) for suffix in suffixes)
                    if not self._package.has_file(each)
                ]
                if missing:
                    self._package.error(path, f"is not tested: there is no {' and no '.join(missing)} beside it")
                    continue
                arguments = settings.of_case(path).arguments
                yield SelfTest(
                    kind=kind,
                    input=path,
                    answer=path.with_suffix(".ans") if ".ans" in suffixes else None,
                    output=path.with_suffix(".out") if ".out" in suffixes else None,
                    arguments=arguments,
                    checker=self._make_checker(arguments) if ".ans" in suffixes else None,
                )

    def _planned_test(
        self, kind: SelfTestKind, suffixes: tuple[str, ...], case: PlannedCase, settings: CaseSettings
    ) -> PlannedTest | None:
        """Return a test of generators.yaml; None if it cannot be made, which is reported."""
        assert self._planned is not None
        source = self._planned.find_input(case)
        files = {suffix: self._planned.given(case, suffix) for suffix in suffixes}
        # A solution never computes the answer here, but a generator may write it.
        missing = [suffix[1:] for suffix in suffixes[1:] if files[suffix] is None]
        if case.command is not None and "ans" in missing:
            missing.remove("ans")
        if source is not None and missing:
            self._planned.report(case, f"is not tested: it has no {' and no '.join(missing)}", fix="add it to the rule")
        arguments, output = settings.arguments, files.get(".out")
        checker = self._make_checker(arguments) if ".ans" in suffixes else CheckerConfig()
        if source is None or missing or checker is None:
            return None
        return PlannedTest(
            kind=kind,
            case=Case(
                group=case.group,
                name=case.name,
                why=settings.description,
                input=source,
                answer=files.get(".ans", Inline(b"")),
                limits=self._metadata.problem.limits,
                checker=checker,
                origin=self._planned.path,
                line=case.line,
                args=arguments.args,
            ),
            output=output.path if isinstance(output, InFile) else output.data if output else None,
            arguments=arguments,
        )

    def _missing(self, root: str, suffixes: tuple[str, ...]) -> list[PlannedCase]:
        """Return the cases of generators.yaml in a folder of data/ and below that lack one of these files there."""
        if self._planned is None:
            return []
        data = self._package.path / "data"
        return [
            case
            for case in self._planned.plan.cases
            if case.id.startswith(f"{root}/")
            and not all((data / f"{case.id}{suffix}").is_file() for suffix in suffixes)
        ]

    def _inputs(self, name: str) -> list[Path]:
        folder = self._package.path / "data" / name
        if not self._package.has_folder(folder):
            return []
        return sorted(path for path in self._package.walk(folder, _MAX_FILES) if path.suffix == ".in")

    def _case_name(self, path: Path) -> str:
        return str(path.relative_to(self._package.path / "data").with_suffix(""))

    # ---- the rest --------------------------------------------------------------------------------------------------

    def _statements(self) -> Mapping[str, Path]:
        """Return the statements, in the order of their languages; Markdown before LaTeX before PDF."""
        found: dict[str, Path] = {}
        for name in _STATEMENTS:
            folder = self._package.path / name
            entries = self._package.scan(folder) if self._package.has_folder(folder) else ()
            for suffix in (".md", ".tex", ".pdf"):
                for entry in entries:
                    stem, _, language = entry.name.removesuffix(suffix).partition(".")
                    if entry.name.endswith(suffix) and stem == "problem" and "." not in language:
                        found.setdefault(language, Path(entry.path))
        return dict(sorted(found.items()))

    def _report_missing(self, files: PackageFiles) -> None:
        """Report what a complete package has ("A minimal problem package must contain ...")."""
        path, is_legacy = self._package.path, self._metadata.version.is_legacy
        if not files.statements:
            folder = path / _STATEMENTS[1 if is_legacy else 0]
            message = "there is no statement: expected a file such as problem.en.tex"
            self._package.error(folder, message, rule="missing-statement")
        if not files.input_validators:
            message = "there is no input validator: nothing proves that the inputs are valid"
            self._package.error(path / _INPUT_VALIDATORS[0], message, rule="missing-input-validator")
        accepted = path / "submissions" / "accepted"
        if not (accepted.is_dir() and self._package.scan(accepted)):
            self._package.error(accepted, "there is no accepted submission", rule="missing-accepted-submission")
        if (path / _INPUT_VALIDATORS[1]).is_dir():
            message = f"this name is deprecated: rename the folder to {_INPUT_VALIDATORS[0]}"
            self._package.warn(path / _INPUT_VALIDATORS[1], message, rule="deprecated-name")
        self._report_languages(files)

    def _report_languages(self, files: PackageFiles) -> None:
        """Report statements without names, and names without statements (2025-09, "Name")."""
        if self._metadata.version.is_legacy or not self._metadata.languages:
            return
        statements = {language or "en" for language in files.statements}
        yaml, rule = self._package.path / "problem.yaml", "name-language"
        for language in sorted(statements - set(self._metadata.languages)):
            self._package.error(yaml, f"`name` lacks the language `{language}`, which has a statement", rule=rule)
        if statements:  # else it is reported that there are none
            for language in sorted(set(self._metadata.languages) - statements):
                self._package.error(yaml, f"`name` has the language `{language}`, but no statement has", rule=rule)


class _FolderSettings:
    """What cases in any folder of data/ inherit; each file is read once."""

    def __init__(self, package: PackageFolder, metadata: Metadata, planned: PlannedData | None) -> None:
        self._top = package.path / "data"
        self._reader = SettingsReader(package, metadata.version, dict(metadata.problem.constants), planned)
        self._of_folder = cache(self._read_folder)

    def _read_folder(self, folder: Path) -> GroupSettings:
        """Return what holds in a folder."""
        inherited = GroupSettings() if folder == self._top else self._of_folder(folder.parent)
        files = [name for name in GROUP_FILES if (folder / name).is_file()]
        name = "" if folder == self._top else str(folder.relative_to(self._top))
        return self._reader.read_group(folder, name, files, inherited)

    def of_case(self, path: Path) -> CaseSettings:
        """Return what holds for a case."""
        arguments = self._of_folder(path.parent).arguments
        file = path.with_suffix(".yaml")
        return self._reader.read_case(file, arguments) if file.is_file() else CaseSettings(arguments=arguments)

    def of_planned_case(self, case: PlannedCase) -> CaseSettings:
        """Return what holds for a case of generators.yaml."""
        return self._reader.read_planned_case(case, self._of_folder(self._top / case.group).arguments)
