"""What a package of Polygon expresses, and that our reader finds the same problem in it."""

import subprocess
import sys
import zipfile
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from shutil import which
from xml.etree import ElementTree as ET

import pytest

from judge.base.data import read_data
from judge.base.errors import Diagnostic
from judge.judging.checkers import CHECKERS as OUR_CHECKERS
from judge.judging.checkers import check
from judge.model import CheckerConfig, InFile, Problem, Verdict
from judge.packages.export import polygon
from judge.packages.export.cases import checker_flags
from judge.packages.export.export import export
from judge.packages.export.package import Package, Target, write_zip
from judge.packages.export.polygon_programs import checker_source
from judge.preparation.cases import ReadyCase
from judge.problems.icpc.load import load_package
from judge.problems.native import load_problem
from judge.problems.polygon.load import load_polygon
from tests.packages.export.test_export import BASE, CASES, FILES, data_of, exported
from tests.problems.icpc.packages import MINIMAL
from tests.problems.icpc.packages import write as write_package
from tests.repositories import make

Files = Mapping[str, str | bytes | None]


def reread(package: Package, folder: Path) -> tuple[Problem, list[Diagnostic]]:
    write_zip([package], folder / "package.zip")
    with zipfile.ZipFile(folder / "package.zip") as archive:
        archive.extractall(folder / "again")
    return load_polygon(folder / "again", root_for_display=folder)


def test_our_reader_finds_the_same_problem(tmp_path: Path) -> None:
    expectations = ("presentation_error", "time_limit_exceeded", "memory_limit_exceeded", "run_time_error", "rejected")
    files: Files = {
        **FILES,
        "problems/p/statement.md": "# Sums\n\nAdd.\n\n## Input\n\nTwo numbers.\n",
        **{f"solutions/p/{name}/{name[:3]}.py": "" for name in expectations},
    }
    problem = load_problem(make(tmp_path, files), "p")
    package = export(problem, data_of(problem), Target.POLYGON)
    assert package.losses == []
    found, diagnostics = reread(package, tmp_path)
    assert not diagnostics
    assert (found.name, found.limits, found.types) == (problem.name, problem.limits, problem.types)
    assert [each.why for each in found.cases] == ["the least", "the least"]
    for case, ready in zip(found.cases, data_of(problem), strict=True):
        assert isinstance(case.input, InFile)
        assert isinstance(case.answer, InFile)
        assert (case.input.path.read_bytes(), case.answer.path.read_bytes()) == (ready.input, ready.answer)
    expected = {each.path.name: each.expectation.required for each in problem.solutions}
    expected["mem.py"] |= {Verdict.RTE}  # on Linux, a failed allocation may be either
    expected["wrong.py"] |= {Verdict.PE}
    again = {each.path.name: each.expectation.required for each in found.solutions}
    assert {**again, "rej.py": again["rej.py"]} == expected
    assert package.files["files/check.cpp"] == checker_source(problem.checker)
    assert package.files["statement-sections/english/input.tex"] == b"Two numbers.\n"
    assert b"\\InputFile\n\nTwo numbers." in read_data(package.files["statements/english/problem.tex"])


def test_subtasks_become_groups_with_points(tmp_path: Path) -> None:
    subtasks = "subtasks: {small: 30, big: {points: 70, requires: small}, last: {points: 5, aggregation: sum}}\n"
    two = CASES + CASES.removeprefix("cases:\n").replace("one", "two")
    files = {"testcases/p/small.yaml": two, "testcases/p/last.yaml": CASES}
    problem = load_problem(make(tmp_path, {**FILES, **files, "problems/p/problem.yaml": BASE + subtasks}), "p")
    found, _ = reread(export(problem, data_of(problem), Target.POLYGON), tmp_path)
    assert found.groups is not None
    groups = {each.name: (each.max_score, each.aggregation.value, each.require_pass) for each in found.groups.groups}
    points = {each.name: list(each.case_scores.values()) for each in found.groups.groups}
    assert points == {"sample": [0], "small": [30, 0], "big": [70], "last": [5]}
    assert groups == {
        "sample": (None, "pass-fail", ()),
        "small": (30, "pass-fail", ()),
        "big": (70, "pass-fail", ("small",)),
        "last": (5, "sum", ()),
    }
    assert found.has_scores


