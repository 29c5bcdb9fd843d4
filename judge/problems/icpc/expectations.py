"""Which verdicts a submission must get: by its folder, by submissions.yaml, and by an annotation in its source.

The format knows AC, WA, TLE and RTE. What else the judge says counts as one of them:

    PE     as WA: only whitespace differs
    MLE    as RTE: systems that limit memory let the program crash
    OLE    as WA, TLE or RTE: 2025-09 rejects such a submission without naming a verdict; DOMjudge and Kattis differ
"""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from judge.model import EXPECTATIONS, Expectation, Requirement, Verdict
from judge.model.groups import matches
from judge.problems.icpc.files import Version
from judge.problems.icpc.sections import Section, parse_float
from judge.problems.yaml.text import quote, quote_all

ALL = ("AC", "WA", "TLE", "RTE")

_COUNTS_AS: Mapping[str, tuple[Verdict, ...]] = {
    "AC": (Verdict.AC,),
    "WA": (Verdict.WA, Verdict.PE, Verdict.OLE),
    "TLE": (Verdict.TLE, Verdict.OLE),
    "RTE": (Verdict.RTE, Verdict.MLE, Verdict.OLE),
    "OLE": (Verdict.OLE, Verdict.RTE),  # of DOMjudge, `OUTPUT-LIMIT`; Kattis and BAPCtools say RTE
    "CE": (Verdict.CE,),
}


def expand(verdicts: Iterable[str]) -> frozenset[Verdict]:
    """Return the judge's verdicts that count as those of the format."""
    return frozenset(found for verdict in verdicts for found in _COUNTS_AS[verdict])


class TimeBound(StrEnum):
    """How a submission bounds a time limit that is inferred (2025-09, "Timelimit inference")."""

    LOWER = "lower"  # it must be in time
    UPPER = "upper"  # it must be too slow


class Rule(Struct, frozen=True, kw_only=True):
    """Verdicts of the format that some cases must get; None where nothing is said."""

    permitted: tuple[str, ...] | None = None
    required: tuple[str, ...] | None = None
    partial: bool = False
    time_bound: TimeBound | None = None
    cases: tuple[str, ...] = ()
    score: tuple[float, float] | None = None
    message: str = ""

    @property
    def requirement(self) -> Requirement:
        """The rule as a requirement of its own."""
        return Requirement(
            cases=self.cases,
            permitted=None if self.permitted is None else expand(self.permitted),
            required=None if self.required is None else expand(self.required),
            score=self.score,
            message=self.message,
        )


NO_RULE = Rule()

# legacy, "Example submissions". Only these submissions decide about the time limit there.
LEGACY = {
    "accepted": Rule(permitted=("AC",), time_bound=TimeBound.LOWER),
    "partially_accepted": Rule(partial=True),
    "wrong_answer": Rule(permitted=("AC", "WA"), required=("WA",)),
    "time_limit_exceeded": Rule(permitted=("AC", "WA", "TLE"), required=("TLE",), time_bound=TimeBound.UPPER),
    "run_time_error": Rule(permitted=ALL, required=("RTE",)),
}

# 2025-09, "Default directories" and "Timelimit inference".
NEW: Mapping[str, Rule] = {
    "accepted": Rule(permitted=("AC",), time_bound=TimeBound.LOWER),
    "rejected": Rule(required=("WA", "TLE", "RTE")),
    "wrong_answer": Rule(permitted=("AC", "WA"), required=("WA",), time_bound=TimeBound.LOWER),
    "time_limit_exceeded": Rule(permitted=("AC", "TLE"), required=("TLE",), time_bound=TimeBound.UPPER),
    "run_time_error": Rule(permitted=("AC", "RTE"), required=("RTE",), time_bound=TimeBound.LOWER),
    "brute_force": Rule(permitted=("AC", "TLE", "RTE"), required=("TLE", "RTE")),
    "partially_accepted": Rule(partial=True),  # of the drafts of 2023-07
}

# DOMjudge's names of results in lower case are folders, too (SubmissionService, PROBLEM_RESULT_REMAP).
_OF_DOMJUDGE = {
    "compiler_error": Rule(permitted=("CE",), required=("CE",)),
    "compile_error": Rule(permitted=("CE",), required=("CE",)),
    "no_output": Rule(permitted=("AC", "WA"), required=("WA",)),
    "output_limit": Rule(permitted=("AC", "OLE"), required=("OLE",)),
    "run_error": Rule(permitted=("AC", "RTE"), required=("RTE",)),
    "timelimit": Rule(permitted=("AC", "TLE"), required=("TLE",)),
}


def folder_rules(version: Version) -> Mapping[str, Rule]:
    """Return what each folder of submissions/ means in a version, in the order of judging."""
    if version.is_legacy:
        later = {name: rule for name, rule in NEW.items() if name not in LEGACY}
        return LEGACY | later | _OF_DOMJUDGE
    return {**NEW, **_OF_DOMJUDGE}


