"""Rules about the files of a package that nothing needs to run for: each finding has the name of its rule.

What is an error follows the format (2025-09 and legacy) and problemtools; warnings do not make a package wrong.
"""

import math
import os
import re
from collections.abc import Collection
from itertools import pairwise
from pathlib import Path
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic
from judge.base.units import MIB, format_bytes
from judge.languages.table import SCRIPTS
from judge.model import InFile, Problem, ProblemType
from judge.model.groups import Aggregation, Rules, TestGroup
from judge.problems.folder import natural_key
from judge.problems.icpc.files import NAME_FIX, PackageFolder, Version, is_valid_name
from judge.problems.icpc.package_files import PackageFiles
from judge.problems.icpc.sections import Section, read_section
from judge.problems.paths import is_leftover
from judge.problems.yaml.text import quote

_LARGE, _TOO_LARGE = 100 * MIB, 1000 * MIB  # as in problemtools
_SHORT_NAME = re.compile(r"[a-z0-9]+")
_BOM = b"\xef\xbb\xbf"
_FREE = ("public domain", "unknown")
_PROGRAMS = (  # folders in which `build` and `run` are scripts
    "input_validators",
    "input_format_validators",
    "answer_validators",
    "output_validators",
    "output_validator",
    "static_validator",
    "graders",
)


def check_rules(problem: Problem, files: PackageFiles, *, root_for_display: Path) -> list[Diagnostic]:
    """Return what is wrong with a package that was read; what reading it reports is not repeated."""
    assert problem.folder is not None
    package = PackageFolder.at(problem.folder, root_for_display)
    rules = _Rules(package, problem, files)
    rules.check()
    return package.found()


