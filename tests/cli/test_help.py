"""Help and hints: topics, wrong commands and options, and what users of other tools type first."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from judge.cli.commands import COMMANDS, ExitStatus
from judge.cli.commands.arguments import make_parser
from judge.cli.help import _EXPLANATIONS, _OTHER_COMMANDS, _OTHER_OPTIONS, TOPICS, topic_names
from judge.cli.main import run_cli
from judge.model import Level, Verdict
from judge.settings import FORMATS
from tests.cli.command_line import CapSys, judge, report, write
from tests.cli.test_completion import repository as repository  # noqa: PLC0414 - a fixture

DOCS = Path(__file__).parents[2] / "docs"


# ---- wrong command lines ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        # what users of oj, cf-tool, BAPCtools, rbx, problemtools and others type
        ("test", "test: no such command; did you mean `judge run`?"),
        ("RUN", "RUN: no such command; did you mean run?"),
        ("''", "the first word is empty, perhaps an unset variable of the shell"),
        ("run ''", "a target is empty, perhaps an unset variable of the shell; `.` is the current folder"),
        ("run --json", "--json: no such option; did you mean --format?"),
        ("--version=3", "--version=3: --version takes no value"),
        ("t", "t: no such command; did you mean `judge run`?"),
        ("test own.py", "test: no such command; did you mean `judge run own.py`?"),
        ("t -c 'python3 own.py' -d tests", "t: no such command; did you mean `judge run own.py`?"),
        ("exec own.py", "exec: no such command; did you mean `judge run own.py`?"),
        ("s own.py", "s: no such command; did you mean `judge submit own.py`?"),
        ("create x", "create: no such command; did you mean `judge new`?"),
        ("init", "init: no such command; did you mean `judge new`?"),
        ("ls", "ls: no such command; did you mean `judge list`?"),
        (
            "d https://a.example",
            "d: no such command; `judge listen` receives problems from the browser, and `judge imp",
        ),
        ("download https://a.example", "download: no such command; `judge listen` receives"),
        ("parse 1900", "parse: no such command; `judge listen` receives"),
        ("verify", "verify: no such command; `judge lock` validates inputs and confirms answers; `judge check` exam"),
        ("verifyproblem .", "verifyproblem: no such command; `judge lock` validates"),
        ("validate", "validate: no such command; `judge lock` validates"),
        ("build", "build: no such command; `judge run` compiles and generates what it needs; `judge lock` generates"),
        ("generate", "generate: no such command; `judge run` compiles"),
        ("login", "login: no such command; `judge submit` reads ~/.kattisrc and ~/.netrc"),
        ("version", "version: no such command; `judge --version` shows the version"),
        # words that are near, or that name something to judge
        ("tset", "tset: no such command; did you mean run?"),
        ("rnu", "rnu: no such command; did you mean run?"),
        ("hlep", "hlep: no such command; did you mean help?"),
        ("sums", "sums: no such command; did you mean `judge run sums`?"),
        ("sums/sample -x", "sums/sample: no such command; did you mean `judge run sums/sample -x`?"),
        ("tests", "tests: no such command; did you mean `judge run`?"),
        ("solutions", "solutions: no such command; did you mean `judge run solutions`?"),
        ("gone.py", "gone.py: no such file or command"),
        ("xyzzy", "xyzzy: no such command\nusage: judge [OPTIONS] COMMAND ...\nTry `judge --help`.\n"),
        # options
        ("run --failde", "--failde: no such option; did you mean --failed?\nusage: judge run [OPTIONS] [TARGET ...]\n"),
        ("run --fail-fats", "--fail-fats: no such option; did you mean --fail-fast?"),
        ("run -k statement", "-k: no such option; did you mean --case? It takes a pattern such as 'edge*'"),
        ("run --lf", "--lf: no such option; did you mean --failed?"),
        ("run --last-failed", "--last-failed: no such option; did you mean --failed?"),
        ("run --maxfail=1", "--maxfail: no such option; did you mean --fail-fast?"),
        ("run --no-fail-fast", "--no-fail-fast: no such option; leave it out: every case is judged"),
        ("run -n4", "-n: no such option; did you mean --jobs?"),
        ("run -n auto", "-n: no such option; did you mean --jobs?"),
        ("run -d tests", "-d: no such option; did you mean --cases?"),
        ("run --tle 2", "--tle: no such option; did you mean --time-limit?"),
        ("run -e 1e-6", "-e: no such option; did you mean --float-tolerance?"),
        ("run --no-cache", "--no-cache: no such option; did you mean --fresh?"),
        ("run --collect-only", "--collect-only: no such option; `judge list` lists problems, cases and solutions"),
        ("run --junitxml x", "--junitxml: no such option; pytest writes JUnit XML"),
        ("run --fail", "--fail: no such option; did you mean --failed?\nusage: judge run"),
        (
            "check own.py -c x",
            (
                "-c: no such option\nusage: judge check [OPTIONS] FILE|PROBLEM|PACKAGE [FILE|PACKAGE ...]\n"
                "Try `judge check"
            ),
        ),
        ("doctor now", "now: unexpected; `judge doctor` takes fewer arguments\nusage: judge doctor [OPTIONS]\n"),
        ("show", "the following arguments are required: PROBLEM[/CASE]\nusage: judge show [OPTIONS] PROBLEM[/CASE]\n"),
        # options before the command
        ("-x run sums", "-x: no such option before a command; the options of a command stand after it\nusage: judge ["),
        ("--versoin", "--versoin: no such option; did you mean --version?"),
        # help
        ("help verdict", "verdict: no such command or topic; did you mean verdicts?"),
        ("help xyzzy", "xyzzy: no such command or topic; `judge help` lists them"),
        ("help run watch", "`judge help` takes one command or topic"),
    ],
)
def test_a_wrong_command_line_says_what_to_type(repository: Path, capsys: CapSys, line: str, message: str) -> None:
    import shlex

    write(repository / "own.py", "print(1)\n")
    status, out, err = judge(*shlex.split(line), capsys=capsys)
    assert (status, out) == (2, "")
    assert err.startswith(f"judge: {message}"), err
    assert "<" not in err
    assert len(err.splitlines()) <= 3


def test_no_word_of_another_tool_hides_a_command_or_option_of_ours() -> None:
    for name, ours in _OTHER_COMMANDS.items():
        assert name not in COMMANDS
        assert name not in _EXPLANATIONS
        assert ours in {*COMMANDS, "debug"}
    options = frozenset().union(*(make_parser(command).options for command in COMMANDS))
    assert {*_OTHER_OPTIONS.values()} <= options | {"--show-output", "--quiet"}


def test_options_may_stand_between_targets(repository: Path, capsys: CapSys) -> None:
    argv = ["solutions/sums/accepted/split.py", "-x", "solutions/sums/accepted/count.py", "-f", "json"]
    status, out, _ = judge("run", *argv, capsys=capsys)
    assert (status, set(report(out))) == (0, {"split.py", "count.py"})
    assert repository.is_dir()


def test_a_source_file_as_the_first_word_is_judged(repository: Path, capsys: CapSys) -> None:
    path = "solutions/sums/accepted/split.py"
    status, out, _ = judge(path, "-j", "auto", "-f", "json", capsys=capsys)
    assert (status, set(report(out))) == (0, {"split.py"})
    assert repository.is_dir()


# ---- help ------------------------------------------------------------------------------------------------------------


def test_without_arguments_the_help_goes_to_standard_error_and_the_status_is_2(capsys: CapSys) -> None:
    status, out, err = judge(capsys=capsys)
    assert (status, out) == (2, "")
    assert err == judge("--help", capsys=capsys)[1]


def test_help_of_a_command_is_its_own_help(capsys: CapSys) -> None:
    for command in COMMANDS:
        shown = judge(command, "--help", capsys=capsys)
        assert shown == judge("help", command, capsys=capsys)
        assert shown[0] == 0


def test_help_fits_the_terminal_and_keeps_words_and_commands_whole(
    capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    for argv in (["--help"], ["help"], *(["help", name] for name in [*COMMANDS, *topic_names()])):
        shown = {}
        for columns in (60, 80, 300):
            monkeypatch.setenv("COLUMNS", str(columns))
            shown[columns] = judge(*argv, capsys=capsys)[1]
        examples = re.findall(r"^  (judge (?:\S+ )*\S+)", shown[300], re.MULTILINE)
        text = shown[300].partition("\noptions:")[2].partition("\n\n")[2] or shown[300]  # argparse breaks at hyphens
        assert set(text.split()) <= set(shown[60].split()) & set(shown[80].split()), argv
        assert "".join(shown[60].split()) == "".join(shown[300].split()), argv
        assert all(example in shown[60] for example in examples), argv
        assert all(len(line) <= 80 for line in shown[80].splitlines()), argv
        assert all(len(line) <= 60 or "judge " in line or " " not in line.strip() for line in shown[60].splitlines()), (
            argv
        )


def test_help_lists_the_commands_and_the_topics(capsys: CapSys) -> None:
    for argv in (["help"], ["help", "--help"]):
        status, out, err = judge(*argv, capsys=capsys)
        assert (status, err) == (0, "")
        assert re.findall(r"^  ([\w-]+)  ", out.partition("topics of")[2], re.MULTILINE) == topic_names()
        assert out.startswith(judge("--help", capsys=capsys)[1])


@pytest.mark.parametrize("name", topic_names())
def test_a_topic_is_short_and_fits_80_columns(name: str, capsys: CapSys) -> None:
    assert name not in COMMANDS, "`judge help NAME` would not reach it"
    status, out, _ = judge("help", name, capsys=capsys)
    assert (status, out) == (0, (TOPICS / f"{name}.txt").read_text())
    summary, blank, *lines = out.splitlines()
    assert (summary[0].islower() or summary.startswith("JSON"), summary[-1] != ".", blank) == (True, True, "")
    assert len(f"{name:<15}{summary}") <= 80
    assert 5 < len(lines) < 50
    assert all(len(line) <= 80 for line in lines)


def rows_of(text: str) -> list[str]:
    """Return the first words of a topic's indented rows."""
    return re.findall(r"^  (\S+)  ", text, re.MULTILINE)


