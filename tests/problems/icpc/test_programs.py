"""Validators and graders: which files and folders are programs."""

from pathlib import Path

import pytest

from judge.base.errors import DataError
from judge.model import Problem
from tests.problems.icpc.packages import load, load_clean, messages

Files = dict[str, str | bytes | None]

LEGACY: Files = {"problem.yaml": "validation: custom"}
NEW: Files = {"problem.yaml": "problem_format_version: 2025-09\nname: X"}

# The files of a validator, and the path of its program.
PROGRAMS: dict[str, tuple[Files, str]] = {
    "a file": ({**LEGACY, "output_validators/v.py": ""}, "output_validators/v.py"),
    "a folder": ({**LEGACY, "output_validators/v/v.cpp": "", "output_validators/v/v.h": ""}, "output_validators/v"),
    "a file with a header": (
        {**LEGACY, "output_validators/v.cpp": "", "output_validators/v.h": ""},
        "output_validators",
    ),
    "scripts": ({**LEGACY, "output_validators/run": "", "output_validators/v.c": ""}, "output_validators"),
    "scripts in a folder": ({**LEGACY, "output_validators/v/build": ""}, "output_validators/v"),
    "a text beside it": (
        {**LEGACY, "output_validators/v/v.py": "", "output_validators/README": ""},
        "output_validators/v",
    ),
    "2025-09": ({**NEW, "output_validator/v.py": ""}, "output_validator/v.py"),
    "2025-09, several files": ({**NEW, "output_validator/a.cpp": "", "output_validator/b.cpp": ""}, "output_validator"),
    "2025-09, a module": ({**NEW, "output_validator/__main__.py": "", "output_validator/a.py": ""}, "output_validator"),
    "2025-09, in a folder": ({**NEW, "output_validator/v/v.py": ""}, "output_validator/v"),
}


def validator_of(problem: Problem) -> Path | None:
    program = problem.cases[0].checker.program
    return program.source.relative_to(problem.folder or "") if program else None


@pytest.mark.parametrize("name", PROGRAMS)
def test_validators_are_files_or_folders(tmp_path: Path, name: str) -> None:
    files, expected = PROGRAMS[name]
    assert validator_of(load_clean(tmp_path, files)) == Path(expected)


def test_a_script_names_its_interpreter(tmp_path: Path) -> None:
    files: Files = {**LEGACY, "output_validators/v": "#!/bin/sh\n", "output_validators/notes": "no script"}
    for name in ("v", "notes"):
        path = tmp_path / "sum/output_validators" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o755)
    assert validator_of(load_clean(tmp_path, files)) == Path("output_validators/v")


# The version and the files, which validator is used, and the warning.
ODD: dict[str, tuple[Files, str | None, str]] = {
    "several of an interactive problem": (
        {
            "problem.yaml": "validation: custom interactive",
            "output_validators/b.py": "",
            "output_validators/a.py": "",
        },
        "output_validators/a.py",
        "sum/output_validators: warning: has 2 output validators, `a.py`, `b.py`: only `a.py` is used",
    ),
    "validation is not said": (
        {"output_validators/v.py": ""},
        "output_validators/v.py",
        "sum/output_validators: warning: is used, but problem.yaml does not say `validation: custom`",
    ),
    "validation is default": (
        {"problem.yaml": "validation: default", "output_validators/v.py": ""},
        None,
        "sum/output_validators: warning: is not used, since problem.yaml says `validation: default`",
    ),
    "the folder of 2025-09": (
        {**LEGACY, "output_validator/v.py": ""},
        "output_validator/v.py",
        "sum/output_validator: warning: in version legacy the name of this folder is output_validators",
    ),
    "the folder of legacy": (
        {**NEW, "output_validators/v.py": ""},
        "output_validators/v.py",
        "sum/output_validators: warning: in version 2025-09 the name of this folder is output_validator",
    ),
    "an unknown language": (
        {**NEW, "output_validator/v.lol": ""}, None, "sum/output_validator: warning: has no output validator"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_places_of_validators_are_reported(tmp_path: Path, name: str) -> None:
    files, expected, warning = ODD[name]
    problem, diagnostics = load(tmp_path, files)
    assert validator_of(problem) == (Path(expected) if expected else None)
    (diagnostic,) = diagnostics
    assert str(diagnostic).startswith(warning)


@pytest.mark.parametrize("text", ["validation: custom", "validation: custom interactive", "type: multi-pass"])
def test_a_validator_that_is_needed_must_exist(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError, match="needs an output validator of its own, and there is none"):
        load(tmp_path, {"problem.yaml": text})


def test_an_empty_folder_is_no_validator(tmp_path: Path) -> None:
    assert validator_of(load_clean(tmp_path, {**NEW, "output_validator/.gitkeep": ""})) is None


def test_interactors_have_the_arguments_of_cases(tmp_path: Path) -> None:
    files: Files = {
        "problem.yaml": "problem_format_version: 2025-09\nname: X\ntype: interactive\nlimits: {validation_time: 5}",
        "output_validator/v.py": "",
        "data/secret/test_group.yaml": "output_validator_args: [adaptive]",
    }
    problem = load_clean(tmp_path, files)
    assert problem.interactor == problem.cases[1].checker.program
    assert [case.checker.args for case in problem.cases] == [(), ("adaptive",)]
    assert problem.checker_limits is not None
    assert problem.checker_limits.cpu == pytest.approx(5)


def test_two_graders_are_reported(tmp_path: Path) -> None:
    found = messages(tmp_path, {"graders/a.py": "", "graders/b.py": ""})
    assert found == ["sum/graders: warning: has 2 graders, `a.py`, `b.py`: only `a.py` is used"]


def test_all_output_validators_of_legacy_are_used(tmp_path: Path) -> None:
    named = "output_validator_flags: {name: b, flags: x}"
    files: Files = {
        **LEGACY,
        "output_validators/b.py": "",
        "output_validators/a/a.py": "",
        "data/secret/g/testdata.yaml": named,
        "data/secret/g/1.in": "1 2\n",
        "data/secret/g/1.ans": "3\n",
    }
    used = {case.id: case.checker for case in load_clean(tmp_path, files).cases}
    programs = {
        name: each.program and [path.source.name for path in (each.program, *each.program.others)]
        for name, each in used.items()
    }
    assert programs == {"sample/1": ["a", "b.py"], "secret/1": ["a", "b.py"], "secret/g/1": ["b.py"]}
    assert used["secret/g/1"].args == ("x",)


def test_groups_with_the_same_flags_may_have_different_validators(tmp_path: Path) -> None:
    files: Files = {**LEGACY, "output_validators/b.py": "", "output_validators/a.py": ""}
    for name in ("a", "b"):
        files[f"data/secret/{name}/testdata.yaml"] = f"output_validator_flags: {{name: {name}}}"
        files |= {f"data/secret/{name}/1.in": "1 2\n", f"data/secret/{name}/1.ans": "3\n"}
    programs = {case.group: case.checker.program for case in load_clean(tmp_path, files).cases}
    for name in ("a", "b"):
        program = programs[f"secret/{name}"]
        assert program is not None
        assert (program.source.name, program.others) == (f"{name}.py", ())
