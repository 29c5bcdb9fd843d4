"""The trees of test groups, from the folders of test data and what their files say.

legacy: every folder is a group ("Test data groups", "Graders"). 2025-09: `secret` and the folders directly in it that
have a test_group.yaml ("Test data groups", "Scoring problems"). The drafts of 2023-07 had both ways: which keys the
files give decides.
"""

from msgspec.structs import replace

from judge.model import ProblemType
from judge.model.groups import Aggregation, Rules, TestGroup
from judge.model.programs import JudgeProgram
from judge.problems.icpc.files import PackageFolder, Version
from judge.problems.icpc.problem_yaml import Metadata
from judge.problems.icpc.test_data import DataFolder
from judge.problems.yaml.text import quote, quote_all

_SCORES = frozenset({"max_score", "score_aggregation", "require_pass"})


def make_groups(
    package: PackageFolder,
    data: DataFolder,
    metadata: Metadata,
    programs: tuple[JudgeProgram | None, JudgeProgram | None],
    *,
    is_of_domjudge: bool,
) -> TestGroup | None:
    """Return the root of the test groups; None if they make no difference to the verdict.

    The programs are the grader and the static validator.
    """
    version, (grader, static_validator) = metadata.version, programs
    is_scoring = ProblemType.SCORING in metadata.problem.types
    for folder in data.walk() if is_scoring else ():
        if folder.name.startswith("secret/") and folder.settings.place and not folder.total:
            message = "the group has no cases: nobody can get its points"
            package.warn(folder.place, message, fix="add cases, or remove the group")
    if _follows_new_rules(package, data, version):
        return _NewTree(package, is_scoring=is_scoring, has_static_validator=static_validator is not None).make(data)
    accepting = {"always_accept", "accept_if_any_accepted", "ignore_sample"}  # although a case is rejected
    flags = {flag for each in data.walk() if not each.settings.has_grader for flag in each.settings.legacy.grader_args}
    if is_scoring or flags & accepting:
        rules = Rules.DOMJUDGE if is_of_domjudge else Rules.LEGACY
        return _legacy_group(package, data, grader, rules)
    return None


def _follows_new_rules(package: PackageFolder, data: DataFolder, version: Version) -> bool:
    """Return whether the groups are those of 2025-09; keys of the other version then do not count."""
    has_legacy = any(folder.settings.legacy_keys for folder in data.walk())
    has_new = any(folder.settings.new_keys for folder in data.walk())
    prefers_new = version is Version.V2025_09
    if has_legacy != has_new:
        return has_new
    for folder in data.walk():
        keys = folder.settings.legacy_keys if prefers_new else folder.settings.new_keys
        if keys and folder.settings.place:
            wrong = "legacy" if prefers_new else "2025-09"
            message = f"{quote(min(keys))} is a key of version {wrong}, but other files have those of {version}"
            package.warn(folder.settings.place, f"{message}; it does not count")
    return prefers_new


# ---- legacy -------------------------------------------------------------------------------------------------------

_SETS = {  # what a key of testdata.yaml sets
    "accept_score": ("accept_score",),
    "on_reject": ("breaks",),
    "range": ("score_range",),
    "grader_flags": ("aggregation", "verdict_mode", "accepts_any", "ignores_sample"),
}
_OF_DOMJUDGE = TestGroup(name="", breaks=True, accept_score=0.0)  # it has no default for `accept_score`


def _legacy_group(package: PackageFolder, folder: DataFolder, grader: JudgeProgram | None, rules: Rules) -> TestGroup:
    settings = folder.settings
    group, is_no_group = settings.legacy, False
    if rules is Rules.DOMJUDGE:  # which inherits nothing (`TestcaseGroup` there)
        absent = [name for key, names in _SETS.items() if key not in settings.legacy_keys for name in names]
        group = replace(group, **{name: getattr(_OF_DOMJUDGE, name) for name in absent})
        # Only a folder with a file of its own is a group; the cases of others have no scores.
        is_no_group = bool(folder.name) and settings.place is None
    if settings.has_grader and grader is None and settings.place:
        package.error(settings.place, "`grading: custom` needs a program in graders/, and there is none")
    # Below the root, `ignore_sample` is reported once where it is inherited further; problemtools refuses it.
    ignores_sample = settings.legacy.ignores_sample and not settings.has_grader and rules is Rules.LEGACY
    if folder.name and ignores_sample and ("grader_flags" in settings.legacy_keys or "/" not in folder.name):
        message = "`ignore_sample` is for data/testdata.yaml only, and does not count here; flags are inherited"
        package.error(folder.place, message, fix="set `grader_flags` here without it")
    return replace(
        group,
        name=folder.name,
        rules=rules,
        groups=tuple(_legacy_group(package, each, grader, rules) for each in folder.folders),
        aggregation=Aggregation.PASS_FAIL if is_no_group else group.aggregation,
        # "Must only be used on the root level", though flags are inherited.
        ignores_sample=group.ignores_sample and not folder.name,
        grader=grader if settings.has_grader else None,
        grader_args=group.grader_args if settings.has_grader else (),
    )


# ---- 2025-09 ------------------------------------------------------------------------------------------------------


