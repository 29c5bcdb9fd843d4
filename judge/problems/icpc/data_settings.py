"""What testdata.yaml, test_group.yaml and the YAML file of a case set, and what is inherited.

legacy, "Test data groups": every key is inherited by the groups below. 2025-09, "Test data configuration" and "Test
case configuration": a case inherits arguments from its group. A group inherits them from the one around it, as in
BAPCtools; scores are not inherited. The file of either version is read in every version.
"""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic
from judge.model import Problem
from judge.model.groups import Aggregation, TestGroup, VerdictMode
from judge.problems.icpc.files import PackageFolder, Version
from judge.problems.icpc.generators_yaml import PlannedCase, PlannedData
from judge.problems.icpc.sections import Section, parse_float, read_section, substitute_values
from judge.problems.yaml import parse
from judge.problems.yaml.text import quote, quote_all

LEGACY_FILE, NEW_FILE = "testdata.yaml", "test_group.yaml"
GROUP_FILES = (LEGACY_FILE, NEW_FILE)

LEGACY_KEYS = ("on_reject", "grading", "grader_flags", "accept_score", "reject_score", "range")
_NEW_KEYS = ("max_score", "score_aggregation", "static_validation_score", "static_validator_args", "require_pass")
_VERDICT_MODES = {mode.value: mode for mode in VerdictMode} | {"no_errors": VerdictMode.WORST_ERROR}  # of problemtools
_SCORE_MODES = {mode.value: mode for mode in Aggregation if mode is not Aggregation.PASS_FAIL}
_GRADER_FLAGS = (*VerdictMode, *_SCORE_MODES, "ignore_sample", "accept_if_any_accepted")

_LEGACY_GROUP = TestGroup(name="", breaks=True)


ByValidator = Mapping[str, tuple[str, ...]]
"""The arguments of input validators, or of answer validators: of all of them by "", or of single ones by name."""


def arguments_of(given: ByValidator, path: Path) -> tuple[str, ...]:
    """Return the arguments of a validator; it is named with or without its suffix."""
    return next((given[name] for name in (path.name, path.stem, "") if name in given), ())


class Arguments(Struct, frozen=True, kw_only=True):
    """What a case inherits.

    Attributes:
        output_validator: of the output validator, without `validator_flags` of problem.yaml.
        output_validator_place: where they are, for messages.
        validator_name: the only output validator that runs, of several in legacy; "" for all of them.
        input_validators, answer_validators: of the validators of inputs and of answers.
        visualizers: of those of inputs and of outputs.
    """

    args: tuple[str, ...] = ()
    output_validator: tuple[str, ...] = ()
    output_validator_place: Diagnostic | None = None
    validator_name: str = ""
    input_validators: ByValidator = field(default_factory=dict)
    answer_validators: ByValidator = field(default_factory=dict)
    visualizers: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


class GroupSettings(Struct, frozen=True, kw_only=True):
    """What holds in a folder of test data.

    Attributes:
        legacy: how it is graded in legacy; which groups and which grader it has is not known yet.
        has_grader: a grader of the package decides; else `legacy.grader_args` are flags of the default grader.
        place: the file that sets something here, for messages; None without one.
        new: how it is scored in 2025-09.
        legacy_keys, new_keys: which keys of either version its file gives, for grading.
    """

    arguments: Arguments = Arguments()
    legacy: TestGroup = _LEGACY_GROUP
    has_grader: bool = False
    new: TestGroup = TestGroup(name="")
    legacy_keys: frozenset[str] = frozenset()
    new_keys: frozenset[str] = frozenset()
    place: Path | None = None


