"""Interactive problems: the verdict for every combination of ends, and real solutions with real interactors."""

import textwrap
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.base.units import MIB, Bytes, Seconds
from judge.judging.judge import Job
from judge.judging.passes import conclude_interaction, judge_passes
from judge.judging.program_checker import interpret
from judge.judging.program_files import Feedback
from judge.judging.programs import JudgePrograms, ReadyProgram
from judge.languages.build import Program, build
from judge.model import Case, CaseResult, CheckerConfig, Ending, Inline, Problem, RunResult, Verdict
from judge.model.programs import JudgeProgram, Protocol
from judge.sandbox.box import Box, Outcome
from judge.sandbox.pair import Interaction, PairedRun
from tests.programs import limits

LIMITS = limits(cpu=1.0, wall=3.0, output=MIB)
RUN = RunResult(
    ending=Ending.EXITED, exit_code=0, cpu=Seconds(0.1), wall=Seconds(0.1), memory=Bytes(MIB), output_bytes=Bytes(0)
)
KILLED = replace(RUN, ending=Ending.SIGNALED, exit_code=None, signal=9)

SOLUTIONS = {
    "exits": RUN,
    "exit status 1": replace(RUN, exit_code=1),
    "crashes": replace(KILLED, signal=11),
    "CPU limit": replace(KILLED, ending=Ending.TIME_LIMIT),
    "wall limit": replace(KILLED, ending=Ending.WALL_LIMIT),
    "memory limit": replace(KILLED, ending=Ending.MEMORY_LIMIT),
    "output limit": replace(KILLED, ending=Ending.OUTPUT_LIMIT),
    "used too much CPU": replace(RUN, cpu=Seconds(1.1)),
    "used too much memory": replace(RUN, memory=Bytes(LIMITS.memory + 1)),
}
INTERACTORS = {
    "42": replace(RUN, exit_code=42),
    "43": replace(RUN, exit_code=43),
    "exits with 0": RUN,
    "crashes": replace(KILLED, signal=11),
    "CPU limit": replace(KILLED, ending=Ending.TIME_LIMIT),
    "wall limit": replace(KILLED, ending=Ending.WALL_LIMIT),
    "memory limit": replace(KILLED, ending=Ending.MEMORY_LIMIT),
    "output limit": replace(KILLED, ending=Ending.OUTPUT_LIMIT),
}
# How the solution ends; the verdict if the interactor says 42 and if it says 43, and the solution or the interactor
# ends first. In all other rows of INTERACTORS the verdict is JE.
#                            42: solution, interactor   43: solution, interactor first
VERDICTS = {
    "exits":                ("AC", "AC",                "WA", "WA"),
    "exit status 1":        ("RTE", "RTE",              "RTE", "WA"),
    "crashes":              ("RTE", "RTE",              "RTE", "WA"),
    "CPU limit":            ("TLE", "TLE",              "TLE", "WA"),
    "wall limit":           ("TLE", "TLE",              "TLE", "WA"),
    "memory limit":         ("MLE", "MLE",              "MLE", "WA"),
    "output limit":         ("OLE", "OLE",              "OLE", "WA"),
    "used too much CPU":    ("TLE", "TLE",              "TLE", "WA"),
    "used too much memory": ("MLE", "MLE",              "MLE", "WA"),
}  # fmt: skip


def interaction(
    solution: RunResult, interactor: RunResult, *, interactor_first: bool = False, is_stopped: bool = False
) -> Interaction:
    """Return what happened when two runs ended like this."""
    ends = [
        PairedRun(outcome=Outcome(result=run, stdout=b""), ended=ended, is_stopped=stopped, waits_for="")
        for run, ended, stopped in ((solution, 1.0, is_stopped), (interactor, 2.0 - 1.5 * interactor_first, False))
    ]
    return Interaction(solution=ends[0], interactor=ends[1], deadlock=None)


def verdict(ran: Interaction) -> tuple[Verdict, str]:
    """Return the verdict and the reason."""
    said = Feedback(message="far off")
    run = ran.interactor.outcome.result
    result = interpret("the interactor i.py", Protocol.ICPC, LIMITS, run, stderr=b"", feedback=said)
    concluded = conclude_interaction(ran, ran.solution.outcome.result, LIMITS, result)
    return concluded.verdict, concluded.reason


