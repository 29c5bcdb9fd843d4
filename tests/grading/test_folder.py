"""Folders and zip files of submissions: which file is whose, which one counts, and what is wrong with the others."""

import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from judge.base.errors import DataError, UsageError
from judge.grading.folder import SubmissionFolder
from judge.grading.values import Grade, GradeOptions, Task
from tests.cli.command_line import write

PROBLEMS = ("sums", "sums2", "graph_paths")
STUDENTS = ("Anna Ek", "bo_li", "José")


def read(
    place: Path, problems: tuple[str, ...] = PROBLEMS, pattern: str | None = None
) -> tuple[SubmissionFolder, dict[str, bytes | str]]:
    """Return a folder, and what becomes of each row: its source, or the reason why it has none."""
    with SubmissionFolder(place, {name: place / name for name in problems}, pattern) as folder:
        rows = list(folder.rows(GradeOptions()))
    return folder, {row.id: row.fault if isinstance(row, Grade) else row.code for row in rows}


def make(place: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write a folder, or a zip file if it has that suffix."""
    if place.suffix != ".zip":
        for name, text in files.items():
            write(place / name, text)
        return place
    write(place, zipped(files))
    return place


def zipped(
    files: Mapping[str, str | bytes], date: tuple[int, int, int, int, int, int] = (2026, 1, 1, 0, 0, 0)
) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, date), text)
    return data.getvalue()


# The path of a submission in each layout; `{0}` is the student, `{1}` the problem.
PATHS = {
    "{0}/{1}.py": "a folder for each student",
    "class/{0}/{1}.py": "a folder for each student",
    "{0}/src/{1}.cpp": "a folder for each student",
    "{0}/{1}/main.py": "a folder for each student",
    "{1}/{0}.py": "a folder for each problem",
    "{1}/{0}/main.py": "a folder for each problem",
    "{0}_{1}.py": "files with both names",
    "{1}_{0}.py": "files with both names",
    "{0}_123456_assignsubmission_file_/{1}.py": "Moodle",
    "{0}_123456_assignsubmission_file/work/{1}.py": "Moodle",
    "{0}_123456_assignsubmission_file_{1}.py": "Moodle",
    "CS 1-{1}-4711/{0}_123456_assignsubmission_file_/any.py": "Moodle",
    "{1}/{0}_123456_assignsubmission_file_any.py": "Moodle",
    "{0}_12345_678_{1}.py": "Canvas",
    "{1}/{0}_12345_678_any.py": "Canvas",
    "{0}_late_12345_678_{1}-1.py": "Canvas",
    "all/east/{0}/{1}.py": "folders of groups",
}


@pytest.mark.parametrize("kind", ["class", "class.zip"])
@pytest.mark.parametrize("path", PATHS)
def test_a_layout_is_recognized_by_the_names_of_the_problems(path: str, kind: str, tmp_path: Path) -> None:
    files = {path.format(student, problem): f"{student}, {problem}" for student in STUDENTS for problem in PROBLEMS}
    if "groups" in PATHS[path]:
        files = {name.replace("east", "west") if "bo_li" in name else name: text for name, text in files.items()}
    folder, rows = read(make(tmp_path / kind, files))
    assert folder.notes[0].startswith(f"9 submissions of 3 students to 3 problems; layout: {PATHS[path]}, ")
    assert rows == {f"{s}/{p}": f"{s}, {p}".encode() for s in STUDENTS for p in PROBLEMS}
    assert folder.late == (set(rows) if "late" in path else set())


@pytest.mark.parametrize(
    "path", ["{0}/main.py", "{0}.py", "{0}_1_assignsubmission_file_/a.py", "{0}_1_2_hw.py", "sums/{0}.c"]
)
def test_the_names_of_files_do_not_matter_for_the_only_problem(path: str, tmp_path: Path) -> None:
    folder, rows = read(make(tmp_path / "class", {path.format(each): each for each in STUDENTS}), ("sums",))
    assert rows == {f"{each}/sums": each.encode() for each in STUDENTS}, folder.notes


MOODLE = "Jan Kim_{0}_assignsubmission_file_/sums.py"
NAMESAKES = "".join(
    f"s_{n}:\n  :submitters:\n  - :name: Jan Kim\n    :sid: {sid}\n" for n, sid in ((1, 1), (2, "'01'"))
)


@pytest.mark.parametrize(
    ("problems", "paths", "expected"),
    [
        (
            ("sums",),
            ("anna/sums.py", "bob/sums.py", "carl/sums.py", "bob/sums_2.py"),
            {"anna/sums": "anna/sums.py", "bob/sums": "bob/sums_2.py", "carl/sums": "carl/sums.py"},
        ),
        (("sums",), ("bob/sums.py", "bob/helper.py"), {"bob/sums": "bob/sums.py"}),
        (("sums",), ("anna/first.py", "anna/util.cpp", "bob/x.py", "bob/x-2.py"), {"bob/sums": "bob/x-2.py"}),
        (
            ("sums",),
            ("anna/main.py", "bob/sums.py", "bob/main.py"),
            {"anna/sums": "anna/main.py", "bob/sums": "bob/sums.py"},
        ),
        (
            ("task1", "task2"),
            ("bo/task1.py", "bo/task12.py", "bo/task2.py", "bo/task2v3.py"),
            {"bo/task1": "bo/task1.py", "bo/task2": "bo/task2v3.py"},
        ),
        (
            ("sums", "x"),
            ("kim_1_2_sums.py", "kim_3_4_sums.py", "kim_3_5_sums-1.py", "li_5_6_sums.py"),
            {"kim (1)/sums": "kim_1_2_sums.py", "kim (3)/sums": "kim_3_5_sums-1.py", "li/sums": "li_5_6_sums.py"},
        ),
        (
            ("sums", "x"),
            (MOODLE.format(1), MOODLE.format(2)),
            {"Jan Kim (1)/sums": MOODLE.format(1), "Jan Kim (2)/sums": MOODLE.format(2)},
        ),
        (
            ("sums", "x"),
            ("submission_metadata.yml", "s_1/sums.py", "s_2/sums.py"),
            {"Jan Kim (1)/sums": "s_1/sums.py", "Jan Kim (01)/sums": "s_2/sums.py"},
        ),
    ],
)
def test_each_student_has_the_file_that_is_theirs_and_no_other_is_graded(
    problems: tuple[str, ...], paths: tuple[str, ...], expected: Mapping[str, str], tmp_path: Path
) -> None:
    files = {path: NAMESAKES if path.endswith(".yml") else path for path in paths}
    folder, rows = read(make(tmp_path / "class", files), problems)
    assert {row: text.decode() for row, text in rows.items() if isinstance(text, bytes)} == expected, folder.notes


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ("bo/sums/main.py bo/sums/util.py bo/sums/lib/more.py bo/graph_paths.py", "main.py util.py lib/more.py"),
        ("bo/sums/main.cpp bo/sums/util.cpp bo/sums/util.hpp", "main.cpp util.cpp util.hpp"),
        ("bo/sums/main.cpp bo/sums/main2.cpp", ""),  # two programs
        ("bo/sums/main.cpp bo/sums/old.py", ""),
        ("bo/sums.cpp bo/util.h bo/graph_paths.py", "sums.cpp util.h"),
        ("bo/sums.py bo/util.py bo/sums2.py", ""),  # it may be a submission with a wrong name
        ("bo/sums.py bo/sums-2.py bo/sums (3).py", ""),
        ("x-sums-7/bo_1_assignsubmission_file_/work/Main.java x-sums-7/bo_1_assignsubmission_file_/work/Util.java",
         "Main.java Util.java"),
        ("x-sums-7/bo_1_assignsubmission_file_/main.py x-sums-7/li_2_assignsubmission_file_/util.py", ""),
    ],
)  # fmt: skip
def test_a_program_of_several_files_has_those_in_its_own_folder(paths: str, expected: str, tmp_path: Path) -> None:
    files = {
        path: f"int main() {{ {path} }}" if "main" in path.lower() else path for path in re.split(r" (?=bo|x)", paths)
    }
    place = make(tmp_path / "class", files if paths.startswith("x") else {**files, "li/sums.py": ""})
    if (place / "bo/sums").is_dir():
        (place / "bo/sums/secret.h").symlink_to("/etc/passwd")
    with SubmissionFolder(place, {name: place / name for name in PROBLEMS}) as folder:
        rows = {row.id: row for row in folder.rows(GradeOptions())}
    row = rows["bo/sums"]
    assert isinstance(row, Task)
    assert sorted(row.files) == sorted(expected.split())
    assert ("1 of several files:" in folder.notes) == bool(expected)
    if expected:
        assert row.files[expected.split(maxsplit=1)[0]] == row.code
        assert {row.id for row in rows.values() if isinstance(row, Grade)} <= {"bo/secret.h"}


MAIN_CPP = "int twice(int);\nint main() { return twice(0); }"
MAIN_JAVA = "public class Main { public static void main(String[] a) { Helper.go(); } }"
HELPER_JAVA = "class Helper { static void go() {} public static void main(String[] a) {} }"
KOTLIN = "fun main() { go() }"


@pytest.mark.parametrize(
    ("main", "part", "is_part", "entry_point"),
    [
        (("main.cpp", MAIN_CPP), ("util.cpp", "// called by main() {\nint twice(int x) { return 2 * x; }"), True, None),
        (("main.cpp", MAIN_CPP), ("util.cpp", 'char *s = "main() {"; /* int main() { */'), True, None),
        (("main.cpp", MAIN_CPP), ("util.cpp", "int main();\nint twice(int x) { return 2 * x; }"), True, None),
        (("main.cpp", MAIN_CPP), ("old.cpp", "int main(int argc, char **argv)\n{ }"), False, None),
        (("main.cpp", "// int main() {}"), ("sum.cpp", "int main() {}"), True, None),
        (("main.java", MAIN_JAVA), ("Helper.java", HELPER_JAVA), True, "Main"),
        (("sums.java", MAIN_JAVA.replace("Main", "Sums")), ("Main.java", MAIN_JAVA), True, "Sums"),
        (("Main.java", MAIN_JAVA), ("Old.java", MAIN_JAVA.replace("public class", "class")), False, None),
        (("main.kt", KOTLIN), ("go.kt", "fun go() {}\nfun main() = go()"), True, "MainKt"),
        (("main.js", "function main() {}"), ("go.js", "function main() {}"), True, "main.js"),
    ],
)
def test_a_part_is_left_out_only_if_the_program_cannot_have_its_main(
    main: tuple[str, str], part: tuple[str, str], is_part: bool, entry_point: str | None, tmp_path: Path
) -> None:
    files = {f"bo/sums/{name}": text for name, text in (main, part)}
    place = make(tmp_path / "class", {**files, "li/sums.py": ""})
    with SubmissionFolder(place, {name: place / name for name in PROBLEMS}) as folder:
        row, _ = folder.rows(GradeOptions())
    assert isinstance(row, Task)
    assert set(row.files.values()) == ({main[1].encode(), part[1].encode()} if is_part else set())
    assert entry_point in (None, row.entry_point)
    note = f"  bo/sums: bo/sums/{main[0]}, not bo/sums/{part[0]}"
    assert folder.notes[1:] == (
        ["1 with other files; the one named like the problem counts, else `main`:", note]
        if not is_part
        else ["1 of several files:", f"  bo/sums: bo/sums/{main[0]} with {part[0]}"]
    )
    if main[0] == "main.java":
        assert "Main.java" in row.files, "the compiler wants the name of the public class"


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("hand-in {student}@{problem}.*", "hand-in {0}@{1}.py"),
        ("*/{problem}/{number}-{student}/**/*", "x/{1}/7-{0}/y/z.py"),
    ],
)
def test_a_pattern_names_another_layout(pattern: str, path: str, tmp_path: Path) -> None:
    files = {path.format(student, problem): "" for student in STUDENTS for problem in PROBLEMS}
    assert len(read(make(tmp_path / "class", files), pattern=pattern)[1]) == 9


@pytest.mark.parametrize(
    "pattern", ["{student}.py", "{student}/{name}/{problem}.*", "{student}{student}{problem}", "", "*"]
)
def test_what_is_no_pattern_is_one_clear_error(pattern: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--as .*: expected a pattern with \{student\} and \{problem\}, once each"):
        read(make(tmp_path / "class", {"anna/sums.py": ""}), pattern=pattern)


def test_the_last_of_several_files_counts_by_its_number_and_else_by_its_time(tmp_path: Path) -> None:
    files = {"anna/sums.py": b"1", "anna/sums-2.py": b"2", "anna/sums (10).py": b"10", "bo/Sums.cpp": b"c"}
    new = zipped({"Graph-Pa ths.py": "new"}, (2026, 1, 2, 0, 0, 0))
    old = zipped({"graph_paths.py": "old"})
    folder, rows = read(make(tmp_path / "class", files | {"bo/z-first.zip": old, "bo/again.zip": new}))
    assert rows == {"anna/sums": b"10", "bo/sums": b"c", "bo/graph_paths": b"new"}
    assert folder.notes[1:] == [
        "2 with several files; the last counts, by the number in its name, else by its time:",
        "  anna/sums: anna/sums (10).py, not anna/sums.py, anna/sums-2.py",
        "  bo/graph_paths: bo/again/Graph-Pa ths.py, not bo/z-first/graph_paths.py",
    ]


def test_students_of_gradescope_have_their_names(tmp_path: Path) -> None:
    names = "---\nsubmission_7:\n  :submitters:\n  - :name: Anna Ek\n    :sid: '1'\n  - :name: Bo Li\n"
    files = {
        "x_export/submission_metadata.yml": names,
        "x_export/submission_7/sums.py": "",
        "x_export/submission_8/sums.py": "",
    }
    assert list(read(make(tmp_path / "class.zip", files))[1]) == ["Anna Ek and Bo Li/sums", "submission_8/sums"]


def bomb(levels: int) -> bytes:
    data = b"\0" * 1000
    for _ in range(levels):
        data = zipped({"x.zip": data})
    return data


def encrypted() -> bytes:
    data = bytearray(zipped({"sums.py": "x"}))
    for signature, offset in ((b"PK\1\2", 8), (b"PK\3\4", 6)):
        data[data.index(signature) + offset] |= 1
    return bytes(data)


def link(target: str) -> bytes:
    info = zipfile.ZipInfo("sums.py")
    info.external_attr = 0o120777 << 16
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(info, target)
    return data.getvalue()


def damaged() -> bytes:
    return zipped({"sums.py": "x" * 1000}).replace(b"\x4b\x4c", b"\x4b\x4d")


HOSTILE: Mapping[str, tuple[bytes, str]] = {
    "absolute": (zipped({"/etc/sums.py": ""}), "has a member `/etc/sums.py`, whose path leads out of it"),
    "above": (zipped({"../sums.py": ""}), "has a member `../sums.py`, whose path leads out of it"),
    "encrypted": (encrypted(), "is encrypted (`sums.py`): extract it with its password"),
    "no zip file": (b"x", "cannot be read as a zip file: File is not a zip file"),
    "cut": (zipped({"sums.py": "1"})[:-9], "cannot be read as a zip file: File is not a zip file"),
    "deep": (bomb(6), "more than 4 zip files in each other"),
    "link": (link("/etc/passwd"), "has a link `sums.py` that leads out of it"),
    "many": (zipped({f"{number}.py": "" for number in range(301)}), "has 301 members; expected at most 300"),
    "large": (zipped({"sums.py": "\0" * 3_000_000}), "expands to 2.9 MiB; at most 2.0 MiB are extracted"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_zip_file_of_one_student_is_a_fault_that_names_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.problems.archive._MAX_MEMBERS", 300)
    monkeypatch.setattr("judge.grading.folder._MAX_NESTED", 2 << 20)
    monkeypatch.setattr("judge.grading.folder._MAX_EXTRACTED", 2 << 20)
    data, message = HOSTILE[name]
    files: dict[str, str | bytes] = {"bo/work.zip": data, "anna/sums.py": "right"}
    folder, rows = read(make(tmp_path / "class", files))
    assert rows.pop("anna/sums") == b"right", "the others are graded"
    (reason,) = rows.values()
    assert str(reason).startswith(f"{tmp_path}/class/bo/work.zip")
    assert message in str(reason)
    assert folder.students == ["anna", "bo"]
    if name != "deep":
        with pytest.raises(DataError) as raised:
            read(write(tmp_path / "x.zip", data))
        assert message in str(raised.value)


def test_what_fits_nothing_is_named_with_its_reason(tmp_path: Path) -> None:
    files = {
        "anna/sums.py": "", "anna/sms.py": "", "anna/essay.docx": "", "anna/all.rar": "", "anna/Makefile": "",
        "anna/.git/config": "", "__MACOSX/x.py": "", "anna/a.class": "", "dan/essay.docx": "", "Émil/x.md": "",
    }  # fmt: skip
    place = make(tmp_path / "class", files)
    (place / "anna/secret.py").symlink_to("/etc/passwd")
    folder, rows = read(place)
    assert rows.pop("anna/sums") == b""
    reasons = {name: str(text).removeprefix(f"{place}/{name}: ") for name, text in rows.items()}
    assert reasons == {
        "anna/sms.py": "no problem is called `sms`: did you mean sums?",
        "anna/all.rar": "an archive, but not a zip file: extract it",
        "anna/secret.py": "a link that leads out of the folder",
        "anna/Makefile": reasons["anna/Makefile"],
        "anna/essay.docx": reasons["anna/essay.docx"],
        "dan/essay.docx": reasons["anna/essay.docx"],
        "Émil/x.md": reasons["Émil/x.md"],
    }
    assert reasons["anna/essay.docx"].startswith("not a source: no language has the suffix `.docx`; expected .c, .cpp")
    assert folder.students == ["anna", "dan", "Émil"], "who handed in something else is in the table, too"
    assert folder.notes[1] == "7 files not graded:"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "the folder has no files; expected a layout such as"),
        ({"a/b/x.py": ""}, "no file is named like a submission: found `a/b/x.py`"),
    ],
)
def test_a_folder_without_submissions_is_one_clear_error(
    files: Mapping[str, str], message: str, tmp_path: Path
) -> None:
    (tmp_path / "class").mkdir()
    with pytest.raises(UsageError, match=message):
        read(make(tmp_path / "class", files))
