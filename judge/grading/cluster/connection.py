"""Connections to a cluster: one that runs already, or worker processes of this machine that end with it."""

import asyncio
import logging
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Protocol

from judge.base.errors import JudgeError, UsageError
from judge.workspace.session import open_temporary_folder

try:
    from dask import config
    from distributed import Client, LocalCluster
    from distributed.comm import connect as connect_once
    from distributed.security import Security
except ImportError as error:
    raise UsageError(f"a cluster needs Dask: pip install distributed cryptography ({error})") from error

MAX_WORKERS = 256
_TIMEOUT_S = 15  # for a scheduler to answer
_NO_PAGES: dict[str, list[str]] = {f"distributed.{each}.http.routes": [] for each in ("scheduler", "worker")}


class Stop(Protocol):
    """What a signal asks for."""

    @property
    def is_stopping(self) -> bool:
        """Whether everything must end soon."""

    def raise_meanwhile(self) -> AbstractContextManager[None]:
        """Raise KeyboardInterrupt in this block when everything must end."""


@contextmanager
def connect(address: str, stop: Stop | None = None) -> Iterator[Client]:
    """Connect to a scheduler.

    Certificates for `tls://` come from Dask's configuration (`distributed.comm.tls`).

    Raises:
        UsageError: none answers at this address.
    """
    _be_quiet()
    try:
        with stop.raise_meanwhile() if stop else nullcontext():
            asyncio.run(_check_answer(address))
            client = Client(address, timeout=_TIMEOUT_S, set_as_default=False)
    except Exception as error:
        raise UsageError(
            f"--scheduler {address}: no Dask scheduler answers ({str(error) or type(error).__name__}); "
            "`dask scheduler` starts one, and prints its address"
        ) from error
    try:
        yield client
    finally:
        with suppress(Exception):  # the scheduler may be gone; the results are complete
            client.close(timeout=10)


@contextmanager
def start_workers(count: int, stop: Stop | None = None) -> Iterator[Client]:
    """Start a scheduler and worker processes on this machine; they end with the block.

    They speak TLS with keys that only they have: a scheduler runs whatever it is sent, and every user of this machine
    could connect to its port. Their web pages need no key and show what runs, so there are none. Each imports modules
    from its own folder, so that is in a private one; Dask's default, a folder in /tmp, may belong to another user.

    Raises:
        UsageError: the number is out of range.
        JudgeError: they do not start.
    """
    if not 1 <= count <= MAX_WORKERS:
        raise UsageError(f"--workers {count}: expected a number from 1 to {MAX_WORKERS}")
    _be_quiet()
    with open_temporary_folder() as folder, _without_current_folder(), config.set(_NO_PAGES):
        path = sys.path.copy()
        try:
            cluster = LocalCluster(
                n_workers=0,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",  # any free port: that of another user warns
                memory_limit=0,
                # `WorkerPool` decides what is to blame for a lost worker
                scheduler_kwargs={"allowed_failures": 0, "dashboard": False, "local_directory": str(folder)},
                local_directory=str(folder),
                silence_logs=logging.CRITICAL + 1,
                security=Security.temporary(),
            )
        except (OSError, ImportError, RuntimeError) as error:
            raise JudgeError(f"--workers {count}: the worker processes do not start: {error}") from error
        finally:
            sys.path[:] = path  # Dask adds the folder, whose name is free again after the block
        try:
            with Client(cluster, timeout=_TIMEOUT_S, set_as_default=False) as client:
                try:
                    with stop.raise_meanwhile() if stop else nullcontext():
                        cluster.scale(count)
                        deadline = time.monotonic() + 60
                        while len(client.scheduler_info(n_workers=-1)["workers"]) < count:
                            if time.monotonic() > deadline:
                                raise JudgeError(f"--workers {count}: the worker processes do not start within 60 s")
                            time.sleep(0.05)  # a signal just before a wait of Dask would not end it
                finally:
                    sys.path[:] = path
                yield client
        finally:
            with suppress(Exception), _kill_workers() if stop and stop.is_stopping else nullcontext():
                cluster.close(timeout=10)


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


@contextmanager
def _kill_workers() -> Iterator[None]:
    """Kill all worker processes, also those that are being started: to end in good order takes them seconds."""
    is_over = threading.Event()

    def kill() -> None:
        while not is_over.wait(0.02):
            for worker in multiprocessing.active_children():
                worker.kill()

    threading.Thread(target=kill, name="judge-end", daemon=True).start()
    try:
        yield
    finally:
        is_over.set()


async def _check_answer(address: str) -> None:
    """Connect once and wait for the greeting: Dask's client waits without end for that of a silent port.

    Raises:
        Exception: no scheduler answers in time; what Dask makes of other answers has many types.
    """
    security = Security().get_connection_args("client")
    connection = await asyncio.wait_for(connect_once(address, timeout=_TIMEOUT_S, **security), _TIMEOUT_S)
    connection.abort()


def _be_quiet() -> None:
    """Stop Dask's log on standard error: the judge reports what concerns the user."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed.")]
    for name in ("asyncio", "distributed", *names):  # asyncio: tasks of Dask that were cancelled
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
