"""Languages: a valid source becomes a program, an invalid one names the line, and a missing tool is a tool error."""

import os
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.base.errors import ToolError, UsageError
from judge.base.units import MIB, Bytes
from judge.languages import build_cache
from judge.languages.build import (
    COMPILE_DISK,
    COMPILE_LIMITS,
    CompileError,
    Program,
    build,
    static_variant,
)
from judge.languages.build_cache import BuildCache
from judge.languages.interpreters import find_python2
from judge.languages.options import BuildOptions, check_flags
from judge.languages.program_source import program_fingerprint, read_source
from judge.languages.table import LANGUAGES, find_language
from judge.languages.tools import choose_tools
from judge.model import Level, Limits
from judge.sandbox import kernel
from judge.sandbox.box import Box, Command, Outcome
from tests.files import write_files
from tests.parameters import first_of, with_thorough
from tests.programs import box_at, limits


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


SUMS = {
    ".py": "print(sum(map(int, input().split())))\n",
    ".py3": "print(sum(map(int, input().split())))\n",
    ".PY": "print(sum(map(int, input().split())))\n",
    ".c": '#include <stdio.h>\nint main(void){int a,b; scanf("%d%d",&a,&b); printf("%d\\n",a+b); return 0;}\n',
    ".c++": "#include <iostream>\nint main(){int a,b; std::cin>>a>>b; std::cout<<a+b<<std::endl;}\n",
    ".C": "#include <iostream>\nint main(){int a,b; std::cin>>a>>b; std::cout<<a+b<<std::endl;}\n",
    ".cp": "#include <iostream>\nint main(){int a,b; std::cin>>a>>b; std::cout<<a+b<<std::endl;}\n",
    ".cxx": "#include <iostream>\nint main(){int a,b; std::cin>>a>>b; std::cout<<a+b<<std::endl;}\n",
    ".CC": "#include <iostream>\nint main(){int a,b; std::cin>>a>>b; std::cout<<a+b<<std::endl;}\n",
    ".cpp": "#include <iostream>\nint main(){int a,b; std::cin>>a>>b; std::cout<<a+b<<std::endl;}\n",
    ".rs": "use std::io;\nfn main() { let mut s = String::new(); io::stdin().read_line(&mut s).unwrap();\n"
    "println!(\"{}\", s.split(' ').map(|x| x.trim().parse::<i32>().unwrap()).sum::<i32>()); }\n",
}


def require_tools(suffix: str, folder: Path) -> None:
    """Skip the test if the machine lacks a tool of a language."""
    try:
        choose_tools(find_language(Path(f"x{suffix}")), None, folder)
    except ToolError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("suffix", with_thorough(SUMS, SUMS.keys() - {".py", ".c", ".cpp"}))
def test_a_correct_source_becomes_a_program_that_runs(box: Box, tmp_path: Path, suffix: str) -> None:
    require_tools(suffix, tmp_path)
    built = build(write(tmp_path, f"sum{suffix}", SUMS[suffix]), tmp_path, box)
    assert isinstance(built, Program)
    assert box.run(built.command(b"40 2\n", limits()), limits()).stdout == b"42\n"


@pytest.mark.skipif(not shutil.which("javac"), reason="no javac on this machine")
def test_a_byte_order_mark_that_the_compiler_does_not_take_is_named(box: Box, tmp_path: Path) -> None:
    main = b"class Main { public static void main(String[] args) {} }"
    for start, is_named in ((b"\xef\xbb\xbf", True), (b"x", False)):
        built = build(write(tmp_path, "Main.java", start + main), tmp_path, box)
        assert isinstance(built, CompileError)
        assert ("; the file begins with a byte-order mark: save it without" in built.message) is is_named


