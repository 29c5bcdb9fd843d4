"""The statement, and the code that reads an input."""

import random
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from tests.inputs.samples import SAMPLES, grammar, sample

# What a program gets at its end, to exit with 1 if something is left.
REST = {
    "python3": ("", "import sys as _sys\nassert not _sys.stdin.read()\n"),
    "cpp": ("}\n", "    string left;\n    cin.exceptions(ios::goodbit);\n    return cin >> left ? 1 : 0;\n}\n"),
    "java": ("    }\n}\n", "        if (hasNext()) System.exit(1);\n    }\n}\n"),
}
COMPILE = {"cpp": ["g++", "-std=c++17", "-o", "main", "Main.cpp"], "java": ["javac", "Main.java"]}
RUN = {"python3": [sys.executable, "-S", "Main.python3"], "cpp": ["./main"], "java": ["java", "-cp", ".", "Main"]}


def check(name: str, language: str, folder: Path) -> None:
    """Check that the program for a sample reads all of an input."""
    code = sample(name).reading_code(language)
    end, rest = REST[language]
    assert code.endswith(end)
    if "EOF" not in code:  # that is, if it does not try how far it can read
        code = code.replace("cin.tie(nullptr);", "cin.tie(nullptr);\n    cin.exceptions(ios::failbit);")
    (folder / f"Main.{language}").write_text(code.removesuffix(end) + rest)
    if language in COMPILE:
        compiled = subprocess.run(COMPILE[language], cwd=folder, capture_output=True, text=True, check=False)
        assert compiled.returncode == 0, code + compiled.stderr
    given = sample(name).generate(random.Random(4), size=0.2)
    ran = subprocess.run(RUN[language], cwd=folder, input=given, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"") or "instead of 0" in code, code


@pytest.mark.parametrize("name", SAMPLES)
def test_python_reads_all_of_an_input(name: str, tmp_path: Path) -> None:
    check(name, "python3", tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["cpp", "java"])
@pytest.mark.parametrize("name", SAMPLES)
def test_other_languages_read_all_of_an_input(name: str, language: str, tmp_path: Path) -> None:
    if which(COMPILE[language][0]) is None:
        pytest.skip(f"{COMPILE[language][0]} is not installed")
    check(name, language, tmp_path)


def test_another_language_is_an_error() -> None:
    with pytest.raises(ValueError, match="expected one of python3, cpp, java"):
        sample("cards").reading_code("cobol")


def test_the_statement_names_fields_and_bounds() -> None:
    text = sample("sums").statement()
    assert "The first line contains an integer $t$ ($1 \\le t \\le 10^4$)." in text
    assert "the sum of $n$ is at most $200\\,000$" in text
    assert all(sample(name).statement().startswith("## Input\n\n- ") for name in SAMPLES)


def test_the_statement_reads_like_that_of_a_contest() -> None:
    text = grammar("[{repeat: 1..1000, until: end of file, lines: [{a: 0..9, b: 0..9, c: 1..a}]}]").statement()
    assert text == (
        "## Input\n\n- $1$ to $1000$ lines follow, up to the end of the file. Each contains two integers $a$ and $b$ "
        "($0 \\le a, b \\le 9$), then an integer $c$ ($1 \\le c \\le a$).\n"
    )
