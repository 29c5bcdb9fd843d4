"""Checkers that are programs: their verdicts by protocol, what they may write, and what hostile ones achieve."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from judge.base.units import MIB, Bytes, Seconds
from judge.judging.judge import Job, judge_with_output
from judge.judging.program_checker import interpret
from judge.judging.program_files import MAX_MESSAGE, Feedback, ProgramFiles, read_feedback
from judge.judging.programs import JudgePrograms, ReadyProgram, UnusableProgram
from judge.languages.build import Program, build
from judge.model import (
    DEFAULT_LIMITS,
    Case,
    CaseResult,
    CheckerConfig,
    Ending,
    Inline,
    Level,
    Limits,
    Problem,
    RunResult,
    Verdict,
)
from judge.model.programs import JudgeProgram, Protocol, RawScore
from judge.sandbox.box import ALL_LEVELS, Box
from tests.parameters import with_thorough
from tests.programs import box_at, limits

LIMITS = limits(cpu=1.0, wall=3.0, output=1 * MIB)
RUN = RunResult(
    ending=Ending.EXITED, exit_code=0, cpu=Seconds(0.1), wall=Seconds(0.1), memory=Bytes(MIB), output_bytes=Bytes(0)
)


def say(protocol: Protocol, status: int | None, stderr: str = "", **feedback: object) -> tuple[Verdict, str]:
    """Return the verdict and the reason for an exit status and what was written."""
    run = replace(RUN, exit_code=status, stderr_tail=stderr.encode())
    if status is None:
        run = replace(run, ending=Ending.SIGNALED, signal=11)
    said = Feedback(**feedback)  # type: ignore[arg-type]
    result = interpret("the checker c.py", protocol, LIMITS, run, stderr=stderr.encode(), feedback=said)
    return result.verdict, result.reason


@pytest.mark.parametrize(
    ("status", "stderr", "feedback", "verdict", "reason"),
    [
        (42, "debug", {}, "AC", ""),
        (42, "", {"has_next_pass": True}, "AC", ""),
        (43, "", {"message": "line 1\nline 2"}, "WA", "line 1"),
        (43, "debug", {"message": "too small"}, "WA", "too small"),
        (43, "from stderr\n", {}, "WA", "from stderr"),
        (43, "", {"team_message": "try again"}, "WA", "try again"),
        (43, "", {}, "WA", "the checker c.py rejects the output (exit status 43) without a message"),
        (43, "", {"has_next_pass": True}, "JE", "the checker c.py: wrote nextpass.in and exited with status 43"),
        (0, "", {}, "JE", "the checker c.py: exit status 0, expected 42 (accepted) or 43 (wrong answer)"),
        (1, "Traceback\nKeyError: 'x'\n", {"message": "m"}, "JE", "expected 42 (accepted) or 43 (wrong answer): KeyE"),
        (None, "", {}, "JE", "the checker c.py: killed by signal 11 (SIGSEGV)"),
        (1, "debug", {"error": "the answer is wrong"}, "JE", "(accepted) or 43 (wrong answer): the answer is wrong"),
        (None, "", {"error": "no answer"}, "JE", "the checker c.py: killed by signal 11 (SIGSEGV): no answer"),
    ],
)
def test_the_icpc_protocol(status: int, stderr: str, feedback: dict[str, object], verdict: str, reason: str) -> None:
    found = say(Protocol.ICPC, status, stderr, **feedback)
    assert found[0] == verdict
    assert reason in found[1]
    assert bool(reason) == bool(found[1])


@pytest.mark.parametrize(
    ("status", "message", "expected"),
    [(43, "", ("debug", True)), (43, "too small", ("too small", False)), (42, "", ("", False))],
)
def test_standard_error_is_a_debug_message(status: int, message: str, expected: tuple[str, bool]) -> None:
    run, said = replace(RUN, exit_code=status), Feedback(message=message)
    result = interpret("the checker c", Protocol.ICPC, LIMITS, run, stderr=b"debug\n", feedback=said)
    assert (result.message, result.has_debug_message) == expected


def test_the_end_of_a_long_message_is_kept(tmp_path: Path) -> None:
    (tmp_path / "judgemessage.txt").write_text("x" * 10_000 + "wrong edge")
    assert "wrong edge" in read_feedback(tmp_path).message


@pytest.mark.parametrize(
    ("status", "stderr", "verdict", "reason"),
    [
        (0, "ok 3 numbers", "AC", ""),
        (1, "wrong answer 1st differs\n", "WA", "wrong answer 1st differs"),
        (2, "wrong output format Expected integer", "PE", "wrong output format Expected integer"),
        (4, "wrong output format Extra information", "PE", "wrong output format Extra information"),
        (8, "unexpected eof", "PE", "unexpected eof"),
        (7, "points 0.5 half", "AC", ""),
        (7, "half", "JE", "the checker c.py: exit status 7, expected 0 (ok)"),
        (21, "partially correct (5) fine", "AC", ""),
        (21, "", "JE", "the checker c.py: exit status 21"),
        (3, "FAIL answer is worse", "JE", "the checker c.py: reports a failure (exit status 3): FAIL answer is worse"),
        (42, "", "JE", "the checker c.py: exit status 42, expected 0 (ok)"),
        (None, "", "JE", "the checker c.py: killed by signal 11 (SIGSEGV)"),
    ],
)
def test_the_testlib_protocol(status: int | None, stderr: str, verdict: str, reason: str) -> None:
    found = say(Protocol.TESTLIB, status, stderr)
    assert found[0] == verdict
    assert reason in found[1]
    assert bool(reason) == bool(found[1])


@pytest.mark.parametrize(
    ("status", "stderr", "score"),
    [
        (7, "points 0.5 half", "0.5"),
        (7, "points 12", "12"),
        (21, "partially correct (5) x", "5"),
        *((k, f"partially correct ({k}) x", str(k)) for k in (0, 1, 2, 3, 4, 7, 8)),
        (0, "ok 5", None),
    ],
)
def test_the_points_of_testlib_are_a_raw_score(status: int, stderr: str, score: str | None) -> None:
    run = replace(RUN, exit_code=status)
    result = interpret("the checker c", Protocol.TESTLIB, LIMITS, run, stderr=stderr.encode(), feedback=Feedback())
    assert result.verdict is Verdict.AC
    assert result.raw_score == (None if score is None else RawScore(score=score))


@pytest.mark.parametrize("ending", [each for each in Ending if each.value.endswith("limit")])
@pytest.mark.parametrize("protocol", Protocol)
def test_a_checker_that_exceeds_a_limit_is_a_judge_error(protocol: Protocol, ending: Ending) -> None:
    run = replace(RUN, ending=ending, exit_code=None, signal=9)
    result = interpret("the checker c", protocol, LIMITS, run, stderr=b"", feedback=Feedback())
    assert result.verdict is Verdict.JE
    assert "limit exceeded" in result.reason


# ---- real runs ----------------------------------------------------------------------------------------------------


class Judge(NamedTuple):
    """A box with a solution that prints its input."""

    box: Box
    folder: Path
    solution: Program

    def programs(self, within: Limits = LIMITS) -> JudgePrograms:
        """Return the programs of a problem."""
        problem = Problem(
            id="p", name="p", limits=DEFAULT_LIMITS, checker=CheckerConfig(), folder=None, checker_limits=within
        )
        return JudgePrograms(problem, self.folder / "build", None)

    def check(
        self,
        text: str,
        *args: str,
        given: bytes | Path = b"1 2\n",
        answer: bytes | Path | None = b"1 2\n",
        within: Limits = LIMITS,
        protocol: Protocol = Protocol.ICPC,
        name: str = "check.py",
    ) -> CaseResult:
        """Return the result of the solution with a checker that is this text."""
        source = self.folder / name
        source.write_text(text)
        config = CheckerConfig(name="program", program=JudgeProgram(source=source, protocol=protocol), args=args)
        ready = self.programs(within).get(JudgeProgram(source=source, protocol=protocol), self.box)
        assert isinstance(ready, ReadyProgram), ready
        case = Case(group="g", name="n", input=Inline(b""), limits=DEFAULT_LIMITS, checker=config, origin=source)
        job = Job(program=self.solution, case=case, input=given, answer=answer, checker=ready)
        return judge_with_output(job, self.box)[0]


ECHO = "import sys\nsys.stdout.write(sys.stdin.read())\n"


def open_judge(folder: Path, levels: tuple[Level, ...]) -> Iterator[Judge]:
    folder.chmod(0o755)
    work = folder / "build"
    work.mkdir()
    work.chmod(0o755)
    (folder / "echo.py").write_text(ECHO)
    with Box(levels=levels, work_folder=work) as box:
        solution = build(folder / "echo.py", work, box)
        assert isinstance(solution, Program)
        yield Judge(box, folder, solution)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    yield from open_judge(tmp_path_factory.mktemp("checkers"), ALL_LEVELS)


PRELUDE = """\
import os, sys
given, answer, feedback, *rest = sys.argv[1:]
def write(name, text):
    with open(feedback + name, "w") as file:
        file.write(text)
