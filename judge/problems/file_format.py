"""What problem.yaml and testcases/*.yaml may contain, described once.

The loader reads files by these types, and `judge.problems.schema` derives the JSON Schemas from them. What a type
cannot express (that a file exists, that a generator takes a parameter) is checked where the files become values.
"""

import re
from dataclasses import replace
from pathlib import PurePosixPath

from judge.base.units import GIB, Bytes, Seconds, format_count, parse_bytes, parse_seconds
from judge.model import CHECKERS, DEFAULT_PROGRAM_LIMITS, External, ProblemSource
from judge.problems.conventions import FILE_NAME
from judge.problems.yaml.text import quote
from judge.problems.yaml.types import (
    BOOLEAN,
    Anything,
    Dict,
    Either,
    Fields,
    List,
    Record,
    String,
    Type,
    Word,
    allowed_with,
    exactly_one,
    integer,
    key,
    not_together,
    number,
    options_of,
    requires,
)

MAX_CASES = 100_000  # of one problem
MAX_TESTS = 1000  # of a checker or validator
MAX_PASSES = 1000  # of a solution on a case: a program that never ends would hold up the judge for as long
MAX_SEEDS = 10_000  # of one entry

_SEED_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")


def parse_seeds(text: str) -> range:
    """Parse a range of seeds, both ends included.

    Raises:
        ValueError: it is not of the form `1-8`, is reversed or has more than 10,000 seeds; the message says which.
    """
    match = _SEED_RANGE.fullmatch(text)
    if not match:
        raise ValueError(f"expected a range of seeds such as `1-8`, found `{text}`")
    first, last = int(match[1]), int(match[2])
    if last < first:
        raise ValueError(f"the range `{text}` is reversed: write `{last}-{first}`")
    if last - first >= MAX_SEEDS:
        raise ValueError(f"the range `{text}` has {last - first + 1} seeds: expected at most {MAX_SEEDS}")
    return range(first, last + 1)


def parse_time(text: str) -> Seconds:
    """Parse a time limit.

    Raises:
        ValueError: it is not one, or too long; likewise below.
    """
    found = parse_seconds(text)
    if found > 24 * 60 * 60:
        raise ValueError(f"expected at most 24 hours, found {quote(text)}")
    return found


def parse_size(text: str) -> Bytes:
    """Parse a size limit."""
    found = parse_bytes(text)
    if not 1 <= found <= 1024 * GIB:
        raise ValueError(f"expected at least 1 B and at most 1024 GiB, found {quote(text)}")
    return found


def check_name(text: str) -> str:
    """Return a text that can be the name of a case; the message suggests one."""
    if not re.fullmatch(FILE_NAME, text):
        near = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")
        message = f"expected a name of letters, digits, `.`, `_` and `-`, found {quote(text)}"
        raise ValueError(f"{message}: write {quote(near)}" if near else message)
    return text


def parse_sha256(text: str) -> str:
    """Return a SHA-256 of 64 hexadecimal digits in lower case."""
    if len(text) != 64:
        raise ValueError(f"expected a SHA-256 of 64 hexadecimal digits, found {format_count(len(text), 'character')}")
    if wrong := re.search(r"[^0-9a-fA-F]", text):
        raise ValueError(f"expected a SHA-256 of hexadecimal digits, found {quote(wrong[0])} in it")
    return text.lower()


def check_path(text: str) -> str:
    """Return a relative path without `..`."""
    if text.startswith("/"):
        raise ValueError(f"{quote(text)} is an absolute path: write a relative path")
    if ".." in PurePosixPath(text).parts:
        raise ValueError(f"{quote(text)} leads out of its folder: move the file inside, and do not use `..`")
    if "\\" in text:
        raise ValueError(f"{quote(text)} contains a backslash: use `/` between folders")
    if not text or any(char < " " for char in text):
        raise ValueError(f"expected a relative path, found {quote(text)}")
    return text


