"""A precompiled `bits/stdc++.h` changes how long a compilation takes, and nothing else."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from select import select

import pytest

from judge.languages import precompiled
from judge.languages.build import CompileError, Program, build
from judge.languages.options import BuildOptions
from judge.languages.precompiled import PrecompiledHeader, can_use_header, family_of, make_wanted, run_compiler
from judge.model import Limits
from judge.sandbox.box import Box, Command, Outcome
from judge.workspace.options import SessionOptions
from judge.workspace.workspace import Workspace
from tests.programs import limits
from tests.watch.watch_process import eventually

INCLUDE = b"#include <bits/stdc++.h>\n"

# What it makes of a source is its own arguments, and its error is what the source says.
COMPILER = """#!/bin/sh
case "$*" in
*c++-header*)
    # wait
    echo 'all.h: all.h HEADER \\\\' > all.d; echo ' /dev/null' >> all.d; echo made > bits/stdc++.h.gch ;;
*) [ -z "$ERROR" ] && exit; echo "$ERROR" >&2; exit 1 ;;
esac
"""


# Starts the process as usual, but for its priority: on a busy machine, it could take minutes.
START = """
from pathlib import Path
from judge.languages import precompiled
precompiled._START = precompiled._START.replace("import main;", "import *;").replace(
    "main(", "from judge.languages import precompiled; precompiled._lower_priority = int; main("
)
precompiled.start_making(Path({folder!r}))
"""


@pytest.mark.parametrize(
    ("text", "flags", "is_possible"),
    [
        (INCLUDE, "", True),
        (b"// by me\n/* a * b **/\n\n  # include <bits/stdc++.h>", "", True),
        (b'#pragma GCC optimize("O3")\n' + INCLUDE, "", False),
        (b"#define int long long\n" + INCLUDE, "", False),
        (b"#include <vector>\n" + INCLUDE, "", False),
        (b"int x;\n" + INCLUDE, "", False),
        (b"/* " + INCLUDE + b"*/", "", False),
        (b"//" * 100_000, "", False),
        (b"/* " * 100_000, "", False),
        (b"", "", False),
        (INCLUDE, "-std=gnu++17 -O3 -DLOCAL=1 -Wall -fsanitize=address -march=native -lm -w -pedantic-errors", True),
        (INCLUDE, "-g", False),
        (INCLUDE, "-include x.h", False),
        (INCLUDE, "-Wp,-include,x.h", False),
        (INCLUDE, "-I. -O2", False),
    ],
)  # fmt: skip
def test_only_sources_that_begin_with_the_include_use_it(text: bytes, flags: str, is_possible: bool) -> None:
    assert can_use_header(text, flags.split()) is is_possible


def test_the_name_tells_gcc_from_clang(tmp_path: Path) -> None:
    names = {"x86_64-linux-gnu-g++-12": "gcc", "g++": "gcc", "clang++-14": "clang", "c++": ""}
    assert {name: family_of(str(tmp_path / name)) for name in names} == names


class RecordingBox(Box):
    """A box that records what it runs."""

    def __init__(self, work_folder: Path) -> None:
        super().__init__(work_folder=work_folder)
        self.commands: list[tuple[str, ...]] = []

    def run(self, command: Command, limits: Limits) -> Outcome:
        """Run a program."""
        self.commands.append(command.argv)
        return super().run(command, limits)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of precompiled headers, in a cache that a sandbox can enter, outside of CI."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    return tmp_path / "cache/judge/headers"


@pytest.fixture
def compiler(tmp_path: Path) -> str:
    """A compiler that only looks like one, and reads a header of the test."""
    (tmp_path / "vector").write_text("one")
    path = tmp_path / "g++"
    path.write_text(COMPILER.replace("HEADER", str(tmp_path / "vector")))
    path.chmod(0o755)
    return str(path)


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecordingBox]:
    """A box for all tests of this module."""
    work = tmp_path_factory.mktemp("work")
    for each in (work.parent, work):
        each.chmod(0o755)  # the sandbox may run the compiler as another user
    with RecordingBox(work) as box:
        yield box


def compile_with(box: RecordingBox, *argv: str, error: str = "") -> list[bool]:
    """Compile; return for each start of the compiler whether it was to use the header."""
    box.commands.clear()
    run_compiler(Command(argv=argv, environment={"ERROR": error}), argv, box, limits())
    return ["-I" in words for words in box.commands]


def test_the_second_compilation_uses_it_until_a_header_changes(
    folder: Path, compiler: str, box: RecordingBox, tmp_path: Path
) -> None:
    assert compile_with(box, compiler) == [False]
    make_wanted(folder)
    header = PrecompiledHeader(folder, (compiler,))
    assert (header.place / "bits/stdc++.h.gch").read_text() == "made\n"
    assert sorted(path.name for path in folder.iterdir()) == [header.place.name, "lock"]
    assert compile_with(box, compiler) == [True]
    assert compile_with(box, compiler, "-O3") == [False]  # other options, another header
    assert compile_with(box, compiler, error="a.cpp:1: error") == [True]
    assert compile_with(box, compiler, error="In file included from vector:1:\nerror") == [True, False]
    (tmp_path / "vector").write_text("three")
    assert compile_with(box, compiler) == [False]
    assert not header.place.exists()
    make_wanted(folder)
    assert header.is_valid()
    with Path(compiler).open("a") as file:
        file.write("# updated\n")
    assert compile_with(box, compiler) == [False]


def test_a_source_that_does_not_compile_makes_none_wanted(folder: Path, compiler: str, box: RecordingBox) -> None:
    assert compile_with(box, compiler, error="error") == [False]
    assert not folder.exists()


def test_what_another_version_wanted_is_forgotten(folder: Path, compiler: str, box: RecordingBox) -> None:
    compile_with(box, compiler)
    next(folder.glob("*.wanted")).write_text("...")
    make_wanted(folder)
    assert [path.name for path in folder.iterdir()] == ["lock"]


def test_what_cannot_be_made_is_not_tried_again(folder: Path, compiler: str, box: RecordingBox) -> None:
    compile_with(box, compiler)
    Path(compiler).write_text("#!/bin/sh\nexit 1\n")
    make_wanted(folder)
    assert {path.suffix for path in folder.iterdir()} == {".failed", ""}
    header = PrecompiledHeader(folder, (compiler,))
    next(folder.glob("*.failed")).rename(header.place.with_suffix(".failed"))  # its compiler is another one now
    header.want()
    assert not list(folder.glob("*.wanted"))


def test_what_has_no_room_is_tried_again(
    folder: Path, compiler: str, box: RecordingBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_with(box, compiler)
    monkeypatch.setattr(precompiled, "_ROOM", shutil.disk_usage(folder).total + 1)
    make_wanted(folder)
    assert [path.name for path in folder.iterdir()] == ["lock"]
    assert compile_with(box, compiler) == [False]
    assert list(folder.glob("*.wanted"))


def test_a_folder_that_cannot_be_written_only_disables_it(
    folder: Path, compiler: str, box: RecordingBox, tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("")
    assert compile_with(box, compiler) == [False]
    precompiled.start_making(folder)


def test_those_unused_for_long_go_first(folder: Path, compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precompiled, "_MOST", 2)
    made = [PrecompiledHeader(folder, (compiler, f"-O{number}")) for number in range(3)]
    for number, header in enumerate(made):
        header.want()
        make_wanted(folder)
        os.utime(header.place, (number, number))
        made[0].is_valid()  # used now
    assert [header.place.exists() for header in made] == [True, False, True]


def test_it_is_made_once_by_a_process_that_no_one_waits_for(folder: Path, compiler: str) -> None:
    Path(compiler).write_text(
        COMPILER.replace("# wait", "n=9999; while [ ! -e go ] && [ $((n -= 1)) != 0 ]; do sleep 0.01; done")
    )
    header = PrecompiledHeader(folder, (compiler,))
    header.want()
    (folder / ".making-killed").mkdir()
    start = START.format(folder=str(folder))
    ours, theirs = os.pipe()
    for _ in range(2):  # returns at the end of its output, which the process in the background must not hold
        subprocess.run([sys.executable, "-c", start], check=True, capture_output=True, pass_fds=[theirs])
    os.close(theirs)
    assert select([ours], [], [], 30)[0]  # the end of another pipe
    os.close(ours)
    assert eventually(lambda: bool(list(folder.glob(".making-*/made/all.h"))))
    assert not (folder / ".making-killed").exists()
    with (folder / "lock").open() as lock, pytest.raises(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    make_wanted(folder)  # does nothing
    assert not header.place.exists()
    for waiting in folder.glob(".making-*/made"):
        (waiting / "go").touch()
    assert eventually(header.place.exists)
    with (folder / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
    assert {path.name for path in folder.iterdir()} == {header.place.name, "lock"}


def test_its_priority_is_the_lowest() -> None:
    show = "import os; print(os.sched_getscheduler(0) == os.SCHED_IDLE, open('/proc/self/autogroup').read())"
    lower = "import os; os.setsid(); from judge.languages.precompiled import _lower_priority; _lower_priority();"
    shown = subprocess.run([sys.executable, "-c", lower + show], capture_output=True, text=True, check=True).stdout
    assert shown.startswith("True")
    assert "nice 19" in shown or "autogroup" not in shown


def test_a_session_starts_it_at_its_end(
    folder: Path, compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    PrecompiledHeader(folder, (compiler,)).want()
    started: list[Path] = []
    monkeypatch.setattr(precompiled, "start_making", started.append)
    with Workspace.find_or_use(tmp_path).open_session(SessionOptions(jobs=1)):
        assert not started
    assert started == [folder]


def test_nothing_is_started_in_ci(folder: Path, compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PrecompiledHeader(folder, (compiler,)).want()
    monkeypatch.setenv("CI", "true")
    precompiled.start_making(folder)
    assert not (folder / "lock").exists()


BROKEN = [
    b"int main() { x; }\n",
    b"struct A {}; int main() { A a; std::cout << a; }\n",
    b"int count; using namespace std; int main() { count = 1; }\n",
    b"#define REP(n) for (int i = 0; i < n; i++)\nint main() { REP(3) y; std::vectr<int> v; std::string s = 5; }\n",
    b"int f(); int main() { return f(); }\n",
    b"int main() { int x = 3\n return x; }\n",
    b"#define INT_MAX 5\n#include <nothing.h>\n",
]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["g++", "clang++"])
@pytest.mark.parametrize("standard", ["-std=gnu++17", ""])
def test_programs_and_messages_are_the_same_with_and_without(
    folder: Path, box: RecordingBox, tmp_path: Path, name: str, standard: str
) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"no {name} on this machine")
    valid = b"""#pragma GCC optimize("O3")
