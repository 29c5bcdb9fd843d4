"""The names of inputs and answers, as tools and online judges give them: pure functions on names of files.

x.in     x.ans, x.out, x.a         Kattis, ICPC, oj, Codeforces gyms; also x.in.txt, and x.input with x.output
in1.txt  ans1.txt, out1.txt        cf-tool; input1.txt, input1, in.1 and input likewise
x_in.txt x_out.txt, x_ans.txt      also x-input.txt
01       01.a                      Polygon
in/x     out/x                     AtCoder, Aizu, HackerRank; also input/, inputs/ with output/, outputs/
"""

import re

FOLDER_PAIRS = {"in": "out", "input": "output", "inputs": "outputs"}
"""Folders of inputs, and the folder beside each that has the answers."""

_ANSWER_SUFFIXES = (".ans", ".out", ".a", ".output", ".answer")  # the first one that exists is used
_ANSWER_WORDS = {"in": ("ans", "out", "answer", "output"), "input": ("output", "answer", "ans", "out")}
_SUFFIXED = re.compile(r"(?P<key>.+)\.(?:in|input)(?P<end>\.txt)?")
_PREFIXED = re.compile(r"(?P<word>input|in)(?P<end>[-_.]?[0-9]*(?:\.txt)?)")
_WORDED = re.compile(r"(?P<key>.+[-_])(?P<word>input|in)(?P<end>\.txt)")
_NUMBER = re.compile(r"[0-9]+")


def is_input(name: str) -> bool:
    """Return whether a file is an input by its name alone: `1.in`, `in1.txt`, `input`."""
    if name.endswith(".in"):  # most inputs
        return len(name) > 3
    return any(form.fullmatch(name) for form in (_SUFFIXED, _PREFIXED, _WORDED))


def is_bare_number(name: str) -> bool:
    """Return whether a file is an input if its answer exists, as in a package of Polygon: `01`."""
    return _NUMBER.fullmatch(name) is not None


def answer_names(name: str) -> tuple[str, ...]:
    """Return the names that the answer to an input may have, best first."""
    if found := _SUFFIXED.fullmatch(name):
        return tuple(f"{found['key']}{suffix}{found['end'] or ''}" for suffix in _ANSWER_SUFFIXES)
    if found := _PREFIXED.fullmatch(name):
        return tuple(f"{word}{found['end']}" for word in _ANSWER_WORDS[found["word"]])
    if found := _WORDED.fullmatch(name):
        return tuple(f"{found['key']}{word}{found['end']}" for word in _ANSWER_WORDS[found["word"]])
    return (f"{name}.a",) if is_bare_number(name) else ()


def answer_names_elsewhere(name: str) -> tuple[str, ...]:
    """Return the names that the answer may have in a folder of answers, best first: the input's own, or as above."""
    stem = name.rpartition(".")[0] or name
    return tuple(dict.fromkeys((name, *answer_names(name), *(f"{stem}{end}" for end in (".txt", *_ANSWER_SUFFIXES)))))


def input_names(answer: str) -> tuple[str, ...]:
    """Return the names that the input of `x.ans` or `x.out` may have; none for a file with another name."""
    for suffix in (".ans", ".out"):
        if answer.endswith(suffix) and answer != suffix:
            key = answer.removesuffix(suffix)
            return (f"{key}.in", f"{key}.input", *((key,) if is_bare_number(key) else ()))
    return ()


def case_name(name: str) -> str:
    """Return the name of the case with this input: without its last suffix, so `in1.txt` is `in1` and `1.in` is `1`."""
    stem, dot, suffix = name.rpartition(".")
    return stem if dot and stem and suffix in ("in", "input", "txt") else name


def belongs_to(name: str, stem: str) -> bool:
    """Return whether an input has the name of a source: for `a` that is `a.in`, `a1.in`, `a_1.in`, `a-big.in`."""
    if not name.startswith(stem):
        return False
    found = _SUFFIXED.fullmatch(name) or _WORDED.fullmatch(name)
    if not found:
        return False
    rest = found["key"][len(stem) :]
    return not rest or rest[0] in "-_." or (rest.isdecimal() and not stem[-1:].isdecimal())  # `10.in` is not of `1.py`
