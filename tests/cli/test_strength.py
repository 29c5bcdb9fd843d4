"""`judge strength` judges mutants, writes the certificate, and says when the strength falls."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from judge.base.units import Seconds
from judge.cli.main import run_cli
from judge.hack.search import Search
from judge.hack.values import Counterexample, Kind, SearchResult
from judge.languages.build import build
from judge.model import DEFAULT_LIMITS, Case, CaseResult, CheckerConfig, Inline, Verdict
from judge.strength import mutants
from judge.strength.measure import Measurement
from judge.strength.mutation.switch import VARIABLE
from tests.cli.command_line import PAGE, held_by, judge, write
from tests.cli.test_hack import write_guess

CapSys = pytest.CaptureFixture[str]
pytestmark = pytest.mark.usefixtures("repository")

PROBLEM = """\
name: Larger
profile: icpc
limits: {time: 0.5 s}
reference: accepted/larger.py
"""
LARGER = """\
for line in open(0):
    a, b = map(int, line.split())
    if a > b:
        print(a)
    else:
        print(b)
"""
CASES = 'cases:\n- {name: one, input: "1 2\\n2 1\\n", answer: "2\\n2\\n"}\n'
ONE_SIDE = 'cases:\n- {name: one, input: "1 2\\n", answer: "2\\n"}\n'
REDUNDANT = """\
cases:
- {name: again, input: "1 2\\n2 1\\n", answer: "2\\n2\\n"}
- {name: large, input: "1 2\\n2 1\\n8 9\\n", answer: "2\\n2\\n9\\n"}
"""


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose mutants were judged, without its certificate; to be copied, not to be changed."""
    folder = tmp_path_factory.mktemp("measured")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(folder)
        write("problems/larger/problem.yaml", PROBLEM)
        write("testcases/larger/sample.yaml", CASES)
        write("solutions/larger/accepted/larger.py", LARGER)
        write("solutions/larger/wrong_answer/first.py", "for line in open(0): print(line.split()[0])\n")
        assert run_cli(["lock"]) == 0
        assert run_cli(["strength", "--search", "0"]) == 0
    (folder / "testcases/larger/strength.lock").unlink()
    return folder


