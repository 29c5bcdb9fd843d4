"""Which tools of a language are on this machine, in which version, and how to get those that are not."""

import re
from pathlib import Path

from judge.errors import SandboxError, ToolError
from judge.languages.build import find_tools
from judge.languages.table import Language
from judge.model import Level, Limits
from judge.sandbox.box import Box, Command
from judge.units import GIB, MIB, Bytes, Seconds

_LIMITS = Limits(cpu=Seconds(10.0), wall=Seconds(21.0), memory=Bytes(GIB), output=Bytes(MIB))
_VERSION = re.compile(r"\d+\.\d+[\w.+-]*")


def describe_tools(language: Language) -> str:
    """Return the version and the paths of a language's tools, or which one is missing and how to install it."""
    try:
        paths = find_tools(language)
    except ToolError as error:
        remedy = f"; apt install {' '.join(language.packages)}" if language.packages else ""
        return f"{error}{remedy}"
    version = _find_version(language, paths[0])
    return f"{version}  {', '.join(paths)}" if version else ", ".join(paths)


def _find_version(language: Language, path: str) -> str:
    """Return the version that a tool prints; "" if it prints none."""
    probe = Command(argv=(path, *language.version), cwd=Path.cwd(), may_fork=True)
    try:
        with Box(levels=[Level.LIMITS]) as box:  # the user's own tool
            outcome = box.run(probe, _LIMITS)
    except SandboxError:
        return ""
    found = _VERSION.search((outcome.stdout + outcome.stderr).decode(errors="replace"))
    return found[0] if found else ""
