"""The folder data/: inputs, answers, and the settings of cases and groups ("Test data" in both versions).

How groups are scored is in their files. 2025-09: "Test data groups" and "Scoring problems". legacy: "Test data groups"
and "Graders".
"""

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct, field

from judge.base.data import Data
from judge.base.errors import DataError
from judge.base.units import format_count
from judge.model import Case, CheckerConfig, Problem, ProblemType
from judge.model.groups import Aggregation, Rules, TestGroup
from judge.packages.export.metadata import MAX_YAML, read_original
from judge.packages.export.package import Package, Target, first_name, plain_number
from judge.preparation.cases import InvalidCase, PreparedCase, SkippedCase, diagnose
from judge.problems.icpc.data_settings import LEGACY_FILE, LEGACY_KEYS, NEW_FILE
from judge.problems.yaml.text import quote

_ILLEGAL = re.compile(r"[^a-zA-Z0-9_.-]")
_RESERVED = ("testdata", "test_group")  # their files would be those of a group

_KEPT = ("full_feedback", "hint", "input_visualizer_args", "output_visualizer_args")  # of a case, not of judging

Flags = tuple[str, ...]
Arguments = tuple[Flags, Flags]
"""The arguments of the input validator and of the output validator for a case."""
Files = dict[str, dict[str, object]]
"""The content of the files of groups, by folder below data/."""


class DataWriter(Struct, kw_only=True):
    """Writes the cases of one problem.

    Attributes:
        flags: the arguments of the output validator that all cases have; None if they differ.
        groups: the folders of the groups of our own format, by their names.
    """

    package: Package
    problem: Problem
    flags: Flags | None
    groups: Mapping[str, str]
    _folders: dict[str, Arguments] = field(default_factory=dict)  # in a format in which all cases of one have the same
    _used: set[str] = field(default_factory=set)

    def write(self, prepared: Iterable[PreparedCase]) -> None:
        """Add all cases and the files of their groups.

        Raises:
            DataError: some test data is wrong.
        """
        describe = self._describe_legacy if self.package.target.is_legacy else self._describe_new
        for case, given, answer in keep_ready(self.package, self.problem, prepared):
            settings = case.validator_args, () if self.flags is not None else checker_flags(case.checker)
            name = self._name(case, settings)
            self.package.add_case(f"data/{name}.in", given, f"data/{name}.ans", answer)
            describe(case, name, settings)
        self._write_groups()

    def _describe_legacy(self, case: Case, name: str, settings: Arguments) -> None:
        given = self._given(case)
        for suffix, text in (("desc", "" if case.why == given.get("hint") else case.why), ("hint", given.get("hint"))):
            if text:
                self.package.add(f"data/{name}.{suffix}", f"{text}\n".encode())
        if "full_feedback" in given:
            self.package.losses.append(f"`full_feedback` of case {quote(case.id)}: not in this format")
        if self._folders.setdefault(name.rpartition("/")[0], settings) != settings:
            self.package.losses.append(f"the arguments of the validators for case {quote(case.id)}")

    def _describe_new(self, case: Case, name: str, settings: Arguments) -> None:
        found = self._given(case)
        if case.why and case.why != found.get("hint"):
            found["description"] = case.why
        for key, words in (
            ("args", case.args),
            ("input_validator_args", settings[0]),
            ("output_validator_args", settings[1]),
        ):
            if words:
                found[key] = list(words)
        if found:
            self.package.add_yaml(f"data/{name}.yaml", found)
        if case.files is not None:
            self.package.copy(case.files, f"data/{name}.files", root=self.problem.folder)

    def _given(self, case: Case) -> dict[str, object]:
        """Return what the files of a case in a package say for contestants, in the words of 2025-09."""
        found = read_original(self.problem, f"data/{case.id}.yaml")
        kept = {key: found[key] for key in _KEPT if key in found}
        hint = self.problem.folder / f"data/{case.id}.hint" if self.problem.is_package and self.problem.folder else None
        if hint is not None and hint.is_file():
            kept["hint"] = hint.read_bytes()[:MAX_YAML].decode(errors="replace").strip()
        return kept

    # ---- names -----------------------------------------------------------------------------------------------------

    def _name(self, case: Case, settings: Arguments) -> str:
        """Return the path of a case below data/, without its suffix."""
        if self.problem.is_package:
            wanted = case.id if case.id.startswith(("sample/", "secret/")) else f"secret/{case.id}"
        else:
            wanted = self._native_name(case, settings)
        name = first_name(wanted, lambda each: each not in self._used)
        self._used.add(name)
        return name

    def _native_name(self, case: Case, settings: Arguments) -> str:
        stem = legal_name(case.name)
        if case.group == "sample" and (not any(settings) or not self.package.target.is_legacy):
            return f"sample/{stem}"
        if self.problem.has_scores:
            return f"{self.groups.get(case.group, case.group)}/{stem}"
        group = legal_name(case.group)
        if not any(settings) or not self.package.target.is_legacy:
            return f"secret/{group}-{stem}"
        # only folders have arguments in legacy
        folder = first_name(f"secret/{group}", lambda each: self._folders.get(each, settings) == settings)
        return f"{folder}/{stem}"

    # ---- groups ----------------------------------------------------------------------------------------------------

    def _write_groups(self) -> None:
        files: Files = {}
        if self.package.target.is_legacy:
            for folder, settings in self._folders.items():
                keys = ("input_validator_flags", "output_validator_flags")
                files[folder] = {key: shlex.join(words) for key, words in zip(keys, settings, strict=True) if words}
        elif self.flags:
            for folder in {name.split("/")[0] for name in self._used}:
                files[folder] = {"output_validator_args": list(self.flags)}
        self._add_scores(files)
        file_name = LEGACY_FILE if self.package.target.is_legacy else NEW_FILE
        for folder, values in sorted(files.items()):
            if values:
                self.package.add_yaml(f"data/{folder}/{file_name}".replace("//", "/"), values)

    def _add_scores(self, files: Files) -> None:
        root, is_legacy = self.problem.groups, self.package.target.is_legacy
        if root is None:
            return
        if self.problem.is_package and root.rules is not rules_of(self.package.target):
            self.package.breaking.append(
                "the scores of the test groups: the rules of the two formats differ; write them by hand"
            )
        elif self.problem.is_package and is_legacy:
            for parent in {parent for name in self._used for parent in PurePosixPath(name).parents}:
                folder = parent.as_posix().removeprefix(".")
                given = read_original(self.problem, f"data/{folder}/{LEGACY_FILE}")
                files.setdefault(folder, {}).update({key: given[key] for key in LEGACY_KEYS if key in given})
        else:
            add = _add_as_legacy if is_legacy else _add_new
            add(self.package, self.problem, root, self.groups, files)


