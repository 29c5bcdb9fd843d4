"""`judge check PACKAGE`: what it reports of small packages, each finding with its rule."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from judge.cli.main import run_cli
from judge.problems.icpc.load import load_package
from judge.problems.icpc.package_files import read_package_files
from judge.problems.icpc.package_rules import check_rules
from tests.parameters import first_of, with_thorough
from tests.problems.icpc.packages import write

CapSys = pytest.CaptureFixture[str]
Files = Mapping[str, str | bytes | None]

INPUT_VALIDATOR = """\
import re, sys
text = sys.stdin.read()
if len(sys.argv) > 1 and sys.argv[1] not in text:
    sys.exit(f"expected {sys.argv[1]}")
sys.exit(42 if re.fullmatch(r"(0|[1-9]\\d*) (0|[1-9]\\d*)\\n", text) else 43)
"""
OUTPUT_VALIDATOR = """\
import sys
answer = open(sys.argv[2]).read()
output = sys.stdin.read()
if output != answer:
    open(sys.argv[3] + "judgemessage.txt", "w").write("not the sum")
sys.exit(42 if output == answer else 43)
"""
YAML = """\
problem_format_version: 2025-09
name: Sum
uuid: 7d4bd5a5-3b9f-4d6c-9d5e-0c1a4dbb1f57
license: cc by-sa
credits: Ada Author
limits: {time_limit: 1}
"""
COMPLETE: Mapping[str, str | bytes | None] = {
    "problem.yaml": YAML,
    "statement/problem.en.md": "Add.\n",
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
    "data/secret/1.in": "2 3\n",
    "data/secret/1.ans": "5\n",
    "input_validators/v.py": INPUT_VALIDATOR,
    "submissions/accepted/sum.py": "print(sum(map(int, input().split())))\n",
}
SELF_TESTS: Mapping[str, str | bytes | None] = {
    "data/invalid_input/letters.in": "a b\n",
    "data/invalid_output/wrong.in": "1 1\n",
    "data/invalid_output/wrong.ans": "2\n",
    "data/invalid_output/wrong.out": "3\n",
    "data/valid_output/right.in": "1 1\n",
    "data/valid_output/right.ans": "2\n",
    "data/valid_output/right.out": "2\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def check(*names: str, capsys: CapSys) -> tuple[int, str]:
    status = run_cli(("check", *names))
    captured = capsys.readouterr()
    return status, captured.out + captured.err


def found(folder: Path, files: Files, capsys: CapSys) -> tuple[int, dict[str, list[str]]]:
    """Check a package; return the exit status, and the findings by rule as `severity file: reason`."""
    write(folder / "sum", {**COMPLETE, **files})
    status, out = check("sum", "--format", "json", capsys=capsys)
    rules: dict[str, list[str]] = {}
    for each in json.loads(out)["packages"][0]["findings"]:
        rules.setdefault(each["rule"], []).append(f"{each['severity']} {each['file']}: {each['reason']}")
    return status, rules


def test_a_complete_package_is_clean(folder: Path, capsys: CapSys) -> None:
    write(folder / "sum", {**COMPLETE, **SELF_TESTS})
    summary = "sum: 0 errors, 0 warnings (1 validator, 2 inputs, 2 answers, 3 validator tests;"
    assert check("sum", capsys=capsys)[0] == 0
    status, out = check("sum", capsys=capsys)  # from the cache
    assert (status, out.startswith(summary)) == (0, True), out
    before = sorted(path for path in (folder / "sum").rglob("*") if path.is_file())
    assert before == sorted(folder / "sum" / name for name in (*COMPLETE, *SELF_TESTS))


RUNS: list[tuple[str, Files, str]] = [
    ("valid-input", {"data/secret/2.in": "01 2\n", "data/secret/2.ans": "3\n"}, "error sum/data/secret/2.in"),
    ("valid-input", {"data/sample/1.yaml": "input_validator_args: ['9']"}, "error sum/data/sample/1.in"),
    ("valid-input", {"data/sample/1.yaml": "input_validator_args: {v: ['9']}"}, "error sum/data/sample/1.in"),
    ("valid-input", {"data/sample/1.yaml": "args: ['9']"}, "error sum/data/sample/1.in"),
    ("valid-input", {**SELF_TESTS, "data/valid_output/right.in": "x\n"}, "error sum/data/valid_output/right.in"),
    ("invalid-input", {"data/invalid_input/ok.in": "1 2\n"}, "error sum/data/invalid_input/ok.in"),
    (
        "invalid-output",
        {**SELF_TESTS, "data/invalid_output/wrong.out": "2\n"},
        "error sum/data/invalid_output/wrong.out",
    ),
    ("valid-output", {**SELF_TESTS, "data/valid_output/right.out": "1\n"}, "error sum/data/valid_output/right.out"),
    ("rejected-sample-output", {"data/sample/1.out": "4\n"}, "error sum/data/sample/1.out"),
    (
        "validator-failure",
        {"input_validators/v.py": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"},
        "error sum/data/sample/1.in",
    ),
    ("weak-input-validator", {"input_validators/v.py": "raise SystemExit(42)\n"}, "warning sum/input_validators"),
    (
        "weak-output-validator",
        {"output_validator/v.py": "raise SystemExit(42)\n"},
        "warning sum/output_validator/v.py",
    ),
    (
        "rejected-answer",
        {"output_validator/v.py": OUTPUT_VALIDATOR.replace("output == answer", "output < answer")},
        "error sum/data/sample/1.ans",
    ),
    ("duplicate-input", {"data/secret/2.in": "2 3\n", "data/secret/2.ans": "5\n"}, "warning sum/data/secret/2.in"),
    ("valid-answer", {"answer_validators/a.py": "raise SystemExit(43)\n"}, "error sum/data/sample/1.ans"),
    (
        "valid-answer",
        {
            "answer_validators/a.py": "import sys\nsys.exit(42 if sys.argv[2:] == ['x'] else 43)\n",
            "data/sample/test_group.yaml": "answer_validator_args: {a.py: [x]}",
        },
        "error sum/data/secret/1.ans",
    ),
]


def one_per_rule(rows: list[tuple[str, Files, str]]) -> list[Any]:
    """Return the rows as parameters; by default, only the first one of each rule runs."""
    return with_thorough(rows, [row for at, row in enumerate(rows) if row[0] in {each[0] for each in rows[:at]}])


@pytest.mark.parametrize(
    ("rule", "files", "expected"), one_per_rule(RUNS), ids=[f"{rule}-{i}" for i, (rule, *_) in enumerate(RUNS)]
)
def test_a_run_that_contradicts_the_package_is_reported(
    rule: str, files: Files, expected: str, folder: Path, capsys: CapSys
) -> None:
    status, rules = found(folder, files, capsys)
    assert any(each.startswith(f"{expected}: ") for each in rules.get(rule, [])), rules
    assert status == any(each.startswith("error") for findings in rules.values() for each in findings)


def test_an_input_of_the_package_is_not_meaningless(folder: Path, capsys: CapSys) -> None:
    accepting = {"input_validators/v.py": "raise SystemExit(42)\n"}
    _, before = found(folder, accepting, capsys)
    _, after = found(folder, {**accepting, "data/secret/2.in": "", "data/secret/2.ans": "0\n"}, capsys)
    assert any("an empty file" in each for each in before["weak-input-validator"])
    assert not any("an empty file" in each for each in after["weak-input-validator"])


SCORE = "open(sys.argv[3] + 'score.txt', 'w').write('1')\n"


@pytest.mark.parametrize(
    ("validation", "score", "expected"),
    first_of(
        [
            ("custom", f"if output == answer: {SCORE}", ["writes score.txt, but `validation` does not say `score`"]),
            ("custom score", "", ["accepts an output without score.txt, but `validation` says `score`"]),
            ("custom score", f"if output == answer: {SCORE}", []),
            ("custom", "", []),
            ("custom score", SCORE, ["writes score.txt for an output that it rejects"]),
            ("custom interactive score", SCORE, ["writes score.txt for an output that it rejects"]),
            ("custom interactive score", f"if output == answer: {SCORE}", []),
        ],
        1,
    ),
)
def test_a_legacy_validator_writes_scores_if_it_says_so(
    validation: str, score: str, expected: list[str], folder: Path, capsys: CapSys
) -> None:
    code = OUTPUT_VALIDATOR.replace("if output", f"{score}if output", 1)
    files: Files = {
        "problem.yaml": f"name: Sum\ntype: scoring\nvalidation: {validation}\n",
        "output_validators/v.py": code,
    }
    for _ in range(2):  # from the cache, too
        _, rules = found(folder, files, capsys)
        place = "warning sum/output_validators/v.py"
        assert rules.get("score-file", []) == [f"{place}: {each}: a judge error at Kattis" for each in expected]


ANSWER_IS_NO_OUTPUT = """\
import sys
sys.exit(42 if sys.stdin.read() == "ok" else 43)
"""


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", [".out", ".ans.statement", ".ans.download", ".interaction"])
def test_an_answer_that_teams_do_not_see_need_not_be_an_output(suffix: str, folder: Path, capsys: CapSys) -> None:
    files: Files = {"output_validator/v.py": ANSWER_IS_NO_OUTPUT, f"data/sample/1{suffix}": "ok"}
    status, rules = found(folder, files, capsys)
    assert (status, [each.partition(": ")[0] for each in rules["rejected-answer"]]) == (
        0, ["warning sum/data/secret/1.ans"]
    )  # fmt: skip
    legacy: Files = {"problem.yaml": "name: Sum\nvalidation: custom\n", "output_validators/v.py": ANSWER_IS_NO_OUTPUT}
    _, rules = found(folder, {**files, **legacy, "output_validator/v.py": None}, capsys)
    assert [each.partition(": ")[0] for each in rules["rejected-answer"]] == [
        "error sum/data/sample/1.ans", "warning sum/data/secret/1.ans"
    ]  # fmt: skip


@pytest.mark.thorough
def test_answers_of_bapctools_may_be_no_outputs(folder: Path, capsys: CapSys) -> None:
    files: Files = {"output_validator/v.py": ANSWER_IS_NO_OUTPUT, "problem.yaml": f"{YAML}ans_is_output: false\n"}
    status, rules = found(folder, files, capsys)
    assert (status, rules) == (0, {})
    status, rules = found(folder, {**files, "data/sample/1.out": "no"}, capsys)
    assert (status, list(rules)) == (1, ["rejected-sample-output"])


@pytest.mark.thorough
def test_an_output_validator_that_crashes_on_a_malformed_output_is_reported(folder: Path, capsys: CapSys) -> None:
    validator = """\
