"""problem.yaml of a package, and the files for the time limit ("Problem metadata" in both versions)."""

import math
import re
import shlex
import uuid
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import yaml

from judge.base.data import read_data
from judge.base.units import MIB, format_bytes, format_seconds
from judge.model import Problem, ProblemType, default_wall
from judge.model.groups import Aggregation
from judge.packages.export.package import Package, Target, plain_number
from judge.problems.icpc.problem_yaml import read_title
from judge.problems.yaml.text import quote, quote_all

_NAMESPACE = uuid.UUID("7d0f1f4e-5f0b-5a53-9d0a-3c8f6e1b2a47")  # of the ids of problems
_STATEMENT = re.compile(r"statement/problem\.([a-z]{2,3}(?:-[A-Z]{2})?)\.\w+")
MAX_YAML = 1 << 18
_RESOLUTIONS = (Fraction(1), Fraction(1, 2), Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000))
_KEPT = ("license", "rights_owner")  # texts that mean the same in all versions
_KEPT_2025_09 = ("source", "credits", "version", "keywords", "embargo_until", "languages", "constants")
_KEPT_LIMITS = ("code", "compilation_time", "compilation_memory")  # which the judge does not apply
_KEPT_LEGACY = ("author", "keywords")


def add_metadata(package: Package, problem: Problem, *, flags: tuple[str, ...]) -> None:
    """Add problem.yaml, and for DOMjudge the files with the time limit.

    `flags` are the arguments of the output validator for all cases; only legacy has them here.
    """
    given = read_original(problem, "problem.yaml")
    if package.target.is_legacy:
        package.add_yaml("problem.yaml", _legacy(package, problem, given, flags))
        add_time_limit(package, problem)
    else:
        package.add_yaml("problem.yaml", _new(package, problem, given))
    if problem.limits.wall != default_wall(problem.limits.cpu):
        package.losses.append(f"the limit of {format_seconds(problem.limits.wall)} elapsed time: no format has one")
    if languages := quote_all(problem.compile_flags):
        package.losses.append(f"`compile_flags` of {languages}: contest systems have their own")
    if problem.profile not in ("icpc", "kattis"):
        package.notes.append(f"the profile {quote(problem.profile)} is left out: the limits and the checker say it all")


def problem_uuid(problem_id: str) -> str:
    """Return the UUID of a problem, which depends on its id only."""
    return str(uuid.uuid5(_NAMESPACE, problem_id))


def read_original(problem: Problem, name: str) -> Mapping[str, object]:
    """Return what a YAML file of a package says; its reader has checked that it is fine."""
    value = read_yaml(problem.folder / name) if problem.is_package and problem.folder else None
    return value if isinstance(value, dict) else {}


def read_yaml(path: Path) -> object:
    """Return the content of a YAML file that another reader has checked; None if there is none."""
    try:
        return yaml.safe_load(path.read_bytes()[:MAX_YAML])
    except (OSError, yaml.YAMLError, ValueError, RecursionError):
        return None


def _new(package: Package, problem: Problem, given: Mapping[str, object]) -> dict[str, object]:
    found: dict[str, object] = {"problem_format_version": "2025-09", "name": _names(package, problem, given)}
    types = sorted(each.value for each in problem.types)
    if types:
        found["type"] = types[0] if len(types) == 1 else types
    found["uuid"] = str(given.get("uuid") or problem_uuid(problem.id))
    if problem.source:
        source = {"name": problem.source.name}
        found["source"] = source | ({"url": problem.source.url} if problem.source.url else {})
    if isinstance(author := given.get("author"), str):
        found["credits"] = {"authors": [each.strip() for each in author.replace(" and ", ",").split(",")]}
    if isinstance(keywords := given.get("keywords"), str):
        found["keywords"] = keywords.split()
    kept = (*_KEPT, *(_KEPT_2025_09 if problem.format != "icpc-legacy" else ()))
    found |= {key: given[key] for key in kept if key in given}
    passes = {"validation_passes": problem.passes} if problem.passes > 1 else {}
    found["limits"] = _keep(given, "limits", _KEPT_LIMITS) | _limits(package, problem) | _time(problem) | passes
    return found


def _names(package: Package, problem: Problem, given: Mapping[str, object]) -> str | dict[str, str]:
    """Return the name in the language of each statement; a single string is the one in English."""
    known = given.get("name")
    names = {str(key): str(name) for key, name in known.items() if name} if isinstance(known, dict) else {}
    for path in package.files:
        if (found := _STATEMENT.fullmatch(path)) and found[1] not in names:
            title = read_title(read_data(package.files[path])[:MAX_YAML].decode(errors="replace"))
            names[found[1]] = title if title and found[1] != "en" else problem.name
    return problem.name if names.keys() <= {"en"} else names


def _time(problem: Problem) -> dict[str, object]:
    rule = problem.time_rule
    found: dict[str, object] = {}
    if rule and (rule.ac_to_time_limit, rule.time_limit_to_tle) != (2.0, 1.5):
        found["time_multipliers"] = {
            "ac_to_time_limit": rule.ac_to_time_limit,
            "time_limit_to_tle": rule.time_limit_to_tle,
        }
    if rule is None or rule.given is not None:
        limit = Fraction(repr(float(problem.limits.cpu)))
        found["time_limit"] = plain_number(problem.limits.cpu)
        resolution = next((each for each in _RESOLUTIONS if limit % each == 0), limit)
        if resolution != 1:
            found["time_resolution"] = float(resolution)
    elif float(rule.resolution) != 1.0:
        found["time_resolution"] = rule.resolution
    return found


