"""The cases of a package: their order, their files and what they inherit."""

import os
from pathlib import Path

import pytest
import yaml

from judge.base.errors import Severity
from judge.model import Case
from tests.problems.icpc.packages import load, load_clean, messages


def pair(*names: str) -> dict[str, str | bytes | None]:
    return {f"data/{name}{suffix}": "1\n" for name in names for suffix in (".in", ".ans")}


def ids(cases: tuple[Case, ...]) -> list[str]:
    return [case.id for case in cases]


def test_cases_are_in_lexicographic_order(tmp_path: Path) -> None:
    files = pair(
        "secret/10", "secret/2", "secret/02", "secret/a/1", "secret/B", "secret/a-b/1", "sample/9", "sample/10"
    )
    assert ids(tuple(load_clean(tmp_path, files).cases)) == [
        *("sample/1", "sample/10", "sample/9"),
        *("secret/02", "secret/1", "secret/10", "secret/2", "secret/B", "secret/a/1", "secret/a-b/1"),
    ]


def test_a_case_comes_before_the_folder_of_its_name(tmp_path: Path) -> None:
    files = pair(*(f"secret/{letter}{rest}" for letter in "abcdefgh" for rest in ("", "/x")))
    problem, _ = load(tmp_path, files)
    assert ids(tuple(problem.cases)[2:]) == [f"secret/{letter}{rest}" for letter in "abcdefgh" for rest in ("", "/x")]


def test_a_case_has_the_folder_as_its_group(tmp_path: Path) -> None:
    cases = load_clean(tmp_path, pair("secret/a/b/1.x")).cases
    assert (cases[-1].group, cases[-1].name) == ("secret/a/b", "1.x")


def test_a_case_has_further_files(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "problem_format_version: 2025-09\nname: X",
        "data/test_group.yaml": "args: [--all]",
        "data/secret/test_group.yaml": "input_validator_args: [--secret]\nfull_feedback: true",
        "data/secret/1.yaml": "args: [-n, 3]\ndescription: The |\n  smallest.\nhint: x\nfull_feedback: false",
        "data/secret/1.files/words.txt": "a b c",
        **{
            f"data/secret/1{suffix}": ""
            for suffix in (".out", ".interaction", ".png", ".in.statement", ".ans.download")
        },
    }
    sample, secret = load_clean(tmp_path, files).cases
    assert (sample.args, sample.validator_args, sample.files) == (("--all",), (), None)
    assert (secret.args, secret.validator_args) == (("-n", "3"), ("--secret",))
    assert secret.files == tmp_path / "sum/data/secret/1.files"
    assert secret.why == "The | smallest."


def test_files_of_packages_may_have_merge_keys(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "problem_format_version: 2025-09\nname: X",
        "data/secret/1.yaml": "<<: [{args: [-n], description: One.}]\ndescription: Two.",
    }
    case = load_clean(tmp_path, files).cases[-1]
    assert (case.args, case.why) == (("-n",), "Two.")


def test_of_a_key_that_is_given_twice_the_last_one_counts(tmp_path: Path) -> None:
    text = "description: One.\n<<: {description: Three.}\ndescription: Two."
    assert yaml.safe_load(text)["description"] == "Two."  # of other tools
    files = {"problem.yaml": "problem_format_version: 2025-09\nname: X", "data/secret/1.yaml": text}
    assert load(tmp_path, files)[0].cases[-1].why == "Two."


def test_legacy_describes_cases_in_text_files(tmp_path: Path) -> None:
    files = {"data/secret/1.desc": "The smallest\ncase.\n", "data/secret/1.hint": "think", "data/sample/1.svg": ""}
    assert [case.why for case in load_clean(tmp_path, files).cases] == ["", "The smallest case."]


def test_constants_are_replaced_in_the_files_of_groups_only(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "problem_format_version: 2025-09\nname: '{{n}}'\nconstants: {n: 5}",
        "data/secret/test_group.yaml": "args: [{{n}}, '{{n.value}}', '{{m}}']",
    }
    problem = load_clean(tmp_path, files)
    assert problem.name == "{{n}}"
    assert problem.cases[1].args == ("5", "5", "{{m}}")


def test_links_within_the_package_are_followed(tmp_path: Path) -> None:
    data = tmp_path / "sum/data"
    (data / "secret/group").mkdir(parents=True)
    (data / "secret/group/1.in").symlink_to("../../sample/1.in")
    (data / "secret/group/1.ans").symlink_to("../../sample/1.ans")
    (data / "secret/all").symlink_to("../sample")
    assert ids(tuple(load_clean(tmp_path).cases)) == ["sample/1", "secret/1", "secret/all/1", "secret/group/1"]


def test_links_that_lead_back_are_reported(tmp_path: Path) -> None:
    (tmp_path / "sum/data/secret").mkdir(parents=True)
    for name in ("a", "b", "c"):
        (tmp_path / "sum/data/secret" / name).symlink_to("..")
    problem, diagnostics = load(tmp_path)
    assert ids(tuple(problem.cases)) == ["sample/1", "secret/1"]
    assert {each.message for each in diagnostics} == {"is a link that leads back to a folder around it"}


