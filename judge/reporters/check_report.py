"""The reports of `judge check` on a solution and on packages: text for people, and a JSON document for programs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from judge.base.errors import Diagnostic, make_safe
from judge.base.units import format_count, format_seconds
from judge.reporters.escape import PLAIN, one_line, to_json

if TYPE_CHECKING:  # the caller has loaded one of them
    from judge.online.lint.check import CheckReport
    from judge.packages.package_check import PackageReport

VERSION = 1
"""Of both JSON documents; grows when a key changes its meaning or disappears, not when one is added."""


# ---- a solution ----------------------------------------------------------------------------------------------------


def render_text(report: "CheckReport", *, is_named: bool = False) -> str:
    """Return the findings, the notes, how the runs went, and whether the file is ready, with its name if asked."""
    notes = [f"note: {note}" for note in report.notes]
    problems = "1 problem" if report.errors == 1 else f"{report.errors} problems"
    name, aim = report.judge.name, report.judge.aim
    summary = f"{problems} to fix before {aim or f'submitting to {name}'}"
    if report.is_ready:
        summary = f"ready for {aim}" if aim else f"ready to submit to {name}"
    summary = f"{report.path}: {summary}" if is_named else summary
    lines = [*map(str, report.diagnostics), *notes]
    if report.dry_run is not None and report.dry_run.cases:
        lines.append(f"ran {format_count(len(report.dry_run.cases), 'case')} on {report.ran_on}")
        slowest = report.dry_run.slowest
        if slowest is not None and slowest.run is not None:
            limit = format_seconds(report.judge.time_limit or slowest.case.limits.cpu)
            lines[-1] += f"; the slowest, {slowest.case.id}, took {format_seconds(slowest.run.cpu)} of {limit}"
    return "".join(f"{make_safe(line)}\n" for line in [*lines, summary])


def render_json(reports: Sequence["CheckReport"]) -> str:
    """Return the document that docs/check.md describes; that of several solutions has those of each."""
    first, *more = documents = [_solution(report) for report in reports]
    ready = all(report.is_ready for report in reports)
    return to_json({"version": VERSION, "ready": ready, "files": documents} if more else first, indent=2) + "\n"


def _solution(report: "CheckReport") -> dict[str, object]:
    slowest = report.dry_run.slowest if report.dry_run else None
    return {
        "version": VERSION,
        "file": str(report.path),
        "judge": report.judge.id,
        "ready": report.is_ready,
        "ran_on": report.ran_on or None,
        "cases": len(report.dry_run.cases) if report.dry_run else 0,
        "slowest": slowest.case.id if slowest else None,
        "slowest_cpu_s": round(slowest.run.cpu, 6) if slowest and slowest.run else None,
        "notes": list(report.notes),
        "findings": [
            {"check": each.rule, "severity": each.severity.value, **_place_and_texts(each)}
            for each in report.diagnostics
        ],
    }


def _place_and_texts(diagnostic: Diagnostic) -> dict[str, object]:
    return {
        "line": diagnostic.line or None,
        "column": diagnostic.column or None,
        "reason": diagnostic.message,
        "fix": diagnostic.fix,
    }


# ---- packages ------------------------------------------------------------------------------------------------------


def render_package_text(report: "PackageReport") -> str:
    """Return the findings, each with its rule, and a line that sums up."""
    counts = report.counts
    tested = ", ".join(
        (
            format_count(counts["validators"], "validator"),
            format_count(counts["inputs"], "input"),
            format_count(counts["answers"], "answer"),
            format_count(counts["self_tests"], "validator test"),
        )
    )
    found = f"{format_count(report.errors, 'error')}, {format_count(report.warnings, 'warning')}"
    summary = f"{one_line(str(report.path), PLAIN)}: {found} ({tested}; {format_count(counts['runs'], 'run')})"
    return "".join(f"{line}\n" for line in [*_describe_findings(report.diagnostics), summary])


def _describe_findings(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """Yield the lines of the findings; of many with the same rule, the first ones and the number of the others."""
    total = Counter((each.rule, each.severity) for each in diagnostics)
    shown = Counter[tuple[str, str]]()
    for each in diagnostics:
        kind = (each.rule, each.severity)
        shown[kind] += 1
        if shown[kind] <= 10:
            first, *rest = str(each).splitlines()
            message = "\n".join([f"{first} [{each.rule}]", *rest])
            yield from (one_line(line, PLAIN) for line in message.splitlines())
        elif shown[kind] == total[kind]:
            more = format_count(total[kind] - 10, "more finding")
            yield f"{each.severity}: {more} [{each.rule}]; --format json has all"


def render_packages_json(reports: Sequence["PackageReport"]) -> str:
    """Return the document that docs/check-packages.md describes."""
    document = {
        "version": VERSION,
        "passed": not any(report.errors for report in reports),
        "packages": [
            {
                "package": str(report.path),
                "errors": report.errors,
                "warnings": report.warnings,
                "validators": report.counts["validators"],
                "inputs": report.counts["inputs"],
                "answers": report.counts["answers"],
                "validator_tests": report.counts["self_tests"],
                "runs": report.counts["runs"],
                "findings": [
                    {
                        "rule": each.rule,
                        "severity": each.severity.value,
                        "file": str(each.path),
                        **_place_and_texts(each),
                    }
                    for each in report.diagnostics
                ],
            }
            for report in reports
        ],
    }
    return to_json(document, indent=2) + "\n"