@pytest.fixture
def repository(measured: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return shutil.copytree(measured, tmp_path, dirs_exist_ok=True)


def lock(repository: Path) -> Any:
    return json.loads((repository / "testcases/larger/strength.lock").read_text())


def test_the_report_shows_what_survives(repository: Path, capsys: CapSys) -> None:
    status, out, _ = judge("strength", "larger", "--search", "0", capsys=capsys)
    assert status == 0
    assert "solutions/larger/accepted/larger.py:3: infected" not in out
    assert "wrong solutions: 1 of 1 found" in out
    assert "  sample  100.0%  100.0%   1 of 1  100.0%  +" in out
    (survivor,) = lock(repository)["survivors"]
    assert (survivor["before"], survivor["after"]) == ("if a > b:", "if a >= b:")
    assert survivor["label"] == "equivalent"


@pytest.mark.usefixtures("interrupted_page")
def test_the_json_report_has_the_documented_form(capsys: CapSys) -> None:
    write("testcases/larger/again.yaml", REDUNDANT)
    run_cli(["lock"])
    _, out, _ = judge("strength", "-f", "json", "--search", "0", *PAGE, capsys=capsys)
    (problem,) = json.loads(out)["problems"]
    assert held_by("page.html", '<ins><span class="p-k">if</span>', "again/again") == json.loads(out)
    (solution,) = problem["solutions"]
    assert problem.keys() == {"id", "solutions", "groups", "redundant_cases"}
    assert problem["redundant_cases"] == ["again/again"]
    found = {"alone": solution["killed"], "wrong": 1}
    assert problem["groups"] == [
        {"group": "sample", "cases": 1, "added": solution["killed"], "limits": 0.0, "score": 0.8, **found},
        {"group": "again", "cases": 2, "added": 0, "limits": 1.0, "score": 1.0, **found},
    ]
    assert solution.keys() == {"path", "mutants", "killed", "equivalent", "survivors"}
    assert solution["mutants"] == solution["killed"] + solution["equivalent"]
    assert solution["survivors"] == [{"line": 3, "diff": "- if a > b:\n+ if a >= b:", "label": "equivalent"}]


def test_a_certificate_holds_until_something_changes(capsys: CapSys) -> None:
    status, _, err = judge("strength", "--check", capsys=capsys)
    assert (status, "there is no certificate" in err) == (1, True)
    judge("strength", "--search", "0", capsys=capsys)
    status, out, _ = judge("strength", "--check", capsys=capsys)
    assert (status, out) == (0, "larger: 100.0%, nothing changed\n")
    write("solutions/larger/accepted/larger.py", LARGER.replace("a > b", "b < a"))
    status, _, err = judge("strength", "--check", capsys=capsys)
    assert (status, "outdated: solutions/larger/accepted/larger.py changed" in err) == (1, True)
    assert judge("strength", "--search", "0", capsys=capsys)[0] == 0
    assert judge("strength", "--check", capsys=capsys)[0] == 0


def test_a_fall_does_not_go_unnoticed(repository: Path, capsys: CapSys) -> None:
    judge("strength", "--search", "0", capsys=capsys)
    before = lock(repository)
    write("testcases/larger/sample.yaml", ONE_SIDE)
    run_cli(["lock"])
    status, _, err = judge("strength", "--check", capsys=capsys)
    assert (status, "the strength fell: from 100.00% to " in err) == (1, True)
    assert lock(repository) == before
    status, out, err = judge("strength", "--search", "0", capsys=capsys)
    assert (status, "the strength fell" in err, "unreached" in out) == (1, True, True)


def test_a_wrong_solution_that_no_case_finds_fails(capsys: CapSys) -> None:
    write("solutions/larger/wrong_answer/second.py", LARGER)
    status, out, _ = judge("strength", "--search", "0", capsys=capsys)
    assert (status, "no case finds solutions/larger/wrong_answer/second.py" in out) == (1, True)


def test_reasons_of_people_survive(repository: Path, capsys: CapSys) -> None:
    judge("strength", "--search", "0", capsys=capsys)
    path = repository / "testcases/larger/strength.lock"
    path.write_text(path.read_text().replace('"reason": ""', '"reason": "equivalent: both are printed"'))
    assert judge("strength", "--check", capsys=capsys)[0] == 0
    text = path.read_text()
    status, out, _ = judge("strength", "-v", "--search", "0", capsys=capsys)
    assert (status, "accepted: equivalent: both are printed" in out) == (0, True)
    assert path.read_text() == text
    other = re.sub(r'"killed": (\d+)', lambda found: f'"killed": {int(found[1]) - 1}', text)  # on a busy machine
    path.write_text(other)
    status, _, err = judge("strength", "--search", "0", capsys=capsys)
    assert (status, "kept, since nothing changed" in err, path.read_text()) == (0, True, other)
    assert judge("strength", "--search", "0", "--recheck", capsys=capsys)[0] == 0
    assert path.read_text() == text


def test_nothing_runs_again_unless_it_changed(capsys: CapSys, monkeypatch: pytest.MonkeyPatch) -> None:
    judge("strength", "--search", "0", capsys=capsys)
    runs: list[object] = []
    judge_once = Measurement.judge

    def count(*args: Any) -> Any:
        runs.append(args)
        return judge_once(*args)

    monkeypatch.setattr(Measurement, "judge", count)
    judge("strength", "--search", "0", capsys=capsys)
    assert runs == []
    write("solutions/larger/wrong_answer/first.py", "print(1)\n")
    judge("strength", "--search", "0", capsys=capsys)
    assert len(runs) == 1
    monkeypatch.setattr("judge.runner.cache._own_digest", lambda: "edited")
    judge("strength", "--search", "0", capsys=capsys)
    assert len(runs) > 3


def test_a_part_of_the_cases_writes_no_certificate(repository: Path, capsys: CapSys) -> None:
    write("testcases/larger/again.yaml", REDUNDANT)
    run_cli(["lock"])
    status, out, _ = judge("strength", "larger/sample", "--search", "0", capsys=capsys)
    assert (status, "again" in out) == (0, False)
    assert not (repository / "testcases/larger/strength.lock").exists()


def test_at_least_is_a_threshold(capsys: CapSys) -> None:
    write("testcases/larger/sample.yaml", ONE_SIDE)
    run_cli(["lock"])
    status, _, err = judge("strength", "--at-least", "99", "--search", "0", capsys=capsys)
    assert (status, "of the killable mutants are killed, expected 99.00%" in err) == (1, True)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--at-least", "101"], "--at-least 101: expected a number from 0 to 100"),
        (["--mutants", "0"], "--mutants 0: expected a number from 1"),
        (["nothing"], "nothing"),
    ],
)
def test_wrong_usage(capsys: CapSys, argv: list[str], message: str) -> None:
    status, _, err = judge("strength", *argv, capsys=capsys)
    assert (status, message in err) == (2, True)


