"""Runs the tests of accepted inputs in another order: data of an earlier test that stays does harm only to some.

That is a mistake only where the grammar of the problem says that the tests are on their own: queries, each of which
depends on those before it, look the same.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product

from msgspec.structs import replace

from judge.base.data import Data, read_data
from judge.base.errors import shorten
from judge.base.units import Bytes
from judge.inputs import Grammar
from judge.judging.checkers import check
from judge.languages.variants import Variant
from judge.model import CaseResult, Verdict
from judge.model.events import Notice
from judge.preparation.cases import ReadyCase
from judge.runner.executors import LocalExecutor
from judge.runner.sanitize import is_fault, reason_of, relax_case, size_of, warn
from judge.runner.solution import SolutionBuild, judge_one

_LARGEST = Bytes(1 << 16)
_MOST_TESTS = 16
_MOST_PAIRS = 64
_MOST_SHOWN = 200  # characters of an input
_FIRST = re.compile(rb"\b((?:case|test|data ?set|scenario|instance)\W{0,3})1\b", re.IGNORECASE)  # Case #1


def find_dependence(build: SolutionBuild, cases: Sequence[ReadyCase], executor: LocalExecutor) -> Iterator[Notice]:
    """Yield a warning if the output for a test depends on the tests before it.

    The outputs of tests that run alone have to be the answers of their cases together, with the numbers of tests in
    them. So a problem whose answers say something about all tests, such as a sum, is left alone.
    """
    grammar = build.problem.grammar
    if grammar is None or not grammar.has_tests or build.problem.interactor is not None:
        return
    sized = [(size, each) for each in cases if (size := size_of(each.input)) is not None and size <= _LARGEST]
    small = [relax_case(each) for _, each in sorted(sized, key=lambda pair: pair[0])]
    search = _Search(build, grammar, executor)
    tests = search.run_alone([each for each in small if each.case.checker.program is None])
    order = [*reversed(tests), *tests]
    while order and grammar.join(order) is None:  # there may be a limit
        order = order[: len(order) // 2]
    if found := search.run_joined([order]):
        pairs = sorted(product(tests, repeat=2), key=lambda pair: sum(map(len, pair)))
        data, result = search.run_joined(pairs[:_MOST_PAIRS]) or found
        text = shorten(repr(data.decode()), _MOST_SHOWN)
        message = f"with tests in another order, it is {result.verdict}: {reason_of(result)}; the input is {text}"
        message += "; if tests depend on each other, write `repeat` for `tests` in the grammar"
        yield warn(build, message, line=result.run.crash_line if result.run else 0)


class _Search:
    """Runs a solution on tests."""

    def __init__(self, build: SolutionBuild, grammar: Grammar, executor: LocalExecutor) -> None:
        sanitized = next((each for each in build.variants if each.header), Variant(name=""))
        self._build = build.vary(sanitized)
        self._build.options = replace(self._build.options, keeps_data=True)
        self._grammar = grammar
        self._executor = executor
        self._cases: dict[bytes, ReadyCase] = {}  # by their tests
        self._outputs: dict[bytes, bytes] = {}  # of tests that run alone

    def _judge(self, cases: Sequence[ReadyCase]) -> list[CaseResult]:
        return [*self._executor.map(judge_one, [(self._build, each) for each in cases])]

    def run_alone(self, cases: Sequence[ReadyCase]) -> list[bytes]:
        """Run the tests of cases alone, and return them; none unless their outputs are together the answers."""
        split: list[tuple[list[bytes], Data, ReadyCase]] = []
        for case in cases:
            tests = self._grammar.split(read_data(case.input)) or []
            if case.answer is not None and len(self._cases.keys() | tests) <= _MOST_TESTS:
                split.append((tests, case.answer, case))
                self._cases |= dict.fromkeys(tests, case)
        results = self._judge([replace(case, input=test, answer=None) for test, case in self._cases.items()])
        if any(each.verdict is not Verdict.NA or each.data is None for each in results):
            return []
        self._outputs = {test: each.data.output for test, each in zip(self._cases, results, strict=True) if each.data}
        is_alike = all(
            check(case.case.checker, answer, self._join_outputs(tests)).verdict is Verdict.AC
            for tests, answer, case in split
        )
        return [*self._cases] if is_alike and any(len(tests) > 1 for tests, _, _ in split) else []

    def _join_outputs(self, tests: Sequence[bytes]) -> bytes:
        outputs = [self._outputs[each] for each in tests]
        return b"".join(
            _FIRST.sub(rb"\g<1>%d" % number, each, count=1) + b"\n" * (not each.endswith(b"\n"))
            for number, each in enumerate(outputs, 1)
        )

    def run_joined(self, orders: Sequence[Sequence[bytes]]) -> tuple[bytes, CaseResult] | None:
        """Return the first input of several tests whose output is not that of the tests alone, with its result."""
        joined = [(tests, data) for tests in orders if (data := self._grammar.join(tests)) is not None]
        cases = [replace(self._cases[tests[0]], input=data, answer=self._join_outputs(tests)) for tests, data in joined]
        for each, result in zip(cases, self._judge(cases), strict=True):
            if is_fault(result):
                return read_data(each.input), result
        return None
