"""The trees of test groups."""

import math
from pathlib import Path

import pytest

from judge.base.errors import Severity
from judge.model.groups import Aggregation, Rules, TestGroup, VerdictMode
from tests.problems.icpc.packages import load, load_clean, messages

Files = dict[str, str | bytes | None]

SCORING: Files = {"problem.yaml": "type: scoring"}
DOMJUDGE: Files = {"domjudge-problem.ini": "timelimit = 3"}
NEW: Files = {"problem.yaml": "problem_format_version: 2025-09\nname: X\ntype: scoring"}


def pair(*names: str) -> Files:
    return {f"data/{name}{suffix}": "1\n" for name in names for suffix in (".in", ".ans")}


def without(*names: str) -> Files:
    """Remove cases of the minimal package."""
    return {f"data/{name}{suffix}": None for name in names for suffix in (".in", ".ans")}


def by_name(root: TestGroup | None) -> dict[str, TestGroup]:
    assert root is not None
    return {root.name: root} | {name: group for inner in root.groups for name, group in by_name(inner).items()}


def test_legacy_has_a_group_for_every_folder(tmp_path: Path) -> None:
    groups = by_name(load_clean(tmp_path, {**SCORING, **pair("secret/b/1", "secret/a/x/1")}).groups)
    assert list(groups) == ["", "sample", "secret", "secret/a", "secret/a/x", "secret/b"]
    assert groups["secret"] == TestGroup(
        name="secret", breaks=True, groups=(groups["secret/a"], groups["secret/b"]), rules=Rules.LEGACY
    )


def test_legacy_groups_inherit_everything(tmp_path: Path) -> None:
    files = {
        **SCORING,
        **pair("secret/a/1"),
        "data/testdata.yaml": "on_reject: continue\nrange: 0 100\ngrader_flags: max first_error",
        "data/secret/testdata.yaml": "accept_score: 5.5\nreject_score: -1",
        "data/secret/a/testdata.yaml": "grader_flags: min always_accept accept_if_any_accepted avg\nrange: -inf +inf",
    }
    groups = by_name(load_clean(tmp_path, files).groups)
    root, secret, inner = groups[""], groups["secret"], groups["secret/a"]
    assert not any(group.breaks for group in groups.values())
    assert (root.score_range, secret.score_range, inner.score_range) == ((0, 100), (0, 100), (-math.inf, math.inf))
    assert (secret.aggregation, secret.verdict_mode) == (Aggregation.MAX, VerdictMode.FIRST_ERROR)
    assert (secret.accept_score, secret.reject_score) == (5.5, -1)
    assert (inner.aggregation, inner.verdict_mode, inner.accepts_any) == (
        Aggregation.AVG, VerdictMode.ALWAYS_ACCEPT, True
    )  # fmt: skip
    assert (inner.accept_score, inner.reject_score) == (5.5, -1)


def test_only_the_root_may_ignore_the_sample(tmp_path: Path) -> None:
    flags, message = "grader_flags: ignore_sample", "error: `ignore_sample` is for data/testdata.yaml only"
    files: Files = {**SCORING, "data/testdata.yaml": flags, **pair("secret/a/1")}
    problem, diagnostics = load(tmp_path, files)
    assert {name: group.ignores_sample for name, group in by_name(problem.groups).items() if name} == {
        "sample": False, "secret": False, "secret/a": False
    }  # fmt: skip
    assert by_name(problem.groups)[""].ignores_sample
    assert [str(each).partition(message)[0] for each in diagnostics] == ["sum/data/sample: ", "sum/data/secret: "]
    own: Files = {f"data/{name}/testdata.yaml": "grader_flags: sum" for name in ("sample", "secret")}
    load_clean(tmp_path, {**files, **own})
    (found,) = messages(tmp_path, {**files, **own, "data/secret/a/testdata.yaml": flags})
    assert found.startswith(f"sum/data/secret/a/testdata.yaml: {message}")


def test_legacy_graders_are_programs(tmp_path: Path) -> None:
    files: Files = {
        **SCORING,
        "graders/grade.py": "",
        "data/secret/testdata.yaml": "grading: custom\ngrader_flags: -x 'a b'",
    }
    groups = by_name(load_clean(tmp_path, files).groups)
    grader = groups["secret"].grader
    assert grader is not None
    assert grader.source == tmp_path / "sum/graders/grade.py"
    assert groups["secret"].grader_args == ("-x", "a b")
    assert groups[""].grader is None


