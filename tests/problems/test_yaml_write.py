"""Writing YAML: what is read back is what was written."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.model import Inline, Verdict
from judge.problems.added_cases import LayoutError
from judge.problems.native import load_problem
from judge.problems.yaml.parse import parse
from judge.problems.yaml.scalars import data_yaml, grammar_yaml, text_yaml
from judge.strength.killers import keep_killers
from judge.strength.results import Killer
from tests.files import write_files
from tests.online.test_samples import TEXTS


@pytest.mark.parametrize(
    ("data", "written"),
    [
        (b"1 2\n3\n", "|\n  1 2\n  3"),
        (b"1", "|-\n  1"),
        (b"1\n\n\n", "|+\n  1\n\n"),
        (b"  *\n ***\n", "|2\n    *\n   ***"),
        (b"", '""'),
        (b"\n", '"\\n"'),
        (b"1 2\r\n", '"1 2\\r\\n"'),
        (b"1 \n2\n", '"\\\n  1 \\n\\\n  2\\n"'),
        (b"1\r\n 2\r\n", '"\\\n  1\\r\\n\\\n  \\ 2\\r\\n"'),
    ],
)
def test_a_text_is_a_literal_block_where_that_is_exact_and_quoted_elsewhere(data: bytes, written: str) -> None:
    assert data_yaml(data, 0) == written
    root, diagnostics = parse(f"input: {written}\n".encode(), Path("x"))
    assert root is not None
    assert not diagnostics
    assert root.values["input"].text.encode() == data  # type: ignore[union-attr]


@settings(deadline=None)
@given(text=TEXTS.map(lambda text: " ".join(text.split())))
def test_one_line_of_text_reads_back_as_itself(text: str) -> None:
    root, diagnostics = parse(f"name: {text_yaml(text)}\n".encode(), Path("x"))
    assert root is not None
    assert not diagnostics
    assert root.values["name"].text == text  # type: ignore[union-attr]


def test_words_of_a_grammar_are_read_back(tmp_path: Path) -> None:
    words = [
        "1e5", "1e-6", ".5", "12", "0x1f", "0o17", "1:30", ".inf", "no", "null", "~", "=", "<<", "*", "!x", "#", "'",
    ]  # fmt: skip
    grammar = grammar_yaml([{"s": {"choice": words}}, {"no": "1..9"}])
    case = "cases:\n  - {name: a, input: '1e5 3', answer: '1'}\n"
    problem = f"name: P\nprofile: icpc\n{grammar}"
    write_files(tmp_path, {"problems/p/problem.yaml": problem, "testcases/p/a.yaml": case})
    found = load_problem(tmp_path, "p").grammar
    assert found is not None
    assert [word for word in words if found.check(f"{word}\n3\n".encode())] == []


def killer(data: bytes, answer: bytes = b"1\n") -> tuple[str, Killer]:
    return "right.py:3: return x: 'quoted' # \u03c0", Killer(input=data, answer=answer, origin="", verdict=Verdict.WA)


@settings(deadline=None)
@given(st.lists(st.tuples(TEXTS.map(str.encode), TEXTS.map(str.encode)), max_size=4), st.booleans())
def test_kept_inputs_are_read_back_and_none_is_added_twice(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[bytes, bytes]], has_line_end: bool
) -> None:
    root = tmp_path_factory.mktemp("kept")
    by_hand = "cases:\n  - name: by-hand\n    input: x\n    answer: y" + "\n" * has_line_end
    write_files(root, {"testcases/p/killers.yaml": by_hand, "problems/p/problem.yaml": "name: P\nprofile: icpc\n"})
    path = root / "testcases/p/killers.yaml"
    killers = [killer(*pair) for pair in pairs]
    for _ in range(2):
        keep_killers(path, killers)
    first_answers = dict(reversed(pairs))
    _, *kept = load_problem(root, "p").cases
    assert {(case.input, case.answer) for case in kept} == {
        (Inline(data), Inline(answer)) for data, answer in first_answers.items()
    }
    assert len(kept) == len(first_answers)


def test_a_free_name_is_chosen(tmp_path: Path) -> None:
    path = tmp_path / "killers.yaml"
    path.write_text("cases:\n  - name: killer-2\n    input: x\n    answer: y\n")
    assert keep_killers(path, [killer(b"1\n"), killer(b"x"), killer(b"2\n")]) == "2 cases added"
    assert [line for line in path.read_text().splitlines() if "name:" in line] == [
        "  - name: killer-2", "  - name: killer-1", "  - name: killer-3"
    ]  # fmt: skip


def test_a_file_in_another_layout_is_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "killers.yaml"
    for text in ("cases: [{name: a, input: x}]\n", "cases:\n- {name: a, input: x}\n", "cases:\n  - a\nlimits: {}\n"):
        path.write_text(text)
        with pytest.raises(LayoutError):
            keep_killers(path, [killer(b"1\n")])
        assert path.read_text() == text


def test_binary_inputs_are_not_kept_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "killers.yaml"
    assert keep_killers(path, [killer(b"\xff"), killer(b"1\n")]) == "1 case added, 1 not: binary or too long"
    assert path.read_text().count("- name:") == 1
