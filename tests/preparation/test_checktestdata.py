"""Grammars of Checktestdata as programs: what they accept, and what is not a grammar."""

import subprocess
import sys
from pathlib import Path

import pytest

from judge.base.errors import DataError
from judge.preparation.checktestdata import translate

ACCEPTED, REJECTED = 42, 43


def run(folder: Path, grammar: bytes, given: bytes) -> subprocess.CompletedProcess[bytes]:
    (folder / "v.ctd").write_bytes(grammar)
    program = translate(folder / "v.ctd", Path("v.ctd"), folder, {"most": "9"}).source
    return subprocess.run([sys.executable, "-I", program, "--flag"], input=given, capture_output=True, check=False)


ROW = b"INT(1,{{most}},n) NEWLINE REPI(i,n,SPACE) INT(1,9,a[i]) END NEWLINE ASSERT(UNIQUE(a))"


@pytest.mark.parametrize(
    ("grammar", "given", "status"),
    [
        (ROW, b"2\n1 9\n", ACCEPTED),
        (ROW, b"2\n1 1\n", REJECTED),
        (b'REGEX("[[:alpha:]_]+[[:digit:]]?") NEWLINE', b"b7\n", ACCEPTED),
        (b'REGEX("[[:alpha:]_]+[[:digit:]]?") NEWLINE', b"7a\n", REJECTED),
        (b'INT(1,9) SPACE REGEX("^[a-z]{1,3}") NEWLINE', b"1 abc\n", ACCEPTED),
        (b'STRING("\xe9") NEWLINE', b"\xe9\n", ACCEPTED),
        (b"REP(n) NEWLINE END", b"\n", REJECTED),
    ],
)
def test_a_grammar_decides_what_is_valid(tmp_path: Path, grammar: bytes, given: bytes, status: int) -> None:
    ran = run(tmp_path, grammar, given)
    assert ran.returncode == status, ran.stderr


def test_a_rejection_names_the_place(tmp_path: Path) -> None:
    ran = run(tmp_path, b"INT(0,2) SPACE INT(0,2) NEWLINE", b"1 5\n")
    assert ran.stderr.decode().startswith("1:3 integer 5 outside of range [0, 2]\n")


@pytest.mark.parametrize(
    ("grammar", "message"),
    [
        ("INT(1,)", "v.ctd:1:7: error: is not a grammar of Checktestdata: "),
        ("INT(1,2) NEWLINE\nNEWLIN", "v.ctd:2:1: error: is not a grammar of Checktestdata: "),
        ("FOO", "v.ctd:1:1: error: is not a grammar of Checktestdata: "),
        ("REP(2", "v.ctd: error: is not a grammar of Checktestdata: unexpected end of file"),
        ("ASSERT(" + "(" * 20_000, "v.ctd: error: is not a grammar of Checktestdata: "),
        ("FLOAT(0, 1e400000000)", "v.ctd: error: has a number with an exponent of more than four digits"),
        ("#" * 70_000, "v.ctd: error: is larger than 64 KiB"),
    ],
)
def test_an_error_names_the_place(tmp_path: Path, grammar: str, message: str) -> None:
    limit = sys.get_int_max_str_digits()
    with pytest.raises(DataError) as error:
        run(tmp_path, grammar.encode(), b"")
    assert str(error.value).startswith(message)
    assert sys.get_int_max_str_digits() == limit
