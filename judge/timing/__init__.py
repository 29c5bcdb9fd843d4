"""Slower or not: a program's old and new source are run in turn until their CPU times tell, or cannot tell.

`measure.compare` makes the runs, `sequence` decides when to stop, `intervals` what the times allow to say, `comparison`
says it, and `counts` adds whether the work itself changed. docs/compare.md has the theory.
"""
