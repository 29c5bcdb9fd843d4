"""The scenarios that the tests of all reporters show: hand-made runs, as the events that the runner would yield."""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from judge.base.errors import Diagnostic
from judge.base.units import MIB, Bytes, Seconds
from judge.judging.scoring import Scorer
from judge.model import (
    EXPECTATIONS,
    Case,
    CaseResult,
    CheckerConfig,
    DiffRow,
    Ending,
    Excerpt,
    Inline,
    Level,
    Limits,
    Mismatch,
    Problem,
    ProblemType,
    Requirement,
    RunResult,
    Solution,
    SolutionResult,
    Verdict,
    default_wall,
)
from judge.model.events import (
    CaseJudged,
    Event,
    Notice,
    Preparing,
    ProblemBegan,
    ProblemJudged,
    RunBegan,
    RunEnded,
    SolutionBegan,
    SolutionJudged,
)
from judge.model.groups import Aggregation, Rules, TestGroup
from judge.model.programs import Transcript, TranscriptEntry
from judge.runner.requirements import RequirementChecks

ROOT = Path("/repository")
LIMITS = Limits(cpu=Seconds(3.0), wall=default_wall(Seconds(3.0)), memory=Bytes(128 * MIB), output=Bytes(8 * MIB))


def problem(identity: str = "uva131", name: str = "The Psychic Poker Player", checker: str = "exact") -> Problem:
    """Make a problem of the repository."""
    return Problem(
        id=identity,
        name=name,
        limits=LIMITS,
        checker=CheckerConfig(name=checker),
        folder=ROOT / "problems" / identity,
    )


def solution(of: Problem, below: str) -> Solution:
    """Make a solution in the problem's solutions folder; its first folder is its expectation."""
    shown = f"solutions/{of.id}/{below}"
    return Solution(path=ROOT / shown, display_path=shown, expectation=EXPECTATIONS[below.split("/", maxsplit=1)[0]])


def case(identity: str, why: str = "") -> Case:
    """Make a case named `group/name`."""
    group, name = identity.split("/")
    return Case(
        group=group,
        name=name,
        why=why,
        input=Inline(b""),
        answer=Inline(b""),
        limits=LIMITS,
        checker=CheckerConfig(name="exact"),
        origin=ROOT / "testcases" / "uva131" / f"{group}.yaml",
    )


def ran(
    *, cpu: float = 0.021, memory: float = 9.6, exit_code: int = 0, stderr: bytes = b"", ending: Ending = Ending.EXITED
) -> RunResult:
    """Make the measurements of a run; memory in MiB."""
    return RunResult(
        ending=ending,
        exit_code=exit_code if ending is Ending.EXITED else None,
        signal=None if ending is Ending.EXITED else 9,
        cpu=Seconds(cpu),
        wall=Seconds(cpu + 0.004),
        memory=Bytes(int(memory * MIB)),
        output_bytes=Bytes(120),
        stderr_tail=stderr,
        level=Level.FULL,
    )


def accepted(identity: str, *, cpu: float = 0.021, memory: float = 9.6) -> CaseResult:
    """Make an accepted case."""
    return CaseResult(case=case(identity), verdict=Verdict.AC, run=ran(cpu=cpu, memory=memory))


def rows(expected: bytes, found: bytes, first: int = 1) -> tuple[DiffRow, ...]:
    """Put two texts side by side, line by line."""
    ours, theirs = expected.splitlines(keepends=True), found.splitlines(keepends=True)
    return tuple(
        DiffRow(
            expected_line=first + i if i < len(ours) else None,
            expected=ours[i] if i < len(ours) else None,
            found_line=first + i if i < len(theirs) else None,
            found=theirs[i] if i < len(theirs) else None,
        )
        for i in range(max(len(ours), len(theirs)))
    )


def wrong(
    identity: str,
    mismatch: Mismatch,
    *,
    why: str = "",
    verdict: Verdict = Verdict.WA,
    reason: str = "",
    excerpt: Excerpt | None = None,
) -> CaseResult:
    """Make a case whose output differs."""
    return CaseResult(
        case=case(identity, why), verdict=verdict, reason=reason, run=ran(), mismatch=mismatch, excerpt=excerpt
    )