def legal_name(text: str) -> str:
    """Return a name that the format allows for a file."""
    name = _ILLEGAL.sub("_", text)[:200]
    name = name if name and name[0] not in ".-" else f"_{name}"
    return f"{name}_" if name in _RESERVED else name


def checker_flags(checker: CheckerConfig) -> Flags:
    """Return a checker as the arguments of the output validator ("Default output validator specification")."""
    if checker.program is not None:
        return checker.args
    if checker.name == "exact":
        return ("case_sensitive", "space_change_sensitive")
    if checker.name == "lines":
        return ("case_sensitive",)
    if checker.name != "tokens":
        raise ValueError(f"no flags for the checker {checker.name}")
    words = ["case_sensitive"] if checker.case_sensitive else []
    words += ["space_change_sensitive"] if checker.space_change_sensitive else []
    absolute, relative = checker.float_absolute_tolerance, checker.float_relative_tolerance
    if absolute is not None and absolute == relative:
        words += ["float_tolerance", repr(absolute)]
    else:
        words += ["float_absolute_tolerance", repr(absolute)] if absolute is not None else []
        words += ["float_relative_tolerance", repr(relative)] if relative is not None else []
    return tuple(words)


def keep_ready(
    package: Package, problem: Problem, prepared: Iterable[PreparedCase]
) -> Iterator[tuple[Case, Data, Data]]:
    """Yield the cases that the format has, with their inputs and answers; report the others.

    Raises:
        DataError: some test data is wrong; after the others.
    """
    invalid, limited = [], 0
    for each in prepared:
        case = each.case
        if isinstance(each, InvalidCase):
            invalid.append(each)
        elif isinstance(each, SkippedCase):
            package.losses.append(f"case {quote(case.id)}: {each.reason}")
        elif package.target is not Target.ICPC_2025_09 and (case.args or case.is_static or case.files):
            lost = "arguments" if case.args else "static cases" if case.is_static else "files"
            package.losses.append(f"case {quote(case.id)}: this format has no {lost} of submissions")
        elif case.is_static:
            continue  # the format makes it from the settings of its group
        elif each.answer is None and not problem.types & {ProblemType.INTERACTIVE, ProblemType.MULTI_PASS}:
            package.losses.append(f"case {quote(case.id)}: it has no answer")
        else:
            limited += case.limits != problem.limits
            yield case, each.input, b"" if each.answer is None else each.answer
    if limited:
        cases = format_count(limited, "case")
        package.losses.append(f"the limits of {cases} that differ from those of the problem")
    if invalid:
        raise DataError(diagnose(invalid))


