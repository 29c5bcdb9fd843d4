"""A folder of x.in with x.ans or x.out is a set of cases; what is incomplete is reported, and the rest is judged."""

import os
import sys
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.base.errors import Diagnostic, UsageError
from judge.model import DEFAULT_LIMITS, Case, CheckerConfig, InFile, Problem
from judge.preparation.cases import LazyCases
from judge.problems.folder import load_cases, natural_key
from judge.workspace.query import Query
from judge.workspace.select import select
from tests.files import write_names

CHECKER = CheckerConfig(name="lines")


def load(folder: Path) -> tuple[tuple[Case, ...], tuple[Diagnostic, ...]]:
    cases, diagnostics = load_cases(folder, Problem(checker=CHECKER))
    return tuple(cases), diagnostics


def ids(folder: Path) -> list[str]:
    cases, diagnostics = load(folder)
    assert not diagnostics
    return [case.id for case in cases]


def test_a_case_is_an_input_with_the_answer_beside_it(tmp_path: Path) -> None:
    folder = write_names(tmp_path / "test", "sample-1.in sample-1.out")
    (case,), diagnostics = load(folder)
    assert diagnostics == ()
    assert case == Case(
        group="test",
        name="sample-1",
        input=InFile(folder / "sample-1.in"),
        answer=InFile(folder / "sample-1.out"),
        limits=DEFAULT_LIMITS,
        checker=CHECKER,
        origin=folder / "sample-1.in",
    )


def test_ans_wins_over_out(tmp_path: Path) -> None:
    (case,), diagnostics = load(write_names(tmp_path, "x.in x.ans x.out"))
    assert case.answer == InFile(tmp_path / "x.ans")
    assert diagnostics == ()


def test_paths_are_absolute_even_if_the_argument_is_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_names(tmp_path / "test", "x.in x.ans deep/y.in deep/y.ans")
    monkeypatch.chdir(tmp_path)
    assert [case.origin for case in load(Path("test"))[0]] == [tmp_path / "test/x.in", tmp_path / "test/deep/y.in"]
    monkeypatch.chdir(tmp_path / "test")
    assert ids(Path()) == ["test/x", "deep/y"]


def test_two_comes_before_ten_and_sample_before_all(tmp_path: Path) -> None:
    names = "10.in 10.ans 2.in 2.ans 02.in 02.ans a10b.in a10b.ans a2b.in a2b.ans"
    groups = [tmp_path / "data" / group for group in ("secret/g10", "secret/g2", "sample", "edge")]
    for group in groups:
        write_names(group, "1.in 1.ans")
    write_names(tmp_path / "data", names)
    assert ids(tmp_path / "data") == [
        "sample/1",
        "data/02",
        "data/2",
        "data/10",
        "data/a2b",
        "data/a10b",
        "edge/1",
        "secret/g2/1",
        "secret/g10/1",
    ]


def test_no_two_cases_have_one_id(tmp_path: Path) -> None:
    names = "x.in x.ans tests/x.in tests/x.ans tests/tests/x.in tests/tests/x.ans a/x.in a/x.ans b/x.in b/x.ans"
    found = ids(write_names(tmp_path / "tests", names))
    assert len(set(found)) == len(found) == 5


def test_dots_belong_to_the_name(tmp_path: Path) -> None:
    assert ids(write_names(tmp_path / "d", "1.a.in 1.a.ans 1.b.in 1.b.out")) == ["d/1.a", "d/1.b"]


def test_an_answer_without_an_input_is_reported_and_an_input_without_an_answer_is_a_case(tmp_path: Path) -> None:
    cases, diagnostics = load(write_names(tmp_path, "a.in b.in b.ans c.ans d/e.in f.out"))
    assert [(case.name, case.answer is None) for case in cases] == [("a", True), ("b", False), ("e", True)]
    assert sorted(str(diagnostic).removeprefix(f"{tmp_path}/") for diagnostic in diagnostics) == [
        "c.ans: error: c.ans has no input: expected c.in beside it",
        "f.out: error: f.out has no input: expected f.in beside it",
    ]


def test_a_folder_named_like_an_input_is_not_an_input(tmp_path: Path) -> None:
    cases, diagnostics = load(write_names(tmp_path, "a.in/b.in a.in/b.ans a.ans"))
    assert [case.id for case in cases] == ["a.in/b"]
    assert [diagnostic.message for diagnostic in diagnostics] == ["a.ans has no input: expected a.in beside it"]


