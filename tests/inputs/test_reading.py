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
# All programs are compiled at once: one is a class or a namespace.
COMPILE = {"cpp": ["g++", "-std=c++17", "-o", "main", "all.cpp"], "java": ["javac", "-d", ".", "all.java"]}
CPP_START = "#include <bits/stdc++.h>\nusing namespace std;\n"
CPP_END = "int main(int, char **words) {{\n    int (*all[])() = {{{}}};\n    return all[atoi(words[1])]();\n}}\n"


def reading_code(name: str, language: str) -> str:
    """Return the program for a sample, which exits with 1 if it does not read all of an input."""
    code = sample(name).reading_code(language)
    end, rest = REST[language]
    assert code.endswith(end)
    if "EOF" not in code:  # that is, if it does not try how far it can read
        code = code.replace("cin.tie(nullptr);", "cin.tie(nullptr);\n    cin.exceptions(ios::failbit);")
    return code.removesuffix(end) + rest


def join(codes: list[str], language: str) -> str:
    """Return one source of some programs, of which each has the number of its place."""
    parts = []
    for number, code in enumerate(codes):
        if language == "cpp":
            assert code.startswith(CPP_START)
            parts.append(f"namespace program{number} {{\n{code.removeprefix(CPP_START)}}}\n")
        else:
            head, found, body = code.partition("public class Main {")
            assert found
            parts.append(head * (number == 0) + f"class Main{number} {{{body}")
    end = CPP_END.format(", ".join(f"program{number}::main" for number in range(len(codes))))
    return "".join([*([CPP_START] if language == "cpp" else []), *parts, *([end] if language == "cpp" else [])])


def check(name: str, command: list[str], code: str, folder: Path) -> None:
    """Check that the program for a sample reads all of an input."""
    given = sample(name).generate(random.Random(4), size=0.2)
    ran = subprocess.run(command, cwd=folder, input=given, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"") or "instead of 0" in code, code


@pytest.mark.parametrize("name", SAMPLES)
def test_python_reads_all_of_an_input(name: str, tmp_path: Path) -> None:
    code = reading_code(name, "python3")
    (tmp_path / "main.py").write_text(code)
    check(name, [sys.executable, "-S", "main.py"], code, tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("language", COMPILE)
def test_other_languages_read_all_of_an_input(language: str, tmp_path: Path) -> None:
    if which(COMPILE[language][0]) is None:
        pytest.skip(f"{COMPILE[language][0]} is not installed")
    codes = [reading_code(name, language) for name in SAMPLES]
    (tmp_path / f"all.{language}").write_text(join(codes, language))
    compiled = subprocess.run(COMPILE[language], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert compiled.returncode == 0, compiled.stderr
    for number, (name, code) in enumerate(zip(SAMPLES, codes, strict=True)):
        check(name, ["./main", str(number)] if language == "cpp" else ["java", f"Main{number}"], code, tmp_path)


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
