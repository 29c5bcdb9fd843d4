"""Which Python runs solutions: the real interpreter, started in the quickest way that changes nothing for them.

A `.pth` file in the machine's site-packages runs code at every start of the interpreter (25 to 50 ms each where a
package installs one) and `-S` would take `exit()` away. So solutions run in an environment with an empty site-packages:
the standard library is there and nothing else, as on an online judge.
"""

import os
import sys
import threading
from pathlib import Path

_ONE_AT_A_TIME = threading.Lock()


def base_python() -> str:
    """Return the interpreter that we run on, outside any virtual environment, by its real path.

    The real path matters: a version manager's shim costs 50 to 120 ms a start.
    """
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))


def bare_python(folder: Path) -> str:
    """Return that interpreter in an empty environment, which is made inside `folder` if need be.

    Layout and keys of an environment: https://docs.python.org/3/library/site.html, `pyvenv.cfg`.
    """
    base = base_python()
    python = folder / "python" / "bin" / "python3"
    with _ONE_AT_A_TIME:
        try:
            if not python.exists():
                python.parent.mkdir(parents=True)
                config = f"home = {Path(base).parent}\ninclude-system-site-packages = false\n"
                (folder / "python" / "pyvenv.cfg").write_text(config)
                python.symlink_to(base)
                for made in (python.parent, python.parent.parent):
                    made.chmod(0o755)  # the sandbox may run programs as another user, whatever the umask
                (folder / "python" / "pyvenv.cfg").chmod(0o644)
        except OSError:  # no room for it: slower, and right all the same
            return base
    return str(python)


def packages_of(python: Path) -> list[str]:
    """Return what tells the packages that an interpreter finds from those before an installation: their folders' times.

    Only its path tells a virtual environment's interpreter from the one that it is a link to.
    """
    prefixes = dict.fromkeys((python.parent.parent, python.parent.parent / "local", python.resolve().parent.parent))
    folders = sorted(folder for prefix in prefixes for folder in prefix.glob("lib*/*/*-packages"))
    folders += [prefix / "pyvenv.cfg" for prefix in prefixes if (prefix / "pyvenv.cfg").exists()]
    return [f"{folder} {folder.stat().st_mtime_ns}" for folder in folders]
