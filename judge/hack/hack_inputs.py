"""What the files of a problem say about its inputs, for a search: cases, grammar, generators, limits, validators."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from judge.base.data import Data, read_small_file
from judge.base.errors import DataError, JudgeError, UsageError, shorten
from judge.hack.examine import Examiner
from judge.hack.functions import FunctionGenerator, Recipe, with_defaults
from judge.hack.hack_programs import SearchPrograms
from judge.hack.hack_request import HackRequest
from judge.hack.shrink import with_plain_white_space
from judge.hack.sources import ProgramGenerator, Rotation, Source, find_numbers, find_sizes, read_texts
from judge.hack.values import Joining, NamedProgram
from judge.inputs import Grammar
from judge.inputs.constraints import apply_constraints, read_constraints
from judge.inputs.guess import Guess, outline
from judge.inputs.infer import infer_grammar
from judge.inputs.observe import Observed
from judge.inputs.probe import Probed, places_of, probe_item
from judge.inputs.read import read_description
from judge.inputs.tighten import Oracle
from judge.languages.build import Program
from judge.model import Generated, Produced
from judge.preparation.cases import InvalidCase, ReadyCase, diagnose
from judge.preparation.generate import copy_readable
from judge.problems.generators import Signature
from judge.problems.yaml.document import read_value
from judge.sandbox.box import Box
from judge.workspace.session import Session

_MAX_KNOWN = 1 << 20  # bytes of a known input
_MAX_ANSWER = 20_000  # bytes of a known input whose answer is kept, and of that
_MAX_CASES = 300  # known inputs
_MAX_GENERATORS = 12
_MAX_FORMAT = 1 << 20  # bytes of a file for `--input`
_MAX_TRIED = 5  # cases on which validators are tried
_LEAST_INFINITY = 10**6  # smaller numbers in a reference are hardly its infinity
_NO_ANSWERS = (b"None", b"nan", b"inf", b"-inf")
_DAMAGES: tuple[Callable[[bytes], bytes], ...] = (
    lambda _: b"",
    lambda data: data[: len(data) // 2],
    lambda data: b"\n\t ".join(data.split()),
    lambda data: b"\x00<?>" + data,
)
"""Changes after which an input is hardly valid; that all of them are is even less likely."""


class SearchInputs:
    """What the files of a problem say about its inputs, and the inputs that follow.

    `most_asked` is how many elements an input has, about, that validators are asked about to infer a grammar.

    Attributes:
        notes: what cannot be used, a sentence each; those of the programs, too.
    """

    def __init__(
        self, request: HackRequest, session: Session, programs: SearchPrograms, *, most_asked: int = 3_000
    ) -> None:
        self.request = request
        self.problem = request.part.problem
        self.whole = request.whole
        self.session = session
        self._programs = programs
        self._most_asked = most_asked
        self.notes = programs.notes
        self.has_answers = False  # a known case has an answer that is not empty
        self.answers: dict[bytes, bytes] = {}  # of small known inputs
        self.grammar = self.problem.grammar

    @property
    def grammar_decides(self) -> bool:
        """Whether the grammar accepts exactly the valid inputs."""
        return self.grammar is not None and not self.grammar.description.also

    def known_inputs(self) -> list[bytes]:
        """Return the inputs of the cases, without those that are large or cannot be prepared."""
        allowed = self.request.uses_cases
        cases = [each for each in self.problem.cases if (allowed is None or allowed(each)) and not each.is_static]
        cases = cases[:_MAX_CASES]
        inputs = []
        invalid = []
        for each in self.session.prepare(replace(self.problem, cases=tuple(cases)), cases):
            if isinstance(each, InvalidCase):
                invalid.append(each)
            elif isinstance(each, ReadyCase):
                self.has_answers = self.has_answers or _has_content(each.answer)
                data = each.input if isinstance(each.input, bytes) else read_small_file(each.input, _MAX_KNOWN)
                if data is not None and len(data) <= _MAX_KNOWN:
                    inputs.append(data)
                    answer = each.answer
                    if isinstance(answer, Path):
                        answer = read_small_file(answer, _MAX_ANSWER)
                    if answer is not None and len(data) <= _MAX_ANSWER:
                        self.answers.setdefault(data, answer)
        if invalid and not inputs:
            self.notes.append(f"no case can be used: {diagnose(invalid)[0].message}")
        elif cases and not inputs:
            self.notes.append(f"no case can be used: all are larger than {_MAX_KNOWN >> 20} MiB")
        return list(dict.fromkeys(inputs))

    def read_format(self, known: Sequence[bytes]) -> None:
        """Take in what the user says of the format; the errors are those of `read_format`."""
        if self.request.input_format:
            self.grammar, notes = read_format(self.request.input_format, known)
            self.notes += notes

    def generators(self, seed: int) -> Iterator[FunctionGenerator | Rotation]:
        """Yield the problem's generators, with other seeds and smaller numbers."""
        recipes = {each.input for each in self.problem.cases if isinstance(each.input, Generated)}
        recipes = {each for each in recipes if not each.is_from_grammar}
        if recipes:
            ordered = sorted(recipes, key=lambda each: (each.function, repr(each.parameters)))
            copies = copy_readable(
                {str(at): each for at, each in enumerate(ordered)}, self.session.store.build, self.problem.id
            )
            wanted = [
                Recipe(file=each.file, function=each.function, parameters=each.parameters) for each in copies.values()
            ]
            files: dict[Path, list[Signature]] = {}
            varied = [with_defaults(each, files) for each in wanted]
            yield FunctionGenerator("generators", self.problem.id, varied, seed)
        produced = {each.input for each in self.whole.cases if isinstance(each.input, Produced)}
        if programs := list(self._produced(produced, seed)):
            yield Rotation("generators", programs)

    def probe(self, observed: Observed, known: Sequence[bytes], examiner: Examiner) -> tuple[Observed, list[bytes]]:
        """Ask the validators what they allow; return what is known then, and inputs that they accept."""
        numbers = self.numbers()
        places = places_of(observed, known)

        def accepts(data: bytes, box: Box) -> bool | None:
            is_valid = examiner.is_valid(data, box)
            return None if is_valid is None and examiner.is_over else bool(is_valid)

        def probe(box: Box, item: int) -> Probed:
            return probe_item(observed.values[item], item, places[item], numbers, partial(accepts, box=box))

        found = list(self.session.executor.map(probe, list(places)))
        probed = replace(observed, values=observed.values | {each.item: each.values for each in found})
        return probed, list(dict.fromkeys(data for each in found for data in each.inputs))

    def infer_grammar(self, observed: Observed, known: Sequence[bytes], examiner: Examiner) -> Any:
        """Return the notation of a grammar of what is known of the inputs, as far as the validators agree, or None."""

        def infer(box: Box) -> Any:
            oracle = Oracle(partial(examiner.is_valid, box=box), examiner.deadline, self._most_asked)
            return infer_grammar(observed, self.numbers(), known, oracle, Random(0))

        return self.session.executor.call(infer)

    def find_valid(self, inputs: Sequence[bytes], examiner: Examiner) -> list[bytes]:
        """Return those of some inputs that the validators accept."""
        found = self.session.executor.map(lambda box, data: examiner.is_valid(data, box), inputs)
        return [data for data, is_valid in zip(inputs, found, strict=True) if is_valid]

    def try_validators(self, known: Sequence[bytes], examiner: Examiner) -> None:
        """Note if the validators accept whatever they are asked, damaged inputs included, or reject every case."""
        small = sorted(known, key=len)[:_MAX_TRIED]
        damaged = [change(small[0]) for change in _DAMAGES]

        def ask(box: Box) -> str:
            if all(examiner.is_valid(each, box) for each in damaged):
                return "accepts everything that was tried: what is found may not be valid"
            if all(examiner.is_valid(each, box) is False for each in small):
                return "rejects every case that was tried: perhaps no input is valid for it"
            return "was not tried on damaged inputs, for lack of time; for more: --time" if examiner.is_over else ""

        if fault := self.session.executor.call(ask):
            names = " with ".join(each.name for each in examiner.target.validators[0])
            self.notes.append(f"the validator {names} {fault}")

    def _produced(self, recipes: set[Produced], seed: int) -> Iterator[Source]:
        """Yield the generators of a package whose arguments contain a seed."""
        from judge.preparation.produce import build_generator, read_generator

        seeded = [each for each in recipes if any("{seed}" in word for word in each.args)]
        seeded.sort(key=lambda each: (not find_sizes(each.args), repr(each.args)))  # without a size, it may be large
        for each in seeded[:_MAX_GENERATORS]:
            try:
                source = read_generator(each.sources, self.problem)
                built = self.session.executor.call(partial(build_generator, source, self.problem, self.session.store))
            except (JudgeError, OSError):  # `judge check` reports it
                continue
            if isinstance(built, Program):
                program = NamedProgram(name=each.sources[0].name, program=built, args=each.args)
                yield ProgramGenerator("generators", program, seed, scales=True)

    def joins(self, joining: Joining, known: Sequence[bytes], examiner: Examiner) -> bool:
        """Return whether two known tests in one input are valid, and single tests are."""
        tests = [test for each in sorted(known, key=len)[:5] for test in islice(joining.split(each) or (), 3)]
        if not tests:
            return False
        joined = joining.join([tests[0], tests[-1]])
        if joined is None or not examiner.target.validators:
            return joined is not None and len(known) > 1
        return len(self.find_valid([tests[0], joined], examiner)) > 1

    def constants(self) -> list[bytes]:
        """Return what validators are called with, and the named constants of the package: they may be limits."""
        words = [word for case in self.whole.cases[:_MAX_CASES] for word in case.validator_args]
        return [
            word.replace("=", " ").encode()
            for word in (*self._programs.arguments, *words, *self.problem.constants.values())
        ]

    def numbers(self) -> list[int]:
        """Return the numbers that the problem or the suspect mentions."""
        return sorted({*find_numbers(read_texts(self.texts()), self.constants()), *self.own_numbers()})

    def own_numbers(self) -> list[int]:
        """Return the numbers that the suspect mentions."""
        return find_numbers(read_texts([each.path for each in self.problem.solutions]))

    def no_answers(self) -> frozenset[bytes]:
        """Return what references print where there is no answer: their infinity, or a variable that was never set."""
        numbers = {*find_numbers(read_texts(self.request.references)), 2**31 - 1, 2**63 - 1}
        infinities = {b"%d" % (sign * each) for each in numbers if each >= _LEAST_INFINITY for sign in (1, -1)}
        return frozenset({*_NO_ANSWERS, *infinities}.difference(*map(bytes.split, self.answers.values())))

    def texts(self) -> list[Path]:
        """Return the files that mention limits."""
        paths = list(self._programs.texts)
        if self.problem.statement is not None:
            paths.append(self.problem.statement)
        folder = self.problem.folder
        if folder is not None and self.problem.is_package:
            paths += [each for name in ("statement", "problem_statement") if (each := folder / name).is_dir()]
        return paths


