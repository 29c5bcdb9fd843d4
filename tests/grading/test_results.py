"""The files around a stream: lines in, results out, repaired, resumed, divided and merged; summaries."""

import gzip
import io
import itertools
import json
import sys
from math import comb
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.base.errors import JudgeError, StoreError, UsageError
from judge.grading.results import ResultFile, Shard, merge, parse_shard, read_finished, repair
from judge.grading.stream import LineReader
from judge.grading.summary import Summary
from judge.grading.values import Failure, Grade
from judge.model import Verdict
from judge.reporters.grades import render_summary


def made(number: int, verdict: str = "AC", task: str = "t") -> Grade:
    score = None if verdict in ("JE", "SK") else float(verdict == "AC")
    return Grade(
        id=f"row {number}",
        line=number,
        task=task,
        verdict=Verdict(verdict),
        score=score,
        fault="" if score is not None else "gone",
        cpu_s=number / 10,
        digest=f"{number:032x}",
    )


def write(path: Path, grades: list[Grade], shard: str = "", options: str = "") -> Path:
    with ResultFile(path) as file:
        for grade in grades:
            file.write(grade)
        if shard:
            file.end_shard(shard, len(grades), options)
    return path


def read_all(path: Path) -> list[tuple[int, bytes]]:
    with LineReader(path) as reader:
        return list(reader.lines())


# ---- lines ---------------------------------------------------------------------------------------------------------


def test_lines_are_read_from_plain_and_compressed_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = b'{"a": 1}\n\n  \n{"b": 2}'
    wanted = [(1, b'{"a": 1}\n'), (4, b'{"b": 2}')]
    (tmp_path / "a.jsonl").write_bytes(data)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(data))
    assert read_all(tmp_path / "a.jsonl") == read_all(tmp_path / "a.jsonl.gz") == wanted
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert read_all(Path("-")) == wanted


def test_zstandard_is_read_to_its_end_or_the_message_says_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    path = tmp_path / "a.jsonl.zst"
    zstd = pytest.importorskip(name, reason="backports.zstd is not installed: pip install '.[zstd]'")
    data = zstd.compress(b'{"a": 1}\n' * 1000) + zstd.compress(b'{"b": 2}\n')
    path.write_bytes(data)
    assert len(read_all(path)) == 1001
    for damaged in (data[:-1], data[: len(data) // 2], data[:1], data + b"x"):
        path.write_bytes(damaged)
        with pytest.raises(JudgeError, match="cannot read the submissions after line"):
            read_all(path)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UsageError, match=r"pip install backports.zstd, .*zstd -dc"):
        LineReader(path)


def test_a_file_that_is_missing_or_cut_off_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="gone: No such file"):
        LineReader(tmp_path / "gone")
    (tmp_path / "a.gz").write_bytes(gzip.compress(b'{"a": 1}\n' * 100)[:-9])
    with pytest.raises(JudgeError, match="cannot read the submissions after line"):
        read_all(tmp_path / "a.gz")
    (tmp_path / "b.gz").write_bytes(b"no gzip")
    with pytest.raises(JudgeError, match="after line 0"):
        read_all(tmp_path / "b.gz")


# ---- results -------------------------------------------------------------------------------------------------------


def test_a_file_that_was_cut_anywhere_is_repaired_to_its_complete_lines(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole", [made(1), made(2), made(3)]).read_bytes()
    ends = [0, *(at + 1 for at, byte in enumerate(whole) if byte == 0x0A)]
    path = tmp_path / "cut"
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        end = max(each for each in ends if each <= size)
        assert repair(path) == size - end
        assert path.read_bytes() == whole[:end]
        assert len(read_finished(path, lambda _: None)) == ends.index(end)


def test_a_file_without_the_end_of_a_line_is_not_repaired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a", [made(1), made(2)])
    path.write_bytes(data := path.read_bytes()[:-1])
    monkeypatch.setattr("judge.grading.results._MAX_LINE", 20)
    with pytest.raises(UsageError, match="a: its last line is not a result of `judge grade`: more than 20 bytes"):
        repair(path)
    assert path.read_bytes() == data


def test_results_are_found_by_id_and_digest(tmp_path: Path) -> None:
    seen: list[str] = []
    finished = read_finished(write(tmp_path / "a", [made(1), made(2)]), lambda found: seen.append(found.id))
    assert finished.has("row 1", made(1).digest)
    assert not finished.has("row 1", made(2).digest)
    assert (finished.has_other("row 2"), finished.has_other("row 3")) == (True, False)
    assert seen == ["row 1", "row 2"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"version": 2, "id": "a"}', "a result of version 2, and this judge writes version 1: use a new file"),
        ('{"version": 1, "id": "a"}', "not a result of `judge grade`: Object missing required field `line`"),
        ('{"id": "a"}', "not a result of `judge grade`"),
        ("[]", "not a result"),
        ("nothing", "not a result"),
        (2 * '{"shard": "1/2", "rows": 0, "options": ""}\n', "results follow the line that ends the shard 1/2"),
    ],
)
def test_a_file_of_something_else_is_not_resumed(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "a"
    path.write_text(f"{line}\n")
    with pytest.raises(UsageError, match=message):
        read_finished(path, lambda _: None)


def test_a_full_disk_is_one_clear_error() -> None:
    with ResultFile(Path("/dev/full")) as file, pytest.raises(StoreError, match=r"No space left.*--resume"):
        file.write(made(1))


def test_results_are_never_overwritten_by_mistake(tmp_path: Path) -> None:
    path = write(tmp_path / "a", [made(1)])
    with pytest.raises(UsageError, match="--resume goes on with it, --force overwrites it"):
        ResultFile(path)
    with ResultFile(path, is_resumed=True) as file:
        file.write(made(2))
    assert len(path.read_text().splitlines()) == 2
    with ResultFile(path, is_forced=True) as file:
        assert len(path.read_text().splitlines()) == 2  # an error before the first row loses nothing
        file.begin()
        assert path.read_text() == ""
    with pytest.raises(UsageError, match="plain JSON lines"):
        ResultFile(tmp_path / "a.gz")
    with pytest.raises(UsageError, match=r"cannot write the results: .*No such file"):
        ResultFile(tmp_path / "gone/a")


# ---- shards --------------------------------------------------------------------------------------------------------


def test_every_row_is_in_exactly_one_shard_and_shards_are_about_equal() -> None:
    shards = [Shard(number, 7) for number in range(1, 8)]
    owners = [[shard.number for shard in shards if shard.has(str(row))] for row in range(3000)]
    assert all(len(each) == 1 for each in owners)
    sizes = [owners.count([number]) for number in range(1, 8)]
    assert min(sizes) > 300


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "a/b", "-1/2", "1/2/3", "1/0"])
def test_a_shard_is_i_of_n(text: str) -> None:
    assert str(parse_shard("2/5")) == "2/5"
    with pytest.raises(UsageError, match="expected I/N"):
        parse_shard(text)