_ANY_TEXT: String[str] = String()
_TEXT: String[str] = String(min_length=1)
_DATA: String[str] = String(
    number_fix='quote it, with its line end: `"{}\\n"`',
    quote_fix='quote it, `"{}\\n"`',
    keeps_lines=True,
    examples=("1 2 3\n",),
)
TIME: String[Seconds] = String(
    "a time with its unit, such as `2 s` or `800 ms`",
    pattern=r"^\s*(?=[0-9.]*[1-9])[0-9]+(\.[0-9]+)?\s*(s|ms|min)\s*$",
    parse=parse_time,
    max_length=24,
    number_fix="write `{} s`",
    quote_fix="write a number and its unit",
    examples=("2 s", "800 ms"),
)
SIZE: String[Bytes] = String(
    "a size with its unit, such as `256 MiB`",
    pattern=r"^\s*(?=[0-9.]*[1-9])[0-9]+(\.[0-9]+)?\s*(B|KiB|MiB|GiB)\s*$",
    parse=parse_size,
    max_length=24,
    number_fix="write `{} MiB`",
    quote_fix="write a number and its unit",
    examples=("256 MiB",),
)
NAME: String[str] = String("a name", pattern=f"^{FILE_NAME}$", parse=check_name, max_length=100)
GROUP_NAME: String[str] = replace(NAME, expected="the name of a group of cases")
RELATIVE_PATH: String[str] = String(
    "a relative path", pattern=r"^(?!/)(?!(.*/)?\.\.(/|$))[^\\\x00-\x1f]+$", parse=check_path, max_length=1000
)
_FILE_NAME: String[str] = String("the name of a file, without a folder", pattern=f"^{FILE_NAME}$", max_length=100)
_URL: String[str] = String("a URL that starts with https:// or http://", pattern=r"^https?://\S+$")
SHA256: String[str] = String("a SHA-256 of 64 hexadecimal digits", pattern=r"^[0-9a-fA-F]{64}$", parse=parse_sha256)
SEED_RANGE: String[range] = String(
    "a range of seeds such as `1-8`",
    pattern=r"^[0-9]{1,18}-[0-9]{1,18}$",
    parse=parse_seeds,
    number_fix="write `1-{}` for {} seeds, or `seed: {}` for one",
    examples=("1-8",),
)

_ARGUMENT: String[str] = String(max_length=1000)
_ARGUMENTS = List(_ARGUMENT, max_length=100)
CHECKER_NAME = Word("checker", *sorted(CHECKERS))
_PROTOCOL = Word("protocol", "icpc", "testlib")
_PROFILE = Word("profile", "atcoder", "codeforces", "cses", "euler", "icpc", "kattis", "uva")
_SEED = integer(0, 10**18)
_SEEDS: Type[range | list[int | None]] = Either(
    SEED_RANGE, List(_SEED, min_length=1, max_length=MAX_SEEDS, is_set=True)
)
_AMOUNT = number(0)


class LimitsEntry(Record):
    """What one run may use. Every quantity has a unit."""

    time = key(TIME, "CPU time of the whole process tree. Default: `2 s`.")
    wall = key(TIME, "Elapsed time, for programs that sleep. Default: twice the CPU time plus one second.")
    memory = key(SIZE, "Peak resident memory. Default: `256 MiB`.")
    output = key(SIZE, "Bytes on standard output. Default: `64 MiB`.")