@pytest.mark.parametrize(
    ("settings", "points"),
    [
        ("on_reject: break\naccept_score: 40\ngrader_flags: min\n", (40, {"g/02": 40, "g/03": 0})),
        ("on_reject: continue\naccept_score: 5\ngrader_flags: accept_if_any_accepted\n", (10, {"g/02": 5, "g/03": 5})),
    ],
)
def test_groups_of_a_legacy_package(settings: str, points: tuple[float, dict[str, float]], tmp_path: Path) -> None:
    files = {
        "problem.yaml": "name: Sum\ntype: scoring\n",
        "data/testdata.yaml": "grader_flags: ignore_sample\n",
        **{f"data/{name}/testdata.yaml": "grader_flags: sum\n" for name in ("sample", "secret")},
        "data/secret/1.in": None,
        "data/secret/1.ans": None,
        "data/secret/g/testdata.yaml": settings,
        **{f"data/secret/g/{name}": "1\n" for name in ("1.in", "1.ans", "2.in", "2.ans")},
    }
    problem, _ = load_package(write_package(tmp_path / "sum", {**MINIMAL, **files}), root_for_display=tmp_path)
    cases = [ReadyCase(case=case, input=b"1\n", answer=b"1\n") for case in problem.cases]
    found, _ = reread(export(problem, cases, Target.POLYGON), tmp_path)
    assert found.groups is not None
    group = next(each for each in found.groups.groups if each.name == "g")
    assert (group.max_score, dict(group.case_scores)) == points


@pytest.mark.parametrize(
    ("files", "loss"),
    [
        ({}, "a statement"),
        ({"problems/p/problem.yaml": BASE + "validator: v.go\n", "problems/p/v.go": ""}, "the input validator `v.go`"),
        ({"testcases/p/big.yaml": f"limits: {{time: 1 s}}\n{CASES}"}, "the limits of 1 case that differ"),
        ({"solutions/p/accepted/a.jl": ""}, "its language is not in this format"),
        (
            {"problems/p/problem.yaml": BASE + "checker: {program: c.java}\n", "problems/p/c.java": ""},
            "protocol of ICPC",
        ),
        (
            {
                "problems/p/problem.yaml": BASE + "checker: {program: c.py, protocol: testlib, args: [-x]}\n",
                "problems/p/c.py": "",
            },
            "the arguments of the checker",
        ),
    ],
)
def test_what_the_format_lacks_is_reported(files: Files, loss: str, tmp_path: Path) -> None:
    package = exported(tmp_path, Target.POLYGON, files)
    assert any(loss in each for each in package.losses + package.breaking), package


@pytest.mark.parametrize("program", ["checker", "interactor"])
def test_no_checker_is_called_the_same_in_place_of_a_program(program: str, tmp_path: Path) -> None:
    files = {"problems/p/problem.yaml": f"{BASE}{program}: {{program: c.java}}\n", "problems/p/c.java": ""}
    package = exported(tmp_path, Target.POLYGON, files)
    assert any(f"the {program} `c.java`: it speaks the protocol of ICPC" in each for each in package.breaking)
    assert not any("written for this package" in each for each in package.notes), package.notes


@pytest.mark.parametrize(("pypy", "kind"), [("/usr/bin/pypy3", "python.pypy3"), ("", "python.3")])
def test_python_of_packages_is_what_judges_it(
    pypy: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polygon, "find_pypy", lambda: pypy)
    folder = write_package(tmp_path / "sum", {**MINIMAL, "submissions/accepted/a.py": "print(3)\n"})
    problem, _ = load_package(folder, root_for_display=tmp_path)
    document = ET.fromstring(read_data(export(problem, [], Target.POLYGON).files["problem.xml"]))
    assert {each.get("type") for each in document.findall("assets/solutions/solution/source")} == {kind}


