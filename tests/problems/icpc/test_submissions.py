"""Submissions, and what is expected of them."""

import random
import re
from pathlib import Path

import pytest

from judge.base.errors import Severity
from judge.model import Expectation, Problem, Requirement, Solution, Verdict
from judge.model.groups import matches
from judge.problems.icpc.expectations import Annotation, expand, find_annotations
from tests.problems.icpc.packages import load, load_clean, messages

Files = dict[str, str | bytes | None]

LEGACY: Files = {}
NEW: Files = {"problem.yaml": "problem_format_version: 2025-09\nname: X"}
SCORING: Files = {"problem.yaml": "type: scoring"}

ANY = frozenset({Verdict.AC, Verdict.WA, Verdict.PE, Verdict.TLE, Verdict.MLE, Verdict.OLE, Verdict.RTE, Verdict.CE})


def find(problem: Problem, name: str) -> Solution:
    (found,) = [each for each in problem.solutions if each.display_path == f"sum/submissions/{name}"]
    return found


def words(verdicts: frozenset[Verdict]) -> str:
    return " ".join(verdict for verdict in Verdict if verdict in verdicts)


# The folder, the verdicts that are permitted and required, and whether the time bounds the limit below or above.
FOLDERS: dict[str, list[tuple[str, str, str, str]]] = {
    "legacy": [
        ("accepted", "AC", "AC", "lower"),
        ("wrong_answer", "AC WA PE OLE", "WA PE OLE", ""),
        ("time_limit_exceeded", "AC WA PE TLE OLE", "TLE OLE", "upper"),
        ("run_time_error", "AC WA PE TLE MLE OLE RTE", "MLE OLE RTE", ""),
        ("rejected", "AC WA PE TLE MLE OLE RTE", "WA PE TLE MLE OLE RTE", ""),
        ("brute_force", "AC TLE MLE OLE RTE", "TLE MLE OLE RTE", ""),
        ("compiler_error", "CE", "CE", ""),
        ("no_output", "AC WA PE OLE", "WA PE OLE", ""),
        ("output_limit", "AC OLE RTE", "OLE RTE", ""),
    ],
    "2025-09": [
        ("accepted", "AC", "AC", "lower"),
        ("rejected", "AC WA PE TLE MLE OLE RTE", "WA PE TLE MLE OLE RTE", ""),
        ("wrong_answer", "AC WA PE OLE", "WA PE OLE", "lower"),
        ("time_limit_exceeded", "AC TLE OLE", "TLE OLE", "upper"),
        ("run_time_error", "AC MLE OLE RTE", "MLE OLE RTE", "lower"),
        ("brute_force", "AC TLE MLE OLE RTE", "TLE MLE OLE RTE", ""),
    ],
}


@pytest.mark.parametrize(
    ("version", "row"), [(version, row) for version, rows in FOLDERS.items() for row in rows], ids=str
)
def test_folders_have_meanings(tmp_path: Path, version: str, row: tuple[str, str, str, str]) -> None:
    folder, permitted, required, bound = row
    files: Files = {
        "problem.yaml": f"problem_format_version: {version}\nname: X", f"submissions/{folder}/x.py": "x"
    }  # fmt: skip
    problem = load_clean(tmp_path, files)
    solution = find(problem, f"{folder}/x.py")
    assert solution.expectation.name == folder
    assert words(solution.expectation.permitted) == permitted
    # OLE counts as WA, TLE or RTE, and MLE as RTE, wherever the format has those only.
    assert words(solution.expectation.required) == required
    rule = problem.time_rule
    assert rule is not None
    assert (solution.path in rule.lower, solution.path in rule.upper) == (bound == "lower", bound == "upper")