def judged(
    which: Solution,
    results: Sequence[CaseResult],
    *,
    message: str = "",
    is_complete: bool = True,
    rerun_args: tuple[str, ...] = (),
) -> SolutionResult:
    """Sum up results as the runner does."""
    counts: dict[Verdict, int] = {}
    failures: dict[Verdict, CaseResult] = {}
    for result in results:
        counts[result.verdict] = counts.get(result.verdict, 0) + 1
        if result.verdict not in which.expectation.permitted and result.verdict is not Verdict.SK:
            failures.setdefault(result.verdict, result)
    verdicts: list[Verdict] = [result.verdict for result in results if result.verdict not in (Verdict.AC, Verdict.SK)]
    with_run = [result for result in results if result.run]
    shown = not counts.keys() - {Verdict.SK} or bool(counts.keys() & which.expectation.required)
    shown = shown or not is_complete
    return SolutionResult(
        solution=which,
        language="python",
        verdict=next(iter(verdicts), Verdict.AC if Verdict.AC in counts else Verdict.SK),
        as_expected=not failures and shown,
        counts=counts,
        not_judged=sum(result.has_invalid_data for result in results),
        slowest=max(with_run, key=lambda result: result.run.cpu if result.run else 0, default=None),
        largest=max(with_run, key=lambda result: result.run.memory if result.run else 0, default=None),
        failures=tuple(failures.values()),
        first_failed=next((result for result in results if result.verdict not in (Verdict.AC, Verdict.SK)), None),
        message=message,
        rerun_args=rerun_args,
    )


Judgement = tuple[Solution, Sequence[CaseResult], str]


def problem_events(
    which: Problem,
    judgements: Sequence[Judgement],
    cases: int | None = None,
    *,
    is_complete: bool = True,
    rerun_args: tuple[str, ...] = (),
) -> list[Event]:
    """Make the events of one problem."""
    most = max((len(results) for _, results, _ in judgements), default=0) if cases is None else cases
    known = replace(which, solutions=tuple(each for each, _, _ in judgements))
    events: list[Event] = [ProblemBegan(problem=known, solutions=len(judgements), cases=most)]
    for each, results, message in judgements:
        events.append(SolutionBegan(problem=known, solution=each, cases=len(results)))
        events += [CaseJudged(problem=known, solution=each, result=result) for result in results]
        result = judged(each, results, message=message, is_complete=is_complete, rerun_args=rerun_args)
        events.append(SolutionJudged(problem=known, result=result))
    return [*events, ProblemJudged(problem=known)]


def run(*events: Event, level: Level = Level.FULL, interrupted: bool = False) -> list[Event]:
    """Add the beginning and the end of a run to events, with the counts of the runner."""
    results = [event.result for event in events if isinstance(event, SolutionJudged)]
    cases = [event.result for event in events if isinstance(event, CaseJudged)]
    runs = sum(result.run is not None for result in cases)
    unexpected = sum(not result.as_expected for result in results)
    had_errors = any(result.verdict is Verdict.JE for result in cases) or any(
        isinstance(event, Notice) and event.is_error for event in events
    )
    end = RunEnded(
        solutions=len(results),
        unexpected=unexpected,
        runs=runs,
        as_expected=not (unexpected or had_errors or interrupted or not runs),
        had_errors=had_errors,
        interrupted=interrupted,
        wall=Seconds(1.25),
    )
    return [RunBegan(runs=len(cases), workers=2, level=level), *events, end]


# ---- scenarios ----------------------------------------------------------------------------------------------------

CASES = ("sample/first", "sample/second", "edge/ace-low", "generated/near-miss-1", "large/all-hands")


def one(below: str, *results: CaseResult, message: str = "", of: Problem | None = None) -> list[Event]:
    """Make a run of one solution."""
    which = of or problem()
    return run(*problem_events(which, [(solution(which, below), results, message)]))


