"""Judges without an API, or behind a captcha: what a person pastes, and where."""

from dataclasses import dataclass

from judge.errors import UsageError
from judge.online.problem_ref import ProblemRef

JUDGES = {"uva": "UVa", "codeforces": "Codeforces", "atcoder": "AtCoder", "euler": "Project Euler"}
LANGUAGES = {
    "uva": {"python3": "PYTH3 3.5.1", "c": "ANSI C 5.3.0", "cpp": "C++11 5.3.0", "java": "JAVA 1.8.0"},
    "codeforces": {"python3": "Python 3 (or PyPy 3)", "c": "GNU C11", "cpp": "GNU C++17", "java": "Java"},
    "atcoder": {"python3": "Python (CPython, or PyPy)", "c": "C", "cpp": "C++", "java": "Java"},
}
_HOW = {
    "uva": "log in, enter the problem {problem}, choose {language}, paste, and submit",
    "codeforces": "log in, choose {language}, paste, and submit",
    "atcoder": "log in, choose {language}, paste, and submit",
    "euler": "log in, type or paste the answer, solve the captcha, and press Check",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualSubmission:
    """What a person is given.

    Attributes:
        page: where to paste.
        how: what to do there.
        what: what is pasted, in words.
    """

    judge: str
    site: str
    problem: str
    language: str
    page: str
    how: str
    what: str


def manual_submission(origin: ProblemRef, language: str, named: str = "") -> ManualSubmission:
    """Return what a person is given for a problem of a judge that programs cannot submit to.

    Args:
        origin: where the problem lives.
        language: the id of a row of `judge.languages`.
        named: what the judge calls the language, if the user says so.

    Raises:
        UsageError: programs can submit to it, or it is not known.
    """
    if origin.judge not in JUDGES:
        raise UsageError(f"{origin.name}: expected a problem of {', '.join(JUDGES.values())}")
    named = named or LANGUAGES.get(origin.judge, {}).get(language, language)
    return ManualSubmission(
        judge=JUDGES[origin.judge], site=origin.site, problem=origin.problem, language=named, page=origin.submit,
        how=_HOW[origin.judge].format(problem=origin.problem, language=named),
        what="the answer" if origin.judge == "euler" else "the source",
    )  # fmt: skip
