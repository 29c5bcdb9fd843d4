"""What the files of a problem say about its inputs, for a search: cases, grammar, generators, limits, validators."""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import read_small_file
from judge.base.errors import DataError, JudgeError, UsageError, shorten
from judge.base.units import Seconds
from judge.hack.examine import Examiner
from judge.hack.functions import call_generators, turns_of, with_defaults
from judge.hack.hack_programs import SearchPrograms
from judge.hack.hack_request import HackRequest
from judge.hack.shrink import simpler_texts
from judge.hack.sources import Source, find_numbers, find_sizes, read_texts, run_generator, take_fair_turns, take_turns
from judge.hack.values import NamedProgram
from judge.inputs import Grammar
from judge.inputs.constraints import apply_constraints, read_constraints
from judge.inputs.guess import Guess
from judge.inputs.infer import infer_grammar
from judge.inputs.observe import Observed, observe, take_small
from judge.inputs.probe import Probe, places_of, probe_item
from judge.inputs.read import read_description
from judge.inputs.structure import with_plain_white_space
from judge.inputs.tighten import Oracle
from judge.languages.build import Program
from judge.model import Generated, Problem, Produced
from judge.preparation.cases import InvalidCase, ReadyCase, diagnose
from judge.preparation.generate import GENERATOR_LIMITS, copy_readable
from judge.problems.generators import Signature
from judge.problems.yaml.document import read_document
from judge.problems.yaml.types import Anything
from judge.sandbox.box import Box
from judge.workspace.session import Session

