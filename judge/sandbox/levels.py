"""What each sandbox level protects, and how to enable a level that does not work: texts for `judge doctor`."""

from judge.model import Level

PROTECTS = {
    Level.FULL: "no other files, no writing, no network, no processes; CPU, memory and output limited",
    Level.LANDLOCK: "the same, but processes, file names and file sizes outside the sandbox stay visible",
    Level.LIMITS: "only CPU, memory and output limited; a program can read and write everything that you can",
}

# A part of a failure message and what to do about it. The first match counts.
_REMEDIES = (
    (
        "mount proc",
        "parts of /proc are masked, as in most containers: start the container with systempaths=unconfined or as root",
    ),
    (
        "unshare",
        "allow user namespaces (sysctl user.max_user_namespaces); in a container, allow unshare in the seccomp profile",
    ),
    ("uid_map", "allow user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu)"),
    ("setgroups", "allow user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu)"),
    ("mount", "allow mounts in user namespaces (AppArmor, SELinux): see the documentation of your distribution"),
    ("open_tree", "use Linux 5.12 or newer"),
    ("mount_setattr", "use Linux 5.12 or newer"),
    ("/proc is hidden", "mount /proc, or make it visible to this user (mount option hidepid)"),
    ("landlock", "use Linux 5.13 or newer with landlock enabled (kernel parameter lsm=landlock,...)"),
    ("seccomp", "use a kernel with CONFIG_SECCOMP_FILTER; a container may impose its own limit on filters"),
    (
        "killed at startup",
        "allow unshare, open_tree, mount_setattr and the landlock calls in the seccomp profile of the container",
    ),
    ("no system call table", "use x86_64 or aarch64 with a 64-bit Python"),
)


def remedy(reason: str) -> str:
    """Return what to do about a level that failed for this reason."""
    for part, text in _REMEDIES:
        if part in reason:
            return text
    return "unknown; please report this with the line above"
