"""The report of `judge check PACKAGE`: text for people, and a JSON document for programs."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from judge.errors import Diagnostic
from judge.reporters.escape import PLAIN, one_line, without_surrogates
from judge.units import format_count
from judge.workspace.package_check import PackageReport

VERSION = 1
"""Of the JSON document; grows when a key changes its meaning or disappears, not when one is added."""

_MAX_OF_RULE = 10  # findings that are shown; the document has all


def render_text(report: PackageReport) -> str:
    """Return the findings, each with its rule, and a line that sums up."""
    return "".join(f"{line}\n" for line in [*_describe(report.diagnostics), _summarize(report)])


def _describe(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """Yield the lines of the findings; of many with the same rule, the first ones and the number of the others."""
    total = Counter((each.rule, each.severity) for each in diagnostics)
    shown = Counter[tuple[str, str]]()
    for each in diagnostics:
        kind = (each.rule, each.severity)
        shown[kind] += 1
        if shown[kind] <= _MAX_OF_RULE:
            first, *rest = str(each).splitlines()
            message = "\n".join([f"{first} [{each.rule}]", *rest])
            yield from (one_line(line, PLAIN) for line in message.splitlines())
        elif shown[kind] == total[kind]:
            more = total[kind] - _MAX_OF_RULE
            yield f"{each.severity}: {format_count(more, 'more finding')} [{each.rule}]; --format json has all"


def _summarize(report: PackageReport) -> str:
    counts = report.counts
    tested = ", ".join(
        (
            format_count(counts.validators, "validator"),
            format_count(counts.inputs, "input"),
            format_count(counts.answers, "answer"),
            format_count(counts.self_tests, "validator test"),
        )
    )
    found = f"{format_count(report.errors, 'error')}, {format_count(report.warnings, 'warning')}"
    return f"{one_line(str(report.path), PLAIN)}: {found} ({tested}; {format_count(counts.runs, 'run')})"


def render_json(reports: Sequence[PackageReport]) -> str:
    """Return the document that docs/check-packages.md describes."""
    document = {
        "version": VERSION,
        "passed": not any(report.errors for report in reports),
        "packages": [_package(report) for report in reports],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _package(report: PackageReport) -> dict[str, object]:
    counts = report.counts
    return {
        "package": without_surrogates(str(report.path)),
        "errors": report.errors,
        "warnings": report.warnings,
        "validators": counts.validators,
        "inputs": counts.inputs,
        "answers": counts.answers,
        "validator_tests": counts.self_tests,
        "runs": counts.runs,
        "findings": [
            {
                "rule": each.rule,
                "severity": each.severity.value,
                "file": without_surrogates(str(each.path)),
                "line": each.line or None,
                "column": each.column or None,
                "reason": without_surrogates(each.message),
                "fix": without_surrogates(each.fix),
            }
            for each in report.diagnostics
        ],
    }
