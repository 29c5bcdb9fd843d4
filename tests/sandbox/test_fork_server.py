"""Fork servers: a run that was forked differs from one that was started in nothing that a program should depend on."""

import shutil
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.base.units import MIB, Seconds
from judge.languages.build import Program, build
from judge.languages.options import BuildOptions
from judge.model import Ending, Level
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.kernel import IS_X86_64
from judge.sandbox.proc import descendant_pids, read_file, resident_memory
from tests.parameters import first_of, with_thorough
from tests.programs import box_at, limits

pytestmark = pytest.mark.skipif(
    not IS_X86_64 or shutil.which("g++") is None, reason="fork servers need x86_64, and these tests g++"
)

# What tells a forked run from one that was started: the random bytes that the kernel gives to each exec.
RANDOM = '#include <sys/auxv.h>\n#include <cstdio>\nint main() { printf("%lx", *(long*)getauxval(AT_RANDOM)); }\n'

PROGRAMS = {
    "input and arguments": """
        #include <iostream>
        #include <string>
        int main(int count, char** words) {
            for (int i = 1; i < count; i++) std::cout << '[' << words[i] << ']';
            for (std::string line; std::getline(std::cin, line);) std::cout << line << ';';
            std::cerr << "errors";
            return 7;
        }""",
    "environment": """
        #include <cstdio>
        extern char** environ;
        int main() { for (char** each = environ; *each; each++) puts(*each); }""",
    "descriptors": """
        #include <cstdio>
        #include <fcntl.h>
        #include <unistd.h>
        int main() { for (int fd = 0; fd < 64; fd++) if (fcntl(fd, F_GETFD) >= 0) printf("%d ", fd); }""",
    "constructors": """
        #include <cstdio>
        static int runs;
        struct Each { Each() { runs++; } ~Each() { printf("%d", runs); } } each;
        int main() {}""",
    "threads": """
        #include <cstdio>
        #include <thread>
        int main() { int x = 0; std::thread([&] { x = 5; }).join(); printf("%d", x); }""",
    "waiting for the main thread": """
        #include <cstdio>
        #include <pthread.h>
        static pthread_t first;
        static void* wait_for_it(void*) { printf("%d", pthread_join(first, nullptr)); fflush(stdout); return nullptr; }
        int main() {
            first = pthread_self();
            pthread_t other;
            pthread_create(&other, nullptr, wait_for_it, nullptr);
            pthread_exit(nullptr);
        }""",
    "session": """
        #include <cstdio>
        #include <unistd.h>
        int main() { printf("%d %d", getsid(0) == getpid(), getpgrp() == getpid()); }""",
    "names of system calls": """
        #include <cstdio>
        int close[100], dup2, recvmsg, write, serve, syscall, instructions;
        int main() { printf("%d", close[0]); }""",
    "code before main": """
        #include <cstdio>
        static int one() { return 1; }
        extern "C" int (*choose())() { return one; }
        extern "C" int early() __attribute__((ifunc("choose")));
        static int calls;
        static void first(int, char**, char**) { calls++; }
        __attribute__((section(".preinit_array"), used)) static void (*const pointer)(int, char**, char**) = first;
        int main() { printf("%d %d", early(), calls); }""",
    "abort": "#include <cstdlib>\nint main() { abort(); }",
    "exception": '#include <stdexcept>\nint main() { throw std::runtime_error("what"); }',
    "crash": "int main() { *(volatile int*)0 = 1; }",
    "signals": """
        #include <cstdio>
        #include <csignal>
        #include <unistd.h>
        int main() {
            signal(SIGUSR1, [](int) { puts("caught"); });
            printf("%d %d\\n", kill(getpid(), SIGUSR1), raise(SIGUSR1));
            int refused = 0;
            for (int pid = 1; pid < 500; pid++) refused += pid != getpid() && kill(pid, 0) != 0;
            printf("%d", refused);
        }""",
    "processes": """
        #include <cerrno>
        #include <csignal>
        #include <cstdio>
        #include <sched.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        int main() {
            for (long flags = SIGCHLD; flags <= (CLONE_PARENT | SIGCHLD); flags += CLONE_PARENT) {
                if (syscall(SYS_clone, flags, 0, 0, 0, 0) == 0) for (;;) {}
                printf("%d ", errno);
            }
            printf("%ld %d", syscall(SYS_seccomp, 1, 0, nullptr), errno);
        }""",
    "output": '#include <cstdio>\nint main() { for (;;) puts("more and more"); }',
    "time": "int main() { for (volatile int i = 0;; i = i + 1) {} }",
    "sleep": "#include <unistd.h>\nint main() { pause(); }",
    "memory": """
        #include <cstring>
        #include <cstdlib>
        #include <unistd.h>
        int main() { for (;;) { memset(malloc(1 << 20), 1, 1 << 20); usleep(10); } }""",
}


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with box_at(Level.FULL) as made:
        yield made


def compile_program(
    box: Box, folder: Path, text: str, *flags: str, is_static: bool = True, name: str = "program.cpp"
) -> Program:
    folder.chmod(0o755)
    path = folder / name
    path.write_text(text)
    built = build(path, folder, box, options=BuildOptions(is_static=is_static, flags={"cpp": flags}))
    assert isinstance(built, Program), built
    return built


