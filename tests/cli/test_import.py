"""`judge import`: samples of other tools become problems that run at once; invalid ones are one clear error."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from judge.cli.main import run_cli
from judge.settings.load import user_file
from tests.cli.command_line import CapSys, judge, write

DOUBLE = "print(2 * int(input()))\n"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository; the current folder."""
    folder = tmp_path / "repository"
    (folder / "problems").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def make(folder: Path, **files: str | bytes) -> Path:
    for name, text in files.items():
        write(folder / name.replace("__", "/").replace("_", "."), text)
    return folder


def verdicts(problem: str, capsys: CapSys) -> tuple[int, list[tuple[str, str]]]:
    """Run a problem's solutions; return the exit status and the verdict of each case of the first solution."""
    status, out, err = judge("run", problem, "-f", "json", capsys=capsys)
    assert "Traceback" not in err
    solution = json.loads(out)["problems"][0]["solutions"][0]
    return status, [(f"{case['group']}/{case['name']}", case["verdict"]) for case in solution["cases"]]


def test_the_test_folder_of_oj_runs_at_once(root: Path, tmp_path: Path, capsys: CapSys) -> None:
    folder = tmp_path / "abc999"
    for number in ("1", "2", "10"):
        write(folder / f"test/sample-{number}.in", f"{number}\n")
        write(folder / f"test/sample-{number}.out", f"{2 * int(number)}\n")
    status, out, _ = judge("import", str(folder / "test"), capsys=capsys)
    assert status == 0
    assert out.splitlines() == [
        "created abc999: 3 cases in testcases/abc999/sample.yaml",
        "  next: write solutions/abc999/accepted/abc999.py, then judge run abc999",
    ]
    write(root / "solutions/abc999/accepted/solution.py", DOUBLE)
    assert verdicts("abc999", capsys) == (
        0,
        [("sample/sample-1", "AC"), ("sample/sample-2", "AC"), ("sample/sample-10", "AC")],
    )


def test_pairs_of_cf_tool_run_at_once(root: Path, tmp_path: Path, capsys: CapSys) -> None:
    folder = make(
        tmp_path / "a", in1_txt="1\n", ans1_txt="2\n", in2_txt="5\n", ans2_txt="10\n", a_cpp="int main() {}\n"
    )
    status, _, _ = judge("import", str(folder), "--id", "codeforces-1900a", capsys=capsys)
    assert status == 0
    write(root / "solutions/codeforces-1900a/accepted/solution.py", DOUBLE)
    assert verdicts("codeforces-1900a", capsys) == (0, [("sample/sample-1", "AC"), ("sample/sample-2", "AC")])


def cph(folder: Path, source: Path | str, **more: object) -> Path:
    task = {
        "name": "Double it",
        "group": "Kattis",
        "url": "https://open.kattis.com/problems/doubleit",
        "interactive": False,
        "memoryLimit": 1024,
        "timeLimit": 1000,
        "tests": [{"id": 1, "input": "4\n", "output": "8\n"}],
        "srcPath": str(source),
        "local": False,
        **more,
    }
    return write(folder / ".cph/.double.py_0a1b.prob", json.dumps(task))


def test_a_prob_file_of_cph_is_imported_with_its_solution(root: Path, tmp_path: Path, capsys: CapSys) -> None:
    mine = write(tmp_path / "work/double.py", DOUBLE)
    cph(tmp_path / "work", mine)
    status, out, _ = judge("import", str(tmp_path / "work"), capsys=capsys)
    assert (status, out.splitlines()[0]) == (
        0,
        "created kattis-doubleit: 1 case in testcases/kattis-doubleit/sample.yaml",
    )
    assert verdicts("kattis-doubleit", capsys) == (0, [("sample/sample-1", "AC")])
    assert (root / "solutions/kattis-doubleit/accepted/double.py").read_text() == DOUBLE
    assert [path.name for path in (root / "solutions/kattis-doubleit").rglob("*.py")] == ["double.py"]


@pytest.mark.parametrize(("name", "becomes"), [("_a.py", "a.py"), ("__.py", "solution.py")])
def test_a_solution_whose_name_would_hide_it_gets_another(
    root: Path, tmp_path: Path, capsys: CapSys, name: str, becomes: str
) -> None:
    cph(tmp_path, write(tmp_path / name, DOUBLE))
    assert judge("import", str(tmp_path), capsys=capsys)[0] == 0
    assert (root / "solutions/kattis-doubleit/accepted" / becomes).read_text() == DOUBLE
    assert verdicts("kattis-doubleit", capsys)[0] == 0


