"""An ICPC package becomes a problem of a repository; the user is told what was found and what is not imported."""

import shutil
from pathlib import Path

import pytest

from judge.base.units import MIB
from judge.cli.main import run_cli
from judge.problems.native import load_problem
from tests.cli.command_line import CapSys, judge, write


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository; the current folder."""
    folder = tmp_path / "repository"
    (folder / "problems").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "hello"
    write(folder / "problem.yaml", "name:\n  sv: Hej\n  en: Hello\nlimits:\n  time_limit: 3\n")
    for name in ("sample/1", "secret/1", "secret/big/1"):
        write(folder / f"data/{name}.in", "4\n")
        write(folder / f"data/{name}.ans", "8\n")
    write(folder / "submissions/accepted/double.py", "print(2 * int(input()))\n")
    write(folder / "submissions/wrong_answer/one.py", "print(1)\n")
    return folder


def imported(package: Path, capsys: CapSys) -> list[str]:
    status, out, _ = judge("import", str(package), capsys=capsys)
    assert status == 0
    return [line.strip() for line in out.splitlines()]


def test_a_package_runs_at_once_with_its_expected_verdicts(root: Path, package: Path, capsys: CapSys) -> None:
    assert imported(package, capsys) == [
        "created hello: 3 cases in testcases/hello",
        "next: judge run hello",
    ]
    problem = load_problem(root, "hello")
    assert (problem.name, problem.limits.cpu, problem.limits.memory) == ("Hello", 3.0, 2048 * MIB)
    assert [case.id for case in problem.cases] == ["sample/1", "secret/1", "secret/big-1"]
    assert run_cli(["run", "hello"]) == 0
    assert imported(package, capsys)[0] == "hello is up to date"


def test_what_is_not_imported_is_listed(root: Path, package: Path, capsys: CapSys) -> None:
    write(package / "statement/problem.en.tex", "\\problemname{Hello}\nHi\\odd.")
    write(package / "input_validators/a.py", "x")
    write(package / "output_validator/v.cpp", "x")
    write(package / "generators/g.py", "x")
    write(package / "data/invalid_input/1.in", "x")
    write(package / "submissions/accepted/folder/a.py", "x")
    write(package / "submissions/mixed/a.py", "x")
    write(package / "submissions/accepted/notes.txt", "x")
    left_out = [f"submissions/{name}" for name in ("accepted/folder", "accepted/notes.txt", "mixed/a.py")]
    lines = imported(package, capsys)
    assert [line.removeprefix("not imported: ") for line in lines if line.startswith("not imported")] == [
        "`\\odd` of the statement",
        "its input validators",
        "its output validator",
        f"{', '.join(left_out)} (not a single source file with one expected verdict)",
        "generators/",
        "data/invalid_input/",
    ]
    assert any(line.startswith("note: its own output validator is not run") for line in lines)
    assert sorted(path.name for path in (root / "solutions/hello").rglob("*.py")) == ["double.py", "one.py"]


def test_the_flags_of_the_default_validator_are_kept(root: Path, package: Path, capsys: CapSys) -> None:
    write(package / "problem.yaml", "name: Hello\nvalidator_flags: float_tolerance 1e-6 case_sensitive\n")
    assert "note: it sets no time limit; the default applies, 2 s" in imported(package, capsys)
    checker = load_problem(root, "hello").checker
    assert (checker.case_sensitive, checker.float_absolute_tolerance, checker.float_relative_tolerance) == (
        True, 1e-6, 1e-6,
    )  # fmt: skip


def test_a_source_may_name_its_expected_verdict(root: Path, package: Path, capsys: CapSys) -> None:
    write(package / "submissions/mixed/one.py", "# @EXPECTED_RESULTS@: WRONG-ANSWER\nprint(1)\n")
    write(package / "submissions/mixed/two.py", "# @EXPECTED_RESULTS@: WRONG-ANSWER, CORRECT\nprint(1)\n")
    lines = imported(package, capsys)
    assert sorted(path.name for path in (root / "solutions/hello/wrong_answer").iterdir()) == [
        "one.py",
        "wrong_answer-one.py",
    ]
    assert any(line.startswith("not imported: submissions/mixed/two.py (") for line in lines)


def test_a_statement_is_kept_as_markdown(root: Path, package: Path, capsys: CapSys) -> None:
    write(package / "statement/problem.sv.md", "Hej\n")
    write(package / "statement/problem.en.md", "Hello\n")
    imported(package, capsys)
    assert (root / "problems/hello/statement.md").read_text() == "Hello\n"


def test_a_statement_in_latex_becomes_markdown_and_a_pdf_file_is_named(
    root: Path, package: Path, capsys: CapSys
) -> None:
    write(package / "statement/problem.pdf", "%PDF")
    assert "not imported: the statement (only Markdown and LaTeX are)" in imported(package, capsys)
    write(package / "statement/problem.tex", "\\problemname{Hello}\\section*{Input}\nAn integer $n$.")
    shutil.rmtree(root / "problems/hello")
    imported(package, capsys)
    assert (root / "problems/hello/statement.md").read_text() == "# Hello\n\n## Input\n\nAn integer $n$.\n"


def test_a_link_out_of_the_package_is_not_followed(root: Path, package: Path, tmp_path: Path, capsys: CapSys) -> None:
    secret = write(tmp_path / "secret.py", "password\n")
    (package / "submissions/accepted/link.py").symlink_to(secret)
    assert any("not imported: submissions/accepted/link.py" in line for line in imported(package, capsys))
    assert not list((root / "solutions").rglob("link.py"))


def test_data_that_is_still_to_be_generated_is_noticed(root: Path, package: Path, capsys: CapSys) -> None:
    for path in list((package / "data/secret").rglob("*.*")):
        path.unlink()
    write(package / "generators/generators.yaml", "")
    assert "note: it has no secret cases: BAPCtools generates them: `bt generate`, then import again" in imported(
        package, capsys
    )
    assert root.is_dir()


def test_an_interactive_package_is_described_and_not_written(root: Path, package: Path, capsys: CapSys) -> None:
    write(package / "problem.yaml", "name: Hello\ntype: [interactive, scoring]\n")
    lines = imported(package, capsys)
    kinds = "interactive, multi-pass or submit-answer"
    assert lines[0] == f"hello is an {kinds} problem, which this judge does not support; nothing was written"
    assert list((root / "problems").iterdir()) == []


def test_a_broken_problem_file_is_one_error_at_its_line(root: Path, package: Path, capsys: CapSys) -> None:
    write(package / "problem.yaml", "name: [\n")
    status, _, err = judge("import", str(package), capsys=capsys)
    assert (status, list((root / "problems").iterdir())) == (2, [])
    assert err.startswith(f"{package}/problem.yaml:2:1: error: ")


def test_outside_a_repository_a_package_stays_where_it_is(
    package: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(package.parent)
    status, _, err = judge("import", "hello", capsys=capsys)
    assert status == 2
    assert err.startswith("judge: hello is an ICPC package: `judge run hello` judges it as it is; to copy it into a")


@pytest.mark.parametrize("top", ["", "contest/"])
def test_a_zip_file_of_packages_is_imported_as_they_are(root: Path, package: Path, top: str, capsys: CapSys) -> None:
    if top:
        package = package.rename(write(package.parent / "contest/.x", "").parent / "hello").parent
    archive = shutil.make_archive(str(root / "hello"), "zip", package.parent, package.name)
    assert imported(Path(archive), capsys)[0] == "created hello: 3 cases in testcases/hello"
    assert len(load_problem(root, "hello").cases) == 3
