"""What the names of a source refer to, and what it requires of Python, compared with the versions that a judge offers.

A source may guard a requirement: `try: from math import prod` with a handler, or a test of `sys.version_info`.
"""

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import Diagnostic, Severity
from judge.online.lint.judges import OnlineJudge
from judge.online.python_source import Version, format_version

_BUILTINS = frozenset(dir(builtins))


class Names:
    """The names that a source binds, whatever their scope.

    A name that only imports of one path bind refers to that path, and one that nothing binds to a builtin. All others,
    such as an import that a parameter hides in some function, are unknown, so that the rules raise no false alarms.

    Attributes:
        stars: the modules of `from module import *`.
        attributes: names that the source gives to attributes of values.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.stars: list[str] = []
        self.attributes: set[str] = set()
        self._bindings: dict[str, list[str]] = defaultdict(list)  # the path that an import binds; "" for anything else
        self._constants: dict[str, ast.Constant] = {}
        for node in ast.walk(tree):
            self._bind(node)

    def _bind(self, node: ast.AST) -> None:
        match node:
            case ast.Import(names=imported):
                for alias in imported:
                    top = alias.name.partition(".")[0]
                    self._bindings[alias.asname or top].append(alias.name if alias.asname else top)
            case ast.ImportFrom(module=module, level=level, names=imported):
                module = "." * level + (module or "")
                for alias in imported:
                    if alias.name == "*":
                        self.stars.append(module)
                    else:
                        self._bindings[alias.asname or alias.name].append(f"{module}.{alias.name}")
            case (
                ast.Name(id=name, ctx=ast.Store() | ast.Del())
                | ast.arg(arg=name)
                | ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
                | ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.MatchMapping(rest=str(name))
            ):
                self._bindings[name].append("")
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.keyword(arg=str(name)):
                self.attributes.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value):
                self._constants[name] = value

    def is_bound(self, name: str) -> bool:
        """Whether the source binds a name anywhere."""
        return name in self._bindings

    def resolve(self, node: ast.AST | None) -> str:
        """Return the dotted path that a name or attribute refers to: `math.prod`, `builtins.len`; "" if unknown."""
        match node:
            case ast.Attribute(value=value, attr=attribute):
                owner = self.resolve(value)
                return f"{owner}.{attribute}" if owner else ""
            case ast.Name(id=name) if name in self._bindings:
                paths = set(self._bindings[name])
                return paths.pop() if len(paths) == 1 else ""
            case ast.Name(id=name) if name in _BUILTINS:
                return f"builtins.{name}"
        return ""

    def constant(self, name: str) -> ast.Constant | None:
        """Return the constant that is a name's only value: `LOCAL = False`; None if it has others."""
        return self._constants.get(name) if len(self._bindings.get(name, ())) == 1 else None


# ---- requirements ----------------------------------------------------------------------------------------------------

PYTHON_3: Version = (3, 0)


class Requirement(Struct, frozen=True, kw_only=True):
    """One place of a source that some versions of Python cannot run.

    Attributes:
        line, column: 1-based; a column of 0 is unknown.
        what: the feature, as the source writes it.
        since: the first version that has it.
        until: the first version that no longer has it; None if all later versions do.
        is_sure: the source certainly uses the feature; otherwise it probably does.
        is_syntax: older versions cannot parse the file, so a `try` does not help.
        fix: what to write instead; "" for the default advice.
    """

    line: int
    column: int = 0
    what: str
    since: Version = PYTHON_3
    until: Version | None = None
    is_sure: bool = True
    is_syntax: bool = False
    fix: str = ""


def position(node: ast.AST) -> tuple[int, int]:
    """Return a node's 1-based line and column, or 0, 0 if it has none. Columns count bytes: the same in ASCII."""
    return getattr(node, "lineno", 0), getattr(node, "col_offset", -1) + 1


def require(
    node: ast.AST, what: str, *, since: Version = PYTHON_3, until: Version | None = None, fix: str = ""
) -> Requirement:
    """Return a requirement at a node's position."""
    line, column = position(node)
    return Requirement(line=line, column=column, what=what, since=since, until=until, fix=fix)


