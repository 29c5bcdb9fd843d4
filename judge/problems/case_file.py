"""testcases/<id>/*.yaml to cases."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from judge.base.errors import Diagnostic
from judge.model import GRAMMAR, SEED, AnswerSource, Case, Generated, InFile, Inline, InputSource, Produced
from judge.problems.assets import AssetRoot
from judge.problems.file_format import CASES_FILE, MAX_CASES, CaseEntry, CasesFile, check_name
from judge.problems.generators import Signature
from judge.problems.problem_file import ProblemConfig
from judge.problems.yaml.document import read_document
from judge.problems.yaml.text import describe_unknown, quote


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
        message = f"the name of the file is the name of the group: {error}"
        document.diagnostics.append(Diagnostic(path=document.shown, message=message))
    group = _Group(path, assets, config, already)
    cases = list(group.read(document.value)) if document.value else []
    diagnostics.extend(document.sorted_diagnostics())
    return cases


class _Group:
    """Turns the values of one file of cases into what they stand for."""

    def __init__(self, path: Path, assets: AssetRoot, config: ProblemConfig, already: int) -> None:
        self._path = path
        self._assets = assets
        self._config = config
        self._total = already
        self._first: dict[str, CaseEntry] = {}  # the first case with a name
        self._needs_answers = config.needs_answers

    def read(self, value: CasesFile) -> Iterator[Case]:
        """Yield the cases; of those with errors only some."""
        inherited = self._config.override(value)
        arguments = tuple(each for each in value.validator_args or () if each is not None)
        for entry in value.cases or ():
            if entry is None:
                continue
            inputs = self._read_inputs(entry)
            self._total += len(inputs)
            if self._total > MAX_CASES:
                entry.report(f"more than {MAX_CASES} cases in one problem: use fewer seeds")
                return
            self._check_names(entry, [name for name, _ in inputs])
            own = inherited.override(entry).problem
            answer = self._read_answer(entry)
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
                    file_names=self._config.problem.file_names,
                    origin=self._path,
                    line=entry.locate().line,
                )

    def _check_names(self, entry: CaseEntry, names: Sequence[str]) -> None:
        if entry.name is None:
            return
        for name in dict.fromkeys((entry.name, *names)):
            first = self._first.setdefault(name, entry)
            if first is not entry:
                kind = "duplicate name" if name == entry.name else "the seeds make the duplicate name"
                line = first.locate().line
                entry.report(f"{kind} {quote(name)}: already on line {line}, rename one of them", "name")
                return

    def _read_inputs(self, entry: CaseEntry) -> list[tuple[str, InputSource]]:
        name = entry.name or ""
        if entry.input is not None:
            return [(name, Inline(entry.input.encode()))]
        if entry.input_file is not None:
            path = self._assets.find_or_report(entry.input_file, entry.report, "input_file")
            return [(name, InFile(path))] if path else []
        if entry.external is not None:
            return [(name, entry.external)]
        if entry.generate is not None:
            return self._read_generated(entry, entry.generate)
        return []

    def _read_generated(self, entry: CaseEntry, generator: str) -> list[tuple[str, InputSource]]:
        is_grammar = generator == GRAMMAR and bool(self._config.problem.input_format)
        parameters, functions = entry.parameters, {} if is_grammar else self._config.functions
        if functions is None or (parameters is None and "parameters" in entry.given):
            return []  # reported
        function = functions.get(generator)
        if function is not None and function.is_program:
            run = partial(Produced, sources=(function.file,), args=self._read_arguments(entry))
            return [(name, run(seed=seed)) for name, seed in self._read_seeds(entry)]
        if isinstance(parameters, list):
            entry.report(f"{quote(generator)} is no program: give its parameters by name", "parameters")
            return []
        arguments = tuple(sorted((parameters or {}).items()))
        if is_grammar:
            self._check_parameters_of_grammar(entry, parameters or {})
            assert self._config.problem.folder is not None
            file = self._config.problem.folder / "problem.yaml"
            make = partial(Generated, file=file, function=GRAMMAR, parameters=arguments)
            return [(name, make(seed=seed)) for name, seed in self._read_seeds(entry)]
        if function is None or function.error:
            usable = [each.name for each in functions.values() if not each.error]
            unknown = describe_unknown("generator", generator, usable) + self._find_unlisted(generator)
            entry.report(f"{quote(generator)} {function.error}" if function else unknown, "generate")
            return []
        self._check_parameters(entry, function, parameters or {})
        make = partial(Generated, file=function.file, function=generator, parameters=arguments)
        return [(name, make(seed=seed)) for name, seed in self._read_seeds(entry)]

    def _find_unlisted(self, generator: str) -> str:
        """Return what to do if a program of that name is only not listed in problem.yaml; else ""."""
        folder = self._config.problem.folder
        files = sorted((folder / "generators").glob("*")) if folder is not None else []
        found = [each.name for each in files if each.stem == generator and each.suffix]
        return f"; list it in problem.yaml: `generators: [generators/{found[0]}]`" if found else ""

    def _check_parameters(self, entry: CaseEntry, function: Signature, parameters: Mapping[str, object]) -> None:
        for name in parameters:
            if name not in function.parameters and not function.takes_any:
                message = describe_unknown("parameter", name, function.parameters, of=function.name)
                entry.report(message, "parameters", name, at_key=True)
        for name in function.required:
            if name not in parameters:
                message = f"{quote(function.name)} requires the parameter {quote(name)}: add it to `parameters`"
                entry.report(message, "generate")

    def _check_parameters_of_grammar(self, entry: CaseEntry, parameters: Mapping[str, object]) -> None:
        from judge.inputs import read_json  # few cases are made like this

        known = ("size", *read_json(self._config.problem.input_format).parameters)
        for name in parameters:
            if name not in known:
                message = describe_unknown("parameter", name, known, of=GRAMMAR)
                entry.report(message, "parameters", name, at_key=True)
        size = parameters.get("size")
        if size is not None and (isinstance(size, bool) or not isinstance(size, int | float) or not 0 <= size <= 1):
            entry.report("expected a size from 0 (the smallest inputs) to 1 (the largest)", "parameters", "size")

    def _read_arguments(self, entry: CaseEntry) -> tuple[str, ...]:
        """Return the arguments of a program; the seed is the last one, unless one contains `{seed}`."""
        given = entry.parameters or []
        items = given.items() if isinstance(given, dict) else enumerate(given)
        words = []
        for key, value in items:
            if not isinstance(value, str | int | float):
                fix = 'quote it, `"{seed}"`' if value == {"seed": None} else "quote it if it is a text"
                entry.report(f"an argument of a program is a text or a number: {fix}", "parameters", key)
            text = value if isinstance(value, str) else json.dumps(value)
            words.append(text if isinstance(key, int) else f"--{key}={text}")
        return tuple(words if any(SEED in word for word in words) else (*words, SEED))

    def _read_seeds(self, entry: CaseEntry) -> list[tuple[str, int]]:
        if entry.seeds is not None:
            valid = [seed for seed in entry.seeds if seed is not None]
            seeds = dict.fromkeys(valid)
            if len(seeds) < len(valid):
                entry.report("duplicate seed: remove one", "seeds")
            return [(f"{entry.name}-{seed}", seed) for seed in seeds]
        return [(entry.name or "", 1 if entry.seed is None else entry.seed)]

    def _read_answer(self, entry: CaseEntry) -> AnswerSource | None:
        if entry.answer is not None:
            return Inline(entry.answer.encode())
        if entry.answer_file is not None:
            path = self._assets.find_or_report(entry.answer_file, entry.report, "answer_file")
            return InFile(path) if path else None
        if self._needs_answers and entry.given.isdisjoint(("answer", "answer_file")):
            entry.report(
                "the case has no answer, and problem.yaml has no `reference` to compute it: add one or the other"
            )
            self._needs_answers = False  # reported once per file
        return None
