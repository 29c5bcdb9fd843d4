"""What can stand at the end of an unfinished command line, for the scripts of `judge completion`.

`judge complete WORD ...` prints, for the last word, which may be empty: one line that says whether the shell completes
`files`, `folders` or nothing by itself, and then one line for each candidate, perhaps with a tab and a description.
Only names are read: nothing is compiled, run or written.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from judge.base.errors import JudgeError
from judge.cli.commands import COMMANDS
from judge.cli.commands.arguments import Parser, make_parser
from judge.cli.help import topic_names
from judge.model import CHECKERS

if TYPE_CHECKING:  # few words need it
    from judge.workspace.workspace import Workspace

_GLOBAL_OPTIONS = ("--help", "--version", "--root")
_BUDGET_S = 0.03  # of reading the cases of problems that the command line does not name

Candidates = Iterable[tuple[str, str]]
"""Words, each with a description or ""."""


class CommandLine(Struct):
    """An unfinished command line of one command.

    Attributes:
        root: the folder that `-C` names, or "".
        option: the option whose value the last word is; None if it is not one.
        positionals: the words that are neither options nor their values, before the last one.
    """

    parser: Parser
    root: str
    last: str
    option: argparse.Action | None = None
    positionals: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    only_positionals: bool = False


def print_completions(words: Sequence[str]) -> int:
    """Print the candidates for the last word; return the exit status."""
    kind, candidates = complete(_join_values(words))
    print(kind)
    for word, text in candidates:
        print(f"{word}\t{text}" if text else word)
    return 0


def complete(words: Sequence[str]) -> tuple[str, Candidates]:
    """Return what the shell completes by itself, and the candidates for the last word."""
    *before, last = words or [""]
    root = ""
    while before and before[0].startswith("-"):
        option = before.pop(0)
        if option in ("-C", "--root"):
            if not before:
                return "folders", ()
            root = before.pop(0)
    if not before:
        if last.startswith("-"):
            return "", _matching(last, _GLOBAL_OPTIONS)
        known = {name: summary for name, (_, summary) in COMMANDS.items()} | {
            "help": "show help about a command or a topic"
        }
        return "files", [(word, text) for word, text in known.items() if word.startswith(last)]
    command, *rest = before
    if command == "help":
        return "", _matching(last, [] if rest else [*COMMANDS, *topic_names()])
    if command not in COMMANDS:
        command, rest = "run", before
    return _complete_argument(_parse(make_parser(command), rest, last, root))


def _complete_argument(line: CommandLine) -> tuple[str, Candidates]:
    if line.option is not None:
        return _complete_value(line, line.option)
    if line.last.startswith("-") and not line.only_positionals:
        return "", _options(line)
    positionals = [action for action in line.parser.actions if not action.option_strings]
    for number, action in enumerate(positionals):
        if number == len(line.positionals) or action.nargs in ("*", "+"):
            return _complete_value(line, action)
    return "", ()


def _complete_value(line: CommandLine, action: argparse.Action) -> tuple[str, Candidates]:
    """Complete the value of an option or a positional argument; its name in the usage says what it is."""
    if action.choices is not None:
        return "", _matching(line.last, [str(each) for each in action.choices])
    name = str(action.metavar)
    files = "" if _FILES.isdisjoint(name.split("|")) else "files"
    kind, find = _VALUES_BY_NAME.get(action.dest) or _VALUES.get(name, (files, None))
    candidates: list[tuple[str, str]] = []
    if find is not None:
        with suppress(JudgeError, OSError):  # no repository, or broken files: there are no names
            # no option or home folder, all characters visible
            candidates.extend(each for each in find(line) if each[0].isprintable() and each[0][:1] not in ("-", "~"))
    if find is _solutions and line.last and candidates:
        kind = ""  # the shell would offer the folders above them too
    return kind, candidates


def _options(line: CommandLine) -> Candidates:
    for action in line.parser.actions:
        names = action.option_strings
        is_new = isinstance(action, argparse._AppendAction) or line.used.isdisjoint(names)  # noqa: SLF001 - no other way
        for name in names:
            if is_new and name.startswith(line.last) and (name.startswith("--") or len(names) == 1):
                yield name, (action.help or "").partition(" (default")[0].replace("%%", "%")


def _matching(last: str, words: Iterable[str]) -> Candidates:
    return ((word, "") for word in words if word.startswith(last))


# ---- reading the words ---------------------------------------------------------------------------------------------


def _join_values(words: Sequence[str]) -> list[str]:
    """Return the words with `--option`, `=`, `value` as separate words: bash splits there, the other shells do not."""
    joined: list[str] = []
    for number, word in enumerate(words, 1):
        name, equals, value = word.partition("=")
        if word.startswith("--") and equals:
            joined += [name, value]
        elif word != "=" or not joined or not joined[-1].startswith("--"):
            joined.append(word)
        elif number == len(words):
            joined.append("")
    return joined


def _parse(parser: Parser, words: Sequence[str], last: str, root: str) -> CommandLine:
    """Find out what the last word is, leniently: what comes before it may be wrong or incomplete."""
    by_name = {name: action for action in parser.actions for name in action.option_strings}
    line = CommandLine(parser, root, last)
    for word in words:
        if line.option is not None:
            line.root = word if line.option.dest == "root" else line.root
            line.option = None
        elif word == "--":
            line.only_positionals = True
        elif word.startswith("-") and not line.only_positionals:
            line.used.add(word)
            action = by_name.get(word)
            line.option = action if action is not None and action.nargs != 0 else None
        else:
            line.positionals.append(word)
    return line


# ---- names of the repository ---------------------------------------------------------------------------------------


def _find_workspace(line: CommandLine) -> "Workspace":
    from judge.workspace.workspace import Workspace

    root = Path(os.path.expanduser(line.root)) if line.root else None  # noqa: PTH111 - raises for no unknown user
    return Workspace.find_or_use(root)


def _known(workspace: "Workspace") -> list[str]:
    """Return the ids of the repository's problems and of the packages."""
    return [*workspace.problem_ids(), *workspace.packages]