@pytest.mark.parametrize(
    ("flags", "is_grouped"),
    [
        ("", False),
        ("first_error", False),
        ("always_accept", True),
        ("accept_if_any_accepted", True),
        ("ignore_sample", True),
    ],
)
def test_pass_fail_problems_have_groups_only_if_verdicts_change(
    tmp_path: Path, flags: str, *, is_grouped: bool
) -> None:
    files: Files = {
        "data/testdata.yaml": f"on_reject: continue\ngrader_flags: '{flags}'",
        **{f"data/{name}/testdata.yaml": "grader_flags: first_error" for name in ("sample", "secret")},
    }
    assert (load_clean(tmp_path, files).groups is not None) == is_grouped


@pytest.mark.parametrize(
    ("files", "rules"),
    [
        ({}, Rules.LEGACY),
        ({".timelimit": "3"}, Rules.LEGACY),  # problemtools and BAPCtools know the file, too
        ({"domjudge-problem.ini": "timelimit = 3"}, Rules.DOMJUDGE),
        ({"submissions/accepted/x.py": "# @EXPECTED_SCORE@: 60\n"}, Rules.DOMJUDGE),
    ],
)
def test_domjudge_scores_differently(tmp_path: Path, files: Files, rules: Rules) -> None:
    groups = load_clean(tmp_path, {**SCORING, **files}).groups
    assert groups is not None
    assert groups.rules is rules


def test_domjudge_does_not_inherit_scores(tmp_path: Path) -> None:
    files: Files = {**SCORING, **DOMJUDGE, "data/secret/testdata.yaml": "accept_score: 5", **pair("secret/a/1")}
    groups = by_name(load_clean(tmp_path, files).groups)
    assert {name: group.accept_score for name, group in groups.items()} == {
        "": 0, "sample": 0, "secret": 5, "secret/a": 0
    }  # fmt: skip


def test_domjudge_inherits_nothing_else(tmp_path: Path) -> None:
    files: Files = {
        **SCORING, "domjudge-problem.ini": "timelimit=3", **pair("secret/a/1", "secret/b/1"),
        "data/testdata.yaml": "on_reject: continue\ngrader_flags: min ignore_sample\nrange: 0 10",
        "data/secret/testdata.yaml": "accept_score: 5",
        "data/secret/a/testdata.yaml": "on_reject: continue\ngrader_flags: max\nrange: 0 3",
        "data/secret/b/testdata.yaml": "accept_score: 2",
    }  # fmt: skip
    groups = by_name(load_clean(tmp_path, files).groups)
    assert {name: (group.aggregation, group.breaks, group.score_range) for name, group in groups.items()} == {
        "": (Aggregation.MIN, False, (0, 10)), "sample": (Aggregation.PASS_FAIL, True, None),
        "secret": (Aggregation.SUM, True, None), "secret/a": (Aggregation.MAX, False, (0, 3)),
        "secret/b": (Aggregation.SUM, True, None),
    }  # fmt: skip
    assert groups[""].ignores_sample


def test_domjudge_has_no_groups_without_files(tmp_path: Path) -> None:
    files: Files = {**SCORING, **DOMJUDGE, "data/secret/testdata.yaml": "grader_flags: max"}
    groups = by_name(load_clean(tmp_path, files).groups)
    assert {name: group.aggregation for name, group in groups.items()} == {
        "": Aggregation.SUM, "sample": Aggregation.PASS_FAIL, "secret": Aggregation.MAX
    }  # fmt: skip


def test_groups_of_2025_09_are_folders_of_secret(tmp_path: Path) -> None:
    files = {
        **NEW,
        **without("secret/1"),
        **pair("secret/1/a", "secret/2/x/a", "secret/2/x/b"),
        "data/secret/1/test_group.yaml": "max_score: 40",
        "data/secret/2/test_group.yaml": "max_score: 60\nscore_aggregation: min\nrequire_pass: [sample, secret/1]",
    }
    root = load_with(tmp_path, files)
    assert (root[""].rules, list(root)) == (Rules.MAX_SCORES, ["", "sample", "secret", "secret/1", "secret/2"])
    assert (root["sample"].aggregation, root["sample"].max_score) == (Aggregation.PASS_FAIL, None)
    assert (root["secret"].aggregation, root["secret"].max_score) == (Aggregation.SUM, 100)
    assert (root["secret/1"].aggregation, root["secret/1"].max_score) == (Aggregation.PASS_FAIL, 40)
    assert (root["secret/2"].aggregation, root["secret/2"].max_score) == (Aggregation.MIN, 60)
    assert root["secret/2"].require_pass == ("sample", "secret/1")


