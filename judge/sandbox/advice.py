"""What the levels protect, and what to do where one does not work: texts for `judge doctor` and docs/sandbox.md."""

from judge.model import Level

PROTECTS = {
    Level.FULL: "no files but the program's own, no writing, no network, no processes; CPU, memory, output limited",
    Level.LANDLOCK: "the same by filters alone: other processes can be seen, file names and sizes too",
    Level.LIMITS: "CPU, memory and output limited; a program can read and write what you can",
}

# What the text of a refusal holds: what to do. The first that fits counts.
_REMEDIES = (
    ("cannot read the interpreter", "install Python where everybody may read it, such as /usr/local"),
    (
        "mount proc",
        "part of /proc is covered, as in most containers: run the container with systempaths=unconfined, or as root",
    ),
    (
        "unshare",
        "allow user namespaces (sysctl user.max_user_namespaces); in a container, a seccomp profile with unshare",
    ),
    (
        "uid_map",
        "the distribution restricts user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu)",
    ),
    ("setgroups", "the distribution restricts user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0"),
    ("mount", "the distribution restricts mounts in user namespaces (AppArmor, SELinux): see its documentation"),
    ("open_tree", "Linux 5.12 or newer is needed"),
    ("mount_setattr", "Linux 5.12 or newer is needed"),
    ("/proc is hidden", "mount /proc, or show it to this user (mount option hidepid)"),
    ("landlock", "Linux 5.13 or newer with landlock switched on (kernel parameter lsm=landlock,...) is needed"),
    ("seccomp", "a kernel with CONFIG_SECCOMP_FILTER is needed; a container may have its own limit on filters"),
    (
        "killed at its start",
        "allow unshare, open_tree, mount_setattr and landlock's calls in the seccomp profile of the container",
    ),
    ("table of system calls", "x86_64 or aarch64 with a 64-bit Python is needed"),
)


def remedy(reason: str) -> str:
    """Return what to do about a refusal."""
    for part, text in _REMEDIES:
        if part in reason:
            return text
    return "not known; please report it with the line above"
