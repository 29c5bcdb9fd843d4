"""What of the language itself a source uses that not every Python parses, or compiles.

vermin's visitor tells most; it says the line. What it misses, it misses since the tree does not show it (`1_000`) or
since it has no rule (`return 1, *rest`).
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from judge.online.lint.call_rules import need
from judge.online.lint.judges import Version
from judge.online.lint.parsing import Requirement

# vermin's words for the language itself: what they begin with, and what to write instead.
_FEATURES = {
    "f-strings": "use `str.format`",
    "self-documenting f-strings": "write the name and the value apart",
    "fstrings": "take the inner expression out of the f-string",
    "PEP 701": "take the inner expression out of the f-string",
    "f-string": "take the inner expression out of the f-string",
    "variable annotations": "leave the annotation out",
    "named expressions": "assign on a line of its own",
    "positional-only": "leave the `/` out",
    "pattern matching": "use `if` and `elif`",
    "relaxed decorators": "give the decorator a name first",
    "`except*`": "use `except`",
    "type alias": "assign the type, or leave it out",
    "generic class": "use `typing.TypeVar`",
    "generic function": "use `typing.TypeVar`",
    "async": "do without",
    "asynchronous": "do without",
    "await": "do without",
    "`continue` in `finally`": "move the `continue` out of `finally`",
    "continue in finally": "move the `continue` out of `finally`",
    "unpacking": "unpack on a line of its own",
    "infix matrix": "call a function",
    "generalized unpacking": "unpack on a line of its own",
    "template string": "use `str.format`",
    "unary `+`": "leave the `+` out",
}
# Needs that are no matter of parsing: a `try` around them can help.
_AT_RUN_TIME = {"'functools.lru_cache' user function decorator": "write `@lru_cache(maxsize=None)`"}


_LINE = re.compile(r"source:(\d*):(\d*):[^:]*:([^:]*):(.*)")


def syntax_needs(text: str, tree: ast.Module) -> Iterator[Requirement]:
    """Yield a need for everything that an older Python cannot parse."""
    yield from _vermin(text, tree)
    yield from _tokens(text)
    for node in ast.walk(tree):
        yield from _own(node)
        yield from _commas(text, node)
        yield from _parentheses(text, node)
        yield from _hooks(node)


def _vermin(text: str, tree: ast.Module) -> Iterator[Requirement]:
    import vermin
    from vermin.formats import ParsableFormat

    config = vermin.Config()
    config.set_format(ParsableFormat())  # one line a need: path:line:column:2.x:3.x:what
    config.set_verbose(3)
    config.set_parse_comments(False)  # a comment for vermin is no reason to be silent
    visitor = vermin.SourceVisitor(config, "source", text)
    visitor.set_no_lines(set())
    visitor.tour(tree)
    visitor.minimum_versions()
    for line in visitor.output_text().splitlines():
        found = _LINE.fullmatch(line)
        if found is None:  # the rest of a source line that vermin quotes
            continue
        at, column, since, what = found.groups()
        version = _version(since)
        if version is None or version <= (3, 5) or what == "async comprehensions":  # no judge is older; see `_own`
            continue
        fix = next((fix for start, fix in _FEATURES.items() if what.startswith(start)), None)
        if fix is not None or what in _AT_RUN_TIME:
            yield Requirement(
                line=int(at or 1), column=int(column or 0), what=what, since=version,
                is_syntax=fix is not None, fix=fix or _AT_RUN_TIME[what],
            )  # fmt: skip


def _version(text: str) -> Version | None:
    found = re.fullmatch(r"[~!]?(\d)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found and not text.startswith("!") else None


def _tokens(text: str) -> Iterator[Requirement]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NUMBER and "_" in token.string:
            line, column = token.start
            yield Requirement(
                line=line, column=column + 1, what=f"`_` in the number {token.string}", since=(3, 6), is_syntax=True,
                fix="leave the `_` out",
            )  # fmt: skip


# What may stand between a function's last parameter and the parenthesis or colon: blanks, continued lines, comments;
# before the comma also what closes the parameter's own parentheses.
_COMMA = re.compile(r"(?:[\s\\)]|#[^\n]*\n)*,(?:[\s\\]|#[^\n]*\n)*[):]")
_COMMENT = re.compile(r"#[^\n]*")


def _commas(text: str, node: ast.AST) -> Iterator[Requirement]:
    """Yield a need for a comma after the last parameter where one has a star (bugs.python.org/issue9232)."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return
    rest = [each for each in (*node.args.kwonlyargs, *node.args.kw_defaults, node.args.vararg, node.args.kwarg) if each]
    if rest and _COMMA.match(_text_between(text, max(map(_end, rest)))):
        yield _syntax(node, "a comma after the last parameter, with `*` before", (3, 6), "leave the comma out")


