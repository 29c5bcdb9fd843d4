"""Is the input legal? Exit status 42 accepts it, 43 rejects it and says why on standard error.

With --dirty, white space may be what a careless editor leaves behind: CRLF, tabs, blanks at the ends of a line and
several between cards, blank lines, no end of the last line. The hands must be legal all the same.
"""

import sys

ACCEPT = 42
REJECT = 43

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PACK = {rank + suit for rank in RANKS for suit in SUITS}
MOST_HANDS = 20_000
FEWEST_CARDS = 5
MOST_CARDS = 7


class IllegalInputError(Exception):
    """The input breaks a rule; the message says where and which."""


def lines_of(text: str) -> list[str]:
    """Return the lines, each without its line feed."""
    if not text:
        raise IllegalInputError(f"line 1: the input is empty, expected 1 to {MOST_HANDS} hands")
    if not text.endswith("\n"):
        raise IllegalInputError(f"line {text.count(chr(10)) + 1}: no line feed at its end")
    return text.split("\n")[:-1]


def check_white_space(line: str) -> None:
    """Check that the line has cards, single blanks between them, and no other white space."""
    if not line.strip():
        raise IllegalInputError("blank line")
    if line.endswith("\r"):
        raise IllegalInputError("CR before the line feed")
    if "\t" in line:
        raise IllegalInputError("tab")
    if line.startswith(" "):
        raise IllegalInputError("blank before the first card")
    if line.endswith(" "):
        raise IllegalInputError("blank after the last card")
    if "  " in line:
        raise IllegalInputError("more than one blank between cards")


def check_hand(line: str) -> None:
    """Check the cards of a line with clean white space."""
    cards = line.split(" ")
    for card in cards:
        if card not in PACK:
            raise IllegalInputError(f"{card!a} is not a card")
    if not FEWEST_CARDS <= len(cards) <= MOST_CARDS:
        raise IllegalInputError(f"expected {FEWEST_CARDS} to {MOST_CARDS} cards, found {len(cards)}")
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise IllegalInputError(f"{card} is there twice")


def without_dirt(line: str) -> str:
    """Return the line with clean white space; a blank line becomes empty."""
    fields = line.removesuffix("\r").replace("\t", " ").split(" ")
    return " ".join(field for field in fields if field)


def check(text: str, *, dirty: bool) -> None:
    """Check the whole input.

    Raises:
        IllegalInputError: at the first line that breaks a rule.
    """
    if dirty and not text.endswith("\n"):
        text += "\n"
    hands = 0
    for number, raw in enumerate(lines_of(text), start=1):
        line = without_dirt(raw) if dirty else raw
        if dirty and not line:
            continue
        try:
            check_white_space(line)
            check_hand(line)
        except IllegalInputError as problem:
            raise IllegalInputError(f"line {number}: {problem}") from None
        hands += 1
        if hands > MOST_HANDS:
            raise IllegalInputError(f"line {number}: more than {MOST_HANDS} hands")
    if not hands:
        raise IllegalInputError(f"line 1: no hands, expected 1 to {MOST_HANDS}")


def main() -> int:
    dirty = "--dirty" in sys.argv[1:]
    text = sys.stdin.buffer.read().decode("latin-1")  # one character a byte: what is not ASCII is no card
    try:
        check(text, dirty=dirty)
    except IllegalInputError as problem:
        print(problem, file=sys.stderr)
        return REJECT
    return ACCEPT


if __name__ == "__main__":
    sys.exit(main())
