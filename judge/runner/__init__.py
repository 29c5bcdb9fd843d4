"""The runner plans the runs, has them judged, and yields events. It prints nothing."""

from judge.runner.options import ProblemSelection, RunOptions
from judge.runner.run import run

__all__ = ["ProblemSelection", "RunOptions", "run"]