import sys
output, answer = sys.stdin.read().split(), open(sys.argv[2]).read().split()
sys.exit(42 if len(output) == 1 and len(output[0]) < 20 and 1 / float(output[0]) == 1 / int(answer[0]) else 43)
"""
    status, rules = found(folder, {"output_validator/v.py": validator}, capsys)
    (message,) = rules["validator-failure"]
    expected = "error sum/output_validator/v.py: fails on malformed outputs, such as `0`, `a`, `(()`, "
    assert (status, message.startswith(expected)) == (1, True), message
    assert "ZeroDivisionError" in message
    careful = validator.replace(" and 1 / float(output[0]) == 1 / int(answer[0])", " and output == answer")
    status, rules = found(folder, {"output_validator/v.py": careful}, capsys)
    assert (status, rules) == (0, {})


FILES: list[tuple[str, Files, str]] = [
    ("missing-statement", {"statement/problem.en.md": None}, "error"),
    ("missing-input-validator", {"input_validators/v.py": None}, "error"),
    ("missing-accepted-submission", {"submissions/accepted/sum.py": None}, "error"),
    ("missing-secret-case", {"data/secret/1.in": None, "data/secret/1.ans": None}, "error"),
    ("missing-sample", {"data/sample/1.in": None, "data/sample/1.ans": None}, "warning"),
    ("missing-uuid", {"problem.yaml": YAML.replace("uuid", "keywords")}, "error"),
    ("missing-uuid", {"problem.yaml": "name: Sum\n"}, "warning"),
    (
        "ignore-sample",
        {"problem.yaml": "name: Sum\ntype: scoring\n", "data/testdata.yaml": "grader_flags: ignore_sample\n"},
        "error",
    ),
    (
        "hidden-groups",
        {"problem.yaml": "name: Sum\ntype: scoring\n", "data/secret/a/2.in": "2 3\n", "data/secret/a/2.ans": "5\n"},
        "warning",
    ),
    (
        "score-range",
        {"problem.yaml": "name: Sum\ntype: scoring\n", "data/secret/testdata.yaml": "accept_score: 40\nrange: 0 30\n"},
        "error",
    ),
    ("invalid-uuid", {"problem.yaml": YAML.replace("-0c1a4dbb1f57", "")}, "error"),
    ("missing-name", {"problem.yaml": YAML.replace("name: Sum\n", "")}, "error"),
    ("missing-rights-owner", {"problem.yaml": YAML.replace("credits", "keywords")}, "error"),
    ("unknown-license", {"problem.yaml": YAML.replace("cc by-sa", "unknown")}, "warning"),
    ("name-language", {"statement/problem.sv.md": ""}, "error"),
    ("line-ends", {"data/secret/1.ans": "5\r\n"}, "warning"),
    ("final-newline", {"data/secret/1.ans": "5"}, "warning"),
    ("byte-order-mark", {"data/secret/1.ans": b"\xef\xbb\xbf5\n"}, "warning"),
    ("encoding", {"data/secret/1.ans": b"\xff\n"}, "warning"),
    ("file-name", {"attachments/a b.txt": ""}, "warning"),
    (
        "max-score",
        {
            "problem.yaml": f"{YAML}type: scoring\n",
            "data/secret/test_group.yaml": "max_score: 100\n",
            "data/secret/1.in": None,
            "data/secret/1.ans": None,
            "data/secret/a/1.in": "1 4\n",
            "data/secret/a/1.ans": "5\n",
            "data/secret/a/test_group.yaml": "max_score: 99\n",
        },
        "warning",
    ),
]


@pytest.mark.parametrize(("rule", "files", "severity"), FILES, ids=[rule for rule, *_ in FILES])
def test_files_follow_rules(rule: str, files: Files, severity: str, folder: Path) -> None:
    package = write(folder / "sum", {**COMPLETE, **files})
    problem, read = load_package(package, root_for_display=folder)
    package_files, more = read_package_files(package, root_for_display=folder)
    findings = [*read, *more, *check_rules(problem, package_files, root_for_display=folder)]
    assert [each.severity.value for each in findings if each.rule == rule] == [severity], findings


@pytest.mark.parametrize(
    ("root", "secret", "wrong"),
    [
        ("range: 0 41", "accept_score: 40", []),  # the sample counts 1
        ("range: 0 40", "accept_score: 40", ["41 to data"]),
        ("range: 0 40\ngrader_flags: ignore_sample\non_reject: continue", "accept_score: 40\ngrader_flags: sum", []),
        ("grader_flags: min\nrange: 2 9", "accept_score: 40", ["1 to data/sample", "40 to data/secret", "1 to data"]),
        ("grader_flags: max", "accept_score: 40\nrange: 50 60", ["40 to data/secret"]),
        ("grading: custom\nrange: 0 1", "accept_score: 4", []),
    ],
)
def test_the_score_of_an_accepted_submission_is_in_every_range(
    root: str, secret: str, wrong: list[str], folder: Path
) -> None:
    files: Files = {
        "problem.yaml": "name: Sum\ntype: scoring\n",
        "graders/g.py": "",
        "data/testdata.yaml": f"{root}\n",
        "data/secret/testdata.yaml": f"{secret}\n",
    }
    problem, _ = load_package(write(folder / "sum", {**COMPLETE, **files}), root_for_display=folder)
    package_files, _ = read_package_files(folder / "sum", root_for_display=folder)
    findings = check_rules(problem, package_files, root_for_display=folder)
    scores = [each for each in findings if each.rule == "score-range"]
    found = [f"{each.message.split()[6].strip(',')} to {each.path.parent.relative_to('sum')}" for each in scores]
    assert found == wrong


def test_a_pdf_file_at_the_place_of_domjudge_is_a_statement(folder: Path) -> None:
    package = write(folder / "sum", {**COMPLETE, "statement/problem.en.md": None, "problem.pdf": ""})
    _, findings = read_package_files(package, root_for_display=folder)
    assert not [each for each in findings if each.rule == "missing-statement"]


def test_at_least_one_validator_rejects_an_invalid_input(folder: Path, capsys: CapSys) -> None:
    lenient = "raise SystemExit(42)\n"
    status, rules = found(folder, {**SELF_TESTS, "input_validators/a.py": lenient}, capsys)
    assert (status, rules) == (0, {})


ANSWERS_SUM = """\
import sys
total = sum(map(int, open(sys.argv[1]).read().split()))
answer = int(open(sys.argv[2]).read())
output = sys.stdin.read()
if "space_change_sensitive" in sys.argv and not output.endswith("\\n"):
    sys.exit(43)
