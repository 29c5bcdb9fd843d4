"""The user's desktop: the clipboard and the browser.

Starts the user's own tools, by their names on PATH and without a shell.
"""

import base64
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread

from judge.base.files import find_program

# A tool, the variable that it needs to find a desktop, and its arguments.
_Tools = tuple[tuple[str, str, tuple[str, ...]], ...]
_COPY: _Tools = (
    ("wl-copy", "WAYLAND_DISPLAY", ()),
    ("xclip", "DISPLAY", ("-selection", "clipboard", "-in")),
    ("xsel", "DISPLAY", ("--clipboard", "--input")),
    ("pbcopy", "", ()),
)
_PASTE: _Tools = (
    ("wl-paste", "WAYLAND_DISPLAY", ("--no-newline",)),
    ("xclip", "DISPLAY", ("-selection", "clipboard", "-out")),
    ("xsel", "DISPLAY", ("--clipboard", "--output")),
    ("pbpaste", "", ()),
)


def copy_to_clipboard(data: bytes) -> str:
    """Copy bytes to the clipboard; return the name of the tool that did, or "" if none could."""
    return next((tool for tool, command in _find_tools(_COPY) if _run(command, data) is not None), "")


def read_clipboard() -> bytes | None:
    """Return what is in the clipboard; None if no tool can read it, or it has no text."""
    return next((data for _, command in _find_tools(_PASTE) if (data := _run(command, None)) is not None), None)


def _find_tools(tools: _Tools) -> Iterator[tuple[str, list[str]]]:
    for tool, variable, arguments in tools:
        path = find_program(tool)
        if path and (not variable or os.environ.get(variable)):
            yield tool, [path, *arguments]


def _run(command: list[str], data: bytes | None) -> bytes | None:
    """Return what a tool prints; b"" where it gets data, which a process that it leaves may hold; None if it fails."""
    output = subprocess.PIPE if data is None else subprocess.DEVNULL
    try:
        done = subprocess.run(
            command, input=data or b"", stdout=output, stderr=subprocess.DEVNULL, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return (done.stdout or b"") if done.returncode == 0 else None


def clipboard_sequence(data: bytes) -> str:
    """Return the sequence that makes a terminal copy bytes to the clipboard, also over ssh; "" if they are too many.

    OSC 52: https://invisible-island.net/xterm/ctlseqs/ctlseqs.html, "Operating System Commands".
    """
    if len(data) > 74_994:  # in base64, xterm's limit of 100,000 characters for a control sequence
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
    thread.join(2)  # some browsers return at once, others when the user closes them
    return results == [True] or thread.is_alive()
