"""problem.xml to a problem: limits, tests, programs, solutions, and what is refused."""

from pathlib import Path

import pytest

from judge.base.units import MIB
from judge.model import Computed, InFile, ProblemType, Produced, Verdict
from judge.model.groups import Aggregation
from judge.model.programs import Protocol
from judge.problems.polygon.load import load_polygon
from tests.problems.polygon.packages import CHECKER, load, load_clean, messages, write


def test_a_standard_package_is_made_by_its_programs(tmp_path: Path) -> None:
    problem = load_clean(tmp_path)
    folder = tmp_path / "sum"
    first, second = problem.cases
    assert (problem.name, problem.format, problem.limits.cpu) == ("Sum", "polygon", 5.0)
    assert problem.limits.memory == 256 * MIB
    assert problem.types == frozenset()
    assert (first.id, first.why, first.input) == ("tests/01", "small", InFile(folder / "tests" / "01"))
    assert second.input == Produced(sources=(folder / "files" / "gen.py",), args=("40", "2"))
    assert first.answer == second.answer == Computed(folder / "solutions" / "main.py")
    assert problem.checker.program is not None
    assert problem.checker.program.protocol is Protocol.TESTLIB


def test_files_of_a_full_package_come_before_generators(tmp_path: Path) -> None:
    files = {"tests/01.a": "3\n", "tests/02": "40 2\n", "tests/02.a": "42\n"}
    for case in load_clean(tmp_path, files).cases:
        assert isinstance(case.input, InFile)
        assert isinstance(case.answer, InFile)


def test_tests_that_are_only_counted_have_files(tmp_path: Path) -> None:
    package = write(tmp_path / "sum", {"tests/01.a": "3\n"}, tests="")
    text = (package / "problem.xml").read_text()
    (package / "problem.xml").write_text(text.replace("<input-path", "<test-count>1</test-count><input-path"))

    problem, diagnostics = load_polygon(package, root_for_display=tmp_path)
    assert [case.id for case in problem.cases] == ["tests/01"]
    assert not diagnostics


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("judging", 'input-file="../input.txt"', "7:1: error: `input-file` is `../input.txt`"),
        ("judging", 'output-file="a/sum.out"', "`output-file` is `a/sum.out`"),
        ("judging", 'run-count="2"', "`run-count` is `2`"),
        ("tests", '<test method="manual"/><test method="manual"/>', "the package has no file `tests/02`"),
        ("tests", '<test method="generated" cmd="other 1"/>', ""),  # its input is in the package
        ("tests", "", "has no tests that can be judged"),
        ("tests", '<test/><test method="generated" cmd="no 1"/>', "test 2 is not judged: <executables> has no source"),
        ("tests", '<test/><test method="generated" cmd="gen &quot;"/>', "cannot be split into words"),
        ("tests", '<test/><test method="generated" cmd="gen" from-file="1"/>', "several tests at once"),
        ("tests", '<test group="../x"/>', "in a group with the name `../x`"),
        ("checker", "", "has no checker: outputs are compared by tokens"),
        ("checker", '<checker><source path="/etc/passwd"/></checker>', "the path of a file in the package"),
        ("checker", '<checker><source path="../check.py"/></checker>', "found `../check.py`"),
        ("checker", f'<checker><source path="{"x" * 300}"/></checker>', "nothing is judged: the checker"),
        ("checker", '<checker><source path="files"/></checker>', "is a folder: expected a file"),
        ("checker", '<checker><source path="files/no.cpp"/></checker>', "nothing is judged: the checker"),
        ("checker", '<checker name="std::wcmp.cpp"><source path="files/no.cpp"/></checker>', "does the same"),
        ("assets", "<interactor/>", "the interactor cannot be used"),
        ("solutions", '<solution tag="best"><source path="solutions/wrong.py"/></solution>', "unknown tag `best`"),
        ("solutions", '<solution tag="rejected"/>', "the solution has no <source>"),
        ("solutions", '<solution tag="do-not-run"><source path="x.py"/></solution>', "its tag is `do-not-run`"),
        (
            "solutions",
            '<solution tag="rejected"><source path="files/testlib.h" type="tcl"/></solution>',
            "the judge does not know the language `tcl`",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_reported_with_its_line(name: str, text: str, expected: str, tmp_path: Path) -> None:
    found = messages(tmp_path, {"files/testlib.h": ""}, **{name: text})
    assert expected in found if expected else not found
    assert not found or "sum/problem.xml:" in found or "sum/files:" in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1:1: error: not valid XML"),
        ("<problem>\n<judging>\n", "not valid XML: no element found"),
        ('<!DOCTYPE p [<!ENTITY a "aaaa">]>\n<problem>&a;</problem>', "1:1: error: has a document type declaration"),
        ("<!DOCTYPE p SYSTEM 'file:///etc/passwd'>\n<problem/>", "has a document type declaration"),
        ("<problem>&a;</problem>", "undefined entity"),
        ('<?xml version="1.0" encoding="no-such"?><problem/>', "sum/problem.xml:1:"),
        ("<a>" * 100 + "</a>" * 100, "more than 50 elements in each other"),
        (f"<problem>{' ' * 2**20}</problem>", "has 1,048,595 bytes; expected at most 1,048,576"),
        ("<html/>", "is no package of Polygon"),
        ("<problem><judging/></problem>", "has no <testset>"),
        ("<problem><judging><testset><time-limit>soon</time-limit></testset></judging></problem>", "found `soon`"),
    ],
)
def test_a_hostile_or_broken_document_is_refused(text: str, expected: str, tmp_path: Path) -> None:
    assert expected in messages(tmp_path, {"problem.xml": text})


