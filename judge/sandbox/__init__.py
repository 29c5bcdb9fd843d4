"""The sandbox: the only place that starts programs which are not trusted.

`Box` is the whole interface: one box runs one program at a time, and many boxes run side by side. A box answers with
facts (`RunResult`) and never with an opinion.
"""

from judge.sandbox.box import Box, Command, Outcome

__all__ = ["Box", "Command", "Outcome"]
