"""Tests a problem's own checker and validator with changed outputs and inputs.

A change is one that every checker must reject, or every validator: nothing at all, bytes that are no text, a number
that fits nowhere. What a checker may accept (white space, another order) is not judged, as long as it ends properly.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from msgspec import Struct

from judge.base.data import read_data
from judge.base.errors import JudgeError, describe_error
from judge.hack.values import NamedProgram
from judge.judging.judge import check_output
from judge.judging.programs import JudgePrograms
from judge.model import Ending, Problem, Verdict
from judge.preparation.cases import DataStore, MapRuns, ReadyCase
from judge.preparation.confirm import Confirmer
from judge.preparation.validators import VALIDATOR_LIMITS, Status, read_status
from judge.sandbox.box import Box
from judge.strength.cases import input_size
from judge.strength.results import ProgramFault

_NUMBER = re.compile(rb"[+-]?\d+(?:\.\d+)?")

Change = Callable[[bytes], bytes]


def _repeat_last_word(data: bytes) -> bytes:
    """Put the last word in place of the one before."""
    *_, before, last = [b"", *data.split()]
    start = data.rfind(before, 0, data.rfind(last))
    return data[:start] + last + data[start + len(before) :] if before else data


WRONG: dict[str, Change] = {
    "nothing": lambda _: b"",
    "white space only": lambda data: b"\n" * max(1, data.count(b"\n")),
    "no text": lambda data: b"\xff\xfe\x00\x80" + data,
    "a huge number in place of the first word": lambda data: _replace_number(data, b"9" * 100),
    "nan in place of the first word": lambda data: _replace_number(data, b"nan"),
    "the second half missing": lambda data: b" ".join(data.split()[: len(data.split()) // 2]) + b"\n",
    "more at the end": lambda data: data + b"<?>\n",
}
"""Changes after which an output is wrong; an input, too, except that a part of one may be an input itself."""

_PART = "the second half missing"

OPEN: dict[str, Change] = {
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "no newline at the end": lambda data: data.rstrip(b"\n"),
    "spaces at the ends of lines": lambda data: data.replace(b"\n", b" \n"),
    "lines in reverse order": lambda data: b"".join(reversed(data.splitlines(keepends=True))),
    "words in reverse order": lambda data: b" ".join(reversed(data.split())) + b"\n",
    "the first word negative": lambda data: data.replace(data.split()[0], b"-" + data.split()[0], 1),
    "more digits after the point": lambda data: data.replace(b".", b".000000001"),
    "an exponent": lambda data: _replace_number(data, b"1e999999999"),
    "the last word twice": lambda data: data.rstrip() + b" " + data.split()[-1] + b"\n",
    "the last word in place of the one before": _repeat_last_word,
    "a line of 8 MiB": lambda data: data + b"7" * (8 << 20) + b"\n",
    "a million lines": lambda data: data + b"1 2\n" * 1_000_000,
}
"""Changes after which it may be right or wrong."""


def _replace_number(data: bytes, other: bytes) -> bytes:
    """Replace the first word if it is a number; of other words nothing is known."""
    first = data.split()[0]
    return data.replace(first, other, 1) if _NUMBER.fullmatch(first) else data


class _Test(Struct, frozen=True):
    ready: ReadyCase
    change: str
    data: bytes
    is_wrong: bool

    def fault(self, program: Path, kind: str, detail: str = "") -> ProgramFault:
        return ProgramFault(program=program, kind=kind, change=self.change, case=self.ready.case.id, detail=detail)


def try_programs(
    problem: Problem,
    cases: Sequence[ReadyCase],
    store: DataStore,
    programs: JudgePrograms | None,
    map_runs: MapRuns,
    *,
    validators: Sequence[Sequence[NamedProgram]],
) -> list[ProgramFault]:
    """Return what the checker programs and the validators of a problem do wrong on changed data of its cases.

    `validators` are those of a package, in the ways that its cases call them; all of one way must accept an input.
    """
    small = sorted(cases, key=lambda each: (input_size(each), each.case.id))[:3]
    faults: list[ProgramFault] = []
    if problem.validator is not None:
        confirmer = Confirmer(problem, store, {})
        tests = [each for ready in small for each in _tests(ready, read_data(ready.input)) if each.change != _PART]
        faults += filter(None, map_runs(lambda box, test: _test_validator(test, problem, confirmer, box), tests))
    if validators:
        tests = [each for ready in small for each in _tests(ready, read_data(ready.input)) if each.change != _PART]
        faults += chain.from_iterable(map_runs(lambda box, test: _test_package(test, validators, box), tests))
    checked = [each for each in small if each.case.checker.program and each.answer is not None]
    if programs is not None and problem.interactor is None and problem.passes == 1:
        tests = [each for ready in checked for each in _tests(ready, read_data(ready.answer or b""))]
        tests += [_Test(ready, "no change", read_data(ready.answer or b""), is_wrong=False) for ready in checked]
        faults += filter(None, map_runs(lambda box, test: _test_checker(test, problem, programs, box), tests))
    return faults


def _tests(ready: ReadyCase, data: bytes) -> Iterator[_Test]:
    if not data.split() or len(data) > 1 << 16:
        return
    for changes, is_wrong in ((WRONG, True), (OPEN, False)):
        for name, change in changes.items():
            changed = change(data)
            if changed != data:
                yield _Test(ready, name, changed, is_wrong)


def _test_validator(test: _Test, problem: Problem, confirmer: Confirmer, box: Box) -> ProgramFault | None:
    assert problem.validator is not None
    found = confirmer.ask(test.data, test.ready.case.validator_args, box)
    if found.status is Status.REJECTED or (found.status is Status.ACCEPTED and not test.is_wrong):
        return None
    kind = "false accept" if found.status is Status.ACCEPTED else "hang" if found.failure == "times out" else "crash"
    return test.fault(problem.show_file(problem.validator.source), kind, found.message)


def _test_package(test: _Test, ways: Sequence[Sequence[NamedProgram]], box: Box) -> list[ProgramFault]:
    """Return which validators of a package crash or hang, or else whether all of one way accept what is wrong."""
    faults: dict[str, ProgramFault] = {}
    is_accepted = False
    for way in ways:
        accepted = 0
        for each in way:
            limits = each.limits or VALIDATOR_LIMITS
            run = box.run(each.program.command(test.data, limits, each.args), limits).result
            said = read_status(run, each.protocol)
            accepted += said is Status.ACCEPTED
            if said is Status.FAILED:
                is_hang = run.ending in (Ending.TIME_LIMIT, Ending.WALL_LIMIT)
                faults[each.name] = test.fault(Path(each.name), "hang" if is_hang else "crash", run.ending.value)
        is_accepted |= accepted == len(way)
    if test.is_wrong and is_accepted:
        names = Path(", ".join(each.name for each in ways[0]))
        faults.setdefault(ways[0][0].name, test.fault(names, "false accept"))
    return list(faults.values())


def _test_checker(test: _Test, problem: Problem, programs: JudgePrograms, box: Box) -> ProgramFault | None:
    case = test.ready.case
    assert case.checker.program is not None
    try:
        checker = programs.require(case.checker.program, box)
        result = check_output(
            case.checker, checker, box, given=test.ready.input, answer=test.ready.answer, output=test.data
        )
        verdict, detail = result.verdict, result.reason
    except (JudgeError, OSError) as error:
        verdict, detail = Verdict.JE, describe_error(error)
    if verdict is Verdict.JE:
        kind = "hang" if "time" in detail else "crash"
    elif test.is_wrong and verdict is Verdict.AC:
        kind, detail = "false accept", ""
    elif test.change == "no change" and verdict is not Verdict.AC:
        kind = "false reject"
    else:
        return None
    return test.fault(problem.show_file(case.checker.program.source), kind, detail)