def _limits(package: Package, problem: Problem) -> dict[str, object]:
    """Return the limits of memory and output, in MiB, and those of the programs that judge."""
    found: dict[str, object] = {}
    sizes = {"memory": problem.limits.memory, "output": problem.limits.output}
    if (limits := problem.checker_limits) is not None:
        found["validation_time"] = plain_number(limits.cpu)
        sizes |= {"validation_memory": limits.memory, "validation_output": limits.output}
    for key, size in sizes.items():
        found[key] = math.ceil(size / MIB)
        if size % MIB:
            package.losses.append(f"the {key} limit of {format_bytes(size)}: rounded up to {found[key]} MiB")
    return found


def _legacy(
    package: Package, problem: Problem, given: Mapping[str, object], flags: tuple[str, ...]
) -> dict[str, object]:
    found: dict[str, object] = {"problem_format_version": "legacy", "name": problem.name}
    if package.target is Target.KATTIS or "uuid" in given:
        found["uuid"] = str(given.get("uuid") or problem_uuid(problem.id))
    types = ["scoring"] if ProblemType.SCORING in problem.types else []
    is_of_domjudge = package.target is Target.DOMJUDGE
    if is_of_domjudge and problem.types >= {ProblemType.INTERACTIVE, ProblemType.MULTI_PASS}:
        types.append("multi-pass")  # `validation` has the other one
    if types:
        found["type"] = " ".join(types)
    if problem.source:
        found["source"] = problem.source.name
        found |= {"source_url": problem.source.url} if problem.source.url else {}
    found |= _keep_legacy(package, given)
    found["validation"] = _validation(package, problem)
    if flags:
        found["validator_flags"] = shlex.join(flags)
    limits = _limits(package, problem)
    rule = problem.time_rule
    if rule and (rule.ac_to_time_limit, rule.time_limit_to_tle) != (5.0, 2.0):
        limits |= {"time_multiplier": rule.ac_to_time_limit, "time_safety_margin": rule.time_limit_to_tle}
    if is_of_domjudge and problem.passes > 1:
        limits["validation_passes"] = problem.passes
    found["limits"] = _keep(given, "limits", _KEPT_LIMITS) | limits
    if problem.groups and problem.groups.is_minimized:
        found["grading"] = {"objective": "min"}
    return found


def _keep(given: Mapping[str, object], key: str, names: Sequence[str]) -> dict[str, object]:
    """Return what a mapping in problem.yaml of a package says for some keys, which mean the same in all versions."""
    values = given.get(key)
    return {name: values[name] for name in names if name in values} if isinstance(values, dict) else {}


def _keep_legacy(package: Package, given: Mapping[str, object]) -> dict[str, object]:
    """Return what legacy has of the other keys of a package; the rest is reported."""
    found = {key: given[key] for key in (*_KEPT, *_KEPT_LEGACY) if isinstance(given.get(key), str)}
    keywords, names = given.get("keywords"), given.get("name")
    if isinstance(keywords, list):
        found["keywords"] = " ".join(map(str, keywords))
    given_credits = given.get("credits")
    roles = given_credits if isinstance(given_credits, dict) else {"authors": given_credits}
    authors = roles.get("authors") or []
    listed = authors if isinstance(authors, list) else [authors]
    people = [each.get("name") if isinstance(each, dict) else each for each in listed]
    if people:
        found["author"] = ", ".join(map(str, people))
    if others := sorted(map(str, roles.keys() - {"authors"})):
        package.losses.append(f"{quote_all(others)} in `credits` of problem.yaml: not in this format")
    for key in ("languages", "embargo_until", "version"):
        if key in given and given[key] != "all":
            package.losses.append(f"{quote(key)} of problem.yaml: not in this format")
    if isinstance(names, dict) and len(names) > 1:
        package.losses.append("the name in other languages: only the statements have it in this format")
    return found


def _validation(package: Package, problem: Problem) -> str:
    """Return the words of `validation`; a checker in the protocol of testlib is reported with the programs.

    DOMjudge knows `custom`, `custom interactive` and `custom multi-pass` only (`parseYaml`, ImportProblemService.php).
    """
    words = []
    for kind, word in ((ProblemType.INTERACTIVE, "interactive"), (ProblemType.MULTI_PASS, "multi-pass")):
        words += [word] if kind in problem.types else []
    if ProblemType.MULTI_PASS in problem.types and package.target is not Target.DOMJUDGE:
        package.breaking.append("the type `multi-pass`: only DOMjudge reads it in the legacy format")
    if ProblemType.SUBMIT_ANSWER in problem.types:
        package.breaking.append("the type `submit-answer`: not in this format")
    if problem.checker.program is None and problem.interactor is None:
        return "default"
    if package.target is Target.DOMJUDGE:
        return " ".join(("custom", *words[:1]))
    groups = problem.groups.walk() if problem.groups else ()
    if any(group.aggregation is not Aggregation.PASS_FAIL and not group.groups for group in groups):
        words.append("score")  # at Kattis, a program that gives no scores is then an error
    return " ".join(("custom", *words))


def add_time_limit(package: Package, problem: Problem) -> None:
    """Add the time limit, which the text of legacy does not have."""
    if problem.needs_time_limit:
        return
    text = f"{plain_number(problem.limits.cpu)}\n"
    if package.target is Target.DOMJUDGE:
        if "domjudge-problem.ini" not in package.files:
            package.add("domjudge-problem.ini", f"timelimit='{text.strip()}'\n".encode())
        package.add(".timelimit", text.encode())
    else:
        package.add(".timelimit", text.encode())
        package.notes.append("the time limit is in .timelimit: the format itself measures it")
