"""A problem that arrives again keeps its place, from whichever page it comes; two problems never share one."""

import json
from pathlib import Path
from typing import Any

import pytest

from judge.base.errors import UsageError
from judge.online.samples.layouts import place
from judge.online.samples.readers import read_task
from judge.online.samples.starter import Starter
from judge.online.samples.writer import SolutionState, Written, write_problem
from judge.problems.folder_file import read_rules
from judge.problems.native import load_problem
from judge.settings import LAYOUTS
from tests.cli.command_line import write
from tests.online.test_addresses import UNKNOWN, rows
from tests.online.test_samples import TASK

CONTEST = "https://codeforces.com/contest/118/problem/A"
ARCHIVE = "https://codeforces.com/problemset/problem/118/A?locale=en"
SAMPLES = [{"input": "1\n", "output": "2\n"}, {"input": "3\n", "output": "4\n"}]


def send(root: Path, url: str, *, layout: str = "folder", force: bool = False, **members: Any) -> Written:
    draft, _ = read_task(json.dumps({**TASK, "tests": SAMPLES, "url": url, **members}).encode())
    return write_problem(draft, root, layout=layout, force=force)


def problems(root: Path) -> list[str]:
    return sorted(str(path.parent.relative_to(root)) for path in root.rglob("problem.yaml"))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_same_problem_from_another_page_or_in_another_language_is_up_to_date(tmp_path: Path, layout: str) -> None:
    send(tmp_path, CONTEST, layout=layout)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    for url, name in ((ARCHIVE, "A. String Task"), (f"{CONTEST}?locale=ru", "A. \u0421\u0442\u0440\u043e\u043a\u0438")):
        assert send(tmp_path, url, layout=layout, name=name).files == ()
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


def test_a_problem_file_as_older_versions_wrote_it_is_up_to_date(tmp_path: Path) -> None:
    send(tmp_path, CONTEST)
    (path,) = tmp_path.rglob("problem.yaml")
    old = path.read_text().replace("time: 1500 ms", "time_limit: 1.5").replace("256 MiB", "256")
    assert "time_limit: 1.5\n  memory: 256\n" in old
    path.write_text(old)
    assert send(tmp_path, CONTEST).files == ()
    assert path.read_text() == old


@pytest.mark.parametrize("layout", LAYOUTS)
def test_with_force_the_same_problem_of_another_page_is_replaced(tmp_path: Path, layout: str) -> None:
    send(tmp_path, CONTEST, layout=layout)
    with pytest.raises(UsageError, match="exists with other contents"):
        send(tmp_path, ARCHIVE, layout=layout, timeLimit=3000)
    send(tmp_path, ARCHIVE, layout=layout, force=True, timeLimit=3000)
    assert len(problems(tmp_path)) == 1
    assert ARCHIVE in next(tmp_path.rglob("problem.yaml")).read_text()


@pytest.mark.parametrize(
    ("layout", "place"),
    [
        ("repository", "problems/edu-1000"),
        ("folder", "edu-1000"),
        ("folder", "mine/x"),
        ("contest", "tests/edu-1000"),
        ("contest", "mine/tests/x"),
    ],
)
def test_a_folder_of_another_name_is_used_again(tmp_path: Path, layout: str, place: str) -> None:
    url = "https://acm.hdu.edu.cn/showproblem.php?pid=1000"
    written = send(tmp_path, url, layout=layout)
    for path in sorted(tmp_path.rglob("*hdu-1000*"), reverse=True):  # as an earlier version or the user named it
        target = tmp_path / str(path.relative_to(tmp_path)).replace("hdu-1000", Path(place).name)
        target = tmp_path / "mine" / target.relative_to(tmp_path) if place.startswith("mine/") else target
        target.parent.mkdir(parents=True, exist_ok=True)
        path.rename(target)
    assert problems(tmp_path) == [place]
    again = send(tmp_path, url, layout=layout)
    assert (again.files, problems(tmp_path)) == ((), [place])
    assert Path(place).name in again.cases
    assert "hdu-1000" in written.cases


def test_a_page_with_other_samples_than_before_is_replaced_only_with_force(tmp_path: Path) -> None:
    for url in (CONTEST, "https://judge.example/round/5"):
        send(tmp_path, url, name='"\u0421" \\')
        with pytest.raises(UsageError, match="exists with other contents"):
            send(tmp_path, url, name='"\u0421" \\', timeLimit=9000)
        send(tmp_path, url, name='"\u0421" \\', timeLimit=9000, force=True)
    assert len(problems(tmp_path)) == 2


def test_the_other_plain_layout_has_its_own_places(tmp_path: Path) -> None:
    root = tmp_path / "codeforces-118"
    for layout, cases in (("contest", "tests/a"), ("folder", "a/tests")):
        assert send(root, CONTEST, layout=layout).cases == cases


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_the_user_changes_is_not_another_problem(tmp_path: Path, layout: str) -> None:
    send(tmp_path, CONTEST, layout=layout)
    (file,) = tmp_path.rglob("problem.yaml")
    file.write_text(file.read_text().replace("A. String Task", "Mine") + "checker: lines\n")
    assert send(tmp_path, CONTEST, layout=layout).files == ()
    assert send(tmp_path, ARCHIVE, layout=layout).files == ()


def test_problems_that_only_their_addresses_tell_apart_get_their_places(tmp_path: Path) -> None:
    urls = {names.split()[0]: (url, group) for url, group, names in rows()[::8]}
    urls |= {address: (f"https://{address}", "x") for address in UNKNOWN}
    for url, group in urls.values():
        send(tmp_path, url, group=group, name="A. Sum", force=True)
    assert len(problems(tmp_path)) == len(urls)


