"""Grading on several processes and machines with Dask, for `judge grade --scheduler` and `--workers` only.

The client (`ClusterGrader`) cuts the stream into batches; each worker process has a grader of its own (`worker`).
"""