def test_a_checker_of_testlib_is_kept_with_its_headers(tmp_path: Path) -> None:
    files = {
        "problems/p/problem.yaml": BASE + "checker: {program: c.cpp, protocol: testlib}\n",
        "problems/p/c.cpp": '#include "testlib.h"\n',
        "problems/p/testlib.h": "",
    }
    problem = load_problem(make(tmp_path, {**FILES, **files}), "p")
    package = export(problem, data_of(problem), Target.POLYGON)
    assert b'<file path="files/testlib.h" type="h.g++"' in read_data(package.files["problem.xml"])
    found, diagnostics = reread(package, tmp_path)
    assert not diagnostics
    assert found.checker.program is not None
    assert (found.checker.program.source.name, [each.name for each in found.checker.program.include]) == (
        "c.cpp",
        ["testlib.h"],
    )


ADAPTED = {
    ".py": (
        "import sys\nopen(sys.argv[3] + 'judgemessage.txt', 'w').write('said')\n"
        "words = [open(name).read() for name in sys.argv[1:3]] + sys.argv[4:] + [sys.stdin.read()]\n"
        "print(*words)\nsys.exit(int(words[-1]))\n"
    ),
    ".cpp": (
        "#include <fstream>\n#include <iostream>\n#include <unistd.h>\nusing namespace std;\n"
        'int main(int argc, char *argv[]) { ofstream(string(argv[3]) + "judgemessage.txt") << "said"; int status;\n'
        "string a, b; ifstream(argv[1]) >> a; ifstream(argv[2]) >> b; cin >> status;\n"
        "cout << a << ' ' << b << ' ' << argv[4] << ' ' << status << endl;\n"
        "if (status == 42) std::exit(42); return status; }\n"
    ),
}


@pytest.mark.parametrize(
    "suffix",
    [
        ".py",
        pytest.param(
            ".cpp",
            marks=[pytest.mark.thorough, pytest.mark.skipif(not which("g++"), reason="no g++ on this machine")],
        ),
    ],
)
@pytest.mark.parametrize("role", ["checker", pytest.param("interactor", marks=pytest.mark.thorough)])
def test_a_program_by_the_protocol_of_icpc_is_called_as_one_of_testlib(suffix: str, role: str, tmp_path: Path) -> None:
    files: Files = {
        "problems/p/problem.yaml": f"{BASE}{role}: {{program: c{suffix}, args: ['-\"x']}}\n",
        f"problems/p/c{suffix}": ADAPTED[suffix],
    }
    package = exported(tmp_path, Target.POLYGON, files)
    assert (package.breaking, package.losses) == ([], ["a statement: the problem has none that is LaTeX or Markdown"])
    source = tmp_path / f"adapted{suffix}"
    source.write_bytes(read_data(package.files[f"files/c{suffix}"]))
    command = [sys.executable, str(source)]
    if suffix == ".cpp":
        command = [str(tmp_path / "adapted")]
        subprocess.run(["g++", "-std=gnu++20", "-o", *command, str(source)], check=True)
    for status, expected in ((42, 0), (43, 1), (1, 3)):
        for name, text in (("in", "given"), ("out", str(status)), ("ans", "answer")):
            (tmp_path / name).write_text(text)
        with (tmp_path / ("ans" if role == "checker" else "out")).open() as stdin:
            paths = [tmp_path / name for name in ("in", "out", "ans")]
            ran = subprocess.run([*command, *paths], stdin=stdin, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stdout.split()) == (expected, ["given", "answer", '-"x', str(status)]), ran.stderr
        assert "said" in ran.stderr