def test_a_label_has_the_words_of_the_format(tmp_path: Path) -> None:
    files: Files = {f"submissions/{folder}/x.py": "" for folder in ("wrong_answer", "brute_force", "rejected", "mixed")}
    problem, _ = load(tmp_path, files)
    assert [(each.path.parent.name, str(each.expectation)) for each in problem.solutions] == [
        ("accepted", "AC"),
        ("wrong_answer", "WA"),
        ("rejected", "WA|TLE|RTE"),
        ("brute_force", "TLE|RTE"),
        ("mixed", "any"),
    ]


def test_an_unknown_folder_expects_nothing(tmp_path: Path) -> None:
    problem, diagnostics = load(tmp_path, {"submissions/slow/x.py": "", "submissions/slow/y.py": ""})
    assert find(problem, "slow/x.py").expectation == Expectation(name="", permitted=ANY, required=ANY, label="any")
    (diagnostic,) = diagnostics
    assert diagnostic.message == "says nothing about what is expected of 2 submissions in it"
    assert diagnostic.severity is Severity.WARNING


def test_partially_accepted_is_for_scores(tmp_path: Path) -> None:
    file = "submissions/partially_accepted/x.py"
    expectation = find(load_clean(tmp_path, {**SCORING, file: ""}), "partially_accepted/x.py").expectation
    assert expectation.more == (Requirement(partial=True),)
    assert Verdict.WA in expectation.permitted
    found = messages(tmp_path, {"problem.yaml": "name: X", file: ""})
    assert "is in `partially_accepted`, which is for problems of the type `scoring` only" in found[0]


# ---- files --------------------------------------------------------------------------------------------------------


def test_folders_and_files_are_submissions(tmp_path: Path) -> None:
    files: Files = {
        "submissions/accepted/a.cpp": "",
        "submissions/accepted/b/main.py": "",
        "submissions/accepted/b/util/more.py": "",
        "submissions/accepted/c.py3": "",
        "submissions/accepted/d.C": "",
        "submissions/accepted/e.c++": "",
    }
    names = [Path(each.display_path).name for each in load_clean(tmp_path, files).solutions]
    assert names == ["a.cpp", "b", "c.py3", "d.C", "e.c++", "sum.py"]


def test_other_files_are_no_submissions(tmp_path: Path) -> None:
    names = ("README.md", "readme", "Makefile", "notes.txt", "x.py~", ".x.py.swp", "x.class", "y.py.disabled", "a.yaml")
    files: Files = {f"submissions/accepted/{name}": "" for name in names}
    assert len(load_clean(tmp_path, {**files, "submissions/README.md": ""}).solutions) == 1


def test_unknown_languages_are_reported_together(tmp_path: Path) -> None:
    files: Files = {
        "submissions/accepted/x.lol": "",
        "submissions/accepted/y/y.lol": "",
        "submissions/wrong_answer/z": "",
    }
    (found,) = messages(tmp_path, files)
    assert found.startswith(
        "sum/submissions: warning: 3 submissions are not judged: the judge does not know the language"
    )
    assert "`accepted/x.lol`, `accepted/y`, `wrong_answer/z`" in found


