"""What a source requires of the language: syntax that older versions of Python cannot parse or compile.

vermin finds most of it. It misses what the tree does not show (`1_000`), and what it has no rule for
(`return 1, *rest`).
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from msgspec.structs import replace

from judge.online.lint.requirements import Requirement, require
from judge.online.python_source import PythonSource, Version

# How vermin's descriptions of syntax begin, and the fix.
_FEATURES = {
    "f-strings": "use `str.format`",
    "self-documenting f-strings": "write the name and the value separately",
    "fstrings": "move the inner expression out of the f-string",
    "PEP 701": "move the inner expression out of the f-string",
    "f-string": "move the inner expression out of the f-string",
    "variable annotations": "remove the annotation",
    "named expressions": "assign in a separate statement",
    "positional-only": "remove the `/`",
    "pattern matching": "use `if` and `elif`",
    "relaxed decorators": "assign the decorator to a name first",
    "`except*`": "use `except`",
    "type alias": "assign the type, or remove it",
    "generic class": "use `typing.TypeVar`",
    "generic function": "use `typing.TypeVar`",
    "async": "avoid it",
    "asynchronous": "avoid it",
    "await": "avoid it",
    "`continue` in `finally`": "move the `continue` out of `finally`",
    "continue in finally": "move the `continue` out of `finally`",
    "unpacking": "unpack in a separate statement",
    "infix matrix": "call a function",
    "generalized unpacking": "unpack in a separate statement",
    "template string": "use `str.format`",
    "unary `+`": "remove the `+`",
}
# What a `try` can guard, since it does not concern the parser.
_AT_RUN_TIME = {"'functools.lru_cache' user function decorator": "write `@lru_cache(maxsize=None)`"}

_VERMIN_LINE = re.compile(r"source:(\d*):(\d*):[^:]*:([^:]*):(.*)")


def find_syntax_requirements(source: PythonSource) -> Iterator[Requirement]:
    """Yield a requirement for each piece of syntax that an older Python cannot parse."""
    yield from _run_vermin(source)
    yield from _check_numbers(source.text)
    for node in ast.walk(source.tree):
        yield from _check_node(node)
        yield from _check_trailing_comma(source.text, node)
        yield from _check_parentheses(source.text, node)
        yield from _check_hooks(node)


def _run_vermin(source: PythonSource) -> Iterator[Requirement]:
    import vermin
    from vermin.formats import ParsableFormat

    config = vermin.Config()
    config.set_format(ParsableFormat())  # one line per requirement: path:line:column:2.x:3.x:description
    config.set_verbose(3)
    config.set_parse_comments(False)  # a comment for vermin must not hide a requirement
    visitor = vermin.SourceVisitor(config, "source", source.text)
    visitor.set_no_lines(set())
    visitor.tour(source.tree)
    visitor.minimum_versions()
    for output in visitor.output_text().splitlines():
        found = _VERMIN_LINE.fullmatch(output)
        if found is None:  # the rest of a source line that vermin quotes
            continue
        line, column, version, what = found.groups()
        since = _parse_version(version)
        # every judge has 3.5; `_check_node` has the rule about comprehensions
        if since is None or since <= (3, 5) or what == "async comprehensions":
            continue
        fix = next((fix for start, fix in _FEATURES.items() if what.startswith(start)), None)
        if fix is not None or what in _AT_RUN_TIME:
            yield Requirement(
                line=int(line or 1), column=int(column or 0), what=what, since=since,
                is_syntax=fix is not None, fix=fix or _AT_RUN_TIME[what],
            )  # fmt: skip


def _parse_version(text: str) -> Version | None:
    """Return a version of vermin's output, such as `3.8`; None for `~3` (every version) and `!3` (no version)."""
    found = re.fullmatch(r"~?(\d)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else None


def _check_numbers(text: str) -> Iterator[Requirement]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NUMBER and "_" in token.string:
            line, column = token.start
            yield Requirement(
                line=line, column=column + 1, what=f"`_` in the number {token.string}", since=(3, 6), is_syntax=True,
                fix="remove the `_`",
            )  # fmt: skip


# Between a function's last parameter and the closing parenthesis or colon: spaces, continued lines, comments; before
# the comma also what closes the parameter's own parentheses.
_TRAILING_COMMA = re.compile(r"(?:[\s\\)]|#[^\n]*\n)*,(?:[\s\\]|#[^\n]*\n)*[):]")
_COMMENT = re.compile(r"#[^\n]*")


def _check_trailing_comma(text: str, node: ast.AST) -> Iterator[Requirement]:
    """Yield a requirement for a comma after the last parameter if one has a star (bugs.python.org/issue9232)."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return
    starred = [node.args.vararg, node.args.kwarg, *node.args.kwonlyargs, *node.args.kw_defaults]
    ends = [_end(each) for each in starred if each]
    if ends and _TRAILING_COMMA.match(_text_between(text, max(ends))):
        what = "a comma after the last parameter of a function with `*` parameters"
        yield _require(node, what, since=(3, 6), fix="remove the comma")


def _check_parentheses(text: str, node: ast.AST) -> Iterator[Requirement]:
    """Yield a requirement for parentheses around all items of a `with`: they close after the first item."""
    if not isinstance(node, ast.With | ast.AsyncWith):
        return
    first = node.items[0].context_expr
    following = node.items[0].optional_vars or (node.items[1].context_expr if len(node.items) > 1 else None)
    if following is None:
        return  # to an older Python, the parentheses belong to the item
    before = _COMMENT.sub("", _text_between(text, _start(node), _start(first)))
    after = _COMMENT.sub("", _text_between(text, _end(first), _start(following)))
    if before.count("(") > after.count(")"):
        what = "parentheses around the items of a `with` statement"
        yield _require(node, what, since=(3, 9), fix="remove the parentheses")


def _require(node: ast.AST, what: str, *, since: Version, fix: str) -> Requirement:
    return replace(require(node, what, since=since, fix=fix), is_syntax=True)


def _start(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _end(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", None) or 0, getattr(node, "end_col_offset", None) or 0


def _text_between(text: str, start: tuple[int, int], end: tuple[int, int] | None = None) -> str:
    """Return the text between two positions of a tree, or after one: 1-based lines, 0-based columns in bytes."""
    lines = [line.encode() for line in text.split("\n")[start[0] - 1 : end and end[0]]]
    if end:
        lines[-1] = lines[-1][: end[1]]
    lines[0] = lines[0][start[1] :]
    return b"\n".join(lines).decode()


def _check_node(node: ast.AST) -> Iterator[Requirement]:
    match node:
        case (
            ast.Return(value=ast.Tuple() as value)
            | ast.Expr(value=ast.Yield(value=ast.Tuple() as value))
            | ast.Assign(value=ast.Yield(value=ast.Tuple() as value))
        ) if _has_bare_star(value):
            yield _require(
                value, "`*` in a tuple without parentheses", since=(3, 8), fix="put parentheses around the tuple"
            )
        case ast.For(iter=ast.Tuple() as value) if _has_bare_star(value):
            yield _require(
                value, "`*` in a tuple without parentheses", since=(3, 9), fix="put parentheses around the tuple"
            )
        case ast.Subscript(slice=ast.Tuple() as value) if _has_bare_star(value):
            yield _require(value, "`*` in an index", since=(3, 11), fix="put parentheses around the index")
        case ast.AsyncFunctionDef() if any(isinstance(each, ast.Yield) for each in _walk_function(node)):
            yield _require(node, "an asynchronous generator", since=(3, 6), fix="avoid it")
        case ast.comprehension(is_async=1, target=target):
            yield _require(target, "an asynchronous comprehension", since=(3, 6), fix="avoid it")
        case ast.FunctionDef() | ast.ClassDef() if parameters := getattr(node, "type_params", []):  # from 3.12 on
            fix = "use `typing.TypeVar`"
            yield _require(node, "type parameters", since=(3, 12), fix=fix)
            if any(getattr(each, "default_value", None) for each in parameters):
                yield _require(node, "a default for a type parameter", since=(3, 13), fix=fix)


def _check_hooks(node: ast.AST) -> Iterator[Requirement]:
    """Yield a requirement for methods that an older Python does not call (PEP 487)."""
    for each in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(each, ast.FunctionDef) and each.name in ("__init_subclass__", "__set_name__"):
            fix = "rename the method and call it yourself"
            yield require(each, f"the automatic call of `{each.name}`", since=(3, 6), fix=fix)


def _has_bare_star(value: ast.Tuple) -> bool:
    """Whether a tuple has a star and no parentheses: with them, it begins before its first element."""
    return any(isinstance(part, ast.Starred) for part in value.elts) and _start(value) == _start(value.elts[0])


def _walk_function(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, but not those of functions inside it."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield node
            yield from _walk_function(node)
