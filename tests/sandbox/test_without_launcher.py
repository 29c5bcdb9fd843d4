"""Runs do the same where the launcher's machine code cannot be used, such as on another architecture."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.base.errors import SandboxError
from judge.languages.interpreters import create_bare_venv
from judge.model import Ending, Level
from judge.sandbox import kernel
from judge.sandbox.box import Box, Command
from judge.sandbox.warm_box import WarmBox
from tests.programs import limits, run_python

WITHOUT = "zygote = sys.modules['judge.sandbox.zygote']; zygote._create_launcher = lambda **_: None; "


class ForkingBox(Box):
    """A box whose zygote forks."""

    def _zygote_command(self) -> list[str]:
        *before, start, package = super()._zygote_command()
        return [*before, start.replace("main()", WITHOUT + "main()"), package]


class SlowBox(Box):
    """A box whose zygote forks, on a machine where the setup of a run takes long."""

    def _zygote_command(self) -> list[str]:
        *before, start, package = super()._zygote_command()
        burn = "[None for _ in iter(lambda: time.process_time() < 0.4, False)]"
        slow = f"import time; make = zygote.make_calls; zygote.make_calls = lambda steps: ({burn}, make(steps)); "
        return [*before, start.replace("main()", WITHOUT + slow + "main()"), package]


class ForkingWarmBox(WarmBox):
    """A warm box whose zygote cannot use the launcher."""

    def _zygote_command(self) -> list[str]:
        argv = super()._zygote_command()
        return [word.replace("code, names = main(", WITHOUT + "code, names = main(") for word in argv]


@pytest.fixture(params=list(Level), ids=lambda level: level.value)
def level(request: pytest.FixtureRequest) -> Level:
    """A level that works on this machine."""
    found: Level = request.param
    try:
        with Box(levels=[found]) as box:
            assert box.level is found
    except SandboxError as error:
        pytest.skip(f"level {found.value} does not work here: {error}")
    return found


@pytest.fixture
def box(level: Level) -> Iterator[Box]:
    with ForkingBox(levels=[level]) as made:
        assert made.level is level
        yield made


def test_a_program_runs_and_its_ending_is_reported(box: Box) -> None:
    outcome = run_python(box, "import sys; print(sys.stdin.read()[::-1]); sys.exit(3)", b"abc")
    assert (outcome.stdout, outcome.result.exit_code) == (b"cba\n", 3)
    assert run_python(box, "import os; os.abort()").result.signal == 6


def test_limits_hold(box: Box) -> None:
    assert run_python(box, "while True: pass", within=limits(cpu=0.3)).result.ending is Ending.TIME_LIMIT
    assert run_python(box, "x = b'x' * (99 << 20)", within=limits(memory=64 << 20)).result.ending is Ending.MEMORY_LIMIT
    assert run_python(box, "print('x' * 9999)", within=limits(output=99)).result.ending is Ending.OUTPUT_LIMIT


@pytest.mark.thorough
def test_the_setup_time_of_a_run_is_not_charged_to_it(level: Level) -> None:
    cat = Command(argv=("/bin/cat",), stdin=b"fine\n")
    with SlowBox(levels=[level]) as slow:
        outcome = slow.run(cat, limits(cpu=0.35))
        assert (outcome.stdout, outcome.result.ending) == (b"fine\n", Ending.EXITED)
        assert outcome.result.cpu < 0.35
        spun = run_python(slow, "while True: pass", within=limits(cpu=0.35)).result
        assert spun.ending is Ending.TIME_LIMIT
        assert 0.35 < spun.cpu < 0.7, "neither ended too early nor charged too much"


def test_the_memory_of_a_small_program_is_reported_as_an_upper_bound(box: Box, tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    (tmp_path / "x.c").write_text("int main(void) { return 0; }\n")
    subprocess.run([compiler, "-o", tmp_path / "x", tmp_path / "x.c"], check=True)
    tmp_path.chmod(0o755)
    result = box.run(Command(argv=(str(tmp_path / "x"),), readable=(tmp_path,)), limits()).result
    assert result.exit_code == 0
    assert result.is_memory_upper_bound


def test_a_missing_program_is_a_sandbox_error(box: Box) -> None:
    with pytest.raises(SandboxError, match="/nonexistent/x: No such file"):
        box.run(Command(argv=("/nonexistent/x",)), limits())
    assert run_python(box, "print(1)").stdout == b"1\n"


FORKS = """
import errno, os
from judge.sandbox.launcher import Launcher, Table

launcher = Launcher()  # if this raised, every run would be slower without any other symptom
launcher.prepare_forks()

def status_of(pid, code):
    if pid == 0:
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

assert status_of(launcher.fork(Table([("getpid", (), 0), *launcher.final_steps()])), 7) == 7
assert launcher.failure() == ("", 0)
assert launcher.setup_cpu() > 0
assert status_of(launcher.fork(Table([("chdir", (0,), 0), *launcher.final_steps()])), 7) == 127
assert launcher.failure() == ("chdir", errno.EFAULT)
assert launcher.setup_cpu() == 0
assert status_of(os.fork(), 8) == 8, "other forks must not run the code"
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
        command = Command(argv=(create_bare_venv(tmp_path), "-I", str(source)), stdin=b"x\n", readable=(tmp_path,))
        first, second, other = warm.run(command, limits()), warm.run(command, limits()), cold.run(command, limits())
        number, facts = first.stdout.split(b" ", 1)
        assert number != second.stdout.split(b" ")[0], "both runs drew the same random number"
        assert facts == other.stdout.split(b" ", 1)[1]
        assert first.result.exit_code == 4
        assert first.result.cpu > 0
        fork = Command(argv=command.argv, stdin=b"fork\n", readable=(tmp_path,))
        assert warm.run(fork, limits()).stdout == cold.run(fork, limits()).stdout
