"""Fixtures for all tests: no state is kept between tests, and nothing is left in the user's home."""

import os
import shutil
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from judge.cli.main import run_cli
from judge.reporters.html.page import PageFile

# How long an example takes says nothing on a busy machine.
settings.register_profile("thorough", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=40)

# Many tests start the command: compiling the package each time would be a third of what that costs.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell's background job ignores SIGINT, what nohup(1) starts ignores SIGHUP, and so do their children; tests send
# these signals and wait for their effect.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)

_numbers = count()


def pytest_configure(config: pytest.Config) -> None:
    """Try more examples of each property in `make test-all`; CI names the profile."""
    settings.load_profile("quick" if "not thorough" in config.option.markexpr else "thorough")


@pytest.fixture(scope="session")
def all_folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with those of all tests, as the work folder of a box: each path outside it restarts the sandbox."""
    folder = tmp_path_factory.getbasetemp()
    folder.chmod(0o755)  # the sandbox may run programs as another user
    return folder


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """Return the folder of a test, which the sandbox may enter as another user."""
    tmp_path.chmod(0o755)
    return tmp_path


@pytest.fixture(scope="session", autouse=True)
def _no_settings(all_folders: Path) -> Iterator[None]:
    """Hide the settings of whoever runs the tests from the fixtures that tests share, too."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(all_folders / "config"))
        for name in [name for name in os.environ if name.startswith("JUDGE_")]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("JUDGE_JOBS", "1")  # every worker more is a sandbox more to start
        monkeypatch.delenv("GITHUB_ACTIONS", raising=False)  # it changes the default report
        yield


@pytest.fixture(autouse=True)
def _own_settings(all_folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every test settings and a user's cache of its own, which what it starts inherits."""
    number = next(_numbers)
    monkeypatch.setenv("XDG_CACHE_HOME", str(all_folders / f"cache{number}"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(all_folders / f"config{number}"))


def _after(words: list[str], before: Path | None, factory: pytest.TempPathFactory) -> Path:
    """Return a repository after a command of the judge: a new one, or a copy of the one before."""
    folder = factory.mktemp(words[0]) / "repository"
    if before is None:
        folder.mkdir()
    else:
        shutil.copytree(before, folder)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(folder)
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parent / "cache"))
        assert run_cli(words) == 0
    return folder


@pytest.fixture(scope="session")
def new_sums(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the problem `sums`, as `judge new` makes it; to be copied, not to be changed."""
    return _after(["new", "sums"], None, tmp_path_factory)


@pytest.fixture(scope="session")
def judged_sums(new_sums: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with the results of its solutions in the cache, so that tests run only what they change."""
    folder = _after(["run"], new_sums, tmp_path_factory)
    (folder / ".judge/history.sqlite").unlink()
    return folder


@pytest.fixture(scope="session")
def locked_sums(judged_sums: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with its cases locked."""
    return _after(["lock"], judged_sums, tmp_path_factory)


@pytest.fixture
def interrupted_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C when a page is about to be written: the report is complete nevertheless."""
    write = PageFile.write

    def interrupt_and_write(page: PageFile, *args: Any, **values: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        write(page, *args, **values)

    monkeypatch.setattr(PageFile, "write", interrupt_and_write)
