"""~/.kattisrc: who the user is at a Kattis, and its addresses, as Kattis's download page writes it.

    [user]     username, token (or password)
    [kattis]   hostname, loginurl, submissionurl, submissionsurl

https://open.kattis.com/help/submit, "Command-line submission".
"""

import configparser
import os
from dataclasses import dataclass
from pathlib import Path

from judge.errors import UsageError
from judge.submit.credentials import read_text
from judge.submit.secret import Secret

VARIABLE = "KATTISRC"


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
    named = os.environ.get(VARIABLE)
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
