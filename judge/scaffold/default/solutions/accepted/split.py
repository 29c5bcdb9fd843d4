"""The reference: split every line and add."""

import sys

for line in sys.stdin:
    a, b = line.split()
    print(int(a) + int(b))
