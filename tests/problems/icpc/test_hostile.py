"""Packages that are damaged or meant to do harm: never a traceback, never a long wait, nothing from outside."""

import os
import random
from pathlib import Path

import pytest

from judge.base.errors import DataError, Diagnostic, JudgeError, Severity, ToolError
from judge.languages.source import read_file
from judge.model import InFile, Problem
from judge.problems.icpc.load import load_package
from tests.parameters import first_of
from tests.problems.icpc.packages import MINIMAL, load, write

FILES = (
    "problem.yaml",
    ".timelimit",
    "domjudge-problem.ini",
    "data/testdata.yaml",
    "data/secret/test_group.yaml",
    "data/secret/1.yaml",
    "data/secret/1.desc",
    "submissions/submissions.yaml",
    "submissions/accepted/sum.py",
    "problem_statement/problem.tex",
)
KEYS = (
    "name", "type", "limits", "time_limit", "memory", "validation", "validator_flags", "grading", "range", "constants",
    "args", "output_validator_flags", "max_score", "require_pass", "scoring", "accepted", "permitted", "score",
    "secret", "problem_format_version", "x/{a,b}", "*",
)  # fmt: skip
VALUES = (
    "1", "-1", "0.5", "1e999", "nan", "x", "''", "[]", "{}", "[a, [b]]", "{a: b}", "custom score", "scoring", "2025-09",
    "float_tolerance", "'\"'", "!!binary x", "~", "*a", "&a b", "|", "{{n}}", "0 100", "\x07", "1e-320", "9" * 400,
)  # fmt: skip


def load_or_fail(package: Path) -> tuple[Problem | None, list[Diagnostic]]:
    try:
        return load_package(package, root_for_display=package.parent)
    except DataError as error:
        return None, list(error.diagnostics)


def random_yaml(numbers: random.Random, depth: int = 0) -> str:
    lines = []
    for _ in range(numbers.randint(0, 4)):
        key, indent = numbers.choice(KEYS), "  " * depth
        if depth < 3 and numbers.random() < 0.3:
            lines.append(f"{indent}{key}:\n{random_yaml(numbers, depth + 1)}")
        else:
            lines.append(f"{indent}{key}: {numbers.choice(VALUES)}\n")
    return "".join(lines)


@pytest.mark.parametrize("seed", first_of(range(20), 4))
def test_random_files_are_diagnosed(tmp_path: Path, seed: int) -> None:
    numbers = random.Random(seed)
    package = write(tmp_path / "sum", MINIMAL)
    for _ in range(25):
        name = numbers.choice(FILES)
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        if numbers.random() < 0.3:
            (package / name).write_bytes(numbers.randbytes(numbers.randint(0, 200)))
        else:
            (package / name).write_text(random_yaml(numbers))
        problem, diagnostics = load_or_fail(package)
        assert problem is not None or diagnostics
        assert all(str(each) for each in diagnostics)


@pytest.mark.parametrize("seed", first_of(range(5), 2))
def test_changed_bytes_are_diagnosed(tmp_path: Path, seed: int) -> None:
    numbers = random.Random(seed)
    text = b"type: scoring\nlimits: {memory: 5, time_limit: 2}\nconstants: {n: 1}\nvalidator_flags: case_sensitive\n"
    package = write(tmp_path / "sum", {**MINIMAL, "problem.yaml": text})
    for _ in range(60):
        changed = bytearray(text)
        for _ in range(numbers.randint(1, 5)):
            changed[numbers.randrange(len(changed))] = numbers.randrange(256)
        (package / "problem.yaml").write_bytes(changed)
        problem, diagnostics = load_or_fail(package)
        assert problem is not None or diagnostics


@pytest.mark.parametrize(
    "missing", [("problem.yaml",), ("data",), ("submissions",), ("data/sample",), ("data/secret",)]
)
def test_half_packages_are_diagnosed(tmp_path: Path, missing: tuple[str, ...]) -> None:
    files = {name: text for name, text in MINIMAL.items() if not name.startswith(missing)}
    problem, diagnostics = load_or_fail(write(tmp_path / "sum", files))
    assert diagnostics or (problem is not None and problem.cases)


@pytest.mark.parametrize("name", [*FILES, "data", "data/secret", "submissions", "submissions/accepted", "include"])
def test_fifos_in_place_of_files_do_not_block(tmp_path: Path, name: str) -> None:
    package = write(tmp_path / "sum", {key: text for key, text in MINIMAL.items() if not key.startswith(name)})
    (package / name).parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(package / name)
    load_or_fail(package)