def test_problems_that_only_the_title_tells_apart_are_kept_beside_each_other(tmp_path: Path) -> None:
    url = "https://judge.example/round/5"
    for _ in range(2):
        for number, name in enumerate(["Sum", "Product", "Power"]):
            send(tmp_path, url, name=name, tests=[{"input": f"{number}\n", "output": "1\n"}])
    assert len(problems(tmp_path)) == 3


def test_a_problem_of_the_user_is_never_taken_for_another_one(tmp_path: Path) -> None:
    mine = write(tmp_path / "codeforces-118/a/problem.yaml", "name: Mine\n")
    with pytest.raises(UsageError, match="exists with other contents"):
        send(tmp_path, CONTEST)
    mine.write_text("name: Mine\nsource:\n  url: https://judge.example/other\n")
    beside = send(tmp_path, CONTEST).cases
    (tmp_path / "x").mkdir()
    (tmp_path / "x/problem.yaml").symlink_to("problem.yaml")  # cannot be read
    (tmp_path / beside).parent.rename(tmp_path / "renamed")
    assert send(tmp_path, CONTEST).cases == "renamed/tests"
    assert mine.read_text().startswith("name: Mine\n")


# ---- samples that are gone -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
def test_force_removes_the_samples_that_the_problem_no_longer_has(tmp_path: Path, layout: str) -> None:
    long = [{"input": "x" * 70_000, "output": f"{number}\n"} for number in range(3)]
    first = send(tmp_path, CONTEST, layout=layout, tests=long)
    folder = tmp_path / first.cases if layout != "repository" else tmp_path / "testcases/codeforces-118a/data"
    mine = write(folder / "mine.in", "1\n")
    written = send(tmp_path, CONTEST, layout=layout, tests=long[:1], force=True)
    assert {Path(path).stem for path in written.removed} == {"sample-2", "sample-3"}
    assert sorted(path.stem for path in tmp_path.rglob("*.in")) == ["mine", "sample-1"]
    assert mine.exists()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("interactive", [False, True])
def test_cases_that_the_user_adds_where_none_arrive_stay(tmp_path: Path, layout: str, *, interactive: bool) -> None:
    cases = send(tmp_path, CONTEST, layout=layout, tests=[], interactive=interactive).cases
    mine = write(tmp_path / cases / ("sample.yaml" if layout == "repository" else "sample-1.in"), "1\n")
    assert send(tmp_path, CONTEST, layout=layout, tests=[], interactive=interactive, force=True).removed == ()
    assert mine.exists()


def test_samples_behind_a_link_are_not_removed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    folder = root / send(root, CONTEST).cases
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="leads out of"):
        send(root, CONTEST, tests=SAMPLES[:1], force=True)
    assert len(list((tmp_path / "elsewhere").iterdir())) == 4


def test_problems_of_one_contest_share_its_folder_however_they_arrive(tmp_path: Path) -> None:
    batch = {"id": "1", "size": 2}
    for url, members in (
        ("https://dmoj.ca/problem/x1", {"group": "DMOJ - X"}),
        ("https://dmoj.ca/problem/x2", {"group": "DMOJ - X", "batch": batch}),
        ("https://judge.example/view/1", {"group": "Judge - Y", "batch": batch}),
        ("https://judge.example/view/2", {"group": "Judge - Y"}),
        ("https://judge.example/view/3", {"group": "Judge - Z"}),
        ("https://judge.example/view/4", {"group": "Judge", "batch": batch}),
    ):
        send(tmp_path, url, **members)
    folders = [str(Path(each).parent) for each in problems(tmp_path)]
    assert folders == ["dmoj-x", "dmoj-x", ".", ".", "judge-y", "judge-y"]


# ---- interactive problems -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("layout", "sketch"),
    [
        ("repository", "problems/codeforces-118a/interactor.py"),
        ("folder", "codeforces-118/a/tests/interactor.py"),
        ("contest", "codeforces-118/tests/a/interactor.py"),
    ],
)
def test_an_interactive_problem_has_its_limits_and_a_sketch_of_an_interactor(
    tmp_path: Path, layout: str, sketch: str
) -> None:
    written = send(tmp_path, CONTEST, layout=layout, interactive=True, name='A. "Guess" \\')
    assert written.sketch == sketch
    text = (tmp_path / sketch).read_text()
    compile(text, sketch, "exec")
    assert "# Sample 2: the solution prints\n#     4\n" in text
    (file,) = tmp_path.rglob("problem.yaml")
    assert CONTEST in file.read_text()
    assert "limits:" in file.read_text()
    assert not list(tmp_path.rglob("*.in"))
    if layout == "repository":
        interactor = load_problem(tmp_path, "codeforces-118a").interactor
    else:
        interactor = read_rules(file.parent).interactor
    assert interactor is not None
    assert interactor.source == tmp_path / sketch
    (tmp_path / sketch).write_text("mine\n")
    assert send(tmp_path, CONTEST, layout=layout, interactive=True, name='A. "Guess" \\', force=True).files == ()
    assert (tmp_path / sketch).read_text() == "mine\n"


def test_the_sketch_is_not_a_solution(tmp_path: Path) -> None:
    draft, _ = read_task(json.dumps({**TASK, "url": CONTEST, "interactive": True}).encode())
    for layout in LAYOUTS:
        root = tmp_path / layout
        write_problem(draft, root, layout=layout)
        written = write_problem(draft, root, layout=layout, starter=Starter(suffix=".py", template=b"x"))
        assert written.state is SolutionState.WRITTEN
        assert place(draft, layout).solution in written.solution
