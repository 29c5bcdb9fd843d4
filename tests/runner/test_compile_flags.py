"""Flags of compilers that a problem names: for its solutions and its own programs, and part of the cache's key."""

import json
import shutil
from pathlib import Path

import pytest

from judge.cli.main import run_cli

CapSys = pytest.CaptureFixture[str]

PROBLEM = """\
name: P
profile: icpc
reference: accepted/x.cpp
compile_flags: {cpp: [-std=gnu++17, -DANSWER=42]}
"""
CASES = """\
cases:
  - name: given
    input: "1\\n"
    answer: "42 201703\\n"
  - name: computed
    input: "2\\n"
"""
SOURCE = '#include <cstdio>\nint main() { std::printf("%d %ld\\n", ANSWER, __cplusplus); }\n'


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ on this machine")
def test_the_flags_of_a_problem_apply_to_all_its_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "problems/p/problem.yaml": PROBLEM,
        "testcases/p/sample.yaml": CASES,
        "solutions/p/accepted/x.cpp": SOURCE,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)

    def verdicts() -> list[str]:
        capsys.readouterr()
        run_cli(["run", "-f", "json"])
        (solution,) = json.loads(capsys.readouterr().out)["problems"][0]["solutions"]
        return [case["verdict"] for case in solution["cases"]]

    assert verdicts() == ["AC", "AC"]
    (tmp_path / "problems/p/problem.yaml").write_text(PROBLEM.replace("42", "43"))
    assert verdicts() == ["SK", "AC"]  # the reference disagrees with the given answer, and computes another
    (tmp_path / "problems/p/problem.yaml").write_text(PROBLEM.replace(", -DANSWER=42", ""))
    assert verdicts()[0] != "AC"
