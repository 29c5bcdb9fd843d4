"""The reporters for programs: a JSON document, or a JSON line for each event (docs/report.md)."""

import re
from typing import TYPE_CHECKING, TextIO

from judge.base.data import Data, read_data
from judge.model import (
    CaseResult,
    Excerpt,
    Mismatch,
    RunResult,
    SolutionResult,
    Verdict,
)
from judge.model.events import (
    CaseJudged,
    Compiling,
    Event,
    Notice,
    Preparing,
    ProblemBegan,
    RunBegan,
    RunEnded,
    SolutionBegan,
    SolutionJudged,
)
from judge.reporters import OutputOptions, Reporter
from judge.reporters.escape import to_json
from judge.reporters.lines import write_notice
from judge.reporters.progress import RunProgress, progress_beside

if TYPE_CHECKING:
    from judge.model.programs import Transcript

VERSION = 1
"""The version of both formats. It grows if a key is removed or changes its meaning, not if one is added."""

Record = dict[str, object]


def decode(data: bytes) -> str:
    r"""Decode untrusted bytes; a byte that is not UTF-8 is written as `\xff`."""
    return data.decode("utf-8", "backslashreplace")


def case_record(result: CaseResult) -> Record:
    """Return the members of a case that both formats have; the answer is null if there is none, or its file is gone."""
    run, data = result.run, result.data
    whole: Record = {}
    if data is not None:
        whole = {
            "input": _decode_data(data.input),
            "answer": None if data.answer is None else _decode_data(data.answer),
            "output": decode(data.output),
            "stderr": decode(data.stderr),
        }
    return {
        "name": result.case.name,
        "group": result.case.group,
        "verdict": result.verdict.value,
        "cpu_s": None if run is None else round(run.cpu, 6),
        "wall_s": None if run is None else round(run.wall, 6),
        "memory_bytes": None if run is None else run.memory,
        "memory_is_floor": run is not None and run.is_memory_upper_bound,
        "reason": result.reason,
        "cached": result.is_cached,
        "status": _status(result.verdict, is_invalid=result.has_invalid_data),
        **({"message": result.message} if result.message else {}),
        **({"team_message": result.team_message} if result.team_message else {}),
        **({"score": result.score} if result.score is not None else {}),
        **({"omitted": True} if result.is_omitted else {}),
        **({"output": excerpt_record(result.output)} if result.output else {}),
        **({"data": whole} if whole else {}),
        **({"passes": result.passes} if result.passes else {}),
        **({"transcript": _transcript_record(result.transcript)} if result.transcript else {}),
    }


def _transcript_record(transcript: "Transcript") -> Record:
    """Return what a solution and an interactor wrote to each other."""
    other = "interactor" if transcript.has_interactor else "input"
    return {
        "entries": [
            {
                "from": "solution" if entry.is_solution else other,
                "time_s": round(entry.time, 6),
                "pass": entry.pass_number,
                "text": decode(entry.data),
            }
            for entry in transcript.entries
        ],
        "skipped_bytes": transcript.skipped,
        "skipped_at": transcript.skipped_at,
        "second_run_verdict": transcript.verdict or None,
    }


def _decode_data(data: Data) -> str | None:
    try:
        return decode(read_data(data))
    except OSError:
        return None


def run_record(run: RunResult) -> Record:
    """Return how a run ended."""
    return {
        "ending": run.ending.value,
        "exit_code": run.exit_code,
        "signal": run.signal,
        "output_bytes": run.output_bytes,
        "stderr_tail": decode(run.stderr_tail),
        "stderr_cut_bytes": run.stderr_cut,
        "sandbox": run.level.value,
    }