class CheckerEntry(Record):
    """A checker with options, of which only `tokens` has any, or a program."""

    rules = (
        exactly_one(("name", "program"), "no checker"),
        allowed_with("program", ("protocol", "args")),
        options_of("name", "tokens"),
        not_together("float_tolerance", "float_absolute_tolerance"),
        not_together("float_tolerance", "float_relative_tolerance"),
    )

    name = key(CHECKER_NAME, "tokens, lines or exact.")
    program = key(RELATIVE_PATH, "The source of a program that checks outputs, in the folder of problem.yaml.")
    protocol = key(_PROTOCOL, "How the program is called and what it answers. Default: icpc.")
    args = key(_ARGUMENTS, "Further arguments of the program.")
    case_sensitive = key(BOOLEAN, "Whether `YES` and `yes` differ. Default: false.")
    space_change_sensitive = key(BOOLEAN, "Whether every byte of white space must match. Default: false.")
    float_absolute_tolerance = key(_AMOUNT, "Numbers may differ by this much.")
    float_relative_tolerance = key(_AMOUNT, "Numbers may differ by this fraction of the answer.")
    float_tolerance = key(_AMOUNT, "Both tolerances at once; one of them must hold.")


class InteractorEntry(Record):
    """A program that talks to solutions, and decides."""

    program = key(
        RELATIVE_PATH,
        "The source of a program that talks to solutions, in the folder of problem.yaml.",
        is_required=True,
    )
    protocol = key(_PROTOCOL, "How the program is called, and what its exit status means. Default: icpc.")
    args = key(_ARGUMENTS, "Further arguments of the program.")


class ValidatorEntry(Record):
    """A program that checks inputs."""

    program = key(RELATIVE_PATH, "The source of the validator, in the folder of problem.yaml.", is_required=True)
    protocol = key(_PROTOCOL, "What its exit status means. Default: icpc.")


class CheckerLimitsEntry(Record):
    """What one run of the checker or the interactor may use."""

    time = key(TIME, "CPU time of the whole process tree. Default: `60 s`.")
    memory = key(SIZE, "Peak resident memory. Default: `2 GiB`.")
    output = key(SIZE, "Bytes of all that it writes, with its files. Default: `64 MiB`.")


_CHECKER_LIMITS = Fields(
    CheckerLimitsEntry,
    lambda each: DEFAULT_PROGRAM_LIMITS.override(cpu=each.time, memory=each.memory, output=each.output),
)


class SourceEntry(Record):
    """Where the problem was first set."""

    name = key(_TEXT, "Such as `UVa 131`.", is_required=True)
    url = key(_URL, "The original statement.")


_SOURCE = Fields(SourceEntry, lambda each: ProblemSource(name=each.name or "", url=each.url or ""))
_FLAG: String[str] = String("a flag of the compiler, such as `-std=gnu++17`", pattern=r"^\S+$", max_length=200)
_FLAGS = List(_FLAG, max_length=50)


class CompileFlagsEntry(Record):
    """More flags of compilers, after those of the judge."""

    c = key(_FLAGS, "For C.")
    cpp = key(_FLAGS, "For C++, such as `[-std=gnu++17]`.")
    java = key(_FLAGS, "For the Java compiler.")


_COMPILE_FLAGS = Fields(
    CompileFlagsEntry,
    lambda entry: {each: flags for each in entry.given if (flags := tuple(filter(None, getattr(entry, each) or ())))},
)
_GROUP_NAMES: Type[str | list[str | None]] = Either(GROUP_NAME, List(GROUP_NAME, min_length=1, is_set=True))


class SubtaskEntry(Record):
    """What a group of cases is worth."""

    points = key(_AMOUNT, "The maximum score of the group.", is_required=True)
    aggregation = key(
        Word("aggregation", "min", "pass-fail", "sum"),
        "How the points follow from the cases. Default: `pass-fail`, all or nothing.",
    )
    requires = key(
        _GROUP_NAMES, "Earlier groups that must be accepted; else the group is not judged, and has no points."
    )


