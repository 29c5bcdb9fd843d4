"""Judges without an API, or behind a captcha: the user pastes the source, or the answer, into a page."""

JUDGES = {"uva": "UVa", "codeforces": "Codeforces", "atcoder": "AtCoder", "euler": "Project Euler"}

LANGUAGES = {
    "uva": {"python3": "PYTH3 3.5.1", "c": "ANSI C 5.3.0", "cpp": "C++11 5.3.0", "java": "JAVA 1.8.0"},
    "codeforces": {"python3": "Python 3 (or PyPy 3)", "c": "GNU C11", "cpp": "GNU C++17", "java": "Java"},
    "atcoder": {"python3": "Python (CPython, or PyPy)", "c": "C", "cpp": "C++", "java": "Java"},
    "euler": {},
}
"""The judges' names of the languages of `judge.languages`."""

INSTRUCTIONS = {
    "uva": "log in, enter problem {problem}, choose {language}, paste, and submit",
    "codeforces": "log in, choose {language}, paste, and submit",
    "atcoder": "log in, choose {language}, paste, and submit",
    "euler": "log in, paste the answer, solve the captcha, and press Check",
}
