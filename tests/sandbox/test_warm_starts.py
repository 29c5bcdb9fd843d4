"""A problem's own Python programs start warm after some runs: what they say stays what cold runs say."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from judge.base.errors import SandboxError
from judge.judging.program_checker import run_checker
from judge.judging.programs import JudgePrograms, ReadyProgram
from judge.model import DEFAULT_LIMITS, CheckerConfig, CheckResult, Level, Limits, Problem, Verdict
from judge.model.programs import JudgeProgram, Protocol
from judge.sandbox.box import ALL_LEVELS, Box, Command, Outcome
from judge.sandbox.warm_box import WarmBox, warm_command
from judge.sandbox.warm_starts import WarmStarts
from tests.programs import PYTHON, box_at


class Opened:
    """Counts the boxes that are opened, and stands for each of them."""

    def __init__(self) -> None:
        self.count = 0

    def open_beside(self, _kind: object) -> "Opened":
        """Open one more."""
        self.count += 1
        return self

    def prepare(self, command: Command) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize(("programs", "most"), [(1, 1), (4, 4), (6, 40)])
def test_programs_in_turn_do_not_start_an_interpreter_each_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, programs: int, most: int
) -> None:
    opened = Opened()
    monkeypatch.setattr(Box, "open_beside", opened.open_beside)
    commands = []
    for number in range(programs):
        path = tmp_path / f"{number}.py"
        path.write_text("print(1)\n")
        commands.append(Command(argv=(PYTHON, "-I", str(path)), readable=(tmp_path,)))
    rounds = 50
    with Box() as box:
        starts = WarmStarts(box)
        warm = sum(starts.choose(each) is not None for _ in range(rounds) for each in commands)
    assert opened.count <= most
    assert warm >= rounds * programs // 2


COLD_RUNS = 4

CHECKER = """\
import os, sys
given, answer, feedback = sys.argv[1:4]
output = sys.stdin.read()
with open(feedback + "judgemessage.txt", "w") as file:
    print(open(given).read(), open(answer).read(), output, os.listdir(feedback), file=file)
    print(os.dup(0), file=file)
if output == "error":
    raise ValueError(output)
if output == "score":
    open(feedback + "score.txt", "w").write("3")
if output == "write":
    open(answer, "w")
