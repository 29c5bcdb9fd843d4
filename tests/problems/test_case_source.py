"""What --cases may name: a folder, an input, a zip file, cph's problem file, or a pattern."""

import json
import zipfile
from pathlib import Path

import pytest

from judge.base.errors import DataError, UsageError
from judge.model import Case, InFile, Inline, Problem
from judge.problems import archive
from judge.problems.case_source import load_case_source
from tests.files import write_names


def load(path: Path | str) -> list[Case]:
    cases, diagnostics = load_case_source(Path(path), Problem())
    assert not diagnostics
    return list(cases)


def shown(cases: list[Case], folder: Path) -> list[tuple[str, str, str]]:
    """Return the id, the input and the answer of each case."""

    def text(data: object) -> str:
        match data:
            case InFile(path):
                return str(path.relative_to(folder))
            case Inline(content):
                return content.decode()
            case _:
                return ""

    return [(case.id, text(case.input), text(case.answer)) for case in cases]


def make_zip(path: Path, names: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name in names.split():
            file.writestr(name, name)
    return path


@pytest.mark.parametrize(
    ("names", "given", "answer"),
    [
        ("a_input0.txt a_output0.txt", "a_input0.txt", "a_output0.txt"),
        ("x.dat x.sol", "x.dat", "x.sol"),
        ("in/01.txt out/01.txt", "in/01.txt", "out/01.txt"),
        ("x.foo", "x.foo", None),
    ],
)
def test_an_input_is_never_without_the_answer_beside_it(
    tmp_path: Path, names: str, given: str, answer: str | None
) -> None:
    write_names(tmp_path, names)
    for source in (given, given.replace("x.", "%s.").replace("0", "%s", 1)):
        cases, _ = load_case_source(tmp_path / source, Problem())
        assert cases[0].answer == (InFile(tmp_path / answer) if answer else None)


def test_one_input_is_a_case_with_the_answer_beside_it(tmp_path: Path) -> None:
    write_names(tmp_path, "t/1.in t/1.out t/2.in t/odd.txt t/odd.ans t/lone")
    assert shown(load(tmp_path / "t/1.in"), tmp_path) == [("t/1", "t/1.in", "t/1.out")]
    assert shown(load(tmp_path / "t/2.in"), tmp_path) == [("t/2", "t/2.in", "")]
    assert shown(load(tmp_path / "t/odd.txt"), tmp_path) == [("t/odd", "t/odd.txt", "t/odd.ans")]
    assert shown(load(tmp_path / "t/lone"), tmp_path) == [("t/lone", "t/lone", "")]


def test_an_answer_is_not_taken_for_an_input(tmp_path: Path) -> None:
    write_names(tmp_path, "1.in 1.out")
    with pytest.raises(UsageError, match=r"1\.out: this is the answer to 1\.in; name the input: --cases .*/1\.in$"):
        load(tmp_path / "1.out")


@pytest.mark.parametrize(
    ("pattern", "names", "expected"),
    [
        ("t/%s.in:%s.out", "t/1.in t/1.out t/10.in t/10.out t/2.in", "t/1 t/2- t/10"),
        ("t/%s.in:t/%s.out", "t/1.in t/1.out", "t/1"),
        ("t/%s.in", "t/1.in t/1.ans", "t/1"),
        ("t/in_%s:out_%s", "t/in_a t/out_a t/other", "t/a"),
        ("t/%s/input:%s.txt", "t/a/input t/a/a.txt t/b/input", "t/a t/b-"),
        ("t/%s/%s.in:t/%s/%s.ans", "t/a/a.in t/a/a.ans t/a/b.in", None),
        ("in/%s:out/%s", "in/01.txt out/01.txt", "in/01.txt"),
        ("%s.in:%s.out", "a.in a.out", "x/a"),
        ("[a]/%s.in", "[a]/1.in a/2.in", "[a]/1-"),
    ],
)
def test_a_pattern_names_inputs_and_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str, names: str, expected: str | None
) -> None:
    folder = write_names(tmp_path / "x", names)
    monkeypatch.chdir(folder)
    if expected is None:
        with pytest.raises(UsageError, match="expected `%s` once in each part"):
            load(pattern)
        return
    assert " ".join(case.id + ("" if case.answer else "-") for case in load(pattern)) == expected


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("t/%s.in:t/%s.out", "--cases t/%s.in:t/%s.out: no file matches .*/t/\\*.in"),
        ("t:t/%s.out", "expected `%s` once in each part, as in 'tests/%s.in:%s.out'"),
        ("%s.txt:%s.txt", "1.txt would be its own answer"),
        ("%s.txt:%s.ot", "no answer matches \\*.ot; to run without answers: --cases %s.txt"),
        ("t/*.in", "`%s` stands for the name of a case: --cases 't/%s.in'"),
    ],
)
def test_a_wrong_pattern_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str, message: str
) -> None:
    monkeypatch.chdir(write_names(tmp_path, "1.txt"))
    with pytest.raises(UsageError, match=message):
        load(pattern)


