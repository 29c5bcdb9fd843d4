"""Huge data: an answer that is read in parts gives the same verdict, in memory that depends on the output only."""

import os
import re
import resource
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.base import data
from judge.base.units import Seconds
from judge.judging import checkers
from judge.judging.checkers import check, check_huge
from judge.judging.judge import Job, judge_with_output
from judge.languages.build import Program, build
from judge.model import DEFAULT_LIMITS, Case, CheckerConfig, InFile, Verdict
from judge.sandbox.box import Box

CONFIGS = st.sampled_from(
    [
        CheckerConfig(),
        CheckerConfig(name="lines"),
        CheckerConfig(name="exact"),
        CheckerConfig(space_change_sensitive=True),
        CheckerConfig(case_sensitive=True),
        CheckerConfig(float_absolute_tolerance=0.5),
    ]
)
PIECES = st.sampled_from(
    [
        b"1",
        b"1.0",
        b"2",
        b"Abc",
        b"abc",
        b" ",
        b"  ",
        b"\n",
        b"\n\n",
        b"\r\n",
        b"7" * 30,
        b"x " * 60,
        b" " * 90,
        b"\n" * 90,
    ]
)
CHUNKS = st.integers(500, 700)  # more than a row of a diff shows
TEXTS = st.lists(PIECES, max_size=80).map(b"".join)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("huge") / "x.ans"


@given(config=CONFIGS, answer=TEXTS, output=TEXTS, chunk=CHUNKS)
def test_an_answer_in_parts_gives_the_same_result(
    file: Path, config: CheckerConfig, answer: bytes, output: bytes, chunk: int
) -> None:
    _assert_same(file, config, answer, output, chunk)


@given(config=CONFIGS, answer=TEXTS, edit=st.tuples(st.integers(0, 900), PIECES | st.just(b"")), chunk=CHUNKS)
def test_an_edited_answer_in_parts_gives_the_same_result(
    file: Path, config: CheckerConfig, answer: bytes, edit: tuple[int, bytes], chunk: int
) -> None:
    at, piece = edit
    _assert_same(file, config, answer, answer[:at] + piece + answer[at + len(piece) :], chunk)


def _assert_same(file: Path, config: CheckerConfig, answer: bytes, output: bytes, chunk: int) -> None:
    file.write_bytes(answer)
    expected = check(config, answer, output)
    with mock.patch.object(checkers, "_CHUNK", chunk):
        found = check_huge(config, file, output)
    assert found.verdict is expected.verdict
    if re.search(rb"\s{50}", answer):  # half a part of whitespace: the difference may be described in other words
        return
    assert found.reason == expected.reason
    if expected.mismatch is None:
        assert found.mismatch is None
        return
    assert found.mismatch is not None
    ours, theirs = (
        replace(each, hints=(), rows=(), whitespace_only=False) for each in (found.mismatch, expected.mismatch)
    )
    assert ours == theirs
    assert all(row.expected is None or b"rest-of" not in row.expected for row in found.mismatch.rows)


def _sparse(path: Path, size: int, head: bytes = b"") -> Path:
    """Write a file of NULs after some bytes that takes no space; skips the test where files cannot be that large."""
    try:
        with path.open("wb") as opened:
            opened.write(head)
            opened.truncate(size)
    except OSError as error:
        pytest.skip(f"no file of {size} bytes here: {error}")
    os.utime(path, (1e9, 1e9))
    return path


def _peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@pytest.mark.parametrize("output", [b"", b"1\n", b"1\n2\n", b"1\n" + b"\0" * 1000])
def test_an_answer_of_gigabytes_is_not_read_into_memory(tmp_path: Path, output: bytes) -> None:
    answer = _sparse(tmp_path / "x.ans", 3 << 30, b"1\n")
    before = _peak_memory()
    result = check(CheckerConfig(), answer, output)
    assert result.verdict is Verdict.WA
    assert result.mismatch is not None
    assert result.mismatch.expected_line == (2 if output else 1)
    assert _peak_memory() - before < 50 << 20


def test_a_huge_file_is_hashed_once_and_again_after_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "HUGE", 10)
    monkeypatch.setattr(data, "_CLOCK_TICK_NS", 0)
    path = tmp_path / "x"
    path.write_bytes(b"one " * 10)
    times = path.stat()
    first = data.digest(path)
    with mock.patch.object(data, "_digest_rest", side_effect=AssertionError):
        assert data.digest(path) == first
    path.write_bytes(b"two " * 10)  # the same size and time
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert data.digest(path) == data.digest(b"two " * 10)


def test_a_huge_file_that_was_just_changed_is_hashed_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "HUGE", 10)
    path = tmp_path / "x"
    path.write_bytes(b"one " * 10)
    data.digest(path)
    assert data._identify(os.open(path, os.O_RDONLY)) not in data._huge_digests


def test_hashing_can_be_stopped(tmp_path: Path) -> None:
    path = _sparse(tmp_path / "x", 3 << 30)
    with pytest.raises(InterruptedError):
        data.digest(path, lambda: True)


@pytest.mark.thorough
def test_an_input_of_gigabytes_is_judged_in_flat_memory(tmp_path: Path) -> None:
    source = _sparse(tmp_path / "x.in", 3 << 30)
    (tmp_path / "x.py").write_text(
        "import sys\nsize = 0\nwhile part := sys.stdin.buffer.read(1 << 20): size += len(part)\nprint(size)\n"
    )
    slow = replace(DEFAULT_LIMITS, cpu=Seconds(60.0), wall=Seconds(120.0))
    case = Case(group="edge", name="one", input=InFile(source), limits=slow, checker=CheckerConfig(), origin=source)
    before = _peak_memory()
    with Box() as box:
        program = build(tmp_path / "x.py", tmp_path, box)
        assert isinstance(program, Program)
        job = Job(program=program, case=case, input=source, answer=b"0\n")
        result, _ = judge_with_output(job, box)
    assert result.verdict is Verdict.WA
    assert result.data_digest
    assert result.excerpt is not None
    assert _peak_memory() - before < 100 << 20