def test_a_prob_file_alone_is_imported_too_and_a_missing_solution_is_noted(
    root: Path, tmp_path: Path, capsys: CapSys
) -> None:
    status, out, _ = judge("import", str(cph(tmp_path, tmp_path / "gone.py")), capsys=capsys)
    assert status == 0
    assert re.search("  note: the solution `.*` was not imported: it does not exist\n", out)
    assert not (root / "solutions").exists()


def test_every_byte_of_a_file_survives(root: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    answers = {"crlf": b"1\r\n", "no-end": b"1", "blanks": b" 1 \t\n\n", "not-text": b"\xff\x00\n", "empty": b""}
    for name, answer in answers.items():
        write(tmp_path / f"bytes/{name}.in", b"x\n")
        write(tmp_path / f"bytes/{name}.ans", answer)
    assert run_cli(["import", str(tmp_path / "bytes")]) == 0
    capfdbinary.readouterr()
    for name, answer in answers.items():
        assert run_cli(["show", f"bytes/{name}", "--answer"]) == 0
        assert capfdbinary.readouterr().out == answer
    assert root.is_dir()


def test_names_that_are_invalid_for_a_case_are_changed_and_stay_unique(
    root: Path, tmp_path: Path, capsys: CapSys
) -> None:
    for name in ("a b", "a-b", "-", "A-B"):
        write(tmp_path / f"odd/{name}.in", "1\n")
        write(tmp_path / f"odd/{name}.ans", "2\n")
    assert judge("import", str(tmp_path / "odd"), capsys=capsys)[0] == 0
    write(root / "solutions/odd/accepted/solution.py", DOUBLE)
    status, cases = verdicts("odd", capsys)
    assert (status, sorted(name.lower() for name, _ in cases)) == (
        0,
        ["sample/a-b", "sample/a-b-2", "sample/a-b-3", "sample/sample"],
    )


def test_importing_twice_changes_nothing_and_other_contents_need_force(
    root: Path, tmp_path: Path, capsys: CapSys
) -> None:
    folder = make(tmp_path / "twice", in1_txt="1\n", ans1_txt="2\n")
    assert judge("import", str(folder), capsys=capsys)[1].startswith("created twice: 1 case in testcases/twice/")
    assert judge("import", str(folder), capsys=capsys)[1].startswith("twice is up to date\n")
    write(folder / "ans1.txt", "3\n")
    status, _, err = judge("import", str(folder), capsys=capsys)
    assert status == 2
    assert err.startswith("judge: twice exists with other contents (testcases/twice/sample.yaml); nothing was written.")
    assert "Use --force to replace these files" in err
    assert judge("import", str(folder), "--force", capsys=capsys)[0] == 0
    assert "3" in (root / "testcases/twice/sample.yaml").read_text()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {},
            "{folder}: no samples found; expected inputs `x.in` with `x.ans` or `x.out`, `in1.txt` with",
        ),
        ({"notes_md": "x"}, "{folder}: no samples found; expected inputs"),
        ({"a_in": "1"}, "{folder}/a.in: error: a.in has no answer: expected a.ans or a.out beside it"),
        ({"a_out": "1"}, "{folder}/a.out: error: a.out has no input: expected a.in beside it"),
        ({"in1_txt": "1"}, "{folder}/in1.txt: error: in1.txt has no answer: expected ans1.txt or answer1.txt beside"),
        (
            {"in1_txt": "1", "ans1_txt": "1", "ans2_txt": "1"},
            "{folder}/ans2.txt: error: ans2.txt has no input: expected in2.txt beside it",
        ),
        ({"a_in": "1"}, "{folder}: error: nothing was imported; fix or remove the files above"),
        (
            {"x_prob": "{"},
            "{folder}/x.prob: error: not a problem in Competitive Companion's format: Input data was truncated",
        ),
        ({"x_prob": "{}"}, "missing required field `name`"),
    ],
)
def test_an_invalid_folder_is_one_clear_error_and_nothing_is_written(
    root: Path, tmp_path: Path, capsys: CapSys, files: dict[str, str], message: str
) -> None:
    folder = tmp_path / "bad"
    folder.mkdir()
    status, _, err = judge("import", str(make(folder, **files)), capsys=capsys)
    assert message.format(folder=folder) in err
    assert (status, list((root / "problems").iterdir())) == (2, [])


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["nowhere"], "judge: nowhere: no such file or folder; expected inputs"),
        (["file.txt"], "judge: file.txt: not a folder or a `.prob` file; expected inputs"),
        (["one", "--id", "Bad Id"], "judge: --id Bad Id: expected lower-case letters, digits, `_` and `-`"),
        (["one", "two", "--id", "x"], "judge: --id x: expected one source, found 2; import one at a time"),
        (["two", "--id", "x"], "judge: --id x: found 2 problems (a.prob, ...); import one at a time"),
        (["名"], "名: cannot derive an id from the folder's name; pass --id ID"),
        ([], "the following arguments are required: SOURCE"),
    ],
)
def test_a_wrong_command_line_is_one_clear_error(root: Path, capsys: CapSys, argv: list[str], message: str) -> None:
    write(root / "file.txt", "")
    make(root / "one", a_in="1", a_out="1")
    make(root / "two", a_prob="{}", b_prob="{}")
    make(root / "名", a_in="1", a_out="1")
    status, _, err = judge("import", *argv, capsys=capsys)
    assert message in err
    assert "Traceback" not in err
    assert status == 2


