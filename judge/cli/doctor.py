"""`judge doctor`: how well runs are shut in on this machine, what is missing, and how to get it; and which tools."""

import argparse
import os

from judge.cli.workspace import require
from judge.errors import SandboxError
from judge.executors import default_workers
from judge.languages.table import LANGUAGES, describe_tools
from judge.model import Level
from judge.sandbox.box import Box
from judge.sandbox.levels import PROTECTS, remedy

_AS_ROOT = {  # what runs are when the judge is root
    Level.FULL: "an unused user",
    Level.LANDLOCK: "root without its privileges",
    Level.LIMITS: "root, with all its privileges",
}


def doctor_command(args: argparse.Namespace) -> int:
    """Carry out `judge doctor`; return the exit status."""
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
    print(f"sandbox: {best.value if best else 'none works here'}")
    for level in Level:
        print(f"  {'no ' if level in reasons else 'yes'}  {level.value:<9} {PROTECTS[level]}")
        if level in reasons:
            print(f"         missing: {reasons[level]}")
            print(f"         remedy:  {remedy(reasons[level])}")
    print(f"runs are: {_AS_ROOT[best or Level.LIMITS] if os.getuid() == 0 else f'user {os.getuid()}, like you'}")
    print(f"cores: {default_workers()}, so many runs at once leave each a core of its own (--jobs)")
    print("languages:")
    for language in LANGUAGES:
        print(f"  {language.name:<9} {describe_tools(language)}")
    require(best, args.require_sandbox)
    return 0