def all_as_expected() -> list[Event]:
    """Every solution gets the expected verdicts, of every kind."""
    which = problem()
    good = [accepted(name, cpu=0.02 * (index + 1), memory=9 + index) for index, name in enumerate(CASES)]
    late = CaseResult(case=case("large/all-hands"), verdict=Verdict.TLE, reason="", run=ran(cpu=3.02, memory=31))
    bad = wrong("edge/ace-low", FULL_HOUSE)
    crash = CaseResult(case=case("edge/ace-low"), verdict=Verdict.RTE, run=ran(exit_code=1))
    broken = CaseResult(case=case("sample/first"), verdict=Verdict.CE, reason="SyntaxError: invalid syntax")
    judgements: list[Judgement] = [
        (solution(which, "accepted/packed_ranks.py"), good, ""),
        (solution(which, "accepted/try_all.py"), [replace(good[4], run=ran(cpu=1.9, memory=24.4)), *good[:4]], ""),
        (solution(which, "compile_error/python_two.py"), [broken] * 5, "SyntaxError: invalid syntax"),
        (solution(which, "run_time_error/index_past_end.py"), [*good[:2], crash, *good[3:]], ""),
        (solution(which, "time_limit_exceeded/all_orders.py"), [*good[:4], late], ""),
        (solution(which, "wrong_answer/no_low_ace.py"), [*good[:2], bad, *good[3:]], ""),
    ]
    preparing = [Preparing(problem=which, done=done, total=5) for done in range(6)]
    return run(*preparing, *problem_events(which, judgements))


ANSWER = (
    b"Hand: TH JH QC QD QS Deck: QH KH AH 2S 6S Best hand: straight-flush\n"
    b"Hand: 2H 2S 3H 3S 3C Deck: 2D 3D 6C 9C TH Best hand: four-of-a-kind\n"
    b"Hand: 2H AD 5H AC 7H Deck: AH 6H 9H 4H 3C Best hand: straight\n"
)
FULL_HOUSE = Mismatch(
    line=2,
    column=58,
    token=16,
    expected=b"four-of-a-kind",
    found=b"full-house",
    rows=rows(ANSWER, ANSWER.replace(b"four-of-a-kind", b"full-house")),
    expected_line=2,
)


def wrong_answer() -> list[Event]:
    """An accepted solution says full house where it should say four of a kind."""
    hands = Excerpt(
        first_line=1,
        lines=(b"TH JH QC QD QS QH KH AH 2S 6S", b"2H 2S 3H 3S 3C 2D 3D 6C 9C TH", b"2H AD 5H AC 7H AH 6H 9H 4H 3C"),
        total_lines=9,
        focus=2,
    )
    reason = "line 2, token 16: expected `four-of-a-kind`, found `full-house`"
    failure = wrong(
        "sample/second", FULL_HOUSE, why="a full house in hand can become four", reason=reason, excerpt=hands
    )
    return one("accepted/keeps_pairs.py", accepted("sample/first"), failure, accepted("edge/ace-low"))


def short_lines() -> list[Event]:
    """Short lines are shown side by side; a number is wrong, and a line is missing."""
    difference = Mismatch(
        line=2,
        column=3,
        token=2,
        expected=b"17",
        found=b"18",
        rows=rows(b"1 1\n2 17\n3 4\n5 6\n", b"1 1\n2 18\n3 4\n"),
        hints=("1 line fewer than expected",),
        expected_line=2,
    )
    reason = "line 2, token 2: expected `17`, found `18`"
    given = Excerpt(first_line=1, lines=(b"4", b"1 2 3 4"), total_lines=2)
    return one("accepted/sums.py", wrong("edge/sums", difference, reason=reason, excerpt=given))


def missing_line() -> list[Event]:
    """The output ends too early."""
    difference = Mismatch(
        line=2, column=4, token=1, expected=b"NO", found=b"", rows=rows(b"YES\nNO\n", b"YES\n"), expected_line=2
    )
    reason = "line 2, token 1: expected `NO`, found nothing"
    return one("accepted/one_short.py", wrong("edge/two", difference, reason=reason))


