"""problem.yaml of every version, .timelimit and domjudge-problem.ini ("Problem metadata" of the format).

A key that only another version has counts where its meaning is clear, with a warning: packages mix them, above all
those of the drafts of 2023-07.
"""

import re
from collections.abc import Mapping
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, shorten
from judge.base.units import MIB, Bytes, Seconds, format_seconds
from judge.model import (
    DEFAULT_PROGRAM_LIMITS,
    CheckerConfig,
    Limits,
    Problem,
    ProblemSource,
    ProblemType,
    TimeRule,
    default_wall,
)
from judge.problems.file_format import MAX_PASSES
from judge.problems.icpc.files import PackageFolder, Version, find_statements
from judge.problems.icpc.sections import Section, parse_float, read_file, read_section, read_text
from judge.problems.yaml.text import describe_unknown, quote, quote_all

# The "typical system defaults" of the format, and the output limit of problemtools, DOMjudge and BAPCtools. The time
# limit is DOMjudge's default: that of a package without one follows from its submissions.
_DEFAULT_LIMITS = Limits(
    cpu=Seconds(10.0), wall=default_wall(Seconds(10.0)), memory=Bytes(2048 * MIB), output=Bytes(8 * MIB)
)
_MAX_TIME = 24 * 60 * 60

_LEGACY_KEYS = ("author", "source_url", "validation", "validator_flags", "grading")
_NEW_KEYS = ("version", "credits", "embargo_until", "languages", "allow_file_writing", "constants")
_LEGACY_LIMITS = ("time_multiplier", "time_safety_margin")
_NEW_LIMITS = ("time_multipliers", "time_limit", "time_resolution", "validation_passes")
_LICENSES = ("unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission")
_CONSTANT_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
_MAX_NAME = 200
_TITLE = re.compile(r"\\problemname\{([^{}]{1,200})\}")
_PLAIN_TITLE = re.compile(r"^%% *plainproblemname:([^\n]{1,200})", re.MULTILINE)
_INI_LINE = re.compile(r"\s*([A-Za-z_-]+)\s*=\s*(?:'([^']*)'|\"([^\"]*)\"|([^;#]*))")


class Metadata(Struct, frozen=True, kw_only=True):
    """What problem.yaml and the files beside it say.

    Attributes:
        problem: without its programs, cases and submissions.
        languages: those in which it has a name.
        is_custom: whether outputs are judged by a validator of the package; None if nothing says so.
        declares_score: `validation` says that the validator gives scores (legacy).
        ans_is_output: every answer is an output that the output validator accepts (BAPCtools).
        is_of_domjudge: it has a file that only DOMjudge reads.
    """

    version: Version
    problem: Problem
    languages: tuple[str, ...] = ()
    is_custom: bool | None = None
    declares_score: bool = False
    flags: tuple[str, ...] = ()
    flags_place: Diagnostic
    is_minimized: bool = False
    ans_is_output: bool = True
    is_of_domjudge: bool = False


def read_metadata(package: PackageFolder, *, defaults: Limits | None = None) -> Metadata:
    """Read problem.yaml and the files beside it; what is unusual is added to the diagnostics of the package.

    `defaults` are the limits of a folder that need not be a complete package; None for a package, with its own ones.

    Raises:
        DataError: without them nothing can be judged: a package has no problem.yaml, or it cannot be read, or its
            version is unknown.
    """
    path = package.path / "problem.yaml"
    for other in (package.path / "problem.yml", package.path / "Problem.yaml"):
        if package.has_file(other):
            package.warn(other, "does not count: only problem.yaml does", fix="merge the two, or remove it")
    ini = package.path / "domjudge-problem.ini"
    matches = map(_INI_LINE.match, (read_text(package, ini) or "").splitlines())
    properties = {each[1].lower(): (each[2] or each[3] or each[4] or "").strip() for each in matches if each}
    # Programs of a DOMjudge server that judge the problem there, unless they are its usual ones.
    for key, usual, report in (("special_compare", "compare", package.warn), ("special_run", "run", package.error)):
        if (program := properties.get(key, usual)) != usual:
            message = f"{quote(key)} does not count: {quote(program)} is a program of the DOMjudge server"
            report(ini, message, fix="put the program into the package, as its output validator")
    if package.has_file(path):
        section = read_section(package, path)
    elif properties or defaults:
        section = Section(None, package.show(path), package.diagnostics)
    else:
        raise DataError([Diagnostic(path=package.show(path), message="does not exist: this is not a problem package")])
    text = (section.text("problem_format_version") or "legacy").strip()
    if text not in _VERSIONS:
        message = describe_unknown("version of the problem package format", text, _VERSIONS)
        raise DataError([replace(section.place("problem_format_version"), message=message)])
    return _Reader(package, section, properties, _VERSIONS[text], defaults).read()


