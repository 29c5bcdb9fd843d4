"""What is a package, a folder of packages, or a repository: decided by names alone."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from judge.problems.contest import Contest, read_contest
from judge.problems.paths import contest_folders, find_package, is_package, is_repository, package_names, problem_ids


def write(root: Path, names: Sequence[str]) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            path.mkdir(exist_ok=True)
        else:
            path.write_text("")
    return root


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["problem.yaml", "data/"], True),
        (["problem.yaml", "submissions/"], True),
        (["problem.yaml", "problem_statement/"], True),
        (["problem.yaml", "statement/"], True),
        (["problem.yaml", "generators/generators.yaml"], True),
        (["domjudge-problem.ini", "data/"], True),
        (["problem.yaml"], False),
        (["problem.yaml", "tests/"], False),
        (["problem.yaml", "generators/hands.py"], False),
        (["problem.xml", "files/"], True),
        (["problem.xml", "solutions/"], True),
        (["problem.xml"], False),
        (["data/", "submissions/"], False),
        ([], False),
    ],
)
def test_a_package_has_a_file_and_a_folder(names: Sequence[str], expected: bool, tmp_path: Path) -> None:
    assert is_package(write(tmp_path, names)) is expected


def test_the_innermost_package_around_a_path_counts(tmp_path: Path) -> None:
    write(tmp_path, ["a/problem.yaml", "a/data/b/problem.yaml", "a/data/b/data/"])
    assert find_package(tmp_path / "a" / "submissions" / "x.py") == tmp_path / "a"
    assert find_package(tmp_path / "a" / "data" / "b" / "data" / "1.in") == tmp_path / "a" / "data" / "b"
    assert find_package(tmp_path / "c") is None


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["2019/finals/problems/"], ["2019/finals/problems"]),
        (["2019/finals/problems/", "first/", "setup.py"], ["2019/finals/problems", "first"]),
        (["", "2019/finals/problems/"], [""]),
        (["a/b/c/d/e/"], []),
        ([".git/problems/", "_old/problems/"], []),
        (["2019/finals/problems/", "1.in"], []),
        (["2019/finals/problems/", "tests/1.in"], []),
        (["second/", "first/tests/1.in"], ["second"]),
    ],
)
def test_packages_are_found_in_the_folders_below(names: Sequence[str], expected: Sequence[str], tmp_path: Path) -> None:
    files = [
        f"{name}p/{part}" for name in names if name.endswith("/") or not name for part in ("problem.yaml", "data/")
    ]
    write(tmp_path, [*files, *(name for name in names if name and not name.endswith("/"))])
    assert contest_folders(tmp_path) == [tmp_path / name for name in expected]


PACKAGE = ["problems/p/problem.yaml", "problems/p/data/"]


@pytest.mark.parametrize(
    ("names", "repository", "packages", "ids"),
    [
        (["problems/"], True, [], []),
        (["problems/n/problem.yaml"], True, [], ["n"]),
        (PACKAGE, False, ["p"], []),
        ([*PACKAGE, "solutions/slides.tex"], False, ["p"], []),
        ([*PACKAGE, "testcases/p/"], True, [], ["p"]),
        ([*PACKAGE, "solutions/p/"], True, [], ["p"]),
        ([*PACKAGE, "problems/n/problem.yaml", "solutions/n/"], True, ["p"], ["n"]),
        ([], False, [], []),
    ],
)
def test_a_folder_of_packages_is_no_repository(
    names: Sequence[str], repository: bool, packages: Sequence[str], ids: Sequence[str], tmp_path: Path
) -> None:
    write(tmp_path, names)
    assert is_repository(tmp_path) is repository
    assert package_names(tmp_path / "problems") == packages
    assert problem_ids(tmp_path) == ids


@pytest.mark.parametrize(
    ("text", "packages", "left_out", "message"),
    [
        (None, ("a", "b"), (), ""),
        ("- id: b\n- id: a\n", ("b", "a"), (), ""),
        ("- id: b\n- id: b\n", ("b",), ("a",), ""),
        ("- id: ../a\n- id: b\n", ("b",), ("a",), "which is no package"),
        ("[]", ("a", "b"), (), ""),
        ("{id: a}", ("a", "b"), (), ""),
        ("- {id: [a]}\n- a\n", ("a", "b"), (), ""),
        ("- id: [\n", ("a", "b"), (), "problems.yaml"),
    ],
)
def test_the_contest_file_orders_and_selects(
    text: str | None, packages: tuple[str, ...], left_out: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    write(tmp_path, ["a/problem.yaml", "a/data/", "b/problem.yaml", "b/data/", "c/"])
    if text is not None:
        (tmp_path / "problems.yaml").write_text(text)
    found = read_contest(tmp_path)
    assert (found.packages, found.left_out) == (packages, left_out)
    assert [message in str(each) for each in found.diagnostics] == [True] * bool(message)


PROBLEMS = "".join(
    f'<problem index="{index}" url="https://polygon.example/p/me/{name}"/>'
    for index, name in zip("AB", "ba", strict=True)
)


@pytest.mark.parametrize(
    ("text", "expected", "message"),
    [
        (f"<contest><problems>{PROBLEMS}</problems></contest>", Contest(("b", "a"), "contest.xml", ("c",)), ""),
        ("<contest/>", Contest(("a", "b", "c"), "contest.xml"), ""),
        ("<contest>", Contest(("a", "b", "c")), "not valid XML"),
        ("<!DOCTYPE contest><contest/>", Contest(("a", "b", "c")), "has a document type declaration"),
    ],
)
def test_a_contest_of_polygon_orders_and_selects(text: str, expected: Contest, message: str, tmp_path: Path) -> None:
    write(tmp_path, [f"problems/{name}/{file}" for name in "abc" for file in ("problem.xml", "files/")])
    (tmp_path / "contest.xml").write_text(text)
    found = read_contest(tmp_path / "problems")
    assert (found.packages, found.file, found.left_out) == (expected.packages, expected.file, expected.left_out)
    assert [message in str(each) for each in found.diagnostics] == [True] * bool(message)