def missing_newline() -> list[Event]:
    """Only the newline at the end is missing."""
    difference = Mismatch(
        line=2,
        column=3,
        token=0,
        expected=b"NO\n",
        found=b"NO",
        rows=rows(b"YES\nNO\n", b"YES\nNO"),
        hints=("no newline at the end of the output",),
        whitespace_only=True,
        expected_line=2,
    )
    failure = wrong("sample/first", difference, verdict=Verdict.PE, reason="only whitespace differs")
    return one("accepted/no_newline.py", failure)


def crlf() -> list[Event]:
    """The output has the line endings of another system."""
    difference = Mismatch(
        line=1,
        column=4,
        token=0,
        expected=b"YES\n",
        found=b"YES\r\n",
        rows=rows(b"YES\nNO\n", b"YES\r\nNO\r\n"),
        hints=("the output has CRLF line endings",),
        whitespace_only=True,
        expected_line=1,
    )
    failure = wrong("sample/first", difference, verdict=Verdict.PE, reason="only whitespace differs")
    return one("accepted/crlf.py", failure)


def trailing_spaces() -> list[Event]:
    """Extra spaces and tabs, in the output and in the input."""
    difference = Mismatch(
        line=1,
        column=2,
        token=0,
        expected=b"1 2 3\n",
        found=b"1  2\t3  \n",
        rows=rows(b"1 2 3\n4 5\n", b"1  2\t3  \n4 5 \n"),
        hints=("the output has trailing whitespace", "the output has tabs"),
        whitespace_only=True,
        expected_line=1,
    )
    given = Excerpt(first_line=1, lines=(b"3\t1 2  ", b"", b"  4 5\r"), total_lines=3)
    reason = "line 1, column 3: expected whitespace ` `, found `  `"
    return one("presentation_error/spaces.py", wrong("dirty/tabs", difference, reason=reason, excerpt=given))


def long_line() -> list[Event]:
    """A line of thousands of numbers: it is cut around the difference."""
    numbers = [b"%d" % number for number in range(60, 110)]
    line = b" ".join(numbers) + b" "
    row = DiffRow(
        expected_line=1,
        expected=line,
        found_line=1,
        found=line.replace(b"88", b"99"),
        expected_cut=(170, 40_000),
        found_cut=(170, 40_000),
    )
    difference = Mismatch(
        line=1, column=170 + line.index(b"88") + 1, token=88, expected=b"88", found=b"99", rows=(row,), expected_line=1
    )
    given = Excerpt(first_line=1, lines=(b"1 " * 200,), total_lines=1)
    reason = "line 1, token 88: expected `88`, found `99`"
    return one("accepted/counts.py", wrong("large/numbers", difference, reason=reason, excerpt=given))


TRACEBACK = b"""Traceback (most recent call last):
  File "solution.py", line 14, in <module>
    main()
  File "solution.py", line 9, in main
    print(best(cards[:5], cards[5:10]))
  File "solution.py", line 4, in best
    return ranks[hand[5]]
                 ~~~~^^^
IndexError: list index out of range
"""


def run_time_error() -> list[Event]:
    """A crash: the end of its traceback is shown."""
    failure = CaseResult(
        case=case("edge/short-line", "a line may be empty"),
        verdict=Verdict.RTE,
        reason="exit status 1: IndexError: list index out of range",
        run=ran(exit_code=1, stderr=b"reading\n" * 5 + TRACEBACK),
        excerpt=Excerpt(first_line=1, lines=(b"",), total_lines=1),
    )
    return one("accepted/no_check.py", accepted("sample/first"), failure)


def debug_output() -> list[Event]:
    """A wrong answer of a solution that prints to standard error: more than is kept, with a line that is too long."""
    failure = wrong("edge/sums", FULL_HOUSE, reason="line 2, token 16: expected `four-of-a-kind`, found `full-house`")
    lines = b"".join(b"step %d\x1b[1m\n" % number for number in range(14)) + b"x" * 500 + b"\n\n"
    return one("accepted/prints.py", replace(failure, run=replace(ran(stderr=lines), stderr_cut=100_000)))


