"""The cases of generators/generators.yaml: where their inputs and answers come from. Nothing is generated here.

A case whose files are in data/ is read from there. So a package can be judged before and after `bt generate` has run.
"""

from collections.abc import Collection, Iterable
from functools import cached_property
from pathlib import Path

from msgspec import Struct, field

from judge.errors import Diagnostic, Severity
from judge.languages.table import SUFFIXES
from judge.model import AnswerSource, Computed, InFile, Inline, InputSource, ProblemType, Produced
from judge.problems.icpc.data_settings import Arguments, CaseSettings, GroupSettings, SettingsReader
from judge.problems.icpc.files import PackageFolder
from judge.problems.icpc.generators_yaml import FILE, Command, Plan, PlannedCase, read_plan
from judge.problems.icpc.problem_yaml import Metadata
from judge.problems.paths import is_folder
from judge.problems.yaml.parse import Mapping

_ACCEPTED = Path("submissions") / "accepted"
_SLOW = (".py", ".py2", ".py3", ".rb", ".pl", ".php", ".lua", ".sh")  # an answer of any solution serves


class PlannedData(Struct, dict=True):  # with a dictionary, for the cached property
    """The cases and folders that a package's generators.yaml has.

    Attributes:
        path: the file.
        has_answers: answers are outputs; otherwise one that is not given is empty, as for interactive problems.
    """

    package: PackageFolder
    plan: Plan
    has_answers: bool
    _cases: dict[str, dict[str, PlannedCase]] = field(default_factory=dict)
    _folders: dict[str, dict[str, None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for case in self.plan.cases:
            self._cases.setdefault(case.group, {})[case.name] = case
        for group in (*self._cases, *self.plan.groups):
            parts = group.split("/") if group else []
            for depth in range(len(parts)):
                self._folders.setdefault("/".join(parts[:depth]), {})[parts[depth]] = None

    @classmethod
    def of(cls, package: PackageFolder, metadata: Metadata) -> "PlannedData | None":
        """Return what a package's file says, or None if there is none; what is wrong with it is reported."""
        path = package.path / FILE
        if not package.has_file(path):
            return None
        plan = read_plan(path, package.show(path), dict(metadata.constants), package.diagnostics)
        has_answers = not metadata.types & {ProblemType.INTERACTIVE, ProblemType.MULTI_PASS}
        return cls(package, plan, has_answers)

    @property
    def path(self) -> Path:
        """The file."""
        return self.package.path / FILE

    def folders(self, name: str) -> Iterable[str]:
        """Return the names of the folders in a folder."""
        return self._folders.get(name, ())

    def read_group(self, settings: SettingsReader, name: str, parent: GroupSettings) -> GroupSettings | None:
        """Return what holds in a folder by its settings in the file; None if it has none there."""
        content = self.plan.groups.get(name)
        return settings.read_group_content(content, self.path, parent) if isinstance(content, Mapping) else None

    def read_case(self, settings: SettingsReader, case: PlannedCase, group: Arguments) -> CaseSettings:
        """Return what holds for a case by its settings in the file, or in one that is copied."""
        if isinstance(case.config, Mapping):
            return settings.read_case_content(case.config, self.path, group)
        path = self.copied(case, ".yaml")
        return CaseSettings(arguments=group) if path is None else settings.read_case(path, group)

    def missing(self, folder: str, present: Collection[str]) -> dict[str, PlannedCase]:
        """Return the cases of a folder of which no input is in data/, by name."""
        return {name: case for name, case in self._cases.get(folder, {}).items() if name not in present}

    def find_input(self, case: PlannedCase) -> InputSource | None:
        """Return where the input of a case comes from; None if there is none, which is reported where it is wrong.

        In BAPCtools a text replaces a file that is copied, and that one replaces what a generator makes
        (`generate_from_rule` in bapctools/generate.py). A sample may have nothing but texts for the statement.
        """
        if (given := self.given(case, ".in")) is not None:
            return given
        if case.command is not None:
            return self._produced(case.command)
        if case.copy:
            self.report(case, f"`copy`: there is no file {case.copy}.in")
        elif case.is_given:
            self.report(case, f"has no rule, and there is no file data/{case.id}.in")
        return None

    def find_answer(self, case: PlannedCase) -> tuple[AnswerSource | None, bool]:
        """Return where the answer of a case comes from, and whether that is known: a generator may write one, too."""
        if (given := self.given(case, ".ans")) is not None:
            return given, True
        is_produced = case.command is not None
        if not self.has_answers:
            return (None, True) if is_produced else (Inline(b""), True)
        solution = self._solution(case)
        if solution is None and not is_produced:
            why = "`solution` is empty" if case.solution is None else "there is no accepted submission to compute it"
            self.report(case, f"has no answer, so it is not judged: {why}", fix="add `ans`, or a `solution`")
            return None, False
        return None if solution is None else Computed(solution), True

    def given(self, case: PlannedCase, suffix: str) -> Inline | InFile | None:
        """Return a file of a case that is written in its rule, or copied; None if there is none."""
        if (text := case.texts.get(suffix[1:])) is not None:
            return Inline(text.encode())
        path = self.copied(case, suffix)
        return None if path is None else InFile(path)

    def copied(self, case: PlannedCase, suffix: str) -> Path | None:
        """Return a file that is copied for a case, or None if there is none."""
        if not case.copy:
            return None
        for base in dict.fromkeys((case.copy, case.copy.removesuffix(".in"))):  # both are written
            path = self.package.path / f"{base}{suffix}"
            if self.package.has_file(path):
                return path
        return None

    def _produced(self, command: Command) -> Produced:
        names = self.plan.programs.get(command.program, (command.program,))
        return Produced(
            sources=tuple(self.package.path / name for name in names),
            args=command.args,
            seed=command.seed,
            attempts=command.attempts,
        )

    def _solution(self, case: PlannedCase) -> Path | None:
        """Return the solution that prints the answer of a case; the default one if its own does not exist."""
        if case.solution is None:
            return None
        if case.solution:
            path = self.package.path / case.solution
            if path.exists() and not self.package.leads_out(path):
                return path
            self.report(case, f"`solution`: there is no file {case.solution} in the package", is_warning=True)
        return self._default

    @cached_property
    def _default(self) -> Path | None:
        """An accepted submission, of a fast language if possible; BAPCtools takes any."""
        found = [
            Path(entry.path)
            for entry in self.package.scan(self.package.path / _ACCEPTED)
            if is_folder(entry) or Path(entry.name).suffix.lower() in SUFFIXES
        ]
        return min(found, key=lambda path: (path.suffix.lower() in _SLOW or path.is_dir(), path.name), default=None)

    def report(self, case: PlannedCase, message: str, *, fix: str = "", is_warning: bool = False) -> None:
        """Report what is wrong with a case, at its rule."""
        self.package.diagnostics.append(
            Diagnostic(
                path=self.package.show(self.path),
                line=case.line,
                column=1,
                severity=Severity.WARNING if is_warning else Severity.ERROR,
                message=f"case {case.id}: {message}",
                fix=fix,
            )
        )
