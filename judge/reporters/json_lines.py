"""The reporter for programs that follow a run: one JSON object a line for each event, as it occurs (docs/report.md)."""

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
from judge.reporters.records import (
    VERSION,
    Record,
    case_record,
    excerpt_record,
    mismatch_record,
    run_ended_record,
    run_record,
    solution_record,
    text,
)
from judge.reporters.reporter import Options, Reporter


class JsonLinesReporter(Reporter):
    """Writes and flushes a line for each event."""

    def __init__(self, stdout: TextIO, stderr: TextIO, _options: Options) -> None:
        self._stdout = stdout
        self._stderr = stderr

    def handle(self, event: Event) -> None:
        """Write one event."""
        self._stdout.write(json.dumps({"version": VERSION, **event_record(event)}) + "\n")
        self._stdout.flush()
        if isinstance(event, Notice):
            write_notice(event, self._stderr)

    def close(self) -> None:
        """Leave nothing in the buffer."""
        self._stdout.flush()


def event_record(event: Event) -> Record:
    """Return an event as a JSON object; its key `event` says which it is."""
    match event:
        case RunBegan():
            name, members = "run_began", _run_began(event)
        case Preparing(problem=problem, done=done, total=total, inputs_left=left):
            members = {"problem": text(problem.id), "done": done, "total": total, "inputs_left": left}
            name = "preparing"
        case ProblemBegan():
            name, members = "problem_began", _problem_began(event)
        case SolutionBegan():
            name, members = "solution_began", _solution_began(event)
        case CaseJudged():
            name, members = "case_judged", _case_judged(event)
        case SolutionJudged(problem=problem, result=result):
            name, members = "solution_judged", {"problem": text(problem.id), **solution_record(result)}
        case ProblemJudged(problem=problem):
            name, members = "problem_judged", {"problem": text(problem.id)}
        case Notice():
            name, members = "notice", {"text": text(event.text), "is_error": event.is_error}
        case RunEnded():
            name, members = "run_ended", run_ended_record(event)
        case _:
            assert_never(event)
    return {"event": name, **members}


def _run_began(event: RunBegan) -> Record:
    return {"run_count": event.runs, "workers": event.workers, "sandbox": event.level.value}


def _problem_began(event: ProblemBegan) -> Record:
    return {
        "problem": text(event.problem.id),
        "name": text(event.problem.name),
        "solution_count": event.solutions,
        "case_count": event.cases,
    }


def _solution_began(event: SolutionBegan) -> Record:
    return {
        "problem": text(event.problem.id),
        "path": text(event.solution.shown),
        "expected": str(event.solution.expectation),
        "case_count": event.cases,
    }


def _case_judged(event: CaseJudged) -> Record:
    result = event.result
    return {
        "problem": text(event.problem.id),
        "path": text(event.solution.shown),
        "case": {
            **case_record(result),
            "run": None if result.run is None else run_record(result.run),
            "mismatch": None if result.mismatch is None else mismatch_record(result.mismatch),
            "excerpt": None if result.excerpt is None else excerpt_record(result.excerpt),
        },
    }
