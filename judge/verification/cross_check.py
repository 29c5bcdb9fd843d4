"""Compares the grammar of a problem's inputs with its cases and its validator, on a bounded number of inputs."""

import random
import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import islice
from pathlib import Path

from msgspec import Struct

from judge.data import read_data
from judge.errors import JudgeError, shorten
from judge.grammar import Grammar, GrammarError
from judge.model import Case, Inline, Problem
from judge.preparation.cases import DataStore, MapRuns, ReadyCase
from judge.preparation.confirm import Confirmer
from judge.preparation.lock import Lock
from judge.preparation.prepare import prepare, without_progress
from judge.sandbox.box import Box

_SMALLEST = 10  # inputs
_RANDOM = 30
_DAMAGED = 40
_MAX_SIZE = 1 << 20  # bytes of an input that is damaged
_SHOWN = 200  # characters of an input in a message


class Agreement(StrEnum):
    """What a grammar must agree on."""

    CASES = "the grammar accepts all cases"
    GENERATED = "the validator accepts what the grammar generates"
    DAMAGED = "the validator rejects what the grammar rejects"


class GrammarTest(Struct, frozen=True, kw_only=True):
    """One kind of agreement to test; `origin` and `line` say where the grammar is."""

    kind: Agreement
    origin: Path
    line: int


def grammar_tests(problem: Problem) -> Iterator[GrammarTest]:
    """Yield what to test about the grammar of a problem."""
    if not problem.input_format or problem.folder is None:
        return
    origin = problem.folder / "problem.yaml"
    line = _find_line(origin)
    for kind in Agreement:
        if kind is Agreement.CASES or problem.validator is not None:
            yield GrammarTest(kind=kind, origin=problem.show_file(origin), line=line)


def check_cases(problem: Problem, store: DataStore, lock: Lock, map_runs: MapRuns) -> str:
    """Return the first case that the grammar does not accept; "" if it accepts all.

    Cases with arguments for the validator follow other rules than the grammar, such as `--dirty`.
    """
    grammar = _require(problem)
    clean = [case for case in problem.cases if not case.validator_args]
    for each in without_progress(prepare(problem, clean, store, lock, map_runs)):
        if isinstance(each, ReadyCase) and (fault := grammar.check(read_data(each.input))) is not None:
            return f"the grammar rejects the case {each.case.id}: {fault}"
    return ""


def compare(kind: Agreement, problem: Problem, confirmer: Confirmer, box: Box) -> str:
    """Return where the grammar and the validator differ; "" if no difference was found.

    Raises:
        JudgeError: the validator neither accepts nor rejects an input.
    """
    if kind is Agreement.GENERATED:
        return _check_generated(problem, confirmer, box)
    return _check_damaged(problem, confirmer, box)


def _check_generated(problem: Problem, confirmer: Confirmer, box: Box) -> str:
    """Return what is wrong with the inputs that the grammar makes; "" if the validator accepts them.

    If the problem has rules that the grammar cannot express (`also`), the validator may reject some inputs, not all.
    """
    grammar = _require(problem)
    rng = random.Random(problem.id)
    rejected: list[str] = []
    count = 0
    try:
        for data in _samples(grammar, rng):
            count += 1
            if said := _validate(problem, confirmer, data, box):
                rejected.append(f"{said}; the input is {_show(data)}")
                if not grammar.description.also:
                    return f"the grammar makes an input that the validator rejects: {rejected[0]}"
    except GrammarError as error:
        return f"the grammar makes no input: {error}"
    if count == 0:
        return "the grammar makes no input: its rules contradict each other"
    if len(rejected) == count:
        return f"the validator rejects all of {count} inputs that the grammar makes: {rejected[0]}"
    return ""


def _check_damaged(problem: Problem, confirmer: Confirmer, box: Box) -> str:
    """Return an input that the validator accepts although the grammar rejects it; "" if none was found."""
    grammar = _require(problem)
    rng = random.Random(problem.id)
    try:
        good = [data for data in _samples(grammar, rng) if 0 < len(data) < _MAX_SIZE]
    except GrammarError:
        return ""  # `_check_generated` reports it
    tried = 0
    for _ in range(20 * _DAMAGED if good else 0):
        data = _damage(rng.choice(good), rng)
        fault = grammar.check(data)
        if fault is None:
            continue
        tried += 1
        if not _validate(problem, confirmer, data, box):
            return f"the validator accepts an input that the grammar rejects: {fault}; the input is {_show(data)}"
        if tried == _DAMAGED:
            break
    return ""


def _require(problem: Problem) -> Grammar:
    grammar = problem.grammar
    assert grammar is not None
    return grammar


def _samples(grammar: Grammar, rng: random.Random) -> Iterator[bytes]:
    yield from islice(grammar.smallest(), _SMALLEST)
    for _ in range(_RANDOM):
        yield grammar.generate(rng)


def _validate(problem: Problem, confirmer: Confirmer, data: bytes, box: Box) -> str:
    """Return what the validator says; "" if it accepts the input.

    Raises:
        JudgeError: it neither accepts nor rejects.
    """
    assert problem.folder is not None
    origin = problem.folder / "problem.yaml"
    given = Inline(data)
    case = Case(group="", name="sample", input=given, limits=problem.limits, checker=problem.checker, origin=origin)
    found = confirmer.validate(case, data, box)
    if found is not None and found.file is not None:
        raise JudgeError(f"{found.subject} {_show(data)}{found.detail}")
    return "" if found is None else f"{found.detail or found.subject}"


def _damage(data: bytes, rng: random.Random) -> bytes:
    """Return an input with a small change, which often makes it invalid."""
    at = rng.randrange(len(data))
    piece = rng.choice((b"", b" ", b"\n", b"0", b"9", b"-1", b"x", b"\r", b"\t", data[at : at + 1] * 2))
    changed = data[:at] + piece + data[at + rng.randrange(2) :]
    return rng.choice((changed, changed, changed, data[:-1], data + b"\n", data + data, b""))


def _show(data: bytes) -> str:
    return shorten(repr(data.decode("latin-1")), _SHOWN)


def _find_line(origin: Path) -> int:
    try:
        text = origin.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return 1
    match = re.search(r"^input\s*:", text, re.MULTILINE)
    return text.count("\n", 0, match.start()) + 1 if match else 1
