"""What users install, the wheel and the source archive: complete, and enough for the first commands of the README."""

import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from judge import __version__
from judge.cli.commands.doctor import EXTRAS

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "judge"
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_file_of_the_package_that_is_no_module_is_packaged() -> None:
    patterns = CONFIG["tool"]["setuptools"]["package-data"]["judge"]
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")]
    assert files
    for path in files:
        name = str(path.relative_to(PACKAGE))
        assert any(fnmatch.fnmatch(name, pattern.replace("**/", "*")) for pattern in patterns), name


def test_the_doctor_knows_the_extras() -> None:
    extras = CONFIG["project"]["optional-dependencies"]
    packages = {extra: {re.split(r"[^\w.-]", package)[0] for package in needs} for extra, needs in extras.items()}
    assert packages == {extra: set(names) for extra, (names, _) in EXTRAS.items()}


def test_the_version_is_that_of_the_changelog_and_of_the_citation() -> None:
    released = re.findall(r"^## (\d\S+) - (\d{4}-\d\d-\d\d)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert released[0] == (__version__, str(citation["date-released"]))
    assert citation["version"] == __version__


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive of the last commit, and the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("archives")
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder / "source")], check=True)
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(folder / "source")]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if "No matching distribution found" in built.stdout + built.stderr:  # of the build backend; anything else is ours
        pytest.skip("the package registry cannot be reached, so there is no build backend")
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", [".whl", ".tar.gz"])
def test_the_first_commands_of_the_readme_work_in_a_bare_environment(
    archives: Path, tmp_path: Path, suffix: str
) -> None:
    (archive,) = archives.glob(f"*{suffix}")
    home, folder = tmp_path / "home", tmp_path / "folder"
    for each in (home, folder):
        each.mkdir()
    bin_folder = tmp_path / "environment/bin"
    pip = (str(bin_folder / "pip"), "--quiet", "--disable-pip-version-check", "install")
    subprocess.run([sys.executable, "-m", "venv", str(bin_folder.parent)], check=True)
    subprocess.run([*pip, str(archive)], check=True)
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JUDGE", "VIRTUAL_ENV"))
    }
    environment = kept | {"HOME": str(home), "PATH": f"{bin_folder}:{os.environ['PATH']}"}

    def run(line: str) -> tuple[int, str]:
        done = subprocess.run(line.split(), cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, done.stdout

    block = re.search(r"```\n(judge demo\n.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert block
    statuses = [run(line)[0] for line in block[1].splitlines()]
    assert statuses == [0, 1, 1]  # a solution is wrong, and a counterexample is found
    assert run("judge schema report --path")[1].startswith(str(tmp_path / "environment"))
    run("judge new sums")
    assert "all 3 solutions as expected" in run("judge run sums")[1]
    assert "presentation error" in run("judge help verdicts")[1]
    assert run("judge complete run sums/sa") == (0, "files\nsums/sample\n")


def test_the_action_judges_once_and_writes_the_report(judged_sums: Path, tmp_path: Path) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    repository = shutil.copytree(judged_sums, tmp_path / "repository")
    judge = tmp_path / "judge/bin/judge"  # in place of what the first step installs
    judge.parent.mkdir(parents=True)
    judge.symlink_to(Path(sys.executable).with_name("judge"))
    environment = {
        **os.environ,
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "SANDBOX": action["inputs"]["sandbox"]["default"],
    }
    (step,) = (each for each in action["runs"]["steps"] if each.get("id") == "judge")
    report = tmp_path / "judge-report.json"
    for arguments, status, marker in (
        ("sums --case '*'", 2, "'*'"),
        ("sums --case *", 0, "all 3 solutions as expected"),
    ):
        command = ["bash", "-e", "-o", "pipefail", "-c", step["run"]]
        done = subprocess.run(
            command,
            cwd=repository,
            env={**environment, "ARGUMENTS": arguments},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, marker in done.stdout + done.stderr) == (status, True), done
    assert "all as expected" in (tmp_path / "summary").read_text()
    assert (tmp_path / "output").read_text().splitlines()[-1] == f"report={report}"
    assert [problem["id"] for problem in yaml.safe_load(report.read_text())["problems"]] == ["sums"]
    uploaded = action["runs"]["steps"][-1]["with"]
    assert uploaded == {"name": "${{ inputs.artifact }}", "path": "${{ steps.judge.outputs.report }}"}


def test_the_hooks_of_pre_commit_are_commands_of_the_judge() -> None:
    from judge.cli.commands.arguments import make_parser

    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()):
        program, command, *options = hook["entry"].split()
        assert program == "judge"
        files = ["a.py", "b.py"] if hook.get("pass_filenames", True) else []
        make_parser(command).parse_args([*options, *files])
