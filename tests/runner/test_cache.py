"""The key of the result cache: it changes with the code that decides results, and with no other code."""

import ast
import os
import shutil
from pathlib import Path

import pytest

import judge
from judge.runner.cache import UNRELATED, code_digest

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
