"""Every language of the table whose tools are on this machine: the same program in each, in several files.

The programs are in `samples`. Each reads a mode and numbers; its sum is in a second file, where the language has files
that can include each other.
"""

import re
import shutil
from pathlib import Path

import pytest

from judge.base.errors import ToolError
from judge.base.units import GIB, MIB
from judge.languages.build import CompileError, Program, build
from judge.languages.source import SourceOptions
from judge.languages.table import LANGUAGES, Language
from judge.languages.tools import behind_rustup, describe_tools
from judge.model import Ending
from judge.sandbox.box import Box, Outcome
from tests.programs import limits

SAMPLES = Path(__file__).with_name("samples")
NUMBERS = "\n".join(map(str, range(1, 100_001)))
BY_ID = {language.id: language for language in LANGUAGES}
TESTED = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
MANY_MODES = [name for name in TESTED if name not in {"ada", "fortran", "lisp", "nim", "prolog"}]
DEPTH = 100_000
# These limit recursion themselves, whatever the memory limit is.
DEPTHS = {"bash": 0, "r": 1000, "pypy3": 10_000, "csharp": 10_000}
HEAP_LIMITED = ("java", "kotlin", "scala")  # the virtual machine ends the program before the sandbox does

pytestmark = pytest.mark.thorough


class Programs:
    """The programs that were built, by language."""

    def __init__(self, folder: Path, box: Box) -> None:
        self.folder = folder
        self.box = box
        self.built: dict[str, Program | CompileError] = {}

    def get(self, name: str) -> Program:
        """Return the program in a language, built on the first call."""
        require(BY_ID[name])
        if name not in self.built:
            self.built[name] = build(SAMPLES / name, self.folder, self.box)
        program = self.built[name]
        assert isinstance(program, Program), program
        assert program.language.id == name
        return program

    def run(self, name: str, text: str, *, cpu: float = 10.0, memory: int = GIB) -> Outcome:
        """Run the program with an input."""
        within = limits(cpu=cpu, memory=memory)
        return self.box.run(self.get(name).command(text.encode(), within), within)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory, box: Box) -> Programs:
    folder = tmp_path_factory.mktemp("built")
    folder.chmod(0o755)  # the sandbox may run programs as another user
    return Programs(folder, box)


def require(language: Language) -> None:
    found = describe_tools(language)
    if " needs " in found:
        pytest.skip(found)
    if language.id == "scala" and is_too_old_for_java():
        pytest.skip("this Scala needs Java 8")


def is_too_old_for_java() -> bool:
    scala = Path(shutil.which("scala") or "").resolve()
    return "scala-2.11" in str(scala)


@pytest.mark.parametrize("name", TESTED)
def test_the_sum_of_many_numbers(programs: Programs, name: str) -> None:
    outcome = programs.run(name, f"sum\n{NUMBERS}\n")
    assert (outcome.stdout.strip(), outcome.result.stderr_tail) == (b"5000050000", b"")


@pytest.mark.parametrize("name", MANY_MODES)
def test_deep_recursion(programs: Programs, name: str) -> None:
    depth = DEPTHS.get(name, DEPTH)
    if not depth:
        pytest.skip(f"{name} has no deep recursion")
    outcome = programs.run(name, f"deep\n{depth}\n")
    assert (outcome.stdout.strip(), outcome.result.stderr_tail) == (str(depth).encode(), b"")


@pytest.mark.parametrize("name", MANY_MODES)
def test_the_memory_limit(programs: Programs, name: str) -> None:
    result = programs.run(name, "memory\n600\n", memory=256 * MIB).result
    if name in HEAP_LIMITED:
        assert (result.ending, result.exit_code != 0) in {(Ending.EXITED, True), (Ending.MEMORY_LIMIT, True)}
    else:
        assert result.ending is Ending.MEMORY_LIMIT


