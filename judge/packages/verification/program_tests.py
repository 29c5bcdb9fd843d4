"""Runs the tests of a problem's checker, validator and grammar.

The problem says what its programs must accept and reject. The grammar is compared with the cases and with the
validator, on a bounded number of inputs.
"""

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data, read_data
from judge.base.errors import DataError, Diagnostic, JudgeError, describe_error, shorten
from judge.inputs import Grammar, GrammarError
from judge.judging.judge import check_output
from judge.judging.programs import JudgePrograms
from judge.model import CheckerTest, InFile, Inline, Problem, ValidatorTest, Verdict, WindowsText
from judge.preparation.cases import DataStore, InvalidCase, MapRuns, ReadyCase, SkippedCase, diagnose
from judge.preparation.confirm import Confirmer
from judge.preparation.prepare import prepare, without_progress
from judge.preparation.store import Lock
from judge.preparation.validators import Status
from judge.sandbox.box import Box


class Agreement(StrEnum):
    """What a grammar must agree on."""

    CASES = "the grammar accepts all cases"
    POSSIBLE = "the grammar generates inputs"
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
    text = ""
    with suppress(OSError, ValueError):
        text = origin.read_text(encoding="utf-8")
    found = re.search(r"^input\s*:", text, re.MULTILINE)
    line = text.count("\n", 0, found.start()) + 1 if found else 1
    without_validator = (Agreement.CASES, Agreement.POSSIBLE)
    with_validator = (Agreement.CASES, Agreement.GENERATED, Agreement.DAMAGED)
    for kind in without_validator if problem.validator is None else with_validator:
        yield GrammarTest(kind=kind, origin=problem.show_file(origin), line=line)


ProgramTest = CheckerTest | ValidatorTest | GrammarTest


def problem_tests(problem: Problem) -> tuple[ProgramTest, ...]:
    """Return all tests of a problem's programs and its grammar: those of the checker first."""
    return (*problem.checker_tests, *problem.validator_tests, *grammar_tests(problem))


def describe_test(test: ProgramTest) -> str:
    """Return the name of a test: `checker accepts, line 12`."""
    if isinstance(test, GrammarTest):
        return str(test.kind)
    program = "checker" if isinstance(test, CheckerTest) else "validator"
    return f"{program} {'accepts' if test.accepts else 'rejects'}, line {test.line}"


def check_cases(problem: Problem, store: DataStore, lock: Lock, map_runs: MapRuns) -> list[Diagnostic]:
    """Return what is wrong with the cases of a problem: the validator rejects an input, solutions disagree, and so on.

    Raises:
        DataError: a file of the problem cannot be read.
    """
    return diagnose(without_progress(prepare(problem, problem.cases, store, lock, map_runs)))


def run_tests(
    problem: Problem, tests: Sequence[ProgramTest], store: DataStore, lock: Lock, map_runs: MapRuns
) -> Iterator[Diagnostic | None]:
    """Run some tests of a problem; yield what is wrong, or None, in order.

    Raises:
        DataError: a file of the problem cannot be read.
    """
    wanted = {test.case for test in tests if isinstance(test, CheckerTest) and test.case}
    cases = [case for case in problem.cases if case.id in wanted]
    prepared = (
        {each.case.id: each for each in without_progress(prepare(problem, cases, store, lock, map_runs))}
        if cases
        else {}
    )
    confirmer = Confirmer(problem, store, {})
    programs = store.judge_programs(problem)

    cases_fault = ""
    if any(isinstance(test, GrammarTest) and test.kind is Agreement.CASES for test in tests):
        cases_fault = _check_cases(problem, store, lock, map_runs)

    def run(box: Box, test: ProgramTest) -> Diagnostic | None:
        try:
            match test:
                case GrammarTest(kind=Agreement.CASES):
                    failure = cases_fault
                case GrammarTest(kind=Agreement.POSSIBLE | Agreement.GENERATED):
                    failure = _check_generated(confirmer, box)
                case GrammarTest():
                    failure = _check_damaged(confirmer, box)
                case ValidatorTest():
                    failure = _run_validator(test, confirmer, box)
                case _:
                    failure = _run_checker(test, problem, prepared.get(test.case), programs, box)
        except DataError as error:  # of a program, for example, that does not compile: no test of it can run
            return error.diagnostics[0]
        except (JudgeError, OSError) as error:
            failure = describe_error(error)
        if not failure:
            return None
        return Diagnostic(path=test.origin, line=test.line, column=1, message=failure)

    yield from map_runs(run, tests)


def _run_validator(test: ValidatorTest, confirmer: Confirmer, box: Box) -> str:
    """Return what is wrong; "" if the validator does what the test says."""
    found = confirmer.ask(_data(test.input), test.args, box)
    if found.status is Status.ACCEPTED:
        return "" if test.accepts else "the validator accepts this input; expected it to reject it"
    if found.status is not Status.REJECTED:  # a crash is no rejection
        return f"the validator {found.failure} on this input{found.detail}"
    return "".join(confirmer.rejection(found)) if test.accepts else _compare_message(test.message, found.message)


