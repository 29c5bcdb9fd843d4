"""What Dask calls on each worker before it gets work: is this worker fit, and a service for it.

This class travels to the workers by value, without its module, so that a worker that lacks the judge or has another
version can say so. So it uses nothing but the standard library and Dask before it has compared the versions.
"""

import asyncio
import sys
from typing import Any

from distributed import Worker, WorkerPlugin


class Admission(WorkerPlugin):
    """Opens a service on each worker that is fit, now or when it joins, and reports the worker to the client.

    Workers that are fit get a resource with the name of the token, one unit per thread. Batches require it, so no other
    worker gets one.

    Args:
        token: names the service, the resource and the topic of the reports.
        identity: of the client's judge; see `judge.grading.cluster.identify`.
        spec: what opens the service, pickled.
    """

    def __init__(self, token: str, identity: str, spec: bytes) -> None:
        self.name = token
        self.token = token
        self.identity = identity
        self.python = ".".join(map(str, sys.version_info[:2]))
        self.spec = spec

    async def setup(self, worker: Worker) -> None:
        """Check the worker and open its service."""
        report: dict[str, Any] = {"address": worker.address, "threads": worker.state.nthreads, "reason": ""}
        try:
            report |= await asyncio.to_thread(self.open, worker.state.nthreads)
        except BaseException as error:  # noqa: BLE001 - whatever it is, this worker cannot work
            report["reason"] = f"{type(error).__name__}: {error}"
        if not report["reason"]:
            await worker.set_resources(**{self.token: report["threads"]})
        await worker.scheduler.log_event(topic=self.token, msg=report)

    def open(self, threads: int) -> dict[str, Any]:
        """Open the service; return what the client wants to know, or the reason to refuse the worker."""
        python = ".".join(map(str, sys.version_info[:2]))
        if python != self.python:
            return {"reason": f"it runs Python {python}; expected {self.python}"}
        try:
            from judge.grading.cluster import identify
        except ImportError as error:
            return {"reason": f"it cannot import the judge ({error}); install the same version there"}
        if (found := identify()) != self.identity:
            return {"reason": f"it has judge {found}; expected {self.identity}"}
        from judge.grading.cluster.worker import open_service

        return open_service(self.token, self.spec, threads)

    async def teardown(self, worker: Worker) -> None:
        """Close the service."""
        del worker
        module = sys.modules.get("judge.grading.cluster.worker")
        if module is not None:
            await asyncio.to_thread(module.close_service, self.token)
