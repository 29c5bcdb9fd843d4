"""Stored problems: they equal what a new read gives, and any change of what a problem is read from is noticed."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.base.errors import DataError, UsageError
from judge.model import Problem
from judge.problems import cache, native
from judge.problems.paths import problem_ids
from tests.repositories import make
from tests.test_layers import imported_parts, modules, parse

SHIPPED = Path(__file__).parents[2]
RICH = {
    "problems/p/problem.yaml": (
        "name: Añ 'quoted'\nprofile: uva\nsource:\n  name: a book\n  url: https://example.org/p\n"
        "validator: validate.py\ngenerators: [generators/hands.py]\nreference: accepted/right.py\n"
        "independent: accepted/other.py\nlimits:\n  time: 1.5 s\n"
        "compile_flags:\n  cpp: [-O1, -DX=1]\nchecker_limits:\n  time: 5 s\n"
    ),
    "problems/p/statement.md": "# P\n",
    "testcases/p/sample.yaml": (
        'cases:\n  - name: one\n    why: "é"\n    input: "\\u0001é\\n"\n    answer: "3\\n"\n'
        "    limits:\n      memory: 64 MiB\n    checker:\n      name: tokens\n      float_tolerance: 1\n"
        "  - name: file\n    input_file: data/big.in\n    answer_file: data/big.ans\n"
        "  - name: made\n    generate: near_misses\n    seeds: 1-3\n    parameters: {lines: 4, suit: H}\n"
        "  - name: far\n    external:\n      url: https://example.org/x\n      file: x.txt\n      sha256: "
        + "0a" * 32
        + "\n"
    ),
}
Edit = Callable[[Path], object]


def age(root: Path) -> None:
    """Wait until the change times of all files are old enough to be trusted."""
    newest = max(path.stat().st_ctime for path in root.rglob("*"))
    time.sleep(max(0.0, newest + 0.06 - time.time()))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a problem of every kind of case, just stored; change times are trusted after 50 ms."""
    monkeypatch.setattr(cache, "_RECENT_NS", 50 * 10**6)
    root = make(tmp_path / "r", RICH)
    age(root)
    read(root)
    assert stored(root).exists()
    return root


def read(root: Path) -> Problem:
    return cache.load_problem(root, "p", root / ".judge" / "problems")


def stored(root: Path) -> Path:
    return root / ".judge" / "problems" / "p.msgpack"


def reads_files(root: Path) -> bool:
    """Return whether the problem is read from its own files; check that the result is the same in any case."""
    calls = []
    original = native.load_problem

    def count(root: Path, problem_id: str) -> Problem:
        calls.append(problem_id)
        return original(root, problem_id)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(native, "load_problem", count)
        assert read(root) == native.load_problem(root, "p")
    return len(calls) > 1


def test_a_stored_problem_equals_the_one_that_was_read(repository: Path) -> None:
    assert not reads_files(repository)
    problems = (read(repository), native.load_problem(repository, "p"))
    kept, again = (repr(replace(each, solutions=())) for each in problems)  # in a set of verdicts there is no order
    assert kept == again
    kinds = {type(case.input).__name__ for case in read(repository).cases}
    assert kinds == {"Inline", "InFile", "Generated", "External"}