def report_checkers(package: Package, checkers: Sequence[CheckerConfig]) -> None:
    """Report what the default output validator does not compare as our checkers do."""
    names = {each.name for each in checkers if each.program is None}
    if "lines" in names:
        package.losses.append(
            "the checker `lines`: the default output validator ignores all white space, so an output with other lines "
            "but the same tokens is accepted"
        )
    if "exact" in names:
        package.notes.append("the checker `exact` is `case_sensitive space_change_sensitive`; what was PE is WA")


def report_tests(package: Package, problem: Problem) -> None:
    """Report the tests of the checker and the validator, which no format has."""
    for tests, what in ((problem.checker_tests, "checker"), (problem.validator_tests, "validator")):
        if tests:
            package.losses.append(f"{format_count(len(tests), 'test')} of the {what}")


# ---- scores of groups ----------------------------------------------------------------------------------------------


def name_groups(problem: Problem) -> dict[str, str]:
    """Return the folders of our own groups by their names; numbers keep the order of judging where those do not."""
    if problem.groups is None or problem.is_package:
        return {}
    names = [group.name for group in problem.groups.groups if group.name != "sample"]
    width = len(str(len(names)))
    is_sorted = names == sorted(names)
    folders = {
        name: f"secret/{name}" if is_sorted else f"secret/{at:0{width}}-{name}" for at, name in enumerate(names, 1)
    }
    return {"sample": "sample", **folders}


def rules_of(target: Target) -> Rules:
    """Return the rules by which a format scores."""
    if not target.is_legacy:
        return Rules.MAX_SCORES
    return Rules.DOMJUDGE if target is Target.DOMJUDGE else Rules.LEGACY


def _add_new(package: Package, problem: Problem, root: TestGroup, names: Mapping[str, str], files: Files) -> None:
    for group in root.walk():
        folder = names.get(group.name, group.name)
        if group.name and folder != "sample" and problem.has_scores:
            is_bounded = not group.groups and group.aggregation is Aggregation.PASS_FAIL
            no_maximum = 0 if is_bounded else "unbounded"
            files.setdefault(folder, {}).update(
                max_score=no_maximum if group.max_score is None else plain_number(group.max_score),
                score_aggregation=group.aggregation.value,
            )
            if group.require_pass:
                files[folder]["require_pass"] = [names.get(name, name) for name in group.require_pass]
        if group.has_static_case:
            score = group.static_score
            files.setdefault(group.name, {})["static_validation_score"] = (
                "pass-fail" if score is None else plain_number(score)
            )
            files[group.name] |= {"static_validator_args": list(group.static_args)} if group.static_args else {}
        if group.case_scores:
            package.losses.append(f"the scores of single cases of the group {quote(group.name)}")
    if not problem.is_package:
        files.setdefault("secret", {}).update(
            max_score=plain_number(root.max_score or 0.0), score_aggregation=Aggregation.SUM.value
        )


def _add_as_legacy(package: Package, problem: Problem, root: TestGroup, names: Mapping[str, str], files: Files) -> None:
    """Write the subtasks of our own format as groups with the default grader."""
    total = f"0 {plain_number(root.max_score or 0.0)}"
    files.setdefault("", {}).update(on_reject="continue", range=total, grader_flags="ignore_sample")
    files.setdefault("secret", {}).update(
        on_reject="continue", range=total, grader_flags="first_error accept_if_any_accepted"
    )
    files.setdefault("sample", {}).update(on_reject="continue", range="0 0", accept_score=0, grader_flags="first_error")
    sizes = Counter(case.group for case in problem.cases)
    for group in root.groups:
        if group.name == "sample":
            if group.max_score:
                package.losses.append("the points of `sample`: samples are not scored")
            continue
        points = group.max_score or 0.0
        found: dict[str, object] = {"range": f"0 {plain_number(points)}"}
        if group.aggregation is Aggregation.SUM:
            share = points / max(sizes[group.name], 1)
            if package.target is Target.DOMJUDGE:  # `accept_score` is that of a whole group there
                share = points
                package.losses.append(f"the points of single cases of {quote(group.name)}: the group has all or none")
            found |= {"on_reject": "continue", "accept_score": plain_number(share)}
            found["grader_flags"] = "accept_if_any_accepted sum"
        else:
            found |= {"on_reject": "break", "accept_score": plain_number(points), "grader_flags": "min"}
        files.setdefault(names[group.name], {}).update(found)
        if group.require_pass:
            package.losses.append(f"`requires` of the subtask {quote(group.name)}: groups do not depend on others")
