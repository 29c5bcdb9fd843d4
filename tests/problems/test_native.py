"""The native layout: problems/, testcases/ and solutions/ become one value, as docs/format.md specifies."""

import itertools
import os
from pathlib import Path

import pytest

from judge.base.errors import DataError, Diagnostic, UsageError
from judge.base.units import KIB, MIB, Bytes, Seconds
from judge.model import (
    DEFAULT_LIMITS,
    EXPECTATIONS,
    Case,
    CheckerConfig,
    External,
    Generated,
    InFile,
    Inline,
    Limits,
    Problem,
    ProblemSource,
    Produced,
    default_wall,
)
from judge.model.programs import JudgeProgram
from judge.problems.assets import AssetRoot
from judge.problems.case_file import read_cases
from judge.problems.file_format import MAX_CASES
from judge.problems.generators import read_generators
from judge.problems.native import load_problem
from judge.problems.paths import problem_ids
from judge.problems.problem_file import ProblemConfig
from judge.problems.yaml.document import Document
from judge.workspace.workspace import find_root
from tests.repositories import FILES, GENERATORS, PROBLEM, found_in, load, make, mistakes

PROBLEM_FILE = "problems/p/problem.yaml"
SAMPLE = "testcases/p/sample.yaml"
HANDS = "problems/p/generators/hands.py"
SHIPPED = Path(__file__).parents[2]
HEAD = "name: X\nprofile: icpc\n"
PROGRAMS = {
    "problems/p/problem.yaml": (
        f"{HEAD}generators: [generators/hands.py, generators/tree.cpp, generators/script.py]\n"
        "reference: accepted/right.py\n"
    ),
    "problems/p/generators/tree.cpp": "int main() {}\n",
    "problems/p/generators/script.py": "def main():\n    print(1)\n\nmain()\n",
}


def case_of(problem: Problem, case_id: str) -> Case:
    return next(case for case in problem.cases if case.id == case_id)


# ---- repositories -------------------------------------------------------------------------------------------------


def test_the_root_is_the_nearest_folder_with_problems_at_or_above(tmp_path: Path) -> None:
    make(tmp_path)
    assert find_root(tmp_path / "solutions" / "p" / "accepted") == tmp_path
    assert find_root(tmp_path / "solutions" / "p" / "accepted" / "right.py") == tmp_path
    assert find_root(tmp_path) == tmp_path


def test_outside_a_repository_the_message_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError,
        match=r"change to a repository of problems, or start one with `judge new ID`; "
        r"to judge a file without a repository: judge run FILE$",
    ):
        find_root(tmp_path)


def test_problems_are_the_folders_with_a_problem_file_by_name(tmp_path: Path) -> None:
    for name in ("b", "a", "_shared", ".git"):
        make(tmp_path, {f"problems/{name}/problem.yaml": PROBLEM})
    (tmp_path / "problems" / "empty").mkdir()
    (tmp_path / "problems" / "note.md").touch()
    assert problem_ids(tmp_path) == ["a", "b", "p"]


def test_an_unknown_problem_is_reported_with_the_nearest_and_all(tmp_path: Path) -> None:
    make(tmp_path, {"problems/uva131/problem.yaml": PROBLEM})
    with pytest.raises(
        UsageError, match=r"unknown problem `uva13`: did you mean `uva131`\? Valid problems: `p`, `uva131`"
    ):
        load_problem(tmp_path, "uva13")
    with pytest.raises(UsageError, match=r"unknown problem `\.\./p`"):
        load_problem(tmp_path, "../p")


def test_an_id_has_only_lower_case_letters_digits_and_dashes(tmp_path: Path) -> None:
    make(tmp_path, {"problems/My Problem/problem.yaml": HEAD})
    with pytest.raises(DataError) as caught:
        load_problem(tmp_path, "My Problem")
    assert str(caught.value) == (
        "problems/My Problem: error: the folder's name is the id `My Problem`: "
        "use lower-case letters, digits, `_` and `-`"
    )


