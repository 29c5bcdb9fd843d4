"""Attacks through the kernel: rare system calls, odd ways to make them, and what needs privileges."""

from tests.sandbox.attacks import Attack, stopped

_OLD = "refused (EPERM|ENOSYS)"

ATTACKS = (
    stopped("32-bit system calls", expected="signal 31|no such calls"),
    stopped("x32 system calls", expected="refused ENOSYS|no such calls"),
    stopped("system calls that do not exist", expected="refused ENOSYS"),
    stopped("rings of system calls", expected=_OLD),
    stopped("keys", expected=_OLD),
    stopped("programs in the kernel", expected=_OLD),
    stopped("performance counters", expected=_OLD),
    stopped("handling its own page faults", expected=_OLD),
    stopped("clone3", expected="refused ENOSYS"),
    stopped("clone with flags in the high word", expected="refused (EPERM|EINVAL)"),
    stopped("new namespaces", expected="refused EPERM"),
    stopped("a thread in its own namespace", expected="refused EPERM"),
    stopped("mounts", expected="refused EPERM"),
    stopped("another root", expected="refused EPERM"),
    stopped("the namespaces of others", expected="refused EPERM"),
    stopped("modules, reboot, swap, quotas and accounting", expected="refused EPERM"),
    stopped("ports and segments", expected="refused EPERM|no such calls"),
    stopped("moving its pages and those of others", expected="refused EPERM"),
    stopped("other users' memory", expected="refused EPERM"),
    stopped("comparing and taking others' descriptors", expected="refused EPERM"),
    stopped("limits of others, with a high word", expected="refused EPERM"),
    Attack(name="limits of itself", full="done", landlock="done", limits="done"),
)