WRONG: dict[str, tuple[Files, str]] = {
    "a file outside": ({"submissions/x.py": ""}, "sum/submissions/x.py: warning: is not judged: it is not in a folder"),
    "a name": ({"submissions/accepted/a b.py": ""}, "is not judged: the format does not allow this name"),
    "an unknown language": (
        {"submissions/submissions.yaml": "accepted: {language: klingon}"},
        "sum/submissions: warning: `accepted/sum.py` is not judged: the judge does not know the language",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_judged_is_reported(tmp_path: Path, name: str) -> None:
    files, expected = WRONG[name]
    (found,) = messages(tmp_path, files)
    assert expected in found


def test_a_package_may_have_no_submissions(tmp_path: Path) -> None:
    load(tmp_path)
    (tmp_path / "sum/submissions/accepted/sum.py").unlink()
    (tmp_path / "sum/submissions/accepted").rmdir()
    (tmp_path / "sum/submissions").rmdir()
    from judge.problems.icpc.load import load_package

    problem, diagnostics = load_package(tmp_path / "sum", root_for_display=tmp_path)
    assert not problem.solutions
    assert [each.rule for each in diagnostics] == ["format"]


def test_included_files_go_with_every_submission(tmp_path: Path) -> None:
    files: Files = {"include/python3/lib.py": "", "include/default/data.txt": ""}
    problem = load_clean(tmp_path, files)
    folder = tmp_path / "sum/include"
    assert problem.include == {"python3": (folder / "python3",), "default": (folder / "default",)}
    assert problem.solutions[0].include == problem.include


@pytest.mark.parametrize(
    ("old", "new"),
    [("#!/usr/bin/env python2\nprint 1\n", "#!/usr/bin/env python3\n"), ("print 1\n", "# not: print 1\nprint(1)\n")],
    ids=["first line", "statement"],
)
@pytest.mark.parametrize(("version", "language"), [("legacy", "python2"), ("2025-09", "")])
def test_legacy_knows_python_2_by_its_source(tmp_path: Path, version: str, language: str, old: str, new: str) -> None:
    files: Files = {
        "problem.yaml": f"problem_format_version: {version}\nname: X",
        "submissions/accepted/x.py": old,
        "submissions/accepted/y.py": new,
    }
    problem = load_clean(tmp_path, files)
    assert [find(problem, f"accepted/{name}.py").language for name in "xy"] == [language, ""]


# ---- annotations --------------------------------------------------------------------------------------------------

ANNOTATIONS: dict[str, list[Annotation]] = {
    "print(1)": [],
    "# @EXPECTED_RESULTS@: CORRECT": [Annotation(verdicts=("AC",))],
    "# @expected_results@: wrong-answer\nx": [Annotation(verdicts=("WA",))],
    "/* @EXPECTED_RESULTS@: TIMELIMIT */": [Annotation(verdicts=("TLE",))],
    "@EXPECTED_RESULTS@: RUN-ERROR,TIME_LIMIT_EXCEEDED, NO-OUTPUT": [Annotation(verdicts=("RTE", "TLE", "WA"))],
    "@EXPECTED_RESULTS@: ACCEPTED\r\n": [Annotation(verdicts=("AC",))],
    "@EXPECTED_RESULTS@: COMPILER-ERROR": [Annotation(verdicts=("CE",))],
    "@EXPECTED_RESULTS@: OUTPUT-LIMIT": [Annotation(verdicts=("OLE",))],
    "@EXPECTED_RESULTS@: CHECK-MANUALLY": [Annotation(is_manual=True)],
    "@EXPECTED_RESULTS@: HAPPY": [Annotation(unknown=("HAPPY",))],
    "@EXPECTED_RESULTS@:": [Annotation(unknown=("",))],
    "@EXPECTED_SCORE@: 12.5": [Annotation(score=12.5)],
    "@EXPECTED_SCORE@: WRONG-ANSWER": [Annotation(verdicts=("WA",))],
    "@EXPECTED_SCORE@: 60\n@EXPECTED_RESULTS@: CORRECT": [Annotation(verdicts=("AC",), score=60)],
    "@EXPECTED_RESULTS@: CORRECT\n@EXPECTED_RESULTS@: CORRECT": [Annotation(verdicts=("AC",))] * 2,
}  # fmt: skip


@pytest.mark.parametrize("source", ANNOTATIONS)
def test_annotations_are_found(source: str) -> None:
    assert find_annotations(source.encode()) == ANNOTATIONS[source]


# The folder, the source, and the verdicts that are permitted and required in the words of the format.
ANNOTATED: dict[str, tuple[str, str, str, str]] = {
    "in a folder without meaning": ("mixed", "CORRECT, WRONG-ANSWER", "AC WA", "AC WA"),
    "one result": ("mixed", "TIMELIMIT", "AC TLE", "TLE"),
    "a compile error": ("mixed", "COMPILER-ERROR", "CE", "CE"),
    "a compile error or not": ("mixed", "CORRECT,COMPILER-ERROR", "AC CE", "AC CE"),
    "the same as the folder": ("wrong_answer", "WRONG-ANSWER", "AC WA", "WA"),
    "the folder is more exact": ("accepted", "CORRECT,WRONG-ANSWER", "AC", "AC"),
}


@pytest.mark.parametrize("name", ANNOTATED)
def test_annotations_say_what_is_expected(tmp_path: Path, name: str) -> None:
    folder, results, permitted, required = ANNOTATED[name]
    files: Files = {f"submissions/{folder}/x.py": f"# @EXPECTED_RESULTS@: {results}\n"}
    expectation = find(load_clean(tmp_path, files), f"{folder}/x.py").expectation
    assert expectation.name == folder
    assert (expectation.permitted, expectation.required) == (expand(permitted.split()), expand(required.split()))


@pytest.mark.parametrize(
    ("files", "path", "by_verdict"),
    [
        ({"submissions/mixed/x.py": "# @EXPECTED_RESULTS@: TIMELIMIT\n"}, "mixed/x.py", True),
        ({"problem.yaml": "type: scoring\n"}, "accepted/sum.py", True),
        ({"problem.yaml": "problem_format_version: 2025-09\nname: Sum\n"}, "accepted/sum.py", False),
        ({}, "accepted/sum.py", True),
    ],
)
def test_legacy_looks_at_the_verdict_on_the_whole(tmp_path: Path, files: Files, path: str, *, by_verdict: bool) -> None:
    assert find(load(tmp_path, files)[0], path).expectation.by_verdict is by_verdict


def test_an_annotation_that_contradicts_its_folder_counts(tmp_path: Path) -> None:
    problem, diagnostics = load(tmp_path, {"submissions/accepted/x.py": "# @EXPECTED_RESULTS@: WRONG-ANSWER"})
    assert str(find(problem, "accepted/x.py").expectation) == "WA"
    assert "its annotation `WA` contradicts the folder `accepted`; the annotation counts" in diagnostics[0].message


def test_annotations_are_found_in_any_file_of_a_folder(tmp_path: Path) -> None:
    files: Files = {
        "submissions/mixed/x/main.py": "import util", "submissions/mixed/x/util.py": "# @EXPECTED_RESULTS@: TIMELIMIT"
    }  # fmt: skip
    assert str(find(load_clean(tmp_path, files), "mixed/x").expectation) == "TLE"


def test_two_annotations_count_as_none(tmp_path: Path) -> None:
    text = "# @EXPECTED_RESULTS@: CORRECT\n# @EXPECTED_RESULTS@: WRONG-ANSWER\n"
    problem, diagnostics = load(tmp_path, {"submissions/accepted/x.py": text})
    assert str(find(problem, "accepted/x.py").expectation) == "AC"
    assert "has 2 annotations" in diagnostics[0].message


def test_people_may_decide(tmp_path: Path) -> None:
    files: Files = {"submissions/accepted/x.py": "# @EXPECTED_RESULTS@: CHECK-MANUALLY"}
    assert find(load_clean(tmp_path, files), "accepted/x.py").expectation.permitted == ANY


def test_scores_may_be_expected(tmp_path: Path) -> None:
    files: Files = {**SCORING, "submissions/partial/x.py": "# @EXPECTED_SCORE@: 30"}
    expectation = find(load_clean(tmp_path, files), "partial/x.py").expectation
    assert (expectation.permitted, expectation.more) == (ANY, (Requirement(score=(30, 30)),))


# ---- submissions.yaml ---------------------------------------------------------------------------------------------


def expect(tmp_path: Path, text: str, name: str = "accepted/x.py", files: Files | None = None) -> Expectation:
    """Return what is expected of a submission of a package of 2025-09 with a submissions.yaml."""
    given: Files = {**NEW, **(files or {}), f"submissions/{name}": "", "submissions/submissions.yaml": text}
    return find(load_clean(tmp_path, given), name).expectation


def test_a_pattern_that_matches_no_submission_is_reported(tmp_path: Path) -> None:
    text = "accepted/*: {permitted: [AC]}\nwrong_answer/x.py: {permitted: [WA]}\nrejected: {required: [WA]}\n"
    found = messages(tmp_path, {**NEW, "submissions/submissions.yaml": text})
    assert found == [
        "sum/submissions/submissions.yaml:2:1: warning: the pattern `wrong_answer/x.py` matches no submission"
    ]


# The file, the submission, and the verdicts that are permitted and required in the words of the format.
ENTRIES: dict[str, tuple[str, str, str, str]] = {
    "empty": ("", "accepted/x.py", "AC", "AC"),
    "metadata only": ("accepted/*: {authors: [A, B], model_solution: true}", "accepted/x.py", "AC", "AC"),
    "a default is overridden": ("accepted: {permitted: [AC, WA], required: [WA]}", "accepted/x.py", "AC WA", "WA"),
    "one key of a default": (
        "time_limit_exceeded: {permitted: [AC, WA, TLE]}", "time_limit_exceeded/x.py", "AC WA TLE", "TLE"
    ),
    "a glob adds to the default": ("wrong_answer/*: {permitted: [WA]}", "wrong_answer/x.py", "WA", "WA"),
    "a new folder": ("mixed: {permitted: [AC, TLE]}", "mixed/x.py", "AC TLE", "AC TLE"),
    "nothing in particular": ("mixed: {permitted: [AC, WA, TLE, RTE]}", "mixed/x.py", "AC WA TLE RTE", "AC WA TLE RTE"),
    "a folder with a slash": ("mixed/: {required: [TLE]}", "mixed/x.py", "AC WA TLE RTE", "TLE"),
    "a file": ("mixed/x.py: {permitted: [RTE]}", "mixed/x.py", "RTE", "RTE"),
    "a file anywhere": ('"*/x.py": {required: [WA]}', "mixed/x.py", "AC WA TLE RTE", "WA"),
    "braces": ("mixed/{x,y}.{py,cpp}: {permitted: [TLE]}", "mixed/y.cpp", "TLE", "TLE"),
    "a star within a name": ("mixed/x*1.py: {permitted: [TLE]}", "mixed/xy-1.py", "TLE", "TLE"),
}  # fmt: skip


@pytest.mark.parametrize("name", ENTRIES)
def test_entries_are_matched(tmp_path: Path, name: str) -> None:
    text, file, permitted, required = ENTRIES[name]
    expectation = expect(tmp_path, text, file)
    assert (expectation.permitted, expectation.required) == (expand(permitted.split()), expand(required.split()))


UNMATCHED: dict[str, str] = {
    "a part of a name": "accepted/x: {permitted: [WA]}",
    "a name without its folder": "x.py: {permitted: [WA]}",
    "a star does not match a slash": '"*.py": {permitted: [WA]}',
    "brackets mean nothing": "accepted/[xy].py: {permitted: [WA]}",
    "a question mark means nothing": '"accepted/?.py": {permitted: [WA]}',
    "a dot is a dot": "accepted/x.p.: {permitted: [WA]}",
}


@pytest.mark.parametrize("name", UNMATCHED)
def test_entries_are_not_matched(tmp_path: Path, name: str) -> None:
    files: Files = {**NEW, "submissions/accepted/x.py": "", "submissions/submissions.yaml": UNMATCHED[name]}
    problem, _ = load(tmp_path, files)
    assert find(problem, "accepted/x.py").expectation.permitted == {Verdict.AC}


def test_requirements_may_be_for_some_cases(tmp_path: Path) -> None:
    text = """\
mixed/*:
  message: too long
  sample: {permitted: [AC]}
  secret/*-{a,b}: {permitted: [AC, TLE], required: [TLE], message: slow}
"""
    assert expect(tmp_path, text, "mixed/x.py").more == (
        Requirement(message="too long"),
        Requirement(cases=("sample",), permitted=expand(["AC"])),
        Requirement(
            cases=("secret/*-a", "secret/*-b"),
            permitted=expand(["AC", "TLE"]),
            required=expand(["TLE"]),
            message="slow",
        ),
    )


def test_every_requirement_of_all_cases_counts(tmp_path: Path) -> None:
    text = "wrong_answer/x.py: {required: [AC]}"
    expectation = expect(tmp_path, text, "wrong_answer/x.py")
    assert expectation.required == expand(["WA"])
    assert expectation.more == (Requirement(required=expand(["AC"])),)


@pytest.mark.parametrize(("text", "score"), [("3", (3, 3)), ("[1, 2.5]", (1, 2.5))])
def test_scores_are_numbers_or_ranges(tmp_path: Path, text: str, score: tuple[float, float]) -> None:
    files: Files = {"problem.yaml": "problem_format_version: 2025-09\nname: X\ntype: scoring"}
    entries = f"accepted/x.py: {{score: {text}, secret: {{score: {text}}}}}"
    assert expect(tmp_path, entries, files=files).more == (
        Requirement(score=score), Requirement(cases=("secret",), score=score)
    )  # fmt: skip


TIME_BOUNDS: dict[str, tuple[str, str]] = {
    "accepted/x.py: {use_for_time_limit: false}": ("accepted/x.py", "lower"),  # the folder has a rule of its own
    "accepted: {use_for_time_limit: false}": ("accepted/x.py", ""),
    "mixed: {use_for_time_limit: lower}": ("mixed/x.py", "lower"),
    "mixed: {use_for_time_limit: upper}": ("mixed/x.py", "upper"),
    "mixed: {use_for_time_limit: true}": ("mixed/x.py", ""),
    "mixed: {permitted: [AC, RTE]}": ("mixed/x.py", "lower"),
    "mixed: {permitted: [AC, TLE]}": ("mixed/x.py", ""),
    "mixed: {required: [TLE]}": ("mixed/x.py", "upper"),
    "mixed: {required: [TLE, RTE]}": ("mixed/x.py", ""),
    "mixed: {required: [TLE], use_for_time_limit: false}": ("mixed/x.py", ""),
}


@pytest.mark.parametrize("version", ["legacy", "2023-07", "2025-09"])
@pytest.mark.parametrize("text", TIME_BOUNDS)
def test_entries_decide_what_bounds_the_time_limit(tmp_path: Path, version: str, text: str) -> None:
    name, bound = TIME_BOUNDS[text]
    files: Files = {
        "problem.yaml": f"problem_format_version: {version}\nname: X",
        f"submissions/{name}": "",
        "submissions/submissions.yaml": text,
    }
    problem, _ = load(tmp_path, files)
    path, rule = tmp_path / "sum/submissions" / name, problem.time_rule
    assert rule is not None
    assert (path in rule.lower, path in rule.upper) == (bound == "lower", bound == "upper")


# What submissions.yaml says about `x`, and the cases on which it bounds the limit below and above; None for none.
Cases = tuple[str, ...] | None
GROUP_BOUNDS: dict[str, tuple[Cases, Cases]] = {
    "{secret/1: {permitted: [AC]}, secret/2: {required: [TLE]}}": (("secret/1",), ("secret/2",)),
    "{secret/1: {permitted: [AC], use_for_time_limit: false}}": (None, None),
    "{secret/1: {use_for_time_limit: lower}, secret/2: {use_for_time_limit: lower}}": (("secret/1", "secret/2"), None),
    "{'secret/{1,2}': {use_for_time_limit: upper}}": (None, ("secret/1", "secret/2")),
    "{secret/1: {permitted: [AC, TLE]}, secret/2: {required: [TLE, RTE]}}": (None, None),
    "{permitted: [AC], secret/1: {permitted: [AC]}}": ((), None),
    "{use_for_time_limit: false, secret/1: {use_for_time_limit: lower}}": (("secret/1",), None),
}


@pytest.mark.parametrize("version", ["legacy", "2023-07", "2025-09"])
@pytest.mark.parametrize("text", GROUP_BOUNDS)
def test_groups_bound_the_time_limit(tmp_path: Path, version: str, text: str) -> None:
    files: Files = {
        "problem.yaml": f"problem_format_version: {version}\nname: X",
        "submissions/mixed/x.py": "",
        "submissions/submissions.yaml": f"mixed: {text}",
    }
    problem, _ = load(tmp_path, files)
    path, rule = tmp_path / "sum/submissions/mixed/x.py", problem.time_rule
    assert rule is not None
    assert (rule.lower.get(path), rule.upper.get(path)) == GROUP_BOUNDS[text]


def test_entries_set_languages(tmp_path: Path) -> None:
    files: Files = {
        "submissions/accepted/x.txt": "",
        "submissions/submissions.yaml": "accepted/x.txt: {language: python3, entrypoint: x.txt}",
    }
    solution = find(load_clean(tmp_path, {**NEW, **files}), "accepted/x.txt")
    assert (solution.language, solution.entry_point) == ("python3", "x.txt")


WRONG_ENTRIES: dict[str, tuple[str, str]] = {
    "an unknown key": (
        "accepted: {permited: [AC]}",
        "1:12: warning: unknown key `permited` of `accepted`: did you mean",
    ),
    "an unknown verdict": ("accepted: {permitted: [AC, MLE]}", "warning: `permitted`: expected some of `AC`, `WA`"),
    "no verdict is left": ("accepted: {permitted: [AC], required: [WA]}", "no verdict is both permitted and required"),
    "no mapping": ("accepted: AC", "warning: `accepted`: expected a mapping, found the string `AC`"),
    "a list": ("- accepted", "error: expected keys with values, found a list"),
    "a score without scoring": ("accepted: {score: 3}", "`score` is for problems of the type `scoring` only"),
    "a reversed score": ("accepted: {score: [3, 2]}", "`score`: expected a number, or a list of the lowest"),
    "a pattern that is not supported": ("accepted/**: {permitted: [AC]}", "`**` has no special meaning in a pattern"),
    "a pattern of no case": ("accepted: {group1: {permitted: [AC]}}", "the pattern `group1` matches no case"),
    "a brace bomb": (
        f"x{'{0,1,2,3,4,5,6,7,8,9}' * 9}: {{}}",
        "and those before it stand for more than 10,000 patterns; it does not count",
    ),
    "a use for times": ("accepted: {use_for_time_limit: both}", "`accepted.use_for_time_limit`: expected `true` or"),
}


@pytest.mark.parametrize("name", WRONG_ENTRIES)
def test_wrong_entries_are_reported(tmp_path: Path, name: str) -> None:
    text, expected = WRONG_ENTRIES[name]
    found = messages(tmp_path, {**NEW, "submissions/submissions.yaml": text})
    assert any(each.startswith("sum/submissions/submissions.yaml:") and expected in each for each in found), found


def test_stars_match_as_many_characters_as_they_need() -> None:
    numbers = random.Random(1)
    for _ in range(2000):
        pattern = "".join(numbers.choices("ab/*", k=numbers.randint(0, 7)))
        name = "".join(numbers.choices("ab/", k=numbers.randint(0, 8)))
        simple = re.compile(f"{pattern.replace('*', '[^/]*')}(/.*)?")
        assert matches((pattern,), name) == bool(simple.fullmatch(name)), (pattern, name)


def test_many_stars_do_not_take_forever() -> None:
    assert not matches(("*a" * 60 + "*b",), "a" * 250)
