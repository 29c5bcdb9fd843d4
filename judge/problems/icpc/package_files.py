"""What a package has besides what is judged: for checking the package itself, on demand.

The input validators, the cases that test the validators (2025-09, "Validation test data"), the statements, and what a
complete package must have ("Problem package structure overview").
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.data import Data
from judge.base.errors import Diagnostic, join_lines
from judge.model import Case
from judge.model.programs import JudgeProgram
from judge.problems.icpc.data_settings import Arguments, GroupSettings, SettingsReader
from judge.problems.icpc.files import STATEMENT_FOLDERS, PackageFolder, Version, find_statements, list_programs
from judge.problems.icpc.generators_yaml import FILE
from judge.problems.icpc.load import find_validator, make_checker
from judge.problems.icpc.problem_yaml import Metadata, read_metadata
from judge.problems.icpc.test_data import DataReader

_INPUT_VALIDATORS = ("input_validators", "input_format_validators")  # the second one is deprecated


class Validator(Struct, frozen=True, kw_only=True):
    """What decides whether an input, or an answer, is valid.

    Attributes:
        path: the grammar, or the source of the program.
        program: it reads the file on standard input, and says with its exit status whether that is valid; None for a
            grammar of Checktestdata that was not translated yet.
    """

    path: Path
    role: str = "input validator"
    program: JudgeProgram | None = None

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
    make_reader = partial(
        DataReader,
        package=package,
        settings=settings,
        inherited=GroupSettings(),
        limits=metadata.problem.limits,
        make_checker=partial(make_checker, package, metadata, find_validator(package, metadata)),
    )
    reader = make_reader()
    reader.read()
    known = set(package.diagnostics)  # `load_package` has the same
    arguments, tests = reader.arguments, list[SelfTest]()
    for kind, suffixes in _SELF_TESTS.items():
        reader = make_reader(suffixes=suffixes, is_for_tests=True)
        reader.read_tests(kind)
        arguments |= reader.arguments
        tests += [SelfTest(kind=kind, case=case, output=reader.outputs.get(case.id)) for case in reader.cases]
    answer_validators = (replace(each, role="answer validator") for each in _validators(package, "answer_validators"))
    generators = package.path / FILE
    files = PackageFiles(
        version=metadata.version,
        input_validators=tuple(each for name in _INPUT_VALIDATORS for each in _validators(package, name)),
        answer_validators=tuple(answer_validators),
        arguments=arguments,
        self_tests=tuple(tests),
        statements=dict(sorted(find_statements(package).items())),
        generators=generators if package.has_file(generators) else None,
        declares_score=metadata.declares_score,
        ans_is_output=metadata.ans_is_output,
    )
    _report_missing(package, metadata, files)
    return files, [each for each in package.found() if each not in known]


def _validators(package: PackageFolder, name: str) -> Iterator[Validator]:
    folder = package.path / name
    if not package.has_folder(folder):
        return
    programs = {entry.name for entry in list_programs(package, folder)}
    for path in (Path(entry.path) for entry in package.scan(folder)):
        if path.name in programs:
            yield Validator(path=path, program=JudgeProgram(source=path))
        elif path.suffix == ".ctd" and path.is_file():
            yield Validator(path=path)


def _report_missing(package: PackageFolder, metadata: Metadata, files: PackageFiles) -> None:
    """Report what a complete package has ("A minimal problem package must contain ...")."""
    path, is_legacy = package.path, metadata.version.is_legacy
    if not files.statements:
        message = "there is no statement: expected a file such as problem.en.tex"
        package.error(path / STATEMENT_FOLDERS[1 if is_legacy else 0], message, rule="missing-statement")
    if not files.input_validators:
        message = "there is no input validator: nothing proves that the inputs are valid"
        package.error(path / _INPUT_VALIDATORS[0], message, rule="missing-input-validator")
    accepted = path / "submissions" / "accepted"
    if not (accepted.is_dir() and package.scan(accepted)):
        package.error(accepted, "there is no accepted submission", rule="missing-accepted-submission")
    if (path / _INPUT_VALIDATORS[1]).is_dir():
        message = f"this name is deprecated: rename the folder to {_INPUT_VALIDATORS[0]}"
        package.warn(path / _INPUT_VALIDATORS[1], message, rule="deprecated-name")
    if not is_legacy and metadata.languages and files.statements:  # 2025-09, "Name"
        statements, names = {language or "en" for language in files.statements}, set(metadata.languages)
        for language in sorted(statements ^ names):
            message = f"`name` has the language `{language}`, but no statement has"
            if language in statements:
                message = f"`name` lacks the language `{language}`, which has a statement"
            package.error(path / "problem.yaml", message, rule="name-language")
