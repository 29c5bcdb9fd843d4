import sys


def main() -> None:
    lines = sys.stdin.read().splitlines()


main()