def test_a_path_through_a_link_is_not_resolved(tmp_path: Path) -> None:
    make(tmp_path / "real")
    (tmp_path / "link").symlink_to("real")
    problem = load_problem(find_root(tmp_path / "link"), "p")
    assert problem.folder == tmp_path / "link" / "problems" / "p"


# ---- the problem --------------------------------------------------------------------------------------------------


def test_a_problem_has_the_values_of_its_file_with_absolute_paths(tmp_path: Path) -> None:
    text = """\
name: Ärger mit Karten
source: {name: UVa 131, url: "https://onlinejudge.org/external/1/131.pdf"}
profile: kattis
limits: {time: 1.5 s, memory: 64 MiB, output: 512 KiB}
checker: {name: tokens, case_sensitive: true, float_absolute_tolerance: 1e-6, float_relative_tolerance: 0}
validator: validate.py
generators: [generators/hands.py]
reference: accepted/right.py
independent: accepted/other.py
compile_flags: {cpp: [-std=gnu++17, -DX], java: []}
checker_limits: {time: 5 s, output: 1 MiB}
"""
    problem = load(tmp_path, {PROBLEM_FILE: text, "problems/p/statement.md": "# X\n"})
    folder = tmp_path / "problems" / "p"
    accepted = tmp_path / "solutions" / "p" / "accepted"
    assert problem.id == "p"
    assert problem.name == "Ärger mit Karten"
    assert problem.source == ProblemSource(name="UVa 131", url="https://onlinejudge.org/external/1/131.pdf")
    assert problem.limits == Limits(
        cpu=Seconds(1.5), wall=Seconds(4.0), memory=Bytes(64 * MIB), output=Bytes(512 * KIB)
    )
    assert problem.checker == CheckerConfig(
        case_sensitive=True, float_absolute_tolerance=1e-6, float_relative_tolerance=0.0
    )
    assert problem.folder == folder
    assert problem.statement == folder / "statement.md"
    assert problem.validator == JudgeProgram(source=folder / "validate.py")
    assert problem.generators == (folder / "generators" / "hands.py",)
    assert problem.reference == accepted / "right.py"
    assert problem.independent == accepted / "other.py"
    assert problem.compile_flags == {"cpp": ("-std=gnu++17", "-DX")}
    assert problem.checker_limits == Limits(
        cpu=Seconds(5.0), wall=Seconds(11.0), memory=Bytes(2048 * MIB), output=Bytes(1 * MIB)
    )
    assert problem.lock == tmp_path / "testcases" / "p" / "cases.lock"


def test_keys_that_a_problem_file_omits_have_defaults(tmp_path: Path) -> None:
    problem = load(tmp_path, {PROBLEM_FILE: HEAD, SAMPLE: None})
    assert problem.limits == DEFAULT_LIMITS
    assert (problem.source, problem.statement, problem.validator, problem.reference) == (None, None, None, None)
    assert problem.cases == ()


@pytest.mark.parametrize("profile", ["uva", "euler", "kattis", "codeforces", "atcoder", "icpc"])
def test_only_the_profile_uva_compares_every_byte_by_default(tmp_path: Path, profile: str) -> None:
    problem = load(tmp_path, {PROBLEM_FILE: f"name: X\nprofile: {profile}\n", SAMPLE: None})
    assert problem.profile == profile
    assert problem.checker == CheckerConfig(name="exact" if profile == "uva" else "tokens")


def test_one_tolerance_sets_both(tmp_path: Path) -> None:
    problem = load(tmp_path, {PROBLEM_FILE: PROBLEM + "checker: {name: tokens, float_tolerance: 1e-6}\n"})
    assert problem.checker == CheckerConfig(float_absolute_tolerance=1e-6, float_relative_tolerance=1e-6)


# ---- cases --------------------------------------------------------------------------------------------------------

SOURCES = f"""\
cases:
  - name: inline
    why: to see it
    input: |
      1 ä
    answer: "3\\n"
  - name: file
    input_file: data/big.in
    answer_file: data/big.ans

  - name: made
    generate: near_misses
    parameters: {{suit: "H", lines: 4}}
  - name: external
    external: {{url: "https://example.org/x", sha256: "{"AB" * 32}", file: x.txt}}
"""


