"""How fast machines are, and which verdicts depend on that."""

from judge.errors import JudgeError
from judge.grading.grader import Grader
from judge.grading.values import TIME_BAND, Grade
from judge.model import Verdict

_LOOP = "total = 0\nfor i in range(600_000):\n    total += i * i % 7\nprint(total)\n"
_ROUNDS = 5
_SAME = 0.1  # two machines whose speeds differ by less count as equally fast; a run that near to a limit is repeated


def measure_speed(grader: Grader) -> float:
    """Return the CPU time in seconds of a fixed Python program in the sandbox: the least of several runs.

    Raises:
        JudgeError: it does not run; the worker or the machine is of no use.
    """
    expected = str(sum(i * i % 7 for i in range(600_000)))
    row = {"id": "calibration", "code": _LOOP, "tests": [{"input": "", "output": expected}], "limits": {"time_s": 60}}
    found = []
    for _ in range(_ROUNDS):
        grade = grader.grade_one(row)
        if grade.verdict is not Verdict.AC or grade.cpu_s is None:
            reason = grade.fault or (grade.first_failure.reason if grade.first_failure else "")
            raise JudgeError(f"a simple Python program gets {grade.verdict.value} there: {reason}")
        found.append(grade.cpu_s)
    return min(found)


def depends_on_speed(grade: Grade, slowness: float) -> bool:
    """Return whether a verdict could be another one on the reference machine.

    Args:
        grade: from some worker.
        slowness: how much longer a program takes there than on the reference machine.
    """
    if grade.score is None or grade.margin is None:
        return False
    if grade.uncertain:
        return True
    if abs(slowness - 1) <= _SAME:  # the worker itself has repeated what was within the band of a limit
        return False
    if grade.verdict is Verdict.TLE:
        return slowness > 1
    return (1 - grade.margin) / slowness >= 1 - TIME_BAND
