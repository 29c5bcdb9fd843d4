"""A bundle does what its files do, however they import each other; clear errors report what cannot be bundled."""

import subprocess
from pathlib import Path

import pytest

from judge.base.errors import DataError, Severity, UsageError
from judge.cli.main import run_cli
from judge.languages.interpreters import find_interpreter
from judge.online.bundle import bundle
from judge.sandbox.installations import base_python
from tests.cli.command_line import CapSys, copy_repository, judge
from tests.files import write_files
from tests.online.bundle_shapes import IN_PACKAGES, SHAPES, Files
from tests.parameters import with_thorough

CapBytes = pytest.CaptureFixture[bytes]


def output(*argv: str, folder: Path, python: str = base_python()) -> tuple[int, str, str]:
    """Run an interpreter; return its status, its output and the last line of its errors."""
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(
        [python, *argv], input=b"1 2\n3\n", capture_output=True, cwd=folder, env=environment, check=False
    )
    return ran.returncode, ran.stdout.decode(), (ran.stderr.decode().splitlines() or [""])[-1]


def write_bundle(entry: Path, folder: Path) -> Path:
    """Write a file's bundle into an empty folder."""
    folder.mkdir()
    made = folder / "made.py"
    made.write_bytes(bundle(entry).data)
    return made


@pytest.mark.thorough
@pytest.mark.parametrize("shape", with_thorough(SHAPES, list(SHAPES)[1::2]))
def test_a_bundle_does_what_its_files_do(shape: str, tmp_path: Path) -> None:
    write_files(tmp_path / "files", SHAPES[shape])
    made = write_bundle(tmp_path / "files" / "main.py", tmp_path / "alone")
    original = output("main.py", folder=tmp_path / "files")
    assert original[0] == 0, original
    assert original[1].strip()
    assert output("-I", str(made), folder=tmp_path) == original


@pytest.mark.parametrize("entry", IN_PACKAGES)
def test_the_bundle_of_a_file_in_a_package_does_what_the_module_does(entry: str, tmp_path: Path) -> None:
    write_files(tmp_path / "files", IN_PACKAGES[entry])
    made = write_bundle(tmp_path / "files" / entry, tmp_path / "alone")
    original = output("-m", entry.removesuffix(".py").replace("/", "."), folder=tmp_path / "files")
    assert original[0] == 0, original
    assert output("-I", str(made), folder=tmp_path) == original


@pytest.mark.thorough
@pytest.mark.parametrize("wanted", ["3.6", "3.8", "3.12", "3.13", "pypy3"])
def test_a_bundle_runs_on_other_interpreters_too(wanted: str, tmp_path: Path) -> None:
    try:
        python = find_interpreter(wanted)
    except UsageError:
        pytest.skip(f"Python {wanted} is not on this machine")
    for number, (shape, files) in enumerate(SHAPES.items()):
        if shape == "future" and python.version < (3, 7):
            continue  # PEP 563
        write_files(tmp_path / f"{number}", files)
        made = write_bundle(tmp_path / f"{number}" / "main.py", tmp_path / f"alone{number}")
        original = output("main.py", folder=tmp_path / f"{number}", python=python.path)
        assert output("-I", str(made), folder=tmp_path, python=python.path) == original, shape


@pytest.mark.parametrize("shape", SHAPES)
def test_comments_and_docstrings_are_kept(shape: str, tmp_path: Path) -> None:
    write_files(tmp_path, SHAPES[shape])
    made = bundle(tmp_path / "main.py")
    text = made.data.decode()
    for name, source in SHAPES[shape].items():
        module = name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        if name == "main.py" or module in made.modules:
            for comment in (line.partition("#")[2] for line in source.splitlines() if "#" in line):
                assert comment in text


@pytest.mark.parametrize(
    "source",
    [
        b"import sys\nprint(1)\n",
        b"import numpy\r\nx = 1\r\n",
        b"# -*- coding: latin-1 -*-\nprint('\xe9')",
        b"\xef\xbb\xbfprint(1)\n",
        b"",
        b'"""Doc."""\nfrom __future__ import annotations\n\x0cx = 1\n',
    ],
)
def test_a_file_that_imports_no_own_module_is_unchanged(source: bytes, tmp_path: Path) -> None:
    path = tmp_path / "main.py"
    path.write_bytes(source)
    made = bundle(path)
    assert (made.data, tuple(made.modules)) == (source, ())


def test_the_shipped_solutions_are_unchanged() -> None:
    for path in sorted((Path(__file__).parents[2] / "solutions").glob("*/*/*.py")):
        assert bundle(path).data == path.read_bytes()


def test_each_module_follows_the_modules_that_it_imports(tmp_path: Path) -> None:
    write_files(tmp_path, SHAPES["transitive"])
    assert tuple(bundle(tmp_path / "main.py").modules) == ("c", "b", "a")


