"""~/.netrc: the name and password for a host (netrc(5)), as DOMjudge's own client reads it."""

import configparser
import netrc
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from judge.errors import UsageError

HIDDEN = "***"


class Secret:
    """Holds a text; only `reveal` gives it away."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text, to be sent and for nothing else."""
        return self._text

    def __repr__(self) -> str:
        return f"Secret({HIDDEN})"

    __str__ = __repr__

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("a secret is not written anywhere")


def redact(text: str, secrets: Iterable[Secret]) -> str:
    """Return a text of somebody else's with every secret in it hidden."""
    for secret in sorted({secret.reveal() for secret in secrets}, key=len, reverse=True):  # one may be part of another
        if secret:
            text = text.replace(secret, HIDDEN)
    return text


def read_text(path: Path, remedy: str) -> str:
    """Return a file's text.

    Raises:
        UsageError: it cannot be read; the message ends with the remedy.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UsageError(f"{path} is not there: {remedy}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8 text: {remedy}") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): {remedy}") from None


def exposure(path: Path) -> tuple[str, ...]:
    """Return a warning where other users of this machine may read a file."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return ()
    if mode & (stat.S_IRGRP | stat.S_IROTH):
        return (f"{path} can be read by other users of this machine: chmod 600 {path}",)
    return ()


KATTISRC = "KATTISRC"


@dataclass(frozen=True, slots=True, kw_only=True)
class KattisAccount:
    """What the file says.

    Attributes:
        file: where it stands, for messages.
        field: the form's field that the secret goes into: `token` or `password`.
        login, submit, submissions: addresses.
    """

    file: Path
    user: str
    field: str
    secret: Secret
    login: str
    submit: str
    submissions: str


def account_file(given: Path | None) -> Path:
    """Return which file is meant: the option's, the variable's, or the usual one."""
    if given:
        return given
    named = os.environ.get(KATTISRC)
    return Path(named) if named else Path.home() / ".kattisrc"


def read_account(path: Path) -> KattisAccount:
    """Read a .kattisrc.

    Raises:
        UsageError: it is not there or lacks something; the message never repeats what stands in it.
    """
    remedy = "download yours from https://<your Kattis>/download/kattisrc, or name another with --kattisrc"
    config = configparser.RawConfigParser()  # a token may hold a `%`
    try:
        config.read_string(read_text(path, remedy))
    except configparser.Error as error:
        line = getattr(error, "lineno", None) or next((number for number, _ in getattr(error, "errors", ())), None)
        place = f"{path}:{line}" if line else str(path)
        # the parser's own message repeats the line, and that may be the token
        raise UsageError(f"{place}: expected `[section]` and `key: value` lines; {remedy}") from None
    user = _value(config, path, "user", "username", remedy)
    field = "token" if config.has_option("user", "token") else "password"
    secret = Secret(_value(config, path, "user", field, remedy))
    urls = [_address(config, path, key, tail, remedy) for key, tail in _ADDRESSES]
    return KattisAccount(
        file=path, user=user, field=field, secret=secret, login=urls[0], submit=urls[1], submissions=urls[2]
    )


_ADDRESSES = (("loginurl", "login"), ("submissionurl", "submit"), ("submissionsurl", "submissions"))


def _value(config: configparser.RawConfigParser, path: Path, section: str, key: str, remedy: str) -> str:
    value = config.get(section, key, fallback="").strip()
    if not value:
        wanted = "`token`" if key == "password" else f"`{key}`"
        raise UsageError(f"{path}: expected {wanted} in the section [{section}]; {remedy}")
    return value


def _address(config: configparser.RawConfigParser, path: Path, key: str, tail: str, remedy: str) -> str:
    if config.has_option("kattis", key):
        return _value(config, path, "kattis", key, remedy).rstrip("/")
    return f"https://{_value(config, path, 'kattis', 'hostname', remedy)}/{tail}"


NETRC = "NETRC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """A name and a password."""

    user: str
    password: Secret


def netrc_file(given: Path | None) -> Path:
    """Return which file is meant: the option's, the variable's, or the usual one."""
    if given:
        return given
    named = os.environ.get(NETRC)
    return Path(named) if named else Path.home() / ".netrc"


def read_login(path: Path, host: str) -> Login:
    """Return what the file says of a host.

    Raises:
        UsageError: it is not there, cannot be understood, or says nothing of the host; nothing of it is repeated.
    """
    remedy = f"it should have the line `machine {host} login NAME password PASSWORD`"
    read_text(path, remedy)
    try:
        found = netrc.netrc(str(path)).authenticators(host)
    except netrc.NetrcParseError as error:
        # the parser's own message repeats what it stumbled on, and that may be the password
        raise UsageError(f"{path}:{error.lineno}: cannot be understood; {remedy}") from None
    if found is None or not found[0] or not found[2]:
        raise UsageError(f"{path} has no name and password for {host}: {remedy}")
    return Login(user=found[0], password=Secret(found[2]))
