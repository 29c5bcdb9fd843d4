"""The statement, and the code that reads an input."""

import random
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from tests.grammar.samples import SAMPLES, grammar, sample

REST = "\nimport sys as _sys\nassert not _sys.stdin.read()\n"


@pytest.mark.parametrize("name", SAMPLES)
def test_python_reads_all_of_an_input(name: str) -> None:
    code = sample(name).reading_code("python3") + REST
    given = sample(name).generate(random.Random(4), size=0.2)
    ran = subprocess.run([sys.executable, "-S", "-c", code], input=given, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b""), code


@pytest.mark.thorough
@pytest.mark.parametrize(("language", "suffix"), [("cpp", ".cpp"), ("java", ".java")])
@pytest.mark.parametrize("name", SAMPLES)
def test_the_code_of_other_languages_compiles(name: str, language: str, suffix: str, tmp_path: Path) -> None:
    compiler = {"cpp": ["g++", "-std=c++17", "-fsyntax-only"], "java": ["javac", "-d", str(tmp_path)]}[language]
    if which(compiler[0]) is None:
        pytest.skip(f"{compiler[0]} is not installed")
    source = tmp_path / f"Main{suffix}"
    source.write_text(sample(name).reading_code(language))
    ran = subprocess.run([*compiler, str(source)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, source.read_text() + ran.stderr


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
