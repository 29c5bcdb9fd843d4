"""The trees of test groups, from the folders of test data and what their files say.

legacy: every folder is a group, from data/ down ("Test data groups", "Graders"). 2025-09: the root is data/secret, and
its groups are the folders directly in it that have a test_group.yaml ("Test data groups", "Scoring problems"). The
drafts of 2023-07 had both ways; which keys the files give decides.
"""

from collections.abc import Iterator

from judge.groups import Aggregation, TestGroup
from judge.problems.icpc.data_settings import UNBOUNDED, NewGrading
from judge.problems.icpc.files import PackageFolder
from judge.problems.icpc.test_data import DataFolder
from judge.problems.icpc.versions import Version
from judge.problems.yaml.text import quote
from judge.programs import JudgeProgram

_DEFAULT_SCORE = 100.0  # of `secret`


def walk(folder: DataFolder) -> Iterator[DataFolder]:
    """Yield a folder and all below it."""
    yield folder
    for each in folder.folders:
        yield from walk(each)


def make_groups(
    package: PackageFolder,
    data: DataFolder,
    version: Version,
    *,
    is_scoring: bool,
    grader: JudgeProgram | None,
    has_static_validator: bool,
) -> TestGroup | None:
    """Return the root of the test groups; None if they make no difference to the verdict."""
    folders = list(walk(data))
    has_legacy = any(folder.settings.legacy_keys for folder in folders)
    has_new = any(folder.settings.new_keys for folder in folders)
    prefers_new = version is Version.V2025_09
    is_new = has_new if has_legacy != has_new else prefers_new
    if has_legacy and has_new:
        wrong = "legacy" if prefers_new else "2025-09"
        for folder in folders:
            keys = folder.settings.legacy_keys if prefers_new else folder.settings.new_keys
            if keys and folder.settings.place:
                message = f"{quote(min(keys))} is a key of version {wrong}, and others here are not; it does not count"
                package.warn(folder.settings.place, message)
    if is_new:
        return _NewTree(package, has_static_validator, is_scoring).make(data)
    if is_scoring or any(_changes_verdict(folder) for folder in folders):
        return _legacy_group(package, data, grader, is_scoring=is_scoring)
    return None


# ---- legacy -------------------------------------------------------------------------------------------------------


def _changes_verdict(folder: DataFolder) -> bool:
    """Return whether the flags of a grader can accept a submission although a case is rejected."""
    return not folder.settings.legacy.is_custom and any(
        flag in ("always_accept", "accept_if_any_accepted", "ignore_sample") for flag in folder.settings.legacy.flags
    )


def _legacy_group(
    package: PackageFolder, folder: DataFolder, grader: JudgeProgram | None, *, is_scoring: bool
) -> TestGroup:
    grading = folder.settings.legacy
    if grading.is_custom and grader is None and folder.settings.is_given and folder.settings.place:
        package.error(folder.settings.place, "`grading: custom` needs a program in graders/, and there is none")
    return TestGroup(
        name=folder.name,
        groups=tuple(_legacy_group(package, each, grader, is_scoring=is_scoring) for each in folder.folders),
        aggregation=grading.aggregation,
        max_score=grading.score_range[1] if grading.score_range and grading.score_range[1] != UNBOUNDED else None,
        breaks=grading.breaks,
        verdict_mode=grading.verdict_mode,
        accepts_any=grading.accepts_any,
        # "Must only be used on the root level", though flags are inherited.
        ignores_sample=grading.ignores_sample and not folder.name,
        accept_score=grading.accept_score,
        reject_score=grading.reject_score,
        score_range=grading.score_range,
        grader=grader if grading.is_custom else None,
        grader_args=grading.flags if grading.is_custom else (),
    )


# ---- 2025-09 ------------------------------------------------------------------------------------------------------


