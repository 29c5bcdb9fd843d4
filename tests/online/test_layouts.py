"""Layouts: where the files of a problem are written, which solution is kept, and what a template becomes."""

import json
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.base.errors import UsageError
from judge.base.units import MIB, Bytes, Seconds
from judge.languages.table import language_by_id
from judge.online.samples.readers import Draft, Program, Sample, read_task
from judge.online.samples.starter import Starter, read_starter
from judge.online.samples.writer import SolutionState, write_problem
from tests.cli.command_line import write
from tests.online.test_samples import TASK

SAMPLE = Sample(name="sample-1", input=b"1\n", answer=b"2\r\n")
DRAFT = Draft(
    id="abc300-a",
    title='N-choice "question"',
    contest="abc300",
    index="a",
    source="AtCoder abc300_a",
    url="https://atcoder.jp/contests/abc300/tasks/abc300_a",
    cpu=Seconds(2.5),
    memory=Bytes(1024 * MIB),
    samples=(SAMPLE,),
)
TODAY = date.today().isoformat()  # noqa: DTZ011 - the user's day
CPP = Starter(suffix=".cpp", template=b"// {{name}} {{url}} {{id}} {{date}} {{other}}\nint main() {{1, 2}}\n")


def files(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        ("folder", {"a/problem.yaml", "a/tests/sample-1.in", "a/tests/sample-1.out", "a/a.cpp"}),
        ("contest", {"tests/a/problem.yaml", "tests/a/sample-1.in", "tests/a/sample-1.out", "a.cpp"}),
    ],
)
def test_a_plain_layout_keeps_every_byte_beside_the_solution(tmp_path: Path, layout: str, expected: set[str]) -> None:
    written = write_problem(DRAFT, tmp_path, layout=layout, starter=CPP)
    assert files(tmp_path) == {f"abc300/{name}" for name in expected}
    assert (tmp_path / written.cases / "sample-1.out").read_bytes() == b"2\r\n"
    assert (written.solution, written.state) == (f"abc300/{min(expected, key=len)}", SolutionState.WRITTEN)
    assert write_problem(DRAFT, tmp_path, layout=layout, starter=CPP).files == ()


def test_in_the_folder_of_the_contest_no_second_one_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "abc300"
    folder.mkdir()
    assert write_problem(DRAFT, folder, layout="contest").cases == "tests/a"
    assert write_problem(DRAFT, folder, layout="folder").cases == "a/tests"


def test_the_limits_and_the_url_are_in_problem_yaml(tmp_path: Path) -> None:
    write_problem(DRAFT, tmp_path, layout="folder")
    assert (tmp_path / "abc300/a/problem.yaml").read_text() == (
        'name: "N-choice \\"question\\""\n'
        'source:\n  name: "AtCoder abc300_a"\n  url: https://atcoder.jp/contests/abc300/tasks/abc300_a\n'
        "profile: icpc\nlimits:\n  time: 2500 ms\n  memory: 1024 MiB\n"
    )


@pytest.mark.parametrize(
    ("layout", "mine"),
    [
        ("repository", "solutions/abc300-a/wrong_answer/x.py"),
        ("folder", "abc300/a/main.java"),
        ("contest", "abc300/a.py"),
    ],
)
def test_a_solution_that_exists_is_adopted(tmp_path: Path, layout: str, mine: str) -> None:
    write(tmp_path / mine, "mine\n")
    written = write_problem(DRAFT, tmp_path, layout=layout, starter=CPP)
    assert (written.solution, written.state) == (mine, SolutionState.KEPT)
    assert not list(tmp_path.rglob("*.cpp"))


def test_the_solution_of_another_problem_of_the_contest_is_not_adopted(tmp_path: Path) -> None:
    write(tmp_path / "abc300/b.py", "")
    write(tmp_path / "abc300/a.class", "")
    written = write_problem(DRAFT, tmp_path, layout="contest")
    assert (written.solution, written.state) == ("abc300/a", SolutionState.MISSING)


