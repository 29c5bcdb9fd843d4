"""problem.yaml in a folder that is no repository: what it says, and how options are saved in it."""

from pathlib import Path

import pytest

from judge.base.errors import DataError
from judge.problems.folder_file import read_rules, save_keys
from tests.files import write_files


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
        ("name: A\nlimits:\n  time_limit: 1.5\n  memory: 64\n", "tokens", 1.5, ""),  # of `judge import` until 0.2
    ],
)
def test_the_file_says_how_a_folder_is_judged(tmp_path: Path, text: str, checker: str, time: float, names: str) -> None:
    write_files(tmp_path, {"problem.yaml": text, "check.py": ""})
    rules = read_rules(tmp_path)
    found = rules.file_names
    assert (rules.checker.name, rules.limits.cpu) == (checker, time)
    assert (f"{found.input} {found.output}" if found else "") == names


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("inptu_file: a.in\n", "unknown key `inptu_file`: did you mean `input_file`?"),
        ("input_file: ../a.in\n", "expected the name of a file, without a folder, found `../a.in`"),
        ("checker: {program: chekc.py}\n", "`chekc.py` does not exist: did you mean `check.py`?"),
        ("interactor: {program: check.py}\ninput_file: a.in\n", "an interactor uses standard input and output"),
        ("subtasks: {small: 30}\n", "`subtasks` is for a problem of a repository"),
        ("limits: {time_limit: 3}\n", "unknown key `time_limit`"),  # of a contest package
    ],
)
def test_what_is_wrong_with_it_is_one_error_and_nothing_is_judged(tmp_path: Path, text: str, message: str) -> None:
    write_files(tmp_path, {"problem.yaml": text, "check.py": ""})
    with pytest.raises(DataError, match=r"problem\.yaml:\d+:\d+: error") as caught:
        read_rules(tmp_path)
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
        ("limits:\n  time_limit: 3\n  memory: 64\n", "limits: {time: 1 s, memory: 64 MiB}\nchecker: lines\n"),
    ],
)
def test_saved_keys_replace_their_old_values_and_nothing_else(tmp_path: Path, before: str | None, after: str) -> None:
    write_files(tmp_path, {} if before is None else {"problem.yaml": before})
    save_keys(tmp_path, {"checker": "lines"}, {"time": "1 s"})
    assert (tmp_path / "problem.yaml").read_text() == after


@pytest.mark.parametrize("text", ["chekcer: lines\n", "interactor: {program: check.py}\n"])
def test_a_file_that_cannot_hold_the_keys_stays_as_it_is(tmp_path: Path, text: str) -> None:
    write_files(tmp_path, {"problem.yaml": text, "check.py": ""})
    with pytest.raises(DataError):
        save_keys(tmp_path, {"checker": "lines"}, {})
    assert (tmp_path / "problem.yaml").read_text() == text