def test_an_invalid_folder_does_not_stop_the_others(root: Path, tmp_path: Path, capsys: CapSys) -> None:
    good = make(tmp_path / "good", a_in="1", a_out="1")
    status, out, err = judge("import", "nowhere", str(good), capsys=capsys)
    assert (status, out.splitlines()[0]) == (2, "created good: 1 case in testcases/good/sample.yaml")
    assert err.startswith("judge: nowhere: no such file or folder")
    assert (root / "problems/good/problem.yaml").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_folder_is_one_clear_error(root: Path, tmp_path: Path, capsys: CapSys) -> None:
    folder = make(tmp_path / "unreadable", a_in="1", a_out="1")
    folder.chmod(0)
    status, _, err = judge("import", str(folder), capsys=capsys)
    folder.chmod(0o755)
    assert (status, err) == (2, f"judge: {folder}: cannot read the folder (Permission denied)\n")
    assert root.is_dir()


def test_an_interactive_problem_gets_a_sketch_of_an_interactor(root: Path, tmp_path: Path, capsys: CapSys) -> None:
    status, out, _ = judge("import", str(cph(tmp_path, "", interactive=True)), capsys=capsys)
    sketch = "problems/kattis-doubleit/interactor.py"
    assert status == 0
    assert out.startswith(f"created kattis-doubleit: interactive, with a sketch of an interactor in {sketch}\n")
    assert f"  next: complete {sketch}, put inputs for it into testcases/kattis-doubleit/sample.yaml, and write" in out
    assert (root / sketch).exists()


def test_without_a_repository_each_problem_is_a_plain_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    folder = make(tmp_path / "here/test", a_in="1\n", a_out="2\n").parent
    monkeypatch.chdir(folder)
    status, out, _ = judge("import", "test", capsys=capsys)
    assert (status, out) == (
        0,
        "created here: 1 case in here/tests\n  next: write here/here.py, then judge run here/here.py\n",
    )
    assert (folder / "here/tests/a.in").read_text() == "1\n"
    assert (folder / "here/tests/a.out").read_text() == "2\n"
    assert not (folder / "problems").exists()


