"""What a package has besides what is judged: for checking the package itself, on demand.

The input validators, the cases that test the validators (2025-09, "Validation test data"), the statements, and what a
complete package must have ("Problem package structure overview").
"""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path

from msgspec import Struct, field

from judge.errors import Diagnostic
from judge.model import CheckerConfig
from judge.problems.icpc.data_settings import (
    GROUP_FILES,
    Arguments,
    CaseSettings,
    GroupSettings,
    SettingsReader,
    ValidatorArguments,
)
from judge.problems.icpc.files import INVALID_NAME, NAME_FIX, PackageFolder, is_valid_name
from judge.problems.icpc.load import checker_maker
from judge.problems.icpc.problem_yaml import Metadata, read_metadata
from judge.problems.icpc.programs import list_programs
from judge.problems.icpc.test_data import DATA
from judge.problems.icpc.versions import Version
from judge.problems.paths import shown_path
from judge.programs import JudgeProgram

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


_SELF_TESTS = tuple(kind for kind in SelfTestKind if kind is not SelfTestKind.VALID_INPUT)


class SelfTest(Struct, frozen=True, kw_only=True):
    """A case that tests the validators.

    Attributes:
        name: the path below data/, such as `invalid_input/negative`.
        answer: None if only the input is tested.
        output: None unless the output validator is tested.
        arguments: for the validators.
        checker: the output validator with its arguments, or the default one.
    """

    kind: SelfTestKind
    name: str
    input: Path
    answer: Path | None = None
    output: Path | None = None
    arguments: Arguments
    checker: CheckerConfig | None = None
    why: str = ""


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
    package = PackageFolder.at(folder, shown_path(folder.absolute(), root_for_display))
    metadata = read_metadata(package)
    known = set(package.diagnostics)  # `load_package` has the same
    found = _Reader(package, metadata, checker_maker(package, metadata)).read()
    return found, [each for each in package.found() if each not in known]


class _Reader(Struct):
    _package: PackageFolder
    _metadata: Metadata
    _make_checker: Callable[[Arguments], CheckerConfig | None]

    def read(self) -> PackageFiles:
        path = self._package.path
        generators = path / "generators" / "generators.yaml"
        settings = _FolderSettings(self._package, self._metadata)
        files = PackageFiles(
            version=self._metadata.version,
            input_validators=tuple(self._input_validators()),
            answer_validators=tuple(self._validators(path / "answer_validators")),
            arguments=dict(self._arguments(settings)),
            self_tests=tuple(self._self_tests(settings)),
            statements=self._statements(),
            generators=generators if self._package.has_file(generators) else None,
            declares_score=self._metadata.declares_score,
            ans_is_output=self._metadata.ans_is_output,
        )
        self._report_missing(files)
        return files

    # ---- validators ------------------------------------------------------------------------------------------------

    def _input_validators(self) -> Iterator[Validator]:
        for name in _INPUT_VALIDATORS:
            yield from self._validators(self._package.path / name)

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
        for name in DATA:
            for path in self._inputs(name):
                arguments = settings.of_case(path).arguments
                if arguments.input_validators.by_name or arguments.answer_validators != ValidatorArguments():
                    yield self._case_name(path), arguments

    def _self_tests(self, settings: "_FolderSettings") -> Iterator[SelfTest]:
        for kind in _SELF_TESTS:
            for path in self._inputs(kind):
                if not is_valid_name(path.name):
                    self._package.warn(path, INVALID_NAME, fix=NAME_FIX)
                    continue
                found = settings.of_case(path)
                answer, output = path.with_suffix(".ans"), path.with_suffix(".out")
                has_answer = kind is not SelfTestKind.INVALID_INPUT
                has_output = kind in (SelfTestKind.INVALID_OUTPUT, SelfTestKind.VALID_OUTPUT)
                missing = [
                    each.name
                    for each, is_needed in ((answer, has_answer), (output, has_output))
                    if is_needed and not self._package.has_file(each)
                ]
                if missing:
                    self._package.error(path, f"is not tested: there is no {' and no '.join(missing)} beside it")
                    continue
                yield SelfTest(
                    kind=kind,
                    name=self._case_name(path),
                    input=path,
                    answer=answer if has_answer else None,
                    output=output if has_output else None,
                    arguments=found.arguments,
                    checker=self._make_checker(found.arguments) if has_output else None,
                    why=found.description,
                )

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

    def __init__(self, package: PackageFolder, metadata: Metadata) -> None:
        self._package = package
        self._reader = SettingsReader(package, metadata.version, dict(metadata.constants))
        self._of_folder = cache(self._read_folder)

    def _read_folder(self, folder: Path) -> GroupSettings:
        inherited = GroupSettings() if folder == self._package.path / "data" else self._of_folder(folder.parent)
        return self._reader.read_group(folder, [name for name in GROUP_FILES if (folder / name).is_file()], inherited)

    def of_case(self, path: Path) -> CaseSettings:
        """Return what holds for a case."""
        arguments = self._of_folder(path.parent).arguments
        file = path.with_suffix(".yaml")
        return self._reader.read_case(file, arguments) if file.is_file() else CaseSettings(arguments=arguments)
