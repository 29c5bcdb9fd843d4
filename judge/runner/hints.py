"""What a failing solution lacks here: files, modules, processes or memory; and what to do about it."""

import os
import re
import shlex
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from judge.base.files import as_word
from judge.base.units import format_bytes
from judge.languages.source import Source
from judge.model import CaseResult, Solution, Verdict

# What a program prints is not trusted: these match plain names only, no paths out of a folder, and no test data.
_MODULE = re.compile(
    r".*(?:ModuleNotFoundError|ImportError): No module named '?(?P<name>[^\W\d]\w*(?:\.\w+)*)'?(?: \(.*\))?"
)
_FOLDER, _SUFFIX = r"(?!\.\.?/)[^'\0/]+/", r"\.(?:h|hh|hpp|hxx|inc|inl|ipp|tcc|tpp|c|cc|cpp)"
_HEADER = re.compile(
    rf"line \d+: fatal error: '?(?P<name>(?:\.\./)*(?:{_FOLDER})*[^'\0/]+{_SUFFIX})'?"
    r"(?:: No such file or directory| file not found)"
)

_CLASS = re.compile(r"line \d+: error: cannot find symbol: (?:class|variable) (?P<name>\w+)")  # of Java
_OTHER_MODULE = re.compile(  # of Node, Ruby, PHP, Lua, Perl, Pascal, GHC and rustc, which take no included folders
    r".*(?:Cannot find module '|cannot load such file -- |Failed opening required '|module '|Can't locate "
    r"|Can't find unit |Could not find module .|file not found for module .)(?:\S*/)?(?P<name>\w+)\b.*"
)

# Calls that open a file by its name, in most languages; in C and C++, a program may not notice that it is not there.
_OPENS = re.compile(
    r"(?P<call>f(?:re)?open|[io]?fstream|open|File\w*|\w*Writer|\w*Reader|\w+FileSync|assign)(?:\s+\w+)?\s*[({]\s*"
    r"(?:\w+\s*,\s*)?[\"'](?P<name>\w[\w.-]*)[\"'](?P<writes>\s*,\s*[\"'][wa])?",
    re.ASCII,
)
_IS_OUTPUT = re.compile("out|ofs|writ", re.IGNORECASE)  # in the name of a file, or of what opens it
_NO_FILE = re.compile(
    r".*(?:No such file or directory: '([\w.-]+)'|FileNotFoundException: ([\w.-]+) \("
    r"|NoSuchFileException: ([\w.-]+)|ENOENT: no such file or directory, open '([\w.-]+)'"
    r"|open ([\w.-]+): no such file|rb_sysopen - ([\w.-]+)).*"
)
_LACKS = {
    "a solution may start threads, but no processes": re.compile(
        rb"multiprocessing[/.]|concurrent/futures/process|subprocess\.py|os\.(?:fork|system|popen|posix_spawn)|fork\(2\)"
        rb"|Cannot run program|spawn\w* \S+ EPERM|fork/exec|Cannot fork|can't fork",
        re.IGNORECASE,
    ),
    "a solution has no network": re.compile(
        rb"name resolution|Network is unreachable|UnknownHostException|getaddrinfo|ENETUNREACH|EAI_AGAIN"
    ),
}


def find_hint(result: CaseResult, source: Source) -> str:
    """Return what a failing case says about the program's surroundings; "" if nothing is known.

    The program may have made up what it wrote.
    """
    language, run, missing = source.language, result.run, ""
    if run is None:
        return ""
    if result.verdict is Verdict.MLE and language.empty_program * 2 > result.limits.memory:
        return f"an empty program in {language.name} takes about {format_bytes(language.empty_program)}"
    is_silent = result.verdict is Verdict.WA and not run.output_bytes
    if result.verdict is Verdict.RTE:
        lacks = next((hint for hint, message in _LACKS.items() if message.search(run.stderr_tail)), "")
        if lacks or (language.id in ("c", "cpp") and not (run.stderr_tail or run.crash)):
            return lacks or ("`main` has to return 0" if run.exit_code else "`judge debug` names the line")
        if found := _NO_FILE.match(result.reason):
            missing = next(filter(None, found.groups()))
    elif is_silent and b"Exception in thread" in run.stderr_tail:  # Java and Python exit with 0 nevertheless
        from judge.languages.crash_report import find_crash, report_of

        text, names = run.stderr_tail.decode(errors="replace"), [source.main, source.path.name]
        return f"a thread ended with {find_crash(text, report_of(language), names) or 'an exception'}"
    if missing or is_silent or "read-only file system" in result.reason.lower():
        return _describe_files(source, result.case.file_names.used if result.case.file_names else (), missing)
    return ""