def said(*pieces: tuple[bool, bytes], start: int = 0, number: int = 1) -> tuple[TranscriptEntry, ...]:
    """Make the entries of a transcript: is it the solution, and what it wrote."""
    return tuple(
        TranscriptEntry(is_solution=is_solution, time=Seconds(0.0012 * (start + at)), data=data, pass_number=number)
        for at, (is_solution, data) in enumerate(pieces)
    )


def interactive() -> list[Event]:
    """A wrong answer to an interactor, a deadlock, and a long dialogue with a gap, in several passes."""
    short = said((True, b"500\n"), (False, b"lower\n"), (True, b"two \x1b[1m fifty\n250 " + 30 * b"x" + b"\n"))
    wrong_one = CaseResult(
        case=case("sample/first"), verdict=Verdict.WA, reason="guess 2: no number", run=ran(),
        transcript=Transcript(entries=short),
    )  # fmt: skip
    deadlock = CaseResult(
        case=case("sample/second"), verdict=Verdict.TLE, reason="both processes wait for input: is a flush missing?",
        run=ran(ending=Ending.SIGNALED), transcript=Transcript(entries=said((False, b"1 ")), verdict="AC"),
    )  # fmt: skip
    many = [(bool(at % 2), b"%d\n" % at) for at in range(40)]
    long_one = CaseResult(
        case=case("large/all-hands"), verdict=Verdict.RTE, reason="exit status 1", run=ran(exit_code=1), passes=2,
        transcript=Transcript(entries=(*said(*many), *said(*many, number=2)), skipped=123_456, skipped_at=75),
    )  # fmt: skip
    return one("accepted/packed_ranks.py", accepted("edge/ace-low"), wrong_one, deadlock, long_one)


def time_limit() -> list[Event]:
    """Too slow."""
    failure = CaseResult(
        case=case("large/all-hands", "10,000 lines"),
        verdict=Verdict.TLE,
        reason="CPU time limit exceeded: 3.00 s",
        run=ran(cpu=3.012, memory=11.5, ending=Ending.TIME_LIMIT),
        excerpt=Excerpt(first_line=1, lines=(b"TH JH QC QD QS QH KH AH 2S 6S",) * 7, total_lines=10_000),
    )
    return one("accepted/all_orders.py", accepted("sample/first"), failure)


def memory_limit() -> list[Event]:
    """Too large."""
    failure = CaseResult(
        case=case("large/all-hands"),
        verdict=Verdict.MLE,
        reason="memory limit exceeded: 128 MiB",
        run=ran(cpu=0.4, memory=128.3, ending=Ending.MEMORY_LIMIT, stderr=b"MemoryError\n"),
    )
    return one("accepted/memo.py", accepted("sample/first"), failure)


def compile_error() -> list[Event]:
    """A compile error; its message is shown once."""
    message = 'solution.py:3\n    def best(hand\n            ^\nSyntaxError: "(" was never closed\n'
    results = [CaseResult(case=case(name), verdict=Verdict.CE, reason=message) for name in CASES]
    return one("accepted/unfinished.py", *results, message=message)


def judge_error() -> list[Event]:
    """The machine fails; the solution is not to blame."""
    failure = CaseResult(
        case=case("generated/near-miss-1"),
        verdict=Verdict.JE,
        reason="cannot write the input: No space left on device",
    )
    which = problem()
    judgements: list[Judgement] = [
        (solution(which, below), [accepted("sample/first"), failure], "")
        for below in ("accepted/packed_ranks.py", "accepted/try_all.py")
    ]
    return run(*problem_events(which, judgements))


def not_judged() -> list[Event]:
    """The test data of a case is wrong, and that of another one is not on this machine."""
    which = problem()
    invalid = CaseResult(
        case=case("generated/near-miss-1"),
        verdict=Verdict.SK,
        reason="case generated/near-miss-1: the validator validate.py rejects the input: line 3: blank line",
        has_invalid_data=True,
    )
    absent = CaseResult(case=case("external/poker-txt"), verdict=Verdict.SK, reason="poker.txt is not on this machine")
    judgements: list[Judgement] = [
        (solution(which, "accepted/packed_ranks.py"), [accepted("sample/first"), invalid, absent], ""),
        (solution(which, "wrong_answer/ace_low.py"), [wrong("sample/first", FULL_HOUSE), invalid, absent], ""),
        (solution(which, "accepted/try_all.py"), [invalid, invalid], ""),
    ]
    diagnostic = Diagnostic(path=Path("testcases/uva131/generated.yaml"), line=4, column=5, message=invalid.reason)
    notice = Notice(text=str(diagnostic), is_error=True, diagnostics=(diagnostic,))
    return run(notice, *problem_events(which, judgements))