def load_with(tmp_path: Path, files: Files) -> dict[str, TestGroup]:
    """Load a package some of whose minimal files are removed."""
    load(tmp_path)
    return by_name(load_clean(tmp_path, files).groups)


def test_scores_of_2025_09_may_be_unbounded(tmp_path: Path) -> None:
    files = {
        **NEW,
        **without("secret/1"),
        **pair("secret/1/a"),
        "data/secret/test_group.yaml": "max_score: unbounded\nscore_aggregation: min",
        "data/secret/1/test_group.yaml": "score_aggregation: sum",
    }
    groups = load_with(tmp_path, files)
    assert (groups["secret"].max_score, groups["secret"].aggregation) == (None, Aggregation.MIN)
    assert (groups["secret/1"].max_score, groups["secret/1"].aggregation) == (None, Aggregation.SUM)


def test_a_problem_without_groups_has_the_score_of_secret(tmp_path: Path) -> None:
    groups = by_name(load_clean(tmp_path, NEW).groups)
    assert (groups["secret"].max_score, groups["secret"].groups) == (100, ())


def test_static_validators_judge_groups(tmp_path: Path) -> None:
    files: Files = {
        **NEW,
        "static_validator/check.py": "",
        "data/secret/test_group.yaml": "static_validation_score: 20\nstatic_validator_args: [-l, 10]",
    }
    problem = load_clean(tmp_path, files)
    secret = by_name(problem.groups)["secret"]
    assert problem.static_validator is not None
    assert (secret.has_static_case, secret.static_score, secret.static_args) == (True, 20, ("-l", "10"))


def test_pass_fail_problems_may_have_static_validators(tmp_path: Path) -> None:
    files: Files = {
        "problem.yaml": "problem_format_version: 2025-09\nname: X",
        "static_validator/check.py": "",
        "data/secret/test_group.yaml": "static_validation_score: pass-fail",
    }
    secret = by_name(load_clean(tmp_path, files).groups)["secret"]
    assert (secret.has_static_case, secret.static_score, secret.max_score) == (True, None, None)