@pytest.mark.parametrize(
    "text", ["", "{}", '{"version": 9}', "[" * 10000, '{"version": 1, "survivors": [{"line": 1}]}']
)
def test_a_damaged_certificate_is_an_error(capsys: CapSys, text: str) -> None:
    write("testcases/larger/strength.lock", text)
    status, _, err = judge("strength", "--check", capsys=capsys)
    assert (status, "not a certificate of version 1" in err) == (2, True)


def test_an_accepted_solution_that_fails_has_no_mutants(capsys: CapSys) -> None:
    write("solutions/larger/accepted/wrong.py", "print(1)\n")
    _, out, _ = judge("strength", "--search", "0", capsys=capsys)
    assert "accepted/wrong.py: no mutants: it is not accepted on sample/one: WA" in out


def test_a_package_is_left_as_it_is(tmp_path: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    package = tmp_path / "larger"
    write(package / "problem.yaml", "problem_format_version: 2025-09\nname: Larger\nuuid: 0\nlimits: {time_limit: 1}\n")
    write(package / "data/secret/1.in", "1 2\n2 1\n")
    write(package / "data/secret/1.ans", "2\n2\n")
    write(package / "submissions/accepted/larger.py", LARGER)
    before = sorted(package.rglob("*"))
    status, out, _ = judge("strength", str(package), "--search", "0", capsys=capsys)
    assert (status, sorted(package.rglob("*"))) == (0, before)
    assert "larger: 100.0%" in out


def git(*argv: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *argv], check=True, capture_output=True)


def test_compare_holds_the_certificate(repository: Path, capsys: CapSys) -> None:
    judge("strength", "--search", "0", capsys=capsys)
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "all")
    assert judge("compare", "HEAD", capsys=capsys)[0] == 0
    write("solutions/larger/accepted/larger.py", LARGER.replace("a > b", "b < a"))
    status, _, err = judge("compare", "HEAD", capsys=capsys)
    assert (status, "is outdated (solutions/larger/accepted/larger.py changed)" in err) == (0, True)
    path = repository / "testcases/larger/strength.lock"
    path.write_text(path.read_text().replace('"equivalent": 1', '"equivalent": 0'))
    status, _, err = judge("compare", "HEAD", capsys=capsys)
    assert (status, "the strength fell: from 100.00% to" in err) == (1, True)


