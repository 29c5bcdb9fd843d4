"""`judge config` shows each setting with its origin, and the commands use the settings."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.command_line import CapSys, judge, write


@pytest.fixture(autouse=True)
def _default_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JUDGE_JOBS")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without a repository, with a file of settings; the current folder."""
    (tmp_path / "judge.toml").write_text('jobs = 2\n[language.cpp]\nflags = ["-O3", "-Wall"]\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows(text: str) -> dict[str, list[str]]:
    return {line.split()[0]: line.split()[1:] for line in text.splitlines() if line}


def test_every_setting_has_a_value_and_an_origin(folder: Path, capsys: CapSys) -> None:
    status, out, _ = judge("config", capsys=capsys)
    found = rows(out)
    assert status == 0
    assert found["jobs"] == ["2", f"{folder}/judge.toml:1"]
    assert found["language.cpp.flags"] == ["-O3", "-Wall", f"{folder}/judge.toml:3"]
    assert found["default-language"] == ["python3", "default"]
    assert out.splitlines()[-1] == f"files: {folder}/judge.toml"


def test_programs_read_it_as_json(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys) -> None:
    monkeypatch.setenv("JUDGE_FORMAT", "plain")
    status, out, _ = judge("config", "--format", "json", capsys=capsys)
    found = json.loads(out)
    assert (status, found["files"], found["profile"]) == (0, [f"{folder}/judge.toml"], None)
    settings = found["settings"]
    file = {"origin": "file", "file": f"{folder}/judge.toml", "profile": None}
    assert settings["jobs"] == {"value": 2, "line": 1, **file}
    assert settings["language.cpp.flags"] == {"value": ["-O3", "-Wall"], "line": 3, **file}
    assert settings["format"] == {"value": "plain", "origin": "environment", "variable": "JUDGE_FORMAT"}
    assert settings["layout"]["origin"] == "default"


def test_the_path_of_the_users_file_is_printed_even_if_a_file_is_wrong(folder: Path, capsys: CapSys) -> None:
    (folder / "judge.toml").write_text("job = 2\n")
    status, out, _ = judge("config", "--path", capsys=capsys)
    assert (status, out.endswith("/judge/config.toml\n"), out.count("\n")) == (0, True, 1)
    status, out, err = judge("config", capsys=capsys)
    assert (status, out) == (2, "")
    assert err == f"{folder}/judge.toml:1:1: error: unknown key `job`; did you mean `jobs`?\n"


def test_a_run_uses_the_settings_and_an_option_wins(
    locked_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    root = tmp_path / "repository"
    shutil.copytree(locked_sums, root)
    monkeypatch.chdir(root)
    (root / "judge.toml").write_text('jobs = 1\n[profile.ci]\nformat = "jsonl"\njobs = 2\n')
    for options, workers in (
        (("--profile", "ci"), 2),
        (("--format", "jsonl"), 1),
        (("--profile", "ci", "-j", "3"), 3),
    ):
        status, out, _ = judge("run", "sums", *options, capsys=capsys)
        assert (status, json.loads(out.splitlines()[0])["workers"]) == (0, workers)
    (root / "judge.toml").write_text("jobs = 0\n")
    status, _, err = judge("run", "sums", capsys=capsys)
    message = "`jobs`: expected a number from 1 to 256, found 0"
    assert (status, err) == (2, f"{root}/judge.toml:1:1: error: {message}\n")


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_compile_flags_are_named_and_are_part_of_the_cache_key(folder: Path, capsys: CapSys) -> None:
    source = '#include <cstdio>\nint main() {\n#ifdef TWO\nputs("2");\n#else\nputs("1");\n#endif\n}\n'
    write(folder / "a.cpp", source)
    write(folder / "b.py", "print(2)\n")
    write(folder / "tests/1.in", "")
    write(folder / "tests/1.out", "2\n")
    run = ("run", "-s", "a.cpp", "--cases", "tests", "-f", "json")
    text = "C++ is compiled with -DTWO (judge.toml:2)"
    found = {}
    for flags, verdict, notes in ((["-DTWO"], "AC", [text]), ([], "WA", []), (["-DTWO"], "AC", [text])):
        (folder / "judge.toml").write_text(f"[language.cpp]\nflags = {json.dumps(flags)}\n")
        _, out, err = judge(*run, capsys=capsys)
        found = json.loads(out)
        assert found["problems"][0]["solutions"][0]["verdict"] == verdict
        assert [notice["text"] for notice in found["notices"]] == notes
        assert found.get("compile_flags", {}) == ({"cpp": flags} if flags else {})
        assert err == "".join(f"note: {note}\n" for note in notes)
    _, out, _ = judge(*run, capsys=capsys)
    assert json.loads(out)["cached_count"] == 1
    _, out, _ = judge(*run[:-1], "jsonl", capsys=capsys)
    assert json.loads(out.splitlines()[0])["compile_flags"] == {"cpp": ["-DTWO"]}
    _, out, _ = judge("run", "-s", "b.py", "--cases", "tests", "-f", "json", capsys=capsys)
    assert "compile_flags" not in json.loads(out)  # no solution in this language
