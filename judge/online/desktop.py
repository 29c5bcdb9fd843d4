"""The user's own desktop: the clipboard and the browser.

The one room besides the sandbox that starts programs: the user's own tools, by their names on PATH, without a shell.
"""

import base64
import os
import shutil
import subprocess
import sys

_PATIENCE_S = 10
_LONGEST_OSC52 = 74_994  # bytes of text: xterm's limit of 100,000 characters of a control sequence, in base64

# Tools, the variable without which a tool has no desktop to talk to, and its arguments.
_TOOLS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("wl-copy", "WAYLAND_DISPLAY", ()),
    ("xclip", "DISPLAY", ("-selection", "clipboard", "-in")),
    ("xsel", "DISPLAY", ("--clipboard", "--input")),
    ("pbcopy", "", ()),
)


def copy(data: bytes) -> str:
    """Put some bytes on the clipboard with the platform's tool; return the tool's name, or "" where none could."""
    for tool, variable, arguments in _TOOLS:
        path = shutil.which(tool)
        if path and (not variable or os.environ.get(variable)) and _took([path, *arguments], data):
            return tool
    return ""


def _took(command: list[str], data: bytes) -> bool:
    """Whether a tool took the bytes; it may leave a process behind that holds them, so nobody reads its output."""
    try:
        done = subprocess.run(
            command, input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=_PATIENCE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def clipboard_sequence(data: bytes) -> str:
    """Return what makes a terminal put some bytes on the clipboard, over ssh too; "" where they are too many.

    OSC 52: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html, "Operating System Commands".
    """
    if len(data) > _LONGEST_OSC52:
        return ""
    return f"\033]52;c;{base64.b64encode(data).decode()}\a"


def open_page(url: str) -> bool:
    """Open a page in the user's browser; return whether one was started.

    Without a desktop it is not tried: a browser for terminals would take the terminal over.
    """
    has_desktop = sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
    if not has_desktop:
        return False
    import webbrowser

    try:
        return webbrowser.open(url)
    except (OSError, webbrowser.Error):
        return False
