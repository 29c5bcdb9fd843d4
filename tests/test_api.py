"""The public Python API: what docs/api.md promises, and that it is thread-safe and leaves nothing behind."""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import judge
from judge.api import Difference
from judge.judging import checkers
from tests.programs import processes_with

DOCS = Path(__file__).parents[1] / "docs" / "api.md"
SUM = "print(sum(map(int, input().split())))"
CASES = [judge.TextCase("1 2\n", "3\n"), judge.TextCase("4 5\n", b"9\n", name="nines")]


@pytest.fixture(scope="module")
def session() -> Iterator[judge.Judge]:
    with judge.Judge(jobs=2) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path, judged_sums: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with sum.py, tests/ and a repository; the current folder."""
    (tmp_path / "sum.py").write_text("import sys\nprint(sum(map(int, sys.stdin.read().split())))\n")
    (tmp_path / "tests").mkdir()
    for number in range(3):
        (tmp_path / f"tests/{number}.in").write_text(f"{number} 1\n")
        (tmp_path / f"tests/{number}.ans").write_text(f"{number + 1}\n")
    shutil.copytree(judged_sums, tmp_path / "repository")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def examples() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", DOCS.read_text(), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("example", examples())
def test_every_example_in_the_documentation_runs_as_written(example: str, folder: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", example]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    for expected in re.findall(r"  # (\S.*)$", example, re.MULTILINE):
        assert expected in ran.stdout or expected.startswith("an error of the judge")


def test_the_documented_names_are_the_exported_names_and_few() -> None:
    table = DOCS.read_text().partition("## Names")[2]
    documented = set(re.findall(r"^\| `(\w+)", table, re.MULTILINE))
    assert documented == set(judge.__all__) - {"__version__"}
    assert len(judge.__all__) == 13  # a dozen and the version
    for name in judge.__all__:
        assert getattr(judge, name) is not None
    assert set(judge.__all__) <= set(dir(judge))
    with pytest.raises(AttributeError):
        _ = judge.nothing


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import judge; print(*sorted(set(sys.modules) - before))"
    ran = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["judge"]


def test_a_result_has_verdicts_times_memory_and_the_first_difference(session: judge.Judge) -> None:
    result = session.run(code=SUM.replace("sum(", "1 + max("), language="python3", cases=CASES)
    assert (result.verdict, result.passed, result.total, result.is_accepted) == (judge.Verdict.WA, 1, 2, False)
    first, second = result.cases
    assert (first.case, first.verdict, first.difference) == ("cases/1", judge.Verdict.AC, None)
    assert second is result.first_failure
    assert second.case == "cases/nines"
    assert second.difference == Difference(line=1, token=1, expected=b"9", found=b"6")
    for case in result.cases:
        assert case.cpu_s is not None
        assert case.wall_s is not None
        assert 0 < case.cpu_s <= result.cpu_s
        assert case.memory_bytes is not None
        assert 1 << 20 < case.memory_bytes <= result.memory_bytes


@pytest.mark.parametrize(
    ("code", "language", "verdict"),
    [
        ("while True: pass", "python3", judge.Verdict.TLE),
        ("x = b'x' * (200 << 20); print(x[0])", "python3", judge.Verdict.MLE),
        ("import sys; sys.exit('oh no')", None, judge.Verdict.RTE),
        ("int main(void) { return 0 }", "c", judge.Verdict.CE),
        (
            '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }',
            "C17",
            "AC",
        ),
    ],
)
def test_every_kind_of_verdict_is_a_value(session: judge.Judge, code: str, language: str | None, verdict: str) -> None:
    limits = {"time_limit": 0.5, "memory_limit": 128 << 20}
    result = session.run(code=code, language=language, cases=CASES, **limits)  # type: ignore[arg-type]
    assert result.verdict == verdict
    if verdict == "RTE":
        assert b"oh no" in result.cases[0].stderr
    if verdict == "CE":
        assert "error" in result.message
        assert result.cases[0].cpu_s is None


@pytest.mark.skipif(not shutil.which("pypy3"), reason="no pypy3 on this machine")
def test_a_language_without_a_suffix_of_its_own_can_be_named(session: judge.Judge) -> None:
    code = "import sys; print(sum(map(int, input().split())) if 'pypy' in sys.version.lower() else 'CPython')"
    assert session.run(code=code, language="pypy3", cases=CASES).is_accepted
    row = {"id": "a", "code": code, "language": "pypy3", "tests": [{"input": "1 2", "output": "3"}]}
    (grade,) = judge.grade([row])
    assert (grade.verdict, grade.fault) == (judge.Verdict.AC, "")


def test_a_folder_a_problem_and_text_can_be_judged_with_overrides(folder: Path, session: judge.Judge) -> None:
    assert session.run("sum.py", cases="tests").total == 3
    with judge.Judge(root="repository", jobs=1) as other:
        own_solution = next((folder / "repository/solutions/sums/accepted").glob("*.py"))
        result = other.run(own_solution, problem="sums")
        assert (result.verdict, result.total > 1) == (judge.Verdict.AC, True)
    near = [judge.TextCase("", "0.3333333")]
    assert not session.run(code="print(1 / 3)", language="python3", cases=near).is_accepted
    assert session.run(code="print(1 / 3)", language="python3", cases=near, float_tolerance=1e-6).is_accepted
    spaced = [judge.TextCase("", "1  2\n")]
    assert session.run(code="print(1, 2)", language="python3", cases=spaced).is_accepted
    for name in checkers.CHECKERS:
        accepted = session.run(code="print(1, 2)", language="python3", cases=spaced, checker=name).is_accepted
        assert accepted == (name == "tokens")


def test_without_cases_a_file_has_those_beside_it_and_code_runs_once(folder: Path, session: judge.Judge) -> None:
    assert [each.case for each in session.run(folder / "sum.py").cases] == ["tests/0", "tests/1", "tests/2"]
    shown = session.run(code="print(6 * 7, input.__name__)\nprint()", language="python3")
    assert [(each.verdict.value, each.output) for each in shown.cases] == [("NA", b"42 input\n")]
    crashed = session.run(code="input()", language="python3", cases=[judge.TextCase("")])
    assert crashed.verdict is judge.Verdict.RTE


Call = Callable[[judge.Judge], object]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda j: j.run("gone.py", cases=CASES), "gone.py: no such file"),
        (lambda j: j.run("sum.py", cases="gone"), "gone does not exist"),
        (lambda j: j.run("sum.py", cases=[]), "at least one case"),
        (lambda j: j.run("sum.py", cases=CASES, problem="sums"), "either `cases` or `problem`"),
        (lambda j: j.run("tests/0.in"), "tests/0.in"),
        (lambda j: j.run(cases=CASES), "either `source`, a path, or `code`"),
        (
            lambda j: j.run(code="", language="klingon", cases=CASES),
            "language='klingon': expected one of python3, python2",
        ),
        (lambda j: j.run("sum.py", language="c", cases=CASES), "`language` is for `code`"),
        (lambda j: j.run(code="", language="c", cases=CASES, time_limit=0), "time_limit=0"),
        (lambda j: j.run("sum.py", cases=CASES, time_limit=float("inf")), "time_limit=inf: expected a positive number"),
        (lambda j: j.run("sum.py", cases=CASES, memory_limit=1 << 70), "expected a positive number, at most"),
        (lambda j: j.run("sum.py", cases=CASES, checker="fuzzy"), "checker='fuzzy': expected one of tokens"),
        (lambda j: j.run("sum.py", cases=CASES, float_tolerance=-1), "float_tolerance=-1: expected a number"),
        (lambda j: j.run("sum.py", cases=[CASES[1], CASES[1]]), "two cases have the name 'nines'"),
        (lambda j: j.run("sum.py", cases=CASES, float_tolerance=1e-6, checker="exact"), "tolerance"),
        (lambda _: judge.Judge(jobs=0), "jobs=0: expected a number from 1 to 256"),
    ],
)
def test_wrong_arguments_are_one_clear_error(folder: Path, session: judge.Judge, call: Call, message: str) -> None:
    assert folder.is_dir()
    with pytest.raises(judge.JudgeError) as caught:
        call(session)
    assert message in str(caught.value)


def test_wrong_cases_are_a_data_error_that_lists_each(folder: Path, session: judge.Judge) -> None:
    (folder / "tests/lonely.ans").touch()
    with pytest.raises(judge.DataError) as caught:
        session.run("sum.py", cases="tests")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.path.name == "lonely.ans"


def test_events_come_as_cases_are_judged_and_stopping_early_ends_the_runs(folder: Path) -> None:
    slow = "import sys, time; time.sleep(float(sys.stdin.read())); print(1)"
    cases = [judge.TextCase("0", "1"), judge.TextCase("60.125", "1"), judge.TextCase("60.125", "1", name="third")]
    with judge.Judge(jobs=1, root=folder) as session:
        started = time.monotonic()
        events = session.events(code=slow, language="python3", cases=cases, time_limit=100)
        first = next(iter(events))
        assert isinstance(first, judge.CaseResult)
        assert first.verdict is judge.Verdict.AC
        events.close()  # type: ignore[attr-defined]  # a generator
        assert session.run(code="print(1)", language="python3", cases=[judge.TextCase("", "1")]).is_accepted
        assert time.monotonic() - started < 30


def test_an_unfinished_iterator_blocks_neither_another_run_nor_closing() -> None:
    with judge.Judge(jobs=1) as session:
        events = session.events(code=SUM, language="python3", cases=CASES)
        next(events)
        with pytest.raises(judge.JudgeError, match="has not finished the events"):
            session.run(code=SUM, language="python3", cases=CASES)
    with pytest.raises(judge.JudgeError, match="closed"):
        list(events)


def test_threads_share_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    verdicts: list[judge.Verdict] = []
    with judge.Judge(jobs=1, cache=True) as session:

        def work() -> None:
            verdicts.append(session.run(code=SUM, language="python3", cases=CASES).verdict)

        for _ in range(2):
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        work()
    assert verdicts == [judge.Verdict.AC] * 3
    assert not list(tmp_path.rglob("*.aside"))


def test_threads_share_a_judge_and_each_gets_its_own_result(session: judge.Judge) -> None:
    results: dict[int, judge.Result] = {}

    def work(number: int) -> None:
        cases = [judge.TextCase("", f"{number}")]
        results[number] = session.run(code=f"print({number})", language="python3", cases=cases)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {number: result.verdict for number, result in results.items()} == dict.fromkeys(range(8), judge.Verdict.AC)


def test_closing_releases_everything_and_ends_a_run_in_another_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = {path.name for path in Path("/proc/self/fd").iterdir()}
    threads = threading.active_count()
    session = judge.Judge(jobs=2)
    caught: list[judge.JudgeError] = []

    def work() -> None:
        cases = [judge.TextCase("", "1")]
        try:
            session.run(code="import time; time.sleep(60.375)", language="python3", cases=cases, time_limit=100)
        except judge.JudgeError as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.5)
    session.close()
    thread.join(20)
    assert not thread.is_alive()
    assert "closed" in str(caught[0])
    session.close()
    with pytest.raises(judge.JudgeError):
        session.run(code="", language="python3", cases=CASES)
    assert list(tmp_path.iterdir()) == []
    assert processes_with(str(tmp_path)) == []
    assert threading.active_count() == threads
    assert {path.name for path in Path("/proc/self/fd").iterdir()} <= before | {str(os.getpid())}


@pytest.mark.thorough
def test_the_api_prints_nothing_and_leaves_signal_handlers_alone(folder: Path) -> None:
    code = (
        "import signal, judge\nbefore = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)]\n"
        "assert judge.run('sum.py', cases='tests').is_accepted\n"
        "assert before == [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)]\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
