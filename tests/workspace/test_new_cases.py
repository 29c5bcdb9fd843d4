"""New cases beside a source: their names follow those that are there, and the source gets them."""

import json
from pathlib import Path

import pytest

from judge.model import InFile, Inline
from judge.problems.folder import FoundCases
from judge.problems.nearby import Neighbourhood
from judge.workspace.new_cases import add_beside, find_known
from tests.files import write_files

# The files beside a.py, and the input and the answer of a new case.
NAMES = [
    ("", "tests/1.in tests/1.ans"),
    ("gen.py brute.py", "tests/1.in tests/1.ans"),
    ("a.cpp A.java", "tests/1.in tests/1.ans"),
    ("b.py", "tests/a/1.in tests/a/1.ans"),
    ("tests/1.in tests/1.ans", "tests/2.in tests/2.ans"),
    ("b.py tests/1.in tests/1.out tests/9.in tests/9.out", "tests/10.in tests/10.out"),
    ("tests/01.in tests/01.a tests/big.in tests/big.a", "tests/02.in tests/02.a"),
    ("tests/1.in tests/2.in tests/2.out", "tests/3.in tests/3.out"),
    ("test/sample-1.in test/sample-1.out test/sample-2.in test/sample-2.out", "test/own-1.in test/own-1.out"),
    ("tests/a/sample-1.in tests/a/own-1.in tests/a/own-1.out", "tests/a/own-2.in tests/a/own-2.out"),
    ("tests/01 tests/01.a", "tests/02 tests/02.a"),
    ("a.in a.ans", "a-2.in a-2.ans"),
    ("a.in a.ans a-2.in a-2.ans b.py b.in b.ans", "a-3.in a-3.ans"),
    ("a1.in a1.out a2.in a2.out", "a3.in a3.out"),
    ("a_in.txt a_out.txt", "a-2_in.txt a-2_out.txt"),
    ("a_input0.txt a_output0.txt", "a_input1.txt a_output1.txt"),
    ("in1.txt ans1.txt", "in2.txt ans2.txt"),
    ("input.txt output.txt", "input-2.txt output-2.txt"),
    ("in/x1.txt out/x1.txt in/x2.txt out/x2.txt", "in/x3.txt out/x3.txt"),
    ("tests/x.in1 tests/x.ans1", "tests/x.in2 tests/x.ans2"),
    ("big.in big.out", "big-2.in big-2.out"),
    ("I.1 O.1", "I.2 O.2"),
    ("data/sample/1.in data/sample/1.ans data/secret/1.in data/secret/1.ans data/secret/2.in data/secret/2.ans",
     "data/secret/3.in data/secret/3.ans"),
]  # fmt: skip


def find(source: Path) -> FoundCases | None:
    return Neighbourhood().find(source)


@pytest.mark.parametrize(("before", "expected"), NAMES)
def test_a_new_case_has_the_next_name_and_its_source_gets_it(tmp_path: Path, before: str, expected: str) -> None:
    source = write_files(tmp_path, {"a.py": "", **dict.fromkeys(before.split(), "")}) / "a.py"
    found = find(source)
    old = list(found.cases) if found else []
    files = add_beside(source, old, b"new", b"answer")
    assert [str(path.relative_to(tmp_path)) for path in files] == expected.split()
    new = find(source)
    assert new is not None
    assert len(new.cases) == len(old) + 1
    case = find_known(new.cases, b"new")
    assert case is not None
    assert case.answer == InFile(files[1])
    if (tmp_path / "b.py").exists() and "a" in Path(expected.split(maxsplit=1)[0]).parts:
        assert find(tmp_path / "b.py") is None


@pytest.mark.parametrize("stem", ["1", "abc300", "a2", "test", "gen"])
def test_a_number_in_the_name_of_the_source_is_not_counted(tmp_path: Path, stem: str) -> None:
    source = write_files(tmp_path, {f"{stem}.py": "", "other.py": ""}) / f"{stem}.py"
    for number in range(1, 4):
        found = find(source)
        add_beside(source, list(found.cases) if found else [], b"%d" % number, b"")
        found = find(source)
        assert found is not None
        assert all(find_known(found.cases, b"%d" % each) for each in range(1, number + 1))


def test_beside_a_file_of_cph_a_case_is_a_test_of_it(tmp_path: Path) -> None:
    problem = {"name": "A", "tests": [{"input": "1\n", "output": "2\n", "id": 7}], "local": {"x": 1}}
    write_files(tmp_path, {"a.py": "", ".cph/.a.py_12.prob": json.dumps(problem)})
    found = find(tmp_path / "a.py")
    assert found is not None
    add_beside(tmp_path / "a.py", found.cases, b"3\n", b"4\n")
    written = json.loads((tmp_path / ".cph/.a.py_12.prob").read_text())
    assert {**written, "tests": written["tests"][:1]} == problem
    found = find(tmp_path / "a.py")
    assert found is not None
    case = found.cases[1]
    assert (case.input, case.answer) == (Inline(b"3\n"), Inline(b"4\n"))


def test_nothing_is_written_through_a_link_to_somewhere_else(tmp_path: Path) -> None:
    write_files(tmp_path, {"here/a.py": "", "elsewhere/x": ""})
    (tmp_path / "here/tests").symlink_to("../elsewhere")
    with pytest.raises(OSError, match="leads out of"):
        add_beside(tmp_path / "here/a.py", [], b"1\n", b"2\n")
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["x"]