def mismatch_record(mismatch: Mismatch) -> Record:
    """Return where and how an output differs."""
    return {
        "line": mismatch.line,
        "column": mismatch.column,
        "token": mismatch.token,
        "expected": decode(mismatch.expected),
        "found": decode(mismatch.found),
        "whitespace_only": mismatch.whitespace_only,
        "notes": mismatch.hints,
        "rows": [
            {
                "expected_line": row.expected_line,
                "expected": None if row.expected is None else decode(row.expected),
                "found_line": row.found_line,
                "found": None if row.found is None else decode(row.found),
                "agrees": row.agrees or row.same,
            }
            for row in mismatch.rows
        ],
    }


def excerpt_record(excerpt: Excerpt) -> Record:
    """Return a part of an input or an output."""
    return {
        "first_line": excerpt.first_line,
        "focus": excerpt.focus,
        "total_lines": excerpt.total_lines,
        "lines": [decode(line) for line in excerpt.lines],
    }


def solution_record(result: SolutionResult) -> Record:
    """Return the verdict on a solution."""
    groups = [
        {
            "name": each.group.name,
            "verdict": each.verdict.value,
            "score": each.score,
            "max_score": each.group.max_score,
            "judged_count": each.judged,
            "case_count": each.total,
            "reason": each.reason,
        }
        for each in result.groups
    ]
    return {
        "path": result.solution.display_path,
        "language": result.language,
        "expected": str(result.solution.expectation),
        "verdict": result.verdict.value,
        "as_expected": result.as_expected,
        "message": result.message,
        "undecided": result.is_undecided,
        "counts": {verdict.value: result.counts[verdict] for verdict in Verdict if result.counts.get(verdict)},
        "cached_count": result.cached,
        "status": _status(result.verdict, is_invalid=result.not_judged > 0 or result.unfinished > 0),
        **({"score": result.score, "max_score": result.max_score} if result.groups else {}),
        **({"groups": groups} if groups else {}),
        **({"unmet": result.unmet} if result.unmet else {}),
    }


def _status(verdict: Verdict, *, is_invalid: bool) -> str:
    """Return whether a case or a solution was judged; it is skipped if data or a tool is just not on this machine."""
    if verdict is Verdict.JE or (verdict is Verdict.SK and is_invalid):
        return "not judged"
    return "skipped" if verdict is Verdict.SK else "judged"


def run_ended_record(end: RunEnded) -> Record:
    """Return how the whole run ended."""
    return {
        "as_expected": end.as_expected,
        "had_errors": end.had_errors,
        "interrupted": end.interrupted,
        "solution_count": end.solutions,
        "surprise_count": end.unexpected,
        "run_count": end.runs,
        "cached_count": end.cached,
        "wall_s": round(end.wall, 6),
    }


_RUN, _PROBLEM, _SOLUTION = 1, 2, 3
"""The depth of the object that is being written."""

_NOT_JUDGED: Record = {
    "language": None,
    "verdict": None,
    "as_expected": False,
    "undecided": False,
    "message": "",
    "counts": {},
    "cached_count": 0,
    "status": "not judged",
}
_SCORE_MEMBERS = ("score", "max_score", "groups", "unmet")
_INCOMPLETE: Record = {"as_expected": False, "had_errors": True, "interrupted": True}