def test_a_case_has_the_sources_of_its_bytes(tmp_path: Path) -> None:
    inline, file, made, external = load(tmp_path, {SAMPLE: SOURCES}).cases
    data = tmp_path / "testcases" / "p" / "data"
    assert (inline.input, inline.answer) == (Inline("1 ä\n".encode()), Inline(b"3\n"))
    assert (inline.id, inline.why) == ("sample/inline", "to see it")
    assert (file.input, file.answer) == (InFile(data / "big.in"), InFile(data / "big.ans"))
    assert made.input == Generated(
        file=tmp_path / "problems" / "p" / "generators" / "hands.py",
        function="near_misses",
        parameters=(("lines", 4), ("suit", "H")),
        seed=1,
    )
    assert made.answer is None
    assert external.input == External(url="https://example.org/x", sha256="ab" * 32, file="x.txt")
    assert [case.line for case in (inline, file, made, external)] == [2, 7, 11, 14]
    assert inline.origin == tmp_path / "testcases" / "p" / "sample.yaml"


def test_each_seed_makes_a_case_named_after_it(tmp_path: Path) -> None:
    text = """\
cases:
  - {name: a, generate: near_misses, seeds: 8-11}
  - {name: b, generate: near_misses, seeds: [7, 3]}
  - {name: c, generate: near_misses, seed: 5}
"""
    cases = load(tmp_path, {SAMPLE: text}).cases
    assert [case.name for case in cases] == ["a-8", "a-9", "a-10", "a-11", "b-7", "b-3", "c"]
    assert [case.input.seed for case in cases if isinstance(case.input, Generated)] == [8, 9, 10, 11, 7, 3, 5]


def test_parameters_are_yaml_scalars_lists_and_mappings_as_python_values(tmp_path: Path) -> None:
    text = """\
cases:
  - name: a
    generate: open_handed
    parameters: {a: 1, b: -2.5, c: 1e-6, d: x y, e: "010", f: true, g: null, h: [1, [2]], i: {x: {y: z}}}
"""
    (case,) = load(tmp_path, {SAMPLE: text}).cases
    assert isinstance(case.input, Generated)
    assert dict(case.input.parameters) == {
        "a": 1,
        "b": -2.5,
        "c": 1e-6,
        "d": "x y",
        "e": "010",
        "f": True,
        "g": None,
        "h": [1, [2]],
        "i": {"x": {"y": "z"}},
    }


def test_groups_are_sample_first_then_by_name_and_cases_in_the_files_order(tmp_path: Path) -> None:
    text = "cases: [{name: b, input: x}, {name: a, input: x}]\n"
    problem = load(tmp_path, {f"testcases/p/{group}.yaml": text for group in ("tail", "sample", "edge", "large")})
    assert [case.id for case in problem.cases] == [
        "sample/b",
        "sample/a",
        "edge/b",
        "edge/a",
        "large/b",
        "large/a",
        "tail/b",
        "tail/a",
    ]


INHERITED = """\
limits: {time: 2 s, memory: 100 MiB}
checker: lines
validator_args: [--dirty]
cases:
  - {name: file, input: x}
  - {name: own, input: x, limits: {time: 4 s}, checker: {name: tokens, case_sensitive: true}}
"""


def test_limits_go_from_problem_to_file_to_case_one_by_one_and_wall_follows_time(tmp_path: Path) -> None:
    head = PROBLEM + "limits: {time: 1 s, output: 1 MiB}\n"
    other = "cases: [{name: a, input: x}]\n"
    problem = load(tmp_path, {PROBLEM_FILE: head, SAMPLE: INHERITED, "testcases/p/edge.yaml": other})
    output = Bytes(MIB)
    assert problem.limits == Limits(cpu=Seconds(1), wall=Seconds(3), memory=DEFAULT_LIMITS.memory, output=output)
    assert case_of(problem, "edge/a").limits == problem.limits
    for case, cpu in (("sample/file", Seconds(2)), ("sample/own", Seconds(4))):
        expected = Limits(cpu=cpu, wall=default_wall(cpu), memory=Bytes(100 * MIB), output=output)
        assert case_of(problem, case).limits == expected