sys.exit(42 if output.split() == [str(answer)] == [str(total)] else 43)
"""


@pytest.mark.parametrize("answer_validators", first_of([{}, {"answer_validators/a.py": "raise SystemExit(42)\n"}], 1))
def test_the_output_validator_may_reject_an_invalid_answer(
    answer_validators: Files, folder: Path, capsys: CapSys
) -> None:
    files = {"output_validator/v.py": ANSWERS_SUM, "data/invalid_answer/x.in": "1 2\n", **answer_validators}
    for answer in ("4\n", "3"):  # not the sum; no line end
        status, rules = found(folder, {**files, "data/invalid_answer/x.ans": answer}, capsys)
        assert (status, "invalid-answer" in rules) == (0, False), rules
    kinds = "no answer or output validator rejects it; expected at least one to reject this answer"
    for answer in ("3\n", "three\n"):  # a validator that fails does not reject
        status, rules = found(folder, {**files, "data/invalid_answer/x.ans": answer}, capsys)
        assert (status, rules["invalid-answer"]) == (1, [f"error sum/data/invalid_answer/x.ans: {kinds}"])
        assert "validator-failure" not in rules


PLAN = """\
data:
  secret: {{data: {{'1': {{in: 2 3}}}}}}
  invalid_input: {{data: {{letters: {letters}}}}}
  invalid_output: {{data: {{wrong: {{in: 1 1, ans: '2', out: '{wrong}'}}}}}}
  valid_output: {{data: {{right: {{in: 1 1, ans: '2', out: '{right}'}}}}}}