sys.exit({"x": 42, "score": 42, "odd": 7}.get(output, 43))
"""
# It rejects if it finds anything of an earlier run, and then leaves all that it can.
LEAVES_TRACES = """\
import builtins, os, random, sys, threading, time
feedback = sys.argv[3]
found = [
    hasattr(builtins, "trace"), "TRACE" in os.environ, "trace" in sys.path, hasattr(random, "trace"),
    os.listdir(feedback), threading.active_count() > 1, os.getcwd() == "/usr",
]
found.append(os.dup(0) != 3)  # the first descriptor that is free; it stays open
builtins.trace = random.trace = True
os.environ["TRACE"] = "1"
sys.path.append("trace")
os.makedirs(feedback + "deep/folder")
open(feedback + "left", "w").write("left")
os.chdir("/usr")
os.chmod(feedback + "deep", 0)
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
os._exit(43 if any(found) else 42)
"""
# In a warm run, there is one frame below the module's (docs/sandbox.md).
TELLS_WARMTH = "import sys\nsys.exit(42 if sys._getframe().f_back else 43)\n"


class Bench(NamedTuple):
    """A box, where programs are built, and how many runs were warm."""

    box: Box
    folder: Path
    warm: list[Command]

    def build(self, source: Path, protocol: Protocol = Protocol.ICPC) -> ReadyProgram:
        """Return a checker."""
        problem = Problem(id="p", name="p", limits=DEFAULT_LIMITS, checker=CheckerConfig())
        program = JudgeProgram(source=source, protocol=protocol)
        built = JudgePrograms(problem, self.folder, None).get(program, self.box)
        assert isinstance(built, ReadyProgram), built
        return built

    def check(self, checker: ReadyProgram, output: str = "x") -> CheckResult:
        """Run a checker once."""
        return run_checker(checker, (), self.box, given=b"in", answer=b"x", output=output.encode())


def open_bench(folder: Path, monkeypatch: pytest.MonkeyPatch, level: Level) -> Iterator[Bench]:
    folder.chmod(0o755)
    box_at(level).close()
    warm: list[Command] = []
    run = WarmBox.run

    def count(box: WarmBox, command: Command, limits: Limits) -> Outcome:
        warm.append(command)
        return run(box, command, limits)

    monkeypatch.setattr(WarmBox, "run", count)
    work = folder / "work"
    work.mkdir()
    work.chmod(0o755)
    with Box(levels=(level,), work_folder=work) as box:
        yield Bench(box, work, warm)


LEVELS = [Level.FULL, *(pytest.param(level, marks=pytest.mark.thorough) for level in ALL_LEVELS[1:])]


@pytest.fixture(params=LEVELS, ids=lambda level: level.value)
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Bench]:
    yield from open_bench(tmp_path, monkeypatch, request.param)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_a_checker_starts_warm_after_some_runs_and_says_the_same(bench: Bench, tmp_path: Path) -> None:
    checker = bench.build(write(tmp_path / "check.py", CHECKER))
    outputs = ("x", "y", "score", "error", "odd", "write")
    cold = [bench.check(checker, output) for output in outputs[:COLD_RUNS]]
    assert not bench.warm
    warm = [bench.check(checker, output) for output in (*outputs, *outputs)]
    assert len(bench.warm) == 2 * len(outputs)
    assert warm[:COLD_RUNS] == cold
    writes = Verdict.WA if bench.box.level is Level.LIMITS else Verdict.JE  # only there, it may change the answer
    assert [each.verdict for each in warm] == 2 * [
        Verdict.AC, Verdict.WA, Verdict.AC, Verdict.JE, Verdict.JE, writes,
    ]  # fmt: skip
    assert warm[0].message == "in x x ['judgemessage.txt']\n4"


def test_a_warm_run_finds_nothing_of_an_earlier_one(bench: Bench, tmp_path: Path) -> None:
    checker = bench.build(write(tmp_path / "check.py", LEAVES_TRACES))
    assert [bench.check(checker).verdict for _ in range(COLD_RUNS + 4)] == [Verdict.AC] * (COLD_RUNS + 4)
    assert len(bench.warm) == 4


def test_a_program_of_several_files_starts_warm(bench: Bench, tmp_path: Path) -> None:
    write(tmp_path / "check/rules.py", "def accepts(text):\n    return text == 'x'\n")
    write(tmp_path / "check/main.py", "import sys, rules\nsys.exit(42 if rules.accepts(sys.stdin.read()) else 43)\n")
    checker = bench.build(tmp_path / "check")
    found = [bench.check(checker, output).verdict for output in "xyxyxyxy"]
    assert found == [Verdict.AC, Verdict.WA] * 4
    assert len(bench.warm) == len(found) - COLD_RUNS


def test_a_program_whose_warm_run_differs_starts_cold_from_then_on(bench: Bench, tmp_path: Path) -> None:
    checker = bench.build(write(tmp_path / "check.py", TELLS_WARMTH))
    assert {bench.check(checker).verdict for _ in range(COLD_RUNS + 3)} == {Verdict.WA}
    assert len(bench.warm) == 1


def test_a_program_whose_warm_runs_decide_nothing_starts_cold_after_some(bench: Bench, tmp_path: Path) -> None:
    checker = bench.build(write(tmp_path / "check.py", "import sys\nassert input() == 'x'\n"), Protocol.TESTLIB)
    found = [bench.check(checker) for _ in range(COLD_RUNS + 6)]
    assert {each.verdict for each in found} == {Verdict.WA}  # exit status 1: a checker of testlib has no input
    assert len({each.message for each in found}) == 1
    assert len(bench.warm) == 4


def test_a_program_starts_cold_if_its_interpreter_does_not_start(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WarmBox, "_zygote_command", lambda _: ["/bin/false"])
    checker = bench.build(write(tmp_path / "check.py", CHECKER))
    assert {bench.check(checker).verdict for _ in range(COLD_RUNS + 3)} == {Verdict.AC}
    assert len(bench.warm) == 1


def test_a_program_still_starts_warm_after_an_interrupt(bench: Bench, tmp_path: Path) -> None:
    checker = bench.build(write(tmp_path / "check.py", CHECKER))
    for _ in range(COLD_RUNS + 1):
        bench.check(checker)
    bench.box.interrupt()
    with pytest.raises(SandboxError):
        bench.check(checker)
    bench.box.reopen()
    assert bench.check(checker).verdict is Verdict.AC
    assert len(bench.warm) == 3


@pytest.mark.parametrize(
    ("option", "file", "starts_warm"),
    [("-I", "main.py", True), ("-s", "main.py", True), ("-s", "random.py", False), ("-S", "main.py", False)],
)
def test_a_module_with_the_name_of_one_of_the_library_needs_a_cold_run(
    tmp_path: Path, option: str, file: str, starts_warm: bool
) -> None:
    source = write(tmp_path / "main.py", "")
    write(tmp_path / file, "")
    command = Command(argv=(PYTHON, option, str(source)), environment={"PYTHONPATH": str(tmp_path)})
    assert bool(warm_command(command)[1]) is starts_warm
