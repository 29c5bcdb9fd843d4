"""What commands do with `--scheduler` and `--workers`: they connect to a cluster, or start one."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from judge.model import Level
from judge.workspace.options import ClusterOptions

if TYPE_CHECKING:
    from judge.workspace.session import ExecutorFactory


def open_cluster(cluster: ClusterOptions) -> AbstractContextManager[Any]:
    """Return the context of a client of Dask.

    Raises:
        UsageError: Dask is not installed; entering the context: no scheduler answers, or a number is out of range.
    """
    from judge.cluster.connection import connect, start_workers

    return connect(cluster.scheduler) if cluster.scheduler is not None else start_workers(cluster.workers or 0)


@contextmanager
def open_cluster_executor(cluster: ClusterOptions, required_level: Level | None) -> "Iterator[ExecutorFactory]":
    """Connect to a cluster; yield what opens an executor there.

    Raises:
        UsageError: Dask is not installed, no scheduler answers, or a number is out of range.
    """
    with open_cluster(cluster) as client:
        from judge.cluster.executor import ClusterExecutor

        place = f"cluster {cluster.scheduler}" if cluster.scheduler is not None else ""
        yield partial(ClusterExecutor, client, notify, place=place, required_level=required_level)


def notify(text: str) -> None:
    """Print a line for the user."""
    print(f"judge: {text}", file=sys.stderr)