def _problems(line: CommandLine) -> Candidates:
    return _matching(line.last, _known(_find_workspace(line)))


def _targets(line: CommandLine) -> Candidates:
    """Yield problems; of a problem that is complete its groups, and of a group that is complete its cases."""
    workspace = _find_workspace(line)
    known = _known(workspace)
    yield from _matching(line.last, known)
    problem, slash, rest = line.last.partition("/")
    if problem in known:
        cases = [f"{problem}/{case}" for case in _case_names(workspace, problem)]
        groups = list(dict.fromkeys(case.rpartition("/")[0] for case in cases))
        yield from _matching(line.last if slash else f"{problem}/", groups)
        if "/" in rest or line.last in groups:
            yield from _matching(line.last if "/" in rest else f"{line.last}/", cases)


def _targets_or_files(line: CommandLine) -> Candidates:
    """Yield targets; of a source that is complete, the cases that it has by its place."""
    yield from _targets(line)
    for end in (at for at, letter in enumerate(line.last) if letter == "/"):
        if os.path.isfile(file := line.last[:end]):  # noqa: PTH113 - any text
            yield from _matching(line.last, [f"{file}/{case}" for case in _cases_of_files([Path(file)])])


def _cases_of_files(files: Iterable[Path]) -> list[str]:
    from judge.languages.table import SUFFIXES
    from judge.problems.nearby import Neighbourhood

    neighbourhood = Neighbourhood()
    deadline = time.monotonic() + _BUDGET_S
    found: dict[str, None] = {}
    for file in files:
        if file.suffix.lower() in SUFFIXES and (cases := neighbourhood.find(file.absolute())):
            found |= dict.fromkeys(case.id for case in cases.cases)
        if time.monotonic() > deadline:
            break
    return list(found)


def _case_patterns(line: CommandLine) -> Candidates:
    cases = list(_selected_cases(line))
    words = [*cases, *(case.partition("/")[2] for case in cases)]
    return _matching(line.last, list(dict.fromkeys(words)))