@pytest.mark.parametrize("name", ["a b.in", "é.in", "-1.in", "+.in", b"\xff.in"])
def test_names_that_the_format_forbids_do_not_count(tmp_path: Path, name: str | bytes) -> None:
    folder = tmp_path / "sum/data/secret"
    folder.mkdir(parents=True)
    (folder / os.fsdecode(name)).touch()
    problem, diagnostics = load(tmp_path)
    assert ids(tuple(problem.cases)) == ["sample/1", "secret/1"]
    assert [each.message for each in diagnostics] == ["is not judged: the format does not allow this name"]


def test_hidden_files_are_silently_ignored(tmp_path: Path) -> None:
    load_clean(tmp_path, {"data/secret/.1.in": "", "data/secret/2.in~": "", "data/.git/x": "", "data/secret/a.swp": ""})


WRONG: dict[str, tuple[dict[str, str | bytes | None], str]] = {
    "an answer alone": ({"data/secret/2.ans": ""}, "sum/data/secret/2.ans: warning: belongs to no case"),
    "settings alone": ({"data/secret/2.yaml": ""}, "sum/data/secret/2.yaml: warning: belongs to no case"),
    "a misspelt name": ({"data/secret/test_goup.yaml": ""}, "test_goup.yaml: warning: belongs to no case"),
    "files alone": ({"data/secret/2.files/x": ""}, "sum/data/secret/2.files: warning: belongs to no case"),
    "a case outside": ({"data/2.in": ""}, "sum/data/2.in: warning: is not judged: it is not in data/sample"),
    "another folder": ({"data/hidden/2.in": ""}, "sum/data/hidden: warning: is not judged: only data/sample"),
    "a folder with the name of a case": (pair("secret/1/x"), "sum/data/secret/1: warning: is a folder with the name"),
    "a group file of legacy": (
        {"problem.yaml": "problem_format_version: 2025-09", "data/secret/testdata.yaml": "args: [x]"},
        "sum/data/secret/testdata.yaml: warning: in version 2025-09 the name of this file is test_group.yaml",
    ),
    "both group files": (
        {"data/secret/testdata.yaml": "", "data/secret/test_group.yaml": ""},
        "sum/data/secret/test_group.yaml: warning: does not count beside testdata.yaml",
    ),
    "an unknown key of a group": (
        {"data/secret/testdata.yaml": "on_rejct: continue"},
        "sum/data/secret/testdata.yaml:1:1: warning: unknown key `on_rejct`: did you mean `on_reject`?",
    ),
    "an unknown key of a case": (
        {"data/secret/1.yaml": "arg: [x]"},
        "sum/data/secret/1.yaml:1:1: warning: unknown key `arg`: did you mean `args`?",
    ),
    "settings that are no YAML": ({"data/secret/1.yaml": "args: ["}, "sum/data/secret/1.yaml:"),
    "two keys for the same": (
        {"data/secret/testdata.yaml": "output_validator_args: [x]\noutput_validator_flags: case_sensitive"},
        "`output_validator_args` and `output_validator_flags` mean the same: the second one counts",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_unusual_is_reported(tmp_path: Path, name: str) -> None:
    files, expected = WRONG[name]
    (found,) = messages(tmp_path, files)
    assert expected in found


def test_self_tests_are_not_judged(tmp_path: Path) -> None:
    files = pair("invalid_input/1", "invalid_output/1", "valid_output/1", "invalid_answer/1")
    assert ids(tuple(load_clean(tmp_path, files).cases)) == ["sample/1", "secret/1"]


def test_many_cases_without_answers_are_reported_together(tmp_path: Path) -> None:
    found = messages(tmp_path, {f"data/secret/{number}.in": "" for number in range(2, 102)}, Severity.ERROR)
    assert len(found) == 21
    assert found[-1].startswith("sum/data/secret: error: 80 more files like the last one: it has no answer")


def test_the_number_of_cases_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.problems.icpc.test_data.MAX_CASES", 3)
    problem, diagnostics = load(tmp_path, pair("secret/2", "secret/3", "secret/4"))
    assert ids(tuple(problem.cases)) == ["sample/1", "secret/1", "secret/2"]
    assert [each.path.name for each in diagnostics] == ["3.in"]


def test_what_is_no_file_is_no_case(tmp_path: Path) -> None:
    (tmp_path / "sum/data/secret/2.in").mkdir(parents=True)
    (tmp_path / "sum/data/secret/2.ans").touch()
    os.mkfifo(tmp_path / "sum/data/secret/3.in")
    (tmp_path / "sum/data/secret/3.ans").touch()
    problem, diagnostics = load(tmp_path)
    assert ids(tuple(problem.cases)) == ["sample/1", "secret/1"]
    assert [each.message for each in diagnostics] == ["is a folder: expected a file", "is not a regular file"]
