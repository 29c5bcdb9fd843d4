"""The key of a result: it changes with all that decides it, such as the code of the judge, and with nothing else."""

import ast
import os
import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

import judge
from judge.base.units import Seconds
from judge.grading import problems
from judge.languages.options import BuildOptions
from judge.model import DEFAULT_LIMITS, Case, CheckerConfig, FileNames, Inline, Problem
from judge.preparation.cases import ReadyCase
from judge.runner.cache import UNRELATED, case_identity, code_digest
from judge.strength.cases import case_key

PACKAGE = Path(judge.__file__).parent
PACKAGES = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists() or path.name == "schemas")
RESULT_STORES = ("judge.history.records", "judge.history.results")
MODULES = sorted(path.name for path in PACKAGE.glob("*.py"))


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package `judge`."""
    copy = tmp_path_factory.mktemp("copied") / "judge"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def changes_digest(package: Path, file: Path) -> bool:
    """Return whether a later modification time of a file changes the digest of the code."""
    before = code_digest(package)
    os.utime(file, ns=(0, file.stat().st_mtime_ns + 1))
    return code_digest(package) != before


@pytest.mark.parametrize("name", [name for name in PACKAGES if name not in UNRELATED])
def test_an_edit_of_a_package_that_decides_results_changes_every_key(package: Path, name: str) -> None:
    assert changes_digest(package, max((package / name).rglob("*.py")))


@pytest.mark.parametrize("name", MODULES)
def test_an_edit_of_a_top_level_module_changes_every_key_unless_it_is_listed(package: Path, name: str) -> None:
    assert changes_digest(package, package / name) == (name not in UNRELATED)


@pytest.mark.parametrize("name", [name for name in PACKAGES if name in UNRELATED])
def test_an_edit_of_a_package_that_decides_no_result_keeps_every_key(package: Path, name: str) -> None:
    for file in (package / name).rglob("*.py"):
        assert not changes_digest(package, file), file


def test_a_new_package_counts_until_it_is_listed(package: Path) -> None:
    before = code_digest(package)
    (package / "brand_new").mkdir()
    (package / "brand_new" / "__init__.py").write_text("")
    assert code_digest(package) != before


def test_the_packages_that_run_and_judge_programs_are_not_listed() -> None:
    deciding = {"judging", "languages", "preparation", "runner", "sandbox"}
    assert deciding <= {*PACKAGES, *MODULES}
    assert not deciding & UNRELATED


@pytest.mark.parametrize("name", [name for name in PACKAGES if name not in UNRELATED])
def test_code_that_decides_results_imports_no_listed_package_but_the_stores_of_results(name: str) -> None:
    for path in (PACKAGE / name).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("judge."):
                imported = node.module.split(".")[1]
                is_unrelated = imported in UNRELATED or f"{imported}.py" in UNRELATED
                assert not is_unrelated or node.module in RESULT_STORES, f"{path}: {node.module}"


def grading_digest(case: Case, programs: Any) -> str:
    problem = Problem(id="a", name="a", cases=(case,), solutions=(), limits=case.limits, checker=case.checker)
    ready = ReadyCase(case=case, input=b"", answer=b"")
    return problems._digest(problem, [ready], programs, {}, BuildOptions())


@pytest.mark.parametrize(
    "key",
    [
        case_identity,
        lambda case, programs: case_key(ReadyCase(case=case, input=b"", answer=b""), programs),
        grading_digest,
    ],
    ids=["run", "strength", "grade"],
)
def test_the_key_of_a_case_changes_with_all_that_decides_a_verdict(
    tmp_path: Path, key: Callable[[Case, Any], object]
) -> None:
    others = {
        "group",
        "name",
        "why",
        "input",
        "answer",
        "validator_args",
        "origin",
        "line",
        "is_static",
        "visualizer_args",
    }
    changes = {
        "limits": DEFAULT_LIMITS.override(cpu=Seconds(3.5)),
        "checker": CheckerConfig(name="lines"),
        "args": ("1",),
        "files": tmp_path,
        "file_names": FileNames(input="a.txt"),
    }
    assert others.isdisjoint(changes)
    assert {*others, *changes} == {*Case.__struct_fields__}
    case = Case(group="g", name="1", input=Inline(b""), limits=DEFAULT_LIMITS, checker=CheckerConfig(), origin=tmp_path)
    choices = [dict(zip(changes, chosen, strict=True)) for chosen in product((False, True), repeat=len(changes))]
    every = [replace(case, **{name: changes[name] for name in chosen if chosen[name]}) for chosen in choices]
    keys = [key(each, programs) for each in every for programs in (None, passes(1), passes(2))]
    for edit in (
        lambda: (tmp_path / "a").write_text("x"),
        lambda: (tmp_path / "a").write_text("y"),
        lambda: (tmp_path / "a").rename(tmp_path / "b"),
    ):
        edit()
        keys.append(key(replace(case, files=tmp_path), None))
    assert len(set(keys)) == len(keys)


def passes(number: int) -> Any:
    """Return the programs of a problem with so many passes, without a checker or an interactor."""
    return SimpleNamespace(interactor=None, passes=number)
