"""Worker processes of this machine: nothing that another user or the current folder has is imported, nothing stays."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from stat import S_IMODE
from urllib.request import urlopen

import pytest

from tests.hostile_folder import write_command, write_modules

pytest.importorskip("distributed", reason="Dask is not installed: pip install '.[dask]'")
pytest.importorskip("cryptography", reason="cryptography is not installed: pip install '.[dask]'")
from judge.grading.cluster.connection import start_workers

pytestmark = [pytest.mark.filterwarnings("ignore")]  # Dask leaves sockets to the garbage collector
_DEADLINE_S = 120  # the machine may be busy


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, in which someone else has made that of Dask; with hostile modules everywhere."""
    folder = write_modules(tmp_path / "tmp/dask-scratch-space", tmp_path / "mark")
    folder.chmod(0o777)
    monkeypatch.chdir(write_modules(tmp_path / "current", tmp_path / "mark"))
    monkeypatch.setenv("TMPDIR", str(folder.parent))
    monkeypatch.setattr("tempfile.tempdir", None)
    return folder.parent


def test_modules_come_from_the_judge_and_private_folders_only(shared: Path) -> None:
    before = sys.path.copy()
    with start_workers(1) as client:
        paths = [
            sys.path.copy(),
            client.run_on_scheduler(lambda: list(sys.path)),
            *client.run(lambda: list(sys.path), nanny=True).values(),
            *client.run(lambda: list(sys.path)).values(),
        ]
        added = {Path(each) for path in paths for each in path if each not in before}
        (private,) = {path for path in shared.iterdir() if path.name != "dask-scratch-space"}
        assert (S_IMODE(private.stat().st_mode), private.stat().st_uid) == (0o700, os.getuid())
        assert added
        assert all(path.is_relative_to(private) for path in added)
        assert paths[:3] == [before] * 3
        assert client.run(lambda: sys.flags.safe_path).popitem()[1]
    assert [path.name for path in shared.iterdir()] == ["dask-scratch-space"]
    assert sys.path == before
    assert "PYTHONSAFEPATH" not in os.environ


def test_other_users_find_no_pages_at_the_ports_of_http() -> None:
    with start_workers(1) as client:
        ports = [
            client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.http_server.port),
            *client.run(lambda dask_worker: dask_worker.http_server.port, nanny=False).values(),
        ]
        for port in ports:
            with urlopen(f"http://127.0.0.1:{port}/sitemap.json") as response:
                assert json.load(response)["paths"] == ["/sitemap.json"]


@pytest.mark.parametrize("number", [0, signal.SIGTERM])
def test_workers_import_nothing_from_the_current_folder_and_leave_nothing(
    shared: Path, tmp_path: Path, number: int
) -> None:
    row = {"id": "a", "code": "print(3)", "tests": [{"input": "", "output": "3\n"}]}
    command = [*write_command(tmp_path / "bin"), "grade", "-", "-o", "-", "--workers", "1", "-q"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{json.dumps(row)}\n")
        process.stdin.flush()
        if number:
            assert json.loads(process.stdout.readline())["verdict"] == "AC"
            process.send_signal(number)
        out, err = process.communicate(timeout=_DEADLINE_S)
        assert number or json.loads(out.splitlines()[0])["verdict"] == "AC", err
        assert process.returncode == (128 + number if number else 0), err
    assert [path.name for path in shared.iterdir()] == ["dask-scratch-space"]
    assert not (tmp_path / "mark").exists()
