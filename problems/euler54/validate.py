"""Check an input of Poker Hands: exit status 42 when it is legal, 43 and a reason on standard error when it is not.

usage: validate.py [--dirty] < input

--dirty allows what careless files have: blanks and tabs around the cards, blank lines, CRLF, no final newline.
"""

import sys
from collections.abc import Iterator

RANKS = "23456789TJQKA"
SUITS = "CDHS"
CARDS = {rank + suit for rank in RANKS for suit in SUITS}
MOST_LINES = 50_000
LEGAL, ILLEGAL, MISUSED = 42, 43, 2


class IllegalInput(Exception):  # noqa: N818 - it is no error of this program
    """The input breaks a rule; the message says which, and where."""


def text_lines(data: bytes) -> Iterator[str]:
    """Yield the lines without their LF.

    Raises:
        IllegalInput: The last line has no LF, or a byte is no ASCII character.
    """
    lines = data.split(b"\n")
    last = lines.pop()
    for number, line in enumerate(lines, start=1):
        yield ascii_text(line, number)
    if last:
        raise IllegalInput(f"line {len(lines) + 1}: no newline at the end of the file")


def ascii_text(line: bytes, number: int) -> str:
    """Return the line as text."""
    if not line.isascii():
        wrong = next(byte for byte in line if byte > 127)
        raise IllegalInput(f"line {number}: byte 0x{wrong:02X} is no ASCII character")
    return line.decode("ascii")


def check_clean(line: str) -> None:
    """Allow ten fields with single blanks between them and nothing else."""
    if "\r" in line:
        raise IllegalInput("a carriage return; lines end with LF alone")
    if "\t" in line:
        raise IllegalInput("a tab; cards are separated by one blank")
    if not line:
        raise IllegalInput("a blank line")
    if line.startswith(" "):
        raise IllegalInput("a blank at the start of the line")
    if line.endswith(" "):
        raise IllegalInput("a blank at the end of the line")
    if "  " in line:
        raise IllegalInput("more than one blank between two cards")


def check_line(line: str, *, dirty: bool) -> int:
    """Check one line and return how many games it holds: 1, or 0 for the blank line of a dirty input."""
    if dirty:
        cards = [card for card in line.removesuffix("\r").replace("\t", " ").split(" ") if card]
    else:
        check_clean(line)
        cards = line.split(" ")
    if not cards:
        return 0
    check_game(cards)
    return 1


def check_game(cards: list[str]) -> None:
    """Allow ten different cards of one pack that give a winner."""
    for card in cards:
        if card not in CARDS:
            raise IllegalInput(f"{card!r} is not a card")
    if len(cards) != 10:
        raise IllegalInput(f"{len(cards)} cards instead of 10")
    for i, card in enumerate(cards):
        if card in cards[:i]:
            raise IllegalInput(f"{card} occurs twice")
    if look(cards[:5]) == look(cards[5:]):
        raise IllegalInput("no winner: the hands are equally strong")


def look(hand: list[str]) -> tuple[list[str], bool]:
    """Return what the rules see of a hand: its ranks and whether it is of one suit. Equal looks tie, others do not."""
    return sorted(card[0] for card in hand), len({card[1] for card in hand}) == 1


def check(data: bytes, *, dirty: bool) -> None:
    """Check a whole input.

    Raises:
        IllegalInput: The input breaks a rule.
    """
    if dirty and not data.endswith(b"\n"):
        data += b"\n"
    games = 0
    for number, line in enumerate(text_lines(data), start=1):
        try:
            games += check_line(line, dirty=dirty)
        except IllegalInput as reason:
            raise IllegalInput(f"line {number}: {reason}") from None
        if games > MOST_LINES:
            raise IllegalInput(f"line {number}: more than {MOST_LINES} lines")


def main() -> int:
    """Return the exit status."""
    if sys.argv[1:] not in ([], ["--dirty"]):
        print(__doc__, file=sys.stderr)
        return MISUSED
    try:
        check(sys.stdin.buffer.read(), dirty=sys.argv[1:] == ["--dirty"])
    except IllegalInput as reason:
        print(reason, file=sys.stderr)
        return ILLEGAL
    return LEGAL


if __name__ == "__main__":
    sys.exit(main())