def test_the_topic_and_the_page_of_exit_statuses_name_all_of_them() -> None:
    statuses = [str(int(status)) for status in ExitStatus]
    topic = (TOPICS / "exit-status.txt").read_text()
    page = (DOCS / "exit-status.md").read_text()
    assert [row for row in rows_of(topic) if row.isdigit()] == statuses
    assert re.findall(r"^\| (\d+) \|", page, re.MULTILINE) == statuses
    commands = set(re.findall(r"^  judge (\w+)", topic, re.MULTILINE))
    assert commands == set(re.findall(r"^\| `judge (\w+)", page, re.MULTILINE))


def test_no_other_page_has_a_table_of_exit_statuses() -> None:
    for page in DOCS.glob("*.md"):
        if page.name != "exit-status.md":
            rows = re.findall(r"^\| (0|1|2) \|", page.read_text(), re.MULTILINE)
            assert not {"0", "1", "2"} <= set(rows) or page.name == "architecture.md", page.name  # its layers


def test_the_topic_and_the_page_of_verdicts_name_all_of_them() -> None:
    topic, page = (TOPICS / "verdicts.txt").read_text(), (DOCS / "verdicts.md").read_text()
    verdicts = {verdict.value for verdict in Verdict}
    assert {row for row in rows_of(topic) if row.isupper()} == verdicts
    assert verdicts <= set(re.findall(r"^\| (\w+) \|", page, re.MULTILINE))


