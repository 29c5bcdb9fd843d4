"""The names of inputs and answers: every input has a case's name, and no answer is an input."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.problems.naming import answer_names, answer_names_elsewhere, belongs_to, case_name, input_names, is_input


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
    assert answer_names(name)
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
    assert answer_names_elsewhere(name)[0] == name
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
