"""A text that was pickled: read without executing the pickle.

LiveCodeBench keeps private tests as base64 of zlib of a pickle of one `str`. A pickle is a program (see the module
`pickletools`), so this reads only the few instructions that make up a text, and refuses all others.
"""

import base64
import binascii
import zlib

MAX_SIZE = 1 << 30
"""Bytes of a text that is unpacked; a compressed bomb stops there."""

_PROTO, _FRAME, _STOP = 0x80, 0x95, 0x2E
_MEMOIZE, _BINPUT, _LONG_BINPUT = 0x94, 0x71, 0x72
# The instructions that push a text, with the number of bytes of its length (little-endian).
_TEXTS = {0x8C: 1, 0x58: 4, 0x8D: 8}  # SHORT_BINUNICODE, BINUNICODE, BINUNICODE8
_IGNORED = {_PROTO: 1, _FRAME: 8, _MEMOIZE: 0, _BINPUT: 1, _LONG_BINPUT: 4}  # with the bytes of their arguments


def unpack_text(packed: str) -> str:
    """Return the text in base64 of zlib of a pickle of a `str`, or of the text itself.

    Raises:
        ValueError: it is something else; the message says what.
    """
    try:
        compressed = base64.b64decode(packed, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"not base64: {error}") from error
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(compressed, MAX_SIZE)
    except zlib.error as error:
        raise ValueError(f"not compressed by zlib: {error}") from error
    if unpacker.unconsumed_tail:
        raise ValueError(f"more than {MAX_SIZE} bytes when unpacked")
    if not unpacker.eof:
        raise ValueError("the compressed data is cut off")
    try:
        return data.decode() if data[:1] in (b"[", b"{") else read_pickled_text(data)
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: {error.reason} at byte {error.start}") from error


def read_pickled_text(data: bytes) -> str:
    """Return the text that a pickle consists of; nothing in it is executed.

    Raises:
        ValueError: the pickle contains another instruction than those of a text (UnicodeDecodeError is one, too).
    """
    text: bytes | None = None
    at = 0
    while at < len(data):
        code = data[at]
        at += 1
        if code == _STOP and text is not None:
            return text.decode("utf-8", "surrogatepass")
        if code in _TEXTS and text is None:
            width = _TEXTS[code]
            size = int.from_bytes(data[at : at + width], "little")
            at += width
            if at + size > len(data):
                break
            text = data[at : at + size]
            at += size
        elif code in _IGNORED:
            at += _IGNORED[code]
        else:
            raise ValueError(f"a pickle with the instruction 0x{code:02x}; expected one of a single text")
    raise ValueError("a pickle that is cut off")
