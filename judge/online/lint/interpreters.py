"""Find a Python on this machine that is like the one of an online judge."""

from judge.languages.interpreters import Interpreter, find_interpreter_by_version
from judge.online.lint.judges import OnlineJudge
from judge.online.python_source import HOST, format_version


def find_judge_python(judge: OnlineJudge) -> tuple[Interpreter | None, tuple[str, ...]]:
    """Find an interpreter of the judge's version, or of the next newer one; None stands for our own.

    Returns:
        The interpreter, and a note if it is not of the judge's version.
    """
    if not judge.runs_code:
        return None, ()
    for each in judge.pythons:
        if found := find_interpreter_by_version(
            each.version, (*each.commands, f"python{format_version(each.version)}")
        ):
            return found, ()
    newer = (find_interpreter_by_version((3, minor)) for minor in range(judge.oldest_version[1] + 1, HOST[1]))
    found = next((each for each in newer if each), None)
    names = " or ".join(each.name for each in judge.pythons)
    used = found.name if found else f"Python {format_version(HOST)}"
    return found, (f"{names} is not installed; {used} is used instead and may behave differently",)
