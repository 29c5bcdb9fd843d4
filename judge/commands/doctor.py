"""`judge doctor`: the sandbox status and the languages of this machine, and how to get what is missing."""

import argparse
import os
from dataclasses import dataclass

from judge.commands import options as shared
from judge.commands.status import ExitStatus
from judge.errors import SandboxError
from judge.executors import default_workers
from judge.languages.program import describe_tools
from judge.languages.table import LANGUAGES
from judge.model import Level
from judge.sandbox.box import Box
from judge.sandbox.levels import PROTECTS, remedy
from judge.workspace.session import require_level

EPILOG = """\
examples:
  judge doctor
  judge doctor --require-sandbox full    exit 2 if this machine offers less
"""

_USER_AS_ROOT = {  # the user that runs programs if the judge is root
    Level.FULL: "an unused user",
    Level.LANDLOCK: "root without its privileges",
    Level.LIMITS: "root with all its privileges",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The sandbox level that `judge doctor` requires."""

    required_level: Level | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge doctor`."""
    shared.add_required_level(parser)


def from_args(args: argparse.Namespace) -> Options:
    """Return the options."""
    return Options(required_level=shared.required_level(args.require_sandbox))


def execute(options: Options) -> ExitStatus:
    """Try every level for real and report; return the exit status.

    Raises:
        UsageError: this machine offers less than the required level.
    """
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
    uid = os.getuid()
    print(f"programs run as: {_USER_AS_ROOT[best or Level.LIMITS] if uid == 0 else f'user {uid}, like you'}")
    print(f"CPU cores: {default_workers()} (default --jobs {default_workers()})")
    print("languages:")
    for language in LANGUAGES:
        print(f"  {language.name:<9} {describe_tools(language)}")
    if options.required_level is not None:
        require_level(best, options.required_level)
    return ExitStatus.SUCCESS