_MAX_KNOWN = 1 << 20  # bytes of a known input
_MAX_ANSWER = 20_000  # bytes of a known input whose answer is kept, and of that
_MAX_CASES = 300  # known inputs
_MAX_GENERATORS, _MAX_CALLS = 10, 20  # programs, and arguments of each
_MAX_FORMAT = 1 << 20  # bytes of a file for `--input`
_MAX_TRIED = 5  # cases on which validators are tried
_MOST_PLAIN = 20_000  # bytes of known inputs that are tried with plain white space
_MAX_BASE = 2_000  # bytes of an input that is changed
_MAX_BASES = 2
_MAX_VARIANTS = 8  # of each kind: each is a run of the validator
_LEAST_INFINITY = 10**6  # smaller numbers in a reference are hardly its infinity
_NO_ANSWERS = (b"None", b"nan", b"inf", b"-inf")
_DAMAGES: tuple[Callable[[bytes], bytes], ...] = (
    lambda _: b"",
    lambda data: data[: len(data) // 2],
    lambda data: b"\n\t ".join(data.split()),
    lambda data: b"\x00<?>" + data,
)
"""Changes after which an input is hardly valid; that all of them are is even less likely."""


class KnownInputs(Struct, frozen=True, kw_only=True):
    """The inputs of the cases, without those that are large or cannot be prepared, and the answers of small ones.

    `has_answers`: some case has an answer that is not empty. `notes` say why there are none, a sentence each.
    """

    inputs: Sequence[bytes]
    answers: Mapping[bytes, bytes]
    has_answers: bool
    notes: Sequence[str]


def known_inputs(request: HackRequest, session: Session) -> KnownInputs:
    """Return the inputs of the cases that the request allows."""
    problem, allowed = request.part.problem, request.uses_cases
    cases = [each for each in problem.cases if (allowed is None or allowed(each)) and not each.is_static]
    cases = cases[:_MAX_CASES]
    inputs, invalid, notes, has_answers = list[bytes](), list[InvalidCase](), list[str](), False
    answers: dict[bytes, bytes] = {}
    for each in session.prepare(replace(problem, cases=tuple(cases)), cases):
        if isinstance(each, InvalidCase):
            invalid.append(each)
        elif isinstance(each, ReadyCase):
            answer = each.answer
            has_answers |= answer.stat().st_size > 0 if isinstance(answer, Path) else bool(answer)
            data = each.input if isinstance(each.input, bytes) else read_small_file(each.input, _MAX_KNOWN)
            if data is not None and len(data) <= _MAX_KNOWN:
                inputs.append(data)
                if isinstance(answer, Path):
                    answer = read_small_file(answer, _MAX_ANSWER)
                if answer is not None and len(data) <= _MAX_ANSWER:
                    answers.setdefault(data, answer)
    if invalid and not inputs:
        notes.append(f"no case can be used: {diagnose(invalid)[0].message}")
    elif cases and not inputs:
        notes.append(f"no case can be used: all are larger than {_MAX_KNOWN >> 20} MiB")
    return KnownInputs(inputs=list(dict.fromkeys(inputs)), answers=answers, has_answers=has_answers, notes=notes)


def generators(request: HackRequest, session: Session, seed: int, longest: Seconds) -> Iterator[tuple[Source, int]]:
    """Yield the problem's generators, with other seeds and smaller numbers, and how many turns they take with these.

    A program that takes longer than `longest` makes no input.
    """
    problem = request.part.problem
    recipes = {each.input for each in problem.cases if isinstance(each.input, Generated)}
    recipes = {each for each in recipes if not each.is_from_grammar}
    if recipes:
        ordered = sorted(recipes, key=lambda each: (each.function, repr(each.parameters)))
        copies = copy_readable({str(at): each for at, each in enumerate(ordered)}, session.store.build)
        files: dict[Path, list[Signature]] = {}
        varied = [with_defaults(each, files) for each in copies.values()]
        yield Source("generators", call_generators("generators", problem.id, varied, seed)), turns_of(varied)
    produced = {each.input for each in request.whole.cases if isinstance(each.input, Produced)}
    calls = list(_produced(produced, problem, session, seed, longest))
    if calls:
        programs = [Source("generators", take_turns(each)) for each in calls]
        yield Source("generators", take_fair_turns(programs)), len(programs)


def _produced(
    recipes: set[Produced], problem: Problem, session: Session, seed: int, longest: Seconds
) -> Iterator[list[Source]]:
    """Yield the generators of a package whose arguments contain a seed: what each program makes of its arguments."""
    from judge.preparation.produce import build_generator, read_generator

    def order(call: Produced) -> tuple[object, ...]:
        """Return what decides: compiling takes seconds, and without a size, an input may be large."""
        return call.sources[0].suffix != ".py", not find_sizes(call.args), call.args

    limits = GENERATOR_LIMITS.override(cpu=longest) if longest < GENERATOR_LIMITS.cpu else GENERATOR_LIMITS
    programs = dict[Sequence[Path], dict[tuple[str, ...], None]]()
    for each in sorted(recipes, key=order):
        if any("{seed}" in word for word in each.args):
            programs.setdefault(each.sources, {})[each.args] = None
    for sources, calls in islice(programs.items(), _MAX_GENERATORS):
        try:
            source = read_generator(sources, problem, session.store.testlib)
            built = session.executor.call(partial(build_generator, source, problem, session.store))
        except (JudgeError, OSError):  # `judge check` reports it
            continue
        if not isinstance(built, Program):
            continue
        made = list[Source]()
        for at, args in enumerate(islice(calls, _MAX_CALLS)):
            program = NamedProgram(name=sources[0].name, program=built, args=args)
            inputs = run_generator(program, seed, limits=limits, scales=True)
            made.append(Source("generators", islice(inputs, at % 2, None)))  # of every other one, not scaled at first
        yield made


def mentioned_numbers(programs: SearchPrograms) -> list[int]:
    """Return the numbers that the problem or the submission mentions: they may be limits."""
    request = programs.request
    problem, whole = request.part.problem, request.whole
    paths = list(programs.texts)
    if problem.statement is not None:
        paths.append(problem.statement)
    if problem.folder is not None and problem.is_package:
        folders = (problem.folder / name for name in ("statement", "problem_statement"))
        paths += [each for each in folders if each.is_dir()]
    words = [word for case in whole.cases[:_MAX_CASES] for word in case.validator_args]
    constants = (*programs.arguments, *words, *problem.constants.values())
    found = find_numbers(read_texts(paths), [word.replace("=", " ").encode() for word in constants])
    return sorted({*found, *numbers_of_submission(problem)})


def numbers_of_submission(problem: Problem) -> list[int]:
    """Return the numbers that the submission mentions."""
    return find_numbers(read_texts([each.path for each in problem.solutions]))


def find_no_answers(request: HackRequest, answers: Mapping[bytes, bytes]) -> frozenset[bytes]:
    """Return what references print where there is no answer: their infinity, or a variable that was never set.

    What the known `answers` contain is not among it.
    """
    numbers = {*find_numbers(read_texts(request.references)), 2**31 - 1, 2**63 - 1}
    infinities = {b"%d" % (sign * each) for each in numbers if each >= _LEAST_INFINITY for sign in (1, -1)}
    return frozenset({*_NO_ANSWERS, *infinities}.difference(*map(bytes.split, answers.values())))


class Profile(Struct, frozen=True, kw_only=True):
    """What the validators say of inputs, and the notation of a grammar that is inferred; None if there is none.

    `probed` are further valid inputs, with values at the limits. `notes` say what is wrong with the validators.
    """

    probed: Sequence[bytes] = ()
    notation: Any = None
    notes: Sequence[str] = ()


def profile_inputs(
    known: Sequence[bytes],
    numbers: Sequence[int],
    grammar: Grammar | None,
    examiner: Examiner,
    session: Session,
    *,
    probing: Seconds,
    most_asked: int = 3_000,
) -> Profile:
    """Ask the validators what they allow, and infer a grammar from that and the known inputs, if the problem has none.

    `probing` is how long each of the two parts may take. To infer a grammar, validators are asked about inputs of about
    `most_asked` elements at most.
    """
    probed: list[bytes] = []
    notes: list[str] = []
    start = time.monotonic()
    validators = examiner.target.validators
    examiner.deadline = start + probing
    if validators and known and grammar is None:
        notes = try_validators(known, examiner, session)
        examiner.deadline = time.monotonic() + probing / 2
        plain = [with_plain_white_space(each) for each in take_small(known, _MOST_PLAIN)]
        asked = [*(each for each in plain if each not in known), *variants_of(known)]
        probed = find_valid(asked, examiner, session)
    notation = None
    asks = bool(known and validators) and (grammar is None or bool(grammar.description.also))
    observed = (observe([*known, *probed]) or observe(known)) if asks else None
    if observed is not None:
        examiner.deadline = start + probing
        found, accepted = _probe(observed, known, numbers, examiner, session)
        probed += accepted
        if grammar is None:
            examiner.deadline = time.monotonic() + probing / 2

            def infer(box: Box) -> Any:
                oracle = Oracle(partial(examiner.is_valid, box=box), examiner.deadline, most_asked)
                return infer_grammar(found, numbers, [*known, *probed], oracle, Random(0))

            notation = session.executor.call(infer)
    return Profile(probed=probed, notation=notation, notes=notes)


def variants_of(known: Sequence[bytes]) -> list[bytes]:
    """Return simpler texts than two small inputs; those that are valid show what a number counts, if anything."""
    bases = sorted((each for each in known if len(each) <= _MAX_BASE), key=lambda each: (len(each), each))[:_MAX_BASES]
    texts = (text for base in bases for part in simpler_texts(base) for text in islice(part, _MAX_VARIANTS))
    return list(dict.fromkeys(texts))


def _probe(
    observed: Observed, known: Sequence[bytes], numbers: Sequence[int], examiner: Examiner, session: Session
) -> tuple[Observed, list[bytes]]:
    """Ask the validators what they allow; return what is known then, and inputs that they accept."""
    places = places_of(observed, known)

    def accepts(data: bytes, box: Box) -> bool | None:
        is_valid = examiner.is_valid(data, box)
        return None if is_valid is None and examiner.is_over else bool(is_valid)

    def probe(box: Box, item: int) -> Probe:
        return probe_item(observed.values[item], item, places[item], numbers, partial(accepts, box=box))

    found = list(session.executor.map(probe, list(places)))
    probed = replace(observed, values=observed.values | {each.item: each.values for each in found})
    return probed, list(dict.fromkeys(data for each in found for data in each.inputs))


def find_valid(inputs: Sequence[bytes], examiner: Examiner, session: Session) -> list[bytes]:
    """Return those of some inputs that the validators accept."""
    found = session.executor.map(lambda box, data: examiner.is_valid(data, box), inputs)
    return [data for data, is_valid in zip(inputs, found, strict=True) if is_valid]


def try_validators(known: Sequence[bytes], examiner: Examiner, session: Session) -> list[str]:
    """Return a note if the validators accept whatever they are asked, damaged inputs included, or reject every case."""
    small = sorted(known, key=len)[:_MAX_TRIED]
    damaged = [change(small[0]) for change in _DAMAGES]

    def ask(box: Box) -> str:
        if all(examiner.is_valid(each, box) for each in damaged):
            return "accepts everything that was tried: what is found may not be valid"
        if all(examiner.is_valid(each, box) is False for each in small):
            return "rejects every case that was tried: perhaps no input is valid for it"
        return "was not tried on damaged inputs, for lack of time; for more: --time" if examiner.is_over else ""

    fault = session.executor.call(ask)
    names = " with ".join(each.name for each in examiner.target.validators[0])
    return [f"the validator {names} {fault}"] if fault else []


def read_format(text: str, known: Sequence[bytes]) -> tuple[Grammar, list[str], Any]:
    """Return the grammar that a user gives, what of it is not used, and its notation.

    The text is constraints in the words of a statement about the format of known inputs, or notation, or the path of a
    file with one of these.

    Raises:
        UsageError: it is neither, or a known input is not valid.
        DataError: the notation is wrong.
    """
    path = Path(text)
    is_file = "\n" not in text and path.is_file()
    data = (read_small_file(path, _MAX_FORMAT) or b"") if is_file else text.encode()
    notes: list[str] = []
    if re.match(rb"\s*(input:|lines:|constants:|- |\[|\{)", data):
        grammar, value = _read_notation(data, path if is_file else Path("--input"))
    else:
        guess = Guess.of(list(map(with_plain_white_space, known)))
        if guess is None:
            raise UsageError(f"--input {text}: no sample has a format that is recognized; write the format as notation")
        words = data.decode()
        grammar, unused, value = apply_constraints(guess.notation, read_constraints(words), words.strip())
        notes.append(f"input (guessed, with your ranges): {grammar.outline()}")
        notes += [f"--input: nothing in that format is `{each}`" for each in unused]
    for sample in map(with_plain_white_space, known):
        if (fault := grammar.check(sample)) is not None:
            raise UsageError(f"--input {shorten(text, 60)}: a sample is not valid: {fault}; correct the format")
    return grammar, notes, value


def _read_notation(data: bytes, shown: Path) -> tuple[Grammar, Any]:
    document = read_document(data, shown, Anything())
    value = document.value
    found, place = None, list[str]()
    if isinstance(value, dict) and "input" in value:
        value, place = value["input"], ["input"]
    if not document.diagnostics:
        found = read_description(value, lambda message, *path, **at: document.report(message, *place, *path, **at))
    if found is None:
        raise DataError(document.sorted_diagnostics())
    return Grammar(found), value


def find_joining(
    grammar: Grammar | None, known: Sequence[bytes], examiner: Examiner, session: Session
) -> Grammar | None:
    """Return how tests are joined to one input, by a grammar that may be a guess; None if that is not possible."""
    if grammar is None:
        return None
    split = next((tests for each in known if (tests := grammar.split(each))), None)
    if not split or grammar.join([split[0], split[-1]]) is None:
        return None
    if not examiner.target.validators:
        return grammar
    tests = [test for each in sorted(known, key=len)[:5] for test in islice(grammar.split(each) or (), 3)]
    joined = grammar.join([tests[0], tests[-1]]) if tests else None
    return grammar if joined and len(find_valid([tests[0], joined], examiner, session)) > 1 else None
