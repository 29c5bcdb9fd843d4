"""testcases/<id>/*.yaml to cases."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from judge.base.errors import Diagnostic
from judge.model import GRAMMAR, AnswerSource, Case, External, Generated, InFile, Inline, InputSource
from judge.problems.file_format import CASES_FILE, MAX_CASES, CaseEntry, CasesFile, check_name, parse_seeds
from judge.problems.generators import Signature
from judge.problems.paths import AssetRoot
from judge.problems.problem_file import ProblemConfig, Settings
from judge.problems.yaml.document import Document, read_document
from judge.problems.yaml.text import describe_unknown, quote, quote_all


def read_cases(
    path: Path, assets: AssetRoot, config: ProblemConfig, diagnostics: list[Diagnostic], *, already: int
) -> list[Case]:
    """Return the cases of one file, in its order; what is wrong is added to the diagnostics.

    `assets` is testcases/<id>, and `already` how many cases the problem has before them.
    """
    document = read_document(path, assets.shown / path.name, CASES_FILE)
    try:
        check_name(path.stem)
    except ValueError as error:
        document.report_file(f"the name of the file is the name of the group: {error}")
    group = _Group(path, document, assets, config, already)
    cases = list(group.read(document.value)) if document.value else []
    diagnostics.extend(document.sorted_diagnostics())
    return cases


class _Group:
    """Turns the values of one file of cases into what they stand for."""

    def __init__(
        self, path: Path, document: Document[CasesFile], assets: AssetRoot, config: ProblemConfig, already: int
    ) -> None:
        self._path = path
        self._document = document
        self._assets = assets
        self._config = config
        self._total = already
        self._first: dict[str, int] = {}  # the index of the first case with a name
        self._needs_answers = config.needs_answers

    def read(self, value: CasesFile) -> Iterator[Case]:
        """Yield the cases; of those with errors only some."""
        settings = self._config.settings.override(value, self._document.report)
        arguments = tuple(each for each in value.validator_args or () if each is not None)
        for index, entry in enumerate(value.cases or ()):
            if entry is None:
                continue
            inputs = self._read_inputs(index, entry)
            self._total += len(inputs)
            if self._total > MAX_CASES:
                self._report(f"more than {MAX_CASES} cases in one problem: use fewer seeds", index)
                return
            self._check_names(index, entry, [name for name, _ in inputs])
            yield from self._read_entry(index, entry, inputs, settings, arguments)

    def _report(self, message: str, index: int, *path: str, at_key: bool = False) -> None:
        self._document.report(message, "cases", index, *path, at_key=at_key)

    def _read_entry(
        self,
        index: int,
        entry: CaseEntry,
        inputs: Sequence[tuple[str, InputSource]],
        settings: Settings,
        arguments: tuple[str, ...],
    ) -> Iterator[Case]:
        own = settings.override(entry, lambda message, *keys: self._report(message, index, *keys))
        answer = self._read_answer(index, entry)
        line = self._document.locate("cases", index).line
        for name, source in inputs:
            yield Case(
                group=self._path.stem,
                name=name,
                why=entry.why or "",
                input=source,
                answer=answer,
                limits=own.limits,
                checker=own.checker,
                validator_args=arguments,
                file_names=own.file_names,
                origin=self._path,
                line=line,
            )

    def _check_names(self, index: int, entry: CaseEntry, names: Sequence[str]) -> None:
        if entry.name is None:
            return
        for name in dict.fromkeys((entry.name, *names)):
            first = self._first.setdefault(name, index)
            if first != index:
                kind = "duplicate name" if name == entry.name else "the seeds make the duplicate name"
                line = self._document.locate("cases", first).line
                self._report(f"{kind} {quote(name)}: already on line {line}, rename one of them", index, "name")
                return

    def _read_inputs(self, index: int, entry: CaseEntry) -> list[tuple[str, InputSource]]:
        """Return the names and inputs of the cases of an entry; empty if they are not known."""
        name = entry.name or ""
        if entry.input is not None:
            return [(name, Inline(entry.input.encode()))]
        if entry.input_file is not None:
            path = self._assets.find_or_report(entry.input_file, self._report, index, "input_file")
            return [(name, InFile(path))] if path else []
        if entry.external is not None:
            url, sha256, file = entry.external.url, entry.external.sha256, entry.external.file
            return [(name, External(url=url or "", sha256=(sha256 or "").lower(), file=file or ""))]
        if entry.generate is not None:
            return self._read_generated(index, entry, entry.generate)
        return []

    def _read_generated(self, index: int, entry: CaseEntry, generator: str) -> list[tuple[str, InputSource]]:
        if generator == GRAMMAR and self._config.problem.input_format:
            return self._read_from_grammar(index, entry)
        functions = self._config.functions
        if functions is None:
            return []
        function = functions.get(generator)
        if function is None or function.error:
            usable = [each.name for each in functions.values() if not each.error]
            unknown = describe_unknown("generator", generator, usable)
            if not functions and (files := self._config.problem.generators):
                names = quote_all(file.name for file in files)
                unknown = f"unknown generator {quote(generator)}: expected a function of this name in {names}"
            self._report(f"{quote(generator)} {function.error}" if function else unknown, index, "generate")
            return []
        if entry.parameters is None and "parameters" in entry.given:
            return []
        parameters = entry.parameters or {}
        self._check_parameters(index, function, parameters)
        arguments = tuple(sorted(parameters.items()))
        return [
            (name, Generated(file=function.file, function=generator, parameters=arguments, seed=seed))
            for name, seed in self._read_seeds(index, entry)
        ]

    def _read_from_grammar(self, index: int, entry: CaseEntry) -> list[tuple[str, InputSource]]:
        """Return the inputs that the grammar of problem.yaml makes."""
        if entry.parameters is None and "parameters" in entry.given:
            return []
        from judge.inputs import read_json  # few cases are made like this

        parameters = entry.parameters or {}
        known = ("size", *read_json(self._config.problem.input_format).parameters)
        for name in parameters:
            if name not in known:
                message = describe_unknown("parameter", name, known, of=GRAMMAR)
                self._report(message, index, "parameters", name, at_key=True)
        size = parameters.get("size")
        if size is not None and (isinstance(size, bool) or not isinstance(size, int | float) or not 0 <= size <= 1):
            self._report("expected a size from 0 (the smallest inputs) to 1 (the largest)", index, "parameters", "size")
            return []
        assert self._config.problem.folder is not None
        file = self._config.problem.folder / "problem.yaml"
        arguments = tuple(sorted(parameters.items()))
        return [
            (name, Generated(file=file, function=GRAMMAR, parameters=arguments, seed=seed))
            for name, seed in self._read_seeds(index, entry)
        ]

    def _check_parameters(self, index: int, function: Signature, parameters: Mapping[str, object]) -> None:
        for name in parameters:
            if name not in function.parameters and not function.takes_any:
                message = describe_unknown("parameter", name, function.parameters, of=function.name)
                self._report(message, index, "parameters", name, at_key=True)
        for name in function.required:
            if name not in parameters:
                message = f"{quote(function.name)} requires the parameter {quote(name)}: add it to `parameters`"
                self._report(message, index, "generate")

    def _read_seeds(self, index: int, entry: CaseEntry) -> list[tuple[str, int]]:
        """Return the names and seeds of the cases of an entry."""
        if isinstance(entry.seeds, str):
            return [(f"{entry.name}-{seed}", seed) for seed in parse_seeds(entry.seeds)]
        if entry.seeds is not None:
            valid = [seed for seed in entry.seeds if seed is not None]
            seeds = dict.fromkeys(valid)
            if len(seeds) < len(valid):
                self._report("duplicate seed: remove one", index, "seeds")
            return [(f"{entry.name}-{seed}", seed) for seed in seeds]
        return [(entry.name or "", 1 if entry.seed is None else entry.seed)]

    def _read_answer(self, index: int, entry: CaseEntry) -> AnswerSource | None:
        if entry.answer is not None:
            return Inline(entry.answer.encode())
        if entry.answer_file is not None:
            path = self._assets.find_or_report(entry.answer_file, self._report, index, "answer_file")
            return InFile(path) if path else None
        if self._needs_answers and entry.given.isdisjoint(("answer", "answer_file")):
            self._report(
                "the case has no answer, and problem.yaml has no `reference` to compute it: add one or the other", index
            )
            self._needs_answers = False  # reported once per file
        return None