"""


def test_a_checker_gets_the_input_the_answer_the_output_and_its_arguments(machine: Judge) -> None:
    checker = """
write("judgemessage.txt", repr((open(given).read(), open(answer).read(), sys.stdin.read(), rest)))
sys.exit(42)
"""
    result = machine.check(PRELUDE + checker, "a b", "{source}", given=b"in\n", answer=b"ans\n")
    assert result.verdict is Verdict.AC
    assert result.message == repr(("in\n", "ans\n", "in\n", ["a b", "{source}"]))


@pytest.mark.parametrize("level", ALL_LEVELS)
@pytest.mark.parametrize("protocol", Protocol)
def test_checkers_run_at_every_level(tmp_path: Path, level: Level, protocol: Protocol) -> None:
    box_at(level).close()
    texts = {
        Protocol.ICPC: PRELUDE + "write('judgemessage.txt', open(answer).read()); sys.exit(43)",
        Protocol.TESTLIB: "import sys; sys.exit(open(sys.argv[3]).read())",
    }
    folders = []
    for judging in open_judge(tmp_path, (level,)):
        for _ in range(2):
            result = judging.check(texts[protocol], protocol=protocol, answer=b"no\n")
            assert (result.verdict, result.message) == (Verdict.WA, "no")
        folders.append(judging.box.partner.work_folder)
    assert [folder.exists() for folder in folders] == [False]


def test_a_testlib_checker_gets_input_output_answer_as_files(machine: Judge) -> None:
    checker = "import sys; print(*(open(each).read() for each in sys.argv[1:4]), sys.argv[4:], file=sys.stderr)"
    result = machine.check(checker, "x", given=b"in\n", answer=b"ans\n", protocol=Protocol.TESTLIB)
    assert (result.verdict, result.message) == (Verdict.AC, "in\n in\n ans\n ['x']")


def test_files_are_given_as_well_as_bytes_and_no_answer_is_an_empty_one(machine: Judge, tmp_path: Path) -> None:
    given = tmp_path / "x.in"
    given.write_text("7\n")
    result = machine.check(
        PRELUDE + "sys.exit(42 if open(given).read() == '7\\n' and not open(answer).read() else 43)",
        given=given,
        answer=None,
    )
    assert result.verdict is Verdict.AC


def test_a_rejection_has_the_message_and_both_texts(machine: Judge) -> None:
    checker = PRELUDE + "write('judgemessage.txt', 'no\\nnot at all'); write('teammessage.txt', 'sorry'); sys.exit(43)"
    result = machine.check(checker, given=b"1\n2\n", answer=b"1\n3\n")
    assert (result.verdict, result.reason, result.message) == (Verdict.WA, "no", "no\nnot at all")
    assert result.team_message == "sorry"
    assert result.mismatch is not None
    assert (result.mismatch.expected, result.mismatch.found) == (b"3", b"2")


def test_no_tolerance_is_suggested_for_a_checker(machine: Judge) -> None:
    """A program compares numbers in its own way, whatever the options say."""
    result = machine.check(PRELUDE + "sys.exit(43)", given=b"0.5000002\n", answer=b"0.5000001\n")
    assert result.mismatch is not None
    assert (result.mismatch.expected, result.mismatch.hints) == (b"0.5000001", ())


def test_a_failure_has_the_reason_in_the_feedback_folder(machine: Judge) -> None:
    result = machine.check(PRELUDE + "write('judgeerror.txt', 'the answer is not a number'); sys.exit(1)")
    assert (result.verdict, result.message) == (Verdict.JE, "the answer is not a number")


def test_a_rejected_output_that_equals_the_answer_is_shown_itself(machine: Judge) -> None:
    result = machine.check(PRELUDE + "sys.exit(43)")
    assert (result.verdict, result.mismatch) == (Verdict.WA, None)
    assert result.output is not None
    assert result.output.lines == (b"1 2",)


def test_scores_are_returned_as_they_are(machine: Judge) -> None:
    both = "write('score.txt', ' 1.50\\n'); write('score_multiplier.txt', 'x'); sys.exit(42)"
    assert machine.check(PRELUDE + both).raw_score == RawScore(score="1.50", multiplier="x")
    assert machine.check(PRELUDE + "sys.exit(42)").raw_score is None


def test_nothing_of_a_case_is_left_for_the_next(machine: Judge) -> None:
    messy = """
