"""problem.yaml in a folder that is no repository: what it says, in which format, and how options are saved in it."""

from pathlib import Path

import pytest

from judge.base.errors import DataError, UsageError
from judge.model import DEFAULT_LIMITS
from judge.problems.folder_file import read_rules, save_keys
from tests.files import write_files

PACKAGE = "name: A\nsource: {name: NCPC, url: 'https://x.example'}\nlimits: {time_limit: 3, memory: 64}\n"


@pytest.mark.parametrize(
    ("text", "checker", "time", "names"),
    [
        ("input_file: sum.in\noutput_file: sum.out\n", "tokens", 2.0, "sum.in sum.out"),
        ("output_file: out.txt\n", "tokens", 2.0, " out.txt"),
        ("checker: lines\nlimits: {time: 3 s}\n", "lines", 3.0, ""),
        ("checker: {program: check.py}\n", "program", 2.0, ""),
        ("interactor: {program: check.py}\n", "program", 2.0, ""),
        ("profile: uva\n", "exact", 2.0, ""),
        ("name: A\nsource: {name: NCPC}\n", "tokens", 2.0, ""),
        (PACKAGE, "tokens", 3.0, ""),
        ("source: NCPC\nvalidator_flags: case_sensitive\n", "tokens", 2.0, ""),
        ("name: A\nlimits: {memory: 64}\n", "tokens", 2.0, ""),
    ],
)
def test_a_file_of_either_format_says_how_a_folder_is_judged(
    tmp_path: Path, text: str, checker: str, time: float, names: str
) -> None:
    write_files(tmp_path, {"problem.yaml": text, "check.py": ""})
    rules = read_rules(tmp_path, DEFAULT_LIMITS)
    found = rules.problem.file_names
    assert (rules.problem.checker.name, rules.problem.limits.cpu, rules.diagnostics) == (checker, time, ())
    assert (f"{found.input} {found.output}" if found else "") == names


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("inptu_file: a.in\n", "unknown key `inptu_file`: did you mean `input_file`?"),
        ("input_file: ../a.in\n", "expected the name of a file, without a folder, found `../a.in`"),
        ("checker: {program: chekc.py}\n", "`chekc.py` does not exist: did you mean `check.py`?"),
        ("interactor: {program: check.py}\ninput_file: a.in\n", "an interactor uses standard input and output"),
        ("subtasks: {small: 30}\n", "`subtasks` is for a problem of a repository"),
        ("checker: lines\nlimits: {time_limit: 3}\n", "unknown key `time_limit`"),
    ],
)
def test_what_is_wrong_with_it_is_one_error_and_nothing_is_judged(tmp_path: Path, text: str, message: str) -> None:
    write_files(tmp_path, {"problem.yaml": text, "check.py": ""})
    with pytest.raises(DataError, match=r"problem\.yaml:\d+:\d+: error") as caught:
        read_rules(tmp_path, DEFAULT_LIMITS)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, "checker: lines\nlimits: {time: 1 s}\n"),
        ("name: A", "name: A\nchecker: lines\nlimits: {time: 1 s}\n"),
        (
            "# mine\nchecker:\n  name: tokens\n\n  float_tolerance: 1\nname: A # b\n",
            "# mine\nchecker: lines\nname: A # b\nlimits: {time: 1 s}\n",
        ),
        (
            "limits:\n  memory: 64 MiB\n  time: 3 s\n# c\nname: A\n",
            "limits: {time: 1 s, memory: 64 MiB}\n# c\nname: A\nchecker: lines\n",
        ),
    ],
)
def test_saved_keys_replace_their_old_values_and_nothing_else(tmp_path: Path, before: str | None, after: str) -> None:
    write_files(tmp_path, {} if before is None else {"problem.yaml": before})
    save_keys(tmp_path, {"checker": "lines"}, {"time": "1 s"})
    assert (tmp_path / "problem.yaml").read_text() == after


@pytest.mark.parametrize("text", [PACKAGE, "chekcer: lines\n", "interactor: {program: check.py}\n"])
def test_a_file_that_cannot_hold_the_keys_stays_as_it_is(tmp_path: Path, text: str) -> None:
    write_files(tmp_path, {"problem.yaml": text, "check.py": ""})
    with pytest.raises((DataError, UsageError)):
        save_keys(tmp_path, {"checker": "lines"}, {})
    assert (tmp_path / "problem.yaml").read_text() == text