@pytest.mark.parametrize("name", MANY_MODES)
def test_memory_is_what_the_program_holds(programs: Programs, name: str) -> None:
    if name == "haskell":
        pytest.skip("its program allocates objects, not bytes")
    memory = [programs.run(name, f"memory\n{size}\n").result.memory for size in (20, 120)]
    assert 30 * MIB < memory[1] - memory[0] < 400 * MIB


@pytest.mark.parametrize("name", MANY_MODES)
def test_the_time_limit(programs: Programs, name: str) -> None:
    result = programs.run(name, "loop\n1 2 3\n", cpu=1.0).result
    assert result.ending is Ending.TIME_LIMIT


@pytest.mark.parametrize("name", TESTED)
def test_a_run_time_error(programs: Programs, name: str) -> None:
    result = programs.run(name, "fail\n").result
    assert (result.ending is Ending.SIGNALED) or result.exit_code


@pytest.mark.parametrize("name", [name for name in TESTED if BY_ID[name].compile])
def test_a_compile_error_names_the_line(box: Box, tmp_path: Path, name: str) -> None:
    language = BY_ID[name]
    require(language)
    main = next(path for path in sorted((SAMPLES / name).iterdir()) if path.stem.lower() in {"main", "solution"})
    broken = tmp_path / main.name
    broken.write_text(main.read_text().rstrip() + '\n\n) nonsense ( "\n')
    built = build(broken, tmp_path, box, source_options=SourceOptions(language=name))
    assert isinstance(built, CompileError)
    assert str(tmp_path) not in built.message
    assert any(character.isdigit() for character in built.message), built.message


def test_the_documentation_has_every_language() -> None:
    page = (Path(__file__).parents[2] / "docs" / "languages.md").read_text()
    documented = re.findall(r"^\| ([^|]+) \| `(\w+)` \| ([^|]*) \|", page, re.MULTILINE)
    assert {(name, key) for name, key, _ in documented} == {(each.name, each.id) for each in LANGUAGES}
    for _, key, suffixes in documented:
        assert set(BY_ID[key].suffixes) <= set(re.findall(r"`(\.[\w+]+)`", suffixes))


# ---- which language --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "language"),
    [
        ("a.py", "#!/usr/bin/env python2\n", "python2"),
        ("a.py", "#!/usr/bin/env python3\n", "python3"),
        ("a.py", "# python2\n", "python3"),
        ("a.pl", "use strict;\n", "perl"),
        ("a.pl", ":- initialization(main).\n", "prolog"),
        ("a.pl", "main :- read(X).\n", "prolog"),
        ("a.R", "", "r"),
        ("a.mjs", "", "javascript"),
    ],
)
def test_the_language_of_a_text(name: str, text: str, language: str) -> None:
    from judge.languages.table import language_of_text

    assert language_of_text(Path(name), text.encode()).id == language


@pytest.fixture
def rustup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RUSTUP_HOME", str(tmp_path))
    monkeypatch.delenv("RUSTUP_TOOLCHAIN", raising=False)
    (tmp_path / "rustup").touch()
    (tmp_path / "rustc").symlink_to("rustup")
    return tmp_path


def test_the_compiler_of_the_default_toolchain_is_found(rustup: Path) -> None:
    for name in ("1.80-x86_64", "stable-x86_64"):
        (rustup / "toolchains" / name / "bin").mkdir(parents=True)
        (rustup / "toolchains" / name / "bin/rustc").touch()
    assert behind_rustup(f"{rustup}/rustc") == f"{rustup}/toolchains/stable-x86_64/bin/rustc"
    (rustup / "settings.toml").write_text('default_toolchain = "1.80-x86_64"\n')
    assert behind_rustup(f"{rustup}/rustc") == f"{rustup}/toolchains/1.80-x86_64/bin/rustc"
    assert behind_rustup("/usr/bin/gcc") == "/usr/bin/gcc"


def test_a_rustup_without_a_toolchain_is_a_missing_tool(rustup: Path) -> None:
    with pytest.raises(ToolError, match=r"Rust needs a toolchain of rustup: .*run `rustup default stable`"):
        behind_rustup(f"{rustup}/rustc")
