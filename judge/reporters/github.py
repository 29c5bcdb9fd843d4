"""The reporter for GitHub Actions: the log of `plain`, annotations of files, and a summary of the step.

Annotations are workflow commands, lines such as `::error file=a.py,line=3::message`; a page shows at most ten of each
kind for a step. https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
"""

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from msgspec import Struct

from judge.base.errors import Diagnostic, Severity
from judge.base.units import format_count
from judge.model import Problem, SolutionResult, Verdict
from judge.model.events import Event, Notice, RunBegan, RunEnded, SolutionJudged
from judge.problems.paths import shown_path
from judge.reporters import OutputOptions, Reporter, formatting
from judge.reporters.escape import PLAIN, one_line, plain_lines
from judge.reporters.plain import PlainReporter


class Annotation(Struct, frozen=True, kw_only=True):
    """A message, most often about a file.

    Attributes:
        rank: the lowest are shown first.
        file: "" if it is not about a file.
        line: 1-based, or 0.
    """

    rank: int
    file: str = ""
    line: int = 0
    title: str
    message: str

    def command(self) -> str:
        """Return the workflow command."""
        properties = {"file": self.file, "line": str(self.line or ""), "title": self.title}
        escaped = {
            name: _escape_data(value).replace(":", "%3A").replace(",", "%2C") for name, value in properties.items()
        }
        given = ",".join(f"{name}={value}" for name, value in escaped.items() if value)
        return f"::error {given}::{_escape_data(self.message)}"


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


class GitHubReporter(Reporter):
    """Writes the log, and after it the annotations; commands in the log, which a program may have printed, are off."""

    def __init__(self, stdout: TextIO, stderr: TextIO, options: OutputOptions) -> None:
        self._plain = PlainReporter(stdout, stderr, options)
        self._stdout = stdout
        self._stderr = stderr
        self._environment = options.environment
        self._token = ""  # ends the part without commands
        self._annotations: list[Annotation] = []
        self._ended: RunEnded | None = None

    def handle(self, event: Event) -> None:
        """Show an event."""
        if isinstance(event, RunBegan):
            self._token = secrets.token_hex(16)
            self._stdout.write(f"::stop-commands::{self._token}\n")
        self._plain.handle(event)
        match event:
            case SolutionJudged(problem=problem, result=result) if not result.as_expected:
                self._annotations.append(_annotate_solution(problem, result, self._environment))
            case Notice(is_error=True, diagnostics=()):
                self._annotations.append(Annotation(rank=0, title="judge", message=plain_lines(event.text)))
            case Notice(diagnostics=diagnostics):
                self._annotations += _annotate_diagnostics(diagnostics, self._environment)
            case RunEnded():
                self._ended = event
                self.close()
            case _:
                pass

    def close(self) -> None:
        """Write the annotations and the summary of the step."""
        self._plain.close()
        if not self._token:
            return
        self._stdout.write(f"::{self._token}::\n")
        self._token = ""
        annotations = sorted(self._annotations, key=lambda each: each.rank)
        self._stdout.writelines(f"{line}\n" for line in _commands(annotations))
        self._stdout.flush()
        if path := self._environment.get("GITHUB_STEP_SUMMARY"):
            try:
                with Path(path).open("a", encoding="utf-8") as file:
                    file.writelines(f"{line}\n" for line in _summary_lines(self._ended, annotations))
            except OSError as error:
                self._stderr.write(f"note: {path}: the summary cannot be written: {error.strerror}\n")


def diagnostic_commands(diagnostics: Sequence[Diagnostic], environment: Mapping[str, str]) -> list[str]:
    """Return the annotations of errors in files, for a run that could not begin."""
    return list(_commands(list(_annotate_diagnostics(diagnostics, environment))))


def _commands(annotations: Sequence[Annotation]) -> Iterator[str]:
    for each in annotations[:10]:
        yield each.command()
    if (more := len(annotations) - 10) > 0:
        yield f"::notice::{format_count(more, 'more error')}: see the log"


def _annotate_diagnostics(diagnostics: Sequence[Diagnostic], environment: Mapping[str, str]) -> Iterator[Annotation]:
    for each in diagnostics:
        if each.severity is Severity.ERROR:
            text = f"{each.message}\nfix: {each.fix}" if each.fix else each.message
            file = _file_in_workspace(each.path, environment)
            yield Annotation(rank=0, file=file, line=each.line, title="error in a file", message=plain_lines(text))


def _annotate_solution(problem: Problem, result: SolutionResult, environment: Mapping[str, str]) -> Annotation:
    failure = next(iter(result.failures), None)
    case = None if failure is None or failure.verdict is Verdict.CE else failure.case
    command = formatting.rerun_command(problem, result.solution, case, options=result.rerun_args)
    if failure is None:
        reason = formatting.describe_missing_verdict(result)
    elif failure.verdict is Verdict.CE:
        reason = "\n".join([result.message, *formatting.compiler_text(result).splitlines()[:20]])
    else:
        reason = f"case {failure.case.id}: {formatting.describe_failure(failure, PLAIN)}"
    name = formatting.full_name(problem, result, PLAIN)
    path = result.solution.path
    if failure is not None and failure.run is not None:
        line = formatting.crash_line(path, failure)
    else:
        line = formatting.last_line(path, result.message)
    return Annotation(
        rank=1 if result.solution.expectation.name == "accepted" else 2,
        file=_file_in_workspace(result.solution.path, environment),
        line=line,
        title=f"{name}: {formatting.describe_mismatch(problem, result)}",
        message=plain_lines(f"{reason}\nrerun: {command}"),
    )


def _file_in_workspace(path: Path, environment: Mapping[str, str]) -> str:
    """Return a path relative to the checkout, as annotations need it, if it is in the checkout."""
    workspace = Path(environment.get("GITHUB_WORKSPACE") or Path.cwd())
    shown = shown_path(path.absolute(), workspace)
    return one_line(str(path if shown.is_absolute() else shown), PLAIN)


def _summary_lines(end: RunEnded | None, annotations: Sequence[Annotation]) -> Iterator[str]:
    """Yield the summary of the step, in Markdown."""
    if end is None or end.interrupted:
        yield "### judge: interrupted"
    elif end.as_expected:
        yield f"### judge: {formatting.describe_effort(end)}, all as expected"
    else:
        yield f"### judge: {end.unexpected:,} of {end.solutions:,} unexpected"
    if annotations:
        yield from ("", "| file | result | first error |", "|---|---|---|")
    for each in annotations:
        place = f"{each.file}:{each.line}" if each.line else each.file
        first, *_ = each.message.splitlines() or [""]
        yield f"| {_escape_markdown(place)} | {_escape_markdown(each.title)} | {_escape_markdown(first)} |"
    yield ""


def _escape_markdown(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>()#+!|&-])", r"\\\1", text)
