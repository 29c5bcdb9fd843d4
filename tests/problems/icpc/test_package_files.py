"""What a package has besides what is judged."""

from pathlib import Path

import pytest

from judge.base.errors import Diagnostic
from judge.model import CheckerConfig, InFile, Inline, Produced
from judge.problems.icpc.data_settings import arguments_of
from judge.problems.icpc.package_files import PackageFiles, SelfTestKind, read_package_files
from tests.problems.icpc.packages import MINIMAL, write

Files = dict[str, str | bytes | None]

COMPLETE: Files = {
    "problem.yaml": "problem_format_version: 2025-09\nname: X",
    "statement/problem.en.tex": "",
    "input_validators/v.py": "",
}


def read(folder: Path, files: Files) -> tuple[PackageFiles, list[Diagnostic]]:
    return read_package_files(write(folder / "sum", {**MINIMAL, **files}), root_for_display=folder)


def read_clean(folder: Path, files: Files) -> PackageFiles:
    found, diagnostics = read(folder, {**COMPLETE, **files})
    assert not diagnostics, "\n".join(map(str, diagnostics))
    return found


def test_input_validators_are_programs_and_grammars(tmp_path: Path) -> None:
    files: Files = {
        "input_validators/a.ctd": "", "input_validators/c/c.cpp": "",
        "input_validators/README": "", "answer_validators/x.py": "",
    }  # fmt: skip
    found = read_clean(tmp_path, files)
    folder = tmp_path / "sum/input_validators"
    programs = [(each.path, each.program is not None) for each in found.input_validators]
    assert programs == [(folder / "a.ctd", False), (folder / "c", True), (folder / "v.py", True)]
    assert [each.path.name for each in found.answer_validators] == ["x.py"]


def test_self_tests_have_a_kind(tmp_path: Path) -> None:
    files: Files = {
        "data/invalid_input/group/negative.in": "-1",
        "data/invalid_input/group/test_group.yaml": "input_validator_args: [-x]",
        "data/invalid_output/wrong.in": "",
        "data/invalid_output/wrong.ans": "",
        "data/invalid_output/wrong.out": "",
        "data/invalid_output/wrong.yaml": "output_validator_args: [case_sensitive]\ndescription: Upper case.",
        "data/valid_output/right.in": "",
        "data/valid_output/right.ans": "",
        "data/valid_output/right.out": "",
        "data/invalid_answer/odd.in": "",
        "data/invalid_answer/odd.ans": "",
    }
    one, two, three, four = read_clean(tmp_path, files).self_tests
    data = tmp_path / "sum/data"
    assert (one.kind, one.case.input) == (
        SelfTestKind.INVALID_INPUT, InFile(data / "invalid_input/group/negative.in")
    )  # fmt: skip
    assert (one.case.answer, one.output) == (Inline(b""), None)
    assert one.case.validator_args == ("-x",)
    assert (two.kind, two.case.checker) == (SelfTestKind.INVALID_OUTPUT, CheckerConfig(case_sensitive=True))
    assert two.output == data / "invalid_output/wrong.out"
    assert (three.kind, three.case.checker) == (SelfTestKind.VALID_OUTPUT, CheckerConfig())
    assert (four.kind, four.output, four.case.answer) == (
        SelfTestKind.INVALID_ANSWER, None, InFile(data / "invalid_answer/odd.ans")
    )  # fmt: skip


def test_incomplete_self_tests_are_reported(tmp_path: Path) -> None:
    _, diagnostics = read(tmp_path, {**COMPLETE, "data/invalid_output/wrong.in": ""})
    assert [str(each) for each in diagnostics] == [
        "sum/data/invalid_output/wrong.in: error: is not tested: there is no wrong.ans and no wrong.out beside it"
    ]


def test_self_tests_of_generators_yaml(tmp_path: Path) -> None:
    plan = """\
data:
  secret:
    data: {a: {in: 1 2}}
  invalid_input:
    data:
      group: {data: {negative: {in: -1 2}}, test_group.yaml: {input_validator_args: [-x]}}
      letters: g.py
  invalid_answer:
    data: {odd: {in: 1 2, ans: four}, written: g.py}
  invalid_output:
    test_group.yaml: {output_validator_args: [case_sensitive]}
    data: {wrong: {in: 1 2, ans: '3', out: '4', yaml: {description: Not the sum.}}}
  valid_output:
    data: {right: {copy: right}, here: {in: 0 0, ans: '0', out: '0'}}
"""
    files: Files = {
        "generators/generators.yaml": plan, "generators/g.py": "",
        "generators/right.in": "", "generators/right.ans": "", "generators/right.out": "",
        "data/valid_output/here.in": "", "data/valid_output/here.ans": "", "data/valid_output/here.out": "",
    }  # fmt: skip
    found = read_clean(tmp_path, files)
    tests = {each.case.id: each for each in found.self_tests}
    here = tests.pop("valid_output/here")
    assert here.case.input == InFile(tmp_path / "sum/data/valid_output/here.in")
    assert {name: each.kind for name, each in tests.items()} == {
        "invalid_input/group/negative": SelfTestKind.INVALID_INPUT,
        "invalid_input/letters": SelfTestKind.INVALID_INPUT,
        "invalid_answer/odd": SelfTestKind.INVALID_ANSWER,
        "invalid_answer/written": SelfTestKind.INVALID_ANSWER,
        "invalid_output/wrong": SelfTestKind.INVALID_OUTPUT,
        "valid_output/right": SelfTestKind.VALID_OUTPUT,
    }
    negative, odd, wrong = (tests[name] for name in ("invalid_input/group/negative", "invalid_answer/odd",
                                                     "invalid_output/wrong"))  # fmt: skip
    assert (negative.case.input, negative.output) == (Inline(b"-1 2\n"), None)
    assert negative.case.validator_args == ("-x",)
    assert (odd.case.answer, odd.case.line) == (Inline(b"four\n"), 9)
    assert isinstance(tests["invalid_input/letters"].case.input, Produced)
    assert tests["invalid_answer/written"].case.answer is None  # the generator may write it
    assert (wrong.output, wrong.case.why) == (b"4\n", "Not the sum.")
    assert wrong.case.checker == CheckerConfig(case_sensitive=True)
    assert tests["valid_output/right"].output == tmp_path / "sum/generators/right.out"


