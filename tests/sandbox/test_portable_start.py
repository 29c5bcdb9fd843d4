"""Runs start in the same way where the launcher's machine code cannot be used: on another architecture, say."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.errors import SandboxError
from judge.interpreter import bare_python
from judge.model import Ending, Level
from judge.sandbox import kernel
from judge.sandbox.box import Box, Command
from judge.sandbox.warmbox import WarmBox
from tests.programs import limits, run_python

WITHOUT = "zygote = sys.modules['judge.sandbox.zygote']; zygote._launcher = lambda **_: None; "


class ForkingBox(Box):
    """A box whose server forks."""

    def _zygote(self) -> list[str]:
        *before, start, package = super()._zygote()
        return [*before, start.replace("main()", WITHOUT + "main()"), package]


class SlowBox(Box):
    """A box whose server forks, on a machine where shutting a run in takes long."""

    def _zygote(self) -> list[str]:
        *before, start, package = super()._zygote()
        burn = "[None for _ in iter(lambda: time.process_time() < 0.4, False)]"
        slow = f"import time; take = zygote.take; zygote.take = lambda steps: ({burn}, take(steps)); "
        return [*before, start.replace("main()", WITHOUT + slow + "main()"), package]


class ForkingWarmBox(WarmBox):
    """A warm box whose server cannot use the launcher."""

    def _zygote(self) -> list[str]:
        argv = super()._zygote()
        return [word.replace("code, names = main(", WITHOUT + "code, names = main(") for word in argv]


@pytest.fixture(params=list(Level), ids=lambda level: level.value)
def level(request: pytest.FixtureRequest) -> Level:
    """Return a level that this machine offers."""
    found: Level = request.param
    try:
        with Box(levels=[found]) as box:
            assert box.level is found
    except SandboxError as error:
        pytest.skip(f"level {found.value} is not to be had here: {error}")
    return found


@pytest.fixture
def box(level: Level) -> Iterator[Box]:
    with ForkingBox(levels=[level]) as made:
        assert made.level is level
        yield made


def test_a_program_runs_and_its_ending_is_told(box: Box) -> None:
    outcome = run_python(box, "import sys; print(sys.stdin.read()[::-1]); sys.exit(3)", b"abc")
    assert (outcome.stdout, outcome.result.exit_code) == (b"cba\n", 3)
    assert run_python(box, "import os; os.abort()").result.signal == 6


def test_limits_hold(box: Box) -> None:
    assert run_python(box, "while True: pass", within=limits(cpu=0.3)).result.ending is Ending.TIME_LIMIT
    assert run_python(box, "x = b'x' * (99 << 20)", within=limits(memory=64 << 20)).result.ending is Ending.MEMORY_LIMIT
    assert run_python(box, "print('x' * 9999)", within=limits(output=99)).result.ending is Ending.OUTPUT_LIMIT


def test_the_time_that_a_run_takes_to_be_shut_in_is_none_of_its_own(level: Level) -> None:
    cat = Command(argv=("/bin/cat",), stdin=b"fine\n")
    with SlowBox(levels=[level]) as slow:
        outcome = slow.run(cat, limits(cpu=0.35))
        assert (outcome.stdout, outcome.result.ending) == (b"fine\n", Ending.EXITED)
        assert outcome.result.cpu < 0.35
        spun = run_python(slow, "while True: pass", within=limits(cpu=0.35)).result
        assert spun.ending is Ending.TIME_LIMIT
        assert 0.35 < spun.cpu < 0.7, "neither ended too early nor charged too much"


def test_the_memory_of_a_small_program_is_said_to_be_a_floor(box: Box, tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    (tmp_path / "x.c").write_text("int main(void) { return 0; }\n")
    subprocess.run([compiler, "-o", tmp_path / "x", tmp_path / "x.c"], check=True)
    tmp_path.chmod(0o755)
    result = box.run(Command(argv=(str(tmp_path / "x"),), readable=(tmp_path,)), limits()).result
    assert result.exit_code == 0
    assert result.is_memory_upper_bound


def test_a_program_that_is_not_there_is_our_error(box: Box) -> None:
    with pytest.raises(SandboxError, match="/nonexistent/x: No such file"):
        box.run(Command(argv=("/nonexistent/x",)), limits())
    assert run_python(box, "print(1)").stdout == b"1\n"


FORKS = """
import errno, os
from judge.sandbox.launch import Launcher

launcher = Launcher()  # what raises here would make every run slower, and nobody would notice
launcher.prepare_forks()

def status_of(pid, code):
    if pid == 0:
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

assert status_of(launcher.fork([("getpid", (), 0), *launcher.last_steps()]), 7) == 7
assert launcher.failure() == ("", 0)
assert launcher.cpu() > 0
assert status_of(launcher.fork([("chdir", (0,), 0), *launcher.last_steps()]), 7) == 127
assert launcher.failure() == ("chdir", errno.EFAULT)
assert launcher.cpu() == 0
assert status_of(os.fork(), 8) == 8, "somebody else's fork is none of ours"
"""


@pytest.mark.skipif(not kernel.IS_X86_64, reason="the launcher's machine code is for x86_64")
def test_the_launcher_itself_works_here() -> None:
    subprocess.run([sys.executable, "-c", FORKS], check=True, cwd=Path(__file__).parents[2])


@pytest.mark.parametrize("kind", [WarmBox, ForkingWarmBox])
def test_warm_runs_do_the_same_with_and_without_the_launcher(kind: type[WarmBox], level: Level, tmp_path: Path) -> None:
    source = tmp_path / "x.py"
    source.write_text(
        "import os, random, sys\n"
        "if input() == 'fork':\n"
        "    try:\n"
        "        pid = os.fork()\n"
        "    except OSError:\n"
        "        print('refused')\n"
        "    else:\n"
        "        if pid == 0: os._exit(5)\n"
        "        print('child', os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
        "else:\n"
        "    print(random.random(), sorted(os.environ.items()), os.getsid(0) == os.getpid())\n"
        "    sys.exit(4)\n"
    )
    tmp_path.chmod(0o755)
    with kind(levels=[level]) as warm, Box(levels=[level]) as cold:
        command = Command(argv=(bare_python(tmp_path), "-I", str(source)), stdin=b"x\n", readable=(tmp_path,))
        first, second, other = warm.run(command, limits()), warm.run(command, limits()), cold.run(command, limits())
        number, facts = first.stdout.split(b" ", 1)
        assert number != second.stdout.split(b" ")[0], "both runs drew the same random number"
        assert facts == other.stdout.split(b" ", 1)[1]
        assert first.result.exit_code == 4
        assert first.result.cpu > 0
        fork = Command(argv=command.argv, stdin=b"fork\n", readable=(tmp_path,))
        assert warm.run(fork, limits()).stdout == cold.run(fork, limits()).stdout
