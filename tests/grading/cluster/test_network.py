"""Scheduler and workers in network namespaces: whatever is cut off or killed, the verdicts are the same."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="Dask is not installed: pip install '.[dask]'")

ROOT = Path(__file__).parents[3]
MARK = os.getpid()  # several of these may run at once
SUBNET = f"198.18.{MARK % 256}"  # for tests of networks: RFC 2544, appendix C.2.2
BRIDGE = f"jb{MARK}"
COUNT = 30
SLOW = "import time; time.sleep(0.3); "


def ip(*args: str) -> None:
    subprocess.run(["ip", *args], check=True, capture_output=True)


def _space(name: str) -> str:
    return f"judge-{MARK}-{name}"


def _link(name: str) -> str:
    return f"jv{MARK}{name[0]}{name[-1]}"


class Network:
    """A bridge, and machines that are connected with it; removed by `close`."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s",  # until a silent connection counts as lost
        }
        try:
            self._add("link", BRIDGE, "link", "add", BRIDGE, "type", "bridge")
            ip("addr", "add", f"{SUBNET}.1/24", "dev", BRIDGE)
            ip("link", "set", BRIDGE, "up")
            for number, name in enumerate(("scheduler", "worker1", "worker2"), start=2):
                self._add_machine(name, number)
        except BaseException:
            self.close()
            raise

    def _add(self, kind: str, name: str, *args: str) -> None:
        ip(*args)
        self._stack.callback(subprocess.run, ["ip", kind, "del", name], capture_output=True, check=False)

    def _add_machine(self, name: str, number: int) -> None:
        space, link = _space(name), _link(name)
        self._add("netns", space, "netns", "add", space)
        self._add("link", link, "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", space)
        ip("link", "set", link, "master", BRIDGE, "up")
        for command in (
            ["addr", "add", f"{SUBNET}.{number}/24", "dev", "eth0"],
            ["link", "set", "eth0", "up"],
            ["link", "set", "lo", "up"],
        ):
            ip("-n", space, *command)

    def start(self, name: str) -> None:
        """Start, or restart, what runs on a machine."""
        if name in self._processes:
            self.kill(name)
        kind = name.rstrip("12")
        tail = {
            "scheduler": ["--port", "8786", "--no-dashboard"],
            "worker": [f"tcp://{SUBNET}.2:8786", "--nthreads", "1", "--no-nanny", "--no-dashboard"],
        }[kind]
        self._processes[name] = subprocess.Popen(
            ["ip", "netns", "exec", _space(name), sys.executable, "-m", f"distributed.cli.dask_{kind}", *tail],
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def kill(self, name: str) -> None:
        """Kill what runs on a machine."""
        if (process := self._processes.pop(name, None)) is not None:
            process.send_signal(signal.SIGKILL)
            process.wait()

    def cut(self, name: str) -> None:
        """Cut a machine off."""
        ip("link", "set", _link(name), "down")

    def join(self, name: str) -> None:
        """Connect it again."""
        ip("link", "set", _link(name), "up")

    def grade(self, *args: str) -> "subprocess.Popen[str]":
        """Start the command here."""
        command = [sys.executable, "-m", "judge", "grade", "rows.jsonl", "-o", "results.jsonl", *args]
        return subprocess.Popen(
            [*command, "--scheduler", f"tcp://{SUBNET}.2:8786"],
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def close(self) -> None:
        """Kill and remove everything."""
        for name in list(self._processes):
            self.kill(name)
        self._stack.close()


@pytest.fixture
def network() -> Iterator[Network]:
    try:
        made = Network()
    except (OSError, subprocess.CalledProcessError) as error:
        reason = error.stderr.decode() if isinstance(error, subprocess.CalledProcessError) else error
        pytest.skip(f"network namespaces need root and `ip` of iproute2: {reason}")
    try:
        yield made
    finally:
        made.close()


def write_rows() -> dict[str, str]:
    """Write rows that take a while each; return their verdicts."""
    kinds = [("print(input())", "AC"), ("print(0)", "WA"), ("1 / 0", "RTE")]
    expected = {}
    with Path("rows.jsonl").open("w") as file:
        for number in range(COUNT):
            code, verdict = kinds[number % 3]
            row = {"id": str(number), "code": SLOW + code, "tests": [{"input": "7", "output": "7"}]}
            file.write(json.dumps({**row, "limits": {"wall_s": 60}}) + "\n")
            expected[str(number)] = verdict
    return expected


def read_verdicts() -> dict[str, str]:
    rows = [json.loads(line) for line in Path("results.jsonl").read_text().splitlines()]
    found = {row["id"]: row["verdict"] for row in rows}
    assert len(found) == len(rows)  # none twice
    return found


def wait_for_results(count: int) -> None:
    """Wait until there are some."""
    deadline = time.monotonic() + 60
    while not (path := Path("results.jsonl")).exists() or path.read_text().count("\n") < count:
        assert time.monotonic() < deadline, f"fewer than {count} results after 60 s"
        time.sleep(0.05)


def blink(network: Network) -> None:
    """Cut a worker off for less than the time until its connection counts as lost."""
    network.cut("worker1")
    time.sleep(2)
    network.join("worker1")


def start_all(network: Network) -> None:
    """Start a cluster of two workers."""
    for name in ("scheduler", "worker1", "worker2"):
        network.start(name)


def grade_and_disturb(network: Network, disturb: Callable[[Network], None]) -> tuple[int, str]:
    """Grade on a new cluster, do something to it after some results; return the exit status and the output."""
    start_all(network)
    process = network.grade()
    wait_for_results(4)
    disturb(network)
    output, _ = process.communicate(timeout=180)
    return process.returncode, output


@pytest.mark.thorough
@pytest.mark.parametrize(
    "disturb",
    [
        pytest.param(lambda network: network.kill("worker1"), id="worker-killed"),
        pytest.param(lambda network: network.cut("worker1"), id="worker-cut-off"),
        pytest.param(blink, id="worker-cut-off-for-a-moment"),
    ],
)
def test_a_lost_worker_costs_no_row(
    network: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disturb: Callable[[Network], None]
) -> None:
    monkeypatch.chdir(tmp_path)
    expected = write_rows()
    status, output = grade_and_disturb(network, disturb)
    assert status == 0, output
    assert read_verdicts() == expected


@pytest.mark.thorough
@pytest.mark.parametrize(
    "disturb",
    [
        pytest.param(lambda network: network.kill("scheduler"), id="scheduler-killed"),
        pytest.param(lambda network: network.cut("scheduler"), id="scheduler-cut-off"),
    ],
)
def test_a_lost_scheduler_is_one_clear_error_and_resume_completes(
    network: Network, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disturb: Callable[[Network], None]
) -> None:
    monkeypatch.chdir(tmp_path)
    expected = write_rows()
    status, output = grade_and_disturb(network, disturb)
    assert status == 2, output
    assert "Traceback" not in output
    assert output.count("is lost:") == 1, output
    assert "--resume grades the rest" in output
    assert len(read_verdicts()) < COUNT
    start_all(network)
    network.join("scheduler")
    process = network.grade("--resume")
    output, _ = process.communicate(timeout=180)
    assert process.returncode == 0, output
    assert read_verdicts() == expected