# ---- guards ----------------------------------------------------------------------------------------------------------

_GUARDS = frozenset(
    f"builtins.{name}" for name in ("ImportError", "ModuleNotFoundError", "AttributeError", "NameError", "TypeError")
)
_CATCH_ALL = frozenset({"builtins.Exception", "builtins.BaseException"})
_VERSION_TESTS = ("sys.version", "sys.hexversion", "sys.implementation.version", "typing.TYPE_CHECKING")


class Guards:
    """The 1-based lines of a source that handle a missing feature.

    A handler of everything (`except Exception`) around more than an import may serve another purpose, such as the end
    of the input: its lines are only possibly guarded.
    """

    def __init__(self, tree: ast.Module, names: Names) -> None:
        self.certain: set[int] = set()
        self.possible: set[int] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Try):
                caught = caught_errors(node, names)
                body = _lines(node.body[0], node.body[-1])
                names_only = all(  # imports, and other names for something: `prod = math.prod`
                    isinstance(each, ast.Import | ast.ImportFrom)
                    or (isinstance(each, ast.Assign) and isinstance(each.value, ast.Name | ast.Attribute))
                    for each in node.body
                )
                if caught & _GUARDS or (caught & _CATCH_ALL and names_only):
                    self.certain |= body.union(*(_lines(handler, handler) for handler in node.handlers))
                elif caught & _CATCH_ALL:
                    self.possible |= body
            elif isinstance(node, ast.If | ast.IfExp):
                paths = [names.resolve(part) for part in ast.walk(node.test)]
                if any(path == "builtins.hasattr" or path.startswith(_VERSION_TESTS) for path in paths):
                    self.certain |= _lines(node, node)

    def apply(self, requirements: Iterable[Requirement]) -> Iterator[Requirement]:
        """Yield the requirements that are not guarded, as uncertain where they possibly are."""
        for each in requirements:
            if each.is_syntax or each.line not in self.certain | self.possible:
                yield each
            elif each.line not in self.certain:
                yield replace(each, is_sure=False)


def caught_errors(node: ast.Try, names: Names) -> set[str]:
    """Return the dotted paths of the exceptions that the handlers of a `try` catch."""
    found: set[str] = set()
    for handler in node.handlers:
        types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        found |= {names.resolve(each) if each else "builtins.BaseException" for each in types}
    return found


def _lines(first: ast.AST, last: ast.AST) -> set[int]:
    return set(range(getattr(first, "lineno", 1), (getattr(last, "end_lineno", None) or 0) + 1))


# ---- what a judge lacks ----------------------------------------------------------------------------------------------

# Replacements for what contestants use most.
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
    "`sum(start=...)`": "pass the start value by position",
}
_DEFAULT_FIX = "avoid it, or guard it: `try: ... except (ImportError, ...)`"


def check_requirements(requirements: Iterable[Requirement], judge: OnlineJudge, path: Path) -> Iterator[Diagnostic]:
    """Yield what the judge's Pythons lack: an error if all of them do, a warning if one has it."""
    for requirement in requirements:
        since, until = requirement.since, requirement.until
        lacking = [each for each in judge.pythons if each.version < since or (until and each.version >= until)]
        if not lacking:
            continue
        fix = requirement.fix or _FIXES.get(requirement.what) or _DEFAULT_FIX
        others = [python.name for python in judge.pythons if python not in lacking]
        if others:
            fix += f"; or choose {' or '.join(others)}"
        names = ", ".join(python.name for python in lacking)
        if until is None or all(python.version < until for python in lacking):
            history = f"new in Python {format_version(since)}"
        else:
            history = "not in Python 3" if until <= PYTHON_3 else f"removed in Python {format_version(until)}"
        yield Diagnostic(
            path=path,
            line=requirement.line,
            column=requirement.column,
            severity=Severity.ERROR if requirement.is_sure and not others else Severity.WARNING,
            rule="version",
            message=f"{requirement.what}: {history}; {judge.name} runs {names}",
            fix=fix,
        )
