"""Accept (exit status 42) or reject (43, with the reason) an input of "Play Cards".

Clean input: 1 to 200 lines, each `n c1 ... cn` with single blanks, 0 <= n <= 52 and n different cards; every line ends
with a line feed. With --dirty: blanks and tabs around the fields, empty lines, CRLF, no final line end.
"""

import re
import sys

ACCEPT, REJECT = 42, 43
MOST_LINES = 200
PACK = {rank + suit for rank in "A23456789TJQK" for suit in "CDHS"}


class IllegalInputError(Exception):
    """The input breaks a rule: the number of the line and what is wrong with it."""


def split_lines(text: str) -> list[str]:
    """Return the lines without their line ends; the piece after the last line end only if it is not empty."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def check_layout(text: str) -> None:
    lines = split_lines(text)
    for number, line in enumerate(lines, start=1):
        if re.search(r"[^ !-~]", line):
            raise IllegalInputError(number, f"only printable ASCII and blanks are allowed, found {line!r}")
        if not line.strip():
            raise IllegalInputError(number, "empty line")
        if line != " ".join(line.split()):
            raise IllegalInputError(number, "fields are parted by one blank, with none before or after them")
    if not text.endswith("\n"):
        raise IllegalInputError(max(len(lines), 1), "no line feed at the end")


def check_hand(number: int, fields: list[str]) -> None:
    if not re.fullmatch("0|[1-9][0-9]?", fields[0]) or int(fields[0]) > 52:
        raise IllegalInputError(number, f"the number of cards must be 0 to 52, found {fields[0]!r}")
    cards = fields[1:]
    if len(cards) != int(fields[0]):
        raise IllegalInputError(number, f"{fields[0]} cards are announced, {len(cards)} follow")
    seen = set()
    for card in cards:
        if card not in PACK:
            raise IllegalInputError(number, f"{card!r} is not a card")
        if card in seen:
            raise IllegalInputError(number, f"{card} is there twice")
        seen.add(card)


def check(data: bytes, dirty: bool) -> None:
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError as error:
        raise IllegalInputError(data.count(b"\n", 0, error.start) + 1, "a byte is not ASCII") from error
    if dirty:
        text = text.replace("\r\n", "\n")
    else:
        check_layout(text)
    hands = 0
    for number, line in enumerate(split_lines(text), start=1):
        fields = re.split("[ \t]+", line.strip(" \t"))
        if fields != [""]:
            hands += 1
            if hands > MOST_LINES:
                raise IllegalInputError(number, f"more than {MOST_LINES} hands")
            check_hand(number, fields)
    if not hands:
        raise IllegalInputError(1, "no hand")


def main() -> int:
    try:
        check(sys.stdin.buffer.read(), dirty="--dirty" in sys.argv[1:])
    except IllegalInputError as reason:
        number, text = reason.args
        print(f"line {number}: {text}", file=sys.stderr)
        return REJECT
    return ACCEPT


sys.exit(main())
