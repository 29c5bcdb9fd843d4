"""Stored summaries: they save the look-up of every case, and change nothing that a run says."""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.cli.main import run_cli
from judge.history.history import History
from judge.history.results import ResultStore, StoredSummary
from judge.model import Case, CaseResult, Problem, Verdict
from judge.model.events import CaseJudged, SolutionJudged
from judge.problems import cache
from judge.runner.cache import ResultCache
from judge.workspace.query import Query
from judge.workspace.workspace import Workspace
from tests.cli.command_line import copy_repository
from tests.report_scenarios import accepted

CapSys = pytest.CaptureFixture[str]
WRONG = "solutions/sums/wrong_answer/no_signs.py"


@pytest.fixture(scope="module")
def judged(locked_sums: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the problem `sums`, all judged and summed up; to be copied."""
    root = tmp_path_factory.mktemp("judged") / "repository"
    shutil.copytree(locked_sums, root)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(root)
        assert run_cli(["run", "-f", "plain"]) == 0
    return root


@pytest.fixture
def repository(judged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of `judged`; the current folder. Problems are stored whatever the time of their files."""
    monkeypatch.setattr(cache, "_RECENT_NS", 0)
    return copy_repository(judged, tmp_path, monkeypatch)


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The cases that are looked up in the cache one by one."""
    names: list[str] = []
    original = ResultCache.find

    def find(self: ResultCache, job: tuple[object, object]) -> CaseResult | None:
        names.append(str(job))
        return original(self, job)  # type: ignore[arg-type]

    monkeypatch.setattr(ResultCache, "find", find)
    return names


def run(capsys: CapSys, *argv: str) -> tuple[int, str]:
    """Judge; return the exit status, and the plain report without what depends on the cache and on the machine."""
    capsys.readouterr()
    status = run_cli(["run", "-f", "plain", *argv])
    out, _ = capsys.readouterr()
    out = re.sub(r" {2,}", "  ", out)
    out = re.sub(r"(, (all|\d+) cached| - [\d,]+ runs?.*|\d[\d.]* (ms|s)\b( of [\d.]+ s)?|peak.*)", "", out)
    return status, re.sub(r"slowest .*| used .*", "", out)


def test_without_changes_no_case_is_looked_up_and_the_report_is_the_same(
    repository: Path, capsys: CapSys, looked_up: list[str]
) -> None:
    first = run(capsys, "--fresh")
    assert looked_up
    looked_up.clear()
    capsys.readouterr()
    assert run(capsys) == first
    assert looked_up == []
    assert repository.is_dir()


def test_reports_with_cases_and_the_events_of_a_session_are_complete(repository: Path, capsys: CapSys) -> None:
    def count(*argv: str) -> int:
        capsys.readouterr()
        assert run_cli(["run", *argv]) == 0
        out = capsys.readouterr().out
        if "jsonl" in argv:
            return sum(json.loads(line)["event"] == "case_judged" for line in out.splitlines())
        problems = json.loads(out)["problems"]
        return sum(len(solution["cases"]) for problem in problems for solution in problem["solutions"])

    workspace = Workspace.find(repository)
    selection = workspace.select(Query())
    (each,) = selection.problems
    total = len(each.problem.cases) * len(each.problem.solutions)
    assert count("-f", "json") == count("-f", "jsonl") == total
    with workspace.open_session() as session:
        events = list(session.run(selection))
    assert sum(isinstance(event, CaseJudged) for event in events) == total
    with workspace.open_session() as session:
        events = list(session.run(selection, replace(session.run_options(), skips_cases=lambda *_: True)))
    assert not any(isinstance(event, CaseJudged) for event in events)
    assert sum(event.result.total for event in events if isinstance(event, SolutionJudged)) == total


def replace_in(name: str, old: str, new: str) -> Callable[[Path], None]:
    def edit(root: Path) -> None:
        path = root / name
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    return edit


def add_case(root: Path) -> None:
    sample = root / "testcases/sums/sample.yaml"
    sample.write_text(sample.read_text() + "  - name: one-more\n    input: |\n      40 2\n    answer: |\n      42\n")


def wrong_answer(root: Path) -> None:
    sample = root / "testcases/sums/sample.yaml"
    sample.write_text(sample.read_text() + "  - name: one-more\n    input: |\n      40 2\n    answer: |\n      43\n")


def move_solution(root: Path) -> None:
    (root / WRONG).rename(root / "solutions/sums/accepted/no_signs.py")


EDITS: dict[str, Callable[[Path], object]] = {
    "solution": lambda root: (root / WRONG).write_text("print(0)\n"),
    "solution that crashes": lambda root: (root / WRONG).write_text("1 / 0\n"),
    "expectation": move_solution,
    "time limit": replace_in("problems/sums/problem.yaml", "time: 2 s", "time: 1.5 s"),
    "checker": replace_in("problems/sums/problem.yaml", "checker: lines", "checker: exact"),
    "new case": add_case,
    "case with a wrong answer": wrong_answer,
    "case removed": lambda root: next((root / "testcases/sums").glob("[!s]*.yaml")).unlink(),
    "validator that rejects": lambda root: (root / "problems/sums/validate.py").write_text("exit(43)\n"),
    "generator": lambda root: next((root / "problems/sums/generators").glob("*.py")).write_text("x = 1\n"),
    "reference": replace_in("solutions/sums/accepted/split.py", "import sys", "import sys  # edited"),
}


_THOROUGH = {"solution that crashes", "expectation", "checker", "case removed", "generator"}


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(edit, id=name, marks=[pytest.mark.thorough] if name in _THOROUGH else [])
        for name, edit in EDITS.items()
    ],
)
def test_after_an_edit_a_run_says_what_a_fresh_run_says(
    repository: Path, capsys: CapSys, edit: Callable[[Path], object]
) -> None:
    edit(repository)
    found = [run(capsys) for _ in range(2)]
    assert found == [run(capsys, "--fresh")] * 2


def test_an_edited_solution_alone_is_looked_up(repository: Path, capsys: CapSys, looked_up: list[str]) -> None:
    (repository / WRONG).write_text("print(0)\n")
    run(capsys)
    cases = len(Workspace.find(repository).load_problem("sums").cases)
    assert len(looked_up) == cases


@pytest.mark.thorough
def test_other_options_of_a_run_have_summaries_of_their_own(
    repository: Path, capsys: CapSys, looked_up: list[str]
) -> None:
    for arguments in (("--group", "sample"), ("--time-limit", "1.5"), ("--warm",), ("--checker", "tokens")):
        assert run(capsys, *arguments)[0] == run(capsys, "--fresh", *arguments)[0]
        looked_up.clear()
        run(capsys, *arguments)
        assert looked_up == [], arguments
    assert repository.is_dir()


def test_code_of_the_judge_that_decides_results_makes_summaries_invalid(
    repository: Path, capsys: CapSys, looked_up: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.runner.cache._own_digest", lambda: "edited")
    run(capsys)
    assert looked_up
    assert repository.is_dir()


def test_fail_fast_stops_where_a_run_without_a_summary_stops(repository: Path, capsys: CapSys) -> None:
    move_solution(repository)
    run(capsys)
    assert run(capsys, "-x") == run(capsys, "-x", "--fresh")


def test_a_case_without_data_is_reported_as_skipped_each_time(
    repository: Path, capsys: CapSys, looked_up: list[str]
) -> None:
    sample = repository / "testcases/sums/sample.yaml"
    external = "{url: 'https://example.org/x', file: x.txt, sha256: " + "0a" * 32 + "}"
    sample.write_text(sample.read_text() + f"  - name: far\n    external: {external}\n")
    first = run(capsys)
    looked_up.clear()
    assert run(capsys) == first
    assert looked_up == []
    assert "x.txt is not on this machine" in first[1]


# ---- the history ---------------------------------------------------------------------------------------------------


def recorded(root: Path) -> list[list[tuple[str, int]]]:
    """Return the solutions of every run, newest first, each with its number of cases."""
    with closing(History(root / ".judge/history.sqlite")) as history:
        runs = [history.records(each.number) for each in history.runs(99)]
    return [[(record.solution, len(record.cases)) for record in records] for records in runs]


def test_a_run_from_summaries_is_recorded_like_any_other(repository: Path, capsys: CapSys) -> None:
    (before,) = recorded(repository)
    run(capsys)
    assert recorded(repository) == [before] * 2
    with closing(sqlite3.connect(repository / ".judge/history.sqlite")) as connection:
        assert connection.execute("SELECT count(*) FROM solutions").fetchone() == (len(before),)


def test_a_new_history_gets_all_cases_although_they_are_summed_up(
    repository: Path, capsys: CapSys, looked_up: list[str]
) -> None:
    before = recorded(repository)
    for path in (repository / ".judge").glob("history.sqlite*"):
        path.unlink()
    run(capsys)
    assert looked_up
    assert recorded(repository) == before


# ---- the store -----------------------------------------------------------------------------------------------------


def summary() -> StoredSummary:
    return StoredSummary(
        counts={Verdict.AC: 2},
        first=((0, accepted("g/a")),),
        slowest=(1, accepted("g/b")),
        largest=None,
        cases_digest="ab",
    )


CASES: tuple[Case, ...] = (accepted("g/a").case, accepted("g/b").case)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ResultStore]:
    """A store with a summary in its file."""
    with closing(ResultStore(tmp_path / ".judge/results.sqlite")) as store:
        store.put(b"s", b"k", accepted("g/a"))
        store.put_summary(b"s", b"both", summary())
        store.flush()
        yield store


def test_a_summary_is_found_for_its_submission_and_its_cases_only(store: ResultStore) -> None:
    found = store.find_summary(b"s", b"both", CASES)
    assert found is not None
    assert (found.counts, found.cases_digest, found.largest) == (summary().counts, "ab", None)
    assert found.slowest is not None
    assert (found.slowest[0], found.slowest[1].case, found.slowest[1].is_cached) == (1, CASES[1], True)
    assert store.find_summary(b"t", b"both", CASES) is None
    assert store.find_summary(b"s", b"other", CASES) is None


@pytest.mark.parametrize("is_flushed", [False, True])
def test_a_new_result_of_a_submission_deletes_its_summaries(store: ResultStore, is_flushed: bool) -> None:
    store.put_summary(b"s", b"other cases", summary())
    if is_flushed:
        store.flush()
    store.put(b"s", b"l", accepted("g/b"))
    store.flush()
    assert store.find_summary(b"s", b"both", CASES) is None
    assert store.find_summary(b"s", b"other cases", CASES) is None


def test_a_damaged_summary_or_one_of_another_form_is_ignored(store: ResultStore, tmp_path: Path) -> None:
    from judge.history.results import _checksum, _seal

    with closing(sqlite3.connect(tmp_path / ".judge/results.sqlite", isolation_level=None)) as connection:
        (sealed,) = connection.execute("SELECT summary FROM summaries").fetchone()
        forms: list[object] = [[], {}, 3, [{"XX": 1}, [], None, None, ""], [{}, [[9, []]]]]
        others = [_seal(b"s", b"both", values) for values in forms]
        others.append(_checksum(b"s", b"both", b"[]") + b"[]")  # JSON, as an earlier version wrote it
        for content in (b"", sealed[:-1], sealed.replace(b"AC", b"WA"), *others):
            connection.execute("UPDATE summaries SET summary = ?", (content,))
            assert store.find_summary(b"s", b"both", CASES) is None
        connection.execute("UPDATE summaries SET summary = ?", (sealed,))
    assert store.find_summary(b"s", b"both", CASES) is not None


def test_two_judges_at_once_agree(repository: Path) -> None:
    (repository / WRONG).write_text("print(0)\n")
    words = (sys.executable, "-m", "judge", "run", "-f", "plain", "--fresh")
    both = [subprocess.Popen(words[: 6 + turn], cwd=repository, stdout=subprocess.PIPE) for turn in (0, 1)]
    outputs = [each.communicate()[0].decode() for each in both]
    outputs.append(subprocess.run(words[:6], cwd=repository, stdout=subprocess.PIPE, check=True, text=True).stdout)
    verdicts = [re.findall(r"(ok|UNEXPECTED) +(\S+) +(\w+)", each) for each in outputs]
    assert [each.returncode for each in both] == [0, 0]
    assert verdicts[0] == verdicts[1] == verdicts[2] != []


def test_every_verdict_and_its_texts_survive_in_a_summary(repository: Path, capsys: CapSys) -> None:
    accepted_folder = repository / "solutions/sums/accepted"
    (accepted_folder / "crash.py").write_text("import sys\nsys.stderr.buffer.write(bytes(range(256)))\n1 / 0\n")
    (accepted_folder / "bad.py").write_text("def (:\n")
    (accepted_folder / "off.py").write_text("import sys\nfor _ in sys.stdin: print(0)\n")
    problem: Problem = Workspace.find(repository).load_problem("sums")
    assert len(problem.solutions) > 3
    first = run(capsys)
    assert run(capsys) == first
    assert first[0] == 1
    assert all(text in first[1] for text in ("ZeroDivisionError", "bad.py", "expected"))


def test_a_lazy_run_says_the_same_whatever_is_stored(repository: Path, capsys: CapSys) -> None:
    late = repository / "solutions/sums/wrong_answer/late.py"
    late.write_text("import os\nprint(0)\nif b'-5 3' not in os.read(0, 99):\n    raise SystemExit(1)\n")
    lazy = run(capsys, "--lazy", str(late), "--fresh")
    everything = run(capsys, str(late))
    assert run(capsys, "--lazy", str(late)) == lazy
    assert run(capsys, str(late)) == everything
    assert (lazy[0], everything[0]) == (0, 1)