def test_incomplete_self_tests_of_generators_yaml_are_reported(tmp_path: Path) -> None:
    plan = "data:\n  valid_output:\n    data:\n      a: {in: 1 2}\n      b: {copy: none}\n"
    files: Files = {**COMPLETE, "generators/generators.yaml": plan}
    found, diagnostics = read(tmp_path, files)
    assert found.self_tests == ()
    assert [str(each).splitlines()[0] for each in diagnostics] == [
        "sum/generators/generators.yaml:4:1: error: case valid_output/a: is not tested: it has no ans and no out",
        "sum/generators/generators.yaml:5:1: error: case valid_output/b: `copy`: there is no file generators/none.in",
    ]


def test_arguments_for_single_validators_may_be_in_generators_yaml(tmp_path: Path) -> None:
    plan = """\
data:
  secret:
    test_group.yaml: {input_validator_args: {v.py: [--max]}}
    data:
      a: {in: 1 2}
      b: {in: 1 2, yaml: {input_validator_args: {v: [--min]}}}
      '1': {in: 1 2}
"""
    arguments = read_clean(tmp_path, {"generators/generators.yaml": plan}).arguments
    assert {name: arguments_of(each.input_validators, Path("v.py")) for name, each in arguments.items()} == {
        "secret/a": ("--max",), "secret/b": ("--min",), "secret/1": ("--max",)
    }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["input_validator_args: {a: [x], b.py: [y]}", "input_validator_flags: {name: a, flags: x}"]
)
def test_arguments_may_be_for_single_validators(tmp_path: Path, text: str) -> None:
    arguments = read_clean(tmp_path, {"data/secret/1.yaml": text}).arguments
    assert list(arguments) == ["secret/1"]
    assert arguments_of(arguments["secret/1"].input_validators, Path("in/a.py")) == ("x",)
    assert arguments_of(arguments["secret/1"].input_validators, Path("in/b.py")) == (("y",) if "b.py" in text else ())
    assert arguments_of(arguments["secret/1"].input_validators, Path("in/c")) == ()


def test_flags_without_a_name_are_for_all_input_validators(tmp_path: Path) -> None:
    files: Files = {"data/invalid_input/a.in": "-1", "data/invalid_input/a.yaml": "input_validator_flags: {flags: x}"}
    (found,) = read_clean(tmp_path, files).self_tests
    assert found.case.validator_args == ("x",)


@pytest.mark.parametrize("text", ["[x]", "{a: [x]}", "{a.py: [x]}"])
def test_answer_validators_have_arguments(tmp_path: Path, text: str) -> None:
    settings = f"answer_validator_args: {text}"
    files: Files = {"data/secret/test_group.yaml": settings, "data/invalid_answer/a.yaml": settings}
    files |= {"data/invalid_answer/a.in": "", "data/invalid_answer/a.ans": ""}
    found = read_clean(tmp_path, files)
    assert list(found.arguments) == ["secret/1", "invalid_answer/a"]
    for arguments in found.arguments.values():
        assert arguments_of(arguments.answer_validators, Path("answer_validators/a.py")) == ("x",)


def test_statements_have_languages(tmp_path: Path) -> None:
    files: Files = {
        "problem.yaml": "problem_format_version: 2025-09\nname: {en: X, pt-BR: Y}",
        "statement/problem.en.md": "", "statement/problem.pt-BR.tex": "", "statement/figure.en.tex": "",
    }  # fmt: skip
    statements = read_clean(tmp_path, files).statements
    assert {language: path.name for language, path in statements.items()} == {
        "en": "problem.en.md", "pt-BR": "problem.pt-BR.tex"
    }  # fmt: skip


def test_what_a_complete_package_has_is_reported(tmp_path: Path) -> None:
    package = write(tmp_path / "sum", {"problem.yaml": "name: X", "input_format_validators/v.py": ""})
    found, diagnostics = read_package_files(package, root_for_display=tmp_path)
    assert len(found.input_validators) == 1
    assert [(str(each.path), each.rule, each.severity) for each in diagnostics] == [
        ("sum/problem_statement", "missing-statement", "error"),
        ("sum/submissions/accepted", "missing-accepted-submission", "error"),
        ("sum/input_format_validators", "deprecated-name", "warning"),
    ]


def test_names_and_statements_have_the_same_languages(tmp_path: Path) -> None:
    files: Files = {**COMPLETE, "problem.yaml": "problem_format_version: 2025-09\nname: {sv: X}"}
    _, diagnostics = read(tmp_path, files)
    assert [each.message for each in diagnostics] == [
        "`name` lacks the language `en`, which has a statement",
        "`name` has the language `sv`, but no statement has",
    ]


def test_generators_are_found(tmp_path: Path) -> None:
    found = read_clean(tmp_path, {"generators/generators.yaml": ""})
    assert found.generators == tmp_path / "sum/generators/generators.yaml"
