"""Judging: turn the measurements of a run and the result of a checker into one verdict."""
