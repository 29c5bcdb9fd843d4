"""Variants of a submission: what they show is a finding of its own, once for each cause, and never hides a failure."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from judge.base.units import Bytes, Seconds
from judge.hack.search import Plan, Search
from judge.hack.sources import Source, known_source
from judge.hack.values import NamedProgram, Progress, Report, SearchOptions, SearchResult, Target, VariedProgram
from judge.languages.variants import Variant
from judge.model import CaseResult, Ending, RunResult, Verdict
from judge.runner.executors import Interrupted, LocalExecutor
from judge.runner.sanitize import is_fault
from judge.runner.solution import SolutionBuild
from tests.cli.command_line import CapSys, search_text, write
from tests.cli.command_line import search as search_json
from tests.hack.programs import LIMITS, build_programs
from tests.parameters import with_thorough
from tests.report_scenarios import case

Programs = tuple[dict[str, NamedProgram], LocalExecutor]

READ = "n = int(input())\n"
TEXTS = {
    "double": f"{READ}print(2 * n)\n",
    "other": f"{READ}print(2 * n if n < 9 else n)\n",
    "wrong": f"{READ}print(2 * n if n < 20 else n)\n",
    "line 2": f"{READ}assert n < 9\nprint(2 * n)\n",
    "line 3": f"{READ}\nassert n < 9\nprint(2 * n)\n",
    "random": f"import os\n{READ}print(2 * n + os.urandom(9)[0])\n",
    "aborts": f"import os\n{READ}9 < n < 20 and os.abort()\nprint(2 * n)\n",
    "two": f"{READ}n < 9 or print(2 * n, n)\nprint(2 * n)\n",
}
LINE_2, LINE_3 = ("with line 2: AssertionError (line 2)", "with line 3: AssertionError (line 3)")
OTHER = "with other: another output: line 1, token 1: expected `18`, found `9`"


@pytest.fixture(scope="module")
def programs() -> Iterator[Programs]:
    with build_programs(TEXTS) as built, LocalExecutor(1) as executor:
        yield built, executor


def search(
    programs: Programs,
    names: str,
    variants: Sequence[str],
    findings: int = 1,
    report: Report = lambda _: None,
    **more: Any,
) -> SearchResult:
    built, executor = programs
    submission, *references = names.split()
    target = Target(
        submission=built[submission],
        references=[built[each] for each in references],
        variants=[VariedProgram(name=each, program=built[each].program, **more) for each in variants],
        limits=LIMITS,
    )
    inputs = [b"%d\n" % number for number in (1, *range(10, 40))]
    plan = Plan(first=[known_source("known cases", inputs, is_trusted=True)], sources=[Source("none", iter(()))])
    return Search(target, plan, SearchOptions(budget=Seconds(60.0), findings=findings), executor, report).run()


# The submission and its references, the variants, how many findings are wanted, and those that there are.
ROWS: list[tuple[str, list[str], int, list[tuple[str, str, str, int]]]] = [
    ("double", ["other"], 1, [("NA", "9", OTHER, 0)]),
    ("double", ["line 2"], 1, [("NA", "9", LINE_2, 2)]),
    ("double double", ["line 2"], 1, [("AC", "9", LINE_2, 2)]),
    ("double", ["line 2"], 3, [("NA", "9", LINE_2, 2)]),
    ("double", ["line 2", "line 3"], 3, [("NA", "9", LINE_2, 2), ("NA", "9", LINE_3, 3)]),
    ("wrong double", ["line 2"], 1, [("WA", "20", "", 0)]),
    ("wrong double", ["line 2"], 2, [("AC", "9", LINE_2, 2), ("WA", "20", "", 0)]),
    ("aborts", ["line 2"], 3, [("RTE", "10", "", 2)]),
    ("double", ["double", "random"], 1, []),
]


@pytest.mark.parametrize(
    ("names", "variants", "findings", "found"), with_thorough(ROWS, [ROWS[at] for at in (1, 3, 5)])
)
def test_what_a_variant_shows_is_found_once_for_each_cause(
    names: str,
    variants: list[str],
    findings: int,
    found: list[tuple[str, str, str, int]],
    programs: Programs,
) -> None:
    result = search(programs, names, variants, findings)
    shown = [(each.result.verdict.value, each.input.decode().strip(), each.cause, each.line) for each in result.found]
    assert sorted(shown) == sorted(found)
    if names.startswith("double"):
        assert result.runs < 120, "no cause is shrunk twice"
    assert all(each.expected is None for each in result.found if each.result.verdict is Verdict.NA)


@pytest.mark.parametrize(
    ("variant", "allowed"),
    [("line 2", {"may_crash": True}), ("other", {"may_differ": True}), ("other", {"largest_input": 2})],
)
def test_what_a_variant_may_do_is_no_finding(variant: str, allowed: dict[str, Any], programs: Programs) -> None:
    result = search(programs, "double", [variant], **allowed)
    assert (result.found, result.faults, result.runs) == ([], [], 31)


@pytest.mark.parametrize("names", with_thorough(["double", "double double"], ["double"]))
def test_ctrl_c_keeps_what_a_variant_has_shown(names: str, programs: Programs) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.phase == "confirming":
            raise Interrupted

    result = search(programs, names, ["line 2"], report=interrupt)
    (found,) = result.found
    assert (result.was_interrupted, found.is_cold, found.cause, found.line) == (True, False, LINE_2, 2)
    assert found.result.verdict is (Verdict.AC if found.expected else Verdict.NA)


@pytest.mark.parametrize("error", ["stack-overflow on address", "out-of-memory: failed", "allocation-size-too-big"])
def test_sanitizers_that_lack_memory_show_no_mistake(error: str) -> None:
    run = RunResult(
        ending=Ending.EXITED,
        exit_code=1,
        cpu=Seconds(0.1),
        wall=Seconds(0.1),
        memory=Bytes(0),
        output_bytes=Bytes(0),
        crash=f"AddressSanitizer: {error}",
    )
    result = CaseResult(case=case("hack/1"), verdict=Verdict.RTE, run=run)
    assert not is_fault(result)
    assert is_fault(replace(result, run=replace(run, crash="AddressSanitizer: heap-use-after-free (line 7)")))


READ_C = '#include <stdio.h>\nint main(void) {\n    int n, s = 0;\n    scanf("%d", &n);\n'
WRITE_C = '    printf("%d\\n", n + s);\n    return 0;\n}\n'
LUCKY = {  # the program; its cause and line, or "" if it is right
    "bounds.c": (f"{READ_C}    int a[7];\n    a[n] = 1;\n    s = a[n] - 1;\n{WRITE_C}", "index 7 out of bounds", 6),
    "uninitialized.c": (f"{READ_C}    int x, *p = &x;\n    if (n != 5) s = *p < -9;\n{WRITE_C}", "another output", 0),
    "order.py": ("n = int(input())\nprint(n if n < 7 else [*set(map(str, range(n)))][0])\n", "with sets in ", 0),
    "right.c": (READ_C + WRITE_C, "", 0),
    "chance.py": ("import random\nn = int(input())\nprint(random.choice([*set(map(str, range(n)))]))\n", "", 0),
}


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc on this machine")
@pytest.mark.parametrize("name", LUCKY)
def test_luck_is_found_without_a_reference(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    text, cause, line = LUCKY[name]
    monkeypatch.chdir(tmp_path)
    write(name, text)
    words = ("hack", name, "--input", "input: [{n: 1..20}]", "--max-inputs", "40")
    status, found = search_json(*words, capsys=capsys)
    assert status == bool(cause), found
    if cause:
        assert (found["verdict"], found["expected"], found["line"]) == ("NA", None, line or None)
        assert cause in str(found["cause"])
        assert str(found["variant"]) in str(found["cause"])


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc on this machine")
def test_luck_beside_a_reference_is_kept_with_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(tmp_path)
    write("bounds.c", LUCKY["bounds.c"][0])
    write("brute.py", "print(int(input()))\n")
    write("gen.py", "import sys\nprint(int(sys.argv[1]) % 9)\n")
    words = ("stress", "bounds.c", "brute.py", "--gen", "gen.py", "--max-inputs", "40", "--keep")
    status, out, err = search_text(*words, capsys=capsys)
    shown = " ".join(out.split())
    assert status == 1
    assert "bounds.c: fails with" in shown
    assert "verdict AC: the output is right by luck" in shown
    assert "index 7 out of bounds for type 'int [7]' (line 6)" in shown
    assert Path("tests/1.ans").read_text() == "7\n", err


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc on this machine")
def test_a_solution_that_should_fail_and_a_compiler_without_sanitizers_have_no_variants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(SolutionBuild, "variants", (Variant(name="sanitizers", flags=("-fsanitize=none-such",)),))
    for folder, note in (("accepted", True), ("wrong_answer", False)):
        path = f"p/submissions/{folder}/bounds.c"
        write("p/problem.yaml", "name: p\nproblem_format_version: legacy\n")
        write("p/data/sample/1.in", "5\n")
        write("p/data/sample/1.ans", "5\n")
        write(path, LUCKY["bounds.c"][0])
        status, found = search_json("hack", path, "--input", "[{n: 1..6}]", "--max-inputs", "5", capsys=capsys)
        assert (status, found["found"]) == (0, False)
        assert ("with sanitizers does not compile" in str(found["notes"])) is note
