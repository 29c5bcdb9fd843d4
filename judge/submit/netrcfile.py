"""~/.netrc: the name and password for a host (netrc(5)), as DOMjudge's own client reads it."""

import netrc
import os
from dataclasses import dataclass
from pathlib import Path

from judge.errors import UsageError
from judge.submit.credentials import read_text
from judge.submit.secret import Secret

VARIABLE = "NETRC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """A name and a password."""

    user: str
    password: Secret


def netrc_file(given: Path | None) -> Path:
    """Return which file is meant: the option's, the variable's, or the usual one."""
    if given:
        return given
    named = os.environ.get(VARIABLE)
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
