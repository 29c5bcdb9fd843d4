# Mistake: loses one if n is odd.
n = int(input())
print(n // 2, n // 2)