def test_a_wrong_path_pattern_is_reported(tmp_path: Path) -> None:
    text = (write(tmp_path / "sum") / "problem.xml").read_text()
    found = messages(tmp_path, {"problem.xml": text.replace("tests/%02d<", "tests/%99999d<")})
    assert "expected a path such as `tests/%02d`" in found


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("1 2\n")
    package = write(tmp_path / "sum", {"tests/01": None})
    (package / "tests").mkdir()
    (package / "tests" / "01").symlink_to(tmp_path / "secret")
    assert "leads out of the package" in messages(tmp_path, {"tests/01": None})


TAGS = {
    "accepted": ("AC", "AC"),
    "rejected": ("AC CE MLE OLE PE RTE TLE WA", "CE MLE OLE PE RTE TLE WA"),
    "wrong-answer": ("AC PE WA", "PE WA"),
    "presentation-error": ("AC PE WA", "PE"),
    "time-limit-exceeded": ("AC TLE", "TLE"),
    "time-limit-exceeded-or-accepted": ("AC TLE", "AC TLE"),
    "memory-limit-exceeded": ("AC MLE RTE", "MLE RTE"),
    "time-limit-exceeded-or-memory-limit-exceeded": ("AC MLE RTE TLE", "MLE RTE TLE"),
}


@pytest.mark.parametrize("tag", TAGS)
def test_a_tag_says_what_is_expected(tag: str, tmp_path: Path) -> None:
    solution = f'<solution tag="{tag}"><source path="solutions/wrong.py" type="python.3"/></solution>'
    expectation = load_clean(tmp_path, solutions=solution).solutions[1].expectation
    assert (" ".join(sorted(expectation.permitted)), " ".join(sorted(expectation.required))) == TAGS[tag]


@pytest.mark.parametrize(
    ("kind", "language"),
    [
        ("cpp.g++17", "cpp"),
        ("cpp.gcc13-64-winlibs-g++20", "cpp"),
        ("c.gcc", "c"),
        ("java11", "java"),
        ("kotlin17", "kotlin"),
        ("python.3", "python3"),
        ("python.2", "python2"),
        ("python.pypy3-64", "pypy3"),
        ("csharp.mono", "csharp"),
        ("d", "d"),
        ("", ""),
    ],
)
def test_a_type_is_a_language(kind: str, language: str, tmp_path: Path) -> None:
    solution = f'<solution tag="accepted"><source path="solutions/wrong.py" type="{kind}"/></solution>'
    assert load_clean(tmp_path, solutions=solution).solutions[1].language == language


