"""Which entries of a folder count."""

import pytest

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