@pytest.mark.parametrize(
    ("name", "text"),
    first_of(
        {
            "a.py": "import os\nprint('ONLINE_JUDGE' in os.environ)\n",
            "a.c": '#include <stdio.h>\nint main(void) {\n#ifdef ONLINE_JUDGE\nputs("True");\n#endif\n}\n',
            "a.cpp": '#include <cstdio>\nint main() {\n#ifdef ONLINE_JUDGE\nputs("True");\n#endif\n}\n',
            "A.java": (
                "public class A { public static void main(String[] a) {\n"
                'System.out.print("true".equals(System.getProperty("ONLINE_JUDGE")) ? "True\\n" : ""); } }\n'
            ),
            "a.pas": "begin\n{$ifdef ONLINE_JUDGE}\nwriteln('True');\n{$endif}\nend.\n",
        }.items(),
        2,
    ),
)
def test_a_source_sees_that_an_online_judge_runs_it(box: Box, tmp_path: Path, name: str, text: str) -> None:
    source = write(tmp_path, name, text)
    for tool, candidates in find_language(source).tools.items():
        if tool != "python" and not any(map(shutil.which, candidates)):
            pytest.skip(f"no {' or '.join(candidates)} on this machine")
    built = build(source, tmp_path, box)
    assert isinstance(built, Program)
    assert box.run(built.command(b"", limits()), limits()).stdout == b"True\n"


@pytest.mark.skipif(not shutil.which("pypy3"), reason="no pypy3 on this machine")
@pytest.mark.parametrize("first_line", ["#!/usr/bin/env pypy3", ""])
def test_the_memory_of_pypy_does_not_depend_on_the_machine(box: Box, tmp_path: Path, first_line: str) -> None:
    # It would otherwise take half of the processor's cache, and so much does not fit into the limit everywhere.
    source = write(tmp_path, "x.py", f"{first_line}\nimport os; print(os.environ['PYPY_GC_NURSERY'])\n")
    built = build(source, tmp_path, box, {"python": "pypy3"})
    assert isinstance(built, Program)
    assert box.run(built.command(b"", limits()), limits()).stdout == b"4M\n"


def test_a_java_class_in_a_package_runs(box: Box, tmp_path: Path) -> None:
    if shutil.which("javac") is None:
        pytest.skip("no javac on this machine")
    show = "System.out.println(Main.class.getName());"
    text = f"package bin;\nclass Main {{ public static void main(String[] a) {{ {show} }} }}\n"
    built = build(write(tmp_path, "x.java", text), tmp_path, box)
    assert isinstance(built, Program)
    assert box.run(built.command(b"", limits()), limits()).stdout == b"bin.Main\n"


def message_of(box: Box, source: Path) -> str:
    built = build(source, source.parent, box)
    assert isinstance(built, CompileError)
    return built.message


def test_a_syntax_error_is_reported_with_its_line(box: Box, tmp_path: Path) -> None:
    source = write(tmp_path, "x.py", "a = 1\nb = = 2\n")
    assert message_of(box, source) == "line 2: invalid syntax: b = = 2"


def test_a_source_that_is_not_utf8_is_a_compile_error(box: Box, tmp_path: Path) -> None:
    source = write(tmp_path, "x.py", b"a = '\xff'\n")
    assert "utf-8" in message_of(box, source)


def test_a_source_with_a_declared_encoding_compiles(box: Box, tmp_path: Path) -> None:
    source = write(tmp_path, "x.py", b"# -*- coding: latin-1 -*-\nprint(ascii('\xe9'))\n")
    assert isinstance(build(source, tmp_path, box), Program)


def test_a_source_with_a_null_byte_is_a_compile_error(box: Box, tmp_path: Path) -> None:
    assert "null bytes" in message_of(box, write(tmp_path, "x.py", b"a = 1\n\0\n"))


def test_an_empty_source_is_a_compile_error(box: Box, tmp_path: Path) -> None:
    assert message_of(box, write(tmp_path, "x.py", b" \n")) == "the file is empty"


@pytest.mark.skipif(not any(map(shutil.which, ("gcc", "cc", "clang"))), reason="no C compiler on this machine")
def test_the_first_error_of_a_compiler_is_reported_with_its_line(box: Box, tmp_path: Path) -> None:
    source = write(tmp_path, "x.c", "int main(void)\n{\n  return undefined_name;\n}\n")
    assert message_of(box, source).startswith("line 3: error: ")
    assert "undefined_name" in message_of(box, source)


