"""`judge export` writes a package, reports what it lacks, and overwrites nothing."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest
import yaml

from tests.cli.command_line import CapSys, judge, write


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path / "problems/sums/problem.yaml", "name: Sums\nprofile: icpc\n")
    write(tmp_path / "testcases/sums/sample.yaml", 'cases:\n- {name: one, input: "1 2\\n", answer: "3\\n"}\n')
    write(tmp_path / "solutions/sums/accepted/right.py", "print(sum(map(int, input().split())))\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_package_in_one_folder(here: Path, capsys: CapSys) -> None:
    status, out, _ = judge("export", "sums", "--to", "kattis", capsys=capsys)
    assert status == 0
    assert out.splitlines()[0] == "sums.zip: kattis, 1 case, 1 submission"
    assert "not exported: a statement: the problem has none" in out
    with zipfile.ZipFile(here / "sums.zip") as archive:
        assert archive.namelist() == sorted(archive.namelist())
        assert archive.read("sums/data/sample/one.in") == b"1 2\n"
    status, out, _ = judge("export", "sums.zip", "--to", "domjudge", "-o", "d.zip", capsys=capsys)
    assert status == 0
    with zipfile.ZipFile(here / "d.zip") as archive:
        assert archive.read("domjudge-problem.ini") == b"timelimit='2'\n"


def test_losses_in_json_and_with_strict(here: Path, capsys: CapSys) -> None:
    status, out, _ = judge("export", "sums", "--to", "icpc-2025-09", "--strict", "-f", "json", capsys=capsys)
    found = json.loads(out)
    assert status == 1
    assert found["file"] == "sums.zip"
    assert len(found["not_exported"]) == 2
    assert (here / "sums.zip").exists()


def test_nothing_is_overwritten_without_force(here: Path, capsys: CapSys) -> None:
    write(here / "sums.zip", "mine")
    status, _, err = judge("export", "sums", "--to", "kattis", capsys=capsys)
    assert status == 2
    assert "sums.zip exists: --force overwrites it, -o names another file" in err
    assert (here / "sums.zip").read_text() == "mine"
    assert judge("export", "sums", "--to", "kattis", "--force", capsys=capsys)[0] == 0


def test_wrong_data_writes_nothing(here: Path, capsys: CapSys) -> None:
    write(here / "problems/sums/problem.yaml", "name: Sums\nprofile: icpc\nvalidator: validate.py\n")
    write(here / "problems/sums/validate.py", "import sys\nsys.exit('line 1: no')\n")
    status, _, err = judge("export", "sums", "--to", "kattis", capsys=capsys)
    assert status == 2
    assert "line 1: no" in err
    assert not (here / "sums.zip").exists()


@pytest.mark.usefixtures("here")
def test_an_unknown_problem_is_an_error(capsys: CapSys) -> None:
    status, _, err = judge("export", "summs", "--to", "kattis", capsys=capsys)
    assert status == 2
    assert "did you mean sums?" in err


def test_several_problems_are_a_contest_that_domjudge_loads(here: Path, capsys: CapSys) -> None:
    shutil.copytree(here / "problems/sums", here / "problems/sums-2")
    shutil.copytree(here / "testcases/sums", here / "testcases/sums-2")
    status, out, err = judge("export", "sums-2", "sums", "--to", "bapctools", capsys=capsys)
    assert (status, out.splitlines()[0]) == (0, "contest.zip/sums2: icpc-2025-09, 1 case, 0 submissions"), err
    assert "note: there is no contest.yaml beside the packages" in out
    with zipfile.ZipFile(here / "contest.zip") as archive:
        archive.extractall(here / "finals")
    entries = [{"id": "sums2", "label": "A", "name": "Sums"}, {"id": "sums", "label": "B", "name": "Sums"}]
    assert yaml.safe_load((here / "finals/problems.yaml").read_text()) == entries
    own = "- {id: sums, label: X, rgb: '#ff0000', more: 1}\n- {id: sums2}\n"
    write(here / "finals/problems.yaml", own)
    write(here / "finals/contest.yaml", "id: f\n")
    status, out, _ = judge("export", "finals", "--to", "domjudge", "-f", "json", capsys=capsys)
    assert (status, [each["id"] for each in json.loads(out)["packages"]]) == (0, ["sums", "sums2"])
    with zipfile.ZipFile(here / "finals.zip") as archive:
        first, second = yaml.safe_load(archive.read("problems.yaml"))
        assert archive.read("contest.yaml") == b"id: f\n"
        assert {"sums/domjudge-problem.ini", "sums2/.timelimit", "sums2/data/sample/one.in"} <= set(archive.namelist())
    assert first == {"id": "sums", "label": "X", "name": "Sums", "rgb": "#ff0000", "more": 1}
    assert second == {"id": "sums2", "label": "B", "name": "Sums"}
    assert judge("export", "finals", "--to", "kattis", "-o", "k.zip", capsys=capsys)[0] == 0
    with zipfile.ZipFile(here / "k.zip") as archive:
        assert {name.partition("/")[0] for name in archive.namelist()} == {"sums", "sums2"}
    status, _, err = judge("export", "finals", "--to", "polygon", "-o", "p.zip", capsys=capsys)
    assert (status, "Polygon loads one package at a time" in err) == (2, True)
