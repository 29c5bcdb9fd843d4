"""What a package has besides what is judged: for checking the package itself, on demand.

The input validators, the cases that test the validators (2025-09, "Validation test data"), the statements, and what a
complete package must have ("Problem package structure overview").
"""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.data import Data
from judge.base.errors import Diagnostic, join_lines
from judge.model import Case, CheckerConfig
from judge.model.programs import JudgeProgram
from judge.problems.icpc.data_settings import Arguments, GroupSettings, SettingsReader
from judge.problems.icpc.files import STATEMENT_FOLDERS, PackageFolder, Version, find_statements, list_programs
from judge.problems.icpc.generators_yaml import FILE
from judge.problems.icpc.load import find_validator, make_checker
from judge.problems.icpc.problem_yaml import Metadata, read_metadata
from judge.problems.icpc.test_data import DataReader

_INPUT_VALIDATORS = ("input_validators", "input_format_validators")  # the second one is deprecated


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
    """

    path: Path
    role: str = "input validator"
    program: JudgeProgram | None = None
    grammar: GrammarKind | None = None

    @property
    def name(self) -> str:
        """Its name in messages."""
        return f"the {self.role} {join_lines(self.path.name)}"


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
        case: its input and its answer, which is empty if only the input is tested; its checker is the output validator
            with its arguments, or the default one.
        output: None unless the output validator is tested.
    """

    kind: SelfTestKind
    case: Case
    output: Data | None = None


class PackageFiles(Struct, frozen=True, kw_only=True):
    """The parts of a package that are not judged.

    Attributes:
        answer_validators: of BAPCtools; like input validators, with the answer in place of the input.
        arguments: those of cases and tests that differ between input validators, or have some for answer validators, by
            the id of the case. The others have `Case.validator_args` for all input validators.
        statements: the statements, by language; "" where a file names none.
        declares_score: `validation` in problem.yaml says that the output validator gives scores (legacy).
        ans_is_output: every answer is an output that the output validator accepts, unless another file replaces it.
    """

    version: Version
    input_validators: tuple[Validator, ...] = ()
    answer_validators: tuple[Validator, ...] = ()
    arguments: Mapping[str, Arguments] = field(default_factory=dict)
    self_tests: tuple[SelfTest, ...] = ()
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
    settings = SettingsReader.of(package, metadata.version, metadata.problem)
    known = set(package.diagnostics)  # `load_package` has the same
    checker = partial(make_checker, package, metadata, find_validator(package, metadata))
    found = _Reader(package, metadata, checker, settings).read()
    return found, [each for each in package.found() if each not in known]


class _Reader(Struct):
    _package: PackageFolder
    _metadata: Metadata
    _make_checker: Callable[[Arguments], CheckerConfig | None]
    _settings: SettingsReader

    def read(self) -> PackageFiles:
        path = self._package.path
        generators = path / FILE
        arguments, self_tests = self._read_data()
        files = PackageFiles(
            version=self._metadata.version,
            input_validators=tuple(each for name in _INPUT_VALIDATORS for each in self._validators(path / name)),
            answer_validators=tuple(
                replace(each, role="answer validator") for each in self._validators(path / "answer_validators")
            ),
            arguments=arguments,
            self_tests=tuple(self_tests),
            statements=dict(sorted(find_statements(self._package).items())),
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

    def _read_data(self) -> tuple[dict[str, Arguments], list[SelfTest]]:
        """Return the arguments of cases that `Case` does not have, and the tests."""
        make_reader = partial(
            DataReader,
            package=self._package,
            settings=self._settings,
            inherited=GroupSettings(),
            limits=self._metadata.problem.limits,
        )
        count = len(self._package.diagnostics)
        reader = make_reader(make_checker=_default_checker)
        reader.read()
        del self._package.diagnostics[count:]  # `load_package` has the same
        arguments, tests = reader.arguments, []
        for kind, suffixes in _SELF_TESTS.items():
            make = self._make_checker if ".ans" in suffixes else _default_checker
            reader = make_reader(make_checker=make, suffixes=suffixes, is_for_tests=True)
            reader.read_tests(kind)
            arguments |= reader.arguments
            outputs = reader.outputs
            tests += [SelfTest(kind=kind, case=case, output=outputs.get(case.id)) for case in reader.cases]
        return arguments, tests

    # ---- the rest --------------------------------------------------------------------------------------------------

    def _report_missing(self, files: PackageFiles) -> None:
        """Report what a complete package has ("A minimal problem package must contain ...")."""
        path, is_legacy = self._package.path, self._metadata.version.is_legacy
        if not files.statements:
            folder = path / STATEMENT_FOLDERS[1 if is_legacy else 0]
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


def _default_checker(_: Arguments) -> CheckerConfig:
    """Return the checker of cases whose outputs are not compared."""
    return CheckerConfig()