@pytest.mark.parametrize(
    ("end", "expected"), [("sys.exit(42)", 0), ("sys.exit(43)", 3), ("sys.exit('no')", 3), ("1 / 0", 3)]
)
def test_a_validator_of_ours_accepts_with_0_at_polygon(end: str, expected: int, tmp_path: Path) -> None:
    files = {
        "problems/p/problem.yaml": f"{BASE}validator: v.py\n",
        "problems/p/v.py": f"import sys\ninput()\n{end}\n",
    }
    package = exported(tmp_path, Target.POLYGON, files)
    source = read_data(package.files["files/v.py"])
    assert subprocess.run([sys.executable, "-c", source], input=b"1 2\n", check=False).returncode == expected
    validators = ET.fromstring(read_data(package.files["problem.xml"])).findall("assets/validators/validator/source")
    assert [each.get("path") for each in validators] == ["files/v.py"]


def test_with_an_interactor_alone_the_checker_accepts_everything(tmp_path: Path) -> None:
    files = {"problems/p/problem.yaml": f"{BASE}interactor: {{program: c.py}}\n", "problems/p/c.py": ""}
    assert exported(tmp_path, Target.POLYGON, files).files["files/check.cpp"] == b"int main() {}\n"


@pytest.mark.parametrize("name", OUR_CHECKERS)
def test_every_checker_of_ours_has_a_counterpart(name: str) -> None:
    assert b"@" not in checker_source(CheckerConfig(name=name))
    assert isinstance(checker_flags(CheckerConfig(name=name)), tuple)


TOLERANT = CheckerConfig(float_absolute_tolerance=1e-3, float_relative_tolerance=0.1)
OUTPUTS = (b"", b"Yes 10\n", b"yes 10\n", b"yes  10", b"yes\n10 \n", b"yes 10.0001\n", b"yes 10.9e0\n", b"yes 12\n")
CHECKERS = [
    TOLERANT,
    *(
        pytest.param(each, marks=pytest.mark.thorough)
        for each in (
            CheckerConfig(),
            CheckerConfig(case_sensitive=True, space_change_sensitive=True),
            CheckerConfig(name="lines"),
            CheckerConfig(name="exact"),
        )
    ),
]


def assert_decides_as_ours(config: CheckerConfig, pairs: Iterable[tuple[bytes, bytes]], folder: Path) -> None:
    """Compile the written checker; assert that it says of each answer and output what ours says."""
    if which("g++") is None:
        pytest.skip("needs g++")
    (folder / "check.cpp").write_bytes(checker_source(config))
    subprocess.run(["g++", "-O0", "-std=c++11", "-o", "check", "check.cpp"], cwd=folder, check=True)
    verdicts = {0: Verdict.AC, 1: Verdict.WA, 2: Verdict.PE}
    for answer, output in pairs:
        for name, data in (("in", b""), ("out", output), ("ans", answer)):
            (folder / name).write_bytes(data)
        done = subprocess.run(["./check", "in", "out", "ans"], cwd=folder, check=False, capture_output=True)
        assert verdicts[done.returncode] is check(config, answer, output).verdict, (answer, output, done.stderr)


@pytest.mark.parametrize("config", CHECKERS)
def test_the_written_checker_decides_as_ours(config: CheckerConfig, tmp_path: Path) -> None:
    assert_decides_as_ours(config, product(OUTPUTS, OUTPUTS), tmp_path)


NUMBERS = "0 0.001 0.0010000001 0.9 0.999999 0.9999989 1 1.000001 1.0000011 1.1"
BOUNDARIES = NUMBERS.encode().split()


@pytest.mark.thorough
@pytest.mark.parametrize("config", [TOLERANT, CheckerConfig(float_absolute_tolerance=1e-6)])
def test_the_written_checker_accepts_what_differs_by_exactly_the_tolerance(
    config: CheckerConfig, tmp_path: Path
) -> None:
    assert_decides_as_ours(config, product(BOUNDARIES, BOUNDARIES), tmp_path)