class CheckerTestEntry(Record):
    """An output that the checker must accept or reject: for a case, or for the input and answer that are given."""

    rules = (
        exactly_one(("case", "input", "input_file"), "the test has no input"),
        exactly_one(("output", "output_file"), "the test has no output"),
        not_together("answer", "answer_file"),
        not_together("case", "answer"),
        not_together("case", "answer_file"),
    )

    case = key(_TEXT, "The case with the input and the answer, such as `sample/one`.")
    input = key(_DATA, "The input.")
    input_file = key(RELATIVE_PATH, "A file with the input, in the folder of this file.")
    answer = key(_DATA, "The answer. Default: empty.")
    answer_file = key(RELATIVE_PATH, "A file with the answer, in the folder of this file.")
    output = key(_DATA, "The output to check.")
    output_file = key(RELATIVE_PATH, "A file with the output, in the folder of this file.")
    args = key(_ARGUMENTS, "Arguments of the program instead of the usual ones.")
    message = key(_TEXT, "What the checker's message must contain.")


class CheckerTestsEntry(Record):
    """Tests of the checker, which `judge check` and pytest run."""

    accept = key(List(Fields(CheckerTestEntry), max_length=MAX_TESTS), "Right outputs.")
    reject = key(List(Fields(CheckerTestEntry), max_length=MAX_TESTS), "Wrong outputs.")


class ValidatorTestEntry(Record):
    """An input that the validator must accept or reject."""

    rules = (exactly_one(("input", "input_file"), "the test has no input"),)

    input = key(_DATA, "The input.")
    input_file = key(RELATIVE_PATH, "A file with the input, in the folder of this file.")
    args = key(_ARGUMENTS, "Arguments of the validator.")
    message = key(_TEXT, "What the validator's message must contain.")


_VALIDATOR_TEST: Type[str | ValidatorTestEntry] = Either(_DATA, Fields(ValidatorTestEntry))
_VALIDATOR_TESTS = List(_VALIDATOR_TEST, max_length=MAX_TESTS)


class ValidatorTestsEntry(Record):
    """Tests of the validator, which `judge check` and pytest run."""

    valid = key(_VALIDATOR_TESTS, "Legal inputs.")
    invalid = key(_VALIDATOR_TESTS, "Illegal inputs.")


_LIMITS = Fields(LimitsEntry)
_SUBTASK: Type[float | SubtaskEntry] = Either(_AMOUNT, Fields(SubtaskEntry))
_SCORE: Type[float | list[float | None]] = Either(_AMOUNT, List(_AMOUNT, min_length=2, max_length=2))
_VALIDATOR: Type[str | ValidatorEntry] = Either(RELATIVE_PATH, Fields(ValidatorEntry))
_PARAMETERS: Type[dict[str, object] | list[object]] = Either(Dict(Anything()), List(Anything(), max_length=100))
_CHECKER: Type[str | CheckerEntry] = Either(CHECKER_NAME, Fields(CheckerEntry))


class ProblemFile(Record):
    """A problem: its name, its limits, its checker, and the programs that make and check its data."""

    name = key(_TEXT, "The problem's title.", is_required=True)
    profile = key(_PROFILE, "The online judge whose rules apply.", is_required=True)
    source = key(_SOURCE, "Where the problem was first set.")
    limits = key(_LIMITS, "What one run may use.")
    checker = key(_CHECKER, "How outputs are compared with answers. Default: `exact` for uva, else `tokens`.")
    interactor = key(
        Fields(InteractorEntry),
        "The program that talks to solutions through their standard input and output. Cases need no answers.",
    )
    checker_limits = key(_CHECKER_LIMITS, "What one run of the checker or the interactor may use, if it is a program.")
    passes = key(
        integer(2, MAX_PASSES),
        "How many times a solution runs on a case at most: again as long as the program that judges asks for it.",
    )
    input_file = key(_FILE_NAME, "The file that a solution reads in place of standard input, such as `sum.in`.")
    output_file = key(_FILE_NAME, "The file that a solution writes in place of standard output, such as `sum.out`.")
    subtasks = key(Dict(_SUBTASK), "The points of each group of cases, in the order of judging.")
    scores = key(
        Dict(_SCORE), "Expected scores, or the lowest and the highest, of solutions or folders in solutions/<id>/."
    )
    compile_flags = key(_COMPILE_FLAGS, "More flags of compilers, as on its online judge.")
    validator = key(_VALIDATOR, "The program that checks whether an input is valid, in the folder of this file.")
    input = key(Anything(), "A grammar of the input; `judge show ID --grammar` prints it.")
    checker_tests = key(Fields(CheckerTestsEntry), "Outputs that the checker must accept and reject.")
    validator_tests = key(Fields(ValidatorTestsEntry), "Inputs that the validator must accept and reject.")
    generators = key(
        List(RELATIVE_PATH), "Python files whose public functions make inputs, and programs that print one."
    )
    reference = key(RELATIVE_PATH, "The solution that computes the answers, in solutions/<id>/.")
    independent = key(RELATIVE_PATH, "A solution by another method, in solutions/<id>/: must agree with every answer.")


