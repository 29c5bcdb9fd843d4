"""Packages whose cases are in generators.yaml: where their inputs and answers come from, and what is wrong."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from judge.model import Computed, InFile, Inline, Problem, Produced
from tests.problems.icpc.packages import load, load_clean, messages

GENERATORS = "generators/generators.yaml"


def write_plan(secret: str, top: str = "") -> dict[str, str | bytes | None]:
    """Return the file of a plan for data/secret, whose files are removed from the minimal package."""
    text = f"{top}\ndata: {{secret: {{data: {secret}}}}}\n"
    return {GENERATORS: text, "data/secret/1.in": None, "data/secret/1.ans": None}


def secret_cases(problem: Problem) -> dict[str, tuple[object, object]]:
    return {case.name: (case.input, case.answer) for case in problem.cases if case.group.startswith("secret")}


def test_every_kind_of_input_and_answer(tmp_path: Path) -> None:
    plan = write_plan(
        "{a: {in: 1 2, ans: '3'}, b: {in: 1 2}, c: {copy: m/c}, d: {copy: m/d}, e: 'g.py {seed}', "
        "f: {generate: g.py, ans: '1'}, h: {generate: g.py, copy: m/d}, i: {copy: m/d, in: 5 6}}"
    )
    problem = load_clean(
        tmp_path,
        {
            **plan,
            "generators/g.py": "",
            "generators/m/c.in": "1 1\n",
            "generators/m/c.ans": "2\n",
            "generators/m/d.in": "1 1\n",
        },
    )
    folder = tmp_path / "sum"
    computed = Computed(folder / "submissions/accepted/sum.py")
    produced = Produced(sources=(folder / "generators/g.py",), seed=0)
    found = secret_cases(problem)
    seeded, bare = found["e"][0], found["f"][0]
    assert isinstance(seeded, Produced)
    assert isinstance(bare, Produced)
    assert (seeded.sources, seeded.args, bare.args) == (produced.sources, ("{seed}",), ())
    assert found == {
        "a": (Inline(b"1 2\n"), Inline(b"3\n")),
        "b": (Inline(b"1 2\n"), computed),
        "c": (InFile(folder / "generators/m/c.in"), InFile(folder / "generators/m/c.ans")),
        "d": (InFile(folder / "generators/m/d.in"), computed),
        "e": (seeded, computed),
        "f": (bare, Inline(b"1\n")),
        "h": (InFile(folder / "generators/m/d.in"), computed),
        "i": (Inline(b"5 6\n"), computed),
    }


def test_a_case_has_the_place_of_its_rule(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, {GENERATORS: "data:\n  secret:\n    data:\n      a: {in: 1 2}\n      '1':\n"})
    (case,) = [case for case in problem.cases if case.name == "a"]
    assert (case.origin, case.line) == (tmp_path / "sum" / GENERATORS, 4)


def test_files_in_data_come_first(tmp_path: Path) -> None:
    files = {GENERATORS: "data: {secret: {data: {'1': {in: 9 9}, '2': {in: 9 9}}}}\n"}
    found = secret_cases(load_clean(tmp_path, files))
    assert found["1"] == (
        InFile(tmp_path / "sum/data/secret/1.in"),
        InFile(tmp_path / "sum/data/secret/1.ans"),
    )
    assert found["2"][0] == Inline(b"9 9\n")


def test_files_in_data_that_no_rule_makes_are_left_out(tmp_path: Path) -> None:
    old = {f"data/secret/{name}{suffix}": "1 2\n" for name in ("old/a", "x", "x-2") for suffix in (".in", ".ans")}
    files: dict[str, str | bytes | None] = {
        GENERATORS: "data: {secret: {data: {'1': , new: {data: {a: {in: 1 2}}}}}}\n"
    }
    problem, diagnostics = load(tmp_path, {**files, **old, "data/secret/half.in": "1 2\n"})
    assert [case.id for case in problem.cases] == ["sample/1", "secret/1", "secret/new/a"]
    assert [str(each).splitlines()[0] for each in diagnostics] == [
        "sum/data/secret: warning: cases that are not in generators.yaml are not judged: `half`, `x`, `x-2`",
        "sum/data/secret/old: warning: cases that are not in generators.yaml are not judged: `a`",
    ]


def test_a_file_with_a_wrong_rule_leaves_nothing_out(tmp_path: Path) -> None:
    problem, _ = load(tmp_path, {GENERATORS: "data: {secret: {data: {'1': {ans: x}, a: {in: 1 2}}}}\n"})
    assert [case.id for case in problem.cases] == ["sample/1", "secret/1", "secret/a"]


def test_an_input_in_data_without_an_answer_gets_one(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, {GENERATORS: "data: {secret: {data: {'1': }}}\n", "data/secret/1.ans": None})
    folder = tmp_path / "sum"
    computed = Computed(folder / "submissions/accepted/sum.py")
    assert secret_cases(problem) == {"1": (InFile(folder / "data/secret/1.in"), computed)}


def test_a_program_of_several_files(tmp_path: Path) -> None:
    files = write_plan("{a: tree 5}", "generators: {tree: [tree.py, lib.py]}")
    problem = load_clean(tmp_path, {**files, "generators/tree.py": "", "generators/lib.py": ""})
    (source, _) = secret_cases(problem)["a"]
    assert isinstance(source, Produced)
    assert [path.name for path in source.sources] == ["tree.py", "lib.py"]


def test_settings_of_groups_and_cases(tmp_path: Path) -> None:
    plan = (
        "data:\n"
        "  secret:\n"
        "    test_group.yaml: {output_validator_args: [case_sensitive]}\n"
        "    data:\n"
        "      a: {in: 1 2, yaml: {args: [--fast], description: The smallest.}}\n"
        "      b: {copy: b}\n"
        "      '1':\n"
    )
    files: Mapping[str, str | bytes | None] = {
        "problem.yaml": "problem_format_version: 2025-09\nname: Sum\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n",
        GENERATORS: plan,
        "generators/b.in": "1 2\n",
        "generators/b.yaml": "args: [--slow]\n",
    }
    problem, _ = load(tmp_path, files)
    cases = {case.name: case for case in problem.cases}
    assert [cases[name].args for name in ("a", "b", "1")] == [("--fast",), ("--slow",), ()]
    assert cases["a"].why == "The smallest."
    assert cases["a"].checker.case_sensitive
    assert cases["b"].checker.case_sensitive


def test_constants_are_replaced_in_settings(tmp_path: Path) -> None:
    plan = (
        "data:\n"
        "  secret:\n"
        "    test_group.yaml: {args: ['--max={{max}}', '{{other}}']}\n"
        "    data:\n"
        "      a: {in: '{{max}}'}\n"
        "      b: {in: 1 2, yaml: {args: '{{max}} {{max}}', description: 'Up to {{max}}.'}}\n"
        "      '1':\n"
    )
    files: Mapping[str, str | bytes | None] = {
        "problem.yaml": "problem_format_version: 2025-09\nname: Sum\nconstants: {max: 9}\n",
        GENERATORS: plan,
    }
    cases = {case.name: case for case in load_clean(tmp_path, files).cases if case.group == "secret"}
    assert [cases[name].args for name in ("a", "b", "1")] == [
        ("--max=9", "{{other}}"), ("9", "9"), ("--max=9", "{{other}}")
    ]  # fmt: skip
    assert cases["b"].why == "Up to 9."
    assert cases["a"].input == Inline(b"{{max}}\n")  # as in BAPCtools


def test_interactive_problems_have_empty_answers(tmp_path: Path) -> None:
    files = {
        **write_plan("{a: {in: 1 2}, b: g.py}"),
        "problem.yaml": "name: Sum\nvalidation: custom interactive\n",
        "output_validators/check/check.py": "",
        "generators/g.py": "",
    }
    found = secret_cases(load_clean(tmp_path, files))
    assert found["a"] == (Inline(b"1 2\n"), Inline(b""))
    assert found["b"][1] is None


def test_the_default_solution_is_an_accepted_one_in_a_fast_language(tmp_path: Path) -> None:
    files = {**write_plan("{a: {in: 1 2}}"), "submissions/accepted/z.cpp": "int main() {}\n"}
    found = secret_cases(load_clean(tmp_path, files))
    assert found["a"][1] == Computed(tmp_path / "sum/submissions/accepted/z.cpp")


def test_a_sample_that_only_the_statement_shows_is_no_case(tmp_path: Path) -> None:
    text = "data: {sample: {data: {'1': , '9': {in.statement: x, in.download: y, ans: z}}}}\n"
    problem = load_clean(tmp_path, {GENERATORS: text})
    assert [case.id for case in problem.cases] == ["sample/1", "secret/1"]


@pytest.mark.parametrize(
    ("secret", "top", "message"),
    [
        ("{a: }", "", ":2:1: error: case secret/a: has no rule, and there is no file data/secret/a.in"),
        ("{a: {copy: m}}", "", ":2:1: error: case secret/a: `copy`: there is no file generators/m.in"),
        ("{a: {in: x}}", "solution: ", "error: case secret/a: has no answer, so it is not judged: `solution` is empty"),
        ("{a: {in: x}}", "solution: /x.py", "warning: case secret/a: `solution`: there is no file x.py in the package"),
    ],
)
def test_what_is_wrong_with_a_case(tmp_path: Path, secret: str, top: str, message: str) -> None:
    (found,) = messages(tmp_path, {**write_plan(secret, top), "data/sample/x.in": "1 2\n", "data/sample/x.ans": "3\n"})
    assert found.startswith("sum/generators/generators.yaml:2:")
    assert message in found