def test_a_wall_limit_that_was_set_stays_when_only_the_time_changes(tmp_path: Path) -> None:
    head = PROBLEM + "limits: {time: 1 s, wall: 10 s}\n"
    problem = load(tmp_path, {PROBLEM_FILE: head, SAMPLE: INHERITED})
    assert {case.limits.wall for case in problem.cases} == {10.0}


def test_checkers_and_validator_arguments_go_from_file_to_case(tmp_path: Path) -> None:
    problem = load(tmp_path, {SAMPLE: INHERITED})
    assert problem.checker == CheckerConfig(name="tokens")
    assert case_of(problem, "sample/file").checker == CheckerConfig(name="lines")
    assert case_of(problem, "sample/own").checker == CheckerConfig(name="tokens", case_sensitive=True)
    assert {case.validator_args for case in problem.cases} == {("--dirty",)}


def test_a_case_without_an_answer_needs_a_reference(tmp_path: Path) -> None:
    text = "cases:\n- {name: a, input: x, answer: y}\n- {name: b, input: x}\n- {name: c, input: x}\n"
    (found,) = mistakes(tmp_path, {PROBLEM_FILE: HEAD, SAMPLE: text})
    assert found == (
        f"{SAMPLE}:3:3: error: the case has no answer, and problem.yaml has no `reference` to compute it: "
        "add one or the other"
    )


def test_a_python_file_without_generators_is_a_program_of_its_own_name(tmp_path: Path) -> None:
    text = "cases:\n- {name: a, generate: near_misses}\n"
    (found,) = mistakes(tmp_path, {SAMPLE: text, HANDS: "print(1)\n"})
    assert found == f"{SAMPLE}:2:23: error: unknown generator `near_misses`; valid generators: `hands`"


def test_more_cases_than_a_problem_may_have_are_refused(tmp_path: Path) -> None:
    text = "cases:\n- {name: a, generate: open_handed, seeds: 1-3}\n- {name: b, generate: open_handed, seeds: 1-3}\n"
    make(tmp_path, {SAMPLE: text})
    diagnostics: list[Diagnostic] = []
    config = ProblemConfig(
        problem=Problem(id="p"),
        assets=AssetRoot.in_repository(tmp_path / "problems" / "p", tmp_path),
        functions={each.name: each for each in read_generators(tmp_path / HANDS, Path(HANDS), diagnostics) or ()},
        document=Document(Path(PROBLEM_FILE)),
    )
    assets = AssetRoot.in_repository(tmp_path / "testcases" / "p", tmp_path)
    assert len(read_cases(tmp_path / SAMPLE, assets, config, diagnostics, already=MAX_CASES - 6)) == 6
    assert diagnostics == []
    assert len(read_cases(tmp_path / SAMPLE, assets, config, diagnostics, already=MAX_CASES - 5)) == 3
    assert [str(diagnostic) for diagnostic in diagnostics] == [
        f"{SAMPLE}:3:3: error: more than 100000 cases in one problem: use fewer seeds"
    ]


def test_files_with_the_wrong_suffix_or_name_are_reported(tmp_path: Path) -> None:
    found = mistakes(
        tmp_path,
        {
            "testcases/p/edge.yml": "",
            "testcases/p/more.YAML": "",
            "testcases/p/two words.yaml": SOURCES,
            "problems/p/problem.yml": "",
        },
    )
    assert found == [
        "problems/p/problem.yml: error: wrong suffix: rename it to `problem.yaml`",
        "testcases/p/edge.yml: error: wrong suffix: rename it to `edge.yaml`",
        "testcases/p/more.YAML: error: wrong suffix: rename it to `more.yaml`",
        (
            "testcases/p/two words.yaml: error: the name of the file is the name of the group: "
            "expected a name of letters, digits, `.`, `_` and `-`, found `two words`: write `two-words`"
        ),
    ]


# ---- generators ---------------------------------------------------------------------------------------------------


