"""The shipped problems survive the way through a package, and the tools of others accept it."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.base.data import read_data
from judge.base.errors import Severity
from judge.model import InFile, Problem, Verdict
from judge.packages.export.export import export
from judge.packages.export.package import Target, write_zip
from judge.preparation.cases import ReadyCase
from judge.problems.icpc.load import load_package
from judge.workspace.options import SessionOptions
from judge.workspace.workspace import Workspace
from tests.test_shipped import IDS, ROOT

Prepared = tuple[Problem, list[ReadyCase]]


QUICK = "holdem"  # the others take a minute
SHOWN = [QUICK, "uva131"]  # to the tools of others, which take long
PARAMS = [each if each == QUICK else pytest.param(each, marks=pytest.mark.thorough) for each in IDS]


@pytest.fixture(scope="module", params=PARAMS)
def prepared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prepared]:
    root = tmp_path_factory.mktemp("repository")
    for part in ("problems", "testcases", "solutions"):
        shutil.copytree(ROOT / part, root / part)
    workspace = Workspace.find(root)
    problem = workspace.load_problem(request.param)
    with workspace.open_session(SessionOptions(jobs=2)) as session:
        cases = [each for each in session.prepare(problem, problem.cases) if isinstance(each, ReadyCase)]
        yield problem, cases


def unpacked(problem: Problem, cases: list[ReadyCase], target: Target, folder: Path) -> Path:
    package = export(problem, cases, target)
    write_zip([package], folder / "package.zip")
    with zipfile.ZipFile(folder / "package.zip") as archive:
        archive.extractall(folder / problem.id if target is Target.DOMJUDGE else folder)
    return folder / problem.id


def contents(problem: Problem) -> list[tuple[bytes, bytes]]:
    found = []
    for case in problem.cases:
        assert isinstance(case.input, InFile)
        assert isinstance(case.answer, InFile)
        found.append((case.input.path.read_bytes(), case.answer.path.read_bytes()))
    return sorted(found)


def without_presentation(verdicts: frozenset[Verdict]) -> frozenset[Verdict]:
    """Return the verdicts that every version of the format has; PE counts as WA there."""
    named: frozenset[Verdict] = verdicts | {Verdict.WA} if Verdict.PE in verdicts else verdicts
    return named & {Verdict.AC, Verdict.WA, Verdict.TLE, Verdict.RTE}


@pytest.mark.parametrize("target", [each for each in Target if each is not Target.POLYGON])
def test_a_package_has_the_cases_limits_and_expectations_of_the_problem(
    prepared: Prepared, target: Target, tmp_path: Path
) -> None:
    problem, cases = prepared
    found, diagnostics = load_package(unpacked(problem, cases, target, tmp_path), root_for_display=tmp_path)
    assert [str(each) for each in diagnostics if each.severity is Severity.ERROR or each.rule != "format"] == []
    assert contents(found) == sorted((read_data(each.input), read_data(each.answer or b"")) for each in cases)
    assert found.name == problem.name
    assert (found.limits.cpu, found.limits.memory, found.limits.output) == (
        problem.limits.cpu,
        problem.limits.memory,
        problem.limits.output,
    )
    expected = {each.path.name: without_presentation(each.expectation.required) for each in problem.solutions}
    assert {each.path.name: without_presentation(each.expectation.required) for each in found.solutions} == expected
    assert found.source == problem.source
    assert found.statement is not None


def test_the_same_problem_gives_the_same_bytes(prepared: Prepared, tmp_path: Path) -> None:
    problem, cases = prepared
    for name in ("a.zip", "b.zip"):
        write_zip([export(problem, cases, Target.KATTIS)], tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


# ---- the tools of others -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install problemtools and BAPCtools; return the folder with their programs."""
    folder = tmp_path_factory.mktemp("tools")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    install = [str(folder / "bin/pip"), "install", "-q", "problemtools", "bapctools"]
    done = subprocess.run(install, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        pytest.skip(f"problemtools and bapctools cannot be installed: {done.stderr.strip()[-200:]}")
    return folder / "bin"


@pytest.mark.thorough
@pytest.mark.parametrize("prepared", SHOWN, indirect=True)
def test_problemtools_accepts_our_packages(prepared: Prepared, tools: Path, tmp_path: Path) -> None:
    package = unpacked(*prepared, Target.KATTIS, tmp_path)
    # The statement needs pdflatex, and the times of submissions an idle machine.
    command = [str(tools / "verifyproblem"), "-p", "config", "data", "validators", "--", str(package)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert "tested: 0 errors" in done.stdout + done.stderr, done.stdout + done.stderr


@pytest.mark.thorough
@pytest.mark.skipif(not shutil.which("pypy3"), reason="BAPCtools runs Python with pypy3, which is not installed")
@pytest.mark.parametrize("prepared", SHOWN, indirect=True)
def test_bapctools_accepts_our_packages(prepared: Prepared, tools: Path, tmp_path: Path) -> None:
    package = unpacked(*prepared, Target.ICPC_2025_09, tmp_path)
    # -S: some inputs are dirty on purpose, which its own checks of white space reject. Without --input, it fails for
    # every package that has no answer validators, which our format does not know.
    done = subprocess.run(
        [tools / "bt", "validate", "-B", "-S", "--input"],
        cwd=package,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    accepted = min((package / "submissions/accepted").iterdir())
    command = [str(tools / "bt"), "run", "-B", str(accepted.relative_to(package)), "-t", "60"]
    # On a processor with a large cache PyPy would need more memory at its start than the limit of the problem.
    environment = {**os.environ, "PYPY_GC_NURSERY": "4M"}
    done = subprocess.run(
        command, cwd=package, env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
