"""testcases/<id>/*.yaml to cases."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import UNSET

from judge.errors import Diagnostic
from judge.model import AnswerSource, Case, External, Generated, InFile, Inline, InputSource
from judge.problems.file_format import MOST_CASES, CaseEntry, CasesFile, ExternalEntry, check_name, parse_seeds
from judge.problems.generators import Signature
from judge.problems.paths import AssetRoot
from judge.problems.problem_file import Settings
from judge.problems.yaml.document import Document, read
from judge.problems.yaml.parse import Location, Mistake
from judge.problems.yaml.readers import is_sound, sound
from judge.problems.yaml.scalars import quoted, unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupContext:
    """What a file of cases is read within.

    Attributes:
        home: testcases/<id>.
        settings: the problem's.
        functions: those of its generator files by name; None when they are not all known.
        makes_answers: whether a case may come without an answer.
        room: how many cases the problem may still have.
    """

    home: AssetRoot
    settings: Settings
    functions: Mapping[str, Signature] | None
    makes_answers: bool
    room: int = MOST_CASES


def read_cases(path: Path, within: GroupContext, diagnostics: list[Diagnostic]) -> list[Case]:
    """Return the cases of one file, in its order; what is wrong is added to the findings."""
    document = read(path, within.home.shown / path.name, CasesFile)
    try:
        check_name(path.stem)
    except ValueError as error:
        document.mistakes.append(Mistake(Location(), f"the file's name is the group's: {error}"))
    cases = list(_Group(path, document, within).cases(document.value)) if document.value else []
    diagnostics.extend(document.diagnostics)
    return cases


class _Group:
    """Turns the values of one file of cases into what they stand for."""

    def __init__(self, path: Path, document: Document[CasesFile], within: GroupContext) -> None:
        self._path = path
        self._document = document
        self._within = within
        self._first: dict[str, int] = {}  # the index of the case that used a name first
        self._may_lack_answer = within.makes_answers

    def cases(self, value: CasesFile) -> Iterator[Case]:
        """Yield the cases; of those with mistakes only some."""
        settings = self._within.settings.adjusted(value.limits, value.checker, self._document.report)
        arguments = tuple(sound(value.validator_args))
        made = 0
        for index, entry in enumerate(value.cases if is_sound(value.cases) else ()):
            if not is_sound(entry):
                continue
            inputs = self._inputs(index, entry)
            made += len(inputs)
            if made > self._within.room:
                self._document.report(f"more than {MOST_CASES} cases in one problem: take fewer seeds", "cases", index)
                return
            self._check_names(index, entry, [name for name, _ in inputs])
            yield from self._expanded(index, entry, inputs, settings, arguments)

    def _expanded(
        self,
        index: int,
        entry: CaseEntry,
        inputs: Sequence[tuple[str, InputSource]],
        settings: Settings,
        arguments: tuple[str, ...],
    ) -> Iterator[Case]:
        own = settings.adjusted(
            entry.limits, entry.checker, lambda message, key: self._document.report(message, "cases", index, key)
        )
        answer = self._answer(index, entry)
        for name, source in inputs:
            yield Case(
                group=self._path.stem,
                name=name,
                why=entry.why if isinstance(entry.why, str) else "",
                input=source,
                answer=answer,
                limits=own.limits,
                checker=own.checker,
                validator_args=arguments,
                origin=self._path,
                line=self._document.place("cases", index).line,
            )

    def _check_names(self, index: int, entry: CaseEntry, names: Sequence[str]) -> None:
        if not is_sound(entry.name):
            return
        for name in dict.fromkeys((entry.name, *names)):
            first = self._first.setdefault(name, index)
            if first != index:
                what = "duplicate name" if name == entry.name else "the seeds make the duplicate name"
                line = self._document.place("cases", first).line
                message = f"{what} {quoted(name)}: line {line} has it already, rename one of them"
                self._document.report(message, "cases", index, "name")
                return

    # ---- inputs -----------------------------------------------------------------------------------------------------

    def _inputs(self, index: int, entry: CaseEntry) -> list[tuple[str, InputSource]]:
        """Return the names and inputs of an entry's cases; empty where that cannot be known."""
        if isinstance(entry.input, str):
            return [(entry.name, Inline(entry.input.encode()))]
        if isinstance(entry.input_file, str):
            path = self._file(entry.input_file, index, "input_file")
            return [(entry.name, InFile(path))] if path else []
        if isinstance(entry.external, ExternalEntry):
            return [(entry.name, _external(entry.external))]
        return self._generated(index, entry, entry.generate) if isinstance(entry.generate, str) else []

    def _generated(self, index: int, entry: CaseEntry, generator: str) -> list[tuple[str, InputSource]]:
        if self._within.functions is None:
            return []
        function = self._within.functions.get(generator)
        if function is None or function.fault:
            usable = [each.name for each in self._within.functions.values() if not each.fault]
            message = f"{quoted(generator)} {function.fault}" if function else unknown("generator", generator, usable)
            self._document.report(message, "cases", index, "generate")
            return []
        parameters = {} if entry.parameters is UNSET else entry.parameters
        if not is_sound(parameters):
            return []
        self._check_parameters(index, function, parameters)
        arguments = tuple(sorted(parameters.items()))
        return [
            (name, Generated(file=function.file, function=generator, parameters=arguments, seed=seed))
            for name, seed in self._seeds(index, entry)
        ]

    def _check_parameters(self, index: int, function: Signature, parameters: Mapping[str, object]) -> None:
        for name in parameters:
            if name not in function.parameters and not function.open:
                message = unknown("parameter", name, function.parameters, of=function.name)
                self._document.report(message, "cases", index, "parameters", name, at_key=True)
        for name in function.required:
            if name not in parameters:
                message = f"{quoted(function.name)} needs the parameter {quoted(name)}: add it to `parameters`"
                self._document.report(message, "cases", index, "generate")

    def _seeds(self, index: int, entry: CaseEntry) -> list[tuple[str, int]]:
        if isinstance(entry.seeds, str):
            return [(f"{entry.name}-{seed}", seed) for seed in parse_seeds(entry.seeds)]
        if isinstance(entry.seeds, list):
            listed = sound(entry.seeds)
            seeds = dict.fromkeys(listed)
            if len(seeds) < len(listed):
                self._document.report("a seed stands twice: remove one", "cases", index, "seeds")
            return [(f"{entry.name}-{seed}", seed) for seed in seeds]
        return [(entry.name, entry.seed if isinstance(entry.seed, int) else 1)]

    # ---- answers ----------------------------------------------------------------------------------------------------

    def _answer(self, index: int, entry: CaseEntry) -> AnswerSource | None:
        if isinstance(entry.answer, str):
            return Inline(entry.answer.encode())
        if isinstance(entry.answer_file, str):
            path = self._file(entry.answer_file, index, "answer_file")
            return InFile(path) if path else None
        if is_sound(entry.answer) and is_sound(entry.answer_file) and not self._may_lack_answer:
            message = (
                "a case without an answer, and problem.yaml names no `reference` to make it: give one or the other"
            )
            self._document.report(message, "cases", index)
            self._may_lack_answer = True  # said once a file
        return None

    def _file(self, named: str, index: int, key: str) -> Path | None:
        try:
            return self._within.home.file(named)
        except ValueError as error:
            self._document.report(str(error), "cases", index, key)
            return None


def _external(entry: ExternalEntry) -> External:
    return External(url=entry.url, sha256=str(entry.sha256).lower(), file=entry.file)