using namespace std;
int main() { vector<int> v(100); iota(v.begin(), v.end(), 0); cout << accumulate(v.begin(), v.end(), 0) << __LINE__; }
"""
    options = BuildOptions(flags={"cpp": (standard,)} if standard else {})

    def compiled(text: bytes, number: int) -> bytes | tuple[str, str]:
        """Return the program, or the messages; each round has a folder of its own."""
        assert box.work_folder is not None
        (place := box.work_folder / f"{name}{standard}{number}").mkdir(exist_ok=True)
        place.chmod(0o755)
        built = build(tmp_path / "a.cpp", place, box, {"cxx": name}, text=INCLUDE + text, options=options)
        match built:
            case Program():
                return Path(built.argv[0]).read_bytes()
            case CompileError():
                return built.message, re.sub(r"[\w-]+\.o:", "NAME.o:", built.text)  # of a temporary file

    texts = [valid, *(BROKEN if standard else BROKEN[:1])]  # the messages are those of any standard
    without = [compiled(text, 1) for text in texts]
    make_wanted(folder)
    box.commands.clear()
    assert [compiled(text, 2) for text in texts] == without
    used = [bool({"-I", "-include-pch"} & {*command}) for command in box.commands]
    assert sum(used) == len(texts)
    assert used[:2] == [True, True]  # the program that compiles was not compiled again
