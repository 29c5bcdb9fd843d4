"""Whole packages: what is read from which version, what is wrong with them, and the default output validator."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from judge.base.errors import DataError, Severity
from judge.base.units import MIB, Bytes, Seconds
from judge.model import CheckerConfig, InFile, Limits, ProblemType, Verdict, default_wall
from judge.problems.icpc.load import load_package, read_flags
from tests.problems.icpc.packages import MINIMAL, load, load_clean, messages, write


def test_a_minimal_package_is_a_problem(tmp_path: Path) -> None:
    problem = load_clean(tmp_path)
    folder = tmp_path / "sum"
    assert (problem.id, problem.name, problem.format) == ("sum", "Sum", "icpc-legacy")
    assert [case.id for case in problem.cases] == ["sample/1", "secret/1"]
    assert problem.cases[1].input == InFile(folder / "data/secret/1.in")
    assert problem.cases[1].answer == InFile(folder / "data/secret/1.ans")
    (solution,) = problem.solutions
    assert solution.display_path == "sum/submissions/accepted/sum.py"
    assert solution.expectation.permitted == {Verdict.AC}
    assert problem.limits == Limits(
        cpu=Seconds(10), wall=default_wall(Seconds(10)), memory=Bytes(2048 * MIB), output=Bytes(8 * MIB)
    )
    assert problem.time_rule is not None
    assert problem.time_rule.given is None
    assert problem.groups is None


def test_reading_changes_nothing(tmp_path: Path) -> None:
    package = write(tmp_path / "sum", MINIMAL)
    before = [(path, path.lstat()) for path in sorted(package.rglob("*"))]
    load_package(package, root_for_display=tmp_path)
    after = [(path, path.lstat()) for path in sorted(package.rglob("*"))]
    assert [(path, stat.st_mtime_ns, stat.st_size) for path, stat in before] == [
        (path, stat.st_mtime_ns, stat.st_size) for path, stat in after
    ]


@pytest.mark.parametrize(
    ("version", "format_name"),
    [
        ("", "icpc-legacy"),
        ("legacy", "icpc-legacy"),
        ("legacy-icpc", "icpc-legacy"),
        ("2023-07", "icpc-2023-07"),
        ("2023-07-draft", "icpc-2023-07"),
        ("2025-09", "icpc-2025-09"),
        ("2025-09-draft", "icpc-2025-09"),
        ("draft", "icpc-2025-09"),
    ],
)
def test_every_version_has_a_name(tmp_path: Path, version: str, format_name: str) -> None:
    assert (
        load_clean(tmp_path, {"problem.yaml": f"problem_format_version: {version}\nname: Sum\n"}).format == format_name
    )


def test_an_unknown_version_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(DataError) as raised:
        load(tmp_path, {"problem.yaml": "problem_format_version: 2024-01\n"})
    (diagnostic,) = raised.value.diagnostics
    assert (diagnostic.line, diagnostic.column) == (1, 25)
    assert "`2024-01`" in diagnostic.message
    assert "`2025-09`" in diagnostic.message


def test_a_folder_without_problem_yaml_is_no_package(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not a problem package"):
        load_package(tmp_path, root_for_display=tmp_path)


def test_domjudge_needs_no_problem_yaml(tmp_path: Path) -> None:
    files = {"problem.yaml": None, "domjudge-problem.ini": "name = 'Two Numbers'\ntimelimit='3' ; seconds\n"}
    write(tmp_path / "sum", MINIMAL)
    problem = load_clean(tmp_path, files)
    assert problem.name == "Two Numbers"
    assert problem.limits.cpu == Seconds(3)


def test_interactive_problems_need_a_validator(tmp_path: Path) -> None:
    files = {"problem.yaml": "validation: custom interactive\n"}
    with pytest.raises(DataError, match=r"sum/output_validators: error: .*output validator"):
        load(tmp_path, files)
    problem = load_clean(tmp_path, {**files, "output_validators/v/v.py": "", "data/secret/1.interaction": ""})
    assert problem.types == {ProblemType.INTERACTIVE}
    assert problem.interactor is not None
    assert problem.interactor.source == tmp_path / "sum/output_validators/v"


def test_a_case_without_an_answer_is_left_out(tmp_path: Path) -> None:
    problem, diagnostics = load(tmp_path, {"data/secret/2.in": "1\n"})
    assert [case.id for case in problem.cases] == ["sample/1", "secret/1"]
    (diagnostic,) = diagnostics
    assert diagnostic.severity is Severity.ERROR
    assert diagnostic.path == Path("sum/data/secret/2.in")


def test_links_that_lead_out_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("secret")
    package = write(tmp_path / "sum", MINIMAL)
    (package / "data/secret/2.in").symlink_to(package / "data/secret/1.in")
    (package / "data/secret/2.ans").symlink_to("../../../outside")
    (package / "data/secret/3").symlink_to(tmp_path)
    problem, diagnostics = load(tmp_path)
    assert [case.id for case in problem.cases] == ["sample/1", "secret/1"]
    assert ["leads out" in each.message for each in diagnostics] == [True, True, False]


def test_flags_of_a_group_replace_those_of_the_problem_at_domjudge(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "name: Sum\nvalidator_flags: case_sensitive\n",
        "data/secret/testdata.yaml": "output_validator_flags: space_change_sensitive\n",
    }

    def flags(files: Mapping[str, str | bytes | None]) -> list[tuple[bool, bool]]:
        cases = load_clean(tmp_path, files).cases
        return [(case.checker.case_sensitive, case.checker.space_change_sensitive) for case in cases]

    assert flags(files) == [(True, False), (True, True)]
    assert flags({**files, "domjudge-problem.ini": "timelimit=1\n"}) == [(True, False), (False, True)]


def test_a_package_may_be_reached_by_a_link(tmp_path: Path) -> None:
    write(tmp_path / "sum", MINIMAL)
    (tmp_path / "link").symlink_to("sum")
    problem, diagnostics = load_package(tmp_path / "link", root_for_display=tmp_path)
    assert not diagnostics
    assert problem.id == "link"


def test_a_package_without_cases_is_reported(tmp_path: Path) -> None:
    package = write(tmp_path / "empty", {"problem.yaml": "name: Empty\n", "submissions/accepted/x.py": ""})
    problem, diagnostics = load_package(package, root_for_display=tmp_path)
    assert not problem.cases
    assert [(str(each.path), each.fix) for each in diagnostics] == [("empty/data", "")]
    write(package, {"data/generator.sh": ". ../../testdata_tools/gen.sh\n"})
    _, diagnostics = load_package(package, root_for_display=tmp_path)
    assert [each.fix for each in diagnostics] == ["make them with generator.sh: (cd empty/data && bash generator.sh)"]


def test_files_and_folders_that_are_missing_or_double_are_reported(tmp_path: Path) -> None:
    files = {"data/secret/1.in": None, "data/secret/1.ans": None, "problem.yml": "name: Other\n"}
    problem, diagnostics = load(tmp_path, files)
    assert problem.name == "Sum"
    assert [(str(each.path), each.message) for each in diagnostics] == [
        ("sum/problem.yml", "does not count: only problem.yaml does"),
        ("sum/data/secret", "has no cases: verdicts and scores rest on the samples alone"),
    ]


# ---- the flags of the default output validator -----------------------------------------------------------------------

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
