"""`judge doctor`: the sandbox status and the languages of this machine, and how to get what is missing."""

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import distributions

from judge.base.errors import SandboxError
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.languages.build import COMPILE_DISK, COMPILE_LIMITS
from judge.languages.table import LANGUAGES
from judge.languages.tools import describe_tools
from judge.model import Level
from judge.runner.executors import default_workers
from judge.sandbox.box import Box
from judge.sandbox.shell_limits import find_low_limit, run_needs
from judge.workspace.session import require_level

EPILOG = """\
examples:
  judge doctor
  judge doctor --require-sandbox full    exit 2 if this machine offers less
"""

PROTECTS = {
    Level.FULL: "no other files, no writing, no network, no processes; CPU, memory and output limited",
    Level.LANDLOCK: "the same, but processes, file names and file sizes outside the sandbox stay visible",
    Level.LIMITS: "only CPU, memory and output limited; a program can read and write everything that you can",
}

# What a failure message contains and what to do about it. The first match counts.
_REMEDIES = (
    (
        "mount proc",
        "parts of /proc are masked, as in most containers: start the container with systempaths=unconfined or as root",
    ),
    (
        "unshare",
        "allow user namespaces (sysctl user.max_user_namespaces); in a container, allow unshare in the seccomp profile",
    ),
    ("uid_map|setgroups", "allow user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu)"),
    ("mount", "allow mounts in user namespaces (AppArmor, SELinux): see the documentation of your distribution"),
    ("open_tree|mount_setattr", "use Linux 5.12 or newer"),
    ("/proc is hidden", "mount /proc, or make it visible to this user (mount option hidepid)"),
    ("landlock", "use Linux 5.13 or newer with landlock enabled (kernel parameter lsm=landlock,...)"),
    ("seccomp", "use a kernel with CONFIG_SECCOMP_FILTER; a container may impose its own limit on filters"),
    (
        "killed at startup",
        "allow unshare, open_tree, mount_setattr and the landlock calls in the seccomp profile of the container",
    ),
    ("no system call table", "use x86_64 or aarch64 with a 64-bit Python"),
)

_USER_AS_ROOT = {  # the user that runs programs if the judge is root
    Level.FULL: "an unused user",
    Level.LANDLOCK: "root without its privileges",
    Level.LIMITS: "root with all its privileges",
}

EXTRAS = {  # of pyproject.toml: the packages of an extra, and what it adds
    "dask": (("distributed", "cryptography"), "judges and grades in several processes and on several machines"),
    "mutants": (
        ("tree-sitter", "tree-sitter-cpp", "tree-sitter-java"),
        "compiles the mutants of a solution in C, C++ or Java together",
    ),
    "pdf": (("typst",), "writes statements as PDF files"),
    "zstd": (("backports.zstd",), "grades rows from .zst files"),
}
_BUILT_IN = {"backports.zstd"} if sys.version_info >= (3, 14) else set[str]()


class Options(shared.Arguments, frozen=True, kw_only=True):
    """The sandbox level that `judge doctor` requires."""

    require_sandbox: shared.RequireSandbox = None


def execute(options: Options) -> ExitStatus:
    """Try every level for real and report; return the exit status."""
    best: Level | None = None
    reasons: dict[Level, str] = {}
    for level in Level:
        try:
            with Box(levels=[level]) as box:
                found = box.level
        except SandboxError as error:
            reasons[level] = str(error)
        else:
            best = best or found
    print(f"sandbox: {best.value if best else 'no level works here'}")
    for level in Level:
        print(f"  {'no ' if level in reasons else 'yes'}  {level.value:<9} {PROTECTS[level]}")
        if level in reasons:
            print(f"         missing: {reasons[level]}")
            print(f"         remedy:  {remedy(reasons[level])}")
    largest = max(COMPILE_LIMITS.output, COMPILE_DISK)
    needs = run_needs(cpu=COMPILE_LIMITS.cpu, memory=COMPILE_LIMITS.memory, file_size=largest)
    if too_low := find_low_limit(needs):
        print(f"limits: {too_low}")
    uid = os.getuid()
    print(f"programs run as: {_USER_AS_ROOT[best or Level.LIMITS] if uid == 0 else f'user {uid}, like you'}")
    print(f"CPU cores: {default_workers()} (default --jobs {default_workers()})")
    print("extras:")
    for extra, (packages, use) in EXTRAS.items():
        is_there = packages[0] in _BUILT_IN or any(distributions(name=packages[0]))
        missing = "" if is_there else f"not installed: pip install {' '.join(packages)}; "
        print(f"  {extra:<9} {missing}{use}")
    print("languages:")
    width = max(len(language.name) for language in LANGUAGES)
    with ThreadPoolExecutor(default_workers()) as pool:  # some compilers take a second to tell their version
        for language, tools in zip(LANGUAGES, pool.map(describe_tools, LANGUAGES), strict=True):
            print(f"  {language.name:<{width}}  {tools}")
    if options.require_sandbox:
        require_level(best, Level(options.require_sandbox))
    return ExitStatus.SUCCESS


def remedy(reason: str) -> str:
    """Return what to do about a level that failed for this reason."""
    unknown = "unknown; please report this with the line above"
    return next((text for pattern, text in _REMEDIES if re.search(pattern, reason)), unknown)