@pytest.mark.parametrize(
    ("solution", "interactor", "interactor_first"), tuple(product(SOLUTIONS, INTERACTORS, [False, True]))
)
def test_the_verdict_of_every_combination(solution: str, interactor: str, interactor_first: bool) -> None:
    expected = "JE"
    if interactor in ("42", "43"):
        expected = VERDICTS[solution][2 * (interactor == "43") + interactor_first]
    ran = interaction(SOLUTIONS[solution], INTERACTORS[interactor], interactor_first=interactor_first)
    assert verdict(ran)[0] == expected


@pytest.mark.parametrize(("interactor", "expected"), [("43", "WA"), ("crashes", "JE"), ("exits with 0", "JE")])
def test_a_solution_that_was_stopped_is_not_blamed(interactor: str, expected: str) -> None:
    ran = interaction(KILLED, INTERACTORS[interactor], interactor_first=True, is_stopped=True)
    assert verdict(ran)[0] == expected


@pytest.mark.parametrize("interactor", INTERACTORS)
def test_a_deadlock_is_tle_unless_the_interactor_fails(interactor: str) -> None:
    ran = replace(interaction(KILLED, INTERACTORS[interactor], is_stopped=True), deadlock=("input", "input"))
    found, reason = verdict(ran)
    assert found == ("TLE" if interactor in ("42", "43") else "JE")
    assert "both processes wait for input: is a flush missing?" in reason


def test_a_deadlock_that_only_a_limit_of_the_interactor_ended_is_not_its_failure() -> None:
    ran = interaction(KILLED, INTERACTORS["wall limit"], interactor_first=True, is_stopped=True)
    waiting = [replace(each, waits_for="input") for each in (ran.solution, ran.interactor)]
    ran = replace(ran, solution=waiting[0], interactor=waiting[1])
    assert verdict(ran) == (Verdict.TLE, "both processes wait for input: is a flush missing?")


def test_a_judge_error_says_how_the_solution_had_ended() -> None:
    ran = interaction(SOLUTIONS["exit status 1"], INTERACTORS["exits with 0"])
    reason = "the interactor i.py: exit status 0, expected 42 (accepted) or 43 (wrong answer)"
    before = "(the solution had ended before: RTE, exit status 1); at the end of its input, an interactor has to reject"
    assert verdict(ran) == (Verdict.JE, f"{reason} {before}")


# ---- real programs --------------------------------------------------------------------------------------------------

GUESS = """
import sys
low, high = 1, 1000
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    said = sys.stdin.readline().strip()
    if said == "correct": break
    low, high = (middle + 1, high) if said == "higher" else (low, middle - 1)
"""
INTERACTOR = """
import sys
secret = int(open(sys.argv[1]).read())
feedback = open(sys.argv[3] + "judgemessage.txt", "w")
for turn in range(int(sys.argv[4])):
    line = sys.stdin.readline()
    if not line.strip().isdigit():
        feedback.write(f"guess {turn + 1}: {line!r} is no number")
        sys.exit(43)
    if int(line) == secret:
        print("correct", flush=True)
        sys.exit(42)
    print("higher" if int(line) < secret else "lower", flush=True)
sys.stdin.readline()
feedback.write("too many guesses")
sys.exit(43)
"""
TESTLIB = """
import sys
given, output, answer = sys.argv[1:4]
print(open(given).read(), end="", flush=True)
open(output, "w").write("seen " + sys.stdin.readline())
sys.exit(0)
"""
CHECKER = """
import sys
given, output, answer = map(open, sys.argv[1:4])
text = output.read()
print("found", text, file=sys.stderr)
sys.exit(0 if text == answer.read() else 1)
"""

