"""Programs of several files: which language, what runs, what is included, and which links are refused."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.base.errors import ToolError
from judge.languages.build import CompileError, Program, build
from judge.languages.build_cache import BuildCache
from judge.languages.inspection import has_java_main
from judge.languages.program_source import program_fingerprint, read_source
from judge.languages.source import PLAIN, PROGRAM, SourceOptions
from judge.model import Level
from judge.sandbox.box import Box, Outcome
from tests.programs import box_at, limits


@pytest.fixture
def built_in(tmp_path: Path) -> Path:
    folder = tmp_path / "built"
    folder.mkdir()
    return folder


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if text.startswith("#!"):
            path.chmod(0o755)
    return folder


def run(box: Box, built: Program | CompileError, stdin: bytes = b"", *arguments: str) -> Outcome:
    assert isinstance(built, Program), built
    return box.run(built.command(stdin, limits(), arguments), limits())


def needs(*tools: str) -> pytest.MarkDecorator:
    missing = [tool for tool in tools if not shutil.which(tool)]
    return pytest.mark.skipif(bool(missing), reason=f"no {' or '.join(missing)} on this machine")


UTIL = "def twice(x):\n    return 2 * x\n"
MAIN = "from util import twice\nprint(twice(int(input())))\n"
C_UTIL = "int twice(int x) { return 2 * x; }\n"
C_MAIN = (
    '#include <stdio.h>\n#include "lib/util.h"\nint main(void) { int x; scanf("%d", &x); printf("%d\\n", twice(x)); }\n'
)
JAVA_UTIL = "package lib; public class Util { public static int twice(int x) { return 2 * x; } }\n"
JAVA_MAIN = (
    "public class Solve { public static void main(String[] a) { "
    "System.out.println(lib.Util.twice(new java.util.Scanner(System.in).nextInt())); } }\n"
)

FOLDERS = {
    "python: __main__.py": {"__main__.py": MAIN, "util.py": UTIL, "main.py": "print('no')\n"},
    "python: main.py": {"main.py": MAIN, "util.py": UTIL},
    "python: Main.py": {"Main.py": MAIN, "util.py": UTIL},
    "python: one file beside a package": {"solve.py": MAIN.replace("util", "lib.util"), "lib/util.py": UTIL},
    "python: a data file in the current folder": {
        "main.py": "print(int(open('factor.txt').read()) * int(input()))\n",
        "factor.txt": "2\n",
    },
    "C: headers do not decide": {
        "main.c": C_MAIN,
        "lib/util.c": C_UTIL,
        "lib/util.h": "int twice(int);\n",
        "x.hpp": "",
        "notes.txt": "",
    },
    "C++: all sources": {
        "a.cpp": "int twice(int);\n#include <cstdio>\n" + C_MAIN.split("\n")[-2] + "\n",
        "b.cc": C_UTIL,
    },
    "Java: the one class with main": {"Solve.java": JAVA_MAIN, "lib/Util.java": JAVA_UTIL},
}
TOOLS = {"C": ("gcc",), "C++": ("g++",), "Java": ("javac", "java"), "python": ()}


@pytest.mark.parametrize("form", FOLDERS)
def test_a_folder_becomes_a_program(box: Box, tmp_path: Path, built_in: Path, form: str) -> None:
    if missing := [tool for tool in TOOLS[form.partition(":")[0]] if not shutil.which(tool)]:
        pytest.skip(f"no {missing[0]} on this machine")
    outcome = run(box, build(write(tmp_path / "solution", FOLDERS[form]), built_in, box), b"21\n")
    assert (outcome.stdout, outcome.result.stderr_tail) == (b"42\n", b"")


def test_scripts_need_not_be_executable(tmp_path: Path, built_in: Path) -> None:
    files = {"build": "#!/bin/sh\ncp main.sh run; chmod +x run\n", "main.sh": "#!/bin/sh\necho 42\n"}
    folder = write(tmp_path / "solution", files)
    (folder / "build").chmod(0o644)
    with box_at(Level.FULL) as box:
        assert run(box, build(folder, built_in, box, source_options=PROGRAM)).stdout == b"42\n"


@pytest.mark.parametrize("level", list(Level), ids=lambda level: level.value)
def test_a_program_runs_in_its_folder_at_every_level(level: Level, tmp_path: Path, built_in: Path) -> None:
    folder = write(tmp_path / "solution", {"main.py": "print(open('data.txt').read())\n", "data.txt": "42"})
    with box_at(level) as box:
        assert run(box, build(folder, built_in, box)).stdout == b"42\n"


@pytest.mark.parametrize(
    ("files", "options", "message"),
    [
        ({"a.c": "x", "b.py": "x"}, SourceOptions(), r"several languages: C \(a\.c\), Python 3 \(b\.py\); remove"),
        ({"a.txt": "x"}, SourceOptions(), "no source files; expected files with"),
        ({"a.py": "x"}, SourceOptions(entry_point="b.py"), r"the entry point `b\.py` is none of its files: a\.py"),
        ({"a.py": "x"}, SourceOptions(language="algol"), "the language `algol` is not known; expected one of python3"),
    ],
)
def test_what_is_unclear_is_an_error_that_says_so(
    tmp_path: Path, files: dict[str, str], options: SourceOptions, message: str
) -> None:
    with pytest.raises(ToolError, match=message):
        read_source(write(tmp_path / "solution", files), options)


A_MAIN = "class A { static void main() {} }"


@pytest.mark.parametrize(
    ("files", "runs"),
    [
        ({"b.py": "x", "a.py": "x"}, "a.py"),
        ({"z.js": "x", "lib/a.js": "x"}, "z.js"),
        ({"a.js": "x", "Main.mjs": "x"}, "Main.mjs"),
        ({"a.py": "x", "MAIN.py3": "x"}, "MAIN.py3"),
        ({"B.java": "class B { void main() {} }", "A.java": A_MAIN}, "A"),
        ({"A.java": A_MAIN, "Main.java": "class Main { void main() {} }"}, "Main"),
    ],
)
def test_what_runs_if_nothing_names_it(tmp_path: Path, files: dict[str, str], runs: str) -> None:
    source = read_source(write(tmp_path / "solution", files), SourceOptions())
    assert runs in (source.main, source.entry_point)


@needs("node")
@pytest.mark.parametrize("name", ["a.js", "z.js"])
def test_every_file_of_javascript_is_checked(box: Box, tmp_path: Path, built_in: Path, name: str) -> None:
    files = {"m.js": "console.log(1)\n", name: "letter x = 1\n"}
    if name == "z.js":  # then the wrong file is not the one that runs
        files["main.js"] = files.pop("m.js")
    built = build(write(tmp_path / "solution", files), built_in, box)
    assert isinstance(built, CompileError)
    assert name in built.text


@pytest.mark.parametrize(
    ("text", "has_main"),
    [
        (A_MAIN, True),
        ("class A { public static void /* the */ main (String[] a) {} }", True),
        ("void main() { }", True),
        ("class A { // void main()\n}", False),
        ('class A { String s = "void main()"; /* void main() */ }', False),
        ("class A { void domain() {} }", False),
    ],
)
def test_a_main_in_a_comment_or_a_string_is_not_one(text: str, has_main: bool) -> None:
    assert has_java_main(text.encode()) is has_main


@pytest.mark.parametrize("files", [{"Main.java": "class Main { int main() { return 1; } }"}, {"A.java": "class A {}"}])
def test_java_without_main_does_not_compile(box: Box, tmp_path: Path, built_in: Path, files: dict[str, str]) -> None:
    if not shutil.which("javac"):
        pytest.skip("no javac on this machine")
    (name,) = files
    for path in (write(tmp_path / "solution", files), tmp_path / "solution" / name):
        built = build(path, built_in, box)
        assert isinstance(built, CompileError)
        assert "no class has a `main`" in built.message


def test_the_language_and_the_entry_point_can_be_named(box: Box, tmp_path: Path, built_in: Path) -> None:
    folder = write(tmp_path / "solution", {"a.py": "print(1)\n", "b.py": "print(2)\n", "c.c": ""})
    options = SourceOptions(language="python3", entry_point="b.py")
    assert run(box, build(folder, built_in, box, source_options=options)).stdout == b"2\n"


@needs("javac")
def test_a_named_java_class_runs(box: Box, tmp_path: Path, built_in: Path) -> None:
    text = "class {0} {{ public static void main(String[] a) {{ System.out.println('{0}'); }} }}"
    folder = write(tmp_path / "solution", {f"{name}.java": text.format(name) for name in "AB"})
    built = build(folder, built_in, box, source_options=SourceOptions(entry_point="B"))
    assert run(box, built).stdout == b"B\n"


# ---- included files and constants ------------------------------------------------------------------------------------


def test_included_files_are_copied_beside_one_file(box: Box, tmp_path: Path, built_in: Path) -> None:
    write(tmp_path / "include" / "python3", {"util.py": UTIL})
    write(tmp_path / "include" / "default", {"util.py": "nonsense"})
    source = write(tmp_path, {"solve.py": MAIN}) / "solve.py"
    include = {each: (tmp_path / "include" / each,) for each in ("python3", "default")}
    assert (
        run(box, build(source, built_in, box, source_options=SourceOptions(include=include)), b"3\n").stdout == b"6\n"
    )


def test_included_files_are_those_of_all_languages_and_of_the_own_one(tmp_path: Path) -> None:
    default = write(tmp_path / "include" / "default", {"limits.txt": "100", "util.py": "nonsense"})
    python = write(tmp_path / "include" / "python3", {"util.py": UTIL})
    source = write(tmp_path, {"x.py": MAIN}) / "x.py"
    for language in ("python3", "pypy3"):  # packages have one code for both
        options = SourceOptions(language=language, include={"python3": (python,), "default": (default,)})
        files = read_source(source, options).files
        assert (files["limits.txt"], files["util.py"]) == (b"100", UTIL.encode())


def test_single_files_are_included_without_those_beside_them(box: Box, tmp_path: Path, built_in: Path) -> None:
    library = write(tmp_path / "library", {"util.py": UTIL, "solve.py": "print('not this')"})
    source = write(tmp_path, {"solve.py": MAIN}) / "solve.py"
    options = SourceOptions(include={"python3": (library / "util.py",)})
    built = build(source, built_in, box, source_options=options)
    assert run(box, built, b"3\n").stdout == b"6\n"


def test_an_included_driver_runs_and_replaces_files_of_the_solution(box: Box, tmp_path: Path, built_in: Path) -> None:
    include = write(
        tmp_path / "include", {"__main__.py": "import solve, util\nprint(solve.x, util.y)\n", "util.py": "y = 2"}
    )
    folder = write(tmp_path / "solution", {"solve.py": "x = 1\n", "util.py": "y = 0"})
    options = SourceOptions(include={"default": (include,)})
    assert run(box, build(folder, built_in, box, source_options=options)).stdout == b"1 2\n"


@pytest.mark.parametrize(
    ("name", "text", "output"),
    [
        ("a_grader.py", "import solve\nprint(solve.x + 1)\n", b"2\n2\n"),
        ("z_grader.py", "from solve import x\nprint(x + 1)\n", b"2\n2\n"),
        ("a_helper.py", "y = 5  # import solve\n", b"2\n"),
        ("a_grader.py", "import sys, solve\nprint(solve.x + 1)\n", b"2\n2\n"),
        ("a_helper.py", "import solver\n", b"2\n"),
        ("a_helper.py", "def check():\n    import solve\n", b"2\n"),
    ],
)
def test_an_included_module_that_imports_the_solution_runs(  # noqa: PLR0917
    box: Box, tmp_path: Path, built_in: Path, name: str, text: str, output: bytes
) -> None:
    source = write(tmp_path, {"solve.py": "x = 1\nprint(2)\n"}) / "solve.py"
    options = SourceOptions(include={"python3": (write(tmp_path / "include", {name: text}),)})
    assert run(box, build(source, built_in, box, source_options=options)).stdout == output


FORK = """\
import os, solve
end, start = os.pipe()
child = os.fork()
if child == 0:
    os.write(start, b"%d" % solve.encode())
    os._exit(0)
