"""The language table: how each kind of source file becomes a program. A new language is one more row.

The commands of a row are templates with the fields `{source}` (the file that runs), `{sources}` (all of the language),
`{binary}`, `{folder}`, `{scratch}` (a folder for the compiler, removed afterwards) and the names of its tools
(`{python}`, `{cc}`, ...); `Language` describes the other fields. Options are those of DOMjudge and Kattis where they
differ from a compiler's own, see docs/languages.md.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import ToolError
from judge.base.files import find_program
from judge.base.units import MIB, Bytes
from judge.languages.variants import OF_C, OF_C_CRASH, OF_CPP, SANITIZER_OPTIONS, SANITIZERS, Variant, of_python

# Parses the source as the interpreter would, without running it; prints the error as the interpreter does. `compile`
# accepts bytes in comments that are not text in the file's encoding; the interpreter does not.
_PARSE = r"""
import sys
def parse(path):
    with open(path, "rb") as file:
        source = file.read()
    encoding = "ascii" if sys.version_info[0] == 2 and source[:3] != b"\xef\xbb\xbf" else "utf-8"
    try:
        source.decode(encoding)
    except UnicodeDecodeError:
        import re
        first_lines = b"\n".join(source.split(b"\n", 2)[:2])
        found = re.search(br"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", first_lines, re.MULTILINE)
        encoding = found.group(1).decode("ascii") if found else encoding
        try:
            source.decode(encoding)
        except UnicodeDecodeError as error:
            line = source.count(b"\n", 0, error.start) + 1
            byte = ord(source[error.start:error.start + 1])
            sys.exit("%sline %d: byte 0x%02x is not %s; save the file as UTF-8, or declare its encoding (PEP 263)" % (
                file_name(path), line, byte, encoding))
        except LookupError:
            pass
    try:
        compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RuntimeError) as error:
        import traceback
        is_old = "parentheses in call to 'print'" in str(error)
        hint = "a program in Python 2 begins with the line #!/usr/bin/env python2\n" if is_old else ""
        sys.exit("".join(traceback.format_exception_only(type(error), error)) + hint)
def file_name(path):
    return path + ", " if len(sys.argv) > 2 else ""
for path in sys.argv[1:]:
    parse(path)
