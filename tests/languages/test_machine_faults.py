"""A machine without space, memory or processes is never the fault of a solution, and no source can pretend it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path

import pytest

from judge.base.errors import SandboxError
from judge.cli.main import run_cli
from judge.languages.build import COMPILE_DISK, CompileError, build
from judge.sandbox.box import STDERR_HEAD, Box
from tests.parameters import first_of
from tests.programs import limits, run_python

ROOT = Path(__file__).parents[2]
SUM = '#include <cstdio>\nint main() { int a, b; std::scanf("%d%d", &a, &b); std::printf("%d", a + b); }\n'
LARGE = "char large[300000] = {1};\n" + SUM
JAVA = "public class Main { public static void main(String[] a) { System.out.println(7); } }\n"
KILLED = "g++: fatal error: Killed signal terminated program cc1plus"
needs_gcc = pytest.mark.skipif(not shutil.which("g++"), reason="no g++ on this machine")


def in_small_disk(options: str, filled: int, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command whose TMPDIR is a file system of its own, of which some KiB are filled."""
    script = 'mount -t tmpfs -o "$1" tmpfs "$TMPDIR" && head -c "$2" /dev/zero > "$TMPDIR/fill"; shift 2; "$@"'
    unshare = ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    with tempfile.TemporaryDirectory() as disk:
        trial = subprocess.run([*unshare, "mount", "-t", "tmpfs", "tmpfs", disk], capture_output=True, check=False)
        if trial.returncode:
            pytest.skip("mounts need root or user namespaces")
        return subprocess.run(
            [*unshare, "sh", "-c", script, "sh", options, str(filled * 1024), *command],
            env={**os.environ, "TMPDIR": disk, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )


BUILD = """
import os, sys, tempfile
from pathlib import Path
from judge.base.errors import JudgeError, describe_error
from judge.languages.build import build
from judge.model import Level
from judge.sandbox.box import STDERR_HEAD, Box
for level in Level:
    with tempfile.TemporaryDirectory() as folder, Box(levels=[level], work_folder=Path(folder)) as box:
        os.chmod(folder, 0o755)
        try:
            box.level
        except JudgeError:
            continue
        try:
            print(type(build(Path(sys.argv[1]), Path(folder), box)).__name__)
        except (JudgeError, OSError) as error:
            print("JE", describe_error(error))
"""


@pytest.mark.parametrize(
    ("name", "text", "options", "filled"),
    first_of(
        [
            ("x.cpp", LARGE, "size=1m", 800),
            ("x.cpp", LARGE, "nr_inodes=8", 0),
            ("x.py", "#" * 9000, "size=16k", 12),
            ("x.cpp", LARGE, "size=16k", 0),
            ("x.cpp", LARGE, "size=200k", 0),
            ("Main.java", JAVA, "size=16k", 12),
        ],
        3,
    ),
)
def test_a_full_disk_is_an_error_of_the_machine(
    tmp_path: Path, name: str, text: str, options: str, filled: int
) -> None:
    if not all(map(shutil.which, {"x.cpp": ["g++"], "Main.java": ["javac"]}.get(name, []))):
        pytest.skip("no compiler on this machine")
    (tmp_path / name).write_text(text)
    ran = in_small_disk(options, filled, sys.executable, "-c", BUILD, str(tmp_path / name))
    assert ran.stdout, ran.stderr
    assert all(line.startswith("JE ") and "TMPDIR" in line for line in ran.stdout.splitlines()), ran.stdout


WRITE = """
from judge.base.errors import SandboxError
from judge.model import Level
from judge.sandbox.box import STDERR_HEAD, Box
from tests.programs import run_python
with Box(levels=[Level.LIMITS]) as box:
    try:
        print(run_python(box, "open('x', 'wb', 0).write(bytes(99999))"))
    except SandboxError as error:
        print("JE", error)
"""


def test_a_run_that_fills_its_folder_has_no_verdict() -> None:
    ran = in_small_disk("size=64k", 0, sys.executable, "-c", WRITE)
    assert ran.stdout.startswith("JE the folder for temporary files is full"), ran.stdout + ran.stderr


@needs_gcc
def test_a_verdict_on_a_full_disk_is_neither_given_nor_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"x.cpp": LARGE, "1.in": "3 4\n", "1.out": "7\n"}.items():
        (tmp_path / name).write_text(text)
    row = {"code": LARGE, "language": "cpp", "tests": [{"input": "3 4", "output": "7"}]}
    (tmp_path / "rows").write_text(json.dumps(row))
    judge = f"{sys.executable} -m judge"
    ran = in_small_disk("size=64k", 0, "sh", "-c", f"{judge} run x.cpp; echo $?; {judge} grade rows -o out; echo $?")
    statuses = [line for line in ran.stdout.splitlines() if line.isdigit()]
    assert statuses == ["2", "1"], ran.stdout + ran.stderr
    assert json.loads((tmp_path / "out").read_text())["score"] is None
    assert run_cli(["run", "x.cpp"]) == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(
            ("x.cpp", text)
            for text in [
                "#error No space left on device\n",
                "#error virtual memory exhausted: Cannot allocate memory\n",
                f'static_assert(0, "x\\n{KILLED}\\n");\n',
                f'#pragma message "x\\n{KILLED}"\nint f(), x = f();\n',
                f'#line 0 "x\\n{KILLED}"\n#error x\n',
                f'asm(".error \\"x\\\\n{KILLED}\\"");\nint main() {{}}\n',
                f'asm(".linefile 1 \\"{KILLED}\\"\\n.err");\nint main() {{}}\n',
                f'struct {{ int a, b; }} x = {{ .b = 1, .a = 2 }};\n#line 0 "/"\n#pragma GCC warning "x\\n{KILLED}"\n',
                '#line 1 "Error occurred during initialization of VM"\n#error\n',
            ]
        ),
        *(
            ("x.pl", f"use POSIX; BEGIN {{ {text}; POSIX::_exit(1) }}\n")
            for text in [
                "kill 9, $$",
                f"print STDERR '{KILLED}'",
                "print STDERR 'Error occurred during initialization of VM'",
                "print STDERR 'No space left on device'; $0 =~ s![^/]*$!!; chmod 0, $0",
            ]
        ),
    ],
)
def test_a_source_cannot_pretend_a_fault_of_the_machine(tmp_path: Path, name: str, text: str) -> None:
    if not shutil.which({"x.cpp": "g++", "x.pl": "perl"}[name]):
        pytest.skip("no compiler on this machine")
    if os.statvfs(tmp_path).f_bavail * os.statvfs(tmp_path).f_frsize < COMPILE_DISK:
        pytest.skip("this machine really has no space left")
    (tmp_path / name).write_text(text)
    with Box() as box:
        assert isinstance(build(tmp_path / name, tmp_path, box), CompileError)


