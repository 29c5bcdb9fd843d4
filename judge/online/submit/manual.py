"""Judges without an API, or behind a captcha: what the user pastes, and where."""

from dataclasses import dataclass

from judge.errors import UsageError
from judge.online.problem_ref import ProblemRef

JUDGES = {"uva": "UVa", "codeforces": "Codeforces", "atcoder": "AtCoder", "euler": "Project Euler"}

_LANGUAGES = {
    "uva": {"python3": "PYTH3 3.5.1", "c": "ANSI C 5.3.0", "cpp": "C++11 5.3.0", "java": "JAVA 1.8.0"},
    "codeforces": {"python3": "Python 3 (or PyPy 3)", "c": "GNU C11", "cpp": "GNU C++17", "java": "Java"},
    "atcoder": {"python3": "Python (CPython, or PyPy)", "c": "C", "cpp": "C++", "java": "Java"},
}
_INSTRUCTIONS = {
    "uva": "log in, enter problem {problem}, choose {language}, paste, and submit",
    "codeforces": "log in, choose {language}, paste, and submit",
    "atcoder": "log in, choose {language}, paste, and submit",
    "euler": "log in, paste the answer, solve the captcha, and press Check",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualSubmission:
    """A submission that the user pastes into a page.

    Attributes:
        judge: the judge's display name.
        site: its URL.
        problem, language: the judge's names.
        url: the page to paste into.
        instructions: what to do there.
        content: what is pasted: `the source` or `the answer`.
    """

    judge: str
    site: str
    problem: str
    language: str
    url: str
    instructions: str
    content: str


def manual_submission(problem: ProblemRef, language: str, language_name: str = "") -> ManualSubmission:
    """Return what the user pastes, and where.

    Args:
        problem: a problem of one of `JUDGES`.
        language: the id of a row of `judge.languages`.
        language_name: the judge's name of the language, if the user gave one.

    Raises:
        UsageError: the judge is not one of `JUDGES`.
    """
    if problem.judge not in JUDGES:
        raise UsageError(f"{problem.name}: expected a problem of {', '.join(JUDGES.values())}")
    language_name = language_name or _LANGUAGES.get(problem.judge, {}).get(language, language)
    return ManualSubmission(
        judge=JUDGES[problem.judge],
        site=problem.site,
        problem=problem.problem,
        language=language_name,
        url=problem.submit_url,
        instructions=_INSTRUCTIONS[problem.judge].format(problem=problem.problem, language=language_name),
        content="the answer" if problem.judge == "euler" else "the source",
    )
