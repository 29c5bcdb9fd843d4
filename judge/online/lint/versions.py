"""Does a source run on a judge's interpreters? Its needs, held against the versions that the judge offers."""

import ast
from collections.abc import Iterator
from dataclasses import replace

from judge.online.lint.call_rules import call_needs
from judge.online.lint.inference import Inference
from judge.online.lint.judges import Interpreter, OnlineJudge, Version, version_text
from judge.online.lint.library import library_needs
from judge.online.lint.names import SymbolTable
from judge.online.lint.parsing import Obstacle, Parsed, Requirement, Severity
from judge.online.lint.syntax import syntax_needs

_CATCHING = frozenset(
    f"builtins.{name}" for name in ("ImportError", "ModuleNotFoundError", "AttributeError", "NameError", "TypeError")
)
_CATCHING_ALL = frozenset({"builtins.Exception", "builtins.BaseException"})
_ASKING = ("sys.version", "sys.hexversion", "sys.implementation.version", "typing.TYPE_CHECKING")


class Guards:
    """The guarded lines of one source."""

    def __init__(self, tree: ast.Module, names: SymbolTable) -> None:
        self._names = names
        self._lines: set[int] = set()
        self._doubtful: set[int] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Try):
                self._try(node)
            elif isinstance(node, ast.If | ast.IfExp) and self._asks(node.test):
                self._lines |= _lines(node, node)

    def has(self, line: int) -> bool:
        """Whether a 1-based line is guarded."""
        return line in self._lines

    def may_have(self, line: int) -> bool:
        """Whether a 1-based line stands where whatever fails is caught: perhaps a guard, perhaps not."""
        return line in self._doubtful

    def _try(self, node: ast.Try) -> None:
        caught = {kind for handler in node.handlers for kind in self._caught(handler)}
        if caught & _CATCHING or (caught & _CATCHING_ALL and all(_is_a_try_out(each) for each in node.body)):
            self._lines |= _lines(node.body[0], node.body[-1])
            for handler in node.handlers:
                self._lines |= _lines(handler, handler)
        elif caught & _CATCHING_ALL:
            self._doubtful |= _lines(node.body[0], node.body[-1])

    def _caught(self, handler: ast.ExceptHandler) -> set[str]:
        if handler.type is None:
            return {"builtins.BaseException"}
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        return {self._names.origin(kind) for kind in kinds}

    def _asks(self, test: ast.expr) -> bool:
        for node in ast.walk(test):
            origin = self._names.origin(node)
            if origin == "builtins.hasattr" or origin.startswith(_ASKING):
                return True
        return False


def _lines(first: ast.AST, last: ast.AST) -> set[int]:
    return set(range(getattr(first, "lineno", 1), (getattr(last, "end_lineno", None) or 0) + 1))


def _is_a_try_out(node: ast.stmt) -> bool:
    """Whether a statement only imports, or gives something another name: `prod = math.prod`."""
    is_name = isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Attribute)
    return is_name or isinstance(node, ast.Import | ast.ImportFrom)


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


def needs_of(source: Parsed) -> tuple[Requirement, ...]:
    """Return all that a source needs, by place; what it guards against is not asked for."""
    names = SymbolTable(source.tree)
    inference = Inference(names)
    guards = Guards(source.tree, names)
    found = [
        *syntax_needs(source.text, source.tree),
        *library_needs(source.tree, names, inference),
        *call_needs(source.tree, names, inference),
    ]
    wanted = {_as_guarded(need, guards) for need in found if need.is_syntax or not guards.has(need.line)}
    return tuple(sorted(wanted, key=lambda need: (need.line, need.column, need.what)))


def _as_guarded(need: Requirement, guards: Guards) -> Requirement:
    return replace(need, is_sure=False) if not need.is_syntax and guards.may_have(need.line) else need


def least_version(needs: tuple[Requirement, ...]) -> Version:
    """Return the first version that has everything that is surely or likely needed."""
    return max((need.since for need in needs), default=(3, 0))


def version_obstacles(needs: tuple[Requirement, ...], judge: OnlineJudge) -> Iterator[Obstacle]:
    """Yield what the judge's interpreters lack: an error when all do, a warning when one has it."""
    for need in needs:
        lacking = [each for each in judge.interpreters if _lacks(each.version, need)]
        if lacking:
            yield _obstacle(need, judge, lacking)


def _lacks(version: Version, need: Requirement) -> bool:
    return version < need.since or (need.until is not None and version >= need.until)


def _obstacle(need: Requirement, judge: OnlineJudge, lacking: list[Interpreter]) -> Obstacle:
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
