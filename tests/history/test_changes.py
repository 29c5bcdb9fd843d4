"""Laws of the comparison of two runs, and of baseline files."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.base.units import MIB, Bytes, Seconds
from judge.history.baseline import Baseline, read_baseline, write_baseline
from judge.history.changes import ChangeKind, changes
from judge.history.records import CaseRecord, SolutionRecord
from judge.model import Verdict

case_records = st.builds(
    CaseRecord,
    st.sampled_from([Verdict.AC, Verdict.WA, Verdict.TLE, Verdict.RTE]),
    st.floats(0, 10).map(lambda s: Seconds(round(s, 3))),
    st.integers(0, 2**18).map(lambda kib: Bytes(kib * 1024)),
    st.sampled_from(["", "aa", "bb"]),
    st.sampled_from(["", "11", "22"]),
)
solution_records = st.builds(
    SolutionRecord,
    problem=st.just("p"),
    solution=st.sampled_from(["a.py", "b.py", "c\u00e4.py"]),
    language=st.just("Python 3"),
    expected=st.sampled_from(["AC", "WA"]),
    source=st.sampled_from(["00" * 32, "11" * 32]),
    verdict=st.sampled_from([Verdict.AC, Verdict.WA]),
    as_expected=st.booleans(),
    cases=st.dictionaries(st.sampled_from(["s/1", "s/2", "e/x"]), case_records),
)
slow_machine = settings(
    max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None
)  # machines are busy
several = st.lists(solution_records, unique_by=lambda record: record.solution)


@pytest.mark.parametrize("verdict", [Verdict.SK, Verdict.NA])
@pytest.mark.parametrize("names", [["s/1"], ["s/1", "s/2"]])
def test_cases_without_a_verdict_are_not_changes_of_a_solution(names: Sequence[str], verdict: Verdict) -> None:
    case = CaseRecord(Verdict.AC, Seconds(1.0), Bytes(1), "aa", "11")
    skipped = CaseRecord(verdict, Seconds(0.0), Bytes(0), "", "")
    full = SolutionRecord(
        problem="p", solution="a.py", language="Python 3", expected="AC", source="", verdict=Verdict.AC,
        as_expected=True, cases={"s/1": case, "s/2": case},
    )  # fmt: skip
    part = replace(full, cases={**full.cases, **dict.fromkeys(names, skipped)})
    (gone,), (new,) = changes([full], [part]), changes([part], [full])
    assert (gone.kind, gone.verdicts, gone.cases_gone) == (ChangeKind.SAME, (), tuple(names))
    assert (new.kind, new.verdicts, new.cases_new) == (ChangeKind.SAME, (), tuple(names))


def costing(cpu: Sequence[float] = (0.01,), memory: Sequence[int] = (0,), data: str = "") -> SolutionRecord:
    """Return an accepted record; a case for each CPU time in s or peak memory in MiB, the shorter list repeated."""
    cases = {
        f"s/{number}": CaseRecord(
            verdict=Verdict.AC, data=data, output="", cpu=Seconds(cpu[number % len(cpu)]),
            memory=Bytes(memory[number % len(memory)] * MIB),
        )
        for number in range(max(len(cpu), len(memory)))
    }  # fmt: skip
    return SolutionRecord(
        problem="p", solution="a.py", language="Python 3", expected="AC", source="", verdict=Verdict.AC,
        as_expected=True, cases=cases,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("then", "now", "reported"),
    [
        pytest.param(costing([0.30] * 3), costing([0.40] * 3), True, id="a third more"),
        pytest.param(costing([0.40] * 3), costing([0.30] * 3), True, id="a quarter less"),
        pytest.param(costing([0.02] * 9 + [0.2]), costing([0.02] * 9 + [0.5]), True, id="one long case"),
        pytest.param(costing([0.02] * 500), costing([0.15] * 500), True, id="a slow start"),
        pytest.param(costing([0.30] * 3), costing([0.34] * 3), False, id="less than a quarter"),
        pytest.param(costing([0.015] * 500), costing([0.040] * 500), False, id="very many starts on a busy machine"),
        pytest.param(costing([0.02] * 6), costing([0.02] * 5 + [0.09]), False, id="one disturbed run"),
        pytest.param(costing([0.02] * 500 + [0.2]), costing([0.045] * 500 + [0.1]), False, id="noise, and less"),
        pytest.param(costing([0.02] * 500 + [0.2]), costing([0.045] * 500 + [0.3]), False, id="noise, and little more"),
        pytest.param(costing([0.02, 0.5]), costing([0.12, 0.9]), True, id="all the same way"),
        pytest.param(costing([0.2, 0.5]), costing([0.5, 0.2]), False, id="some more and some less"),
        pytest.param(costing([0.3], data="a"), costing([0.9], data="b"), False, id="other data"),
        pytest.param(costing(memory=[9, 20]), costing(memory=[9, 30]), True, id="memory of the largest case"),
        pytest.param(costing(memory=[9, 20]), costing(memory=[19, 20]), False, id="memory of a small case"),
        pytest.param(costing(memory=[9]), costing(memory=[12]), False, id="few MiB"),
        pytest.param(costing(memory=[100]), costing(memory=[120]), False, id="less than a quarter more memory"),
    ],
)
def test_a_change_of_cost_is_reported_only_beyond_noise(
    then: SolutionRecord, now: SolutionRecord, *, reported: bool
) -> None:
    (change,) = changes([then], [now])
    assert change.kind is (ChangeKind.COST if reported else ChangeKind.SAME)
    (elsewhere,) = changes([then], [now], costs=False)
    assert elsewhere.kind is ChangeKind.SAME


@slow_machine
@given(several)
def test_records_compared_with_themselves_show_no_change(found: Sequence[SolutionRecord]) -> None:
    assert {change.kind for change in changes(found, found)} <= {ChangeKind.SAME}


@slow_machine
@given(several, several)
def test_every_solution_of_either_run_is_reported_once(
    old: Sequence[SolutionRecord], new: Sequence[SolutionRecord]
) -> None:
    reported = [change.record.solution for change in changes(old, new)]
    assert sorted(reported) == sorted({record.solution for record in [*old, *new]})


@slow_machine
@given(several, several)
def test_worse_in_one_direction_is_better_in_the_other(
    old: Sequence[SolutionRecord], new: Sequence[SolutionRecord]
) -> None:
    forth = {c.record.solution: c for c in changes(old, new)}
    back = {c.record.solution: c for c in changes(new, old)}
    turned = {
        ChangeKind.NEW: ChangeKind.GONE,
        ChangeKind.GONE: ChangeKind.NEW,
        ChangeKind.OUTPUT: ChangeKind.OUTPUT,
        ChangeKind.SAME: ChangeKind.SAME,
    }
    turned[ChangeKind.COST] = ChangeKind.COST
    for name, change in forth.items():
        if change.kind in turned:
            assert back[name].kind is turned[change.kind]
        if change.old and change.new and change.old.as_expected is not change.new.as_expected:
            assert {change.kind, back[name].kind} == {ChangeKind.WORSE, ChangeKind.BETTER}


@pytest.fixture(scope="session", name="folders")
def _folders(tmp_path_factory: pytest.TempPathFactory) -> pytest.TempPathFactory:
    return tmp_path_factory


@slow_machine
@given(several)
def test_a_baseline_file_is_read_back_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, found: Sequence[SolutionRecord]
) -> None:
    path = tmp_path_factory.mktemp("b") / "baseline.lock"
    write_baseline(path, "p", Baseline(commit="c" * 40, is_dirty=True, machine="m", records=found))
    assert read_baseline(path) == Baseline(commit="c" * 40, is_dirty=True, machine="m", records=found)
