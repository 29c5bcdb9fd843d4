"""The examples of docs/extending.md do what the page says, each in the module that it belongs to."""

import argparse
import ast
import io
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from judge.cli.commands import COMMANDS, ExitStatus
from judge.cli.commands.arguments import add_arguments, make_options
from judge.judging import checkers
from judge.languages import table
from judge.model import CheckerConfig
from judge.online import addresses, problem_ref
from judge.online.lint import judges
from judge.reporters import OutputOptions
from tests.report_scenarios import SCENARIOS

PAGE = Path(__file__).parents[1] / "docs/extending.md"


def example(start: str, module: ModuleType | None = None, **more: Any) -> dict[str, Any]:
    """Execute the block of code that begins with a text, as the last lines of a module; return its names."""
    blocks = [textwrap.dedent(each.partition("\n")[2]) for each in PAGE.read_text().split("```")[1::2]]
    (block,) = [each for each in blocks if each.startswith(start)]
    names = {**vars(module), **more} if module else {"__name__": "example"}
    if "(" in start:
        block = f"row = {block}"
    exec(compile(block, str(PAGE), "exec"), names)
    return names


def test_the_checker_compares_first_lines() -> None:
    check = example("def check_first_line", checkers)["check_first_line"]
    verdicts = [check(CheckerConfig(), b"1\n2\n", output).verdict.value for output in (b"1 \n3", b"2\n2\n")]
    assert verdicts == ["AC", "WA"]


def test_the_report_has_a_line_for_each_solution() -> None:
    out = io.StringIO()
    reporter = example('"""The reporter for TAP')["TapReporter"](out, io.StringIO(), OutputOptions())
    for event in SCENARIOS["wrong_answer"]():
        reporter.handle(event)
    reporter.close()
    lines = out.getvalue().splitlines()
    assert lines[-1] == f"1..{len(lines) - 1}"
    assert any(line.startswith("not ok") and line.endswith(": WA") for line in lines)


def test_the_rows_of_tables_are_complete() -> None:
    assert example("Language(", table)["row"].takes_flags is False
    assert example("OnlineJudge(", judges)["row"].source_limit == 128 << 10


def test_the_problem_of_a_url_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    refer = example("def _spoj", problem_ref)["_spoj"]
    row = example('{"spoj": (', problem_ref, _spoj=refer)["row"]
    monkeypatch.setattr(problem_ref, "_PAGES", problem_ref._PAGES | row)
    found = problem_ref.problem_ref("https://www.spoj.com/problems/PRIME1/")
    assert found is not None
    assert (found.id, found.submit_url) == ("spoj-prime1", "https://www.spoj.com/submit/PRIME1/")
    assert problem_ref.problem_ref("https://www.spoj.com/problems/") is None
    judge = example('("arena"', addresses)["row"]
    monkeypatch.setitem(addresses._BY_DOMAIN, judge[1], judge)
    assert problem_ref.describe_problem("https://arena.example/round/5/A", "").id == "arena-5-a"


def test_the_command_prints_the_ids(capsys: pytest.CaptureFixture[str]) -> None:
    command = example('"""`judge ids`')
    parser = argparse.ArgumentParser()
    add_arguments(parser, command["Options"])
    args = parser.parse_args(["--root", str(PAGE.parents[1]), "--prefix", "uva"])
    assert command["execute"](make_options(command["Options"], vars(args))) is ExitStatus.SUCCESS
    assert capsys.readouterr().out == "uva131\n"
    (page_row,) = [each for each in PAGE.read_text().splitlines() if each.startswith('"ids": ')]
    row = ast.literal_eval(f"{{{page_row}}}")["ids"]
    assert [type(each) for each in row] == [type(each) for each in COMMANDS["list"]]
