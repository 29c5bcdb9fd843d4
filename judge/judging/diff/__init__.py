"""The first difference between an output and the answer, cut to what fits on a screen: pure functions over bytes.

`find_mismatch` locates the difference, `describe_mismatch` puts it in one line, and `extract_excerpt` cuts out the part
of the input that belongs to it. `chunks.first_difference` walks through two texts in step; the checkers decide with it.

Texts may contain NULs and bytes that are not UTF-8, and may be one line of 60 MB or 30 million lines: the result is
bounded, the time is linear, and the memory is a small multiple of the size of the texts.
"""

from judge.judging.diff.chunks import line_count
from judge.judging.diff.excerpt import extract_excerpt
from judge.judging.diff.mismatch import describe_mismatch, find_mismatch

__all__ = ["describe_mismatch", "extract_excerpt", "find_mismatch", "line_count"]
