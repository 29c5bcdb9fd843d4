"""What each format expresses, and that the rest is reported."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from shutil import which

import pytest
import yaml
from msgspec.structs import replace

from judge.base.data import read_data
from judge.base.errors import DataError
from judge.model import CheckerConfig, Inline, Problem
from judge.packages.export.cases import checker_flags, legal_name
from judge.packages.export.export import export, short_name
from judge.packages.export.metadata import problem_uuid
from judge.packages.export.package import Package, Target
from judge.packages.export.statement import to_latex
from judge.preparation.cases import InvalidCase, ReadyCase, SkippedCase
from judge.problems.icpc.load import load_package
from judge.problems.native import load_problem
from judge.problems.statement import strip_samples
from tests.problems.icpc.packages import MINIMAL
from tests.problems.icpc.packages import write as write_package
from tests.repositories import make

BASE = "name: Sums\nprofile: icpc\nlimits: {time: 1.5 s, memory: 64 MiB}\n"
CASES = 'cases:\n- {name: one, input: "1 2\\n", answer: "3\\n", why: the least}\n'
FILES: Mapping[str, str | bytes | None] = {
    "problems/p/problem.yaml": BASE,
    "testcases/p/sample.yaml": CASES,
    "testcases/p/big.yaml": CASES,
    "solutions/p/wrong_answer/wrong.py": "print(0)",
    "solutions/p/accepted/right.py": "print(3)\n",
}


def data_of(problem: Problem) -> list[ReadyCase]:
    found = []
    for case in problem.cases:
        assert isinstance(case.input, Inline)
        assert isinstance(case.answer, Inline)
        found.append(ReadyCase(case=case, input=case.input.data, answer=case.answer.data))
    return found


def exported(root: Path, target: Target, files: Mapping[str, str | bytes | None] | None = None) -> Package:
    problem = load_problem(make(root, {**FILES, **(files or {})}), "p")
    return export(problem, data_of(problem), target)


def content(package: Package, name: str) -> dict[str, object]:
    found = yaml.safe_load(read_data(package.files[name]))
    assert isinstance(found, dict)
    return found


def test_the_layout_of_2025_09(tmp_path: Path) -> None:
    package = exported(tmp_path, Target.ICPC_2025_09, {"problems/p/statement.md": "# Sums\n\nAdd.\n"})
    assert sorted(package.files) == [
        "data/sample/one.ans",
        "data/sample/one.in",
        "data/sample/one.yaml",
        "data/secret/big-one.ans",
        "data/secret/big-one.in",
        "data/secret/big-one.yaml",
        "problem.yaml",
        "statement/problem.en.tex",
        "submissions/accepted/other.py",
        "submissions/accepted/right.py",
        "submissions/wrong_answer/wrong.py",
    ]
    found = content(package, "problem.yaml")
    assert found["limits"] == {"memory": 64, "output": 64, "time_limit": 1.5, "time_resolution": 0.5}
    assert found["uuid"] == problem_uuid("p")
    assert content(package, "data/sample/one.yaml") == {"description": "the least"}
    assert read_data(package.files["statement/problem.en.tex"]) == b"\\problemname{Sums}\n\nAdd.\n"


def test_domjudge_gets_the_time_limit_and_a_statement_as_text(tmp_path: Path) -> None:
    package = exported(tmp_path, Target.DOMJUDGE, {"problems/p/statement.md": "# Sums\n\nAdd.\n"})
    assert package.files["domjudge-problem.ini"] == b"timelimit='1.5'\n"
    assert package.files[".timelimit"] == b"1.5\n"
    assert package.files["problem_statement/problem.txt"] == b"Sums\n\nAdd.\n"
    assert "uuid" not in content(package, "problem.yaml")


def test_arguments_of_the_validator_are_those_of_a_folder_in_legacy(tmp_path: Path) -> None:
    files = {
        "problems/p/problem.yaml": BASE + "validator: validate.py\n",
        "testcases/p/dirty.yaml": f"validator_args: [--dirty, a b]\n{CASES}",
    }
    legacy = exported(tmp_path, Target.KATTIS, files)
    assert content(legacy, "data/secret/dirty/testdata.yaml") == {"input_validator_flags": "--dirty 'a b'"}
    assert "data/secret/dirty/one.in" in legacy.files
    new = exported(tmp_path, Target.ICPC_2025_09, files)
    assert content(new, "data/secret/dirty-one.yaml")["input_validator_args"] == ["--dirty", "a b"]


@pytest.mark.parametrize(
    ("files", "target", "loss"),
    [
        ({}, Target.KATTIS, "an input validator"),
        ({}, Target.KATTIS, "a statement"),
        ({"testcases/p/big.yaml": f"limits: {{time: 1 s}}\n{CASES}"}, Target.KATTIS, "the limits of 1 case"),
        ({"problems/p/problem.yaml": BASE + "checker: lines\n"}, Target.ICPC_2025_09, "the checker `lines`"),
        ({"solutions/p/brute_force/slow.py": ""}, Target.KATTIS, "brute_force/slow.py: the format has no folder"),
        ({"solutions/p/compile_error/bad.py": ""}, Target.ICPC_2025_09, "compile_error/bad.py: the format has no"),
        ({"problems/p/problem.yaml": BASE + "compile_flags: {c: [-O1]}\n"}, Target.KATTIS, "`compile_flags` of `c`"),
        (
            {
                "problems/p/problem.yaml": BASE + "checker: {program: Check.java, protocol: testlib}\n",
                "problems/p/Check.java": "",
            },
            Target.KATTIS,
            "the checker `Check.java`: it speaks the protocol of testlib",
        ),
    ],
)
def test_what_a_format_lacks_is_reported(
    files: Mapping[str, str | bytes | None], target: Target, loss: str, tmp_path: Path
) -> None:
    package = exported(tmp_path, target, files)
    assert any(loss in each for each in package.losses + package.breaking), package


def test_submissions_yaml_describes_folders_that_2025_09_lacks(tmp_path: Path) -> None:
    files = {"solutions/p/memory_limit_exceeded/m.py": "", "solutions/p/brute_force/b.py": ""}
    found = content(exported(tmp_path, Target.ICPC_2025_09, files), "submissions/submissions.yaml")
    assert found == {"memory_limit_exceeded/m.py": {"permitted": ["AC", "RTE"], "required": ["RTE"]}}


def test_domjudge_reads_an_annotation_where_no_folder_fits(tmp_path: Path) -> None:
    package = exported(tmp_path, Target.DOMJUDGE, {"solutions/p/brute_force/b.py": "pass"})
    expected = b"pass\n# @EXPECTED_RESULTS@: TIMELIMIT, RUN-ERROR\n"
    assert package.files["submissions/mixed/b.py"] == expected


def test_a_checker_becomes_the_output_validator(tmp_path: Path) -> None:
    files = {
        "problems/p/problem.yaml": BASE + "checker: {program: check.py, args: [-x]}\n",
        "problems/p/check.py": "",
    }
    legacy = exported(tmp_path, Target.KATTIS, files)
    assert "output_validators/validator/check.py" in legacy.files
    assert content(legacy, "problem.yaml")["validation"] == "custom"
    assert content(legacy, "problem.yaml")["validator_flags"] == "-x"
    new = exported(tmp_path, Target.ICPC_2025_09, files)
    assert "output_validator/check.py" in new.files
    assert content(new, "data/secret/test_group.yaml") == {"output_validator_args": ["-x"]}


# By the protocol of testlib; the output is the exit status. That in C++ may end without `return`.
OF_TESTLIB = {
    ".py": (
        "import sys\nwords = [open(name).read() for name in sys.argv[1:4]] or [sys.stdin.read()]\n"
        "print(*words)\nstatus = int(words[-2:][0])\n"
        "print('points 5' if status == 7 else 'said', file=sys.stderr)\nsys.exit(status)\n"
    ),
    ".cpp": (
        "#include <fstream>\n#include <iostream>\n#include <string>\n"
        "int main(int argc, char *argv[]) { std::string a, b, c; int status;\n"
        "if (argc < 4) { std::cin >> a; b = a; }\n"
        "else { std::ifstream(argv[1]) >> a; std::ifstream(argv[2]) >> b; std::ifstream(argv[3]) >> c; }\n"
        'status = std::stoi(b); std::cout << a << " " << b << " " << c << std::endl;\n'
        'std::cerr << (status == 7 ? "points 5" : "said"); if (status) std::exit(status); }\n'
    ),
}


@pytest.mark.parametrize(
    "suffix", [".py", pytest.param(".cpp", marks=pytest.mark.skipif(not which("g++"), reason="no g++ on this machine"))]
)
def test_programs_of_testlib_are_called_as_those_of_icpc(suffix: str, tmp_path: Path) -> None:
    programs = "".join(f"{role}: {{program: c{suffix}, protocol: testlib}}\n" for role in ("checker", "validator"))
    files = {"problems/p/problem.yaml": BASE + programs, f"problems/p/c{suffix}": OF_TESTLIB[suffix]}
    package = exported(tmp_path, Target.KATTIS, files)
    assert not package.breaking
    for folder, expected in (
        ("output_validators/validator", {0: 42, 1: 43, 2: 43, 8: 43, 3: 1, 7: 42, 6: 1}),
        ("input_validators/c", {0: 42, 1: 43, 3: 43}),
    ):
        source = tmp_path / f"adapted{suffix}"
        source.write_bytes(read_data(package.files[f"{folder}/c{suffix}"]))
        command = [sys.executable, str(source)]
        if suffix == ".cpp":
            command = [str(tmp_path / "adapted")]
            subprocess.run(["g++", "-O2", "-o", *command, str(source)], check=True)
        is_checker = folder.startswith("output")
        for status, wanted in expected.items():
            feedback = tmp_path / f"feedback-{status}"
            feedback.mkdir(exist_ok=True)
            for name, text in (("in", "given"), ("ans", "answer")):
                (tmp_path / name).write_text(text)
            paths = [f"{tmp_path}/in", f"{tmp_path}/ans", f"{feedback}/", "case_sensitive"] if is_checker else []
            ran = subprocess.run([*command, *paths], input=str(status), capture_output=True, text=True, check=False)
            words = ["given", str(status), "answer"] if is_checker else [str(status)] * (2 if suffix == ".cpp" else 1)
            assert (ran.returncode, ran.stdout.split()) == (wanted, words), ran.stderr
            if is_checker:
                said = "points 5" if status == 7 else "said"
                assert (feedback / "judgemessage.txt").read_text().strip() == said
                assert {each.name for each in feedback.iterdir()} == {
                    "judgemessage.txt",
                    *["score.txt"] * (status == 7),
                }


def test_an_interactor_of_testlib_decides_alone_and_takes_the_users_header(tmp_path: Path) -> None:
    program = '#include "testlib.h"\nint main() {}\n'
    interactor = {"problems/p/problem.yaml": f"{BASE}interactor: {{program: c.cpp, protocol: testlib}}\n"}
    (tmp_path / "testlib.h").write_text("// mine\n")
    problem = load_problem(make(tmp_path, {**FILES, **interactor, "problems/p/c.cpp": program}), "p")
    package = export(problem, data_of(problem), Target.ICPC_2025_09, tmp_path / "testlib.h")
    assert read_data(package.files["output_validator/testlib.h"]) == b"// mine\n"
    assert program.encode() in read_data(package.files["output_validator/c.cpp"])
    assert not package.breaking
    checked = interactor | {
        "problems/p/problem.yaml": interactor["problems/p/problem.yaml"]
        + "checker: {program: d.cpp, protocol: testlib}\n"
    }
    problem = load_problem(make(tmp_path, {**FILES, **checked, "problems/p/d.cpp": program}), "p")
    assert "a checker judges what it leaves" in export(problem, data_of(problem), Target.KATTIS).breaking[0]


def test_subtasks_become_test_groups(tmp_path: Path) -> None:
    files = {
        "problems/p/problem.yaml": BASE + "subtasks: {small: 30, big: {points: 70, requires: small}}\n",
        "testcases/p/small.yaml": CASES,
    }
    new = exported(tmp_path, Target.ICPC_2025_09, files)
    assert content(new, "data/secret/test_group.yaml") == {"max_score": 100, "score_aggregation": "sum"}
    assert content(new, "data/secret/2-big/test_group.yaml") == {
        "max_score": 70,
        "score_aggregation": "pass-fail",
        "require_pass": ["secret/1-small"],
    }
    assert content(new, "problem.yaml")["type"] == "scoring"
    legacy = exported(tmp_path, Target.KATTIS, files)
    assert content(legacy, "data/testdata.yaml")["grader_flags"] == "ignore_sample"
    assert content(legacy, "data/sample/testdata.yaml")["grader_flags"] == "first_error"
    assert content(legacy, "data/secret/1-small/testdata.yaml") == {
        "range": "0 30",
        "on_reject": "break",
        "accept_score": 30,
        "grader_flags": "min",
    }
    assert any("`requires` of the subtask `big`" in each for each in legacy.losses)


def test_domjudge_gives_the_points_of_a_subtask_for_all_its_cases(tmp_path: Path) -> None:
    files = {
        "problems/p/problem.yaml": BASE + "subtasks: {big: {points: 60, aggregation: sum}}\n",
        "testcases/p/big.yaml": CASES + CASES.removeprefix("cases:\n").replace("one", "two"),
    }
    group = "data/secret/big/testdata.yaml"
    assert content(exported(tmp_path / "kattis", Target.KATTIS, files), group)["accept_score"] == 30
    package = exported(tmp_path / "domjudge", Target.DOMJUDGE, files)
    assert content(package, group)["accept_score"] == 60
    assert "the points of single cases of `big`: the group has all or none" in package.losses


@pytest.mark.parametrize(
    ("types", "written", "validation"),
    [
        ("scoring", "scoring", "custom"),
        ("scoring interactive", "scoring", "custom interactive"),
        ("multi-pass", None, "custom multi-pass"),
        ("interactive multi-pass", "multi-pass", "custom interactive"),
    ],
)
def test_domjudge_knows_three_kinds_of_validation(
    types: str, written: str | None, validation: str, tmp_path: Path
) -> None:
    files = {
        "problem.yaml": f"problem_format_version: 2025-09\nname: X\ntype: [{types.replace(' ', ', ')}]\n"
        "limits: {time_limit: 1, validation_passes: 7}\n",
        "output_validator/v.py": "",
    }
    problem, _ = load_package(write_package(tmp_path / "sum", {**MINIMAL, **files}), root_for_display=tmp_path)
    found = content(export(problem, [], Target.DOMJUDGE), "problem.yaml")
    assert (found.get("type"), found["validation"]) == (written, validation)
    limits = found["limits"]
    assert isinstance(limits, dict)
    assert limits.get("validation_passes") == (7 if "multi-pass" in types else None)


def test_a_package_is_converted(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "name: Sum\nauthor: A and B\nlimits: {memory: 512, validation_time: 5}\n"
        "validator_flags: case_sensitive\n",
        ".timelimit": "3",
        "input_validators/v.py": "",
        "problem_statement/problem.tex": "\\problemname{Sum}",
        "submissions/time_limit_exceeded/slow.py": "",
    }
    folder = write_package(tmp_path / "sum", {**MINIMAL, **files})
    problem, _ = load_package(folder, root_for_display=tmp_path)
    cases = [ReadyCase(case=case, input=b"1 2\n", answer=b"3\n") for case in problem.cases]
    package = export(problem, cases, Target.ICPC_2025_09)
    assert {"data/sample/1.in", "data/secret/1.ans", "input_validators/v.py", "statement/problem.en.tex"} <= set(
        package.files
    )
    found = content(package, "problem.yaml")
    assert found["credits"] == {"authors": ["A", "B"]}
    limits = {"memory": 512, "validation_time": 5, "validation_memory": 2048, "validation_output": 64}
    assert content(package, "problem.yaml")["limits"].items() >= limits.items()  # type: ignore[attr-defined]
    assert content(package, "data/secret/test_group.yaml") == {"output_validator_args": ["case_sensitive"]}
    # In legacy such a submission may be wrong on other cases, in 2025-09 it may not.
    assert content(package, "submissions/submissions.yaml") == {
        "unspecified/slow.py": {
            "permitted": ["AC", "WA", "TLE"],
            "required": ["TLE"],
        }  # the folder's own rules hold, too
    }
    assert any("all cases count and not the first that fails" in each for each in package.notes)


COPIED: Mapping[str, str | bytes | None] = {
    **MINIMAL,
    "problem.yaml": "# mine\nname: X\nlimits: {time_limit: 1, later: 2}\nnot_known: 1\nuuid: u-1",
    "submissions/wrong_answer/w.py": "",
    "submissions/rejected/r.py": "",
    "submissions/mine/notes.txt": "n",
    "data/invalid_input/z.in": "z\n",
    "data/secret/group/testdata.yaml": "not_known: 1\n",
    "input_validators/v.py": "",
    "README.md": "r",
}


@pytest.mark.parametrize(
    ("files", "target"),
    [
        (
            {
                "problem.yaml": "problem_format_version: 2025-09\nname: X\nlimits: {time_limit: 1}\n# x\nmore: 1\n",
                "submissions/submissions.yaml": "wrong_answer: {permitted: [AC, WA, RTE]}\n",
                "data/secret/test_group.yaml": "input_validator_args: {v: [-x]}\nmore: 1\n",
                "data/secret/1.yaml": "more: 1\n",
                "answer_validators/v.py": "",
            },
            Target.ICPC_2025_09,
        ),
        ({}, Target.ICPC_LEGACY),
        ({}, Target.DOMJUDGE),
        ({"problem.yaml": "name: X\nnot_known: 1"}, Target.KATTIS),
    ],
)
def test_a_package_of_the_same_format_is_copied(
    files: Mapping[str, str | bytes | None], target: Target, tmp_path: Path
) -> None:
    folder = write_package(tmp_path / "sum", {**COPIED, ".hidden": "", **files})
    left_out = [folder / name for name in ("sum.zip", "notes~")]
    for path in left_out:
        path.touch()
    problem, _ = load_package(folder, root_for_display=tmp_path)
    made = replace(problem.cases[0], name="made", group="secret")
    cases = [ReadyCase(case=each, input=b"new", answer=b"new") for each in (*problem.cases, made)]
    package = export(problem, cases, target)
    kept = {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("[!.]*") if each.is_file()}
    kept = {name: data for name, data in kept.items() if folder / name not in left_out}
    if target is Target.KATTIS:
        kept["problem.yaml"] += f"\nuuid: {problem_uuid('sum')}\n".encode()
    found = {name: read_data(data) for name, data in package.files.items()}
    added = {"data/secret/made.in", "data/secret/made.ans", ".timelimit", "domjudge-problem.ini"}
    assert kept.items() <= found.items()
    assert found.keys() - kept.keys() <= added
    assert found["data/secret/made.in"] == b"new"
    assert (package.cases, package.submissions) == (len(problem.cases) + 1, len(problem.solutions))
    assert package.breaking == []
    assert all("DOMjudge shows" in each for each in package.losses)


def test_what_legacy_lacks_of_2025_09_is_reported(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "problem_format_version: 2025-09\nname: X\nlimits: {time_limit: 1}\n",
        "data/invalid_input/z.in": "z\n",
        "data/secret/test_group.yaml": "input_validator_args: {v: [-x]}\n",
        "input_validators/v.py": "",
    }
    problem, _ = load_package(write_package(tmp_path / "sum", {**MINIMAL, **files}), root_for_display=tmp_path)
    losses = export(problem, [], Target.KATTIS).losses
    assert "arguments of single input validators: only those of all are written" in losses
    assert "the folder `data/invalid_input`: not in this format" in losses


@pytest.mark.parametrize(
    ("text", "target", "lost"),
    [
        ("type: multi-pass\n", Target.POLYGON, "the type `multi-pass`"),
        ("type: multi-pass\n", Target.KATTIS, "the type `multi-pass`"),
        ("type: submit-answer\n", Target.DOMJUDGE, "the type `submit-answer`"),
        ("constants: {max: 5}\n", Target.KATTIS, "the constants in sources"),
        ("constants: {max: 5}\n", Target.POLYGON, "the constants in sources"),
        ("", Target.KATTIS, "the folder `static_validator`"),
    ],
)
def test_what_makes_a_package_judge_otherwise_is_an_error(text: str, target: Target, lost: str, tmp_path: Path) -> None:
    head = "problem_format_version: 2025-09\nname: X\nlimits: {time_limit: 1}\n"
    files = {
        "problem.yaml": head + text,
        "output_validator/v.py": "",
        "static_validator/v.py": "" if not text else None,
    }
    problem, _ = load_package(write_package(tmp_path / "sum", {**MINIMAL, **files}), root_for_display=tmp_path)
    assert any(each.startswith(lost) for each in export(problem, [], target).breaking)


def test_submissions_of_the_same_name_stay_apart(tmp_path: Path) -> None:
    """In 2025-09, folders that promise nothing are one."""
    folders = ("run_time_error", "time_limit_exceeded")
    files = {f"submissions/{folder}/sol/{name}.py": "" for folder in folders for name in ("main", folder[0])} | {
        **{f"submissions/{folder}/a.py": "" for folder in folders},
        "problem.yaml": "name: X\nlimits: {time_limit: 1}\n",
    }
    problem, _ = load_package(write_package(tmp_path / "sum", {**MINIMAL, **files}), root_for_display=tmp_path)
    package = export(problem, [], Target.ICPC_2025_09)
    assert {name for name in package.files if name.startswith("submissions/unspecified/")} == {
        f"submissions/unspecified/{name}"
        for name in ("a.py", "a-2/a.py", "sol/main.py", "sol/t.py", "sol-2/main.py", "sol-2/r.py")
    }


def test_submissions_of_2023_07_are_copied_to_2025_09(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "problem_format_version: 2023-07-draft\nname: X\nlimits: {time_limit: 1}\n",
        "submissions/rejected/r.py": "",
        "submissions/submissions.yaml": 'rejected/r.py: {"secret/{a,b}*": {required: [RTE]}}\n',
    }
    problem, _ = load_package(write_package(tmp_path / "sum", {**MINIMAL, **files}), root_for_display=tmp_path)
    package = export(problem, [], Target.ICPC_2025_09)
    assert {"submissions/rejected/r.py", "submissions/submissions.yaml"} <= package.files.keys()
    assert package.submissions == len(problem.solutions)


def test_only_a_checker_that_gives_scores_is_declared_so(tmp_path: Path) -> None:
    files = {"output_validators/v.py": "", ".timelimit": "1", "data/secret/testdata.yaml": "range: 0 1234564\n"}
    for validation in ("custom", "custom score"):
        text = f"name: Sum\ntype: scoring\nvalidation: {validation}\n"
        folder = write_package(tmp_path / validation.replace(" ", ""), {**MINIMAL, **files, "problem.yaml": text})
        problem, _ = load_package(folder, root_for_display=tmp_path)
        package = export(problem, [], Target.KATTIS)
        assert content(package, "problem.yaml")["validation"] == validation
        assert content(package, "data/secret/testdata.yaml")["range"] == "0 1234564"


SCORED: Mapping[str, str | bytes | None] = {**MINIMAL, "problem.yaml": "name: Sum\ntype: scoring\n"}


def test_a_package_with_scores_keeps_its_time_limit_in_legacy(tmp_path: Path) -> None:
    files = {".timelimit": "3", "data/secret/testdata.yaml": "accept_score: 25"}
    folder = write_package(tmp_path / "sum", {**SCORED, **files})
    problem, _ = load_package(folder, root_for_display=tmp_path)
    package = export(problem, [], Target.KATTIS)
    assert package.files[".timelimit"] == b"3\n"
    assert content(package, "data/secret/testdata.yaml")["accept_score"] == 25


@pytest.mark.parametrize(
    ("files", "target"), [({"domjudge-problem.ini": "timelimit = 3"}, Target.KATTIS), ({}, Target.DOMJUDGE)]
)
def test_scores_of_domjudge_and_of_legacy_are_not_converted(
    files: Mapping[str, str | bytes | None], target: Target, tmp_path: Path
) -> None:
    files = {**SCORED, **files, "data/secret/testdata.yaml": "accept_score: 25"}
    problem, _ = load_package(write_package(tmp_path / "sum", files), root_for_display=tmp_path)
    package = export(problem, [], target)
    assert any("the scores of the test groups: the rules" in each for each in package.breaking)


def test_a_draft_with_the_groups_of_legacy_keeps_their_scores(tmp_path: Path) -> None:
    groups: dict[str, dict[str, object]] = {
        "data": {"on_reject": "continue", "range": "0 40", "grader_flags": "ignore_sample"},
        "data/secret": {"on_reject": "continue", "grader_flags": "first_error accept_if_any_accepted"},
        "data/secret/one": {"accept_score": 40, "grader_flags": "min"},
    }
    files = {f"{folder}/testdata.yaml": yaml.safe_dump(values) for folder, values in groups.items()}
    problem_yaml = (
        "problem_format_version: 2023-07-draft\nname: Sum\ntype: scoring\n"
        "credits: {authors: [Ada, {name: Grace, email: g@example.org}], testers: Alan}\n"
    )
    files |= {"data/secret/one/1.in": "1 2\n", "data/secret/one/1.ans": "3\n", "problem.yaml": problem_yaml}
    problem, _ = load_package(write_package(tmp_path / "sum", {**MINIMAL, **files}), root_for_display=tmp_path)
    ready = [ReadyCase(case=case, input=b"1 2\n", answer=b"3\n") for case in problem.cases]
    package = export(problem, ready, Target.ICPC_LEGACY)
    for folder, values in groups.items():
        assert content(package, f"{folder}/testdata.yaml") == values
    assert content(package, "problem.yaml")["author"] == "Ada, Grace"
    assert "`testers` in `credits` of problem.yaml: not in this format" in package.losses
    assert not package.breaking


def test_skipped_data_is_a_loss_and_wrong_data_an_error(tmp_path: Path) -> None:
    problem = load_problem(make(tmp_path, FILES), "p")
    first = problem.cases[0]
    package = export(problem, [SkippedCase(case=first, reason="not on this machine")], Target.KATTIS)
    assert "case `sample/one`: not on this machine" in package.losses
    with pytest.raises(DataError, match="is not a number"):
        export(problem, [InvalidCase(first, "is not a number")], Target.KATTIS)


@pytest.mark.parametrize(
    ("checker", "flags"),
    [
        (CheckerConfig(), ()),
        (CheckerConfig(name="exact"), ("case_sensitive", "space_change_sensitive")),
        (
            CheckerConfig(float_absolute_tolerance=1e-6, float_relative_tolerance=1e-6),
            ("float_tolerance", "1e-06"),
        ),
        (CheckerConfig(float_relative_tolerance=0.5), ("float_relative_tolerance", "0.5")),
    ],
)
def test_a_checker_as_flags(checker: CheckerConfig, flags: tuple[str, ...]) -> None:
    assert checker_flags(checker) == flags


def test_names_that_formats_allow() -> None:
    assert [legal_name(each) for each in ("a+b", ".x", "testdata", "ok-1.2")] == ["a_b", "_.x", "testdata_", "ok-1.2"]
    assert [short_name(each) for each in ("my_problem-2", "_")] == ["myproblem2", "problem"]


def test_links_are_replaced_by_what_they_lead_to(tmp_path: Path) -> None:
    """Within the repository, as where packages are read; a source that cannot be copied breaks the package."""
    (tmp_path / "secret").write_text("x")
    folder = tmp_path / "contest/p"
    (folder / "form").mkdir(parents=True)
    (tmp_path / "contest/.git").mkdir()
    (tmp_path / "contest/read.h").write_text("shared")
    for name, target in (
        ("out.h", "../../secret"),
        ("form/read.h", "../../read.h"),
        ("again", "form"),
        ("form/loop", ".."),
        ("far", "../.."),
    ):
        (folder / name).symlink_to(target)
    package = Package(target=Target.KATTIS, name="p")
    assert package.copy(folder, "include") == 2
    assert {name: read_data(data) for name, data in package.files.items()} == dict.fromkeys(
        ("include/form/read.h", "include/again/read.h"), b"shared"
    )
    contest = tmp_path / "contest"
    assert package.breaking == [f"`include/out.h`: is a link that leads out of the repository or contest {contest}"]
    assert package.copy(folder / "out.h", "attachments/out.h") == 0
    assert len(package.losses) == 1


NEW = "problem_format_version: 2025-09\nname: Sum\nuuid: u-1\nlimits: {code: 9}\n"
OLD = "name: Sum\nuuid: u-1\nlimits: {code: 9}\n"


@pytest.mark.parametrize(
    ("files", "target", "kept", "loss"),
    [
        (
            {
                "problem.yaml": NEW,
                "data/secret/1.yaml": "full_feedback: true\nhint: H\n",
                "data/secret/test_group.yaml": "full_feedback: false\n",
                "data/sample/1.in.statement": "S",
            },
            Target.ICPC_2025_09,
            ["data/secret/1.yaml", "data/secret/test_group.yaml", "data/sample/1.in.statement"],
            "",
        ),
        (
            {"problem.yaml": NEW, "data/secret/1.yaml": "hint: H\n", "data/sample/1.in.statement": "S"},
            Target.KATTIS,
            ["data/secret/1.hint=H\n"],
            "`data/sample/1.in.statement`: not in this format",
        ),
        ({"problem.yaml": NEW, "data/secret/1.yaml": "full_feedback: true\n"}, Target.KATTIS, [], "`full_feedback` of"),
        ({"problem.yaml": OLD, "data/secret/1.hint": "H\n"}, Target.DOMJUDGE, ["data/secret/1.hint"], ""),
        ({"problem.yaml": OLD, "data/secret/1.hint": "H\n"}, Target.ICPC_2025_09, ["data/secret/1.yaml=hint: H\n"], ""),
        (
            {"problem.yaml": OLD, "data/testdata.yaml": "on_reject: continue\n"},
            Target.ICPC_LEGACY,
            ["data/testdata.yaml"],
            "",
        ),
    ],
)
def test_what_is_for_contestants_survives(
    files: Mapping[str, str], target: Target, kept: list[str], loss: str, tmp_path: Path
) -> None:
    files = {"data/sample/2.interaction": "<1\n>2\n", "data/secret/1.png": "P", **files}
    folder = write_package(tmp_path / "sum", {**MINIMAL, **files})
    problem, _ = load_package(folder, root_for_display=tmp_path)
    package = export(problem, [ReadyCase(case=each, input=b"", answer=b"") for each in problem.cases], target)
    for each in ("data/sample/2.interaction", "data/secret/1.png", *kept):
        name, _, text = each.partition("=")
        assert read_data(package.files[name]).decode() == (text or files[name])
    metadata = content(package, "problem.yaml")
    limits = metadata["limits"]
    assert isinstance(limits, dict)
    assert (metadata["uuid"], limits["code"]) == ("u-1", 9)
    assert any(loss in each for each in package.losses) or not loss


@pytest.mark.parametrize(
    ("given", "titles", "expected"),
    [
        ("{fr: Pomme, de: Apfel}", {"fr": "A", "de": "B"}, {"fr": "Pomme", "de": "Apfel"}),
        ("{en: A, fr: B}", {"en": "", "fr": ""}, {"en": "A", "fr": "B"}),
        ("Pomme", {"fr": ""}, {"fr": "Pomme"}),
        ("Apple", {"en": "Other", "fr": "Pomme"}, {"en": "Apple", "fr": "Pomme"}),
        ("Apple", {"en": "Other"}, "Apple"),
        ("", {"de": "Apfel", "fr": "Pomme"}, {"de": "Apfel", "fr": "Pomme"}),
    ],
)
def test_names_are_in_the_languages_of_statements(
    given: str, titles: Mapping[str, str], expected: object, tmp_path: Path
) -> None:
    statements = {
        f"problem_statement/problem.{each}.tex": f"\\problemname{{{title}}}\n" if title else "x"
        for each, title in titles.items()
    }
    files = {**MINIMAL, "problem.yaml": f"name: {given}\n", **statements}
    problem, _ = load_package(write_package(tmp_path / "sum", files), root_for_display=tmp_path)
    assert content(export(problem, [], Target.ICPC_2025_09), "problem.yaml")["name"] == expected


STATEMENT = """\
# Sums

