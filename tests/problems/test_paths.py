"""Which entries of a folder count, and the names of inputs and answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.problems.conventions import (
    answer_names,
    answer_names_elsewhere,
    belongs_to,
    case_name,
    input_names,
    is_input,
)
from judge.problems.paths import is_ignored, is_leftover

LEFTOVERS = [
    *(".a.py.swp", "a.swo", "a.py~", "#a.py#", ".#a.py", "a.bak", "a.py___jb_tmp___"),
    *(".new-17", ".git", "a.pyc", "__pycache__", "a.o", "A.class"),
]


@pytest.mark.parametrize("name", LEFTOVERS)
def test_files_of_editors_and_compilers_are_leftovers(name: str) -> None:
    assert is_leftover(name)
    assert is_ignored(name)


@pytest.mark.parametrize("name", ["a.py", "x.in", "#a", "problem.yaml", "cases.lock", "4913", "a.sw", "foo"])
def test_other_files_are_not(name: str) -> None:
    assert not is_leftover(name)
    assert not is_ignored(name)


def test_private_files_are_ignored_but_not_leftovers() -> None:
    assert is_ignored("_cards.py")
    assert not is_leftover("_cards.py")


@pytest.mark.parametrize(
    "name",
    [
        "1.in",
        "a.b.in",
        "x.input",
        "1.in.txt",
        "in",
        "in1",
        "in1.txt",
        "input",
        "input.txt",
        "input_3.txt",
        "in.1",
        "a_in.txt",
        "a-input.txt",
    ],
)
def test_an_input_has_answers_that_are_no_inputs(name: str) -> None:
    assert is_input(name)
    assert any(answer_names(name))
    assert not any(is_input(each) for each in answer_names(name))


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".in",
        "1.out",
        "1.ans",
        "out.txt",
        "a.py",
        "main",
        "inside.txt",
        "check-in.md",
        "login",
        "input.py",
        "a.out",
        "instructions.txt",
        "plugin",
    ],
)
def test_other_files_are_no_inputs(name: str) -> None:
    assert not is_input(name)


@given(st.from_regex(r"[a-z0-9._-]{1,8}", fullmatch=True))
def test_the_usual_answer_leads_back_to_its_input(key: str) -> None:
    for suffix in (".ans", ".out"):
        assert f"{key}.in" in input_names(key + suffix)
        assert key + suffix in answer_names(f"{key}.in")


@given(st.text(min_size=1, max_size=8))
def test_an_answer_in_another_folder_may_have_the_name_of_the_input(name: str) -> None:
    assert next(answer_names_elsewhere(name)) == name
    assert case_name(name)


@pytest.mark.parametrize(
    ("name", "stem", "expected"),
    [
        ("a.in", "a", True),
        ("a1.in", "a", True),
        ("a-big.in", "a", True),
        ("a.1.in", "a", True),
        ("a_in.txt", "a", True),
        ("ab.in", "a", False),
        ("a1b.in", "a", False),
        ("10.in", "1", False),
        ("1_2.in", "1", True),
        ("in1.txt", "in", False),
        ("b.in", "a", False),
    ],
)
def test_an_input_belongs_to_the_source_whose_name_it_starts_with(name: str, stem: str, expected: bool) -> None:
    assert belongs_to(name, stem) is expected
