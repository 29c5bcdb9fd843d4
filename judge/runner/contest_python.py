"""Which Python runs the submissions of packages: contest systems have PyPy, which may be several times faster."""

from collections.abc import Iterator, Mapping, Sequence

from judge.languages.table import LANGUAGES
from judge.model import Solution
from judge.model.events import Notice
from judge.runner.options import ProblemSelection
from judge.runner.solution import is_pypy

_SUFFIXES = next(language.suffixes for language in LANGUAGES if language.id == "python3")


def describe_python(
    packages: Sequence[ProblemSelection], tools: Mapping[str, str], *, is_warm: bool
) -> Iterator[Notice]:
    """Yield which Python decides about the Python 3 submissions of packages; nothing if there are none.

    The packages have the tools that contests use; those of the user come first. Warm runs are forked from the judge's
    own interpreter.
    """
    package = next((each for each in packages if any(map(_is_python3, each.problem.solutions))), None)
    if package is None:
        return
    python = package.tools.get("python", "")
    if "python" in tools:
        text = f"Python 3 submissions run with {tools['python']}"
    elif is_pypy(python) and not is_warm:
        text = f"Python 3 submissions of packages run with {python}, as at contests; with CPython: --python python3"
    else:
        why = "warm runs do not use PyPy" if is_warm else "pypy3 is not installed"
        text = f"Python 3 submissions run with CPython, since {why}; contest systems use PyPy, which may be faster"
    yield Notice(text=text)


def _is_python3(solution: Solution) -> bool:
    return solution.language == "python3" or (not solution.language and solution.path.suffix in _SUFFIXES)
