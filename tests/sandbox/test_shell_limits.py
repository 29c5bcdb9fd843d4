"""The limits of the shell: raised where that is allowed, or else named instead of a verdict that they may decide."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNPRIVILEGED = ("setpriv", "--bounding-set", "-sys_resource")
pytestmark = pytest.mark.skipif(
    not (shutil.which("prlimit") and shutil.which("setpriv")), reason="needs prlimit and setpriv of util-linux"
)

INHERITED = """
import resource as r
least = {r.RLIMIT_AS: 1 << 40, r.RLIMIT_DATA: 1 << 40, r.RLIMIT_NOFILE: 192, r.RLIMIT_STACK: 1 << 28, r.RLIMIT_CPU: 2}
print(7 if all(r.getrlimit(each)[0] % (1 << 64) >= value for each, value in least.items()) else 0)
"""


def start(folder: Path, *words: str, limits: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Run the judge with limits, in a process that must not raise hard ones even if it is root."""
    unprivileged = UNPRIVILEGED if subprocess.run([*UNPRIVILEGED, "true"], check=False).returncode == 0 else ()
    command = ["prlimit", *limits, *unprivileged, sys.executable, "-m", "judge", *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}  # a cut module would remain
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=folder)


def judged(folder: Path, source: str, *limits: str) -> tuple[int, str, str]:
    """Judge a source under limits; return the exit status, the verdict and its reason."""
    for name, text in {"a.py": source, "1.in": "", "1.out": "7\n"}.items():
        (folder / name).write_text(text)
    ran = start(folder, "run", "a.py", "-f", "json", "--time-limit", "30", limits=limits)
    case = json.loads(ran.stdout)["problems"][0]["solutions"][0]["cases"][0]
    return ran.returncode, case["verdict"], case["reason"]


def test_soft_limits_are_raised(tmp_path: Path) -> None:
    soft = ("--as=2000000000:", "--data=500000000:", "--fsize=8192:", "--nofile=30:", "--stack=1048576:", "--cpu=20:")
    assert judged(tmp_path, INHERITED, *soft, "--nproc=50:")[:2] == (0, "AC")


LOW = {
    "-v": "--as=1000000000",
    "-d": "--data=500000000",
    "-t": "--cpu=20",
    "-s": "--stack=1048576",
    "-u": "--nproc=20",
}


@pytest.mark.parametrize("option", LOW)
def test_under_a_low_limit_what_fails_gets_no_verdict(tmp_path: Path, option: str) -> None:
    status, verdict, reason = judged(tmp_path, "exit(1)", LOW[option])
    assert (status, verdict) == (2, "JE")
    assert f"(`ulimit -H {option}`)" in reason


@pytest.mark.parametrize("option", ["-v", "-s"])
def test_under_a_low_limit_what_is_right_is_accepted(tmp_path: Path, option: str) -> None:
    assert judged(tmp_path, "print(7)", LOW[option])[:2] == (0, "AC")


@pytest.mark.parametrize(("option", "limit"), [("-f", "--fsize=65536"), ("-n", "--nofile=40")])
def test_under_a_limit_that_a_program_may_not_notice_nothing_runs(tmp_path: Path, option: str, limit: str) -> None:
    status, verdict, reason = judged(tmp_path, "print(7)", limit)
    assert (status, verdict) == (2, "JE")
    assert f"(`ulimit -H {option}`)" in reason


@pytest.mark.parametrize(("source", "verdict"), [("exit(1)", "RTE"), ("import os; os.kill(os.getpid(), 11)", "JE")])
def test_a_limit_of_the_stack_below_that_of_memory_may_explain_a_crash_only(
    tmp_path: Path, source: str, verdict: str
) -> None:
    assert judged(tmp_path, source, "--stack=67108864")[1] == verdict


def test_the_doctor_names_a_limit_that_is_too_low(tmp_path: Path) -> None:
    ran = start(tmp_path, "doctor", limits=(LOW["-v"],))
    assert "\nlimits: the limit on address space that the judge inherits (`ulimit -H -v`) is 976562 KiB, " in ran.stdout