@pytest.mark.parametrize("name", FILES)
def test_links_out_of_the_package_are_not_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "outside").write_text("name: 'a secret'\ndescription: a secret\n\\problemname{a secret}\n")
    files = {key: text for key, text in MINIMAL.items() if key != name}
    package = write(
        tmp_path / "sum", files if name != "problem.yaml" else {**files, "domjudge-problem.ini": "points=1"}
    )
    if name == "problem_statement/problem.tex":
        write(package, {"problem.yaml": "{}"})
    (package / name).parent.mkdir(parents=True, exist_ok=True)
    (package / name).symlink_to(tmp_path / "outside")
    problem, diagnostics = load_or_fail(package)
    assert "a secret" not in f"{problem} {diagnostics}"
    assert problem is None or all(each.path.name != Path(name).name for each in problem.solutions)


@pytest.mark.parametrize("name", ["data/secret", "submissions/accepted", "submissions", "data", "include", "graders"])
def test_folders_out_of_the_package_are_not_read(tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    write(
        outside,
        {"1.in": "", "1.ans": "", "x.py": "", "accepted/x.py": "", "secret/1.in": "", "secret/1.ans": "", "c/x.h": ""},
    )
    package = write(tmp_path / "sum", {key: text for key, text in MINIMAL.items() if not key.startswith(f"{name}/")})
    (package / name).parent.mkdir(parents=True, exist_ok=True)
    (package / name).symlink_to(outside)
    problem, diagnostics = load_or_fail(package)
    assert problem is not None
    assert any("leads out of the package" in each.message for each in diagnostics)
    assert not [
        case for case in problem.cases if isinstance(case.input, InFile) and "outside" in str(case.input.path.resolve())
    ]
    assert not [each for each in problem.solutions if "outside" in str(each.path.resolve())]
    assert not problem.include


def test_links_to_files_of_the_same_repository_are_read(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write(tmp_path, {"other/data/secret/1.in": "4 5\n", "other/data/secret/1.ans": "9\n", "x.h": "", "h/y.h": ""})
    package = write(tmp_path / "sum", {**MINIMAL, "output_validators/v/v.cpp": ""})
    for name, target in {
        "data/secret/2.in": "../../../other/data/secret/1.in",
        "data/secret/2.ans": "../../../other/data/secret/1.ans",
        "data/secret/3.in": "../../../../outside",
        "output_validators/v/x.h": "../../../x.h",
        "data/secret/h": "../../../h",
    }.items():
        (package / name).symlink_to(target)
    problem, diagnostics = load_or_fail(package)
    assert problem is not None
    assert [case.id for case in problem.cases] == ["sample/1", "secret/1", "secret/2"]
    assert [(str(each.path), each.message) for each in diagnostics if each.severity is Severity.ERROR] == [
        ("sum/data/secret/3.in", f"is a link that leads out of the repository or contest {tmp_path}"),
        ("sum/data/secret/h", "is a link out of the package to something that is not a regular file"),
    ]


def test_folders_of_submissions_that_contain_each_other_end(tmp_path: Path) -> None:
    folder = tmp_path / "sum/submissions/accepted/x"
    folder.mkdir(parents=True)
    for name in "abcdefgh":
        (folder / name).symlink_to("../x")
    problem, _ = load(tmp_path)
    assert len(problem.solutions) == 1


def test_folders_of_cases_that_contain_each_other_end(tmp_path: Path) -> None:
    secret = tmp_path / "sum/data/secret"
    for one in "abcdefg":
        (secret / one).mkdir(parents=True)
        for other in "abcdefg":
            (secret / one / other).symlink_to(f"../{other}")
    problem, diagnostics = load(tmp_path)
    assert len(problem.cases) == 2
    assert diagnostics


LARGE: dict[str, tuple[str, str]] = {
    "many unknown keys": ("problem.yaml", "".join(f"key{number}: 1\n" for number in range(17_000))),
    "many unknown items": ("problem.yaml", "source:\n" + "- []\n" * 50_000),
    "many constants": ("problem.yaml", "constants:\n" + "".join(f"  k{number}: {{}}\n" for number in range(16_000))),
    "many entries": ("submissions/submissions.yaml", "".join(f"a{number}: {{}}\n" for number in range(20_000))),
    "many patterns": (
        "submissions/submissions.yaml",
        "accepted:\n" + "".join(f"  secret/{number}{'{0,1,2,3,4,5,6,7,8,9}' * 3}: {{}}\n" for number in range(10_000)),
    ),
    "stars": ("submissions/submissions.yaml", f"accepted/{'*a' * 100}b: {{}}\n"),
    "many verdicts": ("submissions/submissions.yaml", f"accepted: {{permitted: [{'AC,' * 80_000}]}}\n"),
    "many flags": ("data/testdata.yaml", f"grader_flags: {'x ' * 120_000}\n"),
    "many annotations": ("submissions/accepted/sum.py", "@EXPECTED_RESULTS@: AC\n" * 400_000),
    "many words": ("submissions/accepted/sum.py", f"@EXPECTED_RESULTS@: {'x,' * 4_000_000}\n"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", LARGE)
def test_large_files_are_read_in_time(tmp_path: Path, name: str) -> None:
    file, text = LARGE[name]
    package = write(tmp_path / "sum", {**MINIMAL, file: text, f"submissions/accepted/{'a' * 200}.py": ""})
    _, diagnostics = load_or_fail(package)
    assert len(diagnostics) <= 1001
    assert all(len(str(each)) < 10_000 for each in diagnostics)


def test_unreadable_files_are_diagnosed(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    package = write(tmp_path / "sum", MINIMAL)
    (package / "data/secret/1.in").chmod(0)
    (package / "submissions/accepted").chmod(0)
    try:
        _, diagnostics = load_package(package, root_for_display=tmp_path)
    finally:
        (package / "submissions/accepted").chmod(0o755)
    assert ["Permission denied" in each.message for each in diagnostics] == [True, True]


def test_a_file_is_no_package(tmp_path: Path) -> None:
    (tmp_path / "sum").touch()
    with pytest.raises(JudgeError):
        load_package(tmp_path / "sum", root_for_display=tmp_path)


@pytest.mark.thorough
def test_generators_make_a_bounded_number_of_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.problems.icpc.generators_yaml.MAX_CASES", 250)
    rules = "".join(f"      a{number}: {{generate: 'g.py {number}', count: 100}}\n" for number in range(20_000))
    text = f"data:\n  secret:\n    data:\n{rules}    include: [{'secret, ' * 20_000}]\n"
    problem, diagnostics = load(tmp_path, {"generators/generators.yaml": text, "generators/g.py": ""})
    assert len(problem.cases) == 252
    assert ["more than 250 cases" in each.message for each in diagnostics].count(True) == 1


@pytest.mark.parametrize("name", ["2.in", "2.ans"])
def test_a_huge_case_is_not_judged(tmp_path: Path, name: str) -> None:
    files = {"data/secret/2.in": "", "data/secret/2.ans": ""}
    package = write(tmp_path / "sum", {**MINIMAL, **files})
    os.truncate(package / "data/secret" / name, 40 << 30)  # a hole
    problem, diagnostics = load_package(package, root_for_display=tmp_path)
    assert [case.id for case in problem.cases] == ["sample/1", "secret/1"]
    assert "has 40.00 GiB; expected at most 4.00 GiB" in [each.message for each in diagnostics]


def test_names_and_passes_are_bounded(tmp_path: Path) -> None:
    text = (
        f"problem_format_version: 2025-09\ntype: multi-pass\nname: {'x' * 9999}\nlimits: {{validation_passes: 1e9}}\n"
    )
    files = {"problem.yaml": text, "output_validator/v.py": "", "source": None}
    problem, _ = load(tmp_path, files)
    assert (len(problem.name), problem.passes) == (203, 1000)


def test_a_huge_source_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.touch()
    os.truncate(path, 1 << 40)
    with pytest.raises(ToolError, match="larger than 64 MiB"):
        read_file(path)


def test_generators_yaml_leads_to_no_folder_behind_a_link(tmp_path: Path) -> None:
    write(tmp_path / "outside", {"a.in": "secret", "a.ans": "secret", "b.in": "secret", "b.ans": "secret"})
    plan = "data: {secret: {data: {g: {data: {a: {in: 1 2, ans: '3'}, b: {in: 1 2}}}}}}\n"
    package = write(tmp_path / "sum", {**MINIMAL, "generators/generators.yaml": plan})
    (package / "data/secret/g").symlink_to("../../../outside")
    problem, diagnostics = load(tmp_path)
    assert not [case.id for case in problem.cases if isinstance(case.input, InFile) and "/g/" in str(case.input.path)]
    assert any("leads out" in each.message for each in diagnostics)
