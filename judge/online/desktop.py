"""The user's desktop: the clipboard and the browser.

Starts the user's own tools, by their names on PATH and without a shell.
"""

import base64
import os
import subprocess
import sys
from contextlib import suppress
from threading import Thread

from judge.base.files import find_program

_TIMEOUT_S = 10
_START_S = 2  # some browsers return at once, others when the user closes them
_MAX_OSC52 = 74_994  # bytes; in base64, xterm's limit of 100,000 characters for a control sequence

# A tool, the variable that it needs to find a desktop, and its arguments.
_CLIPBOARD_TOOLS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("wl-copy", "WAYLAND_DISPLAY", ()),
    ("xclip", "DISPLAY", ("-selection", "clipboard", "-in")),
    ("xsel", "DISPLAY", ("--clipboard", "--input")),
    ("pbcopy", "", ()),
)


def copy_to_clipboard(data: bytes) -> str:
    """Copy bytes to the clipboard; return the name of the tool that did, or "" if none could."""
    for tool, variable, arguments in _CLIPBOARD_TOOLS:
        path = find_program(tool)
        if path and (not variable or os.environ.get(variable)) and _pipe_to([path, *arguments], data):
            return tool
    return ""


def _pipe_to(command: list[str], data: bytes) -> bool:
    """Return whether a tool accepted the bytes; it may leave a process that holds them, so its output is not read."""
    try:
        done = subprocess.run(
            command, input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def clipboard_sequence(data: bytes) -> str:
    """Return the sequence that makes a terminal copy bytes to the clipboard, also over ssh; "" if they are too many.

    OSC 52: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html, "Operating System Commands".
    """
    if len(data) > _MAX_OSC52:
        return ""
    return f"\033]52;c;{base64.b64encode(data).decode()}\a"


def open_page(url: str) -> bool:
    """Open a page in the user's browser; return whether one was started.

    Without a desktop this does nothing: a text browser would take over the terminal.
    """
    has_desktop = sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
    if not has_desktop:
        return False
    import webbrowser

    results = []

    def start() -> None:
        with suppress(OSError, webbrowser.Error):
            results.append(webbrowser.open(url))

    thread = Thread(target=start, daemon=True)
    thread.start()
    thread.join(_START_S)
    return results == [True] or thread.is_alive()
