"""How tools and online judges name inputs and answers, and where they put them. A new convention is a row here.

Pure functions of names: nothing here looks at a file.
"""

import re
from collections.abc import Callable
from functools import cache

from msgspec import Struct

# ---- places --------------------------------------------------------------------------------------------------------

CASE_FOLDERS = ("test", "tests", "testcases", "samples", "sample", "cases", "testdata", "examples", "example")
SOURCE_FOLDERS = ("src", "solutions", "sols")  # their folder of cases may be one folder up
FILE_NAME = r"[A-Za-z0-9_][A-Za-z0-9._-]*"  # of a case, or of a file in place of standard input or output
PACKAGE_DATA = ("sample", "secret")  # in `data`
FOLDER_PAIRS = {"in": "out", "input": "output", "inputs": "outputs"}
"""Folders of inputs, and the folder beside each that has the answers (AtCoder, Aizu, HackerRank)."""
GENERIC = frozenset({*CASE_FOLDERS, "case", "data", "in", "input"})  # no source has them for itself

HELPERS = frozenset({
    *("gen", "generator", "brute", "bruteforce", "naive", "checker", "validator", "interactor", "grader"),
    *("lib", "library", "util", "utils", "template", "stress", "debug"),
})  # fmt: skip
"""Words in the names of sources that help to write a solution. A file named so has no cases of a folder by its name."""

# ---- names ---------------------------------------------------------------------------------------------------------

# The name of an input, and those of its answer; the first one that exists is used. `*` is any text, which may be the
# name of a source; `#` an optional number, with a sign before it and `.txt` after it or not; and `0` a number.
# All are also understood in upper case.
_ANSWERS = "*.ans *.out *.a *.output *.answer *.sol *.expected"
_NAMES = (
    ("*.in", _ANSWERS),  # Kattis, ICPC, oj, Codeforces gyms
    ("*.input", _ANSWERS),
    ("*.inp", f"{_ANSWERS} *.oup"),  # Themis
    ("*.in.txt", _ANSWERS.replace(" ", ".txt ") + ".txt"),
    ("*.input.txt", _ANSWERS.replace(" ", ".txt ") + ".txt"),
    ("*.in#", "*.ans# *.out# *.sol#"),  # cpbooster, COCI
    ("I.0", "O.0"),  # USACO
    ("in#", "ans# out# answer# output#"),  # cf-tool
    ("input#", "output# answer# ans# out#"),
    ("*_in#.txt", "*_ans#.txt *_out#.txt *_answer#.txt *_output#.txt"),
    ("*-in#.txt", "*-ans#.txt *-out#.txt *-answer#.txt *-output#.txt"),
    ("*_input#.txt", "*_output#.txt *_answer#.txt *_ans#.txt *_out#.txt"),  # competitest
    ("*-input#.txt", "*-output#.txt *-answer#.txt *-ans#.txt *-out#.txt"),
)
# The same where anything may have the name of an input: it is one only if an answer is beside it.
_NAMES_WITH_ANSWERS = (
    ("0", "0.a 0.ans 0.out 0.sol"),  # Polygon
    ("*_in#", "*_out# *_ans#"),
    ("*_input#", "*_output# *_answer#"),
    ("*in#.txt", "*out#.txt *ans#.txt"),
    ("*input#.txt", "*output#.txt *answer#.txt"),
    ("*.txt", f"*.sol.txt *.ans.txt *.out.txt *.answer.txt *.output.txt *.expected.txt {_ANSWERS}"),
    ("*.dat", f"{_ANSWERS} *.diff"),
)
_ELSEWHERE = (".txt", ".ans", ".out", ".a", ".output", ".answer", ".sol")  # of an answer in a folder of answers
_WILDCARDS = {"*": "(?P<stem>.+)", "#": r"([-_.]?(?:[0-9]+[a-z]?)?(?:\.txt)?)", "0": "([0-9]+)"}
_WILDCARD = re.compile("[*#0]")


