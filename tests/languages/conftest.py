"""A box for all tests of languages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.sandbox.box import Box


@pytest.fixture(scope="session")
def box(all_folders: Path) -> Iterator[Box]:
    with Box(work_folder=all_folders) as made:
        yield made
