"""How tools and online judges name inputs and answers, and where they put them. A new convention is a row here.

Pure functions of names: nothing here looks at a file.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain

# ---- places --------------------------------------------------------------------------------------------------------

CASE_FOLDERS = (
    *("test", "tests", "testcases", "samples", "sample", "cases", "testdata", "examples", "example", "testcase"),
    *("case", "data", "secret", "in", "input", "inputs"),
)
"""Folders with cases, best first. They are also understood in upper case, and with signs: `Test_Cases`."""
SOURCE_FOLDERS = ("src", "solutions", "sols")  # their folder of cases may be one folder up
FILE_NAME = r"[A-Za-z0-9_][A-Za-z0-9._-]*"  # of a case, or of a file in place of standard input or output
PACKAGE_DATA = ("sample", "secret")  # in `data`
GENERIC = frozenset(CASE_FOLDERS)  # no source has them for itself

HELPERS = frozenset({
    *("gen", "generator", "brute", "bruteforce", "naive", "checker", "validator", "interactor", "grader"),
    *("lib", "library", "helper", "helpers", "util", "utils", "template", "stress", "debug"),
})  # fmt: skip
"""Words in the names of sources that help to write a solution. A file named so has no cases of a folder by its name."""

# ---- names ---------------------------------------------------------------------------------------------------------

# The name of an input, and those of its answer; the first one that exists is used. In an input, `~` is one of the words
# for inputs, `*` any text, which may be the name of a source, `=` a sign, `#` an optional number, with a sign before it
# and `.txt` after it or not, and `0` a number. In an answer, `{0}` is the first of these, `@` each ending for answers,
# and `%` each word for them. All are also understood in upper case.
_ENDINGS = (
    *("ans", "out", "a", "output", "answer", "sol", "expected", "exp", "expect", "ok", "res", "correct", "gold", "oup"),
    *("out.txt", "ans.txt"),
)
_WORDS = ("ans", "answer", "expected", "expected_output", "output", "out", "sol")
_NAMES = (
    ("~#.~", "{0}{1}.@ %{1}.out %{1}.ans %{1}.txt"),
    ("*.~#", "{0}.@{2}"),  # Kattis, ICPC, oj, Codeforces gyms, Themis, cpbooster, COCI, infoarena
    ("I.0", "O.{0}"),  # USACO
    ("~#", "%{1}"),  # cf-tool
    ("*=~#.txt", "{0}{1}%{3}.txt"),  # competitest
)
# The same where anything may have the name of an input: it is one only if an answer is beside it.
_NAMES_WITH_ANSWERS = (
    ("0", "{0}.@"),  # Polygon
    ("*=~#", "{0}{1}%{3}"),
    ("~=*", "%{1}{2}"),
    ("*~#.txt", "{0}%{2}.txt"),
    ("*.txt", "{0}.@.txt {0}.@ {0}_%.txt {0}-%.txt"),
    ("*.dat", "{0}.@ {0}.diff"),
)
_WILDCARDS = {
    "~": "(in|input|inp)",
    "*": "(?P<stem>.+)",
    "=": "([-_])",
    "#": r"([-_.]?(?:[0-9]+[a-z]?)?(?:\.txt)?)",
    "0": "([0-9]+)",
}
_WILDCARD = re.compile("([~*=#0])")
_FOLDER_OF_INPUTS = re.compile(r"(.+[-_]|)(?:in|inputs?)", re.IGNORECASE)
_OWN_ANSWER = re.compile(r"(?:ans|answer|out|output|expected)([-_.]?[0-9]*[a-z]?)", re.IGNORECASE)


_ALL = (*_NAMES, *_NAMES_WITH_ANSWERS)


@cache  # to compile all rows takes 28 ms
def _compile(row: tuple[str, str]) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Return the pattern of an input, and the names of its answer with `{}` for each wildcard."""
    pattern = "".join(_WILDCARDS.get(part, re.escape(part)) for part in _WILDCARD.split(row[0]))
    answers = [
        name.replace("@", ending).replace("%", word)
        for name in row[1].split()
        for ending in (_ENDINGS if "@" in name else [""])
        for word in (_WORDS if "%" in name else [""])
    ]
    capitalized = (re.sub(r"(?:^|(?<=}))[a-z]", lambda letter: letter[0].upper(), name) for name in answers)
    names = (*answers, *map(str.upper, answers), *capitalized)  # `Output1.txt`
    return re.compile(pattern, re.IGNORECASE), tuple(dict.fromkeys(names))


@cache
def _literal(input_name: str) -> str:
    return max((part for part in _WILDCARD.split(input_name) if part not in _WILDCARDS), key=len, default="").lower()


