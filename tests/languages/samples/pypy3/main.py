#!/usr/bin/env pypy3
import sys

from total import total

sys.setrecursionlimit(200000)


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


words = sys.stdin.read().split()
mode, numbers = words[0], list(map(int, words[1:]))
if mode == "sum":
    print(total(numbers))
elif mode == "deep":
    print(deep(numbers[0]))
elif mode == "memory":
    kept = bytearray(b"x" * (numbers[0] << 20))
    print(len(kept))
elif mode == "loop":
    while True:
        pass
elif mode == "fail":
    raise KeyError("failed")
