"""Values as MessagePack, written and read by their annotations, for files that only the judge reads; and TOML.

MessagePack, because it keeps bytes as they are, and reading it runs no code: the folder of such a file may come with a
repository from somewhere else.
"""

from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

dump = msgspec.msgpack.Encoder(enc_hook=str).encode
"""Returns a value as bytes. Raises ValueError for a text with surrogates, OverflowError for a number above 64 bits."""


def restore(data: bytes, kind: type[T]) -> T:
    """Return a value of a class from what `dump` returned.

    Raises:
        ValueError: it is something else, or a field is missing or has another type.
    """
    return msgspec.msgpack.decode(
        data, type=kind, dec_hook=lambda each, value: _restore_path(value) if each is Path else value
    )


_restore_path = cache(Path)  # few files describe many cases


def parse_toml(text: str) -> dict[str, Any]:
    """Return the values in a text.

    Raises:
        ValueError: it is not TOML; the message has the place, except of what Python cannot hold.
    """
    import tomllib  # only users with a file pay for it

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except ValueError as error:
        raise ValueError("a number has too many digits") from error