@pytest.mark.skipif(not any(map(shutil.which, ("gcc", "cc", "clang"))), reason="no C compiler on this machine")
def test_the_first_error_is_reported_even_if_the_messages_exceed_a_limit(
    box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(COMPILE_LIMITS, output=Bytes(64 << 10))
    monkeypatch.setattr("judge.languages.build.COMPILE_LIMITS", small)
    names = "".join(f"x{number} = 1;\n" for number in range(5000))
    source = write(tmp_path, "x.c", f"int main(void) {{\n{names}}}\n")
    assert message_of(box, source).startswith("line 2: error: ")


def test_a_source_is_never_executed_by_building_it(box: Box, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    build(write(tmp_path, "x.py", f"open({str(proof)!r}, 'w')\n"), tmp_path, box)
    assert not proof.exists()


@pytest.mark.parametrize("name", ["{heap}", "{source}", "{binary}", "-c", "-o", "@x", "a\nb", "%s", "$(id)", "1 ü-"])
@pytest.mark.parametrize("suffix", [".py", ".c", pytest.param(".rs", marks=pytest.mark.thorough)])
def test_a_file_may_have_any_name(box: Box, tmp_path: Path, name: str, suffix: str) -> None:
    require_tools(suffix, tmp_path)
    built = build(write(tmp_path, name + suffix, SUMS[suffix]), tmp_path, box)
    assert isinstance(built, Program)
    assert box.run(built.command(b"40 2\n", limits()), limits()).stdout == b"42\n"


def test_an_unknown_suffix_is_an_error_that_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"no language has the suffix `\.foo`; expected one of .*\.java, .*\.py"):
        find_language(tmp_path / "x.foo")


def test_a_missing_tool_is_named(box: Box, tmp_path: Path) -> None:
    source = write(tmp_path, "x.py", "pass\n")
    with pytest.raises(ToolError, match="Python 3 needs `no-such-python`: command not found on PATH"):
        build(source, tmp_path, box, {"python": "no-such-python"})


def test_two_sources_with_the_same_name_do_not_share_a_binary(box: Box, tmp_path: Path) -> None:
    if not any(map(shutil.which, ("gcc", "cc", "clang"))):
        pytest.skip("no C compiler on this machine")
    programs = []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        source = write(folder, "x.c", f"int main(void){{return {number};}}\n")
        built = build(source, tmp_path, box)
        assert isinstance(built, Program)
        programs.append(built)
    codes = [box.run(built.command(b"", limits()), limits()).result.exit_code for built in programs]
    assert codes == [1, 2]


def test_an_edit_during_a_run_changes_nothing(box: Box, tmp_path: Path) -> None:
    source = write(tmp_path, "x.py", "import os; print(os.path.basename(__file__)); raise KeyError(1)\n")
    build_folder = tmp_path / "build"
    build_folder.mkdir()
    built = build(source, build_folder, box)
    assert isinstance(built, Program)
    source.write_text("print('edited')\n")
    outcome = box.run(built.command(b"", limits()), limits())
    assert outcome.stdout == b"x.py\n"
    message = built.restore_source_path(outcome.result.stderr_tail).decode()
    assert f'File "{source}", line 1' in message
    assert str(build_folder) not in message


def test_a_named_pipe_is_refused_without_waiting(box: Box, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.py")
    with pytest.raises(ToolError, match=r"x\.py is not a regular file; expected a source file"):
        build(tmp_path / "x.py", tmp_path, box)


@pytest.mark.parametrize(
    "source", ["-" * 100_000 + "1", "(" * 5000 + ")" * 5000, "x = " + "[" * 150 + "]" * 150 + ".a" * 9999]
)
def test_a_source_that_is_nested_too_deeply_is_reported_in_one_line(box: Box, tmp_path: Path, source: str) -> None:
    built = build(write(tmp_path, "x.py", source), tmp_path, box)
    if isinstance(built, CompileError):  # how deep is too deep depends on the version
        assert "Traceback" not in built.message
        assert 0 < len(built.message) < 400


def test_every_suffix_belongs_to_one_language() -> None:
    suffixes = [suffix for language in LANGUAGES for suffix in language.suffixes]
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.skipif(not any(map(shutil.which, ("gcc", "cc", "clang"))), reason="no C compiler on this machine")
def test_an_unchanged_program_is_not_compiled_again(box: Box, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    source = write(tmp_path, "x.c", '#include <stdio.h>\nint main(void) { puts("one"); }\n')

    def printed(build_folder: str) -> bytes:
        (tmp_path / build_folder).mkdir()
        built = build(source, tmp_path / build_folder, box, cache=cache)
        assert isinstance(built, Program)
        return box.run(built.command(b"", limits()), limits()).stdout

    def entries() -> list[Path]:
        return sorted((tmp_path / "cache").iterdir())

    assert printed("first") == b"one\n"
    (only,) = entries()
    before = (only / "program").stat().st_mtime_ns
    assert printed("second") == b"one\n"
    assert [path / "program" for path in entries()] == [only / "program"]
    assert (only / "program").stat().st_mtime_ns == before
    source.write_text(source.read_text().replace("one", "two"))
    assert printed("third") == b"two\n"
    assert len(entries()) == 2


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ on this machine")
@pytest.mark.parametrize("name", ["x.cpp", "x.c", "folder"])
def test_one_compilation_makes_the_program_and_the_one_with_its_libraries(
    name: str, box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, text = tmp_path / name, "int main() { return 0; }\n"
    write_files(source, {"a.cpp": text, "b.cpp": "int b;\n"}) if name == "folder" else source.write_text(text)
    compiled: list[tuple[str, ...]] = []
    run = Box.run

    def count(box: Box, command: Command, limits: Limits) -> Outcome:
        compiled.extend(
            [command.argv] if any(each.endswith(("x.cpp", "x.c", "a.cpp")) for each in command.argv) else []
        )
        return run(box, command, limits)

    def built(folder: str, options: BuildOptions) -> Program:
        (tmp_path / folder).mkdir()
        found = build(source, tmp_path / folder, box, cache=tmp_path / "cache", options=options)
        assert isinstance(found, Program)
        return found

    monkeypatch.setattr(Box, "run", count)
    program = built("both", BuildOptions(links_both=True))
    static = static_variant(program)
    assert static is not None
    assert (len(compiled), static.has_fork_server) == (2 if name == "folder" else 1, kernel.IS_X86_64)
    again = static_variant(built("again", BuildOptions(links_both=True)))
    assert again is not None
    assert len(compiled) == (2 if name == "folder" else 1)
    alone, alone_static = built("alone", BuildOptions()), built("static", BuildOptions(is_static=True))
    for one, other in ((program, alone), (static, alone_static), (again, alone_static)):
        assert box.run(one.command(b"", limits()), limits()).result.exit_code == 0
        if name != "folder":  # as each of them is built on its own
            assert Path(one.argv[0]).read_bytes() == Path(other.argv[0]).read_bytes()


@pytest.mark.parametrize(
    ("include", "statement", "is_cached"),
    [("", "i = i++;", True), ("", "i = ;", False), ("", "i = i++; i = ;", False), ("missing.h", "i = i++;", False)],
)
def test_an_error_is_cached_only_if_a_flag_makes_it_of_a_warning(
    box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, include: str, statement: str, *, is_cached: bool
) -> None:
    compiled: list[Command] = []
    run = Box.run

    def count(box: Box, command: Command, limits: Limits) -> Outcome:
        compiled.append(command)
        return run(box, command, limits)

    monkeypatch.setattr(Box, "run", count)
    code = f'#include "{include or "stdio.h"}"\nint main(void) {{ int i = 0; {statement} return i; }}\n'
    options = BuildOptions().add_flags({"c": ("-Werror=sequence-point",)})
    errors = []
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        source = write(tmp_path / folder, "x.c", code)
        error = build(source, tmp_path / folder, box, cache=tmp_path / "cache", options=options)
        assert isinstance(error, CompileError)
        errors.append((error.message, error.text))
    assert errors[0] == errors[1]
    assert len(compiled) == (1 if is_cached else 2)


@pytest.mark.skipif(not shutil.which("perl"), reason="no perl on this machine")
@pytest.mark.parametrize("name", ["text", ".rejection.json"])
@pytest.mark.parametrize("status", [0, 1])
def test_code_that_runs_while_it_is_compiled_neither_writes_elsewhere_nor_into_the_cache(
    box: Box, tmp_path: Path, name: str, status: int
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    code = (
        f'BEGIN {{ symlink("{victim}", "{name}"); open(F, ">", "text2"); print STDERR "x.pl: error: x [-Werror=y]\\n"; '
    )
    source = write(tmp_path, "x.pl", f"{code}exit({status}) if {status}; }}\nprint 1;\n")
    kinds = {type(build(source, tmp_path, box, cache=tmp_path / "cache")) for _ in range(2)}
    assert kinds == {CompileError if status else Program}
    assert victim.read_text() == "mine"


def test_a_cache_that_cannot_be_written_is_ignored(box: Box, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    source = write(tmp_path, "x.py", "print(1)\n")
    assert isinstance(build(source, tmp_path, box, cache=tmp_path / "file" / "cache"), Program)


def test_a_link_that_a_compiler_created_is_neither_cached_nor_followed(tmp_path: Path) -> None:
    secret, place = tmp_path / "secret", tmp_path / "place"
    secret.write_text("of the user")
    place.mkdir()
    cache = BuildCache(tmp_path / "cache")
    (place / "program").write_text("good")
    cache.store("good", place, {})
    (place / "program").unlink()
    (place / "program").symlink_to(secret)
    cache.store("bad", place, {})
    assert not cache.restore("bad", tmp_path)
    assert cache.restore("good", place)
    assert (secret.read_text(), (place / "program").read_text()) == ("of the user", "good")


def test_a_program_whose_removal_was_interrupted_is_not_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, place = BuildCache(tmp_path / "cache"), tmp_path / "place"
    place.mkdir()
    (place / "program").touch()
    monkeypatch.setattr(build_cache, "_MAX_PROGRAMS", 0)
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)  # the judge is killed at the first file
    key = cache.key(["x"], [])
    cache.store(key, place, {})
    assert not cache.restore(key, place)
    assert list((tmp_path / "cache").iterdir())


def test_only_programs_are_removed_from_a_full_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, place = tmp_path / "cache", tmp_path / "place"
    (folder / "documents").mkdir(parents=True)
    (folder / "letter.txt").touch()
    place.mkdir()
    (place / "program").touch()
    monkeypatch.setattr(build_cache, "_MAX_PROGRAMS", 0)
    cache = BuildCache(folder)
    cache.store(cache.key(["x"], []), place, {})
    assert {path.name for path in folder.iterdir()} == {"documents", "letter.txt"}


@pytest.mark.skipif(not kernel.IS_X86_64, reason="runs begin with the memory of a fork: see test_without_launcher")
@pytest.mark.skipif(not any(map(shutil.which, ("gcc", "cc", "clang"))), reason="no C compiler on this machine")
@pytest.mark.parametrize("level", list(Level), ids=lambda level: level.value)
def test_the_memory_of_a_small_c_program_is_exact(level: Level, tmp_path: Path) -> None:
    source = write(tmp_path, "x.c", "int main(void) { return 0; }\n")
    with box_at(level) as box:
        built = build(source, tmp_path, box)
        assert isinstance(built, Program)
        results = [box.run(built.command(b"", limits()), limits()).result for _ in range(50)]
    assert max(result.memory for result in results) < 2_500_000
    assert not any(result.is_memory_upper_bound for result in results)


def test_a_row_decides_whether_programs_may_start_processes(box: Box, tmp_path: Path) -> None:
    built = build(write(tmp_path, "x.py", "import os; os.fork()\n"), tmp_path, box)
    assert isinstance(built, Program)
    assert box.run(built.command(b"", limits()), limits()).result.exit_code == 1
    allowed = replace(built, language=replace(built.language, may_fork=True))
    assert box.run(allowed.command(b"", limits()), limits()).result.exit_code == 0


def test_a_compiler_that_writes_too_much_in_total_is_stopped_and_leaves_nothing(box: Box, tmp_path: Path) -> None:
    writer = "#!/bin/sh\nfor n in 1 2 3 4 5; do dd if=/dev/null of=x$n bs=1 seek=250M; done\n: > program\n"
    compiler = write(tmp_path, "cc", writer)
    compiler.chmod(0o755)
    build_folder = tmp_path / "build"
    build_folder.mkdir()
    built = build(write(tmp_path, "x.c", "int x;\n"), build_folder, box, tools={"cc": str(compiler)})
    assert isinstance(built, CompileError)
    assert built.message == "the compiler was stopped: output limit exceeded"
    assert list(build_folder.iterdir()) == []


def test_a_message_of_the_assembler_names_no_folder_of_the_judge(box: Box, tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("no gcc on this machine")
    message = message_of(box, write(tmp_path, "x.c", 'int main(void) { __asm__("nonsense"); }\n'))
    assert "nonsense" in message
    assert str(tmp_path) not in message


def test_an_output_limit_of_a_compilers_child_is_reported_as_such(
    box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler on this machine")
    monkeypatch.setattr("judge.languages.build.COMPILE_DISK", 64 << 20)
    source = write(tmp_path, "x.c", "char large[99 << 20] = {1};\nint main(void) { return large[7]; }\n")
    assert message_of(box, source) == "the compiler was stopped: output limit exceeded"


# ---- large programs --------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ on this machine")
def test_a_program_may_have_large_static_data_but_is_not_cached_then(box: Box, tmp_path: Path) -> None:
    source = write(tmp_path, "x.cpp", "char large[99 << 20] = {1};\nint main() { return large[7]; }\n")
    cache = tmp_path / "cache"
    built = build(source, tmp_path, box, cache=cache)
    assert isinstance(built, Program)
    assert box.run(built.command(b"", limits()), limits()).result.exit_code == 0
    assert not (tmp_path / "cache").exists()


def test_half_a_gibibyte_of_static_data_fits() -> None:
    data = 512 * MIB
    assert 2 * data + 64 * MIB <= COMPILE_DISK  # in the object file and in the program


# ---- Python's source encodings ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"a = 1\n# caf\xe9\n", "line 2: byte 0xe9 is not utf-8; save the file as UTF-8, or declare its encoding"),
        (b"# coding: ascii\n\n# \xff\n", "line 3: byte 0xff is not ascii; save the file as UTF-8"),
        (b"# coding: nonsense\n# \xff\n", "unknown encoding: nonsense"),
        (b"# a\n# vim: set fileencoding=latin-1 :\nprint(1)  # \xff\n", ""),
        (b"\xef\xbb\xbfprint(1)\n", ""),
    ],
)
def test_bytes_that_are_no_text_are_a_compile_error_wherever_they_are(
    box: Box, tmp_path: Path, source: bytes, message: str
) -> None:
    built = build(write(tmp_path, "x.py", source), tmp_path, box)
    if not message:
        assert isinstance(built, Program)
        assert box.run(built.command(b"", limits()), limits()).stdout == b"1\n"
    else:
        assert isinstance(built, CompileError)
        assert built.message.startswith(message)


# ---- versions of languages, and flags --------------------------------------------------------------------------------

VERSION = '#include <cstdio>\nint main() { std::printf("%ld", __cplusplus / 100); }\n'


@pytest.mark.skipif(not shutil.which("g++"), reason="no g++ on this machine")
def test_cpp_is_compiled_as_the_newest_standard_unless_flags_say_otherwise(box: Box, tmp_path: Path) -> None:
    source = write(tmp_path, "x.cpp", VERSION)

    def version(*flags: str) -> int:
        built = build(source, tmp_path, box, options=BuildOptions(flags={"cpp": flags}))
        assert isinstance(built, Program)
        return int(box.run(built.command(b"", limits()), limits()).stdout)

    assert version() >= 2020
    assert version("-std=gnu++17") == 2017
    assert version("-std=c++17", "-std=c++14") == 2014


def test_an_older_compiler_gets_the_newest_standard_that_it_has(box: Box, tmp_path: Path) -> None:
    script = """#!/bin/sh
case "$*" in *++2*) echo "cc1plus: error: unrecognized command-line option '$2'" >&2; exit 1;; esac
for word; do case $word in */program) printf '#!/bin/sh\necho %s' "$2" > "$word"; chmod 755 "$word";; esac; done
"""
    compiler = write(tmp_path, "g++", script)
    compiler.chmod(0o755)
    for name in ("first.cpp", "second.cpp"):
        built = build(write(tmp_path, name, "int main() { }\n"), tmp_path, box, {"cxx": str(compiler)})
        assert isinstance(built, Program)
        assert (built.copy.parent / "program").read_text().endswith("echo -std=gnu++17")


def test_a_standard_of_the_user_says_nothing_about_what_an_older_compiler_has(box: Box, tmp_path: Path) -> None:
    script = """#!/bin/sh
for word; do case $word in -std=*) last=$word;; esac; done
case $last in *++2*) echo "error: invalid value '${last#-std=}' in '$last'" >&2; exit 1;; esac
for word; do case $word in */program) printf '#!/bin/sh\n' > "$word"; chmod 755 "$word";; esac; done
"""
    compiler = write(tmp_path, "clang++", script)
    compiler.chmod(0o755)
    for name, flags in (("first.cpp", ("-std=c++17",)), ("second.cpp", ())):
        options = BuildOptions(flags={"cpp": flags})
        source = write(tmp_path, name, "int main() { }\n")
        assert isinstance(build(source, tmp_path, box, {"cxx": str(compiler)}, options=options), Program)


@pytest.mark.parametrize(("refused", "expected"), [("none", "static"), ("-static", "shared")])
def test_libraries_are_linked_statically_where_that_works(
    box: Box, tmp_path: Path, refused: str, expected: str
) -> None:
    script = f"""#!/bin/sh
case "$*" in *{refused}*) echo "ld: cannot find -lstdc++" >&2; exit 1;; *-static*) as=static;; *) as=shared;; esac
for word; do case $word in */program) printf '#!/bin/sh\necho %s' $as > "$word"; chmod 755 "$word";; esac; done
"""
    compiler = write(tmp_path, "g++", script)
    compiler.chmod(0o755)
    options = BuildOptions(is_static=True)
    built = build(write(tmp_path, "x.cpp", "int main() { }\n"), tmp_path, box, {"cxx": str(compiler)}, options=options)
    assert isinstance(built, Program)
    assert (built.copy.parent / "program").read_text().endswith(f"echo {expected}")


def test_flags_are_part_of_what_identifies_a_program(tmp_path: Path) -> None:
    if not shutil.which("g++"):
        pytest.skip("no g++ on this machine")
    all_options = BuildOptions(), BuildOptions(flags={"cpp": ("-O3",)}), BuildOptions(is_static=True)
    of_cpp, of_python = (
        {program_fingerprint(read_source(tmp_path / name, text=b""), {}, options) for options in all_options}
        for name in ("x.cpp", "x.py")
    )
    assert len(of_cpp) == len(all_options)
    assert len(of_python) == 1  # flags of another language


def test_later_flags_come_last() -> None:
    first = BuildOptions(flags={"cpp": ("-O3",), "c": ("-g",)})
    assert first.add_flags({"cpp": ("-O0",)}).flags == {"cpp": ("-O3", "-O0"), "c": ("-g",)}
    assert first.add_flags({}) is first


def test_flags_for_a_language_that_takes_none_are_refused() -> None:
    check_flags({"cpp": ("-O3",), "java": ()})
    with pytest.raises(UsageError, match="compile flags for python3: expected one of c, cpp, java"):
        check_flags({"python3": ("-O",)})


# ---- Python 2 --------------------------------------------------------------------------------------------------------


def test_python_2_runs_where_there_is_one_and_is_an_error_elsewhere(box: Box, tmp_path: Path) -> None:
    source = write(tmp_path, "x.py2", "print sum(map(int, raw_input().split()))\n")
    try:
        find_python2(("python2.7",))
    except ToolError as error:
        assert "Python 2 needs `python2.7`: found neither on PATH nor in" in str(error)  # noqa: PT017
        pytest.skip("no Python 2 on this machine")
    built = build(source, tmp_path, box)
    assert isinstance(built, Program)
    assert box.run(built.command(b"40 2\n", limits()), limits()).stdout == b"42\n"
    assert "line 1: byte 0xc3 is not ascii" in message_of(box, write(tmp_path, "y.py2", b"# \xc3\xa9\n"))


def test_the_error_of_a_print_statement_says_how_python_2_is_named(box: Box, tmp_path: Path) -> None:
    built = build(write(tmp_path, "x.py", "print 1\n"), tmp_path, box)
    assert isinstance(built, CompileError)
    assert built.text.rstrip().endswith("\na program in Python 2 begins with the line #!/usr/bin/env python2")


def test_a_missing_python_2_is_named(box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PATH": str(tmp_path), "HOME": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    for name in ("PYENV_ROOT", "ASDF_DATA_DIR", "MISE_DATA_DIR", "UV_PYTHON_INSTALL_DIR"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ToolError, match=r"Python 2 needs `python2\.7` or `python2`: found neither on PATH nor in the"):
        build(write(tmp_path, "x.py2", "print 1\n"), tmp_path, box)
