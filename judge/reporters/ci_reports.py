"""The reporters for services that show test results: JUnit XML and CTRF.

A solution is a suite, and each of its cases a test, which passes if its verdict is one that the solution may have.

JUnit XML has no standard; this is what junit-10.xsd of Jenkins' xunit plugin accepts, and so what pytest writes, too.
CTRF is https://ctrf.io, version 1.0.0 of schema/ctrf.schema.json.
"""

import time
from abc import abstractmethod
from typing import TextIO
from xml.etree import ElementTree as ET

from msgspec import Struct
from msgspec.structs import replace

from judge import __version__
from judge.base.units import Seconds
from judge.model import CaseResult, Problem, Solution, SolutionResult, Verdict
from judge.model.events import CaseJudged, Event, Notice, RunBegan, RunEnded, SolutionJudged
from judge.reporters import OutputOptions, Reporter, formatting
from judge.reporters.escape import PLAIN, plain_lines, to_json
from judge.reporters.json_report import decode
from judge.reporters.lines import write_notice
from judge.reporters.progress import RunProgress

_OUTSIDE = ("judge",)  # the suite of what concerns no solution


class TestResult(Struct, frozen=True, kw_only=True):
    """The result of a test; texts are safe for XML.

    Attributes:
        suite: the problem and the solution.
        status: `passed`, `failed`, `skipped`, or `error` if the judge failed.
        details: further lines: of a compiler, or of standard error.
    """

    __test__ = False

    suite: tuple[str, ...]
    name: str
    status: str
    verdict: str = ""
    cpu: Seconds = Seconds(0)
    message: str = ""
    details: str = ""
    path: str = ""


class _TestReporter(Reporter):
    """Collects the tests, and writes them at the end."""

    def __init__(self, stdout: TextIO, stderr: TextIO, options: OutputOptions) -> None:
        self._stdout = stdout
        self._stderr = stderr
        self._progress = RunProgress(stderr, options)
        self._began = time.time()
        self._tests: list[TestResult] = []
        self._of_solution: list[TestResult] = []
        self._is_closed = False

    def handle(self, event: Event) -> None:
        """Take what an event says."""
        self._progress.handle(event)
        match event:
            case RunBegan():
                self._began = time.time()
            case CaseJudged(problem=problem, solution=solution, result=result) if result.verdict is not Verdict.CE:
                self._of_solution.append(_describe_case(problem, solution, result))
            case SolutionJudged(problem=problem, result=result):
                self._add_solution(problem, result)
            case Notice(is_error=is_error):
                write_notice(event, self._stderr)
                if is_error:
                    self._add_error("error", event.text)
            case RunEnded():
                if event.interrupted:
                    self._add_error("interrupted", "the run was interrupted: the other results are valid")
                self._end()
            case _:
                pass

    def close(self) -> None:
        """Complete the report if the run did not end."""
        if not self._is_closed:
            self._add_error("interrupted", "the run did not end: the other results are valid")
            self._end()

    def _add_error(self, name: str, text: str) -> None:
        first, _, rest = plain_lines(text).partition("\n")
        self._tests.append(TestResult(suite=_OUTSIDE, name=name, status="error", message=first, details=rest))

    def _add_solution(self, problem: Problem, result: SolutionResult) -> None:
        tests, self._of_solution = self._of_solution, []
        whole = _make_test(problem, result.solution, "verdict", result.verdict)
        if result.verdict is Verdict.CE:
            details = plain_lines(formatting.compiler_text(result))
            message = plain_lines(result.message)
            status = "passed" if result.as_expected else "failed"
            tests = [replace(whole, name="compile", status=status, message=message, details=details)]
        elif not result.as_expected and not any(each.status in ("failed", "error") for each in tests):
            message = result.message or formatting.describe_missing_verdict(result)
            tests.append(replace(whole, status="failed", message=plain_lines(message)))
        elif not tests:
            tests.append(replace(whole, message=plain_lines(result.message)))
        self._tests += tests

    def _end(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._stdout.write(self._format(self._tests))
            self._stdout.flush()

    @abstractmethod
    def _format(self, tests: list[TestResult]) -> str:
        """Return the report."""


def _make_test(problem: Problem, solution: Solution, name: str, verdict: Verdict) -> TestResult:
    permitted = (*solution.expectation.permitted, Verdict.AC)
    status = "error" if verdict is Verdict.JE else "passed" if verdict in permitted else "failed"
    display = plain_lines(solution.display_path)
    return TestResult(
        suite=(plain_lines(problem.id), display),
        name=plain_lines(name),
        status="skipped" if verdict in (Verdict.SK, Verdict.NA) else status,
        verdict=verdict.value,
        path=plain_lines(str(solution.path)),
    )


def _describe_case(problem: Problem, solution: Solution, result: CaseResult) -> TestResult:
    test = _make_test(problem, solution, result.case.id, result.verdict)
    run = result.run
    if result.verdict is Verdict.AC:
        return test if run is None else replace(test, cpu=run.cpu)
    return replace(
        test,
        cpu=Seconds(0) if run is None else run.cpu,
        message=formatting.describe_failure(result, PLAIN),
        details=plain_lines(decode(run.stderr_tail)) if run else "",
    )


class JUnitReporter(_TestReporter):
    """Writes JUnit XML."""

    def _format(self, tests: list[TestResult]) -> str:
        root = ET.Element("testsuites", name="judge")
        suites: dict[tuple[str, ...], list[TestResult]] = {}
        for test in tests:
            suites.setdefault(test.suite, []).append(test)
        for suite, members in suites.items():
            kinds = {"failures": "failed", "errors": "error", "skipped": "skipped"}
            counts = {key: str(sum(each.status == kind for each in members)) for key, kind in kinds.items()}
            total = f"{sum(each.cpu for each in members):.3f}"
            place = {"name": "/".join(suite), "tests": str(len(members)), "time": total}
            parent = ET.SubElement(root, "testsuite", place | counts)
            for each in members:
                element = ET.SubElement(
                    parent, "testcase", name=each.name, classname=".".join(suite), time=f"{each.cpu:.3f}"
                )
                if each.status != "passed":
                    kind = {"failed": "failure"}.get(each.status, each.status)
                    found = ET.SubElement(element, kind, message=each.message, type=each.verdict or "error")
                    found.text = each.details
        ET.indent(root)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="us-ascii").decode()}\n'


class CtrfReporter(_TestReporter):
    """Writes CTRF JSON; an error of the judge is a failed test."""

    def _format(self, tests: list[TestResult]) -> str:
        statuses = ["failed" if each.status == "error" else each.status for each in tests]
        counts = {status: statuses.count(status) for status in ("passed", "failed", "skipped", "pending", "other")}
        times = {"start": round(1000 * self._began), "stop": round(1000 * time.time())}
        document = {
            "reportFormat": "CTRF",
            "specVersion": "1.0.0",
            "generatedBy": f"judge {__version__}",
            "results": {
                "tool": {"name": "judge", "version": __version__},
                "summary": {"tests": len(tests), **counts, **times},
                "tests": [
                    {
                        "name": each.name,
                        "status": status,
                        "duration": round(1000 * each.cpu),
                        "suite": list(each.suite),
                        "rawStatus": each.verdict or "error",
                        **({"message": each.message} if each.message else {}),
                        **({"trace": each.details} if each.details else {}),
                        **({"filePath": each.path} if each.path else {}),
                    }
                    for each, status in zip(tests, statuses, strict=True)
                ],
            },
        }
        return f"{to_json(document, indent=1)}\n"
