"""How fast machines are, and which verdicts depend on that."""

from judge.errors import JudgeError
from judge.grading.values import TIME_BAND
from judge.model import Ending, Limits, Verdict
from judge.sandbox.box import Box, Command
from judge.sandbox.installations import base_python
from judge.units import MIB, Bytes, Seconds

_LOOP = "total = 0\nfor i in range(600_000):\n    total += i * i % 7\nprint(total)\n"
_EXPECTED = b"1199997\n"
_LIMITS = Limits(cpu=Seconds(60.0), wall=Seconds(121.0), memory=Bytes(256 * MIB), output=Bytes(MIB))
_ROUNDS = 5
_SAME = 0.1  # two machines whose speeds differ by less count as equally fast


def measure_speed() -> Seconds:
    """Return the CPU time of a fixed Python program in the sandbox of this machine: the least of several runs.

    Raises:
        JudgeError: it does not run; the worker or the machine is of no use.
    """
    command = Command(argv=(base_python(), "-I", "-S", "-c", _LOOP))
    with Box() as box:
        outcomes = [box.run(command, _LIMITS) for _ in range(_ROUNDS)]
    for outcome in outcomes:
        run = outcome.result
        if run.ending is not Ending.EXITED or run.exit_code != 0 or outcome.stdout != _EXPECTED:
            why = run.last_error_line or run.exit_code
            raise JudgeError(f"a simple Python program does not run there: {run.ending.value}, {why}")
    return min(outcome.result.cpu for outcome in outcomes)


def depends_on_speed(
    verdict: Verdict, margin: float | None, slowness: float, *, is_settled: bool, is_uncertain: bool = False
) -> bool:
    """Return whether a verdict could be another one on the reference machine.

    Args:
        verdict: from some worker.
        margin: the smallest share of a limit that a run left unused; None if nothing ran.
        slowness: how much longer a program takes there than on the reference machine.
        is_settled: from an equally fast worker, a verdict near a limit counts: it has repeated that run, or its machine
            is the reference machine.
        is_uncertain: the worker itself got two verdicts.
    """
    if margin is None:
        return False
    if is_uncertain:
        return True
    if abs(slowness - 1) <= _SAME and (is_settled or abs(margin) > TIME_BAND):
        return False
    if verdict is Verdict.TLE:
        return slowness > 1
    return (1 - margin) / slowness >= 1 - TIME_BAND