def _describe_files(source: Source, used: Collection[str], missing: str) -> str:
    """Return which files a source opens in place of standard input and output, apart from those that are used."""
    opened = [found for text in source.files.values() for found in _OPENS.finditer(text.decode(errors="replace"))]
    outputs = [each["name"] for each in opened if each["writes"] or _IS_OUTPUT.search(each["call"] + each["name"])]
    inputs = [missing, *(each["name"] for each in opened if each["name"] not in outputs)]
    given, written = (next((name for name in names if name and name not in used), "") for names in (inputs, outputs))
    options = [("--input-file", given), ("--output-file", written)]
    option = " ".join(f"{option} {name}" for option, name in options if name.isascii() and name[:1].isalnum())
    use = f"; use `{option}`" if option else ""
    if given:
        return f"it opens `{given}`, which is not there: the input is standard input{use}"
    return f"it writes `{written}`, but the output is standard output{use}" if written else ""


def describe_missing(
    reason: str, solution: Solution, tools: Mapping[str, str], root: Path, included: Collection[Path] = ()
) -> str:
    """Return what to do about the module or header that a failure names; "" if it names none.

    The reason is the last line of a traceback, or the compiler's first error. The program may have made it up, so the
    advice names only the folder of the solution or one above it in the repository, unless it is `included` already.
    """
    if found := _HEADER.fullmatch(reason):
        return _describe_header(found["name"], solution.path, root, included)
    if found := _CLASS.fullmatch(reason) or _OTHER_MODULE.fullmatch(reason):
        return _describe_beside(found["name"], solution.path, included, takes_folders=found.re is _CLASS)
    if not (found := _MODULE.fullmatch(reason)):
        return ""
    names = found["name"].split(".")
    for name in (f"{names[0]}.py", f"{names[0]}/__init__.py", names[0]):  # a package may have no `__init__.py`
        if module := _find_above(solution.path, root, name):
            if (folder := module.parents[len(Path(name).parts) - 1]) in included:
                return ""
            remedy = f"add {_include(folder)}"
            if solution.path.suffix == ".py" and module.is_relative_to(solution.path.parent):  # where `bundle` looks
                remedy = f"merge it with `judge bundle {shlex.quote(as_word(solution.display_path))}`, or {remedy}"
            return f"{_shown(module)} exists: {remedy}"
    python = tools.get("python")
    usual = "solutions have the standard library only, as on most online judges (--python names another interpreter)"
    return f"{python} does not have it" if python else usual


def _describe_beside(name: str, source: Path, included: Collection[Path], *, takes_folders: bool) -> str:
    """Return what to do about a file in the language of the source, beside it, that it needs; "" if there is none."""
    beside = source.with_name(name + source.suffix)
    if beside == source or source.parent in included or not beside.is_file():
        return ""
    remedy = f": add {_include(source.parent)}" if takes_folders else ", but a solution is one file: copy it there"
    return f"{_shown(beside)} exists{remedy}"


def _describe_header(name: str, source: Path, root: Path, included: Collection[Path]) -> str:
    if name.startswith("../"):  # it leads from the folder of the source, whose place in an included folder counts
        header = Path(os.path.normpath(source.parent / name))
        folder = Path(os.path.commonpath((header, source)))
        found = header if header.is_file() and not _home().is_relative_to(folder) else None
    else:
        found = _find_above(source, root, name)
        folder = found.parents[len(Path(name).parts) - 1] if found else source
    return "" if found is None or folder in included else f"{_shown(found)} exists: add {_include(folder)}"


def _find_above(source: Path, root: Path, name: str) -> Path | None:
    """Return a file with this name, or a folder with Python files, beside a source or above it in the repository."""
    paths = (folder / name for folder in _folders_above(source, root))
    is_file, is_folder = os.path.isfile, os.path.isdir  # of any text
    return next((path for path in paths if is_file(path) or (is_folder(path) and any(path.glob("*.py")))), None)


def _folders_above(source: Path, root: Path) -> Iterator[Path]:
    """Yield the folder of a source and those above it in the repository, but neither the user's home nor one above."""
    home = _home()
    for folder in source.parents:
        if home.is_relative_to(folder) or not (folder == source.parent or folder.is_relative_to(root)):
            return
        yield folder


def _home() -> Path:
    return Path(os.path.abspath(os.path.expanduser("~")))  # noqa: PTH100, PTH111 - there may be none


def _include(folder: Path) -> str:
    return f"`--include {shlex.quote(_shown(folder))}`"


def _shown(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
