"""JUnit XML and CTRF: what their schemas demand, in every scenario, and however a run ends."""

import json
import re
from collections import Counter
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from judge.model.events import CaseJudged, Event, SolutionJudged
from judge.reporters import OutputOptions
from tests.golden_files import report
from tests.report_scenarios import SCENARIOS, hostile, interrupted

OPTIONS = OutputOptions(environment={})

# The rules of junit-10.xsd: of each element its attributes, those required in capitals, and its children.
JUNIT = {
    "testsuites": ("name time tests failures errors", "testsuite"),
    "testsuite": (
        "NAME TESTS FAILURES ERRORS group time skipped timestamp hostname id package file log url version",
        "testsuite properties testcase system-out system-err",
    ),
    "testcase": ("NAME time classname group", "skipped error failure system-out system-err"),
    **dict.fromkeys(("failure", "error", "skipped"), ("type message", "")),
}
TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]{0,3})?")
# The rules of ctrf.schema.json: of each object its members with their types, those required in capitals.
NUMBERS = ("TESTS", "PASSED", "FAILED", "SKIPPED", "PENDING", "OTHER", "START", "STOP")
CTRF: dict[str, dict[str, type]] = {
    "": {"REPORTFORMAT": str, "SPECVERSION": str, "RESULTS": dict, "generatedBy": str},
    "results": {"TOOL": dict, "SUMMARY": dict, "TESTS": list},
    "tool": {"NAME": str, "version": str},
    "summary": dict.fromkeys(NUMBERS, int),
    "test": {
        "NAME": str, "STATUS": str, "DURATION": int, "suite": list, "rawStatus": str, "message": str, "trace": str,
        "filePath": str,
    },
}  # fmt: skip


def junit(events: list[Event]) -> ET.Element:
    """Return the report, after a check of the schema."""
    root = ET.fromstring(report("junit", events, OPTIONS, "ascii")[0])
    assert root.tag == "testsuites"
    for element in root.iter():
        attributes, children = JUNIT[element.tag]
        names = attributes.split()
        assert set(element.attrib) <= set(map(str.lower, names))
        assert {name.lower() for name in names if name.isupper()} <= set(element.attrib)
        assert {child.tag for child in element} <= set(children.split())
        assert TIME.fullmatch(element.get("time", ""))
    return root


def ctrf(events: list[Event]) -> list[dict[str, Any]]:
    """Return the tests, after a check of the schema."""
    document = json.loads(report("ctrf", events, OPTIONS, "ascii")[0])
    assert (document["reportFormat"], document["specVersion"]) == ("CTRF", "1.0.0")
    results = document["results"]
    objects = [("", document), ("results", results), ("tool", results["tool"]), ("summary", results["summary"])]
    for kind, found in [*objects, *(("test", each) for each in results["tests"])]:
        known = {name.lower(): expected for name, expected in CTRF[kind].items()}
        assert all(type(value) is known[name.lower()] for name, value in found.items()), kind
        assert {name.lower() for name in CTRF[kind] if name.isupper()} <= {name.lower() for name in found}
    tests: list[dict[str, Any]] = results["tests"]
    assert all(each["name"] and each["status"] in ("passed", "failed", "skipped") and each["suite"] for each in tests)
    counts = Counter(each["status"] for each in tests)
    summary = results["summary"]
    assert {name: summary[name] for name in ("passed", "failed", "skipped")} == {
        name: counts[name] for name in ("passed", "failed", "skipped")
    }
    assert summary["tests"] == len(tests)
    return tests


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_reports_are_valid_and_fail_where_the_run_is_not_as_expected(scenario: str) -> None:
    events = SCENARIOS[scenario]()
    root, tests = junit(events), ctrf(events)
    assert len(list(root.iter("testcase"))) == len(tests)
    failed = {"/".join(each["suite"]) for each in tests if each["status"] == "failed"}
    assert failed == {suite.get("name") for suite in root if suite.get("failures") != "0" or suite.get("errors") != "0"}
    for event in events:
        if isinstance(event, SolutionJudged):
            name = f"{event.problem.id}/{event.result.solution.display_path}"
            if "\n" not in name and name.isprintable():
                assert (name in failed) == (not event.result.as_expected), name


@pytest.mark.parametrize("count", [0, 3, 6])
def test_a_run_that_does_not_end_is_an_error(count: int) -> None:
    events = interrupted()[:count]
    assert junit(events)[-1].find("testcase/error") is not None
    assert ctrf(events)[-1]["status"] == "failed"


def test_what_xml_forbids_is_escaped() -> None:
    events = hostile()
    assert any(
        b"\x1b" in each.result.run.stderr_tail for each in events if isinstance(each, CaseJudged) and each.result.run
    )
    text = report("junit", events, OPTIONS, "ascii")[0]
    assert re.search(r"[^\n\x20-\x7e]|&#(x?0*[0-9a-f];|x1[0-9a-f];|[0-9];|1[1-9];|2[0-9];)", text) is None
    assert "\\x1b" in text
