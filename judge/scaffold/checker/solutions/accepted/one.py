"""Independent: another right output for the same input."""

n = int(input())
print(n - 1, 1)