WRONG: dict[str, tuple[Files, str]] = {
    "no maximum": (
        {**NEW, **pair("secret/1x/a"), "data/secret/1x/test_group.yaml": "score_aggregation: sum"},
        "sum/data/secret/1x/test_group.yaml: error: has no `max_score`, which every group needs",
    ),
    "no maximum to reach": (
        {**NEW, "data/secret/test_group.yaml": "max_score: unbounded", **pair("secret/1x/a"),
         "data/secret/1x/test_group.yaml": "full_feedback: true"},
        "sum/data/secret/1x/test_group.yaml: error: has no `max_score`, which a group with `pass-fail`",
    ),
    "groups and cases": (
        {**NEW, **pair("secret/1x/a"), "data/secret/1x/test_group.yaml": "max_score: 3"},
        "sum/data/secret: warning: has both test groups and cases directly in it",
    ),
    "no cases": (
        {**NEW, "data/secret/1x/test_group.yaml": "max_score: 3"},
        "sum/data/secret/1x/test_group.yaml: warning: the group has no cases",
    ),
    "no cases in legacy": (
        {**SCORING, "data/secret/1x/testdata.yaml": "accept_score: 3"},
        "sum/data/secret/1x/testdata.yaml: warning: the group has no cases",
    ),
    "a folder that is no group": (
        {**NEW, **pair("secret/1x/a", "secret/2x/a"), "data/secret/1x/test_group.yaml": "max_score: 3"},
        "sum/data/secret/2x: warning: has no test_group.yaml, but other folders beside it have",
    ),
    "a group in a group": (
        {**NEW, **pair("secret/1x/a/b"), "data/secret/1x/test_group.yaml": "max_score: 3",
         "data/secret/1x/a/test_group.yaml": "max_score: 3"},
        "sum/data/secret/1x/a/test_group.yaml: warning: is inside another group",
    ),
    "scores of samples": (
        {**NEW, "data/sample/test_group.yaml": "max_score: 3"},
        "sum/data/sample/test_group.yaml: warning: `max_score`, `score_aggregation` and `require_pass` do not count",
    ),
    "scores without scoring": (
        {"problem.yaml": "problem_format_version: 2025-09", "data/secret/test_group.yaml": "max_score: 3"},
        "sum/data/secret/test_group.yaml: warning: `max_score` is for problems of the type `scoring` only",
    ),
    "keys of both versions": (
        {**NEW, "data/secret/test_group.yaml": "max_score: 3\nrange: 0 3"},
        "sum/data/secret/test_group.yaml: warning: `range` is a key of version legacy",
    ),
    "no static validator": (
        {**NEW, "data/secret/test_group.yaml": "static_validation_score: 3"},
        "error: `static_validation_score` needs a program in static_validator/, and there is none",
    ),
    "static arguments alone": (
        {**NEW, "data/secret/test_group.yaml": "static_validator_args: [a]"},
        "warning: `static_validator_args` needs `static_validation_score`; it does not count",
    ),
    "a short name of a group": (
        {**NEW, "data/secret/test_group.yaml": "require_pass: a"},
        "sum/data/secret/test_group.yaml: warning: `require_pass`: `a` is read as `secret/a`",
    ),
    "a required group that does not exist": (
        {**NEW, **pair("secret/1x/a"), "data/secret/1x/test_group.yaml": "max_score: 3\nrequire_pass: secret/0x"},
        "1x/test_group.yaml: error: `require_pass`: `secret/0x` does not count: `secret/1x` may only require `sample`",
    ),
    "a required group that is judged later": (
        {**NEW, **pair("secret/1x/a", "secret/2x/a"), "data/secret/2x/test_group.yaml": "max_score: 3",
         "data/secret/1x/test_group.yaml": "max_score: 3\nrequire_pass: secret/2x"},
        "sum/data/secret/1x/test_group.yaml: error: `require_pass`: `secret/2x` does not count",
    ),
    "a group that requires itself": (
        {**NEW, **pair("secret/1x/a"), "data/secret/1x/test_group.yaml": "max_score: 3\nrequire_pass: secret/1x"},
        "sum/data/secret/1x/test_group.yaml: error: `require_pass`: `secret/1x` does not count",
    ),
    "a group that secret requires": (
        {**NEW, **pair("secret/1x/a"), "data/secret/1x/test_group.yaml": "max_score: 3",
         "data/secret/test_group.yaml": "require_pass: [sample, secret/1x]"},
        "secret/test_group.yaml: error: `require_pass`: `secret/1x` does not count: `secret` may only require `sample`",
    ),
    "a required group with points for single cases": (
        {**NEW, **pair("secret/1x/a", "secret/2x/a"),
         "data/secret/1x/test_group.yaml": "max_score: 3\nscore_aggregation: sum",
         "data/secret/2x/test_group.yaml": "max_score: 3\nrequire_pass: secret/1x"},
        "sum/data/secret/2x/test_group.yaml: warning: `require_pass`: `secret/1x` has the aggregation `sum`",
    ),
    "a negative score": (
        {**NEW, "data/secret/test_group.yaml": "max_score: -1"},
        "warning: `max_score`: expected a number of at least 0, found the number `-1`",
    ),
    "no grader": (
        {**SCORING, "data/secret/testdata.yaml": "grading: custom"},
        "sum/data/secret/testdata.yaml: error: `grading: custom` needs a program in graders/, and there is none",
    ),
    "an unknown flag of graders": (
        {**SCORING, "data/secret/testdata.yaml": "grader_flags: sum mean"},
        "sum/data/secret/testdata.yaml:1:15: warning: unknown flag `mean` of the default grader",
    ),
    "no range": (
        {**SCORING, "data/secret/testdata.yaml": "range: 5"},
        "warning: `range`: expected two numbers, such as `0 100`; it does not count",
    ),
    "a reversed range": (
        {**SCORING, "data/secret/testdata.yaml": "range: 5 3"}, "warning: `range` is reversed",
    ),
    "an unknown word": (
        {**SCORING, "data/secret/testdata.yaml": "on_reject: stop"},
        "warning: `on_reject`: expected one of `break`, `continue`, found the string `stop`; it does not count",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_groups_is_reported(tmp_path: Path, name: str) -> None:
    files, expected = WRONG[name]
    found = messages(tmp_path, files)
    assert any(expected in each for each in found), found
    severity = Severity.ERROR if "error: " in expected else Severity.WARNING
    assert any(expected in each for each in messages(tmp_path, files, severity))