def _solutions(line: CommandLine) -> Candidates:
    """Yield the solutions of the problems that the command line names; the shell completes any other file."""
    from judge.problems.assets import AssetRoot
    from judge.problems.native import read_solutions
    from judge.problems.paths import problem_ids

    root = _find_workspace(line).root
    for problem in problem_ids(root):
        if problem in [word.partition("/")[0] for word in line.positionals]:
            assets = AssetRoot.in_repository(root / "solutions" / problem, root)
            yield from _matching(line.last, [each.display_path for each in read_solutions(assets, [])])


def _selected_cases(line: CommandLine) -> Iterator[str]:
    """Yield the cases of the problems that the command line names; if it names none, of as many as time allows."""
    packages = [path for word in line.positionals if (path := _package_path(word))]
    files = [Path(word) for word in line.positionals if os.path.isfile(word)]  # noqa: PTH113 - any text
    for path in packages:
        yield from _cases_of_package(path)
    yield from _cases_of_files(file for file in files if not _package_path(str(file)))
    if packages or files:
        return
    workspace = _find_workspace(line)
    known = _known(workspace)
    if not known:
        from judge.problems.nearby import list_sources

        yield from _cases_of_files(list_sources(workspace.root))
    named = [word.partition("/")[0] for word in line.positionals]
    selected = [problem for problem in known if problem in named]
    deadline = time.monotonic() + _BUDGET_S
    for problem in selected or known:
        if not selected and time.monotonic() > deadline:
            return
        yield from _case_names(workspace, problem)


def _case_names(workspace: "Workspace", problem: str) -> list[str]:
    if problem in workspace.packages:
        return _cases_of_package(workspace.packages[problem])
    from judge.problems.native import load_problem

    return [case.id for case in load_problem(workspace.root, problem).cases]


def _package_path(word: str) -> Path | None:
    """Return the package that a word is the path of, or of a file in it; None if there is none."""
    from judge.problems.paths import find_package

    path = Path(os.path.expanduser(word)).absolute()  # noqa: PTH111 - likewise
    return find_package(path) if path.exists() else None


def _cases_of_package(folder: Path) -> list[str]:
    from judge.workspace.packages import load_package

    return [case.id for case in load_package(folder, folder.parent).problem.cases]


def _languages(line: CommandLine) -> Candidates:
    from judge.languages.table import LANGUAGES

    return ((language.id, language.name) for language in LANGUAGES if language.id.startswith(line.last))


_Finder = Callable[[CommandLine], Candidates]

# What a name in the usage stands for: what the shell completes, and the function that finds candidates.
_VALUES: dict[str, tuple[str, _Finder | None]] = {
    "TARGET": ("files", _targets),
    "REFERENCE|TARGET": ("files", _targets),
    "NAME|TARGET": ("files", _targets),
    "PROBLEM": ("", _problems),
    "FILE|PROBLEM": ("files", _problems),
    "FILE|PROBLEM|PACKAGE": ("files", _problems),
    "PROBLEM[/CASE]": ("files", _targets_or_files),
    "SOLUTION": ("files", _targets),
    "DIR": ("folders", None),
    "LANGUAGE": ("", _languages),
}
_FILES = frozenset({"FILE", "GENERATOR", "OUT", "PACKAGE", "RESULTS", "SOURCE", "SUBMISSIONS", "ZIP"})
_VALUES_BY_NAME: dict[str, tuple[str, _Finder | None]] = {
    "problem": ("", _problems),
    "profile": ("", lambda line: _matching(line.last, _find_workspace(line).load_settings("").profiles)),
    "case": ("", _case_patterns),
    "case_option": ("", _case_patterns),
    "checker": ("files", lambda line: _matching(line.last, CHECKERS)),
    "group": ("", lambda line: _matching(line.last, {case.rpartition("/")[0]: "" for case in _selected_cases(line)})),
    "solution": ("files", _solutions),
    "cases": ("files", None),
}
