"""Read the credentials files of the judges' own clients: `~/.kattisrc` for Kattis, `~/.netrc` (netrc(5)) for DOMjudge.

No message repeats a line of these files: the line may hold the password.
"""

import configparser
import netrc
import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

from judge.base.errors import UsageError

MASK = "***"


class Secret:
    """A text that only `reveal` returns: neither messages nor pickles show it."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text, for sending it."""
        return self._text

    def __repr__(self) -> str:
        return f"Secret({MASK})"

    __str__ = __repr__

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("cannot pickle a secret")


def redact(text: str, secrets: Iterable[Secret]) -> str:
    """Return the text with every secret in it masked."""
    for secret in sorted({secret.reveal() for secret in secrets}, key=len, reverse=True):  # one may contain another
        if secret:
            text = text.replace(secret, MASK)
    return text


def find_credentials_file(option: Path | None, variable: str, default: str) -> Path:
    """Return the path from the option, else from the environment variable, else the default in the home folder."""
    if option:
        return option
    value = os.environ.get(variable)
    return Path(value) if value else Path.home() / default


def permission_warnings(path: Path) -> tuple[str, ...]:
    """Return a warning if other users of this machine can read the file."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return ()
    if mode & (stat.S_IRGRP | stat.S_IROTH):
        return (f"other users of this machine can read {path}; run `chmod 600 {path}`",)
    return ()


def _read_text(path: Path, fix: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file; {fix}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not UTF-8 text; {fix}") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot read the file ({error.strerror}); {fix}") from None


# ---- ~/.kattisrc ---------------------------------------------------------------------------------------------------


def read_kattisrc(path: Path) -> Callable[..., str]:
    """Read a .kattisrc; return a function of a section, a key and a default that returns the value.

    Raises:
        UsageError: the file cannot be read; also from the function: there is no value and no default.
    """
    fix = "download yours from https://<your Kattis>/download/kattisrc, or pass --kattisrc FILE"
    config = configparser.RawConfigParser()  # a token may contain `%`
    try:
        config.read_string(_read_text(path, fix))
    except configparser.Error as error:
        line = getattr(error, "lineno", None) or next((number for number, _ in getattr(error, "errors", ())), None)
        place = f"{path}:{line}" if line else str(path)
        raise UsageError(f"{place}: expected `[section]` and `key: value` lines; {fix}") from None

    def value(section: str, key: str, default: str | None = None) -> str:
        found = config.get(section, key, fallback="").strip()
        if not found and default is None:
            name = "token" if key == "password" else key
            raise UsageError(f"{path}: expected `{name}` in section [{section}]; {fix}")
        return found or default or ""

    return value


# ---- ~/.netrc ------------------------------------------------------------------------------------------------------


def read_netrc(path: Path, host: str) -> tuple[str, Secret]:
    """Return the user name and the password for a host.

    Raises:
        UsageError: the file cannot be read, is invalid, or has no login for the host.
    """
    fix = f"add the line `machine {host} login NAME password PASSWORD`"
    _read_text(path, fix)
    try:
        found = netrc.netrc(str(path)).authenticators(host)
    except netrc.NetrcParseError as error:
        raise UsageError(f"{path}:{error.lineno}: invalid netrc syntax; {fix}") from None
    if found is None or not found[0] or not found[2]:
        raise UsageError(f"{path}: no user name and password for {host}; {fix}")
    return found[0], Secret(found[2])
