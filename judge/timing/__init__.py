"""Is a program slower than before? Runs the old and the new source in turn until their CPU times answer that.

`measure.compare` makes the runs, and `comparison` decides when to stop and what the times mean. docs/design-notes.md
explains the theory.
"""
