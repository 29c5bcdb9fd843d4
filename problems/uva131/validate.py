"""Is the input legal for The Psychic Poker Player? Exit status 42: yes; 43: no, and standard error says why.

Clean input is 1 to 10,000 lines of ten different cards, one blank between them, LF after each, the last one included.
With --dirty the white space is free: blanks and tabs anywhere around a card, blank lines, CRLF, no final newline.
"""

import re
import sys
from typing import NoReturn

RANKS = "A23456789TJQK"
SUITS = "CDHS"
CARDS_IN_A_LINE = 10
MOST_LINES = 10_000
STRANGE_CHARACTER = re.compile(r"[^ -~\t\r]")
LEGAL, ILLEGAL = 42, 43


class IllegalInputError(Exception):
    """The input breaks a rule; the message names the line."""


def reject(number: int, reason: str) -> NoReturn:
    raise IllegalInputError(f"line {number}: {reason}")


def check_white_space(line: str, number: int) -> None:
    if "\r" in line:
        reject(number, "carriage return; lines end with LF alone")
    if "\t" in line:
        reject(number, "tab; cards are separated by one blank")
    if not line.strip():
        reject(number, "blank line")
    if line != line.strip():
        reject(number, "blank at the start or at the end")
    if "  " in line:
        reject(number, "more than one blank between two cards")


def check_cards(cards: list[str], number: int) -> None:
    for card in cards:
        if len(card) != 2 or card[0] not in RANKS or card[1] not in SUITS:
            reject(number, f"{card!r} is not a card: a rank of {RANKS}, then a suit of {SUITS}")
    if len(cards) != CARDS_IN_A_LINE:
        reject(number, f"expected {CARDS_IN_A_LINE} cards, found {len(cards)}")
    for place, card in enumerate(cards):
        if card in cards[:place]:
            reject(number, f"{card} occurs twice")


def decoded_lines(data: bytes, *, dirty: bool) -> list[str]:
    """The lines without their LF (or CRLF if dirty), all printable ASCII but for tabs and carriage returns."""
    lines = data.split(b"\n")
    last = lines.pop()
    if last:
        if not dirty:
            reject(len(lines) + 1, "no newline at the end of the last line")
        lines.append(last)
    texts = []
    for number, line in enumerate(lines, start=1):
        text = line.decode("latin-1")
        strange = STRANGE_CHARACTER.search(text)
        if strange:
            reject(number, f"character {strange[0]!r}; only printable ASCII is allowed")
        if dirty:
            text = text.removesuffix("\r")
            if "\r" in text:
                reject(number, "carriage return inside the line")
        texts.append(text)
    return texts


def validate(data: bytes, *, dirty: bool) -> None:
    """Check every rule.

    Raises:
        IllegalInputError: a rule is broken.
    """
    cases = 0
    for number, line in enumerate(decoded_lines(data, dirty=dirty), start=1):
        if not dirty:
            check_white_space(line, number)
        cards = line.split()
        if not cards:
            continue
        check_cards(cards, number)
        cases += 1
        if cases > MOST_LINES:
            reject(number, f"more than {MOST_LINES:,} lines with cards")
    if not cases:
        reject(1, "no cards; there must be at least one line")


def main() -> int:
    arguments = sys.argv[1:]
    if arguments not in ([], ["--dirty"]):
        print(f"expected no argument or --dirty, found {' '.join(arguments)}", file=sys.stderr)
        return 2
    try:
        validate(sys.stdin.buffer.read(), dirty=bool(arguments))
    except IllegalInputError as error:
        print(error, file=sys.stderr)
        return ILLEGAL
    return LEGAL


if __name__ == "__main__":
    sys.exit(main())
