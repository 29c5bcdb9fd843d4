"""Variants of a solution run in the interpreter of the first one, and behave as in a run of their own."""

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.sandbox.box import Box, Command
from judge.sandbox.warm_box import WarmBox
from tests.programs import PYTHON, limits

BASE = "import sys, collections\nprint('base', len(sys.argv))\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "base.py").write_text(BASE)
    tmp_path.chmod(0o755)
    return tmp_path


def variant(folder: Path, text: str, name: str = "variant.py") -> Command:
    (folder / name).write_text(text)
    base = folder / "base.py"
    return Command(argv=(PYTHON, "-I", str(folder / name)), stdin=b"5\n", readable=(folder,), base=base)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("print(int(input()) + 1)", 0),
        ("import sys; sys.exit(3)", 3),
        ("1 / 0", 1),
        ("x = (", 1),
        ("import collections; print(collections.Counter('aab'))", 0),
        ("import fractions; print(fractions.Fraction(1, 2))", 0),
        ("import os; print(len(os.listdir('/proc/self/fd')) < 10)", 0),
    ],
)
def test_a_variant_ends_as_in_a_cold_run(folder: Path, text: str, status: int) -> None:
    command = variant(folder, text)
    with WarmBox(work_folder=folder) as warm, Box(work_folder=folder) as cold:
        found, expected = warm.run(command, limits()), cold.run(command, limits())
    assert found.result.exit_code == expected.result.exit_code == status
    assert found.stdout == expected.stdout


def test_variants_share_one_interpreter_and_no_state(folder: Path) -> None:
    commands = [
        variant(folder, f"import sys; sys.x = getattr(sys, 'x', 0) + 1; print(sys.x, {n})", f"{n}.py") for n in range(3)
    ]
    base = replace(commands[0], argv=(PYTHON, "-I", str(folder / "base.py")))
    with WarmBox(work_folder=folder) as box:
        assert box.run(base, limits()).stdout == b"base 1\n"
        process = box._pid
        outputs = [box.run(each, limits()).stdout for each in commands]
        assert outputs == [b"1 0\n", b"1 1\n", b"1 2\n"]
        assert box.run(base, limits()).stdout == b"base 1\n"
        assert box._pid == process


def test_a_variant_cannot_read_what_a_run_cannot(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("secret") / "answer"
    secret.write_text("42")
    os.chmod(secret, 0o644)  # noqa: PTH101
    command = variant(folder, f"print(open({str(secret)!r}).read())")
    with WarmBox(work_folder=folder) as box:
        assert b"42" not in box.run(command, limits()).stdout
