"""The reporter for GitHub Actions: commands that only we can write, the most useful first, and a summary."""

import io
import re
from contextlib import suppress
from pathlib import Path

import pytest

from judge.base.errors import Diagnostic
from judge.cli.main import run_cli
from judge.model import CaseResult, Verdict
from judge.model.events import Event, Notice, SolutionJudged
from judge.reporters import OutputOptions, default_format, make_reporter
from judge.reporters.github import diagnostic_commands
from tests.golden_files import Terminal
from tests.report_scenarios import (
    FULL_HOUSE,
    ROOT,
    SCENARIOS,
    TRACEBACK,
    case,
    not_judged,
    one,
    problem,
    problem_events,
    ran,
    run,
    solution,
    wrong,
)

ENVIRONMENT = {"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(ROOT)}


def report(events: list[Event], **environment: str) -> list[str]:
    """Return the lines that the reporter writes to standard output."""
    stdout = io.StringIO()
    options = OutputOptions(environment={**ENVIRONMENT, **environment})
    with make_reporter(None, stdout, io.StringIO(), options) as reporter:
        for event in events:
            reporter.handle(event)
    return stdout.getvalue().splitlines()


def commands(lines: list[str]) -> list[str]:
    """Return the commands that GitHub obeys, as its runner reads a log."""
    obeyed, token = [], ""
    for line in lines:
        if token:
            token = "" if line == f"::{token}::" else token
        elif line.startswith("::stop-commands::"):
            token = line.removeprefix("::stop-commands::")
        elif line.lstrip().startswith("::") or "##[" in line:
            obeyed.append(line)
    assert not token
    return obeyed


def test_an_unexpected_solution_is_an_annotation_of_its_file() -> None:
    (command,) = commands(report(SCENARIOS["wrong_answer"]()))
    path = "solutions/uva131/accepted/keeps_pairs.py"
    assert command == (
        f"::error file={path},title=uva131 accepted/keeps_pairs.py%3A WA%2C expected AC::"
        "case sample/second: WA: line 2, token 16: expected `four-of-a-kind`, found `full-house`%0A"
        f"rerun: judge run {path} --case sample/second"
    )


def test_the_line_of_a_crash_and_of_a_compile_error_is_named() -> None:
    crash = CaseResult(
        case=case("edge/x"),
        verdict=Verdict.RTE,
        reason="exit status 1",
        run=ran(exit_code=1, stderr=TRACEBACK.replace(b"solution.py", b"/repository/no_check.py")),
    )
    assert "no_check.py,line=4," in commands(report(one("accepted/no_check.py", crash)))[0]
    broken = CaseResult(case=case("edge/x"), verdict=Verdict.CE, reason="line 7: invalid syntax")
    (command,) = commands(report(one("accepted/broken.py", broken, message="line 7: invalid syntax")))
    assert "broken.py,line=7," in command
    assert command.endswith("::line 7: invalid syntax%0Arerun: judge run solutions/uva131/accepted/broken.py")


def test_an_error_in_a_file_is_an_annotation_at_its_line() -> None:
    (command,) = commands(report(not_judged()))
    assert command.startswith("::error file=testcases/uva131/generated.yaml,line=4,title=error in a file::case ")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_there_is_one_annotation_for_each_unexpected_solution_and_error(scenario: str) -> None:
    events = SCENARIOS[scenario]()
    unexpected = sum(isinstance(event, SolutionJudged) and not event.result.as_expected for event in events)
    errors = sum(isinstance(event, Notice) and event.is_error for event in events)
    found = commands(report(events))
    assert len(found) == unexpected + errors
    assert all(re.fullmatch(r"::error (file=[^:,]+,)?(line=\d+,)?title=[^:,]+::[^\r\n]+", each) for each in found)
    assert all(each.isprintable() for each in found)


def test_the_log_is_that_of_plain_and_what_programs_print_is_no_command() -> None:
    noisy = wrong("edge/x", FULL_HOUSE)
    stderr = b"::error::forged\n##[error]forged\n::stop-commands::x\n"
    failure = CaseResult(
        case=noisy.case, verdict=Verdict.RTE, reason="::warning::forged", run=ran(exit_code=1, stderr=stderr)
    )
    lines = report(one("accepted/a.py", failure))
    assert not any("forged" in each and not each.startswith("::error file=") for each in commands(lines))
    plain = io.StringIO()
    with make_reporter("plain", plain, io.StringIO(), OutputOptions(environment={})) as reporter:
        for event in one("accepted/a.py", failure):
            reporter.handle(event)
    assert [line for line in lines if not line.startswith("::")] == plain.getvalue().splitlines()


def test_at_most_ten_are_written_the_most_useful_first() -> None:
    which = problem()
    bad = wrong("edge/x", FULL_HOUSE)
    late = CaseResult(case=case("edge/x"), verdict=Verdict.TLE, reason="too slow", run=ran(cpu=4))
    judgements = [(solution(which, f"wrong_answer/{number}.py"), [late], "") for number in range(9)]
    judgements += [(solution(which, f"accepted/{number}.py"), [bad], "") for number in range(3)]
    notice = Notice(text="data", is_error=True, diagnostics=(Diagnostic(path=Path("x.yaml"), line=2, message="bad"),))
    found = commands(report(run(*problem_events(which, judgements), notice)))
    assert len(found) == 11
    assert found[0].startswith("::error file=x.yaml,line=2,")
    assert all("/accepted/" in each for each in found[1:4])
    assert found[10] == "::notice::3 more errors: see the log"


def test_after_an_exception_the_commands_work_again() -> None:
    stdout = io.StringIO()
    reporter = make_reporter("github", stdout, io.StringIO(), OutputOptions(environment=ENVIRONMENT))
    with reporter, suppress(KeyboardInterrupt):
        for event in SCENARIOS["wrong_answer"]()[:-1]:
            reporter.handle(event)
        raise KeyboardInterrupt
    assert len(commands(stdout.getvalue().splitlines())) == 1


def test_the_summary_of_the_step_lists_what_is_unexpected(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_text("before\n")
    report(SCENARIOS["hostile"](), GITHUB_STEP_SUMMARY=str(path))
    text = path.read_text()
    assert text.startswith("before\n### judge: 3 of 3 unexpected\n")
    assert text.isprintable() or "\x1b" not in text
    assert [line.count(" | ") for line in text.splitlines() if line.startswith("| solutions")] == [2, 2, 2]
    report(SCENARIOS["all_as_expected"](), GITHUB_STEP_SUMMARY=str(path))
    assert "### judge: 25 runs in 1.25 s, all as expected\n" in path.read_text()


def test_a_summary_that_cannot_be_written_is_a_note(tmp_path: Path) -> None:
    stderr = io.StringIO()
    options = OutputOptions(environment={**ENVIRONMENT, "GITHUB_STEP_SUMMARY": str(tmp_path / "none" / "x.md")})
    with make_reporter("github", io.StringIO(), stderr, options) as reporter:
        for event in SCENARIOS["wrong_answer"]():
            reporter.handle(event)
    assert "the summary cannot be written: No such file or directory" in stderr.getvalue()


def test_it_is_used_in_actions_only_and_not_on_a_terminal() -> None:
    options = OutputOptions(environment=ENVIRONMENT)
    assert default_format(io.StringIO(), options) == "github"
    assert default_format(io.StringIO(), OutputOptions(environment={})) == "plain"
    assert default_format(Terminal(), options) == "rich"


def test_files_outside_the_checkout_keep_their_path() -> None:
    diagnostic = Diagnostic(path=Path("/elsewhere/x.yaml"), line=2, message="100% bad:\nsee, there", fix="change it")
    assert diagnostic_commands([diagnostic], ENVIRONMENT) == [
        "::error file=/elsewhere/x.yaml,line=2,title=error in a file::100%25 bad:%0Asee, there%0Afix: change it"
    ]


def test_errors_that_prevent_a_run_are_annotations_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "problems/p").mkdir(parents=True)
    (tmp_path / "problems/p/problem.yaml").write_text("name: [\n")
    monkeypatch.chdir(tmp_path)
    for name, value in {**ENVIRONMENT, "GITHUB_WORKSPACE": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    assert run_cli(["run"]) == 2
    out, err = capsys.readouterr()
    assert out.startswith("::error file=problems/p/problem.yaml,line=")
    assert "problems/p/problem.yaml:" in err
