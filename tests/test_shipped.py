"""What is shipped: five problems whose data is what was locked, and solutions that are ready to be pasted."""

import ast
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement, product
from pathlib import Path

import pytest

from judge.cli.main import run_cli
from judge.model import Generated, Problem
from judge.problems.native import load_problem
from judge.problems.paths import problem_ids
from judge.sandbox.installations import base_python

ROOT = Path(__file__).parents[1]
IDS = ["euler54", "handclear", "holdem", "mahjonghu", "uva131"]


def problems() -> list[Problem]:
    return [load_problem(ROOT, each) for each in IDS]


def test_the_five_problems_are_there() -> None:
    assert sorted(problem_ids(ROOT)) == IDS


@pytest.mark.parametrize("problem", problems(), ids=IDS)
def test_a_problem_is_complete(problem: Problem) -> None:
    assert problem.statement
    assert problem.validator
    assert problem.reference
    assert problem.independent
    assert problem.source
    names = [solution.expectation.name for solution in problem.solutions]
    assert names.count("accepted") >= 2
    assert len(names) - names.count("accepted") >= 6
    families = {case.input.function for case in problem.cases if isinstance(case.input, Generated)}
    assert len(families) >= 8
    assert {"sample", "edge", "generated", "dirty", "large"} <= {case.group for case in problem.cases}
    assert all(case.why for case in problem.cases if case.group == "edge")


@pytest.mark.parametrize("problem", problems(), ids=IDS)
def test_every_wrong_solution_says_its_mistake(problem: Problem) -> None:
    for solution in problem.solutions:
        first = solution.path.read_text().splitlines()[0]
        if solution.expectation.name == "accepted":
            assert first.startswith(('"""', "#"))
        else:
            assert first.startswith("# Mistake: ")


@pytest.mark.parametrize("problem", problems(), ids=IDS)
def test_a_solution_needs_the_standard_library_alone_and_touches_no_files(problem: Problem) -> None:
    for solution in problem.solutions:
        tree = ast.parse(solution.path.read_bytes())
        modules = {
            alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
        }
        modules |= {str(node.module).split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert modules <= set(sys.stdlib_module_names), solution.display_path
        opened = [
            call.args[0]
            for call in ast.walk(tree)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "open"
        ]
        assert all(isinstance(name, ast.Constant) and name.value == 0 for name in opened), solution.display_path


def test_solutions_for_uva_are_python_3_5() -> None:
    for problem in problems():
        if problem.profile != "uva":
            continue
        for solution in problem.solutions:
            tree = ast.parse(solution.path.read_bytes(), feature_version=(3, 5))
            for node in ast.walk(tree):  # feature_version misses f-strings on newer interpreters
                assert not isinstance(node, ast.JoinedStr | ast.NamedExpr | ast.AnnAssign), solution.display_path


@pytest.mark.thorough  # `make judge` in a fresh clone makes the same inputs, and the lock file holds them
def test_the_data_is_what_was_locked_on_this_python_too(tmp_path: Path) -> None:
    for part in ("problems", "testcases", "solutions"):
        shutil.copytree(ROOT / part, tmp_path / part)
    assert run_cli(["-C", str(tmp_path), "lock", "--check"]) == 0


# ---- known counts, by exhaustive enumeration -------------------------------------------------------------------------

SUITS = "CDHS"
RANKS = "A23456789TJQK"
TWO_TO_ACE = RANKS[1:] + RANKS[0]


def answers(solution: Path, lines: Iterable[str]) -> list[bytes]:
    """Run a solution on lines and return its lines."""
    text = "".join(f"{line}\n" for line in lines).encode()
    argv = [base_python(), "-I", str(solution)]
    return subprocess.run(argv, input=text, capture_output=True, check=True).stdout.split()


def accepted(problem_id: str) -> Iterator[Path]:
    for solution in load_problem(ROOT, problem_id).solutions:
        if solution.expectation.name == "accepted":
            yield solution.path


def test_of_the_subsets_of_one_suit_394_can_be_cleared() -> None:
    suit = [f"{rank}S" for rank in RANKS]
    hands = [[card for card, kept in zip(suit, bits, strict=True) if kept] for bits in product((0, 1), repeat=13)]
    for solution in accepted("handclear"):
        found = answers(solution, (" ".join([str(len(hand)), *hand]) for hand in hands))
        assert Counter(found)[b"YES"] == 394, solution


def test_of_the_hands_of_one_suit_of_tiles_13259_win() -> None:
    def hands(kinds: int, left: int) -> Iterator[tuple[int, ...]]:
        if kinds == 0:
            yield from [()] if left == 0 else []
            return
        for count in range(min(4, left) + 1):
            for rest in hands(kinds - 1, left - count):
                yield (count, *rest)

    every = [" ".join(str(kind) for kind, n in enumerate(counts, 1) for _ in range(n)) for counts in hands(9, 14)]
    assert len(every) == 118_800
    reference = load_problem(ROOT, "mahjonghu").reference
    assert reference
    assert Counter(answers(reference, every))[b"YES"] == 13_259


def test_of_the_hands_of_five_natural_tiles_1170_win() -> None:
    kinds = [10 * suit + value for suit in range(3) for value in range(1, 10) if (suit, value) != (1, 1)]
    hands = [hand for hand in combinations_with_replacement(kinds, 5) if len(set(hand)) > 1]
    assert len(hands) == 142_480
    reference = load_problem(ROOT, "mahjonghu").reference
    assert reference
    assert Counter(answers(reference, (" ".join(map(str, hand)) for hand in hands)))[b"YES"] == 1170


@pytest.mark.thorough
def test_the_categories_of_all_hands_of_five_cards_are_as_many_as_is_known() -> None:
    cards = [rank + suit for rank in TWO_TO_ACE for suit in SUITS]
    reference = load_problem(ROOT, "holdem").reference
    assert reference
    found = Counter(answers(reference, map(" ".join, combinations(cards, 5))))
    known = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)
    assert [found[str(category).encode()] for category in range(10)] == list(known)