class JsonReporter(Reporter):
    """Writes the document in parts, so that no results are kept in memory."""

    def __init__(self, stdout: TextIO, stderr: TextIO, options: OutputOptions) -> None:
        self._stdout = stdout
        self._stderr = stderr
        self._progress = RunProgress(stderr, progress_beside("json", stderr, options))
        self._depth = 0
        self._list_is_empty = True
        self._run: Record = {"sandbox": None}
        self._notices: list[Record] = []
        self._closed = False

    def handle(self, event: Event) -> None:
        """Write the part of an event."""
        self._progress.handle(event)
        match event:
            case RunBegan():
                self._run = run_began_record(event)
            case ProblemBegan(problem=problem):
                self._finish_down_to(_RUN)
                self._begin({"id": problem.id, "name": problem.name}, "solutions")
            case SolutionBegan(solution=solution):
                self._finish_down_to(_PROBLEM)
                self._begin({"path": solution.display_path, "expected": str(solution.expectation)}, "cases")
            case CaseJudged(result=result):
                self._separate()
                record = case_record(result)
                if (run := result.run) and run.stderr_tail and result.verdict is not Verdict.AC:
                    record |= {"stderr_tail": decode(run.stderr_tail), "stderr_cut_bytes": run.stderr_cut}
                self._stdout.write(to_json(record))
            case SolutionJudged(result=result):
                record = solution_record(result)
                self._finish({key: record[key] for key in (*_NOT_JUDGED, *_SCORE_MEMBERS) if key in record})
            case Notice():
                self._notices.append({"text": event.text, "is_error": event.is_error})
                write_notice(event, self._stderr)
            case RunEnded():
                self._end(run_ended_record(event))
            case _:
                pass

    def close(self) -> None:
        """Complete the document if the run did not end."""
        self._end(_INCOMPLETE)

    def _end(self, tail: Record) -> None:
        if self._closed:
            return
        self._closed = True
        self._finish_down_to(_RUN)
        self._finish({**tail, **self._run, "notices": self._notices})
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
    return to_json(record)[1:-1]


class JsonLinesReporter(Reporter):
    """Writes a line for each event and flushes it."""

    def __init__(self, stdout: TextIO, stderr: TextIO, options: OutputOptions) -> None:
        self._stdout = stdout
        self._stderr = stderr
        self._progress = RunProgress(stderr, progress_beside("json", stderr, options))

    def handle(self, event: Event) -> None:
        """Write an event."""
        self._progress.handle(event)
        self._stdout.write(to_json({"version": VERSION, **event_record(event)}) + "\n")
        self._stdout.flush()
        if isinstance(event, Notice):
            write_notice(event, self._stderr)

    def close(self) -> None:
        """Flush the stream."""
        self._stdout.flush()


def run_began_record(event: RunBegan) -> Record:
    """Return the sandbox level of a run, and the compile flags of the user's settings if they add any."""
    flags = {"compile_flags": {language: list(flags) for language, flags in event.flags.items()}} if event.flags else {}
    return {"sandbox": event.level.value, **flags}


def event_record(event: Event) -> Record:
    """Return an event as a JSON object; the key `event` has the name of its class, such as `run_began`."""
    members: Record
    match event:
        case RunBegan():
            members = {"run_count": event.runs, "workers": event.workers, **run_began_record(event)}
        case Preparing(problem=problem):
            counts = {key: getattr(event, key) for key in ("done", "total", "inputs_left", "runs_left")}
            members = {"problem": problem.id, **counts}
        case Compiling(problem=problem, solution=solution):
            facts = {"elapsed_s": round(event.elapsed, 1), "remaining": event.remaining}
            members = {"problem": problem.id, "path": solution.display_path, **facts}
        case ProblemBegan(problem=problem):
            counts = {"solution_count": event.solutions, "case_count": event.cases}
            members = {"problem": problem.id, "name": problem.name, **counts}
        case SolutionBegan(problem=problem, solution=solution):
            members = {
                "problem": problem.id,
                "path": solution.display_path,
                "expected": str(solution.expectation),
                "case_count": event.cases,
            }
        case CaseJudged(problem=problem, solution=solution, result=result):
            members = {
                "problem": problem.id,
                "path": solution.display_path,
                "case": {
                    **case_record(result),
                    "run": None if result.run is None else run_record(result.run),
                    "mismatch": None if result.mismatch is None else mismatch_record(result.mismatch),
                    "excerpt": None if result.excerpt is None else excerpt_record(result.excerpt),
                },
            }
        case SolutionJudged(problem=problem, result=result):
            members = {"problem": problem.id, **solution_record(result)}
        case Notice():
            members = {"text": event.text, "is_error": event.is_error}
        case RunEnded():
            members = run_ended_record(event)
        case _:
            members = {"problem": event.problem.id}
    return {"event": "_".join(re.findall("[A-Z][a-z]+", type(event).__name__)).lower(), **members}