_VERSIONS = {each.value: each for each in Version} | {
    "legacy-icpc": Version.LEGACY,
    "2023-07-draft": Version.V2023_07,
    "2025-09-draft": Version.V2025_09,
    "draft": Version.V2025_09,
}


class _Reader(Struct):
    """Turns the keys of problem.yaml into what they stand for."""

    _package: PackageFolder
    _yaml: Section
    _properties: dict[str, str]
    _version: Version
    _defaults: Limits | None

    def read(self) -> Metadata:
        """Return what the files say."""
        self._check_versions(self._yaml, _LEGACY_KEYS, _NEW_KEYS)
        is_custom, types = self._read_kind()
        name, languages = self._read_name()
        source = self._read_source()
        limits = self._yaml.section("limits")
        self._check_versions(limits, _LEGACY_LIMITS, _NEW_LIMITS)
        time_rule = self._read_time(limits)
        flags = self._yaml.flags("validator_flags") or ()
        defaults = self._defaults or _DEFAULT_LIMITS
        if self._defaults is None and ProblemType.INTERACTIVE in types:
            # problemtools and BAPCtools do not limit what solution and interactor exchange.
            defaults = replace(defaults, output=Bytes(64 * MIB))
        problem = Problem(
            id=self._package.path.name,
            name=name,
            source=source,
            limits=defaults.override(
                cpu=time_rule.given, memory=_size(limits, "memory"), output=_size(limits, "output")
            ),
            checker=CheckerConfig(),
            folder=self._package.path,
            format=self._version.format_name,
            types=types,
            checker_limits=_program_limits(limits),
            time_rule=time_rule,
            passes=self._read_passes(limits, types),
            constants=self._read_constants(),
        )
        metadata = Metadata(
            version=self._version,
            problem=problem,
            languages=languages,
            is_custom=is_custom,
            declares_score="score" in (self._yaml.text("validation") or "").split(),
            flags=flags,
            flags_place=self._yaml.place("validator_flags"),
            is_minimized=self._read_objective(types) == "min",
            ans_is_output=self._yaml.boolean("ans_is_output") is not False,
            is_of_domjudge=bool(self._properties),
        )
        limits.know("code", "compilation_time", "compilation_memory", "generator_time", "visualizer_time")
        limits.finish()
        self._read_the_rest()
        self._yaml.finish()
        return metadata

    def _check_versions(self, section: Section, legacy: tuple[str, ...], new: tuple[str, ...]) -> None:
        """Report keys that only another version has; the drafts of 2023-07 had both."""
        if self._version is Version.V2023_07:
            return
        foreign, other = (new, "2025-09") if self._version.is_legacy else (legacy, "legacy")
        for key in section.keys:
            if key in foreign:
                message = f"{quote(key)} is a key of version {other}, not of {self._version}"
                section.note(message, key, at_key=True, fix="it counts all the same; set `problem_format_version`")

    # ---- what kind of problem it is --------------------------------------------------------------------------------

    def _read_kind(self) -> tuple[bool | None, frozenset[ProblemType]]:
        """Return whether a validator of the package judges, and the types ("Type", "Validation")."""
        words = self._read_types()
        validation = (self._yaml.text("validation") or "").split()
        is_custom = {"default": False, "custom": True}.get(validation[0]) if validation else None
        if validation and is_custom is None:
            message = f"`validation` begins with `default` or `custom`, found {quote(validation[0])}"
            self._yaml.warn(message, "validation")
        for word in validation[1:]:
            if word in ("interactive", "multi-pass") and is_custom:  # the second is DOMjudge's
                words.add(word)
            elif word != "score" or not is_custom:
                message = f"{quote(word)} has no meaning after {quote(validation[0])}; it does not count"
                self._yaml.warn(message, "validation")
        if "score" in validation and "scoring" not in words:
            self._yaml.warn("`score` is for problems of the type `scoring` only; it does not count", "validation")
        types = frozenset(ProblemType(word) for word in words if word != "pass-fail")
        if types & {ProblemType.INTERACTIVE, ProblemType.MULTI_PASS}:
            is_custom = True
        return is_custom, types

    def _read_types(self) -> set[str]:
        words = [word for text in self._yaml.strings("type") or () for word in text.split()]
        valid = ("pass-fail", *ProblemType)
        unknown = [word for word in words if word not in valid]
        for word in unknown:
            self._yaml.error(f"{describe_unknown('type', word, valid)}; it does not count", "type")
        types = {word for word in words if word in valid}
        for one, other in _INCOMPATIBLE:
            if one in types and other in types:
                self._yaml.warn(f"the types {quote(one)} and {quote(other)} exclude each other", "type")
        if self._version.is_legacy and (later := sorted(types - {"pass-fail", "scoring"})):
            self._yaml.note(f"{quote_all(later)}: a type of version 2025-09, not of {self._version}", "type")
        return types

    def _read_objective(self, types: frozenset[ProblemType]) -> str | None:
        grading = self._yaml.section("grading")
        objective = grading.word("objective", ("max", "min"))
        grading.boolean("show_test_data_groups")
        if grading.node is not None and ProblemType.SCORING not in types:
            self._yaml.note("`grading` is for problems of the type `scoring` only", "grading", at_key=True)
        grading.finish()
        return objective

    def _read_passes(self, limits: Section, types: frozenset[ProblemType]) -> int:
        given = limits.number("validation_passes", minimum=2) or 0
        passes = int(given)
        if passes != given:
            message = f"`validation_passes`: expected a whole number, found {given:g}; read as {passes}"
            limits.warn(message, "validation_passes")
        if ProblemType.MULTI_PASS in types:
            if passes > MAX_PASSES:
                message = f"`validation_passes`: more than {MAX_PASSES:,}; read as {MAX_PASSES:,}"
                limits.warn(message, "validation_passes")
            return min(passes or 2, MAX_PASSES)
        if passes:
            message = "`validation_passes` is for problems of the type `multi-pass` only; it does not count"
            limits.warn(message, "validation_passes")
        return 1

    # ---- limits ----------------------------------------------------------------------------------------------------

    def _read_time(self, limits: Section) -> TimeRule:
        multipliers = limits.section("time_multipliers")
        is_legacy = self._version.is_legacy
        to_limit = limits.number("time_multiplier", minimum=1) or (5.0 if is_legacy else 2.0)
        to_tle = limits.number("time_safety_margin", minimum=1) or (2.0 if is_legacy else 1.5)
        rule = TimeRule(
            ac_to_time_limit=multipliers.number("ac_to_time_limit", minimum=1) or to_limit,
            time_limit_to_tle=multipliers.number("time_limit_to_tle", minimum=1) or to_tle,
            resolution=Seconds(limits.number("time_resolution", above=0) or 1.0),
        )
        multipliers.finish()
        given = self._given_times(limits)
        if not given:
            return rule
        origin, time = given[0]
        for other, value in given[1:]:
            if value != time:
                shown = f"{format_seconds(value)}, but {origin} says {format_seconds(time)}, which counts"
                self._package.warn(self._package.path / other, f"the time limit is {shown}", fix="remove one of them")
        return replace(rule, given=time, origin=origin)

    def _given_times(self, limits: Section) -> "list[tuple[str, Seconds]]":
        found: list[tuple[str, Seconds]] = []
        time = limits.number("time_limit", above=0)
        if time is not None:
            found.append(("problem.yaml", Seconds(min(time, _MAX_TIME))))
        for name, text in (
            ("domjudge-problem.ini", self._properties.get("timelimit")),
            (".timelimit", read_text(self._package, self._package.path / ".timelimit")),
        ):
            time = 0
            with suppress(ValueError):
                time = 0 if text is None else parse_float(text.strip())
            if time > 0:
                found.append((name, Seconds(min(time, _MAX_TIME))))
            elif text is not None:
                message = f"expected a time limit in seconds, found {quote(text.strip())}; it does not count"
                self._package.warn(self._package.path / name, message)
        return found

    # ---- the rest --------------------------------------------------------------------------------------------------

    def _read_name(self) -> tuple[str, tuple[str, ...]]:
        """Return the name in English, else in the first language, else the folder's; and the languages of names."""
        if self._yaml.is_mapping("name"):
            names = self._yaml.section("name")
            found = {key: text for key in names.keys if (text := names.text(key))}
            name, languages = found.get("en") or next(iter(found.values()), ""), tuple(found)
        else:
            name = self._yaml.text("name") or ""
            languages = ("en",) if name else ()
        name = _one_line(name) or self._properties.get("name") or find_title(self._package)
        return name or self._package.path.name, languages

    def _read_source(self) -> ProblemSource | None:
        """Return the first source; in legacy its URL is a key of its own."""
        url = self._yaml.text("source_url") or ""
        for item in self._yaml.list_of("source"):
            name = item
            if not isinstance(item, str):
                name, url = item.text("name") or "", item.text("url") or url
                item.finish()
            is_web = url.startswith(("https://", "http://"))
            return ProblemSource(name=_one_line(str(name)), url=url if is_web else "")
        return None

    def _read_constants(self) -> Mapping[str, str]:
        """Return the texts of constants and of their variants (2025-09, "Constants")."""
        section = self._yaml.section("constants")
        texts: dict[str, str] = {}
        for key in section.keys:
            if not _CONSTANT_NAME.fullmatch(key):
                message = f"{quote(key)} cannot be the name of a constant; it does not count"
                fix = "use letters, digits and `_`, and begin with a letter or `_`"
                section.warn(message, key, at_key=True, fix=fix)
                continue
            if section.is_mapping(key):
                variants = section.section(key)
                values = {name: text for name in variants.keys if (text := variants.text(name)) is not None}
            else:
                values = {"value": text} if (text := section.text(key)) is not None else {}
            if "value" in values:
                texts |= {key: values["value"]} | {f"{key}.{name}": text for name, text in values.items()}
            elif section.is_mapping(key):
                section.warn(f"the constant {quote(key)} has no `value`; it does not count", key)
        return texts

    def _read_the_rest(self) -> None:
        """Check what makes no difference to judging."""
        yaml = self._yaml
        license_ = yaml.text("license")
        if license_ is not None and license_ not in _LICENSES:
            yaml.note(describe_unknown("license", license_, _LICENSES), "license")
        if yaml.boolean("allow_file_writing"):
            yaml.warn("`allow_file_writing` is not supported: submissions cannot write files", "allow_file_writing")
        # `verified` and `comment` are BAPCtools' own; `libraries` was removed from legacy in 2021.
        yaml.know("uuid", "version", "author", "credits", "rights_owner", "embargo_until", "keywords", "languages")
        yaml.know("verified", "comment", "libraries")