class _Rules(Struct):
    _package: PackageFolder
    _problem: Problem
    _files: PackageFiles

    def check(self) -> None:
        """Report all findings to the package."""
        self._check_metadata()
        self._check_cases()
        self._check_names()
        if self._problem.groups is not None:
            groups = list(self._problem.groups.walk())
            self._check_order(groups)
            root = self._problem.groups
            if root.rules is Rules.LEGACY and root.ignores_sample and root.breaks and root.grader is None:
                message = (
                    "`ignore_sample` with `on_reject: break`: a rejected sample keeps secret cases from being judged"
                )
                place, fix = self._package.path / "data" / "testdata.yaml", "add `on_reject: continue`"
                self._package.error(place, message, rule="ignore-sample", fix=fix)
            if root.rules is Rules.LEGACY and self._problem.has_scores and self._problem.checker.program is None:
                self._check_range(root)
            is_scored = self._files.version is Version.V2025_09 and ProblemType.SCORING in self._problem.types
            for secret in groups if is_scored else ():
                maxima = [each.max_score or 0.0 for each in secret.groups if each.max_score is not None]
                has_all = 0 < len(maxima) == len(secret.groups) and secret.max_score is not None
                if secret.name == "secret" and has_all and sum(maxima) != secret.max_score:
                    message = f"the groups have {sum(maxima):g} points together, and `secret` has {secret.max_score:g}"
                    self._package.warn(self._package.path / "data" / "secret", message, rule="max-score")

    # ---- problem.yaml ----------------------------------------------------------------------------------------------

    def _check_metadata(self) -> None:
        path = self._package.path / "problem.yaml"
        if not path.is_file():
            return
        try:
            yaml = read_section(replace(self._package, diagnostics=[]), path)
        except DataError:  # reading the package reports it
            return
        if not _SHORT_NAME.fullmatch(self._package.path.name):
            message = f"{quote(self._package.path.name)}: problemtools accepts lowercase letters and digits only"
            self._package.warn(self._package.path, message, rule="short-name")
        if self._files.version is not Version.V2023_07:
            self._check_uuid(path, yaml)
        if self._files.version is Version.V2025_09 and not yaml.has("name"):
            self._package.error(path, "there is no `name`, which version 2025-09 needs", rule="missing-name")
        has_groups = self._problem.has_scores and any("/" in case.group for case in self._problem.cases)
        if self._files.version.is_legacy and has_groups and not yaml.section("grading").has("show_test_data_groups"):
            message = "there are test groups, but `grading.show_test_data_groups` is not given: Kattis hides them"
            self._package.warn(path, message, rule="hidden-groups", fix="set it to true or false")
        self._check_license(path, yaml)

    def _check_uuid(self, path: Path, yaml: Section) -> None:
        text = yaml.text("uuid")
        if text is None:
            is_legacy = self._files.version.is_legacy  # in which problemtools only warns
            report = self._package.warn if is_legacy else self._package.error
            message = f"there is no `uuid`, which {'Kattis' if is_legacy else 'version 2025-09'} needs"
            report(path, message, rule="missing-uuid", fix="add one, such as uuidgen prints")
            return
        try:
            UUID(text.strip())
        except ValueError:
            self._report(yaml, "uuid", "invalid-uuid", f"{quote(text)} is not a UUID")

    def _check_license(self, path: Path, yaml: Section) -> None:
        license_ = (yaml.text("license") or "unknown").strip()
        owners = ("rights_owner", "source", "author", "credits")
        if license_ == "unknown":
            message = "the license is unknown, so no one may use the problem"
            self._package.warn(path, message, rule="unknown-license", fix="add `license`, such as `cc by-sa`")
        elif license_ == "public domain" and yaml.has("rights_owner"):
            self._report(yaml, "rights_owner", "license", "what is in the public domain has no rights owner")
        if license_ not in _FREE and not any(yaml.has(key) for key in owners):
            message = f"the license is {quote(license_)}, but there is no `rights_owner`, `credits` or `source`"
            self._package.error(path, message, rule="missing-rights-owner")

    def _report(self, yaml: Section, key: str, rule: str, message: str) -> None:
        self._package.diagnostics.append(replace(yaml.place(key), message=message, rule=rule))

    # ---- cases -----------------------------------------------------------------------------------------------------

    def _check_cases(self) -> None:
        data = self._package.path / "data"
        cases = [case for case in self._problem.cases if not case.is_static]
        if cases and all(case.is_sample for case in cases):
            self._package.error(data / "secret", "there is no secret case", rule="missing-secret-case")
        is_dialogue = bool(self._problem.types & {ProblemType.INTERACTIVE, ProblemType.MULTI_PASS})
        has_dialogue = is_dialogue and any((data / "sample").glob("*.interaction"))
        if not any(case.is_sample for case in cases) and not has_dialogue:
            self._package.warn(data / "sample", "there are no samples", rule="missing-sample")
        absent = [case for case in cases if not isinstance(case.input, InFile)]
        if absent:
            assert self._files.generators is not None
            first = absent[0]
            count = f"{len(absent)} of {len(cases)} cases"
            message = f"{count} are not in data/, such as {first.id}; they were generated here"
            fix = "to put them there, run `bt generate`, unless data/ is not meant to be complete"
            self._package.warn(self._files.generators, message, rule="generated-data-missing", fix=fix)
        for case in cases:
            if isinstance(case.input, InFile):
                self._check_text(case.input.path)
            if isinstance(case.answer, InFile):
                self._check_text(case.answer.path)
                size, limit = _size(case.answer.path), self._problem.limits.output
                message = f"has {format_bytes(size)}; the output limit is {format_bytes(limit)}"
                if size > limit:
                    self._package.error(case.answer.path, message, rule="answer-size", fix="raise `limits.output`")
                elif 2 * size > limit:
                    self._package.warn(case.answer.path, f"{message}, less than twice as much", rule="answer-size")

    def _check_text(self, path: Path) -> None:
        """Report what text should not have: a byte order mark, other line ends, no end of the last line."""
        if _size(path) > 16 * MIB:
            return
        try:
            text = path.read_bytes()
        except OSError:
            return
        if text.startswith(_BOM):
            self._package.warn(path, "begins with a byte order mark (BOM)", rule="byte-order-mark", fix="remove it")
        if b"\r" in text:
            line = text.count(b"\n", 0, text.index(b"\r")) + 1
            message = f"line {line} has a carriage return: expected lines that end with \\n alone"
            self._package.warn(path, message, rule="line-ends")
        if text and not text.endswith(b"\n"):
            self._package.warn(path, "the last line does not end with \\n", rule="final-newline")
        try:
            text.decode()
        except UnicodeDecodeError:
            self._package.warn(path, "is not UTF-8", rule="encoding")

    # ---- files -----------------------------------------------------------------------------------------------------

    def _check_names(self) -> None:
        """Report names that the format forbids, and large files; data/ is checked where it is read."""
        count = 0
        for top, folders, files in os.walk(self._package.path):
            folders[:] = sorted(name for name in folders if not is_leftover(name))
            names = sorted(name for name in files if not is_leftover(name))
            count += len(names)
            if count > 100_000:
                return
            is_data = Path(top).is_relative_to(self._package.path / "data")
            wrong = [] if is_data else [name for name in (*names, *folders) if not is_valid_name(name)]
            message = "the format does not allow this name"
            self._package.warn_all(Path(top), wrong, message, fix=NAME_FIX, rule="file-name")
            parts = Path(top).relative_to(self._package.path).parts
            is_program = bool(parts) and parts[0] in _PROGRAMS
            for path in (Path(top) / name for name in names):
                if (size := _size(path)) > _LARGE:
                    report, most = (self._package.error, 1000) if size > _TOO_LARGE else (self._package.warn, 100)
                    report(path, f"has {format_bytes(size)}: more than {most} MiB", rule="file-size")
                # DOMjudge and this judge run such a script, Kattis and BAPCtools do not.
                if is_program and path.name in SCRIPTS and path.is_file() and not os.access(path, os.X_OK):
                    fix = f"run `chmod +x {self._package.show(path)}`"
                    self._package.error(path, "is not executable", rule="script-mode", fix=fix)

    # ---- groups ----------------------------------------------------------------------------------------------------

    def _check_order(self, groups: Collection[TestGroup]) -> None:
        for parent in groups:
            names = [each.name for each in parent.groups]
            for before, after in pairwise(names):
                if natural_key(before) > natural_key(after):
                    path = self._package.path / "data" / after
                    message = f"is judged after {before}: the order is that of characters"
                    self._package.warn(path, message, rule="group-order", fix="write the numbers with leading zeros")

    def _check_range(self, group: TestGroup, *, is_outer: bool = True) -> float | None:
        """Report a `range` that the score of an accepted submission is not in; return that, None if it is not known.

        legacy, "Graders": the default grader combines the scores of all cases and groups in a group.
        """
        is_unknown = group.grader is not None
        scores = [group.accept_score] * sum(case.group == group.name for case in self._problem.cases)
        for each in group.groups:
            score = self._check_range(each, is_outer=False)
            is_unknown |= score is None
            if not (is_outer and group.ignores_sample and each.name == "sample"):
                scores.append(score or 0.0)
        if is_unknown or not scores:
            return None
        best = sum(scores) / (len(scores) if group.aggregation is Aggregation.AVG else 1)
        if group.aggregation in (Aggregation.MIN, Aggregation.MAX):
            best = min(scores) if group.aggregation is Aggregation.MIN else max(scores)
        low, high = group.score_range or (-math.inf, math.inf)
        if not low <= best <= high:
            message = f"an accepted submission has the score {best:g}, which is not in the `range` {low:g} to {high:g}"
            place = self._package.path / "data" / group.name / "testdata.yaml"
            self._package.error(place, message, rule="score-range", fix="correct `range` or `accept_score`")
        return best


def _size(path: Path) -> int:
    """Return the size of a file; 0 if there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