def test_a_generator_file_with_a_syntax_error_is_reported_with_its_position(tmp_path: Path) -> None:
    found = mistakes(tmp_path, {HANDS: "\ndef a(random:\n", SAMPLE: SOURCES})
    assert found == ["problems/p/generators/hands.py:2:6: error: not valid Python: '(' was never closed"]


@pytest.mark.parametrize("source", ["x = 1\0", "(" * 5000, "-" * 100_000 + "1", "x = " + "[" * 1000 + "]" * 1000])
def test_a_hostile_generator_file_is_reported(tmp_path: Path, source: str) -> None:
    (found,) = mistakes(tmp_path, {HANDS: source, SAMPLE: None})
    assert found.startswith("problems/p/generators/hands.py")
    assert ": error: not valid Python: " in found or ": error: cannot be read: " in found


@pytest.mark.parametrize(
    ("entry", "args"),
    [
        ("generate: tree", ("{seed}",)),
        ("generate: tree, seeds: 3-4", ("{seed}",)),
        (
            'generate: tree, parameters: [10, -0.5, true, "", two words]',
            ("10", "-0.5", "true", "", "two words", "{seed}"),
        ),
        ('generate: tree, parameters: ["{seed}", 9]', ("{seed}", "9")),
        ('generate: tree, parameters: {n: 10, seed: "{seed}"}', ("--n=10", "--seed={seed}")),
        ("generate: script, parameters: {n: 10}", ("--n=10", "{seed}")),
    ],
)
def test_a_program_gets_its_parameters_as_arguments_and_the_seed(
    tmp_path: Path, entry: str, args: tuple[str, ...]
) -> None:
    problem = load(tmp_path, {**PROGRAMS, SAMPLE: f"cases:\n- {{name: a, {entry}}}\n"})
    name = "script.py" if "script" in entry else "tree.cpp"
    sources = (tmp_path / "problems/p/generators" / name,)
    seeds = (3, 4) if "seeds" in entry else (1,)
    assert [each.input for each in problem.cases] == [Produced(sources=sources, args=args, seed=seed) for seed in seeds]


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        (
            "generate: tree, parameters: [[1]]",
            "42: error: an argument of a program is a text or a number: quote it if it",
        ),
        (
            "generate: tree, parameters: [{seed}]",
            "42: error: an argument of a program is a text or a number: quote it, `",
        ),
        (
            "generate: near_misses, parameters: [1]",
            "48: error: `near_misses` is no program: give its parameters by name",
        ),
        ("generate: tre", "23: error: unknown generator `tre`: did you mean `tree`?"),
        ("generate: star", "list it in problem.yaml: `generators: [generators/star.cpp]`"),
    ],
)
def test_wrong_parameters_of_a_program_are_reported(tmp_path: Path, entry: str, error: str) -> None:
    files = {**PROGRAMS, "problems/p/generators/star.cpp": "", SAMPLE: f"cases:\n- {{name: a, {entry}}}\n"}
    found = mistakes(tmp_path, files)[0]
    assert found.startswith(f"{SAMPLE}:2:")
    assert error in found


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("generators: [generators/tree.txt]", "3:14: error: "),
        ("validator: {program: none.cpp}", "3:22: error: `none.cpp` does not exist in problems/p"),
        ("validator: {program: validate.py, protocol: x}", "3:45: error: unknown protocol `x`"),
        ("validator: {protocol: testlib}", "3:12: error: "),
    ],
)
def test_a_wrong_program_is_reported(tmp_path: Path, text: str, error: str) -> None:
    (found,) = mistakes(tmp_path, {PROBLEM_FILE: f"{HEAD}{text}\n", SAMPLE: None, "problems/p/generators/tree.txt": ""})
    assert found.startswith(f"{PROBLEM_FILE}:{error}")


def test_reading_a_generator_file_does_not_run_it(tmp_path: Path) -> None:
    source = f'open({str(tmp_path / "ran")!r}, "w")\n' + GENERATORS
    load(tmp_path, {HANDS: source})
    assert not (tmp_path / "ran").exists()


def test_an_invalid_escape_in_a_generator_file_causes_no_warning(tmp_path: Path) -> None:
    load(tmp_path, {HANDS: GENERATORS + 'PATTERN = "\\d"\n'})