def skipped() -> list[Event]:
    """Data that must not be committed is not on this machine."""
    which = problem("euler54", "Poker Hands", "tokens")
    reason = "0054_poker.txt is not on this machine; `judge fetch euler54` gets it"
    absent = CaseResult(case=case("external/poker-txt"), verdict=Verdict.SK, reason=reason)
    notice = Notice(text=f"euler54: external/poker-txt is skipped: {reason}", is_summarized=True)
    judgements: list[Judgement] = [
        (solution(which, "accepted/sorted_counts.py"), [accepted("sample/first"), absent], ""),
        (solution(which, "wrong_answer/ace_low.py"), [wrong("sample/first", FULL_HOUSE), absent], ""),
        (solution(which, "accepted/needs_pypy.py"), [replace(absent, reason="pypy3 is not here")] * 2, "no pypy3"),
    ]
    return run(notice, *problem_events(which, judgements))


def missing_verdicts() -> list[Event]:
    """Solutions that should fail, but do not, or fail differently."""
    which = problem()
    good = [accepted(name) for name in CASES]
    late = CaseResult(case=case("large/all-hands"), verdict=Verdict.TLE, reason="too slow", run=ran(cpu=3.1))
    judgements: list[Judgement] = [
        (solution(which, "wrong_answer/no_low_ace.py"), good, ""),
        (solution(which, "wrong_answer/slow_too.py"), [*good[:4], late], ""),
        (solution(which, "brute_force/all_orders.py"), good[:1], ""),
        (solution(which, "rejected/anything.py"), good, ""),
        (solution(which, "compile_error/fine.py"), good[:2], ""),
    ]
    return run(*problem_events(which, judgements))


def some_cases() -> list[Event]:
    """Only some cases are selected: they show the mistake of one wrong solution, but not that of the other."""
    which = problem()
    judgements: list[Judgement] = [
        (solution(which, "accepted/packed_ranks.py"), [accepted("sample/first"), accepted("sample/second")], ""),
        (solution(which, "time_limit_exceeded/all_orders.py"), [accepted("sample/first")] * 2, ""),
        (solution(which, "wrong_answer/no_low_ace.py"), [wrong("sample/first", FULL_HOUSE), accepted("a/b")], ""),
    ]
    return run(*problem_events(which, judgements, is_complete=False))


def lone(name: str) -> Solution:
    """Make a file outside the repository."""
    return Solution(path=Path("/home/user") / name, display_path=name, expectation=EXPECTATIONS["accepted"])


def folder_of_cases() -> Problem:
    """Make what stands for a problem where there are only cases."""
    return replace(problem("tests", "tests", "tokens"), folder=None)


def lone_file() -> list[Event]:
    """A file that is no solution of a repository, on a folder of cases: nothing but AC is expected."""
    failure = wrong("tests/2", FULL_HOUSE, reason="line 2, token 16: expected `four-of-a-kind`, found `full-house`")
    judgements: list[Judgement] = [(lone("sum.py"), [accepted("tests/1", cpu=0.3), failure, accepted("tests/3")], "")]
    return run(*problem_events(folder_of_cases(), judgements, rerun_args=("--cases", "tests")))


def lone_files() -> list[Event]:
    """Several such files."""
    late = CaseResult(case=case("tests/1"), verdict=Verdict.TLE, reason="too slow", run=ran(cpu=3.1))
    judgements: list[Judgement] = [
        (lone("a.py"), [accepted("tests/1")], ""),
        (lone("b.py"), [late], ""),
    ]
    return run(*problem_events(folder_of_cases(), judgements, rerun_args=("--cases", "tests")))


