"""Work on several processes and machines with Dask, for `--scheduler` and `--workers` only.

A `WorkerPool` sends pieces of work to worker processes, in batches, and hands on their results. A `ClusterGrader` gives
it the rows of `judge grade`; the boxes of a `ClusterExecutor` give it the jobs of `judge run` and `judge strength`, and
the inputs of searches. Each worker process has a service of its own for each client (`worker`).
"""

import hashlib
from functools import cache
from pathlib import Path

from judge import __version__


@cache
def identify() -> str:
    """Return which judge this is, such as `0.1.0 (5f0c9a31)`: the hash tells apart two states of a working copy."""
    package = Path(__file__).parents[2]
    hasher = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        data = path.read_bytes()
        hasher.update(f"{path.relative_to(package)} {len(data)} ".encode() + data)
    return f"{__version__} ({hasher.hexdigest()[:8]})"