FEW = limits(cpu=0.3, wall=0.6, memory=64 * MIB, output=100_000)


def run(box: Box, program: Program, *arguments: str) -> Outcome:
    return box.run(program.command(b"a\nb\n", FEW, arguments), FEW)


def run_together(box: Box, program: Program, inputs: list[bytes], *arguments: str) -> list[Outcome]:
    """Return the outcomes of runs, several with one request where the first of them are short."""
    found: list[Outcome] = []
    while len(found) < len(inputs):
        found += box.run_some(program.command(b"", FEW, arguments), inputs[len(found) :], FEW)
    return found


@pytest.mark.parametrize("name", first_of(PROGRAMS, 5))
def test_a_forked_run_ends_like_one_that_was_started(box: Box, tmp_path: Path, name: str) -> None:
    program = compile_program(box, tmp_path, PROGRAMS[name])
    expected, *others = (run(box, program, "", "two words") for _ in range(3))
    others += run_together(box, program, [b"a\nb\n"] * 2, "", "two words")
    for outcome in others:
        result = outcome.result
        assert (outcome.stdout, outcome.stderr) == (expected.stdout, expected.stderr)
        assert (result.ending, result.exit_code) == (expected.result.ending, expected.result.exit_code)
        assert result.signal == expected.result.signal
        assert name == "memory" or abs(result.memory - expected.result.memory) < 2 * MIB


def test_runs_are_forked_after_the_first(box: Box, tmp_path: Path) -> None:
    program = compile_program(box, tmp_path, RANDOM)
    first, *others = (run(box, program).stdout for _ in range(4))
    assert first
    others += [each.stdout for each in run_together(box, program, [b"", b""])]
    others.append(box.run(program.command(b"", FEW), replace(FEW, wall=Seconds(0.7))).stdout)  # the zygote's concern
    assert len(set(others)) == 1
    assert others[0] != first


def test_arguments_are_those_of_each_run_and_their_number_may_change(box: Box, tmp_path: Path) -> None:
    program = compile_program(box, tmp_path, PROGRAMS["input and arguments"])
    for turn in range(4):
        for words in ((), (str(turn),), ("", "x" * 5000, "a b"), ("é",)):
            assert run(box, program, *words).stdout.decode() == "".join(f"[{word}]" for word in words) + "a;b;"


def test_a_compiler_ends_the_servers_and_they_start_again(box: Box, tmp_path: Path) -> None:
    program = compile_program(box, tmp_path, RANDOM)
    before = [run(box, program).stdout for _ in range(3)][-1]
    forks = Command(argv=("/bin/sh", "-c", "echo $(echo 1)"), may_fork=True)
    outcome = box.run(forks, limits())
    assert outcome.stdout == b"1\n"
    assert outcome.result.cpu < 1
    after = [run(box, program).stdout for _ in range(3)]
    assert before not in after
    assert len(set(after)) == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('#include <cstdio>\nint main() { puts(getchar() < 0 ? "nothing" : "right"); }', id="ends"),
        pytest.param("int main() { for (;;) {} }", id="loops", marks=pytest.mark.thorough),
    ],
)
def test_a_program_without_a_server_starts_in_the_ordinary_way(box: Box, tmp_path: Path, text: str) -> None:
    program = replace(compile_program(box, tmp_path, text, is_static=False), has_fork_server=True)
    outcomes = [run(box, program) for _ in range(4)]
    if "puts" in text:
        assert {outcome.stdout for outcome in outcomes} == {b"right\n"}
    else:
        assert {outcome.result.ending for outcome in outcomes} == {Ending.TIME_LIMIT}


def test_a_program_that_cannot_be_linked_statically_has_no_server(box: Box, tmp_path: Path) -> None:
    program = compile_program(box, tmp_path, "int main() { return 7; }", "-fsanitize=address")
    assert not program.has_fork_server


@pytest.mark.parametrize("flag", ["-std=c++98", "-Wold-style-cast", "-flto", "-fstack-protector-all"])
def test_flags_do_not_concern_the_server(box: Box, tmp_path: Path, flag: str) -> None:
    program = compile_program(box, tmp_path, RANDOM.replace("*(long*)", "0 * "), flag, "-Wall", "-Werror")
    assert program.has_fork_server
    assert {run(box, program).stdout for _ in range(3)} == {b"0"}


def test_a_program_in_c_has_a_server(box: Box, tmp_path: Path) -> None:
    names = (
        "int close(double a, double b) { return a < b; }\nint dup2(void) { return 1; }\nint serve(void) { return 2; }\n"
    )
    text = f'#include <stdio.h>\n{names}int main(void) {{ printf("%d", close(1, 2) + dup2() + serve()); }}\n'
    program = compile_program(box, tmp_path, text, name="program.c")
    assert program.has_fork_server
    assert [run(box, program).stdout for _ in range(100)] == [b"4"] * 100