@pytest.mark.parametrize("problem_id", problem_ids(SHIPPED))
def test_every_shipped_problem_is_stored_and_read_alike(
    problem_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_RECENT_NS", 0)
    for _ in range(2):
        assert cache.load_problem(SHIPPED, problem_id, tmp_path / ".judge/p") == native.load_problem(
            SHIPPED, problem_id
        )
    assert (tmp_path / ".judge/p" / f"{problem_id}.msgpack").exists()


def edit_same_size(root: Path, name: str) -> None:
    """Change a file without changing its size or its modification time."""
    path = root / name
    before = path.stat()
    path.write_bytes(path.read_bytes().replace(b"1 2", b"2 1").replace(b"1.5 s", b"2.5 s").replace(b"lines", b"linez"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size


def become_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


EDITS: dict[str, Edit] = {
    "problem.yaml": lambda root: (root / "problems/p/problem.yaml").write_text("name: Q\nprofile: icpc\n"),
    "problem.yaml, same size and time": lambda root: edit_same_size(root, "problems/p/problem.yaml"),
    "cases": lambda root: (root / "testcases/p/sample.yaml").write_text('cases:\n- name: x\n  input: "1"\n'),
    "data, same size and time": lambda root: edit_same_size(root, "testcases/p/data/big.in"),
    "a new group": lambda root: (root / "testcases/p/more.yaml").write_text('cases:\n- name: x\n  input: "1"\n'),
    "a group removed": lambda root: (root / "testcases/p/sample.yaml").unlink(),
    "generator, same size and time": lambda root: edit_same_size(root, "problems/p/generators/hands.py"),
    "validator": lambda root: (root / "problems/p/validate.py").write_text("print()\n"),
    "statement": lambda root: (root / "problems/p/statement.md").unlink(),
    "a new solution": lambda root: (root / "solutions/p/accepted/new.py").write_text(""),
    "a solution removed": lambda root: (root / "solutions/p/wrong_answer/wrong.py").unlink(),
    "a solution moved": lambda root: (root / "solutions/p/wrong_answer/wrong.py").rename(
        root / "solutions/p/accepted/wrong.py"
    ),
    "a file replaced by another": lambda root: (root / "testcases/p/data/big.ans").replace(
        root / "testcases/p/data/big.in"
    ),
    "permissions": lambda root: (root / "testcases/p/data/big.in").chmod(0o600),
    "a file becomes a folder": lambda root: become_folder(root / "problems/p/statement.md"),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_any_change_of_a_file_is_noticed(repository: Path, edit: Edit) -> None:
    edit(repository)
    try:
        expected: object = native.load_problem(repository, "p")
    except DataError as error:
        expected = str(error)
    for _ in range(2):
        try:
            found: object = read(repository)
        except DataError as error:
            found = str(error)
        assert found == expected


def test_an_error_is_reported_each_time(repository: Path) -> None:
    (repository / "problems/p/problem.yaml").write_text("name: 1\n")
    age(repository)
    for _ in range(2):
        with pytest.raises(DataError, match=r"problem\.yaml"):
            read(repository)


def test_an_unknown_problem_is_an_error_with_all_names(repository: Path) -> None:
    for name in ("q", "../p", "p/../p", "", ".p"):
        with pytest.raises(UsageError, match="unknown problem"):
            cache.load_problem(repository, name, repository / ".judge/problems")


def test_a_file_that_was_just_edited_is_not_trusted(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_RECENT_NS", 60 * 10**9)
    assert reads_files(repository)
    assert reads_files(repository)


def test_a_problem_that_changes_while_it_is_read_is_not_stored(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(repository).unlink()
    original = native.load_problem

    def read_and_edit(root: Path, problem_id: str) -> Problem:
        problem = original(root, problem_id)
        (root / "problems/p/validate.py").write_text("import sys\n")
        return problem

    with monkeypatch.context() as patched:
        patched.setattr(native, "load_problem", read_and_edit)
        read(repository)
    assert not stored(repository).exists()


def test_a_problem_with_a_number_of_more_than_64_bits_is_read_each_time(repository: Path) -> None:
    cases = repository / "testcases/p/sample.yaml"
    cases.write_text(cases.read_text().replace("lines: 4", f"lines: {2**64}"))
    age(repository)
    assert reads_files(repository)
    assert reads_files(repository)


def test_a_problem_with_links_is_read_each_time(repository: Path) -> None:
    (repository / "testcases/p/data/big.in").rename(repository / "testcases/p/data/moved.in")
    (repository / "testcases/p/data/big.in").symlink_to("moved.in")
    age(repository)
    assert reads_files(repository)
    assert reads_files(repository)


def test_a_moved_repository_is_read_again(repository: Path) -> None:
    moved = repository.rename(repository.parent / "moved")
    age(moved)
    assert read(moved).folder == moved / "problems/p"
    assert not reads_files(moved)


def test_other_code_of_the_judge_reads_again(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_reader_stats", lambda: "another version")
    assert reads_files(repository)


def test_the_code_of_all_packages_that_read_problems_counts() -> None:
    needed, new = set[str](), {"problems"}
    while new:
        needed |= new
        new = {part for room, path in modules() if room in new for part in imported_parts(parse(path))} - needed
    assert needed - {"__version__"} == set(cache._READERS)


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "not MessagePack", "of another problem", "forged"])
def test_a_damaged_or_forged_file_is_ignored_and_replaced(repository: Path, damage: str) -> None:
    path = stored(repository)
    content = path.read_bytes()
    checksum, _, body = content.partition(b"\n")
    forged = body.replace("Añ".encode(), b"For")
    assert forged != body
    path.write_bytes(
        {
            "empty": b"",
            "cut": content[:-5],
            "flipped": content.replace(b"one", b"two"),
            "not MessagePack": checksum + b"\n\xc1",
            "of another problem": checksum + b"\n\x80",
            "forged": cache._checksum("", forged) + b"\n" + forged,
        }[damage]
    )
    assert reads_files(repository)
    assert not reads_files(repository)


def test_a_stored_file_that_is_a_link_to_a_device_is_not_read(repository: Path) -> None:
    stored(repository).unlink()
    stored(repository).symlink_to("/dev/zero")
    assert read(repository) == native.load_problem(repository, "p")
    assert not stored(repository).is_symlink()


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(repository: Path) -> None:
    folder = repository / "file"
    folder.write_text("")
    assert cache.load_problem(repository, "p", folder / "problems") == native.load_problem(repository, "p")
