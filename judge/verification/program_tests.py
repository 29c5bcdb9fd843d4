"""Runs the tests of a problem's checker and validator: what these programs must accept and reject."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from judge.data import Data, read_data
from judge.errors import Diagnostic, JudgeError, describe_error
from judge.judging.judge import check_output
from judge.judging.programs import JudgePrograms
from judge.model import Case, CheckerTest, InFile, Inline, Problem, ValidatorTest, Verdict
from judge.preparation.cases import DataStore, InvalidCase, MapRuns, ReadyCase, SkippedCase
from judge.preparation.confirm import Confirmer
from judge.preparation.lock import Lock
from judge.preparation.prepare import prepare, without_progress
from judge.preparation.programs import Programs
from judge.sandbox.box import Box
from judge.verification.cross_check import Agreement, GrammarTest, check_cases, compare, grammar_tests

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
    confirmer = Confirmer(problem=problem, programs=Programs(problem, {}, store))
    programs = store.judge_programs(problem)

    cases_fault = ""
    if any(isinstance(test, GrammarTest) and test.kind is Agreement.CASES for test in tests):
        cases_fault = check_cases(problem, store, lock, map_runs)

    def run(box: Box, test: ProgramTest) -> Diagnostic | None:
        try:
            if isinstance(test, GrammarTest):
                failure = cases_fault if test.kind is Agreement.CASES else compare(test.kind, problem, confirmer, box)
            elif isinstance(test, ValidatorTest):
                failure = _run_validator(test, confirmer, problem, box)
            else:
                failure = _run_checker(test, problem, prepared.get(test.case), programs, box)
        except (JudgeError, OSError) as error:
            failure = describe_error(error)
        if not failure:
            return None
        return Diagnostic(path=test.origin, line=test.line, column=1, message=failure)

    yield from map_runs(run, tests)


def _run_validator(test: ValidatorTest, confirmer: Confirmer, problem: Problem, box: Box) -> str:
    """Return what is wrong; "" if the validator does what the test says."""
    case = Case(
        group="",
        name="test",
        input=test.input,
        limits=problem.limits,
        checker=problem.checker,
        validator_args=test.args,
        origin=test.origin,
    )
    found = confirmer.validate(case, _data(test.input), box)
    if found is None:
        return "" if test.accepts else "the validator accepts this input; expected it to reject it"
    said = f"{found.subject}{found.detail}"
    if test.accepts or found.file is not None:  # a crash is no rejection
        return said if found.file is None else f"{found.subject} this input{found.detail}"
    return _compare_message(test.message, found.detail)


def _run_checker(
    test: CheckerTest,
    problem: Problem,
    prepared: ReadyCase | SkippedCase | InvalidCase | None,
    programs: JudgePrograms | None,
    box: Box,
) -> str:
    """Return what is wrong; "" if the checker does what the test says."""
    if isinstance(prepared, SkippedCase):
        return f"cannot be run: {prepared.reason}"
    if isinstance(prepared, InvalidCase):
        return f"cannot be run: {prepared.diagnostic.message}"
    config = prepared.case.checker if prepared else problem.checker
    if test.args is not None:
        config = replace(config, args=test.args)
    checker = programs.require(config.program, box) if programs else None
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
        case InFile(path):
            return path
