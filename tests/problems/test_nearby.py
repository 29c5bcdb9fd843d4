"""The cases that belong to a file by its place: a table of layouts of other tools, and who gets what."""

import json
import os
from pathlib import Path

import pytest

from judge.base.errors import UsageError
from judge.base.units import MIB
from judge.model import InFile
from judge.problems.folder import FoundCases
from judge.problems.nearby import Neighbourhood, list_sources
from tests.files import write_names


def find(source: Path) -> FoundCases | None:
    return Neighbourhood().find(source)


def pairs(found: FoundCases | None, folder: Path) -> str:
    """Return `input>answer` of all cases, with paths relative to a folder."""

    def name(data: object) -> str:
        return str(data.path.relative_to(folder)) if isinstance(data, InFile) else ""

    return " ".join(f"{name(case.input)}>{name(case.answer)}" for case in found.cases) if found else ""


# A file, the other files, the cases that it gets, and how the note names them.
LAYOUTS = [
    # of the file alone
    ("a.py", "a.in a.out", "a.in>a.out", "a.in"),
    ("a.py", "a.in a.ans", "a.in>a.ans", "a.in"),
    ("a.py", "a1.in a1.out a2.in a10.in a10.out", "a1.in>a1.out a2.in> a10.in>a10.out", "a1.in, a2.in, a10.in"),
    ("a.py", "a_1.in a_1.ans a-big.in", "a-big.in> a_1.in>a_1.ans", "a-big.in, a_1.in"),
    ("a.py", "a_in.txt a_out.txt", "a_in.txt>a_out.txt", "a_in.txt"),
    ("a.py", "a1.in a2.in a3.in a4.in", "a1.in> a2.in> a3.in> a4.in>", "a1.in ... a4.in"),
    ("a.py", "a/1.in a/1.out", "a/1.in>a/1.out", "a/"),
    ("a.py", "a/in/x a/out/x", "a/in/x>a/out/x", "a/"),
    ("a.py", "tests/a/1.in tests/a/1.out tests/b/1.in", "tests/a/1.in>tests/a/1.out", "tests/a/"),
    ("a.py", "testcases/a/1.in testcases/a/1.ans", "testcases/a/1.in>testcases/a/1.ans", "testcases/a/"),
    ("a.py", "a/tests/1.in a/tests/1.out", "a/tests/1.in>a/tests/1.out", "a/tests/"),
    ("a.py", "tests/a.in tests/a.out tests/b.in", "tests/a.in>tests/a.out", "tests/a.in"),
    ("a.py", "a.in a.out test/1.in test/1.out", "a.in>a.out", "a.in"),
    # of the folder
    ("a.py", "test/sample-1.in test/sample-1.out", "test/sample-1.in>test/sample-1.out", "test/"),  # oj
    ("a.py", "tests/1.in tests/1.ans", "tests/1.in>tests/1.ans", "tests/"),
    ("a.py", "samples/1.in samples/1.ans", "samples/1.in>samples/1.ans", "samples/"),
    ("a.py", "sample/1.in sample/1.a", "sample/1.in>sample/1.a", "sample/"),
    ("a.py", "testcases/1.in testcases/1.out", "testcases/1.in>testcases/1.out", "testcases/"),
    ("a.py", "in1.txt ans1.txt in2.txt ans2.txt", "in1.txt>ans1.txt in2.txt>ans2.txt", "in1.txt, in2.txt"),  # cf-tool
    ("a.py", "1.in 1.ans 2.in 2.ans", "1.in>1.ans 2.in>2.ans", "1.in, 2.in"),
    ("a.py", "input.txt output.txt", "input.txt>output.txt", "input.txt"),
    ("a.py", "input1.txt output1.txt", "input1.txt>output1.txt", "input1.txt"),
    ("a.py", "input output", "input>output", "input"),
    ("a.py", "in/01.txt out/01.txt", "in/01.txt>out/01.txt", "in/ and out/"),  # AtCoder
    ("a.py", "input/input00.txt output/output00.txt", "input/input00.txt>output/output00.txt", "input/ and output/"),
    ("a.py", "tests/01 tests/01.a tests/02 tests/02.a", "tests/01>tests/01.a tests/02>tests/02.a", "tests/"),  # Polygon
    ("a.py", "01 01.a 02", "01>01.a", "01"),  # Polygon
    ("a.py", "x.in x.out notes.txt", "x.in>x.out", "x.in"),
    ("a.py", "tests/in/1 tests/out/1", "tests/in/1>tests/out/1", "tests/"),
    (
        "submissions/accepted/a.py",
        "data/sample/1.in data/sample/1.ans data/secret/2.in data/secret/2.ans data/invalid_input/3.in",
        "data/sample/1.in>data/sample/1.ans data/secret/2.in>data/secret/2.ans",
        "../../data/",
    ),  # ICPC
    ("a.py", "data/sample/1.in data/sample/1.ans", "data/sample/1.in>data/sample/1.ans", "data/"),
    ("solutions/a.cpp", "tests/01 tests/01.a", "tests/01>tests/01.a", "../tests/"),  # Polygon
    ("src/a.cpp", "tests/a/1.in tests/b/1.in", "tests/a/1.in>", "../tests/a/"),
    ("src/bin/a.rs", "tests/a/in/1 tests/a/out/1", "tests/a/in/1>tests/a/out/1", "../../tests/a/"),  # Cargo
    ("a.py", "a_input0.txt a_output0.txt", "a_input0.txt>a_output0.txt", "a_input0.txt"),  # competitest
    ("a.py", "a.in1 a.ans1 a.in2", "a.in1>a.ans1 a.in2>", "a.in1, a.in2"),  # cpbooster
    ("kol.cpp", "kol.in.1a kol.out.1a", "kol.in.1a>kol.out.1a", "kol.in.1a"),  # COCI
    ("a.py", "kol.dummy.in.1 kol.dummy.out.1", "kol.dummy.in.1>kol.dummy.out.1", "kol.dummy.in.1"),  # COCI
    ("a.py", "tests/I.1 tests/O.1", "tests/I.1>tests/O.1", "tests/"),  # USACO
    ("A.py", "A_samples/1.in A_samples/1.out B_samples/1.in", "A_samples/1.in>A_samples/1.out", "A_samples/"),
    ("a.py", "tests/1.txt tests/1.sol.txt tests/notes.txt", "tests/1.txt>tests/1.sol.txt", "tests/"),
    ("a.py", "1 1.out 2", "1>1.out", "1"),
    ("a.py", "sample1in.txt sample1out.txt", "sample1in.txt>sample1out.txt", "sample1in.txt"),
    ("a.py", "tests/1.dat tests/1.ans", "tests/1.dat>tests/1.ans", "tests/"),
    ("a.py", "tests/1.inp tests/1.out", "tests/1.inp>tests/1.out", "tests/"),  # Themis
    ("a.py", "a/TEST01/a.inp a/TEST01/a.out", "a/TEST01/a.inp>a/TEST01/a.out", "a/"),  # Themis
    ("a.py", "1-a.in 1-a.ok", "1-a.in>1-a.ok", "1-a.in"),  # infoarena
    ("a.py", "1.in 1.exp 2.in 2.out.txt", "1.in>1.exp 2.in>2.out.txt", "1.in, 2.in"),
    ("a.py", "tests/input1.in tests/output1.out", "tests/input1.in>tests/output1.out", "tests/"),
    ("a.py", "tests/1/input.in tests/1/output.out", "tests/1/input.in>tests/1/output.out", "tests/"),
    ("a.py", "input1.txt expected1.txt output1.txt", "input1.txt>expected1.txt", "input1.txt"),
    ("a.py", "input_big.txt output_big.txt input_none.txt", "input_big.txt>output_big.txt", "input_big.txt"),
    ("a.py", "test1.txt test1_out.txt", "test1.txt>test1_out.txt", "test1.txt"),
    ("a.py", "1-input 1-output", "1-input>1-output", "1-input"),
    *(
        ("a.py", f"{one}/x.txt {other}/x.txt", f"{one}/x.txt>{other}/x.txt", f"{one}/ and {other}/")
        for one in ("in", "inputs", "sample-input")
        for other in (one.replace("in", "out").replace("outputs", "answers"), one.replace("inp", "expected_outp"))
        if one != other
    ),
    ("a.py", "input/1.in expected/1.out output/1.out", "input/1.in>expected/1.out", "input/ and expected/"),
    ("a.py", "tests/input/1.txt tests/expected/1.txt", "tests/input/1.txt>tests/expected/1.txt", "tests/"),
    ("a.py", "inputs/1.in inputs/1.out", "inputs/1.in>inputs/1.out", "inputs/"),
    ("a.py", "Test_Cases/1.in Test_Cases/1.out", "Test_Cases/1.in>Test_Cases/1.out", "Test_Cases/"),
    ("a.py", "data/1.in data/1.out", "data/1.in>data/1.out", "data/"),
    # in upper case
    ("a.py", "1.IN 1.OUT 2.in 2.OUT 3.IN 3.ans", "1.IN>1.OUT 2.in>2.OUT 3.IN>3.ans", "1.IN, 2.in, 3.IN"),
    ("a.py", "Input1.txt Output1.txt", "Input1.txt>Output1.txt", "Input1.txt"),
    ("a.py", "Samples/INPUT.TXT Samples/OUTPUT.TXT", "Samples/INPUT.TXT>Samples/OUTPUT.TXT", "Samples/"),
    ("a.py", "Input/1.txt Output/1.txt", "Input/1.txt>Output/1.txt", "Input/ and Output/"),
    # several files in one folder
    ("a.py", "b.cpp a.in b.in c.in", "a.in>", "a.in"),
    ("c.py", "a.py a.in 1.in", "1.in>", "1.in"),
    ("c.py", "a.py tests/a/1.in tests/2.in", "tests/2.in>", "tests/"),
    ("c.py", "a.py tests/a/1.in", "", ""),
    # a number is part of a name only if each number is
    ("a.py", "1.py tests/1.in tests/2.in", "tests/1.in> tests/2.in>", "tests/"),
    ("a.py", "1.py tests/1/x.in tests/2/x.in", "tests/1/x.in> tests/2/x.in>", "tests/"),
    ("1.py", "a.py tests/1_1.in tests/2_1.in", "tests/1_1.in> tests/2_1.in>", "tests/"),
    ("1.py", "2.py 1.in 2.in", "1.in>", "1.in"),
    ("a.py", "a1.py a1.in a2.in", "a1.in> a2.in>", "a1.in, a2.in"),
    ("a1.py", "a.py a1.in a2.in", "a1.in> a2.in>", "a1.in, a2.in"),
    ("a.py", "a1.py a1.in a.in", "a.in>", "a.in"),
    # nor do a generator, a brute force and the like have cases by their names
    ("a.py", "gen.py tests/gen-1.in tests/2.in", "tests/2.in> tests/gen-1.in>", "tests/"),
    ("brute.py", "a.py brute-1.in 2.in", "2.in> brute-1.in>", "2.in, brute-1.in"),
    ("1.py", "10.py 1.in 10.in", "1.in>", "1.in"),
    ("1.py", "10.in", "10.in>", "10.in"),
    ("main.py", "test.py tests/test1.in tests/test1.out", "tests/test1.in>tests/test1.out", "tests/"),
    ("sample.py", "sample/1.in", "sample/1.in>", "sample/"),
    # no cases
    ("a.py", "", "", ""),
    ("a.py", "README.md notes.txt a.log out.txt", "", ""),
    ("a.py", "tests/test_a.py tests/__init__.py", "", ""),
    ("a.py", "a.pyc __pycache__/a.in .a.in _a.in a.in~", "", ""),
    ("a.py", "b/1.in elsewhere/tests/1.in", "", ""),
    ("a.py", "a/b.py a/1.in", "", ""),  # of b.py
]  # fmt: skip


