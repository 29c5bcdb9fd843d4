"""problem.yaml of every version, and the files beside it."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.base.errors import DataError, Severity
from judge.base.units import MIB
from judge.model import DEFAULT_PROGRAM_LIMITS, Problem, ProblemSource, ProblemType
from tests.problems.icpc.packages import load, load_clean, messages

LEGACY = """\
problem_format_version: legacy
type: scoring
name: Two Sums
uuid: 6e8a8b0e-5a4b-4a7e-9a51-0d2d8a2c3f11
author: A and B
source: NCPC 2020
source_url: https://ncpc.example/2020
license: cc by-sa
rights_owner: A
limits:
  time_multiplier: 3
  time_safety_margin: 4
  memory: 512
  output: 16
  code: 64
  compilation_time: 30
  compilation_memory: 1024
  validation_time: 20
  validation_memory: 256
  validation_output: 4
validation: default
validator_flags: case_sensitive
grading:
  objective: min
  show_test_data_groups: true
keywords: sums two
"""

NEW = """\
problem_format_version: 2025-09
type: [scoring, multi-pass]
name: {sv: Summor, en: Sums}
uuid: 6e8a8b0e-5a4b-4a7e-9a51-0d2d8a2c3f11
version: 1.2
credits:
  authors: A <a@b.example>
