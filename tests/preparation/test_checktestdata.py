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
        (b'REGEX("^[a-z]+$") NEWLINE REGEX("(^a|b$)") NEWLINE', b"ab\nb\n", ACCEPTED),
        (b'REGEX("^[a-z]+$") NEWLINE', b"ab1\n", REJECTED),
        (b'REGEX("\\\\d+[\\w.]") NEWLINE', b"12x\n", ACCEPTED),
        (b'REGEX("\\d+") NEWLINE', b"d\n", REJECTED),
        (b'REGEX("a^2[$^[&]") NEWLINE', b"a^2[\n", ACCEPTED),
        (b'SET(r = "[[:digit:]]") REGEX(r) NEWLINE', b"7\n", ACCEPTED),
        (b'STRING("[:digit:]REGEX(\\"^") NEWLINE', b'[:digit:]REGEX("^\n', ACCEPTED),
        (b"INT(0,9,m) SPACE INT(0,9,n) ASSERT(m % n == 0) NEWLINE", b"4 2\n", ACCEPTED),
        (b"INT(0,9,m) SPACE INT(0,9,n) ASSERT(m % n == 0) NEWLINE", b"4 0\n", REJECTED),
        (b"INT(0,9,m) SPACE INT(0,9,n) ASSERT(m / n == 0) NEWLINE", b"4 0\n", REJECTED),
        (b"FLOAT(0,1) NEWLINE", b"1e-4\n", ACCEPTED),
        (b"FLOAT(0,1) NEWLINE", b"1e999999999\n", REJECTED),
        (b"FLOATP(0,1,0,9) NEWLINE", b"1e-999999999\n", REJECTED),
        (b"FLOAT(0,1) NEWLINE", b"0." + b"7" * 200_000 + b"\n", REJECTED),
        (b"INT(0,999999999,n) ASSERT(9^n > 0) NEWLINE", b"999999999\n", REJECTED),
        (b"INT(0, 10^5000) NEWLINE # e12345", b"7" * 5000 + b"\n", ACCEPTED),
        (b'STRING("\xe9") NEWLINE', b"\xe9\n", ACCEPTED),
        (b"REP(n) NEWLINE END", b"\n", REJECTED),
    ],
)
def test_a_grammar_decides_what_is_valid(tmp_path: Path, grammar: bytes, given: bytes, status: int) -> None:
    ran = run(tmp_path, grammar, given)
    assert ran.returncode == status, ran.stderr


@pytest.mark.parametrize(
    ("grammar", "given", "message"),
    [
        (b"INT(0,2) SPACE INT(0,2) NEWLINE", b"1 5\n", "1:3 integer 5 outside of range [0, 2]\n"),
        (b"FLOAT(0,1) NEWLINE", b"1e99999\n", "1:8 a number has too many digits\n"),
        (b"INT(0,1) NEWLINE", b"1" * 200_000 + b"\n", "1:200001 Exceeds the limit (100000 digits)"),
        (b"INT(0,1,n) NEWLINE ASSERT(1 / n > 0)", b"0\n", "2:1 "),
    ],
)
def test_a_rejection_names_the_place(tmp_path: Path, grammar: bytes, given: bytes, message: str) -> None:
    assert run(tmp_path, grammar, given).stderr.decode().startswith(message)


@pytest.mark.parametrize(
    ("grammar", "message"),
    [
        ("INT(1,)", "v.ctd:1:7: error: is not a grammar of Checktestdata: "),
        ("INT(1,2) NEWLINE\nNEWLIN", "v.ctd:2:1: error: is not a grammar of Checktestdata: "),
        ("FOO", "v.ctd:1:1: error: is not a grammar of Checktestdata: "),
        ("REP(2", "v.ctd: error: is not a grammar of Checktestdata: unexpected end of file"),
        ("ASSERT(" + "(" * 20_000, "v.ctd: error: is not a grammar of Checktestdata: "),
        ("FLOAT(0, 1e400000000)", "v.ctd:1:10: error: is not a grammar of Checktestdata: a number has an exponent of"),
        ("INT(0, 9^999999999)", "v.ctd: error: is not a grammar of Checktestdata: a power has too many digits"),
        ('SPACE REGEX("(a")', "v.ctd:1:13: error: is not a grammar of Checktestdata: not a pattern: missing ), "),
        ("#" * 70_000, "v.ctd: error: is larger than 64 KiB"),
    ],
)
def test_an_error_names_the_place(tmp_path: Path, grammar: str, message: str) -> None:
    limit = sys.get_int_max_str_digits()
    with pytest.raises(DataError) as error:
        run(tmp_path, grammar.encode(), b"")
    assert str(error.value).startswith(message)
    assert sys.get_int_max_str_digits() == limit
