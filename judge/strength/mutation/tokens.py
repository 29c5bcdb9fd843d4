"""Mutants of C, C++ and Java sources, token by token.

Nothing is parsed: the compiler refuses what makes no sense. Comments, texts, preprocessor lines and imports stay, and
calls that change no output, such as `cin.tie(0)`.
"""

import re
from collections.abc import Iterator

from judge.strength.mutation.mutant import Mutant

MOST_COMPILED = 300
"""Of more mutants of one solution, an evenly spread part is compiled."""

_TOKEN = re.compile(
    rb"""
    (?P<skip> //[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | ^[ \t]*\#(?:\\\n|[^\n])*
      | ^[ \t]*(?:import|package|using|template)\b[^;{]*[;{>]
      | (?: ::sync_with_stdio | (?:\.|->)(?:sync_with_stdio|tie|exceptions|reserve) )\s*\([^()]*\) )
    | (?P<number> \b\d+\b(?![.xX]) )
    | (?P<word> \blong[ ]long\b | [A-Za-z_]\w* )
    | (?P<operator> <<=|>>=|->|\+\+|--|&&|\|\||==|!=|<=|>=|<<|>>|\+=|-=|\*=|/=|%=|[-+*/%<>!=;{}()\[\],.?:&|^~] )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_OPERATORS: dict[bytes, tuple[str, bytes]] = {
    b"<": ("comparison", b"<="),
    b"<=": ("comparison", b"<"),
    b">": ("comparison", b">="),
    b">=": ("comparison", b">"),
    b"==": ("comparison", b"!="),
    b"!=": ("comparison", b"=="),
    b"&&": ("connective", b"||"),
    b"||": ("connective", b"&&"),
    b"+": ("arithmetic", b"-"),
    b"-": ("arithmetic", b"+"),
    b"/": ("arithmetic", b"*"),
    b"%": ("arithmetic", b"/"),
    b"+=": ("arithmetic", b"-="),
    b"-=": ("arithmetic", b"+="),
    b"*=": ("arithmetic", b"+="),
    b"++": ("arithmetic", b"--"),
    b"--": ("arithmetic", b"++"),
}
_WORDS: dict[bytes, tuple[str, bytes]] = {
    b"break": ("loop-exit", b"continue"),
    b"continue": ("loop-exit", b"break"),
    b"true": ("constant", b"false"),
    b"false": ("constant", b"true"),
    b"min": ("extreme", b"max"),
    b"max": ("extreme", b"min"),
    b"long long": ("integer-size", b"int"),
    b"long": ("integer-size", b"int"),
    b"int64_t": ("integer-size", b"int32_t"),
    b"ll": ("integer-size", b"int"),
    b"lower_bound": ("range", b"upper_bound"),
    b"upper_bound": ("range", b"lower_bound"),
}
_DECLARATIONS = tuple(b"int long char bool auto const double float using typedef for".split())
_CALL = re.compile(rb"[A-Za-z_][\w.>\[\]-]*\s*(?:\([^(){};]*\)|(?:[-+*/%|&^]|<<|>>)?=[^={};][^{};]*|\+\+|--)\s*;")
_CONDITION = re.compile(rb"\b(?:if|while)\s*\(")
_CALLS = re.compile(rb"\b([A-Za-z_]\w*)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)")

_BEFORE_A_SIGN = (b"(", b",", b"=", b"return", b"?", b":", b"[", b"<", b">", b"")
_SYMMETRIC = (b"min", b"max", b"for", b"while", b"if", b"swap", b"switch")

_Edit = tuple[str, int, int, bytes]


def token_mutants(text: bytes) -> list[Mutant]:
    """Return all mutants of a source in C, C++ or Java, in the order of their places; some do not compile."""
    code = blank_texts(text)
    seen: set[tuple[int, int, bytes]] = set()
    mutants = []
    for operator, start, end, replacement in _edits(code):
        if (start, end, replacement) not in seen:
            seen.add((start, end, replacement))
            line = text.count(b"\n", 0, start) + 1
            mutants.append(Mutant(operator=operator, start=start, end=end, replacement=replacement, line=line))
    return sorted(mutants, key=lambda each: (each.start, each.end, each.replacement))


def blank_texts(text: bytes) -> bytes:
    """Return a source with spaces in place of what no mutant changes: comments, texts, preprocessor lines, imports.

    The braces of code stay.
    """
    blanked = bytearray(text)
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "skip":
            is_code = token.group().lstrip()[:1].isalpha()
            blanked[token.start() : token.end()] = re.sub(rb"[^\n{}]" if is_code else rb"[^\n]", b" ", token.group())
    return bytes(blanked)


def _edits(code: bytes) -> Iterator[_Edit]:
    before = b""
    for token in _TOKEN.finditer(code):
        yield from _token_edits(token, before)
        before = token.group()
    for found in _CONDITION.finditer(code):
        close = find_end(code, found.end() - 1)
        if close is not None:
            yield ("negation", found.end(), close, b"!(" + code[found.end() : close] + b")")
            if found.group().startswith(b"if"):
                yield ("missing-case", found.end(), close, b"false")
    for found in _CALL.finditer(code):
        line = code[code.rfind(b"\n", 0, found.start()) + 1 : found.start()].strip()
        if not line.endswith((b"=", b"(", b",")) and not line.startswith(_DECLARATIONS):
            yield ("missing-statement", found.start(), found.end(), b";")
    for found in _CALLS.finditer(code):
        if found[2] != found[3] and found[1] not in _SYMMETRIC:
            yield ("argument-order", found.start(2), found.end(3), found[3] + b", " + found[2])


def _token_edits(token: re.Match[bytes], before: bytes) -> Iterator[_Edit]:
    """Yield the changes of one token, after another one."""
    start, end, word = token.start(), token.end(), token.group()
    if token.lastgroup == "number" and before != b".":
        yield ("constant", start, end, b"%d" % (int(word) + 1))
        if int(word):
            yield ("constant", start, end, b"%d" % (int(word) - 1))
    table = {"operator": _OPERATORS, "word": _WORDS}.get(token.lastgroup or "", {})
    if word in table and not (word in b"+-" and before in _BEFORE_A_SIGN):
        operator, other = table[word]
        yield (operator, start, end, other)


def find_end(code: bytes, start: int) -> int | None:
    """Return where the parenthesis or brace ends that starts here."""
    begin, end = (0x28, 0x29) if code[start] == 0x28 else (0x7B, 0x7D)
    depth = 0
    for at in range(start, len(code)):
        depth += (code[at] == begin) - (code[at] == end)
        if not depth:
            return at
    return None
