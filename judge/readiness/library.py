"""What of the standard library a source uses that not every Python has: modules, members and keywords.

From which version on is vermin's knowledge (its tables of rules); which name means which member is ours to find out
(`names`), so that a variable that is called like a module raises no alarm. What was removed, and the few things that
vermin's tables lack, stand in `removals` and `calls`.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache

from judge.readiness.inference import Inference, base_of
from judge.readiness.judges import Version
from judge.readiness.names import Names
from judge.readiness.needs import Need, place_of
from judge.readiness.removals import REMOVALS, REMOVED_MODULES

Rule = tuple[Version | None, Version | None]

# Methods that only builtin types have, so that a value of unknown type is one of them, or there is an AttributeError.
DISTINCTIVE = {
    "removeprefix": ("str", (3, 9)),
    "removesuffix": ("str", (3, 9)),
    "isascii": ("str", (3, 7)),
    "bit_count": ("int", (3, 10)),
}

# vermin's tables lack these, or do not know of the patches of 2022, by which 3.7 to 3.10 have the first two.
_MORE_MEMBERS: Mapping[str, Version] = {
    "sys.set_int_max_str_digits": (3, 7),
    "sys.get_int_max_str_digits": (3, 7),
    "sys.stdin.reconfigure": (3, 7),
    "sys.stdout.reconfigure": (3, 7),
    "int.is_integer": (3, 12),
    "fractions.Fraction.is_integer": (3, 12),
}


@cache
def _rules() -> tuple[Mapping[str, Rule], Mapping[str, Rule], Mapping[tuple[str, str], Rule]]:
    """Return vermin's tables: modules, members, keywords; to the first version 2 and 3 that have them."""
    import vermin

    config = vermin.Config()
    return vermin.MOD_REQS(config), vermin.MOD_MEM_REQS(config), vermin.KWARGS_REQS(config)


def library_needs(tree: ast.Module, names: Names, inference: Inference) -> Iterator[Need]:
    """Yield a need for every use of something that Python 3 did not always have, or has no more."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=imported):
                for alias in imported:
                    yield from _module(alias.name, alias)
            case ast.ImportFrom(module=str(module), level=0, names=imported):
                yield from _module(module, node)
                for alias in imported:
                    yield from _member(f"{module}.{alias.name}", alias)
            case ast.Name(ctx=ast.Load()):
                yield from _name(node, names)
            case ast.Attribute(ctx=ast.Load()):
                yield from _attribute(node, names, inference)
            case ast.Call(func=function, keywords=keywords):
                yield from _keywords(_paths(function, names, inference), keywords)


def _name(node: ast.Name, names: Names) -> Iterator[Need]:
    if (origin := names.origin(node)).startswith("builtins."):
        yield from _member(origin, node)
    elif starred := next((path for path in names.starred(node) if path in _rules()[1]), ""):
        yield from _member(starred, node)
    elif names.bindings(node) is None:
        yield from _gone(f"builtins.{node.id}", node)


def _paths(function: ast.expr, names: Names, inference: Inference) -> Iterator[str]:
    if origin := names.origin(function):
        yield origin.removeprefix("builtins.")
    elif isinstance(function, ast.Attribute) and (kind := inference.type_of(function.value)):
        yield f"{base_of(kind)}.{function.attr}"


def _module(name: str, node: ast.AST) -> Iterator[Need]:
    modules = _rules()[0]
    line, column = place_of(node)
    parts = name.split(".")
    for path in (".".join(parts[:size]) for size in range(1, len(parts) + 1)):
        if path in REMOVED_MODULES:
            until, fix = REMOVED_MODULES[path]
            yield Need(line=line, column=column, what=f"the module `{path}`", until=until, fix=fix)
        elif (rule := modules.get(path)) and rule[1]:
            yield Need(line=line, column=column, what=f"the module `{path}`", since=rule[1])


def _member(path: str, node: ast.AST) -> Iterator[Need]:
    plain = path.removeprefix("builtins.")
    since = _MORE_MEMBERS.get(plain) or (_rules()[1].get(plain) or (None, None))[1]
    line, column = place_of(node)
    if since:
        yield Need(line=line, column=column, what=f"`{plain}`", since=since)
    yield from _gone(path, node)


def _gone(path: str, node: ast.AST) -> Iterator[Need]:
    if path in REMOVALS:
        until, fix = REMOVALS[path]
        line, column = place_of(node)
        yield Need(line=line, column=column, what=f"`{path.removeprefix('builtins.')}`", until=until, fix=fix)


def _attribute(node: ast.Attribute, names: Names, inference: Inference) -> Iterator[Need]:
    origin = names.origin(node)
    if origin:
        yield from _member(origin, node)
    if kind := inference.type_of(node.value):
        yield from _member(f"{base_of(kind)}.{node.attr}", node)
        if base_of(kind) in ("dict", "str"):
            yield from _gone(f"builtins.{base_of(kind)}.{node.attr}", node)
    elif not origin and node.attr in DISTINCTIVE and node.attr not in names.attributes:
        of, since = DISTINCTIVE[node.attr]
        line, column = place_of(node)
        yield Need(line=line, column=column, what=f"`{of}.{node.attr}`", since=since)


def _keywords(paths: Iterator[str], keywords: list[ast.keyword]) -> Iterator[Need]:
    table = _rules()[2]
    for path in paths:
        for each in keywords:
            if each.arg and (rule := table.get((path, each.arg))) and rule[1]:
                line, column = place_of(each)
                yield Need(line=line, column=column, what=f"`{path}({each.arg}=...)`", since=rule[1])