def read_format(text: str, known: Sequence[bytes]) -> tuple[Grammar, list[str]]:
    """Return the grammar that a user gives, and what of it is not used.

    Args:
        text: constraints in the words of a statement, notation, or the path of a file with one of these.
        known: inputs, whose format constraints are about.

    Raises:
        UsageError: it is neither, or a known input is not valid.
        DataError: the notation is wrong.
    """
    path = Path(text)
    is_file = "\n" not in text and path.is_file()
    data = (read_small_file(path, _MAX_FORMAT) or b"") if is_file else text.encode()
    notes: list[str] = []
    if re.match(rb"\s*(input:|lines:|constants:|- |\[|\{)", data):
        grammar = _read_notation(data, path if is_file else Path("--input"))
    else:
        guess = Guess.of(list(map(with_plain_white_space, known)))
        if guess is None:
            raise UsageError(f"--input {text}: no sample has a format that is recognized; write the format as notation")
        grammar, unused = apply_constraints(guess.notation, read_constraints(data.decode()), data.decode().strip())
        notes.append(f"input (guessed, with your ranges): {outline(grammar)}")
        notes += [f"--input: nothing in that format is `{each}`" for each in unused]
    for sample in map(with_plain_white_space, known):
        if (fault := grammar.check(sample)) is not None:
            raise UsageError(f"--input {shorten(text, 60)}: a sample is not valid: {fault}; correct the format")
    return grammar, notes


def _read_notation(data: bytes, shown: Path) -> Grammar:
    value, document = read_value(data, shown)
    found, place = None, list[str]()
    if isinstance(value, dict) and "input" in value:
        value, place = value["input"], ["input"]
    if not document.diagnostics:
        found = read_description(value, lambda message, *path, **at: document.report(message, *place, *path, **at))
    if found is None:
        raise DataError(document.sorted_diagnostics())
    return Grammar(found)


def find_joining(
    inputs: SearchInputs, grammar: Grammar | None, known: Sequence[bytes], examiner: Examiner
) -> Joining | None:
    """Return how tests are joined to one input, by a grammar that may be a guess; None if that is not possible."""
    if grammar is None:
        return None
    split = next((tests for each in known if (tests := grammar.split(each))), None)
    if not split or grammar.join([split[0], split[-1]]) is None:
        return None
    return grammar if not examiner.target.validators or inputs.joins(grammar, known, examiner) else None


def _has_content(data: Data | None) -> bool:
    return data.stat().st_size > 0 if isinstance(data, Path) else bool(data)
