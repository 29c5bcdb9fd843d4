"""Is the input legal for the winning mahjong hand? Exit status 42: yes; 43: no, and standard error says why.

Clean input is 1 to 2,000 lines, each a hand of 1 to 17 tiles with one blank between them; LF ends every line, the last
one included. A tile is a number from 1 to 29 that does not end in 0, without a sign or leading zeros, and no number
occurs more than four times in a hand. With --dirty the white space is free: blanks and tabs anywhere around a tile,
blank lines, CRLF, no final newline.
"""

import re
import sys
from typing import NoReturn

MOST_HANDS = 2000
MOST_TILES = 17
MOST_COPIES = 4
TILE = re.compile(r"[12]?[1-9]")
STRANGE_CHARACTER = re.compile(r"[^ -~\t\r]")
LEGAL, ILLEGAL, WRONG_USE = 42, 43, 2


class IllegalInputError(Exception):
    """The input breaks a rule; the message names the line."""


def reject(number: int, reason: str) -> NoReturn:
    raise IllegalInputError(f"line {number}: {reason}")


def split_lines(data: bytes, *, dirty: bool) -> list[str]:
    """Return the lines without their ends, after checking these ends and the characters in between."""
    lines = data.decode("latin-1").split("\n")
    unfinished = lines.pop()
    if unfinished:
        lines.append(unfinished)
        if not dirty:
            reject(len(lines), "no newline at the end of the file")
    for number, line in enumerate(lines, start=1):
        strange = STRANGE_CHARACTER.search(line)
        if strange:
            reject(number, f"character {strange[0]!r}; only printable ASCII is allowed")
        if dirty and "\r" in line.removesuffix("\r"):
            reject(number, "carriage return inside the line")
    return lines


def check_white_space(line: str, number: int) -> None:
    if "\r" in line:
        reject(number, "carriage return; lines end with LF alone")
    if "\t" in line:
        reject(number, "tab; tiles are separated by one blank")
    if not line.strip():
        reject(number, "blank line")
    if line != line.strip():
        reject(number, "blank at the start or at the end")
    if "  " in line:
        reject(number, "more than one blank between two tiles")


def check_hand(tiles: list[str], number: int) -> None:
    for tile in tiles:
        if not TILE.fullmatch(tile):
            reject(number, f"{tile!r} is not a tile: expected 1 to 9, 11 to 19 or 21 to 29")
    if len(tiles) > MOST_TILES:
        reject(number, f"expected at most {MOST_TILES} tiles, found {len(tiles)}")
    for tile in tiles:
        if tiles.count(tile) > MOST_COPIES:
            reject(number, f"tile {tile} occurs {tiles.count(tile)} times; there are {MOST_COPIES} of each")


def validate(data: bytes, *, dirty: bool) -> None:
    """Check every rule.

    Raises:
        IllegalInputError: a rule is broken.
    """
    hands = 0
    for number, line in enumerate(split_lines(data, dirty=dirty), start=1):
        if not dirty:
            check_white_space(line, number)
        tiles = line.split()
        if not tiles:
            continue
        check_hand(tiles, number)
        hands += 1
        if hands > MOST_HANDS:
            reject(number, f"more than {MOST_HANDS:,} hands")
    if not hands:
        reject(1, "no hand; there must be at least one")


def main() -> int:
    arguments = sys.argv[1:]
    if arguments not in ([], ["--dirty"]):
        print(f"expected no argument or --dirty, found {' '.join(arguments)}", file=sys.stderr)
        return WRONG_USE
    try:
        validate(sys.stdin.buffer.read(), dirty=bool(arguments))
    except IllegalInputError as error:
        print(error, file=sys.stderr)
        return ILLEGAL
    return LEGAL


if __name__ == "__main__":
    sys.exit(main())