Play = Callable[..., CaseResult]


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Play]:
    """Return a function that judges a solution with an interactor, both given as texts in Python."""
    folder = tmp_path_factory.mktemp("interactive")
    folder.chmod(0o755)
    store = folder / "build"
    store.mkdir()
    with Box(work_folder=store, cleanup_folder=folder) as box:

        def write(text: str, name: str) -> Path:
            path = folder / name
            path.write_text(textwrap.dedent(text))
            return path

        def play(
            solution: str,
            interactor: str | None = INTERACTOR,
            *,
            protocol: Protocol = Protocol.ICPC,
            checker: str = "",
            args: tuple[str, ...] = ("10",),
            passes: int = 1,
            keeps_data: bool = False,
            given: bytes = b"77\n",
        ) -> CaseResult:
            wanted = [
                JudgeProgram(source=write(text, f"{role}.py"), protocol=protocol) if text else None
                for text, role in ((interactor, "interactor"), (checker, "checker"))
            ]
            config = CheckerConfig(name="program", program=wanted[1] or wanted[0], args=args)
            problem = Problem(
                id="p", name="p", limits=LIMITS, checker=config, interactor=wanted[0], checker_limits=LIMITS
            )
            programs = JudgePrograms(problem, store, None)
            ready = [programs.get(each, box) if each else None for each in wanted]
            program = build(write(solution, "solution.py"), store, box)
            assert isinstance(program, Program)
            assert all(each is None or isinstance(each, ReadyProgram) for each in ready), ready
            case = Case(
                group="g", name="1", input=Inline(given), limits=LIMITS, checker=config, origin=folder / "g.yaml"
            )
            job = Job(
                program=program,
                case=case,
                input=given,
                answer=b"seen 77\n",
                checker=ready[1],  # type: ignore[arg-type]
                interactor=ready[0],  # type: ignore[arg-type]
                passes=passes,
            )
            return judge_passes(job, box, keeps_data=keeps_data)

        yield play


def test_an_accepted_solution_has_no_transcript_unless_it_is_wanted(play: Play) -> None:
    result = play(GUESS)
    assert (result.verdict, result.transcript, result.data) == (Verdict.AC, None, None), result.reason
    result = play(GUESS, keeps_data=True)
    assert result.transcript is not None
    lines = [(entry.is_solution, entry.data) for entry in result.transcript.entries]
    assert lines[:2] + lines[-2:] == [(True, b"500\n"), (False, b"lower\n"), (True, b"77\n"), (False, b"correct\n")]
    assert [entry.time for entry in result.transcript.entries] == sorted(e.time for e in result.transcript.entries)


def test_a_wrong_answer_has_the_message_and_the_transcript(play: Play) -> None:
    result = play(GUESS, args=("2",))
    assert (result.verdict, result.reason, result.message) == (Verdict.WA, "too many guesses", "too many guesses")
    assert result.transcript is not None
    assert [entry.data for entry in result.transcript.entries] == [b"500\n", b"lower\n", b"250\n", b"lower\n", b"125\n"]


def test_a_missing_flush_is_explained(play: Play) -> None:
    result = play(GUESS.replace(", flush=True", ""))
    assert (result.verdict, result.reason) == (Verdict.TLE, "both processes wait for input: is a flush missing?")
    assert result.transcript is not None
    assert result.transcript.entries == ()


@pytest.mark.parametrize(
    ("solution", "expected", "reason"),
    [
        ("import sys\nsys.exit(3)", Verdict.RTE, "exit status 3"),
        ("while True: pass", Verdict.TLE, "CPU time limit exceeded: 1.00 s"),
        ("print('?', flush=True)\ninput()", Verdict.WA, "guess 1: '?\\n' is no number"),
        ("while True: print(1)", Verdict.WA, "too many guesses"),
        ("", Verdict.WA, "guess 1: '' is no number"),
    ],
)
def test_solutions_that_fail(play: Play, solution: str, expected: Verdict, reason: str) -> None:
    result = play(f"pass\n{solution}")
    assert (result.verdict, result.reason) == (expected, reason)


@pytest.mark.parametrize(
    ("interactor", "reason"),
    [
        ("import sys\nsys.exit('oh')", "the interactor interactor.py: exit status 1, expected 42 .*: oh"),
        ("import time\ntime.sleep(60)", "the interactor interactor.py: wall-clock limit exceeded: 3.00 s .*"),
        ("while True: print(0)", "the interactor interactor.py: output limit exceeded: .*"),
        (
            "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
            "the interactor waits for ever, although the solution has ended",
        ),
        ("import os, sys\nos.symlink('/etc/passwd', sys.argv[3] + 'judgemessage.txt')\nsys.exit(42)", ".*symbolic.*"),
    ],
)
def test_an_interactor_that_fails_is_a_judge_error(play: Play, interactor: str, reason: str) -> None:
    import re

    result = play("import sys\nfor line in sys.stdin: pass", interactor)
    assert result.verdict is Verdict.JE
    assert re.fullmatch(reason, result.reason), result.reason