PROGRAMS = "validator: validate.py\ngenerators: [generators/pairs.py]\n"
GRAMMAR = "input: [{repeat: 1..9, until: end of file, lines: [{a: 1..9, b: 1..9}]}]\n"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("problems/larger/validate.py", "import sys; sys.exit(42)\n"),
        ("problems/larger/problem.yaml", PROBLEM + PROGRAMS + GRAMMAR.replace("9", "7")),
        pytest.param(
            "problems/larger/generators/pairs.py",
            "def pair(random):\n    return '2 3\\n'\n",
            marks=pytest.mark.thorough,
        ),
        pytest.param(
            "solutions/larger/accepted/other.py",
            "for line in open(0): print(max(map(int, line.split())))\n",
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_what_was_searched_in_vain_is_searched_again_after_an_edit(
    capsys: CapSys, monkeypatch: pytest.MonkeyPatch, path: str, text: str
) -> None:
    suspects = []

    def find_nothing(search: Search) -> SearchResult:
        suspects.append(search.target.submission.name)
        return SearchResult(seconds=Seconds(1.0), seed=1)

    monkeypatch.setattr(Search, "run", find_nothing)
    write("problems/larger/problem.yaml", PROBLEM + PROGRAMS + GRAMMAR)
    write("problems/larger/validate.py", "import sys; sys.exit(42 if open(0).read().strip() else 43)\n")
    write("problems/larger/generators/pairs.py", "def pair(random):\n    return '1 2\\n'\n")
    run_cli(["lock"])
    for _ in range(2):
        judge("strength", "--search", "1", capsys=capsys)
    assert suspects == ["solutions/larger/accepted/larger.py:3"]
    write(path, text)
    run_cli(["lock"])
    judge("strength", "--search", "1", capsys=capsys)
    assert suspects.count(suspects[0]) == 2


def finding(data: bytes, answer: bytes) -> Counterexample:
    case = Case(
        group="x", name="1", input=Inline(data), limits=DEFAULT_LIMITS, checker=CheckerConfig(), origin=Path("x")
    )
    result, kind = CaseResult(case=case, verdict=Verdict.WA), Kind(Verdict.WA)
    return Counterexample(input=data, expected=answer, output=b"", result=result, kind=kind, strategy="x", found=data)


def test_an_input_that_kills_several_survivors_is_shown_once(capsys: CapSys, monkeypatch: pytest.MonkeyPatch) -> None:
    write("testcases/larger/sample.yaml", ONE_SIDE)
    run_cli(["lock"])
    found = SearchResult(found=[finding(b"9 1\n", b"9\n")], seconds=Seconds(1.0), seed=1)
    monkeypatch.setattr(Search, "run", lambda _: found)
    _, out, _ = judge("strength", "--search", "1", capsys=capsys)
    assert out.count("killed by an input that no case has (x; --keep adds it):\n      9 1\n") == 1
    assert out.count("killed by the input that kills solutions/larger/accepted/larger.py:") > 1


def test_an_input_on_which_a_solution_fails_kills_none_of_its_mutants(
    capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is found for a mutant of `larger.py`; of the pair of sevens, `other.py` makes a wrong answer itself."""
    other = LARGER.replace("print(b)", "print(b if (a, b) != (7, 7) else 0)")
    write("solutions/larger/accepted/other.py", other)
    killer = finding(b"7 7\n8 3\n", b"7\n8\n")

    def find(search: Search) -> SearchResult:
        is_first = search.target.submission.name.startswith("solutions/larger/accepted/larger.py")
        return SearchResult(found=[killer] if is_first else [], seconds=Seconds(1.0), seed=1)

    monkeypatch.setattr(Search, "run", find)
    _, out, _ = judge("strength", "-f", "json", "--search", "1", capsys=capsys)
    (problem,) = json.loads(out)["problems"]
    killed = {Path(it["path"]).name for it in problem["solutions"] for each in it["survivors"] if "killer" in each}
    assert killed == {"larger.py"}


STRICT = "import re, sys; sys.exit(42 if re.fullmatch(rb'([0-9]{1,9} [0-9]{1,9}\\n)+', open(0, 'rb').read()) else 43)"


@pytest.mark.thorough
def test_an_input_that_kills_a_survivor_is_found_shrunk_and_kept(repository: Path, capsys: CapSys) -> None:
    write("problems/larger/problem.yaml", PROBLEM + "validator: validate.py\n")
    write("problems/larger/validate.py", STRICT)
    write("testcases/larger/sample.yaml", ONE_SIDE.replace("1 2\\n", "1 2\\n2 2\\n").replace('"2\\n', '"2\\n2\\n'))
    run_cli(["lock"])
    judge("strength", "--search", "0", capsys=capsys)
    path = repository / "testcases/larger/strength.lock"
    accepted = [
        line.replace('"reason": ""', '"reason": "equivalent"') if '"missing-statement"' not in line else line
        for line in path.read_text().splitlines()
    ]
    path.write_text("\n".join(accepted))  # nothing is searched for these
    status, out, err = judge("strength", "--keep", "--search", "60", capsys=capsys)
    assert status == 0
    assert "killed by an input that no case has (" in out
    assert "added; now `judge lock larger`" in err
    assert run_cli(["lock"]) == 0
    status, out, _ = judge("strength", "--search", "0", capsys=capsys)
    assert (status, "killers/killer-1" in out) == (0, True)


@pytest.mark.parametrize(
    ("validator", "status", "expected"),
    [
        ("import sys; sys.exit(42)", 0, "validate.py: false accept: sample/one with nothing"),
        (
            "import sys; sys.exit(42 if int(open(0).read().split()[0]) else 43)",
            1,
            "validate.py: crash: sample/one with",
        ),
        (STRICT, 0, ""),
    ],
)
def test_a_validator_is_tried_with_changed_inputs(capsys: CapSys, validator: str, status: int, expected: str) -> None:
    write("problems/larger/problem.yaml", PROBLEM + "validator: validate.py\n")
    write("problems/larger/validate.py", validator)
    run_cli(["lock"])
    found, out, _ = judge("strength", "--search", "0", capsys=capsys)
    assert found == status
    assert expected in out
    assert ("checkers and validators:" in out) == bool(expected)


LARGER_CPP = """\
#include <cstdio>
int main() {
    int a, b;
    while (scanf("%d %d", &a, &b) == 2) printf("%d\\n", a > b ? a : b);
}
"""
LARGER_ALONE = "#define DIGIT(x) (#x[0] - '0')\n" + LARGER_CPP.replace("while (", "while (DIGIT(1) == 1 && ")
LARGER_JAVA = """\
class Larger {
    public static void main(String[] arguments) {
        java.util.Scanner in = new java.util.Scanner(System.in);
        while (in.hasNextInt()) { int a = in.nextInt(), b = in.nextInt(); System.out.println(a > b ? a : b); }
    }
}
"""


@pytest.mark.parametrize(
    ("name", "text", "is_combined"),
    [
        ("larger.cpp", LARGER_CPP, True),
        pytest.param("larger.cpp", LARGER_ALONE, False, marks=pytest.mark.thorough),
        pytest.param("Larger.java", LARGER_JAVA, True, marks=pytest.mark.thorough),
    ],
)
def test_mutants_of_other_languages_are_compiled_together_if_possible(
    repository: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch, *, name: str, text: str, is_combined: bool
) -> None:
    pytest.importorskip("tree_sitter")
    compiled: list[bytes] = []

    def build_noting_text(*args: Any, **keys: Any) -> Any:
        compiled.append(keys["text"])
        return build(*args, **keys)

    monkeypatch.setattr(mutants, "build", build_noting_text)
    (repository / "solutions/larger/accepted/larger.py").unlink()
    (repository / "solutions/larger/wrong_answer/first.py").unlink()
    write(f"solutions/larger/accepted/{name}", text)
    write("problems/larger/problem.yaml", PROBLEM.replace("larger.py", name).replace("0.5 s", "2 s"))
    run_cli(["lock"])
    status, _, err = judge("strength", "--search", "0", capsys=capsys)
    assert (status, "strength.lock written" in err) == (0, True)
    (solution,) = lock(repository)["solutions"].values()
    (survivor,) = lock(repository)["survivors"]
    assert solution["mutants"] == solution["killed"] + 1
    assert solution["killed"] >= 1
    assert "a >= b ? a : b" in survivor["after"]
    assert all(VARIABLE.encode() in each for each in compiled) is is_combined
    assert text.encode() not in compiled  # workers that compile the same at once would overwrite the program


@pytest.mark.parametrize(
    ("validator", "expected"),
    [
        ("import sys; sys.exit(42)", "rows.py: false accept: secret/1 with nothing"),
        ("import sys; sys.exit(42", "the validator rows.py does not compile"),
    ],
)
def test_validators_of_a_package_are_tried_too(
    tmp_path: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch, validator: str, expected: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    package = tmp_path / "larger"
    write(package / "problem.yaml", "problem_format_version: 2025-09\nname: Larger\nuuid: 0\nlimits: {time_limit: 1}\n")
    write(package / "data/secret/1.in", "1 2\n2 1\n")
    write(package / "data/secret/1.ans", "2\n2\n")
    write(package / "input_validators/rows.py", validator)
    write(package / "submissions/accepted/larger.py", LARGER)
    _, out, _ = judge("strength", str(package), "--search", "0", "--mutants", "1", capsys=capsys)
    assert expected in out
    assert ("checkers and validators:" in out) == ("rows.py:" in expected)


@pytest.mark.thorough
def test_mutants_of_interactive_solutions_are_judged_and_searched(
    tmp_path: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write_guess()
    _, out, _ = judge("strength", "guess", "--mutants", "8", capsys=capsys)
    assert "of 8 mutants killed" in out
    assert "killed by an input that no case has" in out
