"""The sandbox: it reports what happened, limits hold, and nothing survives a run."""

import marshal
import os
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from judge.base.errors import SandboxError
from judge.base.units import MIB
from judge.languages.build import Program, build
from judge.model import Ending, Level, Limits
from judge.sandbox import proc, run_files, work_folder
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.installations import required_paths
from judge.sandbox.proc import descendant_pids
from judge.sandbox.protocol import MAX_MESSAGE
from tests.parameters import with_thorough
from tests.programs import PYTHON, box_at, limits, processes_with, run_python


@pytest.fixture(scope="module", params=with_thorough(Level, [Level.LANDLOCK]), ids=lambda level: level.value)
def box(request: pytest.FixtureRequest) -> Iterator[Box]:
    with box_at(request.param) as made:
        yield made


@pytest.fixture(scope="module")
def open_box() -> Iterator[Box]:
    """A box whose runs may write into their folder."""
    with box_at(Level.LIMITS) as made:
        yield made


def test_a_program_reads_its_input_and_its_output_is_returned_whole(box: Box) -> None:
    outcome = run_python(box, "import sys; sys.stdout.write(sys.stdin.read().upper())", b"hello\n" * 1000)
    assert outcome.stdout == b"HELLO\n" * 1000
    assert outcome.result.ending is Ending.EXITED
    assert (outcome.result.exit_code, outcome.result.signal) == (0, None)
    assert outcome.result.output_bytes == 6000


def test_an_input_may_be_a_file(box: Box, tmp_path: Path) -> None:
    path = tmp_path / "x.in"
    path.write_bytes(b"1 2 3\n")
    assert run_python(box, "print(sum(map(int, input().split())))", path).stdout == b"6\n"


SEVERAL = """
import os, sys
text = sys.stdin.read()
print(text, sorted(os.listdir("/proc/self/fd"))[:3] if text == "files" else "")
if text == "fail": sys.exit("no")
if text == "errors": sys.stderr.write("e" * 20_000)
if text == "large": sys.stdout.write("o" * 100_000)
if text == "too much": sys.stdout.write("o" * 9_000_000)
if text == "signal": os.abort()
if text == "loop":
    while True: pass
if text == "input": os.write(os.open("/proc/self/fd/0", os.O_RDWR), b"changed")
"""


def test_several_inputs_give_what_each_of_them_gives_alone(box: Box) -> None:
    within = limits(cpu=0.3)
    command = Command(argv=(PYTHON, "-I", "-c", SEVERAL))
    texts = ["a", "fail", "b", "errors", "large", "signal", "input", "c", "loop", "files", "", "e" * 40_000, "d", "e"]
    left = [text.encode() for text in texts]
    found: list[Outcome] = []
    while left:
        outcomes = box.run_some(command, left, within)
        assert 1 <= len(outcomes) <= len(left)
        found += outcomes
        left = left[len(outcomes) :]

    def facts(outcome: Outcome) -> object:
        result = outcome.result
        ended = result.ending, result.exit_code, result.signal
        return ended, result.output_bytes, result.stderr_tail, result.stderr_cut, outcome.stdout, outcome.stderr

    alone = [box.run(replace(command, stdin=text.encode()), within) for text in texts]
    assert list(map(facts, found)) == list(map(facts, alone))


def test_several_runs_end_early_where_the_judge_may_have_to_do_something(box: Box, tmp_path: Path) -> None:
    command = Command(argv=(PYTHON, "-I", "-c", SEVERAL))
    for texts in (["errors", "a"], ["too much", "a"], ["e" * 40_000, "a"]):
        assert len(box.run_some(command, [text.encode() for text in texts], limits())) == 1
    beyond = box.run_some(command, [b"e" * 2000, b"a"], limits(output=1000))
    assert [(each.result.ending, each.stdout) for each in beyond[:1]] == [(Ending.OUTPUT_LIMIT, b"")]
    assert len(box.run_some(command, [b"large", b"a"], limits(output=1000))) == 1
    quick = replace(command, argv=(PYTHON, "-I", "-S", "-c", ""))
    with_folder = [replace(quick, writable=tmp_path), replace(quick, needs_scratch=True)]  # others would see its files
    for each in [*with_folder, replace(quick, keeps_stderr=True), *([quick] if box.level is Level.LIMITS else [])]:
        assert len(box.run_some(each, [b"", b""], limits())) == 1
    sleep = Command(argv=(PYTHON, "-I", "-c", "import time; time.sleep(0.1)"))
    assert len(box.run_some(sleep, [b"", b""], limits())) == 1