Add *two* numbers of at most `10_0` & $x^2$.

## Input

- one
- two

| a | b |
|---|---|
| 1 | #2 |

## Sample input

```
1 2
```

## Sample output

```
3
```

The sum of 1 and 2.
"""


def test_a_statement_loses_its_title_and_samples() -> None:
    text = strip_samples(STATEMENT)
    assert "Sums" not in text
    assert "1 2\n" not in text
    assert text.endswith("## Explanation of the sample\n\nThe sum of 1 and 2.\n")
    assert strip_samples("") == "\n"


@pytest.mark.parametrize("label", ["Input:", "**Output**:", "Sample input 1:", "_Example output_"])
def test_the_labels_of_samples_are_no_explanation(label: str) -> None:
    assert strip_samples(f"# Sums\n\nAdd.\n\n## Sample\n\n{label}\n\n```\n1 2\n```\n") == "Add.\n"


def test_the_dialogue_of_an_interactive_problem_stays() -> None:
    text = "Guess.\n\n## Sample\n\n```\nyou: 5\n```\n"
    assert strip_samples(text, keeps_samples=True) == text


def test_markdown_becomes_latex() -> None:
    latex = to_latex(strip_samples(STATEMENT), "Sums & more")
    for part in (
        r"\problemname{Sums \& more}",
        r"Add \emph{two} numbers of at most \texttt{10\_0} \& $x^2$.",
        r"\section*{Input}",
        "\\begin{itemize}\n\\item one\n\\item two\n\\end{itemize}",
        r"1 & \#2 \\ \hline",
    ):
        assert part in latex