class SettingsReader(Struct):
    """Reads the files of one package, and what generators.yaml says instead."""

    package: PackageFolder
    version: Version
    constants: dict[str, str]
    planned: PlannedData

    @classmethod
    def of(cls, package: PackageFolder, version: Version, problem: Problem) -> "SettingsReader":
        """Return the reader of a package with its generators.yaml."""
        return cls(package, version, dict(problem.constants), PlannedData.of(package, problem))

    def read_group(self, folder: Path, name: str, files: Iterable[str], parent: GroupSettings) -> GroupSettings:
        """Return what holds in a folder that has these of the `GROUP_FILES`; they count before generators.yaml.

        `name` is the path below data/, and `parent` is what holds around it.
        """
        path, section = folder, None
        names = sorted(files, key=lambda name: (name == LEGACY_FILE) != self.version.is_legacy)
        if names:
            path = folder / names[0]
            if len(names) > 1:
                self.package.warn(folder / names[1], f"does not count beside {names[0]}", fix="remove one of them")
            elif (names[0] == LEGACY_FILE) != self.version.is_legacy and self.version is not Version.V2023_07:
                expected = LEGACY_FILE if self.version.is_legacy else NEW_FILE
                message = f"in version {self.version} the name of this file is {expected}; it counts all the same"
                self.package.warn(path, message, fix="rename it", rule="format")
            section = self._read(path)
        elif isinstance(content := self.planned.groups.get(name), parse.Mapping):
            path, section = self.planned.path, self._part(content)
        settings = GroupSettings(arguments=parent.arguments, legacy=parent.legacy, has_grader=parent.has_grader)
        if section is None:
            return settings
        new, new_keys = _new_grading(section)
        settings = replace(
            settings,
            arguments=_arguments(section, settings.arguments),
            legacy_keys=frozenset(LEGACY_KEYS) & frozenset(section.keys),
            new=new,
            new_keys=new_keys,
            place=path,
        )
        settings = _legacy_grading(section, settings)
        section.boolean("full_feedback")
        section.know("hint", "description")
        section.finish()
        return settings

    def read_case(self, source: Path | PlannedCase, group: Arguments) -> tuple[Arguments, str]:
        """Return what the YAML file of a case says, or generators.yaml: the arguments and the description."""
        if isinstance(source, Path):
            section = self._read(source)
        else:
            path = self.planned.copied(source, ".yaml")
            section = self._read(path) if path else None
            if isinstance(source.config, parse.Mapping):
                section = self._part(source.config)
        if section is None:
            return group, ""
        arguments = _arguments(section, group)
        description, hint = section.text("description"), section.text("hint")
        section.boolean("full_feedback")
        section.finish()
        return arguments, description or hint or ""

    def _part(self, content: parse.Mapping) -> Section:
        content = substitute_values(content, self.constants)
        return Section(content, self.package.show(self.planned.path), self.package.diagnostics)

    def _read(self, path: Path) -> Section | None:
        try:
            return read_section(self.package, path, constants=self.constants) if self.package.has_file(path) else None
        except DataError as error:
            self.package.diagnostics.extend(error.diagnostics)
            return None


def _arguments(section: Section, inherited: Arguments) -> Arguments:
    values = inherited
    if (args := section.flags("args")) is not None:
        values = replace(values, args=args)
    for key in ("output_validator_args", "output_validator_flags"):
        name, words = "", None
        if section.is_mapping(key):  # of legacy: the name of an output validator, and its flags
            inner = section.section(key)
            name, words = inner.text("name") or "", inner.flags("flags") or ()
            inner.finish()
        else:
            words = section.flags(key)
        if words is not None:
            place = section.place(key)
            values = replace(values, validator_name=name, output_validator=words, output_validator_place=place)
    for key in ("input_validator_args", "input_validator_flags"):
        values = replace(values, input_validators=_of_validators(section, key, values.input_validators))
    of_answers = _of_validators(section, "answer_validator_args", values.answer_validators)  # of BAPCtools
    values = replace(values, answer_validators=of_answers)
    for kind in ("output", "input"):
        one, other = f"{kind}_validator_args", f"{kind}_validator_flags"
        if section.has(one) and section.has(other):
            section.warn(f"{quote(one)} and {quote(other)} mean the same: the second one counts", other, at_key=True)
    own = (section.flags("input_visualizer_args"), section.flags("output_visualizer_args"))
    before = values.visualizers
    return replace(values, visualizers=tuple(old if new is None else new for old, new in zip(before, own, strict=True)))


