"""Cores of worker processes: several on one machine share its cores without using the same one twice."""

import os
import socket

_claims: list[socket.socket] = []  # held until this process ends


def claim_cores(count: int) -> None:
    """Bind this thread, and the threads and processes that it starts, to cores that no other worker process has.

    The name of an abstract socket is the claim: the kernel gives it to one process and frees it when that ends
    (unix(7)). Without enough free cores, nothing is bound.
    """
    free: list[tuple[int, socket.socket]] = []
    for core in sorted(os.sched_getaffinity(0)):
        if len(free) == count:
            break
        claim = socket.socket(socket.AF_UNIX)
        try:
            claim.bind(f"\0judge-worker-core-{os.getuid()}-{core}")
        except OSError:
            claim.close()
        else:
            free.append((core, claim))
    if len(free) < count:
        for _, claim in free:
            claim.close()
        return
    _claims.extend(claim for _, claim in free)
    os.sched_setaffinity(0, {core for core, _ in free})