AS_GIVEN = ("profile", "source", "checker_limits", "passes", "compile_flags")
"""The keys whose values are those of a `Problem`; it has the defaults."""


class ExternalEntry(Record):
    """An input that is not in the repository."""

    url = key(_URL, "Where to download it.", is_required=True)
    sha256 = key(SHA256, "Only a file with this SHA-256 is ever used.", is_required=True)
    file = key(_FILE_NAME, "The name of the file in the data folder.", is_required=True)


_EXTERNAL = Fields(
    ExternalEntry, lambda each: External(url=each.url or "", sha256=each.sha256 or "", file=each.file or "")
)


class CaseEntry(Record):
    """One input with its answer; or, with `seeds`, several."""

    rules = (
        exactly_one(("input", "input_file", "generate", "external"), "the case has no input"),
        not_together("answer", "answer_file"),
        not_together("seed", "seeds"),
        requires("seed", "generate"),
        requires("seeds", "generate"),
        requires("parameters", "generate"),
    )

    name = key(NAME, "Unique in its file: letters, digits, `.`, `_`, `-`.", is_required=True)
    why = key(_TEXT, "What the case tests.")
    input = key(_DATA, "The input itself.")
    input_file = key(RELATIVE_PATH, "A file with the input, in the folder of this file.")
    generate = key(_TEXT, "The generator that makes the input.")
    parameters = key(_PARAMETERS, "Keyword arguments of a function; arguments of a program, as a list or by name.")
    seed = key(_SEED, "The generator's seed. Default: 1.")
    seeds = key(_SEEDS, "One case for each: `1-8`, or `[1, 5]`.")
    external = key(_EXTERNAL, "An input that is not in the repository.")
    answer = key(_DATA, "The correct output. Default: the output of the reference.")
    answer_file = key(RELATIVE_PATH, "A file with the answer, in the folder of this file.")
    limits = key(_LIMITS, "Limits of this case.")
    checker = key(_CHECKER, "The checker of this case.")
    checker_args = key(_ARGUMENTS, "Arguments of the checker's program for this case.")


class CasesFile(Record):
    """A group of cases; the name of the file without `.yaml` is the name of the group."""

    limits = key(_LIMITS, "Limits of all cases in this file.")
    checker = key(_CHECKER, "The checker of all cases in this file.")
    checker_args = key(_ARGUMENTS, "Arguments of the checker's program for all cases in this file.")
    validator_args = key(List(_ANY_TEXT), "Arguments of the validator, such as `--dirty`.")
    cases = key(
        List(Fields(CaseEntry), min_length=1, max_length=MAX_CASES),
        "The cases, judged in this order.",
        is_required=True,
    )


PROBLEM_FILE = Fields(ProblemFile)
FOLDER_FILE = Fields(ProblemFile, is_partial=True)
"""problem.yaml beside the sources and cases of a folder that is no repository."""
CASES_FILE = Fields(CasesFile)
