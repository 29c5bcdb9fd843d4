"""The runner: plans the runs, has them judged, and yields events. It prints nothing and decides nothing by itself."""

from judge.runner.plan import Options, Selection
from judge.runner.session import run

__all__ = ["Options", "Selection", "run"]
