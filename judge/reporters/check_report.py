"""The report of `judge check`: text for people, and a JSON document for programs."""

import json

from judge.online.lint.check import CheckReport
from judge.reporters.escape import without_surrogates
from judge.units import format_seconds

VERSION = 1
"""Of the JSON document; grows when a key changes its meaning or disappears, not when one is added."""


def render_text(report: CheckReport) -> str:
    """Return the findings, the notes, how the runs went, and whether the file is ready."""
    notes = [f"note: {note}" for note in report.notes]
    lines = [*map(str, report.diagnostics), *notes, *_describe_runs(report), _summarize(report)]
    return "".join(f"{line}\n" for line in lines)


def _describe_runs(report: CheckReport) -> list[str]:
    dry_run = report.dry_run
    if dry_run is None or not dry_run.cases:
        return []
    cases = "1 case" if len(dry_run.cases) == 1 else f"{len(dry_run.cases)} cases"
    text = f"ran {cases} on {report.ran_on}"
    slowest = dry_run.slowest
    if slowest is not None and slowest.run is not None:
        case, used = slowest.case, format_seconds(slowest.run.cpu)
        limit = format_seconds(report.judge.time_limit or case.limits.cpu)
        text += f"; the slowest, {case.id}, took {used} of {limit}"
    return [text]


def _summarize(report: CheckReport) -> str:
    if report.is_ready:
        return f"ready to submit to {report.judge.name}"
    problems = "1 problem" if report.errors == 1 else f"{report.errors} problems"
    return f"{problems} to fix before submitting to {report.judge.name}"


def render_json(report: CheckReport) -> str:
    """Return the document that docs/check.md describes."""
    slowest = report.dry_run.slowest if report.dry_run else None
    document = {
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
            {
                "check": each.rule,
                "severity": each.severity.value,
                "line": each.line or None,
                "column": each.column or None,
                "reason": without_surrogates(each.message),
                "fix": without_surrogates(each.fix),
            }
            for each in report.diagnostics
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