def no_cases() -> list[Event]:
    """A problem without cases."""
    which = problem()
    return run(*problem_events(which, [(solution(which, "accepted/packed_ranks.py"), [], "")]))


def nothing() -> list[Event]:
    """There is nothing to run."""
    return run(level=Level.LIMITS)


def long_names() -> list[Event]:
    """Names longer than any screen, and a file that is not in the repository."""
    long = "a_very_long_name_that_goes_on_and_on_" * 3
    which = problem(name="The Problem Whose Name Is Longer Than Most Screens Are Wide, and Then Some More")
    failure = wrong(
        f"generated/{long}1", FULL_HOUSE, why="a long reason " * 12, reason="line 2, token 16: " + "word " * 40
    )
    typed = Solution(
        path=Path("/home/user/my solutions/poker.py"),
        display_path="my solutions/poker.py",
        expectation=EXPECTATIONS["accepted"],
    )
    judgements: list[Judgement] = [
        (solution(which, f"accepted/{long}.py"), [accepted(f"generated/{long}1")], ""),
        (typed, [failure], ""),
    ]
    return run(*problem_events(which, judgements), level=Level.LANDLOCK)


def wide_names() -> list[Event]:
    """Names and texts of characters two columns wide."""
    which = problem("mahjonghu", "麻將胡牌 — 四川麻将", "lines")
    difference = Mismatch(
        line=2,
        column=8,
        token=2,
        expected="役満".encode(),
        found="平和".encode(),
        rows=rows("立直 一発\n自摸 役満\n".encode(), "立直 一発\n自摸 平和\n".encode()),
        expected_line=2,
    )
    judgements: list[Judgement] = [
        (solution(which, "accepted/解法一.py"), [accepted("sample/例")], ""),
        (solution(which, "accepted/b.py"), [wrong("sample/例", difference, why="жёлтый, 黄色, sárga")], ""),
    ]
    return run(*problem_events(which, judgements))


def hostile() -> list[Event]:
    """Untrusted text: escape sequences, markup, bytes that are not text."""
    which = replace(problem(), name="\x1b[31mred[/bold] [link=https://example.org]x")
    answer, output = b"plain\n[bold]same[/bold]\n", b"\x1b[2J\x1b[1;31mplain\x07\n[bold]same[/bold]\n"
    difference = Mismatch(
        line=1,
        column=1,
        token=1,
        expected=b"plain",
        found=b"\x1b[2J\x1b[1;31mplain\x07",
        rows=rows(answer, output + b"\xff\xfe \\x41 \xe2\x80\xae \xc2\x9b31m e\xcc\x81 \xe2\x86\xb5 \x7f\n"),
        hints=("the output is \x1b[1m not valid UTF-8",),
        expected_line=1,
    )
    failure = wrong(
        "edge/[bold]x\x1b]0;title\x07",
        difference,
        why="[red]why[/red]\x1b[0m",
        reason="line 1: expected `plain`, found `\x1b[2J`",
        excerpt=Excerpt(first_line=1, lines=(b"\x1b[31m \x9b1m", b"[/]"), total_lines=2),
    )
    crash = CaseResult(
        case=case("edge/crash"), verdict=Verdict.RTE, reason="", run=ran(exit_code=1, stderr=b"\x1b[?25l\x00[/red]\n")
    )
    path = ROOT / "solutions" / which.id / "accepted"
    names = ["it's [bold].py", "\x1b[31m\nrm -rf.py", "\udcff$(reboot).py"]
    judgements: list[Judgement] = [
        (
            Solution(
                path=path / name, display_path=f"solutions/uva131/accepted/{name}", expectation=EXPECTATIONS["accepted"]
            ),
            [failure, crash][: 2 - index % 2],
            "\x1b[31mmessage",
        )
        for index, name in enumerate(names)
    ]
    return run(Notice(text="\x1b[31m[bold]notice\r\nsecond line"), *problem_events(which, judgements))


