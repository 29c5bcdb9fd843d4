"""Macros that a statement in LaTeX defines, expanded as text: before it is parsed, and in formulas of Markdown."""

import re

from judge.base.units import MIB

_DEFINITION = re.compile(
    r"\\(?P<command>(?:re)?newcommand|providecommand|def|DeclareMathOperator)\*?\s*"
    r"(?:\{\s*(?P<braced>\\[a-zA-Z]+)\s*\}|(?P<bare>\\[a-zA-Z]+))\s*"
    r"(?:\[(?P<count>\d)\]\s*(?:\[(?P<default>[^\]]*)\]\s*)?|(?P<numbers>(?:#\d)*)\s*)(?=\{)"
)
_PART = re.compile(  # what is no macro comes first: verbatim text and comments
    r"\\begin\{(verbatim|Verbatim|lstlisting|alltt)\}.*?\\end\{\1\}|\\verb(?P<end>[^\w\s*]).*?(?P=end)|(?<!\\)%[^\n]*"
    r"|\\(?:[a-zA-Z]+|.)",
    re.DOTALL,
)
_MOST = MIB  # characters that a text may grow by, likewise


Macro = tuple[str, int, str | None]
"""The text of a macro, how many arguments it has, and the default of the first one, which is in brackets then."""


def expand(text: str, macros: dict[str, Macro]) -> str:
    r"""Return a text without its definitions of macros, in which these and earlier ones are expanded.

    `macros` are the earlier ones by their names, such as `\N`; those of the text are added.

    Raises:
        ValueError: they expand without end.
    """
    at, steps, most = 0, 0, len(text) + _MOST
    while found := _PART.search(text, at):
        start, at = found.span()
        definition = _DEFINITION.match(text, start)
        if definition is not None:
            body, at = _argument(text, definition.end())
            operator = definition["command"] == "DeclareMathOperator"
            macros[definition["braced"] or definition["bare"]] = (
                rf"\operatorname{{{body}}}" if operator else body.removesuffix(r"\xspace"),
                int(definition["count"] or len(definition["numbers"] or "") // 2),
                definition["default"],
            )
            text, at = text[:start] + text[at:], start
        elif (macro := macros.get(found[0])) is not None:
            expanded, at = _apply(macro, text, at)
            steps += 1
            # Macros of macros may expand without end.
            if steps > 5_000 or len(text) + len(expanded) > most + at - start:
                raise ValueError("its macros expand without end")
            text, at = text[:start] + expanded + text[at:], start
    return text


def _apply(macro: Macro, text: str, at: int) -> tuple[str, int]:
    """Return what a macro before a place becomes, and where its arguments end."""
    arguments: list[str] = []
    body, count, default = macro
    if default is not None:
        given = re.compile(r"\s*\[([^\]]*)\]").match(text, at)
        arguments.append(given[1] if given else default)
        at = given.end() if given else at
    while len(arguments) < count:
        argument, at = _argument(text, at)
        arguments.append(argument)
    numbers = {str(number): argument for number, argument in enumerate(arguments, 1)}
    expanded = re.sub(r"#(\d)", lambda found: numbers.get(found[1], ""), body)
    is_joined = re.search(r"\\[a-zA-Z]+$", expanded) and text[at : at + 1].isalpha()
    return f"{expanded} " if is_joined else expanded, at


def _argument(text: str, at: int) -> tuple[str, int]:
    """Return the next argument: a group without its braces, a macro, or a character; and where it ends."""
    found = re.compile(r"\s*(\\[a-zA-Z]+|\\.|[^\s{]?)", re.DOTALL).match(text, at)
    assert found is not None
    if found[1] or not text.startswith("{", found.end()):
        return found[1], found.end()
    depth = 0
    for brace in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, found.end()):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if depth == 0:
            return text[found.end() + 1 : brace.start()], brace.end()
    return "", found.end() + 1  # the group has no end