"""


class Debugging(Struct, frozen=True, kw_only=True):
    """How programs of a language are built and run for `judge debug`; what is empty is as for a usual run.

    Attributes:
        compile: the compile command; `{map}` makes messages and debuggers name the user's file, not its copy.
        run: the run command.
        debuggers: commands of interactive debuggers, by name; in their words, `{input}` is the file for standard input.
        environment: variables for the run.
    """

    compile: tuple[str, ...] = ()
    run: tuple[str, ...] = ()
    debuggers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)


# The input comes from a file; the terminal stays the debugger's. `start` stops at the first line of `main`.
# A file `.gdbinit` in the current folder is not read, whatever the user's own allows.
_START_GDB = ("{gdb}", "-q", "-iex", "set auto-load local-gdbinit off")
_GDB = (*_START_GDB, "-ex", "set args < '{input}'", "-ex", "start", "{binary}")

# The Development Mode of Python, but without warnings about files that are not closed, as in `open(0).read()`.
_PYTHON_DEBUG = ("{python}", "{isolation}", "-X", "dev", "-W", "ignore::ResourceWarning")


# One collector thread, so that the CPU time is the program's; deep recursion as in the other languages.
_JVM = ("{java}", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xss64m", "-Xmx{heap}", "-DONLINE_JUDGE=true")

# PyPy makes the space for new objects half as large as the processor's cache, so that the peak memory of a program
# would depend on the machine: at a limit of 128 MiB, PyPy may not even start. 4M is its default where it
# does not know the cache (https://doc.pypy.org/en/latest/gc_info.html, PYPY_GC_NURSERY). CPython ignores the variable.
_PYPY = {"PYPY_GC_NURSERY": "4M"}

_MONO = {"MONO_LOG_DEST": "/dev/null"}  # otherwise it writes warnings about the sandbox to standard output

_NODE_TYPES = "/usr/share/nodejs/@types"  # of Debian's `node-types-node`


class Language(Struct, frozen=True, kw_only=True):
    """One row of the table.

    Attributes:
        suffixes: of source files. Those with a capital letter count as written (`.C`), the others in any case.
        tools: the programs that it needs: the name in templates, and the commands to look for, best first.
        compile: the compile command, if any; exit status 0 means that the source is valid. `{standard}` is the first of
            `standards` that the compiler knows, `{flags}` what the problem and the user add.
        compile_runs_code: the compile command runs code of the source, such as a `BEGIN` block.
        static: options that link a program with its libraries.
        link: the command that links `{object}`, what the compile command makes of one file with the option `-c`.
        standards: options that name a version of the language, newest first.
        run: the run command, by default what was compiled; `{heap}` is the memory limit in the form of the JVM's
            options, `{isolation}` the option that hides the user's modules, or, if folders are included, only those of
            the user's site-packages.
        include: environment variables for folders with the user's headers or modules; `{include}` is their list.
        debug: what differs for `judge debug`.
        variants: for `--sanitize`.
        crash_variant: names the line of a crash where the usual build does not.
        may_fork: programs may start processes, not only threads; for interpreters that consist of several programs.
        writes_files: its interpreter writes temporary files, so each run gets a folder, removed afterwards.
        is_java: a source file has the name of its public class, and the class with `main` runs.
        runs_class: `{main}` is the class with the program's entry point, see `judge.languages.inspection`.
        environment: variables for compilers and runs; may contain the fields `{folder}` and `{scratch}`.
        readable: absolute paths of files and folders outside the system's that its tools read, if they exist.
        packages: of Debian and Ubuntu, that contain its tools.
        version: the arguments with which its first tool prints its version.
        is_script: programs are scripts of a problem package, which may use the tools that those may expect.
        main_files: of several files, the one that runs, by its name; the first that exists counts. By default `main`
            with one of the suffixes.
        compiles_all: all files are compiled together, and none of them is the one that runs.
        checks_each: the compile command takes one file; it runs for each, whichever of them runs later.
        other_suffixes: of files that belong to a program if its language is known; they do not determine it.
        code_in_packages: see `code`; "" if it is the id.
        empty_program: how much memory an empty program takes, about, if it is much (Debian 12, x86-64).
    """

    id: str
    name: str
    suffixes: tuple[str, ...]
    tools: Mapping[str, tuple[str, ...]]
    compile: tuple[str, ...] = ()
    run: tuple[str, ...] = ("{binary}",)
    compile_runs_code: bool = False
    static: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    standards: tuple[str, ...] = ()
    include: Mapping[str, str] = field(default_factory=dict)
    debug: Debugging = Debugging()
    variants: tuple[Variant, ...] = ()
    crash_variant: Variant | None = None
    may_fork: bool = False
    writes_files: bool = False
    is_java: bool = False
    runs_class: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    readable: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    version: tuple[str, ...] = ("--version",)
    is_script: bool = False
    main_files: tuple[str, ...] = ()
    compiles_all: bool = False
    checks_each: bool = False
    other_suffixes: tuple[str, ...] = ()
    code_in_packages: str = ""
    empty_program: Bytes = Bytes(0)

    @property
    def code(self) -> str:
        """The code of the language in problem packages (ICPC 2025-09, "Languages"), which do not name interpreters."""
        return self.code_in_packages or self.id

    @property
    def file_suffix(self) -> str:
        """The suffix of a new source; in a language without one of its own, that of a related language."""
        return (*self.suffixes, *self.other_suffixes)[0]

    @property
    def takes_flags(self) -> bool:
        """Whether a problem or the user can add flags to the compile command."""
        return "{flags}" in self.compile


_BUILT_IN: tuple[Language, ...] = (
    Language(
        id="python3",
        name="Python 3",
        packages=("python3",),
        suffixes=(".py", ".py3"),
        tools={"python": ("python3",)},
        compile=("{python}", "-I", "-S", "-c", _PARSE, "{sources}"),
        run=("{python}", "{isolation}", "{source}"),
        environment=_PYPY,
        include={"PYTHONPATH": "{include}", "PYTHONSAFEPATH": "1"},
        main_files=("__main__.py", "main.py"),
        debug=Debugging(
            run=(*_PYTHON_DEBUG, "{source}"),
            debuggers={"pdb": (*_PYTHON_DEBUG, "{pdb}", "{source}", "{input}")},
        ),
        variants=of_python("{python}"),
    ),
    Language(
        id="python2",
        name="Python 2",
        packages=("pypy",),
        suffixes=(".py2",),
        tools={"python2": ("python2.7", "python2", "pypy2.7", "pypy2", "pypy")},
        compile=("{python2}", "-E", "-S", "-c", _PARSE, "{sources}"),
        run=("{python2}", "-s", "{source}"),
        environment=_PYPY,
        include={"PYTHONPATH": "{include}"},
        main_files=("__main__.py", "__main__.py2", "main.py", "main.py2"),
        other_suffixes=(".py",),
    ),
    Language(
        id="c",
        name="C",
        packages=("gcc",),
        suffixes=(".c",),
        tools={"cc": ("gcc", "cc", "clang")},
        compile=(
            *("{cc}", "-O2", "-std=gnu17", "-DONLINE_JUDGE", "{flags}"),
            *("-o", "{binary}", "-x", "c", "{sources}", "-x", "none", "-lm"),
        ),
        static=("-static",),
        link=("{cc}", "{flags}", "-o", "{binary}", "{object}", "-lm"),
        include={"CPATH": "{include}"},
        compiles_all=True,
        debug=Debugging(
            compile=(
                *("{cc}", "-std=gnu17", "-DONLINE_JUDGE", "{flags}", *SANITIZERS, "{map}"),
                *("-o", "{binary}", "-x", "c", "{sources}", "-x", "none", "-lm"),
            ),
            debuggers={"gdb": _GDB},
            environment=SANITIZER_OPTIONS,
        ),
        variants=OF_C,
        crash_variant=OF_C_CRASH,
    ),
    Language(
        id="cpp",
        name="C++",
        packages=("g++",),
        suffixes=(".cpp", ".cc", ".cxx", ".c++", ".cp", ".C"),
        tools={"cxx": ("g++", "c++", "clang++")},
        compile=(
            *("{cxx}", "-O2", "{standard}", "-DONLINE_JUDGE", "{flags}"),
            *("-o", "{binary}", "-x", "c++", "{sources}"),
        ),
        debug=Debugging(
            compile=(
                *("{cxx}", "{standard}", "-DONLINE_JUDGE", "{flags}", *SANITIZERS, "-D_GLIBCXX_DEBUG", "{map}"),
                *("-o", "{binary}", "-x", "c++", "{sources}"),
            ),
            debuggers={"gdb": _GDB},
            environment=SANITIZER_OPTIONS,
        ),
        static=("-static",),
        link=("{cxx}", "{flags}", "-o", "{binary}", "{object}"),
        # published standards only; older compilers know them by their working names
        standards=("-std=gnu++23", "-std=gnu++2b", "-std=gnu++20", "-std=gnu++2a", "-std=gnu++17"),
        include={"CPATH": "{include}"},
        compiles_all=True,
        variants=OF_CPP,
        crash_variant=OF_C_CRASH,
    ),
    Language(
        id="java",
        name="Java",
        packages=("default-jdk-headless",),
        suffixes=(".java",),
        tools={"javac": ("javac",), "java": ("java",)},
        compile=(
            *("{javac}", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData", "-encoding", "UTF-8", "{flags}"),
            *("-d", "{folder}", "{sources}"),
        ),
        run=(*_JVM, "-cp", "{folder}", "{main}"),
        include={"CLASSPATH": "{include}"},
        debug=Debugging(run=("{java}", "-ea", "-Xss64m", "-DONLINE_JUDGE=true", "-cp", "{folder}", "{main}")),
        is_java=True,
        compiles_all=True,
        empty_program=Bytes(35 * MIB),
    ),
    Language(
        id="pypy3",
        name="PyPy 3",
        suffixes=(),  # a Python file whose first line names pypy3
        other_suffixes=(".py", ".py3"),
        code_in_packages="python3",
        tools={"pypy": ("pypy3",)},
        packages=("pypy3",),
        compile=("{pypy}", "-I", "-S", "-c", _PARSE, "{sources}"),
        run=("{pypy}", "{isolation}", "{source}"),
        environment=_PYPY,
        include={"PYTHONPATH": "{include}"},
        main_files=("__main__.py", "main.py"),
        variants=of_python("{pypy}"),
        empty_program=Bytes(52 * MIB),
    ),
    Language(
        id="kotlin",
        name="Kotlin",
        suffixes=(".kt",),
        version=("-version",),
        tools={"kotlinc": ("kotlinc",), "java": ("java",)},
        packages=("kotlin",),
        compile=(
            *("{kotlinc}", "-J-XX:+UseSerialGC", "-J-Xmx1g", "-Djava.io.tmpdir={folder}", "-include-runtime"),
            *("{flags}", "-d", "{binary}.jar", "{sources}"),
        ),
        run=(*_JVM, "-cp", "{binary}.jar", "{main}"),
        runs_class=True,
        compiles_all=True,
        empty_program=Bytes(35 * MIB),
    ),
    Language(
        id="scala",
        name="Scala",
        suffixes=(".scala",),
        version=("-version",),
        tools={"scalac": ("scalac",), "scala": ("scala",)},
        packages=("scala",),
        compile=("{scalac}", "-J-XX:+UseSerialGC", "-encoding", "UTF-8", "{flags}", "-d", "{folder}", "{sources}"),
        run=("{scala}", "-J-XX:+UseSerialGC", "-J-Xss64m", "-J-Xmx{heap}", "-cp", "{folder}", "{main}"),
        runs_class=True,
        compiles_all=True,
        may_fork=True,
        empty_program=Bytes(35 * MIB),
    ),
    Language(
        id="go",
        name="Go",
        suffixes=(".go",),
        version=("version",),
        tools={"go": ("go",)},
        packages=("golang-go",),
        compile=("{go}", "build", "{flags}", "-o", "{binary}", "{sources}"),
        environment={
            "GOCACHE": "{scratch}/cache",
            "GOPATH": "{scratch}/path",
            "GO111MODULE": "off",
            "CGO_ENABLED": "0",
            "GOTOOLCHAIN": "local",
        },
        compiles_all=True,
    ),
    Language(
        id="rust",
        name="Rust",
        suffixes=(".rs",),
        tools={"rustc": ("rustc",)},
        packages=("rustc",),
        compile=(
            *("{rustc}", "--crate-name", "program"),  # `a b.rs` has no name that it takes
            *("-C", "opt-level=3", "--edition=2021", "{flags}", "-o", "{binary}", "{source}"),
        ),
        variants=(Variant(name="checks", flags=("-C", "overflow-checks=on", "-C", "debug-assertions=on")),),
    ),
    Language(
        id="csharp",
        name="C#",
        suffixes=(".cs",),
        tools={"mcs": ("mcs",), "mono": ("mono",)},
        packages=("mono-mcs",),
        compile=(
            *("{mcs}", "-optimize+", "-define:ONLINE_JUDGE", "-r:System.Numerics", "{flags}"),
            *("-out:{binary}.exe", "{sources}"),
        ),
        run=("{mono}", "{binary}.exe"),
        environment=_MONO,
        crash_variant=Variant(name="line numbers", flags=("-debug",), variables={"MONO_ENV_OPTIONS": "--debug"}),
        readable=("/etc/mono",),
        compiles_all=True,
    ),
    Language(
        id="fsharp",
        name="F#",
        suffixes=(".fs",),
        tools={"fsharpc": ("fsharpc",), "mono": ("mono",)},
        compile=(
            *("{fsharpc}", "--optimize+", "--define:ONLINE_JUDGE", "-r:System.Numerics", "{flags}"),
            *("--out:{binary}.exe", "{sources}"),
        ),
        run=("{mono}", "{binary}.exe"),
        environment=_MONO,
        readable=("/etc/mono",),
        compiles_all=True,
    ),
    Language(
        id="javascript",
        name="JavaScript",
        suffixes=(".js", ".mjs"),
        tools={"node": ("node", "nodejs")},
        packages=("nodejs",),
        compile=("{node}", "--check", "{source}"),
        run=("{node}", "--stack-size=65500", "{source}"),  # kilobytes
        checks_each=True,
        empty_program=Bytes(39 * MIB),
    ),
    Language(
        id="typescript",
        name="TypeScript",
        suffixes=(".ts",),
        tools={"tsc": ("tsc",), "node": ("node", "nodejs")},
        packages=("node-typescript",),
        compile=(
            *("{tsc}", "--target", "es2020", "--module", "commonjs", "--typeRoots", _NODE_TYPES, "{flags}"),
            *("--outDir", "{binary}", "--rootDir", "{folder}", "{sources}"),
        ),
        run=("{node}", "--stack-size=65500", "{binary}/{stem}.js"),
        crash_variant=Variant(
            name="source maps", flags=("--sourceMap",), variables={"NODE_OPTIONS": "--enable-source-maps"}
        ),
        empty_program=Bytes(39 * MIB),
    ),
    Language(
        id="ruby",
        name="Ruby",
        suffixes=(".rb",),
        tools={"ruby": ("ruby",)},
        packages=("ruby",),
        compile=("{ruby}", "-c", "{source}"),
        run=("{ruby}", "{source}"),
        environment={"RUBY_THREAD_VM_STACK_SIZE": "67108864"},
    ),
    Language(
        id="perl",
        name="Perl",
        suffixes=(".pl", ".pm"),
        version=("-e", "print $^V"),
        tools={"perl": ("perl",)},
        packages=("perl",),
        compile=("{perl}", "-c", "{source}"),
        compile_runs_code=True,
        run=("{perl}", "{source}"),
    ),
    Language(
        id="php",
        name="PHP",
        suffixes=(".php",),
        tools={"php": ("php",)},
        packages=("php-cli",),
        compile=("{php}", "-n", "-d", "display_errors=stderr", "-l", "{source}"),
        run=("{php}", "-n", "-d", "display_errors=stderr", "-d", "memory_limit=-1", "{source}"),
    ),
    Language(
        id="lua",
        name="Lua",
        suffixes=(".lua",),
        version=("-v",),
        tools={"lua": ("lua", "lua5.4", "lua5.3"), "luac": ("luac", "luac5.4", "luac5.3")},
        packages=("lua5.4",),
        compile=("{luac}", "-p", "{source}"),
        run=("{lua}", "{source}"),
    ),
    Language(
        id="haskell",
        name="Haskell",
        suffixes=(".hs", ".lhs"),
        tools={"ghc": ("ghc",)},
        packages=("ghc",),
        compile=("{ghc}", "-O2", "-v0", "-outputdir", "{scratch}", "{flags}", "-o", "{binary}", "{sources}"),
        compile_runs_code=True,
        readable=("/var/lib/ghc",),
        compiles_all=True,
    ),
    Language(
        id="ocaml",
        name="OCaml",
        suffixes=(".ml",),
        version=("-version",),
        tools={"ocamlopt": ("ocamlopt",)},
        packages=("ocaml",),
        compile=(
            *("{ocamlopt}", "-I", "+unix", "-I", "+str", "unix.cmxa", "str.cmxa", "{flags}"),
            *("-o", "{binary}", "{sources}"),  # the main file is the last one
        ),
        crash_variant=Variant(name="backtraces", flags=("-g",), variables={"OCAMLRUNPARAM": "b"}),
    ),
    Language(
        id="pascal",
        name="Pascal",
        suffixes=(".pas", ".p"),
        version=("-iV",),
        tools={"fpc": ("fpc",)},
        packages=("fp-compiler",),
        compile=("{fpc}", "-O2", "-Sg", "-viwn", "-dONLINE_JUDGE", "{flags}", "-FU{folder}", "-o{binary}", "{source}"),
        readable=("/etc/fpc.cfg", "/etc/fpc-3.2.2.cfg"),
        variants=(Variant(name="checks", flags=("-Criot", "-gl", "-gt")),),
        crash_variant=Variant(name="line numbers", flags=("-gl",)),
    ),
    Language(
        id="r",
        name="R",
        suffixes=(".r",),
        tools={"rscript": ("Rscript",)},
        packages=("r-base-core",),
        compile=("{rscript}", "--vanilla", "-e", "invisible(parse(commandArgs(TRUE)[1]))", "{source}"),
        run=("{rscript}", "--vanilla", "{source}"),
        readable=("/etc/R",),
        may_fork=True,
        writes_files=True,  # its own temporary files
    ),
    Language(
        id="bash",
        name="Bash",
        suffixes=(".sh", ".bash"),
        tools={"bash": ("bash",)},
        packages=("bash",),
        compile=("{bash}", "-n", "{source}"),
        run=("{bash}", "{source}"),
        may_fork=True,
    ),
    Language(
        id="fortran",
        name="Fortran",
        suffixes=(".f90", ".f95"),
        tools={"gfortran": ("gfortran",)},
        packages=("gfortran",),
        compile=("{gfortran}", "-O2", "{flags}", "-J", "{folder}", "-o", "{binary}", "{sources}"),
        crash_variant=Variant(name="line numbers", flags=("-g",)),
    ),
    Language(
        id="ada",
        name="Ada",
        suffixes=(".adb",),
        tools={"gnatmake": ("gnatmake",)},
        packages=("gnat",),
        compile=("{gnatmake}", "-q", "-O2", "{flags}", "-D", "{folder}", "-o", "{binary}", "{source}"),
    ),
    Language(
        id="prolog",
        name="Prolog",
        suffixes=(".plg", ".prolog"),
        other_suffixes=(".pl",),
        tools={"swipl": ("swipl",)},
        packages=("swi-prolog-nox",),
        compile=("{swipl}", "-O", "-q", "-g", "main", "-t", "halt", "-o", "{binary}", "-c", "{sources}"),
        compile_runs_code=True,
        compiles_all=True,  # as Kattis does: `main` may be in any file
        may_fork=True,
    ),
    Language(
        id="lisp",
        name="Common Lisp",
        suffixes=(".lisp", ".cl"),
        tools={"sbcl": ("sbcl",)},
        packages=("sbcl",),
        run=("{sbcl}", "--script", "{source}"),
    ),
    Language(
        id="nim",
        name="Nim",
        suffixes=(".nim",),
        tools={"nim": ("nim",)},
        packages=("nim",),
        compile=(
            *("{nim}", "compile", "--hints:off", "-d:release", "--nimcache:{scratch}", "{flags}"),
            *("-o:{binary}", "{source}"),
        ),
        crash_variant=Variant(name="stack traces", flags=("--stackTrace:on", "--lineTrace:on")),
        compile_runs_code=True,
        readable=("/etc/nim",),
    ),
    Language(
        id="d",
        name="D",
        suffixes=(".d",),
        tools={"dmd": ("ldc2", "dmd")},
        packages=("ldc",),
        compile=("{dmd}", "-O", "{flags}", "-of={binary}", "{sources}"),
        compiles_all=True,
    ),
    Language(
        id="swift",
        name="Swift",
        suffixes=(".swift",),
        tools={"swiftc": ("swiftc",)},
        compile=("{swiftc}", "-O", "-module-cache-path", "{scratch}", "{flags}", "-o", "{binary}", "{sources}"),
        compiles_all=True,
    ),
    Language(
        id="dart",
        name="Dart",
        suffixes=(".dart",),
        tools={"dart": ("dart",)},
        compile=("{dart}", "compile", "exe", "{flags}", "-o", "{binary}", "{source}"),
        environment={"DART_SUPPRESS_ANALYTICS": "true"},
    ),
    Language(
        id="julia",
        name="Julia",
        suffixes=(".jl",),
        tools={"julia": ("julia",)},
        run=("{julia}", "--startup-file=no", "--history-file=no", "{source}"),
        environment={"JULIA_DEPOT_PATH": "/nonexistent"},
    ),
    Language(
        id="zig",
        name="Zig",
        suffixes=(".zig",),
        version=("version",),
        tools={"zig": ("zig",)},
        compile=(
            *("{zig}", "build-exe", "-O", "ReleaseFast", "--cache-dir", "{scratch}", "--global-cache-dir", "{scratch}"),
            *("{flags}", "-femit-bin={binary}", "{source}"),
        ),
    ),
    Language(
        id="crystal",
        name="Crystal",
        suffixes=(".cr",),
        tools={"crystal": ("crystal",)},
        packages=("crystal",),
        compile=("{crystal}", "build", "--release", "{flags}", "-o", "{binary}", "{source}"),
        compile_runs_code=True,
        environment={"CRYSTAL_CACHE_DIR": "{scratch}"},
    ),
    Language(
        id="racket",
        name="Racket",
        suffixes=(".rkt",),
        tools={"racket": ("racket",)},
        packages=("racket",),
        run=("{racket}", "{source}"),
        readable=("/etc/racket",),
    ),
    Language(
        id="elixir",
        name="Elixir",
        suffixes=(".ex", ".exs"),
        tools={"elixir": ("elixir",)},
        packages=("elixir",),
        run=("{elixir}", "{source}"),
        may_fork=True,
    ),
    Language(
        id="cobol",
        name="COBOL",
        suffixes=(".cob",),
        tools={"cobc": ("cobc",)},
        packages=("gnucobol",),
        compile=("{cobc}", "-x", "-free", "-O2", "{flags}", "-o", "{binary}", "{source}"),
    ),
)


def _add_own_rows(rows: tuple[Language, ...]) -> tuple[Language, ...]:
    """Return rows with those of the user's file, which replace or extend the ones with the same id.

    Raises:
        UsageError: the file is wrong.
    """
    folder = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111 - one stat
    path = os.path.join(folder, "judge", "languages.toml")  # noqa: PTH118
    if not os.path.exists(path):  # noqa: PTH110
        return rows
    from judge.base.errors import UsageError
    from judge.languages.own_rows import check_fields, read_rows

    table = {language.id: language for language in rows}
    for name, fields in read_rows(Path(path)).items():
        missing = [key for key in ("name", "suffixes", "tools", "run") if key not in fields and name not in table]
        if missing:
            raise UsageError(f"{path}: error: [{name}] has no `{missing[0]}`")
        given: Any = {**fields, "link": ()}
        table[name] = replace(table[name], **given) if name in table else Language(**given)
        language = table[name]
        check_fields(Path(path), name, language.tools, (*language.compile, *language.run))
        for other in table.values():
            if other is not language and (same := {*other.suffixes} & {*language.suffixes}):
                raise UsageError(f"{path}: error: [{name}]: the suffix `{min(same)}` belongs to {other.name}")
    return tuple(table.values())


LANGUAGES = _add_own_rows(_BUILT_IN)
"""The built-in languages and the user's own."""