def _parentheses(text: str, node: ast.AST) -> Iterator[Requirement]:
    """Yield a need for parentheses around all that a `with` opens, which are closed behind its first item."""
    if not isinstance(node, ast.With | ast.AsyncWith):
        return
    first = node.items[0].context_expr
    follower = node.items[0].optional_vars or (node.items[1].context_expr if len(node.items) > 1 else None)
    if follower is None:
        return  # for an older Python they are the item's own
    before = _COMMENT.sub("", _text_between(text, _start(node), _start(first)))
    after = _COMMENT.sub("", _text_between(text, _end(first), _start(follower)))
    if before.count("(") > after.count(")"):
        yield _syntax(node, "parentheses around what a `with` statement opens", (3, 9), "leave the parentheses out")


def _start(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _end(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", None) or 0, getattr(node, "end_col_offset", None) or 0


def _text_between(text: str, start: tuple[int, int], end: tuple[int, int] | None = None) -> str:
    """Return what stands between two places of the tree, or after one: lines from 1, columns of bytes."""
    lines = [line.encode() for line in text.split("\n")[start[0] - 1 : end and end[0]]]
    if end:
        lines[-1] = lines[-1][: end[1]]
    lines[0] = lines[0][start[1] :]
    return b"\n".join(lines).decode()


def _syntax(node: ast.AST, what: str, since: Version, fix: str) -> Requirement:
    found = need(node, what, since, fix)
    return Requirement(line=found.line, column=found.column, what=what, since=since, fix=fix, is_syntax=True)


def _own(node: ast.AST) -> Iterator[Requirement]:
    match node:
        case ast.Return(value=ast.Tuple() as value) | ast.Expr(value=ast.Yield(value=ast.Tuple() as value)):
            if _bare_star(value):
                yield _syntax(value, "`*` in a tuple without parentheses", (3, 8), "put parentheses around the tuple")
        case ast.Assign(value=ast.Yield(value=ast.Tuple() as value)) if _bare_star(value):
            yield _syntax(value, "`*` in a tuple without parentheses", (3, 8), "put parentheses around the tuple")
        case ast.For(iter=ast.Tuple() as value) if _bare_star(value):
            yield _syntax(value, "`*` in a tuple without parentheses", (3, 9), "put parentheses around the tuple")
        case ast.Subscript(slice=ast.Tuple() as value) if _bare_star(value):
            yield _syntax(value, "`*` in an index", (3, 11), "put parentheses around the index")
        case ast.AsyncFunctionDef() if any(isinstance(each, ast.Yield) for each in _in_function(node)):
            yield _syntax(node, "an asynchronous generator", (3, 6), "do without")
        case ast.comprehension(is_async=1, target=target):
            yield _syntax(target, "an asynchronous comprehension", (3, 6), "do without")
        case ast.FunctionDef() | ast.ClassDef() if parameters := getattr(node, "type_params", []):  # from 3.12 on
            yield _syntax(node, "type parameters", (3, 12), "use `typing.TypeVar`")
            if any(getattr(each, "default_value", None) for each in parameters):
                yield _syntax(node, "a default of a type parameter", (3, 13), "use `typing.TypeVar`")


def _hooks(node: ast.AST) -> Iterator[Requirement]:
    """Yield a need for methods that nobody calls on an older Python (PEP 487)."""
    for each in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(each, ast.FunctionDef) and each.name in ("__init_subclass__", "__set_name__"):
            yield need(each, f"a `{each.name}` that Python calls", (3, 6), "give it another name and call it")


def _bare_star(value: ast.Tuple) -> bool:
    """Whether a tuple has a star and no parentheses: those belong to its place."""
    if not any(isinstance(part, ast.Starred) for part in value.elts):
        return False
    first = value.elts[0]
    return (value.lineno, value.col_offset) == (first.lineno, first.col_offset)


def _in_function(function: ast.AST) -> Iterator[ast.AST]:
    """Yield what belongs to a function itself, not to one inside it."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield node
            yield from _in_function(node)