def test_a_run_that_kills_its_process_group_harms_only_itself(box: Box, tmp_path: Path) -> None:
    text = "#include <csignal>\n#include <cstdio>\nint main() { if (getchar() == 'k') kill(0, 9); puts(\"alive\"); }"
    program = compile_program(box, tmp_path, text)
    few = limits()
    for _ in range(3):
        for _ in range(3):
            assert box.run(program.command(b"", few), few).stdout == b"alive\n"
        assert box.run(program.command(b"k", few), few).result.signal == 9
    ended = [each.result.signal for each in run_together(box, program, [b"", b"k", b"", b"k", b""])]
    assert ended == [None, 9, None, 9, None]


# A resolver of an indirect function (IFUNC) runs before everything else, even before the C library is ready.
HOSTILE = """
#include <cstdio>
#include <sys/syscall.h>
#include <unistd.h>
static long call(long number, long first, long second, long third = 0, long fourth_ = 0) {
    long result;
    register long fourth asm("r10") = fourth_;
    register long fifth asm("r8") = -1;
    register long sixth asm("r9") = 0;
    asm volatile("syscall" : "=a"(result)
                 : "a"(number), "D"(first), "S"(second), "d"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                 : "rcx", "r11", "memory");
    return result;
}
static long map(long size) { return call(SYS_mmap, 0, size, 3, 0x21); }  // shared, anonymous
static int function() { return 0; }
extern "C" int (*choose())() {
    ATTACK
    return function;
}
extern "C" int early() __attribute__((ifunc("choose")));
int main() { printf("%d", early()); }
"""
SIBLING = 0x01208011
ATTACKS = {
    "processes": "for (int i = 0; i < 20; i++) if (call(SYS_clone, FLAGS, 0) == 0) for (;;) {}",
    "more and more processes": "while (call(SYS_clone, FLAGS, 0) == 0 || call(SYS_getpid, 0, 0) % 9) {}",
    "memory": """
        long top = call(SYS_brk, 0, 0);
        call(SYS_brk, top + (200l << 20), 0);
        for (char* at = (char*)top; at < (char*)top + (200l << 20); at += 4096) *at = 1;""",
    "no answer": "call(SYS_clone, FLAGS, 0); for (;;) call(SYS_sched_yield, 0, 0);",
    "shared memory": """
        char* at = (char*)map(256l << 20);
        if (call(SYS_clone, FLAGS, 0) != 0) for (long i = 0; i < 200l << 20; i += 4096) at[i] = 1;""",
    "waking by a process": """
        if (call(SYS_clone, FLAGS, 0) == 0)
            for (int pid = 2;; pid = pid % 99 + 1) call(SYS_kill, pid, 18);""",
    "waking by a timer": """
        long event[8] = {0, 18}, timer = 0, times[4] = {0, 0, 0, 30000000};
        call(SYS_timer_create, 1, (long)event, (long)&timer);
        call(SYS_timer_settime, timer, 0, (long)times);""",
    "signals": "for (int pid = 2; pid < 300; pid++) call(SYS_kill, pid, 9);",
}


@pytest.mark.thorough
@pytest.mark.parametrize("attack", with_thorough(ATTACKS, ["no answer", "more and more processes"]))
def test_a_hostile_server_leaves_nothing_and_harms_nobody(tmp_path: Path, attack: str) -> None:
    (tmp_path / "good").mkdir()
    (tmp_path / "bad").mkdir()
    with box_at(Level.FULL) as box:
        good = compile_program(box, tmp_path / "good", PROGRAMS["constructors"])
        text = HOSTILE.replace("ATTACK", ATTACKS[attack]).replace("FLAGS", hex(SIBLING))
        bad = compile_program(box, tmp_path / "bad", text)
        assert bad.has_fork_server
        for _ in range(4):
            run_together(box, bad, [b"", b""])
            assert run(box, good).stdout == b"1"
            *_, zygote = (pid for pid in descendant_pids(box._pid) if b"zygote" in read_file(f"/proc/{pid}/cmdline"))
            servers = descendant_pids(zygote)
            assert len(servers) <= 2
            assert sum(map(resident_memory, servers)) < 64 * MIB
            time.sleep(0.05)  # a timer that one of them sets may wake it
            assert {read_file(f"/proc/{pid}/stat").rpartition(b")")[2].split()[0] for pid in servers} <= {b"T", b"Z"}


@pytest.mark.thorough
def test_many_programs_take_turns(box: Box, tmp_path: Path) -> None:
    programs = []
    for number in range(10):
        folder = tmp_path / str(number)
        folder.mkdir()
        programs.append(compile_program(box, folder, f'#include <cstdio>\nint main() {{ printf("%d", {number}); }}'))
    for _ in range(100):  # some wait until a server has been idle for long
        assert [run(box, program).stdout for program in programs] == [b"%d" % number for number in range(10)]
    for _ in range(20):
        assert run(box, programs[9]).stdout == b"9"


@pytest.mark.thorough
def test_a_server_is_replaced_after_some_thousand_runs(box: Box, tmp_path: Path) -> None:
    program = compile_program(box, tmp_path, RANDOM)
    seen = Counter(run(box, program).stdout for _ in range(5500))
    assert sorted(seen.values()) == [1, 499, 5000]