def _run_checker(
    test: CheckerTest,
    problem: Problem,
    prepared: ReadyCase | SkippedCase | InvalidCase | None,
    programs: JudgePrograms | None,
    box: Box,
) -> str:
    config = prepared.case.checker if isinstance(prepared, ReadyCase) else problem.checker
    if test.args is not None:
        config = replace(config, args=test.args)
    checker = programs.require(config.program, box) if programs else None
    if isinstance(prepared, SkippedCase):
        return f"cannot be run: {prepared.reason}"
    if isinstance(prepared, InvalidCase):
        return f"cannot be run: {prepared.diagnostic.message}"
    given = prepared.input if prepared else _data(test.input)
    answer = prepared.answer if prepared else _data(test.answer)
    found = check_output(
        config,
        checker,
        box,
        given=given,
        answer=b"" if answer is None else answer,
        output=read_data(_data(test.output)),
    )
    said = f": {found.reason}" if found.reason else f": {found.message}" if found.message else ""
    if found.verdict is Verdict.JE:
        return found.reason
    if test.accepts and found.verdict is not Verdict.AC:
        return f"the checker rejects this output ({found.verdict}){said}"
    if not test.accepts and found.verdict is Verdict.AC:
        return f"the checker accepts this output; expected it to reject it{said}"
    return _compare_message(test.message, found.message or found.reason)


def _compare_message(expected: str, found: str) -> str:
    if expected in found:
        return ""
    return f"the message is {found.strip()!r}; expected it to contain {expected!r}"


def _data(source: Inline | InFile | None) -> Data:
    match source:
        case None:
            return b""
        case Inline(data):
            return data
        case WindowsText(path):
            return path.read_bytes().replace(b"\r\n", b"\n")
        case InFile(path):
            return path


# ---- the grammar ---------------------------------------------------------------------------------------------------


def _check_cases(problem: Problem, store: DataStore, lock: Lock, map_runs: MapRuns) -> str:
    """Return the first case that the grammar does not accept, or that is not valid; "" if it accepts all.

    Cases with arguments for the validator follow other rules than the grammar, such as `--dirty`.
    """
    grammar = problem.grammar
    assert grammar is not None
    clean = [case for case in problem.cases if not case.validator_args]
    for each in without_progress(prepare(problem, clean, store, lock, map_runs)):
        if isinstance(each, InvalidCase):
            return f"not all cases can be tested: {each.diagnostic.message}"
        if isinstance(each, ReadyCase) and (fault := grammar.check(read_data(each.input))) is not None:
            return f"the grammar rejects the case {each.case.id}: {fault}"
    return ""


def _check_generated(confirmer: Confirmer, box: Box) -> str:
    """Return what is wrong with the inputs that the grammar makes; "" if the validator, if any, accepts them.

    If the problem has rules that the grammar cannot express (`also`), the validator may reject some inputs, not all.
    """
    grammar, rng = confirmer.problem.grammar, random.Random(confirmer.problem.id)
    assert grammar is not None
    rejected: list[str] = []
    count = 0
    try:
        for data in _samples(grammar, rng):
            count += 1
            if said := _ask_validator(confirmer, data, box):
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


def _check_damaged(confirmer: Confirmer, box: Box) -> str:
    """Return an input that the validator accepts although the grammar rejects it; "" if none was found."""
    grammar, rng = confirmer.problem.grammar, random.Random(confirmer.problem.id)
    assert grammar is not None
    try:
        good = [data for data in _samples(grammar, rng) if 0 < len(data) < 1 << 20]
    except GrammarError:
        return ""  # `_check_generated` reports it
    tried = 0
    for _ in range(800 if good else 0):  # of which 40 have to be wrong by the grammar
        text = rng.choice(good)
        at = rng.randrange(len(text))
        piece = rng.choice((b"", b" ", b"\n", b"0", b"9", b"-1", b"x", b"\r", b"\t", text[at : at + 1] * 2))
        changed = text[:at] + piece + text[at + rng.randrange(2) :]
        data = rng.choice((changed, changed, changed, text[:-1], text + b"\n", text + text, b""))
        fault = grammar.check(data)
        if fault is None:
            continue
        tried += 1
        if not _ask_validator(confirmer, data, box):
            return f"the validator accepts an input that the grammar rejects: {fault}; the input is {_show(data)}"
        if tried == 40:
            break
    return ""


def _samples(grammar: Grammar, rng: random.Random) -> Iterator[bytes]:
    yield from islice(grammar.smallest(), 10)
    for _ in range(30):
        yield grammar.generate(rng)


def _ask_validator(confirmer: Confirmer, data: bytes, box: Box) -> str:
    """Return what the validator says; "" if it accepts the input.

    Raises:
        JudgeError: it neither accepts nor rejects.
    """
    found = confirmer.ask(data, (), box)
    if found.status in (Status.FAILED, Status.UNUSABLE):
        raise JudgeError(f"the validator {found.failure} on {_show(data)}{found.detail}")
    return found.message


def _show(data: bytes) -> str:
    return shorten(repr(data.decode("latin-1")), 200)