@pytest.mark.parametrize(("source", "names", "expected", "where"), LAYOUTS)
def test_a_file_gets_its_cases_by_the_conventions_of_other_tools(
    tmp_path: Path, source: str, names: str, expected: str, where: str
) -> None:
    found = find(write_names(tmp_path, f"{source} {names}") / source)
    assert pairs(found, tmp_path) == expected
    assert (found.where if found else "") == where


def test_a_program_of_a_compiler_is_no_answer(tmp_path: Path) -> None:
    write_names(tmp_path, "a.cpp a.in")
    (tmp_path / "a.out").write_bytes(b"\x7fELF...")
    (tmp_path / "a.out").chmod(0o755)
    assert pairs(find(tmp_path / "a.cpp"), tmp_path) == "a.in>"


@pytest.mark.parametrize(
    ("names", "where", "unused"),
    [
        ("test/1.in samples/1.in", "test/", "samples/1.in"),
        ("a.in test/1.in", "a.in", "test/1.in"),
        ("tests/a-1.in tests/min-1.in 2.in", "tests/a-1.in", "tests/min-1.in 2.in"),
        ("a.in tests/1.in tests/2.in tests/3.in tests/4.in", "a.in", "tests"),
        ("max.py tests/max-1.in tests/max/1.in tests/2.in", "tests/", "tests/max tests/max-1.in"),
        ("max.py max-1.in 2.in", "2.in", "max-1.in"),
        ("b.py a.in b.in", "a.in", ""),
        ("tests/a/1.in tests/b/1.in", "tests/a/", ""),
        ("tests/a/1.in tests/a.in", "tests/a/", "tests/a.in"),
    ],
)
def test_cases_that_a_file_does_not_get_are_named(tmp_path: Path, names: str, where: str, unused: str) -> None:
    found = find(write_names(tmp_path, f"a.py {names}") / "a.py")
    assert found
    assert (found.where, " ".join(map(str, found.unused))) == (where, unused)