SUFFIXES: frozenset[str] = frozenset(suffix.lower() for language in LANGUAGES for suffix in language.suffixes)
"""The suffixes of source files, in lower case."""

SCRIPTS = ("build", "run")
"""The programs in a folder that build and run another one, whatever its language (ICPC 2025-09, "Other programs")."""

SOME_SUFFIXES = ".c, .cpp, .go, .java, .kt, .py, .rs and others (`judge doctor` lists the languages)"
"""For messages."""


def find_language(source: Path) -> Language:
    """Return the language of a source file, by its suffix.

    Raises:
        ToolError: no language has this suffix; the message lists the known ones.
    """
    for suffix in (source.suffix, source.suffix.lower()):
        for language in LANGUAGES:
            if suffix in language.suffixes:
                return language
    raise ToolError(f"{source}: no language has the suffix `{source.suffix}`; expected one of {SOME_SUFFIXES}")


_PROLOG = re.compile(rb"^\s*:-|^\w+(?:\(.*\))?\s*:-", re.MULTILINE)


def language_of_text(source: Path, text: bytes) -> Language:
    """Return the language of a source file, by its suffix, and where that leaves a choice by its text.

    A Python file may name `python2` or `pypy3` in its first line; the latter counts where PyPy is installed. A file
    `.pl` with clauses is Prolog, any other Perl.

    Raises:
        ToolError: no language has this suffix.
    """
    language = find_language(source)
    if text[:2] == b"#!" and language.id == "python3":
        first = text[: text.find(b"\n")]
        if b"python2" in first or b"pypy2" in first:
            return language_by_id("python2", source)
        if b"pypy3" in first and any(map(find_program, language_by_id("pypy3", source).tools["pypy"])):
            return language_by_id("pypy3", source)
    if language.id == "perl" and source.suffix == ".pl" and text[:2] != b"#!" and _PROLOG.search(text):
        return language_by_id("prolog", source)
    return language


def language_by_id(language_id: str, source: Path) -> Language:
    """Return the language with an id.

    Raises:
        ToolError: there is none; the message names the source and lists the known ones.
    """
    for language in LANGUAGES:
        if language.id == language_id:
            return language
    known = ", ".join(language.id for language in LANGUAGES)
    raise ToolError(f"{source}: the language `{language_id}` is not known; expected one of {known}")


def is_source(name: str) -> bool:
    """Return whether a file is a source in one of the languages, by its name."""
    return os.path.splitext(name)[1].lower() in SUFFIXES  # noqa: PTH122 - called for every file; a Path costs more