def test_a_zip_file_is_read_as_a_folder_is(tmp_path: Path) -> None:
    names = "secret/2.in secret/2.ans sample/1.in sample/1.ans secret/10.in in/01 out/01 README.md __MACOSX/sample/1.in"
    names += " inputs/a/1.txt outputs/a/1.txt"
    cases = load(make_zip(tmp_path / "all.zip", names))
    assert shown(cases, tmp_path) == [
        ("sample/1", "sample/1.in", "sample/1.ans"),
        ("in/01", "in/01", "out/01"),
        ("inputs/a/1", "inputs/a/1.txt", "outputs/a/1.txt"),
        ("secret/2", "secret/2.in", "secret/2.ans"),
        ("secret/10", "secret/10.in", ""),
    ]
    assert sorted(tmp_path.iterdir()) == [tmp_path / "all.zip"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("1.in 1.ans", "cases/1"),
        ("cases/1.in cases/1.ans", "cases/1"),
        ("cases/cases/1.in cases/a/1.in a/1.in", "a/1 cases/a/1 cases/cases/1"),
        ("1.in cases/1.in", "cases/1 cases/cases/1"),
    ],
)
def test_a_folder_of_a_zip_file_may_have_the_name_of_its_top(tmp_path: Path, names: str, expected: str) -> None:
    assert " ".join(case.id for case in load(make_zip(tmp_path / "x.zip", names))) == expected


def test_a_zip_file_that_holds_too_much_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_zip(tmp_path / "big.zip", "sample/1.in sample/1.ans")
    monkeypatch.setattr(archive, "_MAX_CASE_SIZE", 10)
    with pytest.raises(DataError, match="at most 10 B are extracted; extract it, and name the folder with --cases"):
        load(path)


def test_what_is_no_case_in_a_zip_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_zip(tmp_path / "big.zip", "1.in 1.ans " + "large" * 50)
    data = path.read_bytes()
    at = data.rindex(b"PK\1\2")  # the large one is encrypted, too
    path.write_bytes(data[: at + 8] + bytes([data[at + 8] | 1]) + data[at + 9 :])
    monkeypatch.setattr(archive, "_MAX_CASE_SIZE", 10)
    assert shown(load(path), tmp_path) == [("cases/1", "1.in", "1.ans")]


def test_a_zip_file_that_lies_about_a_size_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "liar.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("1.in", b"0" * 100_000)
    content = path.read_bytes()
    path.write_bytes(content.replace((100_000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    with pytest.raises(DataError, match="cannot be read as a zip file"):
        load(path)


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip file at all"])
def test_a_file_that_is_no_zip_file_is_an_error_at_it(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"x\.zip: error: cannot be read as a zip file"):
        load(path)


def test_a_zip_file_without_cases_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no cases in .*x\.zip: expected inputs"):
        load(make_zip(tmp_path / "x.zip", "README.md"))


def test_the_problem_file_of_cph_is_a_source_of_cases(tmp_path: Path) -> None:
    path = tmp_path / "x.prob"
    path.write_text(json.dumps({"name": "A", "tests": [{"input": "1", "output": "2"}]}))
    assert shown(load(path), tmp_path) == [("cph/1", "1", "2")]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("in1.txt ans1.txt", "t/in1"),
        ("input1 output1", "t/input1"),
        ("1.in 1.a", "t/1"),
        ("01 01.a 02", "t/01"),
        ("in/1 out/1 in/2", "in/1 in/2-"),
        ("1.in 1.input 1.out", "t/1 t/1.input"),
        ("1.in.txt 1.out.txt", "t/1.in"),
        ("inputs/a/1.txt outputs/a/1.txt", "inputs/a/1"),
    ],
)
def test_a_folder_may_use_the_names_of_several_tools(tmp_path: Path, names: str, expected: str) -> None:
    cases = load(write_names(tmp_path / "t", names))
    assert " ".join(case.id + ("" if case.answer else "-") for case in cases) == expected
