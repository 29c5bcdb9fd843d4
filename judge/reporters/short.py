"""The reporter for editors and other programs that read the form of compilers: `FILE:LINE:COLUMN: error: MESSAGE`.

There is a line for each case that a solution fails unexpectedly, for each error of a compiler, and for each error in
test data; nothing is written about what is as expected. A result without a known place is about line 1.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from judge.model import Solution, SolutionResult, Verdict
from judge.model.events import CaseJudged, Event, Notice, SolutionJudged
from judge.problems.paths import shown_path
from judge.reporters import OutputOptions, Reporter, formatting
from judge.reporters.escape import PLAIN, one_line
from judge.reporters.lines import write_notice
from judge.reporters.progress import RunProgress

_COMPILER_LINE = r"^(?:\S*/)?{name}:(\d+):(?:(\d+):)? *(?:(?:fatal )?(error|warning|note): *)?(.*)$"
_HARMLESS = (Verdict.AC, Verdict.SK, Verdict.NA)


class ShortReporter(Reporter):
    """Writes the lines of a solution when it is judged."""

    def __init__(self, stdout: TextIO, stderr: TextIO, options: OutputOptions) -> None:
        self._stdout = stdout
        self._stderr = stderr
        self._progress = RunProgress(stderr, options)
        self._failed: list[tuple[Verdict, str]] = []  # of the solution that is judged now

    def handle(self, event: Event) -> None:
        """Show an event."""
        self._progress.handle(event)
        match event:
            case CaseJudged(solution=solution, result=result) if result.verdict not in _HARMLESS:
                text = f"case {result.case.id}: {formatting.describe_failure(result, PLAIN)}"
                line = _format(solution.path, formatting.crash_line(solution.path, result), text)
                self._failed.append((result.verdict, line))
            case SolutionJudged(result=result):
                self._write_solution(result)
            case Notice(diagnostics=(), is_summarized=False):
                write_notice(event, self._stderr)
            case Notice():
                self._stdout.writelines(
                    f"{_format(each.path, each.line, each.message, each.column, each.severity)}\n"
                    for each in event.diagnostics
                )
            case _:
                pass

    def close(self) -> None:
        """Flush the stream."""
        self._stdout.flush()

    def _write_solution(self, result: SolutionResult) -> None:
        failed, self._failed = self._failed, []
        solution = result.solution
        if not result.as_expected:
            lines = [line for verdict, line in failed if verdict not in solution.expectation.permitted]
            if result.verdict is Verdict.CE:
                text = formatting.compiler_text(result)
                last = formatting.last_line(solution.path, text or result.message)
                lines = [*_compiler_lines(solution, text)] or [_format(solution.path, last, f"CE: {result.message}")]
            elif not lines:
                lines = [_format(solution.path, 0, formatting.describe_missing_verdict(result))]
            self._stdout.writelines(f"{line}\n" for line in lines)
            self._stdout.flush()


def _format(path: Path, line: int, text: str, column: int = 1, severity: str = "error") -> str:
    # as an editor in the current folder opens it
    name = one_line(str(shown_path(path.absolute(), Path.cwd())), PLAIN)
    return f"{name}:{line or 1}:{column or 1}: {severity}: {one_line(text, PLAIN)}"


def _compiler_lines(solution: Solution, text: str) -> Iterator[str]:
    """Yield the errors and warnings about a source in what its compiler wrote; notes belong to those before them."""
    for found in re.finditer(_COMPILER_LINE.format(name=re.escape(solution.path.name)), text, re.MULTILINE):
        line, column, severity, message = found.groups()
        if severity != "note" and message:
            yield _format(solution.path, int(line), message, int(column or 1), severity or "error")