RESOURCES = """<file path="files/common.tpp" type="cpp.g++17"/>
               <file path="files/olymp.sty"/>
               <file path="files/only.cpp" type="cpp.g++17"><assets><asset name="validator"/></assets></file>
               <file path="files/{name}" type="cpp.g++17" for-types="{types}">
                   <stages><stage name="compile"/></stages><assets><asset name="solution"/></assets>
               </file>"""
RESOURCE_FILES = dict.fromkeys(("files/common.tpp", "files/olymp.sty", "files/only.cpp", "files/grader.cpp"), "")


def test_programs_may_include_the_resources_with_a_type_that_are_for_them(tmp_path: Path) -> None:
    resources = RESOURCES.format(name="grader.cpp", types="cpp.*")
    problem = load_clean(tmp_path, RESOURCE_FILES, resources=resources)
    assert problem.checker.program is not None
    assert [path.name for path in problem.checker.program.include] == ["common.tpp"]


@pytest.mark.parametrize(
    ("types", "languages"),
    [
        ("cpp.*", {"cpp"}),
        ("cpp.*;c.*", {"cpp", "c"}),
        ("cpp.g++17,java11", {"cpp", "java"}),
        ("python.*", {"python2", "python3", "pypy3"}),
        ("python.3", {"python3"}),
        ("python.pypy3-64", {"pypy3", "python3"}),
        ("delphi.*", set()),
    ],
)
def test_submissions_are_compiled_with_the_resources_for_their_language(
    types: str, languages: set[str], tmp_path: Path
) -> None:
    problem = load_clean(tmp_path, RESOURCE_FILES, resources=RESOURCES.format(name="grader.cpp", types=types))
    assert problem.include == dict.fromkeys(languages, (tmp_path / "sum" / "files" / "grader.cpp",))
    assert problem.solutions[0].include == problem.include


@pytest.mark.parametrize(
    ("source", "args"), [("# checker.group()\n", [("--group", "1"), ()]), ("# validator.group()\n", [(), ()])]
)
def test_a_checker_that_asks_for_the_group_gets_it(source: str, args: list[tuple[str, ...]], tmp_path: Path) -> None:
    tests = '<test group="1"/><test method="generated" cmd="gen 40 2"/>'
    cases = load_clean(tmp_path, {"files/check.py": source + CHECKER}, tests=tests).cases
    assert [case.checker.args for case in cases] == args


def test_a_resource_may_be_for_submissions_in_all_languages(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, RESOURCE_FILES, resources=RESOURCES.format(name="grader.cpp", types="*"))
    assert {"cpp", "java", "python3", "default"} <= set(problem.include)


def test_a_missing_resource_of_submissions_is_an_error(tmp_path: Path) -> None:
    found = messages(tmp_path, RESOURCE_FILES, resources=RESOURCES.format(name="no.cpp", types="cpp.*"))
    assert "error: the package has no file `files/no.cpp`" in found


def test_an_extra_tag_is_for_a_group(tmp_path: Path) -> None:
    extra = '<extra-tags><extra-tag group="1" tag="time-limit-exceeded"/></extra-tags>'
    solution = f'<solution tag="wrong-answer"><source path="solutions/wrong.py"/>{extra}</solution>'
    expectation = load_clean(tmp_path, tests='<test group="1"/>', solutions=solution).solutions[1].expectation
    assert {Verdict.WA, Verdict.TLE} <= expectation.permitted
    (more,) = expectation.more
    assert (more.cases, more.required) == (("1",), frozenset({Verdict.TLE}))


def test_an_interactor_makes_the_problem_interactive(tmp_path: Path) -> None:
    interactor = '<interactor><source path="files/interact.py"/></interactor>'
    problem, diagnostics = load(tmp_path, {"files/interact.py": CHECKER, "tests/01.a": "3\n"}, assets=interactor)
    assert problem.types == {ProblemType.INTERACTIVE}
    assert problem.interactor is not None
    assert problem.checker.program is not None
    assert problem.cases[1].answer is None
    assert ["1 of 2 tests have no answer file" in str(each) for each in diagnostics] == [True]