def test_a_folder_of_answers_is_reported_without_cases(tmp_path: Path) -> None:
    cases, diagnostics = load(write_names(tmp_path, "a.out"))
    assert cases == ()
    assert len(diagnostics) == 1


def test_leftovers_and_other_files_are_ignored(tmp_path: Path) -> None:
    names = "x.in x.ans .x.in _x.in x.in~ README.md x.desc .git/y.in __pycache__/y.in"
    assert ids(write_names(tmp_path / "d", names)) == ["d/x"]


def test_files_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    folder = write_names(tmp_path / "d", "a.ans b.in c.in")
    (folder / "a.in").symlink_to("nowhere")
    (folder / "b.ans").symlink_to("b.ans")
    os.mkfifo(folder / "c.ans")
    cases, diagnostics = load(folder)
    assert cases == ()
    assert [str(diagnostic).removeprefix(f"{folder}/") for diagnostic in diagnostics] == [
        "a.in: error: is a broken link",
        "b.ans: error: cannot be read: Too many levels of symbolic links",
        "c.ans: error: is not a regular file",
    ]


def test_a_link_to_a_parent_folder_is_not_followed(tmp_path: Path) -> None:
    folder = write_names(tmp_path / "d", "x.in x.ans e/y.in e/y.ans")
    (folder / "e" / "up").symlink_to(folder)
    assert ids(folder) == ["d/x", "e/y"]


def test_folders_may_be_nested_deeper_than_the_recursion_limit(tmp_path: Path) -> None:
    deepest = Path(tmp_path, *["d"] * 400)
    deepest.mkdir(parents=True)
    (deepest / "x.in").touch()
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(300)
    try:
        assert len(load(tmp_path)[0]) == 1
    finally:
        sys.setrecursionlimit(usual)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("absent", "absent does not exist: expected a folder with inputs `x.in` and their answers `x.ans` or `x.out`"),
        ("file", "file is not a folder: expected a folder with inputs `x.in` and their answers `x.ans` or `x.out`"),
        ("loop", "loop is not a folder: expected a folder with inputs `x.in` and their answers `x.ans` or `x.out`"),
        ("empty", "empty: expected a folder with inputs `x.in` and their answers `x.ans` or `x.out`"),
    ],
)
def test_a_folder_without_any_cases_is_a_usage_error(tmp_path: Path, name: str, message: str) -> None:
    write_names(tmp_path, "file empty/README.md")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(UsageError) as caught:
        load(tmp_path / name)
    assert message in str(caught.value)


def test_cases_are_created_on_access_and_equal_each_time(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number}.in").touch()
        (tmp_path / f"{number}.{'ans' if number % 2 else 'out'}").touch()
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "x.in").touch()
    (tmp_path / "more" / "x.ans").touch()
    cases, _ = load_cases(tmp_path, Problem(checker=CHECKER))
    assert len(cases) == 31
    assert [cases[at] for at in range(31)] == list(cases) == list(cases[:])
    assert (cases[-1].group, cases[-1].name) == ("more", "x")
    assert [case.name for case in cases[8:11]] == ["8", "9", "10"]
    assert [case.answer for case in cases[:2]] == [InFile(tmp_path / "0.out"), InFile(tmp_path / "1.ans")]
    for at in (31, -32):
        with pytest.raises(IndexError):
            cases[at]


@pytest.mark.thorough
def test_selecting_a_folder_takes_at_most_160_bytes_per_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def peak(count: int) -> int:
        # the interpreter's table of names may grow by megabytes just then, but not twice
        return min(one_peak(count, turn) for turn in range(2))

    def one_peak(count: int, turn: int) -> int:
        folder = tmp_path / f"{count}-{turn}"
        folder.mkdir()
        for number in range(count):
            (folder / f"{number:06}.in").touch()
            (folder / f"{number:06}.ans").touch()
        query = Query(solutions=(solution,), case_source=folder)
        tracemalloc.start()
        (selection,) = select(query, tmp_path, known=()).problems
        assert len(LazyCases(selection.problem.cases)) == count
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return taken

    monkeypatch.chdir(tmp_path)
    solution = tmp_path / "sum.py"
    solution.touch()
    peak(10)  # imports modules and compiles patterns
    assert peak(4_000) - peak(1_500) < 160 * 2_500


@given(st.lists(st.integers(0, 10**30), unique=True))
def test_the_natural_order_of_numbers_is_their_numerical_order(numbers: list[int]) -> None:
    names = [f"x{number}.y" for number in numbers]
    assert sorted(names, key=natural_key) == [f"x{number}.y" for number in sorted(numbers)]
