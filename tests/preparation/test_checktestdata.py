"""Grammars of Checktestdata as programs: what they accept, and what is not a grammar."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from judge.preparation.checktestdata import ChecktestdataError, validator_code

ACCEPTED, REJECTED = 42, 43


def run(code: str, *args: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-I", "-c", code, *args], input=given, capture_output=True, check=False)


def statuses(grammar: str, inputs: list[bytes]) -> list[int]:
    """Return what the validator says about some inputs, in one process."""
    code = validator_code(grammar).rpartition("check(grammar)")[0]
    loop = (
        "import io\n"
        f"for data in {inputs!r}:\n"
        "    sys.stdin = io.TextIOWrapper(io.BytesIO(data))\n"
        "    sys.stderr = io.StringIO()\n"
        "    try:\n        check(grammar)\n"
        "    except SystemExit as end:\n        print(end.code)\n"
    )
    return [int(line) for line in run(code + loop).stdout.split()]


ROW = "INT(1,9,n) NEWLINE REPI(i,n,SPACE) INT(1,9,a[i]) END NEWLINE"
CASES: dict[str, tuple[str, list[bytes], list[bytes]]] = {
    "integers": ("INT(-3, 10^2, n) NEWLINE", [b"-3\n", b"0\n", b"100\n"], [b"101\n", b"03\n", b"-0\n", b"1", b"1\n\n"]),
    "a counted row": (ROW, [b"2\n1 9\n"], [b"2\n1\n", b"1\n1 \n"]),
    "assertions": (
        "INT(1,9,a) SPACE INT(1,9,b) NEWLINE ASSERT(a < b || a == 2*b && !(b > 3))  # why",
        [b"1 2\n", b"6 3\n"],
        [b"2 2\n", b"8 4\n"],
    ),
    "words": ('REP(2) REGEX("[a-z]+", s) NEWLINE ASSERT(STRLEN(s)<=3) END', [b"abc\nd\n"], [b"abcd\ne\n", b"a\n"]),
    "unique": ("REPI(i,3) INT(1,9,a[i]) NEWLINE END ASSERT(UNIQUE(a))", [b"1\n2\n3\n"], [b"1\n2\n1\n"]),
    "in an array": ("REPI(i,2) INT(1,9,a[i]) NEWLINE END ASSERT(INARRAY(7,a))", [b"1\n7\n"], [b"1\n2\n"]),
    "until the end": ("WHILE(!ISEOF) INT(1,5) NEWLINE END EOF", [b"", b"1\n2\n"], [b"1\n6\n"]),
    "a choice": ('IF(MATCH("+-")) REGEX("[+-]") ELSE STRING("no") END NEWLINE', [b"+\n", b"no\n"], [b"on\n"]),
    "decimals": ("FLOATP(0,1,1,3,x) NEWLINE", [b"0.5\n", b"1.000\n"], [b"1\n", b"0.1234\n", b"1.1\n", b"5e-1\n"]),
    "decimals and an exponent": (
        "FLOATP(0,100,1,3) NEWLINE",
        [b"5.0e1\n", b"5.0E+1\n"],
        [b"0.5e1\n", b"12.5e0\n", b"5.0e01\n", b"5.0e\n"],
    ),
    "fixed decimals": ("FLOATP(0,100,1,3,x,FIXED) NEWLINE", [b"5.0\n"], [b"5.0e1\n"]),
    "a number": ("FLOAT(0,10) NEWLINE", [b"1e0\n", b"10\n"], [b"1e00\n", b"1.\n", b"01\n"]),
    "an exponent": ("FLOAT(0,10^4,x,SCIENTIFIC) NEWLINE", [b"12.5e2\n", b"1E-3\n"], [b"12.5\n", b"01e2\n"]),
    "arrays with different indices": (
        "INT(2,3,n) REPI(i,n) NEWLINE INT(1,9,x[i]) END REPI(i,2) NEWLINE INT(1,9,y[i]) END ASSERT(UNIQUE(x,y))",
        [b"2\n1\n1\n3\n4"],
        [b"3\n1\n2\n3\n3\n4", b"2\n1\n1\n3\n3"],
    ),
    "a dot is any character": ('REGEX("a.b.*")', [b"a\nb\n\n"], [b"ab\n"]),
    "named classes": ('REGEX("[[:alpha:]_]+[[:digit:]]?") NEWLINE', [b"aZ_\n", b"b7\n"], [b"7a\n", b"a:\n"]),
    "a running sum": ("SET(s=0) REP(2) INT(1,9,x) NEWLINE SET(s=s+x) END ASSERT(s%7/2==2)", [b"2\n3\n"], [b"1\n1\n"]),
    "an infinite bound": ("FLOAT(0,1E999) NEWLINE", [b"5\n"], [b"-5\n"]),
    "a pattern that is none": ('REGEX("(")', [], [b"(\n"]),
    "a power of 0": ("INT(0,0^-1) NEWLINE", [], [b"0\n"]),
    "a pattern that begins at its place": ('INT(1,9) SPACE REGEX("^[a-z]{1,3}") NEWLINE', [b"1 abc\n"], [b"1 2\n"]),
    "the number of repetitions": ("REPI(i,2) INT(0,i) NEWLINE END ASSERT(i==2)", [b"0\n1\n"], [b"1\n1\n"]),
    "no repetition": ("REPI(i,0) NEWLINE END INT(i,0) NEWLINE", [b"0\n"], [b"1\n"]),
    "a loop by its counter": ("WHILEI(i,i<2,SPACE) INT(i,9) END NEWLINE", [b"0 1\n"], [b"0\n", b"0 0\n"]),
    "20 loops": ("REP(1) " * 20 + "NEWLINE " + "END " * 20, [b"\n"], [b""]),
    "40 conditions": ("IF(1==1) " * 40 + "NEWLINE " + "END " * 40, [b"\n"], [b""]),
    "a missing variable": ("REP(n) NEWLINE END", [], [b"\n"]),
}


@pytest.mark.parametrize("name", CASES)
def test_a_grammar_decides_what_is_valid(name: str) -> None:
    grammar, good, bad = CASES[name]
    assert statuses(grammar, [*good, *bad]) == [ACCEPTED] * len(good) + [REJECTED] * len(bad)


def test_a_rejection_names_the_place() -> None:
    result = run(validator_code("INT(0,2) SPACE INT(0,2) NEWLINE"), given=b"1 5\n")
    assert (result.returncode, result.stderr.strip()) == (REJECTED, b"line 1, column 3: 5 is not between 0 and 2")


@pytest.mark.parametrize(
    ("grammar", "line", "column"),
    [
        ("INT(1,)", 1, 7),
        ("INT(1,2)\nSET(3=4)", 2, 5),
        ("FOO", 1, 1),
        ("INT(1,2) NEWLINE\nNEWLIN", 2, 1),
        ("INT(1) NEWLINE", 1, 1),
        ("SET(a = 1) ?", 1, 12),
        ("REP(" + "(" * 200 + "1" + ")" * 200 + ") NEWLINE END", 1, 56),
        ("IF(1==1) " * 99 + "END " * 99, 1, 460),
        ("ASSERT(STRLEN(1,2) > 1)", 1, 8),
        ("INT(0,1" + 500 * "0" + ")", 1, 7),
        ("REP(1," * 5000, 1, 6 * 51 + 1),
        ("REP(1) " * 21 + "END " * 21, 1, 7 * 20 + 1),
        ("ASSERT(1" + 30_000 * "+1" + " > 2)", 1, 2 * 200 + 9),
    ],
)
def test_an_error_names_the_place(grammar: str, line: int, column: int) -> None:
    with pytest.raises(ChecktestdataError) as error:
        validator_code(grammar)
    assert (error.value.line, error.value.column) == (line, column)


def test_a_program_is_utf8_whatever_the_locale(tmp_path: Path) -> None:
    (tmp_path / "v.ctd").write_bytes(b'STRING("\xe9") NEWLINE')
    translate = (
        "from pathlib import Path\n"
        "from judge.preparation.checktestdata import translate\n"
        "print(translate(Path('v.ctd'), Path('v.ctd'), Path.cwd(), {}).source)\n"
    )
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    folder = str(Path(__file__).parents[2])
    found = subprocess.run(
        [sys.executable, "-c", translate],
        cwd=tmp_path,
        env={**environment, "PYTHONPATH": folder},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run(Path(found.stdout.strip()).read_text(encoding="utf-8"), given=b"\xe9\n").returncode == ACCEPTED