def test_the_topic_of_the_sandbox_names_its_levels() -> None:
    rows = rows_of((TOPICS / "sandbox.txt").read_text())
    assert [row for row in rows if row.islower()] == [level.value for level in Level]


def test_the_topic_of_formats_names_all_of_them() -> None:
    assert tuple(rows_of((TOPICS / "formats.txt").read_text())) == FORMATS


def test_every_variable_of_the_topic_is_read_somewhere() -> None:
    package = TOPICS.parents[1]
    code = "".join(path.read_text() for path in package.rglob("*.py"))
    for variable in re.findall(r"\b[A-Z][A-Z_]{3,}\b", (TOPICS / "environment.txt").read_text()):
        assert variable in code or variable == "NO_PROXY", variable  # which urllib reads


def test_the_module_and_the_script_are_the_same_command() -> None:
    script = Path(sys.executable).with_name("judge")
    if not script.exists():
        pytest.skip("the package is not installed as a script here")
    for argv in (["--version"], ["help", "verdicts"], ["run", "--nonsense"], ["nonsense"]):
        results = [
            subprocess.run([*command, *argv], capture_output=True, text=True, check=False)
            for command in ([str(script)], [sys.executable, "-m", "judge"])
        ]
        shown = [(each.returncode, each.stdout, each.stderr) for each in results]
        assert shown[0] == shown[1]


# ---- schemas ---------------------------------------------------------------------------------------------------------


def test_each_schema_is_printed(capsys: CapSys) -> None:
    import json

    from judge.problems.schema import FOLDER

    names = {"testcases": "cases"}
    for path in FOLDER.glob("*.schema.json"):
        name = names.get(path.name.partition(".")[0], path.name.partition(".")[0])
        status, out, _ = judge("schema", name, capsys=capsys)
        assert (status, out) == (0, path.read_text())
        assert json.loads(out)["$schema"]
        assert judge("schema", name, "--path", capsys=capsys)[1] == f"{path}\n"
    assert "invalid choice: 'nothing'" in judge("schema", "nothing", capsys=capsys)[2]


def test_the_yaml_files_of_a_new_problem_name_a_schema_that_exists_and_that_they_match(repository: Path) -> None:
    import json

    import yaml
    from jsonschema import Draft202012Validator

    files = [*repository.glob("problems/*/*.yaml"), *repository.glob("testcases/*/*.yaml")]
    assert len(files) == 3
    for path in files:
        text = path.read_text()
        schema = path.parent / text.partition("\n")[0].removeprefix("# yaml-language-server: $schema=")
        assert schema.resolve().is_relative_to(repository.resolve()), "a clone of the repository has it too"
        Draft202012Validator(json.loads(schema.read_text())).validate(yaml.safe_load(text))


def test_another_new_problem_brings_the_schemas_up_to_date(repository: Path) -> None:
    schema = repository / ".schemas/problem.schema.json"
    current = schema.read_text()
    schema.write_text("{}")
    assert run_cli(["new", "other"]) == 0
    assert schema.read_text() == current
