"""The formats for programs: valid and as the schema says, however a run ends."""

import gc
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import judge
from judge.model import CaseResult, Level
from judge.model.events import (
    CaseJudged,
    Event,
    ProblemBegan,
    RunBegan,
    SolutionBegan,
    SolutionJudged,
)
from judge.reporters import OutputOptions, make_reporter
from tests.golden_files import check_golden, report
from tests.report_scenarios import SCENARIOS, accepted, interrupted, not_judged, problem, solution, wrong_answer

SCHEMA = json.loads((Path(judge.__file__).parent / "schemas" / "report.schema.json").read_bytes())
DOCUMENT = Draft202012Validator(SCHEMA)
EVENT = Draft202012Validator({"$defs": SCHEMA["$defs"], "$ref": "#/$defs/event"})
OPTIONS = OutputOptions(environment={})


def document(events: list[Event]) -> dict[str, object]:
    loaded: dict[str, object] = json.loads(report("json", events, OPTIONS, "ascii")[0])
    return loaded


def written_lines(events: list[Event]) -> list[dict[str, object]]:
    return [json.loads(line) for line in report("jsonl", events, OPTIONS, "ascii")[0].splitlines()]


def test_the_schema_is_valid() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("scenario", ["all_as_expected", "hostile", "interrupted", "judge_error", "not_judged"])
def test_the_document_matches_its_golden_file(scenario: str) -> None:
    check_golden(f"json/{scenario}", report("json", SCENARIOS[scenario](), OPTIONS))


@pytest.mark.parametrize("scenario", ["wrong_answer", "hostile"])
def test_the_lines_match_their_golden_file(scenario: str) -> None:
    check_golden(f"jsonl/{scenario}", report("jsonl", SCENARIOS[scenario](), OPTIONS))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_document_matches_the_schema_and_has_every_result(scenario: str) -> None:
    events = SCENARIOS[scenario]()
    loaded = document(events)
    DOCUMENT.validate(loaded)
    for kind, key in ((ProblemBegan, "id"), (SolutionBegan, "path"), (CaseJudged, "cached")):
        assert json.dumps(loaded).count(f'"{key}": ') == sum(isinstance(event, kind) for event in events)


@given(st.sampled_from(sorted(SCENARIOS)), st.integers(0, 60))
def test_an_aborted_run_leaves_a_complete_document_that_does_not_claim_success(scenario: str, count: int) -> None:
    events = SCENARIOS[scenario]()
    loaded = document(events[: min(count, len(events) - 1)])
    DOCUMENT.validate(loaded)
    assert (loaded["as_expected"], loaded["interrupted"]) == (False, True)


def test_a_solution_that_was_not_completely_judged_has_no_verdict() -> None:
    events = interrupted()
    last = max(index for index, event in enumerate(events) if isinstance(event, SolutionJudged))
    loaded = document([*events[:last], events[-1]])
    DOCUMENT.validate(loaded)
    first, second = loaded["problems"][0]["solutions"]  # type: ignore[index]
    assert (first["verdict"], second["verdict"]) == ("AC", None)
    assert (first["as_expected"], second["as_expected"]) == (True, False)
    assert len(second["cases"]) == 2


def test_closing_twice_and_closing_after_the_end_add_nothing() -> None:
    stdout = io.StringIO()
    with make_reporter("json", stdout, io.StringIO(), OPTIONS) as reporter:
        for event in wrong_answer():
            reporter.handle(event)
        once = stdout.getvalue()
        reporter.close()
    assert stdout.getvalue() == once


def test_notices_are_in_the_document_and_on_standard_error() -> None:
    stdout, stderr = report("json", not_judged(), OPTIONS)
    (notice,) = json.loads(stdout)["notices"]
    assert notice["is_error"]
    assert stderr.rstrip() == notice["text"]


class Nowhere(io.TextIOBase):
    """Discards all text."""

    def write(self, text: str, /) -> int:
        """Discard the text."""
        return len(text)


@pytest.mark.parametrize("name", ["json", "jsonl", "plain", "rich"])
def test_results_of_cases_are_not_kept_in_memory(name: str) -> None:
    which, its_solution = problem(), solution(problem(), "accepted/a.py")
    with make_reporter(name, Nowhere(), Nowhere(), OPTIONS) as reporter:  # type: ignore[arg-type]
        reporter.handle(RunBegan(runs=2000, workers=1, level=Level.FULL))
        reporter.handle(ProblemBegan(problem=which, solutions=1, cases=2000))
        reporter.handle(SolutionBegan(problem=which, solution=its_solution, cases=2000))
        before = _count_results()
        for number in range(2000):
            reporter.handle(CaseJudged(problem=which, solution=its_solution, result=accepted(f"large/{number}")))
        assert _count_results() == before


def _count_results() -> int:
    """Return how many results exist, those in the tables of other tests included."""
    return sum(isinstance(each, CaseResult) for each in gc.get_objects())


# ---- lines --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_line_matches_the_schema_and_there_is_one_for_each_event(scenario: str) -> None:
    events = SCENARIOS[scenario]()
    lines = written_lines(events)
    assert len(lines) == len(events)
    for line in lines:
        EVENT.validate(line)


def test_a_line_is_readable_as_soon_as_its_event_occurs() -> None:
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with make_reporter("jsonl", stdout, io.StringIO(), OPTIONS) as reporter:
        for number, event in enumerate(wrong_answer(), start=1):
            reporter.handle(event)
            assert stdout.buffer.getvalue().count(b"\n") == number


@given(st.binary(max_size=30), st.text(max_size=10))
def test_bytes_and_names_of_every_kind_make_valid_lines(data: bytes, name: str) -> None:
    result = accepted(f"group/{name.replace('/', '')}")
    failure = CaseResult(case=result.case, verdict=result.verdict, reason=data.decode("utf-8", "surrogateescape"))
    event = CaseJudged(problem=problem(), solution=solution(problem(), "accepted/a.py"), result=failure)
    (line,) = written_lines([event])
    EVENT.validate(line)
    json.dumps(line, ensure_ascii=False).encode()  # no lone surrogates, which strict parsers refuse
