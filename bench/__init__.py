"""Benchmarks: programs that anyone can run and that print ratios against a baseline measured in the same run."""
