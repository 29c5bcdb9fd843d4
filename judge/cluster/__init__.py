"""Grading on several processes and machines with Dask distributed. Only `judge grade --scheduler` and `--workers` use it.

The client (`ClusterGrader`) cuts the stream into batches; each worker process has a grader of its own (`worker`).
"""
