"""Packages of contests on the command line: what a target selects, and that nothing is written into a package."""

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

import judge as judge_harness
from judge.cli.main import run_cli
from judge.languages import interpreters
from tests.cli.command_line import CapSys, judge
from tests.files import write_files

_FIND_PYPY = interpreters.find_pypy

SUM = "print(sum(map(int, input().split())))\n"
WRONG = "print(0)\n"
FILES: Mapping[str, str] = {
    "problem.yaml": "name: Sum\nproblem_format_version: 2025-09\nlimits: {time_limit: 5}\n",
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
    "data/secret/small/1.in": "2 3\n",
    "data/secret/small/1.ans": "5\n",
    "data/secret/big.in": "4 5\n",
    "data/secret/big.ans": "9\n",
    "submissions/accepted/right.py": SUM,
    "submissions/wrong_answer/wrong.py": WRONG,
}


@pytest.fixture(autouse=True)
def _run_cpython(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide PyPy, which takes longer to start than these programs to run."""
    monkeypatch.setattr(interpreters, "find_pypy", str)


@pytest.fixture
def contest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the packages `add` and `sum`, in the current folder."""
    for name in ("add", "sum"):
        write_files(tmp_path / "contest" / name, FILES)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "contest"


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same packages, with a cache that has their results; not to be changed."""
    folder = tmp_path_factory.mktemp("judged")
    for name in ("add", "sum"):
        write_files(folder / "contest" / name, FILES)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        monkeypatch.setattr(interpreters, "find_pypy", str)
        assert run_cli(["run", str(folder / "contest"), "-q"]) == 0
    return folder


def run(*argv: str, capsys: CapSys) -> tuple[int, dict[str, dict[str, list[str]]]]:
    """Return the exit status, and by problem and solution the cases that were judged, each with its verdict."""
    status, out, err = judge("run", "--format", "json", *argv, capsys=capsys)
    assert out, err
    return status, {
        problem["id"]: {
            each["path"]: [f"{case['group']}/{case['name']} {case['verdict']}" for case in each["cases"]]
            for each in problem["solutions"]
        }
        for problem in json.loads(out)["problems"]
    }


def snapshot(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return the mode, the time and the content of all that is in a folder."""
    return {
        str(path.relative_to(folder)): (
            (found := path.lstat()).st_mode,
            found.st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in [folder, *folder.rglob("*")]
    }


RIGHT, BAD = "submissions/accepted/right.py", "submissions/wrong_answer/wrong.py"
ALL = ["sample/1 {0}", "secret/big {0}", "secret/small/1 {0}"]
WHOLE = {RIGHT: [each.format("AC") for each in ALL], BAD: [each.format("WA") for each in ALL]}


@pytest.mark.parametrize(
    ("folder", "argv", "selected"),
    [
        (".", ["contest/sum"], {"sum": WHOLE}),
        (".", ["contest"], {"add": WHOLE, "sum": WHOLE}),
        ("contest", [], {"add": WHOLE, "sum": WHOLE}),
        ("contest", ["sum"], {"sum": WHOLE}),
        ("contest", ["sum/secret/big"], {"sum": {RIGHT: ["secret/big AC"], BAD: ["secret/big WA"]}}),
        ("contest", ["sum/secret/small"], {"sum": {RIGHT: ["secret/small/1 AC"], BAD: ["secret/small/1 WA"]}}),
        ("contest/sum", [], {"sum": WHOLE}),
        ("contest/sum", ["."], {"sum": WHOLE}),
        ("contest/sum/submissions", [], {"sum": WHOLE}),
        (".", ["contest/sum/problem.yaml"], {"sum": WHOLE}),
        (".", ["contest/sum/submissions"], {"sum": WHOLE}),
        (".", ["contest/sum/data"], {"sum": WHOLE}),
        (".", ["contest/sum/submissions/accepted"], {"sum": {RIGHT: WHOLE[RIGHT]}}),
        (".", [f"contest/sum/{BAD}"], {"sum": {BAD: WHOLE[BAD]}}),
        (".", ["-s", f"contest/sum/{BAD}"], {"sum": {BAD: WHOLE[BAD]}}),
        (".", ["contest/sum", "-s", BAD], {"sum": {BAD: WHOLE[BAD]}}),
        ("contest/sum", [BAD], {"sum": {BAD: WHOLE[BAD]}}),
        (".", [f"contest/sum/{BAD}", "--case", "big"], {"sum": {BAD: ["secret/big WA"]}}),
        (".", ["contest/sum", "--group", "sample"], {"sum": {RIGHT: ["sample/1 AC"], BAD: ["sample/1 WA"]}}),
        (
            ".",
            ["contest/sum/data/secret/big.in"],
            {"sum": {RIGHT: ["secret/big AC"], BAD: ["secret/big WA"]}},
        ),
        (
            ".",
            ["contest/sum/data/secret/small"],
            {"sum": {RIGHT: ["secret/small/1 AC"], BAD: ["secret/small/1 WA"]}},
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_target_selects(
    folder: str,
    argv: list[str],
    selected: object,
    *,
    judged: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: CapSys,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(judged / "cache"))
    monkeypatch.chdir(judged / folder)
    before = snapshot(judged / "contest")
    assert run(*argv, capsys=capsys) == (0, selected)
    assert snapshot(judged / "contest") == before


def test_a_file_of_the_user_is_judged_as_a_solution_of_a_package(contest: Path, capsys: CapSys) -> None:
    write_files(contest.parent, {"mine.py": WRONG})
    for argv in (["-s", "mine.py", "contest/sum"], ["contest/sum", "mine.py"], ["mine.py", "--problem", "contest/sum"]):
        assert run(*argv, capsys=capsys) == (1, {"sum": {"mine.py": WHOLE[BAD]}}), argv


def test_a_file_of_the_user_gets_the_included_files(contest: Path, capsys: CapSys) -> None:
    write_files(contest / "sum", {"include/python3/helper.py": "def add(line): return sum(map(int, line.split()))\n"})
    write_files(contest.parent, {"mine.py": "import helper\nprint(helper.add(input()))\n"})
    assert run("contest/sum", "mine.py", capsys=capsys) == (0, {"sum": {"mine.py": WHOLE[RIGHT]}})


def test_one_bad_package_does_not_stop_the_others(contest: Path, capsys: CapSys) -> None:
    write_files(contest / "add", {"problem.yaml": "name: [\n"})
    write_files(contest / "sum", {"data/secret/lost.in": "1 1\n"})
    status, selected = run("contest", capsys=capsys)
    assert (status, selected) == (2, {"sum": WHOLE})
    _, _, err = judge("run", "contest", capsys=capsys)
    assert "contest/add/problem.yaml:" in err
    assert "contest/sum/data/secret/lost" in err


def test_packages_with_the_same_name_get_longer_ids(contest: Path, capsys: CapSys) -> None:
    shutil.copytree(contest, contest.parent / "other")
    status, selected = run("contest/sum", "other/sum", capsys=capsys)
    assert (status, list(selected)) == (0, ["contest/sum", "other/sum"])


def test_the_contest_file_says_which_packages_count(contest: Path, capsys: CapSys) -> None:
    write_files(contest, {"problems.yaml": "- {id: sum, label: A}\n- {id: gone}\n"})
    status, out, err = judge("run", "contest", capsys=capsys)
    assert status == 2
    assert "gone" in err
    assert "not judged, since problems.yaml does not list them: add" in err
    assert "sum" in out


def test_a_folder_named_problems_may_be_one_of_packages(
    contest: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    contest.rename(contest.parent / "problems")
    both = {"add": WHOLE, "sum": WHOLE}
    before = snapshot(contest.parent)
    for folder, argv, selected in (
        (".", [], both),
        ("problems", [], both),
        (".", ["sum"], {"sum": WHOLE}),
    ):
        monkeypatch.chdir(contest.parent / folder)
        assert run(*argv, capsys=capsys) == (0, selected), (folder, argv)
    assert snapshot(contest.parent) == before


def test_a_repository_may_have_packages_among_its_problems(
    judged_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    repository = shutil.copytree(judged_sums, tmp_path / "repository")
    before = snapshot(write_files(repository / "problems" / "extra", FILES))
    monkeypatch.chdir(repository)
    status, selected = run(capsys=capsys)
    assert (status, list(selected), selected["extra"]) == (0, ["sums", "extra"], WHOLE)
    assert snapshot(repository / "problems" / "extra") == before


@pytest.mark.usefixtures("contest")
@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["contest/sum/secret/huge"], "no case matches sum/secret/huge; did you mean sum/secret/big"),
        (["contest/sun"], "did you mean contest/sum?"),
        (["contest/sum", "--case", "huge"], "no case matches huge"),
        (["contest/sum/data/secret/small/2.in"], "no such file or folder"),
    ],
)
def test_what_does_not_exist_is_a_clear_error(argv: list[str], message: str, capsys: CapSys) -> None:
    status, _, err = judge("run", *argv, capsys=capsys)
    assert status == 2
    assert message in err


def test_programs_of_a_package_for_answers_are_judged_by_what_they_print(contest: Path, capsys: CapSys) -> None:
    write_files(contest / "sum", {"problem.yaml": "name: Sum\nproblem_format_version: 2025-09\ntype: submit-answer\n"})
    status, selected = run("contest/sum", capsys=capsys)
    assert (status, selected) == (0, {"sum": WHOLE})


@pytest.mark.thorough
def test_every_output_validator_of_legacy_must_accept(contest: Path, capsys: CapSys) -> None:
    says = "open(sys.argv[3] + 'judgemessage.txt', 'w').write('said')"
    score = f"import sys\nassert sys.argv[4] == 'x'\n{says}\nsys.exit(42)\n"
    compare = "import sys\nsys.exit(42 if sys.stdin.read() == open(sys.argv[2]).read() else 43)\n"
    files = {"problem.yaml": "name: Sum\nvalidation: custom\nvalidator_flags: x\n"}
    write_files(contest / "sum", {**files, "output_validators/a.py": score, "output_validators/b.py": compare})
    status, selected = run("contest/sum", capsys=capsys)
    assert (status, selected) == (0, {"sum": WHOLE})


def test_the_report_names_files_that_a_shell_finds(
    contest: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    write_files(contest / "sum", {"submissions/accepted/bad.py": WRONG})
    _, out, _ = judge("run", "contest/sum", "--format", "plain", capsys=capsys)
    assert "judge run contest/sum/submissions/accepted/bad.py --case sample/1" in out
    monkeypatch.chdir(contest / "sum")
    _, out, _ = judge("run", "--format", "plain", capsys=capsys)
    assert "judge run submissions/accepted/bad.py --case sample/1" in out


@pytest.mark.thorough
def test_the_report_says_which_python_decides(contest: Path, capsys: CapSys) -> None:
    write_files(contest / "sum", {"submissions/accepted/slow.py": "while True: pass\n"})
    _, out, err = judge("run", "contest/sum", "--time-limit", "0.2", "--format", "plain", capsys=capsys)
    assert "Python 3 submissions run with CPython, since pypy3 is not installed" in err
    assert "TLE: " in out
    assert "with CPython, and contest systems use PyPy" in out


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("pypy3") is None, reason="pypy3 is not installed")
def test_python_is_pypy_where_it_is_installed(contest: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys) -> None:
    monkeypatch.setattr(interpreters, "find_pypy", _FIND_PYPY)
    write_files(contest / "sum", {"submissions/accepted/right.py": "import sys\nassert 'PyPy' in sys.version\n" + SUM})
    status, _, err = judge("run", "contest/sum", capsys=capsys)
    assert status == 0
    assert "pypy3" in err
    status, _, err = judge("run", "contest/sum", "--python", "python3", capsys=capsys)
    assert status == 1


# ---- the other commands -------------------------------------------------------------------------------------------


def test_no_command_changes_a_package(contest: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys) -> None:
    monkeypatch.chdir(contest)
    before = snapshot(contest)
    wrong = str(contest / "sum" / BAD)
    for argv in (
        ["run", "-q"],
        ["run", "--failed"],
        ["list"],
        ["list", "sum"],
        ["show", "sum"],
        ["show", "sum/secret/big"],
        ["show", "sum/secret/big", "--solution", wrong],
        ["history"],
        ["baseline", "save"],
        ["baseline", "list"],
        ["compare"],
        ["compare", "run-1", "sum"],
        ["timelimit", "sum"],
        ["debug", wrong, "secret/big"],
        ["check", wrong, "--for", "icpc"],
        ["history", wrong],
    ):
        status, _, err = judge(*argv, capsys=capsys)
        assert status in (0, 1), (argv, err)
        assert snapshot(contest) == before, argv


@pytest.mark.usefixtures("contest")
def test_list_shows_a_line_for_each_package_or_all_of_one(capsys: CapSys) -> None:
    _, out, _ = judge("list", "contest", capsys=capsys)
    assert [line.split()[0] for line in out.splitlines()] == ["add", "sum"]
    _, out, _ = judge("list", "contest/sum", capsys=capsys)
    for line in ("secret/small/1", "submissions/accepted/right.py", "submissions/wrong_answer/wrong.py"):
        assert line in out


def test_a_time_limit_that_no_file_gives_is_not_made_up(contest: Path, capsys: CapSys) -> None:
    write_files(contest / "add", {"problem.yaml": "name: Sum\nlimits: {memory: 64}\n"})
    write_files(contest / "sum", {"problem.yaml": "name: Sum\nlimits: {memory: 64}\n", ".timelimit": "3\n"})
    _, out, _ = judge("list", "contest", capsys=capsys)
    add, total = out.splitlines()
    assert "no time limit given, 64.0 MiB" in add
    assert "3.00 s, 64.0 MiB" in total
    assert "no time limit given, 64.0 MiB of memory" in judge("show", "contest/add", capsys=capsys)[1]


@pytest.mark.parametrize(
    "target", ["contest/sum/secret/big", "contest/sum/big", "contest/sum/data/secret/big.in", "sum.zip/secret/big"]
)
def test_show_prints_a_case(target: str, contest: Path, capsys: CapSys) -> None:
    shutil.make_archive("sum", "zip", contest, "sum")
    assert judge("show", target, "--input", capsys=capsys) == (0, "4 5\n", "")
    status, out, _ = judge("show", target, "--solution", f"contest/sum/{BAD}", "--output", capsys=capsys)
    assert (status, out) == (0, "0\n")


def test_show_prints_no_escape_sequences_of_a_package(contest: Path, capsys: CapSys) -> None:
    package = contest / "sum"
    text = 'problem_format_version: 2025-09\nname: "a\\e[2Jb"\nsource: "\\e]0;x\\a"\nlimits: {time_limit: 1}\n'
    (package / "problem.yaml").write_text(text)
    (package / "statement").mkdir()
    (package / "statement/problem.en.md").write_text("# Sum\x1b[2J\x9b\n")
    status, out, _ = judge("show", "contest/sum", capsys=capsys)
    assert (status, "# Sum" in out) == (0, True)
    assert not set(out) & set("\x1b\x07\x9b")
    (package / "statement/problem.en.md").unlink()
    os.mkfifo(package / "statement/problem.en.md")
    assert judge("show", "contest/sum", capsys=capsys)[0] == 2


def test_a_baseline_of_a_package_shows_what_an_edit_changes(contest: Path, capsys: CapSys) -> None:
    root = ["-C", str(contest)]
    assert judge(*root, "baseline", "save", capsys=capsys)[0] == 0
    assert judge(*root, "compare", capsys=capsys)[0] == 0
    write_files(contest / "sum", {RIGHT: WRONG})
    status, out, _ = judge(*root, "compare", capsys=capsys)
    assert (status, "1 worse, 3 unchanged" in out) == (1, True)
    assert judge(*root, "compare", "add", capsys=capsys)[0] == 0
    status, _, err = judge(*root, "compare", "HEAD", capsys=capsys)
    assert (status, "compared with a baseline (main)" in err) == (2, True)
    assert judge(*root, "baseline", "drop", "main", capsys=capsys)[0] == 0


def test_the_history_of_a_contest_is_that_of_its_packages(
    contest: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    write_files(contest / "sum", {RIGHT: WRONG})
    monkeypatch.chdir(contest)
    run(capsys=capsys)
    monkeypatch.chdir(contest / "sum")
    assert run("--failed", capsys=capsys) == (1, {"sum": {RIGHT: WHOLE[BAD]}})
    monkeypatch.chdir(contest / "add")
    assert judge("run", "--failed", capsys=capsys)[2].startswith("nothing to judge")


def test_only_the_groups_that_bound_the_time_limit_are_measured(contest: Path, capsys: CapSys) -> None:
    groups = {"secret/small": {"permitted": ["AC"]}, "secret/big": {"permitted": ["AC", "TLE"]}}
    files = {
        "problem.yaml": "name: Sum\nproblem_format_version: 2025-09\n",
        "submissions/mixed/half.py": SUM,
        "submissions/submissions.yaml": json.dumps({"mixed": groups}),
    }
    shutil.rmtree(write_files(contest / "add", files) / "submissions/wrong_answer")
    status, out, err = judge("run", "contest/add", capsys=capsys)
    assert status == 0
    assert "measuring it with 2 submissions (4 runs, once)" in out + err  # three cases, and the one of the group


def test_an_empty_submission_is_a_program_that_prints_nothing(contest: Path, capsys: CapSys) -> None:
    nothing = "submissions/wrong_answer/nothing.py"
    path = write_files(contest / "sum", {nothing: ""}) / nothing
    status, problems = run(str(path), capsys=capsys)
    assert (status, problems["sum"][nothing][0]) == (0, "sample/1 WA")


@pytest.mark.thorough
def test_packages_may_be_in_the_folders_of_rounds(
    contest: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(contest / "second/sum", FILES)
    (contest / "first").mkdir()
    for name in ("add", "sum"):
        (contest / name).rename(contest / "first" / name)
    (contest / "tools.py").write_text("print()\n")  # not judged
    monkeypatch.chdir(contest)
    for targets in ((), (".",), (str(contest),)):
        assert list(run(*targets, capsys=capsys)[1]) == ["add", "first/sum", "second/sum"]
        assert len(judge("list", *targets, capsys=capsys)[1].splitlines()) == 3
    assert judge("check", ".", capsys=capsys)[1].count("sum:") == 2


def test_a_folder_of_zip_files_is_one_of_packages(
    contest: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys
) -> None:
    for name in ("add", "sum"):
        shutil.make_archive(str(contest / name), "zip", contest / name)
        shutil.rmtree(contest / name)
    assert list(run("contest", capsys=capsys)[1]) == ["add", "sum"]
    assert len(judge("list", "contest", capsys=capsys)[1].splitlines()) == 2
    assert judge("check", "contest", capsys=capsys)[1].count(".zip:") == 2
    (contest / "mine.py").touch()
    _, _, err = judge("run", "contest/mine.py", "--cases", "contest/add.zip", capsys=capsys)
    assert f"is a problem package, not cases: judge run {contest}/add.zip FILE" in err
    (contest / "mine.py").unlink()
    monkeypatch.chdir(contest)
    assert list(run(capsys=capsys)[1]) == ["add", "sum"]


def test_a_folder_of_cases_and_solutions_stays_one_beside_a_contest(contest: Path, capsys: CapSys) -> None:
    source = "print(sum(map(int, input().split())))\n"
    write_files(contest.parent, {"mine.py": source, "1.in": "1 2\n", "1.ans": "3\n"})
    status, out, _ = judge("run", "-f", "plain", ".", capsys=capsys)
    assert (status, "mine.py" in out, "contest" in out) == (0, True, False)


def test_wrong_data_of_a_package_without_submissions_is_reported(
    contest: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(contest)
    shutil.rmtree(contest / "sum/submissions")
    (contest / "sum/data/sample/1.ans").unlink()
    for command in (("run",), ("baseline", "save")):
        status, _, err = judge(*command, "sum", capsys=capsys)
        assert (status, "1.in" in err) == (2, True), command


def test_a_package_without_submissions_names_their_folder(contest: Path, capsys: CapSys) -> None:
    shutil.rmtree(contest / "sum/submissions")
    err = judge("run", "contest/sum", capsys=capsys)[2]
    assert "sum is unsolved: there is no solution in submissions/" in err


def test_packages_without_submissions_are_listed_exported_and_graded(
    contest: Path, tmp_path: Path, capsys: CapSys
) -> None:
    shutil.rmtree(contest / "sum/submissions")
    status, out, _ = judge("list", "contest/sum", capsys=capsys)
    assert (status, out.splitlines()[0].split()[-1]) == (0, "unsolved")
    assert "none: the problem is unsolved" in out
    archive = str(tmp_path / "sum.zip")
    assert judge("export", "contest/sum", "--to", "icpc-legacy", "--output", archive, capsys=capsys)[0] == 0
    row = {"problem": "contest/sum", "language": "python3", "code": "print(sum(map(int, input().split())))"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    assert judge("grade", "rows.jsonl", "-o", "results.jsonl", capsys=capsys)[0] == 0
    assert json.loads((tmp_path / "results.jsonl").read_text())["verdict"] == "AC"


def test_a_package_that_cannot_be_read_does_not_hide_packages_without_submissions(
    contest: Path, capsys: CapSys
) -> None:
    shutil.rmtree(contest / "sum/submissions")
    write_files(contest / "add", {"problem.yaml": "validation: custom\n", "data/sample/1.in": "1\n"})
    for each in contest.iterdir():
        if each.name not in ("add", "sum"):
            shutil.rmtree(each)
    status, out, err = judge("list", "contest", capsys=capsys)
    assert (status, out.split()[0]) == (2, "sum")
    assert "the problem needs an output validator of its own" in err


PARTS = "n = input()\nif n == '1 2': print(3)\nelif n == '4 5': {}\nelse: {}\n"  # the cases in order


@pytest.mark.parametrize(
    ("version", "folder", "text", "status"),
    [
        ("legacy", "wrong_answer", PARTS.format("print(0)", "1 / 0"), 0),
        ("legacy", "wrong_answer", PARTS.format("1 / 0", "print(0)"), 1),
        ("legacy", "run_time_error", PARTS.format("print(0)", "1 / 0"), 1),  # although any verdict is permitted there
        ("legacy", "run_time_error", PARTS.format("1 / 0", "print(0)"), 0),
        ("2025-09", "wrong_answer", PARTS.format("print(0)", "1 / 0"), 1),
        ("2025-09", "wrong_answer", PARTS.format("1 / 0", "print(0)"), 1),
    ],
)
def test_in_legacy_the_first_case_that_is_not_accepted_decides(
    tmp_path: Path, capsys: CapSys, version: str, folder: str, text: str, *, status: int
) -> None:
    metadata = f"problem_format_version: {version}\nname: Sum\nlimits: {{time_limit: 5}}\n"
    name = f"submissions/{folder}/x.py"
    package = write_files(tmp_path / "sum", {**FILES, "problem.yaml": metadata, name: text})
    assert run(str(package), "-s", name, capsys=capsys)[0] == status
    if folder == "run_time_error":  # a case before this one may crash
        assert run(str(package), "-s", name, "--case", "secret/*", "--group", "secret/small", capsys=capsys)[0] == 0


def test_samples_alone_leave_a_wrong_submission_undecided(tmp_path: Path, capsys: CapSys) -> None:
    samples = {name: text for name, text in FILES.items() if "secret" not in name}
    package = write_files(tmp_path / "sum", {**samples, BAD: SUM, "submissions/run_time_error/x.py": WRONG})
    status, out, _ = judge("run", str(package), capsys=capsys)
    assert status == 1
    assert [line.split()[0] for line in out.splitlines() if "submissions/" in line][:3] == [
        "ok", "undecided", "UNEXPECTED",
    ]  # fmt: skip


GROUPS = {
    "problem.yaml": "name: Double\ntype: scoring\nlimits: {time_limit: 5}\n",
    "data/testdata.yaml": "range: 0 30\non_reject: continue\n",
    "data/secret/testdata.yaml": "range: 0 30\non_reject: continue\ngrader_flags: first_error accept_if_any_accepted\n",
    **{f"data/secret/g{n}/testdata.yaml": f"range: 0 {n}0\naccept_score: {n}0\ngrader_flags: min\n" for n in (1, 2)},
    **{f"data/secret/g{n}/{n}.in": f"{n}\n" for n in (1, 2)},
    **{f"data/secret/g{n}/{n}.ans": f"{2 * n}\n" for n in (1, 2)},
}
DOUBLE = "n = int(input())\nif n == 1: {}\nelse: {}\n"


@pytest.mark.parametrize(
    ("folder", "text", "status"),
    [
        ("accepted", DOUBLE.format("print(2)", "print(0)"), 0),  # with 10 of 30 points, which is accepted as a whole
        ("accepted", DOUBLE.format("print(0)", "print(0)"), 1),
        ("wrong_answer", DOUBLE.format("print(0)", "1 / 0"), 0),  # as a whole it is the first error
        ("wrong_answer", DOUBLE.format("1 / 0", "print(0)"), 1),
        ("partially_accepted", DOUBLE.format("print(2)", "print(0)"), 0),
    ],
)
def test_in_legacy_the_verdict_of_the_grader_decides(
    tmp_path: Path, capsys: CapSys, folder: str, text: str, *, status: int
) -> None:
    package = write_files(tmp_path / "double", {**GROUPS, f"submissions/{folder}/x.py": text})
    assert run(str(package), capsys=capsys)[0] == status


@pytest.mark.parametrize(("flags", "status"), [("always_accept", 0), ("accept_if_any_accepted", 0), ("min", 1)])
def test_a_grader_may_accept_in_a_problem_without_scores(
    tmp_path: Path, capsys: CapSys, flags: str, status: int
) -> None:
    files = {
        "problem.yaml": "name: Sum\nlimits: {time_limit: 5}\n",
        "data/testdata.yaml": "on_reject: continue\n",
        "data/secret/testdata.yaml": f"on_reject: continue\ngrader_flags: {flags}\n",
        "data/secret/1.in": "1 2\n",
        "data/secret/1.ans": "3\n",
        "data/secret/2.in": "0 0\n",
        "data/secret/2.ans": "0\n",
        "submissions/accepted/zero.py": WRONG,
    }
    package = write_files(tmp_path / "sum", files)
    found, out, _ = judge("run", str(package), "-f", "json", capsys=capsys)
    assert (found, json.loads(out)["problems"][0]["solutions"][0].get("score")) == (status, None)


def test_fail_fast_waits_for_the_grader(tmp_path: Path, capsys: CapSys) -> None:
    text, none = DOUBLE.format("print(0)", "print(4)"), DOUBLE.format("print(0)", "print(0)")
    sources = {"submissions/accepted/a.py": text, "submissions/accepted/b.py": none, "submissions/accepted/c.py": none}
    package = write_files(tmp_path / "double", {**GROUPS, **sources})
    for option in ("--fresh", "--verbose"):  # from the cache, too
        status, found = run(str(package), "--fail-fast", option, capsys=capsys)
        assert (status, list(found["double"])) == (1, [*sources][:2])


def test_a_zip_file_is_judged_like_its_package(contest: Path, monkeypatch: pytest.MonkeyPatch, capsys: CapSys) -> None:
    shutil.make_archive("one", "zip", contest, "sum")
    shutil.make_archive("flat", "zip", contest / "sum")
    assert run("one.zip", capsys=capsys) == (0, {"sum": WHOLE})
    assert run("flat.zip", "-s", BAD, capsys=capsys) == (0, {"flat": {BAD: WHOLE[BAD]}})
    monkeypatch.setattr("judge.reporters.progress.LOG_INTERVAL_S", 0.0)
    shown = [judge("run", "one.zip", *quiet, capsys=capsys)[2] for quiet in ((), ("-q",))]
    assert ["extracting one.zip" in each for each in shown] == [True, False]
    assert judge("watch", "one.zip", capsys=capsys)[0] == 2
    Path("one.zip").rename("one.kpp")
    assert run("one.kpp", capsys=capsys) == (0, {"sum": WHOLE})


def test_the_python_api_takes_a_package(contest: Path) -> None:
    result = judge_harness.run(contest / "sum" / BAD, problem=contest / "add")
    assert [each.case for each in result.cases] == ["sample/1", "secret/big", "secret/small/1"]
    assert result.verdict is judge_harness.Verdict.WA


SLOW_FROM = """\
import time
a, b = map(int, input().split())
while a >= {slow}: pass
print({found} if a == {wrong} else a + b)
"""
LAZY = {
    "problem.yaml": "name: Sum\nlimits: {time_limit: 0.2}\n",
    **{f"data/secret/{n}.in": f"{n} 0\n" for n in range(1, 6)},
    **{f"data/secret/{n}.ans": f"{n}\n" for n in range(1, 6)},
    "submissions/time_limit_exceeded/slow.py": SLOW_FROM.format(slow=3, wrong=9, found=0),
    "submissions/time_limit_exceeded/wrong.py": SLOW_FROM.format(slow=4, wrong=2, found=0),
    "submissions/wrong_answer/wrong.py": SLOW_FROM.format(slow=9, wrong=2, found=0),
}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("options", "rest"),
    [
        ((), ("SK SK", "AC TLE SK", "AC AC AC")),  # legacy: the first case that is not accepted decides
        (("--lazy",), ("SK SK", "SK SK SK", "SK SK SK")),
    ],
)
def test_what_is_decided_is_not_judged(
    tmp_path: Path, capsys: CapSys, options: tuple[str, ...], rest: tuple[str, ...]
) -> None:
    package = write_files(tmp_path / "sum", LAZY)
    for fresh in ("--fresh", "--verbose"):  # the second time, results come from the cache
        status, found = run(str(package), fresh, *options, capsys=capsys)
        assert status == 1  # the first case that time_limit_exceeded/wrong.py fails decides: WA
        cases = {path: [each.split()[1] for each in verdicts] for path, verdicts in found["sum"].items()}
        assert cases == {
            "submissions/time_limit_exceeded/slow.py": ["AC", "AC", "TLE", *rest[0].split()],
            "submissions/time_limit_exceeded/wrong.py": ["AC", "WA", *rest[1].split()],
            "submissions/wrong_answer/wrong.py": ["AC", "WA", *rest[2].split()],
        }


@pytest.mark.thorough
def test_a_submission_that_may_fail_anyhow_ends_with_its_first_slow_case(tmp_path: Path, capsys: CapSys) -> None:
    files = {**LAZY, "problem.yaml": f"problem_format_version: 2025-09\n{LAZY['problem.yaml']}"}
    del files["submissions/time_limit_exceeded/wrong.py"]
    files |= {"submissions/rejected/slow.py": SLOW_FROM.format(slow=3, wrong=9, found=0)}
    files |= {"submissions/rejected/wrong.py": SLOW_FROM.format(slow=9, wrong=2, found=0)}
    _, found = run(str(write_files(tmp_path / "sum", files)), capsys=capsys)
    verdicts = {path: " ".join(each.split()[1] for each in cases) for path, cases in found["sum"].items()}
    assert verdicts["submissions/rejected/slow.py"] == "AC AC TLE SK SK"
    assert verdicts["submissions/rejected/wrong.py"] == "AC WA AC AC AC"


def test_all_cases_are_judged_where_the_expectation_is_about_all_of_them(tmp_path: Path, capsys: CapSys) -> None:
    files = {**LAZY, "problem.yaml": f"problem_format_version: 2025-09\n{LAZY['problem.yaml']}"}
    del files["submissions/time_limit_exceeded/wrong.py"]
    _, found = run(str(write_files(tmp_path / "sum", files)), capsys=capsys)
    assert [each.split()[1] for each in found["sum"]["submissions/time_limit_exceeded/slow.py"]][2:] == ["TLE"] * 3


MESSENGER = """\
import sys
accepts = sys.stdin.read() == open(sys.argv[2]).read()
if not accepts:
    {says}
sys.exit(42 if accepts else 43)
"""


@pytest.mark.parametrize(
    ("says", "status"),
    [
        ("open(sys.argv[3] + 'judgemessage.txt', 'w').write(9_000 * '.' + 'wrong edge')", 0),
        ("sys.stderr.write('wrong edge')", 1),
    ],
)
def test_a_required_message_is_in_judgemessage_txt(contest: Path, capsys: CapSys, says: str, status: int) -> None:
    expects = f"{BAD.partition('/')[2]}:\n  message: wrong edge\n"
    files = {"output_validator/v.py": MESSENGER.format(says=says), "submissions/submissions.yaml": expects}
    write_files(contest / "sum", files)
    for fresh in ("--fresh", "--verbose"):  # the second time, results come from the cache
        assert run(f"contest/sum/{BAD}", fresh, capsys=capsys)[0] == status
