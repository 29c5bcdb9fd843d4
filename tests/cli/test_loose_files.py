"""Files that are in no repository, or in no problem of one: what run, check and bundle do with them, by one rule."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from judge.online.lint.judges import JUDGES, find_judge_interpreter
from tests.cli.command_line import CapSys, copy_repository, judge
from tests.files import write_files

SUM = "print(sum(map(int, input().split())))\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    made = tmp_path / "abc300"
    made.mkdir()
    monkeypatch.chdir(made)
    return made


def results(out: str) -> dict[str, dict[str, object]]:
    """Return of each solution in a report the problem, the verdict, and how many cases got which."""
    return {
        each["path"]: {"problem": problem["id"], "verdict": each["verdict"], "counts": each["counts"]}
        for problem in json.loads(out)["problems"]
        for each in problem["solutions"]
    }


def test_a_file_is_judged_on_the_cases_beside_it_and_one_line_says_so(folder: Path, capsys: CapSys) -> None:
    write_files(
        folder, {"a.py": SUM, "test/1.in": "1 2\n", "test/1.out": "3\n", "test/2.in": "5 5\n", "test/2.out": "11\n"}
    )
    status, out, err = judge("run", "a.py", capsys=capsys)
    assert status == 1
    assert err == "note: a.py: 2 cases in test/\n"
    assert "WA: line 1, token 1: expected `11`, found `10`" in out
    assert sorted(path.name for path in folder.iterdir()) == ["a.py", "test"]


def test_an_accepted_file_loads_nothing_that_only_others_need(folder: Path) -> None:
    write_files(folder, {"a.py": SUM, "a.in": "1 2\n", "a.out": "3\n"})
    parts = (
        "reporters.failure reporters.cases problems.assets problems.case_source preparation.prepare cli.wrapping inputs"
    )
    ours = [f"judge.{part}" for part in parts.split()]
    assert all(map(find_spec, ours))
    unused = {"inspect", "json", "subprocess", "typing_extensions", "yaml", *ours}
    script = (
        "import sys; from judge.__main__ import _import_msgspec; _import_msgspec();"
        "from judge.cli.main import run_cli; status = run_cli(['run', 'a.py']);"
        f"print(status, *sorted(sys.modules.keys() & {unused!r}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "0", done.stdout + done.stderr


def test_without_a_word_all_files_of_a_folder_are_judged(folder: Path, capsys: CapSys) -> None:
    cpp = '#include <cstdio>\nint main() { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a * b); }\n'
    write_files(folder, {"a.py": SUM, "a.in": "1 2\n", "a.out": "3\n", "b.cpp": cpp, "b1.in": "2 4\n", "b1.out": "8\n"})
    write_files(folder, {"c.py": "print(1)\n", "notes.txt": "x"})
    status, out, err = judge("run", "-f", "json", capsys=capsys)
    assert status == 0
    assert results(out) == {
        "a.py": {"problem": "a", "verdict": "AC", "counts": {"AC": 1}},
        "b.cpp": {"problem": "b", "verdict": "AC", "counts": {"AC": 1}},
    }
    assert "note: c.py: not judged, since no cases were found\n" in err
    assert judge("run", ".", "-f", "json", capsys=capsys)[0] == 0
    assert judge("run", str(folder), "-f", "json", capsys=capsys)[0] == 0


def test_failed_and_history_know_a_file_however_many_share_its_cases(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"a.py": "print(4)\n", "b.py": "print(3)\n", "tests/1.in": "1 2\n", "tests/1.ans": "3\n"})
    assert judge("run", "a.py", capsys=capsys)[0] == 1
    status, out, _ = judge("run", "--failed", "-f", "json", capsys=capsys)
    assert (status, list(results(out))) == (1, ["a.py"])
    status, out, _ = judge("history", "a.py", capsys=capsys)
    assert (status, out.count("WA (unexpected)"), out.count("\n")) == (0, 2, 2)


def test_many_files_and_helpers_have_one_note_each(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {f"{name}/main.py": SUM for name in "abcdef"} | {"a/gen.py": "1 / 0\n", "b/b_brute.py": SUM})
    write_files(folder, {f"{name}/tests/1.{end}": "3\n" for name in "abcdef" for end in ("in", "ans")})
    write_files(folder, {f"{name}/samples/2.in": "3\n" for name in "abcdef"})
    status, _, err = judge("run", "--cases", "a/tests", capsys=capsys)
    assert (status, err) == (0, "note: a/gen.py and b/b_brute.py: not judged, by the name; name a file to judge it\n")
    status, _, err = judge("run", capsys=capsys)
    assert status == 0
    assert err == (
        "note: a/main.py, b/main.py, c/main.py and 3 more: 6 cases beside them; "
        "not used: a/samples/2.in, b/samples/2.in, c/samples/2.in and 3 more; choose with --cases\n"
        "note: a/gen.py and b/b_brute.py: not judged, by the name; name a file to judge it\n"
    )
    assert judge("run", "a/gen.py", capsys=capsys)[0] == 1


def test_files_that_share_cases_are_solutions_of_one_problem(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"fast.py": SUM, "slow.py": SUM, "tests/1.in": "1 2\n", "tests/1.ans": "3\n"})
    status, out, err = judge("run", ".", "-f", "json", capsys=capsys)
    assert status == 0
    assert [(name, each["problem"]) for name, each in results(out).items()] == [
        ("fast.py", "abc300"),
        ("slow.py", "abc300"),
    ]
    assert "note: fast.py and slow.py: 1 case in tests/\n" in err


def test_files_with_one_name_and_cases_of_this_name_are_solutions_of_one_problem(folder: Path, capsys: CapSys) -> None:
    cpp = '#include <cstdio>\nint main() { std::puts("3"); }\n'
    write_files(
        folder,
        {"a.py": SUM, "a.cpp": cpp, "a.in": "1 2\n", "a.out": "3\n", "b.py": SUM, "b.in": "1 1\n", "b.out": "2\n"},
    )
    status, out, err = judge("run", "-f", "json", capsys=capsys)
    assert status == 0
    assert [problem["id"] for problem in json.loads(out)["problems"]] == ["a", "b"]
    assert list(results(out)) == ["a.cpp", "a.py", "b.py"]
    assert "note: a.cpp and a.py: 1 case in a.in\n" in err


def test_a_problem_file_of_cph_without_tests_does_not_hide_other_cases(folder: Path, capsys: CapSys) -> None:
    prob = ".cph/.a.py_12.prob"
    write_files(folder, {"a.py": SUM, prob: '{"tests": [], "name": "A"}'})
    _, _, err = judge("run", "a.py", capsys=capsys)
    assert "a.py: no cases found" in err
    _, _, err = judge("run", "a.py", "--cases", prob, capsys=capsys)
    assert "a.py_12.prob: this problem has no tests; add one in cph" in err
    write_files(folder, {"tests/1.in": "1 2\n", "tests/1.out": "3\n"})
    status, _, err = judge("run", "a.py", capsys=capsys)
    assert (status, err) == (0, "note: a.py: 1 case in tests/\n")


def test_cases_that_a_pattern_names_are_called_like_their_folder(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"a.py": SUM, "tests/1.in": "1 2\n", "tests/1.out": "3\n"})
    _, out, _ = judge("run", "a.py", "--cases", "tests/%s.in:%s.out", "-f", "json", capsys=capsys)
    assert [problem["id"] for problem in json.loads(out)["problems"]] == ["tests"]


def test_an_output_without_an_answer_is_shown_and_is_not_accepted(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"a.py": SUM, "input.txt": "3 4\n"})
    status, out, err = judge("run", "a.py", capsys=capsys)
    assert status == 0
    assert err == "note: a.py: 1 case without an answer in input.txt\n"
    assert "no answer   a.py  NA" in out
    assert "which has no answer to compare it with" in out
    assert "           1 | 7\n" in out
    assert "1 case run, with no answer to compare the output with" in out
    _, out, _ = judge("run", "a.py", "-f", "json", capsys=capsys)
    (case,) = json.loads(out)["problems"][0]["solutions"][0]["cases"]
    assert (case["verdict"], case["output"]["lines"], case["cached"]) == ("NA", ["7"], False)
    assert json.loads(out)["as_expected"] is True


def test_a_crash_without_an_answer_is_still_a_crash(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"a.py": "1 / 0\n", "a.in": ""})
    status, out, _ = judge("run", "a.py", "-f", "json", capsys=capsys)
    assert (status, results(out)["a.py"]["verdict"]) == (1, "RTE")


def test_some_cases_without_an_answer_do_not_hide_the_others(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"a.py": SUM, "a1.in": "1 2\n", "a1.out": "3\n", "a2.in": "3 4\n"})
    status, out, err = judge("run", "a.py", "-f", "json", capsys=capsys)
    assert (status, results(out)["a.py"]) == (0, {"problem": "a", "verdict": "AC", "counts": {"AC": 1, "NA": 1}})
    assert "2 cases (1 without an answer) in a1.in, a2.in" in err


@pytest.mark.parametrize(
    ("names", "advice"),
    [
        ("tests/1.in tests/1.foo tests/1.desc", "; if tests/1.foo is the answer, add --cases tests/%s.in:%s.foo"),
        ("tests/1.in tests/1.ans tests/in1.txt tests/in1.bar", "--cases tests/%s.txt:%s.bar"),
        ("tests/1.in tests/1.foo tests/1.bar", "in tests/\n"),  # which one is not clear
    ],
)
def test_a_file_that_may_be_the_answer_is_named(folder: Path, names: str, advice: str, capsys: CapSys) -> None:
    write_files(folder, {"a.py": SUM, **dict.fromkeys(names.split(), "3 0\n")})
    assert advice in judge("run", "a.py", capsys=capsys)[2]
    if "%s" in advice:
        cases = advice.rpartition(" ")[2]
        assert judge("run", "a.py", "--cases", cases, "-f", "json", capsys=capsys)[1].count('"verdict": "WA"') == 2


def test_a_piped_input_is_for_a_file_without_cases(folder: Path, pipe: Callable[[str], None], capsys: CapSys) -> None:
    write_files(folder, {"a.py": SUM})
    pipe("20 22\n")
    status, out, _ = judge("run", "a.py", capsys=capsys)
    assert status == 0
    assert "           1 | 42\n" in out


def test_cases_can_be_read_from_standard_input(folder: Path, pipe: Callable[[str], None], capsys: CapSys) -> None:
    write_files(folder, {"a.py": SUM, "tests/1.in": "1 2\n", "tests/1.out": "3\n"})
    pipe("20 22\n")
    status, out, _ = judge("run", "a.py", "--cases", "-", capsys=capsys)
    assert (status, "1 | 42" in out) == (0, True), out
    pipe("")
    status, _, err = judge("run", "a.py", "--cases", "-", capsys=capsys)
    assert (status, err) == (
        2,
        "judge: --cases -: standard input is empty: pipe an input, or type one and end it with Ctrl-D\n",
    )
    status, _, err = judge("check", "a.py", "--cases", "-", capsys=capsys)
    assert (status, err) == (2, "judge: --cases -: only `judge run` reads standard input\n")


def test_show_knows_a_case_of_a_file_as_one_of_a_problem(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"a.py": SUM, "b.py": "print(4)\n", "tests/1.in": "1 2\n", "tests/1.out": "3\n"})
    assert "cases     1 in 1 group" in judge("show", "a.py", capsys=capsys)[1]
    for case in ("1", "tests/1"):
        status, out, _ = judge("show", f"a.py/{case}", capsys=capsys)
        assert (status, "from     tests/1.in; answer given in 1.out" in out) == (0, True)
    assert judge("show", "a.py/1", "--input", capsys=capsys)[1] == "1 2\n"
    assert judge("show", "a.py/1", "--solution", "b.py", "--output", capsys=capsys)[1] == "4\n"
    assert judge("show", "a.py", "--code", "python", capsys=capsys)[0] == 0
    for word, message in {
        "tests/1": "tests/1: expected a problem, a package, a source file or an input, or a case of one; "
        "for a case of a file: judge show FILE/CASE\n",
        "a.py/2": "a has no case 2; list the cases with `judge list a.py`\n",
        "a.py/nope": "a has no case nope; list the cases with `judge list a.py`\n",
    }.items():
        status, _, err = judge("show", word, capsys=capsys)
        assert (status, err.endswith(message)) == (2, True), err


def test_runs_of_a_folder_are_compared(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"a.py": SUM, "tests/1.in": "1 2\n", "tests/1.out": "3\n"})
    judge("run", "a.py", capsys=capsys)
    write_files(folder, {"a.py": "print(4)\n", "b.py": SUM})
    judge("run", capsys=capsys)  # two files share the cases, so their problem has another name
    status, out, _ = judge("compare", "run-1", "run-2", "-f", "json", capsys=capsys)
    assert (status, [each["kind"] for each in json.loads(out)["changes"]]) == (1, ["worse", "new"])
    assert "run 2 against run 1" in judge("compare", "run-1", "run-2", "a.py", capsys=capsys)[1]
    write_files(folder, {"a.py": SUM})
    for words in (("run-1", "a.py"), ("run-1",)):
        assert judge("compare", *words, capsys=capsys)[0] == 0
    for argv, message in {
        ("run-1", "run-9"): "run 9 is not in the history",
        ("run-1", "run-2", "--timing"): "two runs are compared as recorded",
        (): "to compare two files: judge compare OLD NEW; to compare with an earlier run: judge compare run-N",
    }.items():
        status, _, err = judge("compare", *argv, capsys=capsys)
        assert (status, message in err) == (2, True), err


def test_a_piped_input_is_left_alone_if_there_are_cases(
    folder: Path, pipe: Callable[[str], None], capsys: CapSys
) -> None:
    write_files(folder, {"a.py": SUM, "a.in": "1 2\n", "a.out": "3\n"})
    pipe("20 22\n")
    assert judge("run", "a.py", capsys=capsys)[0] == 0
    assert sys.stdin.read() == "20 22\n"


@pytest.mark.parametrize("command", ["run", "watch"])
def test_without_cases_and_input_the_error_says_where_it_looked(
    folder: Path, pipe: Callable[[str], None], capsys: CapSys, command: str
) -> None:
    write_files(folder, {"a.py": SUM})
    pipe("")
    status, out, err = judge(command, "a.py", capsys=capsys)
    assert (status, out) == (2, "")
    assert err.startswith("judge: a.py: no cases found: looked beside it for a.in, 1.in, in1.txt, input.txt and the")
    assert "tests/1.in and tests/1.ans" in err
    write_files(folder, {"my sum.py": SUM})
    assert "| judge run 'my sum.py'\n" in judge(command, "my sum.py", capsys=capsys)[2]
    write_files(folder, {"my samples.zip": ""})  # as Kattis names them
    assert "name the archive: judge run a.py --cases 'my samples.zip'\n" in judge(command, "a.py", capsys=capsys)[2]


def test_a_folder_without_sources_says_what_to_do(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"notes.txt": ""})
    assert "judge a file without a repository: judge run FILE" in judge("run", capsys=capsys)[2]
    assert ".: no sources in this folder; expected files with .c" in judge("run", ".", capsys=capsys)[2]
    assert judge("run", ".", capsys=capsys)[0] == 2


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("b.py", "judge: b.py: no such file or folder; did you mean a.py?\n"),
        ("a", "judge: a: no such file or folder; did you mean a.py?\n"),
        ("uva131", "judge: uva131: no such file or folder\n"),
        ("1.out", "1.out: a file of a case, not a source; to judge on it: judge run FILE --cases 1.in\n"),
        ("a.out", "a.out: no language has the suffix `.out`; known suffixes: "),
        ("link.cpp", "link.cpp is a broken link; expected a source file\n"),
        ("notes.txt", "notes.txt: no language has the suffix `.txt`; known suffixes: "),
    ],
)
def test_a_word_that_is_no_source_is_one_clear_error(folder: Path, capsys: CapSys, word: str, message: str) -> None:
    write_files(folder, {"a.py": SUM, "notes.txt": "", "1.in": "1 2\n", "1.out": "3\n", "a.out": "\x7fELF"})
    (folder / "link.cpp").symlink_to("nowhere.cpp")
    for argv in (["run", word], ["run", "-s", word]) if os.path.lexists(folder / word) else (["run", word],):
        status, out, err = judge(*argv, capsys=capsys)
        assert (status, out) == (2, "")
        assert message in err


def test_list_says_which_cases_it_found(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {f"{name}.{suffix}": SUM for name in "ab" for suffix in ("py", "in")})
    status, out, err = judge("list", capsys=capsys)
    assert (status, err.splitlines()[0]) == (0, "note: a.py: 1 case without an answer in a.in")
    assert "  a.py\n\nb  b.in  " in out


def test_each_folder_has_its_own_history(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys) -> None:
    other = folder.parent / "abc301"
    for place, answer in ((folder, "4\n"), (other, "3\n")):
        write_files(place, {"a.py": SUM, "a.in": "1 2\n", "a.out": answer})
        monkeypatch.chdir(place)
        judge("run", "a.py", capsys=capsys)
    assert "everything selected was as expected" in judge("run", "--failed", capsys=capsys)[2]
    monkeypatch.chdir(folder)
    status, out, _ = judge("run", "--failed", "-f", "json", capsys=capsys)
    assert (status, list(results(out))) == (1, ["a.py"])
    assert len(judge("history", capsys=capsys)[1].splitlines()) == 2


def test_without_git_the_error_names_the_options(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"a.py": SUM, "a.in": "1 2\n"})
    for option in (["--changed"], ["--since", "HEAD~1"]):
        err = judge("run", *option, capsys=capsys)[2]
        assert err == (
            f"judge: {folder} is not a git repository with a commit; --changed and --since compare with one\n"
        )


def test_files_after_an_option_are_files_too(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"A.py": SUM, "B.py": "print(0)\n", "d/1.in": "1 2\n", "d/1.ans": "3\n"})
    status, out, err = judge("run", "-s", "A.py", "B.py", "--cases", "d", "-f", "json", capsys=capsys)
    assert (status, err) == (1, "")
    assert {name: each["verdict"] for name, each in results(out).items()} == {"A.py": "AC", "B.py": "WA"}


def test_submissions_without_a_package_are_judged_with_their_data_and_expectations(
    folder: Path, capsys: CapSys
) -> None:
    slow = "while True: pass\n"
    write_files(folder, {"submissions/accepted/a.py": SUM, "submissions/time_limit_exceeded/b.py": slow})
    write_files(folder, {"data/sample/1.in": "1 2\n", "data/sample/1.ans": "3\n"})
    status, out, err = judge("run", ".", "--time-limit", "0.3", "-f", "json", capsys=capsys)
    assert status == 0
    assert [each["verdict"] for each in results(out).values()] == ["AC", "TLE"]
    assert [problem["id"] for problem in json.loads(out)["problems"]] == ["abc300"]
    assert "1 case in ../../data/" in err


def test_options_win_over_the_limits_that_were_found(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"a.py": SUM, "a.in": "1 2\n", "a.ans": "3\n", "problem.yaml": "limits: {time: 7 s}\n"})
    status, out, err = judge("run", ".", "--time-limit", "3", capsys=capsys)
    assert status == 0
    assert "3.00 s" in out
    assert "limits" not in err


def test_check_and_bundle_use_the_same_cases_and_say_so(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"a.py": SUM, "a.in": "1 2\n", "a.out": "4\n"})
    status, out, err = judge("check", "a.py", "--for", "icpc", capsys=capsys)
    assert status == 1
    assert "WA on abc300/a" in out
    interpreter, _ = find_judge_interpreter(JUDGES["icpc"])  # PyPy, if there is one
    words = f" --python {interpreter.path}" if interpreter else ""
    assert f"fix: `judge run a.py{words} --case abc300/a` shows the details" in out
    assert "note: a.py: 1 case in a.in\n" in err
    status, _, err = judge("bundle", "a.py", "-o", "out.py", capsys=capsys)
    assert status == 1
    assert "note: a.py: 1 case in a.in\n" in err
    assert "out.py is not written; without --output, the bundle is printed in any case\n" in err


def test_check_says_that_it_assumes_a_judge(folder: Path, capsys: CapSys) -> None:
    write_files(folder, {"a.py": SUM, "a.in": "1 2\n", "a.out": "3\n"})
    status, out, _ = judge("check", "a.py", capsys=capsys)
    assert status == 0
    assert "note: the online judge is unknown: the rules of ICPC World Finals apply; choose with --for uva|" in out
    assert "unknown" not in judge("check", "a.py", "--for", "icpc", capsys=capsys)[1]
    write_files(
        folder,
        {"b/b.py": SUM, "b/tests/1.in": "1 2\n", "b/tests/1.out": "3\n",
         "b/problem.yaml": "name: B\nsource:\n  name: B\n  url: https://www.spoj.com/problems/B/\n"},
    )  # fmt: skip
    _, out, _ = judge("check", "b/b.py", capsys=capsys)
    assert "note: the rules of spoj are unknown: those of ICPC World Finals apply; choose with --for uva|" in out


def test_two_files_are_compared_on_the_cases_of_the_new_one(folder: Path, capsys: CapSys) -> None:
    write_files(
        folder, {"old.py": SUM, "new.py": SUM, "bad.py": "print(0)\n", "tests/1.in": "1 2\n", "tests/1.ans": "3\n"}
    )
    status, out, err = judge("compare", "old.py", "new.py", capsys=capsys)
    assert status == 0
    assert "now against old.py" in out
    assert "note: new.py: 1 case in tests/\n" in err
    status, out, _ = judge("compare", "old.py", "bad.py", "-f", "json", capsys=capsys)
    assert (status, json.loads(out)["regression"]) == (1, True)
    status, out, err = judge("compare", "old.py", "new.py", "--timing", "--max-time", "1", "-f", "json", capsys=capsys)
    assert "timing old.py and new.py ..." in err
    assert json.loads(out)["changes"][0]["timing"]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["old.py", "old.py"], "old.py and old.py are the same file"),
        (["old.py", "--cases", "tests"], "--problem and --cases are for two files: judge compare OLD NEW"),
    ],
)
def test_one_file_cannot_be_compared_with_itself(folder: Path, capsys: CapSys, argv: list[str], message: str) -> None:
    write_files(folder, {"old.py": SUM, "tests/1.in": "1 2\n"})
    status, _, err = judge("compare", *argv, capsys=capsys)
    assert status == 2
    assert message in err


# ---- in a repository -------------------------------------------------------------------------------------------------


@pytest.fixture
def repository(locked_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return copy_repository(locked_sums, tmp_path, monkeypatch)


def test_a_file_with_the_name_of_a_problem_is_a_guess_that_is_said(repository: Path, capsys: CapSys) -> None:
    write_files(repository, {"mine/sums.py": "print(0)\n"})
    status, out, err = judge("run", "mine/sums.py", "-f", "json", capsys=capsys)
    assert (status, results(out)["mine/sums.py"]["problem"]) == (1, "sums")
    assert "note: mine/sums.py: taken for a solution of sums because of its name; to name another problem: " in err
    write_files(repository, {"sums/x.py": "print(0)\n"})
    _, _, err = judge("run", "sums/x.py", "-f", "json", capsys=capsys)
    assert "taken for a solution of sums because of the name of its folder" in err


def test_cases_beside_a_file_win_over_its_name_and_a_named_problem_over_both(repository: Path, capsys: CapSys) -> None:
    write_files(repository, {"mine/sums.py": "print(5)\n", "mine/sums.in": "", "mine/sums.out": "5\n"})
    status, _, err = judge("run", "mine/sums.py", capsys=capsys)
    assert (status, err) == (0, "note: mine/sums.py: 1 case in sums.in\n")
    for argv in (["sums", "mine/sums.py"], ["mine/sums.py", "sums"], ["sums", "-s", "mine/sums.py"]):
        status, out, err = judge("run", *argv, "-f", "json", capsys=capsys)
        assert (status, results(out)["mine/sums.py"]["problem"], err) == (1, "sums", "")


def test_a_solution_of_the_repository_and_a_file_can_be_judged_together(repository: Path, capsys: CapSys) -> None:
    write_files(repository, {"mine/a.py": SUM, "mine/a.in": "1 2\n", "mine/a.out": "3\n"})
    status, out, _ = judge("run", "solutions/sums/accepted/split.py", "mine/a.py", "-f", "json", capsys=capsys)
    assert status == 0
    assert [(name, each["problem"]) for name, each in results(out).items()] == [
        ("solutions/sums/accepted/split.py", "sums"),
        ("mine/a.py", "a"),
    ]


def test_loose_files_in_folders_named_as_those_of_a_repository_are_judged(folder: Path, capsys: CapSys) -> None:
    for name in ("problems/one/a", "solutions/one/b"):
        write_files(folder, {f"cf/{name}.py": SUM, f"cf/{name}.in": "1 2\n", f"cf/{name}.out": "3\n"})
        assert judge("run", f"cf/{name}.py", capsys=capsys)[0] == 0
