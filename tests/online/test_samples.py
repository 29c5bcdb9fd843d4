"""Samples keep every byte in a problem's files, and every problem gets a valid id."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.base.errors import UsageError
from judge.base.units import MIB, Bytes, Seconds
from judge.model import FileNames, InFile, Inline
from judge.online.samples.layouts import problem_files
from judge.online.samples.readers import Draft, InvalidTaskError, Program, Sample, read_task
from judge.online.samples.starter import Starter
from judge.online.samples.writer import write_problem
from judge.problems.folder_file import read_rules
from judge.problems.native import load_problem

AWKWARD = st.sampled_from(
    ["", "\n", "\r\n", "\r", " ", "  ", "\t", "#", "---", "...", ": ", "- ", "\\", '"', "'", "\0", "\x7f", "\x85",
     "\xa0", "\u2028", "\ufeff", "\ufffe", "\U0001f0cf", "%", "|", ">", "no", "1e5", "{{", "\xe9", "\x1b[31m"]
)  # fmt: skip
TEXTS = st.lists(AWKWARD | st.text(max_size=8), max_size=12).map("".join)
DATA = TEXTS.map(str.encode) | st.binary(max_size=40) | st.sampled_from([b"", b"1 2\n" * 20_000, b"x" * 70_000])


def read_back(root: Path, draft: Draft) -> list[tuple[str, bytes, bytes]]:
    """Write a draft, load it as `judge run` does, and return its cases."""

    def content(source: object) -> bytes:
        assert isinstance(source, Inline | InFile)
        return source.data if isinstance(source, Inline) else source.path.read_bytes()

    write_problem(draft, root)
    return [(case.name, content(case.input), content(case.answer)) for case in load_problem(root, draft.id).cases]


@pytest.mark.thorough
@settings(deadline=None, max_examples=60)
@given(samples=st.lists(st.tuples(DATA, DATA), min_size=1, max_size=4))
def test_a_sample_that_is_written_reads_back_as_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, samples: list[tuple[bytes, bytes]]
) -> None:
    named = [Sample(name=f"s-{n}", input=data, answer=answer) for n, (data, answer) in enumerate(samples)]
    root = tmp_path_factory.mktemp("root")
    draft = Draft(id="p", title="P", samples=tuple(named))
    assert read_back(root, draft) == [(each.name, each.input, each.answer) for each in named]


@settings(deadline=None, max_examples=60)
@given(title=TEXTS, url=TEXTS, source=TEXTS)
def test_any_title_and_url_make_a_problem_that_can_be_loaded(
    tmp_path_factory: pytest.TempPathFactory, title: str, url: str, source: str
) -> None:
    body = {"name": f"T{title}", "url": f"https://judge.example/{url}", "group": source, "tests": []}
    draft, _ = read_task(json.dumps(body).encode())
    root = tmp_path_factory.mktemp("root")
    write_problem(draft, root)
    assert load_problem(root, draft.id).name == draft.title


def test_binary_or_very_long_data_goes_into_its_own_file() -> None:
    samples = (Sample(name="a", input=b"\xff", answer=b"1\n"), Sample(name="b", input=b"1\n" * 40_000, answer=b"1\n"))
    files = problem_files(Draft(id="p", title="P", samples=samples))
    assert files["testcases/p/data/a.in"] == b"\xff"
    assert files["testcases/p/data/b.in"] == b"1\n" * 40_000


# ---- Competitive Companion's JSON ------------------------------------------------------------------------------------

TASK = {
    "name": "A. String Task",
    "group": "Codeforces - Codeforces Beta Round 89 (Div. 2)",
    "url": "https://codeforces.com/problemset/problem/118/A",
    "interactive": False,
    "memoryLimit": 256,
    "timeLimit": 1500,
    "tests": [{"input": "tour\n", "output": ".t.r\n"}],
    "testType": "single",
    "input": {"type": "stdin"},
    "output": {"type": "stdout"},
    "languages": {"java": {"mainClass": "Main", "taskClass": "AStringTask"}},
    "batch": {"id": "123e67c8", "size": 1},
}


def test_limits_profile_and_source_come_with_the_problem(tmp_path: Path) -> None:
    draft, _ = read_task(json.dumps(TASK).encode())
    write_problem(draft, tmp_path)
    problem = load_problem(tmp_path, "codeforces-118a")
    assert (problem.limits.cpu, problem.limits.memory) == (Seconds(1.5), Bytes(256 * MIB))
    assert (problem.name, problem.profile) == ("A. String Task", "codeforces")
    assert problem.source is not None
    assert (problem.source.name, problem.source.url) == ("Codeforces 118A", TASK["url"])
    assert str(TASK["url"]) in (tmp_path / "problems/codeforces-118a/statement.md").read_text()


@pytest.mark.parametrize("limit", [0, -5, 1e300, None])
def test_an_impossible_limit_is_replaced_by_the_default(tmp_path: Path, limit: object) -> None:
    draft, _ = read_task(json.dumps({**TASK, "timeLimit": limit, "memoryLimit": limit}).encode())
    write_problem(draft, tmp_path)
    assert load_problem(tmp_path, draft.id).limits.cpu == Seconds(2.0)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "not a problem in Competitive Companion's format: Input data was truncated"),
        (b'{"name": "x"', "Input data was truncated"),
        (b"<html>", "JSON is malformed: invalid character (byte 0)"),
        (b"[]", "Expected `object`, got `array`"),
        (b'{"name": "x"}', "missing required field `tests`"),
        (b'{"name": "x", "tests": [{"input": "1"}]}', "missing required field `output` - at `$.tests[0]`"),
        (b'{"name": 7, "tests": []}', "Expected `str`, got `int` - at `$.name`"),
        (b'{"name": " ", "tests": []}', "expected a `name` or a `url`, found neither"),
        (b'{"name": "\xff", "tests": []}', "not a problem in Competitive Companion's format"),
        (b'{"name": "\\ud800", "tests": []}', "not a problem in Competitive Companion's format"),
        (b'{"name": "x", "tests": ' + b"[" * 5000, "not a problem in Competitive Companion's format"),
    ],
)
def test_an_invalid_problem_is_rejected_with_the_place(body: bytes, message: str) -> None:
    with pytest.raises(InvalidTaskError) as error:
        read_task(body)
    assert message in str(error.value)


def test_a_title_cannot_do_anything_to_a_terminal(tmp_path: Path) -> None:
    task = {**TASK, "name": "A\x1b[2J\x07 title\r\n", "url": "https://x.example/\x1b[2J", "group": "\x1b]0;x\x07"}
    write_problem(read_task(json.dumps(task).encode())[0], tmp_path)
    texts = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert not [text for text in texts if not text.replace("\n", "").isprintable()]


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"output": {"type": "file", "fileName": "../a.out"}}, ["output from `../a.out`; here it is standard output"]),
        ({"input": {"type": "regex", "pattern": "x_.*[.]txt"}}, ["the input in a file; here it is standard input"]),
        ({"memoryLimit": 1}, ["states a memory limit of 1 MiB, less than any program needs here; the default limit"]),
        ({"memoryLimit": 0}, ["states a memory limit of 0 MiB"]),
        ({"timeLimit": 0}, ["states a time limit of 0 ms, less than any program needs here; the default limit"]),
        ({"memoryLimit": 4, "timeLimit": 1}, []),
    ],
)
@pytest.mark.parametrize("layout", ["repository", "folder"])
def test_what_differs_at_the_judge_is_kept_with_the_problem(
    tmp_path: Path, members: dict[str, object], expected: list[str], layout: str
) -> None:
    draft, _ = read_task(json.dumps({**TASK, **members}).encode())
    write_problem(draft, tmp_path, layout=layout)
    (path,) = tmp_path.rglob("problem.yaml")
    comments = [line for line in path.read_text().splitlines() if line.startswith("# ")]
    assert [text in comment for text, comment in zip(expected, comments, strict=True)] == [True] * len(expected)
    assert comments == [f"# {remark}" for remark in draft.remarks]
    assert "memory: 1\n" not in path.read_text().replace(" MiB", "")


@pytest.mark.parametrize("layout", ["repository", "folder", "contest"])
def test_the_files_of_a_problem_are_keys_of_its_problem_file(tmp_path: Path, layout: str) -> None:
    streams = {"input": {"type": "file", "fileName": "a.in"}, "output": {"type": "file", "fileName": "a.out"}}
    draft, _ = read_task(json.dumps({**TASK, **streams}).encode())
    write_problem(draft, tmp_path, layout=layout)
    (path,) = tmp_path.rglob("problem.yaml")
    assert draft.remarks == ()
    assert read_rules(path.parent).file_names == FileNames(input="a.in", output="a.out")


# ---- nothing is overwritten ------------------------------------------------------------------------------------------

DRAFT = Draft(id="p", title="P", samples=(Sample(name="one", input=b"1\n", answer=b"1\n"),))


def test_the_same_problem_again_changes_nothing(tmp_path: Path) -> None:
    assert write_problem(DRAFT, tmp_path).files
    assert write_problem(DRAFT, tmp_path).files == ()


@pytest.mark.parametrize("name", ["problems", "testcases", "solutions"])
def test_nothing_is_written_through_a_link_out_of_the_folder(tmp_path: Path, name: str) -> None:
    root, elsewhere = tmp_path / "root", tmp_path / "elsewhere"
    root.mkdir()
    elsewhere.mkdir()
    (root / name).symlink_to(elsewhere)
    with pytest.raises(OSError, match=rf"leads out of .*root: nothing was written: .*/{name}/"):
        write_problem(DRAFT, root, starter=Starter(suffix=".py", template=b""))
    assert list(elsewhere.iterdir()) == []
    assert [path.name for path in root.iterdir()] == [name]


def test_a_pipe_in_the_place_of_a_file_does_not_hang(tmp_path: Path) -> None:
    (path,) = (path for path in write_problem(DRAFT, tmp_path).files if path.endswith("problem.yaml"))
    (tmp_path / path).unlink()
    os.mkfifo(tmp_path / path)
    with pytest.raises(OSError, match="not a regular file"):
        write_problem(DRAFT, tmp_path, force=True)


def test_other_contents_are_replaced_only_with_force(tmp_path: Path) -> None:
    write_problem(DRAFT, tmp_path)
    mine = tmp_path / "problems/p/problem.yaml"
    mine.write_text("name: Mine\nprofile: icpc\n")
    (tmp_path / "testcases/p/edge.yaml").write_text("cases: []\n")
    with pytest.raises(UsageError, match=r"p exists with other contents \(problems/p/problem.yaml\); nothing was"):
        write_problem(DRAFT, tmp_path)
    assert mine.read_text() == "name: Mine\nprofile: icpc\n"
    assert write_problem(DRAFT, tmp_path, force=True).files == ("problems/p/problem.yaml",)
    assert (tmp_path / "testcases/p/edge.yaml").read_text() == "cases: []\n"


def test_a_solution_is_never_replaced(tmp_path: Path) -> None:
    mine = tmp_path / "solutions/p/accepted/mine.py"
    mine.parent.mkdir(parents=True)
    mine.write_text("print('mine')\n")
    draft = Draft(
        id="p", title="P", samples=DRAFT.samples, programs=(Program(name="mine.py", data=b"print('other')\n"),)
    )
    with pytest.raises(
        UsageError, match=r"solutions/p/accepted/mine\.py exists with other contents.* nothing was written"
    ):
        write_problem(draft, tmp_path, force=True)
    assert mine.read_text() == "print('mine')\n"
    assert not (tmp_path / "problems").exists()
