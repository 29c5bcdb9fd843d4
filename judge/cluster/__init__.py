"""Work on several processes and machines with Dask, for `--scheduler` and `--workers` only.

A `WorkerPool` sends pieces of work to worker processes, in batches, and hands on their results. A `ClusterGrader` gives
it the rows of `judge grade`; the boxes of a `ClusterExecutor` give it the jobs of `judge run` and `judge strength`, and
the inputs of searches. Each worker process has a service of its own for each client (`worker`).
"""