def _find(name: str, rows: tuple[tuple[str, str], ...] = _ALL) -> tuple[re.Match[str], tuple[str, ...]] | None:
    """Return the match of the first row that a name is an input of, and the names of its answer there."""
    lower = name.lower()
    for row in rows:
        if _literal(row[0]) in lower and (found := _compile(row)[0].fullmatch(name)):
            return found, _compile(row)[1]
    return None


def is_helper(stem: str) -> bool:
    """Return whether a source has the name of a helper: `gen`, `a_gen`, `brute-force`, `gen2`."""
    words = re.split("[-_.]", stem.lower().rstrip("0123456789"))
    return not HELPERS.isdisjoint((*words, "".join(words)))


def is_input(name: str) -> bool:
    """Return whether a file is an input by its name alone: `1.in`, `in1.txt`, `input`."""
    return _find(name, _NAMES) is not None


def is_input_beside(name: str, has_file: Callable[[str], bool]) -> bool:
    """Return whether a file is an input by its name, or by that and its answer: `01` is one if `01.a` is beside it.

    `has_file` tells which files are in the same folder.
    """
    if is_input(name):
        return True
    return any(map(has_file, answer_names(name))) and not has_file(f"{name}.in")


def answer_names(name: str) -> Iterator[str]:
    """Yield the names that the answer to an input may have, best first."""
    if found := _find(name):
        yield from (answer.format(*found[0].groups()) for answer in found[1])


def answer_names_elsewhere(name: str) -> Iterator[str]:
    """Yield the names that the answer may have in a folder of answers, best first: the input's own, or as above."""
    stem = name.rpartition(".")[0] or name
    return chain((name,), answer_names(name), (f"{stem}.{ending}" for ending in ("txt", *_ENDINGS)))


def input_names(answer: str) -> tuple[str, ...]:
    """Return the names that the input of `x.ans`, `x.out` or `ans1.txt` may have; none for a file with another name."""
    if numbered := re.fullmatch(r"ans([0-9]+)\.txt", answer):
        return (f"in{numbered[1]}.txt",)
    key, _, suffix = answer.rpartition(".")
    if not key or suffix not in ("ans", "out"):
        return ()
    own = _OWN_ANSWER.fullmatch(key)
    others = (f"{word}{own[1]}.in" for word in ("in", "input")) if own else ()
    return (f"{key}.in", f"{key}.input", *others, *((key,) if key.isdecimal() else ()))


def find_pairs(folders: Iterable[str]) -> dict[str, str]:
    """Return the folders of inputs that have a folder of answers beside them, each with that one."""
    names = {name.lower(): name for name in folders}
    pairs = {}
    for lower, name in names.items():
        if found := _FOLDER_OF_INPUTS.fullmatch(lower):
            words = (f"{found[1]}{word}{end}" for end in sorted(("", "s"), reverse=lower[-1] == "s") for word in _WORDS)
            if answers := next((names[each] for each in words if each in names), None):
                pairs[name] = answers
    return pairs


def is_folder_of_inputs(name: str) -> bool:
    """Return whether a folder may have one of answers beside it."""
    return _FOLDER_OF_INPUTS.fullmatch(name) is not None


def case_folder_rank(name: str) -> int | None:
    """Return how early a folder of cases by its name is looked at; None if it is not one."""
    plain = re.sub("[-_]", "", name.lower())
    return CASE_FOLDERS.index(plain) if plain in CASE_FOLDERS else None


def case_name(name: str) -> str:
    """Return the name of the case with this input: without its last suffix, so `in1.txt` is `in1` and `1.in` is `1`."""
    stem, dot, suffix = name.rpartition(".")
    return stem if dot and stem and suffix.lower() in ("in", "input", "inp", "txt", "dat") else name


def is_case_folder_of(name: str, stem: str) -> bool:
    """Return whether a folder has the cases of a source by its name: `a`, `a_samples`, `A-tests`."""
    start, sign, rest = name[: len(stem)], name[len(stem) : len(stem) + 1], name[len(stem) + 1 :]
    return name == stem or (
        start.lower() == stem.lower() and sign in ("_", "-", ".") and case_folder_rank(rest) is not None
    )


def belongs_to(name: str, stem: str) -> bool:
    """Return whether an input has the name of a source: for `a` that is `a.in`, `a1.in`, `a_1.in`, `a-big.in`."""
    if not name.startswith(stem):
        return False
    found = _find(name)
    if found is None or "stem" not in found[0].groupdict():
        return False
    rest = found[0]["stem"][len(stem) :]
    return not rest or rest[0] in "-_." or (rest.isdecimal() and not stem[-1:].isdecimal())  # `10.in` is not of `1.py`
