"""Regression checks: remembering each run, and telling what changed between two times. It prints nothing."""
