"""The user's own rows of the language table: what they may say, and what is answered to mistakes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UPPER = """
[upper]
name = "Upper"
suffixes = [".upper"]
tools = { sh = "sh" }
compile = ["{sh}", "-c", "tr A-Z a-z < \\"$0\\" > \\"$1\\"", "{source}", "{binary}"]
run = ["{sh}", "{binary}"]
may-fork = true
"""


def judge(folder: Path, rows: str, *argv: str) -> subprocess.CompletedProcess[str]:
    settings = folder / "config" / "judge"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "languages.toml").write_text(rows)
    (folder / "1.in").write_text("1\n")
    (folder / "1.ans").write_text("42\n")
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder / "config"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "judge", *argv]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_an_own_row_is_a_language_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "a.upper").write_text("ECHO 42\n")
    ran = judge(tmp_path, UPPER, "run", "a.upper", "-f", "plain")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "AC" in ran.stdout


def test_a_row_can_extend_a_built_in_one(tmp_path: Path) -> None:
    (tmp_path / "a.py3x").write_text("print(42)\n")
    rows = '[python3]\nsuffixes = [".py", ".py3x"]\n'
    ran = judge(tmp_path, rows, "run", "a.py3x", "-f", "plain")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "AC" in ran.stdout


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("[x", "languages.toml: error: cannot be read: "),
        ("[x]\nrun = " + 5000 * "[", "languages.toml: error: cannot be read: nested too deeply"),
        ("[x]\nrun = " + 5000 * "9", "languages.toml: error: cannot be read: a number has too many digits"),
        ("[x]\nname = 'X'\n", "languages.toml: error: [x] has no `suffixes`"),
        ("[x]\nnames = 'X'\n", "[x] Object contains unknown field `names`; the keys are name, suffixes, tools"),
        ("[x]\nname = 3\n", "[x] Expected `str`, got `int` - at `$.name`; the keys are "),
        ("[x]\nsuffixes = ['abc']\n", " - at `$.suffixes[0]`; the keys are "),
        ("[X]\nname = 'X'\n", "found `X`; an id has lower-case letters and digits"),
        (UPPER.replace("{sh}", "{bash}"), "[upper] has no tool or field `{bash}`; expected "),
        (UPPER.replace(".upper", ".py"), "[upper]: the suffix `.py` belongs to Python 3"),
    ],
)
def test_a_mistake_is_answered_with_its_key(tmp_path: Path, rows: str, message: str) -> None:
    ran = judge(tmp_path, rows, "run", "a.py")
    assert ran.returncode == 2
    assert message in ran.stderr
    assert "Traceback" not in ran.stderr