os.makedirs(feedback + "a/b/c"); os.symlink("/etc/passwd", feedback + "l"); write("nextpass.in", "x")
write("score.txt", "1"); os.chmod(feedback + "a/b", 0); os.chmod(feedback, 0); sys.exit(42)
"""
    machine.check(PRELUDE + messy)
    result = machine.check(
        PRELUDE + "found = os.listdir(feedback); write('judgemessage.txt', str(found)); sys.exit(42)"
    )
    assert (result.verdict, result.message, result.raw_score) == (Verdict.AC, "[]", None)


def test_a_failed_submission_is_not_checked(machine: Judge) -> None:
    result = machine.check(PRELUDE + "sys.exit(0)", given=b"x" * (DEFAULT_LIMITS.output + 1))
    assert result.verdict is Verdict.OLE


def test_a_crash_names_the_users_file(machine: Judge) -> None:
    result = machine.check(PRELUDE + "raise KeyError(given)")
    assert result.verdict is Verdict.JE
    assert "exit status 1, expected 42" in result.reason
    assert f'File "{machine.folder}/check.py", line 6' in result.message


def test_an_input_that_is_huge_is_not_copied(machine: Judge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.base.data.HUGE", 10)
    monkeypatch.setattr("judge.judging.judge._MAX_IN_MEMORY", 10)
    tmp_path.chmod(0o755)
    answer = tmp_path / "x.ans"
    answer.write_text("1 2\n" * 10)
    answer.chmod(0o644)
    checker = PRELUDE + "write('judgemessage.txt', answer + ' ' + str(len(open(answer).read()))); sys.exit(42)"
    assert machine.check(checker, answer=answer).message == f"{answer} 40"


def test_a_checker_in_cpp(machine: Judge) -> None:
    if not (shutil.which("g++") or shutil.which("clang++")):
        pytest.skip("no C++ compiler")
    text = "int main(int count, char** words) { return count == 4 ? 42 : 43; }"
    assert machine.check(text, name="check.cpp").verdict is Verdict.AC


# ---- hostile checkers ---------------------------------------------------------------------------------------------

HOSTILE = {
    "forks": ("while True: os.fork()", ("limit exceeded", "exit status 1")),
    "sleeps": ("import time; time.sleep(60)", ("wall-clock limit exceeded",)),
    "computes": ("while True: pass", ("CPU time limit exceeded",)),
    "allocates": ("x = [bytearray(1 << 20) for _ in range(1 << 12)]", ("memory limit exceeded",)),
    "floods standard error": ("while True: sys.stderr.write('x' * 65536)", ("output limit exceeded",)),
    "floods standard output": ("while True: sys.stdout.write('x' * 65536)", ("output limit exceeded",)),
    "floods a message": (
        "while True: open(feedback + 'judgemessage.txt', 'a').write('x' * 65536)",
        ("limit exceeded",),
    ),
    "makes a sparse file": ("os.truncate(feedback + 'x', 10 << 30)", ("exit status 1", "limit exceeded")),
    "makes many files": (
        "for n in range(10**6): open(feedback + str(n), 'w').close()",
        ("output limit exceeded", "exit status 1"),
    ),
    "makes deep folders": (
        "os.chdir(feedback)\nwhile True: os.mkdir('x'); os.chdir('x')",
        ("output limit exceeded", "exit status 1"),
    ),
    "kills itself": ("os.kill(os.getpid(), 9)", ("killed by signal 9 (SIGKILL)",)),
    "kills the worker": ("os.kill(os.getppid(), 9)", ("Operation not permitted", "exit status 1")),
    "links a message": (
        "os.symlink('/etc/passwd', feedback + 'judgemessage.txt'); sys.exit(43)",
        ("judgemessage.txt in the feedback folder: a symbolic link",),
    ),
    "links a score": (
        "os.symlink(given, feedback + 'score.txt'); sys.exit(42)",
        ("score.txt in the feedback folder: a symbolic link",),
    ),
    "makes a folder of a message": ("os.mkdir(feedback + 'judgemessage.txt'); sys.exit(43)", ("not a regular file",)),
    "makes a pipe of a message": (
        "os.mkfifo(feedback + 'judgemessage.txt'); sys.exit(43)",
        ("not a regular file", "exit status 1"),
    ),
    "makes a device of a message": (
        "os.mknod(feedback + 'judgemessage.txt', 0o666 | 0o020000, os.makedev(1, 5)); sys.exit(43)",
        ("exit status 1",),
    ),
    "writes the answer": ("open(answer, 'w').write('x')", ("exit status 1",)),
    "replaces the answer": ("os.rename(given, answer)", ("exit status 1",)),
    "replaces its folder": (
        "os.rename(feedback, feedback.rstrip('/') + '2'); os.symlink('/etc', feedback.rstrip('/'))",
        ("exit status 1",),
    ),
}


@pytest.mark.parametrize("attack", with_thorough(HOSTILE, ["forks", "sleeps"]))
def test_a_hostile_checker_is_a_judge_error_and_the_next_one_is_not(machine: Judge, attack: str) -> None:
    if machine.box.level is Level.LIMITS:
        pytest.skip("the level `limits` stops few attacks")
    text, reasons = HOSTILE[attack]
    result = machine.check(PRELUDE + text)
    assert result.verdict is Verdict.JE
    assert any(reason in result.reason for reason in reasons), result.reason
    assert len(result.message) <= 3 * MAX_MESSAGE
    assert machine.check(PRELUDE + "sys.exit(42)").verdict is Verdict.AC


SPY = """
import os
for folder in {places!r}:
    for base, folders, files in os.walk(folder):
        for name in files:
            path = os.path.join(base, name)
            try:
                text = open(path, errors="replace").read(100)
            except OSError:
                continue
            if "the-secret-answer" in text:
                print("found", path)