def test_the_settings_choose_the_layout_the_language_and_the_template(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    folder = make(tmp_path / "a/test", a_in="1\n", a_out="2\n").parent
    monkeypatch.chdir(folder)
    user = user_file()
    assert user is not None
    write(user, 'layout = "contest"\ndefault-language = "cpp"\n[language.cpp]\ntemplate = "t.cc"\n')
    write(user.parent / "t.cc", "// {{id}}\n")
    _, out, _ = judge("import", "test", capsys=capsys)
    assert out == "created a: 1 case in tests/a\n  next: edit a.cc, then judge run a.cc\n"
    assert (folder / "a.cc").read_text() == "// a\n"
    _, out, _ = judge("import", "test", "--id", "b", "--language", "python", "--layout", "folder", capsys=capsys)
    assert out == "created b: 1 case in b/tests\n  next: edit b/b.py, then judge run b/b.py\n"
    (user.parent / "t.cc").unlink()
    status, _, err = judge("import", "test", "--id", "c", capsys=capsys)
    assert (status, err) == (2, f"judge: {user}:4: the template {user.parent}/t.cc does not exist\n")


def test_the_users_own_solution_is_kept_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    make(tmp_path / "test", a_in="1\n", a_out="2\n")
    write(tmp_path / "my sum/my sum.py", "mine")
    write(tmp_path / "sum/main.py", DOUBLE)
    monkeypatch.chdir(tmp_path)
    _, out, _ = judge("import", "test", "--id", "sum", "--language", "cpp", capsys=capsys)
    assert out.splitlines()[1] == ("  next: edit sum/main.py (your solution, as it is), then judge run sum/main.py")
    assert {path.name for path in (tmp_path / "sum").iterdir() if path.is_file()} == {"main.py", "problem.yaml"}


@pytest.mark.parametrize("layout", ["folder", "contest"])
def test_what_an_earlier_import_wrote_into_the_folder_is_not_imported_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys, layout: str
) -> None:
    make(tmp_path / "sum", test__a_in="1\n", test__a_out="2\n")
    monkeypatch.chdir(tmp_path if layout == "folder" else tmp_path / "sum")
    source = "sum" if layout == "folder" else "."
    _, out, _ = judge("import", source, "--layout", layout, capsys=capsys)
    assert out.startswith("created sum: 1 case in ")
    _, out, _ = judge("import", source, "--layout", layout, capsys=capsys)
    assert out.startswith("sum is up to date\n")
    shutil.rmtree(tmp_path / "sum/test")
    _, out, _ = judge("import", source, "--layout", layout, capsys=capsys)
    assert out.startswith("sum is up to date\n")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["--language", "pyton"], "--language pyton: no such language; did you mean `python3`?"),
        (["--template", "gone.cpp"], "--template gone.cpp does not exist"),
        (["--template", "t.txt"], "--template t.txt: no language has the suffix `.txt`; expected one of"),
        (["--layout", "flat"], "argument --layout: invalid choice: 'flat'"),
    ],
)
def test_a_wrong_starter_is_an_error_and_nothing_is_written(
    root: Path, tmp_path: Path, capsys: CapSys, argv: list[str], message: str
) -> None:
    folder = make(tmp_path / "x", a_in="1", a_out="1")
    status, _, err = judge("import", str(folder), *argv, capsys=capsys)
    assert message in err
    assert (status, list((root / "problems").iterdir())) == (2, [])


def test_an_unsolved_problem_is_listed_and_mentioned_once_and_is_no_failure(
    root: Path, tmp_path: Path, capsys: CapSys
) -> None:
    folder = make(tmp_path / "x", a_in="1\n", a_out="2\n")
    for name in ("one", "two"):
        assert judge("import", str(folder), "--id", name, capsys=capsys)[0] == 0
    _, out, _ = judge("list", capsys=capsys)
    assert [line.split()[-1] for line in out.splitlines()] == ["unsolved", "unsolved"]
    assert "none: the problem is unsolved" in judge("list", "problems/one", capsys=capsys)[1]
    for target, problems in (((), "one and two are unsolved: they have"), (("one",), "one is unsolved: there is no")):
        status, out, err = judge("run", *target, capsys=capsys)
        assert (status, out, err.startswith(f"nothing to judge: {problems}")) == (0, "", True)
    status, out, _ = judge("run", "-f", "json", capsys=capsys)
    assert (status, json.loads(out)["as_expected"]) == (0, True)
    write(root / "solutions/two/accepted/two.py", DOUBLE)
    status, out, err = judge("run", "-f", "json", capsys=capsys)
    message = "one is unsolved: there is no solution in solutions/one"
    assert (status, err) == (0, f"note: {message}\n")
    assert json.loads(out)["notices"] == [{"text": message, "is_error": False}]
    status, _, err = judge("run", "two", capsys=capsys)
    assert (status, "unsolved" in err) == (0, False)
    status, _, err = judge("baseline", "save", "one", capsys=capsys)
    assert (status, err) == (2, f"judge: nothing to judge: {message}\n")


@pytest.mark.parametrize("layout", ["folder", "contest"])
def test_what_is_written_is_what_run_and_check_find(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys, layout: str
) -> None:
    monkeypatch.chdir(tmp_path)
    url = "https://atcoder.jp/contests/abc300/tasks/abc300_"
    for index in "ab":
        prob = cph(tmp_path / index, "", url=f"{url}{index}", timeLimit=3000, memoryLimit=512)
        status, out, _ = judge("import", str(prob), "--layout", layout, capsys=capsys)
        assert status == 0
        write(tmp_path / out.split()[-1], DOUBLE)  # the file that the last line names
        status, report, err = judge("run", out.split()[-1], "-f", "json", capsys=capsys)
        assert (status, json.loads(report)["problems"][0]["id"]) == (0, index)
        assert err.endswith("; limits of 3.00 s and 512 MiB from problem.yaml\n")
    _, out, _ = judge("check", out.split()[-1], capsys=capsys)
    assert out.splitlines()[-1] == "ready to submit to AtCoder"
    assert not list(tmp_path.rglob(".judge"))