def test_an_interactor_that_sleeps_on_after_a_failure_is_not_waited_for(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.sandbox.pair._GRACE", 0.05)
    result = play("raise SystemExit(1)", "import time\ntime.sleep(60)")
    assert (result.verdict, result.reason) == (Verdict.RTE, "exit status 1")
    assert play("pass", "import sys, time\ntime.sleep(0.2)\nsys.exit(42)").verdict is Verdict.AC


def test_the_solution_cannot_read_what_the_interactor_reads(play: Play) -> None:
    spy = f"import glob\nfound = glob.glob('/**/data/input', recursive=True)\nassert not found, found\n{GUESS}"
    assert play(spy).verdict is Verdict.AC


@pytest.mark.parametrize(("answer", "expected"), [("77", Verdict.AC), ("78", Verdict.WA)])
def test_a_checker_judges_what_an_interactor_of_testlib_leaves(play: Play, answer: str, expected: Verdict) -> None:
    result = play(f"input()\nprint({answer})", TESTLIB, protocol=Protocol.TESTLIB, checker=CHECKER, args=())
    assert (result.verdict, result.message) == (expected, f"found seen {answer}")


@pytest.mark.parametrize(
    ("status", "text", "expected"),
    [(0, "ok", (Verdict.AC, "points 30 few queries", "30")), (7, "points 5", (Verdict.AC, "points 5", "5"))],
)
def test_points_of_an_interactor_count_unless_the_checker_gives_some(
    play: Play, status: int, text: str, expected: tuple[Verdict, str, str]
) -> None:
    interactor = TESTLIB.replace("sys.exit(0)", "print('points 30 few queries', file=sys.stderr)\nsys.exit(7)")
    checker = f"import sys\nprint({text!r}, file=sys.stderr)\nsys.exit({status})\n"
    result = play("input()\nprint(77)", interactor, protocol=Protocol.TESTLIB, checker=checker, args=())
    assert result.raw_score is not None
    assert (result.verdict, result.message, result.raw_score.score) == expected


PASSES = """
import os, sys
given, feedback = open(sys.argv[1]).read(), sys.argv[3]
print(given, end="", flush=True)
if sys.stdin.readline() != given:
    sys.exit(43)
open(feedback + "judgemessage.txt", "a").write("pass\\n")
if int(given) < int(sys.argv[4]):
    open(feedback + "nextpass.in", "w").write(f"{int(given) + 1}\\n")
sys.exit(42)
"""
ECHO = "print(input(), flush=True)"


@pytest.mark.parametrize(
    ("solution", "last", "expected", "count"),
    [
        (ECHO, "1", Verdict.AC, 1),
        (ECHO, "3", Verdict.AC, 3),
        ("print(min(2, int(input())))", "3", Verdict.WA, 3),
        (ECHO, "4", Verdict.JE, 3),
    ],
)
def test_several_passes(play: Play, solution: str, last: str, expected: Verdict, count: int) -> None:
    result = play(solution, PASSES, args=(last,), passes=3, given=b"1\n", keeps_data=True)
    assert (result.verdict, result.passes) == (expected, count), result.reason
    assert result.message == "\n".join(["pass"] * (count - (expected is Verdict.WA)))
    assert result.transcript is not None
    assert [entry.pass_number for entry in result.transcript.entries] == [
        number for number in range(1, count + 1) for _ in range(2)
    ]


BATCH = """
import sys
given, feedback = open(sys.argv[1]).read(), sys.argv[3]
if sys.stdin.read() != given:
    sys.exit(43)
if int(given) < int(sys.argv[4]):
    open(feedback + "nextpass.in", "w").write(f"{int(given) + 1}\\n")
sys.exit(42)
"""


@pytest.mark.parametrize(
    ("solution", "last", "expected", "count"),
    [
        (ECHO, "2", Verdict.AC, 2),
        ("print(min(2, int(input())))", "3", Verdict.WA, 3),
        ("assert int(input()) < 2\nprint(1)", "3", Verdict.RTE, 2),
        (ECHO, "9", Verdict.JE, 3),
    ],
)
def test_several_passes_without_an_interactor(
    play: Play, solution: str, last: str, expected: Verdict, count: int
) -> None:
    result = play(solution, None, checker=BATCH, args=(last,), passes=3, given=b"1\n")
    assert (result.verdict, result.passes) == (expected, count), result.reason
    assert (result.transcript is None) == (expected is Verdict.AC)