def test_files_that_share_cases_have_the_same_places_and_files_of_their_own_have_not(tmp_path: Path) -> None:
    write_names(tmp_path, "a.py b.py c.py tests/1.in a.in")
    neighbourhood = Neighbourhood()
    a, b, c = (neighbourhood.find(tmp_path / f"{name}.py") for name in "abc")
    assert a
    assert b
    assert c
    assert b.is_shared
    assert b.places == c.places
    assert not a.is_shared


def write_prob(path: Path, **members: object) -> None:
    path.parent.mkdir(exist_ok=True)
    tests = [{"input": "1\n", "output": "2\n"}, {"input": "3\n", "output": "4\n"}]
    path.write_text(
        json.dumps({"name": "A", "url": "https://codeforces.com/problemset/problem/1/A", "tests": tests, **members})
    )


def test_the_problem_file_of_cph_gives_cases_limits_and_the_source(tmp_path: Path) -> None:
    write_names(tmp_path, "a.py 1.in")
    write_prob(tmp_path / ".cph/.a.py_0123.prob", timeLimit=500, memoryLimit=64)
    found = find(tmp_path / "a.py")
    assert found
    assert found.problem.source
    assert [case.id for case in found.cases] == ["cph/1", "cph/2"]
    assert (found.problem.limits.cpu, found.problem.limits.wall, found.problem.limits.memory) == (0.5, 2.0, 64 * MIB)
    assert found.problem.source.url.endswith("/1/A")
    assert find(write_names(tmp_path, "b.py") / "b.py") is not None  # 1.in: the file of cph is not its own


