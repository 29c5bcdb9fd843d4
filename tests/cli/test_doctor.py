"""The levels of the sandbox: found by trying, reported, and refused if they are weaker than required."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from judge.base.errors import SandboxError, UsageError
from judge.cli.commands.doctor import PROTECTS, remedy
from judge.model import Ending, Level
from judge.sandbox.box import Box
from judge.workspace.session import require_level
from tests.container import CONTAINER, JUDGE, LANDLOCK, OPEN_TREE, ROOT, UNSHARE, run
from tests.programs import box_at, limits, run_python

AS_ROOT = pytest.mark.skipif(os.getuid() != 0, reason="root is needed")


def test_the_doctor_names_the_level_that_runs_get() -> None:
    with Box() as box:
        level = box.level
    ran = run("doctor")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[0] == f"sandbox: {level.value}"
    assert "Python 3  " in ran.stdout


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("refused", "level", "said"),
    [
        ((UNSHARE,), Level.LANDLOCK, "allow user namespaces"),
        ((OPEN_TREE,), Level.LANDLOCK, "use Linux 5.12 or newer"),
        ((UNSHARE, LANDLOCK), Level.LIMITS, "with landlock enabled"),
        ((LANDLOCK,), Level.FULL, "with landlock enabled"),
        pytest.param((UNSHARE,), Level.LANDLOCK, "programs run as: root without its privileges", marks=AS_ROOT),
        pytest.param((UNSHARE, LANDLOCK), Level.LIMITS, "programs run as: root with all its privileges", marks=AS_ROOT),
    ],
)
def test_in_a_container_the_doctor_says_what_is_missing_and_how_to_get_it(
    refused: tuple[int, ...], level: Level, said: str
) -> None:
    box_at(level).close()
    ran = run("doctor", refused=refused)
    assert ran.stdout.splitlines()[0] == f"sandbox: {level.value}"
    assert said in ran.stdout
    assert run("doctor", "--require-sandbox", level.value, refused=refused).returncode == 0


def test_where_a_policy_kills_who_tries_a_level_the_next_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    box_at(Level.LANDLOCK).close()
    monkeypatch.setattr("tests.container.CONTAINER", CONTAINER.replace("0x50000 | errno.EPERM", "0x80000000"))
    ran = run("doctor", refused=(OPEN_TREE,))
    assert "full: killed at startup" in ran.stdout
    ran = run("run", "uva131", "--group", "sample", "-f", "plain", refused=(OPEN_TREE,))
    assert ran.returncode == 0, ran.stderr
    assert "sandbox landlock" in ran.stdout


def test_a_run_with_less_than_the_required_level_is_refused() -> None:
    box_at(Level.LANDLOCK).close()
    ran = run("run", "uva131", "--group", "sample", "--require-sandbox", "full", refused=(UNSHARE,))
    assert ran.returncode == 2
    assert ran.stderr == (
        "judge: --require-sandbox full: this machine offers landlock; "
        "`judge doctor` shows what is missing and how to get it\n"
    )


def test_a_run_with_less_than_full_says_its_level() -> None:
    box_at(Level.LANDLOCK).close()
    ran = run("run", "uva131", "--group", "sample", "-f", "plain", refused=(UNSHARE,))
    assert ran.returncode == 0, ran.stdout
    assert "sandbox landlock (no namespaces)" in ran.stdout


def test_what_is_enough_is_not_refused() -> None:
    require_level(Level.FULL, Level.LANDLOCK)
    require_level(Level.LANDLOCK, Level.LANDLOCK)
    require_level(Level.LIMITS, Level.LIMITS)
    for found in (Level.LIMITS, None):
        with pytest.raises(UsageError):
            require_level(found, Level.LANDLOCK)


def test_where_proc_is_hidden_nothing_runs_unwatched() -> None:
    hidden = ["unshare", "--mount", "sh", "-c", 'umount -l /proc && exec "$@"', "sh"]
    if subprocess.run([*hidden, "true"], capture_output=True, check=False).returncode:
        pytest.skip("mounts cannot be changed here (root is needed)")
    ran = subprocess.run(
        [*hidden, *JUDGE, "run", "uva131", "--group", "sample"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if ran.returncode != 0:  # a level with a /proc of its own may work
        assert ran.returncode == 2
        assert "/proc" in ran.stderr + ran.stdout
        assert "Traceback" not in ran.stderr


def test_a_level_that_does_not_work_is_an_error_and_not_another_level() -> None:
    with Box(levels=[]) as box, pytest.raises(SandboxError, match="no sandbox level works here"):
        run_python(box, "pass")


def test_every_level_is_described_and_every_refusal_has_an_answer() -> None:
    assert PROTECTS.keys() == set(Level)
    assert remedy("unshare: Operation not permitted") != remedy("mount proc on /x: Operation not permitted")
    assert "report" in remedy("something new")


@pytest.mark.parametrize("level", list(Level))
def test_a_box_with_few_descriptors_left_is_our_error_and_never_a_verdict(level: Level) -> None:
    source = (
        "import resource; from tests.programs import *; from judge.model import Level\n"
        f"box = Box(levels=[Level('{level.value}')]); box.level\n"
        "used = len(os.listdir('/proc/self/fd'))\n"
        "for room in range(1, 14):\n"
        "    resource.setrlimit(resource.RLIMIT_NOFILE, (used + room, 16384))\n"
        "    try: print(run_python(box, 'print(1)').stdout)\n"
        "    except (SandboxError, OSError): print('ours')\n"
    )
    box_at(level).close()
    ran = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    said = set(ran.stdout.splitlines())
    assert said <= {"b'1\\n'", "ours"}
    assert len(said) == 2


@pytest.mark.thorough
def test_java_and_its_threads_work_at_every_level(tmp_path: Path) -> None:
    from judge.languages.build import Program, build
    from judge.languages.table import LANGUAGES
    from judge.languages.tools import describe_tools

    java = next(language for language in LANGUAGES if language.id == "java")
    if "needs" in describe_tools(java):
        pytest.skip(describe_tools(java))
    source = tmp_path / "answer.java"
    source.write_text(
        "import java.util.*;\n"
        "public class Main {\n"
        "  static class Box<T> { T x; }\n"
        "  public static void main(String[] a) throws Exception {\n"
        "    Scanner in = new Scanner(System.in); long sum = 0;\n"
        "    while (in.hasNextInt()) sum += in.nextInt();\n"
        "    List<int[]> kept = new ArrayList<>();\n"
        "    for (int i = 0; i < 200; i++) { kept.add(new int[100000]); if (i % 10 == 0) kept.clear(); }\n"
        "    final long[] got = new long[4]; Thread[] ts = new Thread[4];\n"
        "    for (int i = 0; i < 4; i++) { final int k = i; ts[i] = new Thread(() -> got[k] = k); ts[i].start(); }\n"
        "    for (Thread t : ts) t.join();\n"
        "    System.out.println(sum + Arrays.stream(got).sum());\n"
        "  }\n"
        "}\n"
    )
    tmp_path.chmod(0o755)
    for level in Level:
        try:
            with Box(levels=[level]) as box:
                assert box.level is level
                built = build(source, tmp_path, box)
                assert isinstance(built, Program), built
                within = limits(cpu=10, wall=30, memory=512 << 20)
                outcome = box.run(built.command(b"40 2\n", within), within)
        except SandboxError as error:
            assert "no sandbox level works here" in str(error), error  # noqa: PT017 - the level is not to be had
            continue
        assert (outcome.stdout, outcome.result.ending) == (b"48\n", Ending.EXITED), outcome.result