def find_title(package: PackageFolder) -> str:
    """Return the title in a LaTeX statement, or ""; in legacy it may be nowhere else ("Problem statements")."""
    for path in find_statements(package).values():
        with suppress(DataError):
            if path.suffix == ".tex" and (title := read_title(read_file(package, path).decode(errors="replace"))):
                return title
    return ""


def read_title(text: str) -> str:
    """Return the title in the text of a statement in LaTeX, or ""."""
    found = _PLAIN_TITLE.search(text) or _TITLE.search(text)
    return _one_line(found[1]) if found else ""


def _one_line(text: str) -> str:
    """Return what is printable of a name, shortened if it is much longer than any problem's."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * _MAX_NAME]).split())
    return shorten(line, _MAX_NAME)


_INCOMPATIBLE = (("pass-fail", "scoring"), ("multi-pass", "submit-answer"), ("interactive", "submit-answer"))


def _size(limits: Section, key: str) -> Bytes | None:
    """Return a size in MiB; some packages give fractions."""
    size = limits.number(key, above=0)
    return None if size is None else Bytes(max(int(min(size, 1024 * 1024) * MIB), 1))


def _program_limits(limits: Section) -> Limits | None:
    time = limits.number("validation_time", above=0)
    cpu = Seconds(min(time, _MAX_TIME)) if time else None
    memory, output = _size(limits, "validation_memory"), _size(limits, "validation_output")
    is_given = (cpu, memory, output) != (None, None, None)
    return DEFAULT_PROGRAM_LIMITS.override(cpu=cpu, memory=memory, output=output) if is_given else None
