"""What is stored about mutants: a file that anyone may have written changes nothing and stops nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from judge.base.units import Seconds
from judge.strength.store import MutantStore


def open_store(folder: Path) -> MutantStore:
    return MutantStore(folder, Path("/x/a.py"), "environment")


@pytest.mark.parametrize("change", [{}, {"verdicts": {"m": {"c": []}}}, {"times": {"c": "1"}}, {"labels": []}])
def test_a_file_of_another_form_is_left_out(tmp_path: Path, change: dict[str, Any]) -> None:
    store = open_store(tmp_path)
    store.times["c"] = Seconds(1.5)
    store.save()
    (path,) = (tmp_path / "strength").iterdir()
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    assert open_store(tmp_path).times.get("c") == (None if change else 1.5)