def test_a_source_in_another_encoding_is_written_in_utf_8(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_bytes(b"# coding: latin-1\nimport m\nprint('\xe9' + m.X)\n")
    (tmp_path / "m.py").write_bytes(b"# coding: cp1252\nX = '\x80'\n")
    made = write_bundle(tmp_path / "main.py", tmp_path / "alone")
    assert output("-I", str(made), folder=tmp_path)[1] == "\u00e9\u20ac\n"


# ---- what cannot be bundled ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "place", "message"),
    [
        ({"main.py": "import m\n", "m.py": "x = (\n"}, "m.py:1", "not a valid Python"),
        ({"main.py": "x = \n"}, "main.py:1", "not a valid Python"),
        ({"main.py": "import m\n", "m.py": "import main\n"}, "m.py:1", "`main` is the solution itself"),
        ({"main.py": "import m\n", "m.py": "return 1\n"}, "m.py:1", "not a valid Python"),
    ],
)
def test_what_cannot_be_bundled_is_an_error_with_its_position(
    files: Files, place: str, message: str, tmp_path: Path
) -> None:
    write_files(tmp_path, files)
    with pytest.raises(DataError) as caught:
        bundle(tmp_path / "main.py")
    assert place in str(caught.value)
    assert message in str(caught.value)


def test_an_import_of_a_third_party_module_remains_with_a_warning(tmp_path: Path) -> None:
    write_files(tmp_path, {"main.py": "import m\nprint(m)\n", "m.py": "import sys\nimport numpy.linalg\n"})
    made = bundle(tmp_path / "main.py")
    (warning,) = made.warnings
    assert (warning.path.name, warning.line, warning.severity) == ("m.py", 2, Severity.WARNING)
    assert "`numpy` is neither your own nor in the standard library" in warning.message
    assert b"import numpy.linalg" in made.data


# ---- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def repository(judged_sums: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the problem `sums`, and a solution of two files in `mine/`; the current folder."""
    root = copy_repository(judged_sums, tmp_path, monkeypatch)
    write_files(
        root / "mine",
        {
            "main.py": "from lines import sums\nfor each in sums():\n    print(each)\n",
            "lines.py": "import sys\ndef sums():\n    for line in sys.stdin:\n"
            "        yield sum(map(int, line.split()))\n",
        },
    )
    return root


def test_a_bundle_is_verified_by_judging_it_and_the_original(repository: Path, capsys: CapSys) -> None:
    status, out, err = judge("bundle", "mine/main.py", "-o", "made.py", "--problem", "sums", capsys=capsys)
    assert (status, out) == (0, "")
    assert "verified: AC on all 6 cases of sums\n" in err
    status, _, _ = judge("run", "sums", "-s", "made.py", "-f", "json", capsys=capsys)
    assert status == 0
    assert judge("check", "made.py", "--problem", "sums", "--for", "uva", capsys=capsys)[0] == 0
    assert repository.is_dir()


FAR = (
    'cases:\n  - name: far\n    answer: "3\\n"\n    external:\n'
    f"      url: https://example.org/far.txt\n      file: far.txt\n      sha256: {'a' * 64}\n"
)


def test_a_verification_counts_the_cases_that_cannot_run(repository: Path, capsys: CapSys) -> None:
    write_files(repository / "testcases/sums", {"far.yaml": FAR})
    _, _, err = judge("bundle", "mine/main.py", "-o", "made.py", "--problem", "sums", capsys=capsys)
    assert "verified: AC on 6 cases (1 cannot run here) of sums\n" in err
    for path in (repository / "testcases/sums").glob("*.yaml"):
        if path.name != "far.yaml":
            path.unlink()
    status, _, err = judge("bundle", "mine/main.py", "-o", "other.py", "--problem", "sums", capsys=capsys)
    assert (status, "not verified: no case of sums can run here\n" in err) == (0, True), err


def test_a_bundle_of_a_file_in_a_package_is_verified_too(repository: Path, capsys: CapSys) -> None:
    for name, text in {
        "__init__": "",
        "main": "from .sums import run\nrun()\n",
        "sums": "from mine import run\n",
    }.items():
        write_files(repository / "pkg", {f"{name}.py": text})
    write_files(
        repository,
        {"mine/__init__.py": "from .lines import sums\ndef run():\n    for each in sums():\n        print(each)\n"},
    )
    status, _, err = judge("bundle", "pkg/main.py", "-o", "made.py", "--problem", "sums", capsys=capsys)
    assert status == 0
    assert "verified: AC on all 6 cases" in err
    assert "wrote made.py: with pkg, mine.lines, mine, pkg.sums" in err


def test_a_bundle_that_is_wrong_replaces_no_file_but_is_printed(repository: Path, capsys: CapSys) -> None:
    write_files(repository / "mine", {"lines.py": "def sums():\n    yield 0\n"})
    Path("made.py").write_text("precious")
    why = "mine/main.py: WA on sample/statement, expected AC: line 1, token 1: expected `3`, found `0`\n"
    kept = "made.py is not written; without --output, the bundle is printed in any case\n"
    args = ("bundle", "mine/main.py", "--problem", "sums")
    assert judge(*args, "-o", "made.py", "--force", capsys=capsys) == (1, "", why + kept)
    assert Path("made.py").read_text() == "precious"
    status, out, err = judge(*args, capsys=capsys)
    assert (status, "def sums" in out, err) == (1, True, why)


