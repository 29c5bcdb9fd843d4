"""generators.yaml: the names, arguments and seeds of BAPCtools, and what is wrong with a file."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.model import Problem
from judge.problems.icpc.files import PackageFolder
from judge.problems.icpc.generators_yaml import PlannedCase, PlannedData


def read(folder: Path, text: str, constants: Mapping[str, str] | None = None) -> tuple[PlannedData, list[str]]:
    path = folder / "generators/generators.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(dedent(text))
    package = PackageFolder.at(folder)
    plan = PlannedData.of(package, Problem(constants=constants or {}))
    assert {each.path for each in package.diagnostics} <= {package.show(path)}
    return plan, [str(replace(each, path=Path("g.yaml"))) for each in package.diagnostics]


def read_clean(folder: Path, text: str, constants: Mapping[str, str] | None = None) -> PlannedData:
    plan, found = read(folder, text, constants)
    assert not found, "\n".join(found)
    return plan


def read_case(folder: Path, rule: str, constants: Mapping[str, str] | None = None) -> PlannedCase:
    (case,) = read_clean(folder, f"data: {{secret: {{data: {{a: {rule}}}}}}}", constants).cases
    return case


# ---- names ----


def test_a_list_numbers_cases_through_the_file_and_folders_in_themselves(tmp_path: Path) -> None:
    plan = read_clean(
        tmp_path,
        """
        data:
          secret:
            data:
              - one: g 1
              - "": g 2
              - ~: g 3
              - group: {data: [{b: g 4}, {a: g 5}, {sub: {data: {z: g 6, y: g 7}}}]}
              - other: {data: [{c: {in: x, count: 2}}]}
          sample:
            data: [{first: g 0}]
        """,
    )
    assert [case.id for case in plan.cases] == [
        "sample/1-first",
        "secret/2-one",
        "secret/3",
        "secret/4",
        "secret/1-group/5-b",
        "secret/1-group/6-a",
        "secret/1-group/1-sub/y",
        "secret/1-group/1-sub/z",
        "secret/2-other/7-c-1",
        "secret/2-other/8-c-2",
    ]


def test_numbers_have_the_same_width(tmp_path: Path) -> None:
    rules = "".join(f"  - '': g {number}\n" for number in range(10))
    plan = read_clean(tmp_path, f"data:\n sample:\n  data:\n{rules}")
    assert [case.name for case in plan.cases] == [*(f"0{number}" for number in range(1, 10)), "10"]


@pytest.mark.parametrize(
    ("count", "names"),
    [
        ("1", ["a-1"]),
        ("3", ["a-1", "a-2", "a-3"]),
        ("[7, -3]", ["a-7", "a--3"]),
        ("[9, 10]", ["a-09", "a-10"]),
        ("[1, 10]", ["a-1", "a-10"]),
        ("-1..=1", ["a--1", "a-00", "a-01"]),
        ("98..=100", ["a-098", "a-099", "a-100"]),
    ],
)
def test_count_adds_numbers_to_the_name(tmp_path: Path, count: str, names: list[str]) -> None:
    plan = read_clean(tmp_path, f"data: {{secret: {{data: {{a: {{in: x, count: {count}}}}}}}}}")
    assert [case.name for case in plan.cases] == names


def test_included_cases_come_from_folders_above(tmp_path: Path) -> None:
    plan = read_clean(
        tmp_path,
        """
        data:
          sample: {data: {"1": g 1, "2": g 2}}
          secret:
            data:
              - small: {data: [{a: g 3}], include: ["1"]}
              - large: {data: [{b: g 4}], include: [small, sample]}
        """,
    )
    large = [case for case in plan.cases if case.group == "secret/2-large"]
    assert [case.name for case in large] == ["2-b", "1", "1-a", "2"]
    assert large[1].command == plan.cases[0].command


def test_merge_keys_take_what_a_mapping_does_not_have_itself(tmp_path: Path) -> None:
    plan = read_clean(
        tmp_path,
        """
        data:
          secret:
            data:
              a: &a {generate: g 1, retries: 3}
              b: {<<: *a, generate: g 2}
              c: {ans: x, <<: [*a, {generate: g 3, out: y}]}
        """,
    )
    found = {
        case.name: (case.command and (case.command.args, case.command.attempts), case.texts) for case in plan.cases
    }
    assert found == {
        "a": ((("1",), 3), {}),
        "b": ((("2",), 3), {}),
        "c": ((("1",), 3), {"ans": "x\n", "out": "y\n"}),
    }


# ---- commands: the seeds are those that `bt generate` passed to test/problems/testseed ----


@pytest.mark.parametrize(
    ("rule", "salt", "seeds"),
    [
        ("{generate: 'stdout.py {seed}'}", "", [162981470]),
        ("{generate: '  stdout.py {seed} '}", "", [162981470]),
        ("{generate: 'stdout.py {seed} a  aa  b '}", "", [2133905738]),
        ("{generate: 'stdout.py {seed:42}'}", "", [1750401614]),
        ("{generate: 'stdout.py {seed:42}'}", "bob", [593058468]),
        ("{generate: 'stdout.py {seed} {count}', count: 3}", "", [256329547, 1581952888, 969404650]),
        ("{generate: 'stdout.py {seed:1} {count}', count: [-2, 0]}", "", [207342926, 627447910]),
        ("{generate: 'stdout.py {seed:2} {count}', count: -2..=-1}", "", [458079516, 1599491640]),
    ],
)
def test_seeds_are_those_of_bapctools(tmp_path: Path, rule: str, salt: str, seeds: list[int]) -> None:
    plan = read_clean(tmp_path, f"random_salt: '{salt}'\ndata: {{secret: {{data: {{a: {rule}}}}}}}")
    assert [case.command and case.command.seed for case in plan.cases] == seeds


@pytest.mark.parametrize(
    ("command", "args"),
    [
        ("gen.py", ()),
        ("gen.py --n 12", ("--n", "12")),
        ("gen.py 'a b' c", ("a b", "c")),
        ("gen.py x={seed:01}", ("x={seed}",)),
        ("gen.py {name} {seeds}", ("testcase", "{seeds}")),
        ("gen.py {{MAX}} {{NONE}}", ("1000", "{{NONE}}")),
    ],
)
def test_arguments_are_words(tmp_path: Path, command: str, args: tuple[str, ...]) -> None:
    case = read_case(tmp_path, json.dumps(command), {"MAX": "1000"})
    assert case.command is not None
    assert (case.command.sources, case.command.args) == ((tmp_path / "generators/gen.py",), args)


def test_programs_are_lists_of_files(tmp_path: Path) -> None:
    text = "generators: {tree: [tree.py, ../lib/lib.py]}\ndata: {secret: {data: {a: tree 3}}}"
    (case,) = read_clean(tmp_path, text).cases
    assert case.command is not None
    assert case.command.sources == (tmp_path / "generators/tree.py", tmp_path / "lib/lib.py")


# ---- what is inherited, and texts ----


def test_folders_pass_on_their_solution_and_retries(tmp_path: Path) -> None:
    plan = read_clean(
        tmp_path,
        """
        solution: /submissions/accepted/a.cpp
        data:
          sample: {data: {one: g}}
          secret:
            solution:
            retries: 5
            data: {two: g, three: {generate: g, solution: /submissions/accepted/b.py}}
        """,
    )
    found = {case.name: (case.solution, case.command and case.command.attempts) for case in plan.cases}
    assert found == {
        "one": ("submissions/accepted/a.cpp", 1),
        "two": (None, 5),
        "three": ("submissions/accepted/b.py", 5),
    }


def test_texts_end_with_a_newline(tmp_path: Path) -> None:
    case = read_case(tmp_path, '{in: "1 2", ans: "3\\n", out: ""}')
    assert case.texts == {"in": "1 2\n", "ans": "3\n", "out": ""}


@pytest.mark.parametrize("rule", ["manual/one.in", "{copy: manual/one}", "{copy: ./manual//one}"])
def test_copies_are_relative_to_the_generators(tmp_path: Path, rule: str) -> None:
    assert read_case(tmp_path, rule).copy == "generators/manual/one"


def test_until_2022_the_command_was_the_input(tmp_path: Path) -> None:
    rule = "{generate: 'g {seed}', random_salt: abc}"
    assert read_case(tmp_path, rule.replace("generate", "input")) == read_case(tmp_path, rule)
    assert read_case(tmp_path, "{type: testcase, input: manual/one.in}").copy == "generators/manual/one"


def test_a_case_without_a_rule_must_exist(tmp_path: Path) -> None:
    assert read_case(tmp_path, "").is_given


# ---- what is wrong ----


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", "g.yaml:1:1: error: expected the keys `solution`, `generators` and `data`, found a list"),
        ("random_salt: [a]", "g.yaml:1:14: error: `random_salt`: expected a string, found a list"),
        ("data: {secret: {data: {a: {in: x, random_salt: {}}}}}", "error: `random_salt`: expected a string, found"),
        ("data: [a]", "g.yaml:1:7: error: expected the folders `sample`, `secret` of data/, found a list"),
        ("data: {secrets: {data: {}}}", "g.yaml:1:8: warning: unknown folder `secrets` of `data`: did you mean `secr"),
        ("data: {secret: {data: {a: []}}}", "1:27: error: expected a case or a folder, found a list"),
        ("data: {secret: {data: {a: {ans: x}}}}", "1:24: error: the case has no input: add `generate`, `copy` or `in`"),
        ("data: {secret: {data: {a/b: g}}}", "1:24: error: `a/b` cannot be the name of a case: use letters"),
        ("data: {secret: {data: {'': g}}}", "1:24: error: a case or folder that is not in a list needs a name"),
        ("data: {secret: {data: [{a: g, b: g}]}}", "1:24: error: expected one case or folder, `- name: ...`"),
        ("data: {secret: {data: {a: {in: x, count: 1}, a-1: g}}}", "error: duplicate case `secret/a-1`: already on"),
        ("data: {secret: {data: {a: ''}}}", "1:27: error: expected the name of a generator with its arguments"),
        ("data: {secret: {data: {a: 'g {seed} {seed:2}'}}}", "error: `{seed}` occurs more than once"),
        ("data: {secret: {data: {a: g 'x}}}", "warning: a quotation mark is not closed: the words are separated"),
        ("data: {secret: {data: {a: ../../x}}}", "1:27: error: `generators/../../x` leads out of the package"),
        ("data: {secret: {data: {a: {copy: /etc/passwd}}}}", "error: expected a path relative to generators/"),
        ("data: {secret: {data: {a: {in: 5}}}}", "1:32: warning: `in`: expected a string, found the number `5`: quote"),
        ("data: {secret: {data: {a: {in: x, count: 0}}}}", "error: `count`: expected a number, a list of numbers or"),
        ("data: {secret: {data: {a: {in: x, count: 101}}}}", "error: `count`: more than 100 cases of one rule"),
        ("data: {secret: {data: {a: {in: x, count: 1..=900}}}}", "error: `count`: more than 100 cases of one rule"),
        ("data: {secret: {data: {a: {in: x, count: [1, 1]}}}}", "error: `count`: a number occurs twice"),
        (
            "data: {secret: {data: {a: {in: x, generat: y}}}}",
            "warning: unknown key `generat`: did you mean `generate`?",
        ),
        ("data: {secret: {data: {}, include: [b]}}", "error: `include`: no case or folder above has the name `b`"),
        ("data: {secret: {data: {a: {retries: 2}}}}", "1:27: warning: the folder `secret/a` has neither `data` nor"),
        ("solution: sol.py", "1:11: warning: `solution`: expected a path in the package that starts with `/`"),
        ("generators: {a: b.py}", "1:17: error: `a`: expected a list of files, found the string `b.py`"),
        ("<<: 5", "1:5: error: `<<` merges mappings: expected an alias of one, or a list of such aliases"),
        ("data: {a: [}", "g.yaml:1:12: error: expected a value, found `}`: quote it"),
    ],
)
def test_what_is_wrong_has_a_place(tmp_path: Path, text: str, message: str) -> None:
    _, found = read(tmp_path, text)
    assert len(found) == 1, found
    assert message in found[0]


def test_a_wrong_rule_does_not_affect_the_others(tmp_path: Path) -> None:
    plan, found = read(tmp_path, "data: {secret: {data: [{a: {ans: x}}, {b: g}, {c: {in: [1]}}, {d: g}]}}")
    assert [case.name for case in plan.cases] == ["2-b", "4-d"]
    assert len(found) == 2


def test_keys_of_older_versions_and_of_other_tools_are_ignored(tmp_path: Path) -> None:
    read_clean(
        tmp_path,
        "{gitignore_generated: true, visualizer: /v, x: 1, data: {secret: {type: directory, data: {a: g}}}}",
    )


def test_a_large_file_is_not_read(tmp_path: Path) -> None:
    _, found = read(tmp_path, "#" * (17 << 20))
    (message,) = found
    assert message.startswith("g.yaml: error: has 17.0 MiB; expected at most 16.0 MiB: put large inputs into files")


_KEYS = st.sampled_from(
    [
        "data",
        "sample",
        "secret",
        "generate",
        "count",
        "in",
        "copy",
        "include",
        "solution",
        "retries",
        "a",
        "b",
        "",
        "yaml",
    ]
)
_VALUES = st.recursive(
    st.none() | st.integers() | st.booleans() | st.text(max_size=8) | st.sampled_from(["g {seed}", "a", "1..=3"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=20,
)


@given(value=st.dictionaries(_KEYS, _VALUES, max_size=4), data=_VALUES)
def test_any_file_is_read_or_reported(value: object, data: object, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp()
    assert isinstance(value, dict)
    plan, _ = read(folder, json.dumps({**value, "data": {"secret": {"data": data}}}))
    for case in plan.cases:
        assert re.fullmatch(r"(sample|secret)(/[a-zA-Z0-9_][a-zA-Z0-9_.-]*)+", case.id)