def test_a_solution_is_never_replaced(tmp_path: Path) -> None:
    draft = Draft(id="p", title="P", samples=(SAMPLE,), programs=(Program(name="a.py", data=b"theirs\n"),))
    write(tmp_path / "p/a.py", "mine\n")
    with pytest.raises(UsageError, match=r"p/a\.py exists with other contents, and solutions are never replaced"):
        write_problem(draft, tmp_path, layout="folder", force=True)
    assert files(tmp_path) == {"p/a.py"}


def test_other_samples_are_replaced_only_with_force(tmp_path: Path) -> None:
    write_problem(DRAFT, tmp_path, layout="contest")
    mine = write(tmp_path / "abc300/tests/a/sample-1.in", "3\n")
    with pytest.raises(UsageError, match=r"abc300-a exists with other contents \(abc300/tests/a/sample-1\.in\)"):
        write_problem(DRAFT, tmp_path, layout="contest")
    write_problem(DRAFT, tmp_path, layout="contest", force=True)
    assert mine.read_bytes() == b"1\n"


def test_a_template_gets_the_problem_and_nothing_else_is_replaced() -> None:
    text = CPP.fill(id="p", name="Ä", url="https://x.example").decode()
    assert text == f"// Ä https://x.example p {TODAY} {{{{other}}}}\nint main() {{{{1, 2}}}}\n"


@pytest.mark.parametrize("name", ["python3", "c", "cpp", "java"])
def test_a_built_in_starter_has_the_suffix_of_its_language(name: str) -> None:
    starter = read_starter(language_by_id(name, Path()), None)
    assert starter.suffix == language_by_id(name, Path()).suffixes[0]
    assert starter.template.strip()


def test_a_language_without_a_built_in_starter_needs_a_template(tmp_path: Path) -> None:
    cobol = replace(language_by_id("c", Path()), id="cobol", name="COBOL", suffixes=(".cob",))
    with pytest.raises(UsageError, match="there is no built-in template for COBOL; name one with --template FILE"):
        read_starter(cobol, None)
    assert read_starter(cobol, write(tmp_path / "t.cob", "x")).template == b"x"
    with pytest.raises(UsageError, match=r"config\.toml:3: the template .*gone\.cob does not exist"):
        read_starter(cobol, tmp_path / "gone.cob", "config.toml:3")


@pytest.mark.parametrize(
    ("url", "group", "size", "contest", "index"),
    [
        ("https://atcoder.jp/contests/abc300/tasks/abc300_a", "x", 8, "abc300", "a"),
        ("https://atcoder.jp/contests/abc050/tasks/arc066_a", "x", 4, "abc050", "arc066-a"),
        ("https://codeforces.com/contest/1900/problem/C2", "x", 1, "codeforces-1900", "c2"),
        ("https://open.kattis.com/problems/hello", "Kattis", 1, "", ""),
        ("https://open.kattis.com/contests/abc/problems/hello", "x", 1, "kattis-abc", "hello"),
        ("https://onlinejudge.org/external/1/131.pdf", "UVa", 1, "", ""),
        ("https://www.codechef.com/START1/problems/ABC", "CodeChef - Start 1", 1, "codechef-start1", "abc"),
        ("https://www.codechef.com/problems/ABC", "CodeChef - Practice", 1, "", ""),
        ("https://dmoj.ca/problem/acc3p4", "DMOJ - Another Contest 3", 1, "dmoj-another-contest-3", ""),
        ("https://dmoj.ca/problem/aplusb", "DMOJ", 1, "", ""),
        ("https://x.example/../etc", "x - ../../etc", 3, "x-etc", ""),
        ("https://x.example/../etc", "x", 3, "", ""),
        ("https://open.kattis.com/contests/abc/problems/abcd", "x", 1, "kattis-abc", "abcd"),
    ],
)
def test_the_contest_of_a_problem_is_known_by_its_url(
    url: str, group: str, size: int, contest: str, index: str
) -> None:
    body = {**TASK, "url": url, "group": group, "batch": {"id": "1", "size": size}}
    draft, _ = read_task(json.dumps(body).encode())
    assert (draft.contest, draft.index) == (contest, index)
    named, _ = read_task(json.dumps(body).encode(), "mine")
    assert (named.id, named.contest, named.index) == ("mine", "", "")