print("done")
"""


@pytest.mark.parametrize("level", [Level.FULL, Level.LANDLOCK])
def test_a_submission_cannot_read_what_its_checker_reads(tmp_path: Path, level: Level) -> None:
    """The files of the last case are still there when the next run starts."""
    box_at(level).close()
    for judging in open_judge(tmp_path, (level,)):
        assert judging.check(PRELUDE + "sys.exit(42)", answer=b"the-secret-answer").verdict is Verdict.AC
        work = judging.box.partner.work_folder
        assert (work / "data" / "answer").read_bytes() == b"the-secret-answer"
        places = (str(work), str(work.parent), "/tmp", "/box", "/proc/self/cwd")
        (judging.folder / "spy.py").write_text(SPY.format(places=places))
        spy = build(judging.folder / "spy.py", judging.folder / "build", judging.box)
        assert isinstance(spy, Program)
        found = judging.box.run(spy.command(b"", DEFAULT_LIMITS), limits())
        assert found.stdout == b"done\n"


def test_a_checker_cannot_read_solutions_or_other_files(machine: Judge, tmp_path: Path) -> None:
    if machine.box.level is Level.LIMITS:
        pytest.skip("the level `limits` restricts no reading")
    secret = tmp_path / "secret"
    secret.write_text("x")
    for path in (secret, machine.solution.copy, machine.folder / "echo.py"):
        result = machine.check(PRELUDE + f"open({str(path)!r})")
        assert (result.verdict, "exit status 1" in result.reason) == (Verdict.JE, True), path


def test_files_are_created_never_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    files = ProgramFiles(tmp_path / "work")
    (tmp_path / "work").mkdir()
    files.write("input", b"1")
    (files.data / "input").unlink()
    (files.data / "input").symlink_to(victim)
    files.write("input", b"2")
    shutil.rmtree(files.data)
    files.data.symlink_to(tmp_path)
    assert files.write("victim", b"3").read_bytes() == b"3"
    assert victim.read_text() == "mine"


def test_files_are_readable_by_others_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        path = ProgramFiles(tmp_path).write("input", b"1")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o755


# ---- building -----------------------------------------------------------------------------------------------------


def test_a_checker_that_does_not_compile_is_reported_once(machine: Judge) -> None:
    (machine.folder / "bad.py").write_text("x = = 1\n")
    programs = machine.programs()
    wanted = JudgeProgram(source=machine.folder / "bad.py")
    for _ in range(2):
        found = programs.get(wanted, machine.box)
        assert isinstance(found, UnusableProgram)
        assert found.reason.startswith("the checker bad.py does not compile: line 1: ")
    assert [each.path.name for each in programs.take_diagnostics()] == ["bad.py"]
    assert programs.take_diagnostics() == []


@pytest.mark.thorough
def test_the_identity_of_a_checker_changes_with_whatever_decides_its_verdicts(machine: Judge) -> None:
    source, header = machine.folder / "c.cpp", machine.folder / "lib.h"
    source.write_text("int main() {}")
    header.write_text("")
    wanted = JudgeProgram(source=source)
    first = machine.programs().identity(wanted)
    if first is None:
        pytest.skip("no C++ compiler")
    assert machine.programs().identity(wanted) == first
    others = [
        machine.programs().identity(replace(wanted, protocol=Protocol.TESTLIB)),
        machine.programs().identity(replace(wanted, include=(header,))),
        machine.programs(limits(cpu=7.0)).identity(wanted),
    ]
    header.write_text("// edited")
    others.append(machine.programs().identity(replace(wanted, include=(header,))))
    source.write_text("int main() { }")
    others.append(machine.programs().identity(wanted))
    assert len({first, *others}) == len(others) + 1
    source.unlink()
    assert machine.programs().identity(wanted) is None
