"""The online judges, a row each: what runs a submission there, and what is refused.

Where a fact is not published the careful value stands here and docs/submitting.md says so. `as_of` is the month in
which the source was read.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from judge.units import KIB, Bytes, Seconds

Version = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpreter:
    """A Python that a judge offers.

    Attributes:
        name: with its exact version, as the judge writes it.
        version: of the language; rules are kept by minor version.
        commands: what it is called where it is installed, best first.
    """

    name: str
    version: Version
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OnlineJudge:
    """One row of the table.

    Attributes:
        id: also the name of its profile in `problem.yaml`.
        interpreters: which Pythons a submission can choose from; none where no code is judged.
        source: where that is said.
        as_of: when it was read, year and month.
        source_limit: bytes of a source, inclusive; None where none is known.
        is_limit_sure: the limit is published.
        slowness: how much longer a run may take there than here; our estimate, on the careful side.
        exact_output: every byte of the output counts, the newline at its end too.
        libraries: modules that are there besides the standard library.
        time_limit: where the judge has the same limit for all problems.
    """

    id: str
    name: str
    interpreters: tuple[Interpreter, ...]
    source: str
    as_of: str
    source_limit: Bytes | None = None
    is_limit_sure: bool = True
    slowness: float = 1.5
    exact_output: bool = False
    libraries: frozenset[str] = frozenset()
    time_limit: Seconds | None = None

    @property
    def judges_code(self) -> bool:
        """Whether a program is submitted at all."""
        return bool(self.interpreters)

    @property
    def oldest(self) -> Version:
        """The oldest language version that a submission may meet there."""
        return min(each.version for each in self.interpreters)

    @property
    def newest(self) -> Version:
        """The newest language version that a submission can choose there."""
        return max(each.version for each in self.interpreters)


_ATCODER_LIBRARIES = frozenset(
    [
        "numpy",
        "scipy",
        "networkx",
        "sympy",
        "sortedcontainers",
        "more_itertools",
        "shapely",
        "bitarray",
        "numba",
        "mpmath",
        "pandas",
        "atcoder",
    ]
)

_ROWS = (
    OnlineJudge(
        id="uva",
        name="UVa Online Judge",
        interpreters=(Interpreter(name="CPython 3.5.1", version=(3, 5), commands=("python3.5",)),),
        source="the language list of its submission form (PYTH3 3.5.1) and its page `Submission Specification`",
        as_of="2026-11",
        source_limit=Bytes(40 * KIB),  # told in its forum; a user reports that it is not enforced
        is_limit_sure=False,
        slowness=2.0,
        exact_output=True,
    ),
    OnlineJudge(
        id="kattis",
        name="Kattis",
        interpreters=(Interpreter(name="PyPy 7.3 (Python 3.10)", version=(3, 10), commands=("pypy3.10", "pypy3")),),
        source="its help page `Python 3`, as users quote it; the size is the default of its problem package format",
        as_of="2026-11",
        source_limit=Bytes(128 * KIB),
    ),
    OnlineJudge(
        id="codeforces",
        name="Codeforces",
        interpreters=(
            Interpreter(name="CPython 3.13.2", version=(3, 13), commands=("python3.13",)),
            Interpreter(name="PyPy 7.3.15 (Python 3.10)", version=(3, 10), commands=("pypy3.10", "pypy3")),
        ),
        source="the compiler list of its submission form (ids 31 and 70), as clients quote it",
        as_of="2026-11",
        source_limit=Bytes(64 * KIB - 1),  # its form: at most 65535 bytes
        slowness=2.0,
    ),
    OnlineJudge(
        id="atcoder",
        name="AtCoder",
        interpreters=(
            Interpreter(name="CPython 3.13.7", version=(3, 13), commands=("python3.13",)),
            Interpreter(name="PyPy 7.3.20 (Python 3.11)", version=(3, 11), commands=("pypy3.11", "pypy3")),
        ),
        source="its language list of 2025, as clients quote it",
        as_of="2026-11",
        source_limit=Bytes(512 * KIB),
        slowness=1.2,
        libraries=_ATCODER_LIBRARIES,
    ),
    OnlineJudge(
        id="euler",
        name="Project Euler",
        interpreters=(),
        source="its page `About`: answers are typed in, and a program should need less than a minute",
        as_of="2026-11",
        slowness=1.0,
        time_limit=Seconds(60.0),
    ),
    OnlineJudge(
        id="icpc",
        name="ICPC World Finals",
        interpreters=(Interpreter(name="PyPy 7.3.10 (Python 3.9.15)", version=(3, 9), commands=("pypy3.9", "pypy3")),),
        source="its page `Programming Environment` (46th to 48th finals); the size is its package format's default",
        as_of="2026-11",
        source_limit=Bytes(128 * KIB),
        slowness=2.0,
    ),
)

JUDGES: Mapping[str, OnlineJudge] = {row.id: row for row in _ROWS}


def version_text(version: Version) -> str:
    """Write a version for people: `3.5`."""
    return f"{version[0]}.{version[1]}"
