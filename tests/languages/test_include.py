"""Included folders: copied with what belongs to them, found by compilers and interpreters, part of every key."""

import os
import shutil
from pathlib import Path

import pytest

from judge.base.errors import UsageError
from judge.languages import options
from judge.languages.build import CompileError, Program, build
from judge.languages.options import BuildOptions, copy_folder
from judge.sandbox.box import Box
from tests.programs import limits

FILES = {
    "util.py": "def answer():\n    return 42\n",
    "my.h": "#pragma once\ninline int answer() { return 42; }\n",
    "Util.java": "class Util { static int answer() { return 42; } }\n",
}
SOURCES = {
    "x.py": "import util\nprint(util.answer())\n",
    "x.c": '#include <stdio.h>\n#include "my.h"\nint main(void) { printf("%d\\n", answer()); }\n',
    "x.cpp": '#include <cstdio>\n#include <my.h>\nint main() { std::printf("%d\\n", answer()); }\n',
    "x.java": "class X { public static void main(String[] a) { System.out.println(Util.answer()); } }\n",
}
COMPILERS = {".c": "gcc", ".cpp": "g++", ".java": "javac", ".py": "python3"}


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "lib"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "built"
    folder.mkdir()
    return folder


@pytest.mark.thorough
@pytest.mark.parametrize("name", SOURCES)
def test_a_solution_uses_what_an_included_folder_has(name: str, tmp_path: Path, library: Path, built: Path) -> None:
    if not shutil.which(COMPILERS[Path(name).suffix]):
        pytest.skip("no compiler on this machine")
    library.chmod(0o700)  # as a private home is
    (tmp_path / name).write_text(SOURCES[name])
    with Box(work_folder=built) as box:
        without = build(tmp_path / name, built, box)
        if isinstance(without, Program):
            assert box.run(without.command(b"", limits()), limits()).result.exit_code == 1
        program = build(tmp_path / name, built, box, options=BuildOptions(include=(copy_folder(library, built),)))
        assert isinstance(program, Program)
        outcome = box.run(program.command(b"", limits()), limits())
    assert outcome.stdout == b"42\n"


def test_a_solution_with_the_name_of_a_module_of_the_library_hides_nothing(library: Path, built: Path) -> None:
    source = library.parent / "heapq.py"
    source.write_text("import heapq, util\nprint(heapq.nsmallest(1, [util.answer()]))\n")
    with Box(work_folder=built) as box:
        program = build(source, built, box, options=BuildOptions(include=(copy_folder(library, built),)))
        assert isinstance(program, Program)
        assert box.run(program.command(b"", limits()), limits()).stdout == b"[42]\n"


def test_messages_name_the_users_files(library: Path, built: Path) -> None:
    if not shutil.which("g++"):
        pytest.skip("no g++ on this machine")
    (library / "util.py").write_text("raise ValueError\n")
    (library / "my.h").write_text("int answer() { return nothing; }\n")
    options = BuildOptions(include=(copy_folder(library, built),))
    for name in ("x.py", "x.cpp"):
        (library.parent / name).write_text(SOURCES[name])
    with Box(work_folder=built) as box:
        program = build(library.parent / "x.py", built, box, options=options)
        assert isinstance(program, Program)
        errors = box.run(program.command(b"", limits()), limits()).result.stderr_tail
        error = build(library.parent / "x.cpp", built, box, options=options)
    assert f'File "{library / "util.py"}", line 1'.encode() in program.restore_source_path(errors)
    assert isinstance(error, CompileError)
    assert f"(in {library / 'my.h'}, line 1)" in error.message


def test_the_digest_follows_names_and_contents(library: Path, built: Path) -> None:
    digests = [copy_folder(library, built).digest]
    assert copy_folder(library, built).digest == digests[0]
    (library / "util.py").write_text("def answer():\n    return 43\n")
    digests.append(copy_folder(library, built).digest)
    (library / "util.py").rename(library / "utility.py")
    digests.append(copy_folder(library, built).digest)
    assert len(set(digests)) == 3


def test_data_of_cases_hidden_files_and_linked_folders_are_left_out(library: Path, built: Path) -> None:
    (library / "tests").mkdir()
    for name in ("tests/1.in", "tests/1.ans", "tests/1.out", ".env", "tests/bits.h"):
        (library / name).touch()
    (library / "all").symlink_to(library)
    copy = copy_folder(library, built).copy
    assert sorted(str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file()) == [
        "Util.java",
        "my.h",
        "tests/bits.h",
        "util.py",
    ]


def test_a_folder_that_is_no_library_is_refused(library: Path, built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "_MAX_SIZE", 100)
    with pytest.raises(UsageError, match=r"--include .*lib: more than .* name the folder that holds only your library"):
        copy_folder(library, built)
    with pytest.raises(UsageError, match=r"--include .*nothing: no such folder"):
        copy_folder(library / "nothing", built)


def test_a_pipe_in_the_folder_is_not_waited_for(library: Path, built: Path) -> None:
    os.mkfifo(library / "pipe")
    assert not (copy_folder(library, built).copy / "pipe").exists()
