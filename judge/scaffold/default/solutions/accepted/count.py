"""Independent: reads all numbers first and pairs them up afterwards."""

import sys

numbers = [int(word) for word in sys.stdin.read().split()]
print("\n".join(str(a + b) for a, b in zip(numbers[::2], numbers[1::2])))
