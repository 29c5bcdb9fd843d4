"""The flags of the default output validator, and where they come from."""

from pathlib import Path

import pytest

from judge.errors import Severity
from judge.model import CheckerConfig
from judge.problems.icpc.load import read_flags
from tests.problems.icpc.packages import load, load_clean, messages

VALID: dict[str, CheckerConfig] = {
    "": CheckerConfig(),
    "case_sensitive": CheckerConfig(case_sensitive=True),
    "case_sensitive case_sensitive": CheckerConfig(case_sensitive=True),
    "space_change_sensitive": CheckerConfig(space_change_sensitive=True),
    "float_absolute_tolerance 1e-6": CheckerConfig(float_absolute_tolerance=1e-6),
    "float_relative_tolerance .5": CheckerConfig(float_relative_tolerance=0.5),
    "float_tolerance 1.": CheckerConfig(float_absolute_tolerance=1, float_relative_tolerance=1),
    "float_relative_tolerance 0 float_absolute_tolerance 2": CheckerConfig(
        float_relative_tolerance=0, float_absolute_tolerance=2
    ),
}


@pytest.mark.parametrize("flags", VALID)
@pytest.mark.parametrize("last_counts", [False, True])
def test_valid_flags_make_a_checker(flags: str, *, last_counts: bool) -> None:
    assert read_flags(flags.split(), last_counts=last_counts) == VALID[flags]


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("case-sensitive", "unknown flag `case-sensitive` of `the default output validator`: did you mean"),
        ("1e-6", "unknown flag `1e-6`"),
        ("float_tolerance", "the flag `float_tolerance` has no number after it"),
        ("float_tolerance case_sensitive", "the flag `float_tolerance`: expected a number, found `case_sensitive`"),
        ("float_tolerance -1", "the flag `float_tolerance` has a negative tolerance, -1"),
        ("float_tolerance inf", "expected a number, found `inf`"),
        ("float_tolerance 0x1", "expected a number, found `0x1`"),
        ("float_tolerance 1_0", "expected a number, found `1_0`"),
    ],
)
@pytest.mark.parametrize("last_counts", [False, True])
def test_wrong_flags_are_errors(flags: str, expected: str, *, last_counts: bool) -> None:
    with pytest.raises(ValueError, match=r"(?s).*") as raised:
        read_flags(flags.split(), last_counts=last_counts)
    assert expected in str(raised.value)


REPEATED: dict[str, CheckerConfig] = {
    "float_tolerance 1 float_tolerance 1": CheckerConfig(float_absolute_tolerance=1, float_relative_tolerance=1),
    "float_absolute_tolerance 1 float_absolute_tolerance 2": CheckerConfig(float_absolute_tolerance=2),
    "float_relative_tolerance 1 float_relative_tolerance 2": CheckerConfig(float_relative_tolerance=2),
    "float_tolerance 1 float_absolute_tolerance 2": CheckerConfig(
        float_absolute_tolerance=2, float_relative_tolerance=1
    ),
    "float_relative_tolerance 2 float_tolerance 1": CheckerConfig(
        float_absolute_tolerance=1, float_relative_tolerance=1
    ),
}


@pytest.mark.parametrize("flags", REPEATED)
def test_tolerances_that_repeat_are_errors_in_2025_09_only(flags: str) -> None:
    assert read_flags(flags.split(), last_counts=True) == REPEATED[flags]
    with pytest.raises(ValueError, match=r"is given twice|contradict each other"):
        read_flags(flags.split(), last_counts=False)


def test_flags_of_groups_follow_those_of_the_problem(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "validator_flags: case_sensitive float_tolerance 1e-3",
        "data/secret/testdata.yaml": "output_validator_flags: float_tolerance 1e-6",
    }
    sample, secret = load_clean(tmp_path, files).cases
    assert (sample.checker.case_sensitive, secret.checker.case_sensitive) == (True, True)
    assert (sample.checker.float_absolute_tolerance, secret.checker.float_absolute_tolerance) == (1e-3, 1e-6)


def test_arguments_of_cases_replace_those_of_groups(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "problem_format_version: 2025-09\nname: X",
        "data/secret/test_group.yaml": "output_validator_args: [float_tolerance, 1e-3]",
        "data/secret/1.yaml": "output_validator_args: [case_sensitive]",
        "data/secret/2.in": "",
        "data/secret/2.ans": "",
    }
    sample, one, two = load_clean(tmp_path, files).cases
    assert sample.checker == CheckerConfig()
    assert one.checker == CheckerConfig(case_sensitive=True)
    assert two.checker == CheckerConfig(float_absolute_tolerance=1e-3, float_relative_tolerance=1e-3)


def test_cases_with_wrong_flags_are_left_out(tmp_path: Path) -> None:
    files = {"data/secret/testdata.yaml": "on_reject: continue\noutput_validator_flags: float_tolerance"}
    problem, diagnostics = load(tmp_path, files)
    assert [case.id for case in problem.cases] == ["sample/1"]
    (diagnostic,) = diagnostics
    assert (diagnostic.line, diagnostic.column, diagnostic.severity) == (2, 25, Severity.ERROR)
    assert diagnostic.message.endswith("; cases with these flags are not judged")


def test_flags_are_split_as_a_shell_does(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "validation: custom\nvalidator_flags: a 'b c' \"d\"",
        "output_validators/v.py": "",
        "data/secret/testdata.yaml": "output_validator_flags: {name: v, flags: e f}",
    }
    sample, secret = load_clean(tmp_path, files).cases
    assert sample.checker.args == ("a", "b c", "d")
    assert secret.checker.args == ("a", "b c", "d", "e", "f")


def test_an_open_quote_is_reported(tmp_path: Path) -> None:
    found = messages(tmp_path, {"problem.yaml": "validator_flags: case_sensitive 'x"}, Severity.WARNING)
    assert "`validator_flags` cannot be split into words" in found[0]
