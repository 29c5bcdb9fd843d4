"""submissions/submissions.yaml: what is required of submissions, by glob pattern (2025-09, "Example submissions")."""

import re
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from judge.model.groups import matches
from judge.problems.icpc.expectations import ALL, NO_RULE, Rule, TimeBound
from judge.problems.icpc.sections import Section, parse_float
from judge.problems.yaml.text import quote, quote_all

_MAX_PATTERNS = 10_000  # that all patterns of a file stand for
_UNSUPPORTED = re.compile(r"\*\*|[\[\]?]")
_TOP_GROUPS = ("sample", "secret", "*")


class Entry(Struct, frozen=True, kw_only=True):
    """What the file says about the submissions that a pattern matches.

    Attributes:
        pattern: relative to submissions/, as it is written.
        patterns: what it stands for, without braces.
        rule: for all cases.
        rules: for some cases.
        language, entry_point: "" if not given.
    """

    pattern: str
    patterns: tuple[str, ...]
    rule: Rule = NO_RULE
    rules: tuple[Rule, ...] = ()
    language: str = ""
    entry_point: str = ""

    def without_scores(self) -> "Entry":
        """Return the entry of a problem whose submissions have no scores."""
        rules = tuple(replace(each, score=None) for each in self.rules)
        return replace(self, rule=replace(self.rule, score=None), rules=rules)

    def matches(self, name: str) -> bool:
        """Return whether the pattern matches a submission, such as `accepted/x.py`, or a folder around it."""
        return matches(self.patterns, name)


def read_entries(section: Section, defaults: Mapping[str, Rule]) -> list[Entry]:
    """Return the entries of the file, and those of the folders that it does not name.

    An entry for a folder overrides single keys of `defaults`: what is required of the submissions in each folder.
    """
    found = {folder: Entry(pattern=folder, patterns=(folder,), rule=rule) for folder, rule in defaults.items()}
    reader = _Reader(section)
    for pattern in section.keys:
        name = pattern.rstrip("/")
        entry = reader.read(pattern, defaults.get(name))
        found |= {name: entry} if entry else {}
    section.finish()
    return list(found.values())


class _Reader(Struct):
    """Reads the entries of a file; what all its patterns stand for is bounded."""

    _section: Section
    _left: int = _MAX_PATTERNS

    def read(self, pattern: str, default: Rule | None) -> Entry | None:
        """Return an entry; None if its pattern cannot be used."""
        patterns = self._expand(self._section, pattern)
        if patterns is None:
            self._section.know(pattern)
            return None
        inner = self._section.section(pattern)
        language, entry_point = inner.text("language") or "", inner.text("entrypoint") or ""
        inner.boolean("model_solution")
        inner.know("authors")
        rule = _read_rule(inner, default)
        groups = [self._read_group(inner, key) for key in inner.keys if key not in _KEYS and inner.is_mapping(key)]
        inner.finish()
        return Entry(
            pattern=pattern,
            patterns=patterns,
            rule=rule,
            rules=tuple(group for group in groups if group),
            language=language,
            entry_point=entry_point,
        )

    def _read_group(self, section: Section, key: str) -> Rule | None:
        """Read what holds for the cases and groups that a pattern matches."""
        patterns = self._expand(section, key)
        if key.split("/", maxsplit=1)[0] not in _TOP_GROUPS:
            message = f"the pattern {quote(key)} matches no case: it does not begin with `sample` or `secret`"
            section.warn(message, key, at_key=True)
        inner = section.section(key)
        found = _read_rule(inner, None)
        inner.finish()
        return replace(found, cases=patterns) if patterns else None

    def _expand(self, section: Section, key: str) -> tuple[str, ...] | None:
        if wrong := _UNSUPPORTED.search(key):
            section.warn(f"{quote(wrong[0])} has no special meaning in a pattern", key, at_key=True)
        try:
            patterns = tuple(expand_braces(key.rstrip("/"), self._left))
        except ValueError as error:
            section.error(f"the pattern {quote(key)} {error}; it does not count", key)
            return None
        self._left -= len(patterns)
        return patterns


_KEYS = ("language", "entrypoint", "model_solution", "authors", "permitted", "required", "score", "message",
         "use_for_time_limit")  # fmt: skip


def _read_rule(section: Section, default: Rule | None) -> Rule:
    default = default or NO_RULE
    permitted, required = _verdicts(section, "permitted"), _verdicts(section, "required")
    rule = replace(
        default,
        permitted=default.permitted if permitted is None else permitted,
        required=default.required if required is None else required,
    )
    if rule.permitted is not None and rule.required is not None and not set(rule.permitted) & set(rule.required):
        section.warn("no verdict is both permitted and required", "required" if required else "permitted")
    text = section.text("use_for_time_limit")
    use = section.boolean("use_for_time_limit") if text not in (None, "lower", "upper") else None
    if text in ("lower", "upper"):
        rule = replace(rule, time_bound=TimeBound(text))
    elif use is False:
        rule = replace(rule, time_bound=None)
    elif use or permitted is not None or required is not None:  # "Timelimit inference"
        is_upper = rule.required == ("TLE",)
        is_lower = rule.permitted is not None and "TLE" not in rule.permitted
        rule = replace(rule, time_bound=TimeBound.LOWER if is_lower else TimeBound.UPPER if is_upper else None)
    return replace(rule, score=_score(section), message=section.text("message") or "")


def _verdicts(section: Section, key: str) -> tuple[str, ...] | None:
    words = section.strings(key)
    if words is None:
        return None
    known = tuple(verdict for verdict in ALL if verdict in words)
    if unknown := [word for word in words if word not in ALL]:
        message = f"{quote(key)}: expected some of {quote_all(ALL)}, found {quote_all(unknown)}; it does not count"
        section.warn(message, key)
    return known or None


def _score(section: Section) -> tuple[float, float] | None:
    texts = section.strings("score")
    if texts is None:
        return None
    try:
        scores = [parse_float(text) for text in texts]
    except ValueError:
        scores = []
    if len(scores) != (2 if section.is_list("score") else 1) or scores[0] > scores[-1]:
        section.warn("`score`: expected a number, or a list of the lowest and the highest; it does not count", "score")
        return None
    return scores[0], scores[-1]


# ---- patterns -----------------------------------------------------------------------------------------------------


def expand_braces(pattern: str, limit: int) -> list[str]:
    """Return the patterns that one with braces stands for: `{a,b}.py` is `a.py` and `b.py`.

    Raises:
        ValueError: they are more than the limit.
    """
    found = [""]
    for at, part in enumerate(re.split(r"\{([^{}]*)\}", pattern)):  # every second one was in braces
        alternatives = [each.strip() for each in part.split(",")] if at % 2 else [part]
        if len(found) * len(alternatives) > limit:
            raise ValueError(f"and those before it stand for more than {_MAX_PATTERNS:,} patterns")
        found = [before + each for before in found for each in alternatives]
    return list(dict.fromkeys(found))
