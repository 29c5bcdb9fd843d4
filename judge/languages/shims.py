"""Programs that stand for others: rustup's `rustc` starts the compiler of a toolchain in the user's home.

The sandbox has no home, so the compiler itself has to run.
"""

import os
import re
from pathlib import Path

from judge.errors import ToolError

_DEFAULT = re.compile(r'^default_toolchain = "([\w.-]+)"', re.MULTILINE)


def behind_rustup(path: str) -> str:
    """Return the compiler of the default toolchain if a path is rustup's, otherwise the path.

    Raises:
        ToolError: rustup has no such toolchain.
    """
    if Path(path).resolve().name != "rustup":
        return path
    home = Path(os.environ.get("RUSTUP_HOME", "~/.rustup")).expanduser()
    try:
        found = _DEFAULT.search((home / "settings.toml").read_text())
    except OSError:
        found = None
    name = os.environ.get("RUSTUP_TOOLCHAIN") or (found[1] if found else "stable")
    compilers = sorted((home / "toolchains").glob(f"{name}*/bin/rustc"))
    if not compilers:
        raise ToolError(
            f"Rust needs a toolchain of rustup: {path} found none in {home / 'toolchains'}; run `rustup default stable`"
        )
    return str(compilers[0])
