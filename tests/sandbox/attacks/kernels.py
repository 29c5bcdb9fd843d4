"""Attacks through the kernel: rare system calls, odd ways to make them, and what needs privileges."""

from tests.sandbox.attacks import Attack, stopped

_OLD = "refused (EPERM|ENOSYS)"

ATTACKS = (
    stopped("32-bit system calls", told="signal 31|no such calls"),
    stopped("x32 system calls", told="refused ENOSYS|no such calls"),
    stopped("system calls that do not exist", told="refused ENOSYS"),
    stopped("rings of system calls", told=_OLD),
    stopped("keys", told=_OLD),
    stopped("programs in the kernel", told=_OLD),
    stopped("performance counters", told=_OLD),
    stopped("handling its own page faults", told=_OLD),
    stopped("clone3", told="refused ENOSYS"),
    stopped("clone with flags in the high word", told="refused (EPERM|EINVAL)"),
    stopped("new namespaces", told="refused EPERM"),
    stopped("a thread in a namespace of its own", told="refused EPERM"),
    stopped("mounts", told="refused EPERM"),
    stopped("another root", told="refused EPERM"),
    stopped("the namespaces of others", told="refused EPERM"),
    stopped("modules, reboot, swap, quotas and accounting", told="refused EPERM"),
    stopped("ports and segments", told="refused EPERM|no such calls"),
    stopped("moving its pages and those of others", told="refused EPERM"),
    stopped("other users' memory", told="refused EPERM"),
    stopped("comparing and taking others' descriptors", told="refused EPERM"),
    stopped("limits of others, with a high word", told="refused EPERM"),
    Attack(name="limits of itself", full="done", landlock="done", limits="done"),
)