def interrupted() -> list[Event]:
    """Ctrl-C in the middle of the second solution."""
    which = problem()
    judgements: list[Judgement] = [
        (solution(which, "accepted/packed_ranks.py"), [accepted(name) for name in CASES], ""),
        (solution(which, "accepted/try_all.py"), [accepted(CASES[0]), accepted(CASES[1])], ""),
    ]
    *events, last, end = problem_events(which, judgements)
    assert isinstance(last, SolutionJudged)
    left = replace(last, result=replace(last.result, unfinished=len(CASES) - 2))
    return run(*events, left, end, interrupted=True)


def several_problems() -> list[Event]:
    """Two problems; the summary names the unexpected solution again."""
    other = problem("holdem", "Texas Hold'em", "tokens")
    wrong_events = wrong_answer()[1:-1]
    fine = problem_events(other, [(solution(other, "accepted/seven_cards.py"), [accepted("sample/first")], "")])
    return run(*wrong_events, *fine)


def _subtask_events(which: Problem, solution: Solution, results: Sequence[CaseResult]) -> list[Event]:
    """Make the events of a solution, scored by the rules of the groups."""
    assert which.groups is not None
    scorer = Scorer(which.groups, [each.case for each in results])
    scored = [scorer.add(each) for each in results]
    scores = scorer.finish()
    checks = RequirementChecks(which, solution.expectation.more)
    found = replace(
        judged(solution, scored),
        score=scores.score,
        max_score=which.groups.max_score,
        groups=scores.groups,
        omitted=sum(each.is_omitted for each in scored),
    )
    unmet = tuple(checks.unmet(scores, found.verdict, is_complete=True))
    found = replace(found, unmet=unmet, as_expected=found.as_expected and not unmet)
    return [
        SolutionBegan(problem=which, solution=solution, cases=len(scored)),
        *(CaseJudged(problem=which, solution=solution, result=each) for each in scored),
        SolutionJudged(problem=which, result=found),
    ]


def subtasks() -> list[Event]:
    """A problem with points for groups; a group is omitted, and a solution does not get the expected score."""
    groups = (
        TestGroup(name="sample", aggregation=Aggregation.PASS_FAIL),
        TestGroup(name="small", aggregation=Aggregation.PASS_FAIL, max_score=30.0),
        TestGroup(name="large", aggregation=Aggregation.PASS_FAIL, max_score=50.0, require_pass=("small",)),
        TestGroup(name="each", aggregation=Aggregation.SUM, max_score=20.0),
    )
    root = TestGroup(name="", rules=Rules.MAX_SCORES, groups=groups, max_score=100.0)
    cases = ("sample/a", "small/a", "small/b", "large/a", "each/a", "each/b", "each/c")
    solutions = [solution(problem(), f"{name}.py") for name in ("accepted/all", "partially_accepted/most")]
    some = solutions[1]
    more = (*some.expectation.more, Requirement(score=(50.0, 80.0)))
    solutions[1] = replace(some, expectation=replace(some.expectation, more=more))
    which = replace(problem(), groups=root, types=frozenset({ProblemType.SCORING}), solutions=tuple(solutions))
    good = [accepted(each) for each in cases]
    failed = ("small/b", "each/a")
    mixed = [replace(each, verdict=Verdict.WA) if each.case.id in failed else each for each in good]
    return run(
        ProblemBegan(problem=which, solutions=len(solutions), cases=len(cases)),
        *_subtask_events(which, solutions[0], good),
        *_subtask_events(which, solutions[1], mixed),
        ProblemJudged(problem=which),
    )


SCENARIOS: dict[str, Callable[[], list[Event]]] = {
    scenario.__name__: scenario
    for scenario in (
        all_as_expected,
        wrong_answer,
        short_lines,
        missing_line,
        missing_newline,
        crlf,
        trailing_spaces,
        long_line,
        run_time_error,
        debug_output,
        interactive,
        time_limit,
        memory_limit,
        compile_error,
        judge_error,
        not_judged,
        skipped,
        missing_verdicts,
        some_cases,
        lone_file,
        lone_files,
        no_cases,
        nothing,
        long_names,
        wide_names,
        hostile,
        interrupted,
        several_problems,
        subtasks,
    )
}