class _NewTree:
    def __init__(self, package: PackageFolder, has_static_validator: bool, is_scoring: bool) -> None:
        self._package = package
        self._has_static_validator = has_static_validator
        self._is_scoring = is_scoring

    def make(self, data: DataFolder) -> TestGroup | None:
        """Return the group of data/secret; None if neither scores nor a static validator need it."""
        secret = next((folder for folder in data.folders if folder.name == "secret"), None)
        if secret is None:
            return None
        self._check_sample(data)
        groups = [folder for folder in secret.folders if folder.settings.is_given]
        has_static = any(folder.settings.new.static_score is not None for folder in (secret, *groups))
        if not self._is_scoring:
            for folder in walk(secret):
                self._report_scores(folder)
            return self._group(secret, groups, Aggregation.SUM, None) if has_static else None
        if groups:
            self._check_layout(secret)
        given = secret.settings.new
        max_score = _DEFAULT_SCORE if given.max_score is None else given.max_score
        aggregation = given.aggregation or Aggregation.SUM
        return self._group(secret, groups, aggregation, None if max_score == UNBOUNDED else max_score)

    def _group(
        self, folder: DataFolder, groups: list[DataFolder], aggregation: Aggregation, max_score: float | None
    ) -> TestGroup:
        given = folder.settings.new
        has_static = given.static_score is not None and self._may_have_static(folder)
        static_score = given.static_score if has_static and not given.is_static_pass_fail else None
        return TestGroup(
            name=folder.name,
            groups=tuple(self._inner_group(each, max_score) for each in groups),
            aggregation=aggregation,
            max_score=max_score,
            case_score=None if groups else _case_score(aggregation, max_score, static_score, folder.total),
            require_pass=self._require_pass(folder),
            static_score=static_score,
            has_static_case=has_static,
            static_args=given.static_args if has_static else (),
        )

    def _inner_group(self, folder: DataFolder, max_of_secret: float | None) -> TestGroup:
        given = folder.settings.new
        aggregation = given.aggregation or Aggregation.PASS_FAIL
        max_score = None if given.max_score in (None, UNBOUNDED) else given.max_score
        if self._is_scoring and max_score is None and folder.settings.place:
            if max_of_secret is not None:
                message = "has no `max_score`, which every group needs unless that of `secret` is `unbounded`"
                self._package.error(folder.settings.place, message)
            elif aggregation is Aggregation.PASS_FAIL:
                message = "has no `max_score`, which a group with `pass-fail` aggregation needs"
                self._package.error(folder.settings.place, message)
        for inner in folder.folders:
            if any(each.settings.is_given and each.settings.new_keys for each in walk(inner)):
                message = "is inside another group, which the format does not allow; its scores do not count"
                self._package.warn(inner.path, message)
        return self._group(folder, [], aggregation, max_score)

    def _may_have_static(self, folder: DataFolder) -> bool:
        if not self._has_static_validator and folder.settings.place:
            message = "`static_validation_score` needs a program in static_validator/, and there is none"
            self._package.error(folder.settings.place, message)
        return self._has_static_validator

    def _require_pass(self, folder: DataFolder) -> tuple[str, ...]:
        """Return the names of required groups; some packages leave `secret/` out."""
        names = []
        for name in folder.settings.new.require_pass:
            full = name if name == "sample" or name.startswith("secret/") else f"secret/{name}"
            if full != name and folder.settings.place:
                message = f"`require_pass`: {quote(name)} is read as {quote(full)}"
                self._package.warn(folder.settings.place, message, rule="format")
            names.append(full)
        return tuple(names)

    def _check_sample(self, data: DataFolder) -> None:
        for folder in data.folders:
            if folder.name == "sample" and folder.settings.new != NewGrading() and folder.settings.place:
                message = "scores and static validation do not count in data/sample"
                self._package.warn(folder.settings.place, message)

    def _check_layout(self, secret: DataFolder) -> None:
        if secret.case_count:
            message = "has both test groups and cases directly in it: the cases count for no group"
            self._package.warn(secret.path, message, fix="move the cases into a group")
        for folder in secret.folders:
            if not folder.settings.is_given:
                message = "has no test_group.yaml, but other folders beside it have: its cases count for no group"
                self._package.warn(folder.path, message, fix="add a test_group.yaml")

    def _report_scores(self, folder: DataFolder) -> None:
        keys = folder.settings.new_keys & {"max_score", "score_aggregation", "require_pass"}
        if keys and folder.settings.place:
            message = f"{quote(min(keys))} is for problems of the type `scoring` only; it does not count"
            self._package.warn(folder.settings.place, message)


def _case_score(
    aggregation: Aggregation, max_score: float | None, static_score: float | None, case_count: int
) -> float | None:
    """Return the maximum score of each case ("Scoring problems")."""
    if max_score is None or not case_count:
        return None
    match aggregation:
        case Aggregation.MIN:
            return max_score
        case Aggregation.SUM:
            return max(max_score - (static_score or 0.0), 0.0) / case_count
        case _:
            return None
