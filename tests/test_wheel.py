"""The wheel: everything that the commands read at run time is in it, and they work where only it is installed."""

import fnmatch
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "judge"


def test_every_file_of_the_package_that_is_no_module_is_packaged() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = config["tool"]["setuptools"]["package-data"]["judge"]
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")]
    assert files
    for path in files:
        name = str(path.relative_to(PACKAGE))
        assert any(fnmatch.fnmatch(name, pattern.replace("**/", "*")) for pattern in patterns), name


@pytest.mark.thorough
def test_the_commands_work_where_only_the_wheel_is_installed(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    source = tmp_path / "source"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(source)], check=True)
    command = [*pip, "wheel", "--no-deps", "-w", str(tmp_path), str(source)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if "No matching distribution found" in built.stderr:  # of the build backend; any other failure is ours
        pytest.skip("the package registry cannot be reached, so pip has no build backend")
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    subprocess.run([*pip, "install", "--no-deps", "--target", str(installed), str(wheel)], check=True)
    folder = tmp_path / "folder"
    folder.mkdir()

    def judge(*argv: str) -> str:
        environment = {**os.environ, "PYTHONPATH": str(installed)}  # before the editable installation
        command = [sys.executable, "-P", "-m", "judge", *argv]
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout

    assert judge("schema", "report", "--path").startswith(str(installed))
    judge("new", "sums")
    assert "all 3 solutions as expected" in judge("run", "sums")
    assert "presentation error" in judge("help", "verdicts")
    assert judge("complete", "run", "sums/sa") == "files\nsums/sample\n"
    assert "complete -F" in judge("completion", "bash")
    for name in ("problem", "cases", "report"):
        assert yaml.safe_load(judge("schema", name))["$schema"]
