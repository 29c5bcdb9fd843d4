"""Does a source run on a judge's interpreters? Its needs, held against the versions that the judge offers."""

from collections.abc import Iterator
from dataclasses import replace

from judge.readiness.calls import call_needs
from judge.readiness.guards import Guards
from judge.readiness.inference import Inference
from judge.readiness.judges import Interpreter, OnlineJudge, Version, version_text
from judge.readiness.library import library_needs
from judge.readiness.names import Names
from judge.readiness.needs import Need
from judge.readiness.obstacle import Obstacle, Severity
from judge.readiness.parsing import Parsed
from judge.readiness.syntax import syntax_needs

# What to write instead, for what contestants use most.
_FIXES = {
    "`math.prod`": "multiply in a loop, or `functools.reduce(operator.mul, numbers, 1)`",
    "`math.isqrt`": "`int(math.sqrt(n))`, and step to the exact root",
    "`math.comb`": "`factorial(n) // factorial(k) // factorial(n - k)`",
    "`math.perm`": "`factorial(n) // factorial(n - k)`",
    "`math.lcm`": "`a * b // math.gcd(a, b)`",
    "`math.dist`": "`math.sqrt` of the sum of squares",
    "`str.removeprefix`": "`if text.startswith(prefix): text = text[len(prefix):]`",
    "`str.removesuffix`": "`if text.endswith(suffix): text = text[:-len(suffix)]`",
    "`int.bit_count`": '`bin(n).count("1")`',
    "`functools.cache`": "`functools.lru_cache(maxsize=None)`",
    "`itertools.pairwise`": "`zip(items, items[1:])`",
    "`itertools.batched`": "slice in steps",
    "`random.choices`": "call `random.choice` in a loop",
    "`zip(strict=...)`": "compare the lengths first",
    "`sum(start=...)`": "give the start without its name",
}


def needs_of(source: Parsed) -> tuple[Need, ...]:
    """Return all that a source needs, by place; what it guards against is not asked for."""
    names = Names(source.tree)
    inference = Inference(names)
    guards = Guards(source.tree, names)
    found = [
        *syntax_needs(source.text, source.tree),
        *library_needs(source.tree, names, inference),
        *call_needs(source.tree, names, inference),
    ]
    wanted = {_as_guarded(need, guards) for need in found if need.is_syntax or not guards.has(need.line)}
    return tuple(sorted(wanted, key=lambda need: (need.line, need.column, need.what)))


def _as_guarded(need: Need, guards: Guards) -> Need:
    return replace(need, is_sure=False) if not need.is_syntax and guards.may_have(need.line) else need


def least_version(needs: tuple[Need, ...]) -> Version:
    """Return the first version that has everything that is surely or likely needed."""
    return max((need.since for need in needs), default=(3, 0))


def version_obstacles(needs: tuple[Need, ...], judge: OnlineJudge) -> Iterator[Obstacle]:
    """Yield what the judge's interpreters lack: an error when all do, a warning when one has it."""
    for need in needs:
        lacking = [each for each in judge.interpreters if _lacks(each.version, need)]
        if lacking:
            yield _obstacle(need, judge, lacking)


def _lacks(version: Version, need: Need) -> bool:
    return version < need.since or (need.until is not None and version >= need.until)


def _obstacle(need: Need, judge: OnlineJudge, lacking: list[Interpreter]) -> Obstacle:
    is_error = len(lacking) == len(judge.interpreters) and need.is_sure
    who = ", ".join(each.name for each in lacking)
    if need.until is not None and any(each.version >= need.until for each in lacking):
        is_text = need.what.startswith("text of")
        when = f"{'refused since the last patches of' if is_text else 'gone since'} Python {version_text(need.until)}"
        when = "not in Python 3" if need.until <= (3, 0) else when
    else:
        when = f"new in Python {version_text(need.since)}"
    others = [each.name for each in judge.interpreters if each not in lacking]
    fix = need.fix or _FIXES.get(need.what) or "write it without, or guard it: `try: ... except (ImportError, ...)`"
    if others:
        fix += f"; or choose {' or '.join(others)}"
    return Obstacle(
        check="version",
        severity=Severity.ERROR if is_error else Severity.WARNING,
        line=need.line,
        column=need.column,
        reason=f"{need.what}: {when}; {judge.name} runs {who}",
        fix=fix,
    )


def at_version(judge: OnlineJudge, version: Version) -> OnlineJudge:
    """Return the judge as if it had just one interpreter, of a version that the user names."""
    only = Interpreter(name=f"Python {version_text(version)}", version=version, commands=())
    return replace(judge, interpreters=(only,))