def test_generators_with_the_same_name_are_reported_but_helpers_may_share_one(tmp_path: Path) -> None:
    head = "name: X\nprofile: icpc\ngenerators: [generators/hands.py, generators/more.py]\n"
    files = {PROBLEM_FILE: head, SAMPLE: None, "problems/p/generators/more.py": GENERATORS}
    assert mistakes(tmp_path, files) == [
        f"{PROBLEM_FILE}:3:35: error: duplicate generator `{name}`: "
        "also in problems/p/generators/hands.py, rename one of them"
        for name in ("near_misses", "needy", "open_handed")
    ]


# ---- files and links ----------------------------------------------------------------------------------------------


def test_a_link_may_lead_elsewhere_in_the_repository_but_not_out_of_it(tmp_path: Path) -> None:
    root = make(tmp_path / "root", {SAMPLE: "cases:\n- {name: a, input_file: in}\n"})
    (root / "testcases/p/in").symlink_to("../../problems/p/validate.py")
    (root / "solutions/p/accepted/same.py").symlink_to("right.py")
    (root / "testcases/p/.#in").symlink_to("user@host.1:2")
    assert found_in(root) == []


SECRET = "it is: forty-two: [\n"
FOLDERS = ("problems/p/", "testcases/", "testcases/p/", "solutions/p/accepted/")
LINKS = (
    *(f"problems/p/{name}" for name in ("problem.yaml", "statement.md", "validate.py", "generators/_x")),
    *(f"testcases/p/{name}" for name in ("sample.yaml", "cases.lock", "strength.lock", "baseline.lock", "data/x")),
    "solutions/p/accepted/out.py",
)


TARGETS = ("../secret", "chain", "up/../{name}/secret")


@pytest.mark.parametrize(
    ("path", "target"),
    [
        *itertools.product((*FOLDERS, *LINKS), TARGETS),
        *itertools.product(LINKS, ("/dev/zero", "/proc/kmsg", "../pipe")),
    ],
)
def test_a_link_out_of_the_repository_is_an_error_that_shows_nothing_of_its_target(
    tmp_path: Path, path: str, target: str
) -> None:
    root = make(tmp_path / "root", {name: None for name in FILES if Path(name).is_relative_to(path)})
    link = root / path
    link.parent.mkdir(parents=True, exist_ok=True)
    secret = tmp_path / "secret"
    secret = secret / {"testcases/": "p/x.yaml", "testcases/p/": "x.yaml"}.get(
        path, "problem.yaml" * path.endswith("/")
    )
    secret.parent.mkdir(parents=True, exist_ok=True)
    secret.write_text(SECRET)
    os.mkfifo(tmp_path / "pipe")
    (root / "up").symlink_to("..")
    (root / "chain").symlink_to("up/secret")
    link.symlink_to(root / target.format(name=tmp_path.name))
    shown = "testcases/p" if path == "testcases/" else path.rstrip("/")
    assert found_in(root) == [f"{shown}: error: is a link that leads out of the repository: copy the file into it"]


@pytest.mark.parametrize("name", [".git/config", ".env", "all/.git/config"])
def test_a_link_to_a_hidden_file_of_the_repository_is_an_error(tmp_path: Path, name: str) -> None:
    root = make(tmp_path, {".git/config": "[password: x", ".env": "[password: x"})
    (root / "testcases/p/all").symlink_to("../..")
    (root / "testcases/p/more.yaml").symlink_to(name if name.startswith("all") else f"../../{name}")
    assert "testcases/p/more.yaml: error: is a link to a hidden file or folder" in found_in(root)
    assert "password" not in str(found_in(root))
    (root / "testcases/p/more.yaml").unlink()
    if name.startswith("all"):
        (root / "testcases/p/more.yaml").write_text(f"cases: [{{name: a, input_file: {name}}}]\n")
        assert f"`{name}` is a link to a hidden file or folder" in str(found_in(root))


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_unreadable_files_are_reported(tmp_path: Path) -> None:
    make(tmp_path, {"testcases/p/edge.yaml": ""})
    (tmp_path / "problems/p/generators/hands.py").chmod(0)
    (tmp_path / "testcases/p/edge.yaml").chmod(0)
    assert found_in(tmp_path) == [
        f"{PROBLEM_FILE}:3:14: error: `generators/hands.py` cannot be read: Permission denied",
        "testcases/p/edge.yaml: error: cannot be read: Permission denied",
    ]