source: [{name: NWERC 2024, url: https://nwerc.example}, SWERC 2024]
license: cc by-sa
rights_owner: A
embargo_until: 2030-01-01
limits:
  time_multipliers: {ac_to_time_limit: 3, time_limit_to_tle: 2.5}
  time_limit: 2.5
  time_resolution: 0.5
  memory: 512
  output: 16
  code: 64
  compilation_time: 30
  compilation_memory: 1024
  validation_time: 20
  validation_memory: 256
  validation_output: 4
  validation_passes: 5
keywords: [sums, two]
languages: [python3, cpp]
allow_file_writing: false
constants:
  n: 1000
  k: {value: 5000000, tex: "5,000,000"}
"""


def test_every_key_of_legacy_is_read(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, {"problem.yaml": LEGACY})
    assert problem.name == "Two Sums"
    assert problem.source == ProblemSource(name="NCPC 2020", url="https://ncpc.example/2020")
    assert problem.types == {ProblemType.SCORING}
    assert problem.checker.case_sensitive
    assert (problem.limits.memory, problem.limits.output) == (512 * MIB, 16 * MIB)
    assert problem.checker_limits is not None
    assert problem.checker_limits.cpu == pytest.approx(20)
    assert problem.checker_limits.memory == 256 * MIB
    assert problem.checker_limits.output == 4 * MIB
    assert problem.time_rule is not None
    assert (problem.time_rule.ac_to_time_limit, problem.time_rule.time_limit_to_tle) == (3, 4)
    assert problem.groups is not None
    assert problem.groups.is_minimized


def test_every_key_of_2025_09_is_read(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, {"problem.yaml": NEW, "output_validator/v.py": ""})
    assert problem.name == "Sums"
    assert problem.source == ProblemSource(name="NWERC 2024", url="https://nwerc.example")
    assert problem.types == {ProblemType.SCORING, ProblemType.MULTI_PASS}
    assert (problem.limits.cpu, problem.passes) == (2.5, 5)
    rule = problem.time_rule
    assert rule is not None
    assert (rule.given, rule.origin, rule.resolution) == (2.5, "problem.yaml", 0.5)
    assert (rule.ac_to_time_limit, rule.time_limit_to_tle) == (3, 2.5)
    assert problem.constants == {
        "n": "1000", "n.value": "1000", "k": "5000000", "k.value": "5000000", "k.tex": "5,000,000"
    }  # fmt: skip
    assert problem.solutions[0].constants == problem.constants


def test_the_drafts_of_2023_07_mix_the_versions(tmp_path: Path) -> None:
    text = "problem_format_version: 2023-07-draft\nname: X\nvalidator_flags: case_sensitive\nsource: A\nauthor: B\n"
    problem = load_clean(tmp_path, {"problem.yaml": text})
    assert problem.checker.case_sensitive
    assert problem.source == ProblemSource(name="A")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("validation: custom\n", 8),
        ("validation: custom interactive\n", 64),
        ("validation: custom interactive\nlimits: {output: 2}\n", 2),
    ],
)
def test_solutions_may_write_more_to_an_interactor(tmp_path: Path, text: str, expected: int) -> None:
    problem = load_clean(tmp_path, {"problem.yaml": f"name: X\n{text}", "output_validators/v/v.py": ""})
    assert problem.limits.output == expected * MIB


def test_a_time_limit_of_validators_leaves_them_their_output(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, {"problem.yaml": "name: X\nlimits: {validation_time: 5}\n"})
    assert problem.checker_limits is not None
    assert problem.checker_limits.output == DEFAULT_PROGRAM_LIMITS.output


def margins(problem: Problem) -> tuple[float, float]:
    assert problem.time_rule is not None
    return problem.time_rule.ac_to_time_limit, problem.time_rule.time_limit_to_tle


@pytest.mark.parametrize(("version", "expected"), [("legacy", (5, 2)), ("2023-07", (2, 1.5)), ("2025-09", (2, 1.5))])
def test_versions_have_their_own_margins(tmp_path: Path, version: str, expected: tuple[float, float]) -> None:
    assert margins(load_clean(tmp_path, {"problem.yaml": f"problem_format_version: {version}\n"})) == expected


TYPES: dict[str, tuple[str, set[str]]] = {
    "none": ("", set()),
    "one": ("type: scoring", {"scoring"}),
    "pass-fail": ("type: pass-fail", set()),
    "a list": ("type: [scoring, interactive]", {"scoring", "interactive"}),
    "words, as DOMjudge reads them": ("type: pass-fail multi-pass", {"multi-pass"}),
    "submit-answer": ("type: submit-answer", {"submit-answer"}),
    "legacy": ("validation: custom interactive", {"interactive"}),
    "legacy with scores": ("type: scoring\nvalidation: custom interactive score", {"scoring", "interactive"}),
    "of DOMjudge": ("validation: custom multi-pass", {"multi-pass"}),
}


@pytest.mark.parametrize("name", TYPES)
def test_the_type_follows_from_two_keys(tmp_path: Path, name: str) -> None:
    text, expected = TYPES[name]
    problem, diagnostics = load(tmp_path, {"problem.yaml": text, "output_validators/v/v.py": ""})
    assert problem.types == expected
    assert [str(each) for each in diagnostics if each.severity is Severity.ERROR] == []


TIME_LIMITS: dict[str, tuple[dict[str, str | bytes | None], float, str]] = {
    "problem.yaml": ({"problem.yaml": "limits: {time_limit: 1.5}"}, 1.5, "problem.yaml"),
    ".timelimit": ({".timelimit": "3\n"}, 3, ".timelimit"),
    "DOMjudge": ({"domjudge-problem.ini": "timelimit='4'\n"}, 4, "domjudge-problem.ini"),
    "DOMjudge without quotes": (
        {"domjudge-problem.ini": "short-name = A\ntimelimit = 4.5 ; s\n"},
        4.5,
        "domjudge-problem.ini",
    ),
    "the same twice": ({"problem.yaml": "limits: {time_limit: 3}", ".timelimit": "3"}, 3, "problem.yaml"),
    "none": ({}, 10, ""),
}


@pytest.mark.parametrize("name", TIME_LIMITS)
def test_the_time_limit_is_in_one_of_three_files(tmp_path: Path, name: str) -> None:
    files, time, origin = TIME_LIMITS[name]
    problem, diagnostics = load(tmp_path, files)
    assert not [each for each in diagnostics if each.rule != "format"]
    assert problem.time_rule is not None
    assert (problem.limits.cpu, problem.time_rule.origin) == (time, origin)
    assert (problem.time_rule.given is None) == (not origin)


def test_contradicting_time_limits_are_reported(tmp_path: Path) -> None:
    files = {"problem.yaml": "limits: {time_limit: 2}", ".timelimit": "3", "domjudge-problem.ini": "timelimit=4"}
    problem, diagnostics = load(tmp_path, files)
    assert problem.limits.cpu == pytest.approx(2)
    assert [str(each.path) for each in diagnostics if not each.rule] == ["sum/domjudge-problem.ini", "sum/.timelimit"]


def test_programs_of_a_domjudge_server_are_reported(tmp_path: Path) -> None:
    text = "timelimit='1'\nspecial_compare = 'float'\nspecial_run='run_game'\n"
    found = messages(tmp_path, {"domjudge-problem.ini": text})
    server = "is a program of the DOMjudge server"
    assert [each.splitlines()[0] for each in found] == [
        f"sum/domjudge-problem.ini: warning: `special_compare` does not count: `float` {server}",
        f"sum/domjudge-problem.ini: error: `special_run` does not count: `run_game` {server}",
    ]
    load_clean(tmp_path, {"domjudge-problem.ini": "special_compare=compare\nspecial_run=run\n"})


# What is reported: the place and a part of the message. Each is a warning, and the package is judged.
WARNINGS: dict[str, tuple[str, str]] = {
    "an unknown key": ("nam: X", "1:1: warning: unknown key `nam`: did you mean `name`?"),
    "an unknown limit": ("limits:\n  memroy: 3", "2:3: warning: unknown key `memroy` of `limits`"),
    "no number": ("limits:\n  memory: much", "2:11: warning: `limits.memory`: expected a number above 0, found"),
    "no positive number": ("limits: {time_limit: 0}", "1:22: warning: `limits.time_limit`: expected a number above 0"),
    "infinite": ("limits: {time_limit: .inf}", "warning: `limits.time_limit`: expected a number above 0"),
    "too large for a float": ("limits: {memory: 1e999}", "warning: `limits.memory`: expected a number above 0"),
    "a list for a string": ("name: [a]", "1:7: warning: `name`: expected a string, found a list"),
    "a string for a mapping": ("limits: 3", "1:9: warning: `limits`: expected a mapping, found the number `3`"),
    "a key twice": ("name: a\nname: b", "2:1: warning: duplicate key `name`: already on line 1, this one counts"),
    "passes of one pass": ("limits: {validation_passes: 3}", "`validation_passes` is for problems of the type"),
    "one pass": ("type: multi-pass\nlimits: {validation_passes: 1}", "expected a number of at least 2"),
    "half a pass": ("type: multi-pass\nlimits: {validation_passes: 2.5}", "expected a whole number, found 2.5"),
    "excluding types": ("type: [pass-fail, scoring]", "`pass-fail` and `scoring` exclude each other"),
    "unknown validation": ("validation: costum", "`validation` begins with `default` or `custom`, found `costum`"),
    "interactive default": ("validation: default interactive", "`interactive` has no meaning after `default`"),
    "score without scoring": ("validation: custom score", "`score` is for problems of the type `scoring` only"),
    "writing files": ("allow_file_writing: true", "`allow_file_writing` is not supported"),
    "a constant's name": ("constants: {1x: 2}", "`1x` cannot be the name of a constant"),
    "a constant without value": ("constants: {x: {tex: a}}", "the constant `x` has no `value`"),
}  # fmt: skip


@pytest.mark.parametrize("name", WARNINGS)
def test_what_is_unusual_is_a_warning(tmp_path: Path, name: str) -> None:
    text, expected = WARNINGS[name]
    files = {"problem.yaml": f"{text}\n", "output_validators/v.py": ""}
    found = messages(tmp_path, files, Severity.WARNING)
    assert any(each.startswith("sum/problem.yaml") and expected in each for each in found), found
    assert not messages(tmp_path, files, Severity.ERROR)


# What makes no difference to judging has the rule `format`.
NOTES: dict[str, tuple[str, str]] = {
    "a key of 2025-09 in legacy": ("constants: {x: 1}", "`constants` is a key of version 2025-09, not of legacy"),
    "a key of legacy in 2025-09": ("problem_format_version: 2025-09\nauthor: X", "`author` is a key of version legacy"),
    "a limit of 2025-09": ("limits: {time_limit: 3}", "`time_limit` is a key of version 2025-09, not of legacy"),
    "a license": ("license: mit", "unknown license `mit`"),
    "grading without scores": ("grading: {objective: max}", "`grading` is for problems of the type `scoring` only"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOTES)
def test_what_makes_no_difference_is_a_matter_of_format(tmp_path: Path, name: str) -> None:
    text, expected = NOTES[name]
    _, diagnostics = load(tmp_path, {"problem.yaml": f"{text}\n"})
    assert [each.rule for each in diagnostics if expected in each.message] == ["format"], diagnostics
    assert not [each for each in diagnostics if each.rule != "format"]


# Nothing can be judged: what is wrong with problem.yaml, and the error.
ERRORS: dict[str, tuple[str | bytes, str]] = {
    "no YAML": ("name: [", "sum/problem.yaml:"),
    "not UTF-8": (b"name: \xff", "sum/problem.yaml:1:7: error: the byte 0xff"),
    "a list": ("- a\n", "sum/problem.yaml:1:1: error: expected keys with values, found a list"),
    "two documents": ("a: 1\n---\nb: 2\n", "a second document starts here"),
    "too large": ("# " + "x" * (1 << 18), "; expected at most 256 KiB"),
    "too deep": ("x: " + "[" * 100_000, "nested more than 50 levels"),
    "an anchor bomb": (
        "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(f"{b}: &{b} [*{a},*{a},*{a},*{a},*{a},*{a},*{a},*{a},*{a}]\n"
                                                  for a, b in zip("abcdefg", "bcdefgh", strict=True)),
        "repeat too much",
    ),
    "a validator that is missing": ("validation: custom", "needs an output validator of its own, and there is none"),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_what_cannot_be_read_is_one_error(tmp_path: Path, name: str) -> None:
    content, expected = ERRORS[name]
    with pytest.raises(DataError) as raised:
        load(tmp_path, {"problem.yaml": content})
    errors = [str(each) for each in raised.value.diagnostics if each.severity is Severity.ERROR]
    assert len(errors) == 1
    assert expected in errors[0]


NAMES: dict[str, tuple[dict[str, str | bytes | None], str]] = {
    "a string": ({"problem.yaml": "name: 2048"}, "2048"),
    "English of several": ({"problem.yaml": "name: {sv: Hej, en: Hello}"}, "Hello"),
    "the first of several": ({"problem.yaml": "name: {sv: Hej, de: Hallo}"}, "Hej"),
    "invisible characters": ({"problem.yaml": 'name: "a\\x07\\n b"'}, "a b"),
    "of DOMjudge": ({"problem.yaml": "", "domjudge-problem.ini": 'name = "Hello; World"'}, "Hello; World"),
    "of the statement": ({"problem.yaml": "", "problem_statement/problem.tex": "\\problemname{Hello}"}, "Hello"),
    "of a plain comment": (
        {"problem.yaml": "", "problem_statement/problem.en.tex": "\\problemname{$x$}\n%% plainproblemname: x^2\n"},
        "x^2",
    ),
    "of the folder": ({"problem.yaml": ""}, "sum"),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_every_problem_has_a_name(tmp_path: Path, name: str) -> None:
    files, expected = NAMES[name]
    assert load(tmp_path, files)[0].name == expected


CHECKS: dict[str, Callable[[Problem], bool]] = {
    "limits: {memory: 0.5}": lambda problem: problem.limits.memory == MIB // 2,
    "source:": lambda problem: problem.source is None,
    "source: {url: 'javascript:x', name: A}": lambda problem: problem.source == ProblemSource(name="A"),
    "limits: {time_limit: 1e300}": lambda problem: math.isclose(problem.limits.cpu, 24 * 60 * 60),
    "libraries: x": lambda problem: problem.name == "sum",
}


@pytest.mark.parametrize("text", CHECKS)
def test_odd_values_are_read(tmp_path: Path, text: str) -> None:
    assert CHECKS[text](load(tmp_path, {"problem.yaml": text})[0])
