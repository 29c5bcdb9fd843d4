"""Arguments and files of a case (ICPC 2025-09, "Input"): a submission gets them, and results depend on them."""

import os
from pathlib import Path

import pytest

from judge.base.errors import SandboxError
from judge.judging import case_files
from judge.judging.case_files import describe_arguments
from judge.judging.judge import Job, judge_with_output
from judge.languages.build import Program, build
from judge.languages.table import LANGUAGES
from judge.model import Case, CheckerConfig, Inline, Verdict
from judge.sandbox.box import Box, Command
from tests.programs import limits

SOURCE = """\
import os, sys
print(*sys.argv[1:])
for folder, _, names in os.walk("."):
    for name in sorted(names):
        print(os.path.join(folder, name), open(os.path.join(folder, name)).read())
try:
    open("new", "w")
except OSError:
    print("read-only")
"""


def case(tmp_path: Path, **options: object) -> Case:
    return Case(
        group="g",
        name="1",
        input=Inline(b""),
        limits=limits(cpu=5.0),
        checker=CheckerConfig(),
        origin=tmp_path,
        **options,  # type: ignore[arg-type]
    )


def test_a_submission_gets_arguments_and_files(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    given = tmp_path / "1.files"
    (given / "deep").mkdir(parents=True)
    (given / "x.txt").write_text("one")
    (given / "deep/y.txt").write_text("two")
    (given / "link").symlink_to("/etc/passwd")
    build_folder = tmp_path / "build"
    build_folder.mkdir(mode=0o755)
    tmp_path.chmod(0o755)
    with Box(work_folder=build_folder) as box:
        program = build(tmp_path / "a.py", build_folder, box)
        assert isinstance(program, Program)
        answer = b"--size 3 a b\n./x.txt one\n./deep/y.txt two\nread-only\n"
        for _ in range(2):
            job = Job(
                program=program,
                case=case(tmp_path, args=("--size", "3", "a b"), files=given),
                input=b"",
                answer=answer,
            )
            result = judge_with_output(job, box)[0]
            assert (result.verdict, result.reason) == (Verdict.AC, "")


def test_the_files_of_a_case_are_beside_those_of_the_submission_and_replace_them(tmp_path: Path) -> None:
    submission = tmp_path / "a"
    (submission / "deep").mkdir(parents=True)
    (submission / "main.py").write_text(
        "for name in ('own', 'both', 'deep/own', 'deep/both', 'deep/case'): print(open(name + '.txt').read())"
    )
    given = tmp_path / "1.files"
    (given / "deep").mkdir(parents=True)
    for name in ("own", "both"):
        (submission / f"{name}.txt").write_text("submission")
        (submission / f"deep/{name}.txt").write_text("submission")
    for name in ("both", "deep/both", "deep/case"):
        (given / f"{name}.txt").write_text("case")
    build_folder = tmp_path / "build"
    build_folder.mkdir(mode=0o755)
    tmp_path.chmod(0o755)
    with Box(work_folder=build_folder) as box:
        program = build(submission, build_folder, box)
        assert isinstance(program, Program)
        answer = b"submission case submission case case"
        job = Job(program=program, case=case(tmp_path, files=given), input=b"", answer=answer)
        result = judge_with_output(job, box)[0]
        assert (result.verdict, result.reason) == (Verdict.AC, "")


@pytest.mark.parametrize(
    ("own", "given"),
    [("x", "x/y"), ("x/y", "x"), ("x/y/z", "x/y"), ("link", "link"), ("link", "link/y"), ("x", "pipe"), ("x", "y")],
)
def test_what_a_submission_has_in_the_place_of_a_file_of_the_case_is_left_out(
    own: str, given: str, tmp_path: Path
) -> None:
    place = tmp_path / "program"
    (place / own).parent.mkdir(parents=True)
    if own == "link":
        (place / own).symlink_to("nowhere")
    else:
        (place / own).write_text("submission")
    os.mkfifo(place / "pipe")
    program = Program(language=LANGUAGES[0], argv=("a",), source=place, copy=place / "a", place=place, is_folder=True)
    command = case_files.add_files(Command(argv=("a",)), program, {given: b"case"})
    assert command.cwd is not None
    assert (command.cwd / given).read_text() == "case"
    files = {str(path.relative_to(command.cwd)) for path in command.cwd.rglob("*") if not path.is_dir()}
    assert files == {given} | ({own} if (own, given) in {("x", "pipe"), ("x", "y")} else set())
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["program", command.cwd.name])


def test_too_many_files_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_files, "_MAX_FILES", 2)
    for name in "abc":
        (tmp_path / name).write_text("x")
    with pytest.raises(SandboxError, match="more than 2 files"):
        describe_arguments(case(tmp_path, files=tmp_path))
