"""A folder with modules that have the names of others, and the `judge` command as it is installed."""

import sys
from importlib.metadata import packages_distributions
from pathlib import Path

from tests.files import write_files

_COMMAND = "from judge.__main__ import main\nif __name__ == '__main__':\n    main()\n"


def write_modules(folder: Path, mark: Path) -> Path:
    """Write modules with the names of those of Python, packages and the judge; their import writes into `mark`."""
    source = f"try:\n    print(__name__, file=open({str(mark)!r}, 'a'))\nexcept OSError:  # in the sandbox\n    pass\n"
    names = {*sys.stdlib_module_names, *packages_distributions(), "judge", "sitecustomize", "usercustomize"}
    return write_files(folder, {f"{name}.py": source for name in sorted(names) if name.isidentifier()})


def write_command(folder: Path) -> list[str]:
    """Write what pip installs as `judge` into an own folder; return the command."""
    return [sys.executable, str(write_files(folder, {"judge-command": _COMMAND}) / "judge-command")]