class _NewTree:
    def __init__(self, package: PackageFolder, *, is_scoring: bool, has_static_validator: bool) -> None:
        self._package = package
        self._is_scoring = is_scoring
        self._has_static_validator = has_static_validator
        self._aggregations: dict[str, Aggregation] = {}  # of the groups so far, in the order of judging

    def make(self, data: DataFolder) -> TestGroup | None:
        """Return the root; None if neither scores nor a static validator need it."""
        folders = [each for folder in data.folders for each in (folder, *_groups_in(folder))]
        has_static = any(folder.settings.new.has_static_case for folder in folders)
        if not self._is_scoring and not has_static:
            for folder in folders:
                self._report_scores(folder)
            return None
        return TestGroup(name="", rules=Rules.MAX_SCORES, groups=tuple(map(self._top, data.folders)))

    def _top(self, folder: DataFolder) -> TestGroup:
        given = folder.settings.new
        if folder.name == "sample":  # judged without scores
            if folder.settings.new_keys & _SCORES:
                self._warn(folder, "`max_score`, `score_aggregation` and `require_pass` do not count for samples")
            return self._group(folder, (), Aggregation.PASS_FAIL, None)
        groups = _groups_in(folder)
        if groups:
            self._check_layout(folder)
        if not self._is_scoring:
            self._report_scores(folder)
            inner = tuple(self._group(each, (), Aggregation.PASS_FAIL, None) for each in groups)
            return self._group(folder, inner, Aggregation.PASS_FAIL, None)
        max_score = given.max_score if "max_score" in folder.settings.new_keys else 100.0
        inner = tuple(self._inner(each, max_score) for each in groups)
        return self._group(folder, inner, given.aggregation, max_score)

    def _inner(self, folder: DataFolder, max_of_secret: float | None) -> TestGroup:
        given, keys = folder.settings.new, folder.settings.new_keys
        aggregation = given.aggregation if "score_aggregation" in keys else Aggregation.PASS_FAIL
        max_score = given.max_score
        if max_score is None and max_of_secret is not None:
            self._error(folder, "has no `max_score`, which every group needs unless that of `secret` is `unbounded`")
        elif max_score is None and aggregation is Aggregation.PASS_FAIL:
            self._error(folder, "has no `max_score`, which a group with `pass-fail` aggregation needs")
        return self._group(folder, (), aggregation, max_score)

    def _group(
        self, folder: DataFolder, groups: tuple[TestGroup, ...], aggregation: Aggregation, max_score: float | None
    ) -> TestGroup:
        given = folder.settings.new
        has_static = given.has_static_case and self._has_static_validator
        if has_static != given.has_static_case:
            self._error(folder, "`static_validation_score` needs a program in static_validator/, and there is none")
        require_pass = self._require_pass(folder)
        self._aggregations[folder.name] = aggregation
        return TestGroup(
            name=folder.name,
            rules=Rules.MAX_SCORES,
            groups=groups,
            aggregation=aggregation,
            max_score=max_score,
            require_pass=require_pass,
            static_score=given.static_score if has_static else None,
            has_static_case=has_static,
            static_args=given.static_args if has_static else (),
        )

    def _require_pass(self, folder: DataFolder) -> tuple[str, ...]:
        """Return the names of required groups ("Group dependencies"); some packages leave `secret/` out."""
        if folder.name == "sample" or not self._is_scoring:
            return ()
        earlier = {"sample": Aggregation.PASS_FAIL}
        if folder.name != "secret":  # which may require `sample` only
            earlier |= self._aggregations
        names = []
        for name in folder.settings.new.require_pass:
            full = name if name == "sample" or name.startswith("secret/") else f"secret/{name}"
            if full != name:
                self._warn(folder, f"`require_pass`: {quote(name)} is read as {quote(full)}", rule="format")
            if full not in earlier:
                message = f"`require_pass`: {quote(full)} does not count: {quote(folder.name)} may only require"
                self._error(folder, f"{message} {quote_all(earlier)}")
                continue
            if earlier[full] is not Aggregation.PASS_FAIL:
                message = f"`require_pass`: {quote(full)} has the aggregation {quote(earlier[full])}, not `pass-fail`"
                self._warn(folder, f"{message}; it counts all the same")
            names.append(full)
        return tuple(names)

    def _check_layout(self, secret: DataFolder) -> None:
        if secret.case_count:
            message = "has both test groups and cases directly in it: the cases count for no group"
            self._package.warn(secret.path, message, fix="move the cases into a group")
        for folder in secret.folders:
            if folder.settings.place is None:
                message = "has no test_group.yaml, but other folders beside it have: its cases count for no group"
                self._package.warn(folder.path, message, fix="add a test_group.yaml")
            for inner in (each for below in folder.folders for each in below.walk() if each.settings.new_keys):
                self._warn(inner, "is inside another group, which the format does not allow; its scores do not count")

    def _report_scores(self, folder: DataFolder) -> None:
        if keys := folder.settings.new_keys & _SCORES:
            self._warn(folder, f"{quote(min(keys))} is for problems of the type `scoring` only; it does not count")

    def _warn(self, folder: DataFolder, message: str, *, rule: str = "") -> None:
        self._package.warn(folder.place, message, rule=rule)

    def _error(self, folder: DataFolder, message: str) -> None:
        self._package.error(folder.place, message)


def _groups_in(folder: DataFolder) -> tuple[DataFolder, ...]:
    """Return the test data groups: the folders directly in `secret` with a file of their own."""
    return tuple(each for each in folder.folders if each.settings.place) if folder.name == "secret" else ()