assert os.waitpid(child, 0) == (child, 0)
print(solve.decode(os.read(end, 10)))
"""


def test_an_included_driver_may_run_the_solution_in_several_processes(box: Box, tmp_path: Path, built_in: Path) -> None:
    include = write(tmp_path / "include", {"main.py": FORK})
    source = write(tmp_path, {"solve.py": "encode = lambda: 7\ndecode = lambda text: int(text) + 1\n"}) / "solve.py"
    options = SourceOptions(include={"python3": (include,)})
    assert run(box, build(source, built_in, box, source_options=options)).stdout == b"8\n"


@pytest.mark.parametrize("form", ["a.py", "a"])
def test_only_what_the_jury_wrote_may_start_processes(box: Box, tmp_path: Path, built_in: Path, form: str) -> None:
    text = "import os\nif os.fork() == 0: os._exit(5)\nprint(os.wait()[1] // 256)\n"
    path = write(tmp_path, {"a.py": text, "a/main.py": text}) / form
    assert run(box, build(path, built_in, box, source_options=PROGRAM)).stdout == b"5\n"
    harmless = {"words.txt": "fork\nsystem (\n", "table.py": "# the number system\nfork = 1\n"}
    include = write(tmp_path / "include", harmless)
    for name, options in (("1", PLAIN), ("2", SourceOptions(include={"default": (include,)}))):
        folder = built_in / name
        folder.mkdir()
        assert run(box, build(path, folder, box, source_options=options)).result.exit_code == 1


@needs("g++")
def test_included_sources_are_compiled(box: Box, tmp_path: Path, built_in: Path) -> None:
    include = write(tmp_path / "include", {"main.cpp": "int f();\nint main() { return f(); }\n"})
    source = write(tmp_path, {"f.cpp": "int f() { return 7; }\n"}) / "f.cpp"
    options = SourceOptions(include={"cpp": (include,)})
    assert run(box, build(source, built_in, box, source_options=options)).result.exit_code == 7


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("{{n}} {{n.value}} {{n.tex}}", "5 5 5{,}000"),
        ("{{m}} {{ n }} {n} {{n.other}} {{{n}}}", "{{m}} {{ n }} {n} {{n.other}} {5}"),
    ],
)
def test_constants_are_replaced_in_the_copy_only(
    box: Box, tmp_path: Path, built_in: Path, text: str, replaced: str
) -> None:
    source = write(tmp_path, {"a.py": f"print('''{text}''')\n"}) / "a.py"
    options = SourceOptions(constants={"n": "5", "n.tex": "5{,}000"})
    assert run(box, build(source, built_in, box, source_options=options)).stdout.decode() == f"{replaced}\n"
    assert text in source.read_text()


# ---- links, sizes ----------------------------------------------------------------------------------------------------


def test_links_within_the_package_are_followed(box: Box, tmp_path: Path, built_in: Path) -> None:
    write(tmp_path, {"shared/util.py": UTIL, "solution/main.py": MAIN})
    (tmp_path / "solution" / "util.py").symlink_to("../shared/util.py")
    options = SourceOptions(root=tmp_path)
    assert run(box, build(tmp_path / "solution", built_in, box, source_options=options), b"2\n").stdout == b"4\n"


@pytest.mark.parametrize("name", ["solution/secret.txt", "solution/folder", "solution.py"])
def test_links_out_of_the_package_are_refused(tmp_path: Path, name: str) -> None:
    write(tmp_path, {"outside/secret.txt": "secret", "package/solution/main.py": "print(1)\n"})
    link = tmp_path / "package" / name
    link.symlink_to(tmp_path / "outside" / ("" if name.endswith("folder") else "secret.txt"))
    source = link if name == "solution.py" else link.parent
    with pytest.raises(ToolError, match=rf"{link.name} is a link that leads out of the package: copy"):
        read_source(source, SourceOptions(root=tmp_path / "package"))


def test_a_header_of_the_repository_may_be_linked(tmp_path: Path) -> None:
    write(tmp_path, {"headers/util.h": "int n;", "package/a/main.cpp": "int main() {}"})
    (tmp_path / "package/a/util.h").symlink_to("../../headers/util.h")
    options = SourceOptions(root=tmp_path / "package")
    with pytest.raises(ToolError, match="leads out of the package"):
        read_source(tmp_path / "package/a", options)
    (tmp_path / ".git").mkdir()
    assert read_source(tmp_path / "package/a", options).files["util.h"] == b"int n;"
    (tmp_path / "package/a/folder").symlink_to("../../headers")
    with pytest.raises(ToolError, match="folder is a link out of the package to something that is not a regular file"):
        read_source(tmp_path / "package/a", options)


def test_a_link_that_became_a_text_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"a/main.cpp": "int main() {}", "a/util.h": "../../headers/util.h"})
    with pytest.raises(ToolError, match=r"util.h is only the text of a link to ../../headers/util.h: make it a link"):
        read_source(tmp_path / "a", SourceOptions(root=tmp_path))
    write(tmp_path, {"a/util.h": "../../headers/util.txt"})
    assert read_source(tmp_path / "a", SourceOptions(root=tmp_path)).files


def test_what_has_no_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "solution", {"main.py": "print(1)\n", "a/b.py": ""})
    (folder / "a" / "up").symlink_to("..")
    with pytest.raises(ToolError, match="up is a link to a folder that contains it"):
        read_source(folder)
    (folder / "a" / "up").unlink()
    os.mkfifo(folder / "pipe")
    with pytest.raises(ToolError, match="pipe is not a regular file"):
        read_source(folder)
    (folder / "pipe").unlink()
    monkeypatch.setattr("judge.languages.folder._MAX_FILES", 1)
    with pytest.raises(ToolError, match="solution: more than 1 files or 64 MiB"):
        read_source(folder)


def test_hidden_files_are_left_out(tmp_path: Path) -> None:
    folder = write(tmp_path / "s", {"main.py": "x", ".git/a.c": "x", "-x.c": "x", "__pycache__/y.c": "x"})
    assert list(read_source(folder).files) == ["main.py"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.c", 'printf("%I64d %-08.3I64u", a, b);', 'printf("%lld %-08.3llu", a, b);'),
        ("a.cpp", 'scanf("%I64d%*I64x", &a);', 'scanf("%lld%*llx", &a);'),
        ("a.cpp", 'printf("%Id I64d %I32d");', 'printf("%Id I64d %I32d");'),
        ("a.py", "print('%I64d')", "print('%I64d')"),
    ],
)
def test_a_program_for_windows_gets_the_formats_of_linux(name: str, text: str, expected: str, tmp_path: Path) -> None:
    path = write(tmp_path, {name: text}) / name
    assert read_source(path).files[name] == text.encode()
    assert read_source(path, SourceOptions(is_for_windows=True)).files[name] == expected.encode()


# ---- identity and cache ----------------------------------------------------------------------------------------------


def test_every_edit_changes_what_identifies_a_program(tmp_path: Path) -> None:
    folder = write(tmp_path / "solution", {"main.py": MAIN, "util.py": UTIL, "data.txt": "1"})
    include = write(tmp_path / "include", {"more.py": "x = '{{n}}'\n"})
    options = SourceOptions(include={"default": (include,)}, constants={"n": "1"})

    def identity(options: SourceOptions = options) -> tuple[str, ...]:
        return program_fingerprint(read_source(folder, options), {})

    seen = [identity()]
    assert identity() == seen[0]
    for name in ("main.py", "util.py", "data.txt", "new.py"):
        write(folder, {name: "# edited\n"})
        seen.append(identity())
    (folder / "new.py").rename(folder / "other.py")
    seen.append(identity())
    (folder / "other.py").chmod(0o755)
    seen.append(identity())
    write(include, {"more.py": "x = '{{n}} {{n}}'\n"})
    seen.append(identity())
    seen.append(identity(replace(options, constants={"n": "2"})))
    seen.append(identity(replace(options, entry_point="util.py")))
    seen.append(identity(replace(options, language="python2")) if shutil.which("python2") else ("no Python 2",))
    assert len(set(seen)) == len(seen)


@needs("javac")
def test_a_program_with_subfolders_is_cached(
    box: Box, tmp_path: Path, built_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "solution", {"Solve.java": JAVA_MAIN, "lib/Util.java": JAVA_UTIL})
    cache = tmp_path / "cache"
    assert run(box, build(folder, built_in, box, cache=cache), b"1\n").stdout == b"2\n"
    monkeypatch.setattr("judge.languages.build._compile", None)
    assert run(box, build(folder, built_in, box, cache=cache), b"2\n").stdout == b"4\n"


def test_a_cached_program_is_not_written_through_a_link(tmp_path: Path) -> None:
    write(tmp_path, {"place/sub/program": "good", "outside/x": "x"})
    cache = BuildCache(tmp_path / "cache")
    cache.store("key", tmp_path / "place", {})
    shutil.rmtree(tmp_path / "place" / "sub")
    (tmp_path / "place" / "sub").symlink_to(tmp_path / "outside")
    assert not cache.restore("key", tmp_path / "place")
    assert [path.name for path in (tmp_path / "outside").iterdir()] == ["x"]


# ---- messages --------------------------------------------------------------------------------------------------------


def test_messages_name_the_users_files(box: Box, tmp_path: Path, built_in: Path) -> None:
    include = write(tmp_path / "include", {"more.py": "def fail():\n    raise KeyError\n"})
    folder = write(tmp_path / "solution", {"main.py": "import util\n", "util.py": "import more\nmore.fail()\n"})
    built = build(folder, built_in, box, source_options=SourceOptions(include={"default": (include,)}))
    assert isinstance(built, Program)
    text = built.restore_source_path(run(box, built).result.stderr_tail).decode()
    for path in (folder / "main.py", folder / "util.py", include / "more.py"):
        assert f'File "{path}", line' in text
    assert str(built_in) not in text


@needs("g++")
def test_compile_errors_name_the_file(box: Box, tmp_path: Path, built_in: Path) -> None:
    files = {"a.cpp": "int main() {}\n", "b.cpp": "\nint x = y;\n", "util.py": ""}
    folder = write(tmp_path / "solution", files)
    error = build(folder, built_in, box, source_options=SourceOptions(language="cpp"))
    assert isinstance(error, CompileError)
    assert error.message.startswith("b.cpp, line 2: error: ")
    write(folder, {"util.py": "x = = 1\n", "main.py": ""})
    error = build(folder, built_in, box, source_options=SourceOptions(language="python3"))
    assert isinstance(error, CompileError)
    assert error.message == "util.py, line 1: invalid syntax: x = = 1"


# ---- programs of packages: build and run scripts ---------------------------------------------------------------------

BUILD = """#!/bin/sh
set -e
mkdir out
c++ -o out/check check.cpp
printf '#!/bin/sh\\nexec "$(dirname "$0")/out/check" "$@"' > run
chmod +x run
"""
CHECK = "int main(int count, char **words) { return 40 + count; }\n"


@needs("c++", "sh")
def test_a_build_script_makes_the_program(
    box: Box, tmp_path: Path, built_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "validator", {"build": BUILD, "check.cpp": CHECK})
    cache = tmp_path / "cache"
    built = build(folder, built_in, box, cache=cache, source_options=PROGRAM)
    assert run(box, built, b"", "x", "y").result.exit_code == 43
    assert sorted(path.name for path in folder.iterdir()) == ["build", "check.cpp"]  # made in a copy
    monkeypatch.setattr("judge.languages.build._compile", None)
    assert run(box, build(folder, built_in, box, cache=cache, source_options=PROGRAM)).result.exit_code == 41


def test_scripts_find_the_tools_that_they_may_expect(box: Box, tmp_path: Path, built_in: Path) -> None:
    folder = write(
        tmp_path / "validator", {"run": "#!/bin/sh\npython3 helper.py; exit 42\n", "helper.py": "print(1)\n"}
    )
    outcome = run(box, build(folder, built_in, box, source_options=PROGRAM))
    assert (outcome.stdout, outcome.result.exit_code) == (b"1\n", 42)


def test_one_executable_file_is_a_program(box: Box, tmp_path: Path, built_in: Path) -> None:
    source = (
        write(tmp_path, {"validate": "#!/usr/bin/env python3\nprint(input())\nraise SystemExit(42)\n"}) / "validate"
    )
    outcome = run(box, build(source, built_in, box, source_options=PROGRAM), b"x\n")
    assert (outcome.stdout, outcome.result.exit_code) == (b"x\n", 42)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("#!/bin/sh\n", "`build` ended without an executable file `run`"),
        ("#!/bin/sh\n: > run\n", "`build` ended without an executable file `run`"),
        ("#!/bin/sh\necho nonsense >&2\nexit 3\n", "nonsense"),
        ("#!/bin/sh\nexit 3\n", "exited with status 3"),
    ],
)
def test_a_failing_build_script_is_reported(
    box: Box, tmp_path: Path, built_in: Path, script: str, message: str
) -> None:
    error = build(write(tmp_path / "validator", {"build": script}), built_in, box, source_options=PROGRAM)
    assert isinstance(error, CompileError)
    assert message in error.message


def test_a_build_script_cannot_write_elsewhere(box: Box, tmp_path: Path, built_in: Path) -> None:
    folder = write(tmp_path / "validator", {"build": f"#!/bin/sh\n: > {tmp_path}/proof\n", "a.txt": ""})
    assert isinstance(build(folder, built_in, box, source_options=PROGRAM), CompileError)
    assert not (tmp_path / "proof").exists()


def test_scripts_are_no_solutions(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="no source files"):
        read_source(write(tmp_path / "solution", {"run": "#!/bin/sh\n"}))


def test_a_program_that_judges_may_be_in_python_2(tmp_path: Path) -> None:
    write(tmp_path, {"grader.py": "print 'AC 1'\n", "folder/__main__.py": "print 'AC 1'\n", "folder/util.py": ""})
    for name in ("grader.py", "folder"):
        assert read_source(tmp_path / name, PROGRAM).language.id == "python2"
    assert read_source(tmp_path / "grader.py", SourceOptions()).language.id == "python3"