def test_tests_of_the_checker_are_read(tmp_path: Path) -> None:
    testset = "<testset><tests><test verdict='ok'/><test verdict='wrong-answer'/></tests></testset>"
    checker = f'<checker type="testlib"><source path="files/check.py"/>{testset}</checker>'
    files = {
        f"files/tests/checker-tests/{name}": text
        for number, output in (("01", "3"), ("02", "4"))
        for name, text in ((number, "1 2"), (f"{number}.o", output), (f"{number}.a", "3"))
    }
    assert [each.accepts for each in load_clean(tmp_path, files, checker=checker).checker_tests] == [True, False]


def test_a_test_of_the_checker_without_files_is_a_warning(tmp_path: Path) -> None:
    testset = "<testset><tests><test verdict='ok'/></tests></testset>"
    checker = f'<checker type="testlib"><source path="files/check.py"/>{testset}</checker>'
    assert "warning: test 1 of the checker does not run" in messages(tmp_path, checker=checker)


# ---- points and groups -----------------------------------------------------------------------------------------------

TESTS = """<test group="b" points="60"/>
           <test group="a" points="10"/>
           <test group="a" points="30"/>"""
GROUPS = """<group name="a" points-policy="each-test"/>
            <group name="b" points-policy="complete-group" points="60">
                <dependencies><dependency group="a"/></dependencies>
            </group>"""
FILES = {"tests/02": "2 2\n", "tests/03": "3 3\n"}


def test_groups_have_the_points_of_their_policy(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, FILES, tests=TESTS, groups=GROUPS)
    assert problem.has_scores
    assert problem.groups is not None
    each, complete = problem.groups.groups
    assert problem.groups.max_score == 100
    assert (each.aggregation, each.max_score, dict(each.case_scores)) == (
        Aggregation.SUM, 40, {"a/02": 10, "a/03": 30},
    )  # fmt: skip
    assert (complete.aggregation, complete.max_score) == (Aggregation.PASS_FAIL, 60)
    assert complete.require_pass == ("a",)


def test_a_group_is_judged_after_those_that_it_depends_on(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, FILES, tests=TESTS, groups=GROUPS)
    assert [case.id for case in problem.cases] == ["a/02", "a/03", "b/01"]


def test_tests_without_groups_have_their_own_points(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, tests='<test points="40"/>')
    assert problem.groups is not None
    assert [(each.name, each.max_score) for each in problem.groups.groups] == [("tests", 40)]


def test_without_points_there_are_no_scores(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, tests='<test group="1"/>', groups='<group name="1"/>')
    assert problem.groups is None
    assert not problem.has_scores


def test_tests_with_0_points_may_get_points_of_the_checker(tmp_path: Path) -> None:
    problem = load_clean(tmp_path, tests='<test points="0.0"/>')
    assert problem.groups is not None
    (group,) = problem.groups.groups
    assert (group.aggregation, group.max_score, problem.groups.max_score) == (Aggregation.SUM, None, None)


def test_points_of_the_checker_may_be_percent(tmp_path: Path) -> None:
    judging = 'treat-points-from-checker-as-percent="{}"'
    for value, expected in (("true", True), ("false", False)):
        problem = load_clean(tmp_path, tests='<test points="40"/>', judging=judging.format(value))
        assert problem.groups is not None
        assert problem.groups.is_percent is expected


def test_cycles_and_unknown_groups_are_reported(tmp_path: Path) -> None:
    groups = """<group name="a"><dependencies><dependency group="b"/></dependencies></group>
                <group name="b"><dependencies><dependency group="a"/><dependency group="c"/></dependencies></group>"""
    found = messages(tmp_path, FILES, tests=TESTS, groups=groups)
    assert "the group `a` depends on `b`, which depends on it" in found
    assert "the group `b` depends on `c`, which has no tests" in found


def test_wrong_points_are_reported(tmp_path: Path) -> None:
    found = messages(tmp_path, tests='<test points="many"/><test points="nan" method="generated" cmd="gen 1 1"/>')
    assert found.count("expected a number that is not negative") == 2