def test_a_problem_file_that_is_not_one_is_a_diagnostic_at_it(tmp_path: Path) -> None:
    write_names(tmp_path, "a.py")
    write_prob(tmp_path / ".cph/.a.py_0123.prob", tests="none")
    found = find(tmp_path / "a.py")
    assert found
    assert not found.cases
    (diagnostic,) = found.diagnostics
    assert diagnostic.path == tmp_path / ".cph/.a.py_0123.prob"
    assert "not a problem file of cph: Expected `array`, got `str`" in diagnostic.message


def test_a_link_of_problem_yaml_out_of_the_folder_is_an_error(tmp_path: Path) -> None:
    write_names(tmp_path, "folder/a.py folder/tests/1.in folder/tests/1.ans")
    (tmp_path / "outside").write_text("limits: {secret")
    (tmp_path / "folder/problem.yaml").symlink_to("../outside")
    found = find(tmp_path / "folder/a.py")
    assert found
    (only,) = found.diagnostics
    assert not found.cases
    assert (only.path, "secret" in only.message) == (tmp_path / "folder/problem.yaml", False)


def test_the_sources_of_a_folder_are_its_own_or_those_of_its_folders(tmp_path: Path) -> None:
    write_names(tmp_path / "one", "b.py a.cpp a.out a notes.txt _x.py sub/c.py")
    write_names(tmp_path / "two", "a/main.py b/main.py b/deep/x.py tests/gen.py")
    write_names(
        tmp_path / "package", "submissions/accepted/a.py submissions/wrong_answer/b.py data/sample/1.in gen/gen.py"
    )
    assert [path.name for path in list_sources(tmp_path / "one")] == ["a.cpp", "b.py"]
    assert [path.relative_to(tmp_path / "two").as_posix() for path in list_sources(tmp_path / "two")] == [
        "a/main.py",
        "b/main.py",
    ]
    assert [path.name for path in list_sources(tmp_path / "package")] == ["a.py", "b.py"]


@pytest.mark.skipif(os.getuid() == 0, reason="root may list every folder")
def test_a_folder_that_cannot_be_listed_is_a_usage_error(tmp_path: Path) -> None:
    tmp_path.chmod(0)
    try:
        with pytest.raises(UsageError, match="cannot be listed: Permission denied"):
            list_sources(tmp_path)
    finally:
        tmp_path.chmod(0o755)


def test_only_the_folders_of_the_conventions_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_names(tmp_path, "a.py tests/1.in big/x/1.in home/deep/tests/1.in")
    listed: list[str] = []
    scandir = os.scandir

    def record(path: Path) -> object:
        listed.append(str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", record)
    assert find(tmp_path / "a.py")
    assert not [path for path in listed if "big" in path or "home" in path]