"""


def test_the_tests_of_validators_may_be_in_generators_yaml(folder: Path, capsys: CapSys) -> None:
    generators: Files = {"generators/g.py": "print('a b')\n"}
    right = PLAN.format(letters="g.py", wrong=3, right=2)
    write(folder / "sum", {**COMPLETE, **generators, "generators/generators.yaml": right})
    status, out = check("sum", capsys=capsys)
    summary = "sum: 0 errors, 0 warnings (1 validator, 2 inputs, 2 answers, 3 validator tests;"
    assert (status, out.startswith(summary)) == (0, True), out
    wrong = PLAN.format(letters="{in: 3 4}", wrong=2, right=3)
    status, rules = found(folder, {**generators, "generators/generators.yaml": wrong}, capsys)
    place = "error sum/generators/generators.yaml"
    assert (
        status,
        {rule: [each.partition(".in: ")[0].partition(".out: ")[0] for each in rules[rule]] for rule in rules},
    ) == (
        1,
        {
            "invalid-input": [f"{place}: invalid_input/letters"],
            "invalid-output": [f"{place}: invalid_output/wrong"],
            "valid-output": [f"{place}: valid_output/right"],
        },
    )


def test_arguments_for_one_validator_may_be_in_generators_yaml(folder: Path, capsys: CapSys) -> None:
    plan = """\
