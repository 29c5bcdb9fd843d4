"""A precompiled `bits/stdc++.h` changes how long a compilation takes, and nothing else."""

import shutil
from pathlib import Path

import pytest

from judge.languages.build import CompileError, Program, build
from judge.languages.build_cache import PrecompiledHeaders, begins_with_header, is_gcc
from judge.model import Limits
from judge.sandbox.box import Box, Command, Outcome
from tests.programs import PYTHON

INCLUDE = b"#include <bits/stdc++.h>\n"


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        (INCLUDE, True),
        (b"// by me\n/* a * b **/\n\n  # include <bits/stdc++.h>", True),
        (b'#pragma GCC optimize("O3")\n' + INCLUDE, False),
        (b"#define int long long\n" + INCLUDE, False),
        (b"#include <vector>\n" + INCLUDE, False),
        (b"int x;\n" + INCLUDE, False),
        (b"/* " + INCLUDE + b"*/", False),
        (b"//" * 100_000, False),
        (b"/* " * 100_000, False),
        (b"", False),
    ],
)  # fmt: skip
def test_only_sources_that_begin_with_the_include_use_it(text: bytes, begins: bool) -> None:
    assert begins_with_header(text) is begins


def test_only_gcc_uses_it(tmp_path: Path) -> None:
    names = {"x86_64-linux-gnu-g++-12": True, "g++": True, "clang++-14": False, "c++": False}
    assert {name: is_gcc(str(tmp_path / name)) for name in names} == names


def stored(folder: Path, header: Path) -> PrecompiledHeaders:
    """Return precompiled headers that were made when the header was as it is."""
    headers = PrecompiledHeaders(folder, (PYTHON, "-O2"))
    (place := folder.with_name("made")).mkdir()
    (place / "all.h.gch").write_bytes(b"gch")
    headers._store(place, [str(header)], folder / ".new")
    return headers


def test_it_is_not_used_once_a_header_has_changed(tmp_path: Path) -> None:
    header = tmp_path / "vector"
    header.write_text("one")
    headers = stored(tmp_path / "headers", header)
    found = headers.find()
    assert found is not None
    assert (found / "bits/stdc++.h.gch").read_bytes() == b"gch"
    header.write_text("three")
    assert headers.find() is None
    assert not found.exists()
    assert PrecompiledHeaders(tmp_path / "headers", (PYTHON, "-O3")).find() is None


def test_it_is_made_when_three_compilations_wanted_it(tmp_path: Path) -> None:
    headers = PrecompiledHeaders(tmp_path / "headers", (PYTHON,))
    assert [headers.is_worth_it() for _ in range(5)] == [False, False, True, False, False]


class RecordingBox(Box):
    """A box that records what it runs."""

    def __init__(self, work_folder: Path) -> None:
        super().__init__(work_folder=work_folder)
        self.commands: list[tuple[str, ...]] = []

    def run(self, command: Command, limits: Limits) -> Outcome:
        """Run a program."""
        self.commands.append(command.argv)
        return super().run(command, limits)


@pytest.mark.thorough
def test_programs_and_messages_are_the_same_with_and_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_gcc(shutil.which("g++") or ""):
        pytest.skip("no g++")
    monkeypatch.setattr("judge.languages.build_cache._WORTH_IT", 1)
    text = b"""#pragma GCC optimize("O3")
#pragma GCC target("avx2")
using namespace std;
int main() { vector<int> v(100); iota(v.begin(), v.end(), 0); cout << accumulate(v.begin(), v.end(), 0); }
"""
    work = tmp_path / "work"
    work.mkdir()
    for folder in (tmp_path, work):
        folder.chmod(0o755)  # the sandbox may run the compiler as another user
    with RecordingBox(work) as box:

        def compiled(text: bytes) -> Program | CompileError:
            return build(tmp_path / "a.cpp", work, box, text=text)

        without, with_it = compiled(INCLUDE + text), compiled(INCLUDE + text + b"\n")
        assert [("c++-header" in each, "-I" in each) for each in box.commands] == [
            (False, False), (True, False), (False, True),
        ]  # fmt: skip
        assert isinstance(without, Program)
        assert isinstance(with_it, Program)
        assert Path(without.argv[0]).read_bytes() == Path(with_it.argv[0]).read_bytes()
        broken = compiled(INCLUDE + b"int main() { x; }\n")
    assert isinstance(broken, CompileError)
    assert "line 2" in broken.message
    assert "-I" not in box.commands[-1]