def _of_validators(section: Section, key: str, inherited: ByValidator) -> ByValidator:
    if not section.is_mapping(key):
        flags = section.flags(key)
        return inherited if flags is None else {"": flags}
    inner = section.section(key)  # of 2025-09 any names, of legacy `name` and `flags`
    if inner.has("flags") and not inner.is_list("flags"):
        return {inner.text("name") or "": inner.flags("flags") or ()}
    return {name: inner.flags(name) or () for name in inner.keys}


# ---- grading of legacy --------------------------------------------------------------------------------------------


def _legacy_grading(section: Section, settings: GroupSettings) -> GroupSettings:
    """Read the keys for graders (legacy, "Test data groups")."""
    on_reject = section.word("on_reject", ("break", "continue"))
    kind = section.word("grading", ("default", "custom"))
    values = {
        "breaks": on_reject and on_reject == "break",
        "accept_score": section.number("accept_score"),
        "reject_score": section.number("reject_score"),
        "score_range": _range(section),
    }
    group = replace(settings.legacy, **{name: value for name, value in values.items() if value is not None})
    has_grader = settings.has_grader if kind is None else kind == "custom"
    if (flags := section.flags("grader_flags")) is not None:
        group = replace(
            group,
            grader_args=flags,
            aggregation=Aggregation.SUM,
            verdict_mode=VerdictMode.WORST_ERROR,
            accepts_any="accept_if_any_accepted" in flags,
            ignores_sample="ignore_sample" in flags,
        )
    for flag in () if has_grader or flags is None else flags:  # of those that contradict each other the last one counts
        if flag in _SCORE_MODES:
            group = replace(group, aggregation=_SCORE_MODES[flag])
        elif flag in _VERDICT_MODES:
            group = replace(group, verdict_mode=_VERDICT_MODES[flag])
        elif flag not in _GRADER_FLAGS:
            message = f"unknown flag {quote(flag)} of the default grader; it does not count"
            section.warn(message, "grader_flags", fix=f"use {quote_all(_GRADER_FLAGS)}")
    return replace(settings, legacy=group, has_grader=has_grader)


def _range(section: Section) -> tuple[float, float] | None:
    """Return the lowest and the highest score of `range`: two numbers, of which either may be infinite."""
    if (words := section.flags("range")) is None:
        return None
    words = tuple(word for text in words for word in text.split())
    try:
        low, high = (
            math.copysign(math.inf, -1 if word[0] == "-" else 1) if word.lstrip("+-") == "inf" else parse_float(word)
            for word in words
        )
    except ValueError:
        section.warn("`range`: expected two numbers, such as `0 100`; it does not count", "range")
        return None
    if low > high:
        section.warn("`range` is reversed: the lowest score comes first; it does not count", "range")
        return None
    return low, high


# ---- grading of 2025-09 -------------------------------------------------------------------------------------------


def _new_grading(section: Section) -> tuple[TestGroup, frozenset[str]]:
    """Read the keys for scores (2025-09, "Test data configuration"); return them, and those that count."""
    is_unbounded = (section.text("max_score") or "").strip() == "unbounded"
    max_score = None if is_unbounded else section.number("max_score", minimum=0)
    aggregation = section.word("score_aggregation", ("pass-fail", "sum", "min"))
    is_pass_fail = (section.text("static_validation_score") or "").strip() == Aggregation.PASS_FAIL
    static_score = None if is_pass_fail else section.number("static_validation_score", minimum=0)
    has_static = is_pass_fail or static_score is not None
    static_args = section.flags("static_validator_args") or ()
    if static_args and not has_static:
        message = "`static_validator_args` needs `static_validation_score`; it does not count"
        section.warn(message, "static_validator_args", at_key=True)
    wrong = {"max_score": not is_unbounded and max_score is None, "score_aggregation": aggregation is None}
    group = TestGroup(
        name="",
        aggregation=Aggregation(aggregation or Aggregation.SUM),
        max_score=max_score,
        require_pass=section.strings("require_pass") or (),
        static_score=static_score,
        has_static_case=has_static,
        static_args=static_args if has_static else (),
    )
    return group, frozenset(key for key in _NEW_KEYS if key in section.keys and not wrong.get(key))
