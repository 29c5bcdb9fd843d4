"""`judge demo`: the folder behaves as its README.md says."""

from pathlib import Path

import pytest

from tests.cli.command_line import CapSys, judge


def test_the_demo_shows_a_failed_sample_and_a_counterexample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, _ = judge("demo", "the demo", capsys=capsys)
    assert (status, out.splitlines()[1]) == (0, "next: judge run 'the demo/a.py'")
    assert judge("demo", "--", "-d", capsys=capsys)[1].splitlines()[1] == "next: judge run ./-d/a.py"
    assert "rerun    judge run --solution ./-d/a.py" in judge("run", "--", "-d/a.py", capsys=capsys)[1]
    monkeypatch.chdir("the demo")
    status, out, _ = judge("run", "a.py", capsys=capsys)
    assert (status, "expected `-2`, found `0`" in out) == (1, True)
    lines = Path("a.py").read_text().splitlines()
    lines[4] = "best = numbers[0]"
    Path("a.py").write_text("\n".join(lines))
    assert judge("run", "a.py", "b.py", capsys=capsys)[0] == 0
    status, out, _ = judge("hack", "b.py", "--reference", "brute.py", "--max-inputs", "100", capsys=capsys)
    assert (status, "on an input of 3 tokens" in out) == (1, True)


def test_nothing_is_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys) -> None:
    (tmp_path / "demo").mkdir()
    monkeypatch.chdir(tmp_path)
    status, _, err = judge("demo", capsys=capsys)
    assert (status, err) == (
        2,
        "judge: demo already exists; nothing was changed; to make another folder: judge demo DIR\n",
    )
    assert not list((tmp_path / "demo").iterdir())