_ALL = (*_NAMES, *_NAMES_WITH_ANSWERS)


class _Naming(Struct, frozen=True):
    """A row: the pattern of an input, and the names of its answer with `{}` for each wildcard."""

    input: re.Pattern[str]
    answers: tuple[str, ...]


@cache  # to compile all rows takes 28 ms
def _compile(row: tuple[str, str]) -> _Naming:
    pattern = "".join(_WILDCARDS.get(part, re.escape(part)) for part in re.split("([*#0])", row[0]))
    answers = _WILDCARD.sub("{}", row[1])
    capitalized = re.sub(r"(?:(?<![^ ])|(?<=}))[a-z]", lambda letter: letter[0].upper(), answers)  # `Output1.txt`
    names = (*answers.split(), *answers.upper().split(), *capitalized.split())
    return _Naming(re.compile(pattern, re.IGNORECASE), tuple(dict.fromkeys(names)))


@cache
def _literal(input_name: str) -> str:
    return max(_WILDCARD.split(input_name), key=len).lower()


def _find(name: str, rows: tuple[tuple[str, str], ...] = _ALL) -> tuple[re.Match[str], tuple[str, ...]] | None:
    """Return the match of the first row that a name is an input of, and the names of its answer there."""
    lower = name.lower()
    for row in rows:
        if _literal(row[0]) in lower and (found := _compile(row).input.fullmatch(name)):
            return found, _compile(row).answers
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
    names = answer_names(name)
    return any(map(has_file, names)) and not has_file(f"{name}.in")


def answer_names(name: str) -> tuple[str, ...]:
    """Return the names that the answer to an input may have, best first."""
    if found := _find(name):
        return tuple(answer.format(*found[0].groups()) for answer in found[1])
    return ()


def answer_names_elsewhere(name: str) -> tuple[str, ...]:
    """Return the names that the answer may have in a folder of answers, best first: the input's own, or as above."""
    stem = name.rpartition(".")[0] or name
    return tuple(dict.fromkeys((name, *answer_names(name), *(f"{stem}{end}" for end in _ELSEWHERE))))


def input_names(answer: str) -> tuple[str, ...]:
    """Return the names that the input of `x.ans`, `x.out` or `ans1.txt` may have; none for a file with another name."""
    if numbered := re.fullmatch(r"ans([0-9]+)\.txt", answer):
        return (f"in{numbered[1]}.txt",)
    key, _, suffix = answer.rpartition(".")
    if not key or suffix not in ("ans", "out"):
        return ()
    return (f"{key}.in", f"{key}.input", *((key,) if key.isdecimal() else ()))


def case_name(name: str) -> str:
    """Return the name of the case with this input: without its last suffix, so `in1.txt` is `in1` and `1.in` is `1`."""
    stem, dot, suffix = name.rpartition(".")
    return stem if dot and stem and suffix.lower() in ("in", "input", "inp", "txt", "dat") else name


def is_case_folder_of(name: str, stem: str) -> bool:
    """Return whether a folder has the cases of a source by its name: `a`, `a_samples`, `A-tests`."""
    start, sign, rest = name[: len(stem)], name[len(stem) : len(stem) + 1], name[len(stem) + 1 :]
    return name == stem or (start.lower() == stem.lower() and sign in ("_", "-", ".") and rest.lower() in CASE_FOLDERS)


def belongs_to(name: str, stem: str) -> bool:
    """Return whether an input has the name of a source: for `a` that is `a.in`, `a1.in`, `a_1.in`, `a-big.in`."""
    if not name.startswith(stem):
        return False
    found = _find(name)
    if found is None or "stem" not in found[0].groupdict():
        return False
    rest = found[0]["stem"][len(stem) :]
    return not rest or rest[0] in "-_." or (rest.isdecimal() and not stem[-1:].isdecimal())  # `10.in` is not of `1.py`