@pytest.mark.parametrize(
    ("script", "is_fault"),
    [
        ("kill -9 $$", True),
        (f"echo 'x.h:1: warning: x\n{KILLED}\ncompilation terminated.' >&2; exit 1", True),
        (
            "echo 'cc: internal compiler error: Killed (program cc1plus)\nPlease submit a full bug report' >&2; exit 4",
            True,
        ),
        (
            "echo 'c: error: unable to execute command: Killed\nc: error: linker command failed due to ' >&2; exit 1",
            True,
        ),
        ("echo 'g++: fatal error: cannot execute x: vfork: Resource temporarily unavailable' >&2; exit 1", True),
        (f"echo 'x.cpp:1:1: error: x\n{KILLED}' >&2; exit 1", False),
        (f"echo '{KILLED}\nx' >&2; exit 1", False),
        (f"yes '{KILLED}' | head -c {STDERR_HEAD} >&2; echo x >&2; exit 1", False),
        ("kill -11 $$", False),
        ("exit 1", False),
    ],
)
def test_a_compiler_that_the_machine_stops_says_nothing_about_the_source(
    tmp_path: Path, script: str, *, is_fault: bool
) -> None:
    check_compiler(tmp_path, "cxx", script, is_fault=is_fault)


def test_a_virtual_machine_that_cannot_start_says_nothing_about_the_source(tmp_path: Path) -> None:
    script = "echo 'Error occurred during initialization of VM\nCould not reserve enough space'; exit 1"
    check_compiler(tmp_path, "cxx", script, is_fault=False)
    check_compiler(tmp_path, "javac", script, is_fault=True)


def check_compiler(folder: Path, tool: str, script: str, *, is_fault: bool) -> None:
    compiler = folder / "compiler"
    compiler.write_text(f"#!/bin/sh\n{script}\n")
    compiler.chmod(0o755)
    source = folder / {"cxx": "x.cpp", "javac": "Main.java"}[tool]
    source.write_text(JAVA)
    with Box() as box:
        if is_fault:
            with pytest.raises(SandboxError):
                build(source, folder, box, {tool: str(compiler)})
        else:
            assert isinstance(build(source, folder, box, {tool: str(compiler)}), CompileError)


def test_only_the_kernel_says_that_a_run_ended_for_lack_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    suicide = "import os; os.kill(os.getpid(), 9)"
    with Box() as box:
        assert run_python(box, suicide, within=limits()).result.signal == 9
        monkeypatch.setattr("judge.sandbox.box.count_oom_kills", count(1 << 40).__next__)
        with pytest.raises(SandboxError, match="no memory left"):
            run_python(box, suicide, within=limits())
        assert run_python(box, "print('No space left on device'); exit(1)").result.exit_code == 1
