"""Which programs start warm beside a box."""

from pathlib import Path

import pytest

from judge.sandbox.box import Box, Command
from judge.sandbox.warm_starts import WarmStarts
from tests.programs import PYTHON


class Opened:
    """Counts the boxes that are opened, and stands for each of them."""

    def __init__(self) -> None:
        self.count = 0

    def open_beside(self, _kind: object) -> "Opened":
        """Open one more."""
        self.count += 1
        return self

    def prepare(self, command: Command) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize(("programs", "most"), [(1, 1), (4, 4), (6, 40)])
def test_programs_in_turn_do_not_start_an_interpreter_each_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, programs: int, most: int
) -> None:
    opened = Opened()
    monkeypatch.setattr(Box, "open_beside", opened.open_beside)
    commands = []
    for number in range(programs):
        path = tmp_path / f"{number}.py"
        path.write_text("print(1)\n")
        commands.append(Command(argv=(PYTHON, "-I", str(path)), readable=(tmp_path,)))
    rounds = 50
    with Box() as box:
        starts = WarmStarts(box)
        warm = sum(starts.choose(each) is not None for _ in range(rounds) for each in commands)
    assert opened.count <= most
    assert warm >= rounds * programs // 2
