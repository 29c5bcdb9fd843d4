"""What holds for every test: nothing is remembered from one test to the next, nothing is left in the user's home."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("busy", deadline=None)  # how long an example takes says nothing on a busy machine
settings.load_profile("busy")

# Many tests start the command: compiling the package anew each time would be a third of what that costs.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test a user's cache folder of its own; what it starts inherits it."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder
