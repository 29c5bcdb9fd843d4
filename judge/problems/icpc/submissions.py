"""The folder submissions/: every file or folder in its folders is one submission ("Example submissions").

What is expected of a submission follows from

1. `@EXPECTED_RESULTS@:` and `@EXPECTED_SCORE@:` in a source (DOMjudge), unless its folder says the same more exactly,
2. submissions.yaml, which overrides and extends
3. what its folder means in the version of the package.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import DataError
from judge.base.units import MIB, format_count
from judge.languages.inspection import is_python_2
from judge.languages.table import LANGUAGES, is_source
from judge.model import Expectation, Problem, ProblemType, Requirement, Solution
from judge.problems.icpc.expectations import (
    ALL,
    NEW,
    NO_RULE,
    Annotation,
    Entry,
    Rule,
    TimeBound,
    find_annotations,
    folder_rules,
    make_expectation,
    read_entries,
)
from judge.problems.icpc.files import INVALID_NAME, NAME_FIX, PackageFolder, Version, is_valid_name
from judge.problems.icpc.sections import Section, read_section
from judge.problems.paths import find_file_error, is_folder
from judge.problems.yaml.text import quote, quote_all

_LANGUAGE_IDS = frozenset(language.id for language in LANGUAGES)
_PARTIAL = "partially_accepted"
_MANUAL_FOLDER = "check_manually"  # of DOMjudge
_TEXT_NAMES = ("readme", "makefile", "license")
_TEXTS = (".md", ".txt", ".orig", ".rej", ".in", ".out", ".ans", ".yaml", ".json", ".pdf")


class SubmissionReader(Struct, kw_only=True):
    """Reads the submissions of one package.

    Attributes:
        has_scores: a source says its score, as only DOMjudge reads it.
        lower, upper: what was found to bound the time limit, as in `TimeRule`.
    """

    package: PackageFolder
    version: Version
    problem: Problem
    include: Mapping[str, tuple[Path, ...]]
    has_scores: bool = False
    lower: dict[Path, tuple[str, ...]] = field(default_factory=dict)
    upper: dict[Path, tuple[str, ...]] = field(default_factory=dict)
    _entries: list[Entry] = field(default_factory=list)
    _rules: Mapping[str, Rule] = field(default_factory=dict)
    _unknown: list[str] = field(default_factory=list)
    _names: list[str] = field(default_factory=list)

    def read(self) -> tuple[Solution, ...]:
        """Return the submissions: in the order of the folders' table, then by name."""
        top = self.package.path / "submissions"
        if not self.package.has_folder(top):
            self.package.warn(top, "does not exist: the package has no submissions", rule="format")
            return ()
        self._rules = folder_rules(self.version)
        path = top / "submissions.yaml"
        section = Section(None, self.package.show(path), self.package.diagnostics)
        try:
            section = read_section(self.package, path) if self.package.has_file(path) else section
        except DataError as error:
            self.package.diagnostics.extend(error.diagnostics)
        self._entries = read_entries(section, self._rules)
        constraints = [each for entry in self._entries for each in (entry.rule, *entry.rules)]
        if ProblemType.SCORING not in self.problem.types and any(each.score for each in constraints):
            section.warn("`score` is for problems of the type `scoring` only; it does not count")
            self._entries = [each.without_scores() for each in self._entries]
        folders = []
        for entry in self.package.scan(top):
            if is_folder(entry):
                folders.append(entry.name)
            elif is_source(entry.name):
                self.package.warn(entry.path, "is not judged: it is not in a folder such as `accepted`", fix="move it")
        order = {name: at for at, name in enumerate(self._rules)}
        folders.sort(key=lambda name: (order.get(name, len(order)), name))
        solutions = tuple(solution for name in folders for solution in self._read_folder(top, name))
        if self._unknown:  # all at once: a package may have many
            many = len(self._unknown) > 1
            what = f"{len(self._unknown)} submissions are" if many else f"{quote(self._unknown[0])} is"
            message = f"{what} not judged: the judge does not know the language"
            self.package.warn(top, f"{message} of {quote_all(self._unknown)}" if many else message)
        for each in self._entries:
            is_of_file = "/" in each.pattern and each.pattern in section.keys
            if is_of_file and not any(map(each.matches, self._names)):
                section.warn(f"the pattern {quote(each.pattern)} matches no submission", each.pattern, at_key=True)
        return solutions

    def _read_folder(self, top: Path, folder: str) -> list[Solution]:
        solutions = []
        undescribed = 0
        for entry in self.package.scan(top / folder):
            name = f"{folder}/{entry.name}"
            self._names.append(name)
            matching = [each for each in self._entries if each.matches(name)]
            language = next((each.language for each in matching if each.language), "")
            if not language and self.version.is_legacy and name.endswith(".py") and not find_file_error(entry.path):
                with Path(entry.path).open("rb") as file:  # `.py` may be either there ("Programs")
                    language = "python2" if is_python_2(file.read(256 * 1024)) else ""
            if self._is_submission(entry, language):
                path = Path(entry.path)
                expectation = self._expectation(path, folder, matching)
                undescribed += not (expectation.name or expectation.more or matching)
                solutions.append(
                    Solution(
                        path=path,
                        display_path=str(self.package.show(path)),
                        expectation=expectation,
                        language=language,
                        entry_point=next((each.entry_point for each in matching if each.entry_point), ""),
                        include=self.include,
                        constants=self.problem.constants,
                    )
                )
        if undescribed and folder not in self._rules and folder != _MANUAL_FOLDER:
            message = f"says nothing about what is expected of {format_count(undescribed, 'submission')} in it"
            fix = f"use one of {quote_all(NEW)}, or describe {quote(folder)} in submissions.yaml"
            self.package.warn(top / folder, message, fix=fix)
        return solutions

    def _is_submission(self, entry: os.DirEntry[str], language: str) -> bool:
        """Return whether an entry is judged; submissions.yaml may give the language."""
        name = entry.name
        files = self.package.walk(Path(entry.path)) if is_folder(entry) else [Path(name)]
        is_program = any(is_source(file.name) for file in files)
        may_be_one = not name.lower().startswith(_TEXT_NAMES) and not name.lower().endswith(_TEXTS)
        if name.endswith(".disabled") or not (is_program or language or is_folder(entry) or may_be_one):
            return False
        if not is_folder(entry) and (reason := find_file_error(entry.path)):
            self.package.error(entry.path, reason)
            return False
        if not is_valid_name(name):
            self.package.warn(entry.path, INVALID_NAME, fix=NAME_FIX)
            return False
        if language not in _LANGUAGE_IDS if language else not is_program:
            self._unknown.append(os.path.relpath(entry.path, self.package.path / "submissions"))
            return False
        return True

    # ---- what is expected ------------------------------------------------------------------------------------------

    def _expectation(self, path: Path, folder: str, matching: list[Entry]) -> Expectation:
        annotation = self._annotation(path)
        rules = [replace(each.rule, score=None, message="") for each in matching]
        rules = [each for each in rules if each != NO_RULE]
        extra = [each.rule for each in matching if each.rule.score or each.rule.message]
        more = [Requirement(score=each.score, message=each.message) for each in extra]
        more += [each.requirement for entry in matching for each in entry.rules]
        if annotation.score is not None:
            self.has_scores = True
            more.append(Requirement(score=(annotation.score, annotation.score)))
        if folder == _PARTIAL and ProblemType.SCORING not in self.problem.types:
            self.package.warn(path, f"is in {quote(folder)}, which is for problems of the type `scoring` only")
            rules = []
        if annotation.is_manual:
            return make_expectation(folder, (), more)
        # A folder that says one of the results of an annotation is more exact, as at DOMjudge.
        rule = self._rules.get(folder)
        expected = () if rule is None else rule.required or rule.permitted or ALL
        if annotation.rule is not None and expected != ALL and not set(expected) & set(annotation.verdicts):
            if folder in self._rules:
                message = f"its annotation {quote_all(annotation.verdicts)} contradicts the folder {quote(folder)}"
                self.package.warn(path, f"{message}; the annotation counts", fix="move it, or change the annotation")
            rules = [annotation.rule]
        self._bound_time(path, rules, matching)
        # In legacy, judging ends with the first case that is not accepted ("Test data groups": `on_reject` is `break`),
        # as it does at Kattis and DOMjudge. In problems with scores, problemtools compares the verdict of the grader.
        by_verdict = rules == [annotation.rule] or self.version.is_legacy
        expectation = make_expectation(folder, rules, more, by_verdict=by_verdict)
        if not expectation.permitted & expectation.required:
            self.package.warn(path, "cannot do what is expected: no verdict is both permitted and required")
        return expectation

    def _bound_time(self, path: Path, rules: Iterable[Rule], matching: Iterable[Entry]) -> None:
        """Note how a submission bounds the time limit: by the rules for all cases, or else by those for groups."""
        for bound, found in ((TimeBound.LOWER, self.lower), (TimeBound.UPPER, self.upper)):
            groups = [each for entry in matching for each in entry.rules if each.time_bound is bound]
            if any(rule.time_bound is bound for rule in rules):
                found[path] = ()
            elif groups:
                found[path] = tuple(dict.fromkeys(pattern for each in groups for pattern in each.cases))

    def _annotation(self, path: Path) -> Annotation:
        """Return what the sources of a submission say; more than one annotation counts as none, as at DOMjudge."""
        found, left = [], 8 * MIB  # bytes of one submission that are looked at
        for file in self.package.walk(path) if path.is_dir() else (path,):
            try:
                with file.open("rb") as opened:
                    source = opened.read(left)
            except OSError as error:
                self.package.error(file, f"cannot be read: {error.strerror}")
            else:
                left -= len(source)
                found += find_annotations(source)
        if not found:
            return Annotation()
        if len(found) > 1:
            message = f"has {len(found)} annotations such as `@EXPECTED_RESULTS@:`, so none of them counts"
            self.package.warn(path, message, fix="remove all but one")
            return Annotation()
        if found[0].unknown:
            self.package.warn(path, f"its annotation names {quote_all(found[0].unknown)}, which is no result")
        return found[0]
