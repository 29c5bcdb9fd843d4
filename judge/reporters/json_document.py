"""The reporter for programs: one JSON object (docs/report.md), written as the run goes on and closed whatever happens.

Nothing is kept but notices, so memory does not grow with the number of cases.
"""

import json
from typing import TextIO, assert_never

from judge.events import (
    CaseJudged,
    Event,
    Notice,
    Preparing,
    ProblemBegan,
    ProblemJudged,
    RunBegan,
    RunEnded,
    SolutionBegan,
    SolutionJudged,
)
from judge.reporters.notices import write_notice
from judge.reporters.records import VERSION, Record, case_record, run_ended_record, solution_record, text
from judge.reporters.reporter import Options, Reporter

_RUN, _PROBLEM, _SOLUTION = 1, 2, 3
"""How deep the object is that is being written."""

_NOT_JUDGED: Record = {
    "language": None,
    "verdict": None,
    "as_expected": False,
    "message": "",
    "counts": {},
    "cached_count": 0,
}
_CUT_SHORT: Record = {"as_expected": False, "had_errors": True, "interrupted": True}


class JsonReporter(Reporter):
    """Writes objects piece by piece: what stands before its list, the list's elements, what stands after it."""

    def __init__(self, stdout: TextIO, stderr: TextIO, _options: Options) -> None:
        self._stdout = stdout
        self._stderr = stderr
        self._depth = 0
        self._list_is_empty = True
        self._level: str | None = None
        self._notices: list[Record] = []
        self._closed = False

    def handle(self, event: Event) -> None:
        """Write one event's part."""
        match event:
            case RunBegan(level=level):
                self._level = level.value
            case ProblemBegan(problem=problem):
                self._finish_down_to(_RUN)
                self._begin({"id": text(problem.id), "name": text(problem.name)}, "solutions")
            case SolutionBegan(solution=solution):
                self._finish_down_to(_PROBLEM)
                self._begin({"path": text(solution.shown), "expected": str(solution.expectation)}, "cases")
            case CaseJudged(result=result):
                self._separate()
                self._stdout.write(json.dumps(case_record(result)))
            case SolutionJudged(result=result):
                record = solution_record(result)
                self._finish({key: record[key] for key in _NOT_JUDGED})
            case Notice():
                self._notices.append({"text": text(event.text), "is_error": event.is_error})
                write_notice(event, self._stderr)
            case RunEnded():
                self._end(run_ended_record(event))
            case Preparing() | ProblemJudged():
                pass
            case _:
                assert_never(event)

    def close(self) -> None:
        """End the object where the run did not come to its end."""
        self._end(_CUT_SHORT)

    def _end(self, tail: Record) -> None:
        if self._closed:
            return
        self._closed = True
        self._finish_down_to(_RUN)
        self._finish({**tail, "sandbox": self._level, "notices": self._notices})
        self._stdout.write("\n")
        self._stdout.flush()

    def _begin(self, head: Record, name: str) -> None:
        self._separate()
        self._stdout.write(f'{{{_members(head)}, "{name}": [')
        self._depth += 1
        self._list_is_empty = True

    def _separate(self) -> None:
        if self._depth:
            self._stdout.write(("\n" if self._list_is_empty else ",\n") + " " * self._depth)
        self._list_is_empty = False

    def _finish(self, tail: Record) -> None:
        self._depth -= 1
        end = "]" if self._list_is_empty else f"\n{' ' * self._depth}]"
        self._stdout.write(f"{end}, {_members(tail)}}}" if tail else f"{end}}}")
        self._list_is_empty = False

    def _finish_down_to(self, depth: int) -> None:
        if not self._depth:
            self._begin({"version": VERSION}, "problems")
        while self._depth > depth:
            self._finish(_NOT_JUDGED if self._depth == _SOLUTION else {})


def _members(record: Record) -> str:
    return json.dumps(record)[1:-1]