def test_shards_are_merged_in_the_order_of_the_submissions_whatever_theirs_is(tmp_path: Path) -> None:
    grades = [made(number) for number in (5, 1, 4, 2, 3, 6)]
    paths = [
        write(tmp_path / "1", grades[:2], "1/3"),
        write(tmp_path / "2", [], "2/3"),
        write(tmp_path / "3", grades[2:], "3/3"),
    ]
    for order in itertools.permutations(paths):
        summary = Summary()
        assert merge(order, tmp_path / "all", summary.add) == summary.rows == 6
        seen = [json.loads(line)["line"] for line in (tmp_path / "all").read_text().splitlines()]
        assert seen == [1, 2, 3, 4, 5, 6]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1", "2", "3", "all"]


def test_shards_that_do_not_fit_together_are_refused(tmp_path: Path) -> None:
    first, second = write(tmp_path / "1", [made(1)], "1/3"), write(tmp_path / "2", [made(2)], "2/3")
    third, other = write(tmp_path / "3", [made(1)], "3/3"), write(tmp_path / "o", [made(3)], "1/2")
    open_end, changed = write(tmp_path / "i", [made(3)]), tmp_path / "c"
    complete = write(tmp_path / "all3", [made(3)], "3/3", "--all")
    stranger = write(tmp_path / "s", [replace(made(3), line=1)], "3/3")
    changed.write_bytes(open_end.read_bytes() + b'{"shard": "3/3", "rows": 2, "options": ""}\n')
    for paths, message in [
        ([first], "shards are missing: 2/3, 3/3"),
        ([first, second, first], "row 1 has a result"),
        ([second, write(tmp_path / "x", [], "2/3")], "shard 2/3 is in"),
        ([first, second, third], "row 1 has a result"),
        ([first, second, stranger], "line 1 has results in .*1 and in .*s: these are not of the same submissions"),
        ([second, other], "shards of several divisions"),
        ([first, second, open_end], "the shard is not complete"),
        ([first, second, complete], "with different options: .*1: no options; .*all3: --all"),
        ([first, second, changed], "1 result, its last line says 2"),
    ]:
        with pytest.raises(UsageError, match=message):
            merge(paths, tmp_path / "all", lambda _: None)
    assert not (tmp_path / "all").exists()


# ---- summary -------------------------------------------------------------------------------------------------------


def test_pass_at_k_is_the_unbiased_estimate() -> None:
    summary = Summary()
    for task, accepted in {"a": 3, "b": 0, "c": 10}.items():
        for number in range(10):
            summary.add(made(number, "AC" if number < accepted else "WA", task))
    for k in range(1, 11):
        exact = [1 - comb(10 - accepted, k) / comb(10, k) for accepted in (3, 0, 10)]
        found = summary.pass_at(k)
        assert found is not None
        assert found[0] == pytest.approx(sum(exact) / 3)
        assert found[1] == 3
    assert summary.pass_at(11) is None


def test_a_summary_counts_verdicts_slowest_and_faults() -> None:
    summary = Summary()
    for number in range(20):
        reason = "line 1: invalid syntax: ```python" if number < 2 else "unknown name"
        verdict = Verdict.CE if number in (1, 2) else Verdict.SK if number == 3 else Verdict.WA
        failure = Failure(case="1", verdict=verdict, reason=reason)
        summary.add(replace(made(number, verdict), first_failure=failure))
    assert dict(summary.verdicts) == {"WA": 17, "SK": 1, "CE": 2}
    assert "Markdown   1 do not compile because of ```" in render_summary(summary, (), io.StringIO())
    assert (summary.rows, summary.without_score, summary.tasks) == (20, 1, 1)
    assert summary.faults == [("row 3", "gone")]
    assert [row_id for _, row_id in summary.slowest] == [f"row {number}" for number in (19, 18, 17, 16, 15)]
    assert summary.pass_at(1) == (0.0, 1)