@pytest.mark.parametrize("folder", ["testcases/p", "solutions/p"])
def test_a_file_in_place_of_a_folder_is_reported(tmp_path: Path, folder: str) -> None:
    make(tmp_path, {**{name: None for name in FILES if name.startswith((folder, "testcases"))}, PROBLEM_FILE: HEAD})
    (tmp_path / folder).parent.mkdir(exist_ok=True)
    (tmp_path / folder).touch()
    assert found_in(tmp_path) == [f"{folder}: error: cannot be listed: Not a directory"]


# ---- solutions ----------------------------------------------------------------------------------------------------


def test_solutions_come_by_expectation_then_name_and_are_shown_relative_to_the_root(tmp_path: Path) -> None:
    names = {f"solutions/p/{name}/x.py": "" for name in reversed(EXPECTATIONS)}
    problem = load(tmp_path, {**names, "solutions/p/accepted/a.CPP": "", "solutions/p/accepted/b.c": ""})
    assert [solution.display_path.removeprefix("solutions/p/") for solution in problem.solutions] == [
        "accepted/a.CPP",
        "accepted/b.c",
        "accepted/other.py",
        "accepted/right.py",
        "accepted/x.py",
        "partially_accepted/x.py",
        "wrong_answer/wrong.py",
        *(f"{name}/x.py" for name in EXPECTATIONS if name not in ("accepted", "partially_accepted")),
    ]
    for solution in problem.solutions:
        assert solution.path == tmp_path / solution.display_path
        assert solution.expectation is EXPECTATIONS[solution.path.parent.name]


def test_leftovers_and_other_files_are_ignored(tmp_path: Path) -> None:
    names = (
        "accepted/_notes.py accepted/.x.py accepted/x.py~ accepted/.right.py.swp accepted/#x.py# accepted/X.class "
        "accepted/x.o accepted/__pycache__/right.pyc accepted/README.md README.md _drafts/x.py .idea/x.py"
    )
    problem = load(tmp_path, {f"solutions/p/{name}": "" for name in names.split()} | {"testcases/p/_old.yaml": "{"})
    assert [solution.path.name for solution in problem.solutions] == ["other.py", "right.py", "wrong.py"]


def test_misplaced_and_broken_solutions_are_reported(tmp_path: Path) -> None:
    make(tmp_path, {"solutions/p/acepted/x.py": "", "solutions/p/stray.py": "", "solutions/p/accepted/deep/x.py": ""})
    (tmp_path / "solutions/p/accepted/gone.py").symlink_to("nowhere.py")
    (tmp_path / "solutions/p/accepted/loop.py").symlink_to("loop.py")
    (tmp_path / "solutions/p/rejected").symlink_to("rejected")
    valid = ", ".join(f"`{name}`" for name in EXPECTATIONS)
    assert found_in(tmp_path) == [
        "solutions/p/accepted/deep: error: is a folder: a solution is a single file, move it one folder up",
        "solutions/p/accepted/gone.py: error: is a broken link",
        "solutions/p/accepted/loop.py: error: cannot be read: Too many levels of symbolic links",
        f"solutions/p/acepted: error: unknown folder `acepted`: did you mean `accepted`? Valid folders: {valid}",
        (
            "solutions/p/stray.py: error: not in a folder: "
            "move it into the folder of its expected verdict, such as `accepted`"
        ),
    ]


# ---- shipped problems ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("problem_id", problem_ids(SHIPPED))
def test_a_shipped_problem_has_no_errors(problem_id: str) -> None:
    problem = load_problem(SHIPPED, problem_id)
    assert problem.cases
    assert problem.reference in [solution.path for solution in problem.solutions]
