"""Grading: a stream of submissions in, one result for each out. `judge grade` and `judge.grade` share it."""
