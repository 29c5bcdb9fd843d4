"""The first difference between an output and the answer, cut to what fits on a screen: pure functions over bytes.

- `mismatch.find_mismatch` locates the difference, and `mismatch.describe_mismatch` puts it in one line.
- `rows.extract_excerpt` cuts out the part of the input that belongs to it.
- `chunks.first_difference` walks through two texts in step; the checkers decide with it.

Texts may contain NULs and bytes that are not UTF-8, and may be one line of 60 MB or 30 million lines: the result is
bounded, the time is linear, and the memory is a small multiple of the size of the texts.
"""