def test_several_runs_can_be_interrupted_and_survive_the_end_of_their_zygote(box: Box) -> None:
    command = Command(argv=(PYTHON, "-I", "-c", SEVERAL))
    run_python(box, "pass")
    os.kill(box._pid, signal.SIGKILL)
    assert [each.stdout for each in box.run_some(command, [b"a", b"b"], limits())][:1] == [b"a \n"]
    timer = threading.Timer(0.2, box.interrupt)
    timer.start()
    with pytest.raises(SandboxError, match="interrupted"):
        box.run_some(command, [b"loop", b"b"], limits(cpu=60))
    timer.join()
    box.reopen()
    assert box.run_some(command, [b"a", b"b"], limits())[0].stdout == b"a \n"


@pytest.mark.parametrize("kinds", with_thorough([2, 3, 12], [3, 12]))  # few are kept as they are
def test_programs_that_take_turns_get_their_own_arguments_limits_and_rights(
    box: Box, kinds: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    tmp_path = tmp_path_factory.mktemp("turns")
    tmp_path.chmod(0o755)
    code = (
        "import sys, os, resource\nprint(sys.argv[1:], os.environ['X'], resource.getrlimit(resource.RLIMIT_FSIZE)[0])\n"
    )
    code += "for name in sys.argv[2:]:\n  try: print(open(name).read())\n  except OSError: print('refused')\n"
    names = [str(tmp_path / f"{number}.txt") for number in range(kinds)]
    for number, name in enumerate(names):
        Path(name).write_text(str(number))
    commands = [
        Command(
            argv=(PYTHON, "-I", "-S", "-c", code, "x" * (number + 1), *names),
            environment={"X": "y" * number},
            readable=(Path(names[number]),),
        )
        for number in range(kinds)
    ]
    for turn in range(3):
        for number, command in enumerate(commands):
            outcome = box.run(command, limits(output=1000 + 1000 * number))
            first, *contents = outcome.stdout.decode().splitlines()
            assert first == f"{['x' * (number + 1), *names]} {'y' * number} {1001 + 1000 * number}", turn
            if box.level is not Level.LIMITS:
                wanted = [str(number) if other == number else "refused" for other in range(kinds)]
                assert contents == wanted


def test_rights_stay_right_while_very_many_programs_take_turns(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("rights")
    folder.chmod(0o755)
    paths = [folder / f"{number}.txt" for number in range(120)]
    for path in paths:
        path.write_text(path.name)

    def read(box: Box, number: int) -> bytes:
        other = paths[number - 1]
        command = Command(argv=("/bin/cat", str(paths[number]), str(other)), readable=(paths[number],))
        return box.run(command, limits()).stdout

    with Box(work_folder=folder) as box:
        for number in range(1, len(paths)):
            assert read(box, number) == paths[number].name.encode()
            if number % 3 == 0:  # often enough to be kept, while the rights of others take its place
                assert read(box, 1) == paths[1].name.encode()


def test_a_run_that_differs_from_the_last_one_uses_its_own_input_and_limits(box: Box) -> None:
    doubles = "import sys; sys.stdout.write(input() * 2)"
    assert [run_python(box, doubles, text).stdout for text in (b"a", b"b", b"b")] == [b"aa", b"bb", b"bb"]
    assert run_python(box, doubles, b"c" * 99, within=limits(output=100)).result.ending is Ending.OUTPUT_LIMIT
    assert run_python(box, doubles, b"c" * 99).stdout == b"c" * 198
    assert run_python(box, "print(input())", b"d").stdout == b"d\n"


@pytest.mark.parametrize("code", [1, 42, 255])
def test_an_exit_status_is_reported(box: Box, code: int) -> None:
    assert run_python(box, f"raise SystemExit({code})").result.exit_code == code


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGKILL", "SIGTERM", "SIGPIPE", "SIGINT"])
def test_a_signal_is_reported(box: Box, name: str) -> None:
    source = f"import os, signal; signal.signal(signal.{name}, signal.SIG_DFL) if '{name}' != 'SIGKILL' else 0;"
    result = run_python(box, f"{source} os.kill(os.getpid(), signal.{name})").result
    assert (result.ending, result.signal) == (Ending.SIGNALED, getattr(signal, name))


def test_the_end_of_standard_error_is_kept(box: Box) -> None:
    outcome = run_python(box, "import sys; sys.stderr.write('x' * 100000 + 'the end'); 1 / 0")
    assert outcome.result.stderr_tail.endswith(b"ZeroDivisionError: division by zero\n")
    assert len(outcome.result.stderr_tail) <= 8192


def test_a_program_that_spins_is_ended_at_its_cpu_limit(box: Box) -> None:
    result = run_python(box, "while True: pass", within=limits(cpu=0.3)).result
    assert result.ending is Ending.TIME_LIMIT
    assert result.cpu > 0.3


def test_a_tiny_program_has_not_more_cpu_time_than_wall_clock_time(box: Box) -> None:
    results = [box.run(Command(argv=("/bin/true",)), limits()).result for _ in range(20)]
    assert [result for result in results if result.cpu > result.wall] == []


def test_a_program_that_sleeps_is_ended_at_its_wall_limit_and_used_no_cpu_time(box: Box) -> None:
    result = run_python(box, "import time; time.sleep(60)", within=limits(cpu=5, wall=0.5)).result
    assert result.ending is Ending.WALL_LIMIT
    assert result.cpu < 0.5 <= result.wall


def test_a_sleeping_program_is_ended_although_it_ignores_signals(box: Box) -> None:
    source = (
        "import signal, time\n"
        "for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU): signal.signal(s, signal.SIG_IGN)\n"
        "while True: time.sleep(1)"
    )
    assert run_python(box, source, within=limits(wall=0.5)).result.ending is Ending.WALL_LIMIT


def test_gradual_growth_is_ended_at_the_memory_limit(box: Box) -> None:
    source = "import time\nkept = []\nwhile True: kept.append(bytearray(1 << 20)); time.sleep(0.001)"
    assert run_python(box, source, within=limits(memory=64 * MIB)).result.ending is Ending.MEMORY_LIMIT


def test_one_large_allocation_shows_in_the_peak_memory_although_it_was_freed(box: Box) -> None:
    result = run_python(box, "x = bytearray(150 << 20); del x", within=limits(memory=1 << 30)).result
    assert result.ending is Ending.EXITED
    assert 150 * MIB < result.memory < 250 * MIB


def test_a_peak_is_reported_although_the_program_makes_the_kernel_forget_it(box: Box) -> None:
    source = (
        "import mmap, time\nm = mmap.mmap(-1, 100 << 20, mmap.MAP_PRIVATE)\n"
        "for n in range(0, 100 << 20, 4096): m[n] = 1\n"
        "time.sleep(0.1)\nm.close()\n"
        "try: open('/proc/self/clear_refs', 'w').write('5')\nexcept OSError: pass"
    )
    result = run_python(box, source).result
    assert (result.ending, result.exit_code) == (Ending.EXITED, 0)
    assert result.memory > 100 * MIB


def test_memory_that_is_reserved_but_not_touched_does_not_count(box: Box) -> None:
    result = run_python(box, "import mmap; m = mmap.mmap(-1, 4 << 30)", within=limits(memory=64 * MIB)).result
    assert (result.ending, result.exit_code) == (Ending.EXITED, 0)
    assert result.memory < 64 * MIB


_THREAD_STACK = """
import ctypes
size, attributes, libc = ctypes.c_size_t(), ctypes.create_string_buffer(256), ctypes.CDLL(None)
libc.pthread_attr_init(attributes)
libc.pthread_attr_getstacksize(attributes, ctypes.byref(size))
print(size.value)
"""

_DEEP_RECURSION = """
import functools, sys
sys.setrecursionlimit(10**6)
@functools.cache
def depth(n): return n and 1 + depth(n - 1)
print(depth(100_000))
"""


def test_only_memory_limits_the_main_stack_and_threads_have_stacks_of_the_usual_size(box: Box) -> None:
    within = limits(memory=1 << 30)
    assert int(run_python(box, _THREAD_STACK, within=within).stdout) <= 8 * MIB
    limit = run_python(box, "import resource; print(resource.getrlimit(resource.RLIMIT_STACK)[0])", within=within)
    assert int(limit.stdout) == resource.RLIM_INFINITY
    if sys.version_info < (3, 12):  # later Pythons limit the depth of such calls themselves
        assert run_python(box, _DEEP_RECURSION, within=within).stdout == b"100000\n"


def test_the_size_of_the_judge_does_not_count_as_memory_of_a_run(box: Box) -> None:
    ballast = bytearray(200 << 20)
    assert run_python(box, "pass").result.memory < 50 * MIB
    assert len(ballast) == 200 << 20


def test_an_output_of_exactly_the_limit_is_fine_and_one_byte_more_is_not(box: Box) -> None:
    source = "import os; os.write(1, b'x' * {})"
    exact = run_python(box, source.format(1000), within=limits(output=1000))
    assert exact.result.ending is Ending.EXITED
    assert len(exact.stdout) == 1000
    over = run_python(box, source.format(1001), within=limits(output=1000))
    assert over.result.ending is Ending.OUTPUT_LIMIT


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_endless_output_is_cut_at_the_output_limit(box: Box, stream: str) -> None:
    source = f"import sys\nwhile True: sys.{stream}.write('x' * 65536)"
    result = run_python(box, source, within=limits(output=MIB)).result
    assert result.ending is Ending.OUTPUT_LIMIT
    assert result.output_bytes <= MIB + 1


def test_cpu_time_of_children_counts(box: Box) -> None:
    source = "import os\nif os.fork() == 0:\n  for _ in range(10**7): pass\n  os._exit(0)\nos.wait()"
    alone = run_python(box, "pass").result.cpu
    assert run_python(box, source, within=limits(cpu=20), may_fork=True).result.cpu > alone + 0.05


def test_cpu_time_of_orphans_counts_and_they_do_not_outlive_the_run(box: Box) -> None:
    mark = f"orphan-{os.getpid()}-{time.monotonic_ns()}"
    source = (
        f"# {mark}\n"
        "import os\n"
        "if os.fork() == 0:\n"
        "  os.setsid()\n"
        "  if os.fork() == 0:\n"
        "    while True: pass\n"
        "  os._exit(0)\n"
        "os.wait()\n"
        "import time; time.sleep(0.5)\n"
    )
    result = run_python(box, source, within=limits(cpu=20), may_fork=True).result
    assert result.exit_code == 0
    assert result.cpu > 0.1
    assert processes_with(mark) == []


def test_children_that_spin_break_the_cpu_limit_of_the_tree(box: Box) -> None:
    source = "import os\nif os.fork() == 0:\n  while True: pass\nos.wait()"
    assert run_python(box, source, within=limits(cpu=0.5), may_fork=True).result.ending is Ending.TIME_LIMIT


def test_memory_of_children_counts_together(box: Box) -> None:
    source = (
        "import os, time\n"
        "for _ in range(4):\n"
        "  if os.fork() == 0:\n"
        "    x = bytearray(40 << 20); time.sleep(30)\n"
        "time.sleep(30)"
    )
    assert run_python(box, source, within=limits(memory=100 * MIB), may_fork=True).result.ending is Ending.MEMORY_LIMIT


def test_memory_of_orphans_counts(box: Box) -> None:
    source = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "  for _ in range(3):\n"
        "    if os.fork() == 0:\n"
        "      x = b'x' * (60 << 20); time.sleep(30)\n"
        "  os._exit(0)\n"
        "os.wait(); time.sleep(30)"
    )
    assert run_python(box, source, within=limits(memory=100 * MIB), may_fork=True).result.ending is Ending.MEMORY_LIMIT


def test_files_that_a_run_leaves_in_its_folder_are_gone_in_the_next_run(open_box: Box) -> None:
    run_python(
        open_box, "import os; os.makedirs('a/b'); open('a/b/c', 'w'); open('x', 'w'); os.symlink('/etc', 'link')"
    )
    assert run_python(open_box, "import os; print(os.listdir('.'))").stdout == b"[]\n"


@pytest.mark.parametrize(
    "source",
    [
        "import os; os.rmdir(os.getcwd())",
        "import os; os.rename(os.getcwd(), os.getcwd() + '-moved')",
        "import os\nfor _ in range(3000): os.mkdir('d'); os.chdir('d')",
        "import os; os.makedirs('a/b'); os.chmod('a', 0); os.chmod('.', 0)",
        "import os; [open(str(n), 'w') for n in range(2000)]",
        "import os; p = os.getcwd(); os.rmdir(p); os.symlink('../precious', p)",
        "import os; os.symlink('../precious', 'link')",
    ],
)
def test_whatever_a_run_does_to_its_folder_the_next_run_has_an_empty_one_and_links_are_not_followed(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    precious = tmp_path / "precious"
    (precious / "inner").mkdir(parents=True)
    (precious / "inner" / "file").touch()
    precious.chmod(0o755)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    with box_at(Level.LIMITS) as box:
        run_python(box, source.replace("'../precious'", repr(str(precious))))
        assert run_python(box, "import os; print(os.listdir('.'))").stdout == b"[]\n"
    assert (precious / "inner" / "file").exists()
    assert [path.stat().st_mode & 0o777 for path in (precious, precious / "inner")] == [0o755, 0o755]
    assert list(temporary.iterdir()) == []


def test_a_program_that_stops_itself_is_ended_at_its_wall_limit(box: Box) -> None:
    source = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
    assert run_python(box, source, within=limits(wall=0.5)).result.ending is Ending.WALL_LIMIT


@pytest.mark.parametrize("flags", ["os.O_RDWR", "os.O_RDWR | os.O_TRUNC", "os.O_WRONLY"])
def test_the_input_cannot_be_written_through_its_descriptor(box: Box, tmp_path: Path, flags: str) -> None:
    source = f"import os; fd = os.open('/proc/self/fd/0', {flags}); os.write(fd, b'forged')"
    assert run_python(box, source, b"the input").result.exit_code == 1
    path = tmp_path / "x.in"
    path.write_bytes(b"the input")
    assert run_python(box, source, path).result.exit_code == 1
    assert path.read_bytes() == b"the input"


@pytest.mark.parametrize("flags", ["os.O_RDWR", "os.O_WRONLY | os.O_TRUNC"])
def test_a_huge_input_is_the_file_itself_and_cannot_be_written_either(
    box: Box, tmp_path: Path, flags: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_files, "_MAX_COPY", 4)
    path = tmp_path / "x.in"
    path.write_bytes(b"the input")
    path.chmod(0o666)
    source = f"import os; print(input()); fd = os.open('/proc/self/fd/0', {flags}); os.write(fd, b'forged')"
    outcome = run_python(box, source, path)
    assert (outcome.stdout, outcome.result.exit_code) == (b"the input\n", 1)
    assert path.read_bytes() == b"the input"


def test_a_folder_as_input_is_a_sandbox_error(box: Box, tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="Is a directory"):
        run_python(box, "pass", tmp_path)


def test_no_descriptor_of_the_judge_reaches_a_run(box: Box, tmp_path: Path) -> None:
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        source = "import os\nfor fd in range(1024):\n  try: os.fstat(fd); print(fd)\n  except OSError: pass"
        assert run_python(box, source).stdout == b"0\n1\n2\n"


def test_the_users_environment_does_not_reach_a_run(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_TEST_TOKEN", "secret")
    assert run_python(box, "import os; print(os.environ.get('JUDGE_TEST_TOKEN'))").stdout == b"None\n"


def test_a_program_that_is_also_listed_as_readable_is_mounted_once(tmp_path: Path) -> None:
    program = tmp_path / "program"
    shutil.copy("/bin/echo", program)
    tmp_path.chmod(0o755)
    with Box() as one, Box() as other:
        outcome = other.run(Command(argv=(str(program), "x"), readable=(program,)), limits())
        assert (outcome.stdout, other.level) == (b"x\n", one.level)


# getpid(), exit(0), as programs of the 32-bit relative of each architecture: (e_machine, code)
_32_BITS = {
    "x86_64": (3, "b814000000cd80 b80100000031dbcd80"),
    "aarch64": (40, "1470a0e3000000ef 0000a0e30170a0e3000000ef"),
}


@pytest.mark.thorough
@pytest.mark.skipif(os.uname().machine not in _32_BITS, reason="no 32-bit program for this architecture")
def test_a_32_bit_program_is_killed_at_its_first_system_call(box: Box, tmp_path: Path) -> None:
    if box.level is Level.LIMITS:
        pytest.skip("the level `limits` has no filter of system calls")
    machine, code = _32_BITS[os.uname().machine]
    start, head = 0x10000, 52 + 32
    size = head + len(bytes.fromhex(code))
    file = b"\x7fELF\1\1\1".ljust(16, b"\0")  # then struct elf32_hdr and one elf32_phdr: include/uapi/linux/elf.h
    file += struct.pack("<2H5I6H", 2, machine, 1, start + head, 52, 0, 0x5000000, 52, 32, 1, 40, 0, 0)
    file += struct.pack("<8I", 1, 0, start, start, size, size, 5, 0x10000) + bytes.fromhex(code)
    program = tmp_path / "program"
    program.write_bytes(file)
    program.chmod(0o755)
    tmp_path.chmod(0o755)
    try:
        bare = subprocess.run([program], check=False).returncode
    except OSError:
        pytest.skip("this machine runs no 32-bit programs")
    assert bare == 0
    result = box.run(Command(argv=(str(program),), readable=(tmp_path,)), limits()).result
    assert (result.ending, result.signal) == (Ending.SIGNALED, signal.SIGSYS)


def test_a_missing_program_is_a_sandbox_error_that_names_it(box: Box) -> None:
    with pytest.raises(SandboxError, match=r"/nonexistent/program: No such file or directory"):
        box.run(Command(argv=("/nonexistent/program",)), limits())


@pytest.mark.parametrize("content", [b"#!/nonexistent/interpreter\n", b"#!/usr/share/doc\n", b"no program"])
def test_a_compiled_program_that_the_kernel_cannot_execute_is_to_blame(
    box: Box, tmp_path: Path, content: bytes
) -> None:
    program = tmp_path / "program"
    program.write_bytes(content)
    program.chmod(0o755)
    tmp_path.chmod(0o755)
    command = Command(argv=(str(program),), readable=(tmp_path,), is_compiled=True)
    result = box.run(command, limits()).result
    assert (result.ending, result.exit_code) == (Ending.EXITED, 126)
    assert result.stderr_tail.startswith(b"the program cannot be executed: ")
    with pytest.raises(SandboxError, match=str(program)):
        box.run(replace(command, is_compiled=False), limits())
    program.chmod(0o644)
    with pytest.raises(SandboxError, match="Permission denied"):
        box.run(command, limits())


def test_a_command_that_is_too_long_is_a_sandbox_error(box: Box) -> None:
    with pytest.raises(SandboxError, match="the command is too long: 100"):
        box.run(Command(argv=(PYTHON, "-c", "pass", "x" * 100_000)), limits())


def test_a_missing_input_is_a_sandbox_error_that_names_it(box: Box, tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match=r"gone\.in: No such file"):
        run_python(box, "pass", tmp_path / "gone.in")


def test_a_box_works_after_every_kind_of_ending(box: Box) -> None:
    run_python(box, "import os; os.abort()")
    with pytest.raises(SandboxError):
        box.run(Command(argv=("/nonexistent",)), limits())
    run_python(box, "while True: pass", within=limits(cpu=0.1))
    assert run_python(box, "print('fine')").stdout == b"fine\n"


def test_a_run_is_repeated_if_the_zygote_was_killed() -> None:
    with Box() as box:
        run_python(box, "pass")
        os.kill(box._pid, signal.SIGKILL)
        assert run_python(box, "print(input())", b"again\n").stdout == b"again\n"


class LingeringBox(Box):
    """A box whose zygote dies at the first request, while its run goes on and reads the input."""

    read_first = -1

    def _send_request(self, command: Command, limits: Limits, fds: Sequence[int], *others: Any, **named: Any) -> Any:
        if self.read_first < 0:
            self.read_first = fds[0]
            return None
        os.read(self.read_first, 99)
        return super()._send_request(command, limits, fds, *others, **named)


def test_a_repeated_run_misses_nothing_that_the_first_one_reads_meanwhile() -> None:
    with LingeringBox() as box:
        assert run_python(box, "print(input())", b"again\n").stdout == b"again\n"


def test_a_zygote_killed_during_a_run_ends_the_run_which_is_repeated() -> None:
    mark = f"middle-{os.getpid()}-{time.monotonic_ns()}"
    with Box() as box:
        run_python(box, "pass")
        threading.Timer(0.3, os.kill, (box._pid, signal.SIGKILL)).start()
        outcome = run_python(box, f"# {mark}\nimport time; time.sleep(1); print(input())", b"again\n")
        assert outcome.stdout == b"again\n"
    assert processes_with(mark) == []


def run_two(second: Command, *, is_queued: bool, kills: bool = False, level: Level = Level.LANDLOCK) -> list[str]:
    """Run two programs in one box; return when requests are sent and answered, and what both programs print.

    With `is_queued`, the first answer is read when both requests are sent; with `kills`, the zygote is killed before.
    """
    log: list[str] = []
    first_sent, second_sent = threading.Event(), threading.Event()
    with box_at(level) as box, ThreadPoolExecutor(2) as pool, pytest.MonkeyPatch.context() as monkeypatch:
        begin, receive = box.begin, box._receive

        def note_begin(*given: Any, **named: Any) -> socket.socket:
            connection = begin(*given, **named)
            log.append("sent")
            (second_sent if first_sent.is_set() else first_sent).set()
            return connection

        def note_receive(*given: Any) -> bytes:
            if is_queued:
                assert second_sent.wait(timeout=60)
                if kills and "answered" not in log:
                    os.kill(box._pid, signal.SIGKILL)
            answer = receive(*given)
            log.append("answered")
            return answer

        box.run(replace(second, readable=()), limits())
        monkeypatch.setattr(box, "begin", note_begin)
        monkeypatch.setattr(box, "_receive", note_receive)
        first = replace(second, argv=(*second.argv[:-1], "print(1)"), readable=(), needs_scratch=False)
        runs = [pool.submit(box.run, first, limits())]
        assert first_sent.wait(timeout=60)
        runs.append(pool.submit(box.run, second, limits()))
        printed = [each.result().stdout.decode().strip() for each in runs]
    return [*log, *printed]


PRINT_2 = Command(argv=(PYTHON, "-I", "-S", "-c", "print(2)"))


@pytest.mark.parametrize("level", [Level.FULL, Level.LANDLOCK])
def test_the_next_request_waits_in_the_zygote(level: Level) -> None:
    found = run_two(PRINT_2, is_queued=True, level=level)
    assert found == ["sent", "sent", "answered", "answered", "1", "2"]


def test_two_threads_that_want_to_know_the_level_start_one_zygote() -> None:
    barrier = threading.Barrier(2)

    def read_level(box: Box) -> Level:
        barrier.wait()
        return box.level

    with Box() as box, ThreadPoolExecutor(2) as pool:
        levels = {each.result(timeout=60) for each in [pool.submit(read_level, box) for _ in range(2)]}
        assert (levels, run_python(box, "print(1)").stdout) == ({box.level}, b"1\n")


@pytest.mark.parametrize("changes", ["scratch", "writable", "new path", "level"])
def test_a_request_that_changes_a_folder_or_the_zygote_waits_for_the_last_answer(changes: str, tmp_path: Path) -> None:
    level = Level.FULL if changes == "new path" else Level.LIMITS if changes == "level" else Level.LANDLOCK
    second = replace(
        PRINT_2,
        needs_scratch=changes == "scratch",
        writable=tmp_path if changes == "writable" else None,
        readable=(tmp_path,) if changes == "new path" else (),
    )
    found = run_two(second, is_queued=False, level=level)
    assert (found[:2], found[-2:]) == (["sent", "answered"], ["1", "2"])
    assert found.count("sent") == 2  # no run is repeated


def test_both_requests_of_a_zygote_that_was_killed_are_repeated() -> None:
    assert run_two(PRINT_2, is_queued=True, kills=True)[-2:] == ["1", "2"]


def test_a_run_that_stops_its_zygote_is_a_sandbox_error_and_the_box_still_works() -> None:
    with box_at(Level.LIMITS) as box:
        with pytest.raises(SandboxError, match="killed twice"):
            run_python(box, "import os, signal, time; os.kill(os.getppid(), signal.SIGSTOP); time.sleep(60)")
        assert run_python(box, "print('fine')").stdout == b"fine\n"


def test_a_run_that_kills_its_zygote_harms_no_run_of_another_thread() -> None:
    killer = "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"
    good = Command(argv=("/bin/cat",), stdin=b"fine\n")
    has_ended = threading.Event()

    def kill(box: Box) -> None:
        while not has_ended.is_set():
            with suppress(SandboxError):
                run_python(box, killer)

    with box_at(Level.LIMITS) as box, ThreadPoolExecutor(1) as pool:
        killing = pool.submit(kill, box)
        try:
            assert [box.run(good, limits()).stdout for _ in range(10)] == [b"fine\n"] * 10
        finally:
            has_ended.set()
        killing.result(timeout=60)


def test_the_kernel_kills_runs_first_when_the_machine_is_out_of_memory(box: Box) -> None:
    mark = f"short-{os.getpid()}-{time.monotonic_ns()}"
    before = Path("/proc/self/oom_score_adj").read_text()
    has_ended = threading.Event()

    def end_when_preferred() -> None:
        while not has_ended.wait(0.01):
            for pid in processes_with(mark):
                with suppress(OSError):  # it has ended
                    if Path(f"/proc/{pid}/oom_score_adj").read_text() == "1000\n":
                        os.kill(pid, signal.SIGTERM)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(end_when_preferred)
        try:
            # a run is looked at once it has used some CPU time
            outcome = run_python(box, f"# {mark}\nimport time; sum(range(10**7)); time.sleep(60)")
        finally:
            has_ended.set()
    assert outcome.result.signal == signal.SIGTERM
    assert Path("/proc/self/oom_score_adj").read_text() == before


def test_memory_that_processes_share_counts_once(box: Box) -> None:
    source = (
        "import mmap, os, time\n"
        "m = mmap.mmap(-1, 96 << 20)\n"
        "for n in range(0, 96 << 20, 4096): m[n] = 1\n"
        "for _ in range(4):\n"
        "  if os.fork() == 0:\n"
        "    time.sleep(0.2); os._exit(0)\n"
        "for _ in range(4): os.wait()\n"
    )
    result = run_python(box, source, within=limits(memory=256 * MIB), may_fork=True).result
    assert (result.ending, result.memory < 160 * MIB) == (Ending.EXITED, True), result


def test_the_zygote_handles_no_signal_so_that_it_is_immune_as_process_1(box: Box) -> None:
    assert box.level
    for pid in (box._pid, *descendant_pids(box._pid)):
        status = Path(f"/proc/{pid}/status").read_text()
        assert "SigCgt:\t0000000000000000" in status


def test_interrupting_a_box_ends_the_run_at_once() -> None:
    with Box() as box:
        run_python(box, "pass")
        threading.Timer(0.2, box.interrupt).start()
        start = time.monotonic()
        with pytest.raises(SandboxError, match="interrupted"):
            run_python(box, "import time; time.sleep(60)", within=limits(wall=60))
        assert time.monotonic() - start < 30


def test_no_process_is_left_when_the_judge_is_killed() -> None:
    mark = f"killed-{os.getpid()}-{time.monotonic_ns()}"
    source = (
        "from tests.programs import *\n"
        f"with Box() as box: run_python(box, '# {mark}\\nimport time; time.sleep(60)', within=limits(wall=60))"
    )
    judge = subprocess.Popen([sys.executable, "-c", source])
    deadline = time.monotonic() + 30
    while len(processes_with(mark)) < 2 and time.monotonic() < deadline:  # the judge itself and its run
        time.sleep(0.02)
    judge.kill()
    judge.wait()
    while processes_with(mark) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert processes_with(mark) == []


def test_printing_to_a_closed_stdout_changes_the_exit_status(box: Box) -> None:
    result = run_python(box, "import os, sys; os.close(1); print('x' * 100000); sys.stdout.flush()").result
    assert result.ending is Ending.EXITED
    assert result.exit_code != 0


def test_the_interpreter_of_runs_is_the_one_outside_the_virtual_environment() -> None:
    assert Path(PYTHON).exists()
    assert ".venv" not in PYTHON


def test_an_invalid_request_fails_or_ends_the_zygote_and_never_changes_the_level() -> None:
    with Box() as box, Path("/dev/null").open("rb") as file:
        level = box.level
        connection = box._socket
        assert connection is not None
        socket.send_fds(connection, [marshal.dumps(5)], [file.fileno()] * 3)
        assert marshal.loads(connection.recv(MAX_MESSAGE))[0] == "failed"
        connection.send(marshal.dumps(5))  # without descriptors
        assert connection.recv(MAX_MESSAGE) == b""
        assert run_python(box, "print(1)").result.level is level


def test_the_users_umask_changes_nothing(tmp_path: Path) -> None:
    source, place = tmp_path / "x.c", tmp_path / "programs"
    source.write_text("int main(void) { return 7; }\n")
    before = os.umask(0o077)
    try:
        place.mkdir()
        place.chmod(0o755)
        with Box() as first, Box() as second:  # as root, each uses its own uid
            assert run_python(first, "print(1)").stdout == b"1\n"
            program = build(source, place, first)
            assert isinstance(program, Program)
            assert second.run(program.command(b"", limits()), limits()).result.exit_code == 7
    finally:
        os.umask(before)


def test_a_user_without_a_name_and_a_home_can_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 54_321_000)
    assert required_paths("/opt/tool/bin/python3") == ("/opt/tool",)


def test_if_a_folder_cannot_be_removed_only_it_and_its_parents_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b/stays", "c"):
        (tmp_path / "run" / name / "inside").mkdir(parents=True)
    open_folder = work_folder._open_folder

    def refuse(at: int, name: str) -> int:
        if name == "stays":
            raise PermissionError
        return open_folder(at, name)

    monkeypatch.setattr(work_folder, "_open_folder", refuse)
    work_folder.remove(str(tmp_path / "run"))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["b", "inside", "run", "stays"]


def test_children_are_found_if_the_kernel_does_not_list_them(monkeypatch: pytest.MonkeyPatch) -> None:
    child = subprocess.Popen(["sleep", "60"])
    try:
        listed = proc.child_pids(os.getpid())
        monkeypatch.setattr(proc, "_kernel_lists_children", lambda: False)
        read = proc.read_file
        monkeypatch.setattr(proc, "read_file", lambda path: b"" if path.endswith("/children") else read(path))
        assert child.pid in listed
        assert child.pid in proc.child_pids(os.getpid())
    finally:
        child.kill()
        child.wait()


_LOADED = """\
import sys
before = set(sys.modules)
sys.path.insert(0, sys.argv[1])
import judge.sandbox.zygote
print(*sorted(set(sys.modules) - before))
"""
_ALLOWED = (
    "_collections_abc _ctypes _socket _stat _struct ctypes ctypes._endian errno genericpath os os.path posixpath "
    "resource select stat struct types"
)


@pytest.mark.thorough
def test_the_zygote_imports_only_builtin_modules_and_ctypes() -> None:
    argv = [PYTHON, "-I", "-S", "-c", _LOADED, str(Path(work_folder.__file__).parents[2])]
    loaded = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.split()
    allowed = set(_ALLOWED.split())
    if sys.version_info >= (3, 14):  # whose ctypes imports more
        argv[-2] = "import sys, ctypes; print(*sys.modules)"
        allowed |= set(subprocess.run(argv, capture_output=True, text=True, check=True).stdout.split())
    assert {name for name in loaded if not name.startswith("judge")} <= allowed
    assert {name.rpartition(".")[0] for name in loaded if name.startswith("judge.")} == {"judge", "judge.sandbox"}
