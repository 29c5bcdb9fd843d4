"""How `judge check` tells what it found: blocks for people, one JSON document for programs."""

import json

from judge.cli.check import Report, runs, summary
from judge.online.lint.parsing import Obstacle
from judge.reporters.escape import without_surrogates

VERSION = 1
"""Of the JSON document; grows when a key changes its meaning or goes away, not when one is added."""


def as_text(report: Report) -> str:
    """Return a block for each finding, the notes, and whether the file is ready."""
    blocks = [_block(report.shown, each) for each in report.obstacles]
    notes = [f"note: {note}\n" for note in report.notes]
    ran = runs(report)
    return "".join((*blocks, *notes, f"{ran}\n" if ran else "", f"{summary(report)}\n"))


def _block(shown: str, each: Obstacle) -> str:
    place = f"{shown}:{each.line}:{each.column or 1}" if each.line else shown
    return f"{place}: {each.severity.value}: {each.reason}\n    fix: {each.fix}\n"


def as_json(report: Report) -> str:
    """Return the document that docs/submitting.md describes."""
    slowest = report.trial.slowest if report.trial else None
    document = {
        "version": VERSION,
        "file": report.shown,
        "judge": report.judge.id,
        "ready": not report.errors,
        "ran_on": report.ran_on or None,
        "cases": len(report.trial.cases) if report.trial else 0,
        "slowest": slowest.case.id if slowest else None,
        "slowest_cpu_s": round(slowest.run.cpu, 6) if slowest and slowest.run else None,
        "notes": list(report.notes),
        "findings": [
            {
                "check": each.check,
                "severity": each.severity.value,
                "line": each.line or None,
                "column": each.column or None,
                "reason": without_surrogates(each.reason),
                "fix": each.fix,
            }
            for each in report.obstacles
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
