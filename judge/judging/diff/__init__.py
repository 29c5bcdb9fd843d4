"""Where and how an output differs from the answer, cut to what a screen can show: pure functions over bytes.

`mismatch` locates and presents the first difference, `describe` says it in one line, `excerpt` cuts out the part of the
input that goes with it. `pieces` walks two texts in step; the checkers decide with it.

Texts may hold NULs and bytes that are not UTF-8, be one line of 60 MB or 30 million lines: what is shown is bounded,
time is linear, and memory is a small multiple of the texts.
"""

from judge.judging.diff.chunks import line_count
from judge.judging.diff.inputs import excerpt
from judge.judging.diff.locate import describe, mismatch, shown

__all__ = ["describe", "excerpt", "line_count", "mismatch", "shown"]