def make_expectation(
    name: str, rules: Iterable[Rule], more: Iterable[Requirement] = (), *, by_verdict: bool = False
) -> Expectation:
    """Return the expectation of a submission in a folder that must meet all the rules; without any, it may do anything.

    `by_verdict`: only the verdict on the whole counts.
    """
    rules = tuple(rules)
    if not rules:
        return Expectation(name="", permitted=_ANY, required=_ANY, more=tuple(more), label="any")
    # The verdicts of DOMjudge alone are permitted only where a rule names them.
    by_rule = [ALL if rule.permitted is None else rule.permitted for rule in rules]
    permitted = tuple(verdict for verdict in (*ALL, "OLE", "CE") if all(verdict in each for each in by_rule))
    required = [rule.required for rule in rules if rule.required is not None and not {*ALL} <= {*rule.required}]
    extra = [Requirement(partial=True) for rule in rules if rule.partial]
    extra += [Requirement(required=expand(each)) for each in required[1:]]
    must = required[0] if required else permitted
    return Expectation(
        name=name,
        permitted=expand(permitted),
        required=expand(must),
        more=(*extra, *more),
        by_verdict=by_verdict,
        label="|".join(must) if must != ALL else "partial" if any(rule.partial for rule in rules) else "any",
    )


_ANY = EXPECTATIONS["rejected"].permitted


# ---- annotations --------------------------------------------------------------------------------------------------

# DOMjudge, ImportProblemService and SubmissionService::parseExpectedAnnotation; any case, the rest of the line.
_RESULTS = re.compile(rb"@EXPECTED_RESULTS@:[ \t]*([^\r\n]{0,1000})", re.IGNORECASE)
_SCORE = re.compile(rb"@EXPECTED_SCORE@:[ \t]*([^\r\n]{0,1000})", re.IGNORECASE)
_WORD = re.compile(r"[A-Z]+(?:[-_ ][A-Z]+)*")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")

_NAMES = {
    "CORRECT": "AC", "ACCEPTED": "AC", "AC": "AC",
    "WRONG-ANSWER": "WA", "NO-OUTPUT": "WA", "PRESENTATION-ERROR": "WA", "WA": "WA",
    "TIMELIMIT": "TLE", "TIME-LIMIT-EXCEEDED": "TLE", "TIMELIMIT-EXCEEDED": "TLE", "TLE": "TLE",
    "RUN-ERROR": "RTE", "RUN-TIME-ERROR": "RTE", "RUNTIME-ERROR": "RTE", "MEMORY-LIMIT": "RTE", "RTE": "RTE",
    "OUTPUT-LIMIT": "OLE", "OUTPUT-LIMIT-EXCEEDED": "OLE", "OLE": "OLE",
    "COMPILER-ERROR": "CE", "COMPILE-ERROR": "CE", "CE": "CE",
}  # fmt: skip
_MANUAL = "CHECK-MANUALLY"


class Annotation(Struct, frozen=True, kw_only=True):
    """What a source says about itself.

    Attributes:
        verdicts: any of which the submission gets; empty if they are not said.
        is_manual: a person decides, so nothing is expected.
        unknown: the words that are no results.
    """

    verdicts: tuple[str, ...] = ()
    is_manual: bool = False
    score: float | None = None
    unknown: tuple[str, ...] = ()

    @property
    def rule(self) -> Rule | None:
        """What is expected; None if that is not said.

        DOMjudge compares the first result that is not correct, so cases may be accepted, too, and those after it may
        get any verdict (`by_verdict`).
        """
        if not self.verdicts:
            return None
        permitted = self.verdicts if self.verdicts == ("CE",) else ("AC", *self.verdicts)
        return Rule(permitted=tuple(dict.fromkeys(permitted)), required=self.verdicts)


def find_annotations(source: bytes) -> list[Annotation]:
    """Return the annotations of a source: at most one is right."""
    if b"@EXPECTED_" not in source.upper():
        return []
    # One is right, so that no more than ten are read.
    found = [_read_results(match[1].decode("latin-1")) for match in islice(_RESULTS.finditer(source), 10)]
    for match in islice(_SCORE.finditer(source), 10):
        text = match[1].decode("latin-1")
        number = _NUMBER.match(text)
        found.append(Annotation(score=float(number[0])) if number else _read_results(text))
    scores = [each for each in found if each.score is not None]
    others = [each for each in found if each.score is None]
    if len(scores) == len(others) == 1:  # one of each is one annotation
        return [replace(others[0], score=scores[0].score)]
    return found


def _read_results(text: str) -> Annotation:
    verdicts: dict[str, None] = {}
    unknown = []
    is_manual = False
    for part in text.upper().split(","):
        word = _WORD.match(part.strip())
        name = re.sub("[_ ]", "-", word[0]) if word else ""
        if name == _MANUAL:
            is_manual = True
        elif name in _NAMES:
            verdicts[_NAMES[name]] = None
        else:
            unknown.append(part.strip())
    return Annotation(verdicts=tuple(verdicts), is_manual=is_manual, unknown=tuple(unknown))


# ---- submissions.yaml (2025-09, "Example submissions") ---------------------------------------------------------------

_MAX_PATTERNS = 10_000  # that all patterns of a file stand for
_UNSUPPORTED = re.compile(r"\*\*|[\[\]?]")
_TOP_GROUPS = ("sample", "secret", "*")


class Entry(Struct, frozen=True, kw_only=True):
    """What the file says about the submissions that a pattern matches.

    Attributes:
        pattern: relative to submissions/, as it is written.
        patterns: what it stands for, without braces.
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
