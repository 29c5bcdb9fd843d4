"""Judge competitive-programming solutions on this machine: right or wrong and where, how fast, how much memory.

The names below are the public Python API; docs/api.md has examples. Everything else may change at any time.

    import judge

    with judge.Judge() as session:
        result = session.run("sum.py", cases="tests")
    print(result.verdict, result.passed, result.total)
"""

TYPE_CHECKING = False  # as in `typing`, which takes a millisecond to import

__version__ = "0.2.0"

if TYPE_CHECKING:  # imported when they are first used: the command line starts without them
    from judge.api import CaseResult, Judge, Result, TextCase, run
    from judge.base.errors import DataError, JudgeError
    from judge.grading.api import Grader, grade
    from judge.grading.values import Grade
    from judge.hack.values import SearchResult
    from judge.model import Verdict

_MODULES = {
    "CaseResult": "judge.api",
    "DataError": "judge.base.errors",
    "Grade": "judge.grading.values",
    "Grader": "judge.grading.api",
    "Judge": "judge.api",
    "JudgeError": "judge.base.errors",
    "Result": "judge.api",
    "SearchResult": "judge.hack.values",
    "TextCase": "judge.api",
    "Verdict": "judge.model",
    "grade": "judge.grading.api",
    "run": "judge.api",
}

__all__ = [
    "CaseResult",
    "DataError",
    "Grade",
    "Grader",
    "Judge",
    "JudgeError",
    "Result",
    "SearchResult",
    "TextCase",
    "Verdict",
    "__version__",
    "grade",
    "run",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module 'judge' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