def test_a_bundle_that_must_fail_and_does_not_names_each_verdict_once(repository: Path, capsys: CapSys) -> None:
    write_files(repository / "solutions/sums/wrong_answer", {"right.py": "from lines import *\nmain()\n"})
    lines = Path("mine/lines.py").read_text() + "def main():\n    for each in sums():\n        print(each)\n"
    write_files(repository / "solutions/sums/wrong_answer", {"lines.py": lines})
    status, _, err = judge("bundle", "solutions/sums/wrong_answer/right.py", "-o", "made.py", capsys=capsys)
    assert (status, Path("made.py").exists()) == (1, False)
    assert "right.py: AC, expected WA\n" in err


def test_a_bundle_on_standard_output_has_the_bytes_of_its_file(repository: Path, capfdbinary: CapBytes) -> None:
    source = b"# coding: latin-1\r\nprint('\xe9')\r\n"
    Path("alone.py").write_bytes(source)
    assert run_cli(["bundle", "alone.py"]) == 0
    assert capfdbinary.readouterr().out == source
    assert repository.is_dir()


def test_the_bundle_of_a_link_has_the_modules_that_python_finds(repository: Path, capsys: CapSys) -> None:
    Path("link.py").symlink_to("mine/main.py")
    status, _, err = judge("bundle", "link.py", "-o", "made.py", "--problem", "sums", capsys=capsys)
    assert status == 0, err
    assert "verified: AC on all 6 cases" in err
    assert "with lines" in err
    assert repository.is_dir()


def test_a_bundle_overwrites_no_module_that_it_contains(repository: Path, capsys: CapSys) -> None:
    before = Path("mine/lines.py").read_text()
    status, _, err = judge("bundle", "mine/main.py", "-o", "mine/lines.py", "--force", capsys=capsys)
    assert (status, Path("mine/lines.py").read_text()) == (2, before)
    assert "this is the solution itself, or it imports this" in err
    assert repository.is_dir()


def test_an_import_of_a_computed_name_is_a_warning(tmp_path: Path) -> None:
    write_files(
        tmp_path, {"main.py": "import importlib\nname = 'm'\nprint(importlib.import_module(name))\n", "m.py": ""}
    )
    made = bundle(tmp_path / "main.py")
    assert made.modules == {}
    (warning,) = made.warnings
    assert (warning.path.name, warning.line, warning.severity) == ("main.py", 3, Severity.WARNING)
    assert warning.message == "only a run shows which module this imports, so it is not bundled"


@pytest.mark.parametrize("name", ["coding=x.py", "two\nlines.py", "\udcff.py"])
def test_the_bundle_of_a_file_with_any_name_is_a_program(name: str, tmp_path: Path) -> None:
    write_files(tmp_path, {name: "import m\nprint(m.x)\n", "m.py": "x = 7\n"})
    made = write_bundle(tmp_path / name, tmp_path / "alone")
    assert output(str(made), folder=tmp_path) == (0, "7\n", "")


def test_a_bundle_without_a_problem_is_reported_as_not_verified(repository: Path, capsys: CapSys) -> None:
    status, out, err = judge("bundle", "mine/main.py", capsys=capsys)
    assert status == 0
    assert "def sums():" in out
    assert (
        err
        == "not verified: there are no cases beside it; name some with --cases DIR, or the problem with --problem ID\n"
    )
    assert repository.is_dir()


def test_nothing_is_overwritten_without_force(repository: Path, capsys: CapSys) -> None:
    Path("made.py").write_text("precious")
    status, _, err = judge("bundle", "mine/main.py", "-o", "made.py", capsys=capsys)
    assert (status, Path("made.py").read_text()) == (2, "precious")
    assert "--force overwrites it" in err
    assert judge("bundle", "mine/main.py", "-o", "made.py", "--force", capsys=capsys)[0] == 0
    assert "def sums" in Path("made.py").read_text()
    status, _, err = judge("bundle", "mine/main.py", "-o", "mine/main.py", "--force", capsys=capsys)
    assert status == 2
    assert "this is the solution itself" in err
    assert repository.is_dir()


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["bundle", "gone.py"], "gone.py: no such file"),
        (["bundle", "mine"], "mine is a folder; expected one source file"),
        (["bundle", "a.cpp"], "only Python solutions can be bundled"),
        (["bundle", "mine/main.py", "--problem", "sms"], "sms: not a problem or a file; did you mean sums?"),
        (["bundle", "mine/main.py", "-o", "mine"], "--output mine: is a folder; expected a file"),
        (["bundle", "mine/main.py", "-o", "no/made.py"], "--output no/made.py: no is not a folder; create it"),
    ],
)
def test_bad_usage_is_one_clear_error(repository: Path, capsys: CapSys, argv: list[str], message: str) -> None:
    Path("a.cpp").write_text("int main() {}")
    status, _, err = judge(*argv, capsys=capsys)
    assert status == 2
    assert message in err
    assert "Traceback" not in err
    assert repository.is_dir()
