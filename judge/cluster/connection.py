"""Connections to a cluster: one that runs already, or worker processes of this machine that end with it."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from judge.errors import JudgeError, UsageError
from judge.workspace.session import open_temporary_folder

try:
    from distributed import Client, LocalCluster
    from distributed.security import Security
except ImportError as error:
    raise UsageError(f"a cluster needs Dask: pip install distributed cryptography ({error})") from error

MAX_WORKERS = 256
_TIMEOUT_S = 15  # for a scheduler to answer
_CLOSE_S = 10


@contextmanager
def connect(address: str) -> Iterator[Client]:
    """Connect to a scheduler.

    Certificates for `tls://` come from Dask's configuration (`distributed.comm.tls`).

    Raises:
        UsageError: none answers at this address.
    """
    _be_quiet()
    try:
        client = Client(address, timeout=_TIMEOUT_S, set_as_default=False)
    except (OSError, ValueError, TypeError, AssertionError) as error:
        raise UsageError(
            f"--scheduler {address}: no Dask scheduler answers ({str(error) or type(error).__name__}); "
            "`dask scheduler` starts one, and prints its address"
        ) from error
    try:
        yield client
    finally:
        with suppress(Exception):  # the scheduler may be gone; the results are complete
            client.close(timeout=_CLOSE_S)


@contextmanager
def start_workers(count: int) -> Iterator[Client]:
    """Start a scheduler and worker processes on this machine; they end with the block.

    They speak TLS with keys that only they have: a scheduler runs whatever it is sent, and every user of this machine
    could connect to its port. Each imports modules from its own folder, so that is in a private one; Dask's default, a
    folder in /tmp, may belong to another user.

    Raises:
        UsageError: the number is out of range.
        JudgeError: they do not start.
    """
    if not 1 <= count <= MAX_WORKERS:
        raise UsageError(f"--workers {count}: expected a number from 1 to {MAX_WORKERS}")
    _be_quiet()
    with open_temporary_folder() as folder, _without_current_folder():
        path = sys.path.copy()
        try:
            cluster = LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",  # any free port: that of another user warns
                memory_limit=0,
                # `WorkerPool` decides what is to blame for a lost worker
                scheduler_kwargs={"allowed_failures": 0, "local_directory": str(folder)},
                local_directory=str(folder),
                silence_logs=logging.CRITICAL + 1,
                security=Security.temporary(),
            )
        except (OSError, ImportError, RuntimeError, TimeoutError) as error:
            raise JudgeError(f"--workers {count}: the worker processes do not start: {error}") from error
        finally:
            sys.path[:] = path  # Dask adds the folder, whose name is free again after the block
        try:
            with Client(cluster, timeout=_TIMEOUT_S, set_as_default=False) as client:
                yield client
        finally:
            with suppress(Exception):
                cluster.close(timeout=_CLOSE_S)


@contextmanager
def _without_current_folder() -> Iterator[None]:
    """Keep the current folder out of `sys.path` of the processes that start meanwhile, as `python -c`."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


def _be_quiet() -> None:
    """Stop Dask's log on standard error: the judge reports what concerns the user."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed.")]
    for name in ("asyncio", "distributed", *names):  # asyncio: tasks of Dask that were cancelled
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