data:
  secret:
    test_group.yaml: {input_validator_args: {v.py: ["9"]}}
    data: {nine: {in: 1 9}, none: {in: 1 2}}
"""
    files: Files = {"generators/generators.yaml": plan, "data/secret/1.in": None, "data/secret/1.ans": None}
    _, rules = found(folder, files, capsys)
    assert rules["valid-input"] == [
        "error sum/generators/generators.yaml: secret/none.in: the input validator v.py rejects this input: expected 9"
    ]


def test_a_validator_sees_the_files_of_a_case(folder: Path, capsys: CapSys) -> None:
    validator = "import sys\nsys.exit(42 if open('extra.txt').read() == 'yes' else 43)\n"
    files: dict[str, str | bytes | None] = {"input_validators/v.py": validator}
    files |= {f"data/{name}.files/extra.txt": "yes" for name in ("sample/1", "secret/1")}
    _, rules = found(folder, files, capsys)
    assert "valid-input" not in rules
    _, rules = found(folder, {**files, "data/secret/1.files/extra.txt": "no"}, capsys)
    assert [each.partition(": ")[0] for each in rules["valid-input"]] == ["error sum/data/secret/1.in"]


def test_a_validator_that_does_not_compile_is_reported_once(folder: Path, capsys: CapSys) -> None:
    status, rules = found(folder, {"input_validators/w.py": "def\n"}, capsys)
    assert status == 1
    assert len(rules["validator-build"]) == 1, rules


def test_a_grammar_of_checktestdata_validates(folder: Path, capsys: CapSys) -> None:
    grammar: Files = {"input_validators/v.py": None, "input_validators/v.ctd": "INT(0,2) SPACE INT(0,2) NEWLINE EOF\n"}
    _, rules = found(folder, grammar, capsys)
    (message,) = rules["valid-input"]
    assert message.startswith("error sum/data/secret/1.in: the input validator v.ctd rejects this input: 1:3 "), message
    more: Files = {"answer_validators/a.ctd": "INT(0,4) NEWLINE EOF\n", "data/sample/1.yaml": "args: [x]"}
    _, rules = found(folder, {**grammar, **more}, capsys)
    assert [each.partition(": ")[0] for each in rules["valid-answer"]] == ["error sum/data/secret/1.ans"]
    assert len(rules["valid-input"]) == 1, rules
    _, rules = found(folder, {**grammar, "input_validators/v.ctd": "INT(\n"}, capsys)
    assert "is not a grammar of Checktestdata" in rules["validator-build"][0]


def test_findings_are_text_with_a_rule(folder: Path, capsys: CapSys) -> None:
    files: Files = {"data/secret/1.in": "2 x\n", "data/secret/1.ans": "5"}
    write(folder / "sum", {**COMPLETE, **files})
    status, out = check("sum", capsys=capsys)
    assert status == 1
    said = "the input validator v.py rejects this input: exit status 43 without a message"
    assert out.splitlines()[:-1] == [
        f"sum/data/secret/1.in: error: {said} [valid-input]",
        "sum/data/secret/1.ans: warning: the last line does not end with \\n [final-newline]",
    ]


def test_several_packages_are_checked_together(folder: Path, capsys: CapSys) -> None:
    for name in ("contest/a", "contest/b", "c"):
        write(folder / name, COMPLETE)
    status, out = check("contest", "c", capsys=capsys)
    assert (status, [line.partition(":")[0] for line in out.splitlines()]) == (0, ["contest/a", "contest/b", "c"])


@pytest.mark.parametrize(
    ("words", "message"),
    [(("sum", "nothing"), "nothing: no such file"), (("sum", "--for", "uva"), "are for checking a solution")],
)
def test_impossible_arguments_are_refused(words: tuple[str, ...], message: str, folder: Path, capsys: CapSys) -> None:
    write(folder / "sum", COMPLETE)
    status, out = check(*words, capsys=capsys)
    assert (status, message in out) == (2, True), out


def test_a_validator_that_fails_after_a_long_time_is_not_run_on_every_file(
    folder: Path, capsys: CapSys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.packages.verification.validators._SLOW", 0.0)
    files = {f"data/secret/{number}.in": f"1 {number}\n" for number in range(8)}
    answers = {f"data/secret/{number}.ans": f"{number + 1}\n" for number in range(8)}
    killed = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"
    status, rules = found(folder, {**files, **answers, "input_validators/v.py": killed}, capsys)
    assert (status, len(rules["validator-build"])) == (1, 1)
    assert "fails after a long time on several files; it was not run on the others" in rules["validator-build"][0]
    assert len(rules["validator-failure"]) < 8


def test_a_name_with_line_ends_is_one_line(folder: Path, capsys: CapSys) -> None:
    write(folder / "sum", {**COMPLETE, "submissions/accepted/a\n::error::x.py": "", "input_validators/b\r\n::y.py": ""})
    _, out = check("sum", capsys=capsys)
    assert not [line for line in out.splitlines() if line.startswith("::")]


def test_scripts_of_validators_run_but_should_be_executable(folder: Path, capsys: CapSys) -> None:
    script = "#!/bin/sh\nread line\nexit 42\n"
    status, rules = found(folder, {"input_validators/v.py": None, "input_validators/v/run": script}, capsys)
    assert (status, rules["script-mode"]) == (1, ["error sum/input_validators/v/run: is not executable"])
    assert "validator-build" not in rules
