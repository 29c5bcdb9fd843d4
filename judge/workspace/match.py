"""Which problem a file solves: the one rule of all commands.

1. the problem that the user names
2. the cases that the user names with --cases
3. its place in solutions/ID of the repository, or in a package
4. the cases beside it, as other tools arrange them (`judge.problems.nearby`)
5. its name is the id of a problem: a guess
6. the name of its folder is the id of a problem: a guess

Rule 1 is applied before, by `judge.workspace.query`. Every result of rules 4 to 6 comes with a note that says so.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import UsageError
from judge.base.units import format_bytes, format_count, format_seconds
from judge.languages.table import SOME_SUFFIXES, SUFFIXES
from judge.model import Case, InFile, Inline, Problem
from judge.problems.conventions import case_name, is_helper
from judge.problems.paths import (
    archives_in,
    find_file_error,
    find_package,
    is_ignored,
    shown_path,
)
from judge.runner.options import Overrides
from judge.workspace.resolution import LooseProblem, Resolution

if TYPE_CHECKING:
    from judge.problems.folder import FoundCases

_ENTRY_POINTS = frozenset({"main", "solution", "sol", "solve"})  # such a file has the name of its folder
_MAX_NAMED = 3
_NO_ANSWERS = frozenset(
    {".in", ".desc", ".hint", ".md", ".yaml", ".json", ".png", ".jpg", ".pdf", ".log", ".exe", ".o"}
)
_MAX_NEIGHBOURS = 1000  # names among which the nearest one is looked for


class UnmatchedError(UsageError):
    """A file has no cases, and its problem is unknown."""


class Matcher(Struct, frozen=True, kw_only=True):
    """Applies the rule.

    Attributes:
        root: the repository, or the folder that shown paths start from.
        known: the ids of the repository's problems; none without a repository.
        case_source: what --cases names; None if it is not given.
        standard_input: reads the input of files without cases; returns None if there is none.
        named: the files that the user named himself; the others are in a folder that he named.
    """

    root: Path
    known: Sequence[str]
    overrides: Overrides
    case_source: Path | None = None
    standard_input: Callable[[], bytes | None] | None = None
    named: frozenset[Path] = frozenset()

    def match(self, files: Iterable[Path], matches: Resolution) -> None:
        """Add what some files solve; their paths are absolute.

        Raises:
            UnmatchedError: a file that the user named has no cases, and its problem is unknown; or all files are so.
            UsageError: what --cases names does not exist, or has no cases; or a file is no source.
            DataError: it cannot be read.
        """
        rest = []
        for file in dict.fromkeys(files):
            if (problem := find_place(file, self.root, self.known)) is not None:
                matches.problem(problem).solutions.append(file)
            elif (folder := find_package(file)) is not None:
                matches.package(folder).solutions.append(file)
            else:
                rest.append(file)
        rest = self._leave_out_helpers(rest, matches)
        if self.case_source is not None:
            if rest:
                self._match_named_cases(rest, self.case_source, matches)
            return
        if not rest:
            return
        from judge.problems.nearby import Neighbourhood

        neighbourhood = Neighbourhood()
        unmatched: list[Path] = []
        for file in rest:
            found = None if find_file_error(file) else neighbourhood.find(file)
            if found is not None:
                self._add_found(file, found, matches)
            elif not self._guess(file, matches):
                unmatched.append(file)
        matches.notes[:0] = self._describe(matches.loose)
        self._handle_unmatched(unmatched, matches)

    def _leave_out_helpers(self, files: list[Path], matches: Resolution) -> list[Path]:
        """Return the files without helpers that the user does not name, if others are left."""
        helpers = [file for file in files if file not in self.named and is_helper(file.stem)]
        solutions = [file for file in files if file not in helpers]
        if not helpers or not solutions:
            return files
        matches.notes.append(f"{_name_files(helpers, self.root)}: not judged, by the name; name a file to judge it")
        return solutions

    def _handle_unmatched(self, files: list[Path], matches: Resolution) -> None:
        named = [file for file in files if file in self.named]
        for file in named:
            check_source(file)
        if named and self.standard_input is not None and (data := self.standard_input()):
            self._match_input(named, data, matches)
        elif named or not (matches.problems or matches.packages or matches.loose):
            raise UnmatchedError(_explain_unmatched((named or files)[0], self.root, self.known))
        if others := [file for file in files if file not in self.named]:
            matches.notes.append(f"{_name_files(others, self.root)}: not judged, since no cases were found")

    def _match_named_cases(self, files: list[Path], source: Path, matches: Resolution) -> None:
        if str(source) == "-":
            if self.standard_input is None:
                raise UsageError("--cases -: only `judge run` reads standard input")
            if not (data := self.standard_input()):
                raise UsageError(
                    "--cases -: standard input is empty: pipe an input, or type one and end it with Ctrl-D"
                )
            self._match_input(files, data, matches)
            return
        from judge.problems.case_source import find_case_folder, is_pattern, load_case_source

        place = find_case_folder(source) if is_pattern(source) else source
        name = Path(os.path.abspath(place)).name  # noqa: PTH100 - links keep their name
        for rules, some in self._group_by_rules(files):
            problem = self.overrides.override_problem(rules)
            cases, diagnostics = load_case_source(source, problem)
            problem = replace(problem, id=name or "cases", name=str(source), cases=cases)
            matches.diagnostics += [each for each in diagnostics if each not in matches.diagnostics]
            matches.loose.append(LooseProblem(problem=problem, files=some, named=set(some) & self.named))

    def _match_input(self, files: Sequence[Path], data: bytes, matches: Resolution) -> None:
        """Add problems whose only case has this input and no answer."""
        for rules, some in self._group_by_rules(files):
            problem = self.overrides.override_problem(rules)
            case = Case(
                group="stdin",
                name="1",
                input=Inline(data),
                limits=problem.limits,
                checker=problem.checker,
                origin=some[0],
                file_names=problem.file_names,
            )
            problem = replace(problem, id="stdin", name="standard input", cases=(case,))
            matches.loose.append(LooseProblem(problem=problem, files=some, named=set(some)))

    def _group_by_rules(self, files: Iterable[Path]) -> Iterable[tuple[Problem, list[Path]]]:
        """Return files, grouped by the problem.yaml beside them."""
        from judge.problems.folder_file import NAME, read_rules

        groups: dict[Path | None, list[Path]] = {}
        for file in files:
            groups.setdefault(file.parent if os.path.lexists(file.parent / NAME) else None, []).append(file)
        rules = (read_rules(folder) if folder else Problem() for folder in groups)
        return list(zip(rules, groups.values(), strict=True))

    def _add_found(self, file: Path, found: "FoundCases", matches: Resolution) -> None:
        judging = (found.problem.interactor, found.problem.checker.program, found.problem.validator)
        if any(each and each.source == file for each in judging) and file not in self.named:
            return
        for each in matches.loose:
            if each.found is not None and each.found.places == found.places:
                each.files.append(file)
                if found.is_shared:
                    each.problem = replace(each.problem, id=found.places[0].parent.name or file.stem)
                break
        else:
            matches.diagnostics += found.diagnostics
            folder = file.parent.name if file.stem.lower() in _ENTRY_POINTS else ""
            problem = replace(found.problem, id=folder or file.stem, name=found.where, cases=found.cases)
            each = LooseProblem(problem=problem, found=found, files=[file])
            matches.loose.append(each)
        each.named |= {file} & self.named

    def _guess(self, file: Path, matches: Resolution) -> bool:
        """Apply the rules 5 and 6; return whether one of them applies."""
        for name, reason in ((file.stem, "its name"), (file.parent.name, "the name of its folder")):
            if name in self.known:
                matches.problem(name).solutions.append(file)
                shown = shown_path(file, self.root)
                matches.notes.append(
                    f"{shown}: taken for a solution of {name} because of {reason}; to name another problem: "
                    f"judge run PROBLEM {quote(str(shown))}, or --problem PROBLEM with check, bundle, submit and debug"
                )
                return True
        return False

    def _describe(self, loose: list[LooseProblem]) -> list[str]:
        """Return the notes on cases that were found: one for each problem, or one for many."""
        if len(loose) <= _MAX_NAMED:
            return [self._describe_one(each) for each in loose]
        files = [file for each in loose for file in each.files]
        found = [each.found for each in loose if each.found is not None]
        cases = _count_cases(sum(len(each.cases) for each in found), sum(each.unanswered for each in found))
        unused = [
            Path(os.path.relpath(each.files[0].parent / path, self.root))
            for each in loose
            if each.found
            for path in each.found.unused
        ]
        facts = [f"{_name_files(files, self.root)}: {cases} beside them", *_name_unused(unused)]
        return ["; ".join(facts), *dict.fromkeys(note for each in found for note in each.notes)]

    def _describe_one(self, loose: LooseProblem) -> str:
        found = loose.found
        assert found is not None
        cases = _count_cases(len(found.cases), found.unanswered)
        facts = [f"{_name_files(loose.files, self.root)}: {cases} in {found.where}"]
        if found.limits_from and self.overrides.cpu is None and self.overrides.memory is None:
            limits = found.problem.limits
            facts.append(
                f"limits of {format_seconds(limits.cpu)} and {format_bytes(limits.memory)} from {found.limits_from}"
            )
        return "; ".join([*facts, *self._suggest_answers(found), *_name_unused(found.unused), *found.notes])

    def _suggest_answers(self, found: "FoundCases") -> list[str]:
        """Name a file that may be the answer of an input without one: `tests/1.foo` beside `tests/1.in`."""
        for case in found.cases[:_MAX_NEIGHBOURS] if found.unanswered else ():
            if case.answer is None and isinstance(case.input, InFile):
                path, stem = case.input.path, case_name(case.input.path.name)
                beside = [each for each in islice(path.parent.iterdir(), _MAX_NEIGHBOURS) if each.stem == stem]
                suffixes = {each.suffix for each in beside if each != path and not is_ignored(each.name)}
                suffixes -= {each for each in suffixes if each.lower() in _NO_ANSWERS or each.lower() in SUFFIXES}
                if len(suffixes) == 1:
                    shown, suffix = shown_path(path, self.root), suffixes.pop()
                    pattern = quote(f"{shown.with_name('%s' + path.name[len(stem) :])}:%s{suffix}")
                    return [f"if {shown.with_name(stem + suffix)} is the answer, add --cases {pattern}"]
        return []


def _count_cases(count: int, unanswered: int) -> str:
    cases = format_count(count, "case")
    if unanswered and unanswered == count:
        return f"{cases} without an answer"
    return f"{cases} ({unanswered:,} without an answer)" if unanswered else cases


def _name_unused(paths: Sequence[Path]) -> list[str]:
    return [f"not used: {name_some(list(dict.fromkeys(map(str, paths))))}; choose with --cases"] if paths else []


def check_source(path: Path) -> None:
    """Check that a path is a source file.

    Raises:
        UsageError: it is not; the message says what it is, or which file may be meant.
    """
    if not os.path.lexists(path):
        raise UsageError(f"{path}: no such file{suggest_file(path)}")
    if path.is_dir():
        raise UsageError(f"{path} is a folder; expected one source file")
    if reason := find_file_error(path):
        raise UsageError(f"{path} {reason}; expected a source file")
    if path.suffix.lower() in SUFFIXES:
        return
    from judge.problems.case_source import find_input

    if near := find_input(path):
        shown, given = shown_path(path, Path.cwd()), str(shown_path(near, Path.cwd()))
        raise UsageError(
            f"{shown}: a file of a case, not a source; to judge on it: judge run FILE --cases {quote(given)}"
        )
    raise UsageError(f"{path}: no language has the suffix `{path.suffix}`; known suffixes: {SOME_SUFFIXES}")


def suggest_file(path: Path) -> str:
    """Return the end of a message that there is no such file: a question with the nearest name, or ""."""
    from difflib import get_close_matches

    try:
        entries = islice(path.parent.iterdir(), _MAX_NEIGHBOURS)
        names = sorted(each.name for each in entries if not is_ignored(each.name))
    except OSError:
        return ""
    sources = [name for name in names if Path(name).stem == path.name and Path(name).suffix.lower() in SUFFIXES]
    near = sources or get_close_matches(path.name, names, n=1)
    return f"; did you mean {shown_path(path.with_name(near[0]), Path.cwd())}?" if near else ""


def find_place(file: Path, root: Path, known: Sequence[str]) -> str | None:
    """Return the problem in whose folder solutions/ID a file is, or None."""
    if not known or not file.is_relative_to(root / "solutions"):
        return None
    name = file.relative_to(root / "solutions").parts[0]
    return name if name in known else None


def _explain_unmatched(file: Path, root: Path, known: Sequence[str]) -> str:
    """Say where cases of a file were looked for, and what to do."""
    from judge.problems.conventions import CASE_FOLDERS

    shown = shown_path(file, root)
    word = quote(str(shown))
    folders = ", ".join(f"{name}/" for name in CASE_FOLDERS[:4])
    text = (
        f"{shown}: no cases found: looked beside it for {file.stem}.in, 1.in, in1.txt, input.txt and the like, and in "
        f"the folders {file.stem}/, {folders} ...\n"
        f"    fix: add a case with `judge add {word}`, or put an input and its answer into tests/1.in and tests/1.ans; "
        "name others with `--cases DIR` or a pattern such as `--cases 'tests/%s.dat:%s.res'`; or pipe an input into "
        f"it: echo 1 2 | judge run {word}"
    )
    if archives := archives_in(file.parent):
        text += f"; or name the archive: judge run {word} --cases {quote(str(shown_path(archives[0], root)))}"
    if known:
        text += f"; or name the problem that it solves: judge run PROBLEM {word} (problems: {', '.join(known)})"
    return text


def _name_files(files: Sequence[Path], root: Path) -> str:
    return name_some([str(shown_path(file, root)) for file in files])


def name_some(names: Sequence[str]) -> str:
    """Name some files, and count the others."""
    shown, more = names[:_MAX_NAMED], len(names) - _MAX_NAMED
    if more > 0:
        return f"{', '.join(shown)} and {more:,} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
