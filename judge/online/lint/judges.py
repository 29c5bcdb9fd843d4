"""The online judges, one row each: which Pythons they run, and what they reject.

Where a judge does not publish a fact, the table holds the careful value and docs/check.md says so. The comments
name the sources, all read in November 2026.
"""

from collections.abc import Mapping

from msgspec import Struct

from judge.base.units import KIB, Bytes, Seconds
from judge.languages.interpreters import Interpreter, find_interpreter_by_version
from judge.online.python_source import HOST, Version, format_version


class JudgePython(Struct, frozen=True, kw_only=True):
    """A Python that a judge offers.

    Attributes:
        name: with its exact version, as the judge writes it.
        version: of the language; rules apply to minor versions.
        commands: the names of its executable, best first.
    """

    name: str
    version: Version
    commands: tuple[str, ...]


class OnlineJudge(Struct, frozen=True, kw_only=True):
    """One row of the table.

    Attributes:
        id: also the name of its profile in `problem.yaml`.
        pythons: a submission can choose one of these; empty if the judge runs no code.
        source_limit: maximal size of a submission, inclusive; None if unknown.
        is_limit_sure: the limit is published.
        slowness: how many times longer a run may take there than here; our careful estimate.
        exact_output: every byte of the output counts, including the newline at the end.
        exact_tokens: letter case, and white space before the ends of lines, must be those of the answer.
        libraries: modules besides the standard library.
        requires_main: a Java program must be in a class called `Main`; other judges find the class with `main`.
        time_limit: the same for all problems; None if each problem has its own.
        aim: what a file is ready for; "" for submitting to the judge.
    """

    id: str
    name: str
    pythons: tuple[JudgePython, ...]
    source_limit: Bytes | None = None
    is_limit_sure: bool = True
    slowness: float = 1.5
    exact_output: bool = False
    exact_tokens: bool = False
    libraries: frozenset[str] = frozenset()
    requires_main: bool = False
    time_limit: Seconds | None = None
    aim: str = ""

    @property
    def runs_code(self) -> bool:
        """Whether a program is submitted, not only its answer."""
        return bool(self.pythons)


_ATCODER_LIBRARIES = frozenset(
    {"numpy", "scipy", "networkx", "sympy", "sortedcontainers", "more_itertools", "shapely", "bitarray", "numba"}
    | {"mpmath", "pandas", "atcoder"}
)

_ROWS = (
    # the language list of its submission form (PYTH3 3.5.1) and its page `Submission Specification`
    OnlineJudge(
        id="uva",
        name="UVa Online Judge",
        pythons=(JudgePython(name="CPython 3.5.1", version=(3, 5), commands=("python3.5",)),),
        source_limit=Bytes(40 * KIB),  # according to its forum; a user reports that it is not enforced
        is_limit_sure=False,
        slowness=2.0,
        exact_output=True,
        exact_tokens=True,
        requires_main=True,
    ),
    # its help page `Python 3`, as users quote it; the size is the default of its problem package format
    OnlineJudge(
        id="kattis",
        name="Kattis",
        pythons=(JudgePython(name="PyPy 7.3 (Python 3.10)", version=(3, 10), commands=("pypy3.10", "pypy3")),),
        source_limit=Bytes(128 * KIB),
    ),
    # the compiler list of its submission form (ids 31 and 70), as clients quote it
    OnlineJudge(
        id="codeforces",
        name="Codeforces",
        pythons=(
            JudgePython(name="CPython 3.13.2", version=(3, 13), commands=("python3.13",)),
            JudgePython(name="PyPy 7.3.15 (Python 3.10)", version=(3, 10), commands=("pypy3.10", "pypy3")),
        ),
        source_limit=Bytes(64 * KIB - 1),  # its form: at most 65535 bytes
        slowness=2.0,
    ),
    # its language list of 2025, as clients quote it
    OnlineJudge(
        id="atcoder",
        name="AtCoder",
        pythons=(
            JudgePython(name="CPython 3.13.7", version=(3, 13), commands=("python3.13",)),
            JudgePython(name="PyPy 7.3.20 (Python 3.11)", version=(3, 11), commands=("pypy3.11", "pypy3")),
        ),
        source_limit=Bytes(512 * KIB),
        slowness=1.2,
        exact_tokens=True,
        libraries=_ATCODER_LIBRARIES,
        requires_main=True,
    ),
    # the instructions of its contests (128 kB); it offers CPython and PyPy, their versions are a guess
    OnlineJudge(
        id="cses",
        name="CSES",
        pythons=(
            JudgePython(name="CPython 3.10", version=(3, 10), commands=("python3.10",)),
            JudgePython(name="PyPy (Python 3.10)", version=(3, 10), commands=("pypy3.10", "pypy3")),
        ),
        source_limit=Bytes(128_000),
    ),
    # its page `About`: users type in answers, and a program should need less than a minute
    OnlineJudge(
        id="euler",
        name="Project Euler",
        pythons=(),
        slowness=1.0,
        time_limit=Seconds(60.0),
        aim="submitting its answer to Project Euler",
    ),
    # its page `Programming Environment` (46th to 48th finals); the size is its package format's default
    OnlineJudge(
        id="icpc",
        name="ICPC World Finals",
        pythons=(JudgePython(name="PyPy 7.3.10 (Python 3.9.15)", version=(3, 9), commands=("pypy3.9", "pypy3")),),
        source_limit=Bytes(128 * KIB),
        slowness=2.0,
        aim="a contest by the rules of the ICPC World Finals",
    ),
)

JUDGES: Mapping[str, OnlineJudge] = {row.id: row for row in _ROWS}


def find_judge_interpreter(judge: OnlineJudge) -> tuple[Interpreter | None, list[str]]:
    """Find an interpreter of a judge's version, or of the next newer one; None stands for our own.

    Returns:
        The interpreter, and a note if it is not of the judge's version.
    """
    if not judge.runs_code:
        return None, []
    for offered in judge.pythons:
        commands = (*offered.commands, f"python{format_version(offered.version)}")
        if found := find_interpreter_by_version(offered.version, commands):
            return found, []
    names = " or ".join(offered.name for offered in judge.pythons)
    oldest = min(offered.version for offered in judge.pythons)
    newer = next(filter(None, (find_interpreter_by_version((3, at)) for at in range(oldest[1] + 1, HOST[1]))), None)
    used = newer.name if newer else f"Python {format_version(HOST)}"
    return newer, [f"{names} is not installed; {used} is used instead and may behave differently"]
