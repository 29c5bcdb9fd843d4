"""Check an input: exit status 42 if it is valid, else another one, with the reason on standard error."""

import re
import sys

LINE = re.compile(r"(0|-?[1-9][0-9]*) (0|-?[1-9][0-9]*)\n")
LARGEST = 10**9


def main() -> None:
    lines = sys.stdin.readlines()
    if not 1 <= len(lines) <= 1000:
        sys.exit(f"there are {len(lines)} lines, expected 1 to 1000")
    for number, line in enumerate(lines, 1):
        found = LINE.fullmatch(line)
        if not found:
            sys.exit(f"line {number}: expected two integers and one space, found {line!r}")
        if any(abs(int(word)) > LARGEST for word in found.groups()):
            sys.exit(f"line {number}: an integer is out of range")
    sys.exit(42)


main()
